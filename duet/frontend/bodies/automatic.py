"""Objects that functions declare: automatic and static ones."""

from __future__ import annotations

from duet.frontend.cells import texts
from duet.frontend.cells.access import unset
from duet.frontend.cells.automatic import local_object
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import convert, number
from duet.frontend.cells.given import is_lasting
from duet.frontend.cells.rows import note_beginning
from duet.frontend.ctypes.declarations import is_const
from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import VOID, ArrayType, CType, IntType, PointerType, is_scalar
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Object, Value, type_of
from duet.frontend.expressions import expr
from duet.frontend.expressions.initial import initialise_whole, static_initial
from duet.frontend.expressions.known import known, known_type
from duet.frontend.expressions.places import meaning
from duet.frontend.form.control import Declare
from duet.frontend.form.tree import (
    AlignOf,
    Binary,
    Choice,
    Constant,
    Convert,
    Expression,
    Floating,
    Form,
    FunctionName,
    Length,
    Logic,
    Not,
    Parts,
    Read,
    SizeOf,
    StringLiteral,
    Unary,
    Variable,
)
from duet.frontend.form.walk import children, mentions
from duet.plip.syntax import Assign, Linear
from duet.plip.terms import compare, constant, scale


def declaration(ctx: Context, form: Declare) -> None:
    """An object of a function comes into being."""
    local, given = form.local, form.initialiser
    length = _length(ctx, form)
    if local.duration != "automatic":
        _declare_static(ctx, form)
        return
    if given is not None and not isinstance(given, Parts) and _is_constant(ctx, local, given):
        value = convert(ctx, expr.rvalue(ctx, given), local.type, form.node)
        ctx.thread.frame.locals[local] = Bound(value)
        return
    is_pointer = isinstance(local.type, PointerType) and _is_as_declared(ctx, local)
    if is_pointer and given is not None and not isinstance(given, Parts) and not mentions(given, local):
        _declare_pointer(ctx, form, given)
        return
    of = declare_local(ctx, local, is_initialised=given is not None)
    if length is not None:
        _measure(ctx, of, length)
    texts.forget(ctx, of)
    if given is not None:
        expr.initialise(ctx, of, given)


def _length(ctx: Context, form: Declare) -> Linear | None:
    """The elements of an array of variable length, behind the check that there are some; all lengths are evaluated."""
    kind, first = form.local.type, next(iter(form.lengths), None)
    is_measured = isinstance(kind, ArrayType) and kind.extent is not None and ctx.wants("array-bounds")
    if not is_measured or first is None or not first.is_certain:
        expr.evaluate(ctx, form.lengths)
        return None
    found = expr.length(ctx, first.value)
    ctx.builder.flush()
    if found.constant is None or found.constant < 1:
        ctx.check(first.node, "array-bounds", compare(found.term, ">=", constant(1)), f"{show(first.node)} > 0")
    expr.evaluate(ctx, form.lengths[1:])
    return found.term


def _measure(ctx: Context, of: Object, length: Linear) -> None:
    """Notes the bytes of an array of variable length, where the size of an element is a constant."""
    assert isinstance(of.type, ArrayType)
    size = ctx.memory.types.size(of.type.element)
    if size is None or of.type.length is not None:
        return
    ctx.memory.measured.add(of.key)
    ctx.builder.emit(Assign(ctx.memory.size_cell(of), scale(length, size)))


def _declare_pointer(ctx: Context, form: Declare, given: Expression) -> None:
    """A pointer that nothing changes; it stands for its value where that is the same as long as the thread runs."""
    value, kind = expr.rvalue(ctx, given), known_type(ctx, form.local.type)
    if not is_lasting(ctx, value):
        initialise_whole(ctx, declare_local(ctx, form.local, is_initialised=True), value, given.node)
        return
    stand_for(ctx, form.local, convert(ctx, value, kind, form.node), value)


def stand_for(ctx: Context, local: Local, value: Value, origin: Value) -> None:
    """Lets a value stand for a variable that nothing changes; `origin` is what it was before its conversion."""
    if isinstance(origin, Address) and isinstance(origin.place, Direct | Indirect):
        if isinstance(origin.place, Direct):
            ctx.facts.objects.bound.add(origin.place.object.key)
        if not _stays_in(origin.place, type_of(value)):
            value = number(ctx, value)
    ctx.thread.frame.locals[local] = Bound(value)


def _stays_in(place: Direct | Indirect, kind: CType) -> bool:
    """Whether pointers of a type that are moved from a place lead to elements of the object's own array, or nowhere.

    One to another type leads to bytes, but for one to nothing, which is moved as a number. One to an array in a
    structure may leave that; one to a row does where it is moved.
    """
    is_inner = len(place.path) > 1 and isinstance(place.path[-1], Index) and isinstance(place.path[-2], str)
    return isinstance(kind, PointerType) and kind.target in (place.type, VOID) and not is_inner


def _is_constant(ctx: Context, local: Local, given: Expression) -> bool:
    """Whether an integer is initialised with a constant and nothing changes it later."""
    if not isinstance(local.type, IntType) or not _is_as_declared(ctx, local):
        return False
    return _may_be_constant(ctx, given, local) and known(ctx, given) is not None


def _is_as_declared(ctx: Context, local: Local) -> bool:
    """Whether a local has the value of its declaration wherever it is mentioned: nothing changes it, or jumps past."""
    body = ctx.thread.frame.body
    return body is not None and local not in body.changed and local in body.settled


def _may_be_constant(ctx: Context, form: Form, local: Local) -> bool:
    """Whether an initialiser calls nothing, and reads no memory but variables of static storage."""
    match form:
        case Read(place=Variable(symbol=symbol)):
            found = meaning(ctx, symbol) if symbol is not local else None
            return isinstance(found, Bound) or (isinstance(found, Object) and found.kind == "global")
        case Constant() | Floating() | AlignOf() | Read(place=StringLiteral() | FunctionName()):
            return True
        case SizeOf():
            return not mentions(form, local)
        case Convert() | Unary() | Not() | Binary() | Logic() | Choice():
            parts = [part for part in children(form) if not isinstance(part, Length)]
            return all(_may_be_constant(ctx, part, local) for part in parts)
        case _:
            return False


def _declare_static(ctx: Context, form: Declare) -> None:
    local = form.local
    if local in ctx.declared.statics:
        return
    key = ctx.unique(f"{ctx.thread.frame.function}::{local.name}", is_static=True)
    kind = "thread" if local.duration == "thread" else "global"
    of = Object(key, known_type(ctx, local.type), kind, None, local.name, ctx.span(form.node), is_const(form.node.type))
    ctx.declared.statics[local] = of
    ctx.memory.declare(of, static_initial(ctx, of.type, form.initialiser, expr.rvalue))


def declare_local(ctx: Context, local: Local, is_initialised: bool) -> Object:
    """A new automatic object for a declaration; without an initialiser it holds anything each time round a loop."""
    kind = known_type(ctx, local.type)
    of = object_of(ctx, local, kind)
    note_beginning(ctx, of, local)
    if ctx.thread.frame.body is not None and local in ctx.thread.frame.body.settled:
        ctx.memory.given.add(of.key)
    if not is_initialised and any(frame.loops for frame in ctx.thread.frames):
        place = Direct(of, (), kind)
        if is_scalar(kind):
            unset(ctx, place)
    return of


def object_of(ctx: Context, local: Local, kind: CType) -> Object:
    """A new automatic object of the current call for a variable or a parameter."""
    of = local_object(ctx, local.name, kind, local.node)
    ctx.thread.frame.locals[local] = of
    body = ctx.thread.frame.body
    ctx.memory.confine(of, is_confined=body is not None and local in ctx.forms.confined.of(body.key))
    return of
