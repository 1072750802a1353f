"""Which engines there are, and which one to use."""

from __future__ import annotations

from datalog.bitset import Bitset
from datalog.engine import Engine


def choose(name: str = "auto") -> Engine:
    """The engine of that name; `auto` is whichever is best here."""
    if name in ("auto", "bitset"):
        return Bitset()
    raise ValueError(f"no such engine: {name}")
