"""The suite's results for other programs: CSV, and JUnit XML as CI servers read it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as Xml

from duet.batch.progress import line
from duet.batch.verdict import Agreement, Row, Verdict
from duet.result import Status

HEADER = (
    "task", "files", "property", "domain", "status", "verdict", "expected", "agreement", "checks",
    *(status.value for status in Status), "seconds", "peak_rss_mib", "message", "note",
)  # fmt: skip
# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_csv(rows: Sequence[Row]) -> str:
    """The table with one line for each task; `new`, `same` and `fixed` where there is an earlier batch.

    `published_*` columns where the suite has published numbers.
    """
    domains = published_domains(rows)
    since = ("new", "same", "fixed") if any(row.since for row in rows) else ()
    published = ("published_checks", *(f"published_proved_{name}" for name in domains)) if domains else ()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*HEADER, *since, *published))
    for row in rows:
        writer.writerow((*_cells(row), *(_since(row) if since else ()), *_published(row, domains)))
    return text.getvalue()


def published_domains(rows: Iterable[Row]) -> tuple[str, ...]:
    """The domains for which there are published numbers, in order of appearance."""
    found = (name for row in rows if row.task.published for name, _ in row.task.published.proved)
    return tuple(dict.fromkeys(found))


def render_junit(title: str, rows: Sequence[Row]) -> str:
    """The tasks as test cases.

    A task passes if everything is proved, if its verdict is the expected one, or if no open check is new against an
    earlier batch; limits and errors are errors.
    """
    suites = Xml.Element("testsuites")
    suite = Xml.SubElement(suites, "testsuite", name=_xml(title))
    counts = {"failure": 0, "error": 0, "skipped": 0}
    seconds = 0.0
    for row in rows:
        took = row.record.seconds if row.record else 0.0
        seconds += took
        case = Xml.SubElement(suite, "testcase", classname=_xml(title), name=_xml(row.task.name), time=f"{took:.3f}")
        kind = _outcome(row)
        if kind:
            counts[kind] += 1
            Xml.SubElement(case, kind, message=_xml(line(row)), type=_xml(row.agreement or row.verdict))
    totals = {
        "tests": len(rows), "failures": counts["failure"], "errors": counts["error"], "skipped": counts["skipped"],
        "time": f"{seconds:.3f}",
    }  # fmt: skip
    for element in (suites, suite):
        for name, value in totals.items():
            element.set(name, str(value))
    Xml.indent(suites)
    return Xml.tostring(suites, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _outcome(row: Row) -> str:
    """The element for anything but a pass."""
    match row.verdict:
        case Verdict.SKIPPED | Verdict.NOT_RUN:
            return "skipped"
        case Verdict.LIMIT | Verdict.ERROR:
            return "error"
        case Verdict.PROVED | Verdict.EMPTY | Verdict.OPEN | Verdict.REFUTED:
            if row.agreement is not Agreement.NONE:
                return "" if row.agreement is Agreement.CORRECT else "failure"
            if row.since is not None:
                return "failure" if row.since.new else ""
            return "" if row.verdict in (Verdict.PROVED, Verdict.EMPTY) else "failure"


def _cells(row: Row) -> list[object]:
    task, record = row.task, row.record
    expected = "" if task.expected is None else str(task.expected).lower()
    head = [task.name, " ".join(task.files), task.property_name]
    if record is None:
        blank = [""] * (len(Status) + 3)
        return [*head, task.analysis.domain, row.verdict.value, "", expected, "", *blank, task.skipped, task.note]
    summary = record.summary
    counts = [summary["total"], *(summary[status.value] for status in Status)]
    status = [record.domain, record.status, row.svcomp, expected, row.agreement.value]
    return [*head, *status, *counts, record.seconds, record.peak_rss_mib, record.message, task.note]


def _since(row: Row) -> tuple[object, ...]:
    """How many open checks are new, the same and fixed."""
    return ("", "", "") if row.since is None else (len(row.since.new), row.since.same, len(row.since.fixed))


def _published(row: Row, domains: tuple[str, ...]) -> list[object]:
    published = row.task.published
    if not domains:
        return []
    if published is None:
        return [""] * (len(domains) + 1)
    proved = dict(published.proved)
    return [published.checks, *(proved.get(name, "") for name in domains)]


def _xml(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
