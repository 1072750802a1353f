"""Bodies of functions that are called: inlined with locals of their own, each return going straight on at the caller.

A function that is on the stack of calls already (recursion), or the budget for inlining being used up, gives a jump to
the one copy of its body, and a return to any of its callers: a call graph without matching of calls and returns. But
few calls that constants tell apart (`walk(3)` calls `walk(2)`) are inlined in each other.
Small functions are inlined whatever the budget (`size.is_small`): a copy costs little more, and what is allocated
through them has the size that is asked for where they are called.
*Approximates*: over; locals that a nested call may change hold any value behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from duet.errors import SourceError
from duet.frontend.bodies import recovery
from duet.frontend.bodies.automatic import object_of, stand_for
from duet.frontend.bodies.stable import is_stable
from duet.frontend.cells import interrupts, lifetimes, sharing, size, waiting
from duet.frontend.cells.access import havoc_place, read, write
from duet.frontend.cells.automatic import local_object, own_copy
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot, squeezed
from duet.frontend.cells.thread import Frame, Outcome, Sign
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.scope import Definition, Scope
from duet.frontend.ctypes.types import (
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    is_scalar,
    unmeasured,
)
from duet.frontend.ctypes.values import Direct, Number, Object, Untracked, Value, Whole, literal, type_of
from duet.frontend.expressions import expr
from duet.frontend.form.bodies import parameters
from duet.frontend.form.control import Body
from duet.frontend.graph.returns import SharedCall
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Guard
from duet.plip.terms import compare, constant

NESTED = 8
"""So many bodies of one function are inlined in one of them."""
COPIES = 64
"""So many bodies of a thread are inlined in others of their functions."""
NO_UNWINDING = "where a thread ends, nothing is called by the attribute 'cleanup', as without -fexceptions"
"""What is assumed where variables have that attribute."""


def enter(ctx: Context, definition: Definition, kind: FunctionType, values: list[Value], node: Node) -> list[Outcome]:
    """The outcomes of calling a defined function; others of the kernel may wait for its end."""
    waited_for = waiting.begin(ctx, definition.key, kind, node)
    context = interrupts.context_of(ctx, definition.key, kind) if waited_for else ""
    if context:
        interrupts.begin(ctx, context, node)
    with sharing.in_library(ctx, False):
        found = _entered(ctx, definition, kind, values, node)
    if not waited_for:
        return found
    result: list[Outcome] = []
    for location, value in found:
        ctx.builder.at(location)
        if context:
            interrupts.end(ctx, context, node)
        waiting.end(ctx, waited_for, node)
        result.append((ctx.builder.current, value))
    return result


def _entered(
    ctx: Context, definition: Definition, kind: FunctionType, values: list[Value], node: Node
) -> list[Outcome]:
    ctx.called.add(definition.key)
    if ctx.facts.by_itself and ctx.thread.frames:
        return recovery.anything(ctx, values, kind.result)
    is_nested = _is_told_apart(ctx, definition.key, values)
    found = None if is_nested else resumed(ctx, definition.key, values, node)
    if found is not None:
        return found
    ctx.thread.nested += is_nested
    is_over = size.is_shared(ctx) and not size.is_small(ctx, definition.key)
    is_shared = is_over or (definition.key in ctx.facts.refused and recovery.is_in_anything(ctx))
    # behind a jump nothing is known to lead here yet, but a label may still be jumped to
    is_live = ctx.builder.is_live
    if is_over:
        text = f"the budget for inlining is used up: calls of '{definition.name}' share a copy"
        ctx.warn_once(node, "inline-budget", f"{ctx.thread.template} {definition.key}", text)
    frame = Frame(definition.key, kind.result, definition.name, call=ctx.span(node), is_shared=is_shared)
    frame.given = _constants(values)
    first = len(ctx.builder.commands)
    before, known = ctx.scope, ctx.thread.known
    ctx.scope, ctx.thread.known = definition.scope, {}
    frame.body = _formed(ctx, definition)
    if frame.body is not None and frame.body.has_endings and ctx.options.model != "linux":
        ctx.assume(NO_UNWINDING)
    ctx.thread.frames.append(frame)
    is_bindable = not is_shared and definition.key not in ctx.facts.recursive
    bind(ctx, definition, values, node, is_bindable)
    frame.entry = ctx.builder.fresh()
    frame.caller = ctx.builder.enter(frame.entry)
    ctx.builder.at(frame.entry)
    frame.hubs = {sign: ctx.builder.fresh() for sign in signs(kind.result)}
    if frame.body is not None:
        expr.evaluate(ctx, frame.body.lengths)
    if is_scalar(kind.result) or isinstance(kind.result, StructType):
        frame.value = local_object(ctx, "return", kind.result, node)
    _body(ctx, definition, frame.body, node)
    ctx.builder.flush()
    if ctx.builder.is_live or not is_live:
        frame.returns.append((ctx.builder.current, Untracked(VoidType())))
    frame.returns = [_left(ctx, frame, outcome) for outcome in frame.returns]
    ctx.thread.frames.pop()
    ctx.scope, ctx.thread.known = before, known
    size.note_size(ctx, frame, len(ctx.builder.commands) - first)
    if is_shared:
        ctx.thread.shared_frames[definition.key] = frame
    if is_shared or definition.key in ctx.facts.recursive:
        return through_hub(ctx, frame, node)
    if ctx.thread.frames:
        ctx.thread.frame.cells.extend(frame.cells)
    live = [outcome for outcome in frame.returns if not is_live or outcome[0] in ctx.builder.reached]
    return _completed(ctx, live, frame, node)


def _is_told_apart(ctx: Context, key: str, values: Sequence[Value]) -> bool:
    """Whether a function that is being lowered is inlined again: some constant tells the call from each one around it.

    Where conditions on the constant end the recursion, the calls are those that C makes; else there are too many soon,
    which the next round of lowering finds to be a recursion like others.
    """
    around = [frame for frame in ctx.thread.frames if frame.function == key]
    is_known = key in ctx.facts.recursive or key in ctx.facts.refused or any(frame.is_shared for frame in around)
    if (
        not around
        or is_known
        or not ctx.builder.is_live
        or len(around) > NESTED
        or ctx.thread.nested >= COPIES
        or size.is_shared(ctx)
    ):
        return False
    given = _constants(values)
    return not size.is_large(ctx) and all(_differ(given, frame.given) for frame in around)


def _constants(values: Sequence[Value]) -> tuple[int | None, ...]:
    """The constants among arguments, None for others."""
    return tuple(value.constant if isinstance(value, Number) else None for value in values)


def _differ(one: Sequence[int | None], other: Sequence[int | None]) -> bool:
    """Whether two calls have different constants in one place."""
    return any(a != b for a, b in zip(one, other, strict=False) if a is not None and b is not None)


def _left(ctx: Context, frame: Frame, outcome: Outcome) -> Outcome:
    """An outcome of a function, behind the end of its memory."""
    ctx.builder.at(outcome[0])
    lifetimes.end_stacked(ctx, frame)
    return ctx.builder.current, outcome[1]


def _formed(ctx: Context, definition: Definition) -> Body | None:
    """The body of a function; None for one that is not understood."""
    try:
        found = ctx.forms.body(definition)
    except SourceError as error:
        if definition.key not in ctx.facts.refused:
            recovery.refuse(ctx, definition, error)
        return None
    for name, kind in found.declared:
        ctx.declared.prototypes.setdefault(name, kind)
    return found if definition.key not in ctx.facts.refused else None


def _body(ctx: Context, definition: Definition, body: Body | None, node: Node) -> None:
    """Lowers the body of a function; one that is not understood may do anything."""
    depth, scope = len(ctx.thread.frames), ctx.scope
    if body is not None:
        try:
            ctx.hooks.statement(ctx, body.block)
        except SourceError as error:
            # This round is not the last one then, so what it has built of the body does not matter.
            recovery.refuse(ctx, definition, error)
            del ctx.thread.frames[depth:]
            ctx.scope, ctx.thread.known, ctx.builder.deferred = scope, {}, None
        else:
            return
    value = recovery.do_anything(ctx, definition, ctx.thread.frame.result, node)
    ctx.builder.flush()
    ctx.thread.frame.returns.append((ctx.builder.current, value))
    ctx.builder.dead()


def _completed(ctx: Context, found: list[Outcome], frame: Frame, node: Node) -> list[Outcome]:
    """The outcomes with a value where a function ends without one; one that is never reached if there is none.

    A structure that may be one of several is copied.
    """
    kind = frame.result
    if not found:
        ctx.builder.dead()
        return [(ctx.builder.current, literal(0, kind) if is_scalar(kind) else _structure(frame))]
    are_copied = isinstance(kind, StructType) and any(value != found[0][1] for _, value in found)
    result: list[Outcome] = []
    for location, value in found:
        ctx.builder.at(location)
        if are_copied:
            _give(ctx, frame, value, node)
            value = _structure(frame)
        elif is_scalar(kind) and isinstance(value, Untracked):
            value = ctx.havoc(kind)
        result.append((ctx.builder.current, value))
    if len(result) == 1:
        return result
    return squeezed(ctx, result, kind)


def _structure(frame: Frame) -> Value:
    """The structure that a function has given, if it gives one."""
    if frame.value is None or not isinstance(frame.result, StructType):
        return Untracked(frame.result)
    return Whole(Direct(frame.value, (), frame.result), frame.result)


def _give(ctx: Context, frame: Frame, value: Value, node: Node) -> None:
    """Writes the result of a function to the object for it; where there is none, nobody uses it (C11 6.9.1p12)."""
    assert frame.value is not None
    place = Direct(frame.value, (), frame.value.type)
    if isinstance(type_of(value), VoidType):
        havoc_place(ctx, place, NOTHING)
    else:
        write(ctx, place, value, node)
    ctx.builder.flush()


def through_hub(ctx: Context, frame: Frame, node: Node) -> list[Outcome]:
    """The outcomes of a call whose returns all go through few locations, from where any caller may go on.

    There is one for each sign that a number, or a pointer, may have: what was done where a function fails is told apart
    from what it has done else, for callers that ask.
    """
    assert frame.caller is not None
    if ctx.thread.frames:
        ctx.thread.frame.cells.extend(frame.cells)
    for location, value in frame.returns:
        ctx.builder.at(location)
        is_any = is_scalar(frame.result) and isinstance(value, Untracked)
        found = ctx.havoc(frame.result) if is_any else value
        _leave(ctx, frame, found if Sign.ANY in frame.hubs else snapshot(ctx, number(ctx, found)), node)
    return _come_back(ctx, frame, frame.caller, node, is_resumed=False)


def _leave(ctx: Context, frame: Frame, found: Value, node: Node) -> None:
    """Goes to the ends of a shared body that fit a result."""
    ctx.builder.flush()
    fitting = [sign for sign in frame.hubs if _may_have(found, sign)]
    for sign in fitting:
        other = None
        if sign is not fitting[-1] and isinstance(found, Number):
            is_less = sign is Sign.NEGATIVE
            fits, other = ctx.builder.branch(compare(found.term, "<" if is_less else "==", constant(0)))
            ctx.builder.at(fits)
        if frame.value is not None:
            _give(ctx, frame, found, node)
        frame.left.add(sign)
        ctx.builder.goto(frame.hubs[sign])
        if other is not None:
            ctx.builder.at(other)


def _come_back(ctx: Context, frame: Frame, caller: int, node: Node, is_resumed: bool) -> list[Outcome]:
    """The outcomes of a call that is made at a location: one for each end of the body that may be reached, or any.

    If it `is_resumed` the body was there before, or is being lowered.
    """
    assert frame.entry is not None
    outcomes: list[Outcome] = []
    for sign in [sign for sign in frame.hubs if sign in frame.left or not frame.left]:
        call = SharedCall(caller, frame.entry, frame.hubs[sign], ctx.builder.fresh())
        if is_resumed:
            ctx.builder.mark(call.back)
        ctx.builder.come_back(call)
        if is_resumed:
            ctx.open_gap(frame, is_return=True)
        result = _result(ctx, frame, sign, node)
        outcomes.append((ctx.builder.current, result))
    return outcomes


def signs(kind: CType) -> tuple[Sign, ...]:
    """What is told apart of results of a type, the last one being what is left of the others."""
    match kind:
        case PointerType():
            return (Sign.ZERO, Sign.POSITIVE)
        case IntType(signed=is_signed):
            return (Sign.NEGATIVE, Sign.ZERO, Sign.POSITIVE) if is_signed else (Sign.ZERO, Sign.POSITIVE)
        case _:
            return (Sign.ANY,)


def _may_have(value: Value, sign: Sign) -> bool:
    """Whether a value may have a sign."""
    match sign, value:
        case Sign.NEGATIVE, Number(lo=lo):
            return lo < 0
        case Sign.ZERO, Number(lo=lo, hi=hi):
            return lo <= 0 <= hi
        case Sign.POSITIVE, Number(hi=hi):
            return hi > 0
        case _:
            return True


def _result(ctx: Context, frame: Frame, sign: Sign, node: Node) -> Value:
    """What a shared body has given, that has a sign."""
    if not is_scalar(frame.result):
        return own_copy(ctx, _structure(frame), "result", node)
    if sign is Sign.ZERO:
        return literal(0, frame.result)
    assert frame.value is not None
    found = snapshot(ctx, number(ctx, read(ctx, Direct(frame.value, (), frame.value.type), node)))
    if not isinstance(found, Number) or sign is Sign.ANY:
        return found
    ctx.builder.flush()
    is_less = sign is Sign.NEGATIVE
    is_left = ">" if Sign.NEGATIVE in frame.hubs else "!="  # a null pointer moved to the front is none
    ctx.builder.emit(Guard(compare(found.term, "<" if is_less else is_left, constant(0))))
    return replace(found, hi=min(found.hi, -1)) if is_less else replace(found, lo=max(found.lo, 1))


def shared(
    ctx: Context,
    name: str,
    values: Sequence[Value],
    kind: CType,
    node: Node,
    body: Callable[[list[Value]], list[Outcome]],
) -> list[Outcome]:
    """The outcomes of unknown code that is there once in a template, like a body that calls share.

    It is lowered where it is met first, with what it is given then and later. *Requires*: the `name` tells what it does
    and the types of the values.
    """
    given = list(values)
    found = resumed(ctx, name, given, node)
    if found is not None:
        return found
    frame = Frame(name, kind, "unknown code", call=ctx.span(node), is_shared=True)
    known, ctx.thread.known = ctx.thread.known, {}
    ctx.thread.frames.append(frame)
    frame.parameters = tuple(local_object(ctx, "given", type_of(value), node) for value in given)
    parts = [Direct(of, (), of.type) for of in frame.parameters]
    for part, value in zip(parts, given, strict=True):
        ctx.memory.given.add(part.object.key)
        write(ctx, part, value, node)
    ctx.builder.flush()
    frame.entry, frame.hubs = ctx.builder.fresh(), {Sign.ANY: ctx.builder.fresh()}
    frame.caller = ctx.builder.enter(frame.entry)
    ctx.builder.at(frame.entry)
    if is_scalar(kind) or isinstance(kind, StructType):
        frame.value = local_object(ctx, "return", kind, node)
    frame.returns = body([snapshot(ctx, read(ctx, part, node)) for part in parts])
    ctx.thread.frames.pop()
    ctx.thread.known = known
    ctx.thread.shared_frames[name] = frame
    return through_hub(ctx, frame, node)


def resumed(ctx: Context, key: str, values: list[Value], node: Node) -> list[Outcome] | None:
    """The outcomes of a call whose body is there already, being lowered or shared; None if it is not."""
    active = next((frame for frame in ctx.thread.frames if frame.function == key), None)
    if active is not None:
        return resume(ctx, active, values, node, is_recursion=True)
    shared = ctx.thread.shared_frames.get(key)
    return None if shared is None else resume(ctx, shared, values, node, is_recursion=False)


def resume(ctx: Context, frame: Frame, values: list[Value], node: Node, is_recursion: bool) -> list[Outcome]:
    """A call of a function whose body is there already: a jump to it and back."""
    if is_recursion:
        inner = tuple(part.function for part in ctx.thread.frames[ctx.thread.frames.index(frame) :])
        if not ctx.builder.is_live and frame.function not in ctx.facts.recursive:  # `recursion` looks at it again
            ctx.builder.flush()
            ctx.thread.unreached.append((ctx.builder.current, inner))
            return _completed(ctx, [], frame, node)
        ctx.warn(node, "recursion", f"'{frame.prefix}' is recursive: calls and returns are not matched")
        ctx.facts.recursive.add(*inner)
    kept = [snapshot(ctx, value) for value in values]
    ctx.open_gap(frame, is_return=False)
    for place, parameter in enumerate(frame.parameters):
        target = Direct(parameter, (), parameter.type)
        if place < len(kept):
            write(ctx, target, kept[place], node)
        else:
            havoc_place(ctx, target)
    assert frame.entry is not None
    return _come_back(ctx, frame, ctx.builder.enter(frame.entry), node, is_resumed=True)


def bind(ctx: Context, definition: Definition, values: list[Value], node: Node, is_bindable: bool) -> None:
    """Declares the parameters: a value that stays as it is stands for its parameter, others are copied."""
    objects: list[Object] = []
    body = ctx.thread.frame.body
    types = ctx.memory.types
    given = body.parameters if body is not None else parameters(types, definition, Scope(definition.scope))
    for place, parameter in enumerate(given):
        value = values[place] if place < len(values) else None
        local, kind = parameter.local, unmeasured(parameter.type)
        if local is None:
            continue
        is_kept = is_bindable and body is not None and local not in body.changed
        if value is not None and is_kept and is_stable(ctx, value, kind):
            stand_for(ctx, local, value, value)
            continue
        of = object_of(ctx, local, kind)
        ctx.memory.given.add(of.key)
        objects.append(of)
        target = Direct(of, (), kind)
        if value is None:
            havoc_place(ctx, target)
        else:
            write(ctx, target, value, node)
        ctx.builder.flush()
    ctx.thread.frame.parameters = tuple(objects)
