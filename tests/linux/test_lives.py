"""The lives of devices: what a bus calls after a successful probe finds what the probe has stored.

Each driver follows the private data of a device in a callback. Where that may be null in the kernel, the check is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pycparser import c_ast

from duet.frontend.cells import private
from duet.frontend.models import registrations, unknown
from duet.linux import cycles, general
from duet.linux.cycles import Cycle
from duet.linux.lvalues import Site
from duet.linux.mentions import Mentions
from duet.result import Status
from tests.linux.opened import filled, null_dereferences

DRIVER = """
#include <linux/module.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/platform_device.h>
struct own { struct device *device; struct platform_device *platform; int level; };
extern int any(void);
extern void other(void *given);
extern int register_callback(int (*function)(struct device *device));
static int level;
@BEFORE@
static int sleep(struct device *device)
{
	struct own *asleep = dev_get_drvdata(device);

	level = asleep->level;
	return 0;
}
static int probe(struct platform_device *device)
{
	struct own *new = kzalloc(sizeof(*new), GFP_KERNEL);

	if (!new)
		return -1;
	@PROBE@
	return 0;
}
static int removing(struct platform_device *device)
{
	struct own *own = platform_get_drvdata(device);

	@REMOVE@
	level = own->level;
	return 0;
}
static const struct dev_pm_ops power = { @POWER@ };
static struct platform_driver driver = { @DRIVER@ };
@BEHIND@
static int __init loading(void) { @LOAD@ return platform_driver_register(&driver); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
USUAL = {
    "BEFORE": "",
    "PROBE": "platform_set_drvdata(device, new);",
    "REMOVE": "",
    "POWER": ".suspend = sleep, .resume = sleep",
    "DRIVER": '.probe = probe, .remove = removing, .driver = { .name = "d", .pm = &power }',
    "BEHIND": "",
    "LOAD": "",
}
BOTH = {"asleep != 0", "own != 0"}
PROVED: Mapping[str, dict[str, str]] = {
    "as it should be": {},
    "functions of the kernel have the device before and behind": {
        "PROBE": "other(device); platform_set_drvdata(device, new); other(device);"
    },
    "by a pointer to the device itself": {
        "PROBE": "struct device *inner = &device->dev; dev_set_drvdata(inner, new); new->device = inner;"
    },
    "by the device around it": {
        "BEFORE": "static int wake(struct device *inner) { struct platform_device *outer = to_platform_device(inner);"
        " struct own *own = platform_get_drvdata(outer); level = own->level; return 0; }",
        "POWER": ".suspend = sleep, .resume = wake",
    },
    "by the member itself": {"PROBE": "device->dev.driver_data = new;"},
    "given to the kernel meanwhile": {"PROBE": "other(device); platform_set_drvdata(device, new); other(new);"},
    "a probe that fails with the error of another function": {
        "PROBE": "int result = device_register(&device->dev); if (result) goto failed;"
        " platform_set_drvdata(device, new); return 0; failed: other(new); return result;",
    },
    "a function that never returns what is no error": {
        "PROBE": "if (device_register(&device->dev) > 0) return 0; platform_set_drvdata(device, new);",
    },
    "a probe that fails before": {"PROBE": "if (any()) return -1; platform_set_drvdata(device, new);"},
    "operations that a configuration leaves out": {"POWER": ".suspend = 1 ? sleep : 0, .resume = ((0) ? (sleep) : 0)"},
    "a driver without operations for power": {"DRIVER": ".probe = probe, .remove = removing", "POWER": ""},
    "set to null at the end": {"REMOVE": "platform_set_drvdata(device, 0);"},
    "a module with two drivers": {
        "BEHIND": "static struct platform_driver second = { .probe = probe, .remove = removing };",
        "LOAD": "if (platform_driver_register(&second)) return -1;",
    },
    "the same operation as a member of the driver": {
        "BEFORE": "static int late(struct platform_device *device, pm_message_t state)"
        " { struct own *own = platform_get_drvdata(device); return own->level; }",
        "DRIVER": ".probe = probe, .remove = removing, .suspend = late, .driver.pm = &power",
    },
}
OPEN: Mapping[str, tuple[dict[str, str], set[str]]] = {
    "a probe that succeeds without": ({"PROBE": "if (any()) return 0; platform_set_drvdata(device, new);"}, BOTH),
    "a function that may return what is no error": (
        {
            "PROBE": "if (pm_runtime_get_sync(&device->dev) > 0) return 0; platform_set_drvdata(device, new);",
        },
        BOTH,
    ),
    "set to null by the probe": (
        {"PROBE": "platform_set_drvdata(device, new); if (any()) platform_set_drvdata(device, 0);"},
        BOTH,
    ),
    "set for another device": ({"PROBE": "dev_set_drvdata(device->dev.parent, new);"}, BOTH),
    "null where it is stored": (
        {"PROBE": "struct own *second = kzalloc(sizeof(*second), GFP_KERNEL); platform_set_drvdata(device, second);"},
        BOTH,
    ),
    "changed through a pointer that was kept": (
        {
            "BEFORE": "static struct platform_device *kept;"
            " static int end(struct device *device) { platform_set_drvdata(kept, 0); return 0; }",
            "PROBE": "platform_set_drvdata(device, new); kept = device; register_callback(end);",
        },
        BOTH,
    ),
    "changed by any callback": (
        {
            "BEFORE": "static int end(struct device *device) { dev_set_drvdata(device, 0); return 0; }",
            "LOAD": "register_callback(end);",
        },
        BOTH,
    ),
    "changed where its address is": (
        {"PROBE": "platform_set_drvdata(device, new); other(&device->dev.driver_data);"},
        BOTH,
    ),
    "changed as a part of the device": (
        {"BEFORE": "static struct device copy;", "PROBE": "platform_set_drvdata(device, new); device->dev = copy;"},
        BOTH,
    ),
    "of a device of the driver's own": (
        {
            "BEFORE": "static struct own first;"
            " static struct platform_device made = { .dev = { .driver_data = &first } };",
            "PROBE": "if (!platform_get_drvdata(device)) platform_set_drvdata(device, new); else return 0;"
            " platform_set_drvdata(&made, 0);",
            "LOAD": "platform_device_register(&made);",
        },
        BOTH,
    ),
    "an operation that is called while the device runs": (
        {"POWER": ".suspend = sleep, .runtime_suspend = sleep"},
        {"asleep != 0"},
    ),
    "an operation that is handed over, too": ({"LOAD": "register_callback(sleep);"}, {"asleep != 0"}),
    "an operation in a table of another kind": (
        {"BEHIND": "struct hidden { int (*function)(struct device *device); } hidden = { sleep };"},
        {"asleep != 0"},
    ),
    "a table that is handed over, too": ({"LOAD": "other((void *)&power);"}, {"asleep != 0"}),
    "a probe that is not the driver's": (
        {
            "BEFORE": "static int empty(struct platform_device *device) { return 0; }",
            "LOAD": "return __platform_driver_probe(&driver, empty);",
        },
        BOTH,
    ),
    "a probe that is set later": (
        {
            "BEFORE": "static int empty(struct platform_device *device) { return 0; }",
            "LOAD": "driver.probe = empty;",
        },
        BOTH,
    ),
    "a probe that is one of two": (
        {
            "BEFORE": "static int empty(struct platform_device *device) { return 0; }",
            "DRIVER": ".probe = 1 ? empty : probe, .remove = removing, .driver.pm = &power",
        },
        BOTH,
    ),
    "what a function of the kernel has stored": (
        {"PROBE": "other(&device->dev);", "REMOVE": "struct own *none = 0; if (own) return none->level;"},
        {"none != 0", "own != 0"},
    ),
    "a driver without a probe": ({"DRIVER": ".remove = removing, .driver.pm = &power"}, BOTH),
}


def open_checks(directory: Path, changed: Mapping[str, str]) -> set[str]:
    """The pointers that may be null, of those that a callback has from private data."""
    verdicts = null_dereferences(directory, filled(DRIVER, USUAL, changed))
    assert not any(item.status is Status.UNKNOWN for item in verdicts)
    return {item.check.expression for item in verdicts if not item.status.is_safe}


@pytest.mark.parametrize("name", PROVED)
def test_a_callback_finds_what_the_probe_has_stored(tmp_path: Path, name: str) -> None:
    assert not open_checks(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_a_callback_may_find_null(tmp_path: Path, name: str) -> None:
    changed, expected = OPEN[name]
    assert open_checks(tmp_path, changed) >= expected


def _nothing(*_: object) -> None:
    """Forgets what it is told."""


def _known(self: Mentions, name: str) -> tuple[Site, ...]:
    """The sites of whatever has one."""
    return self.sites.get(name, ())


def _without_binders(driver: c_ast.Decl, cycle: Cycle, found: Mentions) -> bool:
    return any(
        site.variable == driver.name and site.member in cycle.probes for sites in found.sites.values() for site in sites
    )


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "every write is one of the life": (
        lambda patch: patch.setattr(private, "note_write", _nothing),
        "changed through a pointer that was kept",
    ),
    "nobody writes where an address leads": (
        lambda patch: patch.setattr(private, "note_address", _nothing),
        "changed where its address is",
    ),
    "any device is that of the life": (
        lambda patch: patch.setattr(private, "_is_own", lambda *_: True),
        "changed through a pointer that was kept",
    ),
    "what is mentioned elsewhere is called by the bus alone": (
        lambda patch: patch.setattr(Mentions, "known", _known),
        "an operation that is handed over, too",
    ),
    "what runs beside the device is called by the bus alone": (
        lambda patch: patch.setattr(cycles, "SLEEP", ("suspend", "resume", "runtime_suspend")),
        "an operation that is called while the device runs",
    ),
    "a driver is given devices by its own probe alone": (
        lambda patch: patch.setattr(cycles, "_is_probed", _without_binders),
        "a probe that is not the driver's",
    ),
    "all functions return errors or 0": (
        lambda patch: patch.setattr(unknown, "STATUSES", frozenset(("pm_runtime_get_sync",))),
        "a function that may return what is no error",
    ),
    "only the driver stores anything": (
        lambda patch: patch.setattr(registrations, "_fill", _nothing),
        "what a function of the kernel has stored",
    ),
    "functions run as their lives alone": (
        lambda patch: patch.setattr(general, "threads_of", lambda *_: ()),
        "as it should be",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rules_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    expected = OPEN[shown][1] if shown in OPEN else set()
    changed = OPEN[shown][0] if shown in OPEN else PROVED[shown]
    found = open_checks(tmp_path, changed)
    assert found if shown in PROVED else not found >= expected
