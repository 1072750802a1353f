"""What a relational domain works on: the program and the packs that a fixpoint of another domain makes possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from duet.flow.dfg import DataFlowGraph
from duet.flow.equalities import Equalities, equalities
from duet.flow.forward import forwarded
from duet.flow.packs import Packing, related
from duet.interference.conditions import observable_conditions
from duet.interference.locksets import Locks
from duet.interference.solve import Flows
from duet.interference.stable import Stability
from duet.plip.syntax import Assert, Assign, Atomic, Instruction, Program
from duet.plip.terms import formula_cells, term_cells


def relational(graph: DataFlowGraph, flows: Flows, open_checks: frozenset[int], limit: int) -> tuple[Program, Packing]:
    """The program with globals for their copies, and packs for it of at most `limit` cells.

    *Requires*: `flows` are feasible under invariants that hold in every execution. `open_checks` are the commands whose
    checks shall be proved; cells that a lock protects meet in a pack if these may depend on one of them.
    """
    program = graph.program
    stability = Stability(flows, graph.effects)
    locks = Locks(program, graph.effects, stability)
    all_forwarded = forwarded(program, stability.is_stable, locks.is_held)
    together = _by_concern(locks.protected(), _concerned(all_forwarded, open_checks))
    packing = related(all_forwarded, limit, together)
    cells = frozenset(cell for pack in packing.packs if len(pack) > 1 for cell in pack)
    return forwarded(program, stability.is_stable, locks.is_held, cells), packing


def certain_equalities(graph: DataFlowGraph, flows: Flows) -> Equalities:
    """The equalities of copies with globals that hold in every execution and may tell something.

    *Requires*: `flows` are feasible under invariants that hold in every execution.
    """
    observed = {cell for atom in observable_conditions(graph.program) for cell in term_cells(atom.term)}
    return equalities(graph.program, Stability(flows, graph.effects).is_stable, sorted(observed))


def _by_concern(groups: Iterable[tuple[str, ...]], concerned: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """The groups with a cell of concern, such cells first."""
    for group in groups:
        if any(cell in concerned for cell in group):
            yield tuple(sorted(group, key=lambda cell: (concerned.get(cell, len(concerned)), cell)))


def _concerned(program: Program, open_checks: frozenset[int]) -> Mapping[str, int]:
    """The cells that open checks may depend on, with how far they are: through copies, one by one."""
    distance: dict[str, int] = {}
    work: list[str] = []
    for index in sorted(open_checks):
        instruction = program.commands[index].instruction
        if isinstance(instruction, Assert):
            for cell in sorted(formula_cells(instruction.condition)):
                if cell not in distance:
                    distance[cell] = 0
                    work.append(cell)
    sources: dict[str, set[str]] = {}
    for command in program.commands:
        for target, read in _copied(command.instruction):
            sources.setdefault(target, set()).update(read)
    for cell in work:
        for source in sorted(sources.get(cell, ())):
            if source not in distance:
                distance[source] = distance[cell] + 1
                work.append(source)
    return distance


def _copied(instruction: Instruction) -> Iterator[tuple[str, frozenset[str]]]:
    match instruction:
        case Assign(target, value):
            yield target, term_cells(value)
        case Atomic(steps):
            for step in steps:
                yield from _copied(step)
        case _:
            return
