"""From a result (the JSON of `docs/result.schema.json`) to what editors show: diagnostics, hovers, lenses."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlparse

from lsprotocol import types

Result: TypeAlias = Mapping[str, Any]
Check: TypeAlias = Mapping[str, Any]

SAFE = ("proved", "unreachable")
SEVERITIES: Mapping[str, types.DiagnosticSeverity] = {
    "shown": types.DiagnosticSeverity.Error,
    "model": types.DiagnosticSeverity.Error,
    "certain": types.DiagnosticSeverity.Error,
    "likely": types.DiagnosticSeverity.Warning,
    "input": types.DiagnosticSeverity.Warning,
    "lost": types.DiagnosticSeverity.Information,
    "undecided": types.DiagnosticSeverity.Information,
}
"""By the level of an open check, see `docs/reading-results.md`; as in SARIF."""
_PLACED = re.compile(r"(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): error: (?P<text>.*)")
_MOST_RELATED = 12


def uri_of(path: str, root: str) -> str:
    """The URI of a file that a result names."""
    return Path(os.path.abspath(os.path.join(root, path))).as_uri()


def path_of(uri: str) -> str:
    """The file that a URI names."""
    return unquote(urlparse(uri).path)


def diagnostics(result: Result, root: str, uri: str) -> dict[str, list[types.Diagnostic]]:
    """What to show for each file that the result speaks of, also if that is nothing, by URI.

    `root` is the directory that paths of the result are relative to. Each open check is one, the most urgent first.
    What kept the analysis from its end stands where it is, and in the first line of the file that was saved (`uri`):
    a file without diagnostics has nothing open.
    """
    found: dict[str, list[types.Diagnostic]] = {uri_of(path, root): [] for path in result["input"]["files"]}
    found.setdefault(uri, [])
    if result["status"] != "complete":
        is_error = result["status"] == "error"
        severity = types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning
        text, placed = result["message"], _PLACED.match(result["message"])
        where = uri_of(placed["file"], root) if placed else uri
        if placed:
            place = _at(int(placed["line"]), int(placed["column"]))
            here = types.Diagnostic(place, placed["text"], severity=severity, source="duet")
            found.setdefault(where, []).append(here)
        if not placed or where != uri:
            text = f"not analysed: {text}" if is_error else text
            found[uri].append(types.Diagnostic(_at(1, 1), text, severity=severity, source="duet"))
    groups = {group["id"]: group for group in result.get("groups", ())}
    opened = [check for check in result["assertions"] if check["status"] not in SAFE]
    for check in sorted(opened, key=lambda check: (check["rank"] is None, check["rank"])):
        found.setdefault(uri_of(check["file"], root), []).append(_diagnostic(check, groups, root))
    return found


def _diagnostic(check: Check, groups: Mapping[int, Mapping[str, Any]], root: str) -> types.Diagnostic:
    return types.Diagnostic(
        _at(check["line"], check["column"]),
        _message(check),
        severity=SEVERITIES.get(check.get("level", ""), types.DiagnosticSeverity.Information),
        code=check["property"],
        source="duet",
        related_information=list(_related(check, groups, root))[:_MOST_RELATED],
        data={"id": check["id"], "file": check["file"], "line": check["line"]},
    )


def _message(check: Check) -> str:
    """What must hold, what is known, and why that is not enough."""
    must = check.get("must") or check["expression"]
    parts = [f"{check['status']}: {check['property']} '{must}'"]
    if check["invariant"]:
        parts.append(f"here {check['invariant']}")
    if check.get("missing") and check["missing"] != must:
        parts.append(f"missing: {check['missing']}")
    if check["reason"]:
        parts.append(check["reason"])
    return "; ".join(parts)


def _related(
    check: Check, groups: Mapping[int, Mapping[str, Any]], root: str
) -> Iterator[types.DiagnosticRelatedInformation]:
    """The cause of the group; accesses of other threads; the schedule, or what flows in."""
    group = groups.get(check.get("group") or 0)
    if group is not None and group["line"]:
        others = f" ({group['checks']} checks hang on this)" if group["checks"] > 1 else ""
        yield _information(group, f"{group['cause']}{others}", root)
    for access in check["accesses"]:
        held = f" holding {', '.join(access['held'])}" if access["held"] else " holding no lock"
        for frame in access["stack"][:1]:
            yield _information(frame, f"{access['kind']} of {access['cell']} by {access['thread']}{held}", root)
    moves = check.get("schedule", ())
    for number, move in enumerate(moves, 1):
        yield _information(move, f"{number}. {move['thread']}: {move['text']}", root)
    if not moves and not check["accesses"]:
        for flow in check["flows"]:
            by = f" by {flow['thread']}" if flow["thread"] else ""
            yield _information(flow, f"{flow['cell']} = {flow['value']}: {flow['text']}{by}", root)


def _information(place: Mapping[str, Any], text: str, root: str) -> types.DiagnosticRelatedInformation:
    location = types.Location(uri_of(place["file"], root), _at(place["line"], place.get("column", 1)))
    return types.DiagnosticRelatedInformation(location, text)


def hover(result: Result, root: str, uri: str, line: int, word: str) -> str | None:
    """What is known in a line of a variable (`word`), or of the checks there; Markdown, None for nothing.

    `line` counts from 0.
    """
    here = [check for check in result["assertions"] if check["line"] == line + 1 and uri_of(check["file"], root) == uri]
    lines = [f"- **{check['status']}**: {check['property']} `{check['expression']}`" for check in here]
    known = sorted({check["invariant"] for check in here if check["invariant"]})
    lines += [f"- known here: `{text}`" for text in known]
    writers: dict[str, set[str]] = defaultdict(set)
    for by, place in _writes(result, word) if word else ():
        writers[by].add(place)
    lines += [f"- `{word}` is written by {by}: {', '.join(sorted(places))}" for by, places in sorted(writers.items())]
    return "\n".join(lines) or None


def _writes(result: Result, word: str) -> Iterator[tuple[str, str]]:
    """Which threads are known to write a variable, and where."""
    for check in result["assertions"]:
        for flow in check["flows"]:
            if _variable(flow["cell"]) == word:
                yield flow["thread"] or "the start of the program", _written(flow, flow["value"])
        for move in check.get("schedule", ()):
            for cell, value in move["values"].items() if move["effect"] in ("write", "update") else ():
                if _variable(cell) == word:
                    yield move["thread"], _written(move, value)
        for access in check.get("accesses", ()):
            if "write" in access["kind"] and _variable(access["cell"]) == word and access["stack"]:
                yield access["thread"], _written(access["stack"][-1], "")


def _variable(cell: str) -> str:
    """The variable that a cell is part of."""
    return re.split(r"\W", cell, maxsplit=1)[0]


def _written(place: Mapping[str, Any], value: str) -> str:
    what = f" (`{value}`)" if value else ""
    return f"{os.path.basename(place['file'])}:{place['line']}{what}"


def lenses(result: Result, root: str, uri: str, text: Sequence[str]) -> list[types.CodeLens]:
    """A lens above each function with checks: how many are proved, and how many open."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for check in result["assertions"]:
        if check["function"] and uri_of(check["file"], root) == uri:
            counts[check["function"]][check["status"] in SAFE] += 1
    found = []
    for function, count in counts.items():
        line = _definition(function, text)
        if line is not None:
            title = f"{count[True]} proved" + (f", {count[False]} open" if count[False] else "")
            found.append(
                types.CodeLens(_at(line + 1, 1), types.Command(title, "duet.summary", arguments=[uri, function]))
            )
    return sorted(found, key=lambda lens: lens.range.start.line)


def _definition(function: str, text: Sequence[str]) -> int | None:
    """The line, from 0, in which a function is defined: it is named before a parenthesis, and no `;` follows."""
    named = re.compile(rf"^[^\s#/].*\b{re.escape(function)}\s*\((?!.*;\s*$)|^{re.escape(function)}\s*\((?!.*;\s*$)")
    return next((number for number, line in enumerate(text) if named.search(line)), None)


def schedule(result: Result, root: str, uri: str, line: int) -> str:
    """The schedules in which checks of a line (from 0) fail, as text; empty if there are none."""
    texts = []
    for check in result["assertions"]:
        if check.get("schedule") and check["line"] == line + 1 and uri_of(check["file"], root) == uri:
            moves = [
                f"{number:4}. {move['thread']}: {move['text']}  ({os.path.basename(move['file'])}:{move['line']})"
                for number, move in enumerate(check["schedule"], 1)
            ]
            texts.append("\n".join([f"{check['status']}: {check['expression']}", *moves]))
    return "\n\n".join(texts)


def _at(line: int, column: int) -> types.Range:
    """A place of a result, which counts from 1."""
    start = types.Position(max(line, 1) - 1, max(column, 1) - 1)
    return types.Range(start, types.Position(start.line, start.character + 1))
