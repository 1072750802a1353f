"""Bounds of what threads count together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from domains.values.number import ANY, Number, of_bounds
from duet.absint.invariants import Invariants
from duet.coarsen import counting as counting_module
from duet.coarsen.analysis import analyse
from duet.coarsen.counting import Counting, counting
from duet.coarsen.parts import Parts
from duet.coarsen.resources import choose_domain
from duet.deadline import Deadline
from duet.flow.contributions import with_contributions
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert, Linear
from duet.plip.terms import satisfies, show_formula, show_term, variable
from duet.result import Status
from tests.coarsen.fixpoints import at, fixpoint
from tests.coarsen.programs import DRAWN, GIVEN_BACK, HELD, LENT, LOWERED, NUMBERED, POOL, QUOTA, STARTING_OVER

JOINED = """global x = 0
thread main { local r  spawn one  spawn two  join one  r := 1  join two  r := 2 }
thread one { atomic { x := x + 3 } }
thread two { atomic { x := x + 4 } }
"""
MANY = """global x = 0
thread main { local r  while (*) { spawn up } r := 1 }
thread up { atomic { x := x + 1 } atomic { x := x - 1 } }
"""


def counted(text: str) -> Counting | None:
    found = fixpoint(text, refine=True)
    domain = choose_domain("octagon", "own")
    return counting(found.invariants, found.flows, found.together, domain, 8, Deadline())


def values(text: str, mark: int, beside: tuple[int, ...] = ()) -> list[int]:
    """What the sum may be before `r := mark`, while another thread is at a location, from -1 to 9."""
    found = counted(text)
    assert found is not None
    location = found.program.commands[at(found.program, "r", mark)].source
    told = found.beside([variable("x")], location, beside, frozenset())
    return [value for value in range(-1, 10) if satisfies(told, {"x": value})]


def test_a_global_that_is_only_added_to_is_a_sum() -> None:
    found = counted(JOINED)
    assert found is not None
    assert found.cells == ("x",)
    assert counted("global x = 0 thread main { spawn w  x := 1 } thread w { x := 2 }") is None


def test_joined_threads_have_added_all_others_some() -> None:
    assert values(JOINED, 1) == [3, 4, 5, 6, 7]
    assert values(JOINED, 2) == [7]


def test_of_any_number_of_threads_only_the_sign_is_known() -> None:
    assert values(MANY, 1) == list(range(10))


def test_what_another_thread_has_added_is_a_part_of_the_sum() -> None:
    found = counted(JOINED)
    assert found is not None
    two = found.program.templates["two"]
    assert values(JOINED, 1, (two.entry,)) == [3]
    assert values(JOINED, 1, (two.exit,)) == [7]


@dataclass(frozen=True)
class Never:
    """Parts in which no thread is at one location, as cases know it that tell more than the invariants which ask."""

    parts: Parts
    place: int

    def is_bottom(self, location: int) -> bool:
        return location == self.place or self.parts.is_bottom(location)

    def number(self, location: int, term: Linear) -> Number:
        assert location != self.place
        return self.parts.number(location, term)


def test_where_no_thread_is_by_its_parts_there_is_no_sum() -> None:
    found = counted(JOINED)
    assert found is not None
    here = found.program.commands[at(found.program, "r", 1)].source
    two, terms, parts = found.program.templates["two"], [variable("x")], found.parts
    for place, places, expected in (
        (here, [two.entry], []),
        (two.entry, [two.entry], []),
        (two.entry, [two.exit], [7]),
    ):
        found.parts = cast(Parts, Never(parts, place))
        told = found.beside(terms, here, places, frozenset())
        assert [value for value in range(10) if satisfies(told, {"x": value})] == expected
        assert found.adds_up({terms[0]: of_bounds(0, 9) or ANY}, here, places, frozenset()) is bool(expected)


TOKENS = """global free = 2 global used = 0
thread main { while (*) { spawn user } }
thread user { atomic { [free >= 1]; free := free - 1 }  used := used + 1  assert used <= 2
  used := used - 1  free := free + 1 }
"""


@pytest.mark.parametrize(
    ("text", "status"), [(TOKENS, Status.PROVED), (TOKENS.replace("= 2", "= 3", 1), Status.UNPROVED)]
)
def test_a_sum_is_bounded_where_none_of_its_cells_is(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="interval"))
    assert set(found.statuses) == {status}


TAKEN = """global x = 0
thread main { local r  spawn one  join one  r := 1 }
thread one { local t  t := 3  atomic { x := x + 1 }
  choose { [t == 0] } or { [t != 0]  atomic { x := x - 1 } } }
"""


@pytest.mark.parametrize(("text", "known"), [(TAKEN, [0]), (TAKEN.replace("t := 3", "t := * in 0..3"), [0, 1])])
def test_what_never_passes_hands_nothing_on(text: str, known: list[int]) -> None:
    assert values(text, 1) == known


GIVEN = """global free = 2 global lost = 0
thread main { local r  spawn one  spawn two  join one  join two  r := free  assert r == 2 }
thread one { atomic { [free >= 1]; free := free - 1 }
  choose { atomic { [free <= 1]; free := free + 1 } } or { atomic { [free >= 2]; lost := 1 } } }
thread two { atomic { [free >= 1]; free := free - 1 }
  choose { atomic { [free <= 1]; free := free + 1 } } or { atomic { [free >= 2]; lost := 1 } } }
"""


@pytest.mark.parametrize(
    ("text", "status"),
    [(GIVEN, Status.PROVED), (GIVEN.replace("free = 2", "free = 3").replace("r == 2", "r == 3"), Status.UNPROVED)],
)
def test_threads_are_counted_again_along_the_ways_that_are_left(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


SOLD = """global left = 3 global sold = 0 global refused = 0 global m = 0
thread main { local r  spawn one  spawn two  join one  join two  r := refused  assert r == 1 }
thread one { acquire m  if (left >= 1) { left := left - 1  sold := sold + 1 } else { refused := refused + 1 } release m
  acquire m  if (left >= 1) { left := left - 1  sold := sold + 1 } else { refused := refused + 1 } release m }
thread two { acquire m  if (left >= 1) { left := left - 1  sold := sold + 1 } else { refused := refused + 1 } release m
  acquire m  if (left >= 1) { left := left - 1  sold := sold + 1 } else { refused := refused + 1 } release m }
"""


@pytest.mark.parametrize(
    ("text", "status"), [(SOLD, Status.PROVED), (SOLD.replace("left = 3", "left = 4"), Status.UNPROVED)]
)
def test_what_is_left_when_all_have_added(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (POOL, Status.PROVED),
        (POOL.replace("* in 0..3", "* in -1..3", 1), Status.UNPROVED),
        (POOL.replace("place >= 0", "place >= 1", 1), Status.UNPROVED),
        (POOL.replace("free := free - 1  ", "", 1), Status.UNPROVED),
    ],
)
def test_what_a_thread_has_added_tells_cases_apart(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (LENT, Status.PROVED),
        (LENT.replace("lent := t + n  ", "lent := t + n  n := n + 1  "), Status.UNPROVED),
        (LENT.replace("lent := t - n", "lent := t - 5"), Status.UNPROVED),
        (DRAWN, Status.PROVED),
        (DRAWN.replace("mine <= 5", "mine <= 4"), Status.UNPROVED),
        (DRAWN.replace("mine := 0", "mine := 1"), Status.UNPROVED),
        (DRAWN.replace("left := left - 1  ", "", 1), Status.UNPROVED),
        (DRAWN.replace("{ acquire m", "{ mine := mine + 1  acquire m", 1), Status.UNPROVED),
    ],
)
def test_a_sum_is_compared_with_what_the_thread_has_added_itself(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (QUOTA, Status.PROVED),
        (QUOTA.replace("t + n", "t + n + 1"), Status.UNPROVED),
        (QUOTA.replace("quota := s", "quota := s  limit := 0"), Status.UNPROVED),
        (QUOTA.replace("s := limit", "s := limit  limit := 4"), Status.UNPROVED),
        (QUOTA.replace("limit := r", "limit := r  r := 7").replace("s := limit", "s := r"), Status.UNPROVED),
        pytest.param(GIVEN_BACK, Status.PROVED, marks=pytest.mark.xfail(reason="true, but not proved yet")),
        (GIVEN_BACK.replace("result := n", "result := n  result := n + 1"), Status.UNPROVED),
        (
            GIVEN_BACK.replace("result = 0", "result = 1").replace("result := n", "if (*) { result := n }"),
            Status.UNPROVED,
        ),
        (GIVEN_BACK.replace("result := n", "while (*) { result := n  n := n + 1 }"), Status.UNPROVED),
        (GIVEN_BACK.replace("join user  ", ""), Status.UNPROVED),
        (HELD, Status.PROVED),
        (HELD.replace("mine := n", "mine := n + 1"), Status.UNPROVED),
        (HELD.replace("t - mine", "t - mine - 1"), Status.UNPROVED),
    ],
)
def test_a_sum_is_compared_with_what_is_set_before_and_known_by_copies(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (NUMBERED, Status.PROVED),
        (NUMBERED.replace("mine <= 4", "mine <= 3"), Status.UNPROVED),
        (NUMBERED.replace("n = 0", "n = -1"), Status.UNPROVED),
        (STARTING_OVER, Status.UNPROVED),
        (LOWERED, Status.UNPROVED),
    ],
)
def test_what_others_only_raise_is_at_least_what_a_thread_has_added(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}


def test_sums_that_all_ways_change_alike_are_worth_a_ghost() -> None:
    program = parse_program(SOLD, "t.plip")
    asked = [command for command, it in enumerate(program.commands) if isinstance(it.instruction, Assert)]
    found = with_contributions(program, lambda _cell, _location: True, asked)
    assert found is not None
    assert [show_term(term) for term in found.ghosts if len(term.terms) > 1] == ["-left + refused", "refused + sold"]


def test_sums_that_are_worth_a_ghost() -> None:
    program = parse_program(TOKENS, "t.plip")
    asked = [command for command, it in enumerate(program.commands) if isinstance(it.instruction, Assert)]
    found = with_contributions(program, lambda _cell, _location: True, asked, frozenset(("free", "used")))
    assert found is not None
    assert [show_term(term) for term in found.ghosts] == ["free", "used", "free + used"]


def test_bounds_are_told_where_they_say_more_than_is_known() -> None:
    found = counted(JOINED)
    assert found is not None
    told = found.bounds()
    behind = found.program.commands[at(found.program, "r", 2)].source
    assert [show_formula(atom) for atom in told[behind]] == ["x >= 7", "x <= 7"]
    assert found.program.templates["main"].entry not in told


def test_where_no_sum_is_kept_reads_are_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A global that may wrap is left out of what its readers know; where each may, nothing would be known anew."""
    looked: list[int] = []

    def looking(*arguments: Any) -> Invariants:
        looked.append(1)
        return annotated(*arguments)

    annotated = counting_module._annotated
    monkeypatch.setattr(counting_module, "_annotated", looking)
    wrapping = "atomic { x := x + 1  x := wrap(x, -2147483648, 2147483647) }"
    assert counted(f"global x = 0 thread main {{ while (*) {{ spawn w }} }} thread w {{ {wrapping} }}") is None
    assert len(looked) == 1


BEGUN = """global x = 0 global t = 0
thread main { local i local r  i := 0  while (i <= 9) { t := t + 1  spawn w  i := i + 1 }  r := x  assert r <= 10 }
thread w { atomic { [t >= 1]  t := t - 1 }  atomic { x := x + 1 } }
"""
"""Each thread that is started takes a token, so no more than that many add something."""


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (BEGUN, Status.PROVED),
        (BEGUN.replace("r <= 10", "r <= 9"), Status.UNPROVED),
        (BEGUN.replace("x + 1", "x + 2"), Status.UNPROVED),
        (BEGUN.replace("x + 1", "x + 2").replace("r <= 10", "r <= 20"), Status.PROVED),
        (BEGUN.replace("[t >= 1]  t := t - 1", "[t >= 0]"), Status.UNPROVED),
        (BEGUN.replace("t := t - 1 }", "t := t - 1 }  t := t + 1"), Status.UNPROVED),
    ],
)
def test_any_number_of_threads_adds_as_much_as_there_are_tokens(text: str, status: Status) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == {status}
