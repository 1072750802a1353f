"""What a harness does, as records."""

from __future__ import annotations

from pathlib import Path

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.plan import Operation, Plan, plan
from duet.linux.roles import find_roles
from duet.options import FrontendOptions
from tests.linux.drivers import MINIMAL

BUS = """
#include <linux/module.h>
#include <linux/platform_device.h>
static int probing(struct platform_device *d) { return 0; }
static int removing(struct platform_device *d) { return 0; }
static struct platform_driver driver = { .probe = probing, .remove = removing, .driver = { .name = "d" } };
"""
MODULE = "module_platform_driver(driver);"
REGISTERED = """static int start(void) { return platform_driver_register(&driver); }
static void stop(void) { platform_driver_unregister(&driver); }
module_init(start); module_exit(stop);"""


def planned(directory: Path, text: str, descriptors: str = "shared") -> Plan:
    path = directory / "driver.c"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(model="linux")
    unit = parse(preprocess(str(path), options).text, str(path), options)
    return plan(unit, find_roles(unit), descriptors)


def test_a_driver_with_one_of_each(tmp_path: Path) -> None:
    found = planned(tmp_path, MINIMAL.replace("@START@", ""), "private")
    assert (found.init, found.exit, found.descriptors) == ("start", "stop", "private")
    assert found.path.endswith("driver.c")
    (client,) = found.clients
    assert (client.name, client.open.split("(")[0], client.release.split("(")[0]) == ("device", "opening", "releasing")
    (writing,) = client.operations
    assert isinstance(writing, Operation)
    assert writing.transfers
    assert writing.call.startswith("writing(")
    assert [item.call.split("(")[0] for item in (*found.timers, *found.notifiers, *found.interrupts)] == [
        "fire",
        "rebooting",
        "handle",
    ]
    assert [parameter.variable for parameter in found.parameters] == ["level"]
    assert (found.drivers, found.module_driver, found.buses) == ((), None, ())


def test_timers_run_early_where_bring_up_arms_one(tmp_path: Path) -> None:
    assert not planned(tmp_path, MINIMAL.replace("@START@", "")).is_early
    assert planned(tmp_path, MINIMAL.replace("@START@", "mod_timer(&timer, jiffies);")).is_early


def test_a_module_that_is_one_driver(tmp_path: Path) -> None:
    found = planned(tmp_path, BUS + MODULE)
    assert found.module_driver is not None
    assert found.module_driver.is_live
    assert not found.module_driver.is_beside
    assert not found.module_driver.is_locked
    assert found.module_driver.probe.startswith("probing(")
    assert found.init == ""


def test_a_driver_that_a_function_registers(tmp_path: Path) -> None:
    found = planned(tmp_path, BUS + REGISTERED)
    assert found.module_driver is None
    (driver,) = found.drivers
    assert driver.is_live
    assert driver.is_beside
    assert driver.is_locked
    assert driver.remove.startswith("removing(")
    assert (driver.suspend, driver.match) == ("", "")
    assert found.of(driver.bus) == (driver,)
    assert found.buses == (driver.bus,)


def test_steps_that_may_end_the_driver_take_no_lock(tmp_path: Path) -> None:
    ending = BUS.replace(
        "return 0; }\nstatic struct", "platform_driver_unregister(&driver); return 0; }\nstatic struct"
    )
    text = ending.replace("static int probing", "static struct platform_driver driver;\nstatic int probing")
    (driver,) = planned(tmp_path, text + REGISTERED).drivers
    assert not driver.is_locked


def test_the_fields_of_devices_hold_anything(tmp_path: Path) -> None:
    (devices,) = planned(tmp_path, BUS + MODULE).devices
    fields = {field.path.removeprefix(f"{devices.bus.object}."): field.is_pointer for field in devices.fields}
    assert fields["name"]
    assert not fields["id"]
    assert fields["dev.driver_data"]
