"""Functions that are other names of functions (attribute `alias`), against the programs themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

F = 'int f(void) __attribute__((alias("g")));'
WEAK = 'int f(void) __attribute__((weak, alias("g")));'
G = "int x; int g(void) { static int n; x++; return ++n; }"
TRUE = {
    "another name": (f"{G} {F} int main(void) {{ assert(f() == 1 && g() == 2 && x == 2 && f == g); }}", "int y;"),
    "of a static function": (
        f"{G.replace('int g', 'static int g')} {F} int main(void) {{ assert(f() == 1); }}",
        "int g(void) { return 7; }",
    ),
    "called elsewhere": (
        "int x; int h(void); int main(void) { assert(h() == 1 && x == 1); }",
        f"{G.replace('int x', 'extern int x')} {F} int h(void) {{ return f(); }}",
    ),
    "weak, with another one": (
        f"{G} {WEAK} int main(void) {{ assert(f() == 5 && x == 0); }}",
        "int f(void) { return 5; }",
    ),
}
FALSE = {
    "two functions": (f"{G} {F} int main(void) {{ assert(f != g); }}", "int y;"),
    "two counters": (f"{G} {F} int main(void) {{ f(); assert(g() == 1); }}", "int y;"),
    "weak, with another one": (f"{G} {WEAK} int main(void) {{ assert(f() == 1); }}", "int f(void) { return 2; }"),
    "weak, without one": (f"{G} {WEAK} int main(void) {{ assert(!f()); }}", "static int f(void) { return 2; }"),
    "by the function around a declaration": (
        "extern int x; int main(void) { extern int f(void); f(); assert(x == 0); }",
        f"{G} {F}",
    ),
    "by a value in front of it": (
        "extern int f(void); int (*p)(void) = f; extern int x; int main(void) { p(); assert(x == 0); }",
        f"{G.replace('int g', 'static int g')} {F}",
    ),
    "by a name that nobody declares": ("extern int x; int main(void) { f(); assert(x == 0); }", f"{G} {F}"),
    "static at first": (
        f"static int g(void); {G} {F} int main(void) {{ f(); assert(x == 0); }}",
        "int g(void) { return 7; }",
    ),
    "by its name": (
        "#include <dlfcn.h>\nextern int x; int main(void) "
        '{ int (*p)(void) = (int (*)(void))dlsym(0, "f"); p(); assert(x == 0); }',
        f"{G.replace('int g', 'static int g')} {F}",
    ),
}
REFUSED = {
    "no function here": (F, "int g(void) { return 1; }"),
    "a weak function": (f"__attribute__((weak)) {G} {F}", "int g(void) { return 2; }"),
    "a variable": ('int g; extern int f __attribute__((alias("g")));', "int y;"),
    "in parentheses": (f'typedef int T; {G} T (f)(void) __attribute__((alias("g")));', "int y;"),
    "two names": (f'{G} int h(void), f(void) __attribute__((alias("g")));', "int y;"),
    "two weak ones": (f"{G} {WEAK}", "__attribute__((weak)) int f(void) { return 2; }"),
    "inline elsewhere": (f"{G} {F}", "inline int f(void) { return 2; }"),
    "a name in assembler": (f'{G} int f(void) asm("k") __attribute__((alias("g")));', "int k(void);"),
    "a variable that has another one": ('int x asm("y");', "extern int y; void h(void) { y = 1; }"),
    "a function that has another one": ('int g(void) asm("k"); int g(void) { return 1; }', "int k(void);"),
    "another one by a pragma": ("\n#pragma redefine_extname f g\nint f(void);", "int g(void) { return 1; }"),
    "a constructor": (f'{G} int f(void) __attribute__((constructor, alias("g")));', "int y;"),
    "an alias of an alias": (f'{G} {F} int h(void) __attribute__((alias("f")));', "int y;"),
}


def _write(folder: Path, case: tuple[str, str]) -> list[str]:
    first, second = folder / "a.c", folder / "b.c"
    first.write_text(f"#include <assert.h>\n{case[0]}\n", encoding="utf-8")
    second.write_text(f"{case[1]}\n", encoding="utf-8")
    return [str(first), str(second)]


def _statuses(paths: list[str]) -> set[str]:
    options = ("--no-verify", "--domain", "interval", "--format", "json")
    done = CliRunner().invoke(cli, ["analyze", *options, *paths])
    assert done.exit_code in (0, 1), done.output
    return {found["status"] for found in json.loads(done.stdout)["assertions"]}


def _aborts(folder: Path, paths: list[str]) -> bool:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    subprocess.run([compiler, "-w", "-rdynamic", *paths, "-o", str(folder / "a")], check=True, capture_output=True)
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


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_open_is_refused(case: str, tmp_path: Path) -> None:
    first, second = REFUSED[case]
    done = CliRunner().invoke(cli, ["analyze", *_write(tmp_path, (f"{first} int main(void) {{ }}", second))])
    assert done.exit_code == 2
    assert "a.c:" in done.output


def test_code_of_other_files_may_call_a_static_function_by_it(tmp_path: Path) -> None:
    text = f"{G.replace('int g', 'static int g')} {F} void other(void); int main(void) {{ other(); assert(x == 0); }}"
    path = tmp_path / "a.c"
    path.write_text(f"#include <assert.h>\n{text}\n", encoding="utf-8")
    options = ("--no-verify", "--unknown-functions", "externals", "--format", "json")
    done = CliRunner().invoke(cli, ["analyze", *options, str(path)])
    assert {found["status"] for found in json.loads(done.stdout)["assertions"]} == {"unproved"}
