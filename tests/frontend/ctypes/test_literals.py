"""The values and types of C constants."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.literals import character, integer, string
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    INT128,
    LLONG,
    LP64,
    UCHAR,
    UINT,
    ULLONG,
    USHORT,
    CType,
)


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("0", 0, INT),
        ("7", 7, INT),
        ("07", 7, INT),
        ("017", 15, INT),
        ("0x1F", 31, INT),
        ("0X1f", 31, INT),
        ("0b101", 5, INT),
        ("2147483647", 2147483647, INT),
        ("2147483648", 2147483648, LP64.long),
        ("0x80000000", 2147483648, UINT),
        ("020000000000", 2147483648, UINT),
        ("0xFFFFFFFF", 4294967295, UINT),
        ("0x100000000", 4294967296, LP64.long),
        ("7u", 7, UINT),
        ("4294967296U", 4294967296, LP64.ulong),
        ("7l", 7, LP64.long),
        ("7LL", 7, LLONG),
        ("7ull", 7, ULLONG),
        ("7LU", 7, LP64.ulong),
        ("9223372036854775807", 9223372036854775807, LP64.long),
        ("9223372036854775808", 9223372036854775808, INT128),
        ("0x8000000000000000", 9223372036854775808, LP64.ulong),
        ("18446744073709551615u", 18446744073709551615, LP64.ulong),
    ],
)
def test_an_integer_has_the_first_type_that_holds_it(text: str, value: int, kind: CType) -> None:
    found = integer(text, LP64)
    assert found is not None
    assert (found.constant, found.type) == (value, kind)


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ('"ab"', CHAR, [97, 98]),
        ('""', CHAR, []),
        ('"a" "b"', CHAR, [97, 98]),
        (r'"\n\t\0\\\""', CHAR, [10, 9, 0, 92, 34]),
        (r'"\x41\101\1012"', CHAR, [65, 65, 65, 50]),
        (r'"\xff"', CHAR, [-1]),
        ('"é"', CHAR, [0xC3 - 256, 0xA9 - 256]),
        (r'"\u00e9"', CHAR, [0xC3 - 256, 0xA9 - 256]),
        ('L"é"', INT, [0xE9]),
        ('u"😀"', USHORT, [0xD83D, 0xDE00]),
        ('U"😀"', UINT, [0x1F600]),
        ("u8'a'", UCHAR, [97]),
        ("'a'", CHAR, [97]),
    ],
)
def test_strings_are_sequences_of_units(text: str, kind: CType, values: list[int]) -> None:
    assert string(text, LP64) == (kind, values)


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("'a'", 97, INT),
        (r"'\''", 39, INT),
        (r"'\377'", -1, INT),
        ("'ab'", 97 << 8 | 98, INT),
        (r"'\377\377\377\377'", -1, INT),
        ("L'é'", 0xE9, INT),
        ("u'é'", 0xE9, USHORT),
        ("U'é'", 0xE9, UINT),
    ],
)
def test_a_character_is_an_int_or_wide(text: str, value: int, kind: CType) -> None:
    found = character(text, LP64)
    assert (found.constant, found.type) == (value, kind)
