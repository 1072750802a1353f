"""What one thread that runs once has done by the time another one is somewhere."""

from __future__ import annotations

from duet.certificate.document import Phrase
from duet.certificate.flows import INITIAL, OwnFlows, definitions
from duet.certificate.judgments import Judgments
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.certificate.pairs import RefinedFlows
from duet.plip.parser import parse_program
from duet.plip.syntax import Program


class Case:
    """The refined flows of a program whose writes `z := 1`, `z := 2`, ... mark locations."""

    def __init__(self, text: str, *after: tuple[str, int, str]) -> None:
        self.program: Program = parse_program(f"global x = 0 global z = 0 {text}")
        knowledge = Knowledge(self.program, Prover(self.program))
        for cell, value, phrase in after:
            knowledge.add_after(self.command(value, cell), Phrase(phrase))
        packs = tuple((cell,) for cell in self.program.cells)
        known = definitions(self.program, packs)
        sources, meeting = OwnFlows(self.program, known).sources, Meeting(self.program, knowledge)
        judgments = Judgments(self.program, knowledge, known, meeting, sources, lambda *_: False)
        self.x = known.pack_of["x"]
        self.flows = RefinedFlows(known, judgments)

    def command(self, value: int, cell: str) -> int:
        return next(
            index
            for index, c in enumerate(self.program.commands)
            if getattr(c.instruction, "target", None) == cell and c.instruction.value.constant == value  # type: ignore[union-attr]
        )

    def at(self, mark: int) -> int:
        return self.program.commands[self.command(mark, "z")].source

    def last(self, mark: int) -> set[int]:
        """The values that the last write of x may have given it at a mark, -1 for the initial one."""
        found = self.flows.last(self.x, self.at(mark))
        assert found is not None
        return {c if c == INITIAL else self.program.commands[c].instruction.value.constant for c in found}  # type: ignore[union-attr]


def test_behind_a_join_the_writes_of_the_thread_are_the_last() -> None:
    case = Case("thread main { z := 1  spawn w  z := 2  join w  z := 3 } thread w { x := 5  x := 6 }")
    assert case.last(1) == {INITIAL}
    assert case.last(2) == {INITIAL, 5, 6}
    assert case.last(3) == {6}
    assert case.flows.is_over(case.x, case.at(3), case.command(5, "x"))
    assert not case.flows.is_over(case.x, case.at(2), case.command(5, "x"))


def test_an_own_definition_does_not_outlive_the_write_of_a_joined_thread() -> None:
    case = Case("thread main { x := 4  spawn w  z := 1  join w  z := 2 } thread w { x := 5 }")
    own = case.command(4, "x")
    assert case.flows.is_kept(case.x, case.at(1), own)
    assert not case.flows.is_kept(case.x, case.at(2), own)
    assert not case.flows.is_kept(case.x, case.at(2), INITIAL)


def test_third_threads_may_write_at_any_time() -> None:
    threads = "thread w { x := 5 } thread v { x := 6 }"
    case = Case(f"thread main {{ spawn v  spawn w  join w  z := 1 }} {threads}")
    assert case.last(1) == {5, 6}
    both = Case(f"thread main {{ spawn v  spawn w  join w  join v  z := 1 }} {threads}")
    assert both.last(1) == {5, 6}
    later = Case(f"thread main {{ spawn w  join w  z := 1  spawn v }} {threads}")
    assert later.last(1) == {5}


def test_a_guard_passes_only_where_a_last_write_lets_it() -> None:
    text = "thread main { spawn w  [x == 5]  z := 1 } thread w { x := 5  z := 2  x := 6 }"
    case = Case(text, ("x", 5, "x == 5"), ("x", 6, "x == 6"))
    assert case.last(1) == {5, 6}
    assert case.flows.is_reached(case.at(1))
    never = Case(text.replace("[x == 5]", "[x == 9]"), ("x", 5, "x == 5"), ("x", 6, "x == 6"))
    assert not never.flows.is_reached(never.at(1))


def test_of_threads_that_run_often_nothing_is_told() -> None:
    case = Case("thread main { while (*) { spawn w } z := 1 } thread w { x := 5  z := 2 }")
    assert case.flows.last(case.x, case.at(1)) is None
    assert case.flows.is_kept(case.x, case.at(2), INITIAL)
    assert not case.flows.is_over(case.x, case.at(2), INITIAL)
