"""Operations: functions that a core of the kernel calls for what was registered find the private data of that moment.

Each driver follows the private data in an operation. Where that may be null in the kernel, the check is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import private
from duet.frontend.judgments import stored
from duet.frontend.judgments.stored import Settled
from duet.frontend.judgments.stored import _State as State
from duet.frontend.models import registrations
from duet.linux import operations
from duet.plip.terms import constant
from duet.result import Status
from tests.linux.opened import filled, null_dereferences

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/err.h>
#include <linux/string.h>
#include <linux/platform_device.h>
#include <linux/watchdog.h>
#include <linux/rtc.h>
#include <linux/hwmon.h>
#include <linux/gpio/driver.h>
struct own { int level; struct watchdog_device watchdog; struct gpio_chip chip; struct own *next; };
extern int any(void);
extern void other(void *given);
extern int register_any_watchdog(struct watchdog_device *watchdog);
extern int register_any_clock(const struct rtc_class_ops *ops);
extern int register_callback(int (*function)(struct device *device));
static int level;
static int start(struct watchdog_device *watchdog)
{
	struct own *by_watchdog = watchdog_get_drvdata(watchdog);

	@START@
	level = by_watchdog->level;
	return 0;
}
static int read_time(struct device *device, struct rtc_time *time)
{
	struct own *by_clock = dev_get_drvdata(device);

	@CLOCK@
	level = by_clock->level;
	return 0;
}
static int measure(struct device *device, int kind, unsigned int attribute, int channel, long *value)
{
	struct own *by_sensor = dev_get_drvdata(device);

	level = by_sensor->level;
	return 0;
}
static int get(struct gpio_chip *chip, unsigned int offset)
{
	struct own *by_chip = gpiochip_get_data(@CHIP@);

	level = by_chip->level;
	return 0;
}
static long show(struct device *device, struct device_attribute *attribute, char *page)
{
	struct own *by_file = dev_get_drvdata(device);

	level = by_file->level;
	return 0;
}
static struct device_attribute plain = { .attr = { "plain" }, .show = show };
@GROUP@
@GROUPS@
static const struct watchdog_ops watchdog_ops = { .start = start };
static const struct rtc_class_ops clock_ops = { .read_time = read_time };
static const struct hwmon_ops sensor_ops = { .read = measure };
static const struct hwmon_chip_info sensor = { .ops = &sensor_ops };
@BEFORE@
static int probe(struct platform_device *device)
{
	struct own *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct own *second;
	struct rtc_device *clock;

	if (!own)
		return -1;
	@PROBE@
	return 0;
}
static int removing(struct platform_device *device)
{
	@REMOVE@
	return 0;
}
static struct platform_driver driver = { .probe = probe, .remove = removing };
@BEHIND@
static int __init loading(void) { @LOAD@ return platform_driver_register(&driver); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
WATCHDOG = "watchdog_set_drvdata(&own->watchdog, own); own->watchdog.ops = &watchdog_ops;"
REGISTER = "if (watchdog_register_device(&own->watchdog)) return -1;"
CLOCK = (
    "platform_set_drvdata(device, own); clock = devm_rtc_allocate_device(&device->dev); if (IS_ERR(clock)) return -1;"
)
CLOCK_ON = "clock->ops = &clock_ops; if (devm_rtc_register_device(clock)) return -1;"
SENSOR = 'devm_hwmon_device_register_with_info(&device->dev, "s", own, &sensor, 0);'
CHIP = "own->chip.get = get; if (gpiochip_add_data(&own->chip, own)) return -1;"
KOBJECT = "sysfs_create_group(&device->dev.kobj"
CORES = ("watchdog", "clock", "sensor", "chip", "file")
GROUPS = 'devm_hwmon_device_register_with_groups(&device->dev, "s", own, groups);'
FILE = "platform_set_drvdata(device, own); if (devm_device_add_group(&device->dev, &group)) return -1;"
USUAL = {
    "GROUP": "static struct sensor_device_attribute numbered = { .dev_attr = { .attr = { 0 }, .show = show } };"
    " static struct attribute *attributes[] = { &plain.attr, &numbered.dev_attr.attr, 0 };"
    " static const struct attribute_group group = { .attrs = attributes };",
    "GROUPS": "static const struct attribute_group *groups[] = { &group, 0 };",
} | {"START": "", "CLOCK": "", "CHIP": "chip", "BEFORE": "", "PROBE": "", "REMOVE": "", "BEHIND": "", "LOAD": ""}
PROVED: Mapping[str, dict[str, str]] = {
    "a watchdog": {"PROBE": WATCHDOG + REGISTER},
    "a watchdog that is known to the core before it has its data": {
        "PROBE": "own->watchdog.ops = &watchdog_ops; watchdog_init_timeout(&own->watchdog, 0, &device->dev);"
        + WATCHDOG
        + REGISTER
    },
    "a watchdog by a pointer to it": {
        "PROBE": "struct watchdog_device *inner = &own->watchdog; watchdog_set_drvdata(inner, own);"
        " inner->ops = &watchdog_ops; if (any()) return -2; return devm_watchdog_register_device(&device->dev, inner);"
    },
    "a watchdog whose data is set in each of two ways": {
        "PROBE": "if (any()) level = 1; else level = 2;" + WATCHDOG + "if (any()) other(device);" + REGISTER
    },
    "a watchdog beside a member of that name in another structure": {
        "BEFORE": "struct range { void *start, *ops; }; static struct range range;",
        "PROBE": WATCHDOG + "other(range.start); other(range.ops);" + REGISTER,
    },
    "a watchdog that is unregistered": {
        "PROBE": WATCHDOG + "platform_set_drvdata(device, own);" + REGISTER,
        "REMOVE": "struct own *own = platform_get_drvdata(device); watchdog_unregister_device(&own->watchdog);",
    },
    "a clock": {"PROBE": CLOCK + CLOCK_ON},
    "a clock that has its operations before its data": {
        "PROBE": "clock = devm_rtc_allocate_device(&device->dev); if (IS_ERR(clock)) return -1;"
        " clock->ops = &clock_ops; platform_set_drvdata(device, own); return devm_rtc_register_device(clock);"
    },
    "a clock in one call": {
        "PROBE": "struct device *inner = &device->dev; dev_set_drvdata(inner, own);"
        ' clock = devm_rtc_device_register(inner, "c", &clock_ops, 0);'
    },
    "a clock whose readers are told of an alarm": {"PROBE": CLOCK + CLOCK_ON + "rtc_aie_update_irq(clock);"},
    "a sensor": {"PROBE": SENSOR},
    "a chip": {"PROBE": CHIP},
    "a chip made from a template": {
        "BEFORE": "static const struct gpio_chip pattern = { .get = get, .base = -1 };",
        "PROBE": "own->chip = pattern; return gpiochip_add_data(&own->chip, own);",
    },
    "a file of another device": {"PROBE": GROUPS},
    "a file": {"GROUPS": "", "PROBE": FILE},
    "a file by itself": {
        "GROUP": "",
        "GROUPS": "",
        "PROBE": "platform_set_drvdata(device, own); return device_create_file(&device->dev, &plain);",
        "REMOVE": "device_remove_file(&device->dev, &plain);",
    },
    "a file by the object in the device": {
        "GROUPS": "",
        "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT),
        "REMOVE": "sysfs_remove_group(&device->dev.kobj, &group);",
    },
    "a file that is removed wherever the probe fails": {
        "GROUPS": "",
        "PROBE": "platform_set_drvdata(device, own); int status = sysfs_create_group(&device->dev.kobj, &group);"
        " if (status) goto out; status = any(); if (status >= 0) return 0;"
        " sysfs_remove_group(&device->dev.kobj, &group); out: return -1;",
        "REMOVE": "if (any()) level = 2; sysfs_remove_group(&device->dev.kobj, &group);",
    },
    "a file of both devices": {"PROBE": FILE + GROUPS},
    "all of them": {"PROBE": WATCHDOG + CLOCK + CLOCK_ON + SENSOR + CHIP + GROUPS + REGISTER},
}
OPEN: Mapping[str, tuple[dict[str, str], str]] = {
    "a watchdog without data": ({"PROBE": "own->watchdog.ops = &watchdog_ops;" + REGISTER}, "by_watchdog"),
    "a watchdog that is registered before": (
        {"PROBE": "own->watchdog.ops = &watchdog_ops;" + REGISTER + WATCHDOG},
        "by_watchdog",
    ),
    "a watchdog whose start is in a local table, too": (
        {"PROBE": "struct watchdog_ops mine = { .start = start }; other(&mine);" + WATCHDOG + REGISTER},
        "by_watchdog",
    ),
    "a watchdog without data in one way": (
        {
            "PROBE": "own->watchdog.ops = &watchdog_ops; if (any()) watchdog_set_drvdata(&own->watchdog, own);"
            + REGISTER
        },
        "by_watchdog",
    ),
    "the data of a watchdog is null": (
        {"PROBE": WATCHDOG + "watchdog_set_drvdata(&own->watchdog, own->next);" + REGISTER},
        "by_watchdog",
    ),
    "the data of a watchdog is perhaps null": (
        {"PROBE": WATCHDOG + "watchdog_set_drvdata(&own->watchdog, any() ? own : 0);" + REGISTER},
        "by_watchdog",
    ),
    "the data of a watchdog is set to null later": (
        {"PROBE": WATCHDOG + REGISTER + "if (any()) watchdog_set_drvdata(&own->watchdog, 0);"},
        "by_watchdog",
    ),
    "the data of a watchdog is set to null at the end": (
        {
            "PROBE": WATCHDOG + "platform_set_drvdata(device, own);" + REGISTER,
            "REMOVE": "struct own *own = platform_get_drvdata(device); watchdog_set_drvdata(&own->watchdog, 0);",
        },
        "by_watchdog",
    ),
    "the data of a watchdog is set to null by its operation": (
        {"PROBE": WATCHDOG + REGISTER, "START": "if (any()) watchdog_set_drvdata(watchdog, 0);"},
        "by_watchdog",
    ),
    "the data of a watchdog is set to null by a callback": (
        {
            "BEFORE": "static struct own *kept; static int end(struct device *device)"
            " { watchdog_set_drvdata(&kept->watchdog, 0); return 0; }",
            "PROBE": "kept = own;" + WATCHDOG + REGISTER,
            "LOAD": "register_callback(end);",
        },
        "by_watchdog",
    ),
    "the data of a watchdog is set to null with all of it": (
        {"PROBE": WATCHDOG + "static struct watchdog_device copy; own->watchdog = copy;" + REGISTER},
        "by_watchdog",
    ),
    "the data of a watchdog is set to null with the object": (
        {"PROBE": WATCHDOG + "memset(own, 0, sizeof(*own)); own->watchdog.ops = &watchdog_ops;" + REGISTER},
        "by_watchdog",
    ),
    "the address of the data of a watchdog": (
        {"PROBE": WATCHDOG + "other(&own->watchdog.driver_data);" + REGISTER},
        "by_watchdog",
    ),
    "another watchdog": (
        {
            "PROBE": WATCHDOG + "second = kzalloc(sizeof(*second), GFP_KERNEL); if (!second) return -1;"
            " second->watchdog.ops = &watchdog_ops; return watchdog_register_device(&second->watchdog);"
        },
        "by_watchdog",
    ),
    "the second of two watchdogs": (
        {
            "PROBE": WATCHDOG + REGISTER + "second = kzalloc(sizeof(*second), GFP_KERNEL); if (!second) return -1;"
            " second->watchdog.ops = &watchdog_ops; return watchdog_register_device(&second->watchdog);"
        },
        "by_watchdog",
    ),
    "a watchdog of another thread": (
        {
            "BEFORE": "static struct own *kept;",
            "PROBE": WATCHDOG
            + "if (!kept) { kept = own; return 0; } return watchdog_register_device(&kept->watchdog);",
        },
        "by_watchdog",
    ),
    "a pointer that is moved to another watchdog": (
        {
            "PROBE": WATCHDOG + "second = own; own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1;"
            "own->watchdog.ops = &watchdog_ops;" + REGISTER
        },
        "by_watchdog",
    ),
    "a watchdog that is registered in a loop": (
        {
            "PROBE": "while (any()) { own = kzalloc(sizeof(*own), GFP_KERNEL); if (!own) return -1;"
            " own->watchdog.ops = &watchdog_ops; if (watchdog_register_device(&own->watchdog)) return -1;"
            " watchdog_set_drvdata(&own->watchdog, own); }"
        },
        "by_watchdog",
    ),
    "a watchdog that something else may register": (
        {"PROBE": WATCHDOG + REGISTER + "second = own->next; if (second) register_any_watchdog(&second->watchdog);"},
        "by_watchdog",
    ),
    "a function that is handed over, too": (
        {"PROBE": WATCHDOG + REGISTER, "LOAD": "other((void *)start);"},
        "by_watchdog",
    ),
    "a table that is handed over, too": (
        {"PROBE": WATCHDOG + REGISTER, "LOAD": "other((void *)&watchdog_ops);"},
        "by_watchdog",
    ),
    "a table that is handed over by the member": (
        {"PROBE": WATCHDOG + REGISTER + "other((void *)own->watchdog.ops);"},
        "by_watchdog",
    ),
    "a function that is handed over by the member of its table": (
        {"PROBE": WATCHDOG + REGISTER, "LOAD": "other((void *)watchdog_ops.start);"},
        "by_watchdog",
    ),
    "a function that is handed over by what the registered leads to": (
        {"PROBE": WATCHDOG + REGISTER + "other((void *)own->watchdog.ops->start);"},
        "by_watchdog",
    ),
    "the address of a table in what is registered": (
        {"PROBE": WATCHDOG + REGISTER + "other((void *)&own->watchdog.ops);"},
        "by_watchdog",
    ),
    "a table in a structure of the driver": (
        {
            "BEFORE": "struct hidden { const struct watchdog_ops *ops; };"
            " static struct hidden hidden = { .ops = &watchdog_ops };",
            "PROBE": WATCHDOG + REGISTER + "other(&hidden);",
        },
        "by_watchdog",
    ),
    "a table that is copied": (
        {
            "BEFORE": "static struct watchdog_ops copy;",
            "PROBE": "copy = watchdog_ops;" + WATCHDOG + REGISTER + "other(&copy);",
        },
        "by_watchdog",
    ),
    "a watchdog that a function of the driver registers": (
        {
            "BEFORE": "static int with_nothing(struct watchdog_device *watchdog)"
            " { watchdog_set_drvdata(watchdog, 0); return watchdog_register_device(watchdog); }",
            "PROBE": WATCHDOG + "return with_nothing(&own->watchdog);",
        },
        "by_watchdog",
    ),
    "a watchdog that a function registers which is not understood": (
        {
            "BEFORE": "static int lost(struct own *own) { for_each_thing(own) { level++; }"
            " return watchdog_register_device(&own->watchdog); }",
            "PROBE": "own->watchdog.ops = &watchdog_ops; return lost(own);",
        },
        "by_watchdog",
    ),
    "a function of the driver that has the name of the core's": (
        {
            "BEFORE": "static struct watchdog_device *watchdog_init_timeout(struct watchdog_device *watchdog,"
            " unsigned int timeout, struct device *device);",
            "PROBE": WATCHDOG + REGISTER,
        },
        "by_watchdog",
    ),
    "a watchdog of the driver itself": (
        {
            "BEFORE": "static struct watchdog_device fixed = { .ops = &watchdog_ops };",
            "PROBE": "watchdog_set_drvdata(&fixed, own); if (watchdog_register_device(&fixed)) return -1;",
            "REMOVE": "watchdog_set_drvdata(&fixed, 0);",
        },
        "by_watchdog",
    ),
    "a clock that is registered before": (
        {
            "PROBE": "clock = devm_rtc_allocate_device(&device->dev); if (IS_ERR(clock)) return -1;"
            + CLOCK_ON
            + "platform_set_drvdata(device, own);"
        },
        "by_clock",
    ),
    "a clock that is read before": (
        {
            "PROBE": "clock = devm_rtc_allocate_device(&device->dev); if (IS_ERR(clock)) return -1;"
            " clock->ops = &clock_ops; rtc_read_time(clock, 0); platform_set_drvdata(device, own);" + CLOCK_ON
        },
        "by_clock",
    ),
    "a clock that has a work queued before, which reads it": (
        {
            "PROBE": "clock = devm_rtc_allocate_device(&device->dev); if (IS_ERR(clock)) return -1;"
            " clock->ops = &clock_ops; rtc_update_irq(clock, 1, 0); platform_set_drvdata(device, own);" + CLOCK_ON
        },
        "by_clock",
    ),
    "a clock of another device": (
        {
            "PROBE": "platform_set_drvdata(device, own); clock = devm_rtc_allocate_device(device->dev.parent);"
            " if (IS_ERR(clock)) return -1;" + CLOCK_ON
        },
        "by_clock",
    ),
    "a clock of any device": (
        {"PROBE": CLOCK + CLOCK_ON, "LOAD": "devm_rtc_allocate_device(0);"},
        "by_clock",
    ),
    "the data of a clock is set to null later": (
        {"PROBE": CLOCK + CLOCK_ON + "if (any()) platform_set_drvdata(device, 0);"},
        "by_clock",
    ),
    "the data of a clock is set to null at the end": (
        {"PROBE": CLOCK + CLOCK_ON, "REMOVE": "platform_set_drvdata(device, 0);"},
        "by_clock",
    ),
    "the data of a clock is set to null by its operation": (
        {"PROBE": CLOCK + CLOCK_ON, "CLOCK": "if (any()) dev_set_drvdata(device, 0);"},
        "by_clock",
    ),
    "a clock that something else may register": (
        {"PROBE": CLOCK + CLOCK_ON + "register_any_clock(&clock_ops);"},
        "by_clock",
    ),
    "a sensor without data": ({"PROBE": SENSOR.replace("own", "own->next")}, "by_sensor"),
    "two sensors": ({"PROBE": SENSOR + SENSOR.replace("own", "0")}, "by_sensor"),
    "the data of a sensor is set to null": (
        {"PROBE": f"struct device *made = {SENSOR} if (!IS_ERR(made)) dev_set_drvdata(made, 0);"},
        "by_sensor",
    ),
    "a file of another device without data": ({"PROBE": GROUPS.replace("own", "0")}, "by_file"),
    "a file of both devices, one without data": ({"PROBE": FILE + GROUPS.replace("own", "0")}, "by_file"),
    "a file that is there before": (
        {"GROUPS": "", "PROBE": "devm_device_add_group(&device->dev, &group); platform_set_drvdata(device, own);"},
        "by_file",
    ),
    "a file of the parent": (
        {
            "GROUPS": "",
            "PROBE": "platform_set_drvdata(device, own); return devm_device_add_group(device->dev.parent, &group);",
        },
        "by_file",
    ),
    "a file that stays": (
        {"GROUPS": "", "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT)},
        "by_file",
    ),
    "a file that stays if a probe fails": (
        {
            "GROUPS": "",
            "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT) + "if (any()) return -2;",
            "REMOVE": "sysfs_remove_group(&device->dev.kobj, &group);",
        },
        "by_file",
    ),
    "a file that stays in one way": (
        {
            "GROUPS": "",
            "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT),
            "REMOVE": "if (any()) sysfs_remove_group(&device->dev.kobj, &group);",
        },
        "by_file",
    ),
    "a file that stays where another one is removed": (
        {
            "GROUP": "static struct device_attribute other_file = { .show = show };",
            "GROUPS": "",
            "PROBE": "platform_set_drvdata(device, own); return device_create_file(&device->dev, &plain);",
            "REMOVE": "device_remove_file(&device->dev, &other_file);",
        },
        "by_file",
    ),
    "a file that stays where that of another device is removed": (
        {
            "GROUPS": "",
            "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT),
            "REMOVE": "sysfs_remove_group(&device->dev.parent->kobj, &group);",
        },
        "by_file",
    ),
    "a file that is there again": (
        {
            "GROUPS": "",
            "PROBE": FILE.replace("devm_device_add_group(&device->dev", KOBJECT),
            "REMOVE": "sysfs_remove_group(&device->dev.kobj, &group);"
            " if (sysfs_create_group(&device->dev.kobj, &group)) level = 1;",
        },
        "by_file",
    ),
    "some file that stays": (
        {
            "GROUP": "",
            "GROUPS": "",
            "BEFORE": "static struct device_attribute files[2] = { { .show = show }, { .show = show } };",
            "PROBE": "platform_set_drvdata(device, own); return device_create_file(&device->dev, &files[any() & 1]);",
            "REMOVE": "device_remove_file(&device->dev, &files[any() & 1]);",
        },
        "by_file",
    ),
    "files that are handed over, too": ({"PROBE": FILE + "other((void *)groups);"}, "by_file"),
    "a function that is handed over by a member of a member": (
        {"PROBE": FILE + "other((void *)plain.show); other((void *)numbered.dev_attr.show);"},
        "by_file",
    ),
    "attributes in another table": (
        {
            "GROUPS": "",
            "BEHIND": "static struct attribute **hidden[] = { attributes };",
            "PROBE": FILE + "other(hidden);",
        },
        "by_file",
    ),
    "attributes of a group that is filled": (
        {
            "BEFORE": "static struct attribute_group filled;"
            " static struct hidden { const struct attribute_group *group; } hidden = { &filled };",
            "GROUPS": "",
            "PROBE": FILE + "filled.attrs = attributes; other(&hidden);",
        },
        "by_file",
    ),
    "an attribute that is filled": (
        {
            "BEFORE": "static struct device_attribute filled; static struct attribute *others[] = { &filled.attr, 0 };"
            " static const struct attribute_group more = { .attrs = others };"
            " static struct hidden { const struct attribute_group *group; } hidden = { &more };",
            "GROUPS": "",
            "PROBE": FILE + "filled.show = show; other(&hidden);",
        },
        "by_file",
    ),
    "a file of a function that is in another array": (
        {"GROUPS": "", "BEHIND": "static void *hidden[] = { show };", "PROBE": FILE + "other(hidden);"},
        "by_file",
    ),
    "a chip without data": ({"PROBE": CHIP.replace("own))", "0))")}, "by_chip"),
    "two chips": ({"PROBE": CHIP + "gpiochip_add_data(&own->next->chip, 0);"}, "by_chip"),
    "another chip": ({"CHIP": "chip + 1", "PROBE": CHIP}, "by_chip"),
    "a chip that something else may register": ({"PROBE": CHIP + "other(&own->chip);"}, "by_chip"),
}


def open_checks(directory: Path, changed: Mapping[str, str]) -> set[str]:
    """The names of the pointers in operations that may be null."""
    verdicts = null_dereferences(directory, filled(DRIVER, USUAL, changed))
    assert not any(item.status is Status.UNKNOWN and item.check.function != "lost" for item in verdicts)
    found = {item.check.expression.partition(" ")[0] for item in verdicts if not item.status.is_safe}
    return {name for name in found if name.startswith("by_")}


@pytest.mark.parametrize("name", PROVED)
def test_an_operation_finds_what_was_there_at_the_registration(tmp_path: Path, name: str) -> None:
    used = [core for core in CORES if core in name] or CORES
    assert open_checks(tmp_path, PROVED[name]).isdisjoint(f"by_{core}" for core in used)


@pytest.mark.parametrize("name", OPEN)
def test_what_an_operation_may_find_null(tmp_path: Path, name: str) -> None:
    changed, expected = OPEN[name]
    assert expected in open_checks(tmp_path, changed)


def _nothing(*_: object) -> None:
    """Forgets what it is told."""


def _all(*_: object) -> bool:
    return True


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "nothing is written behind a registration": (
        lambda patch: patch.setattr(stored, "reached", lambda *_: ()),
        "the data of a watchdog is set to null later",
    ),
    "whatever an operation asks for is its own": (
        lambda patch: patch.setattr(private, "data_of_operation", lambda ctx, *_: private._of_operation(ctx)),
        "another chip",
    ),
    "what a thread writes to is its own": (
        lambda patch: patch.setattr(State, "is_made", _all),
        "the data of a watchdog is set to null by a callback",
    ),
    "only the core finds tables": (
        lambda patch: patch.setattr(operations, "_is_found", _all),
        "a table that is handed over, too",
    ),
    "nothing but a record's functions registers": (
        lambda patch: patch.setattr(registrations, "_is_one", lambda *_: False),
        "a chip that something else may register",
    ),
    "all devices are that of the life": (
        lambda patch: patch.setattr(registrations, "_of_device", lambda ctx, *_: private.data_of_life(ctx)),
        "a clock of another device",
    ),
    "nobody writes where an address leads": (
        lambda patch: patch.setattr(private, "note_address", _nothing),
        "the address of the data of a watchdog",
    ),
    "what is registered ends with the life": (
        lambda patch: patch.setattr(stored, "_outlasts", lambda *_: False),
        "a file that stays",
    ),
    "all that is removed is the same": (
        lambda patch: patch.setattr(registrations, "_constant", lambda *_: constant(0)),
        "a file that stays where another one is removed",
    ),
    "no thread shows anything": (
        lambda patch: patch.setattr(registrations, "settle", lambda *_: Settled(tables=frozenset(("watchdog_ops",)))),
        "a watchdog",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    if shown in PROVED:
        assert "by_watchdog" in open_checks(tmp_path, PROVED[shown])
    else:
        changed, expected = OPEN[shown]
        assert expected not in open_checks(tmp_path, changed)
