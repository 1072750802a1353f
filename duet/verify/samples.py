"""The values that are tried where a program may hold any: those next to the constants in it."""

from __future__ import annotations

from collections.abc import Iterator

from duet.plip.execute import Samples
from duet.plip.syntax import Assert, Assign, Command, Compute, Guard, Havoc, Lookup, Operation, Program, steps
from duet.plip.terms import atoms

_MOST = 16
_FAR = 100
_RESULTS = 1_000
_FEW, _SEVERAL = 3, 12


def samples_of(program: Program) -> Samples:
    """Values for nondeterministic assignments and for initial values, the likely ones first.

    They are tried in this order, and only so many that a choice among them is worth its states.
    """
    found = dict.fromkeys((0, 1))
    for constant in sorted(set(_constants(program)), key=lambda value: (abs(value), value)):
        found.update(dict.fromkeys((constant, constant + 1, constant - 1)))
    values = (*tuple(found)[:_MOST], _FAR * max(map(abs, found)))  # so that no bound shows where there is none
    if any(cell.summary for cell in program.cells.values()):
        values = values[:_FEW]  # each read gives any value of a set, and each write makes it larger
    return Samples(havoc=values[: _many_of(program)], initial=values)


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
