"""What own cells of a thread are by a number that nobody else has: a factor times that, and something between bounds.

Where they may be constants instead, as `job = -1; if (next < n) job = next++;`, that is said, too, until a condition
excludes it.

That is found along each way of the thread, whose own cells nobody else writes. Where a number is converted, the
invariants say whether it stays as it is.

*Approximates*: over. *Source*: for the domain, affine forms with an interval (Karr 1976 with Cousot and Cousot 1977).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

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
_FEW = 4
"""Constants that a number may be instead."""


@dataclass(frozen=True, slots=True)
class Form:
    """A number that is `factor * number` and something between two bounds, inclusive; or it is one of the `others`."""

    factor: Fraction
    lo: Bound | Fraction
    hi: Bound | Fraction
    others: frozenset[Fraction] = frozenset()

    @property
    def is_constant(self) -> bool:
        return not self.factor and self.lo == self.hi and not math.isinf(self.lo) and not self.others

    def plus(self, other: Form) -> Form:
        lo, hi = self.lo + other.lo, self.hi + other.hi
        if not self.others and not other.others:
            return Form(self.factor + other.factor, lo, hi)
        if self.is_constant or other.is_constant:
            known, moved = (self, other) if self.is_constant else (other, self)
            others = frozenset(it + Fraction(known.lo) for it in moved.others)
            return Form(moved.factor, lo, hi, others)
        return ANYTHING

    def times(self, k: Fraction) -> Form:
        ends = (self.lo * k, self.hi * k) if k else (Fraction(0), Fraction(0))
        return Form(self.factor * k, min(ends), max(ends), frozenset(it * k for it in self.others))


ANYTHING = Form(Fraction(0), -math.inf, math.inf)
Known: TypeAlias = Mapping[str, Form]
"""What own cells are; nothing is known of others."""


def is_same(annotation: Annotation, location: int, step: Compute) -> bool:
    """Whether a number that is converted at a location stays as it is."""
    value, low, high = step.arguments
    number = annotation.number(location, value)
    return not low.terms and not high.terms and low.constant <= number.lo and number.hi <= high.constant


def value_of(annotation: Annotation, location: int, term: Linear, known: Known) -> Form:
    """What a term is at a location where own cells are known."""
    total = Form(Fraction(0), Fraction(term.constant), Fraction(term.constant))
    rest = Linear(tuple((cell, k) for cell, k in term.terms if cell not in known))
    for cell, k in term.terms:
        if cell in known:
            total = total.plus(known[cell].times(Fraction(k)))
    if rest.terms:
        number = annotation.number(location, rest)
        total = total.plus(Form(Fraction(0), number.lo, number.hi))
    return total


class Walk:
    """Goes through the threads of a template; nothing is known of what they begin with but `first`."""

    def __init__(self, program: Program, template: str, annotation: Annotation) -> None:
        self.program = program
        self.template = program.templates[template]
        self.annotation = annotation
        self.own = {name for name, cell in program.cells.items() if cell.template == template and not cell.summary}
        self.first: dict[str, Form] = {}

    def known(self) -> Mapping[int, Known]:
        """What own cells are at the locations that control can get to."""
        found: dict[int, dict[str, Form]] = {self.template.entry: dict(self.first)}
        visits: dict[int, int] = defaultdict(int)
        work = [self.template.entry]
        while work:
            location = work.pop()
            for command in (self.program.commands[index] for index in self.program.outgoing[location]):
                after = self.behind(command, found[location])
                if after is None:
                    continue
                before = found.get(command.target)
                joined = after if before is None else _joined(before, after, visits[command.target] > _PATIENCE)
                if joined != before:
                    visits[command.target] += 1
                    found[command.target] = joined
                    work.append(command.target)
        for _ in range(_DESCENTS):
            for location in found:
                found[location] = self._again(location, found)
        return found

    def _again(self, location: int, known: Mapping[int, dict[str, Form]]) -> dict[str, Form]:
        """What holds at a location since what is known holds in front of all that leads there."""
        found = dict(self.first) if location == self.template.entry else None
        for command in (self.program.commands[index] for index in self.program.incoming[location]):
            after = self.behind(command, known[command.source]) if command.source in known else None
            if after is not None:
                found = after if found is None else _joined(found, after, is_over=False)
        return known[location] if found is None else found

    def behind(self, command: Command, known: Known) -> dict[str, Form] | None:
        """What is known behind a command, None where it does not pass."""
        after = dict(known)
        written: set[str] = set()
        for step in steps(command.instruction):
            if isinstance(step, Guard):
                if not self._met(command.source, step.condition, after, written):
                    return None
                continue
            value = self.given(command.source, step, after, written)
            for target in writes(step):
                written.add(target)
                after.pop(target, None)
                if value is not None and target in self.own and (value.factor or value.is_constant):
                    after[target] = value
        return after

    def given(self, location: int, step: Instruction, known: Known, written: Collection[str]) -> Form | None:
        """What a step gives its target, None for anything."""
        match step:
            case Assign(_, value):
                pass
            case Compute(_, Operation.WRAP, (value, *_)):
                form = self.of(location, value, known, written)
                return form if form is not None and self.stays(location, step, form, written) else None
            case _:
                return None
        return self.of(location, value, known, written)

    def stays(self, location: int, step: Compute, form: Form, written: Collection[str]) -> bool:
        """Whether a number of some form that is converted behind some steps of a command stays as it is."""
        if form.is_constant:
            _, low, high = step.arguments
            return not low.terms and not high.terms and low.constant <= form.lo <= high.constant
        is_there = not any(cell in written for cell in term_cells(step.arguments[0]))
        return is_there and is_same(self.annotation, location, step)

    def of(self, location: int, term: Linear, known: Known, written: Collection[str]) -> Form | None:
        """What a term is behind some steps of a command, which have `written` cells."""
        if any(cell in written and cell not in known for cell in term_cells(term)):
            return None
        return value_of(self.annotation, location, term, known)

    def _met(self, location: int, condition: Formula, known: dict[str, Form], written: set[str]) -> bool:
        """Adds what a condition says of cells; whether it may hold."""
        match condition:
            case And(parts):
                return all(self._met(location, part, known, written) for part in parts)
            case Atom(term, Relation.LE):
                return self.bounded(location, term, known, written)
            case Atom(term, Relation.EQ):
                low = self.bounded(location, scale(term, -1), known, written)
                return self.bounded(location, term, known, written) and low
            case Atom(term, Relation.NE):
                return self._left(location, term, known, written, lambda it: it.lo == it.hi == 0)
            case _:
                return True

    def bounded(self, location: int, term: Linear, known: dict[str, Form], written: set[str]) -> bool:
        """Adds what is known of cells where a term is not positive; whether it may be."""
        if not self._left(location, term, known, written, lambda it: it.lo > 0):
            return False
        for cell, k in term.terms:
            form = known.get(cell)
            rest = self.of(location, add(term, variable(cell), -k), known, written)
            if form is None or rest is None or form.factor * k + rest.factor or math.isinf(rest.lo) or rest.others:
                continue
            if not form.is_constant:
                limit = -rest.lo / Fraction(k)
                lo, hi = (form.lo, min(form.hi, limit)) if k > 0 else (max(form.lo, limit), form.hi)
                known[cell] = Form(form.factor, lo, hi, form.others)
        return True

    def _left(
        self,
        location: int,
        term: Linear,
        known: dict[str, Form],
        written: set[str],
        is_wrong: Callable[[Form], bool],
    ) -> bool:
        """Leaves those constants of cells with which a term is not wrong; whether that may be."""
        total = self.of(location, term, known, written)
        if total is not None and total.is_constant and is_wrong(total):
            return False
        for cell, k in term.terms:
            form = known.get(cell)
            rest = self.of(location, add(term, variable(cell), -k), known, written)
            if form is not None and form.others and rest is not None and not rest.factor and not rest.others:
                values = {it: Form(Fraction(0), rest.lo + it * k, rest.hi + it * k) for it in form.others}
                others = frozenset(it for it, value in values.items() if not is_wrong(value))
                known[cell] = Form(form.factor, form.lo, form.hi, others)
        return True


def equal(condition: Formula) -> Iterator[Linear]:
    """The terms that are 0 where a condition holds, as far as it says so directly."""
    match condition:
        case And(parts):
            for part in parts:
                yield from equal(part)
        case Atom(term, Relation.EQ):
            yield term
        case _:
            return


def _joined(before: Known, after: Known, is_over: bool) -> dict[str, Form]:
    """What is known of cells on both ways; `is_over` if bounds that grow are given up."""
    found: dict[str, Form] = {}
    for cell, form in before.items():
        other = after.get(cell)
        both = None if other is None else _either(form, other, is_over)
        if both is not None:
            found[cell] = both
    return found


def _either(one: Form, other: Form, is_over: bool) -> Form | None:
    """What a number is that is one or the other, None where it may be anything."""
    if one == other:
        return one
    others = one.others | other.others
    if one.is_constant or other.is_constant:
        constant, form = (one, other) if one.is_constant else (other, one)
        others |= {Fraction(constant.lo)}
        return Form(form.factor, form.lo, form.hi, others) if form.factor and len(others) <= _FEW else None
    if one.factor != other.factor or len(others) > _FEW:
        return None
    lo = one.lo if one.lo <= other.lo else -math.inf if is_over else other.lo
    hi = one.hi if one.hi >= other.hi else math.inf if is_over else other.hi
    return Form(one.factor, lo, hi, others)
