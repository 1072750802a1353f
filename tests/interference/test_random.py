"""Random instances: every engine, with and without reductions, gives exactly what the reference derives.

`DUET_INSTANCES` sets how many instances (by default few); `--slow` runs thousands.
"""

from __future__ import annotations

import os

import pytest

from datalog.engine import Engine
from duet.interference import compress, explain
from duet.interference.explain import Explanations
from duet.interference.solve import Flows, feasible_flows
from duet.interference.system import build_system
from tests.datalog.engines import ALL, engine_or_skip
from tests.interference.reference import Instance, Reference, instance_effects, random_instance

# Souffle starts a process for each question, so it gets fewer instances.
SHARE = {"bitset": 1, "clingo": 2, "souffle": 10}
COUNT = int(os.environ.get("DUET_INSTANCES", "150"))
MANY = 4000


def analysed(instance: Instance, engine: Engine, *, reduce: bool) -> Flows:
    command_effects = instance_effects(instance)
    return feasible_flows(
        instance.program,
        command_effects,
        instance.packing,
        instance.everywhere,
        instance.annotation,
        engine,
        reduce=reduce,
    )


def triples(flows: Flows) -> set[tuple[int, int, int]]:
    return {(d, pack, at) for (pack, at), commands in flows.inter.items() for d in commands}


def _compare(engine: Engine, seeds: range) -> None:
    for seed in seeds:
        instance = random_instance(seed)
        reference = Reference(instance)
        locations = sorted(instance.program.template_of)
        for reduce in (True, False):
            flows = analysed(instance, engine, reduce=reduce)
            assert triples(flows) == reference.flows, f"seed {seed}, reduce={reduce}"
            pairs = {(a, b) for a in locations for b in locations if flows.coreachable(a, b)}
            assert pairs == reference.coreach, f"seed {seed}, reduce={reduce}"


@pytest.mark.parametrize("name", ALL)
def test_same_as_the_reference(name: str) -> None:
    _compare(engine_or_skip(name), range(COUNT // SHARE[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_same_as_the_reference_thousands_of_times(name: str) -> None:
    _compare(engine_or_skip(name), range(COUNT, COUNT + MANY // SHARE[name]))


def test_instances_are_not_trivial() -> None:
    """The instances have flows, pairs that are blocked, and blocks of several locations."""
    flows = fewer = 0
    for seed in range(60):
        instance = random_instance(seed)
        reference = Reference(instance)
        flows += len(reference.flows)
        stats = analysed(instance, engine_or_skip("bitset"), reduce=True).stats
        fewer += stats["blocks"] < len({a for a, _ in reference.coreach})
    assert flows > 300
    assert fewer > 10


@pytest.mark.parametrize("rounds", [0, 1])
def test_giving_up_on_back_edges_changes_nothing(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compress, "_ROUNDS", rounds)
    for seed in range(60):
        instance = random_instance(seed)
        flows = analysed(instance, engine_or_skip("bitset"), reduce=True)
        assert triples(flows) == Reference(instance).flows, f"seed {seed}"


def test_only_wanted_locations_are_answered() -> None:
    for seed in range(40):
        instance = random_instance(seed)
        wanted = {
            pack: frozenset(sorted(places)[seed % 3 :: 3]) for pack, places in instance.everywhere.items() if pack
        }
        command_effects = instance_effects(instance)
        found = feasible_flows(
            instance.program, command_effects, instance.packing, wanted, instance.annotation, engine_or_skip("bitset")
        )
        expected = {(d, pack, at) for d, pack, at in Reference(instance).flows if at in wanted.get(pack, ())}
        assert triples(found) == expected, f"seed {seed}"


def test_every_flow_has_a_witness_and_nothing_else_has() -> None:
    for seed in range(25):
        instance = random_instance(seed)
        reference = Reference(instance)
        commands, packs = range(len(instance.program.commands)), range(len(instance.packing.packs))
        everything = {(d, x, at) for d in commands for x in packs for at in sorted(instance.program.template_of)}
        command_effects = instance_effects(instance)
        system = build_system(instance.program, command_effects, instance.annotation)
        explanations = Explanations(instance.program, command_effects, instance.packing, system)
        for flow in sorted(reference.flows)[:15]:
            steps = explanations.of(flow)
            assert steps is not None, f"seed {seed}, {flow}"
            assert _is_witness(reference, steps, flow), f"seed {seed}, {flow}: {steps}"
        for flow in sorted(everything - reference.flows)[::40]:
            assert explanations.of(flow) is None, f"seed {seed}, {flow}"


def test_what_is_searched_for_all_flows_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = next(found for found in map(random_instance, range(25)) if Reference(found).flows)
    flows = sorted(Reference(instance).flows)
    command_effects = instance_effects(instance)
    system = build_system(instance.program, command_effects, instance.annotation)
    monkeypatch.setattr(explain, "TOTAL", 100)
    explanations = Explanations(instance.program, command_effects, instance.packing, system)
    assert explanations.of(flows[0]) is not None
    monkeypatch.setattr(explain, "TOTAL", 1)
    assert Explanations(instance.program, command_effects, instance.packing, system).of(flows[0]) is None


def _is_witness(reference: Reference, steps: tuple[tuple[int, int], ...], flow: tuple[int, int, int]) -> bool:
    """Whether the steps can be taken in this order and end with the flow.

    A state is `(writer, reader, definition of the pack)`, with None as the reader before the lineages split.
    """
    definition, pack, location = flow
    program, cells = reference.program, set(reference.packing.packs[pack])
    entry = program.templates[program.main].entry
    states: set[tuple[int, int | None, int | None]] = {(entry, None, None)}
    for lineage, index in steps:
        command, following = program.commands[index], set[tuple[int, int | None, int | None]]()
        child = reference.child(command)
        targets = [command.target] if child is None else [command.target, child]
        effect = reference.effects[index]
        for writer, reader, last in states:
            if reader is None:
                if writer == command.source:
                    following |= {(target, None, None) for target in targets}
                    if child is not None:
                        following.add((command.target, child, None) if lineage == 1 else (child, command.target, None))
            elif lineage == 1 and writer == command.source and not reference.blocked(reader, index):
                kept = index if effect.writes & cells else last
                following |= {(target, reader, kept) for target in targets}
            elif lineage == 2 and reader == command.source and not reference.blocked(writer, index):
                following |= {(writer, target, None if effect.kills & cells else last) for target in targets}
        states = following
    return any(
        reader == location and last == definition and writer not in reference.inside for writer, reader, last in states
    )
