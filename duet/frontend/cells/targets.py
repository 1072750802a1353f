"""Which parts of which objects an access through a pointer may mean.

*Approximates*: over. The origins of an address (the objects that flowed into it anywhere, see `Facts.holds`) give the
candidates; the address itself chooses among them by guards. Without any origin, or with an unknown one, every object
whose address is taken is a candidate, and any part of it may be meant, whatever the number: where objects are is not
known to be where the model has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TypeAlias

from duet.frontend.cells import size, tails
from duet.frontend.cells.context import Context
from duet.frontend.cells.distances import (
    at_offset,
    distances_in,
    has_other_parts,
    is_part,
    leads_inside,
    leads_to_parts_only,
    reached,
    settled,
    told_arrays,
)
from duet.frontend.cells.foreign import externals
from duet.frontend.cells.heap import heap_object, whole_object
from duet.frontend.cells.located import spelled
from duet.frontend.cells.overlaps import bytes_of
from duet.frontend.ctypes.layout import is_compatible
from duet.frontend.ctypes.origins import (
    ANYTHING,
    EXTERNAL,
    GUESSED,
    LENT,
    NOTHING,
    OUTSIDE,
    START,
    UNKNOWN_POINTER,
    Content,
    Origins,
    leads_to_parts,
    may_be_any,
)
from duet.frontend.ctypes.types import ArrayType, CType, IntType, StructType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Number, Object, Path, Temporary
from duet.frontend.judgments.identity import UNNOTED
from duet.frontend.judgments.points_to import Shape
from duet.frontend.source.nodes import Node
from duet.plip.syntax import TRUE, Formula, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, negate
from duet.records import dataclass

Spots: TypeAlias = frozenset[tuple[str, int]]
"""Constant addresses, as objects and offsets in bytes."""


@dataclass(frozen=True, slots=True)
class Target:
    """One possible meaning of an access; `clobbers` are scalars of other types that a write here may change.

    `origins` are those of a pointer that is read where no object is known.
    """

    guard: Formula
    place: Direct | Temporary
    clobbers: tuple[Direct, ...] = field(default=())
    origins: Origins = field(default=UNKNOWN_POINTER)


def targets(ctx: Context, place: Indirect, node: Node, is_read: bool = False) -> list[Target]:
    """All meanings of an access through a pointer; none where the pointer cannot be valid."""
    given, place = place, _settled(ctx, place)
    objects, elsewhere = candidates(ctx, place, node, is_read)
    parts_of = _any_parts if is_wild(ctx, place.address.origins) else _parts
    found: list[Target] = []
    for of in objects:
        parts = (_parts if is_own(ctx, of) else parts_of)(ctx, of, place)
        tails.note(ctx, of, given, is_wild(ctx, place.address.origins), [part.place for part in parts])
        found.extend(parts or [_punned(ctx, of, place, node)])
    if elsewhere is not None:
        found.append(Target(TRUE, Temporary(place.type), (), elsewhere))
    elif len(found) == 1:
        return [Target(TRUE, found[0].place, found[0].clobbers)]
    return found


def elements(ctx: Context, target: Target) -> list[Target]:
    """The elements of a short array that a target with an index that is not constant may mean, each by itself."""
    place = target.place
    found = ctx.memory.choosing(place) if isinstance(place, Direct) else None
    if not isinstance(place, Direct) or found is None:
        return [target]
    at, array = found
    step = place.path[at]
    assert isinstance(step, Index)
    told = ctx.memory.elements.told_apart(array, step.length) if step.length is not None else None
    if step.term is None or step.length is None or told is None:
        return [target]

    def part(element: Index, guards: Sequence[Formula]) -> Target:
        path = (*place.path[:at], element, *place.path[at + 1 :])
        return replace(target, guard=conjunction((target.guard, *guards)), place=replace(place, path=path))

    if len(told) == step.length:
        return [part(Index(constant(k), step.length), (_chosen(step.term, k, step.length),)) for k in told]
    few = [part(Index(constant(k), step.length), (compare(step.term, "==", constant(k)),)) for k in told]
    others = [compare(step.term, "!=", constant(number)) for number in told]
    return [*few, part(replace(step, is_rest=True), others)]


def _chosen(index: Linear, number: int, length: int) -> Formula:
    """That an index chooses an element; outside of the array, where there is no meaning, the first or the last one."""
    if length == 1:
        return TRUE
    relation = "<=" if number == 0 else ">=" if number == length - 1 else "=="
    return compare(index, relation, constant(number))


def spots_of(ctx: Context, value: Number) -> Spots | None:
    """The constant addresses that a value is one of, see `Facts.spots`."""
    if value.constant is not None:
        return ctx.memory.spots(frozenset((value.constant,)), value.origins)
    if len(value.term.terms) == 1 and value.term.constant == 0:
        name, factor = value.term.terms[0]
        if factor == 1 and name in ctx.temporaries.constants:
            return ctx.memory.spots(ctx.temporaries.constants[name], value.origins)
    return None


def _settled(ctx: Context, place: Indirect) -> Indirect:
    """The access with a constant address, where its pointer is a cell that holds no other one but null.

    To follow null has no meaning, so a place that is reached is the one.
    """
    term = place.address.term
    spot = spot_of(ctx, place.address)
    of = ctx.memory.objects.get(spot[0]) if spot is not None else None
    if spot is None or of is None or ctx.memory.is_multiple(of) or of.origin not in place.address.origins:
        return place
    at = ctx.memory.base_term(of).term.constant + spot[1] + term.constant
    address = Number(constant(at), place.address.type, at, at, of.origins)
    return Indirect(address, place.base, place.path, place.type)


def spot_of(ctx: Context, address: Number) -> tuple[str, int] | None:
    """Where the cell leads that an address is read from, and perhaps moved, if it holds no other one but null."""
    if len(address.term.terms) != 1 or address.term.terms[0][1] != 1:
        return None
    name = address.term.terms[0][0]
    return ctx.facts.pointers.spot(ctx.temporaries.sources.get(name, name))


def outside(ctx: Context) -> Origins:
    """The origins of a pointer in memory outside of the program: it leads there, or is one that was put there."""
    held = ctx.facts.pointers.held
    return held(OUTSIDE) | held(LENT) | {EXTERNAL, Content(OUTSIDE), Content(LENT)}


def candidates(ctx: Context, place: Indirect, node: Node, is_read: bool = False) -> tuple[list[Object], Origins | None]:
    """The objects that an address may point into; if it may point elsewhere, the origins of pointers that are there.

    What may mean too many objects changes all of them, from then on, to objects that hold anything. If it `is_read`, it
    changes none, and only what is read there is not known.
    """
    origins = place.address.origins
    if place.address.constant == 0:  # to follow null has no meaning
        return [], NOTHING
    known = [of.key for of in settled(ctx, ctx.memory.pointed(origins), place, node)]
    elsewhere = outside(ctx) if EXTERNAL in origins else None
    if elsewhere is not None and isinstance(place.base, StructType):  # it may be one that the library has given
        given = ctx.memory.record_key(place.base)
        known += [given] if given in ctx.memory.records and given not in known else []
    is_any = is_wild(ctx, origins)
    if is_any and not may_be_any(origins) and not ctx.is_settled(ctx.site(node)):
        return [], None
    if is_any:
        known = anywhere(ctx, origins)
        ctx.warn(node, "unresolved-pointer", "what this pointer points to is not known: any object may be accessed")
        elsewhere = UNKNOWN_POINTER
    protected = set[str]()
    if (is_any and size.is_large(ctx)) or size.are_too_many(ctx, known):
        if is_read:
            return [], UNKNOWN_POINTER
        protected = {key for key in known if is_protected(ctx, ctx.memory.objects[key], origins)}
        own = {key for key in known if is_any and is_own(ctx, ctx.memory.objects[key])}
        lost = frozenset(known) - protected - own
        ctx.lose(lost)
        ctx.builder.insides.write(ctx.builder.current, lost & ctx.memory.texts)
    tracked = [name for name in known if name not in ctx.facts.objects.untracked.lost and name not in protected]
    if len(tracked) < len(known):
        known, elsewhere = tracked, UNKNOWN_POINTER
    return [ctx.memory.objects[name] for name in known], elsewhere


def anywhere(ctx: Context, origins: Origins) -> list[str]:
    """The keys of the objects that a pointer may mean that may be any, with those that it is known to lead to."""
    found = ctx.memory.at_any_address(externals(ctx), ctx.thread.template)
    return [*found, *(of.key for of in ctx.memory.pointed(origins) if is_own(ctx, of))]


def is_own(ctx: Context, of: Object) -> bool:
    """Whether only pointers lead to an object that are known to do so."""
    return ctx.memory.is_own(of)


def is_protected(ctx: Context, of: Object, origins: Origins) -> bool:
    """Whether an object is a constant, which nothing may change (C11 6.7.3p6), where a pointer is not known to lead.

    In a driver so it is where the kernel has the constant, and the pointer may be any that the kernel gives back.
    """
    if not of.is_const or of.is_volatile or of.kind != "global":
        return False
    if ctx.options.model != "linux":
        return of.origin not in origins
    is_given_back = not UNKNOWN_POINTER.isdisjoint(origins) and of.origin in ctx.facts.pointers.held(OUTSIDE)
    return of.origin not in origins or is_given_back


def is_wild(ctx: Context, origins: Origins) -> bool:
    """Whether an address with these origins may be that of any object whose address is taken."""
    return may_be_any(origins) or not (EXTERNAL in origins or ctx.memory.is_pointed(origins))


def may_lead_outside(ctx: Context, origins: Origins, node: Node) -> bool:
    """Whether an address that is followed at a node may be that of memory that no object of the program is part of.

    One that leads nowhere, as far as is known, may do so once nothing more will be known of it.
    """
    is_nowhere = UNKNOWN_POINTER.isdisjoint(origins)
    return not is_nowhere or (is_wild(ctx, origins) and ctx.site(node) in ctx.facts.pointers.wild)


def _any_parts(ctx: Context, of: Object, place: Indirect) -> list[Target]:
    """The parts of an object that an access of a base type can mean if its address says nothing of where that is."""
    if of.kind == "heap":
        ctx.facts.mark(UNNOTED, of.key)
        ctx.facts.layouts.view(of.key, place.base)
    whole = whole_object(ctx, of)
    if whole is None:
        return []
    found = [
        Target(TRUE, Direct(whole, (*path, *place.path), place.type if place.path else kind))
        for path, kind in _spelled_parts(ctx, whole, place.base)
    ]
    if found and (has_other_parts(ctx, whole.type, place.base) or _may_be_torn(ctx, whole, place)):
        clobbers = tuple(Direct(whole, path, kind) for path, kind in ctx.memory.scalars(whole.type))
        found.append(Target(TRUE, Temporary(place.type), clobbers))
    return found


def _parts(ctx: Context, of: Object, place: Indirect) -> list[Target]:
    """The parts of an object that an access of a base type can mean."""
    if of.kind == "heap":
        ctx.facts.layouts.view(of.key, place.base)
        heap = heap_object(ctx, of)
        if heap is None:
            return []
        if ctx.memory.is_multiple(heap):
            missed = [_elsewhere(ctx, heap, place, [])] if _may_miss_any(ctx, heap, place) else []
            guard = _among(ctx, heap, place.address)
            return missed + [
                Target(guard, Direct(heap, (*path, *place.path), place.type if place.path else kind))
                for path, kind in reached(ctx, heap, place, ctx.memory.types.parts(heap.type, place.base))
            ]
        of = heap
    offset = _offset(ctx, of, place.address)
    if offset is not None:
        found = at_offset(ctx, of.type, offset, place.base)
        if found is not None:
            path, kind = found
            return [Target(TRUE, Direct(of, (*path, *place.path), place.type if place.path else kind))]
        if 0 <= offset < (ctx.memory.typed_size(of) or 0):
            return [_bytes_at(ctx, of, place, offset)]
    result: list[Target] = []
    arrays = told_arrays(ctx, of, place.address) if not place.path and ctx.memory.types.size(place.base) == 1 else ()
    is_text = isinstance(of.type, ArrayType) and ctx.memory.types.size(of.type.element) == 1 and of.is_const
    if is_text and isinstance(of.type, ArrayType) and is_compatible(of.type.element, place.base, ctx.data):
        index = add(place.address.term, ctx.memory.base_term(of).term, -1)
        return [
            Target(
                _guard(ctx, of, (Index(None, of.type.length),), place),
                Direct(of, (Index(index, of.type.length),), place.base),
            )
        ]
    for path, kind in reached(ctx, of, place, _spelled_parts(ctx, of, place.base)):
        if arrays and not _is_in(path, arrays):
            continue
        guard = _guard(ctx, of, path, place)
        if any(isinstance(step, Index) and step.is_rest for step in path):
            guard = conjunction((guard, *(negate(target.guard) for target in result if target.guard != TRUE)))
        result.append(Target(guard, Direct(of, (*path, *place.path), place.type if place.path else kind)))
    if arrays:
        others = [array for array in arrays if not is_compatible(_element(array), place.base, ctx.data)]
        clobbers = tuple(Direct(of, *part) for part in ctx.memory.scalars(of.type) if _is_in(part[0], others))
        return [*result, Target(TRUE, Temporary(place.type), clobbers)] if others else result
    if result and _may_miss(ctx, of, place):
        result.append(_elsewhere(ctx, of, place, [target.guard for target in result]))
    return result


def _is_in(path: Path, arrays: Sequence[Direct]) -> bool:
    """Whether a path leads into one of some arrays of its object."""
    return any(path[: len(array.path)] == array.path for array in arrays)


def _element(array: Direct) -> CType:
    assert isinstance(array.type, ArrayType)
    return array.type.element


def _bytes_at(ctx: Context, of: Object, place: Indirect, offset: int) -> Target:
    """What an access means that begins so many bytes behind the start of an object, where no part of its type is."""
    further = ctx.memory.offset(place.base, place.path)
    if further is not None and not further.terms:
        at = offset + further.constant
        found = at_offset(ctx, of.type, at, place.type)
        part = Direct(of, *found) if found else bytes_of(ctx.memory.types, of, at, place.type)
        if part is not None:
            return Target(TRUE, part)
    return _elsewhere(ctx, of, place, [])


def _among(ctx: Context, of: Object, address: Number) -> Formula:
    """That an address may be in one of the objects that one stands for, where the first ones are told apart from it."""
    if ctx.options.budgets.first_allocations <= 0 or of.key in ctx.facts.objects.resized:
        return TRUE
    start, count = ctx.memory.range_of(of)
    return conjunction(
        (compare(address.term, ">=", constant(start)), compare(address.term, "<", constant(start + count)))
    )


def _may_miss(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether an access may hit an object but none of its parts of the right type: its pointer comes from a cast."""
    if place.base not in ctx.facts.layouts.recast.get(of.origin, ()):
        return leads_inside(ctx, of, place)
    if leads_to_parts_only(ctx, of, place):
        return False
    return has_other_parts(ctx, of.type, place.base) or _may_be_torn(ctx, of, place)


def _may_miss_any(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether an access may hit one of the objects that one stands for, but none of its parts of the right type.

    Its pointer comes from a cast then: of one to the start of an object, or of an unknown one if one to a part was ever
    converted.
    """
    if leads_to_parts_only(ctx, of, place):
        return False
    if _may_be_torn(ctx, of, place):
        return True
    if place.base not in ctx.facts.layouts.recast.get(of.origin, ()) or not has_other_parts(ctx, of.type, place.base):
        return False
    if UNKNOWN_POINTER & place.address.origins and of.key in ctx.facts.layouts.narrow:
        return True
    known = distances_in(ctx, of, place)
    is_of_bytes = ctx.memory.types.size(place.base) == 1 and any(step for _, step in known)
    is_elsewhere = START in known and not is_part(ctx, of.type, 0, place.base)
    return is_of_bytes or is_elsewhere


def _may_be_torn(ctx: Context, of: Object, place: Indirect) -> bool:
    """Whether an access may begin inside of a part of its type: its pointer is moved by less than such parts."""
    if leads_inside(ctx, of, place):
        return True
    if leads_to_parts(place.address.origins):
        return False
    size = ctx.memory.types.size(place.base) or 1
    alignment = min(size & -size, 8)
    steps = (step for origin in (of.origin, ANYTHING, GUESSED) for step in ctx.facts.layouts.steps.get(origin, ()))
    return any(width % (alignment if is_known else size) for width, is_known in steps)


def _offset(ctx: Context, of: Object, address: Number) -> int | None:
    """How many bytes a constant address is from the start of an object."""
    if address.term.terms or ctx.memory.is_multiple(of):
        return None
    return address.term.constant - ctx.memory.base_term(of).term.constant


def _elsewhere(ctx: Context, of: Object, place: Indirect, guards: list[Formula]) -> Target:
    """An access to the other parts of an object: reads give anything, writes change all of it."""
    paths = [path for path, _ in _spelled_parts(ctx, of, place.base)]
    is_whole = any(isinstance(step, Index) and step.term is None for path in paths for step in path)
    clobbers = _parts_and_unions(ctx, of)
    if ctx.memory.is_multiple(of):
        return Target(TRUE, Temporary(place.type), clobbers)
    size, start = ctx.memory.typed_size(of), ctx.memory.base_term(of).term
    limits = [compare(place.address.term, ">=", start)]
    if size is not None:
        limits.append(compare(place.address.term, "<", add(start, constant(size))))
    if not is_whole:
        limits.append(negate(disjunction(guards)))
    return Target(conjunction(limits), Temporary(place.type), clobbers)


def _parts_and_unions(ctx: Context, of: Object) -> tuple[Direct, ...]:
    """The scalars of an object; all of it where there are unions without cells, which hold anything then."""
    if ctx.memory.has_union(of.type):
        return (Direct(of, (), of.type),)
    return tuple(Direct(of, path, kind) for path, kind in ctx.memory.scalars(of.type))


def _spelled_parts(ctx: Context, of: Object, wanted: CType) -> list[tuple[Path, CType]]:
    """The parts of an object that are of a compatible type; each element of a short array by itself."""
    return [
        (spelled, kind)
        for path, kind in ctx.memory.types.parts(of.type, wanted)
        for spelled in _elements(ctx, of, path)
    ]


def _elements(ctx: Context, of: Object, path: Path) -> list[Path]:
    """A path to all elements of an array, or one to each that has a cell of its own, and one to the rest."""
    steps = [place for place, step in enumerate(path) if isinstance(step, Index)]
    if len(steps) != 1 or ctx.memory.is_multiple(of):
        return [path]
    at = steps[0]
    step, array = path[at], of.key + "".join(f".{name}" for name in path[:at])
    assert isinstance(step, Index)
    told = ctx.memory.elements.told_apart(array, step.length) if step.length is not None else None
    if told is None:
        return [path]
    found: list[Path] = [(*path[:at], Index(constant(k), step.length), *path[at + 1 :]) for k in told]
    rest = replace(step, is_rest=True)
    return found if len(told) == step.length else [*found, (*path[:at], rest, *path[at + 1 :])]


def _guard(ctx: Context, of: Object, path: Path, place: Indirect) -> Formula:
    """That the address is one of those of a part (stride is left out)."""
    memory = ctx.memory
    offset = memory.offset(of.type, path)
    span = 0
    kind: CType = of.type
    for step in path:
        if isinstance(step, Index):
            assert isinstance(kind, ArrayType)
            kind = kind.element
            if step.term is not None:
                continue
            size = memory.types.size(kind)
            if step.length is None or size is None:
                return TRUE
            span += max(step.length - 1, 0) * (size or 1)
        else:
            assert isinstance(kind, StructType)
            kind = next(member.type for member in memory.types.members(kind) if member.name == step)
    if memory.is_multiple(of) or offset is None:
        return TRUE
    start, address = add(memory.base_term(of).term, offset), place.address.term
    if span == 0:
        return compare(address, "==", start)
    return conjunction((compare(address, ">=", start), compare(address, "<=", add(start, constant(span)))))


def shape_of(place: Indirect) -> Shape:
    """How an access follows its pointer, whatever the indices."""
    steps = (Index(None, step.length) if isinstance(step, Index) else step for step in place.path)
    return place.base, tuple(steps)


def pointed_cells(ctx: Context, of: Object, shape: Shape) -> list[str]:
    """The names of the cells that a pointer into an object may mean, of the very type that is meant if there are any.

    Which of them it is, and whether it may be others, is found where it is followed.
    """
    base, rest = shape
    whole = whole_object(ctx, of)
    if whole is None:
        return []
    parts = list(_spelled_parts(ctx, whole, base))
    exact = [part for part in parts if part[1] == base]
    return [of.key + spelled((*path, *rest)) for path, _ in exact or parts]


def _punned(ctx: Context, of: Object, place: Indirect, node: Node) -> Target:
    """An access to an object as a type that it has no part of: reads give anything, writes change all of it."""
    if not isinstance(place.base, IntType) or place.base.size != 1 or not may_be_any(place.address.origins):
        ctx.warn(node, "type-punning", f"'{of.label or of.key}' is accessed as another type: any value is assumed")
    if of.kind == "heap":  # no access to it has a cell then
        return Target(TRUE, Temporary(place.type))
    clobbers = _parts_and_unions(ctx, of)
    return Target(TRUE, Temporary(place.type), clobbers)
