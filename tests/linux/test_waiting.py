"""Deadlocks of what waits for ends of callbacks, for readers, and for completions, with a kernel's headers and without.

Each program says what it does while it waits; the checks that are open are those of the places in the circle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.check import deadlocks
from duet.frontend.cells import contracts, waiting
from duet.frontend.models import presumed, waits
from duet.linux import cores
from duet.plip.accesses import AccessKind
from tests.linux.opened import filled, open_deadlocks

COMMON = """
static int count;
static void work(void) { spin_lock(&taken); count = 1; spin_unlock(&taken); }
@CALLBACK@
static int __init loading(void) { @START@ return 0; }
static void __exit leaving(void) { @STOP@ }
module_init(loading);
module_exit(leaving);
MODULE_LICENSE("GPL");
"""
KERNEL = """
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/rcupdate.h>
#include <linux/callbacks.h>
extern int request_irq(unsigned int irq, int (*handler)(int, void *), unsigned long flags, void *name, void *data);
static DEFINE_SPINLOCK(taken);
static DEFINE_SPINLOCK(other);
static struct completion done;
extern int hand_over(void (*function)(void));
struct rw_semaphore { int count; };
extern void down_read(struct rw_semaphore *semaphore);
extern int down_write_killable(struct rw_semaphore *semaphore);
extern void up_read(struct rw_semaphore *semaphore);
extern void up_write(struct rw_semaphore *semaphore);
extern void _raw_read_lock(struct rw_semaphore *lock);
extern void _raw_read_unlock(struct rw_semaphore *lock);
extern void _raw_write_lock(struct rw_semaphore *lock);
extern void _raw_write_unlock(struct rw_semaphore *lock);
extern unsigned long _raw_read_lock_irqsave(struct rw_semaphore *lock);
extern void _raw_read_unlock_irqrestore(struct rw_semaphore *lock, unsigned long flags);
static struct rw_semaphore shared;
struct thing { int number; };
struct other_thing { int number; };
static struct thing thing;
static struct other_thing other_thing;
extern int offer(void (*function)(struct thing *thing));
extern int remove_thing(struct thing *thing);
extern int remove_other_thing(struct other_thing *other);
extern void finish_job(struct work_struct *job);
extern void await(struct completion *done);
extern void drain(void);
struct input_dev { int number; };
static struct input_dev input;
extern int connect(void (*event)(struct input_dev *input, unsigned type, unsigned code, int value));
extern void input_event(struct input_dev *input, unsigned type, unsigned code, int value);
extern void input_set_capability(struct input_dev *input, unsigned type, unsigned code);
extern void drain_some(unsigned int number);
extern void (*hook)(void);
extern int mod_timer(struct timer_list *timer, unsigned long expires);
#include <linux/clk.h>
struct irq_data; struct wait_queue_entry; struct wait_queue_head { int number; };
extern int offer_chip(void (*unmask)(struct irq_data *data));
extern void enable_irq(unsigned int irq);
extern int offer_wait(int (*woken)(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key));
extern int __wake_up(struct wait_queue_head *queue, unsigned int mode, int number, void *key);
static struct wait_queue_head queue;
struct rtc_class_ops { int (*alarm_irq_enable)(struct device *device, unsigned int enabled); };
struct rtc_device { const struct rtc_class_ops *ops; };
extern int offer_clock(const struct rtc_class_ops *ops);
extern int rtc_alarm_irq_enable(struct rtc_device *rtc, unsigned int enabled);
static struct rtc_device rtc;
struct hwmon_ops { int (*read)(struct device *device, int kind, long *value); };
extern int offer_sensor(const struct hwmon_ops *ops);
extern void hwmon_device_unregister(struct device *device);
static struct clk *clk;
"""
BUNDLED = """
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/rcupdate.h>
#include <linux/timer.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/completion.h>
static DEFINE_SPINLOCK(taken);
static DEFINE_SPINLOCK(other);
static DECLARE_COMPLETION(done);
"""
TIMER = (
    "static void tick(struct timer_list *timer) { work(); } static struct timer_list timer = { .function = tick };",
    "add_timer(&timer);",
)
ARMED = (
    "static void tick(struct timer_list *timer) { work(); } static DEFINE_TIMER(timer, tick);",
    "mod_timer(&timer, 100);",
)
LATER = (
    "static void later(struct work_struct *w) { work(); } static struct work_struct job = { .func = later };",
    "schedule_work(&job);",
)
HANDLER = (
    "static irqreturn_t handle(int irq, void *data) { work(); return 1; }",
    'return request_irq(3, handle, 0, "x", 0);',
)
UNTYPED = (HANDLER[0].replace("irqreturn_t", "int"), HANDLER[1])
OPENING = (
    "static int opening(struct inode *inode, struct file *file) { work(); return 0; }"
    " static const struct file_operations files = { .open = opening };"
    ' static struct miscdevice device = { .name = "d", .fops = &files };',
    "return misc_register(&device);",
)
SHOWN = (
    "static long shown(struct device *d, struct device_attribute *a, char *page) { work(); return 0; }"
    " static struct device_attribute attribute = { .show = shown };",
    "device_create_file(0, &attribute);",
)
RUNNING = (
    "static void *thread; static int run(void *data) { work(); return 0; }",
    "thread = kthread_run(run, 0);",
)
READER = ("static void reading(void) { rcu_read_lock(); work(); rcu_read_unlock(); }", "hand_over(reading);")
READING = (
    "static void tick(struct timer_list *timer) { rcu_read_lock(); work(); rcu_read_unlock(); }"
    " static DEFINE_TIMER(timer, tick);",
    "mod_timer(&timer, 100);",
)
SLEEPING = ("static void reading(void) { down_read(&shared); work(); up_read(&shared); }", "hand_over(reading);")
SPINNING = (
    "static void reading(void) { _raw_read_lock(&shared); work(); _raw_read_unlock(&shared); }",
    "hand_over(reading);",
)
COMPLETING = ("static void finish(void) { work(); complete(&done); }", "hand_over(finish);")
ENDING = (
    "static void tick(struct timer_list *timer) { work(); complete(&done); } static DEFINE_TIMER(timer, tick);",
    "mod_timer(&timer, 100);",
)
WAITS: Mapping[str, tuple[bool, tuple[str, str], str]] = {
    "a timer": (True, TIMER, "del_timer_sync(&timer);"),
    "a timer of the bundled headers": (False, ARMED, "del_timer_sync(&timer);"),
    "a work": (True, LATER, "cancel_work_sync(&job);"),
    "an interrupt": (True, UNTYPED, "free_irq(3, 0);"),
    "an interrupt of the bundled headers": (False, HANDLER, "free_irq(3, 0);"),
    "a file of the bundled headers": (False, OPENING, "misc_deregister(&device);"),
    "an attribute": (True, SHOWN, "device_remove_file(0, &attribute);"),
    "a kernel thread": (True, RUNNING, "kthread_stop(thread);"),
    "a reader": (True, READER, "synchronize_rcu();"),
    "a reader of the bundled headers": (False, READING, "synchronize_rcu();"),
    "a semaphore of readers": (True, SLEEPING, "down_write_killable(&shared); up_write(&shared);"),
    "a lock of readers": (True, SPINNING, "_raw_write_lock(&shared); _raw_write_unlock(&shared);"),
    "a completion": (True, COMPLETING, "wait_for_completion(&done);"),
    "a completion of the bundled headers": (False, ENDING, "wait_for_completion(&done);"),
}
"""Whether a kernel's headers are there; the callback with what starts it; what waits for its end."""


def open_checks(directory: Path, has_kernel: bool, callback: str, start: str, stop: str) -> set[str]:
    """What is waited for where a deadlock is possible."""
    parts = {"CALLBACK": callback, "START": start, "STOP": stop}
    return open_deadlocks(directory, filled((KERNEL if has_kernel else BUNDLED) + COMMON, parts, {}), has_kernel)


@pytest.mark.parametrize("name", WAITS)
def test_waiting_with_the_lock_that_the_callback_takes(tmp_path: Path, name: str) -> None:
    has_kernel, (callback, start), wait = WAITS[name]
    found = open_checks(
        tmp_path, has_kernel, callback, start, f"spin_lock_irq(&taken); {wait} spin_unlock_irq(&taken);"
    )
    assert len(found) == 2
    assert "no deadlock on taken" in found


@pytest.mark.parametrize("name", WAITS)
def test_waiting_with_another_lock_or_with_none(tmp_path: Path, name: str) -> None:
    has_kernel, (callback, start), wait = WAITS[name]
    stop = f"spin_lock(&other); {wait} spin_unlock(&other); spin_lock_irq(&taken); spin_unlock_irq(&taken); {wait}"
    assert not open_checks(tmp_path, has_kernel, callback, start, stop)


OFFERED = ("static void used(struct thing *thing) { work(); }", "offer(used);")
CONNECTED = (
    "static void pass(struct input_dev *input, unsigned type, unsigned code, int value) { work(); }",
    "connect(pass);",
)
PRESUMED: Mapping[str, tuple[tuple[str, str], str]] = {
    "what is given to a callback": (OFFERED, "remove_thing(&thing);"),
    "a work": (LATER, "finish_job(&job);"),
    "a completion": (COMPLETING, "await(&done);"),
    "an event, under the lock of the device": (CONNECTED, "input_event(&input, 1, 2, 3);"),
    "nothing": (OFFERED, "drain();"),
    "nothing, for a timer": (TIMER, "drain();"),
    "a number": (UNTYPED, "drain_some(3);"),
    "by a pointer": (OFFERED, "hook();"),
    "an interrupt, as the driver's own chip is told": (
        ("static void unmask(struct irq_data *data) { work(); }", "offer_chip(unmask);"),
        "enable_irq(5);",
    ),
    "who waits, as a function of the driver is told": (
        (
            "static int woken(struct wait_queue_entry *e, unsigned m, int f, void *k) { work(); return 0; }",
            "offer_wait(woken);",
        ),
        "__wake_up(&queue, 1, 1, 0);",
    ),
    "a clock, whose operations have its lock": (
        (
            "static int enable(struct device *d, unsigned on) { work(); return 0; }"
            " static const struct rtc_class_ops ops = { .alarm_irq_enable = enable };",
            "offer_clock(&ops);",
        ),
        "rtc_alarm_irq_enable(&rtc, 1);",
    ),
    "a sensor, whose operations are behind its attributes": (
        (
            "static int measure(struct device *d, int kind, long *value) { work(); return 0; }"
            " static const struct hwmon_ops ops = { .read = measure };",
            "offer_sensor(&ops);",
        ),
        "hwmon_device_unregister(0);",
    ),
    "a clock of the driver, by functions of all clocks": (
        (
            "static int enable(void *hardware) { work(); return 0; }"
            " static const struct clk_ops ops = { .enable = enable };",
            "clock_register(&ops);",
        ),
        "clk_enable(clk);",
    ),
}
"""Callbacks, and calls of functions of which nothing says that they do not wait for these."""


@pytest.mark.parametrize("name", PRESUMED)
def test_a_function_that_may_wait_for_callbacks(tmp_path: Path, name: str) -> None:
    (callback, start), wait = PRESUMED[name]
    found = open_checks(tmp_path, True, callback, start, f"spin_lock_irq(&taken); {wait} spin_unlock_irq(&taken);")
    assert len(found) == 2
    assert "no deadlock on taken" in found


@pytest.mark.parametrize("name", sorted(PRESUMED.keys() - {"by a pointer"}))  # that may take locks as well
def test_a_function_that_may_wait_without_a_lock_that_a_callback_takes(tmp_path: Path, name: str) -> None:
    (callback, start), wait = PRESUMED[name]
    stop = f"spin_lock(&other); {wait} spin_unlock(&other); spin_lock_irq(&taken); spin_unlock_irq(&taken); {wait}"
    assert not open_checks(tmp_path, True, callback, start, stop)


def test_a_function_that_may_wait_for_something_else(tmp_path: Path) -> None:
    stop = "spin_lock_irq(&taken); remove_other_thing(&other_thing); mod_timer(0, 5); spin_unlock_irq(&taken);"
    assert not open_checks(tmp_path, True, *OFFERED, stop)


def test_a_function_that_waits_for_nothing(tmp_path: Path) -> None:
    stop = "spin_lock_irq(&taken); input_set_capability(&input, 1, 2); spin_unlock_irq(&taken);"
    assert not open_checks(tmp_path, True, *CONNECTED, stop)


@pytest.mark.parametrize("is_locked", [True, False])
def test_a_callback_that_calls_what_may_wait_for_callbacks(tmp_path: Path, is_locked: bool) -> None:
    callback = "static void used(struct thing *thing) { remove_thing(thing); }"
    if is_locked:
        callback = callback.replace(
            "remove_thing(thing);", "spin_lock(&taken); remove_thing(thing); spin_unlock(&taken);"
        )
    assert bool(open_checks(tmp_path, True, callback, "offer(used);", "")) == is_locked


def _none(*_: object) -> None:
    """Nothing is presumed."""


PRESUMPTIONS: Mapping[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "nothing may wait": (lambda patch: patch.setattr(presumed, "presume", _none), "what is given to a callback"),
    "callbacks are given nothing": (
        lambda patch: patch.setattr(waiting, "structures_of", lambda _: ()),
        "what is given to a callback",
    ),
    "what is given nothing waits for nothing": (
        lambda patch: patch.setattr(presumed, "ANY", "nothing at all"),
        "nothing",
    ),
    "works stand for nothing": (lambda patch: patch.setattr(presumed, "_FOR", {}), "a completion"),
    "no core has a lock": (
        lambda patch: patch.setattr(cores, "CORES", {}),
        "a clock, whose operations have its lock",
    ),
    "no result is handed on": (
        lambda patch: patch.setattr(contracts, "relays", lambda *_: False),
        "a clock of the driver, by functions of all clocks",
    ),
    "circles of what may wait are none": (
        lambda patch: patch.setattr(deadlocks, "FOR_LOCKS", (AccessKind.LOCK, AccessKind.RELOCK)),
        "what is given to a callback",
    ),
}


@pytest.mark.parametrize("name", PRESUMPTIONS)
def test_a_defect_of_what_may_wait_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = PRESUMPTIONS[name]
    seed(monkeypatch)
    (callback, start), wait = PRESUMED[shown]
    found = open_checks(tmp_path, True, callback, start, f"spin_lock_irq(&taken); {wait} spin_unlock_irq(&taken);")
    assert len(found) < 2


SELF: Mapping[str, tuple[bool, str, str]] = {
    "a timer that waits for itself": (
        True,
        "static void tick(struct timer_list *timer) { del_timer_sync(timer); }"
        " static struct timer_list timer = { .function = tick };",
        "add_timer(&timer);",
    ),
    "a timer that waits for itself with the bundled headers": (
        False,
        "static void tick(struct timer_list *timer) { del_timer_sync(timer); } static DEFINE_TIMER(timer, tick);",
        "mod_timer(&timer, 100);",
    ),
    "a reader that waits for readers": (
        True,
        "static void reading(void) { rcu_read_lock(); synchronize_rcu(); rcu_read_unlock(); }",
        "hand_over(reading);",
    ),
}


@pytest.mark.parametrize("name", SELF)
def test_waiting_for_oneself(tmp_path: Path, name: str) -> None:
    assert open_checks(tmp_path, *SELF[name], "")


@pytest.mark.parametrize("is_off", [True, False])
def test_a_handler_that_takes_a_lock_of_readers(tmp_path: Path, is_off: bool) -> None:
    callback = HANDLER[0].replace("irqreturn_t", "int").replace("work()", "_raw_write_lock(&shared)")
    callback = callback.replace("return 1", "_raw_write_unlock(&shared); return 1")
    stop = "unsigned long flags = _raw_read_lock_irqsave(&shared); _raw_read_unlock_irqrestore(&shared, flags);"
    if not is_off:
        stop = "_raw_read_lock(&shared); _raw_read_unlock(&shared);"
    assert bool(open_checks(tmp_path, True, callback, HANDLER[1], stop)) != is_off


def test_a_wait_with_a_limit_ends(tmp_path: Path) -> None:
    callback, start = COMPLETING
    stop = "spin_lock(&taken); wait_for_completion_timeout(&done, 9); spin_unlock(&taken);"
    assert not open_checks(tmp_path, True, callback, start, stop)


def test_a_callback_that_is_called_by_name_is_none_of_the_kernel(tmp_path: Path) -> None:
    stop = "spin_lock(&taken); del_timer_sync(&timer); spin_unlock(&taken);"
    callback = "static void tick(struct timer_list *timer) { work(); } static struct timer_list timer;"
    assert not open_checks(tmp_path, True, callback, "tick(&timer);", stop)


def _waiting_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """No function of the kernel waits, by its name or by what it is given."""
    patch.setattr(waits, "WAITS", {})
    patch.setattr(presumed, "presume", _none)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "nobody has callbacks": (lambda patch: patch.setattr(waiting, "kinds_of", lambda _: ()), "a timer"),
    "nothing waits": (_waiting_for_nothing, "a work"),
    "nothing takes locks of readers": (
        lambda patch: patch.setattr(waits, "_SPINS", waits._SLEEPS),
        "a lock of readers",
    ),
    "nothing takes semaphores": (lambda patch: patch.setattr(waits, "_SLEEPS", waits._SPINS), "a semaphore of readers"),
    "nobody completes": (lambda patch: patch.setattr(waits, "COMPLETES", frozenset()), "a completion"),
    "the kernel does not call what a harness does": (
        lambda patch: patch.setattr(waiting, "_is_of_kernel", lambda _: False),
        "a timer of the bundled headers",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    has_kernel, (callback, start), wait = WAITS[shown]
    assert not open_checks(
        tmp_path, has_kernel, callback, start, f"spin_lock_irq(&taken); {wait} spin_unlock_irq(&taken);"
    )


SHARING = """
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/ioport.h>
static DEFINE_SPINLOCK(taken);
extern int offer(int (*function)(void));
static int with(void)
{
	spin_lock(&taken);
	if (@REQUEST@(46, 2, "p"))
		release_region(46, 2);
	spin_unlock(&taken);
	return 0;
}
static int without(void)
{
	if (!@REQUEST@(46, 2, "p"))
		return -16;
	spin_lock(&taken);
	spin_unlock(&taken);
	release_region(46, 2);
	return 0;
}
static int __init loading(void) { offer(with); return offer(without); }
module_init(loading);
MODULE_LICENSE("GPL");
"""


@pytest.mark.parametrize(("request_", "is_free"), [("request_muxed_region", False), ("request_region", True)])
def test_a_region_that_is_shared_is_waited_for(tmp_path: Path, request_: str, is_free: bool) -> None:
    found = open_deadlocks(tmp_path, SHARING.replace("@REQUEST@", request_), has_kernel=True)
    assert found >= {"no deadlock on taken", f"no deadlock on {waits.REGIONS}"} if not is_free else not found
