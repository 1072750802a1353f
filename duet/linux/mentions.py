"""Where a driver mentions its functions: which members of which structures name them, for what the kernel finds there.

A function that is mentioned in any other way, but for calls by its name, may be called by whoever has it; so may one
that is in a member whose value is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TypeVar

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.buses import MARKER
from duet.linux.lvalues import ELEMENT, Site, Types, has_own_types, locals_of
from duet.linux.tree import arguments, dimensions_of, nodes, structure_of
from duet.linux.uses import is_taken, taken_members

Kind = TypeVar("Kind")
LOCAL = "(local)"
"""Stands for all local variables, of which no name is a site's."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The sites of each function and of each variable at file scope, and those that are mentioned elsewhere, too.

    `handed` are the functions that one is an argument of, as it is, `copied` are structures that code assigns as a
    whole; those that are `lost` are mentioned in other ways, or are in members whose values code takes. `assigned` are
    the names of all members that code assigns, or takes the address of, `called` those of all functions that it calls
    or mentions. Those that are `marked` are lost only as macros of the kernel mention them, for exports and the like.
    """

    sites: Mapping[str, tuple[Site, ...]]
    assigned: frozenset[str]
    called: frozenset[str]
    handed: Mapping[str, tuple[str, ...]]
    copied: frozenset[str]
    lost: frozenset[str]
    marked: frozenset[str]

    def of(self, names: Set[str]) -> Mentions:
        """Those of some names only."""

        def kept(found: Mapping[str, tuple[Kind, ...]]) -> Mapping[str, tuple[Kind, ...]]:
            return {name: every for name, every in found.items() if name in names}

        own = (found & names for found in (self.copied, self.lost, self.marked))
        return Mentions(kept(self.sites), self.assigned, self.called, kept(self.handed), *own)

    @property
    def loose(self) -> frozenset[str]:
        """What is mentioned elsewhere than at sites."""
        return self.lost.union(self.handed, self.copied)

    def known(self, name: str) -> tuple[Site, ...]:
        """All sites of what is mentioned nowhere else; none otherwise."""
        return () if name in self.loose else self.sites.get(name, ())


def find_mentions(unit: ParsedUnit, wanted: Set[str]) -> Mentions:
    """Where a unit mentions the names that are `wanted`."""
    types = Types(unit)
    sites: dict[str, list[Site]] = defaultdict(list)
    handed: dict[str, list[str]] = defaultdict(list)
    copied: set[str] = set()
    elsewhere = {name for lost in unit.refused for name, _ in lost.mentions}
    assigned, marked = set[str](), set[str]()
    called = {name for lost in unit.refused for name, _ in lost.mentions}
    for item in unit.ast.ext:
        if isinstance(item, c_ast.FuncDef):
            found: list[tuple[str, Site | str | None]] = list(_in_body(item, types))
            assigned.update(str(node.field.name) for node in _changed_members(item.body))
            called.update(_all_names(item))
        elif isinstance(item, c_ast.Decl) and item.init is not None:
            structure = structure_of(item) or (ELEMENT if isinstance(item.type, c_ast.ArrayDecl) else "")
            found = list(_in_initialiser(item.init, structure, "", str(item.name), dimensions_of(item)))
        else:
            found = [(node.name, None) for node in nodes(item) if isinstance(node, c_ast.ID)]
        for name, site in found:
            if name not in wanted:
                continue
            match site:
                case None if _is_marker(item):
                    marked.add(name)
                case None:
                    elsewhere.add(name)
                case Site():
                    sites[name].append(site)
                case "":
                    copied.add(name)
                case _:
                    handed[name].append(site)
    known = {name: tuple(dict.fromkeys(own)) for name, own in sites.items()}
    taken = taken_members(unit, types)
    elsewhere.update(name for name, own in known.items() if any(is_taken(site, taken, types) for site in own))
    given = {name: tuple(dict.fromkeys(own)) for name, own in handed.items()}
    lost = frozenset(elsewhere | marked)
    return Mentions(
        known, frozenset(assigned), frozenset(called), given, frozenset(copied), lost, frozenset(marked - elsewhere)
    )


def _is_marker(item: c_ast.Node) -> bool:
    """Whether an item at file scope is one that a macro of the overlay makes."""
    return isinstance(item, c_ast.Decl) and str(item.name or "").startswith(MARKER)


def plain_names(value: c_ast.Node) -> Iterator[str]:
    """The names that a value may be, of `f`, `&f`, `(T)f` and `c ? f : 0`."""
    return (str(node.name) for node in _plain(value))


def _plain(value: c_ast.Node) -> Iterator[c_ast.ID]:
    match value:
        case c_ast.ID():
            yield value
        case c_ast.UnaryOp(op="&") | c_ast.Cast():
            yield from _plain(value.expr)
        case c_ast.TernaryOp():
            yield from _plain(value.iftrue)
            yield from _plain(value.iffalse)
        case _:
            pass


def _in_initialiser(
    value: c_ast.Node, structure: str, member: str, variable: str, dimensions: int = 0
) -> Iterator[tuple[str, Site | None]]:
    """What an initialiser mentions, of a variable of a structure, or of an array of so many dimensions, or a member."""
    if isinstance(value, c_ast.InitList):
        for item in value.exprs or ():
            if dimensions:
                yield from _in_element(item, structure, variable, dimensions)
            elif isinstance(item, c_ast.NamedInitializer) and all(isinstance(step, c_ast.ID) for step in item.name):
                steps = ".".join(str(step.name) for step in item.name)
                yield from _in_initialiser(item.expr, structure, f"{member}.{steps}".lstrip("."), variable)
            else:
                yield from ((name, None) for name in _all_names(item))
        return
    site = Site(structure, member, variable) if structure and member else None
    yield from _with_site(value, site)


def _in_element(item: c_ast.Node, structure: str, variable: str, dimensions: int) -> Iterator[tuple[str, Site | None]]:
    """What the initialiser of an element of an array mentions, behind the designator of its index if it has one."""
    steps: list[c_ast.Node] = []
    if isinstance(item, c_ast.NamedInitializer):
        steps, item = item.name[1:], item.expr
    if steps and dimensions == 1:
        item = c_ast.InitList([c_ast.NamedInitializer(steps, item)])
    if structure == ELEMENT and dimensions == 1 and not isinstance(item, c_ast.InitList):
        yield from _with_site(_whole(item), Site(ELEMENT, ELEMENT, variable))
    elif structure != ELEMENT and isinstance(item, c_ast.InitList) and (dimensions == 1 or not steps):
        yield from _in_initialiser(item, structure, "", variable, dimensions - 1)
    else:
        yield from ((name, None) for name in _all_names(item))


def _with_site(value: c_ast.Node, site: Site | None) -> Iterator[tuple[str, Site | None]]:
    """What an expression mentions, calls by name included: what it may be with a site, the rest without."""
    plain = list(plain_names(value))
    yield from ((name, site) for name in plain)
    rest = list(_all_names(value))
    for name in plain:
        rest.remove(name)
    yield from ((name, None) for name in rest)


def _whole(value: c_ast.Node) -> c_ast.Node:
    """The variable of which the address of a part is taken; other values as they are."""
    part = value.expr if isinstance(value, c_ast.UnaryOp) and value.op == "&" else None
    while isinstance(part, c_ast.StructRef) and part.type == ".":
        part = part.name
    return part if isinstance(part, c_ast.ID) else value


def _all_names(root: c_ast.Node) -> Iterator[str]:
    return (str(node.name) for node in nodes(root) if isinstance(node, c_ast.ID))


def _in_body(function: c_ast.FuncDef, types: Types) -> Iterator[tuple[str, Site | str | None]]:
    """What the body of a function mentions, but for the functions that it calls by name.

    With its site, with the name of the function that it is an argument of, with "" for a structure that is copied, or
    without.
    """
    called: set[int] = set()
    own, are_types_known = locals_of(function), not has_own_types(function.body)
    for node in nodes(function):
        if isinstance(node, c_ast.StructRef):
            called.add(id(node.field))
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            called.add(id(node.name))
            for given in (found for argument in arguments(node) for found in _plain(argument)):
                called.add(id(given))
                yield str(given.name), None if id(node.name) in own else str(node.name.name)
        elif isinstance(node, c_ast.Decl) and isinstance(node.init, c_ast.InitList):
            found = list(_in_local(node, structure_of(node)) if are_types_known else ())
            called.update(id(name) for name, _ in found)
            yield from ((str(name.name), site) for name, site in found)
        elif isinstance(node, c_ast.Assignment) and types.is_structure(node.rvalue, own):
            called.add(id(node.rvalue))
            yield str(node.rvalue.name), ""
        elif isinstance(node, c_ast.Assignment) and node.op == "=" and isinstance(node.lvalue, c_ast.StructRef):
            site = types.site(node.lvalue, own) if are_types_known else None
            if site is not None:
                called.update(id(found) for found in nodes(node.rvalue) if isinstance(found, c_ast.ID))
                yield from _with_site(node.rvalue, site)
        elif isinstance(node, c_ast.ID) and id(node) not in called:
            yield str(node.name), None


def _in_local(local: c_ast.Decl, structure: str) -> Iterator[tuple[c_ast.ID, Site]]:
    """The names that may be the values of members in the initialiser of a local structure, with their sites.

    All other names are left out. Where the structure itself comes to is not looked at, so no core alone finds it.
    """
    for part in (local.init.exprs or ()) if structure else ():
        if isinstance(part, c_ast.NamedInitializer) and all(isinstance(step, c_ast.ID) for step in part.name):
            member = ".".join(str(step.name) for step in part.name)
            yield from ((name, Site(structure, member, LOCAL)) for name in _plain(part.expr))


def _changed_members(body: c_ast.Node) -> Iterator[c_ast.StructRef]:
    """The members that code assigns, or takes the address of."""
    for node in nodes(body):
        place = node.lvalue if isinstance(node, c_ast.Assignment) else None
        if isinstance(node, c_ast.UnaryOp) and node.op in ("&", "++", "--", "p++", "p--"):
            place = node.expr
        if isinstance(place, c_ast.StructRef):
            yield place
