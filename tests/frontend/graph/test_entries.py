"""What a test of an entry of a constant table says of the index."""

from __future__ import annotations

import pytest

from duet.frontend.graph.entries import RUNS, split
from duet.plip.syntax import Formula, Lookup
from duet.plip.terms import add, compare, constant, negate, satisfies, variable

INDEX = variable("i")


def chosen(table: tuple[int, ...], condition: Formula, lookup: Lookup | None = None) -> tuple[list[int], list[int]]:
    """The indices that a condition and its negation leave, where the entry is the one that is read."""
    holds, fails = split(lookup or Lookup("$t", table, INDEX), condition)

    def left(formula: Formula) -> list[int]:
        return [i for i in range(len(table)) if any(satisfies(formula, {"$t": v, "i": i}) for v in (*table, -9))]

    return left(holds), left(fails)


@pytest.mark.parametrize("relation", ["==", "!=", "<=", ">="])
@pytest.mark.parametrize("table", [(5, 7, 0), (0, 0, 1), (3,), (7, 7)])
def test_indices_are_those_whose_entries_satisfy_the_condition(relation: str, table: tuple[int, ...]) -> None:
    condition = compare(variable("$t"), relation, constant(5))
    holds = [satisfies(condition, {"$t": entry}) for entry in table]
    yes, no = chosen(table, condition)
    assert yes == [i for i, is_chosen in enumerate(holds) if is_chosen]
    assert no == [i for i, is_chosen in enumerate(holds) if not is_chosen]


def test_of_many_runs_only_the_ends_are_told() -> None:
    table = (1, 0) * (RUNS + 1)
    yes, _ = chosen(table, compare(variable("$t"), "==", constant(1)))
    assert yes == list(range(len(table) - 1))


@pytest.mark.parametrize(
    "condition",
    [
        compare(variable("i"), "==", constant(1)),
        compare(add(variable("$t"), variable("i")), "==", constant(1)),
    ],
)
def test_other_conditions_say_nothing_of_the_index(condition: Formula) -> None:
    lookup = Lookup("$t", (5, 7), INDEX)
    assert split(lookup, condition) == (condition, negate(condition))


def test_cells_that_others_may_write_say_nothing() -> None:
    condition = compare(variable("g"), "==", constant(5))
    assert split(Lookup("g", (5, 7), INDEX), condition) == (condition, negate(condition))
    own = compare(variable("$t"), "==", constant(5))
    assert split(Lookup("$t", (5, 7), variable("$t")), own) == (own, negate(own))
