"""The static types of expressions (C11 6.5), and the values of those that are integer constants (6.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.types import (
    BOOL,
    INT,
    VOID,
    ArrayType,
    CType,
    DataModel,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    common_float,
    common_type,
    plain,
    promote,
)
from duet.frontend.ctypes.values import constant_of
from duet.frontend.form.tree import (
    UNKNOWN,
    AddressOf,
    AlignOf,
    Binary,
    Choice,
    Constant,
    Convert,
    Deref,
    Element,
    Evaluated,
    Expression,
    Logic,
    Member,
    Not,
    OffsetOf,
    Otherwise,
    Place,
    Read,
    SizeOf,
    Unary,
)

COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


def binary_type(operator: str, left: CType, right: CType, data: DataModel) -> CType:
    """The type of `left operator right`."""
    kinds = (left, right)
    if operator in COMPARISONS:
        return INT
    if UNKNOWN in kinds:
        return UNKNOWN
    if any(isinstance(kind, FloatType) for kind in kinds):
        return common_float(left, right)
    if any(isinstance(kind, PointerType) for kind in kinds):
        if operator == "-" and all(isinstance(kind, PointerType) for kind in kinds):
            return data.distance
        return next(kind for kind in kinds if isinstance(kind, PointerType)) if operator in ("+", "-") else INT
    if any(isinstance(kind, StructType | VoidType) for kind in kinds):
        return INT
    return promote(left) if operator in ("<<", ">>") else common_type(left, right)


def unary_type(operator: str, operand: CType) -> CType:
    """The type of `operator operand`."""
    if operator not in ("+", "-", "~"):
        return INT
    return operand if operand is UNKNOWN or isinstance(operand, FloatType) else promote(operand)


def value_type(kind: CType) -> CType:
    """The type of the value of an lvalue: an atomic one gives a plain one."""
    return plain(kind) if isinstance(kind, IntType) and kind.atomic else kind


def choice_type(left: CType, right: CType, nulls: tuple[bool, bool]) -> CType:
    """The type of a choice between two arms: one that is a null pointer constant takes the type of the other."""
    if UNKNOWN in (left, right):
        return UNKNOWN
    for is_null, other in zip(nulls, (right, left), strict=True):
        if is_null and isinstance(other, PointerType):
            return other
    kind = merged_type([left, right])
    return common_type(kind, kind) if isinstance(kind, IntType) else kind


def merged_type(kinds: list[CType]) -> CType:
    """The type of a conditional expression with arms of these types (C11 6.5.15)."""
    if not kinds:
        return VOID
    result = kinds[0]
    for kind in kinds[1:]:
        if isinstance(result, IntType) and isinstance(kind, IntType):
            result = kind if kind == result else common_type(result, kind)
        elif isinstance(result, VoidType) or isinstance(kind, VoidType):
            result = VOID
        elif isinstance(result, FloatType) or isinstance(kind, FloatType):
            result = common_float(result, kind)
        elif isinstance(kind, PointerType) and not isinstance(result, PointerType):
            result = kind
        elif isinstance(kind, PointerType) and isinstance(result, PointerType):
            result = result if isinstance(result.target, VoidType) else kind
    return result


def target_type(kind: CType) -> CType:
    """What a pointer points to."""
    if kind is UNKNOWN:
        return UNKNOWN
    return kind.target if isinstance(kind, PointerType) else VOID


def wrapped(value: int, kind: CType, data: DataModel) -> int | None:
    """An integer converted to a type; None where that is no integer."""
    if isinstance(kind, PointerType):
        kind = data.word
    if not isinstance(kind, IntType):
        return None
    if kind.name == BOOL.name:
        return int(value != 0)
    return (value - kind.lo) % (kind.hi - kind.lo + 1) + kind.lo


def as_written(value: int | None, kind: CType, data: DataModel) -> int | None:
    """The number that a constant of ours is in C: pointers may have fewer bits there."""
    return wrapped(value, kind, data) if value is not None and isinstance(kind, PointerType) else value


Holds: TypeAlias = Callable[[Place], int | None]
"""What a place holds, where that is known."""


def _nothing(_: Place) -> None:
    """Of no place it is known what it holds, as in a constant expression of C."""


def constant(types: TypeTable, form: Expression, holds: Holds = _nothing) -> int | None:
    """The value of an expression that is an integer constant, or an address that is one; None for others.

    `holds` may tell more than C asks for.
    """
    match form:
        case Evaluated(value=value):
            return as_written(constant_of(value), form.type, types.data)
        case Constant(value=number) | SizeOf(value=number) | AlignOf(value=number) | OffsetOf(value=number):
            return number
        case Convert(operand=operand):
            found = None if isinstance(operand.type, OpaqueType) else constant(types, operand, holds)
            if found is not None and isinstance(operand.type, PointerType):
                found = wrapped(found, types.data.distance, types.data)  # GNU C extends the sign of a pointer
                return None if found is None else wrapped(found, form.type, types.data)
            return None if found is None else wrapped(found, form.type, types.data)
        case Not(operand=operand):
            found = constant(types, operand, holds)
            return None if found is None else int(found == 0)
        case Unary():
            return _unary(types, form, holds)
        case Logic():
            return _logic(types, form, holds)
        case Choice():
            test = constant(types, form.condition, holds)
            arm = None if test is None else constant(types, form.yes if test else form.no, holds)
            return None if arm is None else wrapped(arm, form.type, types.data)
        case Otherwise():
            test = constant(types, form.condition, holds)
            arm = test or (None if test is None else constant(types, form.no, holds))
            return None if arm is None else wrapped(arm, form.type, types.data)
        case Binary():
            return _binary(types, form, holds)
        case AddressOf(place=place):
            return address(types, place)
        case Read(place=place):
            return address(types, place) if isinstance(place.type, ArrayType) else holds(place)
        case _:
            return None


def address(types: TypeTable, place: Place) -> int | None:
    """The address of a place behind a constant pointer, as definitions of `offsetof` have it."""
    match place:
        case Deref(pointer=pointer):
            return constant(types, pointer)
        case Member(base=base, name=name):
            start = address(types, base)
            found = types.member(base.type, name) if isinstance(base.type, StructType) else None
            if start is None or found is None:
                return None
            return start + member_offset(types, base.type, found[0])
        case Element(left=left, right=right):
            start, index, size = constant(types, left), constant(types, right), types.size(place.type)
            return None if start is None or index is None or size is None else start + index * size
        case _:
            return None


def member_offset(types: TypeTable, kind: CType, path: tuple[str, ...]) -> int:
    """The byte offset of a member, through anonymous structures."""
    start = 0
    for step in path:
        assert isinstance(kind, StructType)
        start += types.offset(kind, step)
        kind = next(member.type for member in types.members(kind) if member.name == step)
    return start


def _unary(types: TypeTable, form: Unary, holds: Holds) -> int | None:
    found = constant(types, form.operand, holds)
    if found is None or not isinstance(form.type, IntType):
        return None
    match form.operator:
        case "-":
            return wrapped(-found, form.type, types.data)
        case "~":
            return wrapped(-1 - found, form.type, types.data)
        case "+":
            return found
        case _:
            return None


def _logic(types: TypeTable, form: Logic, holds: Holds) -> int | None:
    left = constant(types, form.left, holds)
    if left is None:
        return None
    if (left != 0) == (form.operator == "||"):
        return int(left != 0)
    right = constant(types, form.right, holds)
    return None if right is None else int(right != 0)


def _binary(types: TypeTable, form: Binary, holds: Holds) -> int | None:
    a, b = constant(types, form.left, holds), constant(types, form.right, holds)
    kinds = (form.left.type, form.right.type)
    if a is None or b is None:
        return None
    if any(isinstance(kind, PointerType) for kind in kinds):
        return _moved(types, form, a, b)
    if not all(isinstance(kind, IntType) for kind in kinds):
        return None
    common = common_type(*kinds)
    kind = common if form.operator in COMPARISONS else form.type
    if form.operator not in ("<<", ">>"):
        a, b = wrapped(a, kind, types.data) or 0, wrapped(b, kind, types.data) or 0
    found = computed(form.operator, a, b, kind)
    return None if found is None else wrapped(found, form.type, types.data)


def _moved(types: TypeTable, form: Binary, a: int, b: int) -> int | None:
    """Constant pointers that are compared, moved, or subtracted."""
    left, right = form.left.type, form.right.type
    if form.operator in COMPARISONS:
        return computed(form.operator, a, b, types.data.word)
    size = types.size(target_type(left if isinstance(left, PointerType) else right))
    if not size or form.operator not in ("+", "-"):
        return None
    if isinstance(left, PointerType) and isinstance(right, PointerType):
        return (a - b) // size if form.operator == "-" and (a - b) % size == 0 else None
    sign = 1 if form.operator == "+" else -1
    return wrapped(a + sign * b * size if isinstance(left, PointerType) else b + a * size, types.data.word, types.data)


def computed(operator: str, a: int, b: int, kind: CType) -> int | None:
    """The exact result of an operation on integers of a type; None where it has none."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%" if b != 0:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if operator == "/" else a - b * quotient
        case "<<" | ">>" if isinstance(kind, IntType) and 0 <= b < kind.width:
            return a << b if operator == "<<" else a >> b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "==" | "!=":
            return int((a == b) == (operator == "=="))
        case "<" | ">=":
            return int((a < b) == (operator == "<"))
        case ">" | "<=":
            return int((a > b) == (operator == ">"))
        case _:
            return None
