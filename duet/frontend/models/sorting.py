"""What sorts an array in place, and what looks for an element of one: `qsort`, `qsort_r`, `bsearch`.

Sorting exchanges elements: each element holds what some element held, as far as the type of the elements is known.
Meanwhile it may call the comparing function on any two elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from duet.frontend.cells import gate
from duet.frontend.cells.access import read, write
from duet.frontend.cells.callees import callees_of
from duet.frontend.cells.comparison import note_moved
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.gate import Touch, any_element
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import moved, stepped
from duet.frontend.ctypes.types import (
    INT,
    OFFSET,
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Index,
    Indirect,
    Number,
    Path,
    Place,
    Untracked,
    Value,
    is_null,
    literal,
    of_term,
    type_of,
)
from duet.frontend.expressions.places import pointed
from duet.frontend.graph.insides import Stretch
from duet.frontend.models.buffers import at_path, fill, touch, with_any_indices
from duet.frontend.models.call import Call, Model, answer
from duet.frontend.models.effects import Bytes, extent_of
from duet.frontend.models.strings import into
from duet.plip.syntax import Assign, Havoc
from duet.plip.terms import add, compare, constant, scale, variable
from duet.records import dataclass


def sorts(given: int | None = None) -> Model:
    """qsort, or qsort_r, which hands its argument at the position `given` to the comparing function."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        extent = extent_of(values, Bytes(1, (1, 2)))
        array, exchanged = _Array.of(ctx, *values[:3]), None
        end = ctx.builder.fresh()
        if array is not None and array.is_plain:
            touch(ctx, values[0], extent, call, Touch.FILL, 0)
            ctx.builder.flush()
            some, none = ctx.builder.fork(2)  # of no elements nothing is taken out
            ctx.builder.at(none)
            ctx.builder.goto(end)
            ctx.builder.at(some)
            exchanged = _Exchanged(ctx, call, array)
        else:
            fill(ctx, values[0], extent, call)
        handed = () if given is None else (values[given],)

        def arguments() -> tuple[Value, ...]:
            return _any(ctx, values[0], array), _any(ctx, values[0], array), *handed

        _compare(ctx, call, values[3], arguments, exchanged)
        ctx.builder.goto(end)
        ctx.builder.at(end)
        return answer(ctx, Untracked(INT))

    return model


def searched(ctx: Context, call: Call) -> list[Outcome]:
    """bsearch: null, or a pointer to one of the elements that the function compared the key with."""
    values = call.evaluate_all(ctx)
    touch(ctx, values[1], extent_of(values, Bytes(1, (2, 3))), call, Touch.EXAMINE, 1)
    array = _Array.of(ctx, values[1], values[2], values[3])
    _compare(ctx, call, values[4], lambda: (values[0], _any(ctx, values[1], array)))
    if array is None:
        size = values[3].constant if isinstance(values[3], Number) else None
        return into(ctx, values[1], step=size or 1)
    ctx.builder.flush()
    found, failed = ctx.builder.fork(2)
    ctx.builder.at(found)
    element = array.any()
    return [(ctx.builder.current, element), (failed, literal(0, VOID_POINTER))]


def _any(ctx: Context, value: Value, array: _Array | None) -> Value:
    """A pointer to any element of an array; to any byte around if the elements are not known."""
    if array is not None:
        return array.any()
    ((location, pointer),) = into(ctx, value, may_fail=False)
    ctx.builder.at(location)
    return pointer


def _compare(
    ctx: Context,
    call: Call,
    comparing: Value,
    arguments: Callable[[], Sequence[Value]],
    exchanged: _Exchanged | None = None,
) -> None:
    """Calls a comparing function any number of times; in between elements of an array may be exchanged."""
    function = number(ctx, comparing)
    ctx.builder.flush()
    names, _ = callees_of(ctx, function, call.node, None)
    head = ctx.builder.fresh()
    ctx.builder.goto(head)
    ctx.builder.at(head)
    *ways, again, after = ctx.builder.fork(len(names) + 2)
    for name, way in zip(names, ways, strict=True):
        ctx.builder.at(way)
        ctx.hooks.run(ctx, name, list(arguments()), call.node)
        ctx.builder.goto(head)
    ctx.builder.at(again)
    if exchanged is not None:
        exchanged.step()
    ctx.builder.goto(head)
    ctx.builder.at(after)


@dataclass(frozen=True, slots=True)
class _Array:
    """An array, as a pointer to its first element, and how many there are."""

    ctx: Context
    start: Address | Number
    kind: CType
    count: Value

    @staticmethod
    def of(ctx: Context, array: Value, count: Value, width: Value) -> _Array | None:
        """The array by the type of its elements, if they are as large as is said."""
        known = width.constant if isinstance(width, Number) else None
        if isinstance(array, Address) and isinstance(array.place, Direct | Indirect):
            place = array.place
            while isinstance(place.type, ArrayType) and ctx.memory.types.size(place.type) != known:
                first = any_element(place.type.length, constant(0))
                place = replace(place, path=(*place.path, first), type=place.type.element)
            array = Address(place, PointerType(place.type))
        kind = type_of(array)
        if not isinstance(array, Address | Number) or not isinstance(kind, PointerType) or is_null(array):
            return None
        is_known = known is not None and ctx.memory.types.size(kind.target) == known and _stays(array, count)
        return _Array(ctx, array, kind.target, count) if is_known else None

    @property
    def is_plain(self) -> bool:
        """Whether all of an element is known to be exchanged where its scalars are."""
        return _is_plain(self.ctx, self.kind)

    def any(self) -> Value:
        """A pointer to any element. *Requires*: so many elements are there."""
        ctx, name = self.ctx, self.ctx.temporary(OFFSET)
        ctx.builder.flush()
        ctx.builder.emit(Havoc(name, 0, OFFSET.hi))
        if isinstance(self.count, Number):
            ctx.builder.assume(compare(add(variable(name), self.count.term, -1), "<", constant(0)))
        if isinstance(self.start, Address) and isinstance(self.start.place, Direct | Indirect):
            *path, last = self.start.place.path or ("",)
            if isinstance(last, Index) and last.term is not None:
                moved_by = any_element(last.length, add(last.term, variable(name)))
                element = Address(replace(self.start.place, path=(*path, moved_by)), self.start.type)
                note_moved(ctx, element, has_check=True)
                return element
        start, size = number(ctx, self.start), ctx.memory.types.size(self.kind)
        assert size is not None
        step = scale(variable(name), size)
        ctx.facts.layouts.stray(start.origins)
        ctx.facts.layouts.stepped(start.origins, step)
        ctx.facts.layouts.keep(start.origins)
        origins = moved(stepped(start.origins, step, size), self.kind)
        pointer = ctx.temporary(self.start.type)
        ctx.builder.emit(Assign(pointer, add(start.term, step)))
        ctx.builder.note_given(Stretch(pointer, 0, size))
        return of_term(variable(pointer), self.start.type, 1, value_range(self.start.type)[1], origins)


def _stays(array: Address | Number, count: Value) -> bool:
    """Whether so many elements are in the array itself that an address leads to, if that is part of something."""
    place = array.place if isinstance(array, Address) else None
    *around, last = (place.path if isinstance(place, Direct | Indirect) else ()) or ("",)
    if not isinstance(last, Index) or last.term is None or last.length is None:
        return True
    if isinstance(place, Direct) and not around:
        return True  # the object is the array
    return isinstance(count, Number) and not last.term.terms and last.term.constant + count.hi <= last.length


def _is_plain(ctx: Context, kind: CType) -> bool:
    """Whether a type is made of numbers and pointers, none of which shares its bytes with others."""
    match kind:
        case ArrayType(element):
            return _is_plain(ctx, element)
        case StructType(is_union=False):
            return all(_is_plain(ctx, part.type) for part in ctx.memory.types.members(kind))
        case _:
            return isinstance(kind, FloatType | IntType | PointerType)


class _Exchanged:
    """Elements of an array that change their places, scalar by scalar, by way of one that is taken out of it.

    What is the same in all ways through which elements get to other places: a scalar of an element is taken out, is put
    where another one was, or is moved there from another element. Any exchange is made of such steps.
    """

    def __init__(self, ctx: Context, call: Call, array: _Array) -> None:
        self._ctx, self._call, self._array = ctx, call, array
        self._taken: list[tuple[Path, Number]] = []
        ctx.builder.doubt("in which order the elements are then is not known")
        for path, scalar in ctx.memory.scalars(array.kind):
            found = self._read(path, scalar)
            name = ctx.temporary(scalar)
            ctx.builder.emit(Assign(name, found.term))
            self._taken.append((path, of_term(variable(name), scalar, *value_range(scalar), found.origins)))

    def step(self) -> None:
        """One of the steps, of one scalar."""
        if not self._taken:
            return
        ctx = self._ctx
        end = ctx.builder.fresh()
        ways = iter(ctx.builder.fork(3 * len(self._taken)))
        for path, taken in self._taken:
            ctx.builder.at(next(ways))
            ((cell, _),) = taken.term.terms
            ctx.builder.emit(Assign(cell, self._read(path, taken.type).term))
            ctx.builder.goto(end)
            ctx.builder.at(next(ways))
            self._write(path, taken)
            ctx.builder.goto(end)
            ctx.builder.at(next(ways))
            self._write(path, self._read(path, taken.type))
            ctx.builder.goto(end)
        ctx.builder.at(end)

    def _read(self, path: Path, kind: CType) -> Number:
        """What a scalar of any element holds."""
        found = number(self._ctx, read(self._ctx, self._place(path, kind), self._call.node))
        self._ctx.builder.flush()
        return found

    def _write(self, path: Path, value: Number) -> None:
        """Puts a value into any element."""
        write(self._ctx, self._place(path, value.type), value, self._call.node)
        self._ctx.builder.flush()

    def _place(self, path: Path, kind: CType) -> Place:
        """A scalar of any element, which has its check."""
        place = gate.covered(pointed(self._ctx, self._array.any()))
        return at_path(place, with_any_indices(self._ctx, path), kind)
