"""What library functions ask of their arguments besides memory: open streams and directories, numbers that fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = """#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
int __VERIFIER_nondet_int(void); FILE *own; wchar_t wide[4], more[4]; void forget(FILE **which) { *which = 0; }
int same(const void *one, const void *other) { return 0; }
int main(void) { int i = __VERIFIER_nondet_int(); long l = i; FILE *f = fopen("a", "r"); DIR *d = opendir(".");
"""
PROGRAMS = {
    "a stream": ("null-dereference", "if (f) fgetc(f);", "fgetc(f);"),
    "a stream that is printed to": ("null-dereference", 'if (f) fprintf(f, "a");', 'fprintf(f, "a");'),
    "a stream that is closed": ("null-dereference", "if (f) fclose(f);", "fclose(f);"),
    "a variable": (
        "null-dereference",
        "own = f; if (f) own = stdin; else own = stdout; if (own) getc(own);",
        "getc(own);",
    ),
    "the standard streams": ("null-dereference", 'fputs("a", stderr); getc(stdin);', 'stderr = f; fputs("a", stderr);'),
    "one behind a pointer": ("null-dereference", "putc(1, stdout);", "forget(&stdout); putc(1, stdout);"),
    "a directory": ("null-dereference", "if (d) readdir(d);", "readdir(d);"),
    "all streams": ("null-dereference", "fflush(0);", "fclose(0);"),
    "no directory": ("null-dereference", "closedir(d);", "rewinddir(d);"),
    "abs": ("overflow", "if (i > -9) abs(i);", "abs(i);"),
    "labs": ("overflow", "labs(l);", "labs(__VERIFIER_nondet_long());"),
    "bsearch": ("array-bounds", "bsearch(&i, wide, 4, 4, same);", "bsearch(&i, wide, 5, 4, same);"),
    "div": ("division-by-zero", "if (i > 0) div(8, i);", "div(8, i);"),
    "ldiv": ("overflow", "ldiv(l, -1);", "ldiv(__VERIFIER_nondet_long(), -1);"),
    "wmemset": ("array-bounds", "wmemset(wide, L'a', 4);", "wmemset(wide, L'a', 5);"),
    "wmemcpy": ("array-bounds", "wmemcpy(wide, more, 4);", "wmemcpy(wide, more + 1, 4);"),
}


def are_proved(directory: Path, asked: str, text: str) -> bool:
    """Whether all checks of a property are, one of which is about the last statement or none is needed."""
    path = directory / "program.c"
    long = "long __VERIFIER_nondet_long(void);\n"
    path.write_text(f"{long}{START}{text} return 0; }}\n", encoding="utf-8")
    arguments = ["analyze", "--no-verify", "--properties", asked, "--format", "json", str(path)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code in (0, 1), result.output
    return all(it["status"] in ("proved", "unreachable") for it in json.loads(result.stdout)["assertions"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_asked_for_is_checked(name: str, tmp_path: Path) -> None:
    asked, holds, fails = PROGRAMS[name]
    assert are_proved(tmp_path, asked, holds)
    assert not are_proved(tmp_path, asked, fails)


def test_absolute_values_are_exact(tmp_path: Path) -> None:
    text = "if (-5 < i && i < 4) { int a = abs(i); __VERIFIER_assert(a < 5 && a >= i && a >= -i); }"
    path = tmp_path / "program.c"
    path.write_text(f"void __VERIFIER_assert(int);\n{START}{text} return 0; }}\n", encoding="utf-8")
    found = json.loads(CliRunner().invoke(cli, ["analyze", "--no-verify", "--format", "json", str(path)]).stdout)
    assert {it["status"] for it in found["assertions"]} == {"proved"}
