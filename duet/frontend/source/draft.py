"""The text of a C file while it is rewritten, token by token."""

from __future__ import annotations

from dataclasses import dataclass, field

from duet import result
from duet.errors import SourceError
from duet.frontend.source.loaded import Loaded
from duet.frontend.source.tokens import Kind, Piece, places
from duet.frontend.source.words import OPENING
from duet.source import Span


@dataclass(slots=True)
class Draft:
    """The text while it is rewritten: `out[i]` replaces `parts[i]`; `tokens` are the indices of real tokens.

    `behind` is what is put behind some of them in the end.

    `weak` are the names that may be of weak symbols, and others, `ending` those that may be of functions that do not
    return, and others, `loaded` the functions that the loader calls.
    `aliases` are the functions that stand for others of the file: both names, and where that is said.
    `symbols` are the data that assembler defines.
    `is_in_braces` tells of each token whether it stood inside braces. Pointers have 32 bits if it `is_small`.
    """

    path: str
    parts: list[Piece]
    out: list[str]
    tokens: list[int]
    is_in_braces: list[bool] = field(default_factory=list)
    warnings: list[result.Warning] = field(default_factory=list)
    behind: dict[int, str] = field(default_factory=dict)
    weak: set[str] = field(default_factory=set)
    ending: set[str] = field(default_factory=set)
    labels: list[tuple[str, str, Span]] = field(default_factory=list)
    loaded: list[Loaded] = field(default_factory=list)
    aliases: list[tuple[str, str, Span]] = field(default_factory=list)
    symbols: list[tuple[str, Span]] = field(default_factory=list)
    is_small: bool = False
    _places: list[Span] = field(default_factory=list)

    def text(self, token: int) -> str:
        """What stands now at a token, empty before the first and behind the last one."""
        return self.out[self.tokens[token]].strip() if 0 <= token < len(self.tokens) else ""

    def kind(self, token: int) -> Kind:
        return self.parts[self.tokens[token]].kind if 0 <= token < len(self.tokens) else Kind.SPACE

    def put(self, token: int, text: str) -> None:
        """Replaces a token, padded to its old width."""
        index = self.tokens[token]
        self.out[index] = text.ljust(len(self.parts[index].text))

    def add(self, token: int, text: str) -> None:
        """Puts something behind a token."""
        index = self.tokens[token]
        self.behind[index] = f"{self.behind.get(index, '')} {text}"

    def blank(self, first: int, last: int) -> None:
        """Blanks the tokens from `first` to `last`."""
        for token in range(first, min(last + 1, len(self.tokens))):
            self.put(token, "")

    def span(self, token: int) -> Span:
        return self.place(self.tokens[min(token, len(self.tokens) - 1)])

    def place(self, part: int) -> Span:
        """Where a part of the text stands in the user's files."""
        if not self._places:
            self._places.extend(places(self.parts, self.path))
        return self._places[part]

    def warn(self, token: int, code: str, message: str) -> None:
        span = self.span(token)
        self.warnings.append(result.Warning(span.file, span.line, span.column, code, message))

    def closing(self, token: int) -> int:
        """The token that closes the bracket opened at `token`; brackets have been checked."""
        depth = 0
        for index in range(token, len(self.tokens)):
            text = self.parts[self.tokens[index]].text
            depth += (text in OPENING) - (text in OPENING.values())
            if depth == 0:
                return index
        raise SourceError(f"this '{self.text(token)}' is never closed", self.span(token))

    def around(self, token: int) -> int:
        """The token that opens the innermost brackets around `token`, or those that it closes; -1 for none."""
        depth = 0
        for index in range(token - 1, -1, -1):
            text = self.text(index)
            if text in OPENING and not depth:
                return index
            depth += (text in OPENING.values()) - (text in OPENING)
        return -1
