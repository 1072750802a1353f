"""Arguments that may be null, and the call is made: it is told apart by whether they are.

Otherwise the model would take what it does behind the pointer for done, and the pointer for one that is not null.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import Description
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import INT, VA_LIST, PointerType, is_scalar
from duet.frontend.ctypes.values import Address, Indirect, Number, Untracked, Value, literal
from duet.frontend.expressions.operands import evaluated
from duet.frontend.form.tree import Expression
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.effects import Effect
from duet.frontend.models.record import LibraryFunction
from duet.frontend.models.unknown import known_to, origins_of
from duet.plip.terms import compare, constant


def told_apart(known: LibraryFunction, model: Model) -> Model:
    """The model of a function of which some arguments may be null, as that has a meaning, or as it comes back then.

    All ways are told apart, as one pointer may be given twice. Models that are more than an effect may not know what is
    done at null that has no meaning, so besides the function may come back with any result, and nothing changed.
    """
    is_effect = isinstance(known.body, Effect)

    def told(ctx: Context, call: Call) -> list[Outcome]:
        asked = (*known.may_be_null, *_asked(ctx, call, known))
        if not asked:
            return model(ctx, call)
        given = [call.given(ctx, position) for position in range(len(call.arguments))]
        return _split(ctx, call, given, asked)

    def _split(ctx: Context, call: Call, given: list[Value], left: Sequence[int]) -> list[Outcome]:
        if not left and is_effect and given == [call.given(ctx, position) for position in range(len(given))]:
            return model(ctx, call)
        if not left:
            return model(ctx, replace(call, arguments=_written(call, given)))
        position, *rest = left
        pointer = _plain(ctx, given[position]) if position < len(given) else None
        if not isinstance(pointer, Number) or not pointer.lo <= 0 <= pointer.hi:
            return _split(ctx, call, given, rest)
        has_meaning = position in known.may_be_null
        if pointer.hi == 0 and (has_meaning or is_effect):
            return _split(ctx, call, given, rest)
        ctx.builder.flush()
        null = literal(0, pointer.type)
        outcomes: list[Outcome] = []
        if not has_meaning and not is_effect:  # the model says that null fails here, once
            checked, refused = ctx.builder.fork(2)
            ctx.builder.at(refused)
            ctx.builder.assume(compare(pointer.term, "==", constant(0)))
            outcomes += _refused(ctx, call, _with(given, position, null), rest)
            ctx.builder.at(checked)
            return outcomes + _split(ctx, call, given, rest)
        there, missing = ctx.builder.branch(compare(pointer.term, "!=", constant(0)))
        ctx.builder.at(there)
        outcomes += _split(ctx, call, _with(given, position, replace(pointer, lo=1) if has_meaning else pointer), rest)
        ctx.builder.at(missing)
        outcomes += _split(ctx, call, _with(given, position, null), rest)
        return outcomes

    return told


def _asked(ctx: Context, call: Call, known: Description) -> list[int]:
    """The parameters that are pointers for which null has no meaning that is known, and is no crash."""
    if not ctx.wants("null-dereference") or call.kind is None or ctx.options.model == "linux":
        return []
    kinds = enumerate(call.kind.parameters or ())
    settled = {*known.may_be_null, *known.passed}
    # glibc declares addresses of sockets as a union that a pointer of any kind of them may be given for
    pointers = {
        position
        for position, kind in kinds
        if kind != VA_LIST and (isinstance(kind, PointerType) or not is_scalar(kind))
    }
    found = sorted(pointers - settled)
    return [position for position in found if not call.crashes(ctx, position)]


def _refused(ctx: Context, call: Call, given: list[Value], left: Sequence[int]) -> list[Outcome]:
    """That a function comes back from null, with any result, and has changed nothing; of those left any may be null."""
    for place, position in enumerate(left):
        pointer = _plain(ctx, given[position]) if position < len(given) else None
        if isinstance(pointer, Number) and pointer.lo <= 0 < pointer.hi:
            there, missing = ctx.builder.branch(compare(pointer.term, "!=", constant(0)))
            ctx.builder.at(there)
            outcomes = _refused(ctx, call, _with(given, position, replace(pointer, lo=1)), left[place + 1 :])
            ctx.builder.at(missing)
            null = literal(0, pointer.type)
            return outcomes + _refused(ctx, call, _with(given, position, null), left[place + 1 :])
    call = replace(call, arguments=_written(call, given))
    kind = call.kind.result if call.kind is not None else INT
    values = call.evaluate_all(ctx)
    if not is_scalar(kind):
        return answer(ctx, Untracked(kind))
    leads = NOTHING.union(known_to(ctx, call), *(origins_of(ctx, value) for value in values))
    return answer(ctx, ctx.havoc(kind, leads if isinstance(kind, PointerType) else NOTHING))


def _written(call: Call, given: Sequence[Value]) -> list[Expression]:
    """Arguments that have been evaluated, as those of a call."""
    return list(map(evaluated, given, (argument.node for argument in call.arguments)))


def _with(given: list[Value], position: int, value: Value) -> list[Value]:
    return [*given[:position], value, *given[position + 1 :]]


def _plain(ctx: Context, value: Value) -> Value:
    """A pointer as a number where it may be null: `&*p` is `p`."""
    is_followed = isinstance(value, Address) and isinstance(value.place, Indirect)
    return number(ctx, value) if is_followed else value
