"""Where a token of the parsed text stands in the file that the user wrote."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from duet.frontend.source.tokens import INSIGNIFICANT, Kind, marker, pieces
from duet.source import Span


class WrittenCall(NamedTuple):
    """A call as it stands in the source: a name, and the text between the parentheses, blanks made single."""

    name: str
    arguments: str

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})"


@dataclass(frozen=True, slots=True)
class Places:
    """The user's lines by file, and the parsed lines by file and line number (several after a macro or include).

    `headers` are where those of libraries are. A file of the user may not be there: then it has no lines in `source`.
    Answers are kept, since the lowering asks for the place of a node whenever it comes by.
    """

    source: Mapping[str, tuple[str, ...]]
    parsed: Mapping[tuple[str, int], tuple[str, ...]]
    headers: tuple[Path, ...]
    _known: dict[tuple[str, int, int], Span] = field(default_factory=dict, compare=False, repr=False)
    _alignments: dict[tuple[str, str], Alignment] = field(default_factory=dict, compare=False, repr=False)

    def is_users(self, file: str) -> bool:
        """Whether a file is the user's, there or not, and no header of a library."""
        return not is_library(file, self.headers)

    def span(self, file: str, line: int, column: int) -> Span:
        """The user's place of what the parser saw at `column` of a line; of the line, if that is 0."""
        key = (file, line, column)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Span(file, line, self.column(file, line, column) if column else 0)
        return found

    def column(self, file: str, line: int, column: int) -> int:
        """The user's column of what the parser saw at `column` of a line.

        A token that is not in the user's line comes from a macro: then the column of that macro's use.
        """
        lines = self.source.get(file, ())
        if not 0 < line <= len(lines):
            return column
        original = lines[line - 1]
        texts = [text for text in self.parsed.get((file, line), ()) if len(text) >= column]
        if not texts or texts[0][:column] == original[:column]:
            return column
        aligned = (self._aligned(text, original) for text in texts)
        here = next((one for one in aligned if column in one.starts), None)
        return (here or self._aligned(texts[0], original)).column(column)

    def _aligned(self, text: str, original: str) -> Alignment:
        """A parsed line beside the user's, from where the preprocessor says by blanks that a macro was used."""
        if (text, original) not in self._alignments:
            used = len(text) - len(text.lstrip())
            rest = " " * used + original[used:] if original[:used].strip() else original
            self._alignments[text, original] = align(text, rest)
        return self._alignments[text, original]

    def call(self, span: Span) -> WrittenCall | None:
        """The call that the user wrote at `span`, of a function or a macro."""
        lines = self.source.get(span.file, ())
        if not 0 < span.line <= len(lines) or span.column < 1:
            return None
        rest = "\n".join((lines[span.line - 1][span.column - 1 :], *lines[span.line : span.line + 50]))
        name, inside = "", list[str]()
        depth = 0
        for piece in pieces(rest):
            depth -= piece.text == ")"
            if depth == 0 and inside:
                return WrittenCall(name, " ".join("".join(inside[1:]).split()))
            if depth > 0 or piece.text == "(":
                inside.append(" " if piece.kind in INSIGNIFICANT else piece.text)
            elif piece.kind is Kind.NAME:
                name = piece.text
            elif piece.kind not in INSIGNIFICANT:
                return None
            depth += piece.text == "("
        return None


def find_places(text: str, path: str, skipped: tuple[Path, ...]) -> Places:
    """Returns the places of the lines of `text`; headers of the system and files in `skipped` are not the user's."""
    parsed: dict[tuple[str, int], list[str]] = {}
    file, line = path, 1
    for content in text.split("\n"):
        found = marker(content) if content.lstrip().startswith("#") else None
        if found:
            file, line = _raw_name(content) or file, found.line
            continue
        if content.strip():
            parsed.setdefault((file, line), []).append(content)
        line += 1
    files = sorted({name for name, _ in parsed} | {path})
    source = {name: lines for name in files if (lines := _read_lines(name, skipped))}
    return Places(source, {key: tuple(value) for key, value in parsed.items()}, skipped)


def _raw_name(directive: str) -> str:
    found = marker(directive)
    return found.file if found else ""


@lru_cache(maxsize=4096)
def is_library(name: str, skipped: tuple[Path, ...]) -> bool:
    """Whether a file is a header of the system or in `skipped`, and not the user's."""
    parents = frozenset(Path(name).parents)
    return name.startswith("<") or not parents.isdisjoint(skipped) or "usr/include" in f"{Path(name).parent}"


def _read_lines(name: str, skipped: tuple[Path, ...]) -> tuple[str, ...]:
    """The lines of a file, none where it cannot be read (the input may come from elsewhere)."""
    if is_library(name, skipped):
        return ()
    try:
        return tuple(Path(name).read_text(encoding="utf-8-sig", errors="replace").split("\n"))
    except (OSError, ValueError):
        return ()


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where the tokens of a parsed line start, in order, and the column of the user's line that each belongs to."""

    starts: tuple[int, ...]
    columns: tuple[int, ...]

    def column(self, column: int) -> int:
        """The user's column of the token that `column` of the parsed line is in; itself if the user's line is blank."""
        return self.columns[max(bisect_right(self.starts, column) - 1, 0)] if self.columns else column


def align(text: str, original: str) -> Alignment:
    """Matches the tokens of a parsed line with those of the line that the user wrote.

    What has no match belongs to the last name up to the token behind the last match that the parser has not seen, else
    to that token: the use of the macro that it came from.
    """
    left, right = _tokens(text), _tokens(original)
    if not left or not right:
        return Alignment((), ())
    matcher = difflib.SequenceMatcher(None, [word for _, word in left], [word for _, word in right], autojunk=False)
    seen = {word for _, word in left}
    macros = [column for column, word in right if word not in seen and (word[0].isalpha() or word[0] == "_")]
    columns: list[int] = []
    behind = 0
    for block in matcher.get_matching_blocks():  # the last one is empty and behind all tokens
        use = right[min(behind, len(right) - 1)][0]
        before = bisect_right(macros, use)
        use = macros[before - 1] if before else use
        columns += [use] * (block.a - len(columns))
        columns += [column for column, _ in right[block.b : block.b + block.size]]
        behind = block.b + block.size
    return Alignment(tuple(start for start, _ in left), tuple(columns))


def _tokens(line: str) -> list[tuple[int, str]]:
    """The tokens of one line with their columns."""
    found, column = [], 1
    for piece in pieces(" " + line):
        if piece.kind not in INSIGNIFICANT:
            found.append((column - 1, piece.text))
        column += len(piece.text)
    return found
