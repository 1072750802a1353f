"""Which functions a pointer may be the address of, by key, and what these take.

What a key stands for (a definition, a model, nothing that is known) is decided in `duet.frontend.bodies.callees`.
"""

from __future__ import annotations

from duet.errors import SourceError
from duet.frontend.cells.context import Context
from duet.frontend.cells.foreign import external_functions
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, OUTSIDE, UNKNOWN_POINTER, functions, may_be_any
from duet.frontend.ctypes.scope import Definition, Scope
from duet.frontend.ctypes.types import CType, FunctionType, PointerType, unmeasured
from duet.frontend.ctypes.values import Number, is_null
from duet.frontend.form import bodies as forms
from duet.frontend.form.selection import may_be_same
from duet.frontend.source.nodes import Node

SOME = "<function that is not known>"
"""The key of a function of which nothing is known, in code that is not there."""


def callees_of(ctx: Context, pointer: Number, node: Node, count: int | None, part: str = "") -> tuple[list[str], bool]:
    """The functions that a pointer in a `part` of a node may be the address of, and whether it may be anything.

    `SOME` is among them where there may be others that are not there; none are, where the pointer is null. Where no
    function is known yet, a later round may know one; if none does, and where the pointer may be anything, all are told
    whose address is taken and that can be called with `count` arguments (None: any number). Where it may come from
    code that is not there, that may be any with external linkage. Where `function-types` is assumed, all that are told
    besides those that it is known to hold have a type that may be compatible with that of the pointer (C11 6.5.2.2).
    """
    if is_null(pointer):
        return [], False
    site = ctx.site(node, f"{part}call ")
    if count is not None:
        ctx.facts.pointers.called(site, pointer.origins, count)
    outside = ctx.facts.pointers.held(OUTSIDE) if EXTERNAL in pointer.origins else NOTHING
    origins, known = pointer.origins | outside, functions(pointer.origins)
    is_open = may_be_any(origins)
    if not known and not origins & UNKNOWN_POINTER:
        is_open = ctx.is_settled(site)
        if not is_open:
            return [], False
    others = [*functions(outside), *(external_functions(ctx) if is_open or EXTERNAL in origins else ())]
    if is_open:
        ctx.warn(node, "unresolved-call", "what function is called here is not known: any may be")
        others += ctx.facts.functions
    if others and count is not None and ctx.options.assumes("function-types"):
        kind = pointer.type.target if isinstance(pointer.type, PointerType) else None
        others = [key for key in others if kind is None or may_have_type(ctx, key, kind)]
    keys = sorted({*known, *(key for key in others if count is None or is_callable(ctx, key, count))})
    return ([*keys, SOME] if is_open or EXTERNAL in origins else keys), is_open


def may_have_type(ctx: Context, key: str, kind: CType) -> bool:
    """Whether a function, as far as its type is known, may have the one that a pointer leads to."""
    own = ctx.declared.signatures.get(key) or ctx.declared.prototypes.get(key)
    return own is None or may_be_same(own, kind)


def parameters(ctx: Context, definition: Definition) -> list[tuple[CType, Node]]:
    """The types and declarations of a function's parameters."""
    found = forms.parameters(ctx.memory.types, definition, Scope(definition.scope))
    return [(unmeasured(item.type), item.node) for item in found]


def ignored_by(ctx: Context, definition: Definition) -> frozenset[int]:
    """The positions of the parameters that a function does not mention; none for one that is not understood."""
    if definition.key in ctx.facts.refused:
        return frozenset()
    try:
        return ctx.forms.body(definition).ignored
    except SourceError:
        return frozenset()


def is_callable(ctx: Context, key: str, count: int) -> bool:
    """Whether a function can be called with so many arguments: one that is not defined with any number."""
    definition = ctx.declared.functions.get(key)
    if definition is None:
        return True
    expected = len(parameters(ctx, definition))
    kind = ctx.memory.types.read(definition.node.decl.type, definition.scope)
    return count == expected or (isinstance(kind, FunctionType) and kind.variadic and count > expected)
