"""The data flows of rounds of refinement, recomputed by the analysis itself.

The one part of checking a certificate that is not independent of the analysis: it runs once more, and its flows count
for a round only if it comes to the same annotations before that round as the certificate, which are checked by then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from duet.certificate.document import Layer
from duet.certificate.emit import steps
from duet.coarsen.loop import Inductive, analyse
from duet.flow.reaching import Defined, Merge, Node
from duet.options import AnalysisOptions
from duet.plip.syntax import Program

_INITIAL = -1


@dataclass(frozen=True)
class Rounds:
    """Implements `check.Refiner` for the layers of a certificate."""

    program: Program
    options: AnalysisOptions
    layers: Sequence[Layer]
    everywhere: bool = False

    def __call__(self, index: int) -> Flows | None:
        """The flows of the round that is layer `index`, if the analysis comes to the layers before it."""
        if index >= len(self._steps):
            return None
        own = [replace(layer, proved=frozenset()) for layer, _ in self._steps[:index]]
        if own != [replace(layer, proved=frozenset()) for layer in self.layers[:index]]:
            return None
        layer, step = self._steps[index]
        is_same = layer.facts == self.layers[index].facts and layer.rewritten == self.layers[index].rewritten
        return Flows(step) if is_same and step.is_refined else None

    @cached_property
    def _steps(self) -> tuple[tuple[Layer, Inductive], ...]:
        return tuple(steps(self.program, analyse(self.program, self.options, self.everywhere).fixpoints))


@dataclass(frozen=True)
class Flows:
    """Implements `check.RoundFlows` by the graph of a round."""

    step: Inductive

    def own(self, cells: tuple[str, ...] | None, location: int) -> Collection[int] | None:
        graph = self.step.graph
        pack = graph.own.reachable if cells is None else self._pack(cells)
        if pack is None or (pack, location) not in graph.own.at:
            return None
        return {_command(source) for source in graph.own_sources(pack, location)}

    def last(self, cells: tuple[str, ...], location: int) -> Collection[int] | None:
        own, pack = self.step.graph.own, self._pack(cells)
        bound = None if pack is None else own.bounds.get((pack, location))
        if bound is None:
            return None
        node = own.nodes[bound]
        assert isinstance(node, Merge)
        return {_command(own.nodes[index]) for index in node.inputs}

    def is_over(self, cells: tuple[str, ...], location: int, command: int) -> bool:
        pack = self._pack(cells)
        if pack is None or self.step.feasible is None:
            return False
        place = (pack, location)
        return command in self.step.feasible.get(place, ()) and command not in self.step.graph.inter.get(place, ())

    def _pack(self, cells: tuple[str, ...]) -> int | None:
        packing = self.step.graph.packing
        pack = packing.pack_of.get(cells[0])
        return pack if pack is not None and packing.packs[pack] == cells else None


def _command(node: Node) -> int:
    assert not isinstance(node, Merge)
    return node.command if isinstance(node, Defined) else _INITIAL
