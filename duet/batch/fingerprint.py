"""The fingerprint of a task: it changes with whatever may change the task's result."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from importlib import resources
from pathlib import Path

from duet import __version__
from duet.batch.task import Task
from duet.errors import UsageError
from duet.frontend.source.kernel import find_headers

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


def fingerprint(task: Task) -> str:
    """The SHA-256 sum over duet itself, the options, and the contents of all files that the task may read.

    Limits are left out: a result that was reached within one holds under any other.
    """
    analysis = asdict(task.analysis)
    del analysis["timeout"], analysis["memory"]
    harness = (task.frontend.harness,) if task.frontend.harness else ()
    units = task.frontend.units
    directories = tuple(place for unit in units for place in (*unit.include_dirs, *(it for _, it in unit.searched)))
    forced = tuple(header for unit in units for header in unit.forced)
    what = {
        "tool": _tool(),
        "files": list(task.files),
        "frontend": asdict(task.frontend),
        "analysis": analysis,
        "runs": task.runs,
        "kernel": _kernel(task.frontend.kernel),
        "read": _digests((*task.files, *harness, *forced), (*task.frontend.include_dirs, *directories)),
    }
    return digest(json.dumps(what, sort_keys=True).encode("utf-8", "surrogateescape"))


def digest(data: bytes) -> str:
    """The SHA-256 sum as text."""
    return hashlib.sha256(data).hexdigest()


@functools.cache
def _tool() -> str:
    """The sum over the version and code of duet, its rules and bundled headers: a change may change any result."""
    roots = [Path(str(resources.files(package))) for package in ("duet", "domains", "datalog")]
    found = sorted(path for root in roots for path in root.rglob("*") if path.suffix in (".py", ".dl", ".h"))
    sums = [(path.name, digest(path.read_bytes())) for path in found]
    return digest(json.dumps([__version__, sums]).encode())


@functools.cache
def _kernel(directory: str | None) -> str:
    """The sum over the headers of a kernel; empty where none are used, or there are none."""
    try:
        roots = find_headers(directory).directories if directory is not None else ()
    except UsageError:
        return ""
    found = sorted(path for root in roots for path in root.rglob("*.h"))
    return digest(json.dumps([(str(path), digest(path.read_bytes())) for path in found]).encode())


def _digests(files: Iterable[str], include_dirs: tuple[str, ...]) -> dict[str, str]:
    """The sums of the files and of every header that may be included: conditions around `#include` are ignored.

    A header that is not found yet is part of it, too: it may turn up.
    """
    found: dict[str, str] = {}
    waiting = [Path(file) for file in files]
    while waiting:
        path = waiting.pop()
        if str(path) in found:
            continue
        try:
            data = path.read_bytes()
        except OSError:
            found[str(path)] = ""
            continue
        found[str(path)] = digest(data)
        if path.suffix in (".c", ".h"):
            names = [name.decode("utf-8", "surrogateescape") for name in _INCLUDE.findall(data)]
            waiting += [where / name for name in names for where in (path.parent, *map(Path, include_dirs))]
    return found
