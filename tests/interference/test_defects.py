"""The comparison with the reference can fail: each seeded defect of the rules or reductions is noticed by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from datalog.bitset import Bitset
from datalog.relation import Row
from duet.flow.effects import Effects
from duet.flow.packs import Packing
from duet.interference import compress, facts, solve, system
from duet.interference.access import Access, accesses
from duet.interference.annotation import Annotation
from duet.interference.compress import BlockGraph
from duet.interference.conditions import negated, observable_conditions
from duet.interference.system import INSIDE, Move, System, build_system
from duet.plip import lifetimes
from duet.plip.multiplicity import Multiplicity
from duet.plip.syntax import Program
from tests.interference.reference import Reference, random_instance
from tests.interference.test_random import analysed, triples

INSTANCES = 1500


def _cut_off_without(monkeypatch: pytest.MonkeyPatch, forgotten: Callable[[], int]) -> None:
    original = facts._hindering

    def hindering(writers: Iterable[Row], holds: Mapping[int, int], starts: Iterable[int]) -> list[Row]:
        return original(writers, {block: held & ~forgotten() for block, held in holds.items()}, starts)

    monkeypatch.setattr(facts, "_hindering", hindering)


def _cut_off_without_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    joins: list[int] = [0]
    original = system.join_bits

    def join_bits(program: Program, conditions: int) -> Mapping[str, int]:
        found = original(program, conditions)
        joins[0] = sum(found.values())
        return found

    monkeypatch.setattr(system, "join_bits", join_bits)
    _cut_off_without(monkeypatch, lambda: joins[0])


def _cut_off_without_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    _cut_off_without(monkeypatch, lambda: INSIDE)


def _pruned_at_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step is refused where the other thread knows the negation of what is known at its target."""

    def build(program: Program, command_effects: Sequence[Effects], annotation: Annotation, *rest: Any) -> System:
        built = build_system(program, command_effects, annotation, *rest)
        shift = system._PSEUDO
        atoms = (1 << len(observable_conditions(program))) - 1

        def pruned(move: Move) -> Move:
            known = built.holds[move.target] >> shift & atoms
            return replace(move, refused=move.refused | negated(known) << shift)

        return replace(built, moves=tuple(map(pruned, built.moves)))

    monkeypatch.setattr(solve, "build_system", build)


def _changed_accesses(monkeypatch: pytest.MonkeyPatch, change: Callable[[Access], Access]) -> None:
    def changed(program: Program, command_effects: Sequence[Effects], packing: Packing) -> Mapping[int, Access]:
        return {pack: change(access) for pack, access in accesses(program, command_effects, packing).items()}

    monkeypatch.setattr(solve, "accesses", changed)


def _guards_kill_at_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    _changed_accesses(monkeypatch, lambda access: replace(access, overwrites=access.kills))


def _guards_spare_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    _changed_accesses(monkeypatch, lambda access: replace(access, kills=access.overwrites))


def _weak_writes_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    _changed_accesses(monkeypatch, lambda access: replace(access, overwrites=access.writes))


def _joins_of_many_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def always_one(program: Program) -> Mapping[str, Multiplicity]:
        return dict.fromkeys(program.templates, Multiplicity.ONE)

    for module in (system, lifetimes):
        monkeypatch.setattr(module, "multiplicities", always_one)


def _silent_without_asking_what_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves count as silent no matter what the move into the block has guaranteed."""
    original = compress._Flow.of

    def careless(given: System) -> compress._Flow:
        return replace(original(given), granted=dict.fromkeys(given.holds, -1))

    monkeypatch.setattr(compress._Flow, "of", careless)


def _one_graph_for_all_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph for pairs, in which no write is visible, serves every pack."""

    def same(given: System, base: BlockGraph, touched: Mapping[int, Access]) -> Mapping[int, BlockGraph]:
        return dict.fromkeys(touched, base)

    monkeypatch.setattr(solve, "pack_graphs", same)


DEFECTS = (
    _cut_off_without_joins,
    _cut_off_without_regions,
    _pruned_at_the_target,
    _guards_kill_at_the_writer,
    _guards_spare_the_reader,
    _weak_writes_kill,
    _joins_of_many_order,
    _silent_without_asking_what_refuses,
    _one_graph_for_all_packs,
)


def _first_difference() -> int | None:
    """The first instance on which the flows are not those of the reference."""
    for seed in range(INSTANCES):
        instance = random_instance(seed)
        if triples(analysed(instance, Bitset(), reduce=True)) != Reference(instance).flows:
            return seed
    return None


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__.strip("_"))
def test_defect_is_noticed(defect: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    defect(monkeypatch)
    assert _first_difference() is not None
