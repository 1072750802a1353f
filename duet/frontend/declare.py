"""The declarations at file scope: names, types, functions, objects with their initial values."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend import link
from duet.frontend.bodies import recovery
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.declarations import is_const, is_volatile, read_only, single
from duet.frontend.ctypes.scope import Definition, Function, Scope
from duet.frontend.ctypes.types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    VoidType,
    are_elements_alike,
    data_model,
)
from duet.frontend.ctypes.values import Object
from duet.frontend.expressions import expr
from duet.frontend.expressions.initial import static_initial
from duet.frontend.form.bodies import Forms
from duet.frontend.judgments.facts import Facts
from duet.frontend.models.applied import Records
from duet.frontend.models.table import OPAQUE
from duet.frontend.source.nodes import Node
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.places import is_library
from duet.frontend.source.preprocess import library_directories
from duet.frontend.source.words import MODULE_ENTRY, MODULE_EXIT
from duet.options import FrontendOptions
from duet.source import Span


def new_forms(units: tuple[ParsedUnit, ...], options: FrontendOptions, facts: Facts) -> Forms:
    """Nothing formed yet."""
    headers = library_directories(options)

    def is_own(node: Node) -> bool:
        return not is_library(str(getattr(node.coord, "file", "")), headers)

    def span(node: Node) -> Span:
        return units[0].span(getattr(node, "coord", None))

    data = data_model(options.data_model)
    library = Records(facts.others, options.model == "linux", data)
    return Forms(library, span, OPAQUE, is_own, data, facts.apart)


def declare(ctx: Context, unit: ParsedUnit, number: int, is_one_of_many: bool) -> None:
    """Declares everything at the file scope of a unit; static names of several units stay apart."""
    root = ctx.scope
    while root.parent is not None:
        root = root.parent
    scope = Scope(root) if is_one_of_many else root
    scope.file = unit.path
    ctx.scope = scope
    ctx.declared.files.append(scope)
    pending: list[tuple[Object, Node]] = []
    refused = recovery.refused_parts(unit)
    for item in unit.ast.ext:
        is_header = not unit.is_users(item.coord)
        with ctx.at_node(item):
            match item:
                case c_ast.Typedef():
                    ctx.memory.types.typedef(item.name, item, scope)
                case c_ast.StaticAssert():
                    ctx.memory.types.assertion(item, scope)
                case c_ast.FuncDef():
                    _declare_function(ctx, item.decl, item, number, is_one_of_many)
                case c_ast.Decl():
                    kind = ctx.memory.types.read(item, scope)
                    if item.name is None:
                        continue
                    if isinstance(kind, FunctionType):
                        refusal = refused.get((item.name, unit.span(item.coord)))
                        definition = recovery.stand_in(item) if refusal else None
                        key = _declare_function(ctx, item, definition, number, is_one_of_many)
                        if definition is None:
                            ctx.library.declare(item.name, kind, is_header)
                        if is_header and ctx.options.model is None:
                            ctx.declared.library.add(item.name)
                            ctx.declared.read_only[item.name] = read_only(item, kind, IntType, FloatType)
                            ctx.declared.read_bytes[item.name] = read_only(item, kind, VoidType)
                            found = single(item)
                            ctx.declared.single[item.name] = ctx.declared.single.get(item.name, found) & found
                        if refusal is not None and item.name in unit.weak:
                            raise Unsupported(refusal.message, refusal.cause or refusal.span)
                        if refusal is not None:
                            ctx.facts.refuse(key, refusal)
                    else:
                        if is_header:
                            ctx.declared.library.add(item.name)
                        pending.extend(_declare_variable(ctx, item, kind, number, is_one_of_many))
                case _:
                    continue
    for of, node in pending:
        with ctx.at_node(node):
            ctx.scope = scope
            value = ctx.forms.initialiser(of.type, node.init, scope) if node.init is not None else None
            ctx.memory.declare(of, static_initial(ctx, of.type, value, expr.rvalue))


def _declare_function(ctx: Context, item: Node, definition: Node | None, number: int, is_one_of_many: bool) -> str:
    kind = ctx.memory.types.read(item.type, ctx.scope)
    assert isinstance(kind, FunctionType)
    known = ctx.scope.find(item.name)
    key = (
        known.key
        if isinstance(known, Function) and "static" not in (item.storage or [])
        else link.key_of(item.name, "static" in (item.storage or []), number, is_one_of_many)
    )
    ctx.scope.names[item.name] = Function(key, kind)
    link.check_signature(ctx, key, kind, item)
    found = None if definition is None else Definition(key, item.name, definition, ctx.scope, number)
    if found is not None and link.is_first(ctx, item, found):
        ctx.declared.functions[key] = found
        ctx.declared.signatures[key] = kind
    return key


def _composite(ctx: Context, known: Object, kind: CType) -> Object:
    """An object that is declared again: an array gets the length that one of its declarations has (C11 6.2.7)."""
    if not (isinstance(known.type, ArrayType) and isinstance(kind, ArrayType) and known.type.length is None):
        return known
    if kind.length is None or kind.element != known.type.element:
        return known
    found = replace(known, type=kind)
    ctx.memory.declare(found, ctx.memory.initial[known.key])
    return found


def _declare_variable(
    ctx: Context, item: Node, kind: CType, number: int, is_one_of_many: bool
) -> list[tuple[Object, Node]]:
    """Declares a variable; returned with its declaration where that gives its initial value."""
    if item.name in (MODULE_ENTRY, MODULE_EXIT):
        return []
    key = link.key_of(item.name, "static" in (item.storage or []), number, is_one_of_many)
    kind = ctx.forms.completed(kind, item.init, ctx.scope)
    storage = item.storage or []
    is_extern = "extern" in storage and item.init is None
    here = ctx.scope.names.get(item.name)
    known = here if is_extern and isinstance(here, Object) else ctx.memory.objects.get(key)
    if known is not None:
        link.check_variable(ctx, known, kind, item)
    is_taken = None if is_extern or "static" in storage else link.overrides(ctx, key, kind, item, number)
    _, initial = ctx.declared.defining.get(key, (number, None))
    is_open = is_taken is None and item.init is None
    has_value = initial is not None or ctx.memory.initial.get(key) is not None
    if known is not None and (is_extern or is_taken is False or (is_open and has_value)):
        is_alike = are_elements_alike(known.type, kind)
        ctx.scope.names[item.name] = _composite(ctx, known, kind) if is_alike else replace(known, type=kind)
        return []
    is_thread = "_Thread_local" in storage
    duration = "thread" if is_thread else "global"
    of = Object(key, kind, duration, None, item.name, ctx.span(item), is_const(item.type), is_volatile(item.type))
    ctx.scope.names[item.name] = of
    ctx.memory.declare(of, None)
    if "static" not in storage:
        ctx.declared.linked.add(key)
    if is_extern:
        ctx.declared.elsewhere.add(key)
        return []
    ctx.declared.elsewhere.discard(key)
    ctx.declared.defining[key] = number, item.init
    return [(of, item)]
