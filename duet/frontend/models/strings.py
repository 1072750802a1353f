"""Functions on strings and characters: exact for literals and in the C locale's digits, bounded for arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from duet.frontend.cells import gate, hidden, last_bytes, texts
from duet.frontend.cells.access import havoc_place, spoil, write
from duet.frontend.cells.arithmetic import binary
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot, to_pointer
from duet.frontend.cells.escapes import put_outside
from duet.frontend.cells.extent import Reach, exact_size
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.heap import whole_object
from duet.frontend.cells.inside import objects, within
from duet.frontend.cells.targets import is_wild
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes import formats
from duet.frontend.ctypes.origins import (
    ANYTHING,
    EXTERNAL,
    UNKNOWN_POINTER,
    addresses,
    distances,
    leads_to_parts,
    marks,
    moved,
    stepped,
)
from duet.frontend.ctypes.types import (
    ADDRESS,
    CHAR,
    INT,
    UINT,
    VA_LIST,
    VOID_POINTER,
    ArrayType,
    CType,
    IntType,
    PointerType,
    VoidType,
    is_scalar,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Indirect,
    Number,
    Object,
    Value,
    is_null,
    literal,
    pointee,
    type_of,
)
from duet.frontend.expressions.places import pointed
from duet.frontend.graph.insides import Stretch, Text
from duet.frontend.models.buffers import fill, fill_text, read_within, text_at, touch
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.source.nodes import Node
from duet.plip.syntax import TRUE, Guard, Havoc
from duet.plip.terms import add, compare, conjunction, constant, disjunction, linear, negate, variable

_CONVERSION = re.compile(
    r"%[-+ #0]*(?P<width>\d*)(?:\.(?P<most>\d*))?(?P<length>hh|h|ll|l|L|z|j|t)?(?P<kind>[diuxXocspneEfFgGaASC%])"
)
_WIDE = re.compile(r"%[^%]*?(?:ls|S)")
_DIGITS_OF = {"d": (10, 19), "i": (10, 19), "u": (10, 20), "x": (8, 16), "X": (8, 16), "o": (11, 22)}
"""The most digits of an `int`, and of a longer type, by conversion."""
_INSTEAD = len("(efault)")
"""What the kernel prints instead of a string where a pointer is null or an error: check_pointer() in lib/vsprintf.c."""
_WRITTEN: Mapping[str, Callable[[int], str]] = {"x": "{:x}".format, "X": "{:x}".format, "o": "{:o}".format}
_LONGEST, _FEW = (1 << 62) - 1, 4
_OPEN = frozenset((ANYTHING, EXTERNAL))
_DIGITS = ((48, 57),)
_HEXADECIMAL = ((48, 57), (65, 70), (97, 102))


_ANY_FORMAT = "%n%p"
"""What a format may do that is not known."""


def longest_text(ctx: Context, value: Value) -> int | None:
    """The most characters of a string before its end, which is inside of its array; None where that is not known."""
    codes = texts.known_text(ctx, value)
    if codes is not None:
        return len(codes)
    length = _length(ctx, value)
    if length is None and isinstance(value, Number) and not value.origins & _OPEN:
        found = ctx.memory.pointed(value.origins)
        if len(found) == len(addresses(value.origins)):
            length = max((_literal_length(of) for of in found), default=_LONGEST)
    return length - 1 if length and length < _LONGEST else None


def _literal_length(of: Object) -> int:
    """How many characters a literal has with its end; as many as there can be for other objects."""
    if not of.is_string or not isinstance(of.type, ArrayType):
        return _LONGEST
    return of.type.length or _LONGEST


def known_name(ctx: Context, value: Value) -> str | None:
    """The string that a pointer points to, if that is a literal."""
    codes = texts.known_text(ctx, value)
    return bytes(code % 256 for code in codes).decode("utf-8", "replace") if codes is not None else None


def measured(ctx: Context, call: Call) -> list[Outcome]:
    """strlen: exact for a literal, below the length of an array of characters."""
    text = call.value(ctx, 0)
    limit = call.number(ctx, 1) if len(call.arguments) > 1 else None
    codes = texts.known_text(ctx, text)
    if codes is not None and limit is None:
        return answer(ctx, literal(len(codes), ctx.data.size))
    if limit is not None:
        read_within(ctx, call, text, 0, limit)
        length = _length(ctx, text) or _LONGEST
        return answer(ctx, _any(ctx, 0, min(length, limit.hi)))  # the array may be full
    return answer(ctx, _measured(ctx, text))


def spanned(ctx: Context, call: Call) -> list[Outcome]:
    """strspn, strcspn: below the length of an array of characters, as there is an end in it."""
    return answer(ctx, _in_front_of_end(ctx, call.evaluate_all(ctx)[0]))


def _in_front_of_end(ctx: Context, text: Value) -> Number:
    """A number of characters of a string."""
    length = _length(ctx, text)
    return _any(ctx, 0, length - 1 if length else _LONGEST)


def _length(ctx: Context, text: Value) -> int | None:
    """The length of the array of characters that a pointer leads to, where that is known."""
    place = text_at(ctx, text)
    length = place.type.length if place is not None and isinstance(place.type, ArrayType) else None
    return None if length == 1 else length  # such an array may have more elements, see `may_go_on`


def _any(ctx: Context, low: int, high: int, wide: bool = True) -> Number:
    kind = ctx.data.size if wide else INT
    name = ctx.temporary(kind)
    ctx.builder.emit(Havoc(name, low, high))
    return Number(variable(name), kind, low, high)


def compared(ctx: Context, call: Call) -> list[Outcome]:
    """strcmp: the sign is exact for two literals, any value for other strings."""
    left, right = (texts.known_text(ctx, call.value(ctx, place)) for place in (0, 1))
    if left is None or right is None:
        return answer(ctx, ctx.havoc(INT))
    a, b = ([code % 256 for code in codes] for codes in (left, right))
    if a == b:
        return answer(ctx, 0)
    return answer(ctx, _any(ctx, INT.lo, -1, False) if a < b else _any(ctx, 1, INT.hi, False))


def compared_within(ctx: Context, call: Call) -> list[Outcome]:
    """strncmp and the like: any number; so many bytes are read of each string, if it does not end before."""
    values = call.evaluate_all(ctx)
    for place, value in enumerate(values[:2]):
        read_within(ctx, call, value, place, _size_at(values, 2))
    return answer(ctx, ctx.havoc(INT))


def copied(ctx: Context, call: Call) -> list[Outcome]:
    """strcpy: exact for a short literal to where a pointer to a few objects points, else any characters."""
    target, source = call.value(ctx, 0), call.value(ctx, 1)
    codes = texts.known_text(ctx, source)
    if codes is not None and len(codes) < ctx.options.budgets.array_cells and _leads_to_characters(ctx, target):
        target = snapshot(ctx, target)
        for at, code in enumerate((*codes, 0)):
            place = pointed(ctx, binary(ctx, "+", target, literal(at), call.node))
            write(ctx, place, literal(code, place.type), call.node)
        ctx.builder.flush()
    else:
        most = longest_text(ctx, source)
        fill_text(ctx, target, call, literal(most + 1, ADDRESS) if most is not None else None, ends=True)
        texts.note_end(ctx, target)
    return answer(ctx, target)


def _leads_to_characters(ctx: Context, pointer: Value) -> bool:
    """Whether a pointer to characters points into one of a few known objects."""
    kind = type_of(pointer)
    is_narrow = isinstance(kind, PointerType) and ctx.memory.types.size(kind.target) == 1
    if isinstance(pointer, Address):
        return is_narrow and isinstance(pointer.place, Direct)
    if not is_narrow or not isinstance(pointer, Number) or (pointer.origins & _OPEN and addresses(pointer.origins)):
        return False
    return 1 <= len(addresses(pointer.origins) | pointer.origins & _OPEN) <= _FEW


def overwritten(size: int | None, may_fail: bool = False, most: int | None = None, ends: bool = False) -> Model:
    """strncpy, strcat, fgets and others that write a string to their first argument and return it, or null.

    The argument at `size` says how many bytes; None where none does. That at `most` says how many are read
    of the second. What is written `ends` if that is certain, unless there is no room or it may fail and does.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        if most is not None:
            read_within(ctx, call, values[1], 1, _size_at(values, most))
        limit = _size_at(values, size)
        longest = longest_text(ctx, values[1]) if most is not None else None
        is_shorter = longest is not None and limit is not None and longest < limit.lo
        fill_text(ctx, values[0], call, limit, ends=ends or is_shorter)
        ctx.builder.flush()
        found, *failed = ctx.builder.fork(2 if may_fail else 1)
        ctx.builder.at(found)
        if is_shorter or (ends and (size is None or (limit is not None and limit.lo > 0))):
            texts.note_end(ctx, values[0])
        found = ctx.builder.current
        for place, way in enumerate(failed):  # what is there then is indeterminate (C11 7.21.7.2)
            ctx.builder.at(way)
            last_bytes.note_write(ctx, values[0], limit)
            ctx.builder.flush()
            failed[place] = ctx.builder.current
        return [(found, values[0]), *((way, literal(0, VOID_POINTER)) for way in failed)]

    return model


def _size_at(values: list[Value], place: int | None) -> Number | None:
    """The argument that says how many bytes a string may have, if there is one."""
    found = values[place] if place is not None and place < len(values) else None
    return found if isinstance(found, Number) else None


def count_written(ctx: Context, call: Call, values: list[Value], given: Value | None) -> None:
    """What `%n` in a format, or one that is not known, may write; addresses that are printed may be read back.

    The kernel's functions do neither: `%n` is no conversion there, and `%p` prints what is pointed to, or a hash.
    """
    codes = texts.known_text(ctx, given) if given is not None else None
    if given is not None and _is_wide(ctx, pointee(type_of(given))):
        _read_wide(ctx, call, given, None, call.arguments[len(call.arguments) - len(values) - 1].node)
    _read_texts(ctx, call, values, _text_of(codes) if codes is not None else _ANY_FORMAT)
    if ctx.options.model == "linux":
        return
    known = known_formats(ctx, given)
    text = "".join(known) if known is not None else _ANY_FORMAT
    followed = frozenset.intersection(*map(formats.followed, known)) if known else frozenset()
    tells = known is None or any(map(formats.tells, known))
    is_list_followed = not tells or (known is not None and all(map(formats.only_follows, known)))
    for at, value in enumerate(values):
        is_followed = is_list_followed if value.type == VA_LIST else at in followed
        if not is_followed and isinstance(value, Address | Number):
            printed = number(ctx, value)
            put_outside(ctx, printed.origins)
            hidden.take_apart_value(ctx, printed)
    if known is not None and not any(map(_may_count, known)):
        return
    counted = [formats.counted(text) for text in known or ()]
    for at, value in enumerate(values):
        is_there = not is_null(value) or any(at in found for found in counted)
        kind = value.type.target if isinstance(value.type, PointerType) and is_there else None
        if value.type == VA_LIST and isinstance(value, Number):
            _count_through(ctx, value, call)
        elif isinstance(value, Number) and isinstance(value.type, IntType) and addresses(value.origins):
            fill(ctx, to_pointer(ctx, value, VOID_POINTER), None, call)
        elif isinstance(kind, VoidType) and codes is not None:
            fill(ctx, value, None, call)
        elif kind is not None and is_scalar(kind) and (ctx.memory.types.size(kind) != 1 or "hhn" in text):
            fill(ctx, value, ctx.memory.types.size(kind), call)


def _text_of(codes: list[int]) -> str:
    """A format as characters; those of a wide one that are none of ASCII are no part of a conversion."""
    return "".join(chr(code % 256) if code < 256 else "?" for code in codes)


def known_formats(ctx: Context, given: Value | None) -> list[str] | None:
    """The formats one of which a pointer leads to; None where it may be another one."""
    codes = texts.known_text(ctx, given) if given is not None else None
    known = [codes] if codes is not None else _one_of(ctx, given)
    return [_text_of(item) for item in known] if known is not None else None


def _one_of(ctx: Context, given: Value | None) -> list[list[int]] | None:
    """The literals of which a format is one, as a pointer to their starts; None where it may be another string."""
    if not isinstance(given, Number) or not leads_to_parts(given.origins) or distances(given.origins):
        return None
    found = ctx.memory.pointed(given.origins)
    texts_of = [texts.literal_text(ctx, of, 0) for of in found]
    known = [codes for codes in texts_of if codes is not None]
    return known if len(known) == len(addresses(given.origins)) else None


def _may_count(text: str) -> bool:
    """Whether a format has a `%n`: what is left without the conversions that are understood has both characters."""

    def left(item: re.Match[str]) -> str:
        is_none = item["kind"] not in "n%" or item[0] == "%%"
        return "" if is_none else item[0]

    rest = _CONVERSION.sub(left, text)
    return "%" in rest and "n" in rest


def _count_through(ctx: Context, arguments: Number, call: Call) -> None:
    """What `%n` may write by way of a list of arguments: any whole number that one of these leads to."""
    if is_wild(ctx, arguments.origins):
        spoil(ctx, arguments, UNKNOWN_POINTER, call.node)
        return
    ctx.builder.flush()
    for of in ctx.memory.pointed(arguments.origins):
        whole = whole_object(ctx, of)
        for path, kind in ctx.memory.scalars(whole.type) if whole is not None and not of.is_const else ():
            if isinstance(kind, IntType) and kind.size > 1:
                there, other = ctx.builder.fork(2)
                ctx.builder.at(there)
                havoc_place(ctx, Direct(whole or of, path, kind))
                ctx.builder.goto(other)
                ctx.builder.at(other)


def _read_texts(ctx: Context, call: Call, values: list[Value], text: str) -> None:
    """The strings that a format prints are read; with one that is not understood, all that may be strings.

    Of those in a list of arguments it was noted where they were passed that they may be.
    """
    found = [item for item in _CONVERSION.finditer(text) if item["kind"] != "%"]
    is_clear = "%" not in _CONVERSION.sub("", text)
    first = len(call.arguments) - len(values)
    for place, value in enumerate(values):
        argument = call.arguments[first + place].node
        if value.type == VA_LIST:
            gate.missing(ctx, value, None if found or not is_clear else literal(0, ADDRESS), call.node, argument)
            continue
        kind = pointee(type_of(value))
        item = found[place] if place < len(found) else None
        is_text = kind is not None and ctx.memory.types.size(kind) == 1
        if is_clear and kind is not None and item is not None and item["kind"] in "sS":
            limit = literal(int(item["most"] or 0), ADDRESS) if item["most"] is not None else None
            if item["kind"] == "S" or item["length"] == "l":
                _read_wide(ctx, call, value, limit, argument)
            else:
                _read_text(ctx, call, value, limit, argument)
        elif not is_clear and is_text and not isinstance(kind, VoidType):
            _read_text(ctx, call, value, None, argument)
        elif not is_clear and _is_wide(ctx, kind) and _WIDE.search(text):
            _read_wide(ctx, call, value, None, argument)


def _read_text(ctx: Context, call: Call, value: Value, limit: Number | None, argument: Node) -> None:
    """A string that is printed is read. Null, which is told of, is printed as a text of its own.

    *Source*: check_pointer() of the kernel's lib/vsprintf.c, for which it has that meaning; "(null)" of C libraries.
    """
    if ctx.options.model != "linux":
        gate.missing(ctx, value, limit, call.node, argument)
    gate.text(ctx, value, limit, call.node, argument, is_optional=True)


def _is_wide(ctx: Context, kind: CType | None) -> bool:
    """Whether characters of a type are wide ones."""
    return kind is not None and ctx.memory.types.size(kind) == INT.size


def _read_wide(ctx: Context, call: Call, value: Value, limit: Number | None, argument: Node) -> None:
    """A string of wide characters is read up to its end, which is only known of literals, or so many of it."""
    hidden.note_bytes(ctx, value)
    if texts.known_text(ctx, value) is None:
        extent = None if limit is None else literal(INT.size * limit.lo, ADDRESS)
        gate.bytes_from(ctx, value, extent, Touch.EXAMINE, call.node, argument, Reach.NEEDED)


def _printed_size(ctx: Context, codes: list[int] | None, values: list[Value]) -> Number | None:
    """The most bytes that a format gives, with the final 0; None where that is not known."""
    text = "".join(chr(code % 256) for code in codes) if codes is not None else None
    found = list(_CONVERSION.finditer(text)) if text is not None else []
    if text is None or "%" in _CONVERSION.sub("", text):
        return None
    given = iter(values)
    size = len(_CONVERSION.sub("", text)) + 1
    for item in found:
        value = next(given, None) if item["kind"] != "%" else None
        most = _longest(ctx, item, value)
        if most is None:
            return None
        size += max(most, int(item["width"] or 0))
    return literal(size, ADDRESS)


def _longest(ctx: Context, item: re.Match[str], value: Value | None) -> int | None:
    """The most characters that a conversion gives, up to its width; None where that is not known."""
    kind, length = item["kind"], item["length"] or ""
    if kind in _DIGITS_OF:
        digits, sign = _digits(kind, length, value)
        before = 2 if "#" in item[0] else max(sign, int("+" in item[0] or " " in item[0]))
        return max(digits, int(item["most"] or 0)) + before
    if kind == "s" and value is not None and not length:
        known = longest_text(ctx, value)
        if known is not None and ctx.options.model == "linux" and isinstance(value, Number):
            known = max(known, _INSTEAD)
        limits = [known] if known is not None else []
        limits += [int(item["most"] or 0)] if item["most"] is not None else []
        return min(limits, default=None)
    return 1 if kind in "c%" and not length else None


def _digits(kind: str, length: str, value: Value | None) -> tuple[int, int]:
    """The most digits of a number, and how many characters its sign takes, by the bounds of an `int` that fits."""
    fitting = INT if kind in "di" else UINT
    is_told = isinstance(value, Number) and isinstance(value.type, IntType) and not length
    if is_told and isinstance(value, Number) and fitting.lo <= value.lo <= value.hi <= fitting.hi:
        write = _WRITTEN.get(kind, str)
        return max(len(write(abs(number))) for number in (value.lo, value.hi)), int(value.lo < 0)
    return _DIGITS_OF[kind][length not in ("", "h", "hh")], 1


def formatted(place: int, is_clipped: bool = False) -> Model:
    """sprintf and the like: a string in the first argument; the format is at `place`, behind a size if not at 1.

    `is_clipped`: the result is the number of characters that are there, less than the size unless that is 0. Without it
    a failure is -1: so it is in the C libraries of Linux, where C only says that it is negative.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        codes = texts.known_text(ctx, values[place]) if place < len(values) else None
        count_written(ctx, call, values[place + 1 :], values[place] if place < len(values) else None)
        if values:
            size = _size_at(values, 1) if place > 1 else _printed_size(ctx, codes, values[place + 1 :])
            fill_text(ctx, values[0], call, size, ends=True)
        room = _size_at(values, 1)
        if values and (place == 1 or (room is not None and room.lo > 0)):
            texts.note_end(ctx, values[0])
            gate.note_first(ctx, values[0])
        if is_clipped and room is not None:
            return answer(ctx, _any(ctx, 0, max(min(room.hi, INT.hi) - 1, 0), False))
        return answer(ctx, ctx.havoc(INT, low=-1))

    return model


def is_never_null(pointer: Value) -> bool:
    """Whether a pointer is certainly not null."""
    return isinstance(pointer, Address) or (isinstance(pointer, Number) and pointer.lo > 0)


def sought_length(ctx: Context, sought: Value) -> int:
    """The fewest characters of what a function like strchr or strstr looks for: a character, or a string."""
    if isinstance(sought, Number) and isinstance(sought.type, IntType):
        return int((sought.constant or 0) % 256 != 0)
    return len(texts.known_text(ctx, sought) or ())


def found_among(ctx: Context, call: Call) -> list[Outcome]:
    """memchr and the like: null, or a pointer into so many bytes."""
    values = call.evaluate_all(ctx)
    touch(ctx, values[0], _size_at(values, 2), call, Touch.EXAMINE, 0, Reach.NEEDED)
    hidden.note_bytes(ctx, values[0])
    return into(ctx, values[0], least=1)


def into(
    ctx: Context,
    value: Value,
    may_fail: bool = True,
    least: int | None = None,
    length: int | None = None,
    step: int = 1,
) -> list[Outcome]:
    """Null, or any pointer into what a pointer points into, or to its end, any number of `step` bytes from there.

    With `least` one that is not in front of it, with at least so many bytes of the object from there on. With `length`
    what is pointed into is a string, and so is what is found, with at least so many characters in front of its end.
    """
    origins = number(ctx, value).origins if isinstance(value, Address | Number) else UNKNOWN_POINTER
    ctx.facts.layouts.stray(origins)
    origins = moved(stepped(origins, linear({"": step}), step), VoidType())
    ctx.builder.flush()
    found, *failed = ctx.builder.fork(2 if may_fail else 1)
    ctx.builder.at(found)
    name, top = ctx.temporary(VOID_POINTER), value_range(VOID_POINTER)[1]
    ctx.builder.emit(Havoc(name, 1, top))
    pointer = Number(variable(name), VOID_POINTER, 1, top, origins)
    if least is not None and isinstance(value, Address | Number):
        _place_behind(ctx, pointer, number(ctx, value), least)
    room = max(least or 0, -1 if length is None else length + 1)
    if room > 0:
        ctx.builder.note_given(Stretch(name, 0, room), *_ending(ctx, name, value, length))
    return [(ctx.builder.current, pointer), *((way, literal(0, VOID_POINTER)) for way in failed)]


def _ending(ctx: Context, found: str, text: Value, length: int | None) -> Iterator[Text]:
    """The strings that begin at a pointer that was found in a string, and behind each of its first characters."""
    address = number(ctx, text) if isinstance(text, Address | Number) else None
    around = texts.own_around(ctx, objects(ctx, address), address.origins) if address is not None else None
    if around is not None and length is not None:
        yield from (Text(found, at, around) for at in range(min(length, _FEW) + 1))


def _place_behind(ctx: Context, pointer: Number, start: Number, least: int) -> None:
    """Goes on where a pointer leads to what is behind another one, with at least so many bytes of the same object."""
    known = objects(ctx, start)
    fine = within(ctx, pointer, known, constant(least)) if known else None
    behind = compare(pointer.term, ">=", start.term)
    ctx.builder.flush()
    ctx.builder.emit(Guard(behind if fine is None else conjunction((behind, fine))))


def _measured(ctx: Context, text: Value) -> Number:
    """The length of a string, of which the end is in one of the objects that a pointer may lead to.

    Where it may lead behind the start of one, or these have several sizes, the length depends on where it leads.
    """
    is_named = isinstance(text, Address) and not isinstance(text.place, Indirect)
    if not ctx.wants("array-bounds") or is_named or not isinstance(text, Address | Number):
        return _in_front_of_end(ctx, text)
    start = number(ctx, text)
    known = objects(ctx, start)
    sizes = {exact_size(ctx.memory, of) for of in known}
    told = [size for size in sizes if size is not None]
    if start.origins & UNKNOWN_POINTER or not told or len(told) < len(sizes):
        return _in_front_of_end(ctx, text)
    found = _any(ctx, 0, min(_length(ctx, text) or _LONGEST, max(1, *told)) - 1)
    if marks(start.origins) or distances(start.origins) or len(told) > 1:
        fine = within(ctx, start, known, add(found.term, constant(1)))
        ctx.builder.flush()
        ctx.builder.emit(Guard(TRUE if fine is None else fine))
    return found


def one_of(*ranges: tuple[int, int]) -> Model:
    """isdigit and isxdigit, which no locale changes: not 0 exactly for characters in some ranges."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        character = call.number(ctx, 0).term
        inside = disjunction(
            tuple(
                conjunction((compare(character, ">=", constant(low)), compare(character, "<=", constant(high))))
                for low, high in ranges
            )
        )
        ctx.builder.flush()
        yes, no = ctx.builder.fresh(), ctx.builder.fresh()
        ctx.builder.edge(Guard(inside), yes)
        ctx.builder.edge(Guard(negate(inside)), no)
        ctx.builder.at(yes)
        value = _any(ctx, 1, INT.hi, False)
        yes = ctx.builder.current
        return [(yes, value), (no, literal(0))]

    return model


is_digit = one_of(*_DIGITS)
is_hexadecimal = one_of(*_HEXADECIMAL)


def cased(ctx: Context, call: Call) -> list[Outcome]:
    """tolower, toupper: a character, or the end of the file; what is none stays as it is."""
    given = call.number(ctx, 0)
    return answer(ctx, _any(ctx, min(CHAR.lo, given.lo), max(255, given.hi), False))
