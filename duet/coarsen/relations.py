"""What a relational domain works on: the program and the packs that a fixpoint of another domain makes possible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial

from duet.flow.certain import Certain
from duet.flow.dfg import DataFlowGraph
from duet.flow.effects import effects
from duet.flow.equalities import equalities
from duet.flow.forward import forwarded, forwarding
from duet.flow.mixed import related_by
from duet.flow.packs import Packing, related, without_others
from duet.flow.questions import questions
from duet.interference.conditions import conditions_of_guards, observable_conditions
from duet.interference.sections import Sections
from duet.interference.solve import Flows
from duet.interference.stable import Stability
from duet.plip.syntax import (
    Assign,
    Atom,
    Atomic,
    Compute,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import formula_cells, term_cells
from duet.plip.touched import reads


def relational(
    graph: DataFlowGraph, flows: Flows, open_checks: frozenset[int], limit: int, is_sparse: bool = False
) -> tuple[Program, Packing]:
    """The program with globals for their copies, and packs for it of at most `limit` cells.

    *Requires*: `flows` are feasible under invariants that hold in every execution. `open_checks` are the commands whose
    checks shall be proved; cells that a lock protects meet in a pack if these may depend on one of them, those first
    that are not only copied: elements of a ring leave no room for what counts them. If it `is_sparse`, so do all cells.
    """
    program = graph.program
    stability = Stability(flows, graph.effects)
    sections = Sections(program, graph.effects, stability)
    forwarded_over = forwarding(program, stability.is_stable, sections.is_inside)
    all_forwarded = forwarded_over(None)
    wanted = tuple(concerned(all_forwarded, open_checks))
    asked = _asked(all_forwarded)
    at_once, protected = tuple(changed_at_once(all_forwarded, wanted)), tuple(sections.protected(wanted))
    first, guarded = (tuple(_parts(groups, asked)) for groups in (at_once, protected))
    rest = (*guarded, *protected, *at_once)
    packing = related(all_forwarded, limit, first, protected=rest, are_apart=sections.are_apart)
    if is_sparse:
        packing = without_others(packing, wanted)
    cells = frozenset(cell for pack in packing.packs if len(pack) > 1 for cell in pack)
    return forwarded_over(cells), packing


def exposed(graph: DataFlowGraph, flows: Flows) -> Program:
    """The program with globals for their copies, if guards then say more of globals, through which threads are blocked.

    What only checks would say is not worth a fixpoint: nobody waits for a check. *Requires*: as `relational`.
    """
    program = graph.program
    stability = Stability(flows, graph.effects)
    found = forwarded(program, stability.is_stable, Sections(program, graph.effects, stability).is_inside)
    is_new = conditions_of_guards(found) - frozenset(observable_conditions(program))
    return found if is_new else program


def certain_equalities(graph: DataFlowGraph, flows: Flows, besides: Collection[str] = ()) -> Certain:
    """The equalities of copies with globals that hold in every execution and may tell something.

    `besides` are cells of which more is known than the graph says. *Requires*: `flows` are feasible under invariants
    that hold in every execution.
    """
    observed = {cell for atom in observable_conditions(graph.program) for cell in term_cells(atom.term)}
    return equalities(graph.program, Stability(flows, graph.effects).is_stable, sorted(observed.union(besides)))


def _asked(program: Program) -> frozenset[str]:
    """The cells that commands compare or compute with, rather than copy: elements of arrays are none, mostly."""
    found = set[str]()
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(_, Linear(((_, 1),), 0)):
                    continue
                case _:
                    found |= reads(step)
    return frozenset(found)


def _parts(groups: Iterable[tuple[str, ...]], cells: Collection[str]) -> Iterator[tuple[str, ...]]:
    """What groups have of some cells, if that is several."""
    parts = (tuple(cell for cell in group if cell in cells) for group in groups)
    return (part for part in parts if len(part) > 1)


def changed_at_once(program: Program, concerned: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The globals that one command changes together, if one of them is concerned: nobody sees them in between."""
    cells = frozenset(concerned)
    for effect in effects(program):
        written = sorted(cell for cell in effect.writes if program.cells[cell].template is None)
        if len(written) > 1 and not cells.isdisjoint(written):
            yield tuple(written)


def met_by_copies(
    program: Program, concerned: Collection[str], is_stable: Callable[[str, int], bool]
) -> Iterator[tuple[str, ...]]:
    """The globals that a thread relates to each other, or copies or sums of them, if one of them is concerned.

    One of them is not stable then: who owns one end of a ring knows the other one by a copy. What such threads know of
    both is true in between, too, so far as others change each end one way. Or what relates them may wrap around: what
    that says of them is only known once it is known that it does not.
    """
    copied: dict[str, set[str]] = defaultdict(set)
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, Linear(((source, 1),))) if program.cells[target].template is not None:
                    copied[target].add(source)
                case Compute(target, Operation.WRAP, (value, *_)) if program.cells[target].template is not None:
                    copied[target].update(term_cells(value))
                case _:
                    continue
    below = cache(partial(_below, copied))
    cells = frozenset(concerned)
    found: dict[tuple[str, ...], None] = {}
    for command in program.commands:
        is_wrapped = any(isinstance(step, Compute) for step in steps(command.instruction))
        for group in related_by(command.instruction):
            known = group.union(*map(below, group))
            met = tuple(sorted(it for it in known if _is_shared(program, it)))
            is_known = not is_wrapped and all(is_stable(it, command.source) for it in met)
            if len(met) > 1 and not cells.isdisjoint(met) and not is_known:
                found[met] = None
    yield from sorted(found, key=len)


def _below(copied: Mapping[str, Collection[str]], cell: str) -> Collection[str]:
    """What a cell is a copy of, or made of, maybe by way of others."""
    found, work = {cell}, [cell]
    while work:
        new = set(copied.get(work.pop(), ())) - found
        found |= new
        work += new
    return found


def _is_shared(program: Program, cell: str) -> bool:
    return program.cells[cell].template is None and not program.cells[cell].summary


def concerned(program: Program, open_checks: frozenset[int], are_wrapped: bool = False) -> Iterable[str]:
    """The cells that open checks may depend on through assignments, near ones first.

    If they `are_wrapped`, so too through those of numbers that may have to be wrapped around.
    """
    work: list[str] = []
    for index in sorted(open_checks):
        work += sorted({cell for _, asked in questions(program, index) for cell in formula_cells(asked)})
    sources: dict[str, set[str]] = {}
    for command in program.commands:
        for target, read in _copied(command.instruction, are_wrapped):
            sources.setdefault(target, set()).update(read)
    found = dict.fromkeys(work)
    for cell in work:
        new = sorted(sources.get(cell, frozenset()) - found.keys())
        found.update(dict.fromkeys(new))
        work += new
    return found


def _copied(instruction: Instruction, are_wrapped: bool) -> Iterator[tuple[str, frozenset[str]]]:
    match instruction:
        case Assign(target, value):
            yield target, term_cells(value)
        case Compute(target, Operation.WRAP, (value, *_)) if are_wrapped:
            yield target, term_cells(value)
        case Atomic(steps):
            computed: set[str] = set()
            for step in steps:
                yield from _copied(step, are_wrapped)
                match step:
                    case Compute(target):
                        computed.add(target)
                    case Guard(Atom(term, Relation.EQ)):  # what is computed is told by what it is equal to
                        for target in computed & term_cells(term):
                            yield target, term_cells(term) - {target}
                    case _:
                        pass
        case _:
            return
