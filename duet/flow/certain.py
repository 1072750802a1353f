"""What holds besides at locations of a program, whatever its data flows say.

`duet.flow.equalities` and `duet.coarsen.counting` find such atoms under invariants that hold in every execution.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from duet.plip.syntax import Atom

Certain: TypeAlias = Mapping[int, tuple[Atom, ...]]
"""Atoms that hold at a location in every execution: equalities of two cells, and bounds of one."""

NOTHING: Certain = MappingProxyType({})


def both(left: Certain, right: Certain) -> Certain:
    """What both say."""
    return {location: (*left.get(location, ()), *right.get(location, ())) for location in {**left, **right}}
