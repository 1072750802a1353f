"""What functions of the kernel wait for besides locks: ends of callbacks, of sections of readers, and completions.

Each kind is a lock of its own for the property deadlock: a thread has it while it runs such a callback, and a function
that waits takes it and gives it back. *Approximates*: over. All callbacks of a kind, told by the types of their
parameters, are one lock, as if each wait were for all of them; threads that complete something have it from the start.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.frontend.cells import sharing
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import CType, FunctionType, IntType, PointerType, StructType, VoidType
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind
from duet.plip.syntax import SKIP

HARNESS = "__duet_"
"""What the names of the functions of a harness begin with."""
TIMERS, WORKS, TASKLETS, INTERRUPTS, ATTRIBUTES, OPENING, KTHREADS, READERS, COMPLETERS = (
    "the callbacks of timers",
    "works",
    "tasklets",
    "interrupt handlers",
    "the operations of attributes",
    "the opening of files",
    "kernel threads",
    "sections of readers",
    "those who complete",
)
_COMPLETING: Mark[str] = Mark("templates that complete something")
_BY_STRUCTURE: Mapping[tuple[int, str], str] = {
    (0, "timer_list"): TIMERS,
    (0, "hrtimer"): TIMERS,
    (0, "work_struct"): WORKS,
    (0, "tasklet_struct"): TASKLETS,
    (1, "device_attribute"): ATTRIBUTES,
    (1, "kobj_attribute"): ATTRIBUTES,
    (2, "bin_attribute"): ATTRIBUTES,
}
"""Callbacks by the structure that a parameter points to."""


def _named(text: str, what: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), what)


WAITS: Mapping[str, str] = {
    **_named("del_timer_sync timer_delete_sync timer_shutdown_sync del_singleshot_timer_sync hrtimer_cancel", TIMERS),
    **_named("cancel_work_sync cancel_delayed_work_sync flush_work flush_delayed_work flush_workqueue", WORKS),
    **_named("__flush_workqueue drain_workqueue destroy_workqueue __flush_workqueue flush_scheduled_work", WORKS),
    **_named("tasklet_kill tasklet_disable", TASKLETS),
    **_named("free_irq devm_free_irq disable_irq synchronize_irq", INTERRUPTS),
    **_named("device_remove_file sysfs_remove_file_ns sysfs_remove_group sysfs_remove_groups", ATTRIBUTES),
    **_named("device_remove_bin_file sysfs_remove_bin_file device_unregister device_del", ATTRIBUTES),
    **_named("hwmon_device_unregister platform_device_unregister", ATTRIBUTES),
    **_named("misc_register misc_deregister", OPENING),
    **_named("kthread_stop", KTHREADS),
    **_named("wait_for_completion wait_for_completion_io", COMPLETERS),
    **_named("__duet_wait_for_timers", TIMERS),
    **_named("__duet_wait_for_interrupts", INTERRUPTS),
    **_named("__duet_wait_for_opening", OPENING),
    **_named("__duet_wait_for_completion", COMPLETERS),
    **_named("synchronize_rcu", READERS),
}
"""The functions that wait, with what for. *Source*: the comments of the kernel at their definitions."""
_READING = {"rcu_read_lock": AccessKind.TAKE, "rcu_read_unlock": AccessKind.UNLOCK}
COMPLETES = frozenset(("complete", "complete_all", "__duet_complete", "__duet_complete_all"))


def kinds_of(function: FunctionType) -> tuple[str, ...]:
    """What a function is one of, by its type, where the kernel calls it."""
    given = function.parameters or ()
    found = [what for (place, tag), what in _BY_STRUCTURE.items() if place < len(given) and _tag(given[place]) == tag]
    is_handler = len(given) == 2 and isinstance(given[0], IntType) and _is_untyped(given[1])
    is_opening = [_tag(kind) for kind in given] == ["inode", "file"]
    is_thread = len(given) == 1 and _is_untyped(given[0]) and isinstance(function.result, IntType)
    told = ((is_handler, INTERRUPTS), (is_opening, OPENING), (is_thread, KTHREADS))
    return (*found, *(what for is_one, what in told if is_one))


def _tag(kind: CType) -> str:
    """The tag of the structure that a pointer leads to; empty for others."""
    match kind:
        case PointerType(StructType(key)):
            return key.partition("@")[0]
        case _:
            return ""


def _is_untyped(kind: CType) -> bool:
    return isinstance(kind, PointerType) and isinstance(kind.target, VoidType)


def begin(ctx: Context, function: FunctionType, node: Node) -> tuple[str, ...]:
    """The kernel calls a function: what the thread has until `end`."""
    if not _is_wanted(ctx) or (ctx.thread.frames and not _is_of_kernel(ctx.thread.frame.function)):
        return ()
    if not ctx.thread.frames and ctx.thread.template in ctx.facts.marked(_COMPLETING):
        note(ctx, COMPLETERS, node, AccessKind.TAKE)
    kinds = kinds_of(function)
    for what in kinds:
        note(ctx, what, node, AccessKind.TAKE)
    return kinds


def end(ctx: Context, kinds: tuple[str, ...], node: Node) -> None:
    """The function returns."""
    for what in kinds:
        note(ctx, what, node, AccessKind.UNLOCK)


def note_call(ctx: Context, name: str, node: Node) -> None:
    """Notes what a function of the kernel waits for, and that it completes something."""
    if name in COMPLETES:
        ctx.facts.mark(_COMPLETING, ctx.thread.template)
    if not _is_wanted(ctx):
        return
    if name in _READING:
        note(ctx, READERS, node, _READING[name])
    elif (what := WAITS.get(name)) is not None:
        note(ctx, what, node, AccessKind.LOCK)
        note(ctx, what, node, AccessKind.UNLOCK)


def note(ctx: Context, what: str, node: Node, kind: AccessKind) -> None:
    """Notes that a thread waits for others, or that others wait for it."""
    sharing.note_obligation(ctx, what, node, kind)
    ctx.builder.emit(SKIP)


def _is_wanted(ctx: Context) -> bool:
    return ctx.options.model == "linux" and ctx.wants("deadlock") and not ctx.is_silent


def _is_of_kernel(function: str) -> bool:
    return function.startswith(HARNESS) or function == "any callback"
