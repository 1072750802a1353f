"""What functions of the kernel wait for besides locks: ends of callbacks, of sections of readers, and completions.

Each kind is a lock of its own for the property deadlock: a thread has it while it runs such a callback, and a function
that waits takes it and gives it back. *Approximates*: over. All callbacks of a kind, told by the types of their
parameters, are one lock, as if each wait were for all of them; threads that complete something have it from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duet.frontend.cells import contracts, sharing
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import CType, FunctionType, IntType, PointerType, StructType, VoidType
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind
from duet.plip.syntax import ANY_CALLBACK, MADE, SKIP

TIMERS, CLOCKS, WORKS, TASKLETS, INTERRUPTS, ATTRIBUTES, OPENING, KTHREADS, READERS, COMPLETERS = (
    "the callbacks of timers",
    "the callbacks of high-resolution timers",
    "works",
    "tasklets",
    "interrupt handlers",
    "the operations of attributes",
    "the opening of files",
    "kernel threads",
    "sections of readers",
    "those who complete",
)
ANY = "callbacks of the kernel"
"""What all of them are."""
_AWAITED: Mark[str] = Mark("what functions of the kernel may wait for")
_SERVED: Mark[str] = Mark("what callbacks are")
COMPLETING: Mark[str] = Mark("templates that complete something")
_ATTRIBUTE = "device_attribute"
_BY_STRUCTURE: Mapping[tuple[int, str], str] = {
    (0, "timer_list"): TIMERS,
    (0, "hrtimer"): CLOCKS,
    (0, "work_struct"): WORKS,
    (0, "tasklet_struct"): TASKLETS,
    (1, _ATTRIBUTE): ATTRIBUTES,
    (1, "kobj_attribute"): ATTRIBUTES,
    (2, "bin_attribute"): ATTRIBUTES,
}
"""Callbacks by the structure that a parameter points to."""


def kinds_of(function: FunctionType) -> tuple[str, ...]:
    """What a function is one of, by its type, where the kernel calls it."""
    given = function.parameters or ()
    found = [what for (place, tag), what in _BY_STRUCTURE.items() if place < len(given) and _tag(given[place]) == tag]
    is_handler = len(given) == 2 and isinstance(given[0], IntType) and _is_untyped(given[1])
    is_opening = [_tag(kind) for kind in given] == ["inode", "file"]
    is_thread = len(given) == 1 and _is_untyped(given[0]) and isinstance(function.result, IntType)
    told = ((is_handler, INTERRUPTS), (is_opening, OPENING), (is_thread, KTHREADS))
    return (*found, *(what for is_one, what in told if is_one))


def structures_of(function: FunctionType) -> tuple[str, ...]:
    """The tags of the structures that the parameters of a function lead to."""
    return tuple(dict.fromkeys(tag for kind in function.parameters or () if (tag := _tag(kind))))


def given_to(structure: str) -> str:
    """What callbacks are that are given a structure, by its tag."""
    return f"callbacks that are given a struct {structure}"


def _tag(kind: CType) -> str:
    """The tag of the structure that a pointer leads to; empty for others."""
    match kind:
        case PointerType(StructType() as structure):
            return structure.tag
        case _:
            return ""


def _is_untyped(kind: CType) -> bool:
    return isinstance(kind, PointerType) and isinstance(kind.target, VoidType)


def begin(ctx: Context, name: str, function: FunctionType, node: Node) -> tuple[str, ...]:
    """The kernel calls a function: what the thread has until `end`."""
    if not is_wanted(ctx) or (ctx.thread.frames and not _is_of_kernel(ctx.thread.frame.function)):
        return ()
    is_completing = not ctx.thread.frames and ctx.thread.template in ctx.facts.marked(COMPLETING)
    cores = contracts.behind(ctx, name)
    tags = dict.fromkeys((*structures_of(function), *cores))
    presumed = (what for what in (*map(given_to, tags), ANY) if what in ctx.facts.marked(_AWAITED))
    own = dict.fromkeys((*kinds_of(function), *((ATTRIBUTES,) if _ATTRIBUTE in cores else ())))
    kinds = (*((COMPLETERS,) if is_completing else ()), *own, *presumed)
    ctx.facts.mark(_SERVED, *kinds)
    for what in kinds:
        note(ctx, what, node, AccessKind.TAKE)
    return kinds


def end(ctx: Context, kinds: tuple[str, ...], node: Node) -> None:
    """The function returns."""
    for what in kinds:
        note(ctx, what, node, AccessKind.UNLOCK)


def presume(ctx: Context, kinds: Iterable[str], node: Node) -> None:
    """Notes that a function of the kernel may wait for what is of some kinds, where anything is."""
    ctx.facts.mark(_AWAITED, *kinds)
    for what in sorted(ctx.facts.marked(_SERVED).intersection(kinds)):
        note(ctx, what, node, AccessKind.PRESUME)


def note(ctx: Context, what: str, node: Node, kind: AccessKind) -> None:
    """Notes that a thread waits for others, or that others wait for it."""
    sharing.note_obligation(ctx, what, node, kind)
    ctx.builder.emit(SKIP)


def is_wanted(ctx: Context) -> bool:
    """Whether waits matter for what is asked for."""
    return ctx.options.model == "linux" and ctx.wants("deadlock") and not ctx.is_silent


def _is_of_kernel(function: str) -> bool:
    return function.startswith(MADE) or function == ANY_CALLBACK
