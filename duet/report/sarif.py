"""The SARIF 2.1.0 report: one result per check, also for those that are proved (`kind` tells)."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import quote

from duet import __version__
from duet.report.code_flow import code_flow
from duet.report.groups import Agenda, Group, Level, Ranked, agenda
from duet.report.identity import fingerprints
from duet.report.text import access_words, describe_flow, shown_path, told_moves
from duet.result import AccessNote, Assertion, Comparison, FlowNote, Run, RunStatus, Status

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "SRCROOT"
"""The directory in which duet ran, as the base of relative addresses."""
_LEVELS = {
    Level.SHOWN: "error",
    Level.MODEL: "error",
    Level.CERTAIN: "error",
    Level.LIKELY: "warning",
    Level.INPUT: "warning",
    Level.LOST: "note",
    Level.UNDECIDED: "note",
}
RULES = {
    "assertion": "A condition that the program asserts always holds.",
    "unreach-call": "An error function or error label is never reached.",
    "array-bounds": "An index lies inside its array.",
    "overflow": "The result of signed arithmetic fits its type.",
    "division-by-zero": "A divisor is not zero.",
    "null-dereference": "A pointer that is followed is not null.",
    "use-after-free": "Memory that is accessed or given back has not been given back before.",
    "deadlock": "No threads wait in a circle for locks that they have, or for each other to end.",
    "data-race": "No two threads access a cell at the same time unless both only read it.",
}


def render(run: Run, is_full: bool = True) -> str:
    """The report as one SARIF log, ending in a line break."""
    return json.dumps(document(run, is_full), indent=1) + "\n"


def document(run: Run, is_full: bool = True) -> dict[str, Any]:
    """The report as plain JSON values: of all checks, or only of open ones, for tools that take each for an alarm."""
    rules = sorted({assertion.check.property_name for assertion in run.assertions})
    listed = agenda(run)
    names = fingerprints(assertion.check for assertion in run.assertions)
    results = [
        _result(at, assertion, rules, names[at], listed, run.comparison)
        for at, assertion in enumerate(run.assertions)
        if is_full or at in listed.places
    ]
    notices = [
        {
            "level": warning.severity,
            "message": {"text": warning.message},
            "descriptor": {"id": warning.code},
            "locations": [{"physicalLocation": _location(warning.file, warning.line, warning.column)}],
        }
        for warning in run.warnings
    ]
    if run.message:
        notices.append({"level": "error", "message": {"text": run.message}})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "duet",
                        "semanticVersion": __version__,
                        "rules": [_rule(name) for name in rules],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": run.status is RunStatus.COMPLETE,
                        "toolExecutionNotifications": notices,
                    }
                ],
                "artifacts": [_artifact(source.path, source.text) for source in run.sources],
                "originalUriBaseIds": {BASE: {"uri": f"{Path.cwd().as_uri()}/"}},
                "columnKind": "unicodeCodePoints",
                "results": results,
                "properties": {
                    "assumptions": list(run.assumptions),
                    "domain": run.domain,
                    "engine": run.engine,
                    **({"understoodPercent": run.understood.percent} if run.understood else {}),
                },
            }
        ],
    }


def _rule(name: str) -> dict[str, Any]:
    text = RULES.get(name, name.replace("-", " "))
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": text},
        "help": {"text": f"{text} A result whose status is not 'refuted' could not be proved; it need not be a bug."},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(
    at: int, assertion: Assertion, rules: list[str], name: str, listed: Agenda, comparison: Comparison | None
) -> dict[str, Any]:
    check, ranked = assertion.check, listed.places.get(at)
    result: dict[str, Any] = {
        "ruleId": check.property_name,
        "ruleIndex": rules.index(check.property_name),
        "kind": _kind(assertion.status),
        "level": "none" if ranked is None else _LEVELS[ranked.level],
        "message": {"text": message(assertion)},
        "locations": [
            {
                "physicalLocation": _location(check.file, check.line, check.column),
            }
            | ({"logicalLocations": [{"name": check.function, "kind": "function"}]} if check.function else {})
        ],
        "partialFingerprints": {"duetCheck/v1": name},
        "properties": {"status": assertion.status.value, "contexts": assertion.contexts} | _in_list(ranked),
    }
    if ranked is not None:
        result["rank"] = round(100 * (1 - (ranked.rank - 1) / len(listed.places)), 2)
    if comparison is not None and ranked is not None:
        result["baselineState"] = "new" if check in comparison.new else "unchanged"
    related = [] if ranked is None else [_cause(listed.groups[ranked.group - 1])]
    related += [_related(number, flow) for number, flow in enumerate(assertion.flows, len(related) + 1)]
    related += [
        _other(number, note) for number, note in enumerate((*assertion.accesses, *assertion.also), len(related) + 1)
    ]
    if related:
        result["relatedLocations"] = related
    if assertion.schedule:
        result["codeFlows"] = [code_flow(told_moves(assertion.schedule), _location)]
    elif assertion.accesses:
        result["codeFlows"] = [{"threadFlows": [_stack(number, a) for number, a in enumerate(assertion.accesses, 1)]}]
    return result


def _in_list(ranked: Ranked | None) -> dict[str, Any]:
    """The place of an open check in the list to act on."""
    return {} if ranked is None else {"group": ranked.group, "rank": ranked.rank, "level": ranked.level.name.lower()}


def _cause(group: Group) -> dict[str, Any]:
    """What the checks of a group hang on."""
    number = len(group.members)
    text = f"group {group.number}, {number} {'check' if number == 1 else 'checks'}: {group.cause.text}"
    location: dict[str, Any] = {"id": 1, "message": {"text": text}}
    if group.cause.line:
        location["physicalLocation"] = _location(group.cause.file, group.cause.line, 0)
    return location


def _other(number: int, note: AccessNote) -> dict[str, Any]:
    """One of the accesses of a race, or of the threads of a deadlock."""
    location: dict[str, Any] = {"id": number, "message": {"text": access_words(note)}}
    if note.stack and note.stack[-1].line:
        last = note.stack[-1]
        location["physicalLocation"] = _location(last.file, last.line, last.column)
    return location


def _stack(number: int, note: AccessNote) -> dict[str, Any]:
    """The calls that lead a thread to an access."""
    locations: list[dict[str, Any]] = []
    for frame, inner in zip(note.stack, (*note.stack[1:], None), strict=True):
        text = f"calls {inner.function}" if inner is not None else access_words(note)
        location: dict[str, Any] = {
            "message": {"text": text},
            "logicalLocations": [{"name": frame.function, "kind": "function"}],
        }
        if frame.line:
            location["physicalLocation"] = _location(frame.file, frame.line, frame.column)
        locations.append({"location": location})
    return {"id": f"{number}: {note.thread}", "locations": locations}


def _kind(status: Status) -> str:
    match status:
        case Status.PROVED:
            return "pass"
        case Status.REFUTED | Status.UNPROVED | Status.UNKNOWN:  # any other kind may have no level
            return "fail"
        case Status.UNREACHABLE:
            return "notApplicable"
        case _:
            assert_never(status)


def message(assertion: Assertion) -> str:
    """What is said of a check."""
    check = assertion.check
    where = f" in {check.function}" if check.function else ""
    must = assertion.must or check.expression
    parts = [f"{check.property_name} '{must}'{where}: {assertion.status}"]
    parts += [f"here {assertion.invariant}"] if assertion.invariant else []
    parts += [f"missing: {assertion.missing}"] if assertion.missing not in ("", must) else []
    parts += [assertion.reason] if assertion.reason else []
    return "; ".join(parts)


def _related(number: int, flow: FlowNote) -> dict[str, Any]:
    location: dict[str, Any] = {"id": number, "message": {"text": f"{flow.cell}: {describe_flow(flow)}"}}
    if flow.file and flow.line:
        location["physicalLocation"] = _location(flow.file, flow.line, 0)
    return location


def _location(file: str, line: int, column: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact_location(file)}
    if line:
        place["region"] = {"startLine": line} | ({"startColumn": column} if column else {})
    return place


def _artifact(path: str, text: str) -> dict[str, Any]:
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    return {"location": _artifact_location(path), "hashes": {"sha-256": digest}}


def _artifact_location(path: str) -> dict[str, str]:
    """The address of a file: relative to the directory of the run where it is below, else absolute.

    >>> _artifact_location("my drivers/a.c")
    {'uri': 'my%20drivers/a.c', 'uriBaseId': 'SRCROOT'}
    """
    near = shown_path(path)
    if os.path.isabs(near):
        return {"uri": Path(near).as_uri()}
    return {"uri": quote(Path(near).as_posix(), errors="surrogateescape"), "uriBaseId": BASE}
