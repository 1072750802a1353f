"""What a folded program shows holds only if it can do whatever the program can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from duet.certificate.check import check
from duet.certificate.document import Certificate, Claim, Fold, read, render
from duet.certificate.emit import fold_of
from duet.certificate.folding import unfolded
from duet.certificate.reduced import Refusal
from duet.coarsen.results import Analysis
from duet.plip.folded import folded
from duet.plip.parser import parse_program
from duet.plip.printer import print_program
from duet.plip.syntax import Program, Spawn
from tests.c.annotations import AnnotatedProgram, bundled, name
from tests.verify.test_bundled import inputs

T = TypeVar("T")
TEXT = (
    "global x = 0 global y in 0..3 thread main { local i i := 0 spawn a(na := 1) spawn b(nb := 1) spawn c(nc := 1) "
    "spawn d [i == 0] join d assert x <= 9 } "
    + " ".join(
        f"thread {name}(n{name}) {{ local t{name} t{name} := x x := {number} "
        f"atomic {{ while (*) {{ y := n{name} }} }} [t{name} == {number}] }}"
        for number, name in enumerate("abc")
    )
    + " thread d { y := 2 }"
)


def made(text: str = TEXT) -> tuple[Program, Fold]:
    program = parse_program(text)
    found = folded(program)
    assert found is not None
    return program, fold_of(found, Analysis(found.program, (), {}), ())


def is_refused(program: Program, fold: Fold) -> bool:
    try:
        unfolded(program, fold)
    except Refusal:
        return True
    return False


def test_a_folded_program_is_accepted() -> None:
    assert not is_refused(*made())


def text(old: str, new: str) -> Callable[[Fold], Fold]:
    def changed(fold: Fold) -> Fold:
        assert old in fold.program, fold.program
        return replace(fold, program=fold.program.replace(old, new))

    return changed


def left(entries: Mapping[str, T], key: str) -> dict[str, T]:
    """The entries without one of them."""
    assert key in entries
    return {name: value for name, value in entries.items() if name != key}


def place(old: int, new: int) -> Callable[[Fold], Fold]:
    return lambda fold: replace(fold, places={**fold.places, old: new})


CHANGES: dict[str, Callable[[Fold], Fold]] = {
    "no text": lambda fold: replace(fold, program="nonsense"),
    "not well-formed": text("x := a::given0", "x := nothing"),
    "another main": text("main main", "main d"),
    "a global starts with less": text("global y in 0..3", "global y in 0..2"),
    "a global starts elsewhere": text("global x = 0", "global x = 1"),
    "another value": lambda fold: replace(fold, values={**fold.values, "b": {"a::given0": 7}}),
    "no value": lambda fold: replace(fold, values=left(fold.values, "b")),
    "a value for main": lambda fold: replace(fold, values={**fold.values, "main": {"i": 0}}),
    "a template that is none": lambda fold: replace(fold, templates={**fold.templates, "b": "nothing"}),
    "another template": lambda fold: replace(fold, templates={**fold.templates, "b": "d"}),
    "a template for itself": lambda fold: replace(fold, templates=left(fold.templates, "b")),
    "a cell for itself": lambda fold: replace(fold, cells=left(fold.cells, "tb")),
    "one cell for two": lambda fold: replace(fold, cells={**fold.cells, "tb": "na"}),
    "a global for another": lambda fold: replace(fold, cells={**fold.cells, "x": "y"}),
    "no step": text("y := na", "skip"),
    "another step": text("x := a::given0", "x := 1"),
    "another condition": text("[a::given0 - ta == 0]", "[a::given0 - ta <= 0]"),
    "a check that is another": text("assert x <= 9", "assert x <= 8"),
    "a check that goes on": text("assert x <= 9", "check x <= 9"),
    "another condition of main": text("[i == 0]", "[i == 1]"),
    "a start without an argument": text("spawn a(na := 1, a::given0 := 0)", "spawn a(na := 1)"),
    "a start with another argument": text("na := 1, a::given0 := 1", "na := 2, a::given0 := 1"),
    "no start": text("spawn d", "skip"),
    "it waits for another one": text("join d", "join a"),
    "a given value is written": text("ta := x", "a::given0 := x"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_refused(name: str) -> None:
    program, fold = made()
    assert is_refused(program, CHANGES[name](fold))


def test_a_place_that_keeps_others_from_moving_must_do_so_in_the_program() -> None:
    inside = "thread a { atomic { while (*) { x := 0 } } }"
    outside = "thread a { [x == x] while (*) { x := 0 } }"
    program = parse_program(f"global x = 0 thread main {{ spawn a }} {outside}")
    same = Fold(f"global x = 0 thread main {{ spawn a }} {outside}", {}, {}, {}, {}, (), ())
    assert not is_refused(program, same)
    assert is_refused(program, replace(same, program=same.program.replace(outside, inside)))


def test_a_cell_that_stands_for_several_may_start_with_the_value_of_each() -> None:
    body = "thread main { local t t := b x := t }"
    program = parse_program(f"global a = 0 global b = 7 global x = 0 {body}")
    text = "summary s in 0..%d global x = 0 " + body.replace("b", "s")
    fold = Fold(text % 7, {}, {}, {"a": "s", "b": "s"}, {}, (), ())
    assert not is_refused(program, fold)
    assert is_refused(program, replace(fold, program=text % 6))
    assert is_refused(program, replace(fold, program=(text % 7).replace("summary", "global")))
    assert is_refused(program, replace(fold, cells={"a": "s", "b": "x"}))


@pytest.mark.parametrize("bundle", bundled()[::15], ids=name)
def test_bundled_programs_are_folded_rightly(bundle: AnnotatedProgram) -> None:
    """Also where two templates are equal, which are left alone else."""
    program, _ = inputs(bundle)
    one = folded(program.program, fewest=2)
    if one is not None:
        unfolded(program.program, fold_of(one, Analysis(one.program, (), {}), ()))


def test_no_place_is_where_it_was() -> None:
    program, fold = made()
    places = sorted(program.template_of)
    changed = [place(old, new)(fold) for old in places for new in places if fold.places.get(old, old) != new]
    accepted = [other for other in changed if not is_refused(program, other)]
    assert len(accepted) < len(changed) / 100  # locations between starts in a row may be one


def test_waiting_is_only_for_what_runs_once_in_both() -> None:
    """The program starts two threads in different branches, and nobody waits; the other one has one start."""
    program = parse_program(
        "global x = 0 thread main { if (x == 0) { spawn a } else { spawn a } join a } thread a { x := 1 }"
    )
    main = program.templates["main"]
    branches = [
        program.commands[index] for index in main.commands if isinstance(program.commands[index].instruction, Spawn)
    ]
    first, second = (command.source for command in branches)
    merged = [
        replace(command, source=first if command.source == second else command.source,
                target=first if command.target == second else command.target)
        for command in program.commands if command is not branches[1]
    ]  # fmt: skip
    numbers = [index for index, command in enumerate(merged) if program.template_of[command.source] == "main"]
    others = [index for index in range(len(merged)) if index not in numbers]
    templates = {
        "main": replace(main, commands=tuple(numbers)),
        "a": replace(program.templates["a"], commands=tuple(others)),
    }
    other = print_program(replace(program, commands=tuple(merged), templates=templates))
    assert is_refused(program, Fold(other, {}, {second: first}, {}, {}, (), ()))
    assert not is_refused(program, Fold(other.replace("join a", "skip"), {}, {second: first}, {}, {}, (), ()))


def test_a_refused_fold_shows_nothing() -> None:
    program, fold = made()
    (asked,) = {c.instruction.check for c in program.commands if hasattr(c.instruction, "check")}
    named = (asked.file, asked.line, asked.column, asked.function, asked.property_name, asked.expression)
    claims = (Claim(named, "proved", True),)
    document = Certificate("1", (), {}, "", (), claims, (), CHANGES["another value"](fold))
    outcome = check(read(render(document)), program, [asked])
    assert not outcome.holds
    assert not outcome.certified
    assert outcome.failures[0].layer == "fold"
