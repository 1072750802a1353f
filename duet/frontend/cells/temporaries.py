"""The cells for intermediate values, and what is known of each where it was made."""

from __future__ import annotations

from dataclasses import dataclass, field

from duet.frontend.ctypes.types import CType, IntType, value_range
from duet.frontend.ctypes.values import Number


@dataclass
class Temporaries:
    """By name: `ranges` of the types; `sources`: the cells that they were read from; `constants`: all values that they
    may have. `copies` are ids of threads, and copies of such (see `convert.is_copy`). `wrapped`: the numbers that they
    were wrapped from, into which type, with the location behind that.
    """

    counter: int = 0
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    constants: dict[str, frozenset[int]] = field(default_factory=dict)
    copies: set[str] = field(default_factory=set)
    wrapped: dict[str, tuple[Number, IntType, int]] = field(default_factory=dict)

    def new(self, kind: CType) -> str:
        """The name of a new one of a type."""
        self.counter += 1
        name = f"${self.counter}"
        self.ranges[name] = value_range(kind)
        return name
