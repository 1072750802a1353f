"""Terms, formulas and instructions of the text form of PLIP, read from a cursor."""

from __future__ import annotations

from dataclasses import dataclass, field

from duet.errors import SourceError
from duet.plip.cursor import Cursor
from duet.plip.syntax import (
    FALSE,
    SKIP,
    TRUE,
    And,
    Assert,
    Assign,
    Atomic,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Or,
    Spawn,
    Step,
)
from duet.plip.terms import add, compare, constant, negate, scale, show_formula, variable
from duet.plip.tokens import quote_name
from duet.result import Check
from duet.source import Span

COMPARISONS = ("<=", "<", ">=", ">", "==", "!=")
OPERATIONS = {operation.name.lower(): operation for operation in Operation}


@dataclass(frozen=True, slots=True)
class Use:
    """A name used in a template, to be resolved when all declarations are known."""

    name: str
    template: str
    span: Span


@dataclass(slots=True)
class Phrases:
    """Reads phrases inside the template `template`; collects the cells and templates that they name."""

    cursor: Cursor
    template: str
    function: str = ""
    cells: list[Use] = field(default_factory=list)
    templates: list[Use] = field(default_factory=list)

    def cell(self, template: str | None = None) -> str:
        span = self.cursor.span
        name = self.cursor.name()
        self.cells.append(Use(name, template or self.template, span))
        return name

    def callee(self) -> str:
        span = self.cursor.span
        name = self.cursor.name()
        self.templates.append(Use(name, self.template, span))
        return name

    def term(self) -> Linear:
        """A sum of products, each with at most one factor that is not constant."""
        total = self._product(-1 if self.cursor.accept("-") else 1)
        while self.cursor.at("+", "-"):
            sign = 1 if self.cursor.advance().value == "+" else -1
            total = add(total, self._product(sign))
        return total

    def _product(self, sign: int) -> Linear:
        result = scale(self._factor(), sign)
        while self.cursor.at("*"):
            span = self.cursor.advance().span
            factor = self._factor()
            if factor.terms and result.terms:
                raise self.cursor.error("a product of cells is written mul(a, b)", span)
            result = scale(result, factor.constant) if not factor.terms else scale(factor, result.constant)
        return result

    def _factor(self) -> Linear:
        cursor = self.cursor
        if cursor.accept("("):
            inner = self.term()
            cursor.expect(")")
            return inner
        if cursor.accept("-"):
            return scale(self._factor(), -1)
        if cursor.at_kind("number"):
            return constant(cursor.natural())
        return variable(self.cell())

    def formula(self) -> Formula:
        """`a && b` binds tighter than `a || b`; chains stay flat, parentheses keep their nesting."""
        parts = [self._conjunction()]
        while self.cursor.accept("||"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Formula:
        parts = [self._literal()]
        while self.cursor.accept("&&"):
            parts.append(self._literal())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _literal(self) -> Formula:
        cursor = self.cursor
        if cursor.accept("true"):
            return TRUE
        if cursor.accept("false"):
            return FALSE
        if cursor.accept("!"):
            return negate(self._literal())
        if cursor.at("("):
            used = len(self.cells)
            nested = cursor.attempt(self._parenthesised)
            if nested is not None:
                return nested
            del self.cells[used:]
        return self._comparison()

    def _parenthesised(self) -> Formula:
        self.cursor.expect("(")
        inner = self.formula()
        self.cursor.expect(")")
        if self.cursor.at(*COMPARISONS, "+", "-", "*"):
            raise self.cursor.error("these parentheses hold a term")
        return inner

    def _comparison(self) -> Formula:
        """`t < u`, `lo <= t < hi`, or `t` alone for `t != 0`."""
        left = self.term()
        if not self.cursor.at(*COMPARISONS):
            return compare(left, "!=", constant(0))
        parts: list[Formula] = []
        while self.cursor.at(*COMPARISONS):
            operator = self.cursor.advance().value
            right = self.term()
            parts.append(compare(left, operator, right))
            left = right
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def condition(self) -> Formula:
        """`[formula]`."""
        self.cursor.expect("[")
        inner = self.formula()
        self.cursor.expect("]")
        return inner

    def instruction(self) -> Instruction:
        """Any one instruction."""
        cursor = self.cursor
        span = cursor.span
        if cursor.at("assert", "check"):
            return self._assert(stops=cursor.advance().value == "assert", span=span)
        if cursor.accept("spawn"):
            callee = self.callee()
            arguments = cursor.comma_separated(")", lambda: self._argument(callee)) if cursor.accept("(") else ()
            return Spawn(callee, arguments)
        if cursor.accept("join"):
            return Join(self.callee())
        if cursor.accept("atomic"):
            cursor.expect("{")
            steps: list[Step] = []
            while not cursor.accept("}"):
                steps.append(self.step())
            return Atomic(tuple(steps))
        return self.step()

    def step(self) -> Step:
        """An instruction that may stand in an atomic block."""
        cursor = self.cursor
        if cursor.accept("skip"):
            return SKIP
        if cursor.at("["):
            return Guard(self.condition())
        if not cursor.at_name():
            raise cursor.error(f"expected an instruction, found {cursor.token.value or 'the end of the text'!r}")
        target = self.cell()
        cursor.expect(":=")
        if cursor.accept("*"):
            return Havoc(target, *(cursor.bounds() if cursor.accept("in") else (None, None)))
        if cursor.accept("["):
            table = cursor.comma_separated("]", cursor.integer)
            cursor.expect("[")
            index = self.term()
            cursor.expect("]")
            return Lookup(target, table, index)
        computed = self._computation(target)
        return computed or Assign(target, self.term())

    def _computation(self, target: str) -> Compute | None:
        """`operation(a, b)`, told from a cell of that name by the parenthesis."""
        cursor = self.cursor
        value = cursor.token.value
        if cursor.token.kind != "name" or value not in OPERATIONS:
            return None

        def opening() -> str:
            cursor.advance()
            return cursor.expect("(").value

        if cursor.attempt(opening) is None:
            return None
        return Compute(target, OPERATIONS[value], cursor.comma_separated(")", self.term))

    def _argument(self, callee: str) -> tuple[str, Linear]:
        target = self.cell(callee)
        self.cursor.expect(":=")
        return target, self.term()

    def _assert(self, stops: bool, span: Span) -> Assert:
        """`assert phi for line:column "property" "expression" in "function"`; what follows phi may be left out."""
        condition = self.formula()
        cursor = self.cursor
        if not cursor.accept("for"):
            text = show_formula(condition, quote_name)
            return Assert(condition, Check(span.file, span.line, span.column, self.function, "assertion", text), stops)
        place, name, text = cursor.place(), cursor.string(), cursor.string()
        cursor.expect("in")
        check = Check(place.file, place.line, place.column, cursor.string(), name, text)
        return Assert(condition, check, stops)


def unresolved(use: Use, kind: str) -> SourceError:
    """The error for a name that nothing declares where it is used."""
    return SourceError(f"no {kind} {quote_name(use.name)} is declared for thread {quote_name(use.template)}", use.span)
