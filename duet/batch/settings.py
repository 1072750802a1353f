"""Options of a task from several layers: defaults, the suite, the task, the command line; later ones win."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias, TypeGuard

from duet.errors import UsageError
from duet.frontend.source.kernel import BUNDLED
from duet.options import (
    ASSUMPTIONS,
    DATA_MODELS,
    DEFAULT_PROPERTIES,
    DOMAINS,
    ENGINES,
    LINUX_PROPERTIES,
    NO_ASSUMPTIONS,
    NUMERICS,
    PROPERTIES,
    UNKNOWN_FUNCTIONS,
    AnalysisOptions,
    FrontendOptions,
    assumptions,
)

Setting: TypeAlias = bool | int | float | str | tuple[str, ...]
Settings: TypeAlias = Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Key:
    """What values an option takes; `is_path`: relative to the file that says it."""

    kind: str  # "flag", "text", "names", "seconds" or "count"
    choices: tuple[str, ...] = ()
    is_path: bool = False


# Named like the options of `duet analyze`.
KEYS: Mapping[str, Key] = MappingProxyType({
    "parameterized": Key("flag"),
    "entries": Key("names"),
    "init": Key("text"),
    "properties": Key("names", PROPERTIES),
    "model": Key("text", ("linux",)),
    "kernel": Key("text", is_path=True),
    "harness": Key("text", is_path=True),
    "descriptors": Key("text", ("shared", "private")),
    "unknown_functions": Key("text", UNKNOWN_FUNCTIONS),
    "assume": Key("names", (*ASSUMPTIONS, NO_ASSUMPTIONS)),
    "include": Key("names", is_path=True),
    "define": Key("names"),
    "system_headers": Key("flag"),
    "std": Key("text"),
    "data_model": Key("text", DATA_MODELS),
    "domain": Key("text", DOMAINS),
    "engine": Key("text", ENGINES),
    "numeric": Key("text", NUMERICS),
    "refine": Key("flag"),
    "verify": Key("flag"),
    "timeout": Key("seconds"),
    "memory": Key("count"),
})  # fmt: skip
_WORDS = MappingProxyType({
    "flag": "true or false",
    "text": "a string",
    "names": "a list of strings",
    "seconds": "a positive number of seconds",
    "count": "a positive whole number",
})  # fmt: skip


def read(table: Mapping[str, object], directory: str) -> dict[str, Setting]:
    """The options in a table of a suite file that lies in `directory`. *Raises*: UsageError, with no place yet."""
    return {name: setting(name, value, directory) for name, value in table.items()}


def merge(layers: Iterable[Settings]) -> tuple[FrontendOptions, AnalysisOptions]:
    """The options that the layers add up to. *Raises*: UsageError for those that do not fit together."""
    given: dict[str, object] = {}
    for layer in layers:
        given.update(layer)
    model = given.pop("model", None)
    if given.get("harness") is not None and model != "linux":
        raise UsageError("a harness needs the model 'linux'")
    if given.get("unknown_functions", "arguments") != "arguments" and model == "linux":
        raise UsageError("'unknown_functions' is not for the model 'linux': other modules use what is exported")
    if given.get("data_model", "LP64") != "LP64" and model == "linux":
        raise UsageError("the model 'linux' is for LP64: kernels are taken to be built for x86-64")
    if given.get("kernel") == BUNDLED:
        del given["kernel"]
    if given.get("kernel") is not None and model != "linux":
        raise UsageError("headers of a kernel need the model 'linux'")
    given.setdefault("properties", LINUX_PROPERTIES if model == "linux" else DEFAULT_PROPERTIES)
    named = given.get("assume", ())
    assert isinstance(named, tuple)
    given["assume"] = assumptions(model if model == "linux" else None, named)
    given.setdefault("verify", True)
    given = {_FIELDS.get(name, name): value for name, value in given.items()}
    analysis = {name: given.pop(name) for name in _ANALYSIS if name in given}
    return FrontendOptions(model=model, **given), AnalysisOptions(**analysis)  # type: ignore[arg-type]  # read() checked


_FIELDS = MappingProxyType({"include": "include_dirs", "define": "defines", "assume": "assumed"})
_ANALYSIS = ("domain", "engine", "numeric", "refine", "verify", "timeout", "memory")


def setting(name: str, value: object, directory: str, keys: Mapping[str, Key] = KEYS) -> Setting:
    """The value of one of some keys, in a file that lies in `directory`. *Raises*: UsageError, with no place yet."""
    key = keys.get(name)
    if key is None:
        raise UsageError(f"unknown option {name!r}; there are {', '.join(keys)}")
    if key.kind == "names" and isinstance(value, list):
        value = tuple(value)
    if not _fits(value, key.kind):
        raise UsageError(f"option {name!r} must be {_WORDS[key.kind]}")
    for word in value if isinstance(value, tuple) else (value,):
        if key.choices and word not in key.choices:
            raise UsageError(f"option {name!r} is {word!r}, which is not one of {', '.join(key.choices)}")
    if not key.is_path or (name, value) == ("kernel", BUNDLED):
        return value
    if isinstance(value, tuple):
        return tuple(os.path.normpath(os.path.join(directory, part)) for part in value)
    return os.path.normpath(os.path.join(directory, str(value)))


def _fits(value: object, kind: str) -> TypeGuard[Setting]:
    match kind:
        case "flag":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str) and bool(value)
        case "names":
            return isinstance(value, tuple) and bool(value) and all(isinstance(word, str) and word for word in value)
        case "seconds":
            return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        case _:
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
