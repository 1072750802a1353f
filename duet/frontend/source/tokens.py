"""Preprocessed C text as a list of pieces, with the place of each in the user's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from duet.source import Span


class Kind(Enum):
    """What a piece is. Only SPACE, COMMENT and DIRECTIVE are not tokens of C."""

    SPACE = auto()
    COMMENT = auto()
    DIRECTIVE = auto()
    STRING = auto()
    CHARACTER = auto()
    NUMBER = auto()
    NAME = auto()
    PUNCTUATION = auto()
    OTHER = auto()


INSIGNIFICANT = frozenset({Kind.SPACE, Kind.COMMENT, Kind.DIRECTIVE})


class Piece(NamedTuple):
    """A stretch of the text; the pieces of a text put together are the text."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Marker:
    """A line marker: the line after it is `line` of `file`, the file as before if that is empty."""

    file: str
    line: int


_PIECE = re.compile(
    r"""(?P<DIRECTIVE>^[ \t]*\#[^\n]*)
    |(?P<SPACE>\s*\n|\s+)  # to the last line end: the indentation may belong to a directive
    |(?P<COMMENT>/\*.*?\*/|//[^\n]*)
    |(?P<STRING>(?:u8|[LuU])?"(?:[^"\\\n]|\\.)*")
    |(?P<CHARACTER>(?:u8|[LuU])?'(?:[^'\\\n]|\\.)*')
    |(?P<NUMBER>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
    |(?P<NAME>(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})(?:[\w$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)
    |(?P<PUNCTUATION>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\#\#|<:|:>|<%|%>|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
    |(?P<OTHER>.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KINDS = {kind.name: kind for kind in Kind}
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
"""A directive, in a text without comments and strings of several lines."""
_MARKER = re.compile(r'\s*#\s*(?:line\s+)?(?P<line>\d+)\s*(?:"(?P<file>(?:[^"\\]|\\.)*)")?')
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)


def pieces(text: str) -> Iterator[Piece]:
    """Yields the pieces of `text` in order. A line that starts with `#` is one piece, without its line end."""
    for found in _PIECE.finditer(text):
        yield Piece(_KINDS[found.lastgroup or ""], found.group())


_CHAR = re.compile(
    r""""(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|\b(?:(?:un)?signed|__signed__)\s+char\b|\bchar\b|^[ \t]*#[^\n]*""",
    re.M,
)


def with_unsigned_char(text: str) -> str:
    """The text with `unsigned char` for each plain `char`, as it is meant with `-funsigned-char`."""
    return _CHAR.sub(lambda found: "unsigned char" if found.group() == "char" else found.group(), text)


def marker(directive: str) -> Marker | None:
    """The line marker that a directive is, if it is one."""
    found = _MARKER.match(directive)
    if not found:
        return None
    return Marker(unescape(found["file"] or ""), int(found["line"]))


def unescape(name: str) -> str:
    """A file name as written in a line marker, without the escapes that a preprocessor puts there."""

    def plain(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        return bytes([int(code, 8) & 255]) if code.isdigit() and code[0] < ord("8") else code

    return _ESCAPE.sub(plain, name.encode()).decode("utf-8", "replace")


def places(parts: list[Piece], path: str) -> Iterator[Span]:
    """The place of each piece in the user's files, following the line markers before it."""
    file, line, column = path, 1, 1
    pending: Marker | None = None
    for piece in parts:
        yield Span(file, line, column)
        if piece.kind is Kind.DIRECTIVE:
            pending = marker(piece.text) or pending
        newlines = piece.text.count("\n")
        if newlines and pending is not None:
            file, line = pending.file or file, pending.line + newlines - 1
            pending = None
        else:
            line += newlines
        tail = piece.text.rsplit("\n", 1)[-1]
        column = len(tail) + 1 if newlines else column + len(tail)
