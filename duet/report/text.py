"""The text report: gcc-style lines that editors and CI logs link, and one summary line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from duet import result
from duet.result import AccessNote, Assertion, FlowNote, Run, RunStatus, Status, Understood

WARNING_LIMIT = 20
FLOW_LIMIT = 3
COLOURS = {
    Status.PROVED: "32",
    Status.UNPROVED: "33",
    Status.REFUTED: "31",
    Status.UNREACHABLE: "36",
    Status.UNKNOWN: "35",
}


@dataclass(frozen=True, slots=True)
class Text:
    """The two halves of the report: `results` for standard output, `notes` for standard error."""

    results: str
    notes: str


def render(run: Run, colour: bool = False) -> Text:
    """The report on `run`; the last line of `results` is the summary."""
    lines = [line for a in run.assertions if not a.status.is_safe for line in (_check_line(a, colour), *_schedule(a))]
    lines.append(summary_line(run, colour))
    return Text(_joined(lines), notes(run))


def notes(run: Run) -> str:
    """The warnings, at most WARNING_LIMIT of them one by one, and what the verdicts rest on."""
    told = sorted(run.warnings, key=lambda warning: warning.severity != "error")  # errors are never cut off
    limit = max(WARNING_LIMIT, sum(warning.severity == "error" for warning in told))
    lines = [f"a kernel module, read with {run.headers}"] if run.headers else []
    lines += [_warning_line(warning) for warning in told[:limit]]
    if rest := told[limit:]:
        kinds = ", ".join(f"{number} {code}" for code, number in sorted(Counter(w.code for w in rest).items()))
        lines.append(f"{len(rest)} more warnings ({kinds}): see the JSON or HTML report")
    if run.understood is not None and not run.understood.is_whole:
        lines.append(understood_line(run.understood))
    if run.assumptions:
        lines.append(f"assumptions: {'; '.join(run.assumptions)}")
    return _joined(lines)


def summary_line(run: Run, colour: bool = False) -> str:
    """The verdicts in one line, such as `driver.c: 11 proved, 1 unproved in 0.8 s (octagon, souffle, apron)`."""
    counts = [_paint(f"{run.count(status)} {status}", status, colour) for status in Status if run.count(status)] or [
        "no checks"
    ]
    with_what = ", ".join(name.split()[0] for name in (run.domain, run.engine, run.numeric) if name)
    time = f" in {run.timing['total']:.1f} s" if "total" in run.timing else ""
    line = f"{', '.join(shown_path(file) for file in run.files)}: {', '.join(counts)}{time} ({with_what})"
    if run.status is not RunStatus.COMPLETE:
        line += f"; not finished: {run.status}" + (f", {run.message}" if run.message else "")
    return line


def understood_line(share: Understood) -> str:
    """What share of the code was understood, in words."""
    return (
        f"understood: {share.functions_understood} of {share.functions} functions, "
        f"{share.lines_understood} of {share.lines} lines ({share.percent} %)"
    )


def describe_flow(flow: FlowNote) -> str:
    """Where a value comes from, in words."""
    match flow.kind:
        case "init":
            return f"initial value at {shown_path(flow.file)}:{flow.line}" if flow.line else "initial value"
        case "intra":
            whose = "this thread"
        case _:
            whose = "another thread"
    return f"written at {shown_path(flow.file)}:{flow.line} ({flow.thread}, {whose})"


def shown_path(path: str) -> str:
    """The path relative to the current directory where it lies below it."""
    relative = os.path.relpath(path) if os.path.isabs(path) else path
    return path if relative.startswith("..") else relative


def diagnostic(message: str) -> str:
    """An error message in the form of compilers; one that has a place already stays as it is."""
    return message if "error: " in message.splitlines()[0] else f"duet: error: {message}"


def visible(text: str) -> str:
    """The text on one line, control characters written out: analysed C text must not steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def access_words(note: AccessNote) -> str:
    """What one thread does in a race or deadlock: `atomic write of x by f, holding m`, `waits for m in f, ...`."""
    waits = note.kind in ("lock", "join")
    what = f"waits for {note.cell}" if waits else f"{'atomic ' if note.is_atomic else ''}{note.kind} of {note.cell}"
    return f"{what} {'in' if waits else 'by'} {note.thread}, holding {', '.join(note.held) or 'no lock'}"


def _check_line(assertion: Assertion, colour: bool) -> str:
    check = assertion.check
    column = f":{check.column}" if check.column else ""
    parts = [f"here {assertion.invariant}"] if assertion.invariant else []
    parts += [assertion.reason] if assertion.reason else []
    told = sorted(assertion.flows, key=lambda flow: ("inter", "intra", "init").index(flow.kind))
    parts += dict.fromkeys(describe_flow(flow) for flow in told[:FLOW_LIMIT])
    if len(told) > FLOW_LIMIT:
        parts.append(f"{len(told) - FLOW_LIMIT} more")
    place = f"{shown_path(check.file)}:{check.line}{column}"
    status = _paint(assertion.status.value, assertion.status, colour)
    detail = f": {'; '.join(parts)}" if parts else ""
    where = f" in {check.function}" if check.function else ""
    what = f"{check.property_name} '{check.expression}'{where}{detail}"
    return f"{visible(place)}: {status}: {visible(what)}"


def _schedule(assertion: Assertion) -> Iterator[str]:
    """One line for each move of a schedule; `>` where another thread goes on than before."""
    width = max((len(move.thread) for move in assertion.schedule), default=0)
    before = ""
    for move in assertion.schedule:
        mark = ">" if before and move.thread != before else " "
        values = ", ".join(f"{name} = {value}" for name, value in move.values)
        told = f"  ({values})" if values else ""
        place = f"{shown_path(move.file)}:{move.line}"
        yield visible(f"  {mark} {move.thread:<{width}}  {place}: {move.text}{told}")
        before = move.thread


def _warning_line(warning: result.Warning) -> str:
    column = f":{warning.column}" if warning.column else ""
    return visible(
        f"{shown_path(warning.file)}:{warning.line}{column}: {warning.severity}: {warning.message} [{warning.code}]"
    )


def _paint(text: str, status: Status, colour: bool) -> str:
    return f"\033[{COLOURS[status]}m{text}\033[0m" if colour else text


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
