"""Functions of the kernel of which nothing says that they do not wait: what they may wait for.

One that is given structures is presumed to wait for whatever is called with one of these, and for what they stand for,
as works and completions do; one that is given none for all that the kernel calls. That is no circle by itself: only
together with a lock, or with what `duet.frontend.models.waits` names.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.frontend.cells import contracts
from duet.frontend.cells.context import Context
from duet.frontend.cells.waiting import (
    ANY,
    CLOCKS,
    COMPLETERS,
    KTHREADS,
    READERS,
    TASKLETS,
    TIMERS,
    WORKS,
    given_to,
    presume,
    structures_of,
)
from duet.frontend.ctypes.types import FunctionType
from duet.frontend.source.nodes import Node

_FOR: Mapping[str, str] = {
    "timer_list": TIMERS,
    "hrtimer": CLOCKS,
    "work_struct": WORKS,
    "delayed_work": WORKS,
    "workqueue_struct": WORKS,
    "tasklet_struct": TASKLETS,
    "completion": COMPLETERS,
    "task_struct": KTHREADS,
    "srcu_struct": READERS,
}
"""What the end of is waited for by functions that are given a structure, where that is not callbacks given it, too."""
_TIME = """
mod_timer mod_timer_pending timer_reduce add_timer add_timer_on del_timer timer_delete try_to_del_timer_sync
init_timer_key hrtimer_init hrtimer_start_range_ns hrtimer_try_to_cancel hrtimer_active hrtimer_forward
__hrtimer_get_remaining msleep usleep_range_state __const_udelay __udelay __ndelay ktime_get_real_ts64
"""
_LATER = """
queue_work_on queue_work_node queue_delayed_work_on mod_delayed_work_on queue_rcu_work cancel_work cancel_delayed_work
work_busy tasklet_setup tasklet_init __tasklet_schedule __tasklet_hi_schedule
wake_up_process completion_done try_wait_for_completion __init_swait_queue_head __init_waitqueue_head
init_wait_entry kill_fasync wait_for_completion_timeout
wait_for_completion_interruptible_timeout wait_for_completion_killable_timeout wait_for_completion_io_timeout
"""
_FILES = """
sysfs_emit sysfs_emit_at sysfs_match_string __sysfs_match_string match_string seq_printf seq_puts seq_putc seq_write
stream_open nonseekable_open no_llseek noop_llseek simple_open dmi_match dmi_get_system_info dmi_name_in_vendors
"""
_SUBSYSTEMS = """
input_alloc_absinfo input_set_abs_params input_copy_abs input_set_capability input_set_timestamp input_get_timestamp
input_device_enabled input_scancode_to_scalar input_mt_init_slots input_mt_assign_slots input_mt_get_slot_by_key
touchscreen_parse_properties watchdog_init_timeout watchdog_set_restart_priority
"""
_DEVICES = """
platform_get_resource platform_get_resource_byname devm_platform_ioremap_resource devm_platform_ioremap_resource_byname
devm_platform_get_and_ioremap_resource devm_ioremap devm_ioremap_wc devm_ioremap_resource devm_kasprintf devm_kvasprintf
devm_add_action device_get_match_data device_property_match_string device_set_wakeup_capable device_wakeup_enable
device_wakeup_disable pm_wakeup_dev_event pm_stay_awake pm_relax i2c_match_id spi_get_device_id
"""
PASSING = frozenset(f"{_TIME} {_LATER} {_FILES} {_SUBSYSTEMS} {_DEVICES}".split())
"""Functions that wait for no callback of a driver, or not for ever. *Source*: their definitions in the kernel.

None takes a lock that a core holds while it calls a driver, as those below do, `input_event` (`event_lock`, below
which it calls `event`), `clk_get` (that of all clocks), `regulator_get`, and `platform_get_irq` (that of the domains of
interrupts).
"""
_UNDER_LOCKS: Mapping[str, tuple[str, ...]] = {
    given_to("irq_data"): ("enable_irq", "disable_irq_nosync"),  # desc->lock, and below chip_bus_lock()
    given_to("wait_queue_entry"): (  # the lock of a queue, under which __wake_up_common() calls entry->func()
        *("__wake_up", "__wake_up_locked", "__wake_up_sync", "prepare_to_wait", "prepare_to_wait_event"),
        *("prepare_to_wait_exclusive", "finish_wait", "add_wait_queue", "remove_wait_queue"),
    ),
}
_FOR_CALLBACKS = {name: what for what, names in _UNDER_LOCKS.items() for name in names}
"""Functions that take a lock under which some callbacks run, and wait for nothing else."""


def note_call(ctx: Context, name: str, kind: FunctionType | None, node: Node) -> None:
    """Notes what a function of the kernel without a model may wait for, or one that may call the driver's own."""
    if contracts.relays(ctx, name):
        presume(ctx, [ANY], node)
        return
    if name in _FOR_CALLBACKS:
        presume(ctx, [_FOR_CALLBACKS[name]], node)
        return
    if name in PASSING or ctx.describe(name) is not None:
        return
    found = structures_of(kind) if kind is not None else ()
    presume(ctx, [_FOR.get(tag) or given_to(tag) for tag in found] or [ANY], node)
