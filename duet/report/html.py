"""The HTML report: one self-contained file, no network, readable without scripts and on paper.

What open checks hang on comes first, then the checks, the most urgent first, then the source files with the verdicts in
the margin; a check opens to its invariant, the definitions that flow in, and why each definition of another thread can.
With many checks the page would be too large for a browser: then evidence and sources are in one compressed store, see
`duet.report.store`, and are drawn when they are asked for.
"""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CLexer, TextLexer

from duet import __version__
from duet.report.groups import Agenda, Ranked, agenda
from duet.report.store import packed
from duet.report.text import describe_flow, files_words, pictured, shown_path, told_moves
from duet.result import HALF, TOTAL, Assertion, FlowNote, Run, Status
from duet.source import SourceFile

MEANING = {
    Status.PROVED: "holds in every execution",
    Status.UNPROVED: "not proved; it need not be a bug",
    Status.REFUTED: "fails: a feasible schedule was found",
    Status.UNREACHABLE: "never executed",
    Status.UNKNOWN: "the run did not finish",
}
GLYPH = {
    Status.PROVED: "✓",
    Status.UNPROVED: "!",
    Status.REFUTED: "✗",
    Status.UNREACHABLE: "∅",
    Status.UNKNOWN: "?",
}
LARGE = 400
"""More checks than this are drawn on demand."""
# Worst first: the mark of a line with several checks, and the order of the filters.
ORDER = (Status.REFUTED, Status.UNPROVED, Status.UNKNOWN, Status.UNREACHABLE, Status.PROVED)


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check as the page shows it; `number` counts from 1 and makes its anchor."""

    number: int
    assertion: Assertion
    path: str
    target: str  # anchor of its source line
    ranked: Ranked | None = None  # its place in the list to act on, if it is open

    @property
    def status(self) -> Status:
        return self.assertion.status


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a source file: highlighted text and the checks on it."""

    number: int
    code: Markup
    checks: tuple[CheckView, ...]

    @property
    def worst(self) -> Status | None:
        return min((check.status for check in self.checks), key=ORDER.index, default=None)


@dataclass(frozen=True, slots=True)
class FileView:
    """One source file; without text where the file was not kept (only its lines with checks then)."""

    number: int
    path: str
    lines: tuple[LineView, ...]
    has_text: bool

    @property
    def total(self) -> int:
        return sum(len(line.checks) for line in self.lines)

    @property
    def open_checks(self) -> int:
        return sum(check.ranked is not None for line in self.lines for check in line.checks)


def render(run: Run) -> str:
    """The report as one HTML page."""
    listed = agenda(run)
    views = _check_views(run, listed)
    sources = _file_views(run, views)
    is_large = len(views) > LARGE
    environment = Environment(
        loader=PackageLoader("duet.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    script = _asset("script.js") + _asset("schedule.js")
    shared: dict[str, Any] = {
        "meaning": MEANING,
        "glyph": GLYPH,
        "anchor": (lambda _file, _line: "") if is_large else _Anchors(run),
        "shown_path": shown_path,
        "columns": _threads,
        "told": told_moves,
    }
    parts: Any = environment.get_template("parts.html").make_module(shared)
    page = environment.get_template("report.html").render(
        run=run,
        version=__version__,
        title=files_words(run.files),
        checks=views,
        rows=sorted(views, key=_urgency),
        groups=listed.groups,
        files=sources,
        is_large=is_large,
        store=packed(views, [parts.evidence(view) for view in views], [parts.bare(file) for file in sources])
        if is_large
        else "",
        counts=[(status, run.count(status)) for status in ORDER if run.count(status)],
        safe=sum(check.status.is_safe for check in views),
        style=Markup(_asset("style.css") + _asset("schedule.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        describe=describe_flow,
        **shared,
        timing=[(stage, seconds) for stage, seconds in run.timing.items() if stage not in (TOTAL, HALF)],
    )
    return pictured(page)


class _Anchors:
    """Gives the link to a source line, empty where the line is not on the page."""

    def __init__(self, run: Run) -> None:
        self._files = {path: number for number, path in enumerate(_paths(run), 1)}
        self._length = {source.path: source.text.count("\n") + 1 for source in run.sources}
        self._checked = {(a.check.file, a.check.line) for a in run.assertions}

    def __call__(self, file: str, line: int) -> str:
        known = 1 <= line <= self._length.get(file, 0) or (file, line) in self._checked
        return f"f{self._files[file]}-{line}" if known and file in self._files else ""


def _paths(run: Run) -> list[str]:
    """The files to show: those given, in order, then those that only appear in a check."""
    return list(dict.fromkeys([s.path for s in run.sources] + sorted({a.check.file for a in run.assertions})))


def _check_views(run: Run, listed: Agenda) -> tuple[CheckView, ...]:
    anchor = _Anchors(run)
    return tuple(
        CheckView(at + 1, a, shown_path(a.check.file), anchor(a.check.file, a.check.line), listed.places.get(at))
        for at, a in enumerate(run.assertions)
    )


def _urgency(view: CheckView) -> tuple[bool, int]:
    """Open checks by their ranks, then the others in source order."""
    return (view.ranked is None, view.number) if view.ranked is None else (False, view.ranked.rank)


def _file_views(run: Run, checks: Iterable[CheckView]) -> list[FileView]:
    by_place: dict[str, dict[int, list[CheckView]]] = defaultdict(lambda: defaultdict(list))
    for check in checks:
        by_place[check.assertion.check.file][check.assertion.check.line].append(check)
    texts = {source.path: source for source in run.sources}
    return [
        FileView(number, shown_path(path), _lines(texts.get(path), by_place.get(path, {})), path in texts)
        for number, path in enumerate(_paths(run), 1)
    ]


def _lines(source: SourceFile | None, checks: Mapping[int, list[CheckView]]) -> tuple[LineView, ...]:
    code = dict(enumerate(highlighted(source), 1)) if source else {}
    numbers = sorted(code.keys() | checks.keys())
    return tuple(LineView(n, code.get(n, Markup("")), tuple(checks.get(n, ()))) for n in numbers)


def highlighted(source: SourceFile) -> list[Markup]:
    """The lines of the file as safe HTML, with a span per token."""
    # Pygments also ends lines at carriage returns: only "\n" may, or line numbers shift.
    text = source.text.replace("\r\n", "\n").replace("\r", " ").replace("\f", " ")
    lexer = TextLexer(stripnl=False) if source.path.endswith(".plip") else CLexer(stripnl=False)
    page: str = highlight(text, lexer, HtmlFormatter(nowrap=True))
    lines = page.split("\n")
    return [Markup(line) for line in (lines[:-1] if lines[-1] == "" else lines)]  # escaped by Pygments


def _threads(flow: FlowNote) -> list[str]:
    """The threads of a derivation, in order of appearance: the columns of its table."""
    return list(dict.fromkeys(step.thread for step in flow.derivation))


def _asset(name: str) -> str:
    return resources.files("duet.report").joinpath("templates", name).read_text(encoding="utf-8")
