"""Where a driver mentions its functions: which members of which structures name them, for what the kernel finds there.

A function that is mentioned in any other way, but for calls by its name, may be called by whoever has it.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.tree import arguments, declarations, members, nodes, structure_of, structures

ELEMENT = "[]"
"""The structure and the member of an array of pointers."""


@dataclass(frozen=True, slots=True)
class Site:
    """A member of a structure that names something: `member` has dots where it is inside of other members.

    `variable` is the variable at file scope whose initialiser names it; empty where an assignment does.
    """

    structure: str
    member: str
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The sites of each function and of each variable at file scope, and those that are mentioned elsewhere, too.

    `handed` are the functions that one is an argument of, as it is, `copied` are structures that code assigns as a
    whole; those that are `lost` are mentioned in other ways. `assigned` are the names of all members that code assigns,
    or takes the address of, `called` those of all functions that it calls or mentions.
    """

    sites: Mapping[str, tuple[Site, ...]]
    assigned: frozenset[str]
    called: frozenset[str]
    handed: Mapping[str, tuple[str, ...]]
    copied: frozenset[str]
    lost: frozenset[str]

    @property
    def loose(self) -> frozenset[str]:
        """What is mentioned elsewhere than at sites."""
        return self.lost.union(self.handed, self.copied)

    def known(self, name: str) -> tuple[Site, ...]:
        """All sites of what is mentioned nowhere else; none otherwise."""
        return () if name in self.loose else self.sites.get(name, ())


def find_mentions(unit: ParsedUnit, wanted: Set[str]) -> Mentions:
    """Where a unit mentions the names that are `wanted`."""
    types = _Types(unit)
    sites: dict[str, list[Site]] = defaultdict(list)
    handed: dict[str, list[str]] = defaultdict(list)
    copied: set[str] = set()
    elsewhere = {name for lost in unit.refused for name, _ in lost.mentions}
    assigned: set[str] = set()
    called = {name for lost in unit.refused for name, _ in lost.mentions}
    for item in unit.ast.ext:
        if isinstance(item, c_ast.FuncDef):
            found: list[tuple[str, Site | str | None]] = list(_in_body(item, types))
            assigned.update(str(node.field.name) for node in _changed_members(item.body))
            called.update(_all_names(item))
        elif isinstance(item, c_ast.Decl) and item.init is not None:
            structure = structure_of(item) or (ELEMENT if isinstance(item.type, c_ast.ArrayDecl) else "")
            found = list(_in_initialiser(item.init, structure, "", str(item.name)))
        else:
            found = [(node.name, None) for node in nodes(item) if isinstance(node, c_ast.ID)]
        for name, site in found:
            if name not in wanted:
                continue
            match site:
                case None:
                    elsewhere.add(name)
                case Site():
                    sites[name].append(site)
                case "":
                    copied.add(name)
                case _:
                    handed[name].append(site)
    known = {name: tuple(dict.fromkeys(own)) for name, own in sites.items()}
    given = {name: tuple(dict.fromkeys(own)) for name, own in handed.items()}
    return Mentions(known, frozenset(assigned), frozenset(called), given, frozenset(copied), frozenset(elsewhere))


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


def _in_initialiser(value: c_ast.Node, structure: str, member: str, variable: str) -> Iterator[tuple[str, Site | None]]:
    """What an initialiser mentions, of a variable of a structure or of an array of such, or of a member of one."""
    if isinstance(value, c_ast.InitList):
        for item in value.exprs or ():
            if isinstance(item, c_ast.NamedInitializer) and all(isinstance(step, c_ast.ID) for step in item.name):
                steps = ".".join(str(step.name) for step in item.name)
                yield from _in_initialiser(item.expr, structure, f"{member}.{steps}".lstrip("."), variable)
            elif isinstance(item, c_ast.InitList) and not member:
                yield from _in_initialiser(item, structure, "", variable)
            elif structure == ELEMENT and not isinstance(item, c_ast.NamedInitializer):
                yield from _with_site(_whole(item), Site(ELEMENT, ELEMENT, variable))
            else:
                yield from ((name, None) for name in _all_names(item))
        return
    site = Site(structure, member, variable) if structure and member else None
    yield from _with_site(value, site)


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


def _in_body(function: c_ast.FuncDef, types: _Types) -> Iterator[tuple[str, Site | str | None]]:
    """What the body of a function mentions, but for the functions that it calls by name.

    With its site, with the name of the function that it is an argument of, with "" for a structure that is copied, or
    without.
    """
    called: set[int] = set()
    own, are_types_known = _locals(function), not _has_own_types(function.body)
    for node in nodes(function):
        if isinstance(node, c_ast.StructRef):
            called.add(id(node.field))
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            called.add(id(node.name))
            for given in (found for argument in arguments(node) for found in _plain(argument)):
                called.add(id(given))
                yield str(given.name), None if id(node.name) in own else str(node.name.name)
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


def _has_own_types(body: c_ast.Node) -> bool:
    """Whether a function declares types, which may have the names of others."""
    kinds = (c_ast.Struct, c_ast.Union)
    return any(isinstance(node, c_ast.Typedef) or (isinstance(node, kinds) and node.decls) for node in nodes(body))


def _locals(function: c_ast.FuncDef) -> Mapping[int, c_ast.Decl]:
    """The declarations, parameters included, that names in a function mean by C's scopes, by the ids of the names."""
    found: dict[int, c_ast.Decl] = {}
    outer: ChainMap[str, c_ast.Decl] = ChainMap()
    for parameter in (*(getattr(function.decl.type.args, "params", None) or ()), *(function.param_decls or ())):
        if isinstance(parameter, c_ast.Decl) and parameter.name:
            outer[str(parameter.name)] = parameter
    stack: list[tuple[c_ast.Node, ChainMap[str, c_ast.Decl]]] = [(function.body, outer)]
    while stack:
        node, scope = stack.pop()
        match node:
            case c_ast.ID() if node.name in scope:
                found[id(node)] = scope[node.name]
            case c_ast.Decl() if node.name:
                scope[str(node.name)] = node
            case c_ast.Compound() | c_ast.For():
                scope = scope.new_child()
            case _:
                pass
        if not isinstance(node, c_ast.FuncDecl):
            stack.extend((child, scope) for _, child in reversed(node.children()))
    return found


def _changed_members(body: c_ast.Node) -> Iterator[c_ast.StructRef]:
    """The members that code assigns, or takes the address of."""
    for node in nodes(body):
        place = node.lvalue if isinstance(node, c_ast.Assignment) else None
        if isinstance(node, c_ast.UnaryOp) and node.op in ("&", "++", "--", "p++", "p--"):
            place = node.expr
        if isinstance(place, c_ast.StructRef):
            yield place


class _Types:
    """The structures of a unit, as far as its declarations show them."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.structures = structures(unit.ast)
        self.names = {str(node.name): node.type for node in unit.ast.ext if isinstance(node, c_ast.Typedef)}
        self.objects = {str(node.name): node.type for node in declarations(unit.ast)}

    def site(self, place: c_ast.StructRef, own: Mapping[int, c_ast.Decl]) -> Site | None:
        """The member that an lvalue is, by the structure that is named last on the way; None if that is not known.

        `own` are the declarations of the names in its function.
        """
        kind = self._type(place.name, own)
        found = self._structure(kind)
        return Site(found, str(place.field.name)) if found else None

    def is_structure(self, value: c_ast.Node, own: Mapping[int, c_ast.Decl]) -> bool:
        """Whether an expression is a variable at file scope that is a structure itself."""
        kind = self.objects.get(value.name) if isinstance(value, c_ast.ID) and id(value) not in own else None
        return isinstance(kind, c_ast.TypeDecl) and bool(self._structure(kind))

    def _type(self, value: c_ast.Node, own: Mapping[int, c_ast.Decl]) -> c_ast.Node | None:
        """The type of an expression, where it is a name or a member."""
        match value:
            case c_ast.ID():
                return own[id(value)].type if id(value) in own else self.objects.get(value.name)
            case c_ast.UnaryOp(op="&" | "*"):
                return self._type(value.expr, own)
            case c_ast.StructRef():
                outer = self._structure(self._type(value.name, own))
                fields = [item for item in members(self.structures.get(outer)) if item.name == value.field.name]
                return fields[0].type if len(fields) == 1 else None
            case _:
                return None

    def _structure(self, kind: c_ast.Node | None) -> str:
        """The tag of the structure that something is, or leads to; empty for others."""
        while kind is not None:
            match kind:
                case c_ast.PtrDecl() | c_ast.TypeDecl() | c_ast.ArrayDecl():
                    kind = kind.type
                case c_ast.IdentifierType(names=[name]):
                    kind = self.names.get(name)
                case c_ast.Struct():
                    return str(kind.name or "")
                case _:
                    return ""
        return ""
