"""Lists of nodes that link to each other, for the judgment of their lengths: their types, and what is noted of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import ROBUST, SPECIAL
from duet.frontend.cells.lifetimes import MAPPED, STACKED
from duet.frontend.cells.ownership import alone_at, has_sections
from duet.frontend.cells.size import is_large
from duet.frontend.ctypes.types import PointerType, StructType
from duet.frontend.graph import guarded
from duet.frontend.graph.builder import Builder
from duet.frontend.judgments.identity import CANCELLED, FORKED, HANDLER
from duet.frontend.judgments.lengths import Course, Links, Lists
from duet.plip.syntax import Assign, Command, Compute, Linear, Operation, steps
from duet.plip.touched import reads, writes


def with_lengths(
    ctx: Context,
    builders: Mapping[str, Builder],
    commands: Mapping[str, Sequence[Command]],
    unseen: Set[str],
    alone: frozenset[int],
    joined: Mapping[str, Collection[tuple[int, int]]],
) -> tuple[Mapping[str, Sequence[Command]], Mapping[int, int]]:
    """The commands with ghosts for the lengths of lists; adds the cells of these. With that, new locations.

    Each comes with one where the thread is in the same place. Nobody reads what `unseen` cells begin with. `alone` and
    `joined` as for `with_copies`.
    """
    new: dict[int, int] = {}
    if not _is_asked(ctx, builders, commands):
        return commands, new
    alone = alone_at(ctx, builders, commands, alone, joined)
    for nodes, member in _nodes(ctx):
        links = _links(ctx, nodes, member)
        if not links.globals:
            continue
        lists = Lists(_courses(ctx, builders, commands, alone, links), ctx.memory.cells, links, unseen)
        if lists.are_found():
            commands, places = lists.told(lambda: next(ctx.builder.numbers))
            ctx.memory.cells.update((cell.name, cell) for cell in lists.ghosts())
            new |= places
            alone |= {place for place, like in places.items() if like in alone}
    return commands, new


def _is_asked(ctx: Context, builders: Mapping[str, Builder], commands: Mapping[str, Sequence[Command]]) -> bool:
    """Whether there are lists of which all is seen that is done to them, and something is counted up and down."""
    is_vague = any(ctx.facts.is_known(mark) for mark in (CANCELLED, FORKED, HANDLER, SPECIAL, ROBUST))
    if is_vague or not has_sections(ctx) or is_large(ctx) or ctx.options.parameterized or ctx.options.entries:
        return False
    if any(it.crossings or it.landings or it.leaps for it in builders.values()):
        return False
    is_linked = any(builder.events.links for builder in builders.values())
    return is_linked and _is_counted(ctx, (it for own in commands.values() for it in own))


def _is_counted(ctx: Context, commands: Iterable[Command]) -> bool:
    """Whether a global is set to more than a cell, and elsewhere to less."""
    made: defaultdict[str, set[int]] = defaultdict(set)
    copied: list[tuple[str, str]] = []
    for command in commands:
        for step in steps(command.instruction):
            match step:
                case Assign(target, Linear(((source, 1),), 0)):
                    copied.append((target, source))
                case Assign(target, Linear((_,), by)) | Compute(target, Operation.WRAP, (Linear((_,), by), *_)):
                    made[target].add(by)
                case _:
                    continue
    for target, source in copied:
        made[target] |= made.get(source, set())
    shared = (by for name, by in made.items() if ctx.memory.cells[name].template is None)
    return any(min(by, default=0) < 0 < max(by, default=0) for by in shared)


def _nodes(ctx: Context) -> Iterator[tuple[StructType, str]]:
    """The types of nodes of the heap, with the one member that leads to another node."""
    kinds = {
        place.type.target.key: place.type.target
        for place in ctx.memory.places.values()
        if isinstance(place.type, PointerType) and isinstance(place.type.target, StructType)
    }
    for _, kind in sorted(kinds.items()):
        members = [it.name for it in ctx.memory.types.members(kind) if it.type == PointerType(kind)]
        if len(members) == 1 and not kind.is_union:
            yield kind, members[0]


def _links(ctx: Context, nodes: StructType, member: str) -> Links:
    """The cells for what leads to nodes: links, and globals."""
    found = {name: place for name, place in ctx.memory.places.items() if place.type == PointerType(nodes)}
    links = frozenset(name for name, place in found.items() if place.path and place.path[-1] == member)
    cells = ctx.memory.cells
    others = (name for name in found.keys() - links if name in cells and not found[name].object.is_volatile)
    return Links(links, frozenset(it for it in others if cells[it].template is None and not cells[it].summary))


def _courses(
    ctx: Context,
    builders: Mapping[str, Builder],
    commands: Mapping[str, Sequence[Command]],
    alone: frozenset[int],
    links: Links,
) -> list[Course]:
    """What the templates do."""
    nodes = {ctx.memory.places[name].object.key for name in links.cells}
    passing = ctx.facts.marked(STACKED) | ctx.facts.marked(MAPPED)
    courses = {
        name: guarded.Course(own, builders[name].entry, (), {}, (), alone if name == "main" else frozenset())
        for name, own in commands.items()
    }
    locks = guarded.locks_of(courses, ctx.memory.cells)
    found: list[Course] = []
    for name, own in commands.items():
        events = builders[name].events
        touching = [it for it in own if not links.cells.isdisjoint(reads(it.instruction) | writes(it.instruction))]
        entered = Counter(target for target, _ in {(it.target, it.source) for it in touching})
        pointers = {at: pointer for at, pointer in events.links.items() if entered[at] == 1}
        made = {
            at: [new.address for new in allocated if new.origin.key not in passing]
            for at, allocated in events.allocations.items()
        }
        given = {
            at: [it.address for it in released if it.keys is None or not nodes.isdisjoint(it.keys)]
            for at, released in events.released.items()
        }
        held = courses[name].held(locks)
        found.append(Course(name, own, builders[name].entry, held, courses[name].alone, pointers, made, given))
    return found
