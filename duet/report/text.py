"""The text report: gcc-style lines that editors and CI logs link, and one summary line."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from duet import result
from duet.report.groups import Agenda, Group, Level, agenda
from duet.result import (
    AccessNote,
    Assertion,
    Cause,
    CauseKind,
    Comparison,
    FlowNote,
    Move,
    Run,
    RunStatus,
    Status,
    Understood,
)

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
WARNING_LIMIT = 20
ALSO_LIMIT = 3
_NAMED = re.compile(r"^'[^']*' ")
FLOW_LIMIT = 3
FILE_LIMIT = 3
ASSUMPTION_LIMIT = 3
_UNSETTLED = ("", "auto")
"""What stands for a domain, an engine or a library that was not chosen yet."""
_OF_THREADS = ("data-race", "deadlock", "null-dereference", "array-bounds")
"""What is checked besides in a program with threads or handlers that asserts nothing."""
_ALLOCATION = "this allocation may fail"
FEW = 3
"""So many causes of one kind need no hint at how to leave them out."""
CHECK_LIMIT = 10
"""The most checks of one group that are told one by one."""
COLOURS = {
    Status.PROVED: "32",
    Status.UNPROVED: "33",
    Status.REFUTED: "31",
    Status.UNREACHABLE: "36",
    Status.UNKNOWN: "35",
}


@dataclass(frozen=True, slots=True)
class Text:
    """The report: `results` for standard output, and for standard error `notes` before and `ending` behind them."""

    results: str
    notes: str
    ending: str


def render(run: Run, colour: bool = False, is_verbose: bool = False) -> Text:
    """The report on `run`: the open checks, most urgent first and by causes; the last line of `results` sums up.

    Of a group with many checks only the first are told, unless `is_verbose`.
    """
    listed = agenda(run)
    groups = listed.groups if run.comparison is None else tuple(_new(listed, run.comparison))
    lines = [line for group in groups for line in _group(group, colour, is_verbose)]
    if listed.groups and any(len(group.members) > 1 for group in listed.groups):
        lines.append(f"{visible(shown_path(run.files[0]))}: {counts_line(listed)}")
    if run.comparison is not None:
        lines.append(comparison_line(run.comparison))
    lines.append(summary_line(run, colour))
    return Text(_joined(lines), notes(run, is_verbose), ending(run, is_verbose))


def _new(listed: Agenda, comparison: Comparison) -> Iterator[Group]:
    """The groups with nothing but what is new in them."""
    for group in listed.groups:
        members = tuple(member for member in group.members if member.assertion.check in comparison.new)
        if members:
            yield replace(group, members=members)


def comparison_line(comparison: Comparison) -> str:
    """What has changed since an earlier run."""
    new, fixed, same = len(comparison.new), len(comparison.fixed), len(comparison.same)
    return f"{visible(comparison.path)}: compared with this, {new} open checks are new, {fixed} fixed, {same} the same"


def counts_line(listed: Agenda) -> str:
    """How many open checks hang on how many causes, by level: `12 open checks hang on 3 causes: ...`."""
    number = sum(len(group.members) for group in listed.groups)
    by_level = Counter({level: sum(g.level is level for g in listed.groups) for level in Level})
    told = "; ".join(f"{level.words}: {count}" for level, count in sorted(by_level.items()) if count)
    failing = sum(group.cause.text == _ALLOCATION for group in listed.groups)
    hint = f" ({failing} are allocations that may fail; --assume malloc-succeeds leaves them out)"
    return f"{number} open checks hang on {_causes(len(listed.groups))}: {told}{hint if failing > FEW else ''}"


def _causes(number: int) -> str:
    return f"{number} cause" if number == 1 else f"{number} causes"


def _group(group: Group, colour: bool, is_verbose: bool) -> Iterator[str]:
    """The lines of a group: what its checks hang on, where there are several, and the checks."""
    cause, members = group.cause, group.members
    if len(members) > 1:
        place = f"{shown_path(cause.file)}:{cause.line}" if cause.line else "everywhere"
        yield visible(f"{place}: note: {len(members)} checks hang on this: {cause.text} ({group.level.words})")
    limit = len(members) if is_verbose else CHECK_LIMIT
    for ranked in members[:limit]:
        yield _check_line(ranked.assertion, colour, is_single=len(members) == 1)
        if ranked.assertion.confirmed or is_verbose:  # one of the model only says less than its reason
            yield from moves(ranked.assertion)
    if len(members) > limit:
        yield f"  {len(members) - limit} more of these (-v shows them, and so do JSON and HTML)"


def notes(run: Run, is_verbose: bool = False) -> str:
    """The warnings, those that say the same of others together, and how much was understood.

    All of them one by one if `is_verbose`, else at most WARNING_LIMIT lines; errors are never cut off.
    """
    groups: dict[object, list[result.Warning]] = {}
    for warning in sorted(run.warnings, key=lambda warning: warning.severity != "error"):
        is_alone = is_verbose or warning.severity == "error"
        groups.setdefault(warning if is_alone else _of_others(warning), []).append(warning)
    told = list(groups.values())
    limit = len(told) if is_verbose else max(WARNING_LIMIT, sum(group[0].severity == "error" for group in told))
    lines = [f"a kernel module, read with {run.headers}"] if run.headers else []
    lines += [_warning_line(group[0]) + _also(group) for group in told[:limit]]
    if rest := [warning for group in told[limit:] for warning in group]:
        kinds = ", ".join(f"{number} {code}" for code, number in sorted(Counter(w.code for w in rest).items()))
        lines.append(f"{len(rest)} more warnings ({kinds}): see the JSON or HTML report")
    if run.understood is not None and not run.understood.is_whole:
        lines.append(understood_line(run.understood))
    return _joined(lines)


def ending(run: Run, is_verbose: bool = False) -> str:
    """What was checked if nobody said what, and what the verdicts rest on: in short, or all of it if `is_verbose`."""
    lines = []
    if run.has_default_properties and run.properties:
        lines.append(f"checked: {', '.join(run.properties)} ({_chosen(run.properties)})")
    if run.assumptions and is_verbose:
        lines += [f"assumption: {visible(text)}" for text in run.assumptions]
    elif run.assumptions:
        told = [text if "--assume" in text else _short(text) for text in run.assumptions]
        own = sum("--assume" in text for text in run.assumptions)
        shown = told[: own + ASSUMPTION_LIMIT]
        more = f"; and {len(told) - len(shown)} more (-v lists all)" if len(told) > len(shown) else ""
        lines.append(visible(f"assumptions: {'; '.join(shown)}{more}"))
    return _joined(lines)


def _chosen(properties: Sequence[str]) -> str:
    """Why properties were chosen that nobody asked for, and how to choose others."""
    if any(name in properties for name in _OF_THREADS):
        return "chosen for this program; --properties P,Q chooses others"
    return f"chosen for this program; --properties {','.join((*properties, *_OF_THREADS))} checks more"


def _short(assumption: str) -> str:
    """An assumption without what explains it."""
    return re.split(r": | \(", assumption, maxsplit=1)[0]


def summary_line(run: Run, colour: bool = False) -> str:
    """The verdicts in one line, such as `driver.c: 11 proved, 1 unproved in 0.8 s (octagon, souffle, apron)`."""
    counts = [_paint(f"{run.count(status)} {status}", status, colour) for status in Status if run.count(status)] or [
        "no checks"
    ]
    with_what = ", ".join(name.split()[0] for name in (run.domain, run.engine, run.numeric) if name not in _UNSETTLED)
    time = f" in {run.timing['total']:.1f} s" if "total" in run.timing else ""
    line = f"{files_words(run.files)}: {', '.join(counts)}{time}{f' ({with_what})' if with_what else ''}"
    if run.status is not RunStatus.COMPLETE:
        line += f"; not finished: {run.status}" + (f", {run.message}" if run.message else "")
    return line


def files_words(files: tuple[str, ...]) -> str:
    """The files of a run on one line: all if they are few."""
    told = files if len(files) <= FILE_LIMIT + 1 else files[:FILE_LIMIT]
    more = f" and {len(files) - len(told)} more files" if len(files) > len(told) else ""
    return visible(", ".join(map(shown_path, told))) + more


def understood_line(share: Understood) -> str:
    """What share of the code was understood, in words."""
    return (
        f"understood: {share.functions_understood} of {share.functions} functions, "
        f"{share.lines_understood} of {share.lines} lines ({share.percent} %)"
    )


def describe_flow(flow: FlowNote, threads: Sequence[str] = ()) -> str:
    """Where a value comes from, in words; `threads` make the check, and may have been started by who wrote it."""
    match flow.kind:
        case "init":
            return f"initial value at {shown_path(flow.file)}:{flow.line}" if flow.line else "initial value"
        case _ if not flow.line:
            return f"given to {flow.thread} from outside" if flow.kind == "intra" else f"written by {flow.thread}"
        case "intra":
            whose = "before it started this thread" if threads and flow.thread not in threads else "this thread"
        case _:
            whose = "another thread"
    return f"written at {shown_path(flow.file)}:{flow.line} ({flow.thread}, {whose})"


def shown_path(path: str) -> str:
    """The path relative to the current directory where it lies below it."""
    relative = os.path.relpath(path) if os.path.isabs(path) else path
    return path if relative.startswith("..") else relative


def diagnostic(message: str) -> str:
    """An error message in the form of compilers; one that has a place already stays as it is."""
    told = "\n".join(map(visible, message.splitlines()))
    return told if "error: " in told.splitlines()[0] else f"duet: error: {told}"


def visible(text: str) -> str:
    """The text on one line, control characters written out: analysed C text must not steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def pictured(text: str) -> str:
    """The text with pictures of control characters: a page does not show them, and a terminal would be steered."""
    return _CONTROL.sub(lambda found: chr(0x2421 if found[0] == "\x7f" else 0x2400 + ord(found[0])), text)


def access_words(note: AccessNote) -> str:
    """What one thread does in a race or deadlock: `atomic write of x by f, holding m`, `waits for m in f, ...`."""
    waits = note.kind in ("lock", "join")
    what = f"waits for {note.cell}" if waits else f"{'atomic ' if note.is_atomic else ''}{note.kind} of {note.cell}"
    return f"{what} {'in' if waits else 'by'} {note.thread}, holding {', '.join(note.held) or 'no lock'}"


def cause_words(cause: Cause) -> str:
    """A cause with its place: `p is set to 0 (a.c:3)`."""
    return f"{cause.text} ({shown_path(cause.file)}:{cause.line})" if cause.line else cause.text


def _check_line(assertion: Assertion, colour: bool, is_single: bool) -> str:
    check = assertion.check
    column = f":{check.column}" if check.column else ""
    must = assertion.must or check.expression
    parts = [f"here {assertion.invariant}"] if assertion.invariant else []
    if assertion.missing and assertion.missing != must:
        parts.append(f"missing: {assertion.missing}")
    parts += [assertion.reason] if assertion.reason else []
    cause = assertion.cause
    has_cause = is_single and cause is not None and cause.kind is not CauseKind.WRITE  # the flows tell of writes
    if has_cause and cause is not None:
        before = parts.pop().removesuffix(cause.text) if parts and parts[-1].endswith(cause.text) else ""
        if not parts or not parts[-1].endswith(cause_words(cause)):  # a schedule may have failed for just that
            parts.append(before + cause_words(cause))
    shown = [f for f in assertion.flows if not (has_cause and cause and (f.file, f.line) == (cause.file, cause.line))]
    told = sorted(shown, key=lambda flow: ("inter", "intra", "init").index(flow.kind))
    is_one = len({flow.cell for flow in told}) == 1
    for flow in told[:FLOW_LIMIT]:
        where = describe_flow(flow, assertion.threads)
        parts.append(where if is_one else f"{flow.cell} {where}")
    parts = list(dict.fromkeys(parts))
    if len(told) > FLOW_LIMIT:
        parts.append(f"{len(told) - FLOW_LIMIT} more")
    place = f"{shown_path(check.file)}:{check.line}{column}"
    status = _paint(assertion.status.value, assertion.status, colour)
    detail = f": {'; '.join(parts)}" if parts else ""
    where = f" in {check.function}" if check.function else ""
    what = f"{check.property_name} '{must}'{where}{detail}"
    return f"{visible(place)}: {status}: {visible(what)}"


def moves(assertion: Assertion) -> Iterator[str]:
    """The schedule in which a check fails, one line for each move; `>` where another thread goes on than before."""
    shown = told_moves(assertion.schedule)
    width = max((len(move.thread) for move in shown), default=0)
    before = ""
    for move in shown:
        mark = ">" if before and move.thread != before else " "
        values = ", ".join(f"{name} = {value}" for name, value in move.values)
        told = f"  ({values})" if values else ""
        place = f"{shown_path(move.file)}:{move.line}" if move.line else "at the start"
        yield visible(f"  {mark} {move.thread:<{width}}  {place}: {move.text}{told}")
        before = move.thread


def told_moves(schedule: Sequence[Move]) -> tuple[Move, ...]:
    """The moves of a schedule that people are told: those that stand somewhere, or give what has a name a value."""
    return tuple(move for move in schedule if move.line or move.values)


def _of_others(warning: result.Warning) -> tuple[str, str]:
    """What a warning says, whatever it names first."""
    return warning.code, _NAMED.sub("", warning.message)


def _also(group: Sequence[result.Warning]) -> str:
    """What else the warnings of a group are about: what they name first, or else their places."""
    matches = [_NAMED.match(warning.message) for warning in group]
    named = [match[0].strip() if match is not None else "" for match in matches]
    others = dict.fromkeys(name for name in named[1:] if name != named[0])
    if not others:
        first = group[0].file
        places = (f"line {at.line}" if at.file == first else f"{shown_path(at.file)}:{at.line}" for at in group[1:])
        others = dict.fromkeys(places)
    shown = visible(", ".join(list(others)[:ALSO_LIMIT]))
    more = f" and {len(others) - ALSO_LIMIT} more" if len(others) > ALSO_LIMIT else ""
    return f"; also {shown}{more}" if others else ""


def _warning_line(warning: result.Warning) -> str:
    column = f":{warning.column}" if warning.column else ""
    return visible(
        f"{shown_path(warning.file)}:{warning.line}{column}: {warning.severity}: {warning.message} [{warning.code}]"
    )


def _paint(text: str, status: Status, colour: bool) -> str:
    return f"\033[{COLOURS[status]}m{text}\033[0m" if colour else text


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
