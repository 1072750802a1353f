"""Equal templates become one, and the folded program can do whatever the program can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from duet.certificate.emit import fold_of
from duet.certificate.folding import unfolded
from duet.certificate.reduced import Refusal
from duet.coarsen.results import Analysis
from duet.plip import folded as module
from duet.plip.folded import Folded, folded
from duet.plip.parser import parse_program
from duet.plip.printer import normal_form, print_program
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Assign, Command, Program, Spawn, Template
from duet.plip.terms import constant
from duet.plip.wellformed import violations
from tests.plip.crowded import crowded
from tests.soundness.properties import SAMPLES

LIMITS = Limits(threads=3, states=6000, value=8)
FOUR = "global x = 0 global y = 0 thread main { spawn a spawn b spawn c spawn d assert y == 0 } " + " ".join(
    f"thread {name} {{ local t{name} t{name} := x x := t{name} + 1 }}" for name in "abcd"
)


def whole(text: str, fewest: int = 3) -> Folded | None:
    return folded(parse_program(text), fewest)


def found(text: str, fewest: int = 3) -> Folded:
    one = whole(text, fewest)
    assert one is not None
    return one


def started(program: Program) -> list[Spawn]:
    return [command.instruction for command in program.commands if isinstance(command.instruction, Spawn)]


def test_equal_templates_are_one() -> None:
    one = found(FOUR)
    assert list(one.program.templates) == ["main", "a"]
    assert set(one.templates.values()) == {"main", "a"}
    assert {one.cells[f"t{name}"] for name in "abcd"} == {"ta"}


def test_starts_in_a_row_are_a_loop() -> None:
    main = found(FOUR).program.templates["main"]
    assert started(found(FOUR).program) == [Spawn("a"), Spawn("a")]
    assert len({found(FOUR).program.commands[index].source for index in main.commands}) == 2


def test_few_equal_templates_are_left_alone() -> None:
    text = "global x = 0 thread main { spawn a spawn b } thread a { x := 1 } thread b { x := 1 }"
    assert whole(text) is None
    assert whole(text, 2) is not None


def test_the_folded_program_is_its_own_text() -> None:
    one = found(FOUR).program
    assert parse_program(print_program(one)) == normal_form(one) == one


NUMBERED = "global x = 0 thread main {{ spawn a spawn b spawn c }} " + " ".join(
    f"thread {name} {{{{ {{{number}}} }}}}" for number, name in enumerate("abc")
)


@pytest.mark.parametrize(
    "bodies",
    [
        ("x := 1", "x := 1", "y := 1"),
        ("x := 1", "x := 1", "x := y"),
        ("x := 1", "x := 1", "x := 1 x := 1"),
        ("[x == 0]", "[x == 0]", "[x != 0]"),
        ("x := y", "x := y", "x := 2*y"),
        ("x := 1", "x := 1", "x := * in 1..1"),
        ("x := * in 0..1", "x := * in 0..1", "x := * in 0..2"),
        ("x := mod(y, 2)", "x := mod(y, 2)", "x := mod(y, 3)"),
        ("x := [1, 2][y]", "x := [1, 2][y]", "x := [1, 3][y]"),
        ("atomic { x := y y := 1 y := x }", "atomic { x := y y := 1 y := x }", "x := y y := 1 y := x"),
        ("local t x := 1", "local u x := 1", "x := 1"),
        ("local t in 0..1 x := t", "local u in 0..1 x := u", "local v in 0..2 x := v"),
        ("assert x == 0", "assert x == 0", "assert x == 0"),  # other checks, in other places
        ("join d", "join d", "x := 1"),
        ("spawn d", "spawn d", "spawn e"),
    ],
)
def test_what_differs_in_more_than_constants_is_not_equal(bodies: tuple[str, str, str]) -> None:
    text = NUMBERED.format(*bodies).replace("global x = 0", "global x = 0 global y = 0")
    if "spawn d" in bodies or "join d" in bodies:
        text += " thread d { x := 3 } thread e { y := 3 }"
    assert whole(text) is None


def test_constants_that_differ_are_cells() -> None:
    text = NUMBERED.format("x := 5 x := 6 assert x <= 9 x := 7", "x := 1 x := 2 x := 7", "x := 3")
    assert whole(text) is None
    one = found(NUMBERED.format("x := 5 x := 11 [x == 4] x := 7", "x := 1 x := 3 [x == 4] x := 7",
                                "x := 3 x := 7 [x == 4] x := 7"))  # fmt: skip
    (cell,) = (cell for cell in one.program.cells.values() if cell.template == "a")
    assert [one.values[name][cell.name] for name in "abc"] == [5, 1, 3]
    assert f"x := 2*{cell.name} + 1" in print_program(one.program).replace('"', "")


@pytest.mark.parametrize("relation", ["==", "!=", "<=", ">="])
def test_conditions_over_own_cells_and_globals_stay_what_they_are(relation: str) -> None:
    """Which cell of a condition comes first, and so its sign, depends on names."""
    bodies = [f"local {name} [x {relation} 3*{name} + 1] [y - 2*{name} {relation} -4]" for name in ("zz", "aa", "m")]
    text = NUMBERED.format(*bodies).replace("global x = 0", "global x = 0 global y = 0")
    for order in (bodies, bodies[::-1]):
        program = parse_program(NUMBERED.format(*order).replace("global x = 0", "global x = 0 global y = 0"))
        one = folded(program, fewest=2)
        if one is not None:
            unfolded(program, fold_of(one, Analysis(one.program, (), {}), ()))
    same = text.replace("aa", "zz_").replace("local m", "local zz__").replace("*m", "*zz__")
    one = found(same)
    unfolded(parse_program(same), fold_of(one, Analysis(one.program, (), {}), ()))


ELEMENTS = "{start} global x = 0 thread main {{ a := 5 spawn p spawn q spawn r }} " + " ".join(
    f"thread {name} {{{{ local t{name} t{name} := {cell} x := t{name} }}}}"
    for name, cell in zip("pqr", "abc", strict=True)
)


def elements(start: tuple[str, str, str], text: str = ELEMENTS) -> Program:
    """A program in which three globals are the elements of an array."""
    program = parse_program(text.format(start=" ".join(f"global {c} = {v}" for c, v in zip("abc", start, strict=True))))
    cells = {
        name: replace(cell, label=f"ids[{'abc'.index(name)}]") if name in ("a", "b", "c") else cell
        for name, cell in program.cells.items()
    }
    return replace(program, cells=cells)


def test_elements_that_differ_are_one_cell_that_stands_for_them() -> None:
    program = elements(("0", "1", "7"))
    one = folded(program)
    assert one is not None
    (cell,) = (cell for cell in one.program.cells.values() if cell.summary)
    assert (cell.lo, cell.hi, cell.label) == (0, 7, "ids[*]")
    assert {one.cells[name] for name in "abc"} == {cell.name}
    unfolded(program, fold_of(one, Analysis(one.program, (), {}), ()))


def test_elements_in_conditions_are_not() -> None:
    text = ELEMENTS
    for name, cell in zip("pqr", "abc", strict=True):
        text = text.replace(f"t{name} := {cell}", f"[{cell} == 0] t{name} := {cell}")
    assert folded(elements(("0", "1", "7"), text)) is None


def test_an_element_that_all_use_stays_what_it_is() -> None:
    text = ELEMENTS.replace(":= b", ":= a").replace(":= c", ":= a")
    one = folded(elements(("0", "1", "7"), text))
    assert one is not None
    assert not any(cell.summary for cell in one.program.cells.values())


def test_templates_that_start_equal_ones_are_equal() -> None:
    text = "global x = 0 thread main { spawn a spawn b spawn c } " + " ".join(
        f"thread {name} {{ spawn {name}1 join {name}1 }} thread {name}1 {{ x := {number} }}"
        for number, name in enumerate("abc")
    )
    one = found(text)
    assert list(one.program.templates) == ["main", "a", "a1"]


def test_who_waits_for_one_of_several_threads_waits_for_none() -> None:
    text = FOUR.replace("assert y == 0", "join a join b")
    assert "join" not in print_program(found(text).program)
    other = text.replace("spawn d", "spawn d spawn e join e") + " thread e { y := 2 }"
    assert "join e" in print_program(found(other).program)


def test_what_comes_between_starts_stays_there() -> None:
    one = found(FOUR.replace("spawn c", "x := 7 spawn c")).program
    (between,) = (command for command in one.commands if command.instruction == Assign("x", constant(7)))
    assert len({c.source for c in one.commands if isinstance(c.instruction, Spawn)} | {between.source}) == 3


@pytest.mark.parametrize("seed", range(150))
def test_what_fails_fails_in_the_folded_program(seed: int) -> None:
    program = crowded(seed)
    one = folded(program, fewest=2)
    if one is None:
        return
    assert not violations(one.program)
    assert parse_program(print_program(one.program)) == one.program
    unfolded(program, fold_of(one, Analysis(one.program, (), {}), ()))
    here, there = explore(program, LIMITS, SAMPLES), explore(one.program, LIMITS, SAMPLES)
    if there.states <= LIMITS.states:
        assert here.failures.keys() <= there.failures.keys()


def test_most_random_programs_are_folded() -> None:
    assert sum(folded(crowded(seed), fewest=2) is not None for seed in range(100)) > 75


# Defects


def constants_are_those_of_the_first(patch: pytest.MonkeyPatch) -> None:
    right = module._given
    patch.setattr(module, "_given", lambda rows, fresh: right([(row[0],) * len(row) for row in rows], fresh))


def shapes_without(part: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Templates are taken for equal whatever they are in one respect."""

    def patched(patch: pytest.MonkeyPatch) -> None:
        right = module._Folding._outline

        def outline(self: module._Folding, name: str) -> module._Outline:
            found = right(self, name)
            assert isinstance(found.shape, tuple)
            parts = dict(zip(("ends", "kinds", "parameters", "inside", "steps"), found.shape, strict=True))
            without = {"kinds": len(parts["kinds"]), "inside": 0, "steps": [step[:2] for step in parts["steps"]]}
            return replace(found, shape=str({**parts, part: without[part]}))

        patch.setattr(module._Folding, "_outline", outline)

    return patched


def each_place_has_one_command(patch: pytest.MonkeyPatch) -> None:
    right = module._with_loops

    def wrong(program: Program, loops: dict[int, int]) -> Program:
        found = right(program, loops)
        kept: list[Command] = []
        templates: dict[str, Template] = {}
        for name, template in found.templates.items():
            distinct = {
                (found.commands[i].source, found.commands[i].target): found.commands[i] for i in template.commands
            }
            templates[name] = replace(template, commands=tuple(range(len(kept), len(kept) + len(distinct))))
            kept += distinct.values()
        return replace(found, templates=templates, commands=tuple(kept))

    patch.setattr(module, "_with_loops", wrong)


@pytest.mark.parametrize(
    "defect",
    [
        constants_are_those_of_the_first,
        shapes_without("kinds"),
        shapes_without("inside"),
        shapes_without("steps"),
        each_place_has_one_command,
    ],
    ids=["constants", "kinds", "inside", "steps", "commands"],
)
def test_a_defect_is_noticed(defect: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker of certificates refuses what a wrong folding makes, of these or of random programs."""
    defect(monkeypatch)
    texts = (
        NUMBERED.format("x := 1 x := 2", "x := 2 x := 3", "x := 3 x := 4"),
        NUMBERED.format("local t in 0..1 x := t", "local u in 0..2 x := u", "local v in 0..3 x := v"),
        NUMBERED.format("atomic { while (*) { x := 0 } }", *["[x == x] while (*) { x := 0 }"] * 2),
        NUMBERED.format("x := 0", "x := x", "x := 2*x"),
    )
    assert any(_is_refused(program) for program in [*map(parse_program, texts), *map(crowded, range(20))])


def _is_refused(program: Program) -> bool:
    one = folded(program, fewest=2)
    if one is None:
        return False
    try:
        unfolded(program, fold_of(one, Analysis(one.program, (), {}), ()))
    except Refusal:
        return True
    return False
