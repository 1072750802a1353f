"""The macros that are there before the first line."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from duet.frontend.source.predefined import predefined
from duet.frontend.source.standards import standard


def macros(name: str) -> dict[str, str]:
    found = [text.partition("=")[::2] for text in predefined(standard(name), "LP64")]
    assert len({name for name, _ in found}) == len(found)
    return dict(found)


def test_a_standard_tells_its_version() -> None:
    assert "__STDC_VERSION__" not in macros("c89")
    assert macros("c89")["__GNUC_GNU_INLINE__"] == "1"
    assert macros("c11")["__STDC_VERSION__"] == "201112L"
    assert "__STDC_UTF_16__" in macros("c11")
    assert "__STDC_UTF_16__" not in macros("c99")


def test_gnu_c_has_names_of_programs() -> None:
    assert macros("gnu17")["unix"] == "1"
    assert "unix" not in macros("c17")
    assert macros("c17")["__STRICT_ANSI__"] == "1"
    assert "__STRICT_ANSI__" not in macros("gnu17")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("name", ["gnu17", "c99"])
def test_they_are_those_of_gcc_where_it_has_them(name: str) -> None:
    done = subprocess.run(
        ["gcc", "-dM", "-E", f"-std={name}", "-x", "c", "/dev/null"], capture_output=True, text=True, check=True
    )
    theirs = dict(line.removeprefix("#define ").partition(" ")[::2] for line in done.stdout.splitlines())
    apart = {"__VERSION__", "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"}
    mine = {key: value for key, value in macros(name).items() if key in theirs and key not in apart}
    mine = {key: value for key, value in mine.items() if not key.endswith("_TYPE__")}  # gcc writes `int`, too
    assert len(mine) > 200
    assert {key: value for key, value in mine.items() if theirs[key] != value} == {}
