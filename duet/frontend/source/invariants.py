"""Invariants of witnesses put into a parsed program, and the places where a program may have some.

The tree gets a call of INVARIANT before a statement, or a loop gets some that are evaluated before each of its tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast
from pycparser.c_parser import Coord, ParseError

from duet.errors import SourceError
from duet.frontend.source.dialect import GnuParser
from duet.frontend.source.nodes import (
    DoWhileWithInvariants,
    ForWithInvariants,
    InvariantCall,
    Node,
    WhileWithInvariants,
)
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.words import ATOMIC_BEGIN, ATOMIC_END, INVARIANT
from duet.options import Invariant
from duet.source import Span

_LOOPS = (c_ast.While, c_ast.DoWhile, c_ast.For)
_LABELS = (c_ast.Label, c_ast.Case, c_ast.Default)
_KEYWORDS = (*_LOOPS, *_LABELS, c_ast.If, c_ast.Switch, c_ast.Return, c_ast.Goto, c_ast.Break, c_ast.Continue)
_VALUES = (
    *(c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.Cast, c_ast.ArrayRef, c_ast.StructRef),
    *(c_ast.Typename, c_ast.TypeDecl, c_ast.PtrDecl, c_ast.IdentifierType, c_ast.Struct, c_ast.Union, c_ast.Enum),
)
_OPERATORS = ("+", "-", "!", "~", "*", "&", "sizeof")
_BEGINS = re.compile(r"(?:^|[{};:)])\s*(?:else\s*|do\s*)?$")
"""What may stand in front of a statement on its line."""
_OPENING = re.compile(r"[(*&!~+-][\s(*&!~+-]*$")
_SPECIFIERS = re.compile(r"[A-Za-z_][\w\s*(]*$")
"""What statements and declarations may begin with, before the part of them by which the tree has their place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an invariant may hold, as `Invariant` has it, with the variables that are in scope there."""

    function: str
    span: Span
    is_of_loop: bool
    variables: frozenset[str]


def places(unit: ParsedUnit) -> Iterator[Place]:
    """The loops of a file, and the first statements of its functions, as far as they are plainly written there."""
    seen: frozenset[str] = frozenset()
    for item in unit.ast.ext:
        if isinstance(item, c_ast.FuncDef):
            parameters = getattr(item.decl.type.args, "params", None) or ()
            scope = seen.union(*map(declared, parameters))
            first = (item.body.block_items or [None])[0]
            if first is not None and not isinstance(first, _LOOPS) and (span := plain(unit, first)) is not None:
                yield Place(item.decl.name, span, False, scope)
            yield from _loops(unit, item.body, item.decl.name, scope)
        seen |= declared(item)


def declared(item: Node) -> frozenset[str]:
    """The variables that a declaration declares."""
    if isinstance(item, c_ast.DeclList):
        return frozenset().union(*map(declared, item.decls))
    is_variable = isinstance(item, c_ast.Decl) and item.name and not isinstance(item.type, c_ast.FuncDecl)
    return frozenset((item.name,) if is_variable else ())


def _loops(unit: ParsedUnit, node: Node, function: str, scope: frozenset[str]) -> Iterator[Place]:
    if isinstance(node, _LOOPS) and (found := plain(unit, node)) is not None:
        yield Place(function, found, True, scope)
    for _, child in node.children():
        scope |= declared(child)
        yield from _loops(unit, child, function, scope)


def plain(unit: ParsedUnit, node: Node) -> Span | None:
    """The place of a statement that is written out in the file itself; None for one of a macro, or of a header."""
    span = begin(unit, node)
    line = _line(unit, span)
    words = {c_ast.While: "while", c_ast.DoWhile: "do", c_ast.For: "for"}
    word = next((word for kind, word in words.items() if isinstance(node, kind)), "")
    is_there = re.match(rf"{word}\b" if word else r"[A-Za-z_(*&!~+-]", line[span.column - 1 :])
    return span if span.file == unit.path and is_there and _BEGINS.search(line[: span.column - 1]) else None


def _line(unit: ParsedUnit, span: Span) -> str:
    lines = unit.source.get(span.file, ())
    return lines[span.line - 1] if 0 < span.line <= len(lines) else ""


def begin(unit: ParsedUnit, node: Node) -> Span:
    """Where a statement begins: a declaration is known by its name, an expression by its first operand."""
    first = node.decls[0] if isinstance(node, c_ast.DeclList) else node
    span = unit.span(first.coord)
    before = _line(unit, span)[: max(span.column - 1, 0)]
    is_declaration = isinstance(first, c_ast.Decl | c_ast.Typedef)
    more = (_SPECIFIERS if is_declaration else _OPENING).search(before.rpartition(";")[2])
    if more is None or isinstance(first, _KEYWORDS):
        return span
    return replace(span, column=span.column - len(more[0]))


def with_invariants(unit: ParsedUnit, invariants: Iterable[Invariant]) -> ParsedUnit:
    """The unit with those invariants that are about its file. *Raises*: SourceError for one that has no place there."""
    asked = [item for item in invariants if item.file == unit.path]
    if not asked:
        return unit
    found: dict[int, list[tuple[bool, Node]]] = {}
    bodies = [item.body for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    there = [(begin(unit, node), node) for body in bodies for node in statements(body)]
    for item in asked:
        node = _stated(item, there)
        call = InvariantCall(c_ast.ID(INVARIANT), c_ast.ExprList([_expression(unit, item)]))
        call.text = item.expression
        put_at(call, _first(unit, node))
        found.setdefault(id(node), []).append((item.is_of_loop, call))
    inserted = Inserted({key: tuple(calls) for key, calls in found.items()})
    return replace(unit, ast=c_ast.FileAST([inserted.definition(item) for item in unit.ast.ext]))


def statements(node: Node) -> Iterator[Node]:
    """The statements and declarations below a statement, in order."""
    for name, child in node.children():
        if _is_statement(node, name):
            yield child
        yield from statements(child)


def _is_statement(parent: Node, name: str) -> bool:
    """Whether a child of a node stands where a statement does."""
    match parent:
        case c_ast.Compound():
            return True
        case c_ast.If():
            return name in ("iftrue", "iffalse")
        case c_ast.While() | c_ast.DoWhile() | c_ast.For() | c_ast.Switch() | c_ast.Label():
            return name == "stmt"
        case c_ast.Case() | c_ast.Default():
            return name.startswith("stmts")
        case _:
            return False


def _stated(item: Invariant, statements: Sequence[tuple[Span, Node]]) -> Node:
    """The statement that an invariant is about: the outer one where several begin there.

    Not a label of a declaration (C23), since nothing can be put between the two.
    """
    for span, node in sorted(statements, key=lambda one: one[0].column):
        is_here = span.file == item.file and span.line == item.line and item.column in (0, span.column)
        is_named = isinstance(node, c_ast.Label) and isinstance(node.stmt, c_ast.Decl | c_ast.DeclList | c_ast.Typedef)
        if is_here and not is_named and (not item.is_of_loop or isinstance(node, _LOOPS)):
            return node
    what = "loop" if item.is_of_loop else "statement"
    raise SourceError(f"no {what} begins here, of which the witness has an invariant", _span(item))


def _span(item: Invariant) -> Span:
    return Span(item.file, item.line, max(item.column, 1))


def _expression(unit: ParsedUnit, item: Invariant) -> Node:
    """The expression of an invariant. *Raises*: SourceError for one that is no C, or may do something."""
    types = [node.name for node in unit.ast.ext if isinstance(node, c_ast.Typedef)]
    used = [name for name in types if re.search(rf"\b{name}\b", item.expression)]
    before = "".join(f"typedef int {name};" for name in dict.fromkeys(used))
    try:
        tree = GnuParser().tree(f"{before}int f(void) {{ return ({item.expression}\n); }}", item.file).ast
        found = tree.ext[-1].body.block_items
    except (ParseError, SourceError, RecursionError, AttributeError) as error:
        raise SourceError(f"'{item.expression}' of the witness is no C expression: {error}", _span(item)) from None
    is_one = len(tree.ext) == len(set(used)) + 1 and len(found) == 1 and isinstance(found[0], c_ast.Return)
    if not is_one or not _is_pure(found[0].expr):
        raise SourceError(f"'{item.expression}' of the witness is no expression without side effects", _span(item))
    return found[0].expr


def _is_pure(node: Node) -> bool:
    """Whether evaluating an expression changes nothing, and calls nothing."""
    if isinstance(node, c_ast.UnaryOp):
        return node.op in _OPERATORS and _is_pure(node.expr)
    return isinstance(node, _VALUES) and all(_is_pure(child) for _, child in node.children())


def _first(unit: ParsedUnit, node: Node) -> object:
    """The place in the parsed text where a statement begins."""
    first = node.decls[0] if isinstance(node, c_ast.DeclList) else node
    span, here = begin(unit, node), first.coord
    coord = Coord(here.file, here.line, here.column - unit.span(here).column + span.column)
    return coord if coord.column > 0 and unit.span(coord) == span else here


def put_at(node: Node, coord: object) -> None:
    """Gives what is made up, and all below it, a place."""
    node.coord = coord
    for _, child in node.children():
        put_at(child, coord)


class Inserted:
    """A tree with calls at its statements; what has none below it stays the same object.

    `calls` by the identity of a statement, with whether each is of a loop; `assigned` in the step of the statement.
    """

    def __init__(
        self, calls: Mapping[int, tuple[tuple[bool, Node], ...]], assigned: Mapping[int, tuple[Node, ...]] | None = None
    ) -> None:
        self._calls = calls
        self._assigned = assigned or {}

    def definition(self, node: Node) -> Node:
        """A declaration or definition at file scope."""
        if isinstance(node, c_ast.FuncDef):
            node.body = self._below(node.body)
        return node

    def _below(self, node: Node) -> Node:
        """A node with calls below it."""
        for slot in (name for name in node.__slots__ if name not in ("coord", "__weakref__")):
            part = getattr(node, slot)
            if isinstance(part, c_ast.Node):
                is_statement = _is_statement(node, slot)
                setattr(node, slot, self._single(part) if is_statement else self._below(part))
            elif isinstance(part, list) and part and isinstance(part[0], c_ast.Node):
                setattr(node, slot, [new for item in part for new in self._several(node, slot, item)])
        return node

    def _several(self, parent: Node, slot: str, node: Node) -> list[Node]:
        if not _is_statement(parent, slot):
            return [self._below(node)]
        before, new = self._new(node)
        return [*before, new]

    def _single(self, node: Node) -> Node:
        before, new = self._new(node)
        return c_ast.Compound([*before, new], new.coord) if before else new

    def _new(self, node: Node) -> tuple[list[Node], Node]:
        """What stands before a statement, and the statement."""
        calls = self._calls.get(id(node), ())
        new = _in_one_step(self._assigned[id(node)], node) if id(node) in self._assigned else self._below(node)
        before = [call for is_of_loop, call in calls if not is_of_loop]
        of_loop = tuple(call for is_of_loop, call in calls if is_of_loop)
        if of_loop:
            new = _with_calls(new, of_loop)
        if before and isinstance(new, c_ast.Label):
            new.stmt = c_ast.Compound([*before, new.stmt], new.coord)
        elif before and isinstance(new, _LABELS):
            new.stmts = [*before, *(new.stmts or [])]
        else:
            return before, new
        return [], new


def _in_one_step(assigned: tuple[Node, ...], node: Node) -> Node:
    """A statement and assignments as one atomic section."""
    begun, ended = (c_ast.FuncCall(c_ast.ID(name), None) for name in (ATOMIC_BEGIN, ATOMIC_END))
    put_at(begun, node.coord)
    put_at(ended, node.coord)
    return c_ast.Compound([begun, *assigned, node, ended], node.coord)


def _with_calls(node: Node, calls: tuple[Node, ...]) -> Node:
    """A loop with calls that come before each test."""
    new: Node
    match node:
        case c_ast.While():
            new = WhileWithInvariants(node.cond, node.stmt, node.coord)
        case c_ast.DoWhile():
            new = DoWhileWithInvariants(node.cond, node.stmt, node.coord)
        case _:
            new = ForWithInvariants(node.init, node.cond, node.next, node.stmt, node.coord)
    new.invariants = calls
    return new
