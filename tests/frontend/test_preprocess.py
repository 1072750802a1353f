"""The preprocessor: same text whatever tool runs, every failure an error with a place."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.errors import SourceError, UsageError
from duet.frontend.source.commands import IMPLIED
from duet.frontend.source.predefined import POSITION_INDEPENDENT, predefined
from duet.frontend.source.preprocess import TOOLS, header_directories, preprocess
from duet.frontend.source.standards import standard
from duet.options import FrontendOptions, UnitFlags

OPTIONS = FrontendOptions()
INSTRUCTION_SETS = (
    *("__FXSR__", "__MMX__", "__MMX_WITH_SSE__", "__SSE__", "__SSE_MATH__", "__SSE2__", "__SSE2_MATH__"),
)
"""Macros that are left out on purpose: what they choose is built in for one kind of processor."""
INSTALLED = tuple(tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool))


GCC = shutil.which("gcc") or ""
needs_gcc_12 = pytest.mark.skipif(
    not GCC
    or not subprocess.run([GCC, "-dumpfullversion"], capture_output=True, check=False).stdout.startswith(b"12."),
    reason="gcc 12 is not installed",
)


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
    assert "".join(words[-10:]).endswith("inta=((3)+(3));intb=0x7fffffff;")


@pytest.mark.parametrize("tool", INSTALLED)
def test_headers_are_searched_for_in_the_order_of_compilers(tmp_path: Path, tool: str) -> None:
    """A program's own header of a name that a bundled one has, and every kind of directory."""
    kinds = ("-iquote", "-I", "-isystem", "-idirafter")
    for kind in kinds:
        (tmp_path / kind).mkdir()
    for place, name in (
        ("-I", "error"),
        ("-isystem", "search"),
        ("-idirafter", "sched"),
        ("-I", "a"),
        ("-isystem", "a"),
    ):
        write(tmp_path / place, f"int {name}{place.replace('-', '_')};\n", f"{name}.h")
    text = '#include "error.h"\n#include <search.h>\n#include <a.h>\n#include <sched.h>\nint last;\n'
    path = write(tmp_path, text)
    searched = tuple((kind, str(tmp_path / kind)) for kind in reversed(kinds) if kind != "-I")
    unit = UnitFlags(path, include_dirs=(str(tmp_path / "-I"),), searched=searched)
    found = significant(preprocess(path, FrontendOptions(units=(unit,)), tool).text)
    assert found[:6] == ["int", "error_I;", "int", "search_isystem;", "int", "a_I;"]
    assert "sched_idirafter;" not in found


@pytest.mark.parametrize("tool", INSTALLED)
def test_predefined_macros_are_those_of_gcc_for_every_tool(tmp_path: Path, tool: str) -> None:
    path = write(tmp_path, "int a =\n#ifdef __clang__\n1\n#else\n__GNUC__\n#endif\n; long b = __INT64_C(8);\n")
    assert "".join(significant(preprocess(path, OPTIONS, tool).text)) == "inta=12;longb=8L;"


def macros_of_gcc(*arguments: str) -> dict[str, str]:
    command = ["gcc", *arguments, "-dM", "-E", "-x", "c", "/dev/null"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"#define ([^\s(]+(?:\([^)]*\))?) ?(.*)", text))


def _words(text: str) -> list[str]:
    """The words of a type in any order, without an `int` that says nothing."""
    words = sorted(text.split())
    return [word for word in words if word != "int"] if len(words) > 1 else words


def _differences(mine: dict[str, str], real: dict[str, str]) -> set[str]:
    return {name for name in mine | real if _words(mine.get(name, "-")) != _words(real.get(name, "-"))}


@needs_gcc_12
@pytest.mark.parametrize(("model", "option"), [("LP64", "-m64"), ("ILP32", "-m32")])
@pytest.mark.parametrize("name", ["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "gnu2x"])
def test_predefined_macros_are_those_that_gcc_has(name: str, model: str, option: str) -> None:
    mine = dict(item.split("=", 1) for item in (*predefined(standard(name), model), *POSITION_INDEPENDENT))
    different = _differences(mine, macros_of_gcc("-fPIE", option, f"-std={name}"))
    extensions = INSTRUCTION_SETS if model == "LP64" else ("__LAHF_SAHF__",)
    assert different == {"__DUET__", *extensions, *(("__STDC_VERSION__",) if name == "gnu2x" else ())}


@needs_gcc_12
@pytest.mark.parametrize("option", sorted(IMPLIED))
def test_options_define_what_they_define_for_gcc(option: str) -> None:
    before = macros_of_gcc("-fPIE")
    after = dict(before)
    for change in IMPLIED[option]:
        name, _, value = change[2:].partition("=")
        if change.startswith("-U"):
            after.pop(name, None)
        else:
            after[name] = value
    assert _differences(after, macros_of_gcc("-fPIE", option)) == set()


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
        (b"\x7fELF\x02\x00", (1, 6), "not a text file"),
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


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\"caf\xe9\", '\xff'", "\"caf\\351\", '\\377'"),
        (b'"\xc3\xa9\xe9"', '"é\\351"'),
        (b'"\\\xe9\\\\\xe9"', '"\\351\\\\\\351"'),
        (b'#define TEXT(x) #x\nTEXT("\xe9")', '"\\"\\351\\""'),
    ],
)
def test_bytes_of_old_encodings_are_kept(tmp_path: Path, tool: str, content: bytes, text: str) -> None:
    (tmp_path / "input.c").write_bytes(content + b"\n")
    found = significant(preprocess(str(tmp_path / "input.c"), OPTIONS, tool).text)
    assert " ".join(found).endswith(text)


def test_options_that_do_not_exist(tmp_path: Path) -> None:
    path = write(tmp_path, "int a;")
    with pytest.raises(UsageError, match="c12"):
        preprocess(path, FrontendOptions(std="c12"))
    with pytest.raises(UsageError, match="no such directory"):
        preprocess(path, FrontendOptions(include_dirs=(str(tmp_path / "none"),)))


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize("name", ["c89", "gnu89", "c99", "c11", "gnu11", "c17", "c23", "gnu23"])
def test_standards(tmp_path: Path, tool: str, name: str) -> None:
    version = standard(name).version.rstrip("L") or "0"
    tests = f"__STDC_VERSION__ + 0 == {version} && defined linux == {int('gnu' in name)}"
    path = write(tmp_path, f"int a =\n#if {tests} && !defined bool\n1\n#else\n0\n#endif\n;\n")
    assert significant(preprocess(path, FrontendOptions(std=name), tool).text)[3] == "1"


@pytest.mark.parametrize("tool", INSTALLED)
def test_trigraphs_are_those_of_the_standard(tmp_path: Path, tool: str) -> None:
    path = write(tmp_path, "int a; // really??/\nint b;\nint c;\n")
    assert "intb;" in "".join(significant(preprocess(path, FrontendOptions(std="gnu17"), tool).text))
    assert "intb;" in "".join(significant(preprocess(path, FrontendOptions(std="c23"), tool).text))
    if tool == "pcpp":
        with pytest.raises(SourceError, match="needs gcc"):
            preprocess(path, FrontendOptions(std="c17"), tool)
    else:
        assert "intb;" not in "".join(significant(preprocess(path, FrontendOptions(std="c17"), tool).text))


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
