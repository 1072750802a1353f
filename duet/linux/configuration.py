"""The macros of a kernel's configuration that a driver asks for and that are not defined here.

What they decide is left out of the text, or taken as in a kernel without them, so the report names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from duet import result
from duet.frontend.source.places import is_library
from duet.frontend.source.predefined import KERNEL_NAMES
from duet.frontend.source.preprocess import library_directories
from duet.frontend.source.tokens import Kind, marker, pieces, places
from duet.options import FrontendOptions
from duet.source import Span

CODE = "configuration"
_KERNEL = re.compile(r"\b(?:CONFIG_\w+|MODULE|__KERNEL__|__LITTLE_ENDIAN\w*)\b")
_OPTION = re.compile(r"CONFIG_\w+")
_TEST = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b")
_DEFAULT = re.compile(r"\s*#\s*ifndef\s+(?P<name>\w+)")
_DEFINE = re.compile(r"\s*#\s*define\s+(?P<name>\w+)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)|//.*")


def undefined(text: str, path: str, options: FrontendOptions) -> tuple[result.Warning, ...]:
    """Returns a warning for each place where a driver uses such a macro; `text` is what its preprocessor gave.

    *Approximates*: over, as for what is defined in between: a name that some header of the driver defines counts as
    undefined only in other files before it defines it, and names count also where their code is left out anyway.
    """
    if path.endswith(".i"):
        return ()
    own = next((flags.macros for flags in options.units if flags.path == path), ())
    defines = (*KERNEL_NAMES, *options.defines, *(macro[2:] for macro in own if macro.startswith("-D")))
    known = {re.split(r"[=(]", item)[0] for item in defines}
    files = {path: _read(path), **{name: _read(name) for name in _files(text, options) if name != path}}
    elsewhere = {name: frozenset(_defined(content)) for name, content in files.items()}
    found = []
    for name, content in files.items():
        others = frozenset[str]().union(*(names for file, names in elsewhere.items() if file != name))
        for macro, span in _used(name, content, known | others):
            message = f"'{macro}' is not defined: this is read as in a kernel without it (-D {macro} for one with it)"
            found.append(result.Warning(span.file, span.line, span.column, CODE, message))
    return tuple(found)


def _files(text: str, options: FrontendOptions) -> Iterator[str]:
    """The user's headers that a preprocessed text has parts of."""
    skipped = library_directories(options)
    named = dict.fromkeys(found.file for line in text.split("\n") if line.startswith("#") and (found := marker(line)))
    return (name for name in named if name and not is_library(name, skipped))


def _read(name: str) -> str:
    """The text of a file, empty where it cannot be read."""
    try:
        return Path(name).read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return ""


def _defined(content: str) -> Iterator[str]:
    """The macros that a file defines."""
    return (found["name"] for line in content.split("\n") if (found := _DEFINE.match(line)))


def _used(path: str, content: str, known: set[str] | frozenset[str]) -> Iterator[tuple[str, Span]]:
    """The macros of a configuration that a file uses where they are not defined, with their places."""
    parts, here, everywhere = list(pieces(content)), set(known), frozenset(_defined(content))
    for part, span in zip(parts, places(parts, path), strict=True):
        if part.kind is Kind.NAME and _OPTION.fullmatch(part.text):
            uses = [(part.text, 0)]
        elif part.kind is Kind.DIRECTIVE:
            uses = list(_uses_of_directive(part.text, everywhere))
            if defining := _DEFINE.match(part.text):
                here.add(defining["name"])
        else:
            continue
        for name, offset in uses:
            if name not in here and f"{name}_MODULE" not in here:
                yield name, Span(path, span.line, span.column + offset)


def _uses_of_directive(text: str, defined: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The macros that a directive uses, with their columns; not the name of a guard, or of a default, of the file."""
    plain = _COMMENT.sub(lambda found: " " * len(found.group()), text)
    guarded = default["name"] if (default := _DEFAULT.match(plain)) and default["name"] in defined else ""
    if _TEST.match(plain):
        yield from ((found.group(), found.start()) for found in _KERNEL.finditer(plain) if found.group() != guarded)
    elif defining := _DEFINE.match(plain):
        yield from ((found.group(), found.start()) for found in _OPTION.finditer(plain, defining.end()))
