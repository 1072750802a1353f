"""Text of source files: UTF-8, where other bytes stay as they are, as GCC keeps them in literals and comments."""

from __future__ import annotations

import re

_BYTE = re.compile("[\udc80-\udcff]")
_SPELLED = re.compile("\\\\?([\udc80-\udcff])|\\\\.", re.DOTALL)


def decoded(data: bytes) -> str:
    """The text of a file before it is preprocessed; a byte that is not of UTF-8 is a surrogate (PEP 383)."""
    return data.decode("utf-8-sig", "surrogateescape")


def with_escapes(text: str) -> str:
    r"""Preprocessed text in which an octal escape stands for each byte that is not of UTF-8.

    >>> with_escapes(decoded(b'"caf\xe9"'))
    '"caf\\351"'
    """
    return _SPELLED.sub(_escaped, text) if _BYTE.search(text) else text


def _escaped(found: re.Match[str]) -> str:
    return f"\\{ord(found[1]) - 0xDC00:03o}" if found[1] else found[0]
