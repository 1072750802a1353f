"""Roles fail closed: whatever reaches the kernel and names anything is called, understood or not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from pycparser import c_ast, c_generator

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.buses import BUSES, Bus
from duet.linux.callbacks import FILE_OPERATIONS, NOTIFIER, TIMER, Holder
from duet.linux.tables import HOLDERS
from duet.linux.tree import structures
from duet.options import FrontendOptions
from tests.linux.drivers import lowered, statuses

NOTHING, SEEN, LOST = "", "seen = 1;", "for_each_little_thing(c) { seen = 1; }"
LOOK = "static int seen; int look(void) { BUG_ON(seen != 0); return 0; } EXPORT_SYMBOL(look);\n"
"""A check that fails once a callback has run; other modules make it at any time."""
START = "static int start(void) { %s } module_init(start);\n"
MISC = 'static struct miscdevice misc = { .minor = 5, .name = "m", .fops = &table };\n'
REGISTERED = {
    FILE_OPERATIONS.structure: MISC + START % "return misc_register(&misc);",
    NOTIFIER.structure: START % "return register_reboot_notifier(&table);",
    TIMER.structure: START % "mod_timer(&table, jiffies); return 0;",
}
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


@cache
def members(structure: str) -> dict[str, c_ast.FuncDecl]:
    """The members of a structure of the model headers that are functions."""
    options = FrontendOptions(model="linux")
    path = str(Path(__file__).with_name("headers.c"))
    unit = parse(preprocess(path, options).text, path, options)
    found = structures(unit.ast)[structure].decls
    return {m.name: m.type.type for m in found if isinstance(getattr(m.type, "type", None), c_ast.FuncDecl)}


def function(kind: c_ast.FuncDecl, name: str, body: str) -> str:
    """A function of a type."""
    result = kind.type
    while not isinstance(result, c_ast.TypeDecl):
        result = result.type
    before, result.declname = result.declname, name
    text = str(c_generator.CGenerator().visit(kind))
    result.declname = before
    is_void = text.startswith("void ")
    return f"static {text} {{ {body} {'' if is_void else 'return 0;'} }}\n"


def table(holder: Holder, member: str, body: str) -> str:
    """A driver with a structure of functions, one of which has that body."""
    kinds = members(holder.structure)
    with_match = {"probe", member} if holder in [bus.driver for bus in BUSES] else {member}
    text = "".join(function(kinds[name], f"on_{name}", body if name == member else NOTHING) for name in with_match)
    if "match" in kinds and member != "match":
        text += function(kinds["match"], "on_match", "return 1;")
        with_match |= {"match"}
    fields = ", ".join(f".{name} = on_{name}" for name in sorted(with_match))
    return f"{text}static struct {holder.structure} table = {{ {fields} }};\n"


def registered(holder: Holder) -> str:
    """What brings the structure to the kernel."""
    bus = next((bus for bus in BUSES if bus.driver is holder), None)
    if bus is None:
        return REGISTERED[holder.structure]
    return START % f"return {bus.register}(&table);" if bus.register else "module_isa_driver(table, 4);\n"


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
