"""Buffers that functions such as readv and sendmsg find behind the structures that they are given.

Each is read or written up to its length. Where there may be more of them than the array or variable has in which they
are known to be, there is one check for all of these, which stays unproved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from duet.frontend.cells import gate, hidden
from duet.frontend.cells.access import inside, read, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import StructType
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Place, Value, is_null
from duet.frontend.expressions.places import pointed
from duet.frontend.models.buffers import fill, touch
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.effects import Bytes, any_result, extent_of, result_type
from duet.frontend.models.unknown import arbitrary
from duet.plip.syntax import TRUE, Formula, Guard
from duet.plip.terms import compare, constant

_MOST = 8
"""How many buffers are looked at one by one."""
_NAMED = (("msg_name", "msg_namelen"), ("msg_control", "msg_controllen"))
_SET = ("msg_namelen", "msg_controllen", "msg_flags")
"""What recvmsg sets in a message."""


def gathered(ctx: Context, call: Call) -> list[Outcome]:
    """writev: the buffers are read."""
    values = _with_vector(ctx, call)
    _touch_all(ctx, call, values[1], values[2], Touch.EXAMINE)
    return any_result(ctx, result_type(call), -1)


def scattered(ctx: Context, call: Call) -> list[Outcome]:
    """readv: the buffers hold anything."""
    values = _with_vector(ctx, call)
    if _touch_all(ctx, call, values[1], values[2], Touch.FILL):
        return any_result(ctx, result_type(call), -1)
    return answer(ctx, arbitrary(ctx, call, result_type(call), values))


def _with_vector(ctx: Context, call: Call) -> list[Value]:
    """The arguments, behind the check that there are so many buffers."""
    values = call.evaluate_all(ctx)
    touch(ctx, values[1], extent_of(values, Bytes(2 * ctx.data.pointer, (2,))), call, Touch.EXAMINE, 1)
    return values


def message(how: Touch) -> Model:
    """sendmsg and recvmsg: the buffers, the address and the control data of a message are touched."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        if not (_touch_message(ctx, call, values[1], how) or how is Touch.EXAMINE):
            return answer(ctx, arbitrary(ctx, call, result_type(call), values))
        return any_result(ctx, result_type(call), -1)

    return model


def _touch_message(ctx: Context, call: Call, pointer: Value, how: Touch) -> bool:
    """Checks what a message is made of; whether nothing else is touched."""
    for given in islice(_places(ctx, pointer), 1):
        for start, length in _NAMED:
            _touch(ctx, call, given, start, length, how)
        vector, count = (_member(ctx, given, name, call) for name in ("msg_iov", "msg_iovlen"))
        if vector is None:
            break
        is_told = _touch_all(ctx, call, vector, count, how)
        if is_told and how is Touch.FILL:
            for place in (_part(ctx, given, name) for name in _SET):
                if place is not None:
                    write(ctx, place, ctx.havoc(place.type), call.node)
        return is_told
    _touch_any(ctx, call, pointer, how)
    return False


def messages(ctx: Context, call: Call) -> list[Outcome]:
    """sendmmsg and recvmmsg: several messages, at which nobody looks."""
    values = call.evaluate_all(ctx)
    touch(ctx, values[1], None, call, Touch.FILL, 1)
    return answer(ctx, arbitrary(ctx, call, result_type(call), values))


def _touch_all(ctx: Context, call: Call, vector: Value, count: Value | None, how: Touch) -> bool:
    """Checks that all bytes of some buffers are there; whether it is known where these are."""
    if not isinstance(count, Number):
        _touch_any(ctx, call, vector, how)
        return False
    places = list(_places(ctx, vector))
    is_told = count.constant is not None and count.constant <= len(places)
    for at, place in enumerate(places):
        with _perhaps(ctx, compare(count.term, ">", constant(at))):
            is_told = _touch(ctx, call, place, "iov_base", "iov_len", how) and is_told
    if not is_told:
        with _perhaps(ctx, compare(count.term, ">", constant(len(places)))):
            _touch_any(ctx, call, vector, how)
    return is_told


def _touch_any(ctx: Context, call: Call, pointer: Value, how: Touch) -> None:
    """Touches what is somewhere behind a pointer; what is read there, and behind that, is sent."""
    touch(ctx, pointer, None, call, how, 1)
    if how is Touch.EXAMINE:
        hidden.take_apart(ctx, pointer)


@contextmanager
def _perhaps(ctx: Context, condition: Formula) -> Iterator[None]:
    """What happens only where a condition holds."""
    ctx.builder.flush()
    some, behind = ctx.builder.fork(2)
    ctx.builder.at(some)
    ctx.builder.emit(Guard(condition))
    yield
    ctx.builder.flush()
    ctx.builder.goto(behind)
    ctx.builder.at(behind)


def _touch(ctx: Context, call: Call, place: Place, start: str, length: str, how: Touch) -> bool:
    """Checks that the bytes are there that two members of a structure tell of; whether there are such members."""
    pointer, size = _member(ctx, place, start, call), _member(ctx, place, length, call)
    extent = size if isinstance(size, Number) else None
    if pointer is None:
        return False
    with _perhaps(ctx, TRUE if extent is None else compare(extent.term, "!=", constant(0))):
        if how is Touch.FILL and not _leads_nowhere(pointer):
            fill(ctx, pointer, extent, call, position=1)
        else:
            touch(ctx, pointer, extent, call, how, 1)
            if how is Touch.EXAMINE:
                hidden.take_apart(ctx, pointer)
    return True


def _leads_nowhere(pointer: Value) -> bool:
    """Whether a pointer can only be null."""
    return isinstance(pointer, Number) and pointer.origins == NOTHING


def _places(ctx: Context, pointer: Value) -> Iterator[Place]:
    """The structures from where a pointer leads on, up to the end of an array of which that is known; or none."""
    place = pointed(ctx, pointer) if isinstance(pointer, Address | Number) and not is_null(pointer) else None
    ctx.builder.flush()
    if not isinstance(place, Direct | Indirect) or not isinstance(place.type, StructType):
        return
    last = place.path[-1] if place.path else None
    if not isinstance(last, Index):
        yield gate.covered(place)
    elif last.constant is not None:
        for at in range(last.constant, min(last.length or 0, last.constant + _MOST)):
            yield gate.covered(replace(place, path=(*place.path[:-1], replace(last, term=constant(at)))))


def _member(ctx: Context, place: Place, name: str, call: Call) -> Value | None:
    """What a member of a structure holds; None where it has no such member."""
    part = _part(ctx, place, name)
    value = None if part is None else read(ctx, part, call.node)
    ctx.builder.flush()
    return value


def _part(ctx: Context, place: Place, name: str) -> Place | None:
    """A member of a structure; None where it has no such member."""
    found = ctx.memory.types.member(place.type, name) if isinstance(place.type, StructType) else None
    if found is None:
        return None
    path, kind = found
    for step in path:
        place = inside(place, step, kind)
    return place
