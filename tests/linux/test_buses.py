"""What the harness does with the devices of each bus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duet.linux.buses import BUSES, Bus
from tests.linux.callbacks import function, looks, members, registered, seen, table
from tests.linux.drivers import BEGIN, body, harness, statuses

MODULE = (
    BEGIN
    + """
static int probing(@DEVICE@@PROBE@) { return 0; }
static void removing(@DEVICE@@ID@) { }
static void ending(@DEVICE@@ID@) { }
static struct @NAME@_driver driver = { .probe = probing, .remove = removing, .shutdown = ending };
"""
)
IDENTITIES = {"pci": ", const struct pci_device_id *i", "pnp": ", const struct pnp_device_id *i"}
NUMBER = ", unsigned int number"
REGISTERING = [bus for bus in BUSES if bus.register]


def text(bus: Bus) -> str:
    """A driver of a bus, without what registers it."""
    number = NUMBER if bus.numbered else ""
    replaced = {"@DEVICE@": f"struct {bus.device} *d", "@NAME@": bus.name, "@ID@": number}
    found = MODULE.replace("@PROBE@", number or IDENTITIES.get(bus.name, ""))
    for old, new in replaced.items():
        found = found.replace(old, new)
    return found.replace("static void removing", "static int removing") if bus.name == "platform" else found


@pytest.mark.parametrize("bus", BUSES, ids=[bus.name for bus in BUSES])
def test_devices_come_and_go_inside_of_what_a_module_driver_does(tmp_path: Path, bus: Bus) -> None:
    made = harness(tmp_path, text(bus) + f"module_{bus.name}_driver(driver{', 4' if bus.numbered else ''});").text
    assert "__duet_live_driver();" in body(made, bus.register or "main")
    assert "while (__duet_nondet_bool())" in body(made, "__duet_live_driver")
    assert f"probing(&{bus.object}" in body(made, "__duet_step_driver")
    assert bus.success in body(made, "__duet_step_driver")
    assert "__duet_unbind_driver();" in body(made, "__duet_step_driver")
    assert "__duet_spawn(__duet_run_shutdown_driver);" in body(made, "__duet_bind_driver")
    assert "removing(" in body(made, "__duet_unbind_driver")
    if bus.unregister:
        assert f"{bus.unregister}(&driver)" in body(made, "main")


@pytest.mark.parametrize("bus", REGISTERING, ids=[bus.name for bus in REGISTERING])
def test_devices_come_and_go_beside_what_others_do(tmp_path: Path, bus: Bus) -> None:
    start = f"static int start(void) {{ return {bus.register}(&driver); }} module_init(start);"
    stop = f"static void stop(void) {{ {bus.unregister}(&driver); }} module_exit(stop);"
    made = harness(tmp_path, text(bus) + start + stop).text
    assert "__duet_spawn(__duet_run_driver_driver);" in body(made, bus.register)
    for name in (bus.register, bus.unregister, "__duet_run_driver_driver"):
        found = body(made, name)
        assert found.index("__duet_acquire(&__duet_lock_driver);") < found.index("__duet_release(&__duet_lock_driver);")


@pytest.mark.parametrize("bus", [bus for bus in BUSES if bus.add], ids=[bus.name for bus in BUSES if bus.add])
def test_a_device_of_the_drivers_own_is_the_only_one(tmp_path: Path, bus: Bus) -> None:
    start = f'static int start(void) {{ {bus.add}("x", 0, NULL, 0); return {bus.register}(&driver); }}'
    made = harness(tmp_path, text(bus) + start + " module_init(start);").text
    assert "__duet_bound_driver == 0" in body(made, "__duet_step_driver")
    assert "__duet_bound_driver = 1;" in body(made, "__duet_bind_driver")


@pytest.mark.parametrize("bus", BUSES, ids=[bus.name for bus in BUSES])
def test_a_driver_without_probe_is_bound_all_the_same(tmp_path: Path, bus: Bus) -> None:
    bodies = {name: body for name, body in seen(bus.driver).items() if name != "probe"}
    text = looks(bus.driver).replace("BUG_ON(seen_probe != 0);", "") + table(bus.driver, bodies, probe=False)
    assert not any(statuses(tmp_path, text + registered(bus.driver)))


POWER = [bus for bus in BUSES if bus.state]


@pytest.mark.parametrize("bus", POWER, ids=[bus.name for bus in POWER])
def test_a_device_that_cannot_sleep_is_asked_again(tmp_path: Path, bus: Bus) -> None:
    kinds = members(bus.driver.structure)
    found = text(bus).replace("@", "") + "".join(function(kinds[name], name, "") for name in ("suspend", "resume"))
    found = found.replace(".remove = removing", ".remove = removing, .suspend = suspend, .resume = resume")
    before, _, after = found.partition("static struct " + bus.driver.structure)
    table, _, functions = after.partition(";\n")
    made = harness(
        tmp_path,
        f"{before}{functions}static struct {bus.driver.structure}{table};\n"
        f"module_{bus.name}_driver(driver{', 4' if bus.numbered else ''});",
    ).text
    assert re.search(r"if \(suspend\([^\n]*\) == 0\)\n\t*\(void\)resume\(", body(made, "__duet_run_power_driver"))
