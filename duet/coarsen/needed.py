"""What a check needs, said in the user's words: what must hold, what is known of it, and what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from domains.values.number import Number
from duet.absint.conditions import entails
from duet.absint.state import Space, State
from duet.coarsen.source_text import accessed, index, is_call, is_length, right_operand
from duet.coarsen.words import TYPE_BOUNDS, WIDTHS, has_gaps, label
from duet.frontend.ctypes.origins import ANYTHING, EXTERNAL, Content, Origin, failing, may_be_any
from duet.plip.syntax import FALSE, WHETHER, And, Atom, Formula, Linear, Program, Relation
from duet.plip.terms import atoms, formula_cells, negate, scale, show_formula, term_cells
from duet.result import Check

Pointers = Mapping[str, tuple[Origin, ...]]
"""By cell, the origins of the addresses that it may hold."""
NO_POINTERS: Pointers = MappingProxyType({})

_FIRST_ADDRESS = 4096
_MOST_OBJECTS = 3
_NULL = re.compile(r"\(*(?:\((?:const )?\w[\w ]*\**\) ?)?\(?(?:0|NULL|nullptr)\)* != 0")
"""The text of a check that a null pointer constant is not null."""
_COPY = re.compile("[@#]")
"""What the keys of statics of functions, and of several objects of one variable, have behind its name."""
_OUTSIDE: Mapping[Origin, str] = {ANYTHING: "anything", EXTERNAL: "memory outside of the program"}


_EXCLUDED = re.compile(r" != (?:0|MAP_FAILED|\(void \*\)-1)$")
"""What a pointer must not be that is followed, behind its text in checks."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What a check needs.

    `must` is what has to hold, `known` what is known of the values in it, `missing` the part that does not follow, as
    words and as `parts` of the condition. `is_certain`: no value that is known to be possible there satisfies it.
    """

    must: str
    known: str
    missing: str
    parts: tuple[Formula, ...] = ()
    is_certain: bool = False


def needed(space: Space, state: State, check: Check, condition: Formula, pointers: Pointers) -> Needed:
    """What a check with a condition needs where a state holds."""
    question = _Question(space.program, check, condition, pointers)
    if condition == FALSE and check.property_name == "null-dereference":  # the pointer is never anything else
        known = "" if question.is_written_out else f"{pointer_text(check.expression)} is null"
        return Needed(question.must, known, question.must, (), True)
    parts = tuple(part for part in _conjuncts(condition) if not entails(space, state, part))
    is_certain = is_refuted(space, state, condition)
    return Needed(question.must, question.known(space, state), question.missing(parts), parts, is_certain)


def pointer_text(expression: str) -> str:
    """The text of the pointer that a check is about, by the expression of the check."""
    return _EXCLUDED.sub("", expression)


def is_refuted(space: Space, state: State, condition: Formula) -> bool:
    """Whether a condition over some cells holds nowhere where a state does."""
    return bool(formula_cells(condition)) and entails(space, state, negate(condition))


def known_words(space: Space, state: State, check: Check, condition: Formula, pointers: Pointers) -> str:
    """What is known of the values in a condition, beyond what their types say; empty for nothing."""
    return _Question(space.program, check, condition, pointers).known(space, state)


def _conjuncts(condition: Formula) -> tuple[Formula, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


@dataclass(frozen=True, slots=True)
class _Question:
    """A check and its condition, in a program whose cells may hold addresses."""

    program: Program
    check: Check
    condition: Formula
    pointers: Pointers

    @property
    def must(self) -> str:
        """What has to hold, in the terms of the source."""
        text, bounds = self.check.expression, self._bounds()
        match self.check.property_name:
            case "array-bounds" if self._is_index:
                return f"0 <= {index(text)} < {self._length}"
            case "array-bounds" if is_length(text):
                return text
            case "array-bounds":
                return f"{f'what {text} accesses' if is_call(text) else accessed(text)} lies inside of its object"
            case "division-by-zero":
                return f"{right_operand(text, '/ %') or f'the divisor of {text}'} != 0"
            case "overflow" if bounds is not None:
                return self._fitting(*bounds)
            case "overflow":
                return f"{accessed(text)} fits its type"
            case "null-dereference" if self.is_written_out:
                return "no null pointer is passed here"
            case _:
                return text

    def missing(self, parts: tuple[Formula, ...]) -> str:
        """The parts of what must hold that do not follow; all of it where they have no names."""
        whole = _conjuncts(self.condition)
        if len(parts) == len(whole):
            return self.must
        if self._is_index and len(parts) == 1:
            name = index(self.check.expression)
            return f"{name} >= 0" if parts == whole[:1] else f"{name} < {self._length}"
        names = {cell: self._name(cell) for part in parts for cell in formula_cells(part)}
        if self._has_addresses or not all(names.values()):
            return self.must
        return " && ".join(show_formula(part, names.__getitem__) for part in parts)

    def known(self, space: Space, state: State) -> str:
        """What is known of the values in the condition."""
        asked = [one for one in atoms(self.condition) if not self._is_null_check or one.relation is Relation.NE]
        whole = frozenset(cell for found in asked for cell, k in found.term.terms if abs(k) == 1)
        parts: list[str] = []
        cells = sorted({cell for one in asked for cell in term_cells(one.term)})
        single = pointer_text(self.check.expression) if self._is_null_check and len(cells) == 1 else ""
        for cell in cells:
            name, found, held = single or self._name(cell), space.number(state, cell), self._held(cell)
            if not name:
                continue
            if name.startswith(WHETHER):
                parts.append(_truth_words(name, found))
            elif not self._is_index and (self._may_lead(found, held) or (cell in whole and self._is_pointer(found))):
                parts.append(_pointer_words(name, found, held))
            else:
                parts += number_words(name, found, _limits(self.program, cell))
        return " && ".join(dict.fromkeys(parts))

    def _may_lead(self, found: Number, held: Collection[Origin]) -> bool:
        """Whether what may hold addresses is told as a pointer: in an assertion what may be negative is a number."""
        is_asserted = self.check.property_name == "assertion" and found.lo >= 0
        return bool(held) and (self._has_addresses or is_asserted)

    def _is_pointer(self, found: Number) -> bool:
        """Whether what is known of a whole operand is that of a pointer: null, or an address that may be null."""
        return (self._has_addresses and _is_null(found)) or (self._is_null_check and found.hi >= _FIRST_ADDRESS)

    @property
    def _length(self) -> int:
        """The length of the array of an index: so many values are allowed. *Requires*: it is one."""
        bounds = self._bounds()
        assert bounds is not None
        return bounds[2] + 1 - bounds[1]

    def _fitting(self, term: Linear, low: int, high: int) -> str:
        """That a result fits its type, or the amount of a shift; conditions have constants on the other side."""
        text = self.check.expression
        amount = right_operand(text, "<< >>")
        if amount and low == 0 and len(term.terms) == 1 and self._name(term.terms[0][0]) == amount:
            return f"0 <= {amount} <= {high}"
        width = (high - low).bit_length()
        if width not in WIDTHS or high - low + 1 != 1 << width:
            return f"{accessed(text)} fits its type"
        return f"{-(1 << width - 1)} <= {accessed(text)} <= {(1 << width - 1) - 1}"

    @property
    def is_written_out(self) -> bool:
        """Whether a null pointer stands in the source where there must be none: only what is passed is asked for it."""
        return self._is_null_check and _NULL.fullmatch(self.check.expression) is not None

    @property
    def _is_null_check(self) -> bool:
        return self.check.property_name == "null-dereference"

    @property
    def _has_addresses(self) -> bool:
        """Whether addresses may be compared in the condition."""
        return self.check.property_name in ("array-bounds", "null-dereference")

    @property
    def _is_index(self) -> bool:
        """Whether an index is compared, and not the address that it leads to."""
        text, bounds = index(self.check.expression), self._bounds()
        if self.check.property_name != "array-bounds" or not text or text.isdigit() or bounds is None:
            return False
        return abs(bounds[1]) < _FIRST_ADDRESS // 2 and not any(map(self._held, _cells(bounds[0])))

    def _bounds(self) -> tuple[Linear, int, int] | None:
        """A term without a constant and its bounds, where the condition is that it is between them."""
        match self.condition:
            case And((Atom(low, Relation.LE), Atom(high, Relation.LE))) if high.terms == scale(low, -1).terms:
                return Linear(high.terms, 0), low.constant, -high.constant
        return None

    def _held(self, cell: str) -> tuple[Origin, ...]:
        return self.pointers.get(cell) or self.pointers.get(self.program.copied.get(cell, ""), ())

    def _name(self, cell: str) -> str:
        """The user's name of a cell; for a pointer or an index that has none, its text; else empty."""
        name = label(self.program, cell)
        if not name.startswith("$"):
            return name
        if self._is_null_check:
            return pointer_text(self.check.expression)
        return index(self.check.expression) if self._bounds() is not None and self._is_index else ""


def _cells(term: Linear) -> Iterator[str]:
    return (cell for cell, _ in term.terms)


def _is_null(found: Number) -> bool:
    return found.lo == found.hi == 0


def _truth_words(name: str, found: Number) -> str:
    """What is known of a cell with a name like `whether line ends`, which is 1 where that is known."""
    return name.removeprefix(WHETHER) if found.lo > 0 else f"it is not known {name}"


def _pointer_words(name: str, found: Number, held: Collection[Origin]) -> str:
    """What is known of a pointer: whether it is null, and where it may lead."""
    if _is_null(found):
        return f"{name} is null"
    places = [origin for origin in held if not isinstance(origin, Content)]
    known = [_OUTSIDE[ANYTHING]] if may_be_any(held) else list(dict.fromkeys(map(_object_words, places)))
    more = f" and {len(known) - _MOST_OBJECTS} more" if len(known) > _MOST_OBJECTS else ""
    leads = f", leads to {', '.join(known[:_MOST_OBJECTS])}{more}" if known else ""
    moved = ", was moved" if known and len(places) < len(frozenset(held) - failing(frozenset(held))) else ""
    return f"{name} {'may be null' if found.lo <= 0 else 'is not null'}{leads}{moved}"


def _object_words(held: Origin) -> str:
    """An object in words: `heap a.c:9:21 main` is what was allocated there, `"30"` a literal, `x@2` a static.

    `x#2` is a local `x`, the second of its name.
    """
    if held in _OUTSIDE:
        return _OUTSIDE[held]
    if str(held).startswith('"'):
        return "a string literal"
    found = re.match(r"heap (.+):(\d+):\d+\b", str(held))
    return (
        f"memory from {found[1]}:{found[2]}"
        if found
        else _COPY.split(str(held).removeprefix("heap ").rpartition("::")[2])[0]
    )


def number_words(name: str, found: Number, limits: tuple[float, float] = (-math.inf, math.inf)) -> Iterator[str]:
    """What is known of a number with a name: values, bounds closer than `limits`, a congruence."""
    if found.lo == found.hi:
        yield f"{name} == {found.lo}"
        return
    if has_gaps(found):
        yield f"{name} is {' or '.join(map(str, found.members))}"
        return
    if (found.lo, found.hi) in TYPE_BOUNDS:
        return
    has_low, has_high = found.lo > limits[0], found.hi < limits[1]
    if has_high:
        yield f"{f'{found.lo} <= ' if has_low else ''}{name} <= {found.hi}"
    elif has_low:
        yield f"{name} >= {found.lo}"
    if found.modulus > 1:
        yield f"{name} % {found.modulus} == {found.residue}"


def _limits(program: Program, cell: str) -> tuple[float, float]:
    """The bounds of a cell that say nothing: those that its type gives its initial value, if they are there."""
    found = program.cells[cell]
    if found.template is None or found.lo is None or found.hi is None or found.lo >= found.hi:
        return -math.inf, math.inf
    return found.lo, found.hi
