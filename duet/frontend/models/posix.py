"""Functions of POSIX and GNU libraries that keep, make or hand out memory, or change what their arguments lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duet.frontend.cells import gate, rereads, rest, texts
from duet.frontend.cells.access import write
from duet.frontend.cells.arithmetic import arithmetic, settle
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.escapes import contents, put_outside, reachable
from duet.frontend.cells.foreign import has_foreign, note_foreign, with_symbols
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.locking import note_post_of_anything
from duet.frontend.cells.records import record
from duet.frontend.cells.targets import outside, spot_of
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    NOTHING,
    UNKNOWN_POINTER,
    Content,
    Elsewhere,
    FunctionAddress,
    ObjectAddress,
    Origins,
    addresses,
    moved,
    stepped,
)
from duet.frontend.ctypes.types import (
    ADDRESS,
    INT,
    VOID,
    VOID_POINTER,
    ArrayType,
    IntType,
    PointerType,
    StructType,
    VoidType,
)
from duet.frontend.ctypes.values import (
    Number,
    Temporary,
    Untracked,
    Value,
    Whole,
    is_null,
    literal,
    of_term,
    pointee,
    type_of,
)
from duet.frontend.judgments.chosen import OPTIONS, Chosen, is_unchanged, variable_of, with_argument, with_argument_too
from duet.frontend.models.buffers import change_text, copy, fill, fill_text, read_within, touch
from duet.frontend.models.call import KEEPS_BUFFERS, Call, Model, answer, done, either
from duet.frontend.models.effects import Amount, Bytes, Effect, any_result, any_text, extent_of, result_type, size_of
from duet.frontend.models.heap import new_object, new_text
from duet.frontend.models.strings import count_written, into, is_never_null, known_name
from duet.frontend.models.unknown import arbitrary, assume_limits, clobber, origins_of
from duet.plip.syntax import Assign, Havoc
from duet.plip.terms import compare, conjunction, constant, linear, scale, variable

_KEPT = Elsewhere("strtok")
"""What `strtok` keeps, as a cell of the points-to analysis."""
_ENVIRONMENT = Elsewhere("environment")
"""What `putenv` has made part of the environment."""
_OF_ENVIRONMENT = ("environ", "__environ")
"""The variables that lead to it."""
COUNTED = "functions like getopt are given the number of arguments that argv has"
"""What is assumed where the argument of an option is taken to be there."""
LOCKED_STREAM = "a thread that has locked a stream (flockfile) waits for no other lock or thread"
_DEVICE = 40
"""The bytes of `struct ifreq` where addresses have 8."""
_DESCRIPTORS = 1024
"""The bits of an `fd_set` (FD_SETSIZE)."""
_REQUESTS: Mapping[int, frozenset[int]] = {
    _DEVICE: frozenset((0x8910, *range(0x8913, 0x891F), *range(0x8921, 0x8925), 0x8927, 0x8933, 0x8942, 0x8943)),
    8: frozenset((0x5413, 0x5414)),
    4: frozenset((0x540F, 0x5410, 0x541B, 0x5421)),
}
"""By how many bytes there are behind the third argument, the requests that are about nothing else.

*Source*: netdevice(7) (SIOCGIFNAME to SIOCSIFTXQLEN), and tty_ioctl(2) (TIOCGWINSZ, TIOCSWINSZ; TIOCGPGRP, TIOCSPGRP,
FIONREAD, FIONBIO), with the numbers of Linux on x86 and ARM.
"""
_SET_NAME, _GET_NAME, _NAME = 15, 16, 16
"""The options of prctl for the name of a thread, and the bytes that this has at most."""
_OF_NUMBERS = frozenset((1, 3, 4, 7, 8, 13, 14, 21, 23, 24, 27, 28, 29, 30, 36, 38, 39))
"""The options of prctl that give and take numbers only. *Source*: prctl(2), PR_SET_PDEATHSIG to PR_GET_NO_NEW_PRIVS."""
REQUESTED = "a request of ioctl is the one that manual pages give its number to, whatever it is made to"
"""What is assumed where ioctl is given a request of which more is known."""
FAMILY = frozenset(("getopt", "getopt_long", "getopt_long_only"))
"""The functions that read options and set `optarg`."""
_OPTIONS = ("optarg", "optind", "optopt")
_MEMBERS = ("name", "has_arg", "flag", "val")
"""The members of `struct option`."""


def reaching(ctx: Context, call: Call) -> list[Outcome]:
    """A function that may change all that its arguments lead to, as ioctl and recvmsg do."""
    return answer(ctx, arbitrary(ctx, call, result_type(call)))


def examining(position: int, amount: Amount, how: Touch = Touch.EXAMINE) -> Model:
    """As `reaching`, a function that looks at so many bytes behind an argument, or fills them."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        touch(ctx, values[position], extent_of(values, amount), call, how, position)
        return answer(ctx, arbitrary(ctx, call, result_type(call), values))

    return model


def requested(ctx: Context, call: Call) -> list[Outcome]:
    """ioctl: what its manual pages say of a request; another one may change all that its arguments lead to."""
    values = call.evaluate_all(ctx)
    request = values[1].constant if len(values) > 2 and isinstance(values[1], Number) else None
    size = next((size for size, requests in _REQUESTS.items() if request in requests), None)
    if size is None:
        return answer(ctx, arbitrary(ctx, call, result_type(call), values))
    ctx.assume(REQUESTED)
    fill(ctx, values[2], literal(size if size != _DEVICE or ctx.data.pointer == ADDRESS.size else 32), call, position=2)
    return any_result(ctx, INT, -1)


def of_process(ctx: Context, call: Call) -> list[Outcome]:
    """prctl: names of threads, and what only numbers are given for; another option may change all that it is given."""
    values = call.evaluate_all(ctx)
    option = values[0].constant if values and isinstance(values[0], Number) else None
    is_named = len(values) > 1 and isinstance(type_of(values[1]), PointerType)
    if option == _SET_NAME and is_named:
        gate.text(ctx, values[1], None, call.node, call.argument_node(1))
    elif option == _GET_NAME and is_named:
        fill(ctx, values[1], literal(_NAME), call, position=1)
    elif option not in _OF_NUMBERS:
        return answer(ctx, arbitrary(ctx, call, result_type(call), values))
    return any_result(ctx, INT, -1)


def locks_stream(ctx: Context, call: Call) -> list[Outcome]:
    """flockfile: a lock of the library's own, which deadlocks know nothing of."""
    call.evaluate_all(ctx)
    if ctx.wants("deadlock"):
        ctx.assume_at(call.node, LOCKED_STREAM)
    return done(ctx)


def retains(*writes: tuple[int, Amount], notifies: bool = False) -> Model:
    """A function whose later calls still write to what it keeps, as setvbuf does: that is not tracked.

    So many bytes are written behind arguments, if not 0: these are plain buffers, and a function that is given none
    keeps nothing. If it `notifies`, functions that are given run at any time from here on.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        buffers = [(place, amount) for place, amount in writes if place >= len(values) or not is_null(values[place])]
        if writes and not buffers:
            return any_result(ctx, result_type(call))
        for position, amount in buffers:
            if position < len(values):
                touch(ctx, values[position], extent_of(values, amount), call, Touch.FILL, position)
        ctx.facts.mark(KEEPS_BUFFERS, call.name)
        _let_go(ctx, call, values, is_buffer=bool(writes))
        return answer(ctx, arbitrary(ctx, call, result_type(call), values, is_registered=notifies))

    return model


def printed_wide(ctx: Context, call: Call) -> list[Outcome]:
    """swprintf: as many wide characters as the second argument says."""
    values = call.evaluate_all(ctx)
    count_written(ctx, call, values[3:], values[2] if len(values) > 2 else None)
    fill(ctx, values[0], extent_of(values, Bytes(4, (1,))), call)
    return any_result(ctx, INT)


def error_text(ctx: Context, call: Call) -> list[Outcome]:
    """strerror_r: a string in a buffer of some size, or (that of GNU) in the library; its result is a pointer then."""
    values = call.evaluate_all(ctx)
    limit = values[2] if len(values) > 2 else None
    fill_text(ctx, values[1], call, limit if isinstance(limit, Number) else None, 1)
    kind = result_type(call)
    if not isinstance(kind, PointerType):
        return any_result(ctx, kind)
    return any_text(ctx, kind, may_fail=False, more=origins_of(ctx, values[1]))


def used_as_stack(failures: int | range, old: int | None = None) -> Model:
    """pthread_attr_setstack: threads have their variables where the argument that is kept points to.

    What was used before is written behind the argument at `old`.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        _let_go(ctx, call, values)
        if old is not None and old < len(values):
            fill(ctx, values[old], size_of(ctx, values[old]), call, position=old)
        ctx.builder.flush()
        return either(ctx, 0, failures)

    return model


def _let_go(ctx: Context, call: Call, values: list[Value], is_buffer: bool = False) -> None:
    """Tracks no more what is reached from the arguments that the function keeps, or these alone if each is a buffer."""
    described = ctx.describe(call.name)
    kept = values if described is None else [values[place] for place in described.keeps if place < len(values)]
    given = NOTHING.union(*(origins_of(ctx, value) for value in kept))
    reached = given if is_buffer else reachable(ctx, given)
    known = [of.key for of in ctx.memory.pointed(reached)]
    ctx.facts.objects.untracked.add(*known)
    ctx.facts.mark(rereads.CHANGED_LATER, *known)
    if UNKNOWN_POINTER & reached:
        ctx.facts.mark_any(rereads.CHANGED_LATER)


def controlled(ctx: Context, call: Call) -> list[Outcome]:
    """fcntl: a lock may be written behind the third argument, also where that is the number of an address."""
    values = call.evaluate_all(ctx)
    if any(not isinstance(value.type, PointerType) and addresses(origins_of(ctx, value)) for value in values[2:]):
        return answer(ctx, arbitrary(ctx, call, result_type(call), values))
    for position, value in enumerate(values):
        if position > 1 and isinstance(value.type, PointerType):
            fill(ctx, value, size_of(ctx, value), call, position=position)
    return answer(ctx, ctx.havoc(INT))


def _at_least(ctx: Context, low: int) -> Number:
    return ctx.havoc(INT, low=low)


def _any_pointer(ctx: Context, low: int, origins: Origins) -> Number:
    return ctx.havoc(VOID_POINTER, origins, low=low)


def brings_code(ctx: Context, call: Call) -> list[Outcome]:
    """dlopen: code comes that may name what the program has; what it begins with runs, as any unknown function."""
    values = call.evaluate_all(ctx)
    if not (values and is_null(values[0])):
        note_foreign(ctx)
        note_post_of_anything(ctx, call.node)
        assume_limits(ctx, is_foreign=True)
        clobber(ctx, [], call, is_foreign=True)
    return any_result(ctx, result_type(call))


def symbol(ctx: Context, call: Call) -> list[Outcome]:
    """dlsym: null, or the address of something outside, or of what the program itself has by that name."""
    values = call.evaluate_all(ctx)
    name = known_name(ctx, values[1]) if len(values) > 1 else None
    objects, functions = with_symbols(ctx, None if name is None else (name,))
    ctx.facts.functions.add(*functions)
    ctx.facts.objects.addressed.add(*(of.key for of in objects))
    put_outside(ctx, frozenset((*(of.origin for of in objects), *map(FunctionAddress, functions))))
    return answer(ctx, ctx.havoc(VOID_POINTER, outside(ctx)))


def options(ctx: Context, call: Call) -> list[Outcome]:
    """getopt and getopt_long: permutes the arguments, to which `optarg` points then, may set flags of options.

    What the program itself defines by the name of one of its variables is that variable.
    """
    values = call.evaluate_all(ctx)
    ctx.facts.objects.untracked.add(*(name for name in _OPTIONS if name in ctx.memory.objects))
    given = NOTHING.union(*(origins_of(ctx, value) for value in values[1:2]))
    is_own = addresses(given) == {ObjectAddress(texts.ARGUMENTS)}  # what is permuted there are strings as before
    chosen = _chosen(ctx, call, values) if is_own else None
    if chosen is None:
        ctx.facts.mark_any(OPTIONS)
    else:
        ctx.facts.mark(OPTIONS, chosen)
    with texts.kept(ctx, are_nulls=False):
        clobber(ctx, [*(() if is_own else values[1:2]), *_set_by_options(ctx, values[3:4])], call)
        if len(values) > 4 and not is_null(values[4]):
            _set_index(ctx, call, _long_options(ctx, values[3]))
    inside = NOTHING.union(*(contents(ctx, of.key) for of in ctx.memory.pointed(given)))
    ctx.facts.pointers.hold(texts.OPTION, inside | (given & UNKNOWN_POINTER and UNKNOWN_POINTER))
    return answer(ctx, ctx.havoc(INT))


def _set_index(ctx: Context, call: Call, table: list[dict[str, int]] | None) -> None:
    """The index of the long option that was found, behind the fifth argument; nothing is written for another one."""
    target = call.target(ctx, 4)
    found, none = ctx.builder.fork(2)
    ctx.builder.at(found)
    named = [at for at, entry in enumerate(table) if entry["name"]] if table is not None else []
    name, last = ctx.temporary(INT), max(named, default=INT.hi)
    ctx.builder.emit(Havoc(name, 0, last))
    write(ctx, target, Number(variable(name), INT, 0, last), call.node)
    ctx.builder.goto(none)
    ctx.builder.at(none)


def _set_by_options(ctx: Context, table: list[Value]) -> list[Value]:
    """What a table of long options, which itself is only read, leads to: the flags that are set."""
    given = NOTHING.union(*(origins_of(ctx, value) for value in table))
    if not given or given & UNKNOWN_POINTER:
        return table
    inside = NOTHING.union(*(contents(ctx, of.key) for of in ctx.memory.pointed(given)))
    return [ctx.havoc(VOID_POINTER, inside)] if inside else []


def _chosen(ctx: Context, call: Call, values: list[Value]) -> Chosen | None:
    """What a call of `getopt` tells of the options that have an argument, and where; None if nothing."""
    frame = ctx.thread.frame if ctx.thread.frames else None
    definition = ctx.declared.functions.get(frame.function) if frame is not None else None
    if frame is None or definition is None or ctx.thread.template != "main" or len(values) < 3:
        return None
    letters = _letters(ctx, values[2])
    needed = with_argument(letters) if letters is not None else None
    table = _long_options(ctx, values[3]) if len(values) > 3 else ()
    variable = variable_of(definition.node, call.node, FAMILY)
    if letters is None or needed is None or table is None or variable is None:
        return None
    if not is_unchanged(definition.node, call.arguments[0].node, call.node):
        return None
    ctx.assume(COUNTED)
    return Chosen(frame.function, variable, with_argument_too(needed, letters, table))


def _letters(ctx: Context, value: Value) -> list[int] | None:
    """The letters of options, where they are a literal, or the only one that a variable ever leads to."""
    if not isinstance(value, Number):
        return texts.known_text(ctx, value)
    spot = spot_of(ctx, value)
    of = ctx.memory.objects.get(spot[0]) if spot is not None else None
    return texts.literal_text(ctx, of, spot[1] + value.term.constant) if of is not None and spot is not None else None


def _long_options(ctx: Context, value: Value) -> list[dict[str, int]] | None:
    """The entries of a table of long options by their members, up to the last one; None where they are not known."""
    if is_null(value):
        return []
    found = ctx.memory.pointed(origins_of(ctx, value))
    of = found[0] if len(found) == 1 and not origins_of(ctx, value) & UNKNOWN_POINTER else None
    initial = ctx.memory.initial.get(of.key) if of is not None else None
    if of is None or initial is None or not isinstance(of.type, ArrayType) or of.type.length is None:
        return None
    objects = ctx.facts.objects
    is_changed = of.key in objects.untracked or any(key.startswith(of.key) for key in objects.written)
    if of.kind != "global" or (is_changed and not of.is_const):
        return None
    entries = [{name: initial.values.get((at, name), 0) for name in _MEMBERS} for at in range(of.type.length)]
    return [
        entry | {name: entry[name] or (at, name) in initial.origins for name in ("name", "flag")}
        for at, entry in enumerate(entries)
    ]


def tokens(ctx: Context, call: Call) -> list[Outcome]:
    """strtok: null, or a piece of the string that was given or is kept from an earlier call."""
    text = call.value(ctx, 0)
    call.value(ctx, 1)
    if not is_null(text):
        ctx.facts.pointers.hold(_KEPT, origins_of(ctx, text))
    found = _any_pointer(ctx, 0, ctx.facts.pointers.held(_KEPT) | {Content(_KEPT)})
    if addresses(found.origins):
        with texts.kept(ctx):
            change_text(ctx, found, call)
    is_own, kept = rest.is_own(ctx), rest.cell(ctx, ctx.span(call.node))
    if not is_never_null(text):
        origins = moved(stepped(found.origins, linear({"": 1}), 1), VoidType())
        term = variable(kept) if is_own else found.term
        before = of_term(term, VOID_POINTER, 0, ADDRESS.hi, origins)
        gate.text(ctx, before, None, call.node, call.node, is_optional=True)
    if not is_own:
        return into(ctx, found, length=0)
    [(location, behind)] = into(ctx, found, may_fail=False, length=0)
    ctx.builder.at(location)
    outcomes: list[Outcome] = []
    for way, piece in into(ctx, found, length=0):
        ctx.builder.at(way)
        ctx.builder.emit(Assign(kept, number(ctx, behind).term))
        outcomes.append((ctx.builder.current, piece))
    return outcomes


def printed_anew(ctx: Context, call: Call) -> list[Outcome]:
    """asprintf: a new string behind the first argument and its length, or -1 and what is undefined, or was there."""
    values = [call.value(ctx, place) for place in range(1, len(call.arguments))]
    count_written(ctx, call, values[1:], values[0] if values else None)
    target = call.target(ctx, 0)
    found, failed = ctx.builder.fork(2)
    ctx.builder.at(found)
    new_text(ctx, call, target)
    length = _at_least(ctx, 0)
    found = ctx.builder.current
    ctx.builder.at(failed)
    write(ctx, target, _any_pointer(ctx, 0, NOTHING), call.node)
    ctx.builder.flush()
    return [(found, length), (ctx.builder.current, literal(-1))]


def named(position: int, size: int | None) -> Model:
    """realpath and getcwd: null, or a string in the argument at a position, a new one where that is null.

    The argument at `size` says how long it may be.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        buffer = values[position] if position < len(values) else literal(0, VOID_POINTER)
        if is_null(buffer):
            found, failed = ctx.builder.fork(2)
            ctx.builder.at(found)
            value: Value = new_object(ctx, call)
            return [(ctx.builder.current, value), (failed, literal(0, VOID_POINTER))]
        limit = values[size] if size is not None and size < len(values) else None
        fill_text(ctx, buffer, call, limit if isinstance(limit, Number) else None, position)
        found, failed = ctx.builder.fork(2)
        ctx.builder.at(found)
        texts.note_end(ctx, buffer)
        return [(ctx.builder.current, buffer), (failed, literal(0, VOID_POINTER))]

    return model


def hands_out(position: int, *failures: int | range, may_be_none: bool) -> Model:
    """A function that leaves structures of the library behind an argument and returns 0, as getaddrinfo does.

    There may be none of them, if it says so. Where it fails it leaves what is there, or anything.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        call.evaluate_all(ctx)
        target = call.target(ctx, position)
        kind = target.type.target if isinstance(target.type, PointerType) else VOID
        found, changed, failed = ctx.builder.fork(3)
        ctx.builder.at(found)
        write(ctx, target, _any_pointer(ctx, 0 if may_be_none else 1, record(ctx, kind)), call.node)
        ctx.builder.flush()
        found = ctx.builder.current
        ctx.builder.at(changed)
        write(ctx, target, _any_pointer(ctx, 0, NOTHING), call.node)
        ctx.builder.goto(failed)
        ctx.builder.at(failed)
        return [(found, literal(0)), *either(ctx, *failures)]

    return model


def read_entry(ctx: Context, call: Call) -> list[Outcome]:
    """readdir_r: 0, and the entry that the caller has the memory for, or none; an error may leave what is there."""
    values = call.evaluate_all(ctx)
    fill(ctx, values[1], size_of(ctx, values[1]), call, position=1, pointers=NOTHING)
    return _found(ctx, call, values[1], 2, 1)


def looked_up(entry: int, address: int | None = None) -> Model:
    """getpwnam_r and the like: as `readdir_r`, with an entry whose pointers lead into the buffer behind it, or outside.

    The next arguments are the size of the buffer, where the entry is told of, and where an error is. What is looked
    for may be an `address` at a position, with the length behind it.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        if address is not None:
            touch(ctx, values[address], extent_of(values, address + 1), call, Touch.EXAMINE, address)
        buffer = values[entry + 1]
        inside = moved(stepped(origins_of(ctx, buffer), linear({"": 1}), 1), VoidType()) | {EXTERNAL}
        fill(ctx, buffer, extent_of(values, entry + 2), call, inside, position=entry + 1)
        fill(ctx, values[entry], size_of(ctx, values[entry]), call, inside, position=entry, pointers=inside)
        for position in range(entry + 4, len(values)):
            fill(ctx, values[position], size_of(ctx, values[position]), call, position=position)
        return _found(ctx, call, values[entry], entry + 3, None)

    return model


def _found(ctx: Context, call: Call, entry: Value, position: int, low: int | None) -> list[Outcome]:
    """What is told of an entry behind an argument: where it is, or nothing; or there is an error, from `low` on."""
    target = call.target(ctx, position)
    outcomes: list[Outcome] = []
    *ways, failed = ctx.builder.fork(4)
    none = literal(0, VOID_POINTER)
    for way, result, code in zip(ways, (entry, none, none), (0, 0, None), strict=True):
        ctx.builder.at(way)
        write(ctx, target, result, call.node)
        ctx.builder.flush()
        if code is None:
            ctx.builder.goto(failed)
        else:
            outcomes.append((ctx.builder.current, literal(code)))
    ctx.builder.at(failed)
    return [*outcomes, *any_result(ctx, INT, low)]


def translated(*positions: int) -> Model:
    """gettext: a message at one of some positions, or one of the library's."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        ctx.builder.flush()
        other, *same = ctx.builder.fork(1 + len(positions))
        ctx.builder.at(other)
        found = _any_pointer(ctx, 1, outside(ctx))
        return [*zip(same, (values[at] for at in positions), strict=True), (ctx.builder.current, found)]

    return model


def parsed_time(ctx: Context, call: Call) -> list[Outcome]:
    """strptime: fills a time, null or a pointer into the text."""
    values = call.evaluate_all(ctx)
    fill(ctx, values[2], size_of(ctx, values[2]), call, position=2)
    return into(ctx, values[0], least=1)


def text_with_end(ctx: Context, call: Call) -> list[Outcome]:
    """stpcpy, stpncpy: a string in the first argument, the result points to its end."""
    values = call.evaluate_all(ctx)
    limit = values[2] if len(values) > 2 and isinstance(values[2], Number) else None
    if limit is not None:
        read_within(ctx, call, values[1], 1, limit)
    fill_text(ctx, values[0], call, limit, ends=limit is None)
    return into(ctx, values[0], may_fail=False, least=0)


def path_part(ctx: Context, call: Call) -> list[Outcome]:
    """basename, dirname: they may change the path, and return a pointer into it or to a string of the library."""
    values = call.evaluate_all(ctx)
    change_text(ctx, values[0], call)
    return answer(ctx, _any_pointer(ctx, 1, origins_of(ctx, values[0]) | outside(ctx)))


def copied_with_end(ctx: Context, call: Call) -> list[Outcome]:
    """mempcpy: as memcpy, the result points behind what was written."""
    target, source, count = call.value(ctx, 0), call.value(ctx, 1), call.number(ctx, 2)
    copy(ctx, target, source, count, call, reachable(ctx, origins_of(ctx, source)))
    return into(ctx, target, may_fail=False, least=0)


def text_of_size(ends: bool) -> Model:
    """strlcpy and the like: a string in the first argument, which `ends` whatever its size; a length or an error."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        limit = values[2] if len(values) > 2 else None
        fill_text(ctx, values[0], call, limit if isinstance(limit, Number) else None, ends=ends)
        return answer(ctx, ctx.havoc(ctx.data.size))

    return model


def in_set(of_set: Effect) -> Model:
    """FD_SET and the like: there are bits for so many descriptors, which the first argument has to be one of."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        given = call.number(ctx, 0)
        fits = (compare(given.term, ">=", constant(0)), compare(given.term, "<", constant(_DESCRIPTORS)))
        if ctx.wants("array-bounds") and not 0 <= given.lo <= given.hi < _DESCRIPTORS:
            ctx.builder.flush()
            ctx.check(call.node, "array-bounds", conjunction(fits))
        return of_set.model(ctx, call)

    return model


def keeps(ctx: Context, call: Call) -> list[Outcome]:
    """putenv: the string that is given becomes part of memory that getenv leads to."""
    for value in call.evaluate_all(ctx):
        put_outside(ctx, origins_of(ctx, value))
        ctx.facts.pointers.hold(_ENVIRONMENT, origins_of(ctx, value))
    return either(ctx, 0, -1)


def kept(ctx: Context, call: Call) -> list[Outcome]:
    """getenv: null, or a string of the environment, which the program may have made another one."""
    call.evaluate_all(ctx)
    objects = ctx.facts.objects
    if has_foreign(ctx) or any(name in objects.written or name in objects.addressed for name in _OF_ENVIRONMENT):
        return into(ctx, _any_pointer(ctx, 1, UNKNOWN_POINTER))
    given = ctx.facts.pointers.held(_ENVIRONMENT)
    if given:
        return into(ctx, _any_pointer(ctx, 1, outside(ctx) | {Content(_ENVIRONMENT)}))
    return any_text(ctx, result_type(call))


def with_lists(effect: Effect) -> Model:
    """The model of a function that also reads what arrays of pointers lead to, such as arguments of a program."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        note_lists(ctx, call, call.evaluate_all(ctx))
        return effect.model(ctx, call)

    return model


def note_lists(ctx: Context, call: Call, values: list[Value]) -> None:
    """Notes that all is read to which pointers lead that arguments point to."""
    for value in values:
        if isinstance(pointee(type_of(value)), PointerType):
            gate.around(ctx, reachable(ctx, origins_of(ctx, value)), Touch.EXAMINE, call.node)


def fails(ctx: Context, call: Call) -> list[Outcome]:
    """execve and the like: it returns only where it fails. All that are strings are read, also those in arrays."""
    values = call.evaluate_all(ctx)
    note_lists(ctx, call, values)
    for value, argument in zip(values[1:], call.arguments[1:], strict=False):
        kind = pointee(type_of(value))
        if kind is not None and ctx.memory.types.size(kind) == 1 and not is_null(value):
            gate.text(ctx, value, None, call.node, argument.node, is_optional=True)
    return answer(ctx, -1)


def absolute(ctx: Context, call: Call) -> list[Outcome]:
    """abs, labs, llabs: that of the smallest number does not fit."""
    found, kind = call.number(ctx, 0), result_type(call)
    if not isinstance(kind, IntType) or found.type != kind:
        return any_result(ctx, kind)
    same, other = ctx.builder.branch(compare(found.term, ">=", constant(0)))
    ctx.builder.at(other)
    value = settle(ctx, scale(found.term, -1), max(-found.hi, 0), max(-found.lo, 0), kind, call.node)
    return [(same, replace(found, lo=max(found.lo, 0), hi=max(found.hi, 0))), (ctx.builder.current, value)]


def divided(ctx: Context, call: Call) -> list[Outcome]:
    """div and the like: what is divided by is checked; the structure with the results is not tracked."""
    left, right, kind = call.number(ctx, 0), call.number(ctx, 1), result_type(call)
    if isinstance(left.type, IntType) and left.type == right.type:
        arithmetic(ctx, "/", left, right, left.type, call.node)
        ctx.builder.flush()
    return answer(ctx, Whole(Temporary(kind), kind) if isinstance(kind, StructType) else Untracked(kind))
