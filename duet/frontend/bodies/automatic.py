"""Declarations inside functions: automatic objects, static and extern ones."""

from __future__ import annotations

from pycparser import c_ast

from duet.frontend.cells.access import unset
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert
from duet.frontend.ctypes.declarations import is_const
from duet.frontend.ctypes.scope import Bound, Function, Scope
from duet.frontend.ctypes.types import CType, FunctionType, IntType, is_scalar
from duet.frontend.ctypes.values import Direct, Object
from duet.frontend.expressions import expr, initial, lengths
from duet.frontend.source.nodes import Node


def declaration(ctx: Context, node: Node) -> None:
    """A declaration inside a function."""
    storage = node.storage or []
    lengths.evaluate(ctx, node)
    kind = ctx.memory.types.read(node, ctx.scope)
    if node.name is None:
        return
    if isinstance(kind, FunctionType):
        ctx.declared.setdefault(node.name, kind)
        ctx.scope.names[node.name] = ctx.scope.find(node.name) or Function(node.name, kind)
        return
    if "extern" in storage:
        symbol = file_scope(ctx).find(node.name)
        if symbol is None:
            symbol = ctx.memory.objects.get(node.name)
            if symbol is None:
                symbol = Object(node.name, kind, "global", None, node.name, ctx.span(node))
                ctx.memory.declare(symbol, None)
                ctx.elsewhere.add(symbol.key)
                if ctx.memory.is_changed_elsewhere(symbol.key):
                    ctx.facts.add(ctx.facts.untracked, symbol.key)
            file_scope(ctx).names[node.name] = symbol
        ctx.scope.names[node.name] = symbol
        return
    if "static" in storage:
        _declare_static(ctx, node)
        return
    if _is_constant(ctx, node, kind):
        ctx.scope.names[node.name] = Bound(convert(ctx, expr.rvalue(ctx, node.init), kind, node))
        return
    of = declare_local(ctx, node, is_initialised=node.init is not None)
    if node.init is not None:
        initial.initialise(ctx, of, node.init)


def _is_constant(ctx: Context, node: Node, kind: CType) -> bool:
    """Whether an integer is initialised with a constant and nothing changes it later."""
    if not isinstance(kind, IntType) or node.name in ctx.frame.changed or isinstance(node.init, c_ast.InitList):
        return False
    if node.init is None or not _may_be_constant(ctx, node.init, node.name):
        return False
    return expr.constant_value(ctx, node.init) is not None


def _may_be_constant(ctx: Context, node: Node, name: str) -> bool:
    """Whether an initialiser calls nothing, and reads no memory but variables of static storage."""
    match node:
        case c_ast.ID():
            of = ctx.scope.find(node.name)
            return node.name != name and not (isinstance(of, Object) and of.kind != "global")
        case c_ast.Constant() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
            return not expr.mentions(node, name)
        case c_ast.Cast() | c_ast.UnaryOp(op="+" | "-" | "~" | "!") | c_ast.BinaryOp() | c_ast.TernaryOp():
            parts = [child for _, child in node.children() if not isinstance(child, c_ast.Typename)]
            return all(_may_be_constant(ctx, part, name) for part in parts)
        case _:
            return False


def file_scope(ctx: Context) -> Scope:
    """The outermost scope of the file."""
    scope = ctx.scope
    while scope.parent is not None and scope.file is None:
        scope = scope.parent
    return scope


def _declare_static(ctx: Context, node: Node) -> None:
    if id(node) not in ctx.statics:
        kind = initial.completed(ctx, ctx.memory.types.read(node, ctx.scope), node.init)
        key = ctx.unique(f"{ctx.frame.function}::{node.name}")
        is_thread = "_Thread_local" in (node.storage or [])
        of = Object(
            key,
            kind,
            "thread" if is_thread else "global",
            None,
            node.name,
            ctx.span(node),
            is_const(node.type),
        )
        ctx.memory.declare(of, initial.static_initial(ctx, kind, node.init))
        ctx.statics[id(node)] = of
    ctx.scope.names[node.name] = ctx.statics[id(node)]


def declare_local(ctx: Context, node: Node, is_initialised: bool) -> Object:
    """A new automatic object for a declaration; without an initialiser it holds anything each time round a loop."""
    kind = initial.completed(ctx, ctx.memory.types.read(node, ctx.scope), node.init)
    of = local_object(ctx, node.name, kind, node)
    ctx.scope.names[node.name] = of
    if not is_initialised and any(frame.loops for frame in ctx.frames):
        place = Direct(of, (), kind)
        if is_scalar(kind):
            unset(ctx, place)
    return of


def local_object(ctx: Context, name: str, kind: CType, node: Node) -> Object:
    """A new automatic object of the current call."""
    key = ctx.unique(f"{ctx.frame.prefix}::{name}")
    of = Object(key, kind, "local", ctx.template, name, ctx.span(node))
    ctx.memory.declare(of, None)
    ctx.frame.cells.append(key)
    return of
