"""Statements to control flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from duet.frontend.bodies import unroll
from duet.frontend.bodies.automatic import declaration, declare_local
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, number, unplaced
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import IntType, PointerType, VoidType, is_scalar, promote
from duet.frontend.ctypes.values import Direct, Number, Object, Untracked, Value, type_of
from duet.frontend.expressions import assign, expr
from duet.frontend.form import control, tree
from duet.frontend.form.control import Statement
from duet.frontend.form.kinds import wrapped
from duet.frontend.form.tree import Expression
from duet.frontend.form.walk import has_effects, mentions
from duet.plip.syntax import FALSE, Guard
from duet.plip.terms import compare, conjunction, constant, disjunction, negate

_Jump: TypeAlias = control.Goto | control.ComputedGoto | control.Break | control.Continue | control.Label
BETWEEN = 3
"""The most statements between `x = call` and a test of `x` that are repeated for each outcome of the call."""


def statement(ctx: Context, form: Statement) -> None:
    """Lowers a statement or declaration at the current location."""
    with ctx.at_node(form.node):
        match form:
            case control.Block(items=items):
                _sequence(ctx, items)
            case control.If():
                _if(ctx, form)
            case control.Loop():
                _loop(ctx, form)
            case control.Switch():
                _switch(ctx, form)
            case control.Case():
                _case(ctx, form)
            case control.Return():
                _return(ctx, form)
            case control.Goto() | control.ComputedGoto() | control.Break() | control.Continue() | control.Label():
                _jump(ctx, form)
            case control.Declare():
                declaration(ctx, form)
            case control.Measure(lengths=lengths):
                expr.evaluate(ctx, lengths)
            case control.Evaluate(value=value):
                expr.effect(ctx, value)
            case _:
                assert_never(form)


def _sequence(ctx: Context, items: Sequence[Statement]) -> None:
    """Statements in order; `r = f(); if (r ...)` keeps what each outcome of the call says of `r`."""
    place = 0
    while place < len(items):
        count = _assigned_then_tested(ctx, items[place : place + BETWEEN + 2])
        if count and _assign_then_test(ctx, items[place], items[place + 1 : place + count], items[place + count]):
            place += count + 1
        else:
            statement(ctx, items[place])
            place += 1


def _assigned_then_tested(ctx: Context, items: Sequence[Statement]) -> int:
    """How far behind `x = call` a test of `x` comes, with only simple statements between; 0 if there is none."""
    symbol, _ = _assigned_call(items[0])
    if symbol is None:
        return 0
    for place, item in enumerate(items[1:], 1):
        if isinstance(item, control.If | control.Switch):
            return 0 if has_effects(item.condition) or not mentions(item.condition, symbol) else place
        if not _is_repeatable(ctx, item, symbol):
            return 0
    return 0


def _is_repeatable(ctx: Context, item: Statement, symbol: Local | Object) -> bool:
    """Whether a statement may be lowered once for each outcome of a call before it: no calls but checks, no labels."""
    match item:
        case control.Evaluate(
            value=tree.Call(callee=tree.FunctionName(name=name) | tree.Implicit(name=name), arguments=arguments)
        ):
            known = ctx.describe(name)
            return known is not None and known.only_looks and not any(map(has_effects, arguments))
        case control.Evaluate(value=tree.Assign(place=tree.Variable(symbol=target), value=value)):
            return target != symbol and not has_effects(value)
        case _:
            return False


def _assign_then_test(ctx: Context, first: Statement, between: Sequence[Statement], test: Statement) -> bool:
    """Lowers `x = call; ...; if (... x ...)` so that constants go straight to the matching branch; no if it cannot."""
    symbol, value = _assigned_call(first)
    if symbol is None or value is None or not is_scalar(symbol.type):
        return False
    if isinstance(first, control.Declare) and first.local.duration != "automatic":
        return False
    with ctx.at_node(first.node):
        if isinstance(first, control.Declare):
            expr.evaluate(ctx, first.lengths)
            declare_local(ctx, first.local, is_initialised=True)
        place = expr.place_of(ctx, tree.Variable(first.node, symbol.type, symbol))
        if not is_scalar(place.type):
            return False
        found = expr.outcomes(ctx, value)
        stored: list[int] = []
        for location, outcome in found:
            if location != ctx.builder.current:
                ctx.builder.at(location)
            assign.store(ctx, place, outcome, first.node, is_used=len(found) > 1)
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
    with ctx.at_node(test.node):
        if isinstance(test, control.If):
            _if(ctx, test, _starts(ctx, known, cell))
        elif isinstance(test, control.Switch):
            _switch(ctx, test, _starts(ctx, known, cell))
    return True


def _starts(ctx: Context, known: list[tuple[int, int | None]], cell: object) -> list[tuple[int, dict[str, int]]]:
    """The locations from which a test starts, with what is known of the cell there (if its type holds the constant)."""
    result: list[tuple[int, dict[str, int]]] = []
    for location, value in known:
        held: dict[str, int] = {}
        match cell:
            case CellAt(name=name, type=PointerType()) if value is not None:
                held = {name: value}  # our addresses may be larger than those of C
            case CellAt(name=name, type=IntType() as kind) if value is not None:
                held = {name: wrapped(value, kind, ctx.data) or 0}
        result.append((location, held))
    return result


def _assigned_call(form: Statement) -> tuple[Local | Object | None, Expression | None]:
    """The variable and the call (or choice) of `x = f();` or `T x = f();`."""
    symbol: Local | Object
    match form:
        case control.Evaluate(value=tree.Assign(operator="", place=tree.Variable(symbol=symbol), value=value)):
            pass
        case control.Declare(local=symbol, initialiser=value) if value is not None and not isinstance(
            value, tree.Parts
        ):
            pass
        case _:
            return None, None
    inner = value
    while isinstance(inner, tree.Convert):
        inner = inner.operand
    return (symbol, value) if isinstance(inner, tree.Call | tree.Choice) else (None, None)


def _if(ctx: Context, form: control.If, starts: list[tuple[int, dict[str, int]]] | None = None) -> None:
    builder = ctx.builder
    builder.flush()
    yes, no = builder.fresh(), builder.fresh()
    for location, known in starts or [(builder.current, {})]:
        builder.at(location)
        ctx.thread.known = known
        expr.condition(ctx, form.condition, yes, no)
        ctx.thread.known = {}
    join = builder.fresh() if form.no is not None else no
    builder.at(yes)
    statement(ctx, form.yes)
    builder.goto(join)
    if form.no is not None:
        builder.at(no)
        statement(ctx, form.no)
        builder.goto(join)
    builder.at(join)


def _loop(ctx: Context, form: control.Loop) -> None:
    builder, frame = ctx.builder, ctx.thread.frame
    if form.first is not None:
        statement(ctx, form.first)
    builder.flush()
    found = unroll.counted(ctx, form)
    if found is not None:
        unroll.copy_out(ctx, found, lambda again: _body(ctx, found.body, again))
        return
    head, body, after, again = builder.fresh(), builder.fresh(), builder.fresh(), builder.fresh()
    builder.goto(body if form.is_late else head)
    frame.breaks.append(after)
    frame.loops += 1
    builder.at(head)
    for item in form.invariants:
        expr.effect(ctx, item)
    if form.condition is None:
        builder.goto(body)
    else:
        expr.condition(ctx, form.condition, body, after)
    builder.at(body)
    _body(ctx, (form.body,), again)
    builder.at(again)
    if form.step is not None:
        expr.effect(ctx, form.step)
    builder.goto(head)
    frame.loops -= 1
    frame.breaks.pop()
    builder.at(after)


def _body(ctx: Context, statements: Sequence[Statement], again: int) -> None:
    """The body of a loop, which goes on at `again`."""
    ctx.thread.frame.continues.append(again)
    _sequence(ctx, statements)
    ctx.thread.frame.continues.pop()
    ctx.builder.goto(again)


def _switch(ctx: Context, form: control.Switch, starts: list[tuple[int, dict[str, int]]] | None = None) -> None:
    builder, frame = ctx.builder, ctx.thread.frame
    builder.flush()
    after = builder.fresh()
    places = {case: builder.fresh() for case in form.cases}
    for start, known in starts or [(builder.current, {})]:
        builder.at(start)
        ctx.thread.known = known
        found: list[Outcome] = expr.outcomes(ctx, form.condition)
        ctx.thread.known = {}
        for location, value in found:
            if location != builder.current:
                builder.at(location)
            _dispatch(ctx, value, places, after, form)
    frame.breaks.append(after)
    frame.switches.append(places)
    builder.at(builder.fresh())
    statement(ctx, form.body)
    frame.switches.pop()
    frame.breaks.pop()
    builder.goto(after)
    builder.at(after)


def _dispatch(ctx: Context, value: Value, places: Mapping[control.Case, int], after: int, form: control.Switch) -> None:
    """Branches from here to the labels of a switch."""
    builder = ctx.builder
    found = unplaced(ctx, number(ctx, convert(ctx, value, promote(type_of(value)), form.node)))
    builder.flush()
    otherwise = after
    conditions = []
    for case, place in places.items():
        if case.low is None or case.high is None:
            otherwise = place
            continue
        if case.low == case.high:
            condition = compare(found.term, "==", constant(case.low))
        else:
            bounds = (compare(found.term, ">=", constant(case.low)), compare(found.term, "<=", constant(case.high)))
            condition = conjunction(bounds)
        conditions.append(condition)
        if condition != FALSE:
            builder.edge(Guard(condition), place)
    rest = negate(disjunction(conditions))
    if rest != FALSE:
        builder.edge(Guard(rest), otherwise)
    builder.dead()


def _case(ctx: Context, form: control.Case) -> None:
    place = ctx.thread.frame.switches[-1][form]
    ctx.builder.goto(place)
    ctx.builder.at(place)
    _sequence(ctx, form.items)


def _jump(ctx: Context, form: _Jump) -> None:
    builder, frame = ctx.builder, ctx.thread.frame
    match form:
        case control.Goto(label=name):
            builder.goto(_label(ctx, name))
        case control.ComputedGoto(target=target):
            expr.effect(ctx, target)
            names = frame.body.labels if frame.body is not None else ()
            for way, name in zip(builder.fork(len(names)), names, strict=True):
                builder.at(way)
                builder.goto(_label(ctx, name))
        case control.Break():
            builder.goto(frame.breaks[-1])
        case control.Continue():
            builder.goto(frame.continues[-1])
        case control.Label(name=name):
            place = _label(ctx, name)
            builder.goto(place)
            builder.at(place)
            frame.loops += 1  # a jump backwards may repeat what follows
            if name == "ERROR" and ctx.wants("unreach-call"):
                ctx.check(form.node, "unreach-call", FALSE, "ERROR", stops=False)
            statement(ctx, form.statement)
        case _:
            assert_never(form)


def _label(ctx: Context, name: str) -> int:
    frame = ctx.thread.frame
    if name not in frame.labels:
        frame.labels[name] = ctx.builder.fresh()
    return frame.labels[name]


def _return(ctx: Context, form: control.Return) -> None:
    """Records the outcomes of the call: the caller goes on from each."""
    builder, frame = ctx.builder, ctx.thread.frame
    if form.value is None:
        frame.returns.append((builder.current, Untracked(VoidType())))
        builder.dead()
        return
    found = expr.returned(ctx, form.value)
    for location, value in found:
        if location != builder.current:
            builder.at(location)
        converted = convert(ctx, value, frame.result, form.node)
        if not isinstance(frame.result, VoidType) and isinstance(converted, Number):
            builder.flush()
        builder.flush()
        frame.returns.append((builder.current, converted))
        builder.dead()
