"""Functions of the C library that are described by what they write behind pointers and what they return."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from duet.frontend.cells.access import read, write
from duet.frontend.cells.callees import callees_of
from duet.frontend.cells.context import Context, Outcome
from duet.frontend.cells.convert import number
from duet.frontend.cells.escapes import reachable
from duet.frontend.cells.gate import Touch
from duet.frontend.ctypes.types import (
    INT,
    LONG,
    ULONG,
    VOID,
    VOID_POINTER,
    CType,
    PointerType,
    VoidType,
    is_scalar,
    value_range,
)
from duet.frontend.ctypes.values import (
    EXTERNAL,
    Address,
    Number,
    Place,
    Temporary,
    Untracked,
    Value,
    addresses,
    is_null,
    literal,
    of_term,
)
from duet.frontend.models.buffers import change_text, copy, fill, fill_text, set_bytes, touch
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.heap import new_text
from duet.frontend.models.strings import count_written, into, known_text
from duet.plip.syntax import Havoc
from duet.plip.terms import scale, variable

_WIDE = re.compile(r"l[sc\[]|[SC]")
"""What in a format of scanf may stand for characters of type `wchar_t`."""
POINTED, UNKNOWN_SIZE = -1, -2
"""Instead of an argument that counts bytes: one object of the type that is pointed to, or nobody knows how much."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """A number of bytes, times the arguments at some positions."""

    number: int
    positions: tuple[int, ...] = ()


Amount: TypeAlias = int | Bytes
"""How much is read or written: an argument, or one of the above."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Which arguments point to what is written, and to what is read, each with how much, and the result.

    The result is any value of its type from `low` on; a pointer is null or leads out of the program.
    """

    writes: tuple[tuple[int, Amount], ...] = ()
    low: int | None = None
    at_most: int | None = None
    reads: tuple[tuple[int, Amount], ...] = ()

    def model(self, ctx: Context, call: Call) -> list[Outcome]:
        """Lowers a call of a function that has this effect."""
        values = call.evaluate_all(ctx)
        for source, amount in self.reads:
            if source < len(values):
                touch(ctx, values[source], extent_of(values, amount), call, Touch.EXAMINE, source)
        for target, amount in self.writes:
            if target < len(values):
                size = size_of(ctx, values[target]) if amount == POINTED else extent_of(values, amount)
                fill(ctx, values[target], size, call, position=target)
        most = _constant(values, self.at_most) if self.at_most is not None else None
        return _result(ctx, result_type(call), self.low, most)


def result_type(call: Call) -> CType:
    """The type of what a function returns, as it is declared."""
    return call.kind.result if call.kind is not None else INT


def _constant(values: list[Value], place: int) -> int | None:
    value = values[place] if 0 <= place < len(values) else None
    return value.constant if isinstance(value, Number) else None


def extent_of(values: list[Value], amount: Amount) -> Number | None:
    """How many bytes an amount is; None where that is not known, or no linear term."""
    known, positions = (amount.number, amount.positions) if isinstance(amount, Bytes) else (1, (amount,))
    size = literal(known, ULONG)
    for place in positions:
        value = values[place] if 0 <= place < len(values) else None
        if not isinstance(value, Number):
            return None
        factor, term = (size.constant, value) if size.constant is not None else (value.constant, size)
        if factor is None:
            return None
        size = of_term(scale(term.term, factor), ULONG, term.lo * factor, term.hi * factor)
    return size


def size_of(ctx: Context, value: Value) -> int | None:
    """The size of what a pointer to a variable points to; None for a `void *`, which does not tell."""
    target = value.type.target if isinstance(value.type, PointerType) else VOID
    return None if isinstance(target, VoidType) else ctx.memory.types.size(target)


def _result(ctx: Context, kind: CType, low: int | None, most: int | None) -> list[Outcome]:
    if isinstance(kind, PointerType):
        ctx.builder.flush()
        found, failed = ctx.builder.fork(2)
        ctx.builder.at(found)
        name, top = ctx.temporary(kind), value_range(kind)[1]
        ctx.builder.emit(Havoc(name, 1, top))
        pointer = Number(variable(name), kind, 1, top, frozenset((EXTERNAL,)))
        return [(ctx.builder.current, pointer), (failed, literal(0, kind))]
    if not is_scalar(kind):
        return answer(ctx, Untracked(kind))
    first, last = value_range(kind)
    first = first if low is None else max(first, low)
    last = last if most is None or most < 0 else min(last, most)
    name = ctx.temporary(kind)
    ctx.builder.emit(Havoc(name, first, last))
    return answer(ctx, of_term(variable(name), kind, first, last))


def set_memory(ctx: Context, call: Call) -> list[Outcome]:
    """memset."""
    target, byte, count = call.value(ctx, 0), call.value(ctx, 1), call.number(ctx, 2)
    set_bytes(ctx, target, byte, count, call)
    return answer(ctx, target)


def clear_memory(ctx: Context, call: Call) -> list[Outcome]:
    """bzero."""
    target, count = call.value(ctx, 0), call.number(ctx, 1)
    set_bytes(ctx, target, literal(0), count, call)
    return answer(ctx, Untracked(INT))


def copy_memory(ctx: Context, call: Call) -> list[Outcome]:
    """memcpy, memmove."""
    target, source, count = call.value(ctx, 0), call.value(ctx, 1), call.number(ctx, 2)
    origins = reachable(ctx, number(ctx, source).origins) if isinstance(source, Address | Number) else frozenset()
    copy(ctx, target, source, count, call, origins)
    return answer(ctx, target)


def converted(ctx: Context, call: Call) -> list[Outcome]:
    """strtol and the like: any number, and where it ends behind the second argument."""
    text, end = call.value(ctx, 0), call.value(ctx, 1)
    call.value(ctx, 2)
    if not is_null(end):
        _point_into(ctx, call, 1, text)
    return _result(ctx, result_type(call), None, None)


def _point_into(ctx: Context, call: Call, position: int, text: Value) -> None:
    ((location, pointer),) = into(ctx, text, may_fail=False)
    ctx.builder.at(location)
    write(ctx, call.target(ctx, position), pointer, call.node)
    ctx.builder.flush()


def line(ctx: Context, call: Call) -> list[Outcome]:
    """getline: a new or a reused buffer with any characters behind the first argument, its size behind the second."""
    for place in range(2, len(call.arguments)):
        call.value(ctx, place)
    target = call.target(ctx, 0)
    new, old = ctx.builder.fork(2)
    ctx.builder.at(new)
    new_text(ctx, call, 0)
    ctx.builder.goto(old)
    ctx.builder.at(old)
    buffer = read(ctx, target, call.node)
    if isinstance(buffer, Number) and addresses(buffer.origins):
        ctx.builder.flush()
        change_text(ctx, buffer, call)
    size = call.target(ctx, 1)
    if is_scalar(size.type):
        write(ctx, size, ctx.havoc(size.type), call.node)
        ctx.builder.flush()
    return _result(ctx, LONG, -1, None)


def printed(ctx: Context, call: Call) -> list[Outcome]:
    """printf: its arguments are read; where the format has %n, or is not known, a number may be written."""
    values = call.evaluate_all(ctx)
    place = 1 if call.name in ("fprintf", "dprintf", "vfprintf", "syslog") else 0
    codes = known_text(ctx, values[place]) if place < len(values) else None
    count_written(ctx, call, values[place + 1 :], codes)
    return answer(ctx, ctx.havoc(INT))


def scanned(ctx: Context, call: Call) -> list[Outcome]:
    """scanf: everything behind the arguments after the format holds anything."""
    values = call.evaluate_all(ctx)
    first = 1 if call.name == "scanf" else 2
    codes = known_text(ctx, values[first - 1]) if len(values) >= first else None
    is_wide = codes is None or bool(_WIDE.search("".join(chr(code % 256) for code in codes)))
    for value in values[first:]:
        if isinstance(value, Address | Number) and isinstance(value.type, PointerType):
            if ctx.memory.types.size(value.type.target) == 1:
                fill_text(ctx, value, call)
            else:
                may_be_text = is_wide and value.type.target == INT
                fill(ctx, value, None if may_be_text else size_of(ctx, value), call)
    return _result(ctx, INT, -1, None)


def sorted_in_place(ctx: Context, call: Call) -> list[Outcome]:
    """qsort: the function compares any two elements, any number of times, while the elements hold anything."""
    values = call.evaluate_all(ctx)
    fill(ctx, values[0], extent_of(values, Bytes(1, (1, 2))), call)
    _compare(ctx, call, values, 3, (values[0], values[0]))
    return answer(ctx, Untracked(INT))


def searched(ctx: Context, call: Call) -> list[Outcome]:
    """bsearch: null, or a pointer to one of the elements that the function compared the key with."""
    values = call.evaluate_all(ctx)
    _compare(ctx, call, values, 4, (values[0], values[1]))
    return into(ctx, values[1])


def _compare(ctx: Context, call: Call, values: list[Value], place: int, given: tuple[Value, Value]) -> None:
    """Calls a comparing function with pointers into two objects, any number of times."""
    function = number(ctx, values[place])
    ctx.builder.flush()
    head = ctx.builder.fresh()
    ctx.builder.goto(head)
    ctx.builder.at(head)
    names, _ = callees_of(ctx, function, call.node, None)
    *ways, after = ctx.builder.fork(len(names) + 1)
    for name, way in zip(names, ways, strict=True):
        ctx.builder.at(way)
        arguments: list[Value] = []
        for value in given:
            ((location, pointer),) = into(ctx, value, may_fail=False)
            ctx.builder.at(location)
            arguments.append(pointer)
        ctx.hooks.run(ctx, name, arguments, call.node)
        ctx.builder.goto(head)
    ctx.builder.at(after)


def split(ctx: Context, call: Call) -> list[Outcome]:
    """strtok_r, strsep: a piece of a string that was given or is kept behind the last argument."""
    is_kept = call.name == "strsep"
    text = literal(0, VOID_POINTER) if is_kept else call.value(ctx, 0)
    call.value(ctx, 1)
    position = 0 if is_kept else 2
    state: Place = call.target(ctx, position)
    if isinstance(state, Temporary):
        return into(ctx, text)
    kept = number(ctx, read(ctx, state, call.node))
    ctx.builder.flush()
    origins = kept.origins | (number(ctx, text).origins if not is_null(text) else frozenset())
    name, top = ctx.temporary(VOID_POINTER), value_range(VOID_POINTER)[1]
    ctx.builder.emit(Havoc(name, 0, top))
    both = Number(variable(name), VOID_POINTER, 0, top, origins)
    if addresses(origins):
        change_text(ctx, both, call)
    ((location, pointer),) = into(ctx, both, may_fail=False)
    ctx.builder.at(location)
    write(ctx, state, pointer, call.node)
    ctx.builder.flush()
    return into(ctx, both)


def effect(
    *writes: tuple[int, Amount],
    low: int | None = None,
    at_most: int | None = None,
    reads: tuple[tuple[int, Amount], ...] = (),
) -> Model:
    """The model of a function that writes behind some arguments and returns any value from `low` on."""
    return Effect(writes, low, at_most, reads).model
