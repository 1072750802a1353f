"""A violation witness of SV-COMP for a check that is refuted (YAML, format version 2.2, with threads).

*Source*: violation witnesses 2.0 of sv-witnesses, `violation_sequence`; `thread_id` of version 2.2: threads in the
order of their creation, `main` being 0. A segment for each move that others see or that takes an input, in the order
of the schedule, and the check as the target; a race has two targets.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import yaml

from duet import __version__
from duet.result import Assertion, Check, Move, Run, Status

VERSION = "2.2"
SPECIFICATIONS = {
    "assertion": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "overflow": "CHECK( init(main()), LTL(G ! overflow) )",
    "data-race": "CHECK( init(main()), LTL(G ! data-race) )",
    "null-dereference": "CHECK( init(main()), LTL(G valid-deref) )",
    "array-bounds": "CHECK( init(main()), LTL(G valid-deref) )",
    "use-after-free": "CHECK( init(main()), LTL(G valid-deref) )",
    "deadlock": "CHECK( init(main()), LTL(G ! deadlock) )",
}


def _specification(check: Check) -> str:
    return "CHECK( init(main()), LTL(G valid-free) )" if check.is_release else SPECIFICATIONS[check.property_name]


def first_refuted(run: Run) -> Assertion | None:
    """The first check that is refuted and of a property that witnesses know; None if there is none."""
    known = (a for a in run.assertions if a.check.property_name in SPECIFICATIONS and a.schedule)
    return next((assertion for assertion in known if assertion.status is Status.REFUTED), None)


def render(run: Run, assertion: Assertion, now: datetime | None = None) -> str:
    """The witness of a refuted check as YAML; `now` is when it is made."""
    entry = {
        "entry_type": "violation_sequence",
        "metadata": metadata(run, VERSION, _specification(assertion.check), now or datetime.now(UTC)),
        "content": _segments(assertion),
    }
    return yaml.safe_dump([entry], sort_keys=False, allow_unicode=False)


def metadata(run: Run, version: str, specification: str, now: datetime) -> dict[str, Any]:
    """What an entry of a witness says of itself, and of the task that it is about."""
    hashes = {s.path: hashlib.sha256(s.text.encode("utf-8", "surrogateescape")).hexdigest() for s in run.sources}
    return {
        "format_version": version,
        "uuid": str(uuid.uuid4()),
        "creation_time": now.isoformat(timespec="seconds"),
        "producer": {"name": "duet", "version": __version__},
        "task": {
            "input_files": list(run.files),
            "input_file_hashes": {path: hashes[path] for path in run.files if path in hashes},
            "specification": specification,
            "data_model": run.data_model,
            "language": "C",
        },
    }


def _segments(assertion: Assertion) -> list[dict[str, Any]]:
    threads = _threads(assertion.schedule)
    targets = 2 if assertion.check.property_name == "data-race" else 1
    before, last = assertion.schedule[:-targets], assertion.schedule[-targets:]
    seen = [move for move in before if move.line and (move.effect or move.given is not None)]
    steps = [{"segment": [_follow(move, threads, "assumption")]} for move in seen]
    return [*steps, {"segment": [_follow(move, threads, "target") for move in last]}]


def _threads(moves: Sequence[Move]) -> dict[str, int]:
    """The numbers of threads in the order in which they are started; those nobody is seen to start are last."""
    started: Counter[str] = Counter()
    names = ["main"]
    for move in moves:
        if move.effect == "start":
            function = move.text.removeprefix("start ")
            started[function] += 1
            names.append(f"{function}#{started[function]}")
    return {thread: number for number, thread in enumerate(dict.fromkeys([*names, *(move.thread for move in moves)]))}


def _follow(move: Move, threads: dict[str, int], kind: str) -> dict[str, Any]:
    location: dict[str, Any] = {"file_name": move.file, "line": move.line}
    if move.function:
        location["function"] = move.function
    waypoint: dict[str, Any] = {"type": kind, "action": "follow", "thread_id": threads[move.thread]}
    if kind == "assumption":
        waypoint["constraint"] = {"value": "1", "format": "c_expression"}
    return {"waypoint": waypoint | {"location": location}}
