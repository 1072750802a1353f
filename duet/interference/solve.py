"""The data flows between threads that are feasible under an annotation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from datalog import ruleset
from datalog.engine import Engine, EngineFailure
from datalog.relation import Facts, Relations, Row
from datalog.syntax import Rules
from duet.errors import EngineError, ResourceLimit
from duet.flow.arriving import Arriving
from duet.flow.dfg import nothing_arrives
from duet.flow.effects import Effects
from duet.flow.packs import Packing
from duet.interference.access import accesses
from duet.interference.annotation import Annotation
from duet.interference.compress import pack_graphs, pair_graph, unreduced
from duet.interference.conditions import Conditions
from duet.interference.facts import FlowFacts, PairFacts, flow_facts, pair_facts
from duet.interference.system import INSIDE, System, build_system
from duet.plip.syntax import Program

STATISTICS = ("conditions", "blocks", "pack_blocks", "definitions", "tuples")


@dataclass(frozen=True)
class Flows:
    """What the interference analysis found.

    `inter` maps `(pack, location)` to the commands whose real write of a cell of the pack may reach that location from
    another thread; what is not a key has none. `stats` are counts; `system` is what `explain` searches.
    `question` is what all that depends on, and `conditions` what annotations have said of the program's.
    """

    inter: Mapping[tuple[int, int], frozenset[int]]
    stats: Mapping[str, int]
    system: System = field(repr=False)
    question: tuple[object, ...] = field(repr=False)
    conditions: Conditions = field(repr=False)
    _pairs: PairFacts = field(repr=False)
    _engine: Engine = field(repr=False)

    def coreachable(self, left: int, right: int) -> bool:
        """Whether one lineage may be at `left` while another is at `right`; computed at the first question."""
        block = self._pairs.block
        return left in block and right in block and (block[left], block[right]) in self._coreach

    def place(self, location: int) -> int | None:
        """What `coreachable` knows of a location: those with the same number are not told apart. None: not reached."""
        return self._pairs.block.get(location)

    @cached_property
    def _coreach(self) -> frozenset[Row]:
        return _run(self._engine, ruleset.interference(), self._pairs.relations, ("coreach",), None)["coreach"]


def feasible_flows(
    program: Program,
    command_effects: tuple[Effects, ...],
    packing: Packing,
    wanted: Mapping[int, frozenset[int]],
    annotation: Annotation,
    engine: Engine,
    *,
    before: Flows | None = None,
    reduce: bool = True,
    timeout: float | None = None,
) -> Flows:
    """The inter-thread flows of Fig. 3.4 under `annotation`, with the rules for spawn, join and atomic regions.

    `wanted[pack]` are the locations where the value of a pack is asked for; packs without a key are left out.
    `before` are the flows of this program under an annotation of the same space: what they know is not found out again.
    `reduce=False` makes every location a block of its own; the flows are the same.
    *Units*: `timeout` in seconds for each run of the engine.
    *Raises*: `EngineError`, `ResourceLimit`.
    """
    conditions = Conditions.of(program) if before is None else before.conditions
    system = build_system(program, command_effects, annotation, conditions)
    question = (system, wanted, reduce)
    if before is not None and before.question == question:
        return before
    if not system.starts:
        pairs = pair_facts(system, unreduced(system))
        return Flows(
            nothing_arrives(program, wanted), dict.fromkeys(STATISTICS, 0), system, question, conditions, pairs, engine
        )
    rules = ruleset.interference()
    graph = pair_graph(system) if reduce else unreduced(system)
    pairs = pair_facts(system, graph)
    observed = len({c for _, c in pairs.relations["holding"]})
    if reduce:
        met = sum(1 << c for (c,) in _run(engine, rules, pairs.relations, ("meets",), timeout)["meets"])
        system = system.without(~(met | INSIDE))
        graph = pair_graph(system)
        pairs = pair_facts(system, graph)
    touched = accesses(program, command_effects, packing)
    needed = {p: touched[p] for p in sorted(wanted) if p in touched and wanted[p] and touched[p].writes}
    graphs = pack_graphs(system, graph, needed) if reduce else dict.fromkeys(needed, unreduced(system))
    facts = flow_facts(system, pairs, graphs, needed, wanted, reduce=reduce)
    rows = _run(engine, rules, {**pairs.relations, **facts.relations}, ("flow",), timeout)["flow"]
    counts = observed, len(set(pairs.block.values())), len(facts.members), len(facts.definitions), len(rows)
    stats = dict(zip(STATISTICS, counts, strict=True))
    return Flows(
        _located(facts, rows, nothing_arrives(program, wanted)), stats, system, question, conditions, pairs, engine
    )


def _located(facts: FlowFacts, rows: frozenset[Row], result: Arriving) -> Arriving:
    """The commands that flow to each wanted location, from rows `(definition, block)`, in what is empty so far."""
    arriving: dict[int, list[int]] = defaultdict(list)
    for v, block in rows:
        arriving[block].append(v)
    # Many blocks get the same definitions, so their sets are made once and shared.
    shared: dict[frozenset[int], frozenset[int]] = {}
    for block, found in sorted(arriving.items()):
        pack, key = facts.definitions[found[0]][0], frozenset(found)
        commands = shared.get(key)
        if commands is None:
            commands = shared[key] = frozenset(command for v in found for command in facts.definitions[v][1])
        result.put(pack, facts.members[block], commands)
    return result


def _run(engine: Engine, rules: Rules, facts: Facts, outputs: tuple[str, ...], timeout: float | None) -> Relations:
    try:
        return engine.run(rules, facts, outputs, timeout)
    except EngineFailure as failure:
        if failure.timed_out:
            raise ResourceLimit("timeout", failure.message) from failure
        raise EngineError(failure.message, failure.command, failure.stderr) from failure
