"""The values and types of C constants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duet.frontend.ctypes.types import CHAR, INT, INT128, LLONG, UCHAR, UINT, ULLONG, USHORT, DataModel, IntType
from duet.frontend.ctypes.values import Number, literal
from duet.frontend.source.words import CHAR8

_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_PREFIXES = {"u": USHORT, "U": UINT, CHAR8: UCHAR}
_PART = re.compile(r'((?:[^"\\]|\\.)*)"[^"]*"?', re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|(.)", re.DOTALL)


def integer(text: str, data: DataModel) -> Number | None:
    """The value of an integer constant, in the first type that holds it (C11 6.4.4.1); None where none does."""
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    is_decimal = not digits.startswith("0") or digits == "0"
    if digits[:2].lower() in ("0x", "0b"):
        value = int(digits, 0)
    elif is_decimal:
        value = int(digits)
    else:
        value = int(digits, 8)
    kinds = [INT, UINT, data.long, data.ulong, LLONG, ULLONG][2 * suffix.count("l") :]
    if "u" in suffix:
        kinds = [kind for kind in kinds if not kind.signed]
    elif is_decimal:
        kinds = [*(kind for kind in kinds if kind.signed), *((INT128,) if data.has_int128 else ())]
    found = next((kind for kind in kinds if value <= kind.hi), None)
    return None if found is None else literal(value, found)


def string(text: str, data: DataModel) -> tuple[IntType, list[int]]:
    """The type and values of the elements of a character constant or adjacent strings, without the final 0.

    Ordinary ones are bytes in UTF-8, those with a prefix `L`, `u` or `U` are wide.
    """
    quote = next(letter for letter in text if letter in "'\"")
    prefix, _, rest = text.partition(quote)
    kind = UCHAR if prefix == "u8" and quote == "'" else data.wchar if prefix == "L" else _PREFIXES.get(prefix, CHAR)
    result: list[int] = []
    parts = _PART.findall(rest) if quote == '"' else [rest[: rest.rindex(quote)]]
    for part in parts:
        result.extend(part.encode() if part.isascii() and "\\" not in part else _codes(part, kind))
    lowest, count = kind.lo, kind.hi - kind.lo + 1
    return kind, [(code - lowest) % count + lowest for code in result]


def _codes(text: str, kind: IntType) -> Iterator[int]:
    """What is between quotes as elements, before they are made to fit into these."""
    for found in _ESCAPE.finditer(text):
        escape, plain = found.groups()
        if plain is not None:
            yield from _units(ord(plain), kind)
        elif escape[0] == "x":
            yield int(escape[1:], 16)
        elif escape[0] in "01234567":
            yield int(escape, 8)
        elif escape[0] in "uU" and len(escape) > 1:
            yield from _units(int(escape[1:], 16), kind)
        else:
            yield _ESCAPES.get(escape, ord(escape))


def _units(point: int, kind: IntType) -> list[int]:
    """The elements that stand for a character."""
    if point < 0x80:
        return [point]
    encoding = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[kind.size]
    data = chr(point).encode(encoding, "surrogatepass")
    return [int.from_bytes(data[i : i + kind.size], "little") for i in range(0, len(data), kind.size)]


def character(text: str, data: DataModel) -> Number:
    """The value of a character constant: an `int` whose bytes are the characters, or a wide character."""
    kind, codes = string(text, data)
    if len(codes) == 1 or kind != CHAR:
        return literal(codes[-1], INT if kind == CHAR else kind)
    value = 0
    for code in codes:
        value = (value << 8 | code & 255) & 0xFFFFFFFF
    return literal(value - (1 << 32) if value >> 31 else value)
