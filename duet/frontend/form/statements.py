"""Statements and declarations."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.ctypes.scope import Function, Local, Scope
from duet.frontend.ctypes.types import VOID, CType, FunctionType, promote
from duet.frontend.ctypes.values import Object
from duet.frontend.form.control import (
    Block,
    Case,
    ComputedGoto,
    Declare,
    Evaluate,
    If,
    Label,
    Loop,
    Measure,
    Statement,
    Switch,
)
from duet.frontend.form.kinds import wrapped
from duet.frontend.form.leaving import Ending, Leaving
from duet.frontend.form.tree import Expression, StatementExpression
from duet.frontend.source import nodes
from duet.frontend.source.nodes import RANGE, Node

_STATEMENTS = (
    *(c_ast.Compound, c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.Switch, c_ast.Return, c_ast.Goto),
    *(c_ast.Break, c_ast.Continue, c_ast.Label, c_ast.Case, c_ast.Default, c_ast.Decl, c_ast.DeclList, c_ast.Typedef),
    *(c_ast.EmptyStatement, c_ast.Pragma, c_ast.StaticAssert, c_ast.FuncDef, nodes.ComputedGoto),
)


class Statements(Leaving):
    """Forms statements."""

    def statement(self, node: Node | None) -> Statement:
        """A statement or declaration; of what does nothing an empty block."""
        match node:
            case None | c_ast.EmptyStatement() | c_ast.Pragma():
                return Block(node, ())
            case c_ast.Compound() | c_ast.ExprList(exprs=[c_ast.Compound()]):
                node = node if isinstance(node, c_ast.Compound) else node.exprs[0]  # its value is not used
                with self.block():
                    return Block(node, (*self._items(node.block_items), *self.left()))
            case c_ast.If() | c_ast.While() | c_ast.DoWhile() | c_ast.For() | c_ast.Switch():
                with self.block():
                    statement = self._branching(node)
                    return Block(node, (statement, *left)) if (left := self.left()) else statement
            case c_ast.Case() | c_ast.Default():
                return self._case(node)
            case c_ast.Return():
                return self.returned(node)
            case c_ast.Goto():
                return self.jumped(node)
            case nodes.ComputedGoto():
                self.check_no_endings(node)
                return ComputedGoto(node, self.expression(node.target))
            case c_ast.Break():
                return self.stopped(node)
            case c_ast.Continue():
                return self.continued(node)
            case nodes.Cleanup():
                self.endings.append(Ending(node, self.scope))
                self.has_endings = True
                return Block(node, ())
            case c_ast.Label(name=name):
                return Label(node, name, self.statement(node.stmt))
            case c_ast.Decl():
                return self._declaration(node)
            case c_ast.DeclList():
                return Block(node, self._items(node.decls))
            case c_ast.Typedef():
                lengths = self.lengths(node.type)
                self.types.typedef(node.name, node, self.scope)
                return Measure(node, lengths)
            case c_ast.StaticAssert():
                self.types.assertion(node, self.scope)
                return Block(node, ())
            case c_ast.FuncDef():
                raise self.unsupported("nested functions are not modelled", node.decl)
            case _:
                return Evaluate(node, self.expression(node))

    def _items(self, items: list[Node] | None) -> tuple[Statement, ...]:
        return tuple(self.statement(item) for item in items or [])

    def _branching(self, node: Node) -> Statement:
        match node:
            case c_ast.If():
                condition = self.expression(node.cond)
                yes = self._inner(node.iftrue)
                return If(node, condition, yes, self._inner(node.iffalse) if node.iffalse is not None else None)
            case c_ast.Switch():
                return self._switch(node)
            case c_ast.For():
                first = self.statement(node.init) if node.init is not None else None
                test = self.expression(node.cond) if node.cond is not None else None
                step = self.expression(node.next) if node.next is not None else None
                return Loop(node, first, test, self._body(node.stmt), step, False, self._invariants(node))
            case _:
                test, is_late = self.expression(node.cond), isinstance(node, c_ast.DoWhile)
                return Loop(node, None, test, self._body(node.stmt), None, is_late, self._invariants(node))

    def _invariants(self, node: Node) -> tuple[Expression, ...]:
        return tuple(self.expression(item) for item in getattr(node, "invariants", ()))

    def _inner(self, node: Node | None) -> Statement:
        """A statement in a scope of its own."""
        with self.block():
            return self.statement(node)

    def _body(self, node: Node | None, is_loop: bool = True) -> Statement:
        """The body of a loop or of a switch."""
        with self.breakable(is_loop):
            return self._inner(node)

    def _switch(self, node: Node) -> Statement:
        condition = self.expression(node.cond)
        kind = promote(self.type_before_decay(condition, node))
        found: list[Case | None] = []
        self.switches.append((kind, found))
        body = self._body(node.stmt, is_loop=False)
        self.switches.pop()
        return Switch(node, condition, tuple(case for case in found if case is not None), body)

    def _case(self, node: Node) -> Statement:
        if not self.switches:
            raise self.wrong("a label of a switch that is in none", node)
        self.check_label(node)
        kind, found = self.switches[-1]
        low, high = self._case_range(kind, node) if isinstance(node, c_ast.Case) else (None, None)
        place = len(found)
        found.append(None)
        case = found[place] = Case(node, low, high, self._items(node.stmts))
        return case

    def _case_range(self, kind: CType, node: Node) -> tuple[int, int]:
        """The values of a label, in the type of the switch."""
        bounds = [node.expr, node.expr]
        if isinstance(node.expr, c_ast.FuncCall) and getattr(node.expr.name, "name", "") == RANGE:
            bounds = node.expr.args.exprs
        found = [self.constant(bound) for bound in bounds]
        low, high = (None if value is None else wrapped(value, kind, self.types.data) for value in found)
        if low is None or high is None:
            raise self.unsupported("the label of this case is no constant", node)
        return low, high

    def _declaration(self, node: Node) -> Statement:
        """A declaration inside of a function."""
        storage = node.storage or []
        lengths = self.lengths(node)
        kind = self.kind(node)
        if node.name is None:
            return Measure(node, lengths)
        if isinstance(kind, FunctionType):
            self.declared.setdefault(node.name, kind)
            self.around.library.declare(node.name, kind, is_header=not self.types.is_own(node))
            self.scope.names[node.name] = self.scope.find_function(node.name) or Function(node.name, kind)
            return Measure(node, lengths)
        if "extern" in storage:
            self.scope.names[node.name] = self._declared_elsewhere(kind, node)
            return Measure(node, lengths)
        kind = self.completed(kind, node.init)
        is_static = "static" in storage
        duration = "automatic" if not is_static else "thread" if "_Thread_local" in storage else "static"
        local = Local(node.name, kind, node, duration)
        self.scope.names[node.name] = local
        value = self.initialiser(kind, node.init, is_static) if node.init is not None else None
        return Declare(node, local, value, lengths)

    def _declared_elsewhere(self, kind: CType, node: Node) -> Object:
        """The object that an `extern` declaration means."""
        scope: Scope = self.scope
        while scope.parent is not None and scope.file is None:
            scope = scope.parent
        found = scope.find(node.name)
        if not isinstance(found, Object):
            found = Object(node.name, kind, "global", None, node.name, self.around.span(node))
            scope.names[node.name] = found
        return found

    def statement_expression(self, node: Node) -> Expression:
        """`({ ... })`: the value of the last statement where that is an expression, else none."""
        items = [item for item in node.block_items or [] if not isinstance(item, c_ast.Pragma)]
        with self.block():
            found = list(self._items(items[:-1]))
            last = items[-1] if items else None
            while isinstance(last, c_ast.Label):
                found.append(Label(last, last.name, Block(None, ())))
                last = last.stmt
            if last is None or isinstance(last, _STATEMENTS):
                found.append(self.statement(last))
                return StatementExpression(node, VOID, (*found, *self.left()), None)
            result = self.expression(last)
            behind, value = self.last(last, result)
            return StatementExpression(node, result.type, (*found, *behind), value)
