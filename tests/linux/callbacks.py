"""Drivers for tests that are made from the records: one callback of a structure, and what brings it to the kernel."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pycparser import c_ast, c_generator

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.buses import BUSES
from duet.linux.callbacks import FILE_OPERATIONS, NOTIFIER, TIMER, Holder
from duet.linux.tree import structures
from duet.options import FrontendOptions
from tests.linux.drivers import BEGIN

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
def headers() -> dict[str, c_ast.Struct]:
    """The structures of all model headers: their text counts as the user's, of which nothing is left out."""
    options = FrontendOptions(model="linux")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "headers.c"
        path.write_text(BEGIN)
        text = re.sub("^#.*$", "", preprocess(str(path), options).text, flags=re.MULTILINE)
        return structures(parse(text, str(path), options).ast)


@cache
def members(structure: str) -> dict[str, c_ast.FuncDecl]:
    """The members of a structure of the model headers that are functions."""
    found = headers()[structure].decls
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


def table(holder: Holder, bodies: Mapping[str, str], probe: bool = True) -> str:
    """A driver with a structure of functions, some of which have these bodies, and a `probe` where there is one."""
    kinds = members(holder.structure)
    found = {"match": "return 1;"} if "match" in kinds else {}
    found |= {"probe": NOTHING} if probe and "probe" in kinds else {}
    found |= bodies
    text = "".join(function(kinds[name], f"on_{name}", body) for name, body in found.items())
    fields = ", ".join(f".{name} = on_{name}" for name in found)
    return f"{text}static struct {holder.structure} table = {{ {fields} }};\n"


def looks(holder: Holder) -> str:
    """A variable for each callback of a structure, and a check that fails once that is no longer 0."""
    names = members(holder.structure)
    return "".join(LOOK.replace("seen", f"seen_{name}").replace("look", f"look_{name}") for name in names)


def seen(holder: Holder) -> dict[str, str]:
    """Bodies of all callbacks of a structure that set its variable; a device matches."""
    names = members(holder.structure)
    return {name: f"seen_{name} = 1;{' return 1;' if name == 'match' else ''}" for name in names}


def registered(holder: Holder) -> str:
    """What brings the structure to the kernel."""
    bus = next((bus for bus in BUSES if bus.driver is holder), None)
    if bus is None:
        return REGISTERED[holder.structure]
    return START % f"return {bus.register}(&table);" if bus.register else "module_isa_driver(table, 4);\n"
