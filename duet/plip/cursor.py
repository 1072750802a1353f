"""A cursor over the tokens of a PLIP text, with the phrases that every part of the grammar shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from duet.errors import SourceError
from duet.plip.tokens import KEYWORDS, Token
from duet.source import Span

T = TypeVar("T")
Bounds: TypeAlias = tuple[int | None, int | None]


class Cursor:
    """Reads tokens one by one; every method that fails raises SourceError at the token where it stands.

    `source` is the file of places written without one.
    """

    def __init__(self, tokens: Sequence[Token], path: str) -> None:
        self._tokens = tokens
        self._next = 0
        self.source = path

    @property
    def token(self) -> Token:
        return self._tokens[self._next]

    @property
    def span(self) -> Span:
        return self.token.span

    def error(self, message: str, span: Span | None = None) -> SourceError:
        return SourceError(message, span or self.span)

    def at(self, *values: str) -> bool:
        """Whether the next token is one of these symbols or keywords."""
        return self.token.kind in ("symbol", "name") and self.token.value in values

    def at_kind(self, kind: str) -> bool:
        return self.token.kind == kind

    def at_name(self) -> bool:
        token = self.token
        return token.kind == "string" or (token.kind == "name" and token.value not in KEYWORDS)

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self._next += 1
        return token

    def accept(self, *values: str) -> bool:
        """Whether the next token was one of these; it is then behind us."""
        if not self.at(*values):
            return False
        self.advance()
        return True

    def expect(self, value: str) -> Token:
        if not self.at(value):
            raise self.error(f"expected {value!r}, found {self._found()}")
        return self.advance()

    def name(self) -> str:
        if not self.at_name():
            raise self.error(f"expected a name, found {self._found()}")
        return self.advance().value

    def string(self) -> str:
        if not self.at_kind("string"):
            raise self.error(f"expected a string, found {self._found()}")
        return self.advance().value

    def natural(self) -> int:
        if not self.at_kind("number"):
            raise self.error(f"expected a number, found {self._found()}")
        return int(self.advance().value)

    def integer(self) -> int:
        return -self.natural() if self.accept("-") else self.natural()

    def bounds(self) -> Bounds:
        """`lo..hi`, where either side may be left out."""
        lo = None if self.at("..") else self.integer()
        self.expect("..")
        hi = self.integer() if self.at_kind("number") or self.at("-") else None
        if lo is not None and hi is not None and lo > hi:
            raise self.error(f"empty range {lo}..{hi}")
        return lo, hi

    def place(self) -> Span:
        """`"file":line:column`, where the file may be left out."""
        file = self.source
        if self.at_kind("string"):
            file = self.string()
            self.expect(":")
        line = self.natural()
        self.expect(":")
        return Span(file, line, self.natural())

    def comma_separated(self, close: str, item: Callable[[], T]) -> tuple[T, ...]:
        """Items up to and including the token `close`."""
        items: list[T] = []
        while not self.at(close):
            items.append(item())
            if not self.at(close):
                self.expect(",")
        self.expect(close)
        return tuple(items)

    def attempt(self, phrase: Callable[[], T]) -> T | None:
        """What `phrase` reads, or None, at the same token as before, if it fails."""
        start = self._next
        try:
            return phrase()
        except SourceError:
            self._next = start
            return None

    def _found(self) -> str:
        return "the end of the text" if self.at_kind("end") else repr(self.token.value)
