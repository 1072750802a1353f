"""What own cells of a thread are by its argument, where the arguments of any two threads of its template are apart.

    void *worker(void *given) { long id = (long)given; for (i = id * 10; i < id * 10 + 10; i++) a[i] = 0; }

Of cells it is known that they are `factor * argument` and something between two bounds. So what two such threads access
is as far apart as their arguments, times the factor, but for these bounds. That is found along each way of the thread,
whose own cells and argument nobody else writes. Where a number is converted, the invariants say whether it stays as it
is; the same of what the first thread makes the arguments of, as `Template.apart` asks for.

*Approximates*: over. *Source*: for the domain, affine forms with an interval (Karr 1976 with Cousot and Cousot 1977).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from domains.numeric import Bound
from duet.interference.annotation import Annotation
from duet.plip.syntax import (
    And,
    Assign,
    Atom,
    Command,
    Compute,
    Formula,
    Guard,
    Instruction,
    Linear,
    Operation,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import add, scale, term_cells, variable
from duet.plip.touched import writes
from duet.records import dataclass

_PATIENCE = 3
"""How often bounds may grow at a location before they are given up."""
_DESCENTS = 2
"""How often what was given up too early is looked for again."""


@dataclass(frozen=True, slots=True)
class Form:
    """A number that is `factor * argument` and something between two bounds, inclusive."""

    factor: Fraction
    lo: Bound | Fraction
    hi: Bound | Fraction

    def plus(self, other: Form) -> Form:
        return Form(self.factor + other.factor, self.lo + other.lo, self.hi + other.hi)

    def times(self, k: Fraction) -> Form:
        ends = (self.lo * k, self.hi * k) if k else (Fraction(0), Fraction(0))
        return Form(self.factor * k, min(ends), max(ends))


_Known = Mapping[str, Form]
"""What own cells are; nothing is known of others."""


@dataclass(frozen=True, slots=True)
class Turns:
    """What own cells are at the locations of a template; the arguments of two threads differ by `apart` at least."""

    apart: int
    known: Mapping[int, _Known]
    annotation: Annotation

    def of(self, location: int, term: Linear) -> Form | None:
        """What a term is at a location, None where that does not depend on the argument."""
        found = _value(self.annotation, location, term, self.known.get(location, {}))
        return found if found.factor else None


def turns_of(program: Program, template: str, annotation: Annotation) -> Turns | None:
    """What own cells of threads of a template are by their arguments, None where these are not known to be apart."""
    found = program.templates[template]
    if found.apart is None or len(found.parameters) != 1 or not _is_as_it_was(program, found.apart.made, annotation):
        return None
    return Turns(found.apart.by, _Walk(program, template, annotation).known(found.parameters[0]), annotation)


def _is_as_it_was(program: Program, made: Collection[str], annotation: Annotation) -> bool:
    """Whether the first thread converts no number that it gives some cells to another one."""
    return all(
        not place and _is_same(annotation, command.source, step)
        for command in (program.commands[index] for index in program.templates[program.main].commands)
        for place, step in enumerate(steps(command.instruction))
        if isinstance(step, Compute) and step.operation is Operation.WRAP and step.target in made
    )


def _is_same(annotation: Annotation, location: int, step: Compute) -> bool:
    """Whether a number that is converted at a location stays as it is."""
    value, low, high = step.arguments
    number = annotation.number(location, value)
    return not low.terms and not high.terms and low.constant <= number.lo and number.hi <= high.constant


def _value(annotation: Annotation, location: int, term: Linear, known: _Known) -> Form:
    total = Form(Fraction(0), Fraction(term.constant), Fraction(term.constant))
    rest = Linear(tuple((cell, k) for cell, k in term.terms if cell not in known))
    for cell, k in term.terms:
        if cell in known:
            total = total.plus(known[cell].times(Fraction(k)))
    if rest.terms:
        number = annotation.number(location, rest)
        total = total.plus(Form(Fraction(0), number.lo, number.hi))
    return total


class _Walk:
    """Goes through the threads of a template."""

    def __init__(self, program: Program, template: str, annotation: Annotation) -> None:
        self.program = program
        self.template = program.templates[template]
        self.annotation = annotation
        found = self.template.apart.contents if self.template.apart is not None else ()
        self.contents: dict[str, Form] = {}
        for it in found:
            number = Fraction(it.constant, it.times)
            self.contents[it.cell] = Form(Fraction(it.factor, it.times), number, number)
        self.own = {name for name, cell in program.cells.items() if cell.template == template and not cell.summary}

    def known(self, argument: str) -> Mapping[int, _Known]:
        """What own cells are at the locations that control can get to."""
        first = {argument: Form(Fraction(1), Fraction(0), Fraction(0))}
        found: dict[int, dict[str, Form]] = {self.template.entry: first}
        visits: dict[int, int] = defaultdict(int)
        work = [self.template.entry]
        while work:
            location = work.pop()
            for command in (self.program.commands[index] for index in self.program.outgoing[location]):
                after = self._behind(command, found[location])
                before = found.get(command.target)
                joined = after if before is None else _joined(before, after, visits[command.target] > _PATIENCE)
                if joined != before:
                    visits[command.target] += 1
                    found[command.target] = joined
                    work.append(command.target)
        for _ in range(_DESCENTS):
            found = self._again(found, first)
        return found

    def _again(self, known: Mapping[int, _Known], first: dict[str, Form]) -> dict[int, dict[str, Form]]:
        """What holds at locations since what is known holds in front of all that leads there."""
        found = {self.template.entry: first}
        for command in (self.program.commands[index] for index in self.template.commands):
            if command.source in known:
                after = self._behind(command, known[command.source])
                before = found.get(command.target)
                found[command.target] = after if before is None else _joined(before, after, is_over=False)
        return found

    def _behind(self, command: Command, known: _Known) -> dict[str, Form]:
        after = dict(known)
        written: set[str] = set()
        for place, step in enumerate(steps(command.instruction)):
            if isinstance(step, Guard):
                self._met(command.source, step.condition, after, written)
                continue
            value = self._given(command.source, step, after, written, is_first=not place)
            for target in writes(step):
                written.add(target)
                after.pop(target, None)
                if value is not None and target in self.own and value.factor:
                    after[target] = value
        return after

    def _given(self, location: int, step: Instruction, known: _Known, written: set[str], is_first: bool) -> Form | None:
        """What a step gives its target, None for anything."""
        match step:
            case Assign(_, Linear(((cell, 1),), 0)) if cell in self.contents:
                return self.contents[cell]
            case Assign(_, value):
                pass
            case Compute(_, Operation.WRAP, (value, *_)) if is_first and _is_same(self.annotation, location, step):
                pass
            case _:
                return None
        return self._of(location, value, known, written)

    def _of(self, location: int, term: Linear, known: _Known, written: set[str]) -> Form | None:
        """What a term is behind some steps of a command, which have `written` cells."""
        if any(cell in written and cell not in known for cell in term_cells(term)):
            return None
        return _value(self.annotation, location, term, known)

    def _met(self, location: int, condition: Formula, known: dict[str, Form], written: set[str]) -> None:
        """Adds what a condition says of cells."""
        match condition:
            case And(parts):
                for part in parts:
                    self._met(location, part, known, written)
            case Atom(term, Relation.LE):
                self._bounded(location, term, known, written)
            case Atom(term, Relation.EQ):
                self._bounded(location, term, known, written)
                self._bounded(location, scale(term, -1), known, written)
            case _:
                pass

    def _bounded(self, location: int, term: Linear, known: dict[str, Form], written: set[str]) -> None:
        """Adds what is known of cells where a term is not positive."""
        for cell, k in term.terms:
            form = known.get(cell)
            rest = self._of(location, add(term, variable(cell), -k), known, written)
            if form is None or rest is None or form.factor * k + rest.factor or math.isinf(rest.lo):
                continue
            limit = -rest.lo / Fraction(k)
            lo, hi = (form.lo, min(form.hi, limit)) if k > 0 else (max(form.lo, limit), form.hi)
            known[cell] = Form(form.factor, lo, hi)


def _joined(before: _Known, after: _Known, is_over: bool) -> dict[str, Form]:
    """What is known of cells on both ways; `is_over` if bounds that grow are given up."""
    found: dict[str, Form] = {}
    for cell, form in before.items():
        other = after.get(cell)
        if other is not None and other.factor == form.factor:
            lo = form.lo if form.lo <= other.lo else -math.inf if is_over else other.lo
            hi = form.hi if form.hi >= other.hi else math.inf if is_over else other.hi
            found[cell] = Form(form.factor, lo, hi)
    return found
