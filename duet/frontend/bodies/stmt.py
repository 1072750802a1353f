"""Statements to control flow."""

from __future__ import annotations

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.bodies import unroll
from duet.frontend.bodies.automatic import declaration, declare_local
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.convert import convert, number, unplaced
from duet.frontend.cells.memory import CellAt
from duet.frontend.ctypes.types import VoidType, is_scalar, promote
from duet.frontend.ctypes.values import Direct, Number, Untracked, Value, literal, type_of
from duet.frontend.expressions import assign, expr, extensions, lengths, lvalue
from duet.frontend.source.nodes import RANGE, ComputedGoto, Node
from duet.plip.syntax import FALSE, Guard
from duet.plip.terms import compare, conjunction, constant, disjunction, negate

BETWEEN = 3
"""The most statements between `x = call` and a test of `x` that are repeated for each outcome of the call."""


def statement(ctx: Context, node: Node | None) -> None:
    """Lowers a statement or declaration at the current location."""
    if node is None:
        return
    with ctx.at_node(node):
        match node:
            case c_ast.Compound():
                with ctx.block():
                    _sequence(ctx, node.block_items or [])
            case c_ast.If():
                with ctx.block():
                    _if(ctx, node)
            case c_ast.While() | c_ast.DoWhile() | c_ast.For():
                _loop(ctx, node)
            case c_ast.Switch():
                with ctx.block():
                    _switch(ctx, node)
            case c_ast.Return() | c_ast.Goto() | c_ast.Break() | c_ast.Continue() | c_ast.Label() | ComputedGoto():
                _jump(ctx, node)
            case c_ast.Case() | c_ast.Default():
                _case(ctx, node)
            case c_ast.Decl():
                declaration(ctx, node)
            case c_ast.DeclList():
                for item in node.decls:
                    statement(ctx, item)
            case c_ast.Typedef():
                lengths.evaluate(ctx, node.type)
                ctx.memory.types.typedef(node.name, node, ctx.scope)
            case c_ast.StaticAssert():
                ctx.memory.types.assertion(node, ctx.scope)
            case c_ast.EmptyStatement() | c_ast.Pragma():
                pass
            case c_ast.FuncDef():
                raise Unsupported("nested functions are not modelled", ctx.span(node.decl))
            case _:
                expr.effect(ctx, node)


def _sequence(ctx: Context, items: list[Node]) -> None:
    """Statements in order; `r = f(); if (r ...)` keeps what each outcome of the call says of `r`."""
    place = 0
    while place < len(items):
        count = _assigned_then_tested(ctx, items[place : place + BETWEEN + 2])
        if count and _assign_then_test(ctx, items[place], items[place + 1 : place + count], items[place + count]):
            place += count + 1
        else:
            statement(ctx, items[place])
            place += 1


def _assigned_then_tested(ctx: Context, items: list[Node]) -> int:
    """How far behind `x = call` a test of `x` comes, with only simple statements between; 0 if there is none."""
    name, _ = _assigned_call(items[0])
    if name is None:
        return 0
    for place, item in enumerate(items[1:], 1):
        if isinstance(item, c_ast.If | c_ast.Switch):
            return 0 if expr.has_effects(item.cond) or not expr.mentions(item.cond, name) else place
        if not _is_repeatable(ctx, item, name):
            return 0
    return 0


def _is_repeatable(ctx: Context, item: Node, name: str) -> bool:
    """Whether a statement may be lowered once for each outcome of a call before it: no calls but checks, no labels."""
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name=callee), args=args):
            known = ctx.hooks.describe(callee)
            return known is not None and known.only_looks and (args is None or not expr.has_effects(args))
        case c_ast.Assignment(lvalue=c_ast.ID(name=target), rvalue=value):
            return bool(target != name) and not expr.has_effects(value)
        case _:
            return False


def _assign_then_test(ctx: Context, first: Node, between: list[Node], test: Node) -> bool:
    """Lowers `x = call; ...; if (... x ...)` so that constants go straight to the matching branch; no if it cannot."""
    name, value = _assigned_call(first)
    storage = first.storage if isinstance(first, c_ast.Decl) else None
    if name is None or "static" in (storage or ()) or "extern" in (storage or ()):
        return False
    with ctx.at_node(first):
        if isinstance(first, c_ast.Decl):
            if not is_scalar(ctx.memory.types.read(first, ctx.scope)):
                return False
            lengths.evaluate(ctx, first)
            declare_local(ctx, first, is_initialised=True)
        place = lvalue.place_of(ctx, c_ast.ID(name, first.coord))
        if not is_scalar(place.type):
            return False
        found = expr.outcomes(ctx, value)
        stored: list[int] = []
        for location, outcome in found:
            if location != ctx.builder.current:
                ctx.builder.at(location)
            assign.store(ctx, place, outcome, first, is_used=len(found) > 1)
            ctx.builder.flush()
            stored.append(ctx.builder.current)
    cell = ctx.memory.locate(place) if isinstance(place, Direct) else None
    is_private = isinstance(cell, CellAt) and not cell.is_shared and not cell.is_summary
    known: list[tuple[int, int | None]] = []
    for location, (_, outcome) in zip(stored, found, strict=True):
        ctx.builder.at(location)
        for item in between:
            statement(ctx, item)
        ctx.builder.flush()
        constant_value = outcome.constant if isinstance(outcome, Number) and is_private else None
        known.append((ctx.builder.current, constant_value))
    with ctx.at_node(test), ctx.block():
        if isinstance(test, c_ast.If):
            _if(ctx, test, _starts(ctx, known, cell))
        else:
            _switch(ctx, test, _starts(ctx, known, cell))
    return True


def _starts(ctx: Context, known: list[tuple[int, int | None]], cell: object) -> list[tuple[int, dict[str, int]]]:
    """The locations from which a test starts, with what is known of the cell there (if its type holds the constant)."""
    result: list[tuple[int, dict[str, int]]] = []
    for location, value in known:
        if value is not None and isinstance(cell, CellAt):
            with ctx.scratch():
                value = number(ctx, convert(ctx, literal(value), cell.type, None)).constant
        is_known = value is not None and isinstance(cell, CellAt)
        result.append(
            (location, {cell.name: value} if is_known and isinstance(cell, CellAt) and value is not None else {})
        )
    return result


def _assigned_call(node: Node) -> tuple[str | None, Node]:
    """The variable and the call (or choice) of `x = f();` or `T x = f();`."""
    match node:
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value):
            pass
        case c_ast.Decl(name=name, init=value) if value is not None:
            pass
        case _:
            return None, None
    inner = value
    while isinstance(inner, c_ast.Cast):
        inner = inner.expr
    return (name, value) if isinstance(inner, c_ast.FuncCall | c_ast.TernaryOp) else (None, None)


def _if(ctx: Context, node: Node, starts: list[tuple[int, dict[str, int]]] | None = None) -> None:
    builder = ctx.builder
    builder.flush()
    yes, no = builder.fresh(), builder.fresh()
    for location, known in starts or [(builder.current, {})]:
        builder.at(location)
        ctx.known = known
        expr.condition(ctx, node.cond, yes, no)
        ctx.known = {}
    join = builder.fresh() if node.iffalse is not None else no
    builder.at(yes)
    with ctx.block():
        statement(ctx, node.iftrue)
    builder.goto(join)
    if node.iffalse is not None:
        builder.at(no)
        with ctx.block():
            statement(ctx, node.iffalse)
        builder.goto(join)
    builder.at(join)


def _loop(ctx: Context, node: Node) -> None:
    builder, frame = ctx.builder, ctx.frame
    with ctx.block():
        if isinstance(node, c_ast.For) and node.init is not None:
            statement(ctx, node.init)
        builder.flush()
        found = unroll.counted(ctx, node)
        if found is not None:
            unroll.copy_out(ctx, found, lambda again: _body(ctx, found.body, again))
            return
        head, body, after, again = builder.fresh(), builder.fresh(), builder.fresh(), builder.fresh()
        builder.goto(body if isinstance(node, c_ast.DoWhile) else head)
        frame.breaks.append(after)
        frame.loops += 1
        builder.at(head)
        if node.cond is None:
            builder.goto(body)
        else:
            expr.condition(ctx, node.cond, body, after)
        builder.at(body)
        _body(ctx, (node.stmt,), again)
        builder.at(again)
        if isinstance(node, c_ast.For) and node.next is not None:
            expr.effect(ctx, node.next)
        builder.goto(head)
        frame.loops -= 1
        frame.breaks.pop()
        builder.at(after)


def _body(ctx: Context, statements: tuple[Node, ...], again: int) -> None:
    """The body of a loop, which goes on at `again`."""
    ctx.frame.continues.append(again)
    with ctx.block():
        _sequence(ctx, list(statements))
    ctx.frame.continues.pop()
    ctx.builder.goto(again)


def _switch(ctx: Context, node: Node, starts: list[tuple[int, dict[str, int]]] | None = None) -> None:
    builder, frame = ctx.builder, ctx.frame
    builder.flush()
    after = builder.fresh()
    labels: list[tuple[Node, int]] = [(item, builder.fresh()) for item in _case_labels(node.stmt)]
    places = {id(item): location for item, location in labels}
    for start, known in starts or [(builder.current, {})]:
        builder.at(start)
        ctx.known = known
        found: list[Outcome] = expr.outcomes(ctx, node.cond)
        ctx.known = {}
        for location, value in found:
            if location != builder.current:
                builder.at(location)
            _dispatch(ctx, value, labels, after, node)
    frame.breaks.append(after)
    frame.switches.append(places)
    builder.at(builder.fresh())
    with ctx.block():
        statement(ctx, node.stmt)
    frame.switches.pop()
    frame.breaks.pop()
    builder.goto(after)
    builder.at(after)


def _dispatch(ctx: Context, value: Value, labels: list[tuple[Node, int]], after: int, node: Node) -> None:
    """Branches from here to the labels of a switch."""
    builder = ctx.builder
    found = unplaced(ctx, number(ctx, convert(ctx, value, promote(type_of(value)), node)))
    builder.flush()
    cases = [(item, place, _case_range(ctx, item, found)) for item, place in labels if isinstance(item, c_ast.Case)]
    otherwise = next((place for item, place in labels if isinstance(item, c_ast.Default)), after)
    conditions = []
    for _, place, (low, high) in cases:
        if low == high:
            condition = compare(found.term, "==", constant(low))
        else:
            condition = conjunction(
                (compare(found.term, ">=", constant(low)), compare(found.term, "<=", constant(high)))
            )
        conditions.append(condition)
        if condition != FALSE:
            builder.edge(Guard(condition), place)
    rest = negate(disjunction(conditions))
    if rest != FALSE:
        builder.edge(Guard(rest), otherwise)
    builder.dead()


def _case_range(ctx: Context, item: Node, value: Number) -> tuple[int, int]:
    """The values of a case label, in the type of the switch."""
    node = item.expr
    bounds = (node, node)
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == RANGE:
        bounds = (node.args.exprs[0], node.args.exprs[1])
    result = []
    for bound in bounds:
        with ctx.scratch():
            found = number(ctx, convert(ctx, expr.rvalue(ctx, bound), value.type, item)).constant
        if found is None:
            raise Unsupported("the label of this case is no constant", ctx.span(item))
        result.append(found)
    return result[0], result[1]


def _case_labels(node: Node | None) -> list[Node]:
    """The case and default labels of a switch, without those of switches inside it."""
    if node is None or isinstance(node, c_ast.Switch):
        return []
    here = [node] if isinstance(node, c_ast.Case | c_ast.Default) else []
    return here + [label for _, child in node.children() for label in _case_labels(child)]


def _case(ctx: Context, node: Node) -> None:
    place = ctx.frame.switches[-1][id(node)]
    ctx.builder.goto(place)
    ctx.builder.at(place)
    _sequence(ctx, node.stmts or [])


def _jump(ctx: Context, node: Node) -> None:
    builder, frame = ctx.builder, ctx.frame
    match node:
        case c_ast.Return():
            _return(ctx, node)
        case c_ast.Goto(name=name):
            builder.goto(_label(ctx, name))
        case ComputedGoto():
            names = extensions.computed_goto(ctx, node)
            for way, name in zip(builder.fork(len(names)), names, strict=True):
                builder.at(way)
                builder.goto(_label(ctx, name))
        case c_ast.Break():
            builder.goto(frame.breaks[-1])
        case c_ast.Continue():
            builder.goto(frame.continues[-1])
        case c_ast.Label(name=name):
            place = _label(ctx, name)
            builder.goto(place)
            builder.at(place)
            frame.loops += 1  # a jump backwards may repeat what follows
            if name == "ERROR" and ctx.wants("unreach-call"):
                ctx.check(node, "unreach-call", FALSE, "ERROR", stops=False)
            statement(ctx, node.stmt)
        case _:
            pass


def _label(ctx: Context, name: str) -> int:
    frame = ctx.frame
    if name not in frame.labels:
        frame.labels[name] = ctx.builder.fresh()
    return frame.labels[name]


def _return(ctx: Context, node: Node) -> None:
    """Records the outcomes of the call: the caller goes on from each."""
    builder, frame = ctx.builder, ctx.frame
    if node.expr is None:
        frame.returns.append((builder.current, Untracked(VoidType())))
        builder.dead()
        return
    found = expr.outcomes(ctx, node.expr)
    for location, value in found:
        if location != builder.current:
            builder.at(location)
        converted = convert(ctx, value, frame.result, node)
        if not isinstance(frame.result, VoidType) and isinstance(converted, Number):
            builder.flush()
        builder.flush()
        frame.returns.append((builder.current, converted))
        builder.dead()
