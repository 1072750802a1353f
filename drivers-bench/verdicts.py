"""What the annotations of the bundled programs expect, against what the analysis says.

An annotated line counts as proved if every check on it is proved or unreachable.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where the tests' annotations are found

from tests.c.annotations import AnnotatedProgram, Expected, load

PROVED = ("proved", "unreachable")
HEADERS = ("programs", "checks", "safe", "proved", "unknown", "proved", "unsafe", "proved", "recall")


@dataclass(frozen=True)
class Score:
    """Programs, all their checks, and annotated lines by what is expected and what was proved of them.

    `safe` must be proved, `unknown` is true but not expected to be proved, `unsafe` must never be proved.
    """

    programs: int = 0
    checks: int = 0
    safe: int = 0
    safe_proved: int = 0
    unknown: int = 0
    unknown_proved: int = 0
    unsafe: int = 0
    unsafe_proved: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def recall(self) -> float | None:
        """The part of the lines that are true on which everything was proved; None where there are none."""
        true = self.safe + self.unknown
        return (self.safe_proved + self.unknown_proved) / true if true else None


def score(program: AnnotatedProgram, assertions: Sequence[Mapping[str, Any]]) -> Score:
    """How the verdicts of a report's `assertions` fit the program's annotations."""
    statuses: dict[int, set[bool]] = defaultdict(set)
    for assertion in assertions:
        places = [access["stack"][-1]["line"] for access in assertion.get("accesses", ())]
        for line in {assertion["line"], *places}:
            statuses[line].add(assertion["status"] in PROVED)
    counts = {expected: [0, 0] for expected in Expected}
    for annotation in program.annotations:
        found = statuses[annotation.line]
        counts[annotation.expected][0] += 1
        # of what is unsafe, one check that is proved is one too many
        is_proved = any(found) if annotation.expected is Expected.UNSAFE else bool(found) and all(found)
        counts[annotation.expected][1] += is_proved
    safe, dead = counts[Expected.SAFE], counts[Expected.UNREACHABLE]
    return Score(
        1, len(assertions), safe[0] + dead[0], safe[1] + dead[1], *counts[Expected.UNKNOWN], *counts[Expected.UNSAFE]
    )


def scores(measured: Iterable[tuple[Path, Sequence[Mapping[str, Any]]]]) -> Mapping[str, Score]:
    """The scores of programs by topic, the folder that they are in; what has no annotations is left out."""
    found: dict[str, Score] = defaultdict(Score)
    for path, assertions in measured:
        program = load(path)
        if program.annotations:
            found[path.parent.name] += score(program, assertions)
    return dict(sorted(found.items()))


def table(rows: Mapping[str, Score], title: str) -> Table:
    """The scores, a row each, and their sum."""
    result = Table(title=title, show_footer=True)
    total = sum(rows.values(), Score())
    result.add_column("", footer="all")
    for header, text in zip(HEADERS, _cells(total), strict=True):
        result.add_column(header, footer=text, justify="right")
    for name, row in rows.items():
        result.add_row(name, *_cells(row), style="bold red" if row.unsafe_proved else "")
    return result


def _cells(row: Score) -> list[str]:
    """What a row of the table says."""
    recall = "-" if row.recall is None else f"{row.recall:.0%}"
    return [*map(str, astuple(row)), recall]
