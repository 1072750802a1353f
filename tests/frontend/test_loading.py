"""Functions that run before `main` and behind it, and weak symbols, against the programs themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START, STOP = "__attribute__((constructor%s)) static void", "__attribute__((destructor)) static void"
WEAK = "__attribute__((weak))"
F = "int f(void) { return %d; }"
MAIN = "int main(void) { assert(%s); return 0; }"
TRUE = {
    "a constructor": (f"int x; {START % ''} f(void) {{ x = 1; }} {MAIN % 'x == 1'}", "int y;"),
    "by priority": (
        f"int x; {START % ''} h(void) {{ x *= 3; }} {START % '(102)'} f(void) {{ x *= 2; }}"
        f"{START % '(101)'} g(void) {{ x = 1; }} {MAIN % 'x == 6'}",
        "int y;",
    ),
    "one for all orders": (
        f"int x, y; {START % ''} f(void) {{ x = y + 1; }} {START % ''} g(void) {{ y = 1; }} {MAIN % 'x <= 2'}",
        "int z;",
    ),
    "of another file": (f"extern int x; {MAIN % 'x == 1'}", f"int x; {START % ''} f(void) {{ x = 1; }}"),
    "declared only": (
        "int x; void f(void) __attribute__((constructor)); void g(void) { f(); } " + MAIN % "x == 0",
        "extern int x; void f(void) { x = 1; }",
    ),
    "what ends": (f"int x; {STOP} f(void) {{ assert(x >= 0); }} int main(void) {{ x = 1; }}", "int y;"),
    "a strong function": (f"{WEAK} {F % 1} {MAIN % 'f() == 2'}", F % 2),
    "a strong function first": (f"{F % 2} {MAIN % 'f() == 2'}", f"{WEAK} {F % 1}"),
    "a pragma": (f"#pragma weak f\nint f(void) {{ return 1; }} {MAIN % 'f() == 2'}", "int f(void) { return 2; }"),
    "a strong variable": (f"{WEAK} int x = 1; {MAIN % 'x == 2'}", "int x = 2;"),
    "a strong variable first": (f"int x = 2; {MAIN % 'x == 2'}", f"{WEAK} int x = 1;"),
    "a strong variable without a value": (f"int x {WEAK} = 1; {MAIN % 'x == 0'}", "int x;"),
    "two alike": (f"{WEAK} int x = 1; {WEAK} {F % 1} {MAIN % 'x == f()'}", f"{WEAK} int x = 1; {WEAK} {F % 1}"),
    "no other": (f"{WEAK} const int x = 1; {WEAK} int f(void) {{ return x; }} {MAIN % 'f() == 1'}", "int y;"),
}  # fmt: skip
FALSE = {
    "before the constructor": (f"int x; {START % ''} f(void) {{ x = 1; }} {MAIN % 'x == 0'}", "int y;"),
    "the constructor asserts": (f"int x; {START % ''} f(void) {{ assert(x); }} int main(void) {{ x = 1; }}", "int y;"),
    "a constructor that is not understood": (
        f'int x; {START % ""} f(void) {{ __asm__ goto("" : : : : l); l: x = 2; }} {MAIN % "x == 0"}', "int y;"
    ),
    "the last one": (
        f"int x; {START % ''} g(void) {{ x = 1; }} {START % '(101)'} f(void) {{ x = 2; }} {MAIN % 'x == 2'}", "int y;"
    ),
    "one of two orders": (
        f"int x; {START % ''} f(void) {{ x = 2; }} {START % ''} g(void) {{ x = 1; }} {MAIN % 'x == 2'}", "int y;"
    ),
    "the end": (f"int x; {STOP} f(void) {{ assert(!x); }} int main(void) {{ x = 1; }}", "int y;"),
    "the end by another file": (
        f"#include <stdlib.h>\nextern int x; {STOP} f(void) {{ assert(!x); }} void g(void);"
        " int main(void) { g(); exit(0); }",
        "int x; void g(void) { x = 1; }",
    ),
    "both": (
        "int x; void f(void) __attribute__((constructor, destructor)); void f(void) { assert(x == 0); x++; }"
        " int main(void) { }",
        "int y;",
    ),
    "the weak function": (f"{WEAK} int f(void) {{ return 1; }} {MAIN % 'f() == 1'}", "int f(void) { return 2; }"),
    "the weak variable": (f"int x {WEAK} = 1; {MAIN % 'x == 1'}", "int x;"),
    "the weak constant": (f"extern const int x {WEAK}; const int x = 1; {MAIN % 'x == 1'}", "const int x = 2;"),
    "the longer array": (f"int x[2] {WEAK}; {MAIN % 'sizeof x / 4 == 2 && !x[0] && !x[1]'}", "int x[2] = {0, 1};"),
}  # fmt: skip


def _write(folder: Path, case: tuple[str, str]) -> list[str]:
    first, second = folder / "a.c", folder / "b.c"
    first.write_text(f"#include <assert.h>\n{case[0]}\n", encoding="utf-8")
    second.write_text(f"{case[1]}\n", encoding="utf-8")
    return [str(first), str(second)]


def _statuses(paths: list[str]) -> set[str]:
    done = CliRunner().invoke(cli, ["analyze", "--no-verify", *paths, "--format", "json"])
    assert done.exit_code in (0, 1), done.output
    return {found["status"] for found in json.loads(done.stdout)["assertions"]}


def _aborts(folder: Path, paths: list[str]) -> bool:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    subprocess.run([compiler, "-w", *paths, "-o", str(folder / "a")], check=True, capture_output=True)
    return subprocess.run([str(folder / "a")], check=False, capture_output=True, timeout=10).returncode < 0


@pytest.mark.parametrize("case", TRUE)
def test_what_holds_is_proved(case: str, tmp_path: Path) -> None:
    paths = _write(tmp_path, TRUE[case])
    assert _statuses(paths) <= {"proved", "unreachable"}
    assert not _aborts(tmp_path, paths)


@pytest.mark.parametrize("case", FALSE)
def test_what_fails_is_not_proved(case: str, tmp_path: Path) -> None:
    paths = _write(tmp_path, FALSE[case])
    for order in (paths, paths[::-1]):
        assert _statuses(order) & {"unproved", "refuted"}
    assert _aborts(tmp_path, paths)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (f"{WEAK} int f(void) {{ return 1; }}", f"{WEAK} int f(void) {{ return 2; }}"),
        (f"{WEAK} int x = 1;", f"{WEAK} int x = 2;"),
        (f"static int y; {WEAK} int *x = &y;", f"static int y; {WEAK} int *x = &y;"),
    ],
)
def test_weak_definitions_that_differ_are_refused(first: str, second: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["analyze", *_write(tmp_path, (f"{first} int main(void) {{ }}", second))])
    assert done.exit_code == 2
    assert "weak definitions" in done.output
    assert "b.c:1:" in done.output
