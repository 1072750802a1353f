"""Tables of numbers by pack and location do what dictionaries do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duet.flow.table import Table

PLACES = st.dictionaries(st.integers(0, 3), st.frozensets(st.integers(0, 30)), min_size=1)
NUMBERS = st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 30), st.integers(0, 9)), max_size=30)


@given(PLACES, NUMBERS)
def test_a_table_and_its_copies_hold_what_dictionaries_hold(
    places: dict[int, frozenset[int]], numbers: list[tuple[bool, int, int, int]]
) -> None:
    table, known = Table(places), dict[tuple[int, int], int]()
    other, copied = table, known
    for is_copied, pack, location, number in numbers:
        if is_copied:
            other, copied = table.copy(), dict(known)
        if location in places.get(pack, ()):
            table[pack, location] = known[pack, location] = number
    for found, expected in ((table, known), (other, copied)):
        assert dict(found.entries()) == dict(found.items()) == expected
        assert list(found) == sorted(expected)
        assert len(found) == len(expected)
        for key in ((pack, location) for pack in range(5) for location in range(40)):
            assert found.get(key) == expected.get(key)
            assert (key in found) == (key in expected)
    new = list(range(19, 9, -1))
    other.renumbered(new)
    assert dict(other.entries()) == {key: new[number] for key, number in copied.items()}
    if other is not table:
        assert dict(table.entries()) == known


def test_a_change_of_either_copy_is_none_of_the_other() -> None:
    table = Table({0: frozenset(range(4)), 1: frozenset((2,))})
    table[0, 1] = 5
    copy = table.copy()
    table[0, 1], copy[0, 2], copy[1, 2] = 6, 7, 8
    assert dict(table) == {(0, 1): 6}
    assert dict(copy) == {(0, 1): 5, (0, 2): 7, (1, 2): 8}
