"""Which locations two lineages can be at together, and where one sees what the other has written."""

from __future__ import annotations

from collections.abc import Mapping

from duet.certificate.document import Phrase
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.plip.parser import parse_program
from duet.plip.syntax import Program


class Case:
    """A program whose writes `z := 1`, `z := 2`, ... mark locations."""

    def __init__(self, text: str, facts: Mapping[int, str] | None = None, dead: tuple[int, ...] = ()) -> None:
        self.program: Program = parse_program(f"global m = 0 global x = 0 global z = 0 {text}")
        knowledge = Knowledge(self.program, Prover(self.program))
        said = {self.at(mark): [Phrase(phrase)] for mark, phrase in (facts or {}).items()}
        knowledge.add(said, dead=[self.at(mark) for mark in dead])
        self.meeting = Meeting(self.program, knowledge)

    def command(self, mark: int, cell: str = "z") -> int:
        return next(
            index
            for index, c in enumerate(self.program.commands)
            if getattr(c.instruction, "target", None) == cell and c.instruction.value.constant == mark  # type: ignore[union-attr]
        )

    def at(self, mark: int) -> int:
        return self.program.commands[self.command(mark)].source

    def meets(self, one: int, other: int) -> bool:
        number = self.meeting.number
        if self.at(one) not in number or self.at(other) not in number:
            return False
        here, there = number[self.at(one)], number[self.at(other)]
        forth, back = (bool(self.meeting.together[a] >> b & 1) for a, b in ((here, there), (there, here)))
        assert forth == back
        return forth

    def sees(self, value: int, mark: int) -> bool:
        """Whether the write `x := value` may be seen at a mark."""
        writes = [i for i, c in enumerate(self.program.commands) if getattr(c.instruction, "target", None) == "x"]
        bits = self.meeting.seen({self.command(value, "x")}, frozenset(writes), frozenset(writes))
        return bool(bits >> self.meeting.number[self.at(mark)] & 1)


def test_threads_meet_from_the_start_to_the_join() -> None:
    case = Case("thread main { z := 1  spawn w  z := 2  join w  z := 3 } thread w { z := 4 }")
    assert not case.meets(1, 4)
    assert case.meets(2, 4)
    assert not case.meets(3, 4)


def test_only_templates_that_run_often_meet_themselves() -> None:
    assert not Case("thread main { spawn w } thread w { z := 1 }").meets(1, 1)
    assert Case("thread main { spawn w  spawn w } thread w { z := 1 }").meets(1, 1)


def test_siblings_meet() -> None:
    assert Case("thread main { spawn v  spawn w } thread v { z := 1 } thread w { z := 2 }").meets(1, 2)


def test_what_holds_at_a_location_blocks_others() -> None:
    text = """thread main { while (*) { spawn w } }
        thread w { acquire m  z := 1  release m }"""
    assert Case(text).meets(1, 1)
    assert not Case(text, {1: "m == 1"}).meets(1, 1)


def test_dead_locations_meet_nothing_and_stopped_commands_lead_nowhere() -> None:
    text = "thread main { spawn w  z := 1  z := 2 } thread w { z := 3 }"
    assert Case(text).meets(2, 3)
    assert not Case(text, dead=(1,)).meets(2, 3)


def test_nobody_moves_while_a_thread_is_in_an_atomic_region() -> None:
    text = """thread main { spawn v  spawn w } thread v { z := 1 }
        thread w { entry 50 exit 53 atomic at 51 50: x := 7 -> 51 51: z := 2 -> 52 52: z := 3 -> 53 }"""
    case = Case(text)
    assert case.meets(1, 2)
    assert case.sees(7, 1)
    number = case.meeting.number
    assert not case.meeting.outside[number[51]]
    assert case.meeting.outside[number[52]]
    assert not case.meeting.disturbed({case.command(1)}) >> number[51] & 1
    assert case.meeting.disturbed({case.command(1)}) >> number[52] & 1


def test_writes_are_seen_until_they_are_overwritten() -> None:
    text = "thread main { spawn v  spawn w } thread v { x := 1  x := 2 } thread w { z := 1 }"
    case = Case(text)
    assert case.sees(1, 1)
    assert case.sees(2, 1)
    locked = "thread main { spawn v  spawn w } thread v { acquire m  x := 1  z := 2  x := 2  release m }"
    inside = Case(f"{locked} thread w {{ acquire m  z := 1  release m }}", {1: "m == 1", 2: "m == 1"})
    assert inside.sees(2, 1)


def test_writes_are_not_seen_where_they_are_overwritten_before_anybody_may_look() -> None:
    text = """thread main { spawn v  spawn w }
        thread v { entry 50 exit 53 atomic at 51 50: x := 1 -> 51 51: x := 2 -> 53 } thread w { z := 1 }"""
    case = Case(text)
    assert not case.sees(1, 1)
    assert case.sees(2, 1)


def test_the_readers_own_write_hides_what_was_seen_before() -> None:
    text = "thread main { x := 5  spawn v  join v  z := 1  x := 6  z := 2 } thread v { x := 1 }"
    case = Case(text)
    assert case.sees(1, 1)
    assert not case.sees(1, 2)


def test_a_thread_is_disturbed_where_others_may_write() -> None:
    case = Case("thread main { z := 1  spawn v  z := 2  join v  z := 3 } thread v { x := 1 }")
    disturbed = case.meeting.disturbed({case.command(1, "x")})
    marks = {mark for mark in (1, 2, 3) if disturbed >> case.meeting.number[case.at(mark)] & 1}
    assert marks == {2}
