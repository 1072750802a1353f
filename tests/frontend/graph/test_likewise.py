"""Guards are told of copies: no execution changes, and what is no copy on some way is left alone."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from duet.frontend.graph.likewise import Copies, told_likewise
from duet.plip.syntax import (
    TRUE,
    Assign,
    Atomic,
    Cell,
    Command,
    Guard,
    Havoc,
    Linear,
    Program,
    Step,
    Template,
    steps,
)
from duet.plip.terms import compare, conjunction, constant, linear, variable
from duet.plip.touched import writes
from tests.plip.shared_bodies import after_steps

LOCALS = ("a", "b", "c", "d")
CELLS = {
    **{name: Cell(name, "main") for name in LOCALS},
    "g": Cell("g"),
    "s": Cell("s", "main", summary=True),
}
SET = Atomic((Assign("b", variable("a")), Assign("c", variable("b"))))


def told(commands: list[Command]) -> list[Command]:
    """What becomes of the commands of a template; behind the last location all locals are read."""
    last = max(command.target for command in commands)
    looks = [
        Command(place, Guard(compare(sum_of(LOCALS), "==", constant(place))), last + 1) for place in range(last + 1)
    ]
    own = tuple(range(len(commands) + len(looks)))
    program = Program(CELLS, {"main": Template("main", 0, last + 1, own)}, (*commands, *looks), "main")
    return list(told_likewise(program).commands[: len(commands)])


def sum_of(cells: Iterable[str]) -> Linear:
    return linear(dict.fromkeys(cells, 1))


def asked(cell: str) -> Guard:
    return Guard(compare(variable(cell), ">", constant(0)))


def of(*cells: str) -> Guard:
    return Guard(conjunction(asked(cell).condition for cell in cells))


def test_guards_ask_of_all_copies() -> None:
    first, second = told([Command(0, SET, 1), Command(1, asked("a"), 2)])
    assert first.instruction == SET
    assert second.instruction == of("a", "b", "c")


def test_guards_of_the_command_that_copies_do_so_too() -> None:
    (found,) = told([Command(0, Atomic((Assign("b", variable("a")), asked("b"))), 1)])
    assert found.instruction == Atomic((Assign("b", variable("a")), of("b", "a")))


@pytest.mark.parametrize("name", ["g", "s"])
def test_what_others_write_or_stands_for_several_is_no_copy(name: str) -> None:
    commands = [Command(0, Assign("b", variable(name)), 1), Command(1, asked("b"), 2)]
    assert told(commands) == commands


@pytest.mark.parametrize("lost", ["a", "b"])
def test_what_is_written_is_no_copy_any_more(lost: str) -> None:
    commands = [Command(0, SET, 1), Command(1, Havoc(lost), 2), Command(2, asked("c"), 3)]
    left = "b" if lost == "a" else "a"
    assert told(commands)[2].instruction == of("c", left)


def test_copies_that_nobody_reads_later_are_not_asked_of() -> None:
    commands = [Command(0, SET, 1), Command(1, asked("a"), 2), Command(2, asked("c"), 3)]
    program = Program(CELLS, {"main": Template("main", 0, 3, (0, 1, 2))}, tuple(commands), "main")
    assert [command.instruction for command in told_likewise(program).commands[1:]] == [of("a", "c"), asked("c")]


def test_calls_of_shared_bodies_stay_calls() -> None:
    commands = [
        Command(0, SET, 1),
        Command(1, Guard(asked("a").condition, call=7), 2),
        Command(2, Guard(TRUE, call=8), 3),
    ]
    assert [it.instruction.call for it in told(commands)[1:] if isinstance(it.instruction, Guard)] == [7, 8]


def test_relations_are_of_the_cells_that_they_name() -> None:
    commands = [
        Command(0, Assign("b", variable("a")), 1),
        Command(1, Guard(compare(sum_of("ac"), "==", constant(0))), 2),
    ]
    assert told(commands) == commands


def test_copies_on_one_way_only_are_none() -> None:
    commands = [Command(0, SET, 1), Command(0, Assign("b", variable("a")), 1), Command(1, asked("a"), 2)]
    assert told(commands)[2].instruction == of("a", "b")


def test_copies_are_common_where_both_ways_have_them() -> None:
    one = Copies({}).copied("b", "a").copied("c", "a").copied("d", "c")
    other = Copies({}).copied("b", "a").copied("d", "c")
    assert one.common(other) == other.common(one) == other
    assert one.without("a") == Copies({"b": "b", "c": "b", "d": "b"})
    assert other.without("a") == Copies({"c": "c", "d": "c"})
    assert other.copied("a", "c") == Copies({"a": "a", "c": "a", "d": "a"})


def _ends(commands: list[Command], seed: int) -> list[tuple[int, tuple[tuple[str, int], ...]]]:
    """Where one walk through a graph comes, and what the locals hold there, step by step."""
    random = Random(seed)
    store, place = dict.fromkeys(CELLS, 0), 0
    found: list[tuple[int, tuple[tuple[str, int], ...]]] = []
    store.update({name: random.randint(-1, 1) for name in LOCALS})
    for _ in range(30):
        passing = [
            (command.target, after)
            for command in commands
            if command.source == place
            for after in after_steps(store, steps(command.instruction))
        ]
        if not passing:
            return found
        place, store = random.choice(passing)
        found.append((place, tuple(sorted(store.items()))))
    return found


def _step(random: Random) -> Step:
    one, other = random.choice(LOCALS), random.choice(LOCALS)
    asks = Guard(compare(variable(one), random.choice(["<", ">", "==", "!="]), constant(random.randint(-1, 1))))
    other_value = Havoc(one, -1, 1)
    choices: list[Step] = [Assign(one, variable(other)), Assign(one, variable(other)), asks, asks, other_value]
    return random.choice(choices)


def test_random_programs_do_what_they_did() -> None:
    changed = 0
    for seed in range(300):
        random = Random(seed)
        commands = []
        for number in range(random.randint(4, 12)):
            parts = tuple(_step(random) for _ in range(random.randint(1, 3)))
            source, target = (number, number + 1) if number < 4 else (random.randrange(5), random.randrange(5))
            commands.append(Command(source, parts[0] if len(parts) == 1 else Atomic(parts), target))
        after = told(commands)
        changed += after != commands
        for before, now in zip(commands, after, strict=True):
            assert writes(before.instruction) == writes(now.instruction)
        for walk in range(20):
            assert _ends(commands, walk) == _ends(after, walk)
    assert changed > 100


def test_random_programs_notice_copies_that_are_kept_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Copies, "without", lambda known, _: known)
    with pytest.raises(AssertionError):
        test_random_programs_do_what_they_did()


def test_random_programs_notice_copies_of_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Copies, "common", lambda known, _: known)
    with pytest.raises(AssertionError):
        test_random_programs_do_what_they_did()
