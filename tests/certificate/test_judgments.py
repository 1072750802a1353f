"""What two threads know at two locations, whether they can be there at once, and what passes there."""

from __future__ import annotations

from collections.abc import Mapping

from duet.certificate.document import Phrase
from duet.certificate.flows import INITIAL, OwnFlows, definitions
from duet.certificate.judgments import Judgments
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.plip.parser import parse_program

PROGRAM = parse_program("""global x = 0 global y = 0 summary a = 0
thread main { local r entry 0 exit 9 0: spawn w -> 1 1: [x == 1] -> 2 2: y := 1 -> 3 3: r := 2 -> 9 }
thread w { entry 20 exit 29 20: x := 1 -> 21 21: x := 2 -> 29 }
""")
GUARD, WRITE, SET_ONE = 1, 2, 4
PACKS = tuple((cell,) for cell in PROGRAM.cells)
ANYWHERE: frozenset[str] = frozenset()


def judgments(at: Mapping[int, str], after: Mapping[int, str] | None = None, dead: tuple[int, ...] = ()) -> Judgments:
    knowledge = Knowledge(PROGRAM, Prover(PROGRAM))
    meeting = Meeting(PROGRAM, knowledge)
    knowledge.add({location: [Phrase(text)] for location, text in at.items()}, dead)
    for command, text in (after or {}).items():
        knowledge.add_after(command, Phrase(text))
    known = definitions(PROGRAM, PACKS)
    own = OwnFlows(PROGRAM, known)
    return Judgments(PROGRAM, knowledge, known, meeting, own.sources, lambda *_: False)


def agree(one: str, other: str) -> bool:
    found = judgments({1: one, 21: other})
    forth, back = (
        (found.view(1, ANYWHERE), found.view(21, ANYWHERE)),
        (found.view(21, ANYWHERE), found.view(1, ANYWHERE)),
    )
    assert found.agree(*forth) is found.agree(*back)
    return found.agree(*forth)


def test_only_global_cells_are_shared() -> None:
    found = judgments({})
    assert {cell for pack in found.shared for cell in PACKS[pack]} == {"x", "y"}


def test_threads_that_contradict_each_other_are_not_there_at_once() -> None:
    assert not agree("x == 1", "x == 2")
    assert agree("x >= 1", "x <= 1")
    assert agree("x == 1", "y == 2")
    assert agree("r == 1", "x == 2")


def test_equal_knowledge_is_one_view() -> None:
    found = judgments({1: "x == 1", 2: "x == 1", 21: "x == 2"})
    assert found.view(1, ANYWHERE) == found.view(2, ANYWHERE) != found.view(21, ANYWHERE)


def test_without_a_template_its_writes_have_not_happened() -> None:
    found = judgments({21: "x == 1"}, {SET_ONE: "x == 1"})
    before = found.view(1, frozenset({"w"}))
    assert before != found.view(1, ANYWHERE)
    assert not found.agree(before, found.view(21, ANYWHERE))
    assert found.agree(found.view(1, ANYWHERE), found.view(21, ANYWHERE))


def test_a_command_is_refused_by_what_either_thread_knows() -> None:
    found = judgments({1: "x <= 1", 20: "x == 0", 21: "x == 1"})
    here = found.view(1, ANYWHERE)
    assert found.is_refused(GUARD, here, found.view(20, ANYWHERE))
    assert not found.is_refused(GUARD, here, found.view(21, ANYWHERE))
    assert not found.is_refused(WRITE, here, found.view(20, ANYWHERE))


def test_a_command_is_refused_by_the_last_writes() -> None:
    found = judgments({}, {SET_ONE: "x == 1"})
    here = found.view(1, ANYWHERE)
    (pack,) = found.used(GUARD)
    assert PACKS[pack] == ("x",)
    assert found.is_refused(GUARD, here, here, ((pack, frozenset({INITIAL})),))
    assert not found.is_refused(GUARD, here, here, ((pack, frozenset({INITIAL, SET_ONE})),))
    assert not found.is_refused(GUARD, here, here)


def test_only_commands_that_may_refuse_use_packs() -> None:
    assert judgments({}).used(WRITE) == ()


def test_nothing_passes_where_no_thread_is() -> None:
    found = judgments({}, dead=(2,))
    here = found.view(2, ANYWHERE)
    assert found.is_refused(WRITE, here, here)
