"""Data in assembler outside of functions, and what may be more than that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.source.data import symbols

FILE = r".section .rodata\n.global a\n.balign 16\na:\n.incbin \"a\"\nb:\n.byte 0\n.int b - a, . - a\n.previous\n"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (FILE, {"a", "b"}),
        (r".section .data.x, \"aw\", @progbits; a: .ascii \"b: c\"; .quad a; .text", {"a"}),
        (r".data\n.type a, @object\na: .8byte 0x10\n.size a, .-a\n", {"a"}),
    ],
)
def test_the_names_of_data(template: str, expected: set[str] | None) -> None:
    assert symbols(template) == expected


@pytest.mark.parametrize(
    "template",
    [
        r"a: .byte 0",
        r".text\na: .byte 0xc3",
        r".data\n.text\na: .byte 0",
        r".section .data,\"awx\"\na: .byte 0xc3",
        r".section .init_array\n.quad 0",
        r".data\na: .quad main",
        r".data\na: .byte 0\n.set b, a",
        r".data\nb = 0",
        r".data\na: .byte 0\n.weak a",
        r".data\n.global b",
        r".data\n.macro m\n.endm",
        r".data\na: nop",
        r".data\n.include \"x.s\"",
        r".data\n.org 0",
        r".data\n.asciz \"\\\\\"; b: .byte 0",
        r".data\na: .incbin \"x\" # y",
        r".pushsection .data\na: .byte 0\n.popsection\nb: .byte 0",
    ],
)
def test_what_may_be_more_than_data(template: str) -> None:
    assert symbols(template) is None


def _run(folder: Path, *texts: str) -> tuple[int, str]:
    paths = [folder / f"{index}.c" for index, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f"#include <assert.h>\n{text}\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyze", "--no-verify", "--format", "json", *map(str, paths)])
    return done.exit_code, done.output


TWO = 'asm(".data\\na:\\nb: .byte 1\\nc: .byte 2\\n"); extern unsigned char a[], b[], c[];'


def test_data_has_any_value_and_may_be_in_one_place(tmp_path: Path) -> None:
    text = (
        f"{TWO} int g; int main(void) {{ g = 1; b[0] = 3;\nassert(g == 1);\nassert(a[0] == 1);\nassert(a != b);\n"
        "assert(c - b != 1);\nassert(b + 1 != c); }"
    )
    _, output = _run(tmp_path, text)
    assert [found["status"] == "proved" for found in json.loads(output)["assertions"]] == [True] + [False] * 4


@pytest.mark.parametrize(
    "other",
    ["__attribute__((weak)) unsigned char a[2];", "int a(void) { return 0; }", "char *environ;", "int malloc;"],
)
def test_names_that_something_else_may_have_are_refused(other: str, tmp_path: Path) -> None:
    name = other.split("(")[0].rstrip(";").split()[-1].strip("*").split("[")[0] if "weak" not in other else "a"
    first = f'asm(".data\\n{name}: .byte 1\\n"); int main(void) {{ assert(1); }}'
    code, output = _run(tmp_path, first, other if name == "a" else "int y;")
    assert code == 2
    assert "is meant is not known" in output
