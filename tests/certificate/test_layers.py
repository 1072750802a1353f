"""One layer is checked step by step: what follows, what flows where, what is proved; the rest is refused."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from duet.certificate.document import Layer, Phrase, Record
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.layers import LayerCheck
from duet.errors import UsageError
from duet.plip.parser import parse_program
from duet.plip.syntax import Assert

LINE = """global x = 0 summary a = 0
thread main { local r  local s
  entry 0 exit 9
  0: r := 1 -> 1
  1: x := r -> 2
  2: [r == 2] -> 3
  2: spawn w -> 4
  3: skip -> 9
  4: r := x -> 5
  5: check r == 1 for "a.c":1:1 "assertion" "r == 1" in "main" -> 9
}
thread w { entry 20 exit 29 20: x := 7 -> 29 }
"""
PROGRAM = parse_program(LINE)
SET, WRITE, GUARD, SPAWN, _, READ, CHECK, OTHER = range(8)


def said(phrases: Mapping[int, str]) -> dict[int, Phrase]:
    return {number: Phrase(text) for number, text in phrases.items()}


def record(*cells: str, at: Mapping[int, str] | None = None, after: Mapping[int, str] | None = None) -> Record:
    return Record(cells, said(at or {}), said(after or {}))


def layer(
    *records: Record,
    proved: tuple[int, ...] = (),
    stopped: tuple[int, ...] = (),
    unreached: tuple[int, ...] = (),
    rewritten: Mapping[int, str] | None = None,
    facts: Mapping[int, str] | None = None,
    is_refined: bool = False,
) -> Layer:
    told = {location: (phrase,) for location, phrase in said(facts or {}).items()}
    sets = frozenset(unreached), frozenset(stopped), frozenset(proved)
    return Layer("one", is_refined, rewritten or {}, told, records, *sets)


def refusals(*layers: Layer) -> list[str]:
    prover = Prover(PROGRAM)
    knowledge = Knowledge(PROGRAM, prover)
    step: LayerCheck | None = None
    for found in layers:
        step = LayerCheck(PROGRAM, found, knowledge, step)
        failures = step.run()
        if failures:
            return [failure.reason for failure in failures]
    return []


KNOWN = record("r", at={1: "r == 1", 2: "r == 1"}, after={SET: "r == 1"})


def test_what_follows_holds() -> None:
    assert refusals(layer(KNOWN)) == []
    assert refusals(layer()) == []


def test_what_does_not_follow_from_a_command_is_refused() -> None:
    assert any("it need not be that r == 2" in told for told in refusals(layer(record("r", after={SET: "r == 2"}))))


def test_what_an_own_write_need_not_leave_is_refused() -> None:
    (told,) = refusals(layer(record("r", at={1: "r == 1"})))
    assert "own write" in told
    (told,) = refusals(layer(record("x", at={0: "x == 1"})))
    assert "initial value" in told


def test_what_another_thread_may_change_is_refused() -> None:
    after = {WRITE: "x == 1", OTHER: "x == 7"}
    assert refusals(layer(KNOWN, record("x", at={2: "x == 1"}, after=after))) == []
    (told,) = refusals(layer(KNOWN, record("x", at={4: "x == 1"}, after=after)))
    assert "another thread's write" in told
    assert refusals(layer(KNOWN, record("x", at={4: "x == 1 || x == 7"}, after=after))) == []


def test_a_guard_that_cannot_hold_stops_and_hides_what_is_behind() -> None:
    assert refusals(layer(KNOWN, stopped=(GUARD,), unreached=(3,))) == []
    (told,) = refusals(layer(stopped=(GUARD,), unreached=(3,)))
    assert "may pass" in told
    (told,) = refusals(layer(KNOWN, unreached=(3,)))
    assert "a thread may get there" in told


def test_a_check_must_follow_from_what_is_known_there() -> None:
    some = record("r", at={5: "r == 1"}, after={READ: "r == 1"})
    exact = record("x", at={4: "x == 1"}, after={WRITE: "x == 1", OTHER: "x == 7"})
    assert any("does not follow from nothing" in told for told in refusals(layer(KNOWN, proved=(CHECK,))))
    assert refusals(layer(some, exact, proved=(CHECK,))) != []
    assert any("a check is claimed that is none" in told for told in refusals(layer(proved=(SET,))))


def test_later_layers_may_use_what_earlier_ones_have_shown() -> None:
    after = {WRITE: "x == 1"}
    assert refusals(layer(record("x", at={2: "x == 1"}, after=after))) != []
    assert refusals(layer(KNOWN), layer(record("x", at={2: "x == 1"}, after=after))) == []


def test_rewritten_commands_must_do_the_same() -> None:
    assert refusals(layer(rewritten={WRITE: "x := 1"}, facts={1: "r == 1"})) == []
    (told,) = refusals(layer(rewritten={WRITE: "x := 2"}, facts={1: "r == 1"}))
    assert "stands for something else" in told
    (told,) = refusals(layer(rewritten={WRITE: "x := 1"}))
    assert "stands for something else" in told
    (told,) = refusals(layer(facts={1: "r == 2"}))
    assert "need not hold after command 0" in told


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (layer(record("q")), "a pack that is none"),
        (layer(record()), "a pack that is none"),
        (layer(record("r", "r")), "a pack that is none"),
        (layer(record("r"), record("r", "s")), "a pack that is none"),
        (layer(record("r", "x")), "do not go together"),
        (layer(record("x", "a")), "do not go together"),
        (layer(record("r", at={1: "s == 0"})), "says s == 0 of r"),
        (layer(record("r", at={20: "r == 0"})), "at location 20"),
        (layer(record("r", at={77: "r == 0"})), "at location 77"),
        (layer(record("r", after={77: "r == 0"})), "a command that there is not: 77"),
        (layer(stopped=(77,)), "a command that there is not: 77"),
        (layer(proved=(-1,)), "a command that there is not: -1"),
        (layer(rewritten={77: "skip"}), "a command that there is not: 77"),
        (layer(rewritten={OTHER: "r := 1"}), "a rewritten command that is none"),
        (layer(is_refined=True), "nothing to refine"),
    ],
)
def test_layers_that_are_malformed_are_refused(wrong: Layer, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        refusals(wrong)


def test_checks_that_are_known_to_hold_may_be_left_out_and_no_other_command() -> None:
    program = parse_program("global x = 0 thread main { x := 1  assert x == 2  x := 2 }")
    (index,) = (i for i, c in enumerate(program.commands) if isinstance(c.instruction, Assert))

    def is_accepted(command: int, text: str, *settled: int) -> bool:
        found = layer(rewritten={command: text})
        return not LayerCheck(program, found, Knowledge(program, Prover(program)), None, settled).run()

    assert is_accepted(index, "skip", index)
    assert not is_accepted(index, "skip")
    assert not is_accepted(index, "skip", index + 1)
    assert not is_accepted(index, "x := 3", index)
    assert not is_accepted(index + 1, "skip", index)
