"""The functions of the kernel that wait for callbacks, readers and completions, and those that are waited for.

So do those that take locks which no model follows: all of a kind are one lock here, which readers have alone, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from duet.frontend.cells import contracts, interrupts
from duet.frontend.cells.context import Context
from duet.frontend.cells.waiting import (
    ATTRIBUTES,
    CLOCKS,
    COMPLETERS,
    COMPLETING,
    INTERRUPTS,
    KTHREADS,
    OPENING,
    READERS,
    TASKLETS,
    TIMERS,
    WORKS,
    is_wanted,
    note,
)
from duet.frontend.ctypes.types import FunctionType
from duet.frontend.models import presumed
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind


def _named(text: str, what: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), what)


WAITS: Mapping[str, str] = {
    **_named("del_timer_sync timer_delete_sync timer_shutdown_sync del_singleshot_timer_sync", TIMERS),
    **_named("hrtimer_cancel", CLOCKS),
    **_named("cancel_work_sync cancel_delayed_work_sync flush_work flush_delayed_work flush_workqueue", WORKS),
    **_named("__flush_workqueue drain_workqueue destroy_workqueue flush_scheduled_work", WORKS),
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
SPINNING, SLEEPING = "read/write locks of the kernel", "semaphores of the kernel"
REGION, REGIONS = "__duet_wait_for_region", "regions that are shared in turns"
"""Who has a region is taken to have it for good: what gives one back is for others, too. *Source*: __request_region"""
_SPINS = re.compile(r"_raw_(?:read|write)_(lock|trylock|unlock)(?:_(irq|irqsave|irqrestore|bh|nested))?")
_SLEEPS = re.compile(
    r"_?(down|up)(?:_(?:read|write))?(_trylock)?(?:_(?:interruptible|killable|timeout|nest|nested|lock|non_owner))*"
)


def note_call(ctx: Context, name: str, kind: FunctionType | None, node: Node, is_unknown: bool) -> None:
    """Notes what a function of the kernel waits for, or may if it `is_unknown`, and that it completes something."""
    if not is_wanted(ctx):
        return
    if name in COMPLETES:
        ctx.facts.mark(COMPLETING, ctx.thread.template)
    elif name in _READING:
        note(ctx, READERS, node, _READING[name])
    elif (what := WAITS.get(name)) is not None:
        note(ctx, what, node, AccessKind.LOCK)
        note(ctx, what, node, AccessKind.UNLOCK)
    elif name == REGION:
        note(ctx, REGIONS, node, AccessKind.LOCK)
    elif (spins := _SPINS.fullmatch(name)) is not None:
        _spin(ctx, spins[1], spins[2] or "", node)
    elif (sleeps := _SLEEPS.fullmatch(name)) is not None:
        taking = AccessKind.TAKE if sleeps[2] else AccessKind.LOCK
        note(ctx, SLEEPING, node, taking if sleeps[1] == "down" else AccessKind.UNLOCK)
    elif is_unknown or contracts.relays(ctx, name):
        presumed.note_call(ctx, name, kind, node)


def _spin(ctx: Context, how: str, context: str, node: Node) -> None:
    """A lock that spins is taken or given back, with what that does to interrupts of this processor."""
    if how == "unlock":
        note(ctx, SPINNING, node, AccessKind.UNLOCK)
        if context == "bh":
            interrupts.hold_back(ctx, -1, node)
        elif context:
            interrupts.switch(ctx, False, node)
        return
    if context == "bh":
        interrupts.hold_back(ctx, 1, node)
    elif context in ("irq", "irqsave"):
        interrupts.switch(ctx, True, node)
    note(ctx, SPINNING, node, AccessKind.TAKE if how == "trylock" else AccessKind.LOCK)
    interrupts.note_open(ctx, node)
