"""Which members of structures the code of a driver takes the values of, to do with them what the text does not show.

A member that is only called, tested, followed or assigned keeps what is in it: no value of its comes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.lvalues import Site, Types, has_own_types, locals_of
from duet.linux.tree import nodes

_LISTS = (c_ast.Compound, c_ast.Label, c_ast.ExprList)
"""What has the value of its last part, if any."""
_STATEMENTS = (c_ast.If, c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, c_ast.Case, c_ast.Default)
_TESTS = frozenset(("&&", "||", "==", "!="))


def taken_members(unit: ParsedUnit, types: Types) -> frozenset[tuple[str, str]]:
    """The structures and members whose values functions of the driver take; no structure where that is not known."""
    found: set[tuple[str, str]] = set()
    for lost in unit.refused:
        if unit.places.is_users(lost.span.file):
            found.update(("", name) for name, _ in lost.mentions)
    for item in unit.ast.ext:
        if isinstance(item, c_ast.FuncDef) and unit.is_users(item.decl.coord):
            own: Mapping[int, c_ast.Decl] | None = None if has_own_types(item.body) else locals_of(item)
            for place in _taken(item.body):
                site = types.site(place, own) if own is not None else None
                found.add((site.structure if site is not None else "", str(place.field.name)))
    return frozenset(found)


def is_taken(site: Site, taken: Set[tuple[str, str]], types: Types) -> bool:
    """Whether a site may be one of the members that are `taken`."""
    *path, last = site.member.split(".")
    inner = types.inner(site.structure, path)
    return any(name == last and (not inner or structure in ("", inner)) for structure, name in taken)


def _taken(body: c_ast.Node) -> Iterator[c_ast.StructRef]:
    """The members that code uses otherwise than to call, test, follow or assign them."""
    stack = [(body, False)]  # with whether its value is used
    while stack:
        node, is_used = stack.pop()
        if isinstance(node, c_ast.StructRef) and is_used:
            yield node
        if isinstance(node, c_ast.Assignment) and is_used:
            yield from (part for part in nodes(node.lvalue) if isinstance(part, c_ast.StructRef))
        parts = [child for _, child in node.children()]
        if isinstance(node, c_ast.FuncCall) and isinstance(node.args, c_ast.ExprList):
            parts = [node.name, *(child for _, child in node.args.children())]
        for child in parts:
            is_value = is_used and child is parts[-1] if isinstance(node, _LISTS) else not _is_dropped(node)
            stack.append((_behind(child) if _is_harmless(node, child) else child, is_value))


def _is_dropped(node: c_ast.Node) -> bool:
    """Whether nobody uses the values of what is in a statement, or is cast to nothing."""
    match node:
        case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.TypeDecl(type=c_ast.IdentifierType(names=["void"])))):
            return True
        case _:
            return isinstance(node, _STATEMENTS)


def _is_harmless(node: c_ast.Node, child: c_ast.Node) -> bool:
    """Whether a part of something is only called, tested, followed or assigned by it."""
    match node:
        case c_ast.FuncCall(name=part) | c_ast.If(cond=part) | c_ast.TernaryOp(cond=part) | c_ast.StructRef(name=part):
            return child is part
        case c_ast.Assignment(op="=", lvalue=part):
            return child is part
        case c_ast.BinaryOp(op=op):
            return op in _TESTS
        case c_ast.UnaryOp(op="!"):
            return True
        case _:
            return False


def _behind(used: c_ast.Node) -> c_ast.Node:
    """What a member that is used harmlessly is found in; other expressions as they are."""
    is_called = isinstance(used, c_ast.UnaryOp) and used.op == "*"
    place = used.expr if is_called else used
    while isinstance(place, c_ast.StructRef):
        used = place = place.name
    return used
