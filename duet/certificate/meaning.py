"""What instructions and formulas mean, said to z3: the semantics of PLIP written a second time.

Integers are z3's unbounded ones. An operation that z3 has no exact theory for (bit operations of two unknowns) is a
new variable with laws that every result obeys, so that what is proved with it holds for the real result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never

import z3

from duet.certificate.document import Phrase
from duet.certificate.reading import Reader
from duet.plip.syntax import (
    And,
    Assert,
    Assign,
    Atom,
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
    Program,
    Relation,
    Spawn,
)

Expr: TypeAlias = Any  # z3 has no types
_LARGEST_SHIFT = 512
_BITS = (*range(1, 17), 31, 32, 63, 64, 128)
_ZEROS = range(1, 9)  # how many low bits are told to be 0


def cell_of(name: str) -> Expr:
    """The value of a cell before an instruction."""
    return z3.Int(f"cell {name}")


def term(value: Linear, store: Mapping[str, Expr]) -> Expr:
    """The value of a term."""
    total = z3.IntVal(value.constant)
    for cell, k in value.terms:
        total = total + k * (store[cell] if cell in store else cell_of(cell))
    return total


def formula(condition: Formula, store: Mapping[str, Expr]) -> Expr:
    """Whether a formula holds."""
    match condition:
        case Atom(value, relation):
            left = term(value, store)
            match relation:
                case Relation.LE:
                    return left <= 0
                case Relation.EQ:
                    return left == 0
                case Relation.NE:
                    return left != 0
                case _:
                    assert_never(relation)
        case And(parts):
            return z3.And(*(formula(part, store) for part in parts))
        case Or(parts):
            return z3.Or(*(formula(part, store) for part in parts))
        case _:
            assert_never(condition)


def phrase(reader: Reader, found: Phrase, store: Mapping[str, Expr]) -> Expr:
    """Whether a statement of the certificate holds."""
    if found.otherwise:
        return z3.Or(*(phrase(reader, case, store) for case in found.cases))
    parts = [formula(reader.formula(found), store)]
    for cell, modulus, residue in found.residues:
        value = store[cell] if cell in store else cell_of(cell)
        parts.append(value % modulus == residue)
    return z3.And(*parts)


def initial(program: Program, cells: Sequence[str]) -> list[Expr]:
    """That cells have initial values."""
    return [part for cell in cells for part in between(cell_of(cell), program.cells[cell].lo, program.cells[cell].hi)]


def between(value: Expr, lo: int | None, hi: int | None) -> list[Expr]:
    """That a value is in a range."""
    return [*([value >= lo] if lo is not None else []), *([value <= hi] if hi is not None else [])]


@dataclass(frozen=True)
class OpenResult:
    """The result of a bit operation or a shift, with its operands."""

    operation: Operation
    left: Expr
    right: Expr
    result: Expr

    def of(self, left: int, right: int) -> Expr:
        """That the operands are these, and the result what it is then; there is none for a negative shift count."""
        value: int | None
        match self.operation:
            case Operation.AND:
                value = left & right
            case Operation.OR:
                value = left | right
            case Operation.XOR:
                value = left ^ right
            case Operation.SHL:
                value = left << right if 0 <= right <= _LARGEST_SHIFT else None
            case _:
                value = left >> right if right >= 0 else None
        told = z3.And(self.left == left, self.right == right)
        return told if value is None else z3.And(told, self.result == value)

    @property
    def operands(self) -> tuple[Expr, Expr]:
        """The left and the right one."""
        return self.left, self.right

    def where(self, place: int, value: int) -> Expr:
        """That the operand at a place is this, and the result what it is then, whatever the other operand is."""
        known = (value, None) if place == 0 else (None, value)
        told, exact = self.operands[place] == value, _exact(self.operation, self.left, self.right, *known)
        return told if exact is None else z3.And(told, self.result == exact)


@dataclass
class Effect:
    """What an instruction does: it passes only where all of `needs` hold; `laws` tell of what it leaves open.

    `after` are the values that it gives cells; of a summary cell, all values that it adds (the cell keeps the rest).
    `choices` are the open values in the order in which they are taken, `open_results` those of operations that the laws
    do not determine, `summary_reads` those that are values of summary cells, or among those just added to them.
    """

    needs: list[Expr] = field(default_factory=list)
    laws: list[Expr] = field(default_factory=list)
    after: dict[str, Expr] = field(default_factory=dict)
    added: dict[str, list[Expr]] = field(default_factory=dict)
    choices: list[Expr] = field(default_factory=list)
    open_results: list[OpenResult] = field(default_factory=list)
    summary_reads: list[tuple[str, Expr, tuple[Expr, ...]]] = field(default_factory=list)


def effect(program: Program, instruction: Instruction, is_symbolic: bool = False) -> Effect:
    """The effect of an instruction on its own thread and the globals (a spawn gives the child's parameters).

    With `is_symbolic` operations and tables are functions of which nothing is known, enough to show two effects equal;
    the laws are then about the choices alone.
    """
    found = Effect()
    _run(program, instruction, found, is_symbolic)
    return found


def _run(program: Program, instruction: Instruction, found: Effect, is_symbolic: bool) -> None:
    match instruction:
        case Assign(target, value):
            _write(program, found, target, _read(program, value, found, is_symbolic))
        case Havoc(target, lo, hi):
            chosen = _choice(found)
            found.laws += between(chosen, lo, hi)
            _write(program, found, target, chosen)
        case Compute(target, operation, arguments):
            values = [term(argument, found.after) for argument in arguments]
            _write(program, found, target, _computed(found, operation, arguments, values, is_symbolic))
        case Lookup(target, table, index):
            position = term(index, found.after)
            found.needs.append(z3.And(position >= 0, position < len(table)))
            _write(program, found, target, _entry(found, table, position, is_symbolic))
        case Guard(condition):
            found.needs.append(formula(condition, found.after))
        case Assert(condition, _, stops):
            if stops:
                found.needs.append(formula(condition, found.after))
        case Spawn(_, arguments):
            for cell, value in [(cell, term(value, {})) for cell, value in arguments]:
                _write(program, found, cell, value)
        case Join():
            pass
        case Atomic(steps):
            for step in steps:
                _run(program, step, found, is_symbolic)
        case _:
            assert_never(instruction)


def _entry(found: Effect, table: tuple[int, ...], position: Expr, is_symbolic: bool) -> Expr:
    """The entry of a table at a position inside of it."""
    if is_symbolic:
        return z3.Function(f"table{table}", z3.IntSort(), z3.IntSort())(position)
    chosen = z3.FreshInt("entry")
    found.laws += [z3.Implies(position == index, chosen == value) for index, value in enumerate(table)]
    return chosen


def _choice(found: Effect) -> Expr:
    found.choices.append(z3.Int(f"choice {len(found.choices)}"))
    return found.choices[-1]


def _read(program: Program, value: Linear, found: Effect, is_symbolic: bool) -> Expr:
    """The value of a term; a summary cell, which stands alone, gives another one of its values each time."""
    cells = [cell for cell, _ in value.terms if program.cells[cell].summary]
    if not cells:
        return term(value, found.after)
    (cell,) = cells
    chosen, added = _choice(found), tuple(found.added.get(cell, ()))
    if is_symbolic:
        found.laws.append(z3.Or(chosen == cell_of(cell), *(chosen == one for one in added)))
    else:
        found.summary_reads.append((cell, chosen, added))
    return chosen


def _write(program: Program, found: Effect, target: str, value: Expr) -> None:
    if program.cells[target].summary:
        found.added.setdefault(target, []).append(value)
    else:
        found.after[target] = value


def _computed(
    found: Effect, operation: Operation, arguments: Sequence[Linear], values: Sequence[Expr], is_symbolic: bool
) -> Expr:
    if operation in (Operation.DIV, Operation.MOD):
        found.needs.append(values[1] != 0)
    elif operation in (Operation.SHL, Operation.SHR):
        found.needs.append(values[1] >= 0)
    if is_symbolic:
        sorts = [z3.IntSort()] * (len(values) + 1)
        return z3.Function(f"{operation.name.lower()}?", *sorts)(*values)
    if operation is Operation.WRAP:
        low, high = arguments[1].constant, arguments[2].constant
        return low + (values[0] - low) % (high - low + 1)
    left, right = values
    constants = [None if argument.terms else argument.constant for argument in arguments]
    exact = _exact(operation, left, right, constants[0], constants[1])
    if exact is not None:
        return exact
    result = z3.FreshInt("result")
    found.laws += _laws(operation, left, right, result)
    found.laws += _tables(operation, left, right, result)
    found.open_results.append(OpenResult(operation, left, right, result))
    return result


def _exact(operation: Operation, left: Expr, right: Expr, a: int | None, b: int | None) -> Expr | None:
    """The result as an integer term, if there is one; `a` and `b` are the operands where they are constants."""
    match operation:
        case Operation.MUL:
            return left * right
        case Operation.DIV | Operation.MOD:
            size = z3.If(right < 0, -right, right)
            quotient = z3.If(left < 0, -(-left / size), left / size)
            quotient = z3.If(right < 0, -quotient, quotient)
            return quotient if operation is Operation.DIV else left - right * quotient
        case Operation.SHL:
            return left * (1 << b) if b is not None and 0 <= b <= _LARGEST_SHIFT else None
        case Operation.SHR:
            return left / (1 << b) if b is not None and 0 <= b <= _LARGEST_SHIFT else None
        case Operation.AND | Operation.OR | Operation.XOR:
            if a is None and b is None:
                return None
            value, mask = (left, b) if b is not None else (right, a)
            assert mask is not None
            both = _masked(value, mask)
            match operation:
                case Operation.AND:
                    return both
                case Operation.OR:
                    return value + mask - both
                case Operation.XOR:
                    return value + mask - 2 * both
        case _:
            return None


def _masked(value: Expr, mask: int) -> Expr:
    """`value & mask`, as a sum over the runs of ones of the mask."""
    if mask < 0:
        return value - _masked(value, ~mask)
    total, start = z3.IntVal(0), 0
    while mask >> start:
        if mask >> start & 1:
            length = 0
            while mask >> (start + length) & 1:
                length += 1
            total = total + (value / (1 << start)) % (1 << length) * (1 << start)
            start += length
        else:
            start += 1
    return total


def _laws(operation: Operation, left: Expr, right: Expr, result: Expr) -> list[Expr]:
    """Laws of results of operations on unknowns."""
    positive = z3.And(left >= 0, right >= 0)
    match operation:
        case Operation.AND:
            found = [
                z3.Implies(left >= 0, z3.And(result >= 0, result <= left)),
                z3.Implies(right >= 0, z3.And(result >= 0, result <= right)),
                z3.Implies(z3.And(left < 0, right < 0), z3.And(result <= left, result <= right)),
            ]
        case Operation.OR:
            found = [
                z3.Implies(positive, z3.And(result >= left, result >= right, result <= left + right)),
                z3.Implies(left < 0, z3.And(result < 0, result >= left)),
                z3.Implies(right < 0, z3.And(result < 0, result >= right)),
            ]
        case Operation.XOR:
            found = [
                z3.Implies(positive, z3.And(result >= 0, result <= left + right)),
                z3.Implies(z3.And(left < 0, right < 0), result >= 0),
                z3.Implies((left < 0) != (right < 0), result < 0),
            ]
        case Operation.SHR:
            return [z3.If(left >= 0, z3.And(result >= 0, result <= left), z3.And(result < 0, result >= left))]
        case Operation.SHL:
            power = z3.FreshInt("power")
            even = [z3.Implies(right >= count, result % (1 << count) == 0) for count in _ZEROS]
            return [power >= 1, result == left * power, z3.If(left >= 0, result >= left, result <= left), *even]
        case _:
            return []
    for size in (1 << count for count in _ZEROS):
        zeros = (left % size == 0, right % size == 0)
        given = z3.Or(*zeros) if operation is Operation.AND else z3.And(*zeros)
        found.append(z3.Implies(given, result % size == 0))
    for bits in _BITS:
        size = 1 << bits
        inside = z3.And(left < size, right < size, left >= -size, right >= -size)
        found.append(z3.Implies(inside, z3.And(result < size, result >= -size)))
    return found


def _tables(operation: Operation, left: Expr, right: Expr, result: Expr) -> Iterable[Expr]:
    """The exact result where an operand is a small number: a shift count, or one of two flags."""
    match operation:
        case Operation.SHL:
            yield from (z3.Implies(right == count, result == left * (1 << count)) for count in range(65))
        case Operation.SHR:
            yield from (z3.Implies(right == count, result == left / (1 << count)) for count in range(65))
        case Operation.AND | Operation.OR | Operation.XOR:
            for value in range(-1, 17):
                for operand, other in ((left, right), (right, left)):
                    yield z3.Implies(operand == value, result == _exact(operation, other, operand, None, value))
        case _:
            return
