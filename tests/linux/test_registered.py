"""Callbacks whose first argument is what the driver has registered, armed or queued: a part of an object of its own.

Each driver looks for the object around that argument, or for the private data in it. Where the object may be another
one in the kernel, or the data be null, the check is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from duet.frontend.cells import private
from duet.frontend.cells.context import Context
from duet.frontend.cells.operations import OPERATIONS, Source
from duet.frontend.ctypes.values import Number, Value
from duet.frontend.models import linux, registrations
from duet.linux import mentions, operations, places, uses
from duet.plip.syntax import FALSE
from duet.plip.terms import add, constant
from tests.linux.opened import filled, open_checks_of

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/platform_device.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/leds.h>
#include <linux/input.h>
#include <linux/watchdog.h>
#include <linux/kthread.h>
#include <linux/hw_random.h>
struct own {
	int level;
	struct led_classdev led;
	struct led_classdev_flash flash;
	struct timer_list timer;
	struct work_struct work;
	struct delayed_work later;
	struct watchdog_device watchdog;
	struct input_dev *input;
	struct hwrng rng;
	struct own *next;
};
struct small { struct led_classdev led; struct timer_list timer; };
extern int any(void);
extern void other(void *given);
extern int arm_later(struct timer_list *timer);
extern int enable(struct input_dev *input);
static int level;
static void light(struct led_classdev *by_led, int wanted) { level = container_of(by_led, struct own, led)->level; }
static void shine(struct led_classdev *by_flash, int wanted)
{
	level = container_of(by_flash, struct own, flash.led_cdev)->level;
}
static void tick(struct timer_list *by_timer) { level = container_of(by_timer, struct own, timer)->level; }
static void worked(struct work_struct *by_work) { level = container_of(by_work, struct own, work)->level; }
static void late(struct work_struct *by_later) { level = container_of(by_later, struct own, later.work)->level; }
static int start(struct watchdog_device *by_watchdog)
{
	level = container_of(by_watchdog, struct own, watchdog)->level;
	return 0;
}
static int opened(struct input_dev *input)
{
	struct own *by_input = input_get_drvdata(input);

	@OPEN@
	level = by_input->level;
	return 0;
}
static void polled(struct input_dev *input)
{
	struct own *by_poll = input_get_drvdata(input);

	level = by_poll->level;
}
static int draw(struct hwrng *rng, void *data, unsigned long most)
{
	struct own *by_random = (struct own *)rng->priv;

	level = by_random->level;
	return 0;
}
static int pick(struct hwrng *by_rng, void *data, unsigned long most)
{
	level = container_of(by_rng, struct own, rng)->level;
	return 0;
}
static void undo(void *given)
{
	struct own *by_action = given;

	level = by_action->level;
}
static int run(void *given)
{
	struct own *by_thread = given;

	level = by_thread->level;
	return 0;
}
static const struct watchdog_ops watchdog_ops = { .start = start };
@BEFORE@
static int probe(struct platform_device *device)
{
	struct own *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct small *small = kzalloc(sizeof(*small), GFP_KERNEL);
	struct input_dev *input = devm_input_allocate_device(&device->dev);

	if (!own || !small || !input)
		return -1;
	@PROBE@
	return 0;
}
static int removing(struct platform_device *device) { @REMOVE@ return 0; }
static struct platform_driver driver = { .probe = probe, .remove = removing };
static int __init loading(void) { @LOAD@ return platform_driver_register(&driver); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = dict.fromkeys(("OPEN", "BEFORE", "PROBE", "REMOVE", "LOAD"), "")
LED = "own->led.brightness_set = light;"
HOOK = "static void (*hook)(struct led_classdev *, int);"
LED_ON = "if (led_classdev_register(&device->dev, &own->led)) return -1;"
FLASH = "own->flash.led_cdev.brightness_set = shine;"
FLASH_ON = "led_classdev_flash_register_ext(&device->dev, &own->flash, 0);"
TIMER = "timer_setup(&own->timer, tick, 0);"
WORK = "INIT_WORK(&own->work, worked);"
LATER = "INIT_DELAYED_WORK(&own->later, late);"
WATCHDOG = "own->watchdog.ops = &watchdog_ops;"
RANDOM = "own->rng.read = draw; own->rng.priv = (unsigned long)own;"
RANDOM_ON = "if (devm_hwrng_register(&device->dev, &own->rng)) return -1;"
INPUT = "input->open = opened;"
POLL = "if (input_setup_polling(input, polled)) return -1;"
DATA = "input_set_drvdata(input, own);"
INPUT_ON = "if (input_register_device(input)) return -1;"
PROVED: Mapping[str, dict[str, str]] = {
    "a led": {"PROBE": LED + LED_ON},
    "a led by a pointer to it": {
        "PROBE": "struct led_classdev *inner = &own->led; inner->brightness_set = light;"
        " return led_classdev_register(&device->dev, inner);"
    },
    "a led that is unregistered": {
        "PROBE": LED + "platform_set_drvdata(device, own);" + LED_ON,
        "REMOVE": "struct own *own = platform_get_drvdata(device); led_classdev_unregister(&own->led);",
    },
    "a led that the driver looks at": {"PROBE": LED + LED_ON + "if (own->led.brightness_set && any()) return -1;"},
    "a flash": {"PROBE": FLASH + FLASH_ON},
    "a timer": {"PROBE": TIMER + "mod_timer(&own->timer, 5);"},
    "a timer that its callback arms again": {
        "BEFORE": "static void again(struct timer_list *t) { struct own *own = container_of(t, struct own, timer);"
        " level = own->level; mod_timer(&own->timer, 6); }",
        "PROBE": "timer_setup(&own->timer, again, 0); mod_timer(&own->timer, 5);",
    },
    "a work": {"PROBE": WORK + "schedule_work(&own->work);"},
    "a work that is queued by a timer": {
        "BEFORE": "static void queue(struct timer_list *t)"
        " { schedule_work(&container_of(t, struct own, timer)->work); }",
        "PROBE": WORK + "timer_setup(&own->timer, queue, 0); mod_timer(&own->timer, 5);",
    },
    "a delayed work": {"PROBE": LATER + "schedule_delayed_work(&own->later, 7);"},
    "a watchdog": {"PROBE": WATCHDOG + "return watchdog_register_device(&own->watchdog);"},
    "an input device": {"PROBE": INPUT + DATA + INPUT_ON},
    "an input device that is polled": {"PROBE": DATA + POLL + INPUT_ON},
    "an input device, and private data of its parent": {
        "PROBE": INPUT + DATA + INPUT_ON + "platform_set_drvdata(device, own);"
    },
    "random numbers": {"PROBE": RANDOM + RANDOM_ON},
    "random data": {"PROBE": "own->rng.read = pick;" + RANDOM_ON},
    "an action": {"PROBE": "if (devm_add_action_or_reset(&device->dev, undo, own)) return -1;"},
    "an action that is removed": {
        "PROBE": "if (devm_add_action(&device->dev, undo, own)) return -1; devm_remove_action(&device->dev, undo, own);"
    },
    "a kernel thread": {"PROBE": 'if (IS_ERR(kthread_run(run, own, "n"))) return -1;'},
    "all of them": {
        "PROBE": LED
        + FLASH
        + TIMER
        + WORK
        + LATER
        + WATCHDOG
        + INPUT
        + DATA
        + POLL
        + LED_ON
        + FLASH_ON
        + "mod_timer(&own->timer, 5); schedule_work(&own->work); schedule_delayed_work(&own->later, 7);"
        " if (watchdog_register_device(&own->watchdog)) return -1;" + INPUT_ON
    },
}
CORES = {
    "a led": "by_led",
    "a flash": "by_flash",
    "a timer": "by_timer",
    "a work": "by_work",
    "a delayed work": "by_later",
    "a watchdog": "by_watchdog",
    "an input device": "by_input",
    "polled": "by_poll",
    "an action": "by_action",
    "a kernel thread": "by_thread",
    "random numbers": "by_random",
    "random data": "by_rng",
}
AROUND = "container_of(by_{})"
OPEN: Mapping[str, tuple[dict[str, str], str]] = {
    "a led of a smaller object": (
        {"PROBE": "small->led.brightness_set = light; led_classdev_register(&device->dev, &small->led);"},
        AROUND.format("led"),
    ),
    "two leds, one of a smaller object": (
        {
            "PROBE": LED
            + LED_ON
            + "small->led.brightness_set = light; led_classdev_register(&device->dev, &small->led);"
        },
        AROUND.format("led"),
    ),
    "a led by itself": (
        {
            "BEFORE": "static struct led_classdev alone = { .brightness_set = light };",
            "PROBE": "return led_classdev_register(&device->dev, &alone);",
        },
        AROUND.format("led"),
    ),
    "a led that is handed over, too": ({"PROBE": LED + LED_ON + "other(&own->led);"}, ""),
    "a function that is handed over, too": (
        {"PROBE": LED + LED_ON, "LOAD": "other((void *)light);"},
        AROUND.format("led"),
    ),
    "a function that is assigned in a row": (
        {"BEFORE": HOOK, "PROBE": "hook = " + LED + "other((void *)hook);" + LED_ON},
        AROUND.format("led"),
    ),
    "a function that is assigned at the end of an expression": (
        {"PROBE": "other((void *)({ level = 1; " + LED + " }));" + LED_ON},
        AROUND.format("led"),
    ),
    "a function that is handed over by the member": (
        {"PROBE": LED + LED_ON + "other((void *)own->led.brightness_set);"},
        AROUND.format("led"),
    ),
    "a function that is handed over by the member of what is not known": (
        {"PROBE": LED + LED_ON + "other((void *)((__typeof__(own))own->next)->led.brightness_set);"},
        AROUND.format("led"),
    ),
    "a function that is called": (
        {"PROBE": LED + LED_ON, "BEFORE": "static struct led_classdev alone;", "LOAD": "light(&alone, 1);"},
        AROUND.format("led"),
    ),
    "a timer of a smaller object": (
        {"PROBE": "timer_setup(&small->timer, tick, 0); mod_timer(&small->timer, 5);"},
        AROUND.format("timer"),
    ),
    "a timer that something else may arm": (
        {"PROBE": TIMER + "mod_timer(&own->timer, 5); arm_later(&small->timer);"},
        AROUND.format("timer"),
    ),
    "a timer in a structure of the kernel, which may arm it": (
        {"PROBE": "timer_setup(&input->timer, tick, 0); enable(input); mod_timer(&own->timer, 5);"},
        AROUND.format("timer"),
    ),
    "a timer in a structure of the kernel, in one of the driver": (
        {
            "BEFORE": "struct outer { struct input_dev input; };",
            "PROBE": "struct outer *outer = kzalloc(sizeof(*outer), GFP_KERNEL); if (!outer) return -1;"
            " timer_setup(&outer->input.timer, tick, 0); enable(&outer->input); mod_timer(&own->timer, 5);",
        },
        AROUND.format("timer"),
    ),
    "a timer by a pointer": (
        {
            "PROBE": "struct timer_list *t = &input->timer; timer_setup(t, tick, 0); enable(input);"
            " mod_timer(&own->timer, 5);"
        },
        AROUND.format("timer"),
    ),
    "a timer by itself": (
        {"BEFORE": "static DEFINE_TIMER(alone, tick);", "PROBE": "mod_timer(&alone, 5);"},
        AROUND.format("timer"),
    ),
    "a work of another place": (
        {
            "PROBE": WORK + "INIT_DELAYED_WORK(&own->later, late); own->later.work.func = worked;"
            " schedule_delayed_work(&own->later, 7);"
        },
        AROUND.format("work"),
    ),
    "a work by itself": (
        {"BEFORE": "static DECLARE_WORK(alone, worked);", "PROBE": "schedule_work(&alone);"},
        AROUND.format("work"),
    ),
    "a function that is a delayed work and another one": (
        {"PROBE": "INIT_WORK(&own->work, late); schedule_work(&own->work);"},
        AROUND.format("later"),
    ),
    "a work that is a copy of another one": (
        {
            "PROBE": WORK + LATER + "own->work = own->later.work; schedule_work(&own->work);"
            " schedule_delayed_work(&own->later, 7);"
        },
        AROUND.format("later"),
    ),
    "a work of another object at another place": (
        {
            "BEFORE": "struct more { struct work_struct work; struct own own; };",
            "PROBE": "struct more *more = kzalloc(sizeof(*more), GFP_KERNEL); if (!more) return -1;"
            " INIT_WORK(&more->own.work, worked); INIT_WORK(&more->work, worked); schedule_work(&more->work);",
        },
        AROUND.format("work"),
    ),
    "a led of another function at the place of the flash": (
        {
            "PROBE": LED + LED_ON + "own->flash.led_cdev.brightness_set = light;"
            " led_classdev_register(&device->dev, &own->flash.led_cdev);"
        },
        AROUND.format("led"),
    ),
    "random numbers without data": ({"PROBE": "own->rng.read = draw;" + RANDOM_ON}, "by_random != 0"),
    "random numbers without data in one way": (
        {"PROBE": RANDOM + "if (any()) own->rng.priv = 0;" + RANDOM_ON},
        "by_random != 0",
    ),
    "random numbers whose data is a pointer that may be null": (
        {"PROBE": RANDOM + "own->rng.priv = (unsigned long)own->next;" + RANDOM_ON},
        "by_random != 0",
    ),
    "the data of random numbers is set to null later": (
        {"PROBE": RANDOM + RANDOM_ON + "own->rng.priv = 0;"},
        "by_random != 0",
    ),
    "an action without data": ({"PROBE": "devm_add_action(&device->dev, undo, 0);"}, "by_action != 0"),
    "an action without data that runs at once": (
        {"PROBE": "devm_add_action_or_reset(&device->dev, undo, any() ? own : 0);"},
        "by_action != 0",
    ),
    "an action that is handed over, too": (
        {"PROBE": "devm_add_action(&device->dev, undo, own); other((void *)undo);"},
        "by_action != 0",
    ),
    "a kernel thread without data": ({"PROBE": 'kthread_run(run, 0, "n");'}, "by_thread != 0"),
    "two kernel threads": (
        {"PROBE": 'kthread_run(run, own, "n"); if (any()) kthread_run(run, 0, "n");'},
        "by_thread != 0",
    ),
    "a watchdog by itself": (
        {
            "BEFORE": "static struct watchdog_device alone = { .ops = &watchdog_ops };",
            "PROBE": "return watchdog_register_device(&alone);",
        },
        AROUND.format("watchdog"),
    ),
    "an input device without data": ({"PROBE": INPUT + INPUT_ON}, "by_input != 0"),
    "an input device that is registered before": ({"PROBE": INPUT + INPUT_ON + DATA}, "by_input != 0"),
    "an input device without data in one way": (
        {"PROBE": INPUT + "if (any()) input_set_drvdata(input, own);" + INPUT_ON},
        "by_input != 0",
    ),
    "the data of an input device is set to null later": (
        {"PROBE": INPUT + DATA + INPUT_ON + "if (any()) input_set_drvdata(input, 0);"},
        "by_input != 0",
    ),
    "the data of an input device is set to null by its operation": (
        {"PROBE": INPUT + DATA + INPUT_ON, "OPEN": "if (any()) input_set_drvdata(input, 0);"},
        "by_input != 0",
    ),
    "the data of an input device is set to null as that of its device": (
        {
            "PROBE": INPUT
            + DATA
            + "struct device *inner = any() ? &input->dev : 0; dev_set_drvdata(inner, 0);"
            + INPUT_ON
        },
        "by_input != 0",
    ),
    "the data of an input device is set to null at the end": (
        {
            "PROBE": INPUT + DATA + "own->input = input; platform_set_drvdata(device, own);" + INPUT_ON,
            "REMOVE": "struct own *own = platform_get_drvdata(device); input_set_drvdata(own->input, 0);",
        },
        "by_input != 0",
    ),
    "the data of an input device is set to null with all of it": (
        {"PROBE": INPUT + DATA + "static struct input_dev copy; *input = copy;" + INPUT + INPUT_ON},
        "by_input != 0",
    ),
    "another input device": (
        {
            "PROBE": DATA + "input = input_allocate_device(); if (!input) return -1;" + INPUT + INPUT_ON,
        },
        "by_input != 0",
    ),
    "an input device that is polled without data": ({"PROBE": POLL + INPUT_ON}, "by_poll != 0"),
    "a function that polls another input device, too": (
        {
            "PROBE": DATA + POLL + INPUT_ON + "struct input_dev *second = input_allocate_device();"
            " if (!second) return -1; if (input_setup_polling(second, polled)) return -1;"
            " return input_register_device(second);"
        },
        "by_poll != 0",
    ),
}


def open_checks(directory: Path, changed: Mapping[str, str]) -> set[str]:
    """What is open of the pointers of callbacks: what is around them, or whether they are null."""
    found = open_checks_of(directory, filled(DRIVER, USUAL, changed), ("array-bounds", "null-dereference"))
    return {text for text in found if "by_" in text}


@pytest.mark.parametrize("name", PROVED)
def test_a_callback_is_given_what_was_registered(tmp_path: Path, name: str) -> None:
    used = [by for word, by in CORES.items() if word in name] or CORES.values()
    assert not {text for text in open_checks(tmp_path, PROVED[name]) if any(by in text for by in used)}


@pytest.mark.parametrize("name", OPEN)
def test_a_callback_may_be_given_something_else(tmp_path: Path, name: str) -> None:
    changed, expected = OPEN[name]
    found = open_checks(tmp_path, changed)
    assert expected in found if expected else found


def _nothing(*_: object) -> None:
    """Checks nothing."""


def _moved(patch: pytest.MonkeyPatch) -> None:
    """What is registered is taken to be one byte behind where it is."""
    before = registrations._registered

    def registered(ctx: Context, source: Source, values: Sequence[Value]) -> Number | None:
        found = before(ctx, source, values)
        return None if found is None else replace(found, term=add(found.term, constant(1)))

    patch.setattr(registrations, "_registered", registered)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "what is around a member is always there": (
        lambda patch: patch.setattr(linux, "whole_check", _nothing),
        "a led of a smaller object",
    ),
    "no value of a member is taken": (
        lambda patch: patch.setattr(mentions, "taken_members", lambda *_: frozenset()),
        "a function that is handed over by the member",
    ),
    "what is assigned has no value": (
        lambda patch: patch.setattr(uses, "_is_dropped", lambda *_: True),
        "a function that is assigned in a row",
    ),
    "the kernel arms nothing by itself": (
        lambda patch: patch.setattr(
            operations, "OPERATIONS", tuple(replace(record, is_own=False) for record in OPERATIONS)
        ),
        "a timer in a structure of the kernel, which may arm it",
    ),
    "the kernel arms nothing inside of what the driver declares": (
        lambda patch: patch.setattr(operations, "_is_declared", lambda site, _, structures: site.around in structures),
        "a timer in a structure of the kernel, in one of the driver",
    ),
    "nothing but a record's functions registers": (
        lambda patch: patch.setattr(registrations, "_is_one", lambda *_: False),
        "a timer that something else may arm",
    ),
    "no callback is where it is registered": (
        lambda patch: patch.setattr(registrations, "_fits", lambda *_: FALSE),
        "a work of another place",
    ),
    "nothing is copied": (
        lambda patch: patch.setattr(places, "_may_be_copied", lambda *_: False),
        "a work that is a copy of another one",
    ),
    "private data is that of input devices alone": (
        lambda patch: patch.setattr(private, "is_loose", lambda ctx, slot: slot in ctx.facts.marked(private._LOOSE)),
        "the data of an input device is set to null as that of its device",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    changed, expected = OPEN[shown]
    assert expected not in open_checks(tmp_path, changed)


def test_what_is_registered_is_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _moved(monkeypatch)
    assert "container_of(by_led)" in open_checks(tmp_path, PROVED["a led by a pointer to it"])
