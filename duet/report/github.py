"""Open checks as annotations of GitHub Actions: a workflow command for each, which shows it at its line of a change.

*Source*: GitHub Docs, "Workflow commands for GitHub Actions": `::error file=F,line=L,col=C,title=T::message`.
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.report.groups import Level, agenda
from duet.report.sarif import message
from duet.report.text import shown_path
from duet.result import Run

_COMMANDS = {
    Level.SHOWN: "error",
    Level.MODEL: "error",
    Level.CERTAIN: "error",
    Level.LIKELY: "warning",
    Level.INPUT: "warning",
    Level.LOST: "notice",
    Level.UNDECIDED: "notice",
}
_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = _IN_MESSAGE | {":": "%3A", ",": "%2C"}


def render(run: Run) -> str:
    """A line for each open check, the most urgent first; with a baseline, for those that are new."""
    listed = agenda(run)
    lines = []
    for at in sorted(listed.places, key=lambda place: listed.places[place].rank):
        assertion = run.assertions[at]
        check = assertion.check
        if run.comparison is not None and check not in run.comparison.new:
            continue
        place = {"file": shown_path(check.file), "line": str(check.line), "col": str(check.column or 1)}
        place["title"] = f"duet: {check.property_name}"
        told = ",".join(f"{name}={_escaped(value, _IN_PROPERTY)}" for name, value in place.items())
        command = _COMMANDS[listed.places[at].level]
        lines.append(f"::{command} {told}::{_escaped(message(assertion), _IN_MESSAGE)}\n")
    return "".join(lines)


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(letter, letter) for letter in text)
