"""Cases of states: what tells them apart, what they cover, and that too many are not made first."""

from __future__ import annotations

from unittest.mock import patch

from domains.registry import domain
from domains.values import number
from duet.absint.cases import MOST, WHOLE, Cases, Splitting
from duet.absint.state import Space, State
from duet.fixpoint.chaotic import Mode
from duet.flow.packs import Packing
from duet.plip.parser import parse_program

CELLS = tuple(f"x{i}" for i in range(8))
PROGRAM = parse_program("".join(f"global {cell} = 0\n" for cell in CELLS) + "thread main { skip }", "t.plip")


def _splitting(cells: tuple[str, ...]) -> Splitting:
    return Splitting(Space(PROGRAM, Packing((CELLS,)), domain("octagon")), cells)


def _state(splitting: Splitting, values: tuple[int, ...]) -> State:
    """Each of the cells has one of some values."""
    found = splitting.space.domain.top(len(CELLS))
    for position in range(len(CELLS)):
        one = number.of_members(frozenset(values))
        assert one is not None
        found = splitting.space.domain.assign_number(found, position, one)
    return {0: found}


def test_states_are_told_apart_by_values() -> None:
    splitting = _splitting(CELLS[:2])
    assert sorted(splitting.of([_state(splitting, (0, 1))])) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(splitting.of([_state(splitting, (0, 1))], WHOLE)) == [(None, None)]
    assert splitting.of([], WHOLE) == {}


def test_a_state_that_no_thread_is_in_has_no_case() -> None:
    """Program 515246 of the relational soak has one, which narrowing left behind."""
    splitting = _splitting(CELLS[:2])
    empty = splitting.space.domain.meet_number(_state(splitting, (0, 1))[0], 0, number.constant(5))
    assert splitting.of([{0: empty}]) == {}


def test_too_many_cases_are_noticed_before_all_are_made() -> None:
    """Of 6561 combinations a few are looked at, and what was made of equal values is not made again."""
    splitting = _splitting(CELLS)
    state, asked = _state(splitting, (0, 1, 2)), splitting.space.domain.meet_number
    with patch.object(splitting.space.domain, "meet_number", side_effect=asked) as counted:
        assert splitting.of([state]) == {(None,) * len(CELLS): state}
        first = counted.call_count
        splitting.of([state])
    assert first <= 3 * (len(CELLS) + MOST)
    assert counted.call_count == first


def test_only_what_no_case_covers_is_fresh() -> None:
    splitting = _splitting(CELLS[:1])
    old = splitting.of([_state(splitting, (0, 1))])
    inside, outside = _state(splitting, (1,)), _state(splitting, (1, 2))
    assert splitting.fresh([inside, outside, outside], old) == [outside]


def test_narrowing_loses_no_state_that_changes_its_case() -> None:
    """What was a case of its own is among all others, as they are, once there are too many."""
    splitting = _splitting(CELLS[:2])
    alone, others, fewer = (_state(splitting, values) for values in ((2,), (0, 1), (0,)))
    old: Cases = {(None, None): others, (2, 2): alone}
    moved: Cases = {(None, None): _state(splitting, (0, 2))}
    more: Cases = {(None, None): fewer, (3, 3): alone}
    for new in (moved, more):
        assert splitting.combined(old, new, Mode.LOWER, {}) == old
    lower: Cases = {(None, None): fewer, (2, 2): alone}
    assert splitting.combined(old, lower, Mode.LOWER, {}) == lower
