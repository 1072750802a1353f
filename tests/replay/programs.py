"""C programs of which one check fails, or none does, and how to run them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from duet.options import DEFAULT_PROPERTIES, FrontendOptions
from duet.replay.build import missing_tools
from duet.replay.recipe import Recipe
from duet.result import Check

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <semaphore.h>\n#include <string.h>\n"
    "int x, y; int *p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
)
needs_compiler = pytest.mark.skipif(
    bool(missing_tools()) or shutil.which("unshare") is None, reason="gcc and binutils are needed to run programs"
)


def recipe(folder: Path, text: str, property_name: str, marked: str = "HERE", **more: object) -> Recipe:
    """The recipe, without a schedule, of the check in the line of a program with a mark in it."""
    path = folder / "program.c"
    path.write_text(START + text, encoding="utf-8")
    lines = (START + text).split("\n")
    line = next(number for number, line in enumerate(lines, 1) if marked in line)
    check = Check(str(path), line, 1, "", property_name, str(more.pop("expression", "")))
    return Recipe(((str(path), ""),), check, (), std="gnu17", **more)  # type: ignore[arg-type]  # as the fields say


def options(*properties: str) -> FrontendOptions:
    return FrontendOptions(properties=properties or DEFAULT_PROPERTIES)
