"""Conversions between C types (C11 6.3), and values as numbers and conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from duet.frontend.cells import hidden, moved
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import put_outside
from duet.frontend.cells.extent import least_size
from duet.frontend.cells.given import is_lasting
from duet.frontend.cells.memory import LARGEST
from duet.frontend.cells.narrowed import part_of_address
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    GUESSED,
    MADE_OF_NUMBER,
    NO_OBJECT,
    NOTHING,
    UNKNOWN_POINTER,
    FunctionAddress,
    Origins,
    ThreadId,
    addresses,
    anywhere,
    part_of,
    shifted,
    told_by_number,
)
from duet.frontend.ctypes.origins import moved as moved_origins
from duet.frontend.ctypes.types import (
    ADDRESS,
    BOOL,
    INT,
    OFFSET,
    CType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    is_scalar,
    is_unsized,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Path,
    Place,
    Temporary,
    Truth,
    Untracked,
    Value,
    Whole,
    is_flag,
    is_plain,
    literal,
    of_term,
    pointee,
    retyped,
    truth,
    type_of,
)
from duet.frontend.graph.there import PAGE
from duet.frontend.source.nodes import Node
from duet.plip.syntax import FALSE, TRUE, Assign, Formula, Linear, Operation
from duet.plip.terms import add, constant, disjunction, negate, variable

K = TypeVar("K")

_HALF = 1 << 56
"""Addresses from here on, up to as many below the top, are none: of 64 bits the upper 8 are equal, at least."""
FIXED = "an address that is written as a number leads to no object of the program"
"""What is assumed where a constant is made a pointer."""

_WIDE = ADDRESS.width - 1
"""The fewest bits of an integer that has room for an address of ours; those of C may be smaller."""


def number(ctx: Context, value: Value) -> Number:
    """The value as a number; a comparison becomes 0 or 1, an address is allocated.

    What the library has in its own objects, such as a spinlock, is any number to the program.
    """
    match value:
        case Number(type=OpaqueType()) if value.constant is None:
            return ctx.havoc(INT)
        case Number():
            return value
        case Address(place, kind):
            return _address(ctx, place, kind)
        case Truth(formula, kind):
            found = _flag(ctx, formula)
            return Number(found.term, kind, found.lo, found.hi)
        case Whole() | Untracked():
            return ctx.havoc(value.type if is_scalar(value.type) else INT)


def _address(ctx: Context, place: Place, kind: CType) -> Number:
    match place:
        case Direct():
            found = ctx.memory.address(place) or ctx.havoc(kind, place.object.origins)
            origins = found.origins if all(map(is_plain, place.path)) else shifted(found.origins)
            offset = ctx.memory.offset(place.object.type, place.path)
            origins = part_of(origins, offset) if offset is not None else anywhere(origins)
            return Number(found.term, kind, found.lo, found.hi, origins)
        case Indirect(address, base, path):
            offset, origins = ctx.memory.offset(base, path), address.origins
            is_behind = offset != constant(0) and not place.is_checked and _note_behind(ctx, address, base)
            if is_behind or not all(map(is_plain, path)):
                origins = shifted(origins)
            if isinstance(kind, PointerType) and is_unsized(kind.target) and moved.is_made(base):
                origins = moved_origins(origins, kind.target)  # how much there must be is not known any more
            if offset is None:
                return ctx.havoc(kind, anywhere(origins))
            return _part(ctx, address, offset, kind, part_of(origins, offset))
        case FunctionPlace(name):
            ctx.facts.functions.add(name)
            origin = FunctionAddress(name)
            start = ctx.memory.base(origin, 1)
            return Number(constant(start), kind, start, start, frozenset((origin,)))
        case Temporary():
            return ctx.havoc(kind, UNKNOWN_POINTER)


def _part(ctx: Context, address: Number, offset: Linear, kind: CType, origins: Origins) -> Number:
    """The address of a part that is so far behind a pointer; one that is made of a number goes around at the end."""
    term = add(address.term, offset)
    is_number = GUESSED in address.origins or not addresses(address.origins)
    if is_number and not offset.terms and offset.constant:
        low, high = (end + offset.constant for end in (address.lo, address.hi))
        found = fit(ctx, Number(term, ADDRESS, low, high), ADDRESS)
        return of_term(found.term, kind, found.lo, found.hi, origins)
    return of_term(term, kind, *value_range(kind), origins)


def _note_behind(ctx: Context, address: Number, kind: CType) -> bool:
    """Notes that a part of what an address points to may be behind the end of an object that is smaller than that.

    Whether that is so.
    """
    size = ctx.memory.types.size(kind)
    if size is None or size > LARGEST:
        ctx.facts.layouts.stray(address.origins)
        return True
    found = [of.origin for of in ctx.memory.pointed(address.origins) if size > least_size(ctx.memory, of)]
    ctx.facts.layouts.moved.add(*found)
    return bool(found)


def _flag(ctx: Context, formula: Formula) -> Number:
    """A new cell that is 1 where the formula holds, else 0; no cell for `b != 0` of a flag or a constant."""
    if formula in (TRUE, FALSE):
        return literal(1 if formula == TRUE else 0)
    name = ctx.temporary(BOOL)
    yes, no = ctx.builder.branch(formula)
    join = ctx.builder.fresh()
    for location, value in ((yes, 1), (no, 0)):
        ctx.builder.at(location)
        ctx.builder.edge(Assign(name, constant(value)), join)
    ctx.builder.at(join)
    return of_term(variable(name), INT, 0, 1)


def condition_of(ctx: Context, value: Value) -> Formula:
    """The formula that a value is not zero."""
    match value:
        case Truth(formula):
            return formula
        case Address(Indirect()):
            return truth(number(ctx, value))  # the base may be null
        case Address():
            return TRUE
        case Untracked():
            return truth(ctx.havoc(BOOL))
        case Number():
            return truth(number(ctx, value))
        case Whole():
            return truth(ctx.havoc(BOOL))


def negated(formula: Formula) -> Value:
    """The `int` that is 1 where `formula` does not hold, else 0."""
    if formula in (TRUE, FALSE):
        return literal(0 if formula == TRUE else 1)
    return Truth(negate(formula))


def convert(ctx: Context, value: Value, kind: CType, node: Node) -> Value:
    """The value converted to a type; narrowing wraps (exactly, also where C leaves it to the implementation)."""
    match kind:
        case VoidType():
            return Untracked(kind)
        case FloatType():
            return untracked(ctx, kind, value)
        case PointerType():
            return to_pointer(ctx, value, kind)
        case IntType():
            if isinstance(value, Untracked) and isinstance(value.type, FloatType):
                ctx.warn(node, "float", "floating values are not tracked: any integer is assumed")
            return _to_integer(ctx, value, kind)
        case OpaqueType():
            return retyped(value if isinstance(value, Number) else number(ctx, value), kind)
        case StructType() if isinstance(value, Number | Address):  # GNU C: a member becomes a union, which has no cells
            put_outside(ctx, number(ctx, value).origins)
            return Whole(Temporary(kind), kind)
        case _:
            return retyped(value, kind)


def untracked(ctx: Context, kind: CType, *values: Value) -> Untracked:
    """A value that is not tracked and made of others: addresses among these, or in vectors, may come back from it."""
    for value in values:
        match value:
            case Address() | Number():
                found = number(ctx, value)
                put_outside(ctx, found.origins)
                hidden.take_apart_value(ctx, found)
            case Whole(place):
                hidden.take_apart(ctx, Address(place, PointerType(place.type)))
            case _:
                continue
    return Untracked(kind)


def to_pointer(ctx: Context, value: Value, kind: PointerType) -> Value:
    """The value as a pointer; where pointers are smaller than our addresses the sign is extended."""
    if isinstance(value, Address | Number):
        value = recast(ctx, value, kind)
    if isinstance(value, Address):
        return retyped(value, kind)
    if isinstance(value, Untracked | Whole):
        return ctx.havoc(kind, UNKNOWN_POINTER)
    found = number(ctx, value)
    if isinstance(found.type, PointerType):
        return retyped(found, kind)
    is_short = ctx.data.pointer < ADDRESS.size
    wide = fit(ctx, fit(ctx, found, ctx.data.distance) if is_short else found, ADDRESS)
    if not is_address(ctx, found) and found.constant is None and addresses(found.origins) - NO_OBJECT:
        return ctx.havoc(kind, led(ctx, wide))  # a part of an address that stands for the whole is no number of ours
    if wide.constant == 0:
        return retyped(wide, kind)
    return Number(wide.term, kind, wide.lo, wide.hi, led(ctx, wide))


def led(ctx: Context, number: Number) -> Origins:
    """The origins of a pointer that is made of an integer: any, but those that are known of a constant."""
    if number.constant is None:
        return number.origins | (NO_OBJECT if number.origins else MADE_OF_NUMBER)
    if number.origins or _is_nowhere(number.constant):
        return number.origins
    ctx.assume(FIXED)
    return frozenset((EXTERNAL,))


def _is_nowhere(number: int) -> bool:
    """Whether a constant is an address that belongs to no object, as error numbers, marks and poison are."""
    at = number % (ADDRESS.hi + 1)
    return at < PAGE or _HALF <= at < ADDRESS.hi + 1 - _HALF or at > ADDRESS.hi - PAGE


def recast(ctx: Context, value: Value, kind: PointerType) -> Value:
    """A pointer to some parts of its objects that becomes one to parts of another type: as such, which is recorded."""
    if type_of(value) == kind:
        return value
    _note_recast(ctx, value, kind)
    return moved.recast(ctx, value, kind)


def _note_recast(ctx: Context, value: Value, kind: PointerType) -> None:
    if isinstance(kind.target, FunctionType):
        return
    _note_narrow(ctx, value)
    if isinstance(kind.target, VoidType):
        return
    match value:
        case Address(Direct(of)):
            ctx.facts.layouts.convert(of.origins, kind.target)
        case Address(Indirect(address)):
            ctx.facts.layouts.convert(address.origins, kind.target)
        case Number(origins=origins):
            ctx.facts.layouts.convert(origins, kind.target)
        case _:
            pass


def _note_narrow(ctx: Context, value: Value) -> None:
    """Records that a pointer that may be to an inner part of an object is no longer known to be one of its type."""
    kind = pointee(type_of(value))
    width = ctx.memory.types.size(kind) if kind is not None else None
    if kind is None or width is None or isinstance(kind, VoidType | FunctionType):
        return
    for key in _objects_inside(ctx, value, kind):
        ctx.facts.layouts.narrowed(key, width)


def _objects_inside(ctx: Context, value: Value, kind: CType) -> frozenset[str]:
    """The objects of which a pointer to a type may point to another part than the start."""
    match value:
        case Address(Direct(of, path)):
            offset = ctx.memory.offset(of.type, path)
            return frozenset() if offset == constant(0) else frozenset((of.key,))
        case Address(Indirect(Number(origins=origins))) | Number(origins=origins):
            return frozenset(of.key for of in ctx.memory.pointed(origins) if of.type != kind)
        case _:
            return frozenset()


def _to_integer(ctx: Context, value: Value, kind: IntType) -> Value:
    if kind.name == "_Bool":
        formula = condition_of(ctx, value)
        if formula in (TRUE, FALSE):
            return literal(1 if formula == TRUE else 0, kind)
        return retyped(value, kind) if isinstance(value, Number) and is_flag(value) else Truth(formula, kind)
    if isinstance(value, Truth) and kind.hi > 0:
        return retyped(value, kind)
    if isinstance(value, Untracked | Whole):
        return ctx.havoc(kind)
    _note_narrow(ctx, value)
    found = number(ctx, value)
    if isinstance(found.type, PointerType):
        hidden.note_number(ctx, found)
        if GUESSED in found.origins:
            found = replace(found, origins=told_by_number(found.origins))
        if ctx.data.pointer < ADDRESS.size:
            found = _short(ctx, found, kind if kind.size == ctx.data.pointer else ctx.data.distance)
    return fit(ctx, found, kind)


def _short(ctx: Context, pointer: Number, kind: IntType) -> Number:
    """The integer of the size of a pointer that it becomes, where that is less than that of our addresses.

    A number that was made a pointer is found again. *Approximates*: an address of an object is any number.
    """
    if not (pointer.lo >= 0 and pointer.hi <= ctx.data.distance.hi):
        ctx.builder.doubt("where objects lie is not known")
    found = fit(ctx, pointer, kind)
    if addresses(pointer.origins) - NO_OBJECT:
        ctx.builder.flush()
        ctx.builder.assume(disjunction((negate(truth(pointer)), truth(found))))  # no object lies at 0
    return found


def is_address(ctx: Context, value: Number) -> bool:
    """Whether an integer may be the address of an object; where objects lie is not known, so its value says nothing.

    A type that is too small for addresses has any value where it is given one, see `fit`: that value is a number.
    """
    return _has_room(ctx, value.type, value.origins) and bool(addresses(value.origins) - NO_OBJECT)


def _has_room(ctx: Context, kind: CType, origins: Origins) -> bool:
    """Whether an integer type has room for what it may be given: addresses of ours, or ids of threads only."""
    if not isinstance(kind, IntType):
        return False
    is_of_threads = all(isinstance(origin, ThreadId) for origin in addresses(origins) - NO_OBJECT)
    return kind.width >= (min(_WIDE, ctx.data.word.width - 1) if is_of_threads else _WIDE)


def unplaced(ctx: Context, value: Number) -> Number:
    """The value as arithmetic may use it: any value of its type if it is an address.

    The addresses that objects have here tell them apart; they say nothing of alignment, order or distance. A number
    that is less than all of them is what arithmetic with any value has left of one, as by a mask.
    """
    hidden.note_cases(ctx, value)
    is_left = value.lo >= 0 and value.hi < PAGE
    return ctx.havoc(value.type, value.origins) if is_address(ctx, value) and not is_left else value


def fit(ctx: Context, value: Number, kind: IntType) -> Number:
    """The value wrapped into a type; nothing is done where it fits anyway."""
    lo, hi = kind.lo, kind.hi
    is_whole = not isinstance(value.type, IntType) or _has_room(ctx, value.type, value.origins)
    if is_whole and not _has_room(ctx, kind, value.origins) and addresses(value.origins) - NO_OBJECT:
        return part_of_address(ctx, value, kind)
    if lo <= value.lo and value.hi <= hi:
        return Number(value.term, kind, value.lo, value.hi, value.origins)
    if value.constant is not None:
        size = hi - lo + 1
        return Number(*_literal((value.constant - lo) % size + lo, kind), value.origins)
    if (exact := _before_wrapping(ctx, value, kind)) is not None:
        return fit(ctx, exact, kind)
    name = ctx.temporary(kind)
    ctx.builder.compute(name, Operation.WRAP, value.term, constant(lo), constant(hi))
    if not value.origins:
        ctx.temporaries.wrapped[name] = value, kind, ctx.builder.current
    return Number(variable(name), kind, lo, hi, value.origins)


def _before_wrapping(ctx: Context, value: Number, kind: IntType) -> Number | None:
    """The number that a value was wrapped from just now, where wrapping it to a type that is no larger is the same."""
    names = [name for name, factor in value.term.terms if factor == 1]
    found = ctx.temporaries.wrapped.get(names[0]) if len(value.term.terms) == len(names) == 1 else None
    if found is None or value.term.constant != 0:
        return None
    exact, into, location = found
    return exact if location == ctx.builder.current and kind.width <= into.width else None


def whole_number(ctx: Context, term: Linear) -> Linear | None:
    """What a number of 64 bits is where it is less than half of what they hold, over what it was converted from.

    All of these are the same number up to multiples of all that they hold, and the first of them that lies within half
    of that on either side of 0 can only be the number itself.
    """
    half = 1 << ADDRESS.width - 1
    while len(term.terms) == 1:
        ((name, factor),) = term.terms
        found = ctx.temporaries.wrapped.get(name)
        if found is None or found[1].width != ADDRESS.width or not ctx.builder.is_as_at(found[2]):
            return None
        exact, constant_part = found[0], term.constant
        term = add(constant(constant_part), exact.term, factor)
        ends = (factor * exact.lo + constant_part, factor * exact.hi + constant_part)
        if -half <= min(ends) and max(ends) < half:
            return term
    return None


def _literal(value: int, kind: CType) -> tuple[Linear, CType, int, int]:
    return constant(value), kind, value, value


def snapshot(ctx: Context, value: Value) -> Value:
    """The value, safe against later writes to the cells it is made of."""
    match value:
        case Number(term) if term.terms:
            if all(name.startswith("$") for name, _ in term.terms) or is_lasting(ctx, value):
                ctx.builder.flush()
                return value
            ctx.builder.flush()
            name = ctx.temporary(value.type)
            ctx.builder.emit(Assign(name, term))
            (source, factor), *others = term.terms
            if not others and (factor, term.constant) == (1, 0):
                ctx.temporaries.sources[name] = ctx.temporaries.sources.get(source, source)
            return Number(variable(name), value.type, value.lo, value.hi, value.origins)
        case Truth():
            return number(ctx, value)
        case Address(place, kind):
            return Address(settled(ctx, place), kind)
        case _:
            ctx.builder.flush()
            return value


def settled(ctx: Context, place: Place) -> Place:
    """The place, safe against later writes to the cells that its indices and its address are made of."""
    match place:
        case Direct(of, path, kind):
            return Direct(of, _settled_path(ctx, path), kind)
        case Indirect(address, _, path):
            kept = snapshot(ctx, address)
            assert isinstance(kept, Number)
            return replace(place, address=kept, path=_settled_path(ctx, path))
        case _:
            ctx.builder.flush()
            return place


def _settled_path(ctx: Context, path: Path) -> Path:
    ctx.builder.flush()
    return tuple(_settled_index(ctx, step) if isinstance(step, Index) else step for step in path)


def _settled_index(ctx: Context, step: Index) -> Index:
    if step.term is None or all(name.startswith("$") for name, _ in step.term.terms):
        return step
    name = ctx.temporary(OFFSET)
    ctx.builder.emit(Assign(name, step.term))
    return replace(step, term=variable(name))


def is_copy(ctx: Context, value: Number) -> bool:
    """Whether a number is a constant, or was moved as a whole from where only such were ever written.

    What it holds is of the origins that are known of it then; any other number may be of unknown ones, too.
    """
    if not value.term.terms:
        return True
    (name, factor), *others = value.term.terms
    if others or (factor, value.term.constant) != (1, 0):
        return False
    cell = ctx.temporaries.sources.get(name, name)
    return name in ctx.temporaries.copies or (cell in ctx.memory.places and cell not in ctx.facts.pointers.mixed)


def merged(ctx: Context, outcomes: list[Outcome], kind: CType) -> Value:
    """One value for all outcomes of an expression of a type; goes on behind it."""
    return merged_each(ctx, [(location, {None: value}) for location, value in outcomes], {None: kind})[None]


def merged_each(
    ctx: Context, outcomes: Sequence[tuple[int, Mapping[K, Value]]], kinds: Mapping[K, CType]
) -> dict[K, Value]:
    """The same for several values, which all outcomes have; `kinds` are their types."""
    builder = ctx.builder
    if not outcomes:
        builder.dead()
        return {key: literal(0, kind) if is_scalar(kind) else Untracked(kind) for key, kind in kinds.items()}
    if len(outcomes) == 1:
        location, known = outcomes[0]
        builder.at(location)
        return dict(known)
    join = builder.outside() if outcomes[0][0] not in builder.atomic else None
    if join is None:
        builder.at(outcomes[0][0])
        join = builder.fresh()
    joined = {key: _Joined(ctx, [values[key] for _, values in outcomes], kinds[key]) for key in outcomes[0][1]}
    for location, values in outcomes:
        builder.at(location)
        for key, value in values.items():
            joined[key].take(ctx, value)
        builder.goto(join)
    builder.at(join)
    return {key: item.value(ctx) for key, item in joined.items()}


class Gathered:
    """A temporary of a scalar type that several values are assigned to, with what is known of all of them."""

    def __init__(self, ctx: Context, kind: CType) -> None:
        self.kind = kind
        self.name = ctx.temporary(kind)
        self.bounds: list[tuple[int, int]] = []
        self.origins = NOTHING

    def take(self, ctx: Context, found: Number) -> None:
        """Assigns a value here."""
        self.bounds.append((found.lo, found.hi))
        self.origins |= found.origins
        ctx.builder.assign(self.name, found.term, is_shared=False)

    def value(self) -> Number:
        """What it holds. *Requires*: something was assigned."""
        lo, hi = min(low for low, _ in self.bounds), max(high for _, high in self.bounds)
        return of_term(variable(self.name), self.kind, lo, hi, self.origins)


class _Joined:
    """One value for the values that an expression has at several locations."""

    def __init__(self, ctx: Context, values: Sequence[Value], kind: CType) -> None:
        self.values = values
        self.kind = kind
        is_same = all(value == values[0] for value in values) and not isinstance(values[0], Truth)
        self.given = Gathered(ctx, kind) if is_scalar(kind) and not is_same else None
        self.are_copies = True

    def take(self, ctx: Context, value: Value) -> None:
        """Assigns the value that the expression has here."""
        if self.given is None:
            return
        found = number(ctx, value)
        self.are_copies = self.are_copies and is_copy(ctx, found)
        self.given.take(ctx, found)

    def value(self, ctx: Context) -> Value:
        """The value where all have come together."""
        if self.given is None:
            return _merged_whole(ctx, self.values, self.kind)
        if all(low == high for low, high in self.given.bounds):
            ctx.temporaries.constants[self.given.name] = frozenset(low for low, _ in self.given.bounds)
        if self.are_copies:
            ctx.temporaries.copies.add(self.given.name)
        return self.given.value()


def _merged_whole(ctx: Context, values: Sequence[Value], kind: CType) -> Value:
    """The one value of all outcomes that is no scalar; any value where they differ."""
    if all(value == values[0] for value in values):
        return values[0]
    if not isinstance(kind, StructType):
        return Untracked(kind)
    ctx.warn(None, "struct-choice", "one of several structs: any value is assumed")
    return Whole(Temporary(kind), kind)


def squeezed(ctx: Context, outcomes: list[Outcome], kind: CType) -> list[Outcome]:
    """The outcomes with at most one for each constant and one for all others.

    Where all others are known to be negative or positive, those are two, so that they are not 0 together either.
    """
    constants: dict[int, list[Outcome]] = {}
    others: list[Outcome] = []
    for location, value in outcomes:
        known = value.constant if isinstance(value, Number) else None
        (others if known is None else constants.setdefault(known, [])).append((location, value))
    result: list[Outcome] = []
    for group in (*constants.values(), *_by_sign(others)):
        if len(group) > 1:
            value = merged(ctx, group, kind)
            ctx.builder.flush()
            result.append((ctx.builder.current, value))
        else:
            result.extend(group)
    return result


def _by_sign(outcomes: list[Outcome]) -> tuple[list[Outcome], ...]:
    """Outcomes that are negative, and those that are positive, if there are no others."""
    below = [outcome for outcome in outcomes if isinstance(outcome[1], Number) and outcome[1].hi < 0]
    above = [outcome for outcome in outcomes if isinstance(outcome[1], Number) and outcome[1].lo > 0]
    return (below, above) if len(below) + len(above) == len(outcomes) else (outcomes,)
