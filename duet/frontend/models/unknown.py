"""Functions without definition and model: what they may do to memory that they can reach, and what they may return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.cells import contracts, hidden, lifetimes, rereads, rest, sharing, size, texts
from duet.frontend.cells.access import havoc_any, havoc_place
from duet.frontend.cells.callees import SOME, is_callable, may_have_type
from duet.frontend.cells.context import Context, Handed
from duet.frontend.cells.convert import number
from duet.frontend.cells.escapes import (
    contents,
    held_by,
    is_writable,
    known_outside,
    note_pointers,
    put_outside,
    reachable,
    reachable_inside,
)
from duet.frontend.cells.foreign import KEPT, external_functions, externals, has_foreign, note_foreign
from duet.frontend.cells.heap import heap_object
from duet.frontend.cells.locking import is_for_lock, note_post_of_anything, note_unknown_use
from duet.frontend.cells.targets import outside
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import When
from duet.frontend.ctypes.origins import (
    NOTHING,
    UNKNOWN_POINTER,
    Elsewhere,
    FunctionAddress,
    ObjectAddress,
    Origins,
    addresses,
    functions,
    keys,
    may_be_any,
    threads,
)
from duet.frontend.ctypes.types import (
    INT,
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    is_scalar,
)
from duet.frontend.ctypes.values import (
    Address,
    Direct,
    Indirect,
    Number,
    Object,
    Temporary,
    Untracked,
    Value,
    Whole,
    type_of,
)
from duet.frontend.form.tree import Read
from duet.frontend.judgments.identity import CANCELLED, ENDED, LATE, LOOSE_KEYS
from duet.frontend.models import lent, registrations
from duet.frontend.models.call import KEEPS_BUFFERS, Call, answer, is_stream
from duet.frontend.models.statuses import LARGEST_ERROR, STATUSES
from duet.frontend.models.unregistering import UNREGISTERING
from duet.frontend.source.nodes import Node
from duet.plip.marks import Loss
from duet.plip.syntax import Inside, Spawn
from duet.plip.terms import compare, constant

ONLY_ARGUMENTS = (
    "a function that is unknown changes, and waits for, only what its arguments, and those of earlier calls of such"
    " functions, lead to, and changes it only while one runs"
)
"""What is assumed unless `--unknown-functions externals` is given."""
OWN_ARGUMENTS = (
    "a function of a library that is unknown changes, and waits for, only what its own arguments lead to, not what"
    " earlier calls were given"
)
"""What is assumed of functions that system headers declare."""
STRINGS = (
    "libraries leave arguments of main that they are not given alone, and strings of the C library strings that end"
)
"""What is assumed of them where they are given such strings and are not known."""
OWN_THREADS = "signals are handled by, and the process is ended by, threads that the program itself starts"
"""What is assumed of the threads that handlers run inside of."""
UNSEEN = "what the library reaches in memory outside of the program is called during that call only"
"""What is assumed where a library function is given a pointer to such memory, or one of which nothing is known."""
NO_LOCKS = "functions that are unknown have no locks of their own while they call functions of the program"
"""What is assumed of them for deadlocks where they are given functions."""
HANDED = "uses what it is given for functions of the program for these only, and hands them memory of its own besides"
"""What is assumed of a library of which it is known what it calls functions with."""
BY_TYPE = "calls, of the functions that it finds in memory, only those of the types that it declares"
"""What is assumed of a library that is given structures with functions."""
_LOCKS = Elsewhere("locks given to the library")
"""Where functions of a library that are not known keep the locks that they were given."""
_GIVEN = Elsewhere("given to unknown functions")
"""Where functions of which nothing is known keep what they were given."""
_HANDLERS = Elsewhere("functions that the system calls")
"""Where the system has handlers of signals and the like, which it hands out where others are registered only."""
_AT_ANY_TIME = Elsewhere("functions that libraries may call at any time")
"""Where libraries of which nothing is known have what they were given to call."""
_INSIDE = {When.INTERRUPTING: Inside.SIGNAL, When.AT_EXIT: Inside.EXIT}
ANY = "this pointer"
"""Names a function of which only a pointer is known: one of other files where there are some, else the library's."""
IMPORT = "__duet_import"
"""Stands for other modules: that they call the functions they are given is no assumption."""


def unknown_call(ctx: Context, call: Call, kind: FunctionType | None) -> list[Outcome]:
    """Any value of the result type; everything that it may reach holds anything, callbacks may run."""
    why = f", it is not the library's: {ctx.library.difference(call.name)}" if call.name in ctx.facts.others else ""
    ctx.warn_once(
        call.node,
        "unknown-function",
        call.name,
        f"'{call.name}' is unknown{why}: any result and any change of what its arguments point to is assumed",
    )
    is_foreign = ctx.options.model != "linux" and call.name not in ctx.declared.library
    if call.name == ANY:
        is_foreign = has_foreign(ctx)
    elif is_foreign:
        note_foreign(ctx)
    if is_foreign:
        note_post_of_anything(ctx, call.node)
    assume_limits(ctx, is_foreign)
    values = call.evaluate_all(ctx)
    if ctx.options.model == "linux":
        if (data := registrations.data(ctx, call, values)) is not None:
            return answer(ctx, data)
        registrations.note_call(ctx, call, values)
    result = arbitrary(ctx, call, kind.result if kind is not None else INT, values, is_foreign=is_foreign)
    is_declared = call.name in ctx.declared.prototypes or call.name in ctx.declared.functions
    if ctx.options.model == "linux" and not is_declared and call.name != ANY:
        _change_operands(ctx, call)
    ctx.builder.note_chance()
    is_status = ctx.options.model == "linux" and call.name in STATUSES and ctx.library.is_told(call.name)
    if is_status and not contracts.relays(ctx, call.name):
        result = _status(ctx, result)
    if ctx.options.model == "linux":
        registrations.note_result(ctx, call, values, result)
    return answer(ctx, result)


def assume_limits(ctx: Context, is_foreign: bool) -> None:
    """Names what is assumed of how far an unknown function gets."""
    if not (is_foreign and _uses_externals(ctx)):
        ctx.assume(ONLY_ARGUMENTS if is_foreign or ctx.options.model == "linux" else OWN_ARGUMENTS)


def _status(ctx: Context, result: Value) -> Value:
    """A result that is 0 or an error number, negated."""
    if not isinstance(result, Number):
        return result
    ctx.builder.flush()
    ctx.builder.assume(compare(result.term, "<=", constant(0)))
    ctx.builder.assume(compare(result.term, ">=", constant(-LARGEST_ERROR)))
    return replace(result, lo=max(result.lo, -LARGEST_ERROR), hi=min(result.hi, 0))


def _change_operands(ctx: Context, call: Call) -> None:
    """What no header declares may be a macro of the kernel, which may change the operands that it is given by name.

    *Raises*: Unsupported where it is not known how often it evaluates them.
    """
    for position, argument in enumerate(call.arguments):
        if not isinstance(argument, Read):
            continue
        if _changes_something(argument.node):
            raise Unsupported(f"'{call.name}' may evaluate its operands more than once", ctx.span(call.node))
        havoc_any(ctx, call.place(ctx, position), call.node)


def _changes_something(node: Node) -> bool:
    """Whether an expression has an effect besides its value, as far as its text shows."""
    is_step = isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--")
    if is_step or isinstance(node, c_ast.Assignment | c_ast.FuncCall):
        return True
    return any(_changes_something(child) for _, child in node.children())


def _uses_externals(ctx: Context) -> bool:
    """Whether unknown functions use what has external linkage."""
    return ctx.options.unknown_functions == "externals"


def arbitrary(
    ctx: Context,
    call: Call,
    kind: CType,
    values: list[Value] | None = None,
    is_foreign: bool = False,
    is_registered: bool = False,
) -> Value:
    """What a call of an unknown function returns, after what it may do; see `clobber`."""
    given = call.evaluate_all(ctx) if values is None else values
    origins = clobber(ctx, given, call, is_foreign=is_foreign, is_registered=is_registered)
    if is_scalar(kind):
        pointing = known_to(ctx, call) | origins if isinstance(kind, PointerType) else origins
        loss = Loss(f"{call.name or 'a function'} has no body here: its result may be anything")
        return ctx.havoc(kind, pointing, is_given=_is_input(ctx, call, kind) and not origins, loss=loss)
    if isinstance(kind, StructType):
        hidden.note_result(ctx, origins)
        return Whole(Temporary(kind), kind)
    return Untracked(kind)


def _is_input(ctx: Context, call: Call, kind: CType) -> bool:
    """Whether the result of an unknown function is an input of the program; that of a library's is a certain one."""
    is_library = call.name in ctx.declared.library or call.name.startswith("__") or ctx.describe(call.name) is not None
    return isinstance(kind, IntType) and not is_library


def known_to(ctx: Context, call: Call) -> Origins:
    """The origins of pointers that a function without a body may have.

    A library's are what it was ever given; code of other files may also name what has external linkage.
    """
    if ctx.options.model == "linux":
        return UNKNOWN_POINTER
    return outside(ctx) if call.name in ctx.declared.library else known_outside(ctx)


def clobber(
    ctx: Context,
    values: list[Value],
    call: Call,
    is_kept: bool = True,
    is_foreign: bool = False,
    is_registered: bool = False,
) -> Origins:
    """Gives everything reachable from values anything, and calls the functions among them any number of times.

    Most also run at any time later; those that the library is given only where the pointers that lead to them stay in
    the program, unless they are given to be `is_registered`. In the kernel model they do as they are put outside; there
    what lasts may change then too, if it `is_kept`. Code of files that are not there, which `is_foreign`, also changes
    what it was given before, and what it may name if that is asked for. What a library uses briefly nobody has later,
    and what it only reads meanwhile stays as it is, but for what pointers there lead to.
    """
    is_kernel = ctx.options.model == "linux"
    described = ctx.describe(call.name)
    brief = described.brief if described is not None and described.library else ()
    read = lent.read_only(ctx, call).difference(brief)
    lent.note_read_only(ctx, NOTHING.union(*(origins_of(ctx, values[place]) for place in read if place < len(values))))
    members = {} if is_kernel else lent.members(ctx, call, values)
    handed, positions = _handed(ctx, call, values)
    looked_at = lent.looked_at(ctx, call, brief)
    less = read.union(looked_at, members, positions)
    whole = [value for place, value in enumerate(values) if place not in (*members, *positions)]
    given = NOTHING.union(*(origins_of(ctx, value) for place, value in enumerate(values) if place not in less))
    held = lent.held(ctx, members)
    behind = (_behind(ctx, origins_of(ctx, values[place])) for place in looked_at if place < len(values))
    given = given.union(held, *behind)
    is_unknown = described is None
    if described is None or described.library:
        rest.forget(ctx)
    if is_unknown:
        given |= hidden.given(ctx, values, is_foreign)
    if is_foreign:
        given |= ctx.facts.pointers.held(KEPT)
        if _uses_externals(ctx):
            given = given.union(map(ObjectAddress, externals(ctx)), map(FunctionAddress, external_functions(ctx)))
    reached = _all_reached(ctx, given, is_unknown and not is_kernel)
    kept = reached
    if brief:
        lasting = (origins_of(ctx, value) for place, value in enumerate(values) if place not in (*less, *brief))
        kept = _all_reached(ctx, held.union(_returned(ctx, reached), *lasting), is_unknown=False)
    if is_foreign and ctx.options.assumes("unknown-pure"):
        return reached
    if is_foreign:
        ctx.facts.pointers.hold(KEPT, reached)
    handlers = handlers_with(ctx, reached) if is_registered and not is_kernel else NOTHING
    pointing = known_to(ctx, call) | kept | handlers
    stored = kept | (_ever(ctx, _GIVEN, reached) if is_unknown else NOTHING)
    if is_kernel or is_registered:
        stored = NOTHING  # what the kernel is given it may have at any time; a registration stores nothing new
    put_outside(ctx, pointing if is_kernel else kept - handlers, is_kept, is_run=call.name not in UNREGISTERING)
    sharing.note_unknown(ctx, reached, call.node, call.name)
    lent.note(ctx, call, members, values, reached)
    if ctx.wants("deadlock") and is_unknown:
        note_unknown_use(ctx, reached if is_foreign else _locks(ctx, values), call.node)
    if is_kernel and is_kept:
        ctx.assume("a function that is unknown uses local variables that it is given during that call only")
    _end_threads(ctx, reached)
    _lend_to_streams(ctx, call, values, reached)
    change = partial(_change, ctx, call, reached - _left_alone(ctx, call, values, reached), members, pointing, stored)
    callbacks = _called_back(ctx, call, values, reached)
    if callbacks and not is_kernel and ctx.wants("deadlock"):
        ctx.assume(NO_LOCKS)
    when = "from here on" if is_kernel else "here"
    for name in callbacks if call.name not in (IMPORT, *UNREGISTERING) else ():
        ctx.warn_once(call.node, "callback", name, f"'{name}' is taken to be called {when}, any number of times")
    if is_kernel:
        change()  # the callbacks run as threads: one that does so now is one that this call waits for
    else:
        found = pointing | reached if described is not None and described.finds else pointing
        ctx.hooks.call_back(ctx, callbacks, handed, change, call.node, found, is_foreign)
    if not is_kernel and not _calls_during_call_only(ctx, call):
        is_told, callees = is_foreign or is_registered, functions(reached)
        known = callees if is_told else functions(reachable_inside(ctx, [*_pointers(ctx, whole), held]))
        if _inside(ctx, call) is None:
            ctx.facts.pointers.hold(_AT_ANY_TIME, frozenset(map(FunctionAddress, known)))
        if len(known) < len(callees):
            ctx.assume(UNSEEN)
        run_any_time(ctx, call, known)
    if is_foreign and _uses_externals(ctx):
        run_any_time(ctx, call, [SOME])
    rereads.note_changed(ctx, reached)
    return kept | handlers


def _behind(ctx: Context, origins: Origins) -> Origins:
    """The origins of what the objects hold that a pointer leads to; its own if that may be anywhere, or functions."""
    known = ctx.memory.pointed(origins)
    is_known = UNKNOWN_POINTER.isdisjoint(origins) and len(known) == len(addresses(origins))
    if not is_known:
        return origins
    if known:
        ctx.assume(lent.READ_ONLY)
    return NOTHING.union(*(contents(ctx, of.key) for of in known))


def _all_reached(ctx: Context, given: Origins, is_unknown: bool) -> Origins:
    """All that pointers with some origins lead to, and for an unknown function what numbers in memory may be."""
    reached, before = reachable(ctx, given), NOTHING
    while reached != before:
        numbers = hidden.in_memory(ctx, reached) if is_unknown else NOTHING
        reached, before = reachable(ctx, reached | numbers | _returned(ctx, reached)), reached
    return reached


def _ever(ctx: Context, holder: Elsewhere, given: Origins) -> Origins:
    """All that was ever given to a holder: what is now, and what was before."""
    ctx.facts.pointers.hold(holder, given)
    return ctx.facts.pointers.held(holder)


def handlers_with(ctx: Context, given: Origins) -> Origins:
    """All functions that the system has as handlers: those among what is given now, and those from before."""
    return _ever(ctx, _HANDLERS, frozenset(map(FunctionAddress, functions(given))))


def _handed(ctx: Context, call: Call, values: Sequence[Value]) -> tuple[Handed, frozenset[int]]:
    """What the functions that a call is given get from it, and the positions of what is of no other use to the call.

    Nothing is known where others may be called, such as functions that are not there, or the library may call one of
    them for another reason.
    """
    known = ctx.describe(call.name)
    found: dict[str, Sequence[Value | None]] = {}
    positions: set[int] = set()
    for callback in known.callbacks if known is not None and known.library else ():
        given = {position for position in callback.get if position is not None}
        if not given or callback.when is not When.DURING_CALL or len(values) <= max(callback.position, *given):
            continue
        origins = origins_of(ctx, values[callback.position])
        names, others = functions(origins), functions(reachable(ctx, _kept_to_call(ctx, call)))
        is_known = not origins & UNKNOWN_POINTER and len(addresses(origins)) == len(names)
        if not is_known or {*names} & {*found, *others} or not all(name in ctx.declared.functions for name in names):
            return {}, frozenset()
        positions |= given
        found |= {name: [None if it is None else values[it] for it in callback.get] for name in names}
    if known is not None and found:
        ctx.assume(f"{known.library} {HANDED}")
    return found, frozenset(positions)


def _kept_to_call(ctx: Context, call: Call) -> Origins:
    """The origins of what the library of a function has been given to call."""
    known = ctx.describe(call.name)
    own = NOTHING if known is None else ctx.facts.pointers.held(Elsewhere(f"callbacks of {known.library}"))
    return own | ctx.facts.pointers.held(_AT_ANY_TIME)


def _called_back(ctx: Context, call: Call, values: Sequence[Value], reached: Origins) -> Sequence[str]:
    """The functions that a call may call: all that it reaches, but for a library of which more is known.

    A system call calls none, nor does `getopt`, nor what registers handlers of signals or of the end of the process,
    which run at any time from there on.
    """
    known = ctx.describe(call.name)
    if _inside(ctx, call) is not None or (known is not None and known.calls_nothing):
        return ()
    if known is None or not known.library:
        return functions(reached)
    holder = Elsewhere(f"callbacks of {known.library}")
    now = NOTHING
    for callback in known.callbacks:
        given = origins_of(ctx, values[callback.position]) if callback.position < len(values) else NOTHING
        if callback.when is When.DURING_CALLS:
            ctx.facts.pointers.hold(holder, given)
        now |= given
    found = functions(reached) if known.finds else ()
    fitting = [name for name in found if any(_fits(ctx, name, kind) for kind in known.finds)]
    if len(fitting) < len(found):
        ctx.assume(f"{known.library} {BY_TYPE}")
    return functions(reachable(ctx, now | _kept_to_call(ctx, call)).union(map(FunctionAddress, fitting)))


def _fits(ctx: Context, name: str, kind: FunctionType) -> bool:
    """Whether a function may have a type, as it is defined: without parameters it takes none (C11 6.7.6.3p15)."""
    given = kind.parameters
    return may_have_type(ctx, name, kind) and (given is None or is_callable(ctx, name, len(given)))


def _locks(ctx: Context, values: Iterable[Value]) -> Origins:
    """The origins of the locks that a library has: it knows of those that it was given as such, here or before."""
    given = (origins_of(ctx, value) for value in values if is_for_lock(ctx, type_of(value)))
    return _ever(ctx, _LOCKS, NOTHING.union(*given))


def _lend_to_streams(ctx: Context, call: Call, values: Iterable[Value], reached: Origins) -> None:
    """Records that streams may have what is reached as their buffers, where a function that nobody knows can do that.

    One of a library that is described does not; one that is not, only where it is given a stream.
    """
    is_told = ctx.describe(call.name) is not None
    is_of_library = call.name in ctx.declared.library and not any(is_stream(value.type) for value in values)
    if not is_told and not is_of_library and any(map(is_writable, ctx.memory.pointed(reached))):
        ctx.facts.mark(KEEPS_BUFFERS, call.name)


def _end_threads(ctx: Context, reached: Origins) -> None:
    """Records that threads whose ids are reached may be cancelled, or joined, from now on."""
    names = threads(reached)
    if names:
        ctx.facts.mark(CANCELLED, *names)
        ctx.facts.mark(ENDED, *names)
        ctx.facts.mark_any(LATE)
    if keys(reached):
        ctx.facts.mark_any(LOOSE_KEYS)


def _calls_during_call_only(ctx: Context, call: Call) -> bool:
    """Whether a function of a library calls what it is given until it returns, and does not keep it."""
    known = ctx.describe(call.name)
    is_told = known is not None and bool(known.callbacks or known.library or known.calls_nothing)
    return known is not None and is_told and not known.runs_others


def run_any_time(ctx: Context, call: Call, functions: Iterable[str]) -> None:
    """Functions that may run at any time from here on, any number of times: as threads."""
    ctx.builder.flush()
    inside = _inside(ctx, call)
    commands: dict[Spawn, None] = {}
    for name in functions:
        command = ctx.hooks.handler(ctx, name, call.node, inside)
        if command is not None:
            tell_of_handler(ctx, call, name)
            commands[command] = None
    for command in commands:
        ctx.builder.edge(command, ctx.builder.current)


def _inside(ctx: Context, call: Call) -> Inside | None:
    """What the functions that a function registers run inside of; None for threads that may be their own."""
    known = ctx.describe(call.name)
    when = {callback.when for callback in known.callbacks} if known is not None else set()
    return _INSIDE.get(when.pop()) if len(when) == 1 else None


def tell_of_handler(ctx: Context, call: Call, name: str) -> None:
    """Reports that a function runs as a thread from here on."""
    ctx.assume("signal and exit handlers run like threads")
    if _inside(ctx, call) is not None:
        ctx.assume(OWN_THREADS)
    ctx.warn(call.node, "handler", f"'{name}' may run at any time from here on: it is taken as a thread")


def origins_of(ctx: Context, value: Value) -> Origins:
    """The origins of what an argument or a result is, or has in it."""
    match value:
        case Address() | Number():
            return number(ctx, value).origins
        case Whole(Direct(of)):
            return contents(ctx, of.key)
        case Whole(Indirect(Number(origins=origins))):
            found = ctx.memory.pointed(origins)
            inside = NOTHING.union(*(contents(ctx, of.key) for of in found))
            return inside | (UNKNOWN_POINTER if len(addresses(origins)) > len(found) or not found else NOTHING)
        case Whole():
            return UNKNOWN_POINTER
        case _:
            return NOTHING


def _pointers(ctx: Context, values: Iterable[Value]) -> Iterator[Origins]:
    """The origins of each pointer among some values."""
    for value in values:
        if isinstance(value, Whole) and isinstance(value.place, Direct):
            yield from held_by(ctx, value.place.object.key)
        else:
            yield origins_of(ctx, value)


def note_result(ctx: Context, key: str, value: Value) -> None:
    """Records what a function that unknown code calls gives back to it."""
    ctx.facts.pointers.hold(_result(key), origins_of(ctx, value))


def _returned(ctx: Context, reached: Origins) -> Origins:
    """The origins of what the functions among those that are reached give back."""
    return NOTHING.union(*(ctx.facts.pointers.held(_result(key)) for key in functions(reached)))


def _result(key: str) -> Elsewhere:
    """Where unknown code has what a function gave back to it."""
    return Elsewhere(f"result of {key}")


def _left_alone(ctx: Context, call: Call, values: Iterable[Value], reached: Origins) -> Origins:
    """The origins of strings that end, and stay so, and of the arguments of main, if a library is not given these."""
    if call.name not in ctx.declared.library:
        return NOTHING
    given = reachable_inside(ctx, _pointers(ctx, values))
    kept = {texts.LIBRARY} | ({texts.ARGUMENTS} if ObjectAddress(texts.ARGUMENTS) not in given else set())
    found = reached & frozenset(map(ObjectAddress, kept))
    if found:
        ctx.assume(STRINGS)
    return found


def _change(
    ctx: Context,
    call: Call,
    reached: Origins,
    members: Mapping[int, Sequence[Direct]],
    pointing: Origins,
    stored: Origins,
) -> None:
    """Gives the objects among what is reached any values; a function that nothing describes may give them back.

    `pointing` are the origins of the pointers there then, `stored` those of addresses in other memory.
    """
    lent.change(ctx, members, reached, pointing, stored)
    rereads.note_changed(ctx, reached)
    known = ctx.describe(call.name)
    if known is None or (known.releases and not known.callbacks):
        lifetimes.may_end(ctx, reached)
    if known is not None and (known.library or known.releases):
        lifetimes.may_end_outside(ctx)
    found = ctx.memory.pointed(reached)
    if ctx.told.changed.get((reached, pointing, stored)) is found:
        return
    if size.is_large(ctx) and not ctx.is_silent:
        ctx.told.changed[reached, pointing, stored] = found
    ctx.facts.objects.addressed.add(*(of.key for of in found))
    ctx.memory.hand_on(*found)
    changed = [of for of in found if not of.is_const]
    for place, of in enumerate(changed):
        if not ctx.memory.may_have(ctx.thread.template, of):
            continue
        if size.is_large(ctx):
            _change_untracked(ctx, changed[place:], pointing, stored)
            break
        of = heap_object(ctx, of) or of if of.kind == "heap" else of
        havoc_place(ctx, Direct(of, (), of.type), pointing, may_be_any(reached), stored)


def _change_untracked(ctx: Context, changed: Iterable[Object], pointing: Origins, stored: Origins) -> None:
    """Gives objects any values from then on, with pointers of some origins; in a driver the kernel may write others.

    `stored` as in `_change`.
    """
    if ctx.options.model == "linux":
        ctx.facts.objects.untracked.add(*(of.key for of in changed))
        return
    for of in changed:
        if ctx.told.lost.get((of.key, pointing, stored)) is of:
            continue
        ctx.facts.objects.untracked.add_changed(of.key)
        note_pointers(ctx, Direct(of, (), of.type), pointing)
        hidden.note(ctx, Direct(of, (), of.type), stored)
        if not ctx.is_silent:
            ctx.told.lost[of.key, pointing, stored] = of
