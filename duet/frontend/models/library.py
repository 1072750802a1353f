"""Functions of the C library that are described by what they write behind pointers and what they return."""

from __future__ import annotations

import re
from dataclasses import replace

from duet.frontend.cells import gate, texts
from duet.frontend.cells.access import read, spoil, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.escapes import reachable
from duet.frontend.cells.targets import is_wild
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, Origins, addresses, may_be_any
from duet.frontend.ctypes.types import ADDRESS, INT, VOID_POINTER, FunctionType, PointerType, is_scalar
from duet.frontend.ctypes.values import (
    Address,
    Number,
    Place,
    Temporary,
    Untracked,
    Value,
    is_null,
    literal,
    of_term,
    type_of,
)
from duet.frontend.expressions.places import pointed
from duet.frontend.models.buffers import change_text, copy, fill, fill_text, set_bytes
from duet.frontend.models.call import Call, Model, answer, never
from duet.frontend.models.effects import any_result, result_type, size_of
from duet.frontend.models.heap import new_text
from duet.frontend.models.overwriting import is_in_front_of_end
from duet.frontend.models.strings import count_written, into, is_never_null, known_formats
from duet.frontend.models.unknown import arbitrary, clobber, origins_of
from duet.plip.syntax import Assign
from duet.plip.terms import compare, constant, scale, variable

_WIDE = re.compile(r"%[^%A-Za-z\[]*[hlqjztLmaI]*(?:l[mI]*[sc\[]|[SC])")
"""What in a format of scanf, without each `%%`, may stand for characters of type `wchar_t`."""
_CONVERSION = re.compile(
    r"%(?:%|(?P<skipped>\*)?\d*(?:(?P<new>m(?=[s[]))?|hh?|ll?|[jztLq])(?:[diouxXaAeEfFgGcsp]|\[\^?\]?[^]]*\]))"
)
"""A conversion of scanf that stores one value, or none; `new` marks a string that it allocates, of `char`."""
_NUMBER = re.compile(
    r"%(?:%|(?P<skipped>\*)?(?P<width>\d*)(?P<length>hh?|ll?|[jztLqm])?(?P<kind>\[\^?\]?[^]]*\]|.))", re.DOTALL
)
"""The same, also of one that nobody knows: its length and what it stores."""
_PLAIN = "diouxXnaAeEfFgGcs["
"""Conversions of scanf that store numbers and characters."""
_BASES = frozenset((0, *range(2, 37)))
"""The bases of strtol: with another one it does nothing."""


def set_memory(ctx: Context, call: Call) -> list[Outcome]:
    """memset."""
    target, byte, count = call.value(ctx, 0), call.value(ctx, 1), call.number(ctx, 2)
    with texts.kept(ctx, is_in_front_of_end(ctx, call, target), are_nulls=False):
        set_bytes(ctx, target, byte, count, call)
    return answer(ctx, target)


def clear_memory(ctx: Context, call: Call) -> list[Outcome]:
    """bzero."""
    target, count = call.value(ctx, 0), call.number(ctx, 1)
    set_bytes(ctx, target, literal(0), count, call)
    return answer(ctx, Untracked(INT))


def copies(unit: int) -> Model:
    """memcpy, memmove; wmemcpy and wmemmove, which count units of several bytes."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        target, source, count = call.value(ctx, 0), call.value(ctx, 1), call.number(ctx, 2)
        is_told = isinstance(source, Address | Number)
        origins = reachable(ctx, number(ctx, source).origins) if is_told else UNKNOWN_POINTER
        size = of_term(scale(count.term, unit), ADDRESS, count.lo * unit, count.hi * unit)
        copy(ctx, target, source, size, call, origins)
        return answer(ctx, target)

    return model


def copies_back(ctx: Context, call: Call) -> list[Outcome]:
    """bcopy: memmove from the first argument to the second one."""
    source, target, *rest = call.arguments
    moved = replace(call, name="memmove", arguments=[target, source, *rest], kind=_with_target_first(call.kind))
    return copies(1)(ctx, moved)


def _with_target_first(kind: FunctionType | None) -> FunctionType | None:
    if kind is None or kind.parameters is None:
        return kind
    source, target, *rest = kind.parameters
    return replace(kind, parameters=(target, source, *rest))


def converted(ctx: Context, call: Call) -> list[Outcome]:
    """strtol and the like: any number, and where it ends behind the second argument, unless the base is none."""
    text, end = call.value(ctx, 0), call.value(ctx, 1)
    base = call.number(ctx, 2) if len(call.arguments) > 2 else literal(0)
    if not is_null(end):
        refused = [] if base.constant in _BASES else ctx.builder.fork(2)
        if refused:
            ctx.builder.at(refused[0])
        _point_into(ctx, call, 1, text)
        if refused:
            ctx.builder.goto(refused[1])
            ctx.builder.at(refused[1])
    return any_result(ctx, result_type(call))


def _point_into(ctx: Context, call: Call, position: int, text: Value) -> None:
    ((location, pointer),) = into(ctx, text, may_fail=False, least=1, length=0)
    ctx.builder.at(location)
    write(ctx, call.target(ctx, position), pointer, call.node)
    ctx.builder.flush()


def line(ctx: Context, call: Call) -> list[Outcome]:
    """getline: a new or a reused buffer with any characters behind the first argument, its size behind the second."""
    for place in range(2, len(call.arguments)):
        call.value(ctx, place)
    target = call.target(ctx, 0)
    before = read(ctx, target, call.node)
    new, old = ctx.builder.fork(2)
    ctx.builder.at(new)
    if isinstance(before, Number):
        gate.release(ctx, before, call.node, call.arguments[0].node)
    new_text(ctx, call, target)
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
    return any_result(ctx, ctx.data.distance, -1)


def printed(place: int) -> Model:
    """printf, its format at `place`: arguments are read; with %n, or if it is not known, a number may be written."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        given = values[place] if place < len(values) else None
        count_written(ctx, call, values[place + 1 :], given)
        return answer(ctx, ctx.havoc(INT))

    return model


def printed_at_last(ctx: Context, call: Call) -> list[Outcome]:
    """err and the like: as printf, its format at 1, and the process ends."""
    printed(1)(ctx, call)
    return never(ctx)


def scanned(place: int) -> Model:
    """scanf: everything behind the arguments after the format, at `place`, holds anything, and behind numbers."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        if any(not isinstance(value.type, PointerType) and origins_of(ctx, value) for value in values[place + 1 :]):
            clobber(ctx, values, call)
        codes = texts.known_text(ctx, values[place]) if place < len(values) else None
        text = "".join(chr(code % 256) for code in codes) if codes is not None else None
        is_wide = text is None or bool(_WIDE.search(text.replace("%%", "")))
        stored = values[place + 1 :]
        anew, sizes, strings = (
            _allocated(text, stored),
            _stored_sizes(ctx, text, len(stored)),
            _texts(text, len(stored)),
        )
        for at, value in enumerate(stored):
            position = place + 1 + at
            if at != anew and isinstance(value, Address | Number) and isinstance(value.type, PointerType):
                own, written = size_of(ctx, value), sizes.get(at, 0)
                if own == 1 and (at in strings or not written):
                    fill_text(ctx, value, call, literal(written) if written else None, position, ends=at in strings)
                else:
                    may_be_text = is_wide and value.type.target == INT
                    is_larger = own is not None and written > own
                    size = None if may_be_text else literal(written) if is_larger else own
                    fill(ctx, value, size, call, position=position)
        if anew is not None:
            return _scanned_anew(ctx, call, stored[anew], anew)
        return _counted(ctx, text, stored, strings) if strings else any_result(ctx, INT, -1)

    return model


def _counted(ctx: Context, text: str | None, stored: list[Value], strings: frozenset[int]) -> list[Outcome]:
    """The results of scanf: how many values it has stored, the first ones, of which some are `strings` that end.

    Those that another one may be stored into need not. *Source*: C11 7.21.6.2p16; what `%n` stores is not counted.
    """
    counted = [at for at, one in enumerate(_stored(text)) if one["kind"] != "n"]
    into = [origins_of(ctx, value) for value in stored]
    ending = [at for at in strings if all(_are_apart(into[at], into[i]) for i in range(len(into)) if i != at)]
    first = next(count for count, at in enumerate(counted, 1) if at in strings)
    less, *ways = ctx.builder.fork(len(counted) - first + 2)
    found: list[Outcome] = []
    for count, way in enumerate(ways, first):
        ctx.builder.at(way)
        for at in ending:
            if at in counted[:count]:
                texts.note_end(ctx, stored[at])
        found.append((ctx.builder.current, literal(count)))
    ctx.builder.at(less)
    return [*any_result(ctx, INT, -1, literal(first - 1)), *found]


def _are_apart(one: Origins, other: Origins) -> bool:
    """Whether two pointers lead to different objects."""
    is_known = not may_be_any(one | other) and addresses(one) and addresses(other)
    return bool(is_known) and addresses(one).isdisjoint(addresses(other))


def scanned_by_list(place: int) -> Model:
    """vscanf, its format at `place`: what the list leads to holds anything; more where a format is not understood.

    Numbers and characters are stored, and nothing is called. Pointers in what they are stored to may be any then.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        given, behind = (values[at] if at < len(values) else None for at in (place, place + 1))
        formats = known_formats(ctx, given)
        is_known = formats is not None and all(map(_stores_no_pointers, formats))
        if not is_known or not isinstance(behind, Number) or is_wild(ctx, behind.origins):
            return answer(ctx, arbitrary(ctx, call, result_type(call), values))
        spoil(ctx, behind, UNKNOWN_POINTER, call.node)
        return any_result(ctx, INT, -1)

    return model


def _stores_no_pointers(text: str) -> bool:
    """Whether all conversions of a format of scanf are understood, and none of them stores a pointer."""
    found = list(_NUMBER.finditer(text))
    is_all = "%" not in _NUMBER.sub("", text)
    return is_all and all(one["kind"] is None or (one["kind"][0] in _PLAIN and one["length"] != "m") for one in found)


def _stored(text: str | None) -> list[re.Match[str]]:
    return [one for one in _NUMBER.finditer(text or "") if one["kind"] and not one["skipped"]]


def _texts(text: str | None, count: int) -> frozenset[int]:
    """The arguments for scanf, of `count`, in which a string of characters is stored, which ends."""
    stored = _stored(text)
    is_known = len(stored) == count
    return frozenset(at for at, one in enumerate(stored) if is_known and one["kind"][0] in "s[" and not one["length"])


def _stored_sizes(ctx: Context, text: str | None, count: int) -> dict[int, int]:
    """How many bytes each conversion of scanf stores that is of a number or pointer, by place among the arguments.

    So many, at most, are those of a string with a width, too. Nothing where it is not known which conversion is for
    which of `count` arguments.
    """
    stored = _stored(text)
    if len(stored) != count:
        return {}
    data = ctx.data
    integers: dict[str | None, int] = {
        "hh": 1,
        "h": 2,
        None: 4,
        "l": data.long.size,
        "z": data.size.size,
        "t": data.distance.size,
    }
    floats: dict[str | None, int] = {None: 4, "l": 8, "L": data.long_double.size}
    sizes: dict[str, dict[str | None, int]] = {
        **dict.fromkeys("diouxXn", integers),
        **dict.fromkeys("aAeEfFgG", floats),
        "p": {None: data.pointer},
    }
    found = {at: sizes[one["kind"]].get(one["length"], 8) for at, one in enumerate(stored) if one["kind"] in sizes}
    texts = (it for it in enumerate(stored) if it[1]["kind"][0] in "s[" and it[1]["width"] and not it[1]["length"])
    return found | {at: int(one["width"]) + 1 for at, one in texts}


def _allocated(text: str | None, stored: list[Value]) -> int | None:
    """Which of the arguments for a format of scanf becomes a new string (`%ms`); None if that is not just one.

    *Source*: POSIX.1-2008, fscanf, the assignment-allocation character. With numbers of arguments (`%2$d`), conversions
    that are counted (`%n`) or such as nobody thought of, all of them may be changed in any way.
    """
    rest = text or ""
    found: list[bool] = []
    while (start := rest.find("%")) >= 0:
        conversion = _CONVERSION.match(rest, start)
        if conversion is None:
            return None
        rest = rest[conversion.end() :]
        if conversion.group() != "%%" and not conversion["skipped"]:
            found.append(bool(conversion["new"]))
    at = found.index(True) if found.count(True) == 1 and len(found) == len(stored) else None
    kind = type_of(stored[at]) if at is not None else None
    is_text = isinstance(kind, PointerType) and isinstance(kind.target, PointerType)
    return at if is_text else None


def _scanned_anew(ctx: Context, call: Call, value: Value, before: int) -> list[Outcome]:
    """A new string behind an argument where more than `before` conversions succeed; else it is null, or as it was."""
    target = pointed(ctx, value)
    ctx.builder.flush()
    found, freed, unchanged = ctx.builder.fork(3)
    ctx.builder.at(found)
    new_text(ctx, call, target)
    outcomes = any_result(ctx, INT, before + 1)
    for way in (freed, unchanged):
        ctx.builder.at(way)
        if way is freed:
            write(ctx, target, literal(0, VOID_POINTER), call.node)
            ctx.builder.flush()
        outcomes += any_result(ctx, INT, -1, literal(before))
    return outcomes


def split(ctx: Context, call: Call) -> list[Outcome]:
    """strsep: a piece of the string behind the first argument, null only where that is, as behind the last one."""
    call.value(ctx, 1)
    state = call.target(ctx, 0)
    if isinstance(state, Temporary):
        return _split(ctx, call, literal(0, VOID_POINTER), state)
    text = number(ctx, read(ctx, state, call.node))
    gate.text(ctx, text, None, call.node, call.arguments[0].node, is_optional=True)
    before = ctx.temporary(VOID_POINTER)
    ctx.builder.flush()
    ctx.builder.emit(Assign(before, text.term))
    outcomes: list[Outcome] = []
    for location, value in _split(ctx, call, literal(0, VOID_POINTER), state):
        ctx.builder.at(location)
        ctx.builder.assume(compare(variable(before), "==" if is_null(value) else "!=", constant(0)))
        ctx.builder.flush()
        outcomes.append((ctx.builder.current, value))
    return outcomes


def split_again(ctx: Context, call: Call) -> list[Outcome]:
    """strtok_r: a piece of the string that is given, or of the one that is kept behind the last argument."""
    text = call.value(ctx, 0)
    call.value(ctx, 1)
    state = call.target(ctx, 2)
    if not is_never_null(text) and not isinstance(state, Temporary):
        rest = number(ctx, read(ctx, state, call.node))
        gate.text(ctx, rest, None, call.node, call.arguments[2].node, is_optional=True)
    return _split(ctx, call, text, state)


def _split(ctx: Context, call: Call, text: Value, state: Place) -> list[Outcome]:
    """A piece of a string; the next one, which begins behind it, is kept.

    What was kept before was checked to be one, or is not used.
    """
    if isinstance(state, Temporary):
        return into(ctx, text)
    kept = number(ctx, read(ctx, state, call.node))
    ctx.builder.flush()
    origins = kept.origins | (number(ctx, text).origins if not is_null(text) else frozenset())
    both = ctx.havoc(VOID_POINTER, origins)
    if addresses(origins):
        with texts.kept(ctx):
            change_text(ctx, both, call)
    ways = into(ctx, both, length=0)
    after = ctx.builder.fresh()
    for location, pointer in ways:
        ctx.builder.at(location)
        write(ctx, state, pointer, call.node)
        ctx.builder.goto(after)
    ctx.builder.at(after)
    return into(ctx, both, length=0)
