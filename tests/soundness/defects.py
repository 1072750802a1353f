"""Seeded defects: the analysis with one rule made wrong, which the soundness tests must notice."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from importlib.resources import files
from math import gcd
from typing import Any, TypeAlias
from unittest.mock import patch

from datalog import ruleset
from datalog.parser import parse
from datalog.relation import Row
from datalog.syntax import Rules
from domains.numeric import Bound
from domains.values import number
from domains.values.number import Number
from duet.absint.state import Space, State
from duet.absint.transfer import post
from duet.coarsen.lineages import Lineages
from duet.coarsen.tracked import Tracked
from duet.flow.effects import Effects, instruction_effects
from duet.flow.packs import Packing
from duet.flow.reaching import Initial, _Builder
from duet.interference import system as system_module
from duet.interference.access import Access, accesses
from duet.interference.annotation import Annotation
from duet.interference.compress import BlockGraph, unsettled
from duet.interference.facts import FlowFacts, PairFacts, flow_facts, pair_facts
from duet.interference.solve import feasible_flows
from duet.interference.system import System, build_system
from duet.plip.multiplicity import Multiplicity, multiplicities
from duet.plip.syntax import Atom, Program, Spawn, Step
from duet.plip.terms import compare, constant, variable

Patches: TypeAlias = list[tuple[str, object]]
_Ranges: TypeAlias = tuple[tuple[int, int], ...]


def _no_spawn_edges() -> Patches:
    """A child starts with the initial values of the globals, not with what its parent knows."""
    original = _Builder._entry_inputs

    def entry_inputs(self: _Builder, pack: int, template: str) -> Iterable[int]:
        is_global = pack < len(self.packing.packs) and not self._is_local(pack)
        if is_global and template != self.program.main:
            return [self._add(Initial(pack, template))]
        return original(self, pack, template)

    return [("duet.flow.reaching._Builder._entry_inputs", entry_inputs)]


def _changed_accesses(change: Callable[[Access], Access]) -> Callable[..., Mapping[int, Access]]:
    def changed(program: Program, command_effects: Sequence[Effects], packing: Packing) -> Mapping[int, Access]:
        return {pack: change(access) for pack, access in accesses(program, command_effects, packing).items()}

    return changed


def _guards_kill_at_the_writer() -> Patches:
    """A guard of the writer ends its own write for everybody."""
    changed = _changed_accesses(lambda access: replace(access, overwrites=access.kills))
    return [("duet.interference.solve.accesses", changed)]


def _weak_writes_kill() -> Patches:
    """A write to a summary cell replaces all that it held."""

    def effects(program: Program) -> tuple[Effects, ...]:
        return tuple(instruction_effects(command.instruction, frozenset()) for command in program.commands)

    changed = _changed_accesses(lambda access: replace(access, overwrites=access.writes))
    return [("duet.flow.dfg.effects", effects), ("duet.interference.solve.accesses", changed)]


def _sections_replace_summaries() -> Patches:
    """In an atomic block, the last write to a summary cell replaces what it held and what was written before."""

    def atomic(space: Space, state: State, steps: tuple[Step, ...]) -> State | None:
        after: State | None = state
        for step in steps:
            after = None if after is None else post(space, after, step)
        return after

    return [("duet.absint.transfer.after_section", atomic)]


def _join_honoured_for_many() -> Patches:
    """Joining a template waits for its exit, no matter how many instances there are."""

    def always_one(program: Program) -> Mapping[str, Multiplicity]:
        return dict.fromkeys(program.templates, Multiplicity.ONE)

    return _counted_by(always_one)


def _two_sites_are_one() -> Patches:
    """A template that is spawned at two places counts as running once."""

    def too_few(program: Program) -> Mapping[str, Multiplicity]:
        spawned = [c.instruction.template for c in program.commands if isinstance(c.instruction, Spawn)]
        return {
            name: Multiplicity.ONE if spawned.count(name) == 2 else multiplicity
            for name, multiplicity in multiplicities(program).items()
        }

    return _counted_by(too_few)


def _counted_by(multiplicity: Callable[[Program], Mapping[str, Multiplicity]]) -> Patches:
    """Another count of instances where joining is understood."""
    return [(f"duet.{module}.multiplicities", multiplicity) for module in ("interference.system", "plip.lifetimes")]


_COMPATIBLE = """
// The invariants of blocks a0 and b0 do not contradict each other; likewise for blocks of a pack.
.decl fits(a0:number, b0:number)
.input fits
// The same for blocks of a pack.
.decl vfits(a:number, b:number)
.input vfits
"""


def _pruned_at_the_target() -> Patches:
    """A step is not taken when the invariants of the places where the two threads are then contradict each other."""

    ranges: dict[int, _Ranges] = {}

    def build(program: Program, command_effects: Sequence[Effects], annotation: Annotation, *rest: Any) -> System:
        system = build_system(program, command_effects, annotation, *rest)
        ranges.update((location, _ranges(program, annotation, location)) for location in system.holds)
        return system

    def more_pair_facts(system: System, graph: BlockGraph) -> PairFacts:
        found = pair_facts(system, graph)
        known = {found.block[head]: ranges[head] for head in graph.heads}
        fits: list[Row] = [(a, b) for a in known for b in known if _fit(known[a], known[b])]
        return replace(found, relations={**found.relations, "fits": fits})

    def more_flow_facts(system: System, pairs: PairFacts, *rest: Any, **keywords: Any) -> FlowFacts:
        found = flow_facts(system, pairs, *rest, **keywords)
        fitting = set(pairs.relations["fits"])
        blocks = found.relations["vblock"]
        vfits: list[Row] = [(a, b) for x, a0, a in blocks for y, b0, b in blocks if x == y and (a0, b0) in fitting]
        return replace(found, relations={**found.relations, "vfits": vfits})

    def pruning_rules() -> Rules:
        texts = {name: _rule_text(name) for name in ruleset.INTERFERENCE}
        texts["schema.dl"] += _COMPATIBLE
        for name, old, new in (
            ("coreachable.dl", "csig(b, t), cen(k, t).", "csig(b, t), cen(k, t), fits(d, b)."),
            ("may_reach.dl", "vsig(b, t), ven(k, t).", "vsig(b, t), ven(k, t), vfits(d, b)."),
            ("may_reach.dl", "vsig(a, t), ven(k, t).", "vsig(a, t), ven(k, t), vfits(a, d)."),
        ):
            assert old in texts[name], f"{name} has changed"
            texts[name] = texts[name].replace(old, new)
        return parse(tuple(texts.items()))

    return [
        ("duet.interference.solve.build_system", build),
        ("duet.interference.solve.pair_facts", more_pair_facts),
        ("duet.interference.solve.flow_facts", more_flow_facts),
        ("duet.interference.solve.ruleset.interference", pruning_rules),
        ("duet.coarsen.loop.feasible_flows", partial(feasible_flows, reduce=False)),
    ]


def _ranges(program: Program, annotation: Annotation, location: int) -> _Ranges:
    """Bounds of the globals at a location, as far as they are within -4..4; low above high where it is unreachable."""
    found: list[tuple[int, int]] = []
    for cell in program.globals:
        if not program.cells[cell].summary:
            above = [v for v in range(-4, 5) if _entails(annotation, location, cell, ">=", v)]
            below = [v for v in range(-4, 5) if _entails(annotation, location, cell, "<=", v)]
            found.append((max(above, default=-99), min(below, default=99)))
    return tuple(found)


def _entails(annotation: Annotation, location: int, cell: str, operator: str, value: int) -> bool:
    atom = compare(variable(cell), operator, constant(value))
    return isinstance(atom, Atom) and annotation.entails(location, atom)


def _fit(left: _Ranges, right: _Ranges) -> bool:
    return all(max(a, c) <= min(b, d) for (a, b), (c, d) in zip(left, right, strict=True))


def _rule_text(name: str) -> str:
    return (files("datalog") / "rules" / name).read_text(encoding="utf-8")


def _cut_off_without_joins() -> Patches:
    """A writer may stay before its exit although another thread waits for it there."""
    original_bits = system_module.join_bits
    joins = 0

    def join_bits(program: Program, conditions: int) -> Mapping[str, int]:
        nonlocal joins
        found = original_bits(program, conditions)
        joins = sum(found.values())
        return found

    def blind(successors: Mapping[int, Sequence[int]], holds: Mapping[int, int], starts: Iterable[int]) -> set[int]:
        return unsettled(successors, {block: held & ~joins for block, held in holds.items()}, starts)

    return [("duet.interference.system.join_bits", join_bits), ("duet.interference.facts.unsettled", blind)]


def _stale_copies() -> Patches:
    """A copy of a global counts as up to date although others may write the global."""
    return [("duet.interference.stable.Stability.is_stable", lambda _self, _cell, _location: True)]


def _excludes_too_much() -> Patches:
    """What is not a value inside of an interval is above it."""
    original = number.exclude

    def exclude(a: Number, value: int) -> Number | None:
        if a.members or not number.contains(a, value):
            return original(a, value)
        return number.of_class(value + 1, a.hi, a.modulus, a.residue) or a

    return [("domains.values.number.exclude", exclude)]


def _division_rounds_down() -> Patches:
    """Sets are divided as Python does it."""
    return [("domains.values.arithmetic.quotient", operator.floordiv)]


def _join_keeps_modulus() -> Patches:
    """Two congruences with the same modulus are joined as if they had the same residue."""

    def hull(lo: Bound, hi: Bound, a: Number, b: Number) -> Number | None:
        return number.of_class(lo, hi, gcd(a.modulus, b.modulus) or 1, a.residue)

    return [("domains.values.number.hull", hull)]


def _guards_overwrite() -> Patches:
    """A guard of the tracked thread ends the reader's own flows, as if it wrote."""
    return [("duet.flow.dfg.DataFlowGraph.packs_written", lambda self, command: self.defines[command])]


def _third_threads_stay() -> Patches:
    """Nobody but the reader and the tracked thread ever writes."""
    return [("duet.coarsen.tracked.Tracked.by_third", lambda _self, _pair, _definitions: 0)]


def _ancestors_stop() -> Patches:
    """A thread does nothing more once it has started the tracked one or the reader."""
    return [("duet.coarsen.lasting.Writes.after_leaving", lambda _self, _name, _reader: iter(()))]


def _one_of_many_is_tracked() -> Patches:
    """A template that a loop spawns again and again is tracked as if there were one instance."""

    def too_few(program: Program) -> Mapping[str, Multiplicity]:
        spawned = [c.instruction.template for c in program.commands if isinstance(c.instruction, Spawn)]
        return {
            name: Multiplicity.ONE if spawned.count(name) == 1 else multiplicity
            for name, multiplicity in multiplicities(program).items()
        }

    return [(f"duet.{module}.multiplicities", too_few) for module in ("coarsen.lineages", "plip.lifetimes")]


def _nobody_else_runs() -> Patches:
    """While one thread of a template runs, nothing does that it has to spawn first."""

    def running(self: Lineages, location: int) -> frozenset[str]:
        here = self.program.template_of[location]
        return self.before(here) | {here}

    return [("duet.coarsen.lineages.Lineages.running", running)]


def _begins_late() -> Patches:
    """What only the tracked thread leads to does not count even when that thread has begun."""
    return [("duet.coarsen.tracked.Tracked.is_begun", lambda _self, _tracked: False)]


def _invariants_hold_during_regions() -> Patches:
    """The invariants of a thread are taken to hold while another one is inside an atomic region."""
    original = Tracked.__init__

    def start(self: Tracked, lineages: Lineages, template: str) -> None:
        lineages.inside = frozenset()
        original(self, lineages, template)

    return [("duet.coarsen.tracked.Tracked.__init__", start)]


DEFECTS: Mapping[str, Callable[[], Patches]] = {
    "no-spawn-edges": _no_spawn_edges,
    "guards-kill-at-the-writer": _guards_kill_at_the_writer,
    "weak-writes-kill": _weak_writes_kill,
    "sections-replace-summaries": _sections_replace_summaries,
    "join-honoured-for-many": _join_honoured_for_many,
    "two-sites-are-one": _two_sites_are_one,
    "pruned-at-the-target": _pruned_at_the_target,
    "cut-off-without-joins": _cut_off_without_joins,
    "stale-copies": _stale_copies,
    "excludes-too-much": _excludes_too_much,
    "division-rounds-down": _division_rounds_down,
    "join-keeps-modulus": _join_keeps_modulus,
    "guards-overwrite": _guards_overwrite,
    "third-threads-stay": _third_threads_stay,
    "ancestors-stop": _ancestors_stop,
    "one-of-many-is-tracked": _one_of_many_is_tracked,
    "nobody-else-runs": _nobody_else_runs,
    "begins-late": _begins_late,
    "invariants-hold-during-regions": _invariants_hold_during_regions,
}


def engine_for(name: str) -> str:
    """The engine to run a defect with: the one in the rules needs an engine that reads them."""
    return "clingo" if name == "pruned-at-the-target" else "bitset"


@contextmanager
def seeded(name: str) -> Iterator[None]:
    """The analysis with a defect."""
    with ExitStack() as stack:
        for target, replacement in DEFECTS[name]():
            stack.enter_context(patch(target, replacement))
        yield
