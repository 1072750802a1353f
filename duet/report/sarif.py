"""The SARIF 2.1.0 report: one result per check, also for those that are proved (`kind` tells)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import quote

from duet import __version__
from duet.report.code_flow import code_flow
from duet.report.text import access_words, describe_flow
from duet.result import AccessNote, Assertion, FlowNote, Run, RunStatus, Status

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "assertion": "A condition that the program asserts always holds.",
    "unreach-call": "An error function or error label is never reached.",
    "array-bounds": "An index lies inside its array.",
    "overflow": "The result of signed arithmetic fits its type.",
    "division-by-zero": "A divisor is not zero.",
    "null-dereference": "A pointer that is followed is not null.",
    "deadlock": "No threads wait in a circle for locks that they have, or for each other to end.",
    "data-race": "No two threads access a cell at the same time unless both only read it.",
}


def render(run: Run) -> str:
    """The report as one SARIF log, ending in a line break."""
    return json.dumps(document(run), indent=1) + "\n"


def document(run: Run) -> dict[str, Any]:
    """The report as plain JSON values."""
    rules = sorted({assertion.check.property_name for assertion in run.assertions})
    seen: Counter[str] = Counter()
    results = [_result(assertion, rules, seen) for assertion in run.assertions]
    notices = [
        {
            "level": warning.severity,
            "message": {"text": warning.message},
            "descriptor": {"id": warning.code},
            "locations": [{"physicalLocation": _place(warning.file, warning.line, warning.column)}],
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
        "help": {"text": f"{text} A result of kind 'open' could not be proved; it need not be a bug."},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(assertion: Assertion, rules: list[str], seen: Counter[str]) -> dict[str, Any]:
    check = assertion.check
    result: dict[str, Any] = {
        "ruleId": check.property_name,
        "ruleIndex": rules.index(check.property_name),
        "kind": _kind(assertion.status),
        "level": "error" if assertion.status is Status.REFUTED else "none",
        "message": {"text": _message(assertion)},
        "locations": [
            {
                "physicalLocation": _place(check.file, check.line, check.column),
            }
            | ({"logicalLocations": [{"name": check.function, "kind": "function"}]} if check.function else {})
        ],
        "partialFingerprints": {"duetCheck/v1": _fingerprint(assertion, seen)},
        "properties": {"status": assertion.status.value, "contexts": assertion.contexts},
    }
    related = [_related(number, flow) for number, flow in enumerate(assertion.flows, 1)]
    related += [_other(number, note) for number, note in enumerate(assertion.accesses, len(related) + 1)]
    if related:
        result["relatedLocations"] = related
    if assertion.schedule:
        result["codeFlows"] = [code_flow(assertion.schedule, _place)]
    elif assertion.accesses:
        result["codeFlows"] = [{"threadFlows": [_stack(number, a) for number, a in enumerate(assertion.accesses, 1)]}]
    return result


def _other(number: int, note: AccessNote) -> dict[str, Any]:
    """One of the accesses of a race, or of the threads of a deadlock."""
    location: dict[str, Any] = {"id": number, "message": {"text": access_words(note)}}
    if note.stack and note.stack[-1].line:
        last = note.stack[-1]
        location["physicalLocation"] = _place(last.file, last.line, last.column)
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
            location["physicalLocation"] = _place(frame.file, frame.line, frame.column)
        locations.append({"location": location})
    return {"id": f"{number}: {note.thread}", "locations": locations}


def _kind(status: Status) -> str:
    match status:
        case Status.PROVED:
            return "pass"
        case Status.REFUTED:
            return "fail"
        case Status.UNREACHABLE:
            return "notApplicable"
        case Status.UNPROVED | Status.UNKNOWN:
            return "open"
        case _:
            assert_never(status)


def _message(assertion: Assertion) -> str:
    check = assertion.check
    where = f" in {check.function}" if check.function else ""
    parts = [f"{check.property_name} '{check.expression}'{where}: {assertion.status}"]
    parts += [f"here {assertion.invariant}"] if assertion.invariant else []
    parts += [assertion.reason] if assertion.reason else []
    return "; ".join(parts)


def _fingerprint(assertion: Assertion, seen: Counter[str]) -> str:
    """A name for the check that survives edits elsewhere: rule, function, text, which of several; never the line."""
    check = assertion.check
    what = "\0".join((check.property_name, check.function, "".join(check.expression.split())))
    seen[what] += 1
    return hashlib.sha256(f"{what}\0{seen[what]}".encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _related(number: int, flow: FlowNote) -> dict[str, Any]:
    location: dict[str, Any] = {"id": number, "message": {"text": f"{flow.cell}: {describe_flow(flow)}"}}
    if flow.file and flow.line:
        location["physicalLocation"] = _place(flow.file, flow.line, 0)
    return location


def _place(file: str, line: int, column: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if line:
        place["region"] = {"startLine": line} | ({"startColumn": column} if column else {})
    return place


def _artifact(path: str, text: str) -> dict[str, Any]:
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    return {"location": {"uri": _uri(path)}, "hashes": {"sha-256": digest}}


def _uri(path: str) -> str:
    where = Path(path)
    return where.as_uri() if where.is_absolute() else quote(where.as_posix(), errors="surrogateescape")
