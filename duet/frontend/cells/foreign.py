"""Code of the program in files that are not there: what it may name (C11 6.2.2), and what it was given.

There is such code where a function is called, or an object used, that no file and no header of the system defines. In
the kernel model there is none: the harness calls what it exports.
"""

from __future__ import annotations

from collections.abc import Collection

from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import Elsewhere
from duet.frontend.ctypes.values import Object
from duet.frontend.judgments.marks import Mark

KEPT = Elsewhere("kept by unknown functions")
"""Where unknown functions keep what they were given."""
_FOREIGN: Mark[str] = Mark("files that are not there")
"""The mark of programs of which a part is in files that are not there."""


def note_foreign(ctx: Context) -> None:
    """Records that a part of the program is in files that are not there."""
    if ctx.options.model != "linux":
        ctx.facts.mark_any(_FOREIGN)


def has_foreign(ctx: Context) -> bool:
    """Whether a part of the program is in files that are not there, as far as is known."""
    return ctx.facts.is_known(_FOREIGN)


def externals(ctx: Context) -> frozenset[str]:
    """The objects that code of files that are not there may name; they count as addressed from now on."""
    if not has_foreign(ctx):
        return frozenset()
    own = (key for key in ctx.memory.kinds.get("thread", ()) if key.split("::")[-1] in ctx.declared.linked)
    found = frozenset(key for key in ctx.declared.linked if key not in ctx.declared.library).union(own)
    ctx.facts.objects.addressed.add(*sorted(found))
    return found


def with_symbols(ctx: Context, symbols: Collection[str] | None) -> tuple[list[Object], list[str]]:
    """The objects and functions of the program that assembler or the linker has by some symbols; all if it is None."""
    declared = ctx.declared
    names = None if symbols is None else {*symbols, *(declared.labels.get(symbol, symbol) for symbol in symbols)}
    aliased = {declared.aliases[symbol] for symbol in symbols or () if symbol in declared.aliases}
    objects = [of for of in ctx.memory.objects.values() if of.kind in ("global", "thread")]
    functions = [
        key
        for key, definition in declared.functions.items()
        if names is None or key in names or definition.name in names or key in aliased
    ]
    return [of for of in objects if names is None or of.label in names], functions


def external_functions(ctx: Context) -> list[str]:
    """The functions that code of files that are not there may name; it does not call `main`."""
    if not has_foreign(ctx):
        return []
    aliased = set(ctx.declared.aliases.values())
    return sorted(
        key
        for key, definition in ctx.declared.functions.items()
        if key != "main" and ("static" not in (definition.node.decl.storage or ()) or key in aliased)
    )
