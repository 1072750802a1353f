"""Roles fail closed: whatever reaches the kernel and names anything is called, understood or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.buses import BUSES, Bus
from duet.linux.callbacks import FILE_OPERATIONS, Holder
from duet.linux.tables import HOLDERS
from duet.linux.tree import structures
from duet.options import FrontendOptions
from tests.linux.callbacks import LOOK, LOST, NOTHING, SEEN, START, function, members, registered, table
from tests.linux.drivers import lowered, statuses

OTHERS = {
    "module_init": "static int start(void) { %s return 0; } module_init(start);",
    "module_exit": "static int start(void) { return 0; } module_init(start);\n"
    "static void stop(void) { %s } module_exit(stop);",
    "EXPORT_SYMBOL": "int share(void) { %s return 0; } EXPORT_SYMBOL(share);" + START % "return 0;",
    "request_irq": "static irqreturn_t handle(int line, void *data) { %s return 0; }"
    + START % 'return request_irq(5, handle, 0, "x", NULL);',
    "timer_setup": "static struct timer_list timer; static void fire(struct timer_list *t) { %s }"
    + START % "timer_setup(&timer, fire, 0); mod_timer(&timer, jiffies); return 0;",
    "platform_driver_probe": "static struct platform_driver driver; static int probe(struct platform_device *d) { %s }"
    + START % "return platform_driver_probe(&driver, probe);",
}


CALLBACKS = [(holder, callback.member) for holder in HOLDERS.values() for callback in holder.callbacks]
NAMES = [f"{holder.structure}.{member}" for holder, member in CALLBACKS]


@pytest.mark.parametrize(("holder", "member"), CALLBACKS, ids=NAMES)
def test_a_callback_that_cannot_be_parsed_may_do_anything(tmp_path: Path, holder: Holder, member: str) -> None:
    found = {
        body: statuses(tmp_path, LOOK + table(holder, member, body) + registered(holder))
        for body in (NOTHING, SEEN, LOST)
    }
    assert found == {NOTHING: [True], SEEN: [False], LOST: [False]}


@pytest.mark.parametrize("member", [callback.member for callback in FILE_OPERATIONS.callbacks])
def test_private_descriptors_too(tmp_path: Path, member: str) -> None:
    text = LOOK + table(FILE_OPERATIONS, member, LOST) + registered(FILE_OPERATIONS)
    assert statuses(tmp_path, text, descriptors="private") == [False]


@pytest.mark.parametrize(("holder", "member"), CALLBACKS, ids=NAMES)
def test_a_registration_that_cannot_be_parsed_may_be_there(tmp_path: Path, holder: Holder, member: str) -> None:
    start = registered(holder)
    if "start(void) { " not in start:
        return  # a macro for the whole module
    text = table(holder, member, SEEN) + start.replace("start(void) { ", "start(void) { for_each_little_thing(c) { } ")
    assert statuses(tmp_path, LOOK + text) == [False]


@pytest.mark.parametrize("kind", OTHERS)
def test_a_function_that_cannot_be_parsed_may_do_anything(tmp_path: Path, kind: str) -> None:
    found = {body: statuses(tmp_path, LOOK + OTHERS[kind] % body) for body in (SEEN, LOST)}
    assert found == {SEEN: [False], LOST: [False]}


@pytest.mark.parametrize(("holder", "member"), CALLBACKS, ids=NAMES)
def test_a_callback_without_a_definition_is_called(tmp_path: Path, holder: Holder, member: str) -> None:
    text = table(holder, member, NOTHING).replace(f".{member} = on_{member}", f".{member} = elsewhere")
    kind = function(members(holder.structure)[member], "elsewhere", "").removeprefix("static ").partition("{")[0]
    made = lowered(tmp_path, LOOK + f"{kind};\n" + text + registered(holder))
    assert "unknown-function" in {warning.code for warning in made.warnings if "elsewhere" in warning.message}


def test_every_function_of_a_holder_has_a_record() -> None:
    for holder in HOLDERS.values():
        assert set(members(holder.structure)) == {callback.member for callback in holder.callbacks}


def test_every_structure_with_functions_has_a_record() -> None:
    options = FrontendOptions(model="linux")
    path = str(Path(__file__).with_name("headers.c"))
    found = structures(parse(preprocess(path, options).text, path, options).ast)
    assert {name for name in found if members(name)} == set(HOLDERS) - {"miscdevice"}


def test_buses_are_told_apart() -> None:
    def names(bus: Bus) -> set[str]:
        return set(filter(None, (bus.name, bus.driver.structure, bus.register, bus.unregister, bus.add, bus.delete)))

    everything = [name for bus in BUSES for name in names(bus)]
    assert len(everything) == len(set(everything))
