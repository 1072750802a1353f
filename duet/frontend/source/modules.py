"""Whether a C file is part of a kernel module, read off its text: what it includes, and which macros it uses.

What stands in comments or strings does not count, what a conditional leaves out does. A program of user space may
include headers of the kernel, too: it has a `main`, or includes headers of the C library. Some files of a module show
nothing of it; where headers of a kernel are given for them, they are files of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from duet.frontend.source.tokens import Kind, Piece, pieces

_INCLUDE = re.compile(r"\s*#\s*include\s*[<\"](?P<name>[^>\"]+)[>\"]")
_HEADERS = frozenset(("linux/module.h", "linux/init.h", "linux/moduleparam.h"))
_LIBRARY = frozenset(
    (
        *("assert.h", "ctype.h", "errno.h", "fcntl.h", "math.h", "poll.h", "pthread.h", "signal.h", "stdio.h"),
        *("stdlib.h", "string.h", "sys/ioctl.h", "sys/stat.h", "sys/types.h", "time.h", "unistd.h"),
    )
)
_MACRO = re.compile(
    r"MODULE_(?:LICENSE|AUTHOR|DESCRIPTION|DEVICE_TABLE|ALIAS)|module_(?:init|exit|param|\w+_driver)|EXPORT_SYMBOL(?:_GPL)?"
    r"|(?:core|postcore|arch|subsys|fs|device|late)_initcall|builtin_\w+_driver"
)


def is_module(text: str, is_told: bool = False) -> bool:
    """Whether the text of a C file is one of a kernel module; `is_told`: it is, unless it is a program's."""
    if not (is_told or _MACRO.search(text) or any(name in text for name in _HEADERS)):
        return False  # most texts: there is nothing to take into pieces
    names = [piece for piece in pieces(text) if piece.kind in (Kind.DIRECTIVE, Kind.NAME, Kind.PUNCTUATION)]
    included = _included(names)
    if not included.isdisjoint(_LIBRARY):
        return False
    words = [piece.text for piece in names if piece.kind is not Kind.DIRECTIVE]
    called = {word for word, after in pairwise(words) if after == "("}
    if "main" in called:
        return False
    return is_told or not included.isdisjoint(_HEADERS) or any(map(_MACRO.fullmatch, called))


def _included(found: Iterable[Piece]) -> frozenset[str]:
    directives = (piece.text for piece in found if piece.kind is Kind.DIRECTIVE)
    return frozenset(found["name"] for found in map(_INCLUDE.match, directives) if found)


def includes(path: str) -> frozenset[str]:
    """The headers that a C file includes. *Raises*: OSError."""
    return _included(pieces(Path(path).read_text(encoding="utf-8-sig", errors="replace")))


def is_module_file(path: str, is_told: bool = False) -> bool:
    """Whether a file is one of a kernel module; one that is preprocessed already, or cannot be read, is not."""
    if not path.endswith(".c"):
        return False
    try:
        return is_module(Path(path).read_text(encoding="utf-8-sig", errors="replace"), is_told)
    except OSError:
        return False


def has_main(path: str) -> bool:
    """Whether a file names a function `main`; so does one that cannot be read, which whoever reads it tells."""
    try:
        found = pieces(Path(path).read_text(encoding="utf-8-sig", errors="replace"))
    except OSError:
        return True
    words = [piece.text for piece in found if piece.kind in (Kind.NAME, Kind.PUNCTUATION)]
    return ("main", "(") in pairwise(words)
