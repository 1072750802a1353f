"""Random programs that count, against the explicit-state semantics; seeded defects are noticed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from domains.values.number import ZERO, Number
from duet.absint.invariants import Invariants
from duet.absint.joint import Joint
from duet.coarsen import counting, parts
from duet.coarsen.analysis import analyse
from duet.coarsen.counting import Counting
from duet.flow import contributions, traced
from duet.flow.certain import Certain
from duet.flow.dfg import DataFlowGraph, sequential_dfg
from duet.flow.packs import Packing
from duet.options import AnalysisOptions
from duet.plip.lifetimes import Lifetime, lifetimes
from duet.plip.parser import parse_program, read_program
from duet.plip.syntax import Assign, Formula, Guard, Linear, Program, steps
from duet.plip.terms import constant, linear, variable
from tests.coarsen.programs import LENT, LOWERED, POOL, STARTING_OVER
from tests.soundness.counting import counting_program, summing_program
from tests.soundness.exchanges import exchange_program
from tests.soundness.properties import LIMITS, first_report, violation
from tests.soundness.witnesses import candidates

KEPT = Path(__file__).parent / "kept"
BESIDE = Counting.beside
SUM = Counting._sum
MOMENTS = Counting._moments
ADDED = contributions._added
LATER = contributions._Later
SIDE = contributions._side
COUNT = 40
CHUNK = 20
COSTLY = {11, 29, 39}  # their programs take as long as ten others each
ENOUGH = 1000  # programs in which a seeded defect must show
ANALYSE = partial(analyse, everywhere=True)
OPTIONS = tuple(AnalysisOptions(domain=domain, engine="bitset") for domain in ("interval", "octagon"))


@pytest.mark.parametrize("start", range(0, COUNT, CHUNK))
def test_no_unsound_answer(start: int) -> None:
    method = partial(analyse, everywhere=bool(start // CHUNK % 2))
    kind = summing_program if start // CHUNK == 1 else counting_program
    report = first_report(sorted({*range(start, start + CHUNK)} - COSTLY), method, OPTIONS, LIMITS, kind)
    assert report is None, report


def test_no_unsound_answer_about_exchanges() -> None:
    """A counter that threads compare and exchange."""
    report = first_report(range(COUNT), analyse, OPTIONS[:1], LIMITS, exchange_program)
    assert report is None, report


def _all_begun(program: Program) -> dict[int, Lifetime]:
    every = frozenset(program.templates)
    return {location: Lifetime(every, known.ended) for location, known in lifetimes(program).items()}


def _begun_have_ended(program: Program) -> dict[int, Lifetime]:
    return {location: Lifetime(known.begun, known.begun) for location, known in lifetimes(program).items()}


def _beside_at_the_exit(
    self: Counting, terms: Iterable[Linear], location: int, places: Sequence[int], absent: Collection[str]
) -> Formula:
    program = self.program
    return BESIDE(self, terms, location, [program.templates[program.template_of[places[0]]].exit], absent)


def _beside_alone(
    self: Counting, terms: Iterable[Linear], location: int, places: Sequence[int], absent: Collection[str]
) -> Formula:
    owner = self.program.template_of
    return BESIDE(self, terms, location, places, self.program.templates.keys() - {owner[location], owner[places[0]]})


def _with_one_sign(term: Linear, changes: Mapping[str, Mapping[int, Any]]) -> dict[int, Linear]:
    return ADDED(linear({cell: abs(k) for cell, k in term.terms}), changes)


def _only_at_the_end(self: Counting, ghost: str, location: int) -> Sequence[int]:
    return MOMENTS(self, ghost, location)[-1:]


def _guarded(base: Invariants) -> frozenset[int]:
    commands = enumerate(base.graph.program.commands)
    return frozenset(i for i, it in commands if any(isinstance(step, Guard) for step in steps(it.instruction)))


def _last_case(found: Joint, location: int, term: Linear) -> Number:
    return found.question.space_at(location).term_number(found.states[location][-1], term)


DEFECTS: dict[str, tuple[str, object]] = {
    "guards-never-pass": ("stopped", _guarded),
    "started-threads-have-ended": ("lifetimes", _begun_have_ended),
    "many-are-one": ("any_number_of", lambda one: one),
    "instances-of-a-template-are-one": ("Counting.is_many", lambda *_: False),
    "wraps-change-nothing": ("Counting.is_kept", lambda *_: True),
    "others-add-nothing": ("Counting.by_others", lambda *_: ZERO),
    "nobody-meets": ("Counting.meets", lambda *_: False),
    "the-other-thread-has-ended": ("Counting.beside", _beside_at_the_exit),
    "two-threads-are-alone": ("Counting.beside", _beside_alone),
    "initial-values-are-zero": ("_initial", lambda *_: (0, 0)),
    "sums-never-add-up": ("Counting.adds_up", lambda *_: False),
    "sums-add-with-one-sign": ("_added", _with_one_sign),
    "the-first-thread-waits-for-all": ("Counting._moments", _only_at_the_end),
}
OF_SUMS = ("sums-never-add-up", "sums-add-with-one-sign")
"""The defects that show in programs with several counters."""


def test_a_thread_that_never_starts_adds_nothing() -> None:
    program = read_program(KEPT / "unstarted-counter.plip")
    assert violation(program, ANALYSE, OPTIONS[0]) is None
    with patch(f"{counting.__name__}.lifetimes", _all_begun):
        assert violation(program, ANALYSE, OPTIONS[0]) is not None


KEPT_OR_NOT = """global x = 0
thread main { local r  spawn one  join one  r := x  assert r == 0 }
thread one { local c  c := * in 0..1  atomic { x := x + 1 }  if (c == 1) { atomic { x := x - 1 } } }
"""


def _on_one_way(
    program: Program, packing: Packing, observed: Collection[int], certain: Certain, stopped: Collection[int]
) -> DataFlowGraph:
    """Wrong: what thread `one` has added does not go along the way on which it keeps it."""
    guards = (i for i, it in enumerate(program.commands) if isinstance(it.instruction, Guard))
    last = max(i for i in guards if program.template_of[program.commands[i].source] == "one")
    return sequential_dfg(program, packing, observed, certain=certain, stopped={*stopped, last})


def test_counts_go_along_every_way_that_a_thread_takes() -> None:
    program = parse_program(KEPT_OR_NOT, "t.plip")
    assert violation(program, ANALYSE, OPTIONS[0]) is None
    with patch(f"{counting.__name__}.sequential_dfg", _on_one_way):
        assert violation(program, ANALYSE, OPTIONS[0]) is not None


def _alone(self: Counting, *given: Any, **named: Any) -> Number:
    """Wrong: of a sum, others have added nothing."""
    return ZERO if named.get("is_of_others") else SUM(self, *given, **named)


def _with_all(*given: Any) -> contributions.Contributions | None:
    """Wrong: numbers that start over are at least what a thread has added, too."""
    return contributions.with_contributions(*given[:4])


STORED_LATER = """global g = 0
thread main { local r  spawn one  join one  spawn two  join two  r := g  assert r == 2 }
thread one { local t  t := wrap(g + 1, 0, 1)  g := t }
thread two { local u  u := wrap(g + 1, 0, 1)  g := u }
"""


def _without_wraps(known: Any, _wraps: object) -> object:
    """Wrong: nobody asks whether the wraps change anything."""
    return LATER(known, ())


KEPT_MORE = """global g = 0
thread main { local r  spawn one  join one  r := g  assert r == -1 }
thread one { local t  t := g + 2  g := 1 }
"""
SET_SINCE = """global count = 0 global limit = 3
thread main { local t  t := limit  limit := 5  count := t  spawn one  join one  assert count - limit == 0 }
thread one { local u  u := count  count := u - 1  u := count  count := u + 1 }
"""


SET_TWICE = """global g = 0 global count = 0
thread main { spawn one  join one  assert g - count == 4 }
thread one { local t  t := count  count := t + 1  g := 1  g := 4 }
"""


TAKEN_WHOLE = """global g = 0
thread main { local r  spawn one  spawn two  join one  join two  assert g >= 0 }
thread one { g := g - 1  g := g + 1 }
thread two { local t  atomic { t := g  g := 0 }  assert t >= 0 }
"""
TAKEN_AND_ADDED = """global g = 0 global h = 0
thread main { spawn one  spawn two  join one  join two  assert h == 0 }
thread one { atomic { g := g + 2 } }
thread two { local t  atomic { t := g  g := 0  h := h + t } }
"""


SET_BESIDE = """global g = 0
thread main { spawn one  g := 5  join one  assert g == 6 }
thread one { g := g + 1 }
"""


TURNED = """global g = 0
thread main { spawn one  spawn two  spawn three }
thread one { g := g + 1 }
thread two { local t = 0  atomic { t := g  g := 0 - t } }
thread three { local s  atomic { s := g  g := 0 }  assert s >= 0 }
"""


def _as_before(program: Program, cell: str, changes: Any, _late: object, known: Any) -> int:
    """Wrong: what a command reads was there before."""
    return SIDE(program, cell, changes, (), known)


def _always_before(program: Program, _names: object) -> Collection[int]:
    """Wrong: no other thread was started."""
    return program.template_of.keys()


def _before(_self: Any, _index: int, change: Any, _read: Any) -> Any:
    """Wrong: what a command adds is what it reads after it has set that."""
    return change


def _always_untouched(self: Any, _location: int, cell: str) -> Linear:
    """Wrong: whoever sets a cell is the first to do so."""
    return constant(self._program.cells[cell].lo)


def _ever_copied(self: Any, _location: int, cell: str) -> dict[str, Linear]:
    """Wrong: what a local was once copied from is what it is."""
    found = (step for it in self._program.commands for step in steps(it.instruction) if isinstance(step, Assign))
    return {step.target: variable(cell) for step in found if step.value == variable(cell)}


def _no_more(copies: Mapping[str, Linear], _cell: str) -> Iterator[Linear]:
    """Wrong: a local that is a global and something more is the global."""
    return map(variable, copies)


FAILING = {
    "copies-are-never-more": (KEPT_MORE, f"{contributions.__name__}._by_locals", _no_more),
    "nothing-is-set-twice": (SET_TWICE, f"{contributions.__name__}._Changes._untouched", _always_untouched),
    "nobody-was-started": (SET_BESIDE, f"{contributions.__name__}._before", _always_before),
    "what-is-taken-is-never-negative": (TAKEN_WHOLE, f"{contributions.__name__}._side", lambda *_: 1),
    "what-is-read-was-there-before": (TURNED, f"{contributions.__name__}._side", _as_before),
    "what-is-taken-is-added-later": (TAKEN_AND_ADDED, f"{contributions.__name__}._Changes._after", _before),
    "copies-stay-copies": (SET_SINCE, f"{contributions.__name__}._Changes._equal", _ever_copied),
    "kept-wraps-change-nothing": (STORED_LATER, f"{contributions.__name__}._Later", _without_wraps),
    "numbers-never-start-over": (STARTING_OVER, f"{counting.__name__}.with_contributions", _with_all),
    "all-numbers-grow": (LOWERED, f"{contributions.__name__}._sign", lambda _changes: 1),
    "only-the-last-case": (POOL.replace("* in 0..3", "* in -1..3", 1), f"{parts.__name__}._of_cases", _last_case),
    "others-are-left-out": (LENT.replace("t - n", "t - 5"), f"{counting.__name__}.Counting._sum", _alone),
}
"""Programs whose check fails, and defects with which it is proved."""


@pytest.mark.parametrize("name", FAILING)
def test_defects_of_cases_and_of_what_a_thread_knows_itself_are_noticed(name: str) -> None:
    text, target, wrong = FAILING[name]
    program = parse_program(text, "t.plip")
    options = AnalysisOptions(domain="octagon", engine="bitset")
    assert violation(program, ANALYSE, options) is None
    with patch(target, wrong):
        assert violation(program, ANALYSE, options) is not None


def seeded(name: str) -> AbstractContextManager[object]:
    """Where a defect is there."""
    target, wrong = DEFECTS[name]
    module = contributions if hasattr(contributions, target) else counting
    return patch(f"{module.__name__}.{target}", wrong)


def shows(name: str, seed: int) -> bool:
    """Whether counting with a defect gives an unsound answer for a random program."""
    with seeded(name):
        kind = summing_program if name in OF_SUMS else counting_program
        return violation(kind(seed), ANALYSE, OPTIONS[0]) is not None


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    assert any(shows(name, seed) for seed in candidates("counting", name, ENOUGH))


def test_the_programs_are_counted() -> None:
    told = 0

    def counted(original: Callable[..., object], *given: object, **named: object) -> object:
        nonlocal told
        found = original(*given, **named)
        told += bool(found)
        return found

    with patch("duet.coarsen.analysis.counting", partial(counted, counting.counting)):
        for seed in sorted({*range(60)} - COSTLY):
            analyse(counting_program(seed), OPTIONS[0])
    assert told > 5


READ_BEFORE = """global x = 0
thread main { local r = 0  r := x  spawn one  join one  assert r == 1  r := x  assert r == 1 }
thread one { atomic { x := x + 1 } }
"""


def test_what_has_been_read_before_is_not_what_is_counted() -> None:
    program = parse_program(READ_BEFORE, "t.plip")
    assert violation(program, ANALYSE, OPTIONS[0]) is None
    with patch(f"{traced.__name__}.Traced._stays", lambda *_: True):
        assert violation(program, ANALYSE, OPTIONS[0]) is not None


READ_OF_MANY = """global x = 0  summary many = 0
thread main { local r = 0  local s = 0  spawn one  join one  atomic { r := many; s := many }  assert x + s - r == 1 }
thread one { many := 1  atomic { x := x + 1 } }
"""
COME_BACK = """global x = 0
thread main { spawn one  join one  spawn two }
thread one { atomic { x := x + 1 } }
thread two { local r = 0  entry 0  exit 2  0: check r == 1 -> 1  1: r := x -> 0  1: skip -> 2 }
"""


@pytest.mark.parametrize("text", [READ_OF_MANY, COME_BACK])
def test_what_has_several_values_is_not_what_is_counted(text: str) -> None:
    """Of what stands for many two reads may find two values, and where a thread begins it may come back with others."""
    assert violation(parse_program(text, "t.plip"), ANALYSE, OPTIONS[0]) is None


WRAPPED = """global x = 0
thread main { local r = 0  spawn one  join one  r := wrap(x, 0, 3)  assert r == 5 }
thread one { local i  i := 0  while (i <= 4) { atomic { x := x + 1 }  i := i + 1 } }
"""


def test_what_has_been_wrapped_is_not_what_is_counted() -> None:
    program = parse_program(WRAPPED, "t.plip")
    assert violation(program, ANALYSE, OPTIONS[1]) is None
    with patch(f"{counting.__name__}.Counting.is_kept", lambda *_: True):
        assert violation(program, ANALYSE, OPTIONS[1]) is not None


@pytest.mark.parametrize(("bound", "is_proved"), [(0, True), (1, False)])
def test_what_is_left_of_a_sum_bounds_what_is_compared(bound: int, is_proved: bool) -> None:
    """`left` is what has been put in and not been taken out, so this is never more than that."""
    program = parse_program(
        f"""global put = 0  global got = 0  global left = 0
        thread main {{
          local r = 0  local s = 0  spawn one  spawn two  join one  join two
          s := 0  r := put  s := s + r  r := got  s := s - r  assert s >= {bound}
        }}
        thread one {{ while (*) {{ atomic {{ put := put + 1; left := left + 1 }} }} }}
        thread two {{ while (*) {{ atomic {{ [left >= 1]; got := got + 1; left := left - 1 }} }} }}
        """,
        "t.plip",
    )
    assert violation(program, ANALYSE, OPTIONS[1]) is None
    assert analyse(program, OPTIONS[1]).is_proved is is_proved


NEGATIVE_UNREAD = """global lock = 0  global b = 1  global c = 0
thread main { local u = 0  spawn one  atomic { [lock == 0]; lock := 1 }  u := b  check u <= 1 }
thread one { local v = 0  local w = 0
  atomic { [lock == 0]; lock := 1 }  v := c  c := v - 1  w := b  b := w + 1  lock := 0
}
"""


def test_what_is_negative_where_nobody_reads_it_is_left_of_a_sum() -> None:
    """`b + c` is 1 whenever the lock is free; `c` is -1 from then on, and never read."""
    program = parse_program(NEGATIVE_UNREAD, "t.plip")
    assert violation(program, analyse, OPTIONS[0]) is None
    with patch(f"{counting.__name__}._never_negative", lambda invariants: frozenset(invariants.graph.program.globals)):
        assert violation(program, analyse, OPTIONS[0]) is not None
