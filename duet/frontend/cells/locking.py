"""Lock operations as notes for the property deadlock: which lock a thread waits for, has taken or gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duet.frontend.cells import sharing
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.library import LockOperation
from duet.frontend.ctypes.origins import Origins, may_be_any
from duet.frontend.ctypes.types import VOID, CType, OpaqueType, PointerType
from duet.frontend.ctypes.values import Direct, Place, Temporary
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.accesses import UNKNOWN_LOCK, WOKEN, AccessKind
from duet.plip.syntax import SKIP, Step
from duet.plip.touched import writes

_GIVING_UP = frozenset((LockOperation.TRY, LockOperation.TIMED, LockOperation.TRY_SHARED, LockOperation.TIMED_SHARED))
"""Operations that may end without the lock, so that nobody waits for ever."""
_EVENTS = {
    LockOperation.AWAIT: AccessKind.AWAIT,
    LockOperation.POST: AccessKind.POST,
    LockOperation.MEET: AccessKind.MEET,
}
_WAITING = frozenset((LockOperation.ACQUIRE, LockOperation.READ, LockOperation.WRITE))
_WAITED_FOR_BY = {
    AccessKind.AWAIT: AccessKind.AWAIT,
    AccessKind.POST: AccessKind.AWAIT,
    AccessKind.MEET: AccessKind.MEET,
}
_USED: Mark[tuple[str, AccessKind]] = Mark("objects with locks and events, and how these are waited for")
"""By the keys of the objects, UNKNOWN_LOCK for one that is not known."""
_KINDS: Mark[CType] = Mark("types of locks and events")


def note_operation(
    ctx: Context,
    operation: LockOperation,
    node: Node,
    place: Place,
    cell: str | None,
    ways: Sequence[tuple[int, tuple[Step, ...]]],
    ends: Mapping[int, int],
) -> None:
    """Notes an operation on a lock by its ways, each with its result; `ends` are where the results are seen.

    `cell` is that of the lock, None where it is not told apart: then any result may be that of having taken it.
    """
    if not sharing.wants_locks(ctx):
        return
    if operation in _EVENTS:
        note_event(ctx, operation, node, place)
    elif operation is LockOperation.RELEASE:
        if cell is None or any(_changes(steps, cell) for _, steps in ways):
            _note(ctx, place, node, AccessKind.UNLOCK, None)
    else:
        _note_taking(ctx, operation, node, place, cell, ways, ends)


def _is_wanted(ctx: Context) -> bool:
    """Whether deadlocks are asked for, which alone look at what is no lock."""
    return ctx.wants("deadlock") and not ctx.is_silent


def note_event(ctx: Context, operation: LockOperation, node: Node, place: Place) -> None:
    """Notes that a thread waits for others without anybody holding anything, or that it lets others go on."""
    if _is_wanted(ctx):
        if operation is not LockOperation.POST:
            ctx.assume(WOKEN)
        _note(ctx, place, node, _EVENTS[operation], None)


def note_post_of_anything(ctx: Context, node: Node) -> None:
    """Notes that code which is not understood may let any thread go on."""
    if _is_wanted(ctx):
        sharing.note_unknown_lock(ctx, UNKNOWN_LOCK, node, AccessKind.POST, None)


def is_for_lock(ctx: Context, kind: CType) -> bool:
    """Whether a value of a type points to a lock, or an event, as far as the operations on them tell."""
    return isinstance(kind, PointerType) and (
        isinstance(kind.target, OpaqueType) or kind.target in ctx.facts.marked(_KINDS)
    )


def note_unknown_use(ctx: Context, given: Origins, node: Node) -> None:
    """Notes what unknown code may do to what it is given: take locks, and keep them; wait for events."""
    if not _is_wanted(ctx) or ctx.options.assumes("unknown-takes-no-locks"):
        return
    used, reached = ctx.facts.marked(_USED), ctx.memory.pointed(given)
    for kind in (AccessKind.LOCK, AccessKind.AWAIT, AccessKind.MEET):
        for of in reached:
            if (of.key, kind) in used:
                _use(ctx, Direct(of, (), of.type), node, kind)
        is_any = may_be_any(given) and any(kind is other for _, other in used)
        if is_any or (reached and (UNKNOWN_LOCK, kind) in used):
            _use(ctx, Temporary(VOID), node, kind)


def _use(ctx: Context, place: Place, node: Node, kind: AccessKind) -> None:
    """A wait of unknown code, which may give back a lock that it took, or not."""
    _note(ctx, place, node, kind, None)
    ctx.builder.emit(SKIP)
    if kind is AccessKind.LOCK:
        given_back, kept = ctx.builder.fork(2)
        ctx.builder.at(given_back)
        _note(ctx, place, node, AccessKind.UNLOCK, None)
        ctx.builder.goto(kept)
        ctx.builder.at(kept)


def note_end(ctx: Context, node: Node) -> None:
    """Notes that the thread ends here, without the process."""
    if _is_wanted(ctx):
        sharing.note_unknown_lock(ctx, UNKNOWN_LOCK, node, AccessKind.END, None)
        ctx.builder.emit(SKIP)


def note_running(ctx: Context, place: Place, node: Node, ends: bool) -> None:
    """Notes that a thread runs what is to be run once, which others wait for, or waits for it; or that that `ends`."""
    if sharing.wants_locks(ctx):
        _note(ctx, place, node, AccessKind.UNLOCK if ends else AccessKind.LOCK, None)


def _note_taking(
    ctx: Context,
    operation: LockOperation,
    node: Node,
    place: Place,
    cell: str | None,
    ways: Sequence[tuple[int, tuple[Step, ...]]],
    ends: Mapping[int, int],
) -> None:
    if sharing.may_be_cancelled(ctx):
        sharing.note_unknown_lock(ctx, UNKNOWN_LOCK, node, AccessKind.CANCEL, None)
    takers = [(result, steps) for result, steps in ways if cell is None or _changes(steps, cell)]
    if operation in _GIVING_UP:
        for result, _ in takers:
            _note(ctx, place, node, AccessKind.TAKE, ends[result])
    elif operation in _WAITING and takers:
        # a thread that reads waits for itself if it is to write
        is_plain = operation is not LockOperation.ACQUIRE or cell is None
        is_plain = is_plain or not all(_knows_holder(ctx, steps, cell) for _, steps in takers)
        _note(ctx, place, node, AccessKind.LOCK if is_plain else AccessKind.RELOCK, None)


def _changes(steps: tuple[Step, ...], cell: str) -> bool:
    """Whether a way changes the state of a lock: then it takes the lock, or gives it back, as the operation says."""
    return any(cell in writes(step) for step in steps)


def _knows_holder(ctx: Context, steps: tuple[Step, ...], cell: str | None) -> bool:
    """Whether the thread notes with some step what it itself has of the lock, besides in the lock's own cell.

    That one is the thread's, too, where the lock is a local variable.
    """
    cells = frozenset[str]().union(*(writes(step) for step in steps)) - {cell}
    return any(ctx.memory.cells[name].template is not None for name in cells if name in ctx.memory.cells)


def _note(ctx: Context, place: Place, node: Node, kind: AccessKind, end: int | None) -> None:
    if _is_wanted(ctx):
        if place.type != VOID:
            ctx.facts.mark(_KINDS, place.type)
        key = place.object.key if isinstance(place, Direct) else UNKNOWN_LOCK
        ctx.facts.mark(_USED, (key, _WAITED_FOR_BY.get(kind, AccessKind.LOCK)))
    if isinstance(place, Direct):
        sharing.note_lock(ctx, place.object, place.path, node, kind, end)
    else:
        sharing.note_unknown_lock(ctx, UNKNOWN_LOCK, node, kind, end)
