"""SV-COMP task definitions (`.yml`, format version 2) and property files (`.prp`).

A definition gives one task for each of its properties, as BenchExec runs them. What cannot be decided soundly (another
property, another data model or language) becomes a skipped task that says why.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import yaml

from duet.batch import settings
from duet.batch.settings import Settings
from duet.batch.task import Task
from duet.errors import SourceError
from duet.options import DATA_MODELS
from duet.source import Span

# Which checks decide a property.
CHECKS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "unreach-call": ("assertion", "unreach-call"),
    "no-overflow": ("overflow",),
    "no-data-race": ("data-race",),
    "no-deadlock": ("deadlock",),
})  # fmt: skip
ERROR_FUNCTIONS = ("reach_error", "__VERIFIER_error")
_CHECK = re.compile(r"\s*CHECK\(\s*init\(\s*(?P<init>\w+)\(\)\s*\)\s*,\s*LTL\(\s*(?P<formula>.*?)\s*\)\s*\)\s*")
_CALL = re.compile(r"G\s*!\s*call\(\s*(?P<function>\w+)\(\)\s*\)")
_FORMULAS = MappingProxyType({
    "G ! overflow": "no-overflow",
    "G ! data-race": "no-data-race",
    "G ! deadlock": "no-deadlock",
    "G valid-free": "valid-free",
    "G valid-deref": "valid-deref",
    "G valid-memtrack": "valid-memtrack",
    "G valid-memcleanup": "valid-memcleanup",
    "F end": "termination",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Property:
    """A property file: its property, why that cannot be checked, if so, and its parts if nothing checks all of it."""

    name: str
    unsupported: str = ""
    parts: tuple[str, ...] = ()
    is_of_main: bool = True  # programs start in `main`


def tasks(path: str, name: str, defaults: Settings, given: Settings) -> tuple[Task, ...]:
    """The tasks of the definition at `path`; with `--properties`, those that only need properties given there."""
    table = _definition(path)
    version = str(table.get("format_version"))
    if not version.startswith("2."):
        raise _error(path, f"task definitions of format version {version} are not supported, only 2.0")
    files = _files(path, table.get("input_files"))
    unusable = _unusable(path, table.get("options") or {})
    entries = table.get("properties") or []
    if not isinstance(entries, list) or not entries:
        raise _error(path, "'properties' must list at least one property")
    wanted = given.get("properties")
    rest = {key: value for key, value in given.items() if key != "properties"}
    told = table.get("options")
    if not unusable and isinstance(told, dict) and "data_model" in told:
        rest = {"data_model": told["data_model"], **rest}
    found = []
    for entry in entries:
        prop, expected = _entry(path, entry)
        checks = CHECKS.get(prop.name)
        if isinstance(wanted, tuple) and not (checks and set(checks) & set(wanted)):
            continue
        own = {"properties": checks} if checks else {}
        found.append(
            Task(
                f"{name}:{prop.name}", files, *settings.merge((defaults, rest, own)), property_name=prop.name,
                expected=expected, skipped=unusable or prop.unsupported,
            )
        )  # fmt: skip
    return tuple(found)


def is_definition(path: str) -> bool:
    """Decides whether the YAML file is a task definition, and not some other YAML file beside one."""
    table = _yaml(path)
    return isinstance(table, dict) and {"format_version", "input_files"} <= table.keys()


def read_property(path: str) -> Property:
    """The property of a `.prp` file. *Raises*: SourceError for a line that is not `CHECK( init(f()), LTL(...) )`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise _error(path, f"cannot read this property file: {reason}") from error
    found = properties(path, lines)
    if not found:
        raise _error(path, "this property file is empty")
    parts, is_of_main = tuple(prop.name for prop in found), all(prop.is_of_main for prop in found)
    if len(found) == 1:
        return found[0] if found[0].name in CHECKS else replace(found[0], parts=parts)
    names = ", ".join(parts)
    name = "valid-memsafety" if all(part.startswith("valid-") for part in parts) else names.replace(", ", "+")
    return Property(name, f"properties that are only checked together are not supported: {names}", parts, is_of_main)


def properties(path: str, lines: Iterable[str]) -> list[Property]:
    """The property of each line of a specification, which is in the file `path`. *Raises*: SourceError."""
    return [_line(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _line(path: str, number: int, line: str) -> Property:
    whole = _CHECK.fullmatch(line)
    if whole is None:
        raise SourceError("expected CHECK( init(main()), LTL(...) )", Span(path, number, 1))
    formula = " ".join(whole["formula"].split())
    call = _CALL.fullmatch(formula)
    name = "unreach-call" if call else _FORMULAS.get(formula, "")
    if not name:
        raise SourceError(f"unknown property 'LTL({formula})'", Span(path, number, line.find("LTL") + 1))
    if whole["init"] != "main":
        return Property(name, f"programs that start in {whole['init']} are not supported", is_of_main=False)
    if call and call["function"] not in ERROR_FUNCTIONS:
        return Property(name, f"calls of {call['function']} are not checked, only of {' and '.join(ERROR_FUNCTIONS)}")
    return Property(name, "" if name in CHECKS else f"the property {name} is not supported")


def _entry(path: str, entry: object) -> tuple[Property, bool | None]:
    if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
        raise _error(path, "each of 'properties' needs a 'property_file'")
    expected = entry.get("expected_verdict")
    if expected is not None and not isinstance(expected, bool):
        raise _error(path, "'expected_verdict' must be true or false")
    return read_property(os.path.normpath(os.path.join(os.path.dirname(path), entry["property_file"]))), expected


def _files(path: str, value: object) -> tuple[str, ...]:
    """The input files, where patterns stand for the files that they match."""
    patterns = [value] if isinstance(value, str) else value
    if not isinstance(patterns, list) or not patterns or not all(isinstance(name, str) for name in patterns):
        raise _error(path, "'input_files' must be a file name or a list of them")
    found: list[str] = []
    for pattern in patterns:
        whole = os.path.normpath(os.path.join(os.path.dirname(path), pattern))
        matches = [whole] if os.path.exists(whole) else sorted(glob.glob(whole))
        if not matches:
            raise _error(path, f"no input file matches {pattern!r}")
        found += matches
    return tuple(dict.fromkeys(found))


def _unusable(path: str, options: object) -> str:
    """Why the task cannot be analysed soundly, empty if it can."""
    if not isinstance(options, dict):
        raise _error(path, "'options' must be a mapping")
    language, model = options.get("language", "C"), options.get("data_model", "LP64")
    if language != "C":
        return f"the language {language} is not supported"
    return "" if model in DATA_MODELS else f"the data model {model} is not supported, only {' and '.join(DATA_MODELS)}"


def _definition(path: str) -> Mapping[str, object]:
    table = _yaml(path)
    if not isinstance(table, dict) or "format_version" not in table:
        raise _error(path, "not a task definition: no 'format_version'")
    return table


def _yaml(path: str) -> object:
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise _error(path, f"cannot read this task definition: {reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        span = Span(path, mark.line + 1, mark.column + 1) if mark else Span(path, 1, 1)
        raise SourceError(f"not YAML: {error.problem}", span) from error
    except yaml.YAMLError as error:
        raise _error(path, f"not YAML: {error}") from error


def _error(path: str, message: str) -> SourceError:
    return SourceError(message, Span(path, 1, 1))
