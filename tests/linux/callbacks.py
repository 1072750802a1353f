"""Drivers for tests that are made from the records: one callback of a structure, and what brings it to the kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pycparser import c_ast, c_generator

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.buses import BUSES
from duet.linux.callbacks import FILE_OPERATIONS, NOTIFIER, TIMER, Holder
from duet.linux.tree import structures
from duet.options import FrontendOptions

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


def table(holder: Holder, member: str, body: str, probe: bool = True) -> str:
    """A driver with a structure of functions, one of which has that body, and a `probe` where there is one."""
    kinds = members(holder.structure)
    with_match = {"probe", member} if probe and "probe" in kinds else {member}
    bodies = {name: body if name == member else NOTHING for name in sorted(with_match)}
    text = "".join(function(kinds[name], f"on_{name}", found) for name, found in bodies.items())
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
