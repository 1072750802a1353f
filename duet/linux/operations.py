"""Which functions of a driver are operations: found by the core that they are registered with, and by nobody else.

A function is one of a record (`duet.frontend.cells.operations`) if all mentions of it are in tables of that kind, and
all of those of each table are where it comes to the core; what else is given such a table may call it at any time.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.cells.operations import OPERATIONS, Operations, registered_by
from duet.frontend.source.parse import ParsedUnit
from duet.linux.cycles import Life
from duet.linux.handed import is_later
from duet.linux.lvalues import Site
from duet.linux.mentions import Mentions
from duet.linux.places import Place, find_places
from duet.linux.tree import nodes


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: the functions that the driver calls to register what it is for, and the places of that if known."""

    registers: tuple[str, ...]
    places: tuple[Place, ...] = ()


def find_operations(
    unit: ParsedUnit, mentions: Mentions, lives: Sequence[Life], called: Container[str]
) -> Mapping[str, Operation]:
    """The operations of a unit, with those that run once the life cycle of what their table is for has begun.

    Those that are `called` have a caller in the harness, whose first parameter is what was registered.
    """
    own, structures = _own(unit), _structures(unit)
    declared = {str(decl.name) for decl in _declared(unit)}
    found: dict[str, Operation] = {}
    for record in OPERATIONS:
        registers = tuple(sorted(mentions.called & declared & record.registers.keys()))
        if not registers or not own.isdisjoint(record.functions):
            continue
        of_record = {
            name: sites
            for name in mentions.sites
            if (sites := mentions.known(name))
            and all(_is_operation(site, record, mentions, structures) for site in sites)
            and (name in called or not any(map(is_later, sites)))
        }
        places = find_places(unit, of_record, record.objects, structures)
        found.update((name, Operation(registers, places.get(name, ()))) for name in of_record)
    for life in lives:
        found.update(dict.fromkeys(_begun(life, mentions), Operation((life.cycle.begun,))))
    return found


def _begun(life: Life, mentions: Mentions) -> Iterator[str]:
    """The operations of what a life cycle is of, if they are all known from its table."""
    record = registered_by(life.cycle.begun)
    for name in mentions.sites if record is not None else ():
        sites = mentions.known(name)
        if record is not None and sites and all(site.variable == life.name and _names(site, record) for site in sites):
            yield name


def _names(site: Site, record: Operations) -> bool:
    return record.names(site.structure, site.member)


def _declared(unit: ParsedUnit) -> Iterator[c_ast.Decl]:
    """What is declared at the file scope of a unit."""
    found = (getattr(item, "decl", item) for item in unit.ast.ext)
    return (decl for decl in found if isinstance(decl, c_ast.Decl) and decl.name)


def _own(unit: ParsedUnit) -> frozenset[str]:
    """The names of what the files of the driver itself declare, not the headers of the kernel."""
    return frozenset(str(decl.name) for decl in _declared(unit) if unit.span(decl.coord).file in unit.source)


def _structures(unit: ParsedUnit) -> frozenset[str]:
    """The structures that the files of the driver itself define."""
    found = (node for node in nodes(unit.ast) if isinstance(node, c_ast.Struct) and node.name and node.decls)
    return frozenset(str(node.name) for node in found if unit.span(node.coord).file in unit.source)


def _is_operation(site: Site, record: Operations, mentions: Mentions, structures: Container[str]) -> bool:
    """Whether a site is one of a table that only the core finds; `structures` are those of the driver."""
    is_own = not record.is_own or bool(site.variable) or _is_declared(site, record, structures)
    return is_own and _names(site, record) and _is_of_core(site, record, mentions)


def _is_declared(site: Site, record: Operations, structures: Container[str]) -> bool:
    """Whether a site is in a structure of the driver, and in none of the kernel's that might be given to its core."""
    outer = [tag for tag in site.through if tag not in record.tables | (record.around or {}).keys()]
    return bool(outer) and all(tag in structures for tag in outer)


def _is_of_core(site: Site, record: Operations, mentions: Mentions) -> bool:
    """Whether only the core finds what a site is in."""
    return _is_found(site, record, mentions) if site.variable else not record.is_initial


def _is_found(site: Site, record: Operations, mentions: Mentions) -> bool:
    """Whether only the core finds the variable that a site is in."""
    name, is_registered = site.variable, not (record.carriers and site.structure in record.tables)
    sites, handed = mentions.sites.get(name, ()), mentions.handed.get(name, ())
    is_carried = all(
        (outer.structure, outer.member) in record.carriers and _is_of_core(outer, record, mentions) for outer in sites
    )
    is_copied = name in mentions.copied and is_registered  # to what the kernel gets the address of instead
    is_known = name not in mentions.lost and (is_registered or name not in mentions.copied)
    return is_known and is_carried and record.functions.issuperset(handed) and bool(sites or handed or is_copied)
