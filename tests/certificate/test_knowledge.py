"""What follows from what a certificate says, and what it leaves open."""

from __future__ import annotations

import pytest
import z3

from duet.certificate.document import Phrase
from duet.certificate.knowledge import FALSE, Answers, Knowledge, Prover, observable
from duet.certificate.meaning import cell_of
from duet.plip.parser import parse_program

PROGRAM = parse_program("""
global x = 0 global y = 0 global z = 0 summary a = 0
thread main { local t
  [x == 1]
  t := x
  [t <= 0 && y != 2]
  a := 5
  t := a
  t := and(x, y)
}
""")
FIRST, READ, SECOND, ADD, FROM_SUMMARY, BITS = (PROGRAM.templates["main"].commands[i] for i in range(6))


def source(command: int) -> int:
    return PROGRAM.commands[command].source


def knowing(location: int, *phrases: str) -> Knowledge:
    knowledge = Knowledge(PROGRAM, Prover(PROGRAM))
    knowledge.add({location: [Phrase(text) for text in phrases]})
    return knowledge


def test_what_was_asked_is_not_asked_again_and_nothing_else_is_taken_for_it() -> None:
    """Expressions that nobody has any more must not give their numbers to others."""
    answers: Answers = {}
    for prover in (Prover(PROGRAM, answers=answers), Prover(PROGRAM, answers=answers)):
        for bound in range(60):
            assert prover.is_valid([cell_of("x") >= bound], cell_of("x") >= bound - 1)
            assert not prover.is_valid([cell_of("x") >= bound], cell_of("x") >= bound + 1)
            assert not prover.is_valid([], cell_of("x") >= bound - 1)
    assert prover.queries == 0
    assert len(answers) == 180


def test_a_phrase_has_one_number() -> None:
    prover = Prover(PROGRAM)
    assert prover.number(Phrase("x == 1")) == prover.number(Phrase("x == 1"))
    assert prover.number(Phrase("x == 1")) != prover.number(Phrase("x == 2"))
    assert prover.statements[prover.number(Phrase("x == 1", (("y", 2, 0),)))].cells == {"x", "y"}


def test_what_follows_from_statements() -> None:
    prover = Prover(PROGRAM)
    one, two, three = (prover.number(Phrase(text)) for text in ("x == 1", "x >= 0", "x + y == 2"))
    assert prover.implies((one,), two)
    assert not prover.implies((two,), one)
    assert prover.implies((two,), two)
    assert prover.implies((one, three), prover.number(Phrase("y == 1")))
    assert not prover.implies((), one)


def test_questions_are_asked_once() -> None:
    prover = Prover(PROGRAM)
    one, two = (prover.number(Phrase(text)) for text in ("x == 1", "x >= 0"))
    prover.implies((one,), two)
    asked = prover.queries
    prover.implies((one,), two)
    assert prover.queries == asked > 0


def test_the_few_values_that_two_terms_can_have() -> None:
    prover = Prover(PROGRAM)
    x, y = cell_of("x"), cell_of("y")
    bounds = [x >= 0, x <= 1, y == x + 1]
    assert sorted(prover.values(bounds, x, y) or ()) == [(0, 1), (1, 2)]
    assert prover.values([x >= 0], x, y) is None
    assert prover.values([z3.BoolVal(False)], x, y) == []


def test_statements_are_connected_through_cells() -> None:
    prover = Prover(PROGRAM)
    near, far, other = (prover.number(Phrase(text)) for text in ("x == y", "y == z", "t == 0"))
    assert prover.connected((near, far, other), ("x",)) == (near, far)
    assert prover.connected((near, far, other), ("t",)) == (other,)


def test_what_is_false_makes_a_location_dead() -> None:
    knowledge = Knowledge(PROGRAM, Prover(PROGRAM))
    knowledge.add({source(FIRST): [FALSE]}, dead=[source(READ)])
    assert knowledge.is_dead(source(FIRST))
    assert knowledge.is_dead(source(READ))
    assert not knowledge.is_dead(source(SECOND))
    assert knowledge.is_stopped(FIRST)


def test_statements_are_found_by_their_cells() -> None:
    knowledge = knowing(source(FIRST), "x == y", "z == 1")
    told = [str(knowledge.prover.statements[number].phrase) for number in knowledge.about(source(FIRST), ("y",))]
    assert told == ["x == y"]
    assert knowledge.about(source(READ), ("y",)) == ()


@pytest.mark.parametrize(("said", "expected"), [("x == 2", True), ("x >= 1", False), ("y == 2", False)])
def test_a_guard_is_stopped_where_it_cannot_hold(said: str, expected: bool) -> None:
    assert knowing(source(FIRST), said).is_stopped(FIRST) is expected


def test_more_knowledge_stops_more() -> None:
    knowledge = knowing(source(FIRST), "x >= 1")
    assert not knowledge.is_stopped(FIRST)
    knowledge.add({source(FIRST): [Phrase("x != 1")]})
    assert knowledge.is_stopped(FIRST)


def test_what_holds_after_a_command_is_kept() -> None:
    knowledge = Knowledge(PROGRAM, Prover(PROGRAM))
    assert list(knowledge.after(READ)) == []
    knowledge.add_after(READ, Phrase("t == 1"))
    knowledge.add_after(READ, Phrase("t <= 1"))
    assert [str(knowledge.prover.statements[n].phrase) for n in knowledge.after(READ)] == ["t == 1", "t <= 1"]


def test_observable_conditions_are_about_globals_alone() -> None:
    found = observable(PROGRAM)
    assert [condition.cells for condition in found] == [{"x"}, {"x"}, {"y"}, {"y"}]


def test_conditions_that_hold_and_that_refuse() -> None:
    knowledge = knowing(source(FIRST), "x == 1")
    assert knowledge.known(source(FIRST)) == 0b01
    assert knowledge.refused(FIRST, 0b1111) == 0b10
    assert knowledge.refused(FIRST, 0b1101) == 0
    assert Knowledge(PROGRAM, knowledge.prover).refused(FIRST, 0b1111) == 0b10
    knowledge.add({}, dead=[source(FIRST)])
    assert knowledge.known(source(FIRST)) == 0b1111


def test_what_is_read_of_a_summary_cell_is_one_of_its_values() -> None:
    knowledge = knowing(source(FROM_SUMMARY), "a <= 5")
    (value,) = (value for _, value, _ in knowledge.effect(FROM_SUMMARY).summary_reads)
    before = knowledge.before(FROM_SUMMARY, ("a",))
    assert knowledge.prover.is_valid(before, value <= 5)
    assert not knowledge.prover.is_valid(before, value <= 4)


def test_results_of_few_operands_are_exact() -> None:
    knowledge = knowing(source(BITS), "x >= 20", "x <= 22", "y == 19")
    before = knowledge.before(BITS, ("x", "y"))
    result = knowledge.effect(BITS).after["t"]
    wanted = z3.Or(result == 16, result == 17, result == 18)
    assert knowledge.prover.is_valid([*before, *knowledge.results(BITS, before)], wanted)
    assert not knowledge.prover.is_valid([*before, *knowledge.results(BITS, before)], result != 17)
    open_ = knowing(source(BITS), "x >= 20")
    assert open_.results(BITS, open_.before(BITS, ("x", "y"))) == []


def test_results_where_one_operand_is_few_numbers_are_exact() -> None:
    knowledge = knowing(source(BITS), "x >= 0", "x <= 255", "y == 65534 || y == 65533 || y == 65407")
    before = knowledge.before(BITS, ("x", "y"))
    result = knowledge.effect(BITS).after["t"]
    told = [*before, *knowledge.results(BITS, before)]
    assert knowledge.prover.is_valid(told, result <= 254)
    assert not knowledge.prover.is_valid(told, result <= 253)
    assert not knowledge.prover.is_valid(before, result <= 254)
