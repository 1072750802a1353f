"""The bundled headers compile, parse with every preprocessor, and have the constants of x86-64 Linux."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import TOOLS, header_directories, preprocess
from duet.options import FrontendOptions
from duet.reading import read

LINUX, LIBC = header_directories("linux")
INSTALLED = tuple(tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool))
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def headers(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*.h"))


def including(names: list[str]) -> str:
    """A file that includes headers twice each, so that their guards are seen to work."""
    return "".join(f"#include <{name}>\n" * 2 for name in names) + "int used;\n"


def compile_with_gcc(source: Path, *options: str) -> str:
    command = ["gcc", "-fsyntax-only", "-nostdinc", "-fno-builtin", "-Wall", "-Werror", *options, str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@needs_gcc
@pytest.mark.parametrize("directory", [LINUX, LIBC], ids=["linux", "libc"])
def test_each_header_compiles_alone(tmp_path: Path, directory: Path) -> None:
    for name in headers(directory):
        source = tmp_path / "input.c"
        source.write_text(including([name]))
        assert compile_with_gcc(source, "-I", str(directory)) == "", name


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize("model", ["linux", None])
def test_all_headers_parse_together(tmp_path: Path, tool: str, model: str | None) -> None:
    source = tmp_path / "input.c"
    source.write_text(including(headers(LINUX if model else LIBC)))
    options = FrontendOptions(model=model)
    parsed = parse(preprocess(str(source), options, tool).text, str(source), options)
    assert parsed.warnings == ()
    assert parsed.ast.ext[-1].name == "used"


@needs_gcc
def test_constants_are_those_of_the_compiler(tmp_path: Path) -> None:
    """The compiler's own macros for the target tell what our constants must be."""
    pairs = {
        "INT_MAX": "__INT_MAX__",
        "LONG_MAX": "__LONG_MAX__",
        "LLONG_MAX": "__LONG_LONG_MAX__",
        "SHRT_MAX": "__SHRT_MAX__",
        "SCHAR_MAX": "__SCHAR_MAX__",
        "SIZE_MAX": "__SIZE_MAX__",
        "INT64_MAX": "__INT64_MAX__",
        "UINT32_MAX": "__UINT32_MAX__",
        "INTPTR_MAX": "__INTPTR_MAX__",
        "sizeof(size_t)": "sizeof(__SIZE_TYPE__)",
        "sizeof(ptrdiff_t)": "sizeof(__PTRDIFF_TYPE__)",
        "sizeof(int_fast16_t)": "sizeof(__INT_FAST16_TYPE__)",
        "sizeof(wchar_t)": "sizeof(__WCHAR_TYPE__)",
    }
    checks = "".join(f'_Static_assert({ours} == {theirs}, "{ours}");\n' for ours, theirs in pairs.items())
    source = tmp_path / "input.c"
    source.write_text(f"#include <limits.h>\n#include <stdint.h>\n#include <stddef.h>\n{checks}")
    assert compile_with_gcc(source, "-I", str(LIBC)) == ""


@pytest.mark.parametrize("tool", INSTALLED)
def test_assert_follows_ndebug(tmp_path: Path, tool: str) -> None:
    source = tmp_path / "input.c"
    source.write_text(
        "#include <assert.h>\nint a; void f(void) { assert(a); }\n#define NDEBUG\n#include <assert.h>\n"
        "void g(void) { assert(a); }\n#undef NDEBUG\n#include <assert.h>\nvoid h(void) { assert(a); }\n"
    )
    text = preprocess(str(source), FrontendOptions(), tool).text
    assert text.count("assert(a)") == 2


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("stdlib.h", "struct timeval a; struct timespec b; fd_set c; int main(void) { a.tv_sec = b.tv_nsec = 1; }"),
        ("semaphore.h", "struct timeval a; int main(void) { a.tv_usec = 1; }"),
        ("fcntl.h", "struct timespec a; int main(void) { a.tv_sec = 1; }"),
        ("sys/stat.h", "int main(void) { struct stat a; a.st_mtime = 1; return a.st_mtim.tv_sec != 1; }"),
        (
            "sys/select.h",
            "int main(void) { fd_set a; FD_ZERO(&a); FD_SET(1, &a); FD_CLR(1, &a); return FD_ISSET(1, &a); }",
        ),
        ("immintrin.h", "int main(void) { _mm_pause(); _mm_mfence(); return __rdtsc() > 3; }"),
    ],
)
def test_headers_bring_what_programs_take_from_them(tmp_path: Path, header: str, text: str) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"#include <{header}>\n{text}\n")
    report = read((str(source),), FrontendOptions(), Clock())
    assert not report.warnings
