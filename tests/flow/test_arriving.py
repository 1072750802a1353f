"""Commands by pack and location: what dictionaries of sets hold, and unions of two of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duet.flow.arriving import Arriving

KEYS = st.tuples(st.integers(0, 2), st.integers(0, 9))
FLOWS = st.dictionaries(KEYS, st.frozensets(st.integers(0, 3)), max_size=8)
NONE: frozenset[int] = frozenset()


def arriving(flows: dict[tuple[int, int], frozenset[int]]) -> Arriving:
    found = Arriving({0: frozenset(range(10)), 1: frozenset((3,)), 2: frozenset()}, 10)
    found.update(flows)
    return found


@given(FLOWS, FLOWS, st.booleans())
def test_a_union_has_what_either_has_and_changes_neither(
    known: dict[tuple[int, int], frozenset[int]], more: dict[tuple[int, int], frozenset[int]], is_same_kind: bool
) -> None:
    before, other = arriving(known), arriving(more)
    found = before.united(other if is_same_kind else more)
    new = {key: known.get(key, NONE) | commands for key, commands in more.items() if commands - known.get(key, NONE)}
    assert dict(found.entries()) == dict(found.items()) == {**known, **new}
    assert (found is before) == (not new)
    assert before == known
    assert other == more


@given(FLOWS, KEYS, st.frozensets(st.integers(0, 3)))
def test_a_copy_changes_by_itself(
    known: dict[tuple[int, int], frozenset[int]], key: tuple[int, int], commands: frozenset[int]
) -> None:
    before = arriving(known)
    copy = before.copy()
    copy.put(key[0], (key[1],), commands)
    assert before == known
    assert copy == {**known, key: commands}
    del copy[key]
    assert key not in copy
    assert len(before) == len(known)
