"""Formats of printf: what is done with the arguments behind one (C11 7.21.6.1)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

_CONVERSION = re.compile(
    r"%[-+ #0']*(?P<width>\*|\d*)(?:\.(?P<most>\*|\d*))?(?P<length>hh?|ll?|[Lqjzt])?(?P<kind>[diouxXaAeEfFgGcCsSpnm%])"
)
"""A conversion in a format; one with the number of its argument is none of these."""
MANY = 1 << 16
"""More arguments than any call has."""


def followed(text: str) -> frozenset[int]:
    """The arguments behind which a format has something printed, or counted, by position; none where that is not known.

    Of others the address itself may be printed, as a number, too, from where it can be read again.
    """
    return frozenset(_converted(text, "sSn")) if "%" not in _CONVERSION.sub("", text) else frozenset()


def counted(text: str) -> Container[int]:
    """The arguments behind which a format has counted, by position; all where that is not known."""
    return range(MANY) if "%" in _CONVERSION.sub("", text) else frozenset(_converted(text, "n"))


def _converted(text: str, kinds: str) -> Iterator[int]:
    """The positions of the arguments of some kinds of conversions."""
    at = 0
    for item in _CONVERSION.finditer(text):
        at += (item["width"] == "*") + (item["most"] == "*")
        if item["kind"] in kinds:
            yield at
        at += item["kind"] not in "m%"


def only_follows(text: str) -> bool:
    """Whether all arguments behind a format are followed, so that no address of a whole list of them is printed."""
    return "%" not in _CONVERSION.sub(lambda it: "" if it["kind"] in "sSnm%" and "*" not in it[0] else it[0], text)


def tells(text: str) -> bool:
    """Whether a format may print an argument that has room for an address, and is none that is followed."""
    found = _CONVERSION.finditer(text)
    is_wide = any(item["kind"] == "p" or item["length"] not in (None, "h", "hh") for item in found)
    return is_wide or "%" in _CONVERSION.sub("", text)
