"""Joint states: what they prove, what they must not prove, and that each of their rules is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from domains.numeric import Constraint, LinExpr
from duet.absint import joint as joint_states
from duet.absint import question
from duet.absint.cases import Cases, Splitting
from duet.absint.question import START, Question, Sources, Unstable
from duet.absint.state import State, Value
from duet.coarsen import joint as module
from duet.coarsen.analysis import analyse
from duet.interference.solve import Flows, feasible_flows
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.syntax import Join, Linear, Program
from duet.plip.terms import atoms
from duet.result import Status
from tests.coarsen.programs import SHRUNK, TOLD_BY_FLAGS
from tests.soundness.properties import violation

_MAIN = "thread main { while (*) { spawn client } }"
_WITHDRAW = """
global lock = 0
global a = 2
%s
thread client {
  local t
  local u
  t := *
  acquire lock
  u := a
  [t <= u]
  %s
  u := a
  a := u - t
  u := a
  assert u >= 0
  release lock
}
"""
_KEPT = _WITHDRAW % (_MAIN, "skip")
_MOVED = """
global lock = 0
global a = 0
global b = 0
%s
thread client {
  local t
  local u
  local v
  t := *
  %s
  u := a
  a := u + t
  u := b
  b := u - t
  u := a
  v := b
  %s
  assert u + v == 0
}
"""
_TOGETHER = _MOVED % (_MAIN, "acquire lock", "release lock")
_GIVEN = """
global a = 5
thread main { local x  x := *  spawn client(p := x)  }
thread client(p) { local p = 0  local u  u := a  assert u + p != 7 }
"""
_NUMBERED = """
global n = 0
thread main { local x  n := * in 0..3  x := 0  while (*) { [x < n]  spawn client(p := %s)  x := x + 1 }  %s }
thread client(p) { local p = 0  assert p < n }
"""
_SET_LATE = TOLD_BY_FLAGS.replace("s := 1  x := 5", "s := 1  release lock  acquire lock  x := 5")
_BITS = """
global g = 0
thread main { spawn writer  spawn reader }
thread writer { local h  h := * in 0..1  h := mul(h, 7)  g := h }
thread reader { local x  local y  x := g  y := wrap(x, 0, 3)  if (y == 3) { assert x == 7 } }
"""
_RAISED = """
global lock = 0
global n = 3
thread main { local early  local late  while (*) { spawn other }  early := n  late := n  assert early <= late }
thread other { local t  local u  t := * in 0..9  acquire lock  u := n  %s  release lock }
"""
_BY_OTHERS = _RAISED % "n := u + 2"
_TO_THE_LARGER = _RAISED % "if (t > u) { n := t }"
_MODULO = (_RAISED % "atomic { u := wrap(n + 1, 0, 4)  n := u }").replace("t := * in 0..9", "skip")
_BELOW_THE_END = _RAISED % "[n <= 3]  atomic { u := wrap(n + 1, 0, 4)  n := u }"
_EXCHANGED = """
global n = 3
thread main { local early  local late  while (*) { spawn other }  early := n  late := n  assert early <= late }
thread other { local u  u := %s  choose { atomic { %s } } or { skip } }
"""
_COMPARED = _EXCHANGED % ("n", "[n == u]  n := u + 1")
_ENDED = """
global lock = 0
global n = 0
thread main { local x  spawn other  spawn one  join one  acquire lock  x := n  assert x >= 3  release lock }
thread one { acquire lock  if (n < 3) { n := 3 }  release lock }
thread other { local t  t := * in 0..9  acquire lock  if (n < t) { n := t }  release lock }
"""
_OWN_COUNT = """
global lock = 0
global n = 0
global m = 0
thread main { %s  spawn worker  %s  while (*) { acquire lock  m := 1  release lock } }
thread worker {
  local k = 0
  local u
  while (*) { acquire lock  u := n  assert u == k  n := u + 1  k := k + 1  u := m  [u <= n]  m := 0  release lock }
}
"""
_MADE_ONCE = """
global state = 0
global made = 0
thread main { while (*) { spawn client } }
thread client {
  local s
  choose {
    atomic { [state == 0]  state := 1 }
    s := made
    %s
  } or { [state == 2] }
  s := made
  assert s == 1
}
"""
_MADE_FIRST = _MADE_ONCE % "made := s + 1  state := 2"
PROVED = {
    "told by a flag": TOLD_BY_FLAGS,
    "tested": _KEPT,
    "moved": _TOGETHER,
    "bits of one of few": _BITS,
    "raised by others": _BY_OTHERS,
    "lowered by others": _BY_OTHERS.replace("u + 2", "u - 2").replace("early <= late", "early >= late"),
    "raised to the larger one": _TO_THE_LARGER,
    "raised as long as it does not wrap": _BELOW_THE_END,
    "raised where it is what was read": _COMPARED,
    "raised where it is less": _EXCHANGED % ("* in 0..9", "[n < u]  n := u"),
    "raised where it is less and another thing holds": _EXCHANGED % ("* in 0..9", "[u >= 0 && n <= u]  n := u + 1"),
    "what a thread is given is less than a global": _NUMBERED % ("x", "skip"),
    "what two places give is": _NUMBERED % ("x", "if (n > 1) { spawn client(p := n - 1) }"),
    "as the starter left it": _OWN_COUNT % ("skip", "skip"),
    "left by a thread that has ended": _ENDED,
    "left by a thread that has ended, by way of another one": _ENDED.replace(
        "spawn one  join one", "spawn way  join way"
    )
    + "thread way { spawn one  join one }",
    "made once by whoever comes first": _MADE_FIRST,
}
FAILING = {
    "it is told before it is made": _MADE_ONCE % "state := 2  made := s + 1",
    "made by whoever comes": _MADE_FIRST.replace("[state == 0]", "[state != 1]"),
    "asked before it is made": _MADE_FIRST.replace("[state == 2]", "[state >= 1]"),
    "the flag is set too early": _SET_LATE,
    "another value in the same case": TOLD_BY_FLAGS.replace("x := 5", "x := 5  choose { skip } or { x := 6 }"),
    "the lock is given up in between": _WITHDRAW % (_MAIN, "release lock  acquire lock"),
    "nobody holds the lock": _MOVED % (_MAIN, "skip", "skip"),
    "what a thread is given may be anything": _GIVEN,
    "raised and no upper bound": _BY_OTHERS.replace("early <= late", "early + 1 >= late"),
    "lowered by others": _BY_OTHERS.replace("u + 2", "u - 2"),
    "raised or lowered": _RAISED % "choose { n := u + 2 } or { n := u - 1 }",
    "set to the smaller one": _RAISED % "if (t < u) { n := t }",
    "raised from what was read before the lock": _BY_OTHERS.replace("acquire lock  u := n", "u := n  acquire lock"),
    "wraps around": _MODULO,
    "the starter left something else": _OWN_COUNT % ("n := 1", "skip"),
    "the starter writes it later": _OWN_COUNT % ("skip", "n := 0"),
    "two are started": _OWN_COUNT % ("spawn worker", "skip"),
    "another thread has ended": _ENDED.replace("join one", "join other"),
    "one of two such threads may not have ended": _ENDED.replace("spawn one", "spawn one  spawn one"),
    "it may end without that": _ENDED.replace("if (n < 3) { n := 3 }", "choose { n := 3 } or { skip }"),
    "lowered by others meanwhile": _ENDED.replace("if (n < t)", "if (n > t)"),
    "lowered behind it": _ENDED.replace("join one", "join one  n := 2"),
    "lowered where it is what was read": _COMPARED.replace("u + 1", "u - 1"),
    "raised from what was read": _COMPARED.replace("[n == u]", "skip"),
    "raised where it is not what was read": _EXCHANGED % ("* in 0..9", "[n != u]  n := u"),
    "raised where it is more": _EXCHANGED % ("* in 0..9", "[n >= u]  n := u"),
    "raised where one thing or another holds": _EXCHANGED % ("* in 0..9", "[n <= u || u >= 0]  n := u"),
    "lowered, then compared": _EXCHANGED % ("* in 0..9", "n := u - 1  [n < u]"),
    "what a thread is given is no less than a global": _NUMBERED % ("x + 1", "skip"),
    "the global is lowered when it was given": _NUMBERED % ("x", "n := 0"),
    "another place gives more": _NUMBERED % ("x", "spawn client(p := n)"),
    "raised for a while": _RAISED % "n := u + 2  n := u",
    "either of few": _BITS.replace("assert x == 7", "assert x == 0"),
}


def _program(text: str) -> Program:
    return parse_program(text, "t.plip")


OCTAGON = AnalysisOptions(domain="octagon")


@pytest.mark.parametrize("name", PROVED)
def test_a_relation_of_a_local_and_globals_is_proved(name: str) -> None:
    found = analyse(_program(PROVED[name]), OCTAGON)
    assert set(found.statuses) == {Status.PROVED}
    assert found.fixpoints[-1].joint is not None


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_not_proved(name: str) -> None:
    found = analyse(_program(FAILING[name]), OCTAGON)
    assert Status.UNPROVED in found.statuses
    assert violation(_program(FAILING[name]), analyse, OCTAGON) is None


def _nobody_writes(self: Question, pack: int, location: int) -> Unstable:
    """A relation is kept while others write its globals."""
    return ()


def _nothing_flows(*arguments: Any, **named: Any) -> Flows:
    """What other threads write is not seen."""
    return replace(feasible_flows(*arguments, **named), inter={})


def _starts_with_its_declaration(system: Any, entry: int) -> list[State]:
    """What a thread is given is taken for what its cells hold at first."""
    space = system.question.space_at(entry)
    tracked = system.question.packing.tracked[system.question.program.template_of[entry]]
    shared = {cell for bundle in system.question.packing.bundles for cell in bundle}
    found = {
        pack: space.domain.forget(
            space.initial(pack), tuple(v for v, cell in enumerate(space.packing.packs[pack]) if cell in shared)
        )
        for pack in tracked
    }
    return [found]


def _never_from_the_start(*arguments: Any) -> Sources:
    """The values that a program starts with are gone once there is a definition."""
    found = _SOURCES(*arguments)
    return {pair: [one for one in some if one != START] or some for pair, some in found.items()}


def _the_other_way(terms: tuple[tuple[int, int], ...], constant: int, relation: str) -> tuple[LinExpr, ...]:
    """Where others raise a cell, what holds all the less for that is kept."""
    return tuple((tuple((v, -k) for v, k in terms), -constant) for terms, constant in _SIDES(terms, constant, relation))


def _drops_a_case(self: Splitting, states: Iterable[State], coarse: int = 0) -> Cases:
    """Where cases are told apart, the last one is forgotten."""
    found = dict(_OF(self, states, coarse))
    return dict(list(found.items())[: max(1, len(found) - 1)])


def _drops_a_value(self: Splitting, state: State, cells: Sequence[str]) -> list[State]:
    """Where a cell is one of few values, the last one is forgotten."""
    found = list(_PARTS(self, state, cells))
    return found[: max(1, len(found) - 1)]


def _covers_anything(self: Splitting, left: Value, right: Value) -> bool:
    """Any value is taken to be in any other one."""
    return True


def _keeps_the_first(self: Splitting, left: State, right: State) -> State:
    """Of two states of one case, the first is kept."""
    return left


def _whatever_is_joined(program: Program) -> Mapping[int, Sequence[str]]:
    """Who waits for one of several threads of a template knows what all of them have left."""
    found = ((index, command.instruction) for index, command in enumerate(program.commands))
    return {index: [instruction.template] for index, instruction in found if isinstance(instruction, Join)}


def _gives_less(self: Any, number: int) -> Sequence[tuple[str, Linear]]:
    """A thread is given less than it is."""
    return [(cell, replace(term, constant=0)) for cell, term in _ARGUMENTS(self, number)]


_OF = Splitting.of
_ARGUMENTS = joint_states._System._arguments
_PARTS = Splitting.parts
_SIDES = question._sides
_SOURCES: Callable[..., Sources] = module._sources
DEFECTS = {
    "duet.absint.joint.Question.unstable": _nobody_writes,
    "duet.coarsen.joint.feasible_flows": _nothing_flows,
    "duet.absint.joint._System._started": _starts_with_its_declaration,
    "duet.absint.joint._System._arguments": _gives_less,
    "duet.coarsen.joint._sources": _never_from_the_start,
    "duet.coarsen.drift.Drift.of": lambda *_: 1,
    "duet.coarsen.drift.Drift._is_within": lambda *_: True,
    "duet.coarsen.drift._at_most_zero": lambda formula: (found.term for found in atoms(formula)),
    "duet.coarsen.drift.met": lambda _, right: (right[0], right[0]),
    "duet.absint.question._sides": _the_other_way,
    "duet.coarsen.joint.ended_behind": _whatever_is_joined,
    "duet.absint.cases.Splitting.of": _drops_a_case,
    "duet.absint.cases.Splitting.parts": _drops_a_value,
    "duet.absint.cases.Splitting._joined": _keeps_the_first,
    "duet.absint.cases.Splitting._leq": _covers_anything,
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(name: str) -> None:
    with patch(name, DEFECTS[name]):
        assert any(violation(_program(text), analyse, OCTAGON) for text in (*FAILING.values(), *PROVED.values()))


_SUMMARY = """
source "summary.plip"
global g = 0 at ?
global summary s = 0 at ?
main main
thread A(A.t) function "A" {
  local A.t = 0 at ?
  entry 0  exit 1
  0: check g <= -2 for 1:1 "assertion" "g <= -2" in "A" -> 3 at 0:0
  3: A.t := g -> 4 at 0:0
  3: s := shl(g, 0) -> 3 at ?
}
thread main function "main" {
  entry 17  exit 18
  17: s := 1 -> 19 at 0:0
  19: skip -> 25 at 0:0
  25: spawn A -> 25 at 0:0
}
"""


def test_what_a_summary_cell_held_stays_there_when_it_is_written() -> None:
    program = parse_program(_SUMMARY.lstrip(), "summary.plip")
    assert violation(program, analyse, AnalysisOptions(domain="octagon")) is None


ONCE = SHRUNK.replace(">= 8", ">= 9")
EVER = SHRUNK.replace(
    "{ atomic { [hi - lo >= 5]  lo := lo + 1  hi := hi - 1 } }", "{ while (*) { atomic { hi := hi - 1 } } }"
)


@pytest.mark.parametrize(
    ("text", "statuses"),
    [(SHRUNK, {Status.PROVED}), (ONCE, {Status.PROVED, Status.UNPROVED}), (EVER, {Status.PROVED, Status.UNPROVED})],
)
def test_bounds_of_sums_are_told(text: str, statuses: set[Status]) -> None:
    found = analyse(parse_program(text, "t.plip"), AnalysisOptions(domain="auto"))
    assert set(found.statuses) == statuses


def test_closer_bounds_of_sums_would_be_noticed() -> None:
    told: Any = module._constraint

    def closer(*given: object) -> Constraint:
        (terms, number), relation = told(*given)
        return (terms, number - 1), relation

    with patch.object(module, "_constraint", closer):
        assert analyse(parse_program(ONCE, "t.plip"), AnalysisOptions(domain="auto")).is_proved
