"""Accesses to shared memory and lock operations as the source has them, noted while code is lowered.

Only for the properties that ask for them. What the source does is noted where it is lowered (`note_target`,
`note_place`); instructions that touch a shared cell without such a note get one at the end (`attach`), so that no model
that writes cells by itself is forgotten. *Approximates*: over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from duet.frontend.cells import size, texts
from duet.frontend.cells.bounds import is_of_bits
from duet.frontend.cells.context import Context
from duet.frontend.cells.escapes import reachable_from
from duet.frontend.cells.foreign import externals
from duet.frontend.cells.located import allocated
from duet.frontend.cells.ownership import NO_SPOT, accesses_told, is_wanted, kept_by_thread, note_giving, spot_of
from duet.frontend.cells.targets import Target, is_wild, targets
from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.library import Reads
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    Holder,
    ObjectAddress,
    Origins,
    in_order,
    may_be_any,
)
from duet.frontend.ctypes.types import (
    CHAR,
    INT,
    VOID,
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
)
from duet.frontend.ctypes.values import Address, Direct, Index, Indirect, Number, Object, Path, Place, Value
from duet.frontend.graph.builder import Builder
from duet.frontend.graph.events import Spot
from duet.frontend.judgments.identity import CANCELLED
from duet.frontend.source.nodes import Node
from duet.plip.accesses import ANY_MEMORY, OUTSIDE_MEMORY, Access, AccessKind, Call, Stack, Storage
from duet.plip.syntax import SKIP, Atomic, Command, Instruction
from duet.plip.touched import reads, writes
from duet.source import Span

_STORAGE = {"global": Storage.STATIC, "local": Storage.LOCAL, "heap": Storage.HEAP}
OUTSIDE = "memory outside of the program"
"""The label of memory that no object of the program is part of."""
SOMEWHERE = "memory that is not known"
"""The label of what unknown pointers lead to."""
RACE = "a data race is two conflicting accesses that are next in one state of an execution; to free memory writes it"
DEADLOCK = "deadlocks are circles of threads that wait, at least one of them for a lock or the end of a thread"
CALLBACKS = (
    "of what else the kernel waits for, deadlocks see the ends of callbacks, RCU sections and completions"
    " that functions of the kernel wait for by name"
)
INTERRUPTS = (
    "of what interrupts a thread that has a spinlock, deadlocks see handlers of interrupts, timers and tasklets of the"
    " driver; other callbacks are not known to run in interrupts"
)


def wants_locks(ctx: Context) -> bool:
    """Whether lock operations are to be noted."""
    return (ctx.wants("data-race") or ctx.wants("deadlock")) and not ctx.is_silent


def may_be_cancelled(ctx: Context) -> bool:
    """Whether another thread may end this one."""
    return ctx.facts.is_any_marked(CANCELLED) or ctx.thread.template in ctx.facts.marked(CANCELLED)


@contextmanager
def in_library(ctx: Context, is_inside: bool = True) -> Iterator[None]:
    """Accesses noted inside are those of a library function, atomic only if it says so.

    Without `is_inside` they are those of the program again.
    """
    before, ctx.thread.is_in_library = ctx.thread.is_in_library, is_inside
    try:
        yield
    finally:
        ctx.thread.is_in_library = before


@contextmanager
def atomically(ctx: Context) -> Iterator[None]:
    """Accesses noted inside are those of an atomic operation."""
    before, ctx.thread.is_atomic = ctx.thread.is_atomic, True
    try:
        yield
    finally:
        ctx.thread.is_atomic = before


def note_target(
    ctx: Context, place: Place, target: Target, node: Node, kind: AccessKind, is_certain: bool = False
) -> None:
    """Notes one possible meaning of an access to a place; `is_certain` if it is what is meant where this is noted."""
    if not is_wanted(ctx):
        return
    match place, target.place:
        case Indirect(address), _ if is_wild(ctx, address.origins):
            note_pointed(ctx, address.origins, node, kind)
        case _, Direct(of, path):
            is_own = isinstance(place, Direct) and _is_own(ctx, place)
            _note(ctx, of, path, node, kind, is_own, place, is_certain)
        case Indirect(address), _ if address.constant == 0:
            pass
        case Indirect(address), _:
            note_pointed(ctx, address.origins, node, kind)
        case _:
            pass


def note_place(ctx: Context, place: Place, node: Node, kind: AccessKind, is_certain: bool = False) -> None:
    """Notes an access to the whole of a place, whatever it may mean; `is_certain` if all of that is accessed."""
    if not is_wanted(ctx):
        return
    match place:
        case Direct():
            _note(ctx, place.object, place.path, node, kind, _is_own(ctx, place), place, is_certain)
        case Indirect(address) if address.constant == 0:
            return
        case Indirect(address) if is_wild(ctx, address.origins):
            note_pointed(ctx, address.origins, node, kind)
        case Indirect():
            for target in targets(ctx, place, node, kind is AccessKind.READ):
                note_target(ctx, place, target, node, kind)
        case _:
            pass


def note_pointed(ctx: Context, origins: Origins, node: Node, kind: AccessKind, unknown: str = "") -> None:
    """Notes an access to any part of what an address with these origins may mean, by a function that is `unknown`."""
    if not is_wanted(ctx):
        return
    if is_wild(ctx, origins):
        externals(ctx)
        if may_be_any(origins) or ctx.is_settled(ctx.site(node)):
            _expose(ctx)
        _note_anywhere(ctx, node, kind, unknown)
        return
    for origin in in_order(origins):
        if isinstance(origin, ObjectAddress) and origin.key in ctx.memory.objects:
            _note(ctx, ctx.memory.objects[origin.key], (), node, kind, is_own=False, unknown=unknown)
        elif origin is EXTERNAL:
            _add(ctx, OUTSIDE_MEMORY, (), OUTSIDE, node, kind, False, "", None, is_exposed=True, unknown=unknown)


def _note_anywhere(ctx: Context, node: Node, kind: AccessKind, unknown: str) -> None:
    """Notes an access to whatever others may have the address of."""
    _add(ctx, ANY_MEMORY, (), SOMEWHERE, node, kind, False, "", None, is_exposed=True, unknown=unknown)


def _expose(ctx: Context) -> None:
    """Records that others may reach what a thread has for itself: nobody knows who got the addresses that are taken."""
    known = ctx.memory.objects
    reached = ctx.memory.at_any_address(externals(ctx), ctx.thread.template)
    if ctx.told.exposed is not reached:
        ctx.memory.hand_on(*(known[key] for key in reached))
        ctx.told.exposed = reached if not ctx.is_silent else None


def note_released(ctx: Context, address: Number, node: Node) -> None:
    """Notes that an object is given back to the allocator, which writes all of it; it was allocated, or is outside.

    *Requires*: the address is not null.
    """
    by = Indirect(address, VOID, (), VOID)
    is_any = is_wild(ctx, address.origins)
    known = ctx.memory.objects
    pointed = [of.key for of in ctx.memory.pointed(address.origins)]
    is_one = not is_any and EXTERNAL not in address.origins and len(pointed) == 1
    for key in sorted(ctx.memory.kinds.get("heap", ())) if is_any else pointed:
        if known[key].kind == "heap":
            _note(ctx, known[key], (), node, AccessKind.WRITE, False, by, is_certain=is_one)
    if is_any or EXTERNAL in address.origins:
        _add(ctx, OUTSIDE_MEMORY, (), OUTSIDE, node, AccessKind.WRITE, False, "", None, is_exposed=True)


def note_unknown(ctx: Context, reached: Origins, node: Node, name: str) -> None:
    """Notes that a function without a body may write all of some objects, of many in a large program any memory.

    It may also give back locks.
    """
    note_giving(ctx)
    known = [of.origin for of in ctx.memory.pointed(reached) if not of.is_const]
    if may_be_any(reached):
        note_pointed(ctx, reached, node, AccessKind.WRITE, name)
    elif size.are_too_many(ctx, known):
        _note_anywhere(ctx, node, AccessKind.WRITE, name)
    elif known:
        note_pointed(ctx, frozenset(known), node, AccessKind.WRITE, name)


def note_argument(ctx: Context, reads: Reads, value: Value, kind: CType, node: Node, is_altered: bool = False) -> None:
    """Notes that a function without a body reads what an argument for a `kind` points to, or writes what is altered."""
    if not is_wanted(ctx) or reads is Reads.NOTHING or not isinstance(kind, PointerType):
        return
    if reads is Reads.FLAT:
        if not (isinstance(kind.target, StructType) or kind.target == CHAR or _are_attributes(kind.target)):
            return
    elif isinstance(kind.target, StructType):
        _note_behind(ctx, value, kind.target, node)
    access = AccessKind.WRITE if is_altered else AccessKind.READ
    match value:
        case Address(Direct(of, path)):
            inner = path[:-1] if path and isinstance(path[-1], Index) else path
            is_own = of.template is not None and of.template == ctx.thread.template
            _note(ctx, of, () if reads is Reads.BYTES else inner, node, access, is_own)
        case Address(Indirect(Number(origins=origins))) | Number(origins=origins):
            note_pointed(ctx, origins, node, access)
        case _:
            pass


def _note_behind(ctx: Context, value: Value, kind: StructType, node: Node) -> None:
    """Notes that all is read to which pointers in a structure lead, say the pieces of `writev`."""
    if not any(isinstance(inner, PointerType) for _, inner in ctx.memory.scalars(kind)):
        return
    match value:
        case Address(Direct(of)):
            found: Sequence[Object] = [of]
        case Address(Indirect(Number(origins=origins))) | Number(origins=origins):
            found = ctx.memory.pointed(origins)
        case _:
            return
    note_pointed(ctx, reachable_from(ctx, found), node, AccessKind.READ)


def _is_own(ctx: Context, place: Direct) -> bool:
    """Whether a place that is named is in an object that each thread of the template has for itself."""
    return place.object.template is not None and place.object.template == ctx.thread.template


def _note(
    ctx: Context,
    of: Object,
    path: Path,
    node: Node,
    kind: AccessKind,
    is_own: bool,
    by: Place | None = None,
    is_certain: bool = False,
    unknown: str = "",
) -> None:
    """Notes an access to a part of an object `by` a place that is named in the source, if there is one.

    Or it is made by a function that is `unknown`.
    """
    if not ctx.memory.is_shared(of) or of.is_string or (of.is_const and of.kind == "global"):
        return
    steps, last = canonical(ctx.memory.types, of, path)
    if isinstance(last, OpaqueType) and not _are_attributes(last) and kind in (AccessKind.READ, AccessKind.WRITE):
        return
    spot = spot_of(ctx, by) if by is not None else NO_SPOT
    is_atomic = by is not None and not ctx.thread.is_in_library and is_atomic_type(by.type)
    is_atomic = is_atomic or (is_flag(of) and ctx.options.assumes("signal-flags"))
    owner = of.template or "" if is_own else ""
    exposed = of.key in ctx.facts.objects.addressed
    if len(steps) < len(path) or any("/" in step for step in steps):  # memory that begins somewhere before
        spot = replace(spot, begin=None)
    spot = replace(spot, size=_size(ctx, by))
    is_whole = len(steps) == len(path) or _is_first_scalar(ctx.memory.types, last, path[len(steps) :])
    is_certain = is_certain and is_whole and not ctx.memory.is_multiple(of)
    label = _label(of, steps)
    _add(
        ctx, of.key, steps, label, node, kind, is_atomic, owner, of.span, None, exposed, spot, is_certain, is_flag(of),
        unknown, _STORAGE.get(of.kind, Storage.OTHER),
    )  # fmt: skip


def _size(ctx: Context, by: Place | None) -> int | None:
    """How many bytes of what a place says are accessed; None where a library function or a bit-field decides that."""
    if ctx.thread.is_in_library or not isinstance(by, Direct | Indirect) or is_of_bits(ctx, by):
        return None
    return None if isinstance(by, Direct) and by.bit is not None else ctx.memory.types.size(by.type)


def _are_attributes(kind: CType) -> bool:
    """Whether something is what locks or threads are made with: no lock itself, it is not protected by anything."""
    return isinstance(kind, OpaqueType) and kind.name.endswith("attr_t")


def is_flag(of: Object) -> bool:
    """Whether an object is a `volatile sig_atomic_t`, which is an `int` in every data model."""
    return of.is_volatile and of.type == INT


def _is_first_scalar(types: TypeTable, kind: CType, path: Path) -> bool:
    """Whether a path leads to a scalar at the start of a union, of which all of these have the first byte."""
    for step in path:
        if isinstance(step, Index) and isinstance(kind, ArrayType) and step.constant == 0:
            kind = kind.element
        elif isinstance(step, str) and isinstance(kind, StructType) and types.offset(kind, step) == 0:
            member = next(member for member in types.members(kind) if member.name == step)
            if member.is_bits:
                return False
            kind = member.type
        else:
            return False
    return isinstance(kind, IntType | PointerType | FloatType)


def note_lock(ctx: Context, of: Object, path: Path, node: Node, kind: AccessKind, end: int | None) -> None:
    """Notes an operation on a lock: here, or at the place `end` where it is known to have been done."""
    steps = canonical(ctx.memory.types, of, path)[0]
    _add(ctx, of.key, steps, _label(of, steps), node, kind, False, "", of.span, end)


def note_unknown_lock(ctx: Context, key: str, node: Node, kind: AccessKind, end: int | None) -> None:
    """Notes an operation on a lock that may be any."""
    _add(ctx, key, (), "a lock that is not known", node, kind, False, "", None, end)


def note_join(ctx: Context, templates: Iterable[str], node: Node) -> None:
    """Notes waiting for the end of one of some threads."""
    if wants_locks(ctx):
        for name in templates:
            _add(ctx, name, (), f"the end of {name}", node, AccessKind.JOIN, False, "", None)


def note_obligation(ctx: Context, what: str, node: Node, kind: AccessKind) -> None:
    """Notes that a thread waits for others of a kind, or that others wait for it, as for a lock of that name."""
    _add(ctx, f"<{what}>", (), what, node, kind, False, "", None)


def _add(
    ctx: Context,
    key: str,
    path: tuple[str, ...],
    label: str,
    node: Node,
    kind: AccessKind,
    is_atomic: bool,
    owner: str,
    declared: Span | None,
    end: int | None = None,
    is_exposed: bool = False,
    spot: Spot | None = None,
    is_certain: bool = False,
    is_of_flag: bool = False,
    unknown: str = "",
    storage: Storage = Storage.OTHER,
) -> None:
    stack = stack_of(ctx, ctx.span(node))
    is_atomic = is_atomic or ctx.thread.is_atomic
    access = Access(
        kind, key, path, label, is_atomic, stack, owner, declared, is_exposed,
        is_certain=is_certain, is_of_flag=is_of_flag, unknown=unknown, storage=storage,
    )  # fmt: skip
    ctx.builder.note(access, end, spot)


def stack_of(ctx: Context, here: Span) -> Stack:
    """The functions being executed, from that of the thread on, each with where it is."""
    frames = ctx.thread.frames
    known = frames[-1].stacks if frames else {}
    if here not in known:
        places = [*(frame.call for frame in frames[1:]), here]
        known[here] = Stack(Call(frame.prefix, place) for frame, place in zip(frames, places, strict=False))
    return known[here]


def canonical(types: TypeTable, of: Object, path: Path) -> tuple[tuple[str, ...], CType]:
    """A path in terms of memory locations (C11 3.14), and the type that it leads to.

    The members of a union are one location, and so are bit-fields with none of no width between them.
    """
    kind: CType = of.type
    steps: list[str] = []
    for step in path:
        if isinstance(step, Index):
            if not isinstance(kind, ArrayType):
                break
            steps.append("[*]" if step.constant is None else f"[{step.constant}]")
            kind = kind.element
            continue
        found = [m for m in types.members(kind) if m.name == step] if isinstance(kind, StructType) else []
        if not found or (isinstance(kind, StructType) and kind.is_union):
            break
        assert isinstance(kind, StructType)
        steps.append(f".{_location(types, kind, step)}")
        kind = found[0].type
    return tuple(steps), kind


def is_atomic_type(kind: CType) -> bool:
    """Whether every access to an object of a type is atomic."""
    return isinstance(kind, IntType | PointerType) and kind.atomic


def _location(types: TypeTable, kind: StructType, name: str) -> str:
    """The name of the memory location of a member: bit-fields in a row have one."""
    group: list[str] = []
    for member in types.members(kind):
        if not member.is_bits or member.is_apart:
            if name in group:
                break
            group = []
        if member.is_bits:
            group.append(member.name)
    return "/".join(group) if name in group else name


def _label(of: Object, steps: tuple[str, ...]) -> str:
    if of.kind != "heap":
        return (of.label or of.key) + "".join(steps)
    inside = steps[1:] if steps and steps[0].startswith("[") else steps
    return f"({allocated(of)})" + "".join(inside) if of.span is not None else of.label + "".join(inside)


def attach(
    ctx: Context,
    builder: Builder,
    regions: frozenset[int],
    function: str,
    holders: Mapping[str, Sequence[Holder]],
) -> list[Command]:
    """The commands of a template, each with the accesses noted where it starts; `holders` are those of addresses.

    Those of a place that nothing leaves get a command of their own that does nothing.
    """
    if not wants_locks(ctx):
        return builder.commands
    if is_wanted(ctx):
        ctx.assume(RACE)
    if ctx.wants("deadlock"):
        ctx.assume(DEADLOCK)
        if ctx.options.model == "linux":
            ctx.assume(CALLBACKS)
            ctx.assume(INTERRUPTS)
    told_of = accesses_told(ctx, builder)
    template = ctx.thread.template
    kept = kept_by_thread(ctx, template, holders) if is_wanted(ctx) else frozenset[str]()

    def noted_at(place: int, access: Access) -> Access:
        access = told_of.get((place, access), access)
        if access.object in kept and not access.owner:
            access = replace(access, owner=template)
        return replace(access, is_atomic=True) if place in regions and access.is_memory else access

    here = {place: tuple(noted_at(place, item) for item in noted) for place, noted in builder.accesses.items()}
    leaving = {command.source for command in builder.commands}
    result: list[Command] = []
    for command in builder.commands:
        noted = here.get(command.source, ())
        known = (*noted, *here.get(command.target, ()))
        missing = unnoted(ctx, command, known, command.source in regions, function)
        result.append(replace(command, accesses=(*noted, *missing)))
    result.extend(
        Command(place, SKIP, place, accesses[0].span, accesses)
        for place, accesses in here.items()
        if accesses and place not in leaving
    )
    return result


def without_locks(ctx: Context, commands: Iterable[Command]) -> Iterator[Command]:
    """The commands without accesses to the memory of locks, which only lock operations may touch."""
    if not is_wanted(ctx):
        yield from commands
        return
    locks: set[tuple[str, tuple[str, ...]]] = set()
    for place in ctx.memory.locks.values():
        path, kind = canonical(ctx.memory.types, place.object, place.path)
        if not _are_attributes(kind):
            locks.add((place.object.key, path))
    for command in commands:
        kept = tuple(a for a in command.accesses if not a.is_memory or (a.object, a.path) not in locks)
        yield replace(command, accesses=kept)


def written_elsewhere(
    ctx: Context, commands: Mapping[str, Sequence[Command]], builders: Mapping[str, Builder]
) -> Callable[[str, frozenset[str]], bool]:
    """Whether a thread other than one of a template, which is asked about, may write some objects, by their keys.

    What the first thread does before it has started another one does not count, nor what threads of the template do to
    objects that each of them has for itself. Functions like `getopt` change what is not noted. *Approximates*: over.
    """
    options = {texts.ARGUMENTS, *texts.OPTIONS}
    writers: dict[str, set[str]] = {}
    common: set[tuple[str, str]] = set()
    for template, own in commands.items():
        for access in (access for command in own for access in command.accesses if access.is_memory):
            if access.kind is AccessKind.WRITE and not access.is_alone:
                writers.setdefault(access.object, set()).add(template)
            if access.owner != template:
                common.add((template, access.object))
    for template, builder in builders.items():
        for key in builder.insides.handed:
            writers.setdefault(key, set()).add(template)
            common.add((template, key))
    is_noted = is_wanted(ctx)

    def is_elsewhere(template: str, keys: frozenset[str]) -> bool:
        is_several = template in ctx.facts.many
        if len(commands) == 1 and not is_several:
            return False
        found = {(key, writer) for key in (*keys, ANY_MEMORY) for writer in writers.get(key, ())}
        return not (is_noted and options.isdisjoint(keys)) or any(
            writer != template or (is_several and (template, key) in common) for key, writer in found
        )

    return is_elsewhere


def unnoted(
    ctx: Context, command: Command, known: tuple[Access, ...], is_inside: bool, function: str
) -> Iterator[Access]:
    """Accesses to shared cells that an instruction makes and nothing has noted."""
    if not is_wanted(ctx):
        return
    for name, kind in _touched(command.instruction).items():
        place, cell = ctx.memory.places.get(name), ctx.memory.cells.get(name)
        if place is None or cell is None or cell.template is not None:
            continue
        of = place.object
        steps, last = canonical(ctx.memory.types, of, place.path)
        exposed = of.key in ctx.facts.objects.addressed
        objects = (of.key, ANY_MEMORY) if exposed else (of.key,)
        covering = [a for a in known if a.object in objects and a.kind in (kind, AccessKind.WRITE)]
        if covering or isinstance(last, OpaqueType):
            continue
        is_atomic = is_inside or isinstance(command.instruction, Atomic)
        stack = (Call(function, command.span),)
        label = _label(of, steps)
        yield Access(kind, of.key, steps, label, is_atomic, stack, "", of.span, exposed, is_of_flag=is_flag(of))


def _touched(instruction: Instruction) -> dict[str, AccessKind]:
    """The cells that an instruction reads or writes, and which of both."""
    found = dict.fromkeys(sorted(reads(instruction)), AccessKind.READ)
    found.update(dict.fromkeys(sorted(writes(instruction)), AccessKind.WRITE))
    return found
