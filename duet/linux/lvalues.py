"""The structures that lvalues in a driver are members of, as far as the declarations of a unit show."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.tree import declarations, members, nodes, structures

GIVING_BACK = frozenset(("__duet_polled",))
"""Functions of the overlay that return their first argument."""
ELEMENT = "[]"
"""The structure and the member of an array of pointers."""


@dataclass(frozen=True, slots=True)
class Site:
    """A member of a structure that names something: `member` has dots where it is inside of other members.

    `variable` is the variable at file scope whose initialiser names it; empty where an assignment does. Then `around`
    is the structure that the structure is a part of, as far as the assignment shows, and `path` the members that lead
    to it from there; empty where there is an index among them. `through` are the structures on the way, the innermost
    first.
    """

    structure: str
    member: str
    variable: str = ""
    around: str = ""
    path: str = ""
    through: tuple[str, ...] = ()


def has_own_types(body: c_ast.Node) -> bool:
    """Whether a function declares types, which may have the names of others."""
    kinds = (c_ast.Struct, c_ast.Union)
    return any(isinstance(node, c_ast.Typedef) or (isinstance(node, kinds) and node.decls) for node in nodes(body))


def locals_of(function: c_ast.FuncDef) -> Mapping[int, c_ast.Decl]:
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


def _given_back(value: c_ast.Node) -> c_ast.Node:
    """The argument that a macro of the overlay gives back as it was, other expressions as they are."""
    is_call = isinstance(value, c_ast.FuncCall) and isinstance(value.name, c_ast.ID) and value.name.name in GIVING_BACK
    return value.args.exprs[0] if is_call else value


class Types:
    """The structures of a unit, as far as its declarations show them."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.structures = structures(unit.ast)
        self.names = {str(node.name): node.type for node in unit.ast.ext if isinstance(node, c_ast.Typedef)}
        self.objects = {str(node.name): node.type for node in declarations(unit.ast)}

    def site(self, place: c_ast.StructRef, own: Mapping[int, c_ast.Decl]) -> Site | None:
        """The member that an lvalue is, by the structure that is named last on the way; None if that is not known.

        `own` are the declarations of the names in its function.
        """
        found = self._structure(self._type(_given_back(place.name), own))
        through, path = self._outermost(place, own)
        way = ".".join(path[:-1]) if ELEMENT not in path else ""
        return Site(found, str(place.field.name), "", through[-1], way, through) if found else None

    def inner(self, structure: str, path: Sequence[str]) -> str:
        """The structure that members lead to, one inside of the other; empty where that is not known."""
        for step in path:
            fields = [item for item in members(self.structures.get(structure)) if item.name == step]
            structure = self._structure(fields[0].type) if len(fields) == 1 else ""
        return structure

    def _outermost(self, place: c_ast.Node, own: Mapping[int, c_ast.Decl]) -> tuple[tuple[str, ...], list[str]]:
        """The structures that an lvalue is a part of, up to the pointer or variable that it begins with; the way there.

        The innermost structure comes first. The way is the members from the outermost one on, an index is `ELEMENT`.
        """
        found, path = list[str](), list[str]()
        while True:
            match place:
                case c_ast.ArrayRef() if isinstance(self._type(place.name, own), c_ast.ArrayDecl):
                    path.append(ELEMENT)
                    place = place.name
                case c_ast.StructRef():
                    start = _given_back(place.name)
                    found.append(self._structure(self._type(start, own)))
                    path.append(str(place.field.name))
                    is_part = isinstance(start, c_ast.UnaryOp) and start.op == "&"
                    if place.type == "->" and not is_part:
                        break
                    place = start.expr if place.type == "->" else start
                case _:
                    break
        return tuple(found), path[::-1]

    def assigned(self, place: c_ast.Node, own: Mapping[int, c_ast.Decl]) -> str | None:
        """The structure that an lvalue may be as a whole; empty for others, None where that is not known."""
        kind = self._type(place, own)
        if kind is None:
            return None
        is_pointer = isinstance(kind, c_ast.PtrDecl) and not isinstance(place, c_ast.UnaryOp | c_ast.ArrayRef)
        return "" if is_pointer else self._structure(kind)

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
            case c_ast.ArrayRef():
                return self._type(value.name, own)
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
