"""Ways are told apart by what they have decided, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.graph import decided as module
from duet.frontend.graph.decided import Question, decided
from duet.options import AnalysisOptions
from duet.plip.multiplicity import multiplicities
from duet.plip.parser import parse_program
from duet.plip.printer import show_instruction
from duet.plip.semantics import explore
from duet.plip.syntax import Assert, Command, Formula, Guard, Program, Relation, Spawn
from duet.result import Status
from tests.frontend.graph.compared import LIMITS, differs, is_same

COUNT = 100
ENOUGH = 400  # programs in which a seeded defect must show
KEPT = (1793, 1913, 2430)  # programs that ask about sums
REMEMBERED = """global l = 0 global x = 0
thread main { spawn T spawn U }
thread T { local a  a := * in 0..1
  if (a == 1) { acquire l }
  x := x + 1
  if (a == 1) { l := 0 } }
thread U { acquire l  assert x <= 1  l := 0 }
"""
CHANGED = REMEMBERED.replace("x := x + 1", "x := x + 1 a := * in 0..1")


def _guards(program: Program, thread: str = "T") -> list[str]:
    found = [program.commands[index].instruction for index in program.templates[thread].commands]
    return sorted(show_instruction(it) for it in found if isinstance(it, Guard))


def test_a_guard_behind_a_lock_is_not_where_it_cannot_pass() -> None:
    before, after = (parse_program(REMEMBERED, "t.plip"), decided(parse_program(REMEMBERED, "t.plip")))
    assert _guards(before) == _guards(after)  # each of the two copies of the second choice has one way to go
    assert len(after.template_of) == len(before.template_of) + 2


def test_what_changes_meanwhile_is_not_known() -> None:
    program = parse_program(CHANGED, "t.plip")
    assert _guards(decided(program)) == sorted([*_guards(program)])
    assert len(decided(program).template_of) == len(program.template_of)


READ = """global p = 0 global data = 0
thread main { spawn T spawn U }
thread U { data := 5  p := 7 }
thread T { local a  a := p  skip  data := data  if (a == 7) { assert data == 5 } }
"""


@pytest.mark.parametrize("least", range(-2, 3))
def test_what_is_at_least_a_number_may_be_that_number(least: int) -> None:
    asked = f"if (a >= {least}) {{ acquire l  l := 0  if (a <= {least}) {{ x := 2 }} }} }}"
    text = REMEMBERED[: REMEMBERED.index("thread T")] + "thread T { local a  a := * in -3..3 " + asked
    program = parse_program(text + " thread U { assert x <= 1 }", "t.plip")
    assert is_same(program, decided(program))


def test_a_read_is_told_apart_by_what_is_asked_later() -> None:
    program = parse_program(READ, "t.plip")
    assert len(decided(program).commands) > len(program.commands)
    assert is_same(program, decided(program))
    options = AnalysisOptions(domain="interval")
    assert set(analyse(decided(program), options).statuses) == {Status.PROVED}
    for wrong in (READ.replace("data := 5  p := 7", "p := 7  data := 5"), READ.replace("if (a == 7)", "if (a != 7)")):
        other = decided(parse_program(wrong, "t.plip"))
        assert set(analyse(other, options).statuses) == {Status.UNPROVED}


TAKEN = """global n = 2 global ends = 0
thread main { local b  spawn T  atomic { b := n  n := n - 1 }  if (b == 1) { ends := ends + 1  assert ends == 1 } }
thread T { local c  RAISED atomic { c := n  n := n - 1 }  if (c == 1) { ends := ends + 1  assert ends == 1 } }
"""
LOCKED = """global n = 2 global ends = 0 global l = 0
thread main { local b  spawn T  acquire l  b := n  n := b - 1  l := 0
  if (b == 1) { ends := ends + 1  assert ends == 1 } }
thread T { local c local left  acquire l  c := n  n := c - 1  left := c - 1  l := 0
  if (left == 0) { ends := ends + 1  assert ends == 1 } }
"""
LAST = {
    "at once": (TAKEN.replace("RAISED", ""), True),
    "under a lock": (LOCKED, True),
    "of one too few": (TAKEN.replace("RAISED", "").replace("n = 2", "n = 1").replace("c == 1", "c == 0"), False),
    "of who has none": (TAKEN.replace("RAISED", "n := n + 1").replace("n = 2", "n = 1"), False),
    "by another number": (TAKEN.replace("RAISED", "").replace("c == 1", "c == 2"), False),
    "by another number, under a lock": (LOCKED.replace("left == 0", "left == 1"), False),
}


@pytest.mark.parametrize("name", LAST)
def test_only_one_thread_takes_the_last(name: str) -> None:
    text, is_safe = LAST[name]
    program = decided(parse_program(text, "t.plip"))
    assert bool(explore(program, LIMITS).failures) is not is_safe
    assert all(it.is_safe for it in analyse(program, AnalysisOptions(domain="interval")).statuses) is is_safe


CLAIMED = """global owner = 0 global v = 0 global claims = 0
thread main { spawn T spawn U }
thread T { local got
  if (*) { atomic { [owner == 0]; owner := 1 } claims := claims + 1 got := 1 } else { [owner != 0] got := 0 }
  skip
  if (got == 1) { v := 1 assert v == 1 v := 0 owner := 0 } }
thread U { atomic { [owner == 0]; owner := 2 } v := 2 v := 0 owner := 0 }
"""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("", ""), ("got == 1", "got == 0"), ("claims := claims + 1", "owner := 0"), ("owner := 2", "claims := 2")],
)
def test_who_has_taken_something_knows_it_behind_other_writes(wrong: str, right: str) -> None:
    program = parse_program(CLAIMED.replace(wrong, right) if wrong else CLAIMED, "t.plip")
    told = decided(program)
    assert is_same(program, told)
    found = set(analyse(told, AnalysisOptions(domain="interval")).statuses)
    assert found == {Status.UNPROVED if wrong else Status.PROVED}
    assert bool(explore(program, LIMITS).failures) == bool(wrong)


def test_what_comes_after_a_lock_is_given_back_is_not_told_apart() -> None:
    program = parse_program(
        "global l = 0 global x = 0 thread main { spawn T } "
        "thread T { local i  i := 0  while (i <= 3) { acquire l  x := x + 1  l := 0  i := i + 1 } }",
        "t.plip",
    )
    assert decided(program).commands == program.commands


def test_a_read_that_only_the_thread_writes_is_as_it_was() -> None:
    program = parse_program(READ.replace("p := 7 }", "data := 6 }"), "t.plip")
    assert decided(program).commands == program.commands


def test_what_a_thread_has_done_is_known_where_it_asks_again() -> None:
    program = parse_program(REMEMBERED.replace("acquire l", "x := 2"), "t.plip")
    assert len(decided(program).template_of) > len(program.template_of)
    assert is_same(program, decided(program))
    with patch.object(module, "REGION", 1):
        assert decided(program).commands == program.commands


def test_threads_that_ask_once_are_as_they_were() -> None:
    text = "global x = 0 thread main { spawn T } thread T { local a  a := * in 0..1  if (a == 1) { x := 1 } x := 2 }"
    program = parse_program(text, "t.plip")
    assert decided(program).commands == program.commands


def test_what_becomes_much_larger_is_as_it_was() -> None:
    program = parse_program(REMEMBERED, "t.plip")
    with patch.multiple(module, SMALL=5, COPIES=1):
        assert decided(program).commands == program.commands


STARTED = REMEMBERED.replace("x := x + 1", "spawn V").replace("thread U", "thread V { x := x + 1 } thread U")


def test_a_thread_is_started_by_one_command() -> None:
    program = parse_program(STARTED, "t.plip")
    after = decided(program)
    assert sum(isinstance(it.instruction, Spawn) for it in after.commands) == 3
    assert multiplicities(after) == multiplicities(program)


def test_where_a_thread_is_started_all_ways_are_one() -> None:
    program = parse_program(STARTED, "t.plip")
    assert is_same(program, decided(program))
    with patch.object(module, "_common", lambda left, _: left):
        assert is_same(program, decided(program)) is False


def _random(seed: int) -> Program:
    """A program of two threads with flags and a lock."""
    rng, thread = Random(seed), "T"
    comparisons = rng.choice((("==", "!="), ("==", "!=", "<=", ">=")))

    def body(depth: int) -> str:
        return " ".join(statement(depth) for _ in range(rng.randint(1, 4)))

    def statement(depth: int) -> str:
        flag, other = (f"{thread}{rng.choice('ab')}" for _ in range(2))
        kind = rng.choice(
            (
                "if",
                "if",
                "if",
                "set",
                "copy",
                "step",
                "input",
                "lock",
                "lock",
                "free",
                "add",
                "read",
                "take",
                "check",
                "while",
            )
        )
        match kind:
            case "if" if depth:
                asked = f"{flag} {rng.choice(comparisons)} {rng.randint(-2, 2)}"
                return f"if ({asked}) {{ {body(depth - 1)} }} else {{ {body(depth - 1)} }}"
            case "while" if depth:
                return f"while ({flag} <= {rng.randint(0, 1)}) {{ {body(depth - 1)} {flag} := {flag} + 1 }}"
            case "set":
                return f"{flag} := {rng.randint(0, 2)}"
            case "copy":
                return f"{flag} := {other}"
            case "step":
                return f"{flag} := {other} {rng.choice('+-')} 1"
            case "take":
                return f"atomic {{ {flag} := x x := {rng.choice(('x + 1', 'x - 1', other))} }}"
            case "input":
                return f"{flag} := * in 0..{rng.randint(1, 2)}"
            case "read":
                return f"{flag} := x"
            case "free":
                return "l := 0"
            case "add":
                return f"x := {rng.randint(0, 3)}"
            case "check":
                return f"assert x != {rng.randint(1, 3)}"
            case _:
                return "acquire l"

    joined = "join T" if rng.random() < 0.5 else ""
    text = "global l = 0 global x = 0"
    for thread, started in (("main", "T"), ("T", "U"), ("U", "")):
        spawned = f"spawn {started}" if started else ""
        rest = f"{joined if thread == 'main' else ''} assert x <= 2"
        cells = f"local {thread}a = 0 local {thread}b = 0"
        text += f" thread {thread} {{ {cells} {body(1)} {body(2)} {spawned} {body(2)} {rest} }}"
    return parse_program(text, "t.plip")


def _differs(seed: int) -> bool | None:
    program = _random(seed)
    return differs(program, decided(program))


def test_a_program_does_what_it_did() -> None:
    answers = [_differs(seed) for seed in range(COUNT)]
    assert True not in answers
    assert answers.count(False) > COUNT // 4


PARTS = module._parts


def _turned(condition: Formula) -> Iterator[tuple[str, Question, bool]]:
    for cell, question, truth in PARTS(condition):
        yield cell, question, truth is (question[0] is not Relation.LE)


ANSWERED = module._Ways._answered


def _but_the_last(self: module._Ways, command: Command, cell: str) -> Iterator[Command]:
    yield from list(ANSWERED(self, command, cell))[:-1]


DEFECTS = {
    "what-is-read-is-one-of-few": ("_Ways._answered", _but_the_last),
    "what-is-more-was-more": ("_before", lambda question, by: (question[0], question[1] + by)),
    "inputs-are-known": ("_holds", lambda question, lo, _: question[1] >= lo),
    "answers-exclude-themselves": ("_told", lambda _, known, __, truth: None if known[0] is truth else known),
    "more-is-less": ("_parts", _turned),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    target, wrong = DEFECTS[name]
    with patch(f"{module.__name__}.{target}", wrong):
        assert any(_differs(seed) for seed in (*KEPT, *range(ENOUGH)))


def test_checks_keep_their_places() -> None:
    program = _random(3)
    checks = {(it.instruction.check, it.span) for it in program.commands if isinstance(it.instruction, Assert)}
    kept = {(it.instruction.check, it.span) for it in decided(program).commands if isinstance(it.instruction, Assert)}
    assert kept <= checks


EITHER_WAY = """global x = 0 global y = 0
thread main { spawn T spawn U }
thread T { local a  a := * in 0..1
  if (a == 1) { y := 1 }
  choose { atomic { [x == 0] x := x + 1 } } or { atomic { [OTHERWISE] x := x + 2 } }
  if (a == 1) { y := 2 } }
thread U { x := 5 }
"""


def test_who_goes_on_either_way_does_not_wait() -> None:
    waiting, passing = (parse_program(EITHER_WAY.replace("OTHERWISE", text), "t.plip") for text in ("x == 1", "x != 0"))
    assert len(decided(waiting).template_of) > len(waiting.template_of)
    with patch.object(module, "REGION", 1):
        assert decided(passing) == passing
