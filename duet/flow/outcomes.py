"""Checks of several parts: cells that one part compares with a constant tell the cases apart in which it decides.

    taken = 0; if (amount <= balance) taken = amount; assert(taken == 0 || taken == amount);

Where both ways meet, no convex relation of `taken` and `amount` holds that is enough; with `taken == 0` told apart from
the rest there are two that are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from duet.plip.syntax import And, Assert, Assign, Atom, Formula, Guard, Linear, Or, Program, Relation, steps

MOST = 4
"""Cells that tell cases apart, of each template and of all together."""
_BACK = 3
"""So many commands in front of a check are looked at for other parts of it."""


def outcomes(program: Program, open_checks: Collection[int]) -> Mapping[str, frozenset[int]]:
    """The cells that tell cases of open checks apart, with the numbers that are cases of their own.

    *Approximates*: either way; it decides only about precision and time.
    """
    found: dict[str, set[int]] = {}
    for index in sorted(open_checks):
        for condition in _parts(program, index):
            for cell, value in _compared(condition):
                if not program.cells[cell].summary:
                    found.setdefault(cell, set()).add(value)
    copies = _copies(program)
    for cell in (work := list(found)):
        for source in sorted(copies.get(cell, ())):
            if not found[cell] <= found.get(source, set()):
                found.setdefault(source, set()).update(found[cell])
                work.append(source)
    count: dict[str | None, int] = {}
    for cell in found:
        count[program.cells[cell].template] = count.get(program.cells[cell].template, 0) + 1
    return {cell: frozenset(known) for cell, known in found.items() if count[program.cells[cell].template] <= MOST}


def _parts(program: Program, index: int) -> Iterator[Formula]:
    """The conditions of which a check is made, as far as they are in front of it; none if it has but one part."""
    command = program.commands[index]
    assert isinstance(command.instruction, Assert)
    check = command.instruction.check
    beside = [program.commands[other].instruction for other in program.incoming[command.target] if other != index]
    if not any(isinstance(other, Assert) and other.check == check for other in beside):
        if isinstance(command.instruction.condition, Or):
            yield command.instruction.condition
        return
    yield command.instruction.condition
    places = {command.source}
    for _ in range(_BACK):
        before = [program.commands[other] for place in sorted(places) for other in program.incoming[place]]
        for found in before:
            yield from (step.condition for step in steps(found.instruction) if isinstance(step, Guard))
        places = {found.source for found in before if not isinstance(found.instruction, Guard)}


def _compared(condition: Formula) -> Iterator[tuple[str, int]]:
    """The cells that a condition compares with numbers for equality."""
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _compared(part)
        case Atom(Linear(((cell, k),), number), Relation.EQ | Relation.NE) if number % k == 0:
            yield cell, -number // k


def _copies(program: Program) -> Mapping[str, set[str]]:
    """The cells that cells are copied from."""
    found: dict[str, set[str]] = {}
    for command in program.commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, Linear(((source, 1),), 0)) if not program.cells[source].summary:
                    found.setdefault(target, set()).add(source)
    return found
