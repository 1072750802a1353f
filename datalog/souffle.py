"""The Soufflé interpreter as a subprocess.

Closed traps: every input file is written, even when empty; each call has a folder of its own, so that no output of an
earlier call is taken for a new one; the exit code and the shape of every output row are checked; the preprocessor,
which needs mcpp or gcc, is off; a hanging process is killed with all that it started.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from datalog.engine import EngineFailure
from datalog.relation import Facts, Relations, Row, checked
from datalog.syntax import Rules, restricted

_VERSION = re.compile(r"^Version:?[ \t]*(\S*)$", re.MULTILINE)
_KEPT_STDERR = 2000
_VERSION_TIMEOUT = 20.0


def find_souffle() -> str | None:
    """The path of the executable on PATH."""
    return shutil.which("souffle")


@dataclass(frozen=True, slots=True)
class Souffle:
    """Runs the executable at `path`."""

    path: str

    @property
    def name(self) -> str:
        return "souffle"

    def version(self) -> str:
        found = _VERSION.search(_call((self.path, "--version"), _VERSION_TIMEOUT))
        if found is None:
            raise EngineFailure("souffle does not tell its version", (self.path, "--version"))
        return found[1] or "without a version"  # built of sources that are no checkout

    def run(self, rules: Rules, facts: Facts, outputs: Sequence[str], timeout: float | None = None) -> Relations:
        program = restricted(rules, outputs)
        given = checked(program, facts)
        try:
            with tempfile.TemporaryDirectory(prefix="duet-souffle-") as folder:
                return self._run_in(Path(folder), program, given, timeout)
        except OSError as error:
            raise EngineFailure(f"cannot exchange files with souffle: {error}", (self.path,)) from error

    def _run_in(self, folder: Path, program: Rules, facts: Facts, timeout: float | None) -> Relations:
        source, output = folder / "program.dl", folder / "output"
        output.mkdir()
        source.write_text(str(program), encoding="ascii")
        for name, rows in facts.items():
            lines = ["\t".join(map(str, row)) for row in rows]
            (folder / f"{name}.facts").write_text("\n".join(lines) + "\n" if lines else "", encoding="ascii")
        command = (self.path, "--no-preprocessor", "-j1", "-w", "-F", str(folder), "-D", str(output), str(source))
        _call(command, timeout)
        return {name: _read(output / f"{name}.csv", program.arity(name), command) for name in sorted(program.outputs)}


def _call(command: tuple[str, ...], timeout: float | None) -> str:
    """The standard output of a command that succeeds in time."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise EngineFailure(f"cannot start souffle: {error.strerror}", command) from error
    with process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as expired:
            _kill_session(process)
            raise EngineFailure(f"souffle did not end within {timeout:g} s", command, timed_out=True) from expired
        except BaseException:
            _kill_session(process)
            raise
    if process.returncode != 0:
        raise EngineFailure(f"souffle failed with exit code {process.returncode}", command, stderr[-_KEPT_STDERR:])
    return stdout


def _kill_session(process: subprocess.Popen[str]) -> None:
    """Ends the process and whatever it started: a child that holds the pipes open would keep us waiting."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _read(path: Path, arity: int, command: tuple[str, ...]) -> frozenset[Row]:
    """The rows of an output file."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError as error:
        raise EngineFailure(f"souffle wrote no {path.name}", command) from error
    rows: set[Row] = set()
    for line in lines:
        columns = line.split("\t")
        if len(columns) != arity or not all(column.isdecimal() for column in columns):
            raise EngineFailure(f"souffle wrote nonsense in {path.name}: {line[:80]!r}", command)
        rows.add(tuple(map(int, columns)))
    return frozenset(rows)
