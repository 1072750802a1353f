"""Exact reductions: blocks of locations that the judgments cannot tell apart, and writers that may as well stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duet.interference.access import Access
from duet.interference.system import Move, System


@dataclass(frozen=True, slots=True)
class BlockGraph:
    """A partition of the locations: the block of a location is known by its head.

    `visible` are the moves into heads; all others are silent and stay in a block.
    """

    heads: tuple[int, ...]
    head_of: Mapping[int, int]
    visible: tuple[Move, ...]


def unreduced(system: System) -> BlockGraph:
    """The faithful graph: every location is its own block."""
    return BlockGraph(tuple(system.holds), {location: location for location in system.holds}, system.moves)


def pair_graph(system: System) -> BlockGraph:
    """The graph of blocks for coreachable pairs."""
    return unreduced(system)


def pack_graphs(system: System, accesses: Mapping[int, Access]) -> Mapping[int, BlockGraph]:
    """The graph of blocks for each pack."""
    whole = unreduced(system)
    return dict.fromkeys(accesses, whole)
