"""Lock operations as notes for the property deadlock: which lock a thread waits for, has taken or gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duet.frontend.cells import sharing
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.values import Direct, Place
from duet.frontend.graph.compact import reads, writes
from duet.frontend.source.nodes import Node
from duet.plip.accesses import UNKNOWN_LOCK, AccessKind
from duet.plip.syntax import Assign, Linear, Step

_NO_LOCKS = ("sem_", "__duet_down", "__duet_up", "pthread_barrier", "pthread_once", "call_once")
_GIVES_UP = ("try", "timed", "clock")
_CONDITIONS = ("pthread_cond", "cnd_")
_SHARED = ("rwlock", "__duet_read", "__duet_write")
"""What is in the names of operations on read/write locks: a thread that reads waits for itself if it is to write."""


def note_operation(
    ctx: Context,
    name: str,
    node: Node,
    place: Place,
    cell: str | None,
    ways: Sequence[tuple[int, tuple[Step, ...]]],
    ends: Mapping[int, int],
) -> None:
    """Notes an operation on a lock by its ways, each with its result; `ends` are where the results are seen.

    `cell` is that of the lock, None where it is not told apart: then the name of the function decides.
    """
    if not sharing.wants_locks(ctx) or name.startswith(_NO_LOCKS) or "init" in name or "destroy" in name:
        return
    takers = [result for result, steps in ways if cell is not None and _takes(steps, cell)]
    if cell is None:
        is_release = "unlock" in name or "release" in name
        takers = [] if is_release else [result for result, _ in ways]
    else:
        is_release = not takers and any(_gives_back(steps, cell) for _, steps in ways)
    if is_release:
        _note(ctx, place, node, AccessKind.UNLOCK, None)
    elif not takers:
        return
    elif any(part in name for part in _GIVES_UP) and not name.startswith(_CONDITIONS):
        for result in takers:
            _note(ctx, place, node, AccessKind.TAKE, ends[result])
    else:
        plain = [steps for _, steps in ways if cell is None or (_takes(steps, cell) and not _asks_holder(ctx, steps))]
        is_plain = bool(plain) or any(part in name for part in _SHARED)
        _note(ctx, place, node, AccessKind.LOCK if is_plain else AccessKind.RELOCK, None)


def _takes(steps: tuple[Step, ...], cell: str) -> bool:
    return any(_is_change(step, cell, 1) for step in steps)


def _gives_back(steps: tuple[Step, ...], cell: str) -> bool:
    return any(_is_change(step, cell, -1) for step in steps)


def _is_change(step: Step, cell: str, sign: int) -> bool:
    """Whether a step sets the state of a lock to one that is held, or counts a holder more; with -1, the opposite."""
    match step:
        case Assign(target, Linear((), value)) if target == cell:
            return (value != 0) == (sign > 0)
        case Assign(target, Linear(((name, 1),), value)) if target == cell and name == cell:
            return value * sign > 0
        case _:
            return False


def _asks_holder(ctx: Context, steps: tuple[Step, ...]) -> bool:
    """Whether some step depends on what the thread itself has of the lock."""
    cells = frozenset[str]().union(*(reads(step) | writes(step) for step in steps))
    return any(ctx.memory.cells[name].template is not None for name in cells if name in ctx.memory.cells)


def _note(ctx: Context, place: Place, node: Node, kind: AccessKind, end: int | None) -> None:
    if isinstance(place, Direct):
        sharing.note_lock(ctx, place.object, place.path, node, kind, end)
    else:
        sharing.note_unknown_lock(ctx, UNKNOWN_LOCK, node, kind, end)
