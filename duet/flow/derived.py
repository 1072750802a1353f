"""Linear expressions as cells of their own: ghosts that always have the value of what checks and guards compare.

*Source*: auxiliary variables (Owicki and Gries 1976); templates of linear constraints (Sankaranarayanan et al. 2005)
for the idea to bound chosen expressions. Each command that changes a cell of an expression sets its ghost in the same
step, so that the ghost equals the expression in every state. Nothing else reads it, so that the program does what it
did: no verdict rests on a ghost being right, only the words of a certificate do, in which the expressions stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import gcd

from duet.plip.syntax import Assert, Assign, Atomic, Cell, Command, Formula, Guard, Instruction, Linear, Program, Step
from duet.plip.terms import add, atoms, evaluate, show_term, substitute, term_cells, variable

MOST = 6
"""Expressions of a program that become cells."""


@dataclass(frozen=True)
class Derived:
    """A program with ghosts and as it is without, what each stands for, and the bounds of it that checks mention."""

    plain: Program
    program: Program
    meanings: Mapping[str, Linear] = field(default_factory=dict)
    limits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def derived(
    program: Program, open_checks: Collection[int], concerned: Collection[str], is_stable: Callable[[str, int], bool]
) -> Derived:
    """Ghosts for expressions of `open_checks`, and of guards over cells `concerned`, that octagons cannot bound.

    An expression is over globals alone, or over locals of one template with globals that nobody else can write while
    a thread runs it (`is_stable`): nobody changes it unseen. One over locals that are copies of globals comes with that
    over these. *Approximates*: exact; which there are decides about precision and time only.
    """

    def is_kept(term: Linear) -> bool:
        cells = [program.cells[name] for name, _ in term.terms]
        owners = {cell.template for cell in cells} - {None}
        places = [place for place, owner in program.template_of.items() if owner in owners]
        shared = [cell.name for cell in cells if cell.template is None]
        is_plain = len(owners) <= 1 and not any(cell.summary for cell in cells)
        return is_plain and all(is_stable(name, place) for name in shared for place in places)

    limits: dict[Linear, set[int]] = {}
    compared = dict.fromkeys(_compared(program, open_checks, frozenset(concerned)))
    for term, constant in (found for found in compared if is_kept(found[0])):
        limits.setdefault(term, set()).update((constant, -constant))
    copies = _copies(program)
    for term in tuple(limits):
        copied = _over_globals(program, term, copies)
        if copied is not None:
            limits.setdefault(copied, set()).update(limits[term])
    chosen = tuple(limits)[:MOST]
    if not chosen:
        return Derived(program, program)
    names = {f"~{number}": term for number, term in enumerate(chosen)}  # behind all others in the order of names
    cells = {name: _ghost(program, name, term) for name, term in names.items()}
    visible = {
        owner: {name: term for name, term in names.items() if cells[name].template in (None, owner)}
        for owner in program.templates
    }
    commands = tuple(_extended(command, visible[program.template_of[command.source]]) for command in program.commands)
    return Derived(
        program,
        replace(program, cells={**program.cells, **cells}, commands=commands),
        names,
        {name: tuple(sorted(limits[term])) for name, term in names.items()},
    )


def _compared(
    program: Program, open_checks: Collection[int], concerned: frozenset[str]
) -> Iterator[tuple[Linear, int]]:
    """Expressions without their constants, those of open checks first, with what they are compared with."""
    for index in sorted(open_checks):
        instruction = program.commands[index].instruction
        if isinstance(instruction, Assert):
            yield from _weighted(instruction.condition)
    for command in program.commands:
        steps = command.instruction.steps if isinstance(command.instruction, Atomic) else (command.instruction,)
        for step in steps:
            if isinstance(step, Guard):
                yield from (it for it in _weighted(step.condition) if term_cells(it[0]) & concerned)


def _weighted(condition: Formula) -> Iterator[tuple[Linear, int]]:
    """The expressions of a condition that have three cells or more, or coefficients that are not of one size."""
    for atom in atoms(condition):
        terms = atom.term.terms
        if len(terms) < 2 or (len(terms) == 2 and abs(terms[0][1]) == abs(terms[1][1])):
            continue
        divisor = gcd(*(k for _, k in terms)) * (1 if terms[0][1] > 0 else -1)
        bound = atom.term.constant // divisor
        yield Linear(tuple((name, k // divisor) for name, k in terms)), bound


def _copies(program: Program) -> Mapping[str, Linear]:
    """The globals that cells are copies of somewhere."""
    copies: dict[str, Linear] = {}
    for command in program.commands:
        match command.instruction:
            case Assign(target, Linear(((source, 1),), 0)) if program.cells[source].template is None:
                copies.setdefault(target, variable(source))
            case _:
                continue
    return copies


def _over_globals(program: Program, term: Linear, copies: Mapping[str, Linear]) -> Linear | None:
    """The expression over the globals that its locals are copies of somewhere; None where one is no copy."""
    is_copied = all(program.cells[name].template is None or name in copies for name, _ in term.terms)
    found = substitute(term, copies) if is_copied else None
    if (
        found is None
        or found == term
        or len(found.terms) < len(term.terms)
        or any(program.cells[n].summary for n, _ in found.terms)
    ):
        return None
    return found


def _ghost(program: Program, name: str, term: Linear) -> Cell:
    """The cell that has the value of an expression; its first value is known where all others' are."""
    cells = {cell: program.cells[cell] for cell, _ in term.terms}
    template = next((cell.template for cell in cells.values() if cell.template is not None), None)
    first = {cell: it.lo for cell, it in cells.items() if it.lo is not None and it.lo == it.hi}
    known = evaluate(term, first) if template is None and len(first) == len(cells) else None
    return Cell(name, template, False, known, known, show_term(term))


def _extended(command: Command, names: Mapping[str, Linear]) -> Command:
    """A command that also sets the ghosts of what it changes."""
    instruction: Instruction = command.instruction
    steps = instruction.steps if isinstance(instruction, Atomic) else (instruction,)
    found = [new for step in steps for new in _followed(step, names)]
    if len(found) == len(steps):
        return command
    return replace(command, instruction=Atomic(tuple(found)))


def _followed(step: Instruction, names: Mapping[str, Linear]) -> Iterator[Step]:
    """A step with those that set the ghosts: by what it adds where that is one cell or a number, else anew."""
    target = getattr(step, "target", None)
    touched = {name: dict(term.terms)[target] for name, term in names.items() if target in term_cells(term)}
    added = add(step.value, variable(step.target), -1) if isinstance(step, Assign) and touched else None
    is_added = added is not None and target not in term_cells(added) and len(added.terms) <= 1
    if added is not None and is_added:
        yield from (Assign(name, add(variable(name), added, factor)) for name, factor in touched.items())
    yield step  # type: ignore[misc]  # checks, spawns and joins change no cell here and are alone
    for name in () if is_added else touched:
        yield Assign(name, names[name])
