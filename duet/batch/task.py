"""A suite and its tasks: what `duet batch` is asked to run, and what is known of the answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from duet.options import AnalysisOptions, FrontendOptions


@dataclass(frozen=True, slots=True)
class Published:
    """Numbers that somebody published for the same input: checks, and how many were proved by domain."""

    checks: int
    proved: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One run: its name is unique in the suite.

    `property_name` is the SV-COMP property that the verdict is about, empty where it is about all checks.
    `expected` is the right verdict, None where nobody said. `skipped` says why the task cannot be run, if so.
    `runs`: checks that stay open are decided by running the program, which no suite can ask for.
    """

    name: str
    files: tuple[str, ...]
    frontend: FrontendOptions = field(default_factory=FrontendOptions)
    analysis: AnalysisOptions = field(default_factory=AnalysisOptions)
    property_name: str = ""
    expected: bool | None = None
    published: Published | None = None
    note: str = ""
    skipped: str = ""
    runs: bool = False


@dataclass(frozen=True, slots=True)
class Suite:
    """The tasks in the order of the report.

    `published` says whose numbers the tasks carry, `published_total` what is printed there as their total.
    """

    title: str
    tasks: tuple[Task, ...]
    published: str = ""
    published_total: Published | None = None
