"""The values that are tried where a program may hold any: small ones, those next to the constants in it, the ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from duet.plip.execute import Samples
from duet.plip.live import live_cells
from duet.plip.syntax import Assert, Assign, Command, Compute, Guard, Havoc, Linear, Lookup, Operation, Program, steps
from duet.plip.terms import atoms

_MOST = 16
_FAR = 100
_RESULTS = 1_000
_FEW, _SEVERAL = 3, 12
_SMALL = 3  # values of the first set


def inputs(program: Program) -> frozenset[str]:
    """The cells whose first values are inputs of a program: the parameters of its threads."""
    return frozenset(cell for template in program.templates.values() for cell in template.parameters)


def in_turn(program: Program, is_exact: bool = False) -> tuple[Samples, ...]:
    """Sets of values to try in turn, as far as they differ: what fails for few inputs takes few states.

    With `is_exact` it makes no difference what cells hold at first that are no inputs.
    """
    whole = samples_of(program)
    if not whole.own and not _may_differ_at_first(program, is_exact):
        return (whole,)
    few = {cell: values[:_SMALL] for cell, values in whole.own.items()}
    small = replace(whole, havoc=whole.havoc[:_SMALL], initial=whole.initial[:_SMALL], own=few)
    most, far = len(whole.havoc), _values(program, is_far=True)
    extreme = Samples(havoc=far[:most], initial=far, own=dict(_own(program, far, most, is_far=True)))
    sets = (small, whole, extreme)
    return tuple(found for turn, found in enumerate(sets) if found not in sets[:turn])


def _may_differ_at_first(program: Program, is_exact: bool) -> bool:
    """Whether something is read that may hold one of several values at first."""
    live, given = live_cells(program), inputs(program)
    entries = {template.name: live[template.entry] for template in program.templates.values()}
    return any(
        (cell.lo is None or cell.lo != cell.hi)
        and (cell.template is None or cell.name in entries[cell.template])
        and (cell.name in given or not is_exact)
        for cell in program.cells.values()
    )


def samples_of(program: Program) -> Samples:
    """Values for nondeterministic assignments and for initial values, the likely ones first.

    They are tried in this order, and only so many that a choice among them is worth its states.
    """
    values = _values(program)
    most = _many_of(program)
    return Samples(havoc=values[:most], initial=values, own=dict(_own(program, values, most)))


def _values(program: Program, is_far: bool = False) -> tuple[int, ...]:
    """The constants of a program and what is next to them: the small ones, or the large ones (`is_far`)."""
    found = dict.fromkeys(() if is_far else (0, 1))
    for constant in sorted(set(_constants(program)), key=lambda value: (abs(value), value), reverse=is_far):
        found.update(dict.fromkeys((constant, constant + 1, constant - 1)))
    largest = max(map(abs, found), default=1)
    values = (*tuple(found)[:_MOST], _FAR * largest)  # so that no bound shows where there is none
    if any(cell.summary for cell in program.cells.values()):
        values = values[:_FEW]  # each read gives any value of a set, and each write makes it larger
    return values


def _own(
    program: Program, values: Sequence[int], most: int, is_far: bool = False
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The values for each cell that is assigned any: those next to what it is compared with first, and the largest.

    With `is_far` the ends of its range come first, then the largest of what it is compared with.
    """
    compared = _compared(program)
    for command in program.commands:
        for step in steps(command.instruction):
            if isinstance(step, Havoc):
                constants = sorted(compared.get(step.target, ()), key=abs, reverse=is_far)
                near = [c + d for c in constants for d in (0, 1, -1)] or values
                top, bottom = (() if end is None else (end,) for end in (step.hi, step.lo))
                first = (*top, *bottom, *near) if is_far else (*near[:2], *top, *near[2:])
                ordered = dict.fromkeys((*first, *values))
                inside = (v for v in ordered if (step.lo is None or step.lo <= v) and (step.hi is None or v <= step.hi))
                yield step.target, tuple(inside)[:most]


def _compared(program: Program) -> Mapping[str, frozenset[int]]:
    """The constants that each cell is compared with: by itself, by a copy of it, or as what another cell holds."""
    found = {cell.name: {cell.lo} for cell in program.cells.values() if cell.lo is not None and cell.lo == cell.hi}
    copies: list[tuple[str, str]] = []
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Guard(condition) | Assert(condition):
                    for atom in atoms(condition):
                        match atom.term:
                            case Linear(((cell, (1 | -1) as factor),), constant):
                                found.setdefault(cell, set()).add(-factor * constant)
                            case Linear(((one, 1), (other, -1)) | ((one, -1), (other, 1)), 0):
                                copies += [(one, other), (other, one)]
                            case _:
                                pass
                case Assign(target, Linear((), constant)):
                    found.setdefault(target, set()).add(constant)
                case Assign(target, Linear(((cell, 1),), 0)):
                    copies.append((target, cell))
                case _:
                    pass
    is_new = True
    while is_new:
        is_new = False
        for target, source in copies:
            more = found.get(target, set()) - found.get(source, set())
            if more:
                found.setdefault(source, set()).update(more)
                is_new = True
    return {cell: frozenset(constants) for cell, constants in found.items()}


def _many_of(program: Program) -> int:
    """How many values each choice may have, so that one command has not too many results."""
    counts = [_choices(command) for command in program.commands]
    if sum(counts) > _SEVERAL:
        return _FEW  # blocks may put them together
    most = max(counts, default=0)
    return max(2, int(_RESULTS ** (1 / most))) if most else _MOST + 1


def _choices(command: Command) -> int:
    return sum(isinstance(step, Havoc) for step in steps(command.instruction))


def _constants(program: Program) -> Iterator[int]:
    """The ends of ranges and tables, what cells are compared with or wrap around at; what is added, once or twice."""
    for cell in program.cells.values():
        if cell.lo != cell.hi:
            yield from (bound for bound in (cell.lo, cell.hi) if bound is not None)
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Guard(condition) | Assert(condition):
                    for atom in atoms(condition):
                        factor = abs(atom.term.terms[0][1]) if atom.term.terms else 1
                        sign = 1 if atom.term.terms and atom.term.terms[0][1] < 0 else -1
                        yield sign * atom.term.constant // factor
                case Lookup(_, table):
                    yield len(table) - 1
                case Compute(_, Operation.WRAP, arguments):
                    yield arguments[2].constant
                case Assign(_, value):
                    yield from (value.constant, 2 * value.constant)
                case _:
                    pass
