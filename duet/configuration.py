"""`duet.toml`: what is analysed in a directory, and how, for all commands that analyse; the command line wins."""

from __future__ import annotations

import glob
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource

from duet.batch import settings
from duet.batch.settings import Key, Setting
from duet.errors import SourceError, UsageError
from duet.frontend.source.modules import has_main, is_module_file
from duet.options import ASSUMPTIONS, DOMAINS, LINUX_PROPERTIES, PROPERTIES, THREAD_PROPERTIES
from duet.source import Span

NAME = "duet.toml"
COMMANDS = ("analyze", "verify", "explain", "show")
"""The commands that it is for."""
_KEYS: Mapping[str, Key] = MappingProxyType({
    **settings.KEYS,
    "files": Key("names"),
    "database": Key("text", is_path=True),
    "only": Key("names"),
    "baseline": Key("text", is_path=True),
})  # fmt: skip
_PARAMETERS = MappingProxyType({"include": "include_dirs", "define": "defines", "assume": "assumed"})
"""The parameters of commands whose names are not those of their keys."""
_WHERE = re.compile(r"(?P<what>.*?) \(at line (?P<line>\d+), column (?P<column>\d+)\)")


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file at `path` says: files, or a database and which of its files, and other options by parameter."""

    path: str = ""
    files: tuple[str, ...] = ()
    database: str | None = None
    only: tuple[str, ...] = ()
    options: Mapping[str, Setting] = field(default_factory=dict)


def nearest(directory: Path) -> Path | None:
    """The file of a directory, or of the nearest one above it in the same repository; None if there is none."""
    for place in (directory, *directory.parents):
        if (found := place / NAME).is_file():
            return found
        if (place / ".git").exists():
            return None
    return None


def read(path: str) -> Configuration:
    """What a file says. *Raises*: SourceError with the line of what is wrong."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SourceError(f"cannot read this file: {reason}", Span(path, 1, 1)) from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _WHERE.fullmatch(str(error))
        place = Span(path, int(found["line"]), int(found["column"])) if found else Span(path, 1, 1)
        raise SourceError(f"not TOML: {found['what'] if found else error}", place) from error
    directory = os.path.relpath(os.path.dirname(os.path.abspath(path)))
    given = {name: _setting(path, text, name, value, directory) for name, value in table.items()}
    files, database = given.pop("files", ()), given.pop("database", None)
    only = given.pop("only", ())
    if files and database:
        raise SourceError("either 'files' or a 'database' says what is analysed", _place(path, text, "database"))
    assert isinstance(files, tuple)
    assert isinstance(only, tuple)
    return Configuration(
        path,
        tuple(name for pattern in files for name in _matching(path, text, directory, pattern)),
        None if database is None else str(database),
        only,
        {_PARAMETERS.get(name, name): value for name, value in given.items()},
    )


def _setting(path: str, text: str, name: str, value: object, directory: str) -> Setting:
    try:
        return settings.setting(name, value, directory, _KEYS)
    except UsageError as error:
        raise SourceError(str(error), _place(path, text, name)) from error


def _place(path: str, text: str, name: str) -> Span:
    """Where a key is set."""
    key = re.compile(rf"\s*\[*\s*['\"]?{re.escape(name)}['\"]?\s*[=.\]]")
    lines = (number for number, line in enumerate(text.splitlines(), 1) if key.match(line))
    return Span(path, next(lines, 1), 1)


def _matching(path: str, text: str, directory: str, pattern: str) -> list[str]:
    """The files that a pattern stands for."""
    whole = os.path.relpath(os.path.join(directory, pattern))
    found = [whole] if os.path.exists(whole) else sorted(glob.glob(whole, recursive=True))
    if not found:
        raise SourceError(f"no file matches {pattern!r}", _place(path, text, "files"))
    return found


def load(context: click.Context, path: str | None) -> None:
    """Gives the commands of a context what a file says: the one at `path`, or else the nearest one.

    *Raises*: SourceError for what is wrong in it.
    """
    if context.invoked_subcommand not in COMMANDS:
        return
    found = path if path is not None else nearest(Path.cwd())
    configuration = Configuration() if found is None else read(os.path.relpath(found))
    context.obj = configuration
    context.default_map = {name: dict(configuration.options) for name in COMMANDS}


def with_files(context: click.Context, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with the files that the configuration names, where none are named by them."""
    configuration = context.obj
    settled = dict(given)
    if given["paths"] or given["compile_commands"] or not isinstance(configuration, Configuration):
        return settled
    is_chosen = context.get_parameter_source("only") is ParameterSource.COMMANDLINE
    settled["paths"], settled["compile_commands"] = configuration.files, configuration.database
    settled["only"] = given["only"] if is_chosen else configuration.only
    return settled


def draft(directory: Path) -> str:
    """A commented file for a directory, with what is found in it."""
    usual = ("compile_commands.json", "build/compile_commands.json")
    databases = [name for name in usual if (directory / name).is_file()]
    sources = sorted(path.name for path in directory.glob("*.c"))
    modules = [name for name in sources if is_module_file(str(directory / name), False)]
    if databases:
        what = f'database = "{databases[0]}"'
    elif modules:
        what = f'files = ["{modules[0]}"]'
    elif len(programs := [name for name in sources if has_main(str(directory / name))]) > 1:
        what = f'# Each of {", ".join(programs)} has a main: they are several programs.\nfiles = ["{programs[0]}"]'
    else:
        what = 'files = ["*.c"]' if sources else '# files = ["src/*.c"]'
    is_module = bool(modules) and not databases
    mark, properties = ("# ", LINUX_PROPERTIES) if is_module else ("", THREAD_PROPERTIES)
    listed = ", ".join(f'"{name}"' for name in properties)
    more = ", ".join(name for name in PROPERTIES if name not in properties)
    return f"""# What duet analyses here, and how. Paths are relative to this file; the command line wins.
# Keys are named as the options of 'duet analyze', which --help explains.

# The program: its files, or the database of its build (and which files of it).
{what}
# database = "build/compile_commands.json"
# only = ["src/*"]
# include = ["include"]
# define = ["DEBUG=1"]
# system_headers = true

# What is checked; there are also {more}.
{mark}properties = [{listed}]
# model = "linux"
# parameterized = true
# entries = ["worker"]
# assume = ["{next(iter(ASSUMPTIONS))}"]

# How long, and how much memory (MiB), one run may take; the precision ({", ".join(DOMAINS)}).
timeout = 300
# memory = 2048
# domain = "auto"

# An earlier result (--format json): only open checks that are new count for the exit code.
# baseline = "duet-baseline.json"
"""
