"""What a test of an entry of a constant table says of the index."""

from __future__ import annotations

from duet.plip.syntax import FALSE, Atom, Formula, Lookup
from duet.plip.terms import compare, conjunction, constant, disjunction, holds, negate, term_cells

RUNS = 3
"""Runs of adjacent indices that a formula may list; more are left out."""


def split(lookup: Lookup, condition: Formula) -> tuple[Formula, Formula]:
    """The condition and its negation, each with the indices where the entry read by `lookup` satisfies it.

    A scan for the entry that ends a table, `table[i] != 0`, stays in the table because of that. *Requires*: nothing
    happened since the lookup, so the index is in the table (elsewhere it has no result). *Approximates*: exact.
    Only temporaries are considered: another thread may write to any other cell in between.
    """
    opposite = negate(condition)
    if not isinstance(condition, Atom) or len(condition.term.terms) != 1 or not lookup.index.terms:
        return condition, opposite
    (name, factor), offset = condition.term.terms[0], condition.term.constant
    is_private = name == lookup.target and name.startswith("$") and name not in term_cells(lookup.index)
    if not is_private:
        return condition, opposite
    chosen = [holds(factor * entry + offset, condition.relation) for entry in lookup.table]
    return (
        conjunction((condition, _within(lookup, chosen, True))),
        conjunction((opposite, _within(lookup, chosen, False))),
    )


def _within(lookup: Lookup, chosen: list[bool], wanted: bool) -> Formula:
    """The formula that the index is where `chosen` is `wanted`, or in the table at all if that is too long."""
    runs: list[tuple[int, int]] = []
    for place, value in enumerate(chosen):
        if value != wanted:
            continue
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    if not runs:
        return FALSE
    if len(runs) > RUNS:
        runs = [(runs[0][0], runs[-1][1])]
    index = lookup.index
    return disjunction(
        conjunction((compare(index, ">=", constant(low)), compare(index, "<=", constant(high)))) for low, high in runs
    )
