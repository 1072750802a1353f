"""The preprocessor: same text whatever tool runs, every failure an error with a place."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.errors import SourceError, UsageError
from duet.frontend.source.predefined import GNU_NAMES, PREDEFINED
from duet.frontend.source.preprocess import TOOLS, header_directories, preprocess
from duet.options import FrontendOptions

OPTIONS = FrontendOptions()
INSTALLED = tuple(tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool))


def significant(text: str) -> list[str]:
    """The words of preprocessed text without line markers."""
    return " ".join(line for line in text.split("\n") if not line.startswith("#")).split()


def write(directory: Path, text: str, name: str = "input.c") -> str:
    path = directory / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("tool", INSTALLED)
def test_macros_includes_and_defines(tmp_path: Path, tool: str) -> None:
    (tmp_path / "own").mkdir()
    write(tmp_path / "own", "#define TWICE(x) ((x) + (x))\n", "own.h")
    path = write(tmp_path, "#include <own.h>\n#include <limits.h>\nint a = TWICE(N); int b = INT_MAX;\n")
    options = FrontendOptions(include_dirs=(str(tmp_path / "own"),), defines=("N=3",))
    words = significant(preprocess(path, options, tool).text)
    assert "".join(words[-10:]).endswith("inta=((3)+(3));intb=2147483647;")


@pytest.mark.parametrize("tool", INSTALLED)
def test_predefined_macros_are_those_of_gcc_for_every_tool(tmp_path: Path, tool: str) -> None:
    path = write(tmp_path, "int a =\n#ifdef __clang__\n1\n#else\n__GNUC__\n#endif\n; long b = __INT64_C(8);\n")
    assert "".join(significant(preprocess(path, OPTIONS, tool).text)) == "inta=12;longb=8L;"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_predefined_macros_have_the_values_that_gcc_has() -> None:
    command = ["gcc", "-std=gnu11", "-dM", "-E", "-x", "c", "/dev/null"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    real = dict(re.findall(r"#define (\S+) ?(.*)", text))
    mine = dict(item.split("=", 1) for item in (*PREDEFINED, *GNU_NAMES))
    chosen = {"__DUET__", "__VERSION__", *(name for name in mine if name.startswith("__GNUC_"))}
    assert {name: _words(mine[name]) for name in mine if name not in chosen} == {
        name: _words(real.get(name, "")) for name in mine if name not in chosen
    }


def _words(text: str) -> list[str]:
    """The words of a type in any order, without an `int` that says nothing."""
    words = sorted(text.split())
    return [word for word in words if word != "int"] if len(words) > 1 else words


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("int a;\n#include <not_there.h>\n", 2, "not_there.h"),
        ('int a;\n\n  #include "not_there.h"\n', 3, "not_there.h"),
        ("#if 1\n#error wrong configuration\n#endif\n", 2, "wrong configuration"),
    ],
)
def test_directive_that_fails(tmp_path: Path, tool: str, text: str, line: int, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SourceError, match=message) as caught:
        preprocess(path, OPTIONS, tool)
    assert caught.value.span is not None
    assert (caught.value.span.file, caught.value.span.line) == (path, line)
    assert caught.value.span.column > 0


def test_preprocessed_files_are_taken_as_they_are(tmp_path: Path) -> None:
    text = '# 7 "away.c"\nint a = N;\n'
    done = preprocess(write(tmp_path, text, "input.i"), OPTIONS)
    assert (done.text, done.command) == (text, ())


def test_command_says_what_ran(tmp_path: Path) -> None:
    assert preprocess(write(tmp_path, "int a;"), OPTIONS, "pcpp").command[0] == "pcpp"


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"", (1, 1), "empty"),
        (b" \n\n", (1, 1), "empty"),
        (b"int a;\nint \x00b;\n", (2, 5), "not a text file"),
        (b"\x7fELF\x02", (1, 1), "not a text file"),
    ],
)
def test_not_text(tmp_path: Path, content: bytes, place: tuple[int, int], message: str) -> None:
    path = tmp_path / "input.c"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=message) as caught:
        preprocess(str(path), OPTIONS)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == place


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        preprocess(str(tmp_path / "none.c"), OPTIONS)
    with pytest.raises(SourceError, match="cannot read"):
        preprocess(str(tmp_path), OPTIONS)


@pytest.mark.parametrize("tool", INSTALLED)
def test_old_encodings_and_byte_order_marks(tmp_path: Path, tool: str) -> None:
    path = tmp_path / "input.c"
    for content in (b"/* caf\xe9 */ int a;\n", b"\xef\xbb\xbfint a;\n"):
        path.write_bytes(content)
        assert significant(preprocess(str(path), OPTIONS, tool).text)[-2:] == ["int", "a;"]


def test_options_that_do_not_exist(tmp_path: Path) -> None:
    path = write(tmp_path, "int a;")
    with pytest.raises(UsageError, match="c12"):
        preprocess(path, FrontendOptions(std="c12"))
    with pytest.raises(UsageError, match="no such directory"):
        preprocess(path, FrontendOptions(include_dirs=(str(tmp_path / "none"),)))


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize("standard", ["c89", "gnu89", "c99", "c11", "gnu11", "c17", "c23"])
def test_standards(tmp_path: Path, tool: str, standard: str) -> None:
    path = write(tmp_path, "int a =\n#ifdef bool\n1\n#else\n0\n#endif\n;\n")
    text = preprocess(path, FrontendOptions(std=standard), tool).text
    assert significant(text)[3] == ("1" if standard == "c23" else "0")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    path = write(tmp_path, "int a;\n")
    for tool in INSTALLED:
        preprocess(path, OPTIONS, tool)
    assert [entry.name for entry in tmp_path.iterdir()] == ["input.c"]


def test_header_directories_are_package_data() -> None:
    assert all(directory.is_dir() for directory in header_directories("linux"))
    assert (header_directories(None)[0] / "pthread.h").is_file()


@pytest.mark.parametrize("tool", INSTALLED)
def test_macros_that_are_pushed_come_back_or_are_refused(tool: str, tmp_path: Path) -> None:
    text = '#define X 1\n#pragma push_macro("X")\n#undef X\n#define X 2\n#pragma pop_macro("X")\nint a = X;\n'
    path = write(tmp_path, text)
    if tool == "pcpp":
        with pytest.raises(SourceError, match="not installed"):
            preprocess(path, OPTIONS, tool)
    else:
        assert "int a = 1;" in preprocess(path, OPTIONS, tool).text
