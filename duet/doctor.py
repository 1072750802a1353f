"""What `duet doctor` prints: which tools and libraries are found, and what is used by default."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

import psutil

from datalog import registry as engines
from domains import registry as numerics
from duet import __version__
from duet.frontend.source.kernel import installed_headers
from duet.frontend.source.preprocess import PROGRAMS
from duet.options import DEFAULT_PROPERTIES, LINUX_PROPERTIES, AnalysisOptions
from duet.replay import isolate
from duet.replay.build import missing_tools

# Distributions whose version explains a difference between two machines.
LIBRARIES = ("pycparser", "pcpp", "clingo", "z3-solver")
_SECONDS = 10
_PATH = re.compile(r"(?<![\w.])/[^\s:,;()'\"]*")
_NAME = re.compile(r"[\w.-]+")
Row = tuple[str, str, str]


def report(is_for_others: bool = False) -> str:
    """The findings, one a line, in columns; those for others, as in a report of a bug, tell no paths.

    In place of a program's path they have the first line of what it says of its version.
    """
    rows = [_for_others(row) for row in (*_rows(), *_machine())] if is_for_others else list(_rows())
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "".join(f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip() + "\n" for row in rows)


def _for_others(row: Row) -> Row:
    """A finding without paths."""
    kind, name, text = row
    if kind == "preprocessor" and os.path.isabs(text):
        text = _told_version(text)
    return kind, name, _PATH.sub(lambda match: os.path.basename(match[0].rstrip("/")) or "/", text)


def _told_version(program: str) -> str:
    try:
        done = subprocess.run((program, "--version"), capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"does not run: {type(error).__name__}"
    return (done.stdout or done.stderr).partition("\n")[0].strip() or "tells no version"


def _machine() -> Iterator[Row]:
    """What of a machine may explain a difference between two runs."""
    yield "machine", "processors", str(os.cpu_count())
    yield "machine", "memory", f"{psutil.virtual_memory().total // 2**20} MiB"
    yield "machine", "locale", f"{sys.getfilesystemencoding()}, {sys.stdout.encoding}"
    for name in sorted(_required()):
        yield "requires", name, _version(name)


def _required() -> set[str]:
    """The distributions that this one needs, without those for extras."""
    try:
        told = metadata.requires("duet-analyzer") or ()
    except metadata.PackageNotFoundError:
        return set()
    return {_NAME.match(text)[0] for text in told if "extra ==" not in text} - {*LIBRARIES}  # type: ignore[index]


def _rows() -> Iterator[Row]:
    yield "duet", "", __version__
    yield "python", "", f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    for engine in engines.available():
        yield (
            "engine",
            engine.name,
            (engine.note or "built in") if engine.is_available else f"not usable: {engine.note}",
        )
    for library in numerics.available():
        yield "numeric", library.name, library.version or f"not usable: {library.reason}"
    for program in PROGRAMS:
        yield "preprocessor", program, shutil.which(program) or "not found"
    yield "preprocessor", "pcpp", f"{_version('pcpp')} (built in, used when none of the others is found)"
    missing = missing_tools()
    yield (
        "run",
        "tools",
        f"not found: {', '.join(missing)}" if missing else "all found (for --run and duet replay)",
    )
    yield "run", "isolation", isolate.how()
    for name in LIBRARIES:
        yield "library", name, _version(name)
    headers = installed_headers()
    yield (
        "kernel",
        "headers",
        f"{headers.release} ({headers.configured})" if headers else "not found: the bundled ones serve",
    )
    options = AnalysisOptions()
    yield "default", "domain", f"{options.domain}: intervals, then octagons and affine equalities for what is left"
    yield "default", "engine", f"{options.engine}: {engines.choose(options.engine).name}"
    yield "default", "numeric", f"{options.numeric}: {numerics.describe('auto')}"
    yield "default", "properties", f"{', '.join(DEFAULT_PROPERTIES)}; with --model linux: {', '.join(LINUX_PROPERTIES)}"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"
