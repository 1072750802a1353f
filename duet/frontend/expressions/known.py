"""What is known of expressions and types without evaluating anything.

*Approximates*: exact where something is known: values that stand for variables, and integers that nothing writes.
"""

from __future__ import annotations

from typing import cast

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import key_of
from duet.frontend.cells.memory import Memory
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import VA_LIST, ArrayType, CType, IntType, PointerType, StructType, measured
from duet.frontend.ctypes.values import Address, Direct, Index, Object, Value, constant_of, literal
from duet.frontend.expressions.places import meaning
from duet.frontend.form import tree
from duet.frontend.form.kinds import as_written, constant
from duet.frontend.form.tree import Expression, Form, Place
from duet.plip import terms


def known(ctx: Context, form: Expression, is_lasting: bool = False) -> int | None:
    """The value that an expression has here. `is_lasting`: in all of the call, whatever happens there."""

    def holds(place: Place) -> int | None:
        if isinstance(place, tree.Variable):
            found = _meaning(ctx, place, is_lasting)
            if isinstance(found, Bound):
                return as_written(constant_of(found.value), place.type, ctx.data)
        direct = _direct(ctx, place, is_lasting)
        return _fixed(ctx.memory, direct) if direct is not None else None

    return constant(ctx.memory.types, form, holds)


def known_type(ctx: Context, kind: CType) -> CType:
    """A type with the lengths of its arrays that are known; those that may change later are not."""

    def length(extent: object) -> int | None:
        assert isinstance(extent, Form)
        return known(ctx, cast(Expression, extent), is_lasting=True)

    return measured(kind, length)


def _meaning(ctx: Context, form: tree.Variable, is_lasting: bool) -> Object | Bound | None:
    """What a variable is; None for one that is something else at another time, as the counter of a loop is."""
    body = ctx.thread.frame.body if ctx.thread.frames else None
    if is_lasting and isinstance(form.symbol, Local) and (body is None or form.symbol in body.changed):
        return None
    return meaning(ctx, form.symbol)


def _direct(ctx: Context, form: Place, is_lasting: bool) -> Direct | None:
    """The part of an object that a place is, where that is known."""
    match form:
        case tree.Variable():
            found = _meaning(ctx, form, is_lasting)
            return Direct(found, (), found.type) if isinstance(found, Object) else None
        case tree.Member(base=base, name=name):
            whole = _direct(ctx, base, is_lasting)
            part = ctx.memory.types.member(whole.type, name) if whole and isinstance(whole.type, StructType) else None
            return Direct(whole.object, (*whole.path, *part[0]), part[1]) if whole and part else None
        case tree.Element(left=tree.Read(place=array), right=right):
            whole, index = _direct(ctx, array, is_lasting), known(ctx, right, is_lasting)
            if whole is None or index is None or isinstance(whole.type, PointerType) or whole.type != array.type:
                return None
            step = Index(terms.constant(index), None)
            return Direct(whole.object, (*whole.path, step), form.type)
        case tree.Deref(pointer=tree.Read(place=tree.Variable() as pointer)):
            target = _meaning(ctx, pointer, is_lasting)
            address = target.value if isinstance(target, Bound) else None
            is_exact = isinstance(address, Address) and isinstance(address.place, Direct)
            if not is_exact or not isinstance(address, Address) or not isinstance(address.place, Direct):
                return None
            return address.place if address.place.type == form.type else None
        case _:
            return None


def _fixed(memory: Memory, place: Direct) -> int | None:
    """The initial value of an integer of static storage, or of an element that a constant index chooses.

    None where something writes it, as far as is known by now, or where it is not tracked or no integer.
    """
    of, initial, kind, starred = place.object, memory.initial.get(place.object.key), place.object.type, ""
    if initial is None or of.kind != "global" or of.key in memory.facts.objects.untracked:
        return None
    for step in place.path:
        if isinstance(step, Index) and isinstance(kind, ArrayType):
            if step.constant is None or not 0 <= step.constant < (kind.length or 0):
                return None
            starred, kind = f"{starred}[*]", kind.element
        elif isinstance(kind, StructType) and not kind.is_union:
            found = next(member for member in memory.types.members(kind) if member.name == step)
            starred, kind = f"{starred}.{step}", found.type
        else:
            return None
    is_written = of.key + starred in memory.facts.objects.written or (
        of.key in memory.facts.objects.addressed and not of.is_const
    )
    key = key_of(place.path)
    if is_written or not isinstance(kind, IntType) or key in initial.origins:
        return None
    return initial.values.get(key, 0)


def known_measure(ctx: Context, form: tree.SizeOf | tree.AlignOf | tree.OffsetOf) -> Value:
    """The value of `sizeof`, `_Alignof`, `offsetof`; any where it is not known."""
    size = form.value
    if size is None and isinstance(form, tree.SizeOf) and form.of != VA_LIST:
        size = ctx.memory.types.size(known_type(ctx, form.of))
    if size is not None:
        return literal(size, form.type)
    match form:
        case tree.SizeOf():
            ctx.warn(form.node, "sizeof", "the size of this is not a constant: any value is assumed")
        case tree.AlignOf():
            ctx.warn(form.node, "alignment", "the alignment of an object is not tracked: any value is assumed")
        case tree.OffsetOf():
            text = "the offset of this part is not a constant that is known: any value is assumed"
            ctx.warn(form.node, "offsetof", text)
    return ctx.havoc(form.type)
