"""What the functions of a Linux driver are for, read off its tree: who calls them, and from when on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.graph.reach import reached, reaches
from duet.frontend.source.parse import ParsedUnit
from duet.linux import callbacks
from duet.linux.buses import BUSES, MARKER, Bus
from duet.linux.parameters import Parameter, find_parameters, marked
from duet.linux.refusals import EXPORTED, TAKERS, check_text, check_uses
from duet.linux.tables import HOLDERS, Tables, find_tables
from duet.linux.timers import Timer, find_timers
from duet.linux.tree import arguments, calls, declarations, name_of, nodes

BUILTIN = "__builtin_"
ENTRIES = frozenset({f"{MARKER}module_init", *(bus.marker for bus in BUSES)})
"""The variables that the macros for entry points declare."""


@dataclass(frozen=True, slots=True)
class Device:
    """A `miscdevice` variable and its file operations: member to function."""

    name: str
    operations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Driver:
    """A variable that is a driver of a bus; `functions` maps its members to functions."""

    name: str
    bus: Bus
    functions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Notifier:
    """A `notifier_block` variable and its function."""

    name: str
    function: str


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a driver.

    `functions` are those that it defines, understood or not; `calls` maps each, and variables, to the names in them.
    `exported` are the functions and variables that other modules may use. `mentioned` are the names in the driver's
    own functions and variables, and in those of the model headers that they lead to. `unknown` are the functions
    whose effects are not known: they are not understood, or defined elsewhere without a model.
    """

    init: str | None
    exit: str | None
    module_driver: Driver | None
    devices: tuple[Device, ...]
    drivers: tuple[Driver, ...]
    timers: tuple[Timer, ...]
    notifiers: tuple[Notifier, ...]
    interrupts: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    exported: tuple[str, ...]
    functions: frozenset[str]
    calls: Mapping[str, frozenset[str]]
    mentioned: frozenset[str]
    unknown: frozenset[str]

    def reaches(self, starts: tuple[str, ...], targets: frozenset[str], without: frozenset[str] = frozenset()) -> bool:
        """Whether a function in `starts` may come to one in `targets`, through what any but those `without` mention."""
        return reaches(starts, targets, lambda name: frozenset() if name in without else self.calls.get(name, ()))


def find_roles(unit: ParsedUnit) -> Roles:
    """Returns the roles in a unit that was preprocessed with the model headers.

    *Raises*: Unsupported where a function of the driver is handed to something whose calls are not known, or bound in
    a way that cannot be read off: a harness without them would miss executions.
    """
    check_text(unit)
    bodies = {node.decl.name: node for node in unit.ast.ext if isinstance(node, c_ast.FuncDef)}
    tables = find_tables(unit)
    every = [call for body in bodies.values() for call in calls(body)]
    check_uses(unit, bodies, tables)
    mentions = _mentions(unit, bodies, tables)
    own = {found.name for found in unit.extents if found.span.file in unit.source} | tables.objects.keys()
    entries = [decl for decl in declarations(unit.ast) if decl.name in ENTRIES and decl.init is not None]
    if len(entries) > 1:
        raise Unsupported("a module has one entry point, this one is another", unit.span(entries[1].coord))
    drivers = {name: Driver(name, bus, tables.named[name]) for bus in BUSES for name in tables.of(bus.driver)}
    module = [drivers[name_of(tables.objects[bus.marker].init)] for bus in BUSES if bus.marker in tables.objects]
    return Roles(
        init=_entry(tables, "module_init"),
        exit=_entry(tables, "module_exit"),
        module_driver=module[0] if module else None,
        devices=tuple(
            Device(name, tables.named.get(tables.named[name]["fops"], {})) for name in tables.of(callbacks.MISC_DEVICE)
        ),
        drivers=tuple(drivers[name] for name in tables.objects if name in drivers),
        timers=find_timers(unit, bodies.values(), tables),
        notifiers=tuple(
            Notifier(name, tables.named[name]["notifier_call"])
            for name in tables.of(callbacks.NOTIFIER)
            if "notifier_call" in tables.named[name]
        ),
        interrupts=tuple(
            sorted({name_of(arguments(c)[1]) for c in every if name_of(c.name) == callbacks.REQUEST_IRQ.function})
        ),
        parameters=find_parameters(tables),
        exported=marked(tables, EXPORTED),
        functions=tables.functions,
        calls=mentions,
        unknown=_unknown(unit, every, tables),
        mentioned=frozenset(reached(own, lambda name: mentions.get(name, frozenset()))),
    )


def _mentions(unit: ParsedUnit, bodies: Mapping[str, c_ast.FuncDef], tables: Tables) -> Mapping[str, frozenset[str]]:
    """The names that each function mentions, and each variable but those whose functions a registration starts."""
    return {
        **{name: _mentioned(body.body) for name, body in bodies.items()},
        **{lost.name: frozenset(name for name, _ in lost.mentions) for lost in unit.refused},
        **{
            name: _mentioned(decl.init)
            for name, decl in tables.objects.items()
            if (holder := HOLDERS.get(tables.kinds[name])) is None or holder.is_called
        },
    }


def _unknown(unit: ParsedUnit, every: list[c_ast.FuncCall], tables: Tables) -> frozenset[str]:
    """The functions that are not understood, or called and neither defined nor declared by the model headers."""
    declared = {node.name for node in declarations(unit.ast) if unit.span(node.coord).file not in unit.source}
    called = {name for call in every if not (name := name_of(call.name)).startswith(BUILTIN)}
    return frozenset({lost.name for lost in unit.refused} | (called - tables.functions - declared))


def _mentioned(body: c_ast.Node) -> frozenset[str]:
    """The names that a function mentions, but for the functions that it only has called back later, as a thread."""
    later = []
    for call in calls(body):
        position = TAKERS[name_of(call.name)].callback if name_of(call.name) in TAKERS else None
        if position is not None and position < len(arguments(call)):
            later.append(arguments(call)[position])
    return frozenset(node.name for node in nodes(body) if isinstance(node, c_ast.ID) and node not in later)


def _entry(tables: Tables, kind: str) -> str | None:
    """The function that a macro for entry points names."""
    decl = tables.objects.get(f"{MARKER}{kind}")
    return name_of(decl.init) if decl else None
