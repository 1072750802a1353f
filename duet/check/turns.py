"""What own cells of a thread are by its argument, where the arguments of any two threads of its template are apart.

    void *worker(void *given) { long id = (long)given; for (i = id * 10; i < id * 10 + 10; i++) a[i] = 0; }

Of cells it is known that they are `factor * argument` and something between two bounds (`forms`). So what two such
threads access is as far apart as their arguments, times the factor, but for these bounds. Nobody else writes the
argument. What the first thread makes the arguments of stays as it is where it is converted, as `Template.apart` asks
for.

*Approximates*: over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from duet.check.forms import Form, Known, Walk, is_same, value_of
from duet.interference.annotation import Annotation
from duet.plip.syntax import Assign, Compute, Instruction, Linear, Operation, Program, steps
from duet.records import dataclass


@dataclass(frozen=True, slots=True)
class Turns:
    """What own cells are at the locations of a template; the numbers of two threads differ by `apart` at least."""

    apart: int
    known: Mapping[int, Known]
    annotation: Annotation

    def of(self, location: int, term: Linear) -> Form | None:
        """What a term is at a location, None where that does not depend on the thread's number."""
        found = value_of(self.annotation, location, term, self.known.get(location, {}))
        return found if found.factor and not found.others else None


def turns_of(program: Program, template: str, annotation: Annotation) -> Turns | None:
    """What own cells of threads of a template are by their arguments, None where these are not known to be apart."""
    found = program.templates[template]
    if found.apart is None or len(found.parameters) != 1 or not _is_as_it_was(program, found.apart.made, annotation):
        return None
    return Turns(found.apart.by, _Walk(program, template, annotation).known(), annotation)


def _is_as_it_was(program: Program, made: Collection[str], annotation: Annotation) -> bool:
    """Whether the first thread converts no number that it gives some cells to another one."""
    return all(
        not place and is_same(annotation, command.source, step)
        for command in (program.commands[index] for index in program.templates[program.main].commands)
        for place, step in enumerate(steps(command.instruction))
        if isinstance(step, Compute) and step.operation is Operation.WRAP and step.target in made
    )


class _Walk(Walk):
    """Begins with the argument, and knows what threads find where that leads."""

    def __init__(self, program: Program, template: str, annotation: Annotation) -> None:
        super().__init__(program, template, annotation)
        self.first = {self.template.parameters[0]: Form(Fraction(1), Fraction(0), Fraction(0))}
        self._contents: dict[str, Form] = {}
        for it in self.template.apart.contents if self.template.apart is not None else ():
            number = Fraction(it.constant, it.times)
            self._contents[it.cell] = Form(Fraction(it.factor, it.times), number, number)

    def given(self, location: int, step: Instruction, known: Known, written: Collection[str]) -> Form | None:
        match step:
            case Assign(_, Linear(((cell, 1),), 0)) if cell in self._contents:
                return self._contents[cell]
            case _:
                return super().given(location, step, known, written)
