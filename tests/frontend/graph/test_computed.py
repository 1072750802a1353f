"""What is computed again becomes a copy: no execution changes, and what may be another number is left alone."""

from __future__ import annotations

from math import fmod
from pathlib import Path
from random import Random

import pytest

from duet.frontend.graph import computed
from duet.frontend.graph.computed import computed_once
from duet.plip.syntax import (
    Assign,
    Atomic,
    Cell,
    Command,
    Compute,
    Havoc,
    Instruction,
    Operation,
    Program,
    Step,
    Template,
)
from duet.plip.terms import constant, evaluate, variable
from tests.frontend.running import statuses

LOCALS = ("a", "b", "c", "d")
CELLS = {
    **{name: Cell(name, "main") for name in LOCALS},
    "g": Cell("g"),
    "s": Cell("s", "main", summary=True),
}


def once(commands: list[Command]) -> list[Command]:
    """What becomes of the commands of a template."""
    last = max(command.target for command in commands)
    program = Program(CELLS, {"main": Template("main", 0, last, tuple(range(len(commands))))}, tuple(commands), "main")
    return list(computed_once(program).commands)


def mod(target: str, of: str, divisor: int = 2) -> Compute:
    return Compute(target, Operation.MOD, (variable(of), constant(divisor)))


def test_what_is_computed_again_is_a_copy() -> None:
    found = once([Command(0, mod("b", "a"), 1), Command(1, Havoc("d"), 2), Command(2, mod("c", "a"), 3)])
    assert found[2].instruction == Assign("c", variable("b"))
    assert found[0].instruction == mod("b", "a")


@pytest.mark.parametrize("between", [Havoc("a"), Havoc("b"), Atomic((Havoc("d"), Assign("a", constant(1))))])
def test_what_is_written_in_between_is_computed_again(between: Step | Atomic) -> None:
    commands = [Command(0, mod("b", "a"), 1), Command(1, between, 2), Command(2, mod("c", "a"), 3)]
    assert once(commands) == commands


@pytest.mark.parametrize(("target", "of"), [("b", "g"), ("b", "s"), ("g", "a"), ("s", "a")])
def test_what_others_write_or_stands_for_several_is_computed_again(target: str, of: str) -> None:
    commands = [Command(0, mod(target, of), 1), Command(1, mod("c", of), 2)]
    assert once(commands) == commands


def test_what_is_computed_of_itself_is_another_number() -> None:
    commands = [Command(0, mod("a", "a"), 1), Command(1, mod("a", "a"), 2), Command(2, mod("b", "a"), 3)]
    assert once(commands) == commands


def test_what_is_computed_on_one_way_only_is_computed_again() -> None:
    commands = [Command(0, mod("b", "a"), 1), Command(0, Havoc("b"), 1), Command(1, mod("c", "a"), 2)]
    assert once(commands) == commands


def test_other_operations_are_others() -> None:
    commands = [
        Command(0, mod("b", "a"), 1),
        Command(1, mod("c", "a", 3), 2),
        Command(2, Compute("d", Operation.DIV, (variable("a"), constant(2))), 3),
    ]
    assert once(commands) == commands


def _after(store: dict[str, int], step: Instruction, random: Random) -> dict[str, int]:
    match step:
        case Compute(target, Operation.MOD, (of, divisor)):
            return store | {target: int(fmod(evaluate(of, store), evaluate(divisor, store)))}
        case Assign(target, value):
            return store | {target: evaluate(value, store)}
        case Havoc(target, int(lo), int(hi)):
            return store | {target: random.randint(lo, hi)}
        case _:
            raise AssertionError(step)


def test_random_programs_do_what_they_did() -> None:
    changed = 0
    for seed in range(200):
        random = Random(seed)
        commands = []
        for number in range(16):
            target, of = random.choice("abcd"), random.choice("aab")
            steps: list[Step] = [mod(target, of), mod(target, of), Assign(target, variable(of)), Havoc(target, 0, 3)]
            commands.append(
                Command(number % 8, random.choice(steps), random.choice([number % 8 + 1, random.randint(0, 8)]))
            )
        after = once(commands)
        changed += after != commands
        for _ in range(20):
            store, place = {name: random.randint(-5, 5) for name in CELLS}, 0
            while ways := [
                n for n, command in enumerate(commands) if command.source == place and random.random() < 0.9
            ]:
                number, luck = random.choice(ways), random.random()
                both = [_after(store, it[number].instruction, Random(luck)) for it in (commands, after)]
                assert both[0] == both[1]
                store, place = both[0], commands[number].target
    assert changed > 50


def test_random_programs_notice_what_is_kept_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computed._Known, "_without", lambda known, _: known)
    with pytest.raises(AssertionError):
        test_random_programs_do_what_they_did()


def test_random_programs_notice_what_one_way_has_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computed._Known, "common", lambda known, _: known)
    with pytest.raises(AssertionError):
        test_random_programs_do_what_they_did()


PARITY = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void *count(void *unused) { turn++; turn++; return unused; }
static void *even(void *unused) {
    int seen = turn;
    while (seen % 2) seen = turn;
    CHANGE
    assert(seen % 2 == 0);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    pthread_create(&t, 0, even, 0);
    return 0;
}
"""


def test_what_a_test_says_of_a_remainder_is_known_later(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    assert all(found.is_safe for found in statuses(path, PARITY.replace("CHANGE", "")))
    assert not all(found.is_safe for found in statuses(path, PARITY.replace("CHANGE", "seen = turn;")))


def test_what_is_written_in_between_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what was computed is known for ever."""
    monkeypatch.setattr(computed._Known, "_without", lambda known, _: known)
    assert all(found.is_safe for found in statuses(tmp_path / "a.c", PARITY.replace("CHANGE", "seen = turn;")))
