"""The gate for accesses: whatever touches memory passes here, where its checks and its notes are decided.

They follow from the place that is touched in the end, not from how the source writes it: the pointer that leads there
(`null-dereference`), whether that is inside of its object and each index on the way inside of its array
(`array-bounds`), and which objects it may mean (`data-race`). An index that cannot be outside needs no check, and one
that had its check where it was written carries that with it (`Index.is_checked`). What library functions may read of
their arguments is noted where these are evaluated (`sharing.note_argument`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import TypeAlias, TypeVar, assert_never

from duet.frontend.cells import hidden, lifetimes, names, ownership, private, rereads, sharing, tails, texts
from duet.frontend.cells.bounds import (
    bounds_check,
    bytes_check,
    counted_check,
    index_check,
    is_perhaps_less,
    rest_check,
    text_check,
)
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import merged
from duet.frontend.cells.extent import Extent, Reach, is_counted, is_nothing
from duet.frontend.cells.members import may_go_on
from duet.frontend.cells.pointers import given_text, null_check, pointer_text
from duet.frontend.cells.targets import Target, elements, is_protected, is_wild, targets
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import Origins, addresses, marks
from duet.frontend.ctypes.types import CType, IntType
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Place,
    Temporary,
    Value,
    base_of,
)
from duet.frontend.graph.insides import Stretch
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind
from duet.plip.syntax import FALSE, TRUE, Formula, Guard, Linear
from duet.plip.terms import compare, constant

_Place = TypeVar("_Place", bound=Place)
T = TypeVar("T")
Ways: TypeAlias = tuple[tuple[Formula, Direct | Indirect], ...]
"""Places of which one is meant, each with when that is it."""


class Touch(StrEnum):
    """The ways in which memory is touched."""

    LOAD = "a scalar, or something that is not tracked, is read"
    STORE = "a scalar, or something that is not tracked, is written"
    UPDATE = "a scalar is read and written in one step"
    COPY_OUT = "a structure is read as a whole"
    COPY_IN = "a structure is written as a whole"
    LOCK = "a library function operates on a lock or the like"
    EXAMINE = "a library function reads bytes"
    FILL = "a library function writes bytes"
    HAVOC = "code that is not there may write an object"
    RELEASE = "an object is given back to the allocator"


@dataclass(frozen=True, slots=True)
class Rule:
    """What is decided for a way of touching memory: whether there are checks, and what counts for data races.

    `is_certain` if all of what is named is touched whenever execution goes on.
    """

    has_checks: bool
    counts_as: AccessKind | None
    is_certain: bool = False


@cache
def rule(touch: Touch) -> Rule:
    """What is decided for a way of touching memory."""
    match touch:
        case Touch.LOAD:  # compilers leave reads out that nobody uses
            return Rule(True, AccessKind.READ)
        case Touch.COPY_OUT:
            return Rule(True, AccessKind.READ, is_certain=True)
        case Touch.STORE | Touch.COPY_IN:
            return Rule(True, AccessKind.WRITE, is_certain=True)
        case Touch.EXAMINE:
            return Rule(True, AccessKind.READ)
        case Touch.UPDATE | Touch.FILL:  # a comparison may fail, then nothing is written
            return Rule(True, AccessKind.WRITE)
        case Touch.LOCK:  # that orders threads, so it is no race
            return Rule(True, None)
        case Touch.HAVOC | Touch.RELEASE:  # unknown code is assumed to stay inside of it; free(0) does nothing
            return Rule(False, AccessKind.WRITE)
        case _:
            assert_never(touch)


def admit(ctx: Context, place: _Place, touch: Touch, node: Node) -> _Place:
    """The place, behind the checks that it is inside of an object; its indices have had theirs then."""
    if not isinstance(place, Direct | Indirect) or not rule(touch).has_checks:
        return place
    if rule(touch).counts_as is AccessKind.WRITE and ctx.options.model == "linux":
        private.note_write(ctx, place)
        names.note_write(ctx, place)
    if isinstance(place, Indirect) and not place.is_checked:
        ctx.builder.flush()
        text = pointer_text(node, place.path)
        null_check(ctx, place.address, node, text)
        bounds_check(ctx, place, node)
        lifetimes.check_use(ctx, place.address, ctx.memory.offset(place.base, place.path), node, text)
        place = replace(place, is_checked=True)
    return _with_indices(ctx, place, node)


def part(ctx: Context, place: _Place, node: Node) -> _Place:
    """A place whose address is taken, behind the check that what it is part of is there, if a pointer may be to less.

    That is where nobody knows where the pointer comes from: all addresses that it may be would be suspect otherwise.
    That it is not null is checked where it is moved; what is at the start of its structure needs neither.
    """
    if ctx.options.model == "linux":
        private.note_address(ctx, place)
        names.note_address(ctx, place)
    if not isinstance(place, Indirect) or place.is_checked or not ctx.wants("array-bounds"):
        return place
    if ctx.memory.offset(place.base, place.path) == constant(0) or not is_perhaps_less(ctx, place):
        return place
    bounds_check(ctx, place, node)
    return replace(place, is_checked=True)


def bytes_from(
    ctx: Context,
    pointer: Value,
    extent: Extent,
    touch: Touch,
    node: Node,
    argument: Node,
    reach: Reach = Reach.DATA,
) -> None:
    """Touches at most so many bytes from where a pointer points to, of the object around it: only their checks.

    `argument` is the pointer as the source has it.
    """
    if not isinstance(pointer, Address | Number) or not rule(touch).has_checks or is_nothing(extent):
        return
    address = base_of(pointer)
    if rule(touch).counts_as is AccessKind.WRITE:
        texts.note_write(ctx, pointer, extent)
        rereads.note_write(ctx, pointer, extent)
    if isinstance(address, Number):
        if rule(touch).counts_as is AccessKind.WRITE and ctx.options.model == "linux":
            private.note_bytes(ctx, pointer, address, None if extent is None else extent.constant)
            names.note_bytes(ctx, pointer, address, None if extent is None else extent.constant)
        ctx.builder.flush()
        named = given_text(argument, pointer)
        null_check(ctx, address, node, named, extent)
        lifetimes.check_use(ctx, address, None, argument, named)
    if isinstance(pointer, Address) and isinstance(pointer.place, Direct | Indirect):
        _with_indices(ctx, replace(pointer.place, path=pointer.place.path[:-1]), node)
    bytes_check(ctx, pointer, extent, node, reach, is_write=rule(touch).counts_as is AccessKind.WRITE)


def text(ctx: Context, pointer: Value, limit: Extent, node: Node, argument: Node, is_optional: bool = False) -> None:
    """Touches a string up to its end, or so many bytes of it; its races are noted with those of all arguments.

    There is none behind null if it `is_optional`.
    """
    if not isinstance(pointer, Address | Number) or is_nothing(limit):
        return
    hidden.note_bytes(ctx, pointer)
    address = base_of(pointer)
    ctx.builder.flush()
    if isinstance(address, Number):
        named = given_text(argument, pointer)
        if not is_optional:
            null_check(ctx, address, node, named, limit)
        lifetimes.check_use(ctx, address, None, argument, named)
    text_check(ctx, pointer, limit, node, is_optional)
    if limit is None and not is_optional:
        note_first(ctx, pointer)


def missing(ctx: Context, pointer: Value, extent: Extent, node: Node, argument: Node) -> None:
    """Tells where a library function may be given null and goes on, as it may have a meaning that nobody has told."""
    address = base_of(pointer)
    if isinstance(address, Number) and not is_nothing(extent):
        ctx.builder.flush()
        null_check(ctx, address, node, given_text(argument, pointer), extent, stops=False)


def note_first(ctx: Context, pointer: Value) -> None:
    """Notes that a byte was accessed where a pointer leads, if that was moved: it is where an object is."""
    match pointer:
        case Number(term=Linear(((cell, 1),), moved), origins=origins) if marks(origins):
            ctx.builder.note_given(Stretch(cell, moved, moved + 1))


def there(ctx: Context, pointer: Value, node: Node, argument: Node) -> Value:
    """A pointer that a library function follows, behind the checks that it is not null and of nothing that is gone."""
    match pointer:
        case Address(Indirect(address) as place):
            return replace(pointer, place=replace(place, address=_there(ctx, pointer, address, node, argument)))
        case Number():
            return _there(ctx, pointer, pointer, node, argument)
        case _:
            return pointer


def _there(ctx: Context, pointer: Value, address: Number, node: Node, argument: Node) -> Number:
    ctx.builder.flush()
    named = given_text(argument, pointer)
    null_check(ctx, address, node, named)
    lifetimes.check_use(ctx, address, None, argument, named)
    is_checked = ctx.wants("null-dereference") and address.lo <= 0 < address.hi
    return replace(address, lo=1) if is_checked else address


def covered(place: _Place) -> _Place:
    """A place among bytes that had their checks."""
    return replace(place, is_checked=True) if isinstance(place, Indirect) else place


def _with_indices(ctx: Context, place: _Place, node: Node) -> _Place:
    """A place whose indices have had their checks."""
    assert isinstance(place, Direct | Indirect)
    if not ctx.wants("array-bounds") or all(_is_inside(step) for step in place.path):
        return place
    return replace(place, path=tuple(_checked(ctx, place, at, node) for at in range(len(place.path))))


def _is_inside(step: str | Index) -> bool:
    """Whether a step cannot lead out of its array, or has had its check."""
    if not isinstance(step, Index) or step.is_checked or step.term is None:
        return True
    return step.constant is not None and step.length is not None and 0 <= step.constant < step.length


def _checked(ctx: Context, place: Direct | Indirect, at: int, node: Node) -> str | Index:
    """A step of a path, behind its check."""
    step = place.path[at]
    if _is_inside(step):
        return step
    assert isinstance(step, Index)
    _check_index(ctx, place, at, step, node, is_access=True)
    return replace(step, is_checked=True)


def _check_index(ctx: Context, place: Direct | Indirect, at: int, step: Index, node: Node, is_access: bool) -> None:
    """Emits the check of an index, by the length of the array if it has one."""
    has_length = step.length is not None and (_is_inside(step) or not may_go_on(ctx, place, at))
    if not at and step.length is None and isinstance(place, Direct) and is_counted(ctx, place.object):
        counted_check(ctx, place, step, node, is_access)
    elif has_length or isinstance(place, Direct):
        index_check(ctx, step if has_length else replace(step, length=None), node, is_access)
    else:
        rest_check(ctx, place, at, node, is_access)


def element(ctx: Context, place: Place, node: Node, is_access: bool) -> Place:
    """The place, behind the check of the last index where that is written; without an access it may be the length.

    There is one check for each index of the source, whatever is known of it.
    """
    if not isinstance(place, Direct | Indirect) or not place.path or not ctx.wants("array-bounds"):
        return place
    last = place.path[-1]
    if not isinstance(last, Index) or last.term is None:
        return place
    _check_index(ctx, place, len(place.path) - 1, last, node, is_access)
    is_decided = is_access or last.length is None
    return replace(place, path=(*place.path[:-1], replace(last, is_checked=True))) if is_decided else place


def any_element(length: int | None, term: Linear) -> Index:
    """An element of an array of a length. *Requires*: the term is never outside of the array."""
    return Index(term, length, is_checked=True)


def choices(ctx: Context, place: Place, node: Node, is_read: bool = False) -> list[Target]:
    """What a place may mean; a single one without a guard where that is known."""
    match place:
        case Direct():
            return elements(ctx, Target(TRUE, place))
        case Temporary():
            return [Target(TRUE, place)]
        case FunctionPlace():
            return [Target(TRUE, Temporary(place.type))]
        case Indirect():
            return [element for target in targets(ctx, place, node, is_read) for element in elements(ctx, target)]


def apart(ctx: Context, place: Place, node: Node) -> Ways:
    """The elements of an array that a place may be, with when it is which; none where that is not known.

    They are behind the checks of the place: what is done with one of these is done with one and the same element.
    """
    if not isinstance(place, Direct | Indirect) or not isinstance(place.type, IntType):
        return ()
    if all(not isinstance(step, Index) or step.constant is not None for step in place.path):
        return ()
    whole = _only(ctx, place, node)
    found = None if whole is None else ctx.memory.choosing(whole)
    if whole is None or found is None or whole.path[-len(place.path) :] != place.path:
        return ()
    at = found[0] - len(whole.path)  # from the end, where both are the same
    parts = [(part.guard, part.place) for part in elements(ctx, Target(TRUE, whole))]
    chosen = [(guard, of.path[at]) for guard, of in parts if isinstance(of, Direct)]
    if -at > len(place.path) or any(isinstance(step, str) or step.constant is None for _, step in chosen):
        return ()
    place = admit(ctx, place, Touch.LOAD, node)
    front, behind = place.path[:at], place.path[at:][1:]
    return tuple((guard, replace(place, path=(*front, step, *behind))) for guard, step in chosen)


def _only(ctx: Context, place: Direct | Indirect, node: Node) -> Direct | None:
    """The part of an object that a place is; None where it may be one of several."""
    if isinstance(place, Direct):
        return place
    found = targets(ctx, place, node) if not is_wild(ctx, place.address.origins) else []
    is_one = len(found) == 1 and found[0].guard == TRUE and not found[0].clobbers
    return found[0].place if is_one and isinstance(found[0].place, Direct) else None


def _is_protected(ctx: Context, place: Indirect, target: Target) -> bool:
    """Whether a target is part of a constant that the pointer is not known to lead to."""
    of = next((part.object for part in (target.place, *target.clobbers) if isinstance(part, Direct)), None)
    return of is not None and is_protected(ctx, of, place.address.origins)


def each(ctx: Context, place: Place, touch: Touch, node: Node, action: Callable[[Target], Value], kind: CType) -> Value:
    """Touches whatever a place may mean, behind its checks, and merges the values of a type."""
    place = admit(ctx, place, touch, node)
    counts_as = rule(touch).counts_as
    is_told = _note_write(ctx, place, touch)

    def noted(target: Target) -> Value:
        if counts_as is not None:
            sharing.note_target(ctx, place, target, node, counts_as, rule(touch).is_certain)
        with ctx.builder.telling() if is_told else nullcontext():
            value = action(target)
        if rule(touch).has_checks:
            lifetimes.used(ctx, place)
        return value

    if isinstance(place, Direct):
        tails.note(ctx, place.object, place)
    found = choices(ctx, place, node, counts_as is AccessKind.READ)
    if touch is Touch.STORE and isinstance(place, Indirect):
        found = [target for target in found if not _is_protected(ctx, place, target)] or found
    if len(found) == 1 and found[0].guard == TRUE:
        return noted(found[0])
    return on_ways(ctx, [(target.guard, target) for target in found], noted, kind)


def on_ways(ctx: Context, ways: Iterable[tuple[Formula, T]], action: Callable[[T], Value], kind: CType) -> Value:
    """What an action gives, on a way of its own for each condition that may hold; goes on behind all of them."""
    ctx.builder.flush()
    start = ctx.builder.current
    outcomes: list[Outcome] = []
    for condition, meant in ways:
        ctx.builder.at(start)
        if condition == FALSE:
            continue
        way = ctx.builder.fresh()
        ctx.builder.edge(Guard(condition), way)
        ctx.builder.at(way)
        value = action(meant)
        ctx.builder.flush()
        outcomes.append((ctx.builder.current, value))
    ctx.builder.at(start)
    return merged(ctx, outcomes, kind)


def whole(ctx: Context, place: _Place, touch: Touch, node: Node) -> _Place:
    """Touches all of a place, without a look at what it may mean; the place, behind its checks."""
    place = admit(ctx, place, touch, node)
    counts_as = rule(touch).counts_as
    _note_write(ctx, place, touch)
    if counts_as is not None:
        sharing.note_place(ctx, place, node, counts_as, rule(touch).is_certain)
    if rule(touch).has_checks:
        lifetimes.used(ctx, place)
    return place


def _note_write(ctx: Context, place: Place, touch: Touch) -> bool:
    """Notes what may change in memory, if anything; a lock may be a part of what something else is read of."""
    is_told = rule(touch).counts_as is AccessKind.WRITE or touch is Touch.LOCK
    if is_told:
        texts.note_write(ctx, place)
        rereads.note_write(ctx, place)
    return is_told


def own(ctx: Context, place: Place, node: Node) -> None:
    """Touches a place that is written and for which a cell of the thread stands: only its checks and its note."""
    _note_write(ctx, place, Touch.STORE)
    sharing.note_place(ctx, admit(ctx, place, Touch.LOAD, node), node, AccessKind.WRITE)
    lifetimes.used(ctx, place)


def behind(ctx: Context, place: Place, location: int) -> int:
    """Where an operation on a place that ends at a location goes on; nothing is being built then."""
    ctx.builder.at(location)
    lifetimes.used(ctx, place)
    end = ctx.builder.current
    ctx.builder.dead()
    return end


def release(ctx: Context, address: Number, node: Node, argument: Node) -> None:
    """Gives back the object at an address; where that is null, nothing."""
    if address.hi == 0:
        return
    ctx.builder.flush()
    is_any = is_wild(ctx, address.origins)
    ctx.builder.note_release(
        address.term, None if is_any else frozenset(of.key for of in ctx.memory.pointed(address.origins))
    )
    rereads.note_pointed(ctx, address.origins)
    _note_release(ctx, address, node)
    lifetimes.release(ctx, address, node, show(argument))


def _note_release(ctx: Context, address: Number, node: Node) -> None:
    if not ownership.is_wanted(ctx):
        return
    after = None
    if address.lo <= 0:
        there, after = ctx.builder.branch(compare(address.term, "!=", constant(0)))
        ctx.builder.at(there)
    after = _note_each(ctx, address, node, after)
    sharing.note_released(ctx, address, node)
    if after is not None:
        ctx.builder.goto(after)
        ctx.builder.at(after)


def _note_each(ctx: Context, address: Number, node: Node, after: int | None) -> int | None:
    """Notes for each single object that it is given back where it is meant; where that is over, if it is anywhere.

    Only for schedules: which one it is makes no difference to the locks that are held.
    """
    if ctx.options.budgets.first_allocations <= 0 or len(addresses(address.origins)) == 1:
        return after
    for of in ctx.memory.pointed(address.origins):
        if of.kind != "heap" or ctx.memory.is_multiple(of):
            continue
        here, other = ctx.builder.branch(compare(address.term, "==", ctx.memory.base_term(of).term))
        ctx.builder.at(here)
        sharing.note_released(ctx, replace(address, origins=frozenset((of.origin,))), node)
        after = ctx.builder.fresh() if after is None else after
        ctx.builder.goto(after)
        ctx.builder.at(other)
    return after


def around(ctx: Context, origins: Origins, touch: Touch, node: Node) -> None:
    """Touches any part of what an address with these origins may mean."""
    counts_as = rule(touch).counts_as
    if counts_as is AccessKind.WRITE:
        texts.note_around(ctx, origins)
        rereads.note_pointed(ctx, origins)
    if counts_as is not None:
        sharing.note_pointed(ctx, origins, node, counts_as)
