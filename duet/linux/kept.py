"""Which functions of a driver only the driver calls: it keeps them in structures of its own types.

The kernel may have the address of such a structure, as private data or in a table of devices, but does not know what
is in it. A function is kept if all mentions of it are in members of structures that the driver's C file defines, not
in members of these, which may be of the kernel's types, and such members are only called, tested and written: then no
value of theirs comes to where the kernel would look.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.mentions import Mentions
from duet.linux.tree import nodes, structures

_STATEMENTS = (
    *(c_ast.Compound, c_ast.If, c_ast.For, c_ast.While, c_ast.DoWhile),
    *(c_ast.Switch, c_ast.Case, c_ast.Default, c_ast.Label),
)
_TESTS = frozenset(("&&", "||", "==", "!="))


def find_kept(unit: ParsedUnit, mentions: Mentions) -> Iterator[str]:
    """The functions that are kept, as far as functions that can be parsed show."""
    if any(lost.span.file in unit.source for lost in unit.refused):
        return
    own = {tag for tag, found in structures(unit.ast).items() if unit.span(found.coord).file == unit.path}
    read: set[str] | None = None
    for name in mentions.sites:
        sites = mentions.known(name)
        if not sites or not all(site.structure in own for site in sites):
            continue
        if read is None:
            read = set(_read_members(unit))
        if all(site.member not in read and "." not in site.member for site in sites):
            yield name


def _read_members(unit: ParsedUnit) -> Iterator[str]:
    """The members that functions of the driver use otherwise than to call, test or assign them."""
    stack: list[c_ast.Node] = [
        item.body
        for item in unit.ast.ext
        if isinstance(item, c_ast.FuncDef) and unit.span(item.decl.coord).file in unit.source
    ]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.StructRef):
            yield str(node.field.name)
        for _, child in node.children():
            if isinstance(child, c_ast.Assignment) and not isinstance(node, _STATEMENTS):  # its value may be used
                yield from (str(part.field.name) for part in nodes(child.lvalue) if isinstance(part, c_ast.StructRef))
        stack.extend(_deeper(child) if _is_harmless(node, child) else child for _, child in node.children())


def _is_harmless(node: c_ast.Node, child: c_ast.Node) -> bool:
    """Whether a part of something is only called, tested or assigned by it."""
    match node:
        case c_ast.FuncCall(name=part) | c_ast.If(cond=part) | c_ast.TernaryOp(cond=part):
            return child is part
        case c_ast.Assignment(op="=", lvalue=part):
            return child is part
        case c_ast.BinaryOp(op=op):
            return op in _TESTS
        case c_ast.UnaryOp(op="!"):
            return True
        case _:
            return False


def _deeper(used: c_ast.Node) -> c_ast.Node:
    """What a member that is used harmlessly is in; other expressions as they are."""
    is_called = isinstance(used, c_ast.UnaryOp) and used.op == "*"
    place = used.expr if is_called else used
    return place.name if isinstance(place, c_ast.StructRef) else used
