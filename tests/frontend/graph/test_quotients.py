"""Remainders by cases of the quotient: one case passes, whatever the number is, and gives the remainder."""

from __future__ import annotations

from duet.frontend.graph.quotients import MOST, by_quotient
from duet.plip.execute import apply
from duet.plip.syntax import Assign, Atomic, Command, Compute, Guard, Linear, Operation, steps
from duet.plip.terms import constant, evaluate, linear, satisfies, variable

SUM = linear({"i": 1}, 1)


def _result(commands: list[Command], source: int, store: dict[str, int]) -> dict[str, int]:
    """What the cells hold behind the one command that passes."""
    found = []
    for command in commands:
        if command.source != source:
            continue
        after, passes = dict(store), True
        for step in steps(command.instruction):
            match step:
                case Guard(condition):
                    passes = passes and satisfies(condition, after)
                case Assign(target, value):
                    after[target] = evaluate(value, after)
                case Compute(target, operation, arguments):
                    done = apply(operation, [evaluate(it, after) for it in arguments])
                    assert done is not None
                    after[target] = done
                case _:
                    raise AssertionError(step)
        found += [after] if passes else []
    assert len(found) == 1
    return found[0]


def test_exactly_one_way_passes_and_gives_the_remainder() -> None:
    for divisor in (2, 3, 8):
        commands = by_quotient([Command(0, Compute("r", Operation.MOD, (SUM, constant(divisor))), 1)])
        assert len(commands) == 4
        for number in range(-5 * divisor, 5 * divisor):
            wanted = apply(Operation.MOD, [number + 1, divisor])
            assert _result(commands, 0, {"i": number, "r": 99})["r"] == wanted


def test_sums_that_wrap_are_told_apart() -> None:
    wrap = Compute("$s", Operation.WRAP, (SUM, constant(0), constant(15)))
    commands = by_quotient(
        [Command(0, wrap, 1), Command(1, Compute("r", Operation.MOD, (variable("$s"), constant(4))), 2)]
    )
    assert len(commands) == 6
    for number in range(-40, 40):
        store = _result(commands, 1, _result(commands, 0, {"i": number, "$s": 0, "r": 0}))
        assert store["$s"] == (number + 1) % 16
        assert store["r"] == (number + 1) % 4


def test_what_is_no_sum_stays_as_it_is() -> None:
    plain = [
        Command(0, Compute("r", Operation.MOD, (variable("i"), constant(4))), 1),
        Command(1, Compute("r", Operation.MOD, (SUM, variable("n"))), 2),
        Command(2, Compute("r", Operation.MOD, (SUM, constant(1))), 3),
        Command(3, Compute("r", Operation.MOD, (SUM, constant(-4))), 4),
        Command(4, Compute("r", Operation.MOD, (Linear((), 7), constant(4))), 5),
    ]
    assert by_quotient(plain) == plain
    around = [Command(at, Compute("r", Operation.MOD, (SUM, constant(4))), at + 1) for at in range(MOST + 1)]
    assert len(by_quotient(around)) == 4 * MOST + 1
    assert by_quotient([Command(0, Atomic((Assign("a", SUM), *steps(around[0].instruction))), 1)])[0].source == 0  # type: ignore[arg-type]
