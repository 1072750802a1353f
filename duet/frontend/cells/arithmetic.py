"""C operators on values: linear where possible, else one computation; overflow and division checks.

*Approximates*: exact, up to operations on floating values, which give any value.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.cells import hidden
from duet.frontend.cells.comparison import COMPARISONS, comparison, is_related, note_moved, objects
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, fit, led, number, unplaced, untracked
from duet.frontend.cells.distances import note_step, staying_in_arrays
from duet.frontend.cells.pointers import move_check
from duet.frontend.ctypes.origins import (
    GUESSED,
    MADE_OF_NUMBER,
    MOVED,
    NOTHING,
    Origins,
    addresses,
    anywhere,
    failing,
    moved,
    stepped,
)
from duet.frontend.ctypes.types import (
    ADDRESS,
    INT,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    common_float,
    common_type,
    promote,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Index,
    Indirect,
    Number,
    Value,
    literal,
    of_term,
    type_of,
)
from duet.frontend.source.nodes import Node
from duet.plip.syntax import TRUE, Assign, Havoc, Linear, Operation
from duet.plip.terms import add, compare, conjunction, constant, negate, scale, variable

_OPERATIONS = {
    "*": Operation.MUL,
    "/": Operation.DIV,
    "%": Operation.MOD,
    "&": Operation.AND,
    "|": Operation.OR,
    "^": Operation.XOR,
    "<<": Operation.SHL,
    ">>": Operation.SHR,
}


def binary(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    """`left operator right` for every binary operator without control flow."""
    kinds = (type_of(left), type_of(right))
    if any(isinstance(kind, FloatType | StructType) for kind in kinds):
        if operator in ("/", "%") and any(isinstance(kind, StructType) for kind in kinds):
            raise Unsupported("vectors are divided: an element may be divided by 0", ctx.span(node))
        ctx.builder.flush()
        ctx.warn(node, "float", "floating arithmetic is not tracked: any value is assumed")
        if operator in COMPARISONS:
            return ctx.havoc(INT)
        is_float = any(isinstance(kind, FloatType) for kind in kinds)
        return untracked(ctx, common_float(*kinds) if is_float else INT, left, right)
    if operator in COMPARISONS:
        return comparison(ctx, operator, left, right)
    if any(isinstance(kind, PointerType) for kind in kinds):
        return _pointer(ctx, operator, left, right, node)
    kind = promote(kinds[0]) if operator in ("<<", ">>") else common_type(*kinds)
    a = fit(ctx, unplaced(ctx, number(ctx, left)), kind)
    b = fit(ctx, unplaced(ctx, number(ctx, right)), promote(kinds[1]) if operator in ("<<", ">>") else kind)
    return arithmetic(ctx, operator, a, b, kind, node)


def arithmetic(ctx: Context, operator: str, a: Number, b: Number, kind: IntType, node: Node) -> Number:
    """`a operator b` in the type `kind`, with the checks that belong to it."""
    origins = a.origins | b.origins
    match operator:
        case "+" | "-":
            sign = 1 if operator == "+" else -1
            origins = moved(stepped(a.origins, scale(b.term, sign), 1) | stepped(b.origins, a.term, 1), VoidType())
            low, high = (a.lo + b.lo, a.hi + b.hi) if sign == 1 else (a.lo - b.hi, a.hi - b.lo)
            return settle(ctx, add(a.term, b.term, sign), low, high, kind, node, origins)
        case "*":
            return _product(ctx, a, b, kind, node, origins)
        case "/" | "%":
            return replace(_quotient(ctx, operator, a, b, kind, node), origins=origins)
        case "<<" | ">>":
            return replace(_shift(ctx, operator, a, b, kind, node), origins=a.origins)
        case "&" | "|" | "^":
            return _bitwise(ctx, operator, a, b, kind, origins)
        case _:
            raise AssertionError(f"unknown operator {operator}")


def settle(
    ctx: Context,
    term: Linear,
    low: int,
    high: int,
    kind: IntType,
    node: Node,
    origins: Origins = NOTHING,
) -> Number:
    """The result of an operation whose exact value is `term` in `[low, high]`: checked if signed, else wrapped."""
    if not term.terms:
        low = high = term.constant
    if kind.lo <= low and high <= kind.hi:
        if kind.signed and ctx.wants("overflow") and node is not None and (term.terms or _names_a_value(ctx, node)):
            ctx.builder.flush()
            ctx.check(node, "overflow", TRUE)  # the types of the operands prove it
        return Number(term, kind, low, high, origins)
    if not kind.signed:
        return fit(ctx, of_term(term, kind, low, high, origins), kind)
    if ctx.wants("overflow"):
        parts = []
        if low < kind.lo:
            parts.append(compare(term, ">=", constant(kind.lo)))
        if high > kind.hi:
            parts.append(compare(term, "<=", constant(kind.hi)))
        ctx.builder.flush()
        ctx.check(node, "overflow", conjunction(parts))
    return of_term(term, kind, max(low, kind.lo), min(high, kind.hi), origins)


def _names_a_value(ctx: Context, node: Node) -> bool:
    """Whether an expression is more than a constant in the source, even if its value is known here.

    There is one check for each operation of the source, whatever is found out about its operands.
    """
    if isinstance(node, c_ast.ID):
        return node not in ctx.forms.around.enumerators
    if isinstance(node, c_ast.UnaryOp) and node.op in ("sizeof", "_Alignof"):
        return False
    return node is not None and any(_names_a_value(ctx, child) for _, child in node.children())


def _compute(ctx: Context, operator: str, a: Number, b: Number, kind: CType) -> Linear:
    name = ctx.temporary(kind)
    ctx.builder.compute(name, _OPERATIONS[operator], a.term, b.term)
    return variable(name)


def _product(ctx: Context, a: Number, b: Number, kind: IntType, node: Node, origins: Origins) -> Number:
    corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    if a.constant is not None:
        term = scale(b.term, a.constant)
    elif b.constant is not None:
        term = scale(a.term, b.constant)
    else:
        ctx.builder.flush()
        term = _compute(ctx, "*", a, b, kind)
    return settle(ctx, term, min(corners), max(corners), kind, node, origins)


def _quotient(ctx: Context, operator: str, a: Number, b: Number, kind: IntType, node: Node) -> Number:
    ctx.builder.flush()
    is_checked = b.lo <= 0 <= b.hi or _names_a_value(ctx, getattr(node, "right", getattr(node, "rvalue", None)))
    if is_checked:
        if ctx.wants("division-by-zero") or ctx.wants("overflow"):
            ctx.check(node, "division-by-zero", compare(b.term, "!=", constant(0)) if b.lo <= 0 <= b.hi else TRUE)
        if b.constant == 0:
            ctx.builder.dead()
            return literal(0, kind)
    if kind.signed and a.lo <= kind.lo and b.lo <= -1 <= b.hi and ctx.wants("overflow"):
        fine = negate(conjunction((compare(a.term, "==", constant(kind.lo)), compare(b.term, "==", constant(-1)))))
        ctx.check(node, "overflow", fine)
    if a.constant is not None and b.constant is not None:
        quotient = abs(a.constant) // abs(b.constant) * (1 if (a.constant < 0) == (b.constant < 0) else -1)
        return literal(quotient if operator == "/" else a.constant - b.constant * quotient, kind)
    if b.constant == 1:
        return a if operator == "/" else literal(0, kind)
    size = max(abs(b.lo), abs(b.hi))
    if operator == "%":
        size = min(size - 1, max(abs(a.lo), abs(a.hi)))
        low, high = (0 if a.lo >= 0 else -size), (0 if a.hi <= 0 else size)
    else:
        size = max(abs(a.lo), abs(a.hi))
        low, high = (0, size) if a.lo >= 0 and b.lo >= 0 else (-size, size)
    term = _compute(ctx, operator, a, b, kind)
    return of_term(term, kind, max(low, kind.lo), min(high, kind.hi))


def _shift(ctx: Context, operator: str, a: Number, b: Number, kind: IntType, node: Node) -> Number:
    """A shift; where the count is out of range, a check that fails if `overflow` is on, else any value."""
    if b.lo >= 0 and b.hi < kind.width:
        return _shift_in_range(ctx, operator, a, b, kind, node)
    fine = conjunction((compare(b.term, ">=", constant(0)), compare(b.term, "<", constant(kind.width))))
    narrowed = replace(b, lo=max(b.lo, 0), hi=min(b.hi, kind.width - 1))
    is_possible = narrowed.lo <= narrowed.hi
    ctx.builder.flush()
    if ctx.wants("overflow"):
        ctx.check(node, "overflow", fine)
        return _shift_in_range(ctx, operator, a, narrowed, kind, node) if is_possible else literal(0, kind)
    builder, name = ctx.builder, ctx.temporary(kind)
    inside, outside = builder.branch(fine)
    after = builder.fresh()
    builder.at(outside)
    builder.doubt("the result of a shift by a count that is out of range is not defined")
    builder.emit(Havoc(name, kind.lo, kind.hi))
    builder.goto(after)
    if is_possible:
        builder.at(inside)
        found = _shift_in_range(ctx, operator, a, narrowed, kind, node)
        builder.flush()
        builder.emit(Assign(name, found.term))
        builder.goto(after)
    builder.at(after)
    return of_term(variable(name), kind, kind.lo, kind.hi)


def _shift_in_range(ctx: Context, operator: str, a: Number, b: Number, kind: IntType, node: Node) -> Number:
    count = b.constant
    if operator == "<<":
        most = 1 << b.hi
        low, high = min(a.lo, a.lo * most), max(a.hi, a.hi * most)
        if count is not None:
            low, high, term = a.lo << count, a.hi << count, scale(a.term, 1 << count)
        else:
            ctx.builder.flush()
            term = _compute(ctx, "<<", a, b, kind)
        if ctx.wants("overflow"):
            return settle(ctx, term, low, high, kind, node)
        return fit(ctx, of_term(term, kind, low, high), kind)  # compilers define it (and C23) where C11 does not
    if count == 0:
        return a
    if a.constant is not None and count is not None:
        return literal(a.constant >> count, kind)
    ctx.builder.flush()
    term = _compute(ctx, ">>", a, b, kind)
    least = max(b.lo, 0)
    return of_term(term, kind, min(a.lo >> least, 0), max(a.hi >> least, 0))


def _bitwise(ctx: Context, operator: str, a: Number, b: Number, kind: IntType, origins: Origins) -> Number:
    if a.constant is not None and b.constant is not None:
        x, y = a.constant, b.constant
        return literal({"&": x & y, "|": x | y, "^": x ^ y}[operator], kind)
    ctx.builder.flush()
    term = _compute(ctx, operator, a, b, kind)
    low, high = kind.lo, kind.hi
    if operator == "&":
        known = [value.hi for value in (a, b) if value.lo >= 0]
        if known:
            low, high = 0, min(known)
    elif a.lo >= 0 and b.lo >= 0:
        low, high = 0, (1 << max(a.hi.bit_length(), b.hi.bit_length())) - 1
    return of_term(term, kind, low, high, origins)


def unary(ctx: Context, operator: str, value: Value, node: Node) -> Value:
    """`+value`, `-value` or `~value`."""
    if isinstance(type_of(value), FloatType):
        return value
    kind = promote(type_of(value))
    found = fit(ctx, unplaced(ctx, number(ctx, value)), kind)
    match operator:
        case "-":
            settled = settle(ctx, scale(found.term, -1), -found.hi, -found.lo, kind, node)
            return replace(settled, origins=settled.origins | found.origins)
        case "~":
            most = -1 if kind.signed else kind.hi
            term = add(constant(most), found.term, -1)
            return of_term(term, kind, most - found.hi, most - found.lo, found.origins)
        case _:
            return found


def _pointer(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    """Pointer plus or minus an integer, or the difference of two pointers; addresses do not wrap."""
    kinds = type_of(left), type_of(right)
    if isinstance(kinds[0], PointerType) and isinstance(kinds[1], PointerType) and operator == "-":
        return _difference(ctx, left, right, kinds[0], node)
    if not isinstance(kinds[0], PointerType):
        left, right = right, left
    kind = type_of(left)
    if not isinstance(kind, PointerType) or operator not in ("+", "-"):
        a, b = number(ctx, left), number(ctx, right)
        return ctx.havoc(INT, a.origins | b.origins)
    count = unplaced(ctx, number(ctx, right))
    sign = 1 if operator == "+" else -1
    if count.constant == 0:
        return left
    is_there = move_check(ctx, left, count.term, node, is_followed=node in ctx.followed)
    element = _element(left, count, sign, kind, _is_of_row(node))
    if element is not None:
        if node not in ctx.fleeting:
            note_moved(ctx, element, isinstance(node, c_ast.ArrayRef) and ctx.wants("array-bounds"))
        return element
    address, size = number(ctx, left), ctx.memory.types.size(kind.target)
    is_kept = size is None or node not in ctx.fleeting
    if is_kept:
        ctx.facts.layouts.stray(address.origins)
    if size is None:
        note_step(ctx, address, kind.target)
        ctx.facts.layouts.keep(address.origins)
        return ctx.havoc(kind, moved(anywhere(address.origins), kind.target))
    step = scale(count.term, sign * size)
    ctx.facts.layouts.stepped(address.origins, step)
    note_step(ctx, address, kind.target)
    if is_kept and (objects(address) or address.constant is None):  # a number that is written out is in no object
        ctx.facts.layouts.keep(address.origins)
    term = add(address.term, step)
    ends = (sign * size * count.lo, sign * size * count.hi)
    low, high = address.lo + min(ends), address.hi + max(ends)
    staying = staying_in_arrays(ctx, address, step.constant) if size == 1 and not step.terms else ()
    origins = stepped(address.origins - failing(address.origins), step, size, staying)  # see `move_check`
    origins = moved(origins, kind.target) if is_kept else origins | {MOVED}
    if not is_kept:
        ctx.moves[term] = add(step, ctx.moves.get(address.term, constant(0)))
    is_written_out = address.constant is not None and not addresses(address.origins)
    if is_written_out and (address.constant or ctx.is_settled(ctx.site(node, "moved null "))):
        # null, or a number that is written out, is moved; what is null may be more than that in the next round
        origins = moved(origins | led(ctx, of_term(term, ADDRESS, 0, ADDRESS.hi)), kind.target)
        ctx.facts.layouts.keep(origins)
    least = 1 if is_there else 0
    is_number = GUESSED in origins or not addresses(address.origins)
    if is_number and not (low >= 0 and high <= ADDRESS.hi):  # it goes around, as there is no object
        around = fit(ctx, Number(term, ADDRESS, low, high), ADDRESS)
        is_any = GUESSED in origins or ctx.is_settled(ctx.site(node, "moved "))
        return of_term(around.term, kind, around.lo, around.hi, origins | MADE_OF_NUMBER if is_any else origins)
    return of_term(term, kind, max(low, least), max(high, least), origins)


def _is_of_row(node: Node) -> bool:
    """Whether elements are those of a row by the form of the text, `a[i][j]` or `(*a)[j]`."""
    row = node.name if isinstance(node, c_ast.ArrayRef) else None
    return isinstance(row, c_ast.ArrayRef) or (isinstance(row, c_ast.UnaryOp) and row.op == "*")


def _element(pointer: Value, count: Number, sign: int, kind: PointerType, is_of_row: bool) -> Value | None:
    """The address of another element of the array that a pointer points into, where that is known.

    A pointer to an element of a row is moved on to other rows, as programs do that go through all rows as one; only an
    index of the row itself, `a[i][j]`, stays in it.
    """
    if not isinstance(pointer, Address) or not isinstance(pointer.place, Direct | Indirect):
        return None
    place = pointer.place
    if not place.path or not isinstance(place.path[-1], Index) or place.type != kind.target:
        return None
    last = place.path[-1]
    if last.term is None:
        return None
    is_row = len(place.path) > 1 and isinstance(place.path[-2], Index)
    if is_row and not is_of_row and not _stays_in_row(last, count, sign):
        return None
    step = Index(add(last.term, count.term, sign), last.length)
    path = (*place.path[:-1], step)
    if isinstance(place, Direct):
        return Address(Direct(place.object, path, place.type), kind)
    return Address(Indirect(place.address, place.base, path, place.type), kind)


def _stays_in_row(last: Index, count: Number, sign: int) -> bool:
    """Whether so many elements behind one of a row is another one of the same row."""
    if last.term is None or last.term.terms or last.length is None:
        return False
    ends = [last.term.constant + sign * end for end in (count.lo, count.hi)]
    return min(ends) >= 0 and max(ends) < last.length


def _difference(ctx: Context, left: Value, right: Value, kind: PointerType, node: Node) -> Value:
    a, b = number(ctx, left), number(ctx, right)
    body = ctx.thread.frame.body if ctx.thread.frames else None
    if body is None or node not in body.moved:
        hidden.note_distance(ctx, a, b)
    distance = ctx.data.distance
    size = ctx.memory.types.size(kind.target)
    if not size or not is_related(a, b):
        return ctx.havoc(distance)
    term = add(a.term, b.term, -1)
    low, high = distance.lo, distance.hi
    if all(k % size == 0 for _, k in term.terms) and term.constant % size == 0:
        exact = Linear(tuple((cell, k // size) for cell, k in term.terms), term.constant // size)
        return of_term(exact, distance, low, high)
    ctx.builder.flush()
    name = ctx.temporary(distance)
    ctx.builder.compute(name, Operation.DIV, term, constant(size))
    return of_term(variable(name), distance, low, high)


def incremented(ctx: Context, value: Value, step: int, node: Node) -> Value:
    """`value + step`, in the type of the result."""
    return convert(ctx, binary(ctx, "+" if step > 0 else "-", value, literal(1), node), type_of(value), node)
