"""The semantics of PLIP said to z3 agrees with that of the interpreter, and laws leave every real result open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import and_, lshift, or_, rshift, xor

import pytest
import z3

from duet.certificate.document import Phrase
from duet.certificate.meaning import OpenResult, between, cell_of, effect, formula, initial, phrase, term
from duet.certificate.reading import Reader
from duet.plip.execute import apply
from duet.plip.parser import parse_program
from duet.plip.syntax import Compute, Instruction, Linear, Operation, Program
from duet.plip.terms import constant, variable

HEAD = "global x = 0 global y in 2..5 global r = 0 summary a = 0 thread w(p) { local q in 0..1  skip }"
CELLS = parse_program(f"{HEAD} thread main {{ spawn w }}")
SMALL = (-3, -1, 0, 17)


def first(text: str) -> tuple[Program, Instruction]:
    program = parse_program(f"{HEAD} thread main {{ {text} }}")
    main = program.templates["main"]
    return program, program.commands[main.commands[0]].instruction


def possible(parts: Iterable[z3.ExprRef], **values: int) -> bool:
    """Whether parts can hold together where cells have these values."""
    known = [(cell_of(name), z3.IntVal(value)) for name, value in values.items()]
    solver = z3.Solver()
    solver.add(z3.simplify(z3.substitute(z3.And(*parts), *known)))
    return bool(solver.check() == z3.sat)


def can(text: str, result: int | None = None, **values: int) -> bool:
    """Whether an instruction can pass in a store, and leave a result in `r` if one is asked for."""
    found = effect(*first(text))
    wanted = [] if result is None else [found.after["r"] == result]
    return possible([*found.needs, *found.laws, *wanted], **values)


@pytest.mark.parametrize("operation", [operation for operation in Operation if operation is not Operation.WRAP])
@pytest.mark.parametrize("is_known", [False, True])
def test_operations_have_the_results_of_the_interpreter(operation: Operation, is_known: bool) -> None:
    """Of unknown operands the result is one of those possible; of a known second one it is the only one."""
    unknown = effect(CELLS, Compute("r", operation, (variable("x"), variable("y"))))
    for right in SMALL:
        found = effect(CELLS, Compute("r", operation, (variable("x"), constant(right)))) if is_known else unknown
        here = [*found.needs, *found.laws]
        for left in SMALL:
            expected = apply(operation, [left, right])
            if expected is None:
                assert not possible(here, x=left, y=right), (left, right)
                continue
            assert possible([*here, found.after["r"] == expected], x=left, y=right), (left, right)
            if is_known:
                assert not possible([*here, found.after["r"] != expected], x=left, y=right), (left, right)


@pytest.mark.parametrize("value", [-300, -129, -128, 0, 127, 128, 300])
def test_wraps_have_the_results_of_the_interpreter(value: int) -> None:
    arguments = (constant(value), constant(-128), constant(127))
    found = effect(CELLS, Compute("r", Operation.WRAP, arguments))
    expected = apply(Operation.WRAP, [value, -128, 127])
    assert possible([found.after["r"] == expected])
    assert not possible([found.after["r"] != expected])


@pytest.mark.parametrize("operation", ["and", "or", "xor", "shl", "shr"])
def test_small_operands_give_one_result(operation: str) -> None:
    expected = apply(Operation[operation.upper()], [60, 3])
    assert expected is not None
    assert can(f"r := {operation}(x, y)", expected, x=60, y=3)
    assert not can(f"r := {operation}(x, y)", expected + 1, x=60, y=3)


@pytest.mark.parametrize(
    ("operation", "left", "right", "expected"),
    [
        (Operation.AND, 6, 3, 2),
        (Operation.OR, 6, 3, 7),
        (Operation.XOR, 6, 3, 5),
        (Operation.SHL, 6, 3, 48),
        (Operation.SHR, -9, 1, -5),
        (Operation.SHL, 1, -1, None),
        (Operation.SHR, 1, -1, None),
        (Operation.SHL, 1, 10_000, None),
    ],
)
def test_open_results_are_told_for_known_operands(
    operation: Operation, left: int, right: int, expected: int | None
) -> None:
    a, b, result = z3.Ints("a b result")
    told = OpenResult(operation, a, b, result).of(left, right)
    assert not possible([told, a != left])
    assert not possible([told, b != right])
    if expected is None:
        assert possible([told, result == 0])
        assert possible([told, result == 1])
    else:
        assert possible([told, result == expected])
        assert not possible([told, result != expected])


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("operation", [Operation.AND, Operation.OR, Operation.XOR, Operation.SHL, Operation.SHR])
def test_open_results_are_told_where_one_operand_is_known(operation: Operation, place: int) -> None:
    a, b, result = z3.Ints("a b result")
    one = OpenResult(operation, a, b, result)
    given = {Operation.AND: and_, Operation.OR: or_, Operation.XOR: xor, Operation.SHL: lshift, Operation.SHR: rshift}
    is_exact = place == 1 or operation not in (Operation.SHL, Operation.SHR)
    for left in (-5, 0, 6):
        for right in (0, 3):
            told = one.where(place, (left, right)[place])
            assert possible([told, one.of(left, right)])  # what is right is among it
            assert not possible([told, one.operands[place] == left + right + 40])
            wrong = [told, a == left, b == right, result != given[operation](left, right)]
            assert possible(wrong) != is_exact


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("[x <= y]", {"x": 2, "y": 2}, True),
        ("[x <= y]", {"x": 3, "y": 2}, False),
        ("[x != y && x == 3]", {"x": 3, "y": 2}, True),
        ("[x != y && x == 3]", {"x": 3, "y": 3}, False),
        ("[x == 0 || y == 0]", {"x": 3, "y": 0}, True),
        ("[x == 0 || y == 0]", {"x": 3, "y": 1}, False),
        ("assert x == 0", {"x": 1}, False),
        ("check x == 0", {"x": 1}, True),
        ("join w", {"x": 1}, True),
        ("atomic { x := 1 [x == 1] }", {"x": 5}, True),
        ("atomic { x := 1 [x == 5] }", {"x": 5}, False),
        ("r := [7, 8][x]", {"x": 2}, False),
        ("r := [7, 8][x]", {"x": -1}, False),
    ],
)
def test_an_instruction_passes_where_its_conditions_hold(text: str, values: Mapping[str, int], expected: bool) -> None:
    assert can(text, **values) is expected


def test_values_are_given_in_the_order_of_steps() -> None:
    assert can("atomic { r := x + 1  r := r + r }", 8, x=3)
    assert not can("atomic { r := x + 1  r := r + r }", 7, x=3)
    assert can("r := [7, 8][x]", 8, x=1)
    assert not can("r := [7, 8][x]", 7, x=1)


def test_an_open_value_is_any_in_its_range() -> None:
    assert can("r := * in 1..2", 2)
    assert not can("r := * in 1..2", 3)
    assert not can("r := * in 1..2", 0)
    assert can("r := *", -77)


def test_summary_cells_add_values_and_give_any() -> None:
    written = effect(*first("a := 7"))
    assert written.after == {}
    assert [str(value) for value in written.added["a"]] == ["7"]
    read = effect(*first("atomic { a := 7  r := a }"))
    ((cell, value, added),) = read.summary_reads
    assert (cell, [str(one) for one in added]) == ("a", ["7"])
    assert read.after["r"].eq(value)
    assert can("r := a", 99)


def test_a_spawn_gives_parameters_their_values_all_at_once() -> None:
    found = effect(*first("spawn w(p := x + 1)"))
    assert found.needs == []
    assert possible([found.after["p"] == 4], x=3)
    assert not possible([found.after["p"] == 5], x=3)


def test_symbolic_effects_tell_equal_operations_only_by_their_operands() -> None:
    one = effect(*first("r := mul(x, y)"), is_symbolic=True)
    other = effect(*first("r := mul(x, 2)"), is_symbolic=True)
    assert possible([one.after["r"] != other.after["r"]], x=3, y=3)
    assert not possible([one.after["r"] != other.after["r"]], x=3, y=2)
    tables = [effect(*first(f"r := [{table}][x]"), is_symbolic=True).after["r"] for table in ("7, 8", "7, 9")]
    assert possible([tables[0] != tables[1]], x=0)


def test_terms_and_formulas_take_values_from_a_store() -> None:
    value = Linear((("x", 2), ("y", 1)), 3)
    assert possible([term(value, {"x": z3.IntVal(5)}) == 17], y=4)
    condition = Reader(CELLS).formula(Phrase("x + y == 9"))
    assert possible([formula(condition, {"x": z3.IntVal(5)})], x=0, y=4)


def test_phrases_hold_with_their_residues() -> None:
    said = phrase(Reader(CELLS), Phrase("x <= 9", (("x", 4, 1),)), {})
    assert [x for x in range(-4, 14) if possible([said], x=x)] == [-3, 1, 5, 9]


def test_initial_values_are_in_their_range() -> None:
    said = initial(CELLS, ("y", "p"))
    assert [y for y in range(8) if possible(said, y=y)] == [2, 3, 4, 5]
    assert between(cell_of("x"), None, None) == []
    assert not possible(between(cell_of("x"), 3, None), x=2)
    assert possible(between(cell_of("x"), None, 2), x=2)
