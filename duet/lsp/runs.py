"""Analyses in processes of their own: the newest one of each program counts, older ones are ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from duet import configuration
from duet.configuration import Configuration
from duet.lsp.findings import Result

_NO_RESULT: Result = {
    "status": "error",
    "message": "the analysis ended without a result; duet analyze in a terminal says why",
    "input": {"files": []},
    "assertions": [],
}


@dataclass(frozen=True, slots=True)
class Program:
    """What is analysed when a file is saved: in which directory, and the arguments that say what."""

    root: str
    arguments: tuple[str, ...]


@dataclass
class Runs:
    """The analyses that go on, by program; `timeout` in seconds for those whose configuration sets none."""

    timeout: float = 120.0
    _going: dict[Program, asyncio.subprocess.Process] = field(default_factory=dict)

    async def result(self, program: Program) -> Result | None:
        """The result for a program; None if a newer analysis of it has ended this one."""
        await self.cancel(program)
        command = (sys.executable, "-m", "duet", "analyze", *program.arguments, "--format=json", "--exit-zero")
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=program.root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self._going[program] = process
        output, _ = await process.communicate()
        if self._going.get(program) is not process:
            return None
        del self._going[program]
        try:
            return json.loads(output)  # type: ignore[no-any-return]
        except ValueError:
            return _NO_RESULT

    async def explained(self, program: Program, path: str, line: int) -> str:
        """What `duet explain` says of a line, from 1, of a file of a program."""
        command = (sys.executable, "-m", "duet", "explain", f"{path}:{line}", *program.arguments)
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=program.root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        return output.decode("utf-8", "replace")

    async def cancel(self, program: Program) -> None:
        """Ends the analysis of a program, if one goes on."""
        process = self._going.pop(program, None)
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()  # it ends the process that analyses, too
            await process.wait()

    async def cancel_all(self) -> None:
        """Ends all of them."""
        for program in tuple(self._going):
            await self.cancel(program)


def program_of(path: str, timeout: float) -> Program:
    """What is analysed when a file is saved: the program of the nearest `duet.toml` if it is part of it, else it alone.

    *Raises*: SourceError for what is wrong in the configuration.
    """
    limit = f"--timeout={timeout:g}"
    found = configuration.nearest(Path(path).parent)
    if found is None:
        return Program(os.path.dirname(path), (path, limit))
    known = configuration.read(str(found))
    limits = () if "timeout" in known.options else (limit,)
    of_program = () if _is_part(path, known) else (path,)
    return Program(str(found.parent), (*of_program, *limits))


def _is_part(path: str, known: Configuration) -> bool:
    """Whether a file is one of a program, or may be a header of it."""
    if known.database is not None:
        return True
    files = {os.path.abspath(name) for name in known.files}
    return bool(files) and (path in files or not path.endswith(".c"))
