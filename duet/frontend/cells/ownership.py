"""What lowering notes for `exclusion`: locks that are taken and given back, allocations, where accesses are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import ROBUST, SPECIAL
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.rows import has_one_first, may_have_row
from duet.frontend.cells.size import is_large
from duet.frontend.cells.targets import Target, is_wild
from duet.frontend.cells.texts import ARGUMENTS, OPTIONS
from duet.frontend.ctypes.origins import (
    NOTHING,
    Holder,
    ObjectAddress,
    Origins,
    addresses,
    may_be_any,
)
from duet.frontend.ctypes.types import PointerType, StructType
from duet.frontend.ctypes.values import Direct, Index, Indirect, Object, Place
from duet.frontend.graph.alone import between
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.events import Allocation, Element, Events, Giving, Spot, Taking
from duet.frontend.graph.guarded import Course, Guards, guards
from duet.frontend.graph.insides import changes
from duet.frontend.graph.rereads import Region
from duet.frontend.judgments.contents import contents
from duet.frontend.judgments.exclusion import (
    ASSUMED,
    Cells,
    Known,
    argument_of,
    beyond_given,
    copies,
    given_in_turn,
    given_to_several,
    known_by,
    ordered,
    sources,
    told,
)
from duet.frontend.judgments.families import FIRST, Thread
from duet.frontend.judgments.identity import CANCELLED, FORKED, HANDLER
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.pointers import around
from duet.frontend.judgments.sections import Copied, copied
from duet.frontend.judgments.settled import Settling
from duet.frontend.judgments.together import Members
from duet.plip.accesses import ANY_MEMORY, Access
from duet.plip.syntax import TRUE, Apart, Assign, Atom, Command, Guard, Linear, Relation, Spawn, steps
from duet.plip.terms import add, variable
from duet.plip.touched import reads, touched, writes

NO_SPOT = Spot()
TAKEN: Mark[str] = Mark("taken, not told apart")
"""The mark of programs in which locks are taken that are not told apart from others."""
MADE: Mark[str] = Mark("made, not told apart")
"""The mark of programs that allocate several objects at one place."""


def is_wanted(ctx: Context) -> bool:
    """Whether accesses are to be noted."""
    return ctx.wants("data-race") and not ctx.is_silent


def spot_of(ctx: Context, place: Place) -> Spot:
    """Where a place is, as far as that is known here."""
    return Spot(address_of(ctx, place), place.address.term if isinstance(place, Indirect) else None)


def address_of(ctx: Context, place: Place) -> Linear | None:
    """Where a place begins, if that is a single address here."""
    if not isinstance(place, Direct | Indirect):
        return None
    if any(isinstance(step, Index) and step.term is None for step in place.path):
        return None
    if isinstance(place, Direct) and ctx.memory.is_multiple(place.object):
        return None
    base = place.base if isinstance(place, Indirect) else place.object.type
    start = place.address if isinstance(place, Indirect) else ctx.memory.base_term(place.object)
    offset = ctx.memory.offset(base, place.path)
    return None if offset is None else add(start.term, offset)


def has_sections(ctx: Context) -> bool:
    """Whether what is done under locks that are not told apart is to be noted."""
    return ctx.options.model != "linux" and not ctx.is_silent


def note_taking(ctx: Context, place: Place, is_shared: bool, is_again: bool = False) -> None:
    """Notes that the thread has taken the lock of a place and goes on, or that it has that already if it `is_again`."""
    address = address_of(ctx, place) if is_wanted(ctx) or has_sections(ctx) else None
    if (
        address is None
        or not (origins := _origins(place))
        or any(_is_each_ones(ctx, of) for of in ctx.memory.pointed(origins))
    ):
        return
    ctx.facts.mark_any(TAKEN)
    ctx.builder.note_taking(Taking(address, origins, is_shared, is_again))


def _is_each_ones(ctx: Context, of: Object) -> bool:
    """Whether each thread of a template has an object of its own, though its address looks the same."""
    return of.template is not None and of.template in ctx.facts.many


def note_giving(ctx: Context, place: Place | None = None) -> None:
    """Notes that the thread may give back the lock of a place, or any lock."""
    if is_wanted(ctx) or (has_sections(ctx) and ctx.facts.is_any_marked(TAKEN)):
        ctx.builder.note_giving(Giving(_origins(place) if place is not None else NOTHING))


def note_allocation(ctx: Context, origin: ObjectAddress, address: Linear) -> None:
    """Notes that the thread has allocated an object of which nobody else knows and goes on."""
    if not ctx.is_silent:
        ctx.builder.note_allocation(Allocation(origin, address))
        if has_sections(ctx) and not is_large(ctx) and ctx.memory.is_multiple(ctx.memory.objects[origin.key]):
            ctx.facts.mark_any(MADE)


@contextmanager
def note_element(ctx: Context, by: Place, target: Target, access: int) -> Iterator[bool]:
    """Notes of what is done inside with one possible meaning of an access which element or object that is.

    Gives whether only the thread itself has it, so that reads have no commands.
    """
    place, builder = target.place, ctx.builder
    is_taken, is_element = ctx.facts.is_any_marked(TAKEN), isinstance(place, Direct) and may_have_row(place)
    is_made = isinstance(place, Direct) and place.object.kind == "heap" and ctx.facts.is_any_marked(MADE)
    is_lost = isinstance(by, Indirect) and is_wild(ctx, by.address.origins)
    is_asked = has_sections(ctx) and (is_taken or is_element or is_made) and not target.clobbers and not is_lost
    cell = ctx.memory.locate(place) if is_asked and isinstance(place, Direct) else None
    if not isinstance(place, Direct) or not isinstance(cell, CellAt):
        yield False
        return
    is_own = not (cell.is_summary or cell.is_shared)
    if is_own and not ctx.thread.looped:  # only what has handles is asked about
        yield False
        return
    element = Element(cell.name, place.object.key, spot_of(ctx, by), access)
    begin = max(0, len(builder.commands) - 1)  # the last command may be made one that writes the cell
    last = builder.commands[begin:]
    yield is_own
    if target.guard != TRUE:
        builder.flush()
    for command in builder.commands[begin:]:
        touched = reads(command.instruction) | writes(command.instruction)
        if cell.name in touched and command not in last:
            noted = builder.events.elements if cell.is_summary or is_taken else builder.events.indexed
            noted[command.target] = element


@contextmanager
def note_link(ctx: Context, by: Place, target: Target) -> Iterator[None]:
    """Notes which command inside accesses the link of a node, as one possible meaning, with the pointer to the node."""
    builder = ctx.builder
    is_link = isinstance(by, Indirect) and _is_link(by) and not target.clobbers and has_sections(ctx)
    cell = ctx.memory.locate(target.place) if is_link and isinstance(target.place, Direct) else None
    if not isinstance(by, Indirect) or not isinstance(cell, CellAt) or is_wild(ctx, by.address.origins):
        yield
        return
    builder.flush()
    begin = len(builder.commands)
    yield
    builder.flush()
    for command in builder.commands[begin:]:
        if cell.name in reads(command.instruction) | writes(command.instruction):
            builder.events.links[command.target] = by.address.term


def _is_link(place: Indirect) -> bool:
    """Whether a place is the link of a node: a member that leads to one more of these."""
    base, kind = place.base, place.type
    is_link = isinstance(base, StructType) and isinstance(kind, PointerType) and kind.target == base
    return is_link and len(place.path) == 1


def note_setting(ctx: Context, by: Place, place: Place) -> None:
    """Notes that a member of an object has been written by a pointer."""
    if (
        ctx.is_silent
        or not isinstance(by, Indirect)
        or not isinstance(place, Direct)
        or not ctx.memory.is_member(place)
    ):
        return
    cell = ctx.memory.locate(place)
    if isinstance(cell, CellAt):
        ctx.builder.note_setting(cell.name, by.address.term)


def _origins(place: Place) -> Origins:
    """The origins of pointers to what a place may be in; none where they are not known."""
    match place:
        case Direct(of):
            return frozenset((of.origin,))
        case Indirect(address) if not may_be_any(address.origins):
            return addresses(address.origins)
        case _:
            return NOTHING


def follow_members(ctx: Context, template: str, builder: Builder, settling: Settling) -> None:
    """Adds what a thread shows of members of new objects that are set before anybody reads them."""
    if (found := _known_new(ctx, template, builder, settling.members)) is not None:
        commands, known, events = found
        settling.follow(commands, builder.entry, known, events)


def _known_new(
    ctx: Context, template: str, builder: Builder, keys: Collection[str] | None, more: Iterable[Linear] = ()
) -> tuple[Sequence[Command], Mapping[int, Known], Events] | None:
    """What is known of new objects with some keys, or all, at the locations of a thread; None where it makes none.

    `more` are addresses that are asked for, too.
    """
    made = _made(ctx, builder)
    if keys is not None:
        made = {at: [new for new in found if new.origin.key in keys] for at, found in made.items()}
    if not any(made.values()):
        return None
    events = replace(builder.events, allocations=made, takings={})
    null = _compared_with_null(builder.commands, made)
    cells = _cells(ctx, template, builder.commands, made, (*events.addresses, *more, *null))
    commands = [command for command in builder.commands if command.source in builder.reached]
    return commands, known_by(commands, builder.entry, None, events, cells), events


def _made(ctx: Context, builder: Builder) -> dict[int, list[Allocation]]:
    """The objects that a thread allocates, by location, without those that others may be shown where nobody notes."""
    shown = ctx.facts.pointers.shown_unnoted()
    return {at: [new for new in found if new.origin not in shown] for at, found in builder.events.allocations.items()}


def guards_of(
    ctx: Context, builders: Mapping[str, Builder], alone: frozenset[int]
) -> Callable[[str, Sequence[Command]], Guards] | None:
    """What guards memory, by template; None where nobody asks. `alone` are locations of the first thread, see `alone`.

    Of what `getopt` and its like keep nothing is known.
    """
    if is_large(ctx) or not any(builder.insides.is_memory_asked_for for builder in builders.values()):
        return None
    courses = {name: _course(ctx, name, builder, alone) for name, builder in builders.items()}
    return guards(courses, ctx.memory.cells, frozenset(ctx.facts.many))


def _course(ctx: Context, name: str, builder: Builder, alone: frozenset[int]) -> Course:
    """What a template does to memory, but for objects that are new."""
    commands = [command for command in builder.commands if command.source in builder.reached]
    objects = {cell: place.object.key for cell, place in ctx.memory.places.items()}
    changed = changes(commands, builder.insides, objects)
    starts = [region.start for regions in changed.values() for region in regions if region.start is not None]
    if (found := _known_new(ctx, name, builder, None, starts)) is not None:
        _, known, _ = found
        changed = {
            at: [region for region in regions if not _is_new(known.get(at, Known()), region)]
            for at, regions in changed.items()
        }
    handed = {*builder.insides.handed, ARGUMENTS, *OPTIONS}
    return Course(commands, builder.entry, builder.crossings, changed, handed, alone if name == FIRST else frozenset())


def _is_new(known: Known, region: Region) -> bool:
    """Whether some bytes are in an object of which nobody else has the address."""
    return region.start is not None and any(known.is_beside(region.start, new.address) for new in known.new)


def with_copies(
    ctx: Context,
    builders: Mapping[str, Builder],
    noted: Mapping[str, list[Command]],
    alone: frozenset[int],
    joined: Mapping[str, Collection[tuple[int, int]]],
) -> tuple[Mapping[str, Copied], Members]:
    """The commands of templates with copies of members under their own locks, none where there are none; see `copied`.

    `alone` are the locations of the first thread before it has started another one, and behind the ways of it that are
    `joined` all threads of a template have ended.
    """
    is_vague = any(ctx.facts.is_known(mark) for mark in (SPECIAL, ROBUST, CANCELLED, FORKED))
    is_taken = ctx.facts.is_any_marked(TAKEN)
    is_made = ctx.facts.is_any_marked(MADE) or any(it.events.allocations for it in builders.values())
    if is_vague or not (is_taken or is_made or ctx.facts.many):
        return {}, {}
    alone = alone_at(ctx, builders, noted, alone, joined)
    threads = [_thread(ctx, name, builder, noted[name], alone) for name, builder in builders.items()]
    several = {name for it in threads for name in given_to_several(it.known, it.commands, it.events, it.cells)}
    in_turn = several.intersection(_in_turn(ctx, next(it for it in threads if it.name == FIRST), noted))
    given = {it.name for it in threads if it.name not in several - in_turn and argument_of(it.name) in ctx.memory.cells}
    given &= set(ctx.facts.many) - {FIRST}
    threads = [
        _thread(ctx, it.name, builders[it.name], it.commands, alone, True, it.name in in_turn)
        if it.name in given
        else it
        for it in threads
    ]
    found, members = copied(threads, ctx.memory.cells, ctx.memory.address_of, lambda: next(ctx.builder.numbers))
    if found and is_taken:
        ctx.assume(ASSUMED)
    return found, members


def alone_at(
    ctx: Context,
    builders: Mapping[str, Builder],
    noted: Mapping[str, Sequence[Command]],
    alone: frozenset[int],
    joined: Mapping[str, Collection[tuple[int, int]]],
) -> frozenset[int]:
    """The locations of the first thread where there are no others: before it has started one, or where all have ended.

    `alone` and `joined` as for `with_copies`.
    """
    if not alone or ctx.facts.is_known(HANDLER):
        return alone
    starting = {name for name, own in noted.items() if any(isinstance(it.instruction, Spawn) for it in own)}
    ending = noted.keys() - starting - set(ctx.facts.many)
    ends = {name: ways for name, ways in joined.items() if name not in starting}
    return alone | between(noted["main"], builders["main"].entry, ending, ends)


def apart(ctx: Context, builders: Mapping[str, Builder], noted: dict[str, list[Command]]) -> Mapping[str, Apart]:
    """How the arguments of the threads of templates are apart, where data races are asked for.

    What the first thread accesses is `noted` to be beyond these where it is.
    """
    if not is_wanted(ctx) or is_large(ctx) or not set(ctx.facts.many) - {FIRST}:
        return {}
    first = _thread(ctx, FIRST, builders[FIRST], noted[FIRST], frozenset(), is_presumed=True)
    starts = [it.instruction for it in noted[FIRST] if isinstance(it.instruction, Spawn)]
    found = _in_turn(ctx, first, noted)
    apart: dict[str, Apart] = {}
    for name, by in found.items():
        told, made = contents(first, _thread(ctx, name, builders[name], noted[name], frozenset()), noted)
        given = [value for it in starts if it.template == name for _, value in it.arguments]
        apart[name] = Apart(by, sources(noted[FIRST], [*given, *map(variable, sorted(made))]), told)
    noted[FIRST] = [
        replace(it, accesses=tuple(beyond_given(access, first.known[it.source], found) for access in it.accesses))
        if it.source in first.known
        else it
        for it in noted[FIRST]
    ]
    return apart


def _in_turn(ctx: Context, first: Thread, noted: Mapping[str, Sequence[Command]]) -> Mapping[str, int]:
    """The templates whose threads are only started by the first thread, which gives them addresses in turn.

    With that, by how much each is higher than those before at least.
    """
    if not has_one_first(ctx):
        return {}
    elsewhere = {
        step.template
        for name, commands in noted.items()
        if name != FIRST
        for command in commands
        for step in steps(command.instruction)
        if isinstance(step, Spawn)
    }
    found = given_in_turn(first.known, first.commands, first.events, first.cells)
    return {name: apart for name, apart in found.items() if name not in elsewhere and _has_all(ctx, name)}


def _has_all(ctx: Context, template: str) -> bool:
    """Whether the argument of the threads of a template is all that they are given, and not what is left of it."""
    cell = ctx.memory.cells.get(argument_of(template))
    if cell is None or cell.lo is None or cell.hi is None:
        return False
    return cell.lo <= 0 and cell.hi >= (1 << 8 * ctx.data.pointer) - 1


def _thread(
    ctx: Context,
    name: str,
    builder: Builder,
    commands: Sequence[Command],
    alone: frozenset[int],
    is_given: bool = False,
    in_turn: bool = False,
    is_presumed: bool = False,
) -> Thread:
    """What is known of a template, of the locks that it takes and of new objects.

    If it `is_given`, each thread has what its argument leads to for itself. If it `is_presumed`, numbers that are
    converted are as they were.
    """
    made = _made(ctx, builder)
    takings = {at: [replace(it, slot=0) for it in taken] for at, taken in builder.events.takings.items()}
    if is_given:
        given = Taking(variable(argument_of(name)), NOTHING, False, slot=0, is_given=True)
        takings[builder.entry] = [*takings.get(builder.entry, ()), given]
    events = replace(builder.events, allocations=made, takings=takings)
    spots = [element.spot for element in events.elements.values()]
    passed = [value for it in commands if isinstance(it.instruction, Spawn) for _, value in it.instruction.arguments]
    asked = (
        *events.addresses,
        *(term for spot in spots for term in (spot.begin, spot.pointer) if term is not None),
        *passed,
    )
    cells = _cells(ctx, name, commands, made, asked, is_presumed)
    known = known_by(commands, builder.entry, None, events, cells)
    if (in_order := ordered(known, commands, events, cells)) is not events:
        events = in_order
        known = known_by(commands, builder.entry, None, events, cells)
    alone = alone if name == FIRST else frozenset()
    return Thread(name, commands, builder.entry, builder.exit, known, events, cells, alone, in_turn)


def _cells(
    ctx: Context,
    template: str,
    commands: Sequence[Command],
    made: Mapping[int, Sequence[Allocation]],
    asked: Iterable[Linear],
    is_presumed: bool = False,
) -> Cells:
    """What is known of cells in a thread that has `made` objects, where some terms are asked for; see `Cells`."""
    is_kept_from = _kept_from(ctx, template)

    def is_own(cell: str) -> bool:
        return _is_local(ctx, template, cell) or (is_kept_from(cell) and not ctx.memory.cells[cell].summary)

    stored = _stored(ctx, commands, is_own, made)
    return Cells(is_own, ctx.facts.pointers.held, sources(commands, (*asked, *stored)), is_kept_from, is_presumed)


def _is_local(ctx: Context, template: str, cell: str) -> bool:
    """Whether a cell is one that each thread of a template has for itself."""
    known = ctx.memory.cells[cell]
    return known.template == template and not known.summary


def _stored(
    ctx: Context,
    commands: Sequence[Command],
    is_own: Callable[[str], bool],
    made: Mapping[int, Sequence[Allocation]],
) -> Iterator[Linear]:
    """What is written to cells that are not a thread's own, where these may hold addresses of what it has made."""
    origins = {new.origin for found in made.values() for new in found}
    for command in commands if origins else ():
        for step in steps(command.instruction):
            match step:
                case Assign(target, value) if not is_own(target):
                    if not origins.isdisjoint(ctx.facts.pointers.held(target)):
                        yield value
                case _:
                    continue


def _compared_with_null(commands: Sequence[Command], made: Mapping[int, Sequence[Allocation]]) -> Iterator[Linear]:
    """What is null on ways that are gone then, and may be the address of what a thread has made."""
    copied = copies(commands, (new.address for found in made.values() for new in found))
    for command in commands if copied else ():
        match command.instruction:
            case Guard(Atom(Linear(((cell, _),), 0) as term, Relation.EQ)) if cell in copied:
                yield term
            case _:
                continue


def accesses_told(ctx: Context, builder: Builder) -> Mapping[tuple[int, Access], Access]:
    """The accesses of the thread being lowered of which `exclusion` knows something."""
    made = _made(ctx, builder)
    events = replace(builder.events, allocations=made)
    name = ctx.thread.template
    argument: str | None = argument_of(name)
    if argument not in ctx.memory.cells or ctx.memory.cells[argument].summary or name in ctx.facts.several:
        argument = None
    spots = [spot for noted in builder.accesses.values() for spot in noted.values()]
    passed = [item.instruction.arguments for item in builder.commands if isinstance(item.instruction, Spawn)]
    asked = (
        *events.addresses,
        *(term for spot in spots for term in (spot.begin, spot.pointer) if term is not None),
        *(value for arguments in passed for _, value in arguments),
        *((variable(argument),) if argument is not None else ()),
    )
    cells = _cells(ctx, name, builder.commands, made, asked)
    known = known_by(builder.commands, builder.entry, argument, events, cells)
    ctx.facts.several.update(given_to_several(known, builder.commands, events, cells))
    found = told(known, builder.accesses, partial(_is_local, ctx, name))
    if any(access.locks for access in found.values()):
        ctx.assume(ASSUMED)
    return found


def accessed_elsewhere(ctx: Context, builders: Mapping[str, Builder]) -> frozenset[str] | None:
    """The objects that threads other than the first one access, with `ANY_MEMORY` if that may be any.

    None where accesses are not noted, or the kernel makes some. *Requires*: all templates are lowered.
    """
    if not is_wanted(ctx) or ctx.options.model == "linux":
        return None
    others = [builder for name, builder in builders.items() if name != FIRST]
    noted = {access.object for builder in others for found in builder.accesses.values() for access in found}
    cells = touched(command for builder in others for command in builder.commands)
    return frozenset(noted).union(ctx.memory.places[cell].object.key for cell in cells if cell in ctx.memory.places)


def _kept_from(ctx: Context, template: str) -> Callable[[str], bool]:
    """Whether a cell is part of an object that no thread but the one of a template accesses, which is the first one.

    What has its address outside of the program may access it, too.
    """
    elsewhere = ctx.elsewhere
    if template != FIRST or not has_one_first(ctx) or elsewhere is None or ANY_MEMORY in elsewhere:
        return lambda _: False
    kept = ctx.facts.pointers.kept_elsewhere()

    def is_kept_from(cell: str) -> bool:
        place = ctx.memory.places.get(cell)
        if place is None or place.object.kind not in ("global", "heap"):
            return False
        of = place.object
        return not (of.key in elsewhere or of.key in ctx.facts.objects.untracked or of.origin in kept)

    return is_kept_from


def holders_of(ctx: Context) -> Mapping[str, Sequence[Holder]]:
    """What may hold the address of each object, by its key. *Requires*: all templates are lowered."""
    found: dict[str, list[Holder]] = {}
    for holder, held in ctx.facts.pointers.holds.items():
        for origin in held:
            if isinstance(origin, ObjectAddress):
                found.setdefault(origin.key, []).append(holder)
    return found


def kept_by_thread(ctx: Context, template: str, holders: Mapping[str, Sequence[Holder]]) -> frozenset[str]:
    """The keys of local variables, and of what a template allocates, of which only their thread ever has the address.

    All that may hold it are local cells of the template, but for its argument, and other such objects. So two threads
    of the template mean objects of their own there, and no other thread means any. *Requires*: all templates are
    lowered.
    """
    others = ctx.sites.allocated_in([name for name in ctx.sites.locations if name != template])
    local = (of.key for of in ctx.memory.objects.values() if of.kind == "local" and of.template == template)
    kept = frozenset(ctx.sites.allocated_in([template])).difference(others).union(local)
    kept = frozenset(key for key in kept if not key.startswith(argument_of(template)))
    kept -= ctx.facts.objects.untracked  # streams and the like may have one, too
    while True:
        left = frozenset(
            key for key in kept if all(_is_of_thread(ctx, one, template, kept) for one in holders.get(key, ()))
        )
        if left == kept:
            return kept
        kept = left


def _is_of_thread(ctx: Context, holder: Holder, template: str, kept: frozenset[str]) -> bool:
    """Whether only the thread itself, one of a template, can read from what may hold an address."""
    if not kept.isdisjoint(around(holder)):
        return True
    cell = ctx.memory.cells.get(holder) if isinstance(holder, str) else None
    return cell is not None and cell.template == template and not cell.name.startswith(argument_of(template))
