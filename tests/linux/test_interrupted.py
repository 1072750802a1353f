"""Deadlocks of threads with what interrupts them on their own processor, with a kernel's headers and without.

Each program takes locks while a handler, a timer or a tasklet of the driver may run; the checks that are open are those
of the places in the circle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import interrupts
from duet.plip.syntax import TRUE
from tests.linux.opened import filled, open_deadlocks

PROGRAM = """
static DEFINE_SPINLOCK(taken);
static DEFINE_SPINLOCK(other);
static DEFINE_MUTEX(slow);
static unsigned long kept;
static int count;
static irqreturn_t handle(int irq, void *data) { @HANDLER@ return IRQ_HANDLED; }
@BEFORE@
static int __init loading(void) { unsigned long flags, more; @LOAD@ return @REQUEST@; }
static void __exit leaving(void) { unsigned long flags, more; @LEAVE@ }
module_init(loading);
module_exit(leaving);
MODULE_LICENSE("GPL");
"""
HEADERS = """
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/mutex.h>
#include <linux/interrupt.h>
"""
KERNEL = "#include <linux/callbacks.h>\n"
BUNDLED = "#include <linux/timer.h>\n"
TAKE = "spin_lock(&taken); count = 1; spin_unlock(&taken);"
TAKE_OTHER = TAKE.replace("taken", "other")
USUAL = {"HANDLER": TAKE, "BEFORE": "", "LOAD": "", "REQUEST": 'request_irq(3, handle, 0, "x", 0)', "LEAVE": ""}
FIRED = "static void tick(struct timer_list *timer) { " + TAKE + " }"
TIMER = {"HANDLER": "", "BEFORE": FIRED + "static struct timer_list timer = { .function = tick };"}
ARMED = {"HANDLER": "", "BEFORE": FIRED + "static DEFINE_TIMER(timer, tick);", "LOAD": "mod_timer(&timer, 100);"}
TASKLET = {
    "HANDLER": "",
    "BEFORE": "struct tasklet_struct { int state; }; extern int schedule(void (*run)(struct tasklet_struct *tasklet));"
    "static void run(struct tasklet_struct *tasklet) { " + TAKE + " }",
    "LOAD": "schedule(run);",
}
CLOCK = {
    "HANDLER": "",
    "BEFORE": "struct hrtimer { int state; }; extern int schedule(int (*run)(struct hrtimer *timer));"
    "static int run(struct hrtimer *timer) { " + TAKE + " return 0; }",
    "LOAD": "schedule(run);",
}
THREADED = {
    "BEFORE": "static irqreturn_t later(int irq, void *data) { " + TAKE + " return IRQ_HANDLED; }",
    "REQUEST": 'request_threaded_irq(3, 0, later, 0, "x", 0)',
}
BOTH = THREADED | {"REQUEST": 'request_threaded_irq(3, handle, later, 0, "x", 0)'}
BH = "spin_lock_bh(&taken); count = 2; spin_unlock_bh(&taken);"
IRQ = "spin_lock_irq(&taken); count = 2; spin_unlock_irq(&taken);"
SAVED = "spin_lock_irqsave(&taken, flags); count = 2; spin_unlock_irqrestore(&taken, flags);"
OPEN: Mapping[str, dict[str, str]] = {
    "a handler": {"LEAVE": TAKE},
    "a handler and a lock that is tried": {"LEAVE": "if (spin_trylock(&taken)) spin_unlock(&taken);"},
    "a handler and bottom halves that are held back": {"LEAVE": BH},
    "a handler, and interrupts that are on again": {
        "LEAVE": "spin_lock_irqsave(&taken, flags); spin_lock_irq(&other); spin_unlock_irq(&other);"
        " spin_unlock_irqrestore(&taken, flags);"
    },
    "a handler, and the flags of another place": {
        "LEAVE": "local_irq_save(flags); spin_lock_irqsave(&taken, more); local_irq_restore(flags);"
        " count = 3; spin_unlock_irqrestore(&taken, more);"
    },
    "a handler, and flags that are kept elsewhere": {
        "LEAVE": "local_irq_save(kept); spin_lock(&taken); local_irq_restore(kept); count = 3; spin_unlock(&taken);"
    },
    "a handler, and interrupts that were off": {"LEAVE": "local_irq_disable(); local_irq_enable();" + TAKE},
    "a handler by way of another thread": {
        "LOAD": 'request_irq(4, second, 0, "y", 0);',
        "BEFORE": "static irqreturn_t second(int irq, void *data) {"
        " spin_lock(&taken); spin_lock(&other); spin_unlock(&other); spin_unlock(&taken); return IRQ_HANDLED; }",
        "LEAVE": TAKE_OTHER,
    },
    "a handler with interrupts on": {"HANDLER": "local_irq_enable();" + TAKE, "LEAVE": IRQ},
    "a timer": {**TIMER, "LOAD": "add_timer(&timer);", "LEAVE": TAKE},
    "a timer of the bundled headers": {**ARMED, "LEAVE": TAKE},
    "a tasklet": {**TASKLET, "LEAVE": TAKE},
    "a timer that a handler interrupts": {**TIMER, "HANDLER": TAKE, "LOAD": "add_timer(&timer);", "LEAVE": IRQ},
    "a high-resolution timer": {**CLOCK, "LEAVE": BH},
    "a handler and its thread": BOTH,
}
FREE: Mapping[str, dict[str, str]] = {
    "interrupts that are off": {"LEAVE": IRQ},
    "interrupts that are off, with flags": {"LEAVE": SAVED},
    "interrupts that are off twice": {
        "LEAVE": "spin_lock_irqsave(&taken, flags); spin_lock_irqsave(&other, more);"
        " spin_unlock_irqrestore(&other, more); count = 3; spin_unlock_irqrestore(&taken, flags);"
    },
    "interrupts that are off around the lock": {"LEAVE": "local_irq_disable();" + TAKE + "local_irq_enable();"},
    "interrupts that are off in a loop": {"LEAVE": f"while (count) {{ {SAVED} }}"},
    "interrupts that are off in a function": {
        "BEFORE": "static void change(void) { " + TAKE + " }",
        "LEAVE": "spin_lock_irqsave(&other, flags); change(); spin_unlock_irqrestore(&other, flags);" + SAVED,
    },
    "interrupts that are off for a lock that is tried": {
        "LEAVE": "if (spin_trylock_irqsave(&taken, flags)) spin_unlock_irqrestore(&taken, flags);" + SAVED
    },
    "another lock": {"LEAVE": TAKE_OTHER},
    "a lock before the handler is there": {"LOAD": TAKE},
    "a mutex": {"LEAVE": "mutex_lock(&slow); count = 2; mutex_unlock(&slow);"},
    "a timer and bottom halves that are held back": {**TIMER, "LOAD": "add_timer(&timer);", "LEAVE": BH + IRQ},
    "a timer of the bundled headers and bottom halves that are held back": {**ARMED, "LEAVE": BH},
    "bottom halves that are held back twice": {
        **TIMER,
        "LOAD": "add_timer(&timer);",
        "LEAVE": "spin_lock_bh(&other);" + BH + TAKE + "spin_unlock_bh(&other);",
    },
    "a tasklet and bottom halves that are held back": {**TASKLET, "LEAVE": BH},
    "a high-resolution timer and interrupts that are off": {**CLOCK, "LEAVE": SAVED},
    "a handler that is a thread": {**THREADED, "LEAVE": TAKE},
}


def worlds(changed: Mapping[str, str], name: str) -> tuple[bool, ...]:
    """Whether a kernel's headers are there, for each world that a program is for."""
    if "bundled" in name:
        return (False,)
    return (True,) if "BEFORE" in changed and "second" not in str(changed) else (True, False)


def open_checks(directory: Path, changed: Mapping[str, str], has_kernel: bool) -> set[str]:
    """What is waited for where a deadlock is possible."""
    text = HEADERS + (KERNEL if has_kernel else BUNDLED) + PROGRAM
    return open_deadlocks(directory, filled(text, USUAL, changed), has_kernel)


@pytest.mark.parametrize(
    ("name", "has_kernel"), [(name, world) for name, parts in OPEN.items() for world in worlds(parts, name)]
)
def test_a_thread_that_is_interrupted_with_the_lock(tmp_path: Path, name: str, has_kernel: bool) -> None:
    found = open_checks(tmp_path, OPEN[name], has_kernel)
    assert found & {f"no deadlock on {what}" for what in (interrupts.HARD, interrupts.SOFT)}


@pytest.mark.parametrize(
    ("name", "has_kernel"), [(name, world) for name, parts in FREE.items() for world in worlds(parts, name)]
)
def test_a_thread_that_is_not_interrupted_with_the_lock(tmp_path: Path, name: str, has_kernel: bool) -> None:
    assert not open_checks(tmp_path, FREE[name], has_kernel)


def _nothing(*_: object) -> None:
    """Forgets what it is told."""


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "nothing interrupts": (lambda patch: patch.setattr(interrupts, "context_of", lambda *_: ""), "a handler"),
    "nobody is interrupted": (lambda patch: patch.setattr(interrupts, "note_open", _nothing), "a handler"),
    "interrupts stay off": (
        lambda patch: patch.setattr(interrupts, "switch", _nothing),
        "a handler with interrupts on",
    ),
    "flags are those of any place": (
        lambda patch: patch.setattr(interrupts, "_saved", lambda ctx, _: interrupts._cell(ctx, "saved")),
        "a handler, and the flags of another place",
    ),
    "all handlers are threads": (
        lambda patch: patch.setattr(interrupts, "PRIMARY", interrupts.THREADED),
        "a handler that is a thread",
    ),
    "interrupts are never off": (
        lambda patch: patch.setattr(interrupts, "compare", lambda *_: TRUE),
        "interrupts that are off",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert bool(open_checks(tmp_path, {**OPEN, **FREE}[shown], has_kernel=True)) == (shown in FREE)
