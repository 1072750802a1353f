"""Reads compilation databases (`compile_commands.json`): each entry with its place, or an error that has one."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from duet.errors import SourceError, UsageError
from duet.source import Span

_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One compilation: `arguments` are the words of its command line, the compiler's name first."""

    directory: str
    file: str
    arguments: tuple[str, ...]
    span: Span


def read_database(file: Path) -> tuple[Entry, ...]:
    """The entries of a database. *Raises*: UsageError where there is no such file; SourceError for what is in it."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file}: cannot read this compilation database: {error.strerror}") from error
    except ValueError as error:
        raise SourceError(f"cannot read this compilation database: {error}", Span(str(file), 1, 1)) from error
    return tuple(_entry(value, text, start, end, file) for value, start, end in _elements(text, file))


def _elements(text: str, file: Path) -> Iterator[tuple[object, int, int]]:
    """The values in the list that a text is, with where they start and end."""
    decoder = json.JSONDecoder()
    place = _behind_space(text, 0)
    if text[place : place + 1] != "[":
        raise SourceError(
            "a compilation database is a list of objects with 'file' and 'directory'", _span(text, place, file)
        )
    place = _behind_space(text, place + 1)
    is_first = True
    while text[place : place + 1] != "]" or not is_first:
        try:
            value, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            message = f"cannot read this compilation database: {error.msg}"
            raise SourceError(message, _span(text, error.pos, file)) from error
        except (ValueError, RecursionError) as error:
            raise SourceError(f"cannot read this compilation database: {error}", _span(text, place, file)) from error
        yield value, place, end
        is_first = False
        place = _behind_space(text, end)
        if text[place : place + 1] == "]":
            break
        if text[place : place + 1] != ",":
            raise SourceError("cannot read this compilation database: ',' or ']' is missing", _span(text, place, file))
        place = _behind_space(text, place + 1)
    if rest := text[place + 1 :].strip():
        behind = text.index(rest, place + 1)
        raise SourceError("cannot read this compilation database: text behind its end", _span(text, behind, file))


def _behind_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _span(text: str, place: int, file: Path) -> Span:
    return Span(str(file), text.count("\n", 0, place) + 1, place - (text.rfind("\n", 0, place) + 1) + 1)


def _entry(value: object, text: str, start: int, end: int, file: Path) -> Entry:
    """The entry that a value of the list is."""

    def at(key: str) -> Span:
        found = re.compile(rf'"{key}"\s*:\s*').search(text, start, end)
        return _span(text, found.end() if found else start, file)

    if not isinstance(value, dict):
        raise SourceError("an entry of a compilation database is an object with 'file'", at(""))
    for key in ("file", "directory", "command"):
        if not _is_text(value.get(key, "")):
            raise SourceError(f"'{key}' of an entry is a string", at(key))
    arguments = value.get("arguments")
    if arguments is not None and not (isinstance(arguments, list) and all(map(_is_text, arguments))):
        raise SourceError("'arguments' of an entry is a list of strings", at("arguments"))
    if not value.get("file"):
        raise SourceError("an entry of a compilation database has a 'file'", at("file"))
    try:
        words = arguments or shlex.split(value.get("command", ""))
    except ValueError as error:
        raise SourceError(f"cannot read this command: {error}", at("command")) from error
    return Entry(value.get("directory", "."), value["file"], tuple(words), at("arguments" if arguments else "command"))


def _is_text(value: object) -> bool:
    """Whether a value is a string that may be a word of a command line or the name of a file."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
