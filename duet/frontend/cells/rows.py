"""Arrays of which there is one, for judgments of their elements: where these are, and which cells stand for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice, pairwise

from duet.frontend.cells.context import Context
from duet.frontend.cells.located import spelled
from duet.frontend.cells.size import is_large
from duet.frontend.ctypes.scope import Local
from duet.frontend.ctypes.types import ArrayType, IntType, PointerType, StructType
from duet.frontend.ctypes.values import Direct, Index, Object
from duet.frontend.form.control import ComputedGoto, Declare, Label, Switch
from duet.frontend.form.walk import every
from duet.frontend.graph.apart import Questions
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.events import Element, Events
from duet.frontend.judgments.all_joined import AllJoined, First, asked
from duet.frontend.judgments.exclusion import Cells, Known, known_by, sources
from duet.frontend.judgments.families import left
from duet.frontend.judgments.filled import Course, Filling, Row
from duet.frontend.judgments.identity import CANCELLED, DETACHED, FORKED, UNNOTED
from duet.frontend.judgments.prefixes import Access, Array, Prefixes, element
from duet.frontend.judgments.singled import Singled, Thread, groups
from duet.plip.graphs import strong_components
from duet.plip.syntax import Assign, Command, Spawn, steps
from duet.plip.terms import variable
from duet.plip.touched import reads, touched, writes


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


def has_one_first(ctx: Context) -> bool:
    """Whether there is one first thread only."""
    return not (ctx.options.parameterized or ctx.options.entries is not None or "main" in ctx.facts.many)


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


def with_prefixes(
    ctx: Context,
    builders: Mapping[str, Builder],
    commands: Mapping[str, Sequence[Command]],
    known: Set[str],
    alone: frozenset[int],
) -> tuple[Mapping[str, Sequence[Command]], frozenset[str]]:
    """The commands with ghosts for arrays that are set one element after the other, and the cells of these.

    Nobody asks for what `known` cells begin with. Adds the cells of the ghosts.
    """
    most = ctx.options.budgets.counted_arrays
    if most <= 0 or any(ctx.facts.is_known(mark) for mark in (CANCELLED, FORKED)):
        return commands, frozenset()
    accessed = touched(it for own in commands.values() for it in own)
    arrays = [array for array in _arrays(ctx, builders, accessed) if _is_asked(ctx, array, known)]
    if not arrays:
        return commands, frozenset()
    fixed = _fixed(ctx, builders, alone)
    accesses = {
        name: dict(_accesses(builders[name], own, arrays, partial(_is_own, ctx, name, fixed)))
        for name, own in commands.items()
    }
    prefixes = Prefixes(commands, ctx.memory.cells, accesses, "main" if has_one_first(ctx) else None)
    if is_large(ctx):  # a ghost that threads share makes flows between them, and each costs the more
        arrays = [array for array in arrays if prefixes.owner(array) is not None]
    found = list(islice(prefixes.worthwhile(arrays), most))
    rings = [] if is_large(ctx) else [array for array in prefixes.rings(arrays) if array not in found]
    if not (found or rings):
        return commands, frozenset()
    told, cells = prefixes.told(found, rings)
    ctx.memory.cells.update(cells)
    return told, frozenset(cell for array in found for cell in array.cells)


def with_singled(
    ctx: Context,
    builders: Mapping[str, Builder],
    commands: Mapping[str, Sequence[Command]],
    alone: frozenset[int],
) -> tuple[Mapping[str, Sequence[Command]], Questions]:
    """The commands with one element of some arrays singled out, and what tells their ways apart; adds the new cells."""
    most = ctx.options.budgets.singled_arrays
    if most <= 0 or any(ctx.facts.is_known(mark) for mark in (CANCELLED, FORKED)) or is_large(ctx):
        return commands, Questions()
    accessed = touched(it for own in commands.values() for it in own)
    found = list(groups(_arrays(ctx, builders, accessed)))
    if not found:
        return commands, Questions()
    fixed = _fixed(ctx, builders, alone)
    threads = {
        name: Thread(own, builders[name].entry, _noted(builders[name]), partial(_is_own, ctx, name, fixed))
        for name, own in commands.items()
    }
    singled = Singled(threads, ctx.memory.cells)
    told, cells = singled.of(found, most)
    answers = frozenset(singled.answers(found))
    ctx.memory.cells.update(cells)
    return told, Questions(frozenset(cells) & {group.ghost for group in found}, answers)


def _noted(builder: Builder) -> Callable[[int], Element | None]:
    """Which element a command accesses, by the location that it leads to."""
    elements, indexed = builder.events.elements, builder.events.indexed
    return lambda location: elements.get(location) or indexed.get(location)


def all_joined(ctx: Context, builders: Mapping[str, Builder]) -> Mapping[str, frozenset[tuple[int, int]]]:
    """Templates with the ways of the first thread on which the last of their threads has been joined."""
    first = builders["main"]
    is_vague = any(ctx.facts.is_known(mark) for mark in (CANCELLED, FORKED)) or ctx.facts.is_any_marked(DETACHED)
    is_run_once = not ctx.options.parameterized and ctx.options.entries is None and "main" not in ctx.facts.many
    waits = [(name, waiting) for name, it in builders.items() for waiting in it.events.waits.values()]
    if is_vague or not is_run_once or not all(waiting.is_known for _, waiting in waits):
        return {}
    if any(it.landings or it.leaps for it in builders.values()):
        return {}
    elsewhere = {
        command.instruction.template
        for name, builder in builders.items()
        for command in builder.commands
        if name != "main" and isinstance(command.instruction, Spawn)
    }
    elsewhere.update(name for by, waiting in waits for name in waiting.names if by != "main")
    if "main" in elsewhere:
        return {}  # who waits for a thread that waits for the first one may be refused to
    wanted = {name for _, waiting in waits for name in waiting.names} & {*first.events.handles.values()}
    wanted -= {"main", *elsewhere, *ctx.facts.marked(DETACHED)}
    wanted = {name for name in wanted if name in ctx.facts.many}
    if not wanted:
        return {}
    commands = [command for command in first.commands if command.source in first.reached]
    written = {cell for name, it in builders.items() if name != "main" for cell in _written(it.commands)}
    arrays = [array for array in _arrays(ctx, builders, _written(commands)) if written.isdisjoint(array.cells)]
    only_first = {name for name, it in ctx.memory.cells.items() if it.template is None and not it.summary} - written
    is_own = partial(_is_own, ctx, "main", frozenset(only_first))
    events = first.events
    elements = events.elements | events.indexed
    found: dict[str, list[frozenset[tuple[int, int]]]] = {name: [] for name in sorted(wanted)}
    for array in arrays:
        if sources(commands, map(variable, array.cells)).isdisjoint(events.handles):
            continue  # no handle of a thread is ever in it
        terms = [waiting.handle for waiting in events.waits.values()]
        for command in commands:
            element = elements.get(command.target)
            if element is not None and element.cell in array.cells and element.spot.begin is not None:
                terms.append(element.spot.begin)
                terms += [it.value for it in steps(command.instruction) if isinstance(it, Assign)]
        cells = Cells(is_own, ctx.facts.pointers.held, asked(commands, terms))
        told = First(commands, first.entry, cells, partial(_range, ctx), elements, events.handles, events.waits)
        for name, ends in found.items():
            ends.append(AllJoined(told, name, array).ends())
    regions = {name: builders[name].regions() for name in ("main", *found)}
    return {
        name: ways
        for name, ends in found.items()
        for ways in list(filter(None, ends))[:1]
        if regions["main"].isdisjoint(place for way in ways for place in way)
        and regions[name].isdisjoint((builders[name].entry, builders[name].exit))
    }


def _range(ctx: Context, cell: str) -> tuple[int, int] | None:
    """The least and the largest value of a variable of an integer type."""
    place = ctx.memory.places.get(cell)
    kind = None if place is None else place.type
    return (kind.lo, kind.hi) if isinstance(kind, IntType) else None


def _written(commands: Iterable[Command]) -> frozenset[str]:
    """The cells that commands write."""
    return frozenset(cell for command in commands for cell in writes(command.instruction))


def _is_asked(ctx: Context, array: Array, known: Set[str]) -> bool:
    """Whether somebody may find an element of an array that nobody has set."""
    return known.isdisjoint(array.cells) and ctx.memory.cells.keys().isdisjoint(map(left, array.cells))


def _arrays(ctx: Context, builders: Mapping[str, Builder], cells: Set[str]) -> Iterator[Array]:
    """The arrays that some cells are parts of elements of, where that is known of all of them."""
    once = frozenset(key for builder in builders.values() for key in _begun_once(builder))
    parts: dict[str, dict[str, Direct]] = {}
    for name in sorted(cells & ctx.memory.places.keys()):
        place = ctx.memory.places[name]
        if may_have_row(place):
            parts.setdefault(place.object.key + spelled(place.path, is_starred=True), {})[name] = place
    for starred, places in parts.items():
        numbers = {name: _number(place) for name, place in places.items() if not ctx.memory.cells[name].summary}
        place = next(iter(places.values()))
        is_one = isinstance(place.type, IntType | PointerType) and _is_one(ctx, place.object, once)
        row = _row(ctx, place, is_open=True) if is_one else None
        if row is not None and (places.keys() == {starred} or None not in map(numbers.get, places)):
            yield Array(starred, row, {name: numbers.get(name) for name in places})


def _number(place: Direct) -> int | None:
    """Which element of an array a place is a part of, if that is known."""
    indices = [step for step in place.path if isinstance(step, Index)]
    return indices[0].constant if len(indices) == 1 else None


def _accesses(
    builder: Builder, commands: Sequence[Command], arrays: Sequence[Array], is_own: Callable[[str], bool]
) -> Iterator[tuple[int, Access]]:
    """Which elements of arrays commands access, by their index."""
    owners = {cell: array for array in arrays for cell in array.cells}
    events = builder.events
    spots = [it.spot for noted in (events.elements, events.indexed) for it in noted.values() if it.cell in owners]
    pointers = [spot.begin for spot in spots if spot.pointer is not None and spot.begin is not None]
    cells_of = Cells(is_own, lambda _: (), sources(commands, pointers))
    known = known_by(commands, builder.entry, None, Events(), cells_of) if pointers else {}
    for index, command in enumerate(commands):
        cells = owners.keys() & (reads(command.instruction) | writes(command.instruction))
        if len(cells) == 1:
            noted = events.elements.get(command.target) or events.indexed.get(command.target)
            here = known.get(command.source, Known())
            found = element(command, noted, owners[next(iter(cells))], here.resolved)
            if found is not None and all(map(is_own, found.asked)):
                yield index, found


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
    commands = [command for command in builder.commands if command.source in builder.reached]
    spots = [element.spot for element in builder.events.elements.values() if element.cell in rows]
    passed = [item.instruction.arguments for item in commands if isinstance(item.instruction, Spawn)]
    asked = (
        *(spot.begin for spot in spots if spot.begin is not None),
        *(value for arguments in passed for _, value in arguments),
    )
    cells = Cells(partial(_is_own, ctx, template, fixed), ctx.facts.pointers.held, sources(commands, asked))
    return Course(commands, builder.entry, builder.events, cells)


def _is_own(ctx: Context, template: str, fixed: frozenset[str], cell: str) -> bool:
    known = ctx.memory.cells[cell]
    return cell in fixed or (known.template == template and not known.summary)


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


def _row(ctx: Context, place: Direct, is_open: bool = False) -> Row | None:
    """Where the parts are that a path leads to; None where they are not evenly spaced, or their number is not known.

    If that may be so (`is_open`), it is 0 then.
    """
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
        if not size or not (length or (is_open and not strides)):
            return None
        strides.append((size, length or 0))
    if any(outer != inner * length for (outer, _), (inner, length) in pairwise(strides)):
        return None
    count = 1
    for _, length in strides:
        count *= length
    start = ctx.memory.base_term(of).term
    return None if start.terms else Row(start.constant, start.constant + offset, strides[-1][0], count)
