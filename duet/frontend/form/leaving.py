"""Where scopes are left: what the attribute `cleanup` of variables has called there, last declared first.

*Source*: GCC's manual, "Common Variable Attributes": the function gets the address of the variable, however the scope
is left: at its end, by `return` (behind the evaluation of what is returned), `break`, `continue` or `goto`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.ctypes.scope import Definition, Local, Scope
from duet.frontend.ctypes.types import CType, FunctionType, VoidType, decay
from duet.frontend.form.control import Block, Break, Continue, Declare, Evaluate, Goto, Return, Statement
from duet.frontend.form.expressions import Expressions
from duet.frontend.form.former import Surroundings
from duet.frontend.form.tree import Expression, Read, Variable
from duet.frontend.source.nodes import Cleanup, Node

RESULT = "$result"
"""The name of an object that holds a value while what scopes end with is called."""
_SCOPES = (c_ast.Compound, c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.Switch)


@dataclass(frozen=True, slots=True)
class Ending:
    """What is called where a variable goes out of scope (a `Cleanup`), and the scope in which that is to be read."""

    node: Node
    scope: Scope


class Leaving(Expressions):
    """Forms what happens where scopes are left.

    `endings` are those of all open scopes, in order; how many of them there were is in `_opened` for each open block,
    in `_breaks` for what `break` leaves, in `_loops` for what `continue` goes on with, in `_bodies` for each switch.
    `has_endings` says whether there were any.
    """

    def __init__(self, around: Surroundings, scope: Scope, function: Definition | None = None) -> None:
        super().__init__(around, scope, function)
        self.endings: list[Ending] = []
        self.has_endings = False
        self._opened: list[int] = [0]
        self._breaks: list[int] = []
        self._loops: list[int] = []
        self._bodies: list[int] = []
        self._labels: dict[str, tuple[Node, ...]] | None = None

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope inside the current one."""
        with super().block():
            self._opened.append(len(self.endings))
            try:
                yield
            finally:
                del self.endings[self._opened.pop() :]

    @contextmanager
    def breakable(self, is_loop: bool) -> Iterator[None]:
        """The body of a loop or of a switch."""
        inner = self._loops if is_loop else self._bodies
        for counts in (self._breaks, inner):
            counts.append(len(self.endings))
        yield
        for counts in (self._breaks, inner):
            counts.pop()

    def left(self) -> tuple[Statement, ...]:
        """What is called at the end of the innermost block."""
        return self._called(self._opened[-1])

    def _called(self, kept: int) -> tuple[Statement, ...]:
        """What is called where all but the first `kept` of the variables go out of scope."""
        return tuple(self._ended(ending) for ending in reversed(self.endings[kept:]))

    def _ended(self, ending: Ending) -> Statement:
        before, self.scope = self.scope, ending.scope
        try:
            return Evaluate(ending.node.call, self.expression(ending.node.call))
        finally:
            self.scope = before

    def _leaving(self, jump: Statement, kept: int) -> Statement:
        called = self._called(kept)
        return Block(jump.node, (*called, jump)) if called else jump

    def stopped(self, node: Node) -> Statement:
        """`break`. *Raises*: SourceError where there is nothing around that it leaves."""
        if not self._breaks:
            raise self.wrong("'break' is in no loop and in no switch", node)
        return self._leaving(Break(node), self._breaks[-1])

    def continued(self, node: Node) -> Statement:
        """`continue`. *Raises*: SourceError where there is no loop around."""
        if not self._loops:
            raise self.wrong("'continue' is in no loop", node)
        return self._leaving(Continue(node), self._loops[-1])

    def jumped(self, node: Node) -> Statement:
        """`goto`. *Raises*: Unsupported for one into a scope, SourceError where there is no such label."""
        target = self._scopes_of_labels().get(node.name)
        if target is None:
            raise self.wrong(f"there is no label '{node.name}' in this function", node)
        kept = 0
        while kept < min(len(target), len(self.endings)) and target[kept] is self.endings[kept].node:
            kept += 1
        if kept < len(target):
            raise self.unsupported("a jump behind a declaration with the attribute 'cleanup' is not modelled", node)
        return self._leaving(Goto(node, node.name), kept)

    def check_label(self, node: Node) -> None:
        """*Raises*: Unsupported for a label of a switch behind declarations in the body of that."""
        if len(self.endings) != self._bodies[-1]:
            raise self.unsupported("a jump behind a declaration with the attribute 'cleanup' is not modelled", node)

    def check_no_endings(self, node: Node) -> None:
        """*Raises*: Unsupported where what a jump leaves is not known."""
        if self.endings or any(self._scopes_of_labels().values()):
            raise self.unsupported("this jump and the attribute 'cleanup' in one function are not modelled", node)

    def returned(self, node: Node) -> Statement:
        """`return`: what is given back is evaluated first."""
        given = self.expression(node.expr) if node.expr is not None else None
        if given is None or not self.endings:
            return self._leaving(Return(node, given), 0)
        called = self._called(0)
        assert self.function is not None
        kind = self.types.read(self.function.node.decl.type, self.function.scope)
        assert isinstance(kind, FunctionType)
        if isinstance(kind.result, VoidType):
            return Block(node, (Evaluate(node, given), *called, Return(node, None)))
        kept, value = self._kept(node, kind.result, given)
        return Block(node, (kept, *called, Return(node, value)))

    def _kept(self, node: Node, kind: CType, value: Expression) -> tuple[Statement, Expression]:
        """The declaration of an object with a value, and what reads it."""
        local = Local(RESULT, kind, node)
        return Declare(node, local, value), Read(node, decay(kind), Variable(node, kind, local))

    def last(self, node: Node, result: Expression) -> tuple[tuple[Statement, ...], Expression | None]:
        """The end of a statement expression with a result: what comes behind the statements, and the value."""
        called = self.left()
        if not called:
            return (), result
        if isinstance(result.type, VoidType):
            return (Evaluate(node, result), *called), None
        kept, value = self._kept(node, result.type, result)
        return (kept, *called), value

    def _scopes_of_labels(self) -> dict[str, tuple[Node, ...]]:
        """The declarations behind which, in their scopes, the labels of the function stand."""
        if self._labels is None:
            self._labels = {}
            if self.function is not None:
                _scan(self.function.node.body, (), self._labels)
        return self._labels


def _scan(node: Node, live: tuple[Node, ...], labels: dict[str, tuple[Node, ...]]) -> tuple[Node, ...]:
    """Notes the labels in a part of a function; what is declared behind it, given what is in front of it."""
    if isinstance(node, Cleanup):
        return (*live, node)
    if isinstance(node, c_ast.Label):
        labels[node.name] = live
    inside = live
    for _, child in node.children():
        inside = _scan(child, inside, labels)
    return live if isinstance(node, _SCOPES) else inside
