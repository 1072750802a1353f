"""Comparisons of values. Of two addresses they say what C says of them, not how objects lie here.

Objects that live at the same time have different addresses; but one may begin where another one ends, and the number
that was the address of an object, or the id of a thread, may be that of a later one. An integer that became a pointer
may lead anywhere.
"""

from __future__ import annotations

from itertools import product

from duet.frontend.cells import hidden
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import fit, is_address, number, to_pointer, unplaced
from duet.frontend.cells.memory import LARGEST
from duet.frontend.ctypes.origins import NO_OBJECT, UNKNOWN_POINTER, ObjectAddress, Origin, Origins, addresses, in_order
from duet.frontend.ctypes.types import ADDRESS, BOOL, ArrayType, IntType, PointerType, common_type
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Index,
    Indirect,
    Number,
    Object,
    Path,
    Truth,
    Value,
    is_plain,
    literal,
    truth,
)
from duet.frontend.graph.there import PAGE
from duet.frontend.judgments.identity import RENEWED, may_share_id
from duet.plip.syntax import FALSE, TRUE, Formula
from duet.plip.terms import add, compare, conjunction, constant, disjunction, negate

COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def comparison(ctx: Context, operator: str, left: Value, right: Value) -> Value:
    """`left operator right` for numbers and pointers; a number that is compared with a pointer becomes one."""
    is_test = isinstance(right, Number) and right.constant in (0, 1) and operator in ("==", "!=")
    if isinstance(left, Truth) and isinstance(right, Number) and is_test:
        is_same = (operator == "==") == (right.constant == 1)
        return Truth(left.formula if is_same else negate(left.formula))
    a, b = number(ctx, left), number(ctx, right)
    if isinstance(a.type, PointerType) != isinstance(b.type, PointerType):  # GCC converts the number
        kind = a.type if isinstance(a.type, PointerType) else b.type
        assert isinstance(kind, PointerType)
        a, b = number(ctx, to_pointer(ctx, a, kind)), number(ctx, to_pointer(ctx, b, kind))
    formula: Formula | None = None
    if isinstance(a.type, IntType) and isinstance(b.type, IntType):
        kind = common_type(a.type, b.type)
        if is_address(ctx, a) and is_address(ctx, b) and operator in ("==", "!="):
            formula = _equality(ctx, operator, fit(ctx, a, kind), fit(ctx, b, kind))
        elif not _asks_for_nothing(a, b):
            a, b = unplaced(ctx, a), unplaced(ctx, b)
        formula = formula or _mixed(operator, a, b, kind) or _mixed(_MIRRORED[operator], b, a, kind)
        if formula is None:
            formula = _compared(operator, fit(ctx, a, kind), fit(ctx, b, kind))
    elif _asks_for_nothing(a, b) or not objects(a) | objects(b):
        formula = _compared(operator, a, b)
    else:
        hidden.note_compared(ctx, a, b)
        if operator in ("==", "!="):
            formula = _equality(ctx, operator, a, b)
        else:
            formula = _compared(operator, a, b) if is_related(a, b) else truth(ctx.havoc(BOOL))
    return literal(1 if formula == TRUE else 0) if formula in (TRUE, FALSE) else Truth(formula)


def objects(value: Number) -> Origins:
    """The objects and functions whose address a value may be, as far as they are known."""
    return addresses(value.origins) - NO_OBJECT


def is_related(a: Number, b: Number) -> bool:
    """Whether the distance of two pointers means something: they point into one object, or neither into any."""
    return _is_same(a, b) or bool(objects(a) & objects(b)) or not objects(a) | objects(b)


def _is_same(a: Number, b: Number) -> bool:
    """Whether two pointers are the same one, wherever objects lie."""
    return a.term == b.term and (bool(a.term.terms) or bool(objects(a) & objects(b)))


def note_moved(ctx: Context, pointer: Value, has_check: bool) -> None:
    """Notes that a pointer to an element of an array may point behind the last one.

    It is not far from there if it `has_check`: behind that the index is at most the length of the array.
    """
    layouts = ctx.facts.layouts
    match pointer:
        case Address(Direct(of, (*_, Index() as step))):
            if not is_plain(step):
                layouts.stray(frozenset((of.origin,)))
        case Address(Indirect(address, base, path)) if not path or not all(map(is_plain, path)):
            size = ctx.memory.types.size(base)
            is_near = has_check and _is_bounded(path) and size is not None and size <= LARGEST
            if is_near:
                layouts.moved.add(*objects(address))
            else:
                layouts.stray(address.origins)
        case _:
            pass


def _is_bounded(path: Path) -> bool:
    """Whether each index of a path is at most the length of its array, if the last one is checked for that.

    An array of no or one element may go on behind the end of a structure, and has no such check.
    """
    *before, last = path or ("",)
    is_last_bounded = isinstance(last, Index) and last.length is not None and last.length > 1
    return is_last_bounded and all(is_plain(step) or (isinstance(step, Index) and step.is_checked) for step in before)


def _asks_for_nothing(a: Number, b: Number) -> bool:
    """Whether a value is compared with a constant in the first or last page, where no object is."""
    return any(
        not objects(value) and value.constant is not None and _is_in_no_object(value.constant) for value in (a, b)
    )


def _is_in_no_object(address: int) -> bool:
    return address % (ADDRESS.hi + 1) < PAGE or address % (ADDRESS.hi + 1) > ADDRESS.hi - PAGE


def _equality(ctx: Context, operator: str, a: Number, b: Number) -> Formula:
    """The formula that two addresses are equal, or that they are not."""
    formula = _compared("==", a, b)
    perhaps = FALSE if _is_same(a, b) else _may_be_equal(ctx, a, b)
    if perhaps != FALSE:
        is_known = not (a.origins | b.origins) & UNKNOWN_POINTER or objects(a) & objects(b)
        same = formula if is_known else conjunction((negate(truth(a)), negate(truth(b))))
        formula = disjunction((same, conjunction((perhaps, truth(a), truth(b), truth(ctx.havoc(BOOL))))))
    return formula if operator == "==" else negate(formula)


def _may_be_equal(ctx: Context, a: Number, b: Number) -> Formula:
    """When addresses that are different here, and not null, may be equal."""
    ones, others = objects(a), objects(b)
    is_much = len(ones) * len(others) > ctx.options.budgets.compared_objects
    if is_much or (a.origins | b.origins) & UNKNOWN_POINTER:
        return TRUE
    is_number = isinstance(a.type, IntType)
    parts: list[Formula] = []
    for one, other in product(in_order(ones), in_order(others)):
        first, second = _object(ctx, one), _object(ctx, other)
        if first is None or second is None:  # a function or a thread
            parts.append(TRUE if may_share_id(ctx.facts, one, other) else FALSE)
            continue
        if first is second:
            is_several = first.kind != "heap" and ctx.memory.is_multiple(first)
            parts.append(TRUE if is_several or is_of_strings(first) else FALSE)
            continue
        if _may_be_where(ctx, first, second) or _may_be_where(ctx, second, first):
            parts.append(TRUE)
            continue
        is_late = is_number and "global" not in (first.kind, second.kind)
        is_text = first.is_string and second.is_string
        parts.append(TRUE if is_late or is_text else _meet(ctx, first, a, second, b))
        parts.append(_meet(ctx, second, b, first, a))
    return disjunction(parts)


def _may_be_where(ctx: Context, new: Object, old: Object) -> bool:
    """Whether an object may be where another one was, of which nobody knows that `realloc` was given it."""
    return old.kind == "heap" and new.key in ctx.facts.marked(RENEWED)


def is_of_strings(of: Object) -> bool:
    """Whether an object stands for several string literals, of which equal ones may be one."""
    return of.is_string and isinstance(of.type, ArrayType) and of.type.length is None


def _object(ctx: Context, origin: Origin) -> Object | None:
    return ctx.memory.objects.get(origin.key) if isinstance(origin, ObjectAddress) else None


def _meet(ctx: Context, first: Object, a: Number, second: Object, b: Number) -> Formula:
    """That one address is behind the end of an object, and the other one the beginning of another."""
    is_heap = first.kind == "heap"
    size = ctx.facts.layouts.sizes.get(first.key) if is_heap else ctx.memory.types.size(first.type)
    if first.origin not in ctx.facts.layouts.moved and size != 0:
        return FALSE
    if size is None or ctx.memory.is_multiple(first) or ctx.memory.is_multiple(second):
        return TRUE
    end = add(ctx.memory.base_term(first).term, constant(size))
    return conjunction((compare(a.term, "==", end), compare(b.term, "==", ctx.memory.base_term(second).term)))


def _mixed(operator: str, a: Number, b: Number, kind: IntType) -> Formula | None:
    """The comparison in an unsigned type of an `a` that may be negative with a `b` below all that negatives become.

    So `i < sizeof table / sizeof *table` says that `i` is not negative. None for other operands.
    """
    if kind.signed or not a.term.terms or a.lo >= 0 or b.lo < 0 or a.hi > kind.hi or b.hi > kind.hi + a.lo:
        return None
    plain = compare(a.term, operator, b.term)
    match operator:
        case "<" | "<=":
            return conjunction((compare(a.term, ">=", constant(0)), plain))
        case ">" | ">=":
            return disjunction((compare(a.term, "<", constant(0)), plain))
        case _:
            return plain


def _compared(operator: str, a: Number, b: Number) -> Formula:
    """The comparison, folded where the ranges decide it."""
    low, high = a.lo - b.hi, a.hi - b.lo  # the range of a - b
    match operator:
        case "<" if high < 0:
            return TRUE
        case "<" if low >= 0:
            return FALSE
        case "<=" if high <= 0:
            return TRUE
        case "<=" if low > 0:
            return FALSE
        case ">" if low > 0:
            return TRUE
        case ">" if high <= 0:
            return FALSE
        case ">=" if low >= 0:
            return TRUE
        case ">=" if high < 0:
            return FALSE
        case "==" if low > 0 or high < 0:
            return FALSE
        case "!=" if low > 0 or high < 0:
            return TRUE
        case _:
            return compare(a.term, operator, b.term)
