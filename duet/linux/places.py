"""Where callbacks are kept in the driver's own structures: how far from its start what they are called with is.

What is registered, armed or queued has the address of its callback in it. A callback that the driver writes to one
member of a structure of its own, and nowhere else, is only called with such a member.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.lvalues import Site, Types, has_own_types, locals_of
from duet.linux.tree import nodes


@dataclass(frozen=True, slots=True)
class Place:
    """A member of a structure, with dots where it is deeper."""

    structure: str
    member: str


def find_places(
    unit: ParsedUnit, sites: Mapping[str, Sequence[Site]], objects: Set[str], structures: Container[str]
) -> Mapping[str, tuple[Place, ...]]:
    """The places of callbacks, by their sites, of which all are known; `objects` are what they are kept in.

    `structures` are those of the driver. Nothing is known if it copies one of the objects as a whole.
    """
    found = {name: tuple(_places(own, structures)) for name, own in sites.items()}
    kept = {name: places for name, places in found.items() if places and len(places) == len(sites[name])}
    return {} if not kept or _may_be_copied(unit, objects) else kept


def _places(sites: Sequence[Site], structures: Container[str]) -> Iterator[Place]:
    return (Place(site.around, site.path) for site in sites if site.path and site.around in structures)


def _may_be_copied(unit: ParsedUnit, objects: Set[str]) -> bool:
    """Whether code may assign one of some structures as a whole."""
    types = Types(unit)
    for item in unit.ast.ext:
        if not isinstance(item, c_ast.FuncDef) or not unit.is_users(item.coord):
            continue
        own = locals_of(item)
        for node in nodes(item.body):
            found = types.assigned(node.lvalue, own) if isinstance(node, c_ast.Assignment) else ""
            if found is None or found in objects or (found and has_own_types(item.body)):
                return True
    return False
