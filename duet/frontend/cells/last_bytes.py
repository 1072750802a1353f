"""Whether the last byte of an array of characters is 0, so that a string ends in it wherever in it one begins.

A cell tells that of each array of characters that is a variable, or a member of one, and in which a string is read.
Each write that may be to that byte, by whatever thread, is one step of the cell as well: to 1 where it is a null
character that is written exactly there, else to 0. For each run there is a schedule in which both happen at one time,
so what holds of the cell in every schedule holds of the byte. What a library function writes as a string ends in the
array, so that the byte becomes 0 or stays what it was.

*Source*: a shadow variable for where a string ends, as in N. Dor, M. Rodeh, M. Sagiv, "CSSV", 2003, here of one byte.
*Approximates*: over; objects that hold anything at any time have no such cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from duet.frontend.cells.context import Context
from duet.frontend.cells.extent import Extent
from duet.frontend.cells.located import Key, Shape, key_of, shape_of
from duet.frontend.cells.members import member_array
from duet.frontend.cells.targets import anywhere, is_wild
from duet.frontend.ctypes.origins import Origins, distances, leads_to_parts, may_be_any, may_be_at_start
from duet.frontend.ctypes.types import VOID, ArrayType, CType, IntType, StructType
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Object, Path, Place, Value
from duet.frontend.judgments.marks import Mark
from duet.plip.syntax import FALSE, TRUE, WHETHER, Assign, Cell, Formula, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, variable

_WANTED: Mark[Shape] = Mark("arrays of characters of which it is asked whether they end")
"""The mark of arrays by their paths, for an object by its key."""
_OBJECTS: Mark[str] = Mark("objects with such arrays")
"""The mark of the objects that these are in."""
_MOST = 8
"""Of an object with more arrays it is not asked by way of a pointer to any of them."""
_ONE = constant(1)


@dataclass(frozen=True, slots=True)
class _Array:
    """An array of characters in an object, or all that have one path but for their indices (then it `is_many`).

    `first` and `last` are where its bytes are, of several those of the last one; `start` is where the first one begins.
    """

    shape: Shape
    start: int
    first: int
    last: int

    @property
    def is_many(self) -> bool:
        return self.start < self.first

    @property
    def length(self) -> int:
        return self.last - self.first + 1

    def has_end(self, key: Key) -> bool:
        """Whether a key of an initial value is that of its last byte."""
        return shape_of(key[:-1]) == self.shape and key[-1] == self.length - 1


def _arrays(ctx: Context, of: Object, kind: CType, path: Path = ()) -> Iterator[_Array]:
    """The arrays of characters in an object; those in unions, and what may go on behind its end, are left out."""
    match kind:
        case ArrayType(IntType(size=1), int(length)) if length > 1:
            start = ctx.memory.offset(of.type, path)
            first = ctx.memory.offset(of.type, tuple(map(_to_last, path)))
            if start is not None and first is not None:
                yield _Array(shape_of(key_of(path)), start.constant, first.constant, first.constant + length - 1)
        case ArrayType(element, int(length)) if length > 1:
            yield from _arrays(ctx, of, element, (*path, Index(constant(0), length)))
        case StructType(is_union=False):
            for member in ctx.memory.types.members(kind):
                yield from _arrays(ctx, of, member.type, (*path, member.name))
        case _:
            return


def _to_last(step: str | Index) -> str | Index:
    if isinstance(step, str) or step.length is None:
        return step
    return Index(constant(step.length - 1), step.length)


def _is_followed(ctx: Context, of: Object) -> bool:
    """Whether an object is one variable, of which it is known what it begins with and what writes it."""
    if not ctx.wants("array-bounds") or of.kind != "global" or of.is_const or of.key in ctx.facts.objects.untracked:
        return False
    return ctx.memory.initial.get(of.key) is not None and of.key not in ctx.memory.given


def _asked(ctx: Context, of: Object) -> Sequence[_Array]:
    """The arrays of an object that have cells."""
    wanted = ctx.facts.marked(_WANTED.of(of.key))
    if not wanted or not _is_followed(ctx, of):
        return ()
    return [array for array in _arrays(ctx, of, of.type) if array.shape in wanted]


def _cell(ctx: Context, of: Object, array: _Array) -> str:
    """The cell that is 1 only while the last byte of an array is 0, or that of each of them if these are many."""
    spelled = "".join("[*]" if step is None else f".{step}" for step in array.shape)
    name = f"{of.key}{spelled}#last"
    if name not in ctx.memory.cells:
        initial = ctx.memory.initial[of.key]
        values = initial.values if initial is not None else {}
        begins = int(not any(code for key, code in values.items() if array.has_end(key)))
        shown = f"{WHETHER}{of.label or of.key}{spelled} ends"
        ctx.memory.cells[name] = Cell(name, None, False, begins, begins, shown, of.span)
    return name


@dataclass(frozen=True, slots=True)
class _Access:
    """Bytes of an object: `size` of them from `start` on, where None is any number of them, or anywhere.

    `starts` are the only places where they may begin, if these are known to be a few. `path` leads to the scalar or the
    array in which they are, `around` are the bytes of that, where this is known.
    """

    start: Linear | None
    size: Linear | None
    starts: Sequence[int] | None = None
    path: Path | None = None
    around: tuple[int, int] | None = None

    def meets(self, array: _Array) -> Formula:
        """That the last byte of an array, or maybe of one of many, is among them."""
        low = array.start if array.is_many else array.last
        if self.path is not None:
            inner = _inner(self.path, array)
            if inner is None:
                return FALSE
            if array.is_many and isinstance(inner, Index) and inner.term is not None:
                return TRUE if self.size is None else compare(add(inner.term, self.size), ">=", constant(array.length))
        if self.around is not None and not (self.around[0] <= array.last and low < self.around[1]):
            return FALSE
        if self.starts is not None and not any(self._may_meet(start, low, array.last) for start in self.starts):
            return FALSE
        if self.start is None:
            return TRUE
        before = compare(self.start, "<=", constant(array.last))
        behind = TRUE if self.size is None else compare(add(self.start, self.size), ">", constant(low))
        return conjunction((before, behind))

    def _may_meet(self, start: int, low: int, last: int) -> bool:
        is_before = self.size is not None and not self.size.terms and start + self.size.constant <= low
        return start <= last and not is_before

    def ends_around(self, array: _Array) -> bool:
        """Whether a string that is written here leaves the last byte of an array what it was, or 0."""
        if self.path is not None or array.shape == ():
            return True
        if self.around is None or array.is_many:
            return False
        low, high = self.around
        return (low, high) == (array.first, array.last + 1) or high <= array.first or array.last < low


def _inner(path: Path, array: _Array) -> Index | bool | None:
    """How a path leads to bytes of an array: the index of one of them; True for all of it; None for none."""
    for step, other in zip(path, array.shape, strict=False):
        if (None if isinstance(step, Index) else step) != other:
            return None
    if len(path) <= len(array.shape):
        return True
    last = path[len(array.shape)]
    return last if isinstance(last, Index) else None


def _accesses(ctx: Context, what: Place | Value, size: Linear | None) -> Iterator[tuple[Object, _Access]]:
    """The objects that a place, or a pointer, may lead to, each with the bytes of it that are meant."""
    match what:
        case Direct(of, path, kind, bit):
            start = _start(ctx, of.type, path) if bit is None else None
            yield of, _Access(start, _size(ctx, kind), path=path)
        case Address(Direct(of, path) as place):
            yield of, _Access(_start(ctx, of.type, path), size, path=path if _is_closed(ctx, place) else None)
        case Indirect(address, base, path, kind):
            yield from _through(ctx, address, base, path, _size(ctx, kind), False)
        case Address(Indirect(address, base, path) as place):
            yield from _through(ctx, address, base, path, size, _is_closed(ctx, place))
        case Number():
            yield from _through(ctx, what, VOID, (), size, False)
        case _:
            return


def _is_closed(ctx: Context, place: Direct | Indirect) -> bool:
    """Whether library functions stay in the array of which a place is an element: that of a variable, or a member."""
    if isinstance(place, Direct) and len(place.path) == 1:
        return isinstance(place.path[0], Index)
    return len(place.path) > 1 and isinstance(place.path[-2], str) and member_array(ctx, place) is not None


def _start(ctx: Context, kind: CType, path: Path) -> Linear | None:
    """Where a part begins; None where that is not known."""
    is_known = all(isinstance(step, str) or step.term is not None for step in path)
    return ctx.memory.offset(kind, path) if is_known else None


def _size(ctx: Context, kind: CType) -> Linear | None:
    size = ctx.memory.types.size(kind)
    return None if size is None else constant(size)


def _through(
    ctx: Context, address: Number, base: CType, path: Path, size: Linear | None, is_closed: bool
) -> Iterator[tuple[Object, _Access]]:
    """What is meant by way of a pointer to a base; where it `is_closed`, no more than the array around."""
    inner, array, starts = _start(ctx, base, path), path[-1] if is_closed else None, None
    if leads_to_parts(address.origins) and inner is not None and not inner.terms:
        known = distances(address.origins)
        if not any(stride for _, stride in known):
            first = (0,) if may_be_at_start(address.origins) else ()
            starts = [start + inner.constant for start in (*first, *(distance for distance, _ in known))]
    around = None
    if starts is not None and len(starts) == 1 and isinstance(array, Index) and array.length is not None:
        low = starts[0] - (array.constant or 0)
        around = low, low + array.length
    if _is_lost(ctx, address.origins):
        yield from ((of, _Access(None, None)) for of in _anywhere(ctx, address.origins))
        return
    for of in ctx.memory.pointed(address.origins):
        start = None
        if inner is not None and not ctx.memory.is_multiple(of):
            start = add(add(address.term, inner), ctx.memory.base_term(of).term, -1)
        yield of, _Access(start, size, starts, None, around)


def _is_lost(ctx: Context, origins: Origins) -> bool:
    """Whether nothing is known of where a pointer leads; one that leads nowhere may do so in the next round."""
    return may_be_any(origins) or (is_wild(ctx, origins) and bool(ctx.facts.pointers.wild))


def _anywhere(ctx: Context, origins: Origins) -> Iterator[Object]:
    """The objects with cells that a pointer may mean that may be that of any."""
    wanted = ctx.facts.marked(_OBJECTS)
    known = anywhere(ctx, origins) if wanted else ()
    yield from (ctx.memory.objects[key] for key in known if key in wanted)


def _is_asked(ctx: Context) -> bool:
    return not ctx.is_silent and ctx.facts.is_known(_OBJECTS)


@contextmanager
def kept(ctx: Context, is_kept: bool = True) -> Iterator[None]:
    """What is written inside leaves last bytes what they are or makes them 0, or was noted, if that is so."""
    before, ctx.thread.keeps_ends = ctx.thread.keeps_ends, is_kept or ctx.thread.keeps_ends
    try:
        yield
    finally:
        ctx.thread.keeps_ends = before


def note_write(ctx: Context, what: Place | Value, extent: Extent = None) -> None:
    """Notes that a place may be written, or bytes behind a pointer: at most so many, or any without a limit."""
    if ctx.thread.keeps_ends or not _is_asked(ctx):
        return
    for of, access in _accesses(ctx, what, None if extent is None else extent.term):
        for array in _asked(ctx, of):
            _emit(ctx, of, array, access.meets(array), 0)


def note_around(ctx: Context, origins: Origins) -> None:
    """Notes that anything may be written around where an address with some origins leads."""
    if ctx.thread.keeps_ends or not _is_asked(ctx):
        return
    for of in _anywhere(ctx, origins) if _is_lost(ctx, origins) else ctx.memory.pointed(origins):
        for array in _asked(ctx, of):
            _emit(ctx, of, array, TRUE, 0)


def note_text(ctx: Context, pointer: Value, extent: Extent) -> None:
    """Notes that a string is written where a pointer leads, of at most so many bytes, and ends in the array around."""
    if not _is_asked(ctx):
        return
    for of, access in _accesses(ctx, pointer, None if extent is None else extent.term):
        for array in _asked(ctx, of):
            if not access.ends_around(array):
                _emit(ctx, of, array, access.meets(array), 0)


def note_null(ctx: Context, what: Place | Value, size: Linear = _ONE) -> None:
    """Notes that all of so many bytes, those of a place or behind a pointer, became 0."""
    if not _is_asked(ctx):
        return
    for of, access in _accesses(ctx, what, size):
        for array in _asked(ctx, of):
            if not array.is_many and access.start is not None and access.size is not None:
                _emit(ctx, of, array, access.meets(array), 1)


def _emit(ctx: Context, of: Object, array: _Array, condition: Formula, value: int) -> None:
    """The step of a cell where a condition holds."""
    if condition == FALSE:
        return
    builder, step = ctx.builder, Assign(_cell(ctx, of, array), constant(value))
    builder.flush()
    if condition == TRUE:
        builder.emit(step)
        return
    here, other = builder.branch(condition)
    builder.at(here)
    builder.emit(step)
    builder.goto(other)
    builder.at(other)


def ending(ctx: Context, pointer: Address | Number, of: Object) -> tuple[Formula, bool] | None:
    """That a string ends in an object which begins there where a pointer leads, if that is to the object.

    With whether this says, as well, that the pointer leads there. None where nobody knows.
    """
    if ctx.is_silent or not _is_followed(ctx, of):
        return None
    access = next((access for to, access in _accesses(ctx, pointer, _ONE) if to == of), None)
    arrays = list(_arrays(ctx, of, of.type)) if access is not None else []
    if access is None or not arrays:
        return None
    if access.path is not None:
        arrays = [array for array in arrays if isinstance(_inner(access.path, array), Index)]
    elif access.starts is not None:
        first = max(access.starts)
        arrays = [array for array in arrays if first <= array.last][:1]
    wanted = [array for array in arrays if len(arrays) <= _MOST]
    known = ctx.facts.marked(_WANTED.of(of.key))
    if any(array.shape not in known for array in wanted):
        ctx.facts.mark(_WANTED.of(of.key), *(array.shape for array in wanted))
        ctx.facts.mark(_OBJECTS, of.key)
        return None
    fine = [
        conjunction((compare(variable(_cell(ctx, of, array)), "==", _ONE), _in_front(access, array)))
        for array in wanted
    ]
    return (disjunction(fine), access.starts is None) if fine else None


def _in_front(access: _Access, array: _Array) -> Formula:
    """That bytes begin in an object, at or in front of the last one of an array."""
    if access.starts is not None:
        return TRUE if all(0 <= start <= array.last for start in access.starts) else FALSE
    if access.start is None:
        return FALSE
    return conjunction((compare(access.start, ">=", constant(0)), compare(access.start, "<=", constant(array.last))))
