"""The text form of PLIP: what is printed reads back, and errors have a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.errors import SourceError
from duet.plip.parser import parse_program, read_program, without_places
from duet.plip.printer import normal_form, print_program
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    And,
    Assert,
    Assign,
    Atom,
    Atomic,
    Cell,
    Command,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Or,
    Program,
    Relation,
    Spawn,
    Template,
)
from duet.result import Check
from duet.source import Span
from tests.soundness.generate import random_program

G, H = Linear((("g", 1),)), Linear((("h", -2),), 3)
CHECK = Check('dir/a "b".c', 3, 0, "f", "overflow", 'x <= "1"\n')


def _program(*instructions: Instruction) -> Program:
    """Main runs the instructions in a row; the second template has names that are no identifiers."""
    cells = (
        Cell("g", lo=0, hi=0),
        Cell("h", lo=-5, label="dev.h", span=Span("a.c", 4, 2)),
        Cell("all", hi=7),
        Cell("sum", summary=True, lo=0, hi=9),
        Cell("f::x[0]", template="child 2"),
        Cell("while", template="child 2", lo=1, hi=1),
        Cell("main.s", template="main", summary=True),
    )
    commands = [Command(n, instruction, n + 1, Span("a.c", n, n)) for n, instruction in enumerate(instructions)]
    commands += [Command(900, SKIP, 901), Command(901, SKIP, 902, Span("b.c", 1, 0))]
    count = len(instructions)
    templates = (
        Template("main", 0, count, tuple(range(count)), atomic=frozenset(range(2, count)), function="main"),
        Template("child 2", 900, 902, (count, count + 1), ("while", "f::x[0]")),
    )
    return Program({c.name: c for c in cells}, {t.name: t for t in templates}, tuple(commands), "main")


INSTRUCTIONS: tuple[Instruction, ...] = (
    Assign("g", Linear((("g", -1), ("h", 2)), -7)),
    Assign("g", Linear((), -3)),
    Assign("main.s", G),
    Assign("g", Linear((("sum", 1),))),
    Havoc("g"),
    Havoc("g", 0, None),
    Havoc("g", None, -2),
    Havoc("g", -3, 4),
    *(Compute("g", operation, (G, H)) for operation in Operation if operation is not Operation.WRAP),
    Compute("g", Operation.WRAP, (G, Linear((), -128), Linear((), 127))),
    Lookup("g", (1, -2, 3), H),
    Lookup("g", (), G),
    Guard(Or((And((Atom(G, Relation.LE), Atom(H, Relation.EQ))), Atom(H, Relation.NE), TRUE, FALSE))),
    Guard(And((Atom(G, Relation.NE), And((Atom(H, Relation.LE), Or((Atom(G, Relation.LE), FALSE))))))),
    Guard(TRUE),
    Guard(FALSE),
    Assert(Atom(H, Relation.LE), CHECK),
    Assert(FALSE, Check("", 0, 0, "", "", ""), stops=False),
    Spawn("child 2"),
    Spawn("child 2", (("f::x[0]", G), ("while", H))),
    Join("child 2"),
    Atomic(()),
    Atomic((Guard(Atom(G, Relation.EQ)), Assign("g", H), Compute("h", Operation.MUL, (G, G)), Havoc("g"), SKIP)),
)


def test_every_instruction_reads_back() -> None:
    program = _program(*INSTRUCTIONS)
    assert parse_program(print_program(program)) == normal_form(program)


def test_text_without_places_reads_back() -> None:
    program = _program(*INSTRUCTIONS)
    read = parse_program(print_program(program, spans=False))
    assert without_places(read) == without_places(normal_form(program))


def test_random_programs_read_back() -> None:
    for seed in range(300):
        program = random_program(seed)
        text = print_program(program)
        read = parse_program(text)
        assert read == normal_form(program), text
        assert tuple(read.cells) == tuple(normal_form(program).cells)
        assert print_program(read) == text


@pytest.mark.parametrize(
    "formula",
    [
        And((Atom(G, Relation.LE),)),
        Atom(Linear((("g", -1),), 2), Relation.EQ),
        Or((And((Atom(Linear((), 1), Relation.LE),)), Atom(G, Relation.NE))),
    ],
)
def test_normal_form_is_what_the_text_says(formula: Formula) -> None:
    program = _program(Guard(formula))
    assert normal_form(program) != program
    assert parse_program(print_program(program)) == normal_form(program)
    assert normal_form(normal_form(program)) == normal_form(program)


def _graph(body: str, declarations: str = "global x = 0 global y = 0") -> str:
    text = print_program(parse_program(f"{declarations}\nthread main {{ {body} }}"), spans=False)
    lines = text[text.index("  entry") :].splitlines()[:-1]
    return "\n".join(line.strip() for line in lines)


def test_lock_is_one_atomic_command() -> None:
    assert _graph("acquire x release x") == "entry 0  exit 1\n0: atomic { [x == 0]; x := 1; } -> 2\n2: x := 0 -> 1"


def test_loop_head_is_not_shared_with_other_arms_of_a_choice() -> None:
    graph = _graph("choose { while (x < 3) { x := x + 1 } } or { y := 1 }")
    assert "0: skip -> 2" in graph
    assert "2: [x <= 2] -> 3" in graph
    assert "3: x := x + 1 -> 2" in graph
    assert "2: [x >= 3] -> 1" in graph
    assert "0: y := 1 -> 1" in graph


def test_region_holds_the_locations_between_its_ends() -> None:
    graph = _graph("atomic { if (x == 0) { x := 1 y := 1 } } y := 2")
    assert graph.splitlines()[:2] == ["entry 0  exit 1", "atomic at 3, 4"]
    assert "0: [x == 0] -> 3" in graph
    assert "0: [x != 0] -> 2" in graph
    assert "4: y := 1 -> 2" in graph


def test_loop_at_the_start_of_a_region_has_its_head_inside() -> None:
    assert _graph("atomic { while (x < 2) { x := x + 1 } }").splitlines()[:3] == [
        "entry 0  exit 1",
        "atomic at 2, 3",
        "0: skip -> 2",
    ]


def test_jumps() -> None:
    graph = _graph("label top while (*) { if (x > 1) { break } else { continue } } if (*) { goto top } return")
    assert graph.count("skip -> 1") == 1
    assert "[x >= 2]" in graph


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        ("x", "x != 0"),
        ("!x", "x == 0"),
        ("!(x < y || x == 3)", "-x + y <= 0 && x != 3"),
        ("0 <= x < 3", "x >= 0 && x <= 2"),
        ("2 * (x + 1) - y * 3 >= -(4)", "-2*x + 3*y <= 6"),
        ("(x + y) <= 3 && (x == 1 || (y == 1))", "x + y <= 3 && (x == 1 || y == 1)"),
    ],
)
def test_formulas(formula: str, printed: str) -> None:
    assert f"[{printed}]" in _graph(f"[{formula}]")


def test_default_check_is_at_its_place_in_the_text() -> None:
    program = parse_program('global x = 0\nthread main function "f" {\n  assert x == 0 }', "p.plip")
    (command,) = program.commands
    assert command.instruction == Assert(
        Atom(Linear((("x", 1),)), Relation.EQ), Check("p.plip", 3, 3, "f", "assertion", "x == 0")
    )
    assert command.span == Span("p.plip", 3, 3)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "no thread main"),
        ("global x", "1:9", "initial value of x"),
        ("global x = 0\nglobal x = 1", "2:8", "declared twice"),
        ("global x = 0\nthread main { x := 1 ^ 2 }", "2:22", "unexpected character '^'"),
        ("thread main { y := 1 }", "1:15", "no cell y"),
        ("thread main { spawn w }", "1:21", "no thread w"),
        ("thread main { local t t := 1 } thread w { t := 2 }", "1:43", "no cell t is declared for thread w"),
        ("thread main { if (true) { skip }", "1:33", "expected an instruction"),
        ("thread main { break }", "1:15", "break outside of a loop"),
        ("thread main { goto out }", "1:15", "no label out"),
        ("thread main { label a label a }", "1:23", "twice"),
        ("thread main { atomic { while (*) { atomic { if (*) { } } } } }", "1:36", "atomic block in an atomic"),
        ("global x = 0 thread main { x := x * x }", "1:35", "mul(a, b)"),
        ("global x in 3..1 thread main { }", "1:18", "empty range"),
        ("summary s = 0 thread main { [s == 0] }", "1:29", "summary cell s"),
        ('thread main { "a }', "1:15", "unexpected character"),
        ("thread main { } thread main { }", "1:24", "declared twice"),
        ("thread main { entry 0 exit 1 atomic at 0 0: skip -> 1 }", "1:1", "in an atomic region"),
        ("thread main { entry 0 exit 1 0: skip }", "1:38", "expected '->'"),
        ("main m thread main { }", "1:1", "no thread m"),
        ("thread main { [" + "(" * 100_000 + " }", "1:1", "nested too deeply"),
    ],
)
def test_errors_have_a_place(text: str, place: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_program(text, "p.plip")
    assert str(caught.value).startswith(f"p.plip:{place}: error: ")
    assert message in caught.value.message


def test_unreadable_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.plip"
    with pytest.raises(SourceError, match="cannot read"):
        read_program(missing)
    missing.write_bytes(b"\xff\xfe")
    with pytest.raises(SourceError, match="cannot read"):
        read_program(missing)
