"""Relations between engines and their callers: typed collections of number tuples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from datalog.syntax import Rules

Row: TypeAlias = tuple[int, ...]
Facts: TypeAlias = Mapping[str, Collection[Row]]
Relations: TypeAlias = Mapping[str, frozenset[Row]]

# Engines compute with signed 32-bit numbers; ours are indices, so negative ones are mistakes too.
LARGEST = 2**31 - 1


def checked(rules: Rules, facts: Facts) -> Facts:
    """`facts` with every input relation of `rules` present; relations that the rules do not read are left out.

    *Raises*: `ValueError` for a row of the wrong width or a number outside `0..LARGEST`.
    """
    result: dict[str, Collection[Row]] = {}
    for name in sorted(rules.inputs):
        rows, arity = facts.get(name, ()), rules.arity(name)
        if rows and (
            set(map(len, rows)) != {arity}
            or min(map(min, rows)) < 0
            or max(map(max, rows)) > LARGEST  # all at once is faster
        ):
            wrong = next(row for row in rows if len(row) != arity or min(row) < 0 or max(row) > LARGEST)
            raise ValueError(f"not a tuple of {name}: {wrong}")
        result[name] = rows
    return result
