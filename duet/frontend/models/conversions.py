"""Functions that move pointers on, which they are given the addresses of, over what they have read or written there."""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells import gate, hidden, texts
from duet.frontend.cells.access import read, write
from duet.frontend.cells.arithmetic import binary
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import addresses
from duet.frontend.ctypes.types import INT, IntType, PointerType
from duet.frontend.ctypes.values import Number, Place, is_null, literal
from duet.frontend.models import posix
from duet.frontend.models.buffers import change_text, fill, touch
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.effects import Bytes, any_result, extent_of, result_type, size_of
from duet.frontend.models.strings import into, is_never_null
from duet.frontend.models.unknown import arbitrary
from duet.plip.terms import compare, constant


def converted(ctx: Context, call: Call) -> list[Outcome]:
    """iconv: at most so many bytes are read and written as two numbers say, which tell what is left. Null begins anew.

    *Source*: POSIX.1-2017, iconv.
    """
    values = call.evaluate_all(ctx)
    for start, count, how in ((1, 2, Touch.EXAMINE), (3, 4, Touch.FILL)):
        if is_null(values[start]):
            continue
        touch(ctx, values[count], literal(ctx.data.size.size), call, Touch.EXAMINE, count)
        place, left = call.target(ctx, start), call.target(ctx, count)
        if not isinstance(place.type, PointerType) or not isinstance(left.type, IntType):
            return answer(ctx, arbitrary(ctx, call, result_type(call), values))
        pointer, most = _held(ctx, call, place), _held(ctx, call, left)
        _use(ctx, call, pointer, most, how, start)
        ((location, used),) = any_result(ctx, left.type, 0, most)
        ctx.builder.at(location)
        there, after = ctx.builder.branch(compare(pointer.term, "!=", constant(0)))
        ctx.builder.at(there)
        write(ctx, place, binary(ctx, "+", pointer, used, call.node), call.node)
        write(ctx, left, binary(ctx, "-", most, used, call.node), call.node)
        ctx.builder.goto(after)
        ctx.builder.at(after)
    return any_result(ctx, result_type(call))


def restarted(unit: int, count: int, limit: Bytes | None = None) -> Model:
    """mbsrtowcs and the like: the string behind a pointer is converted to so many units behind the first argument.

    The argument at `count` says how many at most. The pointer is moved on, or null at the end of the string; it stays
    where nothing is written. No more than `limit` is read of the string. Other arguments are the last one, which may
    be null: the state. *Source*: C11 7.29.6.4, POSIX.1-2017.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        place = call.target(ctx, 1)
        if not isinstance(place.type, PointerType):
            return answer(ctx, arbitrary(ctx, call, result_type(call), values))
        pointer = _held(ctx, call, place)
        if limit is None:
            gate.text(ctx, pointer, None, call.node, call.argument_node(1))
            _note_read(ctx, call, pointer)
        else:
            _use(ctx, call, pointer, extent_of(values, limit), Touch.EXAMINE, 1)
        state = len(values) - 1
        if not is_null(values[state]):
            fill(ctx, values[state], size_of(ctx, values[state]), call, position=state)
        if not is_null(values[0]):
            fill(ctx, values[0], extent_of(values, Bytes(unit, (count,))), call, position=0)
            _move(ctx, call, place, pointer, may_be_none=True)
        return any_result(ctx, result_type(call))

    return model


def suboption(ctx: Context, call: Call) -> list[Outcome]:
    """getsubopt: ends a piece of the string behind the first argument, and moves on behind it.

    Behind the last argument is null, or where in it a value begins. *Source*: POSIX.1-2017, getsubopt.
    """
    values = call.evaluate_all(ctx)
    place, found = call.target(ctx, 0), call.target(ctx, 2)
    if not (isinstance(place.type, PointerType) and isinstance(found.type, PointerType)):
        return answer(ctx, arbitrary(ctx, call, result_type(call), values))
    pointer = _held(ctx, call, place)
    gate.text(ctx, pointer, None, call.node, call.argument_node(0))
    _note_read(ctx, call, pointer)
    posix.note_lists(ctx, call, values[1:2])
    if addresses(pointer.origins):
        with texts.kept(ctx):
            change_text(ctx, pointer, call)
    _move(ctx, call, place, pointer, length=0)
    _move(ctx, call, found, pointer, may_be_none=True, length=0)
    return any_result(ctx, INT, -1)


def piece(ctx: Context, call: Call) -> list[Outcome]:
    """wcstok: it may change all of the string, also of the one that is kept behind the last argument."""
    values = call.evaluate_all(ctx)
    place = call.target(ctx, 2)
    if not is_never_null(values[0]) and isinstance(place.type, PointerType):
        gate.text(ctx, _held(ctx, call, place), None, call.node, call.argument_node(2), is_optional=True)
    return answer(ctx, arbitrary(ctx, call, result_type(call), values))


def _held(ctx: Context, call: Call, place: Place) -> Number:
    """What is somewhere before the call."""
    found = snapshot(ctx, number(ctx, read(ctx, place, call.node)))
    ctx.builder.flush()
    assert isinstance(found, Number)
    return found


def _use(ctx: Context, call: Call, pointer: Number, extent: Number | None, how: Touch, position: int) -> None:
    if how is Touch.FILL:
        fill(ctx, pointer, extent, call, position=position)
    else:
        touch(ctx, pointer, extent, call, how, position)
        _note_read(ctx, call, pointer)


def _note_read(ctx: Context, call: Call, pointer: Number) -> None:
    gate.around(ctx, pointer.origins, Touch.EXAMINE, call.node)
    hidden.take_apart(ctx, pointer)


def _move(
    ctx: Context, call: Call, place: Place, pointer: Number, may_be_none: bool = False, length: int | None = None
) -> None:
    """Lets a place lead to where a pointer leads, or behind that, or nowhere; where the pointer is null it stays."""
    there, after = ctx.builder.branch(compare(pointer.term, "!=", constant(0)))
    ctx.builder.at(there)
    for location, value in into(ctx, replace(pointer, lo=max(pointer.lo, 1)), may_be_none, least=0, length=length):
        ctx.builder.at(location)
        write(ctx, place, value, call.node)
        ctx.builder.goto(after)
    ctx.builder.at(after)
