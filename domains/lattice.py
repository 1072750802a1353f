"""The contract of every abstract domain, and the one value that all of them use for the empty set.

A domain is an object with operations on immutable, hashable values; it keeps no state that changes a result. For all
values of the same dimension, with `x in a` for "the concrete state x is described by a":

- `leq` is reflexive and transitive, and `leq(a, b)` entails: every `x in a` is in `b`. It may say no too often.
- `join(a, b)` contains both; `meet(a, b)` contains every x that is in both.
- `widen(a, b)` (*Requires* `leq(a, b)`) contains both, and every chain `a := widen(a, join(a, b_i))` gets stuck, where
  "stuck" is seen by `leq(b_i, a)`. The result goes into the next `widen` as it is, never through another operation.
- `narrow(a, b)` (*Requires* `leq(b, a)`) lies between `b` and `a`, and every chain `a := narrow(a, b_i)` gets stuck.
- Transfer operations over-approximate. They need not be monotone, so a solver must not rely on that.

`tests/domains/laws.py` states these laws as properties; a domain is enrolled by giving generators of its values.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class Bottom(Enum):
    """The type of `BOTTOM`, the empty set of states, whatever the number of variables."""

    BOTTOM = "bottom"

    # Enum hashes its name in Python code; there is one member, and it is hashed often.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return "bottom"


BOTTOM: Final = Bottom.BOTTOM
