"""What invariants say of a location is the caller's own: to change it changes nothing for others."""

from __future__ import annotations

from duet.absint.equations import REACHED
from duet.coarsen.analysis import analyse
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program

TEXT = """global x = 0
thread main {
  local y
  x := * in 0..9
  y := x
  spawn other
  assert x == y
}
thread other { skip }
"""


def test_states_are_told_anew() -> None:
    found = analyse(parse_program(TEXT, "t.plip"), AnalysisOptions(domain="auto", engine="bitset"))
    (invariants,) = [it.invariants for it in found.fixpoints if it.graph.certain][:1]
    packs = sorted(invariants.space.packing.pack_of.values())
    for location in invariants.graph.certain:
        before = invariants.state(location, packs)
        told = dict(before)
        before.update(dict.fromkeys(before, REACHED))
        assert dict(invariants.state(location, packs)) == told
