"""The JSON report (`--format json`): the outside contract, described by `docs/result.schema.json`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from typing import Any

from duet import __version__
from duet.report.groups import Agenda, Group, Ranked, agenda
from duet.result import AccessNote, Assertion, Check, Comparison, FlowNote, Run, Status, Step, Understood

SCHEMA = "duet.result/1"


def render(run: Run, only: Collection[int] | None = None) -> str:
    """The report as one JSON object, ASCII only, ending in a line break; with some checks only, by their indices."""
    return json.dumps(document(run, only), indent=1, allow_nan=False) + "\n"


def document(run: Run, only: Collection[int] | None = None) -> dict[str, Any]:
    """The report as plain JSON values, in the order of the contract; groups and counts are of all checks."""
    listed = agenda(run)
    told = _assertions(run, listed)
    return {
        "schema": SCHEMA,
        "tool": {"name": "duet", "version": __version__},
        "input": {
            "files": list(run.files),
            "domain": run.domain,
            "engine": run.engine,
            "numeric": run.numeric,
            "mode": run.mode,
            "entries": list(run.entries),
            "model": run.model,
            "data_model": run.data_model,
            "properties": list(run.properties),
            "headers": run.headers,
        },
        "status": run.status.value,
        "message": run.message,
        "assertions": told if only is None else [told[index] for index in only],
        "groups": [_group(group) for group in listed.groups],
        "summary": summary(run),
        **({"baseline": _comparison(run.comparison)} if run.comparison is not None else {}),
        "assumptions": list(run.assumptions),
        "warnings": [
            {
                "file": w.file,
                "line": w.line,
                "column": w.column,
                "code": w.code,
                "message": w.message,
                "severity": w.severity,
            }
            for w in run.warnings
        ],
        **({"understood": _understood(run.understood)} if run.understood else {}),
        "stats": dict(run.stats),
        "timing": {stage: round(seconds, 6) for stage, seconds in run.timing.items()},
    }


def _understood(share: Understood) -> dict[str, int]:
    """The share of the code that was understood, as counts and in percent of the lines."""
    return {
        "functions": share.functions,
        "functions_understood": share.functions_understood,
        "lines": share.lines,
        "lines_understood": share.lines_understood,
        "percent": share.percent,
    }


def summary(run: Run) -> dict[str, int]:
    """The number of checks by status, and `total`."""
    return {status.value: run.count(status) for status in Status} | {"total": len(run.assertions)}


def _group(group: Group) -> dict[str, Any]:
    return {
        "id": group.number,
        "cause": group.cause.text,
        "file": group.cause.file,
        "line": group.cause.line,
        "level": group.level.name.lower(),
        "checks": len(group.members),
    }


def _assertions(run: Run, listed: Agenda) -> list[dict[str, Any]]:
    """The checks in order; nested expressions that start at the same place get `#2`, `#3`, ... in their ids."""
    seen: Counter[str] = Counter()
    shown = []
    for at, assertion in enumerate(run.assertions):
        name = assertion.check.id
        seen[name] += 1
        told = _assertion(assertion, name if seen[name] == 1 else f"{name}#{seen[name]}")
        shown.append(told | _place(listed.places.get(at)) | _since(assertion.check, run.comparison))
    return shown


def _assertion(assertion: Assertion, name: str) -> dict[str, Any]:
    check = assertion.check
    return {
        "id": name,
        "file": check.file,
        "line": check.line,
        "column": check.column,
        "function": check.function,
        "property": check.property_name,
        "expression": check.expression,
        "status": assertion.status.value,
        "proved_by": assertion.proved_by,
        "invariant": assertion.invariant,
        "reason": assertion.reason,
        "contexts": assertion.contexts,
        "threads": list(assertion.threads),
        "flows": [_flow(flow) for flow in assertion.flows],
        "accesses": [_access(access) for access in (*assertion.accesses, *assertion.also)],
        **({"schedule": _schedule(assertion), "confirmed": assertion.confirmed} if assertion.schedule else {}),
        **({"because": [_step(step) for step in assertion.because]} if assertion.because else {}),
        **({"prevented_by": list(assertion.prevented_by)} if assertion.prevented_by else {}),
    }


def _since(check: Check, comparison: Comparison | None) -> dict[str, str]:
    """Whether an open check was open in the run that this one is compared with."""
    if comparison is None or not (check in comparison.new or check in comparison.same):
        return {}
    return {"baseline": "new" if check in comparison.new else "same"}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "path": comparison.path,
        "new": len(comparison.new),
        "same": len(comparison.same),
        "fixed": [
            {
                "file": one.file,
                "line": one.line,
                "function": one.function,
                "property": one.property_name,
                "expression": one.expression,
            }
            for one in comparison.fixed
        ],
    }


def _place(ranked: Ranked | None) -> dict[str, Any]:
    """The place of a check in the list to act on; null for one that is not open."""
    if ranked is None:
        return {"group": None, "rank": None}
    found = ranked.assertion
    return {
        "group": ranked.group,
        "rank": ranked.rank,
        "level": ranked.level.name.lower(),
        "must": found.must or found.check.expression,
        "missing": found.missing,
    }


def _schedule(assertion: Assertion) -> list[dict[str, Any]]:
    return [
        {
            "thread": move.thread,
            "function": move.function,
            "file": move.file,
            "line": move.line,
            "text": move.text,
            "values": dict(move.values),
            "effect": move.effect,
        }
        for move in assertion.schedule
    ]


def _access(access: AccessNote) -> dict[str, Any]:
    return {
        "kind": access.kind,
        "cell": access.cell,
        "thread": access.thread,
        "atomic": access.is_atomic,
        "known": access.known,
        "held": list(access.held),
        "stack": [
            {"function": frame.function, "file": frame.file, "line": frame.line, "column": frame.column}
            for frame in access.stack
        ],
    }


def _flow(flow: FlowNote) -> dict[str, Any]:
    return {
        "file": flow.file,
        "line": flow.line,
        "thread": flow.thread,
        "kind": flow.kind,
        "cell": flow.cell,
        "value": flow.value,
        "text": flow.text,
        "derivation": [_step(step) for step in flow.derivation],
    }


def _step(step: Step) -> dict[str, Any]:
    return {"thread": step.thread, "file": step.file, "line": step.line, "text": step.text}
