"""Compilation databases (`compile_commands.json`): the files of a program, and the preprocessor flags of each."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from duet.errors import UsageError
from duet.options import UnitFlags

NAME = "compile_commands.json"
_DIRECTORIES = ("-I", "-isystem", "-iquote", "-idirafter")
_MACROS = ("-D", "-U")
_C = (".c", ".i", ".h")
DEFAULT = "gnu17"
"""The standard of an entry that names none: that of GCC 12."""
_OPTIMIZED = ("-D__OPTIMIZE__=1", "-U__NO_INLINE__")
_IMPLIED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("-O", "-O1", "-O2", "-O3", "-Og", "-Ofast"), _OPTIMIZED),
    **dict.fromkeys(("-Os", "-Oz"), (*_OPTIMIZED, "-D__OPTIMIZE_SIZE__=1")),
    "-O0": ("-U__OPTIMIZE__", "-U__OPTIMIZE_SIZE__", "-D__NO_INLINE__=1"),
    "-pthread": ("-D_REENTRANT=1",),
    "-fopenmp": ("-D_OPENMP=201511", "-D_REENTRANT=1"),
    "-ffast-math": ("-D__FAST_MATH__=1",),
    "-ffreestanding": ("-D__STDC_HOSTED__=0",),
}
"""What options define and undefine beside what they are for."""
_OTHER_C = (
    *("-funsigned-char", "-fno-signed-char", "-funsigned-bitfields", "-fno-signed-bitfields", "-fpack-struct"),
    *("-fshort-enums", "-fshort-wchar", "-m16", "-m32", "-mx32", "-finstrument-functions", "-fgnu89-inline"),
)
"""How options begin with which the text means something that is not modelled."""


def read_commands(path: str, only: tuple[str, ...] = ()) -> tuple[UnitFlags, ...]:
    """The files that a database compiles, with their flags; those that match one of the patterns, if there are any.

    `path` is the database or its directory. A pattern is matched against the path and against the name of the file.
    *Raises*: UsageError for a database that cannot be read, that has no such file, one that is not C, or one that is
    compiled with an option under which C means something else.
    """
    file = Path(path) / NAME if Path(path).is_dir() else Path(path)
    found: dict[str, UnitFlags] = {}
    for entry in _entries(file):
        flags = _flags(entry, file)
        if only and not any(fnmatch(flags.path, glob) or fnmatch(Path(flags.path).name, glob) for glob in only):
            continue
        if Path(flags.path).suffix not in _C:
            raise UsageError(f"{file}: '{flags.path}' is not C; choose the C files with --only GLOB")
        found.setdefault(flags.path, flags)
    if not found:
        raise UsageError(f"{file}: no file {'matches ' + ', '.join(only) if only else 'is compiled'}")
    return tuple(found.values())


def _entries(file: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot read this compilation database: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and "file" in entry for entry in entries):
        raise UsageError(f"{file}: a compilation database is a list of objects with 'file' and 'directory'")
    return entries


def _flags(entry: dict[str, Any], file: Path) -> UnitFlags:
    """The flags of an entry; relative paths are relative to its directory."""
    directory = os.path.join(file.parent, entry.get("directory", "."))

    def resolved(path: str) -> str:
        return os.path.normpath(os.path.join(directory, path))

    command = entry.get("arguments") or shlex.split(entry.get("command", ""))
    directories: list[str] = []
    macros: list[str] = []
    forced: list[str] = []
    standard = DEFAULT
    for option, value in _options(_expanded(command[1:], resolved)):
        if option in _DIRECTORIES:
            directories.append(resolved(value))
        elif option in _MACROS:
            macros.append(option + value)
        elif option == "-include":
            local = resolved(value)
            forced.append(local if os.path.exists(local) else value)
        elif option == "-std":
            standard = value
        elif option.startswith(_OTHER_C):
            raise UsageError(f"{file}: '{entry['file']}' is compiled with {option}, which is not supported")
        else:
            macros += _IMPLIED.get(option, ())
    source = os.path.relpath(resolved(entry["file"])) if not os.path.isabs(entry["file"]) else entry["file"]
    return UnitFlags(source, tuple(directories), tuple(macros), tuple(forced), standard)


def _expanded(arguments: Iterable[str], resolved: Callable[[str], str]) -> Iterator[str]:
    """The arguments with what `@FILE`, `-Wp,...` and `-Xpreprocessor` stand for.

    *Raises*: UsageError for a file that cannot be read.
    """
    for argument in arguments:
        if argument.startswith("@"):
            try:
                inside = shlex.split(Path(resolved(argument[1:])).read_text(encoding="utf-8"))
            except OSError as error:
                raise UsageError(f"{argument}: cannot read the options: {error.strerror}") from error
            yield from _expanded(inside, resolved)
        elif argument.startswith("-Wp,"):
            yield from argument.split(",")[1:]
        elif argument != "-Xpreprocessor":
            yield argument


def _options(arguments: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The options, with their values those that say something of preprocessing, joined to them or not."""
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("-imacros"):
            raise UsageError(f"{argument}: is not supported")
        if argument == "-ansi" or argument.startswith("-std="):
            yield "-std", "c89" if argument == "-ansi" else argument.removeprefix("-std=")
            continue
        for option in ("-include", *_DIRECTORIES, *_MACROS):
            if argument == option:
                yield option, next(rest, "")
                break
            if argument.startswith(option) and not argument.startswith("-include-"):
                yield option, argument.removeprefix(option).removeprefix("=")
                break
        else:
            yield argument, ""
