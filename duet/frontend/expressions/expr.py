"""Expressions to commands: values, places, conditions, with operands in any order that C allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, assert_never, cast

from duet.errors import Unsupported
from duet.frontend.cells import gate, hidden
from duet.frontend.cells.access import part_check, read
from duet.frontend.cells.arithmetic import binary, unary
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import (
    condition_of,
    convert,
    merged,
    merged_each,
    negated,
    number,
    settled,
    snapshot,
    squeezed,
)
from duet.frontend.cells.thread import Outcome
from duet.frontend.cells.weak import perhaps_missing
from duet.frontend.ctypes.origins import UNKNOWN_POINTER
from duet.frontend.ctypes.scope import Bound
from duet.frontend.ctypes.types import INT, VOID, CType, IntType, PointerType, StructType, common_type, is_scalar
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Number,
    Object,
    Place,
    Temporary,
    Untracked,
    Value,
    Whole,
    literal,
    type_of,
)
from duet.frontend.expressions import assign, initial, operands, places
from duet.frontend.expressions.choice import either, kept, label_address, mapped, possible, type_of_arms
from duet.frontend.expressions.choice import settled as settled_outcomes
from duet.frontend.expressions.known import known_measure, known_type
from duet.frontend.form import fleeting, tree
from duet.frontend.form.control import Statement
from duet.frontend.form.kinds import merged_type
from duet.frontend.form.order import are_watched, watched, which
from duet.frontend.form.tree import Beside, Expression, Initialiser, Length, Order
from duet.frontend.form.walk import every, has_effects, is_plain_constant, replaced
from duet.plip.syntax import Assign
from duet.plip.terms import compare, conjunction, constant, variable

_BRANCHING = (tree.Call, tree.Choice, tree.Comma, tree.Convert, tree.StatementExpression)
_OPERATORS = (tree.Binary, tree.Unary, tree.Not, tree.Logic, tree.AddressOf, tree.Step, tree.SizeOf, tree.AlignOf)


def rvalue(ctx: Context, form: Expression) -> Value:
    """The value of an expression."""
    found = outcomes(ctx, form)
    if len(found) == 1 and found[0][0] == ctx.builder.current:
        return found[0][1]
    return merged(ctx, found, merged_type([type_of(value) for _, value in found]))


def outcomes(ctx: Context, form: Expression) -> list[Outcome]:
    """The values of an expression, each where it has it; a read is left deferred at a single one only."""
    with ctx.at_node(form.node):
        match form:
            case tree.Call():
                return ctx.hooks.call(ctx, form)
            case tree.Choice() | tree.Otherwise():
                return _choice(ctx, form)
            case tree.StatementExpression():
                return _statement_expression(ctx, form)
            case tree.Selection():
                return _selection(ctx, form)
            case tree.Comma(parts=(*first, last)):
                for part in first:
                    effect(ctx, part)
                return outcomes(ctx, last)
            case tree.Convert(operand=operand):
                evaluate(ctx, form.lengths)
                kind = known_type(ctx, form.type)
                return mapped(ctx, outcomes(ctx, operand), lambda value: convert(ctx, value, kind, form.node))
            case tree.Logic() | tree.Not():
                return _logical(ctx, form)
            case tree.Binary(right=right) if is_plain_constant(right):
                found = outcomes(ctx, form.left)
                return mapped(ctx, found, lambda v: binary(ctx, form.operator, v, rvalue(ctx, right), form.node))
            case tree.Assign(operator="", place=tree.Variable() | tree.FunctionName()) if isinstance(
                form.value, _BRANCHING
            ):
                place = place_of(ctx, form.place)
                return mapped(ctx, outcomes(ctx, form.value), lambda v: assign.store(ctx, place, v, form.node))
            case _:
                value = _simple(ctx, form)
                return [(ctx.builder.current, value)]


def returned(ctx: Context, form: Expression) -> list[Outcome]:
    """The values of what is given back: `return a ? b : c` is `if (a) return b; else return c;`."""
    if not isinstance(form, tree.Choice | tree.Otherwise):
        return outcomes(ctx, form)
    with ctx.at_node(form.node):
        return _chosen(ctx, form)[0]


def _choice(ctx: Context, form: tree.Choice | tree.Otherwise) -> list[Outcome]:
    return squeezed(ctx, *_chosen(ctx, form))


def _chosen(ctx: Context, form: tree.Choice | tree.Otherwise) -> tuple[list[Outcome], CType]:
    """The values of both arms, and their type."""
    is_live = ctx.builder.is_live
    arms = _otherwise(ctx, form) if isinstance(form, tree.Otherwise) else _arms(ctx, form)
    every = [outcome for arm in arms for outcome in arm]
    kind = type_of_arms(arms, form.nulls)  # an arm never taken counts for the type
    if isinstance(kind, IntType):
        kind = common_type(kind, kind)
    found = possible(ctx, every, is_live)
    return mapped(ctx, found, lambda value: convert(ctx, value, kind, form.node)), kind


def _arms(ctx: Context, form: tree.Choice) -> list[list[Outcome]]:
    """The outcomes of both arms of `a ? b : c`."""
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    condition(ctx, form.condition, yes, no)
    arms: list[list[Outcome]] = []
    for location, arm in ((yes, form.yes), (no, form.no)):
        ctx.builder.at(location)
        arms.append(settled_outcomes(ctx, outcomes(ctx, arm)))
    return arms


def _otherwise(ctx: Context, form: tree.Otherwise) -> list[list[Outcome]]:
    """The outcomes of both arms of `a ?: b`; `a` is evaluated once."""
    value = snapshot(ctx, rvalue(ctx, form.condition))
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    ctx.builder.branch_to(condition_of(ctx, value), yes, no)
    ctx.builder.at(yes)
    kept = number(ctx, value) if not isinstance(value, Untracked) else value
    first: list[Outcome] = [(ctx.builder.current, kept)]
    ctx.builder.flush()
    ctx.builder.at(no)
    return [first, settled_outcomes(ctx, outcomes(ctx, form.no))]


def _selection(ctx: Context, form: tree.Selection) -> list[Outcome]:
    """The outcomes of every expression that a `_Generic` may select."""
    ctx.warn(form.node, "generic", "which expression this _Generic selects is not known: any that may be")
    result: list[Outcome] = []
    for way, item in zip(ctx.builder.fork(len(form.candidates)), form.candidates, strict=True):
        ctx.builder.at(way)
        result += settled_outcomes(ctx, outcomes(ctx, item))
    return result


def _statement_expression(ctx: Context, form: tree.StatementExpression) -> list[Outcome]:
    """The outcomes of `({ ... })`."""
    for item in form.items:
        ctx.hooks.statement(ctx, cast(Statement, item))
        ctx.builder.flush()
    if form.result is None:
        return [(ctx.builder.current, Untracked(VOID))]
    return mapped(ctx, outcomes(ctx, form.result), lambda value: snapshot(ctx, value))


def _logical(ctx: Context, form: tree.Logic | tree.Not) -> list[Outcome]:
    """`!e`, `a && b`, `a || b` as 0 or 1."""
    if isinstance(form, tree.Not) and not isinstance(form.operand, tree.Logic | tree.Not):
        if not _is_operator(form.operand):
            found = outcomes(ctx, form.operand)
            return mapped(ctx, found, lambda value: negated(condition_of(ctx, value)))
        value = rvalue(ctx, form.operand)
        return [(ctx.builder.current, negated(condition_of(ctx, value)))]
    is_live = ctx.builder.is_live
    yes, no = ctx.builder.fresh(), ctx.builder.fresh()
    condition(ctx, form, yes, no)
    return possible(ctx, [(yes, literal(1)), (no, literal(0))], is_live)


def _is_operator(form: Expression) -> bool:
    return isinstance(form, _OPERATORS) or (
        isinstance(form, tree.Read) and isinstance(form.place, tree.Deref) and not form.place.is_arrow
    )


def _simple(ctx: Context, form: Expression) -> Value:
    """The value of an expression without control flow of its own."""
    match form:
        case tree.Constant(value=value, type=kind):
            return literal(value, kind)
        case tree.Floating(type=kind):
            return Untracked(kind)
        case tree.Evaluated(value=evaluated):
            return evaluated
        case tree.Read(place=place):
            return _read(ctx, place, form)
        case tree.AddressOf(place=place):
            return _address(ctx, place, form)
        case tree.Binary():
            first, second = settled_operands(ctx, (form.left, form.right), form.order)
            left = rvalue(ctx, first)
            if has_effects(second):
                left = snapshot(ctx, left)
            return binary(ctx, form.operator, left, rvalue(ctx, second), form.node)
        case tree.Unary(operator="+" | "-" | "~" as operator):
            return unary(ctx, operator, rvalue(ctx, form.operand), form.node)
        case tree.Unary(operator=operator):
            ctx.warn(form.node, "expression", f"operator {operator} is not modelled: any value is assumed")
            return ctx.havoc(INT)
        case tree.Assign():
            return _assign(ctx, form, is_used=True)
        case tree.Step(place=place):
            _note_access(ctx, place)
            return assign.step(ctx, place_of(ctx, place), form, is_used=True)
        case tree.LabelAddress():
            return label_address(ctx)
        case tree.SizeOf() | tree.AlignOf() | tree.OffsetOf():
            return _measure(ctx, form)
        case tree.TypeArgument():
            raise Unsupported("a type is no argument of this function", ctx.span(form.node))
        case _:
            raise AssertionError(f"{type(form).__name__} has outcomes")


def _read(ctx: Context, place: tree.Place, form: tree.Read) -> Value:
    """What a place holds; the value that stands for a variable."""
    if isinstance(place, tree.Variable):
        found = places.meaning(ctx, place.symbol)
        if isinstance(found, Bound):
            return found.value
    _note_access(ctx, place)
    return read(ctx, place_of(ctx, place), form.node)


def _note_access(ctx: Context, place: tree.Place) -> None:
    """Records which nodes move a pointer for an access to a place that follows, and which of them only for that."""
    ctx.fleeting.update(fleeting.in_access(place))
    ctx.followed.update(fleeting.followed(place))


def _address(ctx: Context, place: tree.Place, form: tree.AddressOf) -> Value:
    """`&place`."""
    found = _element(ctx, place, is_access=False) if isinstance(place, tree.Element) else place_of(ctx, place)
    ctx.builder.flush()
    address = Address(gate.part(ctx, found, form.node), PointerType(found.type))
    part_check(ctx, address, form.node)
    return address


def place_of(ctx: Context, form: tree.Place) -> Place:
    """The place that an lvalue denotes (or where a struct rvalue lies)."""
    match form:
        case tree.Variable():
            return places.variable(ctx, form)
        case tree.FunctionName(key=key, type=kind, name=name):
            return perhaps_missing(ctx, name, FunctionPlace(key, kind))
        case tree.Member(base=base, name=name):
            return places.member_of(ctx, place_of(ctx, base), name, form.node)
        case tree.Element():
            return _element(ctx, form, is_access=True)
        case tree.Deref(pointer=pointer):
            found = places.pointed(ctx, rvalue(ctx, pointer))
            return found if form.is_arrow else gate.element(ctx, found, form.node, is_access=True)
        case tree.StringLiteral():
            return places.string(ctx, form)
        case tree.CompoundLiteral():
            if ctx.thread.frames:
                evaluate(ctx, form.lengths)
            of = initial.literal_object(ctx, form, known_type(ctx, form.type), rvalue)
            if ctx.thread.frames:
                initialise(ctx, of, form.initialiser)
            return Direct(of, (), of.type)
        case tree.Of(value=value):
            found_value = rvalue(ctx, value)
            return found_value.place if isinstance(found_value, Whole) else Temporary(type_of(found_value))
        case _:
            assert_never(form)


def _element(ctx: Context, form: tree.Element, is_access: bool) -> Place:
    base, subscript = settled_operands(ctx, (form.left, form.right), form.order)
    pointer = rvalue(ctx, base)
    if has_effects(subscript):
        pointer = snapshot(ctx, pointer)
    return places.element(ctx, pointer, rvalue(ctx, subscript), form.node, is_access)


def _assign(ctx: Context, form: tree.Assign, is_used: bool) -> Value:
    """An assignment; its value is only there when it is used."""
    _note_access(ctx, form.place)
    order = form.order
    if order is not None:
        where, value = _watched_settled(ctx, (form.place, form.value))
        form = replace(form, place=where, value=value)
        if _are_both_moving(ctx, form, order):
            return _assign_in_any_order(ctx, form, is_used)
    if _is_value_first(ctx, form):
        found = rvalue(ctx, form.value)
        return assign.store(ctx, place_of(ctx, form.place), found, form.node, is_used)
    place = place_of(ctx, form.place)
    if has_effects(form.value) and _is_moved(ctx, form):
        place = settled(ctx, place)
    return _assign_to(ctx, place, form, order, is_used)


def _is_moved(ctx: Context, form: tree.Assign) -> bool:
    """Whether the value of an assignment may change locals that say which object is assigned to, or others may.

    Else these are what is checked, not copies of them, so that what is known behind the access is known of them.
    """
    held = which(form.place)
    if has_effects(form.place) or operands.is_open(ctx, Beside(False, held)):
        return True
    return any(
        isinstance(item, tree.StatementExpression)
        or (
            isinstance(item, tree.Assign | tree.Step)
            and any(isinstance(part, tree.Variable) and part.symbol in held for part in every(item.place))
        )
        for item in every(form.value)
    )


def _is_value_first(ctx: Context, form: tree.Assign) -> bool:
    """Whether the value of an assignment may be evaluated first without any difference, where the place has an index.

    The element is accessed when the value is there, so the checks of that come first.
    """
    if (
        form.operator
        or has_effects(form.place)
        or not any(isinstance(item, tree.Element) for item in every(form.place))
    ):
        return False
    if form.order is None:
        return not has_effects(form.value)
    return not operands.is_open(ctx, form.order[1]) and not operands.may_leave(ctx, form.value)


def _assign_to(ctx: Context, place: Place, form: tree.Assign, order: Order, is_used: bool) -> Value:
    """An assignment to a place that has been found."""
    if order is not None and has_effects(form.value) and not assign.is_atomic(place):
        return _assign_beside_call(ctx, place, form, order, is_used)
    value = rvalue(ctx, form.value)
    if not form.operator:
        return assign.store(ctx, place, value, form.node, is_used)
    return assign.compound(ctx, place, form.operator, value, form.node, is_used)


def _are_both_moving(ctx: Context, form: tree.Assign, order: Sequence[Beside]) -> bool:
    """Whether it matters if the place of an assignment or its value is evaluated first, each once."""
    _, where, value = order
    if operands.may_leave(ctx, form.place) or operands.may_stay(ctx, form.place):
        return value.has_effects or operands.may_fail(form.value)
    if not where.has_effects:
        return False
    if operands.may_leave(ctx, form.value):
        return True
    if operands.may_stay(ctx, form.value) and (operands.may_fail(form.place) or operands.outward(ctx, form.place)):
        return True
    if operands.outward(ctx, form.place):
        return operands.is_open(ctx, value) or operands.outward(ctx, form.value) > 0
    return operands.is_open(ctx, where) and operands.outward(ctx, form.value) > 0


def _assign_in_any_order(ctx: Context, form: tree.Assign, is_used: bool) -> Value:
    """An assignment where both sides call something: the place is found first, or the value."""
    ctx.builder.flush()
    place_first, value_first = ctx.builder.fork(2)
    ctx.builder.at(place_first)
    place = settled(ctx, place_of(ctx, form.place))
    held, where, value = form.order or ()
    beside = (held, replace(where, depends=frozenset()), value)
    found = [_assigned(ctx, _assign_to(ctx, place, form, beside, is_used))]
    ctx.builder.at(value_first)
    value_known = operands.evaluated(kept(ctx, rvalue(ctx, form.value), form.value.node), form.value.node)
    found.append(_assigned(ctx, _assign(ctx, replace(form, value=value_known, order=None), is_used)))
    return snapshot(ctx, merged(ctx, found, type_of(found[0][1])))


def _assigned(ctx: Context, value: Value) -> Outcome:
    ctx.builder.flush()
    return ctx.builder.current, value


def _assign_beside_call(ctx: Context, early: Place, form: tree.Assign, order: Order, is_used: bool) -> Value:
    """An assignment of what a call gives, which may change which object is assigned to, and what that holds."""
    assert order is not None
    held, which, _ = order
    is_read, node = bool(form.operator), form.node
    before = snapshot(ctx, read(ctx, early, node)) if is_read and operands.is_open(ctx, held) else None
    value = rvalue(ctx, form.value)
    is_open = operands.is_open(ctx, which)
    if is_open or is_read:
        value = snapshot(ctx, value)
    late = settled(ctx, place_of(ctx, form.place)) if is_open else early
    if is_read:
        after = read(ctx, late, node)
        old = after if before is None else either(ctx, before, snapshot(ctx, after), node)
        value = binary(ctx, form.operator, old, value, node)
    return assign.store_either(ctx, early, late, value, node, is_used)


def settled_operands(ctx: Context, given: Sequence[Expression], order: Order) -> list[Expression]:
    """The operands, evaluated where one calls something that may change what another reads."""
    if order is None:
        return list(given)
    given = list(_watched_settled(ctx, given))
    moving = operands.moving(ctx, given, order)
    for i in operands.ahead(ctx, given, order):
        given[i] = operands.evaluated(snapshot(ctx, rvalue(ctx, given[i])), given[i].node)
    reading = [i for i, item in enumerate(order) if not item.has_effects and operands.is_open(ctx, item)]
    if moving:
        in_order = _in_any_order if operands.are_few(ctx, given, moving) else _in_a_loop
        return in_order(ctx, given, moving, reading)
    if not reading:
        return list(given)
    early = {i: snapshot(ctx, rvalue(ctx, given[i])) for i in reading}
    found = [
        operands.evaluated(snapshot(ctx, rvalue(ctx, operand)), operand.node) if item.has_effects else operand
        for operand, item in zip(given, order, strict=True)
    ]
    for i, value in early.items():
        late = snapshot(ctx, rvalue(ctx, given[i]))
        found[i] = operands.evaluated(either(ctx, value, late, given[i].node), given[i].node)
    return found


def _watched_settled(ctx: Context, given: Sequence[tree.Typed]) -> Sequence[Any]:
    """The operands with what others may change at any time read, in each order.

    Each order of n reads is part of n rounds of all of them.
    """
    if not are_watched(given) or any(map(has_effects, given)):
        return given
    reads = [item for operand in given for item in watched(operand)]
    if len(reads) > operands.READS:
        ctx.warn(given[0].node, "evaluation-order", operands.MANY_READS)
        lost = {item: operands.evaluated(ctx.havoc(item.type, UNKNOWN_POINTER), item.node) for item in reads}
        return [replaced(operand, lost) for operand in given]
    found: dict[tree.Form, Value] = {}
    for count in range(len(reads), 0, -1):
        for item in reads if count > 1 else reads[:1]:
            now = snapshot(ctx, rvalue(ctx, item))
            found[item] = either(ctx, found[item], now, item.node) if item in found else now
    known: dict[tree.Form, tree.Form] = {item: operands.evaluated(value, item.node) for item, value in found.items()}
    return [replaced(operand, known) for operand in given]


def _in_any_order(
    ctx: Context, given: Sequence[Expression], moving: Sequence[int], reading: Sequence[int]
) -> list[Expression]:
    """The operands: some (`moving`) evaluated one after another in each order, others read before or behind any.

    What has been evaluated is a set: where two orders have evaluated the same, they go on together.
    """
    ctx.builder.flush()
    frame = ctx.thread.frame
    before, frame.copies = frame.copies, frame.copies << len(moving) - 1
    kinds = {i: given[i].type for i in (*moving, *reading)}
    states: dict[frozenset[int], list[tuple[int, Mapping[int, Value]]]] = {frozenset(): [(ctx.builder.current, {})]}
    for done in (frozenset(items) for count in range(len(moving) + 1) for items in combinations(moving, count)):
        values = merged_each(ctx, states[done], kinds)
        for i in reading:
            now = snapshot(ctx, rvalue(ctx, given[i]))
            values[i] = either(ctx, values[i], now, given[i].node) if i in values else now
        ahead = [i for i in moving if i not in done]
        for i, way in zip(ahead, ctx.builder.fork(len(ahead)) if ahead else (), strict=True):
            ctx.builder.at(way)
            value = kept(ctx, rvalue(ctx, given[i]), given[i].node)
            kinds[i] = type_of(value)
            states.setdefault(done | {i}, []).append((ctx.builder.current, {**values, i: value}))
    frame.copies = before
    return operands.settled(given, values)


def _in_a_loop(
    ctx: Context, given: Sequence[Expression], moving: Sequence[int], reading: Sequence[int]
) -> list[Expression]:
    """The same where there are too many orders: a loop evaluates any operand that has not been, until all have been."""
    ctx.warn(given[moving[0]].node, "evaluation-order", operands.MANY_CALLS)
    builder, frame = ctx.builder, ctx.thread.frame
    builder.flush()
    values = {i: operands.Latest(ctx, given[i].type) for i in (*moving, *reading)}
    done = {i: ctx.temporary(INT) for i in moving}
    for name in done.values():
        builder.emit(Assign(name, constant(0)))
    for i in reading:
        values[i].take(ctx, rvalue(ctx, given[i]))
    head = builder.fresh()
    builder.goto(head)
    frame.loops += 1
    builder.at(head)
    after, *ways = builder.fork(1 + len(moving) + len(reading))
    for i, way in zip((*moving, *reading), ways, strict=True):
        builder.at(way)
        if i in done:
            builder.assume(compare(variable(done[i]), "==", constant(0)))
            builder.emit(Assign(done[i], constant(1)))
        values[i].take(ctx, kept(ctx, rvalue(ctx, given[i]), given[i].node))
        builder.goto(head)
    frame.loops -= 1
    builder.at(after)
    builder.assume(conjunction(compare(variable(name), "==", constant(1)) for name in done.values()))
    return operands.settled(given, {i: latest.value() for i, latest in values.items()})


def initialise(ctx: Context, of: Object, form: Initialiser) -> None:
    """Emits the initialisation of an automatic object."""
    if isinstance(form, tree.Parts):
        initial.initialise_parts(ctx, of, form, lambda given: settled_operands(ctx, given, form.order), rvalue)
    elif is_scalar(of.type) or isinstance(of.type, StructType):
        initial.initialise_whole(ctx, of, rvalue(ctx, form), form.node)
    else:
        convert(ctx, rvalue(ctx, form), of.type, form.node)
        ctx.builder.flush()


def effect(ctx: Context, form: Expression) -> None:
    """Evaluates an expression for its effects only."""
    if isinstance(form, tree.Comma):
        for part in form.parts:
            effect(ctx, part)
        return
    with ctx.at_node(form.node):
        match form:
            case tree.Assign():
                _assign(ctx, form, is_used=False)
            case tree.Step(place=place):
                _note_access(ctx, place)
                assign.step(ctx, place_of(ctx, place), form, is_used=False)
            case tree.Convert(operand=operand):
                effect(ctx, operand)
            case _:
                ctx.thread.ignored = form.node
                found = outcomes(ctx, form)
                if len(found) > 1:
                    merged(ctx, [(location, Untracked(VOID)) for location, _ in found], VOID)
                elif found and found[0][0] != ctx.builder.current:
                    ctx.builder.at(found[0][0])
        ctx.builder.flush()


def condition(ctx: Context, form: Expression, yes: int, no: int) -> None:
    """Jumps to `yes` where an expression is not zero, else to `no`; constants go straight."""
    match form:
        case tree.Not(operand=operand):
            condition(ctx, operand, no, yes)
        case tree.Logic(operator=operator):
            middle = ctx.builder.fresh()
            condition(ctx, form.left, *((middle, no) if operator == "&&" else (yes, middle)))
            ctx.builder.at(middle)
            condition(ctx, form.right, yes, no)
        case _:
            for start in _ways_of_counting(ctx, form):
                if start != ctx.builder.current:
                    ctx.builder.at(start)
                with ctx.at_node(form.node):
                    for location, value in outcomes(ctx, form):
                        if location != ctx.builder.current:
                            ctx.builder.at(location)
                        ctx.builder.branch_to(condition_of(ctx, value), yes, no)


def _ways_of_counting(ctx: Context, form: Expression) -> tuple[int, ...]:
    """Where a condition is evaluated: `n--` or `n++ < k` apart where the unsigned number goes round, which it may not.

    Elsewhere its new value then tells the old one, in which the condition is.
    """
    step = _counted(form)
    limits = None if step is None else assign.turning(ctx, place_of(ctx, step.place), step)
    ctx.builder.flush()
    return (ctx.builder.current,) if limits is None else ctx.builder.branch(limits)


def _counted(form: Expression) -> tree.Step | None:
    """The counter of a condition that compares its old value with something, or with 0."""
    match form:
        case tree.Step(place=tree.Variable(), is_postfix=True):
            return form
        case tree.Convert(operand=operand):
            return _counted(operand)
        case tree.Binary(operator="<" | "<=" | ">" | ">=" | "==" | "!=", left=left, right=right):
            return _counted(left) if not has_effects(right) else None
        case _:
            return None


def evaluate(ctx: Context, lengths: Sequence[Length]) -> None:
    """Evaluates lengths of arrays for their effects; some perhaps, as what C asks for may not be known here."""
    for item in lengths:
        if item.is_certain:
            length(ctx, item.value)
        else:
            _perhaps(ctx, item.value)


def length(ctx: Context, form: Expression) -> Number:
    """The length of an array, which sizes tell."""
    found = number(ctx, rvalue(ctx, form))
    hidden.take_apart_value(ctx, found)
    return found


def _perhaps(ctx: Context, form: Expression) -> None:
    """Evaluates an operand or not."""
    ctx.builder.flush()
    way, after = ctx.builder.fork(2)
    ctx.builder.at(way)
    length(ctx, form)
    ctx.builder.goto(after)
    ctx.builder.at(after)


def _measure(ctx: Context, form: tree.SizeOf | tree.AlignOf | tree.OffsetOf) -> Value:
    """`sizeof`, `_Alignof`, `offsetof`, with the lengths that are evaluated."""
    if isinstance(form, tree.SizeOf):
        evaluate(ctx, form.lengths)
        if form.operand is not None and has_effects(form.operand):
            _perhaps(ctx, form.operand)
    return known_measure(ctx, form)
