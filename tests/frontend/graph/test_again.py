"""Which places a thread may pass several times."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from duet.frontend.graph import again
from duet.frontend.graph.again import passed_again
from duet.frontend.graph.returns import Crossing, Landing, SharedCall
from duet.plip.syntax import SKIP, Command

_BODIES = 3
_SIZE = 5


def _command(source: int, target: int) -> Command:
    return Command(source, SKIP, target)


def _call(at: int, entry: int, hub: int, back: int) -> tuple[SharedCall, list[Command]]:
    return SharedCall(at, entry, hub, back), [_command(at, entry), _command(hub, back)]


def test_a_body_that_two_calls_share_does_not_lead_back_behind_the_first_one() -> None:
    # 0 calls 10..12, 1 -> 2 passes the place, calls the body, comes back to 3
    first, one = _call(0, 10, 12, 1)
    second, two = _call(2, 10, 12, 3)
    commands = [*one, *two, _command(1, 2), _command(10, 11), _command(11, 12)]
    assert passed_again(commands, 0, [first, second], [[2], [11], [1, 2], [1, 3]]) == [False, True, True, True]
    assert passed_again(commands, 0, [], [[2]]) == [True]


def test_a_body_that_calls_itself_is_passed_again() -> None:
    outer, one = _call(0, 10, 12, 1)
    inner, two = _call(11, 10, 12, 12)
    commands = [*one, *two, _command(10, 11), _command(10, 12)]
    assert passed_again(commands, 0, [outer, inner], [[10], [0], [1]]) == [True, False, False]


def test_with_jumps_out_of_bodies_nothing_is_matched() -> None:
    first, one = _call(0, 10, 12, 1)
    second, two = _call(2, 10, 12, 3)
    commands = [*one, *two, _command(1, 2), _command(10, 12), _command(10, 20), _command(20, 3)]
    assert passed_again(commands, 0, [first, second, Landing(0, 20, 3)], [[2]]) == [True]
    # a jump into another body, which ends there
    third, three = _call(3, 30, 31, 4)
    crossing = [*commands, *three, _command(10, 30), _command(30, 31)]
    assert passed_again(crossing, 0, [first, second, third], [[2]]) == [True]


def _program(random: Random) -> tuple[list[Command], list[Crossing]]:
    """A main part and bodies, each with jumps in itself and calls of any body."""
    commands, calls = list[Command](), list[Crossing]()
    for body in range(_BODIES + 1):
        start = 10 * body
        for place in range(start, start + _SIZE):
            target = random.randrange(start, start + _SIZE + 1)
            if random.random() < 0.4 and body < _BODIES:
                called = random.randrange(1, _BODIES + 1)
                call, made = _call(place, 10 * called, 10 * called + _SIZE, target)
                calls.append(call)
                commands += made
            else:
                commands.append(_command(place, target))
                commands += [_command(place, place + 1)] if random.random() < 0.3 else []
    return commands, calls


def _executions(commands: Sequence[Command], calls: Collection[Crossing], random: Random) -> Iterator[list[int]]:
    """The places of some executions, in order; calls come back where they were made."""
    ends = {(call.at, call.entry): call for call in calls if isinstance(call, SharedCall)}
    backs = {(call.hub, call.back) for call in calls if isinstance(call, SharedCall)}
    for _ in range(40):
        place, stack, passed = 0, list[SharedCall](), [0]
        for _ in range(60):
            ways = [it for it in commands if it.source == place]
            ways = [it for it in ways if (place, it.target) not in backs or (stack and stack[-1].hub == place)]
            if not ways:
                break
            target = random.choice(ways).target
            if (call := ends.get((place, target))) is not None:
                stack.append(call)
            elif (place, target) in backs:
                target = stack.pop().back
            place = target
            passed.append(place)
        yield passed


def _missed(seed: int) -> list[int]:
    """The places that an execution of a random program passes twice, though they are not found."""
    random = Random(seed)
    commands, calls = _program(random)
    found = passed_again(commands, 0, calls, [[place] for place in range(10 * (_BODIES + 1))])
    executions = list(_executions(commands, calls, random))
    return [it for passed in executions for it in set(passed) if passed.count(it) > 1 and not found[it]]


@pytest.mark.parametrize("seed", range(60))
def test_what_an_execution_passes_twice_is_passed_again(seed: int) -> None:
    assert not _missed(seed)


@pytest.mark.parametrize("lost", ["before", "around"])
def test_a_way_that_is_forgotten_is_noticed(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    common = again._Passed.common

    def forgetful(self: again._Passed, other: again._Passed) -> again._Passed:
        return replace(common(self, other), **{lost: getattr(self, lost)})

    monkeypatch.setattr(again._Passed, "common", forgetful)
    assert any(map(_missed, range(60)))
