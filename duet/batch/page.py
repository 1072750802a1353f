"""The suite page: one self-contained HTML file with a row for each task and links to the tasks' own pages."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from duet import __version__
from duet.batch import breakdown
from duet.batch.tables import published_domains
from duet.batch.task import Published, Suite
from duet.batch.verdict import Agreement, Row, Verdict
from duet.result import Status

# The tone and mark of a verdict are those of a check's status in the single reports.
TONE = MappingProxyType({
    Verdict.REFUTED: ("refuted", "✗"),
    Verdict.ERROR: ("refuted", "⚠"),
    Verdict.LIMIT: ("unknown", "⧖"),
    Verdict.OPEN: ("unproved", "!"),
    Verdict.PROVED: ("proved", "✓"),
    Verdict.EMPTY: ("unreachable", "○"),
    Verdict.SKIPPED: ("unreachable", "∅"),
    Verdict.NOT_RUN: ("unknown", "?"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the tasks that have a result, and over the published numbers of those.

    Where all tasks have one, the published total is the one that was printed, if the suite has it; `is_printed` tells
    that it is not the sum of the rows.
    """

    counts: Counter[str]
    seconds: float
    published: Mapping[str, int]
    is_printed: bool

    @property
    def safe(self) -> int:
        return self.counts[Status.PROVED.value] + self.counts[Status.UNREACHABLE.value]


def render(suite: Suite, rows: Sequence[Row]) -> str:
    """The suite page."""
    environment = Environment(
        loader=PackageLoader("duet.batch"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    script = _asset("duet.batch", "suite.js")
    found = Counter(row.verdict for row in rows)
    return environment.get_template("suite.html").render(
        version=__version__,
        suite=suite,
        rows=rows,
        totals=totals(suite, rows),
        verdicts=[(verdict, found[verdict]) for verdict in TONE if found[verdict]],
        unsound=[row for row in rows if row.agreement is Agreement.UNSOUND],
        has_since=any(row.since is not None for row in rows),
        has_expected=any(row.task.expected is not None for row in rows),
        domains=published_domains(rows),
        statuses=[Status.UNPROVED, Status.REFUTED, Status.UNKNOWN],
        tone=TONE,
        Agreement=Agreement,
        share=share,
        directories=breakdown.by_directory(rows),
        subsystems=breakdown.by_subsystem(rows),
        properties=breakdown.properties(rows),
        causes=breakdown.causes(rows),
        style=Markup(_asset("duet.report", "style.css") + _asset("duet.batch", "suite.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def totals(suite: Suite, rows: Sequence[Row]) -> Totals:
    """The sums over the rows."""
    counts: Counter[str] = Counter()
    published: Counter[str] = Counter()
    is_whole = True
    seconds = 0.0
    for row in rows:
        if row.record is None:
            is_whole = is_whole and not row.task.published
            continue
        counts.update(row.record.summary)
        seconds += row.record.seconds
        if row.task.published:
            published.update(_numbers(row.task.published))
    printed = _numbers(suite.published_total) if suite.published_total and is_whole else dict(published)
    return Totals(counts, seconds, printed, printed != published)


def _numbers(published: Published) -> dict[str, int]:
    return {"checks": published.checks, **dict(published.proved)}


def share(part: int, whole: int) -> str:
    """A part of a whole in percent, empty where there is nothing."""
    return f"{100 * part / whole:.1f}%" if whole else ""


def _asset(package: str, name: str) -> str:
    return resources.files(package).joinpath("templates", name).read_text(encoding="utf-8")
