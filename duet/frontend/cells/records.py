"""Structures that the C library gives to programs: one object of its own stands for all of one type.

*Source*: POSIX and the manual pages for which members are never null. Each member holds any value of its type at any
time, as later calls write to it; a pointer leads to a string of the library, to another such structure, or to what else
the library has. *Approximates*: over. Whether one has been given back is not looked at (`docs/properties.md`).
"""

from __future__ import annotations

from collections.abc import Mapping

from duet.frontend.cells import texts
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import spelled
from duet.frontend.cells.targets import outside
from duet.frontend.ctypes.origins import EXTERNAL, Origins, start_of
from duet.frontend.ctypes.types import CHAR, VOID, ArrayType, CType, PointerType, StructType
from duet.frontend.ctypes.values import Object

_FILLED: Mapping[str, frozenset[str]] = {
    "addrinfo": frozenset(("ai_addr",)),
    "group": frozenset(("gr_name", "gr_mem")),
    "hostent": frozenset(("h_name", "h_aliases", "h_addr_list")),
    "ifaddrs": frozenset(("ifa_name",)),
    "mntent": frozenset(("mnt_fsname", "mnt_dir", "mnt_type", "mnt_opts")),
    "passwd": frozenset(("pw_name", "pw_dir", "pw_shell")),
    "protoent": frozenset(("p_name", "p_aliases")),
    "servent": frozenset(("s_name", "s_aliases", "s_proto")),
}
"""By structure, the members that are never null as the library gives it."""


def record(ctx: Context, kind: CType) -> Origins:
    """The origins of a pointer to a structure of a type as the library gives it; of another type, anything outside."""
    if not _is_whole(ctx, kind):
        return frozenset((EXTERNAL,))
    assert isinstance(kind, StructType)
    work, seen = [kind], {kind}
    while work:
        inner = work.pop()
        _note(ctx, inner)
        parts = {part.target for _, part in ctx.memory.scalars(inner) if isinstance(part, PointerType)}
        new = [part for part in parts if isinstance(part, StructType) and _is_whole(ctx, part) and part not in seen]
        work += new
        seen.update(new)
    return _origins(ctx, kind)


def _is_whole(ctx: Context, kind: CType) -> bool:
    """Whether a type is a structure of which the members are known."""
    return isinstance(kind, StructType) and not kind.is_union and bool(ctx.memory.types.size(kind))


def _origins(ctx: Context, kind: StructType) -> Origins:
    return start_of(ctx.memory.record_key(kind))


def _note(ctx: Context, kind: StructType) -> None:
    """Makes the object for a type known, with what is known of its members by now."""
    key, facts = ctx.memory.record_key(kind), ctx.facts
    if key not in ctx.memory.objects:
        ctx.memory.declare(Object(key, ArrayType(VOID, None), "heap", None, f"a {kind.tag} of the library"), None)
    ctx.memory.records.add(key)
    for known in (facts.objects.repeated, facts.objects.resized, facts.objects.addressed):
        known.add(key)
    facts.layouts.size(key, None)
    facts.layouts.at_least(key, ctx.memory.types.size(kind) or 0)
    for path, part in ctx.memory.scalars(kind):
        name = f"{key}[*]{spelled(path)}"
        if isinstance(part, PointerType):
            facts.pointers.hold(name, _leading(ctx, part.target))
        else:
            facts.pointers.mixed.add(name)
        if path[-1] in _FILLED.get(kind.tag, ()):
            ctx.memory.filled.add(name)


def _leading(ctx: Context, kind: CType) -> Origins:
    """The origins of a pointer to a type that is a member."""
    if kind == CHAR:
        return texts.of_library(ctx)
    return _origins(ctx, kind) if isinstance(kind, StructType) and _is_whole(ctx, kind) else outside(ctx)
