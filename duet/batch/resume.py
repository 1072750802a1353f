"""The output directory: results written as they come, and which of them still hold when a batch is resumed.

`manifest.jsonl` has one line for each finished task. Its line is added after the task's reports are in place, each
written whole or not at all; so whenever the batch is killed, what the manifest lists is complete, and the rest is run
again.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from duet.batch.fingerprint import digest, fingerprint
from duet.batch.task import Task
from duet.batch.work import Done
from duet.errors import UsageError
from duet.report import baseline, files
from duet.result import Fixed

MANIFEST = "manifest.jsonl"
PAGE, TABLE, JUNIT = "index.html", "results.csv", "junit.xml"
SCHEMA = "duet.batch/1"
_LOCK = ".lock"
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,150}")
_TEMPORARY = re.compile(r"\.(?P<name>.+)\.[a-z0-9_]{8}")


@dataclass(frozen=True, slots=True)
class Record:
    """What the manifest keeps of a finished task; `stem` names its reports, the sums say whether they are intact.

    `properties` are, by name, how many checks are safe and how many there are; `causes` what open ones hang on.
    """

    task: str
    fingerprint: str
    status: str
    exit_code: int
    message: str
    domain: str
    summary: dict[str, int]
    seconds: float
    peak_rss_mib: int
    timeout: float | None
    memory: int | None
    lost: bool
    stem: str
    json_sha256: str
    html_sha256: str
    properties: dict[str, tuple[int, int]] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)

    @property
    def safe(self) -> int:
        return self.summary["proved"] + self.summary["unreachable"]


class Store:
    """The output directory of one batch, which no second batch can use at the same time.

    *Raises*: UsageError where it cannot be written to, or is in use.
    """

    def __init__(self, directory: str, resume: bool) -> None:
        self.directory = Path(directory)
        self._resume = resume
        self._records: dict[str, Record] = {}

    def __enter__(self) -> Store:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._lock = (self.directory / _LOCK).open("w", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write to {self.directory}: {error.strerror or error}") from error
        try:
            # Unlike those of flock, these locks are not inherited: they end with this process alone.
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._tidy()
        except BlockingIOError as error:
            self._lock.close()
            raise UsageError(f"another batch is writing to {self.directory}") from error
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()

    def finished(self, task: Task) -> Record | None:
        """The record of an earlier run of the task, if its result still holds and its reports are there."""
        record = self._records.get(task.name)
        if record is None or record.lost or record.fingerprint != fingerprint(task) or not self._is_intact(record):
            return None
        limits = {"timeout": task.analysis.timeout, "out-of-memory": task.analysis.memory}
        before = {"timeout": record.timeout, "out-of-memory": record.memory}
        if record.status in limits:
            now, then = limits[record.status], before[record.status]
            if now is None or then is None or now > then:
                return None
        return record

    def save(self, task: Task, mark: str, done: Done) -> Record:
        """Writes the reports of a task, then its line in the manifest. `mark` is its fingerprint before it ran."""
        stem = stem_of(task.name)
        record = Record(
            task.name, mark, done.status, done.exit_code, done.message, done.domain, dict(done.summary), done.seconds,
            done.peak_rss_mib, task.analysis.timeout, task.analysis.memory, done.lost, stem,
            self.write(f"{stem}.json", done.json), self.write(f"{stem}.html", done.html),
            done.properties, done.causes,
        )  # fmt: skip
        self._append(record)
        self._records[task.name] = record
        return record

    def open_checks(self, record: Record) -> tuple[Fixed, ...]:
        """The open checks of a finished task. *Raises*: UsageError where its report is gone or was changed."""
        return opened(self.directory, record)

    def write(self, name: str, text: str) -> str:
        """Puts a file into the directory, whole or not at all; returns its SHA-256 sum."""
        files.write(str(self.directory / name), text)
        return digest(text.encode("utf-8", errors="backslashreplace"))

    def _is_intact(self, record: Record) -> bool:
        sums = ((f"{record.stem}.json", record.json_sha256), (f"{record.stem}.html", record.html_sha256))
        try:
            return all(digest((self.directory / name).read_bytes()) == wanted for name, wanted in sums)
        except OSError:
            return False

    def _append(self, record: Record) -> None:
        try:
            with (self.directory / MANIFEST).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(record)) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(f"cannot write {self.directory / MANIFEST}: {error.strerror or error}") from error

    def _tidy(self) -> None:
        """Takes over what is there: reads the manifest, or without `--resume` removes the results that it lists."""
        records = read(self.directory / MANIFEST)
        names = {name for r in records.values() for name in (f"{r.stem}.json", f"{r.stem}.html")}
        for path in self.directory.iterdir():
            temporary = _TEMPORARY.fullmatch(path.name)
            if temporary and temporary["name"].endswith((".json", ".html", ".jsonl", ".csv", ".xml")):
                path.unlink(missing_ok=True)  # of a batch that was killed while it wrote
        if not self._resume:
            for name in (*sorted(names), PAGE, TABLE, JUNIT):
                (self.directory / name).unlink(missing_ok=True)
            records = {}
        self._records = records
        lines = [json.dumps({"schema": SCHEMA}), *(json.dumps(asdict(record)) for record in records.values())]
        self.write(MANIFEST, "".join(f"{line}\n" for line in lines))


def stem_of(name: str) -> str:
    """The name of a task's reports without suffix: the task's own name if that is a plain file name."""
    if _PLAIN.fullmatch(name) and name not in ("index", "results", "junit", "manifest"):
        return name
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.")[:120]
    return f"{plain}-{digest(name.encode('utf-8', 'surrogateescape'))[:8]}"


def opened(directory: Path, record: Record) -> tuple[Fixed, ...]:
    """The open checks in the report of a task. *Raises*: UsageError where there is none."""
    known = baseline.read(str(directory / f"{record.stem}.json"))
    return tuple(one for found in known.open_checks.values() for one in found)


def read(path: Path) -> dict[str, Record]:
    """The records of a manifest by task, the last one of each; a line that was cut off by a kill is left out."""
    records: dict[str, Record] = {}
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return records
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    for number, line in enumerate(lines):
        entry = _entry(line)
        if number == 0 and entry.get("schema") != SCHEMA:
            raise UsageError(f"{path} is no manifest of this version of duet; choose another directory with -o")
        if number and entry:
            record = Record(**entry)
            records[record.task] = record
    return records


def _entry(line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}
