"""Lvalues to places: names, members, elements, what pointers point to; `*&x` folds to `x`."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from duet.errors import SourceError, Unsupported
from duet.frontend.cells import gate
from duet.frontend.cells.access import inside, part_check
from duet.frontend.cells.arithmetic import binary
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.foreign import note_foreign
from duet.frontend.cells.memory import LIBRARY_VARIABLES, Initial, Key
from duet.frontend.cells.weak import perhaps_missing
from duet.frontend.ctypes import literals
from duet.frontend.ctypes.scope import Bound, Enumerator, Function, Scope
from duet.frontend.ctypes.types import (
    INT,
    VOID,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    VoidType,
    is_layout_compatible,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    FunctionPlace,
    Index,
    Indirect,
    Number,
    Object,
    Place,
    Temporary,
    Value,
    Whole,
    type_of,
)
from duet.frontend.expressions import expr, initial, order, selection
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import OWN_NAMES
from duet.plip.terms import constant

STATE = "__duet_state"
"""The only member of library objects of the bundled headers."""


def place_of(ctx: Context, node: Node) -> Place:
    """The place that an lvalue denotes (or where a struct rvalue lies)."""
    match node:
        case c_ast.ID():
            return _named(ctx, node)
        case c_ast.StructRef():
            return _member(ctx, node)
        case c_ast.ArrayRef():
            return element(ctx, node, is_access=True)
        case c_ast.UnaryOp(op="*"):
            return gate.element(ctx, pointed(ctx, expr.rvalue(ctx, node.expr)), node, is_access=True)
        case c_ast.Constant() if "string" in str(node.type):
            return _string(ctx, str(node.value), node, f"{_unit(ctx)}:{node.coord}")
        case c_ast.CompoundLiteral():
            if node.storage and node.storage != ["constexpr"]:
                raise Unsupported("a storage class of a compound literal is not modelled", ctx.span(node))
            return initial.compound_literal(ctx, node)
        case c_ast.ExprList():
            for part in node.exprs[:-1]:
                expr.effect(ctx, part)
            return place_of(ctx, node.exprs[-1])
        case c_ast.GenericSelection():
            return place_of(ctx, selection.selected(ctx, node))
        case _:
            value = expr.rvalue(ctx, node)
            return value.place if isinstance(value, Whole) else Temporary(type_of(value))


def _named(ctx: Context, node: Node) -> Place:
    symbol = ctx.scope.find(node.name)
    match symbol:
        case Object():
            if symbol.key in ctx.elsewhere and symbol.key not in ctx.library | LIBRARY_VARIABLES:
                note_foreign(ctx)
            of = thread_local(ctx, symbol) if symbol.kind == "thread" and symbol.template is None else symbol
            return perhaps_missing(ctx, node.name, Direct(of, (), of.type))
        case Function(key, kind):
            return perhaps_missing(ctx, node.name, FunctionPlace(key, kind))
        case Bound(value):
            return value.place if isinstance(value, Whole) else Temporary(type_of(value))
        case Enumerator(_, kind):
            return Temporary(kind)
        case None if node.name in OWN_NAMES:
            return _own_name(ctx, node)
        case None:
            raise SourceError(f"'{node.name}' is not declared", ctx.span(node))
        case _:
            return Temporary(INT)


def thread_local(ctx: Context, of: Object) -> Object:
    """The current template's own copy of a thread-local variable."""
    key = f"{ctx.template}::{of.key}"
    if key not in ctx.memory.objects:
        ctx.memory.declare(replace(of, key=key, template=ctx.template), ctx.memory.initial[of.key])
    return ctx.memory.objects[key]


def _member(ctx: Context, node: Node) -> Place:
    if node.type == "->":
        base = pointed(ctx, expr.rvalue(ctx, node.name))
    else:
        base = place_of(ctx, node.name)
    return member_of(ctx, base, node.field.name, node)


def member_of(ctx: Context, base: Place, name: str, node: Node) -> Place:
    """A member of a struct place."""
    if isinstance(base.type, OpaqueType):
        if name != STATE:
            _forget(ctx, base)
        return base
    if not isinstance(base.type, StructType):
        raise SourceError(f"'{name}' is a member of something that is no struct", ctx.span(node))
    found = ctx.memory.types.member(base.type, name)
    if found is None:
        raise SourceError(f"there is no member '{name}'", ctx.span(node))
    path, kind = found
    for step in path:
        base = inside(base, step, kind)
    return base


def _forget(ctx: Context, place: Place) -> None:
    """From the next round on the library objects that a place may mean are not tracked: one cell is not enough."""
    if isinstance(place, Direct):
        ctx.facts.add(ctx.facts.untracked, place.object.key)
    elif isinstance(place, Indirect):
        ctx.facts.add(ctx.facts.untracked, *(name for name in place.address.origins if name in ctx.memory.objects))


def element(ctx: Context, node: Node, is_access: bool) -> Place:
    """`a[i]`; without an access `i` may also be the length."""
    base, subscript = order.settled_operands(ctx, (node.name, node.subscript))
    pointer: Value = expr.rvalue(ctx, base)
    if expr.has_effects(subscript):
        pointer = snapshot(ctx, pointer)
    index = expr.rvalue(ctx, subscript)
    if not isinstance(type_of(pointer), PointerType):
        pointer, index = index, pointer
    ctx.builder.flush()
    index = snapshot(ctx, number(ctx, index)) if _is_shared_index(index) else index
    place = pointed(ctx, binary(ctx, "+", pointer, index, node))
    return gate.element(ctx, place, node, is_access)


def _is_shared_index(index: Value) -> bool:
    return not isinstance(index, Number)


def pointed(ctx: Context, value: Value) -> Place:
    """What a pointer points to."""
    kind = type_of(value)
    target = kind.target if isinstance(kind, PointerType) else VOID
    if isinstance(value, Address):
        if isinstance(value.place, FunctionPlace | Temporary) or isinstance(target, FunctionType):
            return value.place
        found = _seen_as(ctx, value.place, target)
        if found is not None:
            is_typed = isinstance(target, IntType | PointerType) and not isinstance(found, FunctionPlace)
            return replace(found, type=target) if is_typed else found
    address = number(ctx, value)
    ctx.builder.flush()
    return Indirect(address, target, (), target)


def _seen_as(ctx: Context, place: Place, wanted: CType) -> Place | None:
    """The place as an object of another type that starts there; None where there is none."""
    while True:
        kind = place.type
        if kind == wanted or is_layout_compatible(kind, wanted) or isinstance(wanted, VoidType):
            return place
        match kind:
            case ArrayType(inner, length):
                place = inside(place, Index(constant(0), length), inner)
            case StructType(is_union=False) if ctx.memory.types.members(kind):
                first = ctx.memory.types.members(kind)[0]
                place = inside(place, first.name, first.type)
            case _:
                return None


def address_of(ctx: Context, node: Node) -> Value:
    """`&lvalue`."""
    match node:
        case c_ast.ArrayRef():
            place = element(ctx, node, is_access=False)
        case c_ast.UnaryOp(op="*"):
            return expr.rvalue(ctx, node.expr)
        case _:
            place = place_of(ctx, node)
    ctx.builder.flush()
    address = Address(place, PointerType(place.type))
    part_check(ctx, address, node)
    return address


def type_at(ctx: Context, node: Node) -> CType:
    """The type of an operand of sizeof: a type name, or an expression, which is not evaluated."""
    if isinstance(node, c_ast.Typename):
        return ctx.memory.types.read(node, ctx.scope)
    with ctx.scratch():
        match node:
            case c_ast.UnaryOp(op="*"):
                pointer = type_of(expr.rvalue(ctx, node.expr))
                return pointer.target if isinstance(pointer, PointerType) else pointer
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef() | c_ast.CompoundLiteral():
                return place_of(ctx, node).type
            case c_ast.GenericSelection():
                return type_at(ctx, selection.selected(ctx, node))
            case c_ast.Constant() if "string" in str(node.type):
                return place_of(ctx, node).type
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if (known := _prototype(ctx, name)) is not None:
                return known.result
            case _:
                return type_of(expr.rvalue(ctx, node))


def _prototype(ctx: Context, name: str) -> FunctionType | None:
    """The type of a function that is declared with its parameters."""
    symbol = ctx.scope.find(name)
    return symbol.type if isinstance(symbol, Function) and symbol.type.parameters is not None else None


def _string(ctx: Context, text: str, node: Node, place: str) -> Place:
    """A string literal: one object for each place where it stands, though compilers may make one of them."""
    found = ctx.memory.strings.get(f"{place}:{text}")
    if found is None:
        element, codes = literals.string(text)
        kind = ArrayType(element, len(codes) + 1)
        values: dict[Key, int] = {(at,): code for at, code in enumerate(codes) if code}
        key = f'"{len(ctx.memory.objects)}"'
        found = Object(key, kind, "global", None, text, ctx.span(node), is_const=True)
        ctx.memory.declare(found, Initial(values, {}))
        ctx.memory.strings[f"{place}:{text}"] = found
    return Direct(found, (), found.type)


def _own_name(ctx: Context, node: Node) -> Place:
    """`__func__`: a string of the name of the function around it, one for each function."""
    function = ctx.frame.function if ctx.frames else ""
    name = ctx.functions[function].name if function in ctx.functions else function
    return _string(ctx, f'"{name}"', node, f"{node.name} of {function}")


def _unit(ctx: Context) -> str:
    """The file of the translation unit that is being lowered."""
    scope: Scope | None = ctx.scope
    while scope is not None and scope.file is None:
        scope = scope.parent
    return scope.file or "" if scope is not None else ""
