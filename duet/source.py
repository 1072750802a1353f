"""Places in source text: what every command, check, warning and error points to."""

from __future__ import annotations

from duet.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A point in a source file as the user wrote it (line markers already followed).

    Units: `line` and `column` count from 1; a column of 0 means that it is not known.
    """

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        return f"{place}:{self.column}" if self.column else place


NOWHERE = Span("", 0)
"""The place of what has none."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of one input file, kept for reports."""

    path: str
    text: str
