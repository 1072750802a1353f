"""Arrays of which there is one, as `filled` looks at them: where the elements are, and which cells stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import pairwise

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import spelled
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import ArrayType, IntType, PointerType, StructType
from duet.frontend.ctypes.values import Direct, Index, Object
from duet.frontend.form.control import ComputedGoto, Declare, Label, Switch
from duet.frontend.form.walk import every
from duet.frontend.graph.builder import Builder
from duet.frontend.judgments.exclusion import Cells, sources
from duet.frontend.judgments.filled import Course, Filling, Row
from duet.frontend.judgments.identity import CANCELLED, FORKED, UNNOTED
from duet.plip.graphs import strong_components
from duet.plip.syntax import Spawn
from duet.plip.touched import reads, writes


def note_beginning(ctx: Context, of: Object, local: Local) -> None:
    """Notes that an automatic array begins here, if each way into its block leads here."""
    body = ctx.thread.frame.body
    if body is None or not isinstance(of.type, ArrayType) or ctx.is_silent:
        return
    forms = list(every(body.block))
    inside = (part for form in forms if isinstance(form, Switch) for part in every(form.body))
    if not any(isinstance(form, Label | ComputedGoto) for form in forms) and not any(
        isinstance(part, Declare) and part.local is local for part in inside
    ):
        ctx.builder.note_beginning(of.key)


def may_have_row(place: Direct) -> bool:
    """Whether a place may be a part of an element of an array."""
    return place.object.kind in ("global", "local", "heap") and any(isinstance(step, Index) for step in place.path)


def filled_cells(ctx: Context, builders: Mapping[str, Builder], alone: frozenset[int]) -> frozenset[str]:
    """The cells of elements that nobody reads before they are set; `alone` as in `with_copies`."""
    is_vague = any(ctx.facts.is_known(mark) for mark in (CANCELLED, FORKED))
    if is_vague or any(it.landings or it.leaps or it.chances for it in builders.values()):
        return frozenset()
    seen = {element.cell for builder in builders.values() for element in builder.events.elements.values()}
    seen &= {
        cell for builder in builders.values() for command in builder.commands for cell in reads(command.instruction)
    }
    rows = dict(_rows(ctx, builders, seen))
    if not rows:
        return frozenset()
    fixed = _fixed(ctx, builders, alone)
    courses = {name: _course(ctx, name, builder, rows, fixed) for name, builder in builders.items()}
    return Filling(rows, courses, lambda cell: ctx.memory.cells[cell].template is None).filled("main")


def _fixed(ctx: Context, builders: Mapping[str, Builder], alone: frozenset[int]) -> frozenset[str]:
    """The shared cells that only the first thread writes, before it has started another one."""
    later = {
        cell
        for name, builder in builders.items()
        for command in builder.commands
        if name != "main" or command.source not in alone or command.target not in alone
        for cell in writes(command.instruction)
    }
    return frozenset(name for name, it in ctx.memory.cells.items() if it.template is None and not it.summary) - later


def _course(ctx: Context, template: str, builder: Builder, rows: Mapping[str, Row], fixed: frozenset[str]) -> Course:
    def is_own(cell: str) -> bool:
        known = ctx.memory.cells[cell]
        return cell in fixed or (known.template == template and not known.summary)

    commands = [command for command in builder.commands if command.source in builder.reached]
    spots = [element.spot for element in builder.events.elements.values() if element.cell in rows]
    passed = [item.instruction.arguments for item in commands if isinstance(item.instruction, Spawn)]
    asked = (
        *(spot.begin for spot in spots if spot.begin is not None),
        *(value for arguments in passed for _, value in arguments),
    )
    cells = Cells(is_own, ctx.facts.pointers.held, sources(commands, asked))
    return Course(commands, builder.entry, builder.events, cells)


def _rows(ctx: Context, builders: Mapping[str, Builder], seen: Set[str]) -> Iterator[tuple[str, Row]]:
    """Those of some cells that stand for a part of all elements of one array, with where these are."""
    once = frozenset(key for builder in builders.values() for key in _begun_once(builder))
    for name in sorted(seen):
        place = ctx.memory.places[name]
        of = place.object
        is_whole = name == of.key + spelled(place.path, is_starred=True) and ctx.memory.cells[name].summary
        if (
            is_whole
            and isinstance(place.type, IntType | PointerType)
            and may_have_row(place)
            and _is_one(ctx, of, once)
        ):
            row = _row(ctx, place)
            if row is not None:
                yield name, row


def _is_one(ctx: Context, of: Object, once: frozenset[str]) -> bool:
    """Whether there is one object at most that is meant, of which all that is written is known."""
    known = ctx.facts.objects
    if ctx.memory.is_multiple(of) or of.is_volatile or of.key in known.untracked or of.key in known.resized:
        return False
    match of.kind:
        case "global":
            return ctx.memory.initial.get(of.key) is not None
        case "local":
            return of.key in once
        case _:
            return of.key not in ctx.facts.marked(UNNOTED)


def _begun_once(builder: Builder) -> Iterator[str]:
    """The automatic arrays that begin at one location, through which a way leads once."""
    places: dict[str, list[int]] = {}
    for location, keys in builder.events.begun.items():
        for key in keys:
            places.setdefault(key, []).append(location)
    if not places:
        return
    outgoing: dict[int, list[int]] = {}
    for command in builder.commands:
        outgoing.setdefault(command.source, []).append(command.target)
    around = {
        location
        for part in strong_components([builder.entry], lambda location: outgoing.get(location, ()))
        if len(part) > 1
        for location in part
    }
    for key, found in places.items():
        if len(found) == 1 and found[0] not in around:
            yield key


def _row(ctx: Context, place: Direct) -> Row | None:
    """Where the parts are that a path leads to; None where they are not evenly spaced, or their number is not known."""
    of, kind = place.object, place.object.type
    offset = 0
    strides: list[tuple[int, int]] = []
    for step in place.path:
        if isinstance(step, str):
            if not isinstance(kind, StructType) or kind.is_union:
                return None
            offset += ctx.memory.types.offset(kind, step)
            kind = next(member.type for member in ctx.memory.types.members(kind) if member.name == step)
            continue
        if not isinstance(kind, ArrayType):
            return None
        length, kind = kind.length, kind.element
        size = ctx.memory.types.size(kind)
        if length is None and not strides and of.kind == "heap" and size:
            length = (ctx.facts.layouts.sizes.get(of.key) or 0) // size
        if not size or not length:
            return None
        strides.append((size, length))
    if any(outer != inner * length for (outer, _), (inner, length) in pairwise(strides)):
        return None
    count = 1
    for _, length in strides:
        count *= length
    start = ctx.memory.base_term(of).term
    return None if start.terms else Row(start.constant, start.constant + offset, strides[-1][0], count)
