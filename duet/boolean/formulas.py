"""Expressions of Boolean programs over cells of 0 and 1: formulas and steps.

Each `*` becomes a cell that takes either value in the same step, so a formula holds for some of these values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from duet.boolean.syntax import Binary, Choice, Constant, Expression, Name, Not, Unknown
from duet.plip.syntax import FALSE, TRUE, Assign, Formula, Guard, Havoc, Linear, Step
from duet.plip.terms import add, compare, conjunction, constant, disjunction, negate, variable

Resolve: TypeAlias = Callable[[Name], str]
"""The cell that a name means. *Raises*: SourceError for one that nothing declares."""


@dataclass
class Formulas:
    """Formulas of expressions; `steps` are what the values of `*` in them need first, in new cells from `fresh`."""

    resolve: Resolve
    fresh: Callable[[], str]
    steps: list[Step] = field(default_factory=list)

    def of(self, expression: Expression) -> Formula:
        """What holds where an expression is 1."""
        match expression:
            case Constant(value):
                return TRUE if value else FALSE
            case Name():
                return is_one(self.resolve(expression))
            case Unknown():
                return is_one(self._unknown())
            case Not(operand):
                return negate(self.of(operand))
            case Choice(yes, no):
                either = is_one(self._unknown())
                return disjunction((self.of(yes), conjunction((negate(self.of(no)), either))))
            case Binary(operator, left, right):
                return _combined(operator, self.of(left), self.of(right))
            case _:
                assert_never(expression)

    def give(self, cell: str, expression: Expression) -> None:
        """Steps that give a cell the value of an expression. *Requires*: the expression does not mention the cell."""
        match expression:
            case Unknown():
                self.steps.append(either_value(cell))
            case Constant() | Name() | Not(Name()):
                self.steps.append(Assign(cell, self._term(expression)))
            case _:
                value = self.of(expression)
                self.steps += [either_value(cell), Guard(equal(is_one(cell), value))]

    def _term(self, expression: Expression) -> Linear:
        match expression:
            case Constant(value):
                return constant(int(value))
            case Name():
                return variable(self.resolve(expression))
            case Not(operand):
                return add(constant(1), self._term(operand), -1)
            case _:
                raise AssertionError("not linear")

    def _unknown(self) -> str:
        cell = self.fresh()
        self.steps.append(either_value(cell))
        return cell


def is_one(cell: str) -> Formula:
    """What holds where a cell is 1."""
    return compare(variable(cell), "==", constant(1))


def either_value(cell: str) -> Havoc:
    """The step that gives a cell either value."""
    return Havoc(cell, 0, 1)


def equal(left: Formula, right: Formula) -> Formula:
    """What holds where two formulas both hold or both do not."""
    return disjunction((conjunction((left, right)), conjunction((negate(left), negate(right)))))


def _combined(operator: str, left: Formula, right: Formula) -> Formula:
    match operator:
        case "&":
            return conjunction((left, right))
        case "|":
            return disjunction((left, right))
        case "=>":
            return disjunction((negate(left), right))
        case "=":
            return equal(left, right)
        case "^" | "!=":
            return negate(equal(left, right))
        case _:
            raise AssertionError(operator)
