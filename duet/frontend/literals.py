"""The values and types of C constants."""

from __future__ import annotations

import re

from duet.frontend.types import INT, LONG, UINT, ULONG, IntType
from duet.frontend.values import Number, literal

_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|(.)", re.DOTALL)


def integer(text: str) -> Number:
    """The value of an integer constant, in the first type that holds it (C11 6.4.4.1)."""
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    is_decimal = not digits.startswith("0") or digits == "0"
    if digits[:2].lower() in ("0x", "0b"):
        value = int(digits, 0)
    elif is_decimal:
        value = int(digits)
    else:
        value = int(digits, 8)
    kinds: list[IntType] = [INT, UINT, LONG, ULONG]
    if "u" in suffix:
        kinds = [UINT, ULONG]
    elif is_decimal:
        kinds = [INT, LONG, ULONG]
    if "l" in suffix:
        kinds = [kind for kind in kinds if kind.width == 64]
    return literal(value, next((kind for kind in kinds if value <= kind.hi), ULONG))


def characters(text: str) -> list[int]:
    """The characters of a string or character constant, as bytes."""
    quote = '"' if '"' in text[:3] else "'"
    start = text.index(quote) + 1
    result: list[int] = []
    for found in _ESCAPE.finditer(text[start : text.rindex(quote)]):
        escape, plain = found.groups()
        if plain is not None:
            result.extend(plain.encode("utf-8"))
        elif escape[0] == "x":
            result.append(int(escape[1:], 16) & 255)
        elif escape[0] in "01234567":
            result.append(int(escape, 8) & 255)
        elif escape[0] in "uU" and len(escape) > 1:
            result.extend(chr(int(escape[1:], 16)).encode("utf-8"))
        else:
            result.append(_ESCAPES.get(escape, ord(escape)))
    return result


def character(text: str) -> Number:
    """The value of a character constant, an `int`; `char` is signed."""
    value = 0
    codes = characters(text)
    if len(codes) == 1:
        return literal(codes[0] - 256 if codes[0] > 127 else codes[0])
    for code in codes:
        value = (value << 8 | code) & 0xFFFFFFFF
    return literal(value - (1 << 32) if value >> 31 else value)
