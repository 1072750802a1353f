"""Thread creation, joining and ending. A thread id is the address of an object that stands for the thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duet.frontend.cells import lifetimes, sharing
from duet.frontend.cells.access import hand_over, let_have, write
from duet.frontend.cells.callees import SOME
from duet.frontend.cells.comparison import comparison
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, is_copy, number, snapshot
from duet.frontend.cells.locking import note_end
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import EXTERNAL, NOTHING, UNKNOWN_POINTER, Content, Elsewhere, ThreadId, threads
from duet.frontend.ctypes.types import INT, VOID_POINTER, CType, IntType, is_scalar
from duet.frontend.ctypes.values import Number, Place, Temporary, Value, in_type, is_null, literal
from duet.frontend.expressions.places import pointed
from duet.frontend.graph.events import Waiting
from duet.frontend.judgments.identity import CANCELLED, DETACHED, ENDED, FORKED, HANDLER, LATE
from duet.frontend.judgments.marks import Mark
from duet.frontend.models import destructors, jumps
from duet.frontend.models.call import ERRORS, Call, Model, answer, done, either, never
from duet.frontend.models.counted import fresh, number_told_apart
from duet.frontend.models.endings import run_endings
from duet.frontend.models.unknown import unknown_call
from duet.frontend.source.nodes import Node
from duet.plip.accesses import UNKNOWN_LOCK
from duet.plip.syntax import SKIP, Assign, Atomic, Cell, Guard, Havoc, Join, Spawn
from duet.plip.terms import add, compare, conjunction, constant, negate, variable

STARTED = "threads are started where the program ignores whether they could be"
"""What is assumed of `pthread_create` where its result is not used."""
ORPHANED = "processes made by fork wait for no lock that another thread has at that time"
"""What deadlocks say nothing of: the lock is never given back in the new process, which has one thread."""
APART = "processes made by fork share no memory that is tracked with each other"
"""What is assumed of processes that a program makes of itself."""
_COMING_BACK = frozenset((*range(14), *range(16, 40), *range(96, 113), 186, *range(200, 205), 228, 257, 318))
"""System calls of Linux on x86-64 that come back, once, to the thread that makes them: read, getpid, gettid, futex."""
_TELLING = frozenset((24, 39, 102, 104, 107, 108, 110, 111, 186))
"""Those that take nothing, change nothing in memory, and give a number: sched_yield, getpid, getuid, gettid."""
_WORD = 8  # bytes of a pointer there
IDS = 1 << 20
_ANY_TIME = "joining may be refused or given up here, whatever the thread does"
EPERM, ESRCH, EINVAL, EBUSY, EDEADLK, EAGAIN, ETIMEDOUT = 1, 3, 22, 16, 35, 11, 110
DETACHING: Mark[str] = Mark("detaching attributes")
JOINS: Mark[tuple[str, str]] = Mark("joins")
"""The mark of pairs of threads: one may wait for the other."""
RESULTS: Mark[str] = Mark("results")
"""The mark of threads whose result is read."""
_GIVEN: Mark[str] = Mark("results of any thread of a template")
"""The mark of templates of which threads are joined that are not told apart."""
POINTERS: Mark[str] = Mark("results that are pointers")
"""The mark of threads whose result is read as a pointer."""


def create(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_create: 0 with a new thread, or an error number without."""
    failures = _failures(ctx, call, EPERM, EAGAIN, EINVAL)
    place = call.target(ctx, 0)
    is_plain = is_null(call.value(ctx, 1)) or not ctx.facts.is_known(DETACHING)
    return _create(ctx, call, place, (call.choices(ctx, 2), call.value(ctx, 3)), is_plain, failures)


def create_c11(ctx: Context, call: Call) -> list[Outcome]:
    """thrd_create: thrd_success with a new thread, or thrd_error or thrd_nomem without."""
    failures = _failures(ctx, call, 2, 3)
    started = call.choices(ctx, 1), call.value(ctx, 2)
    return _create(ctx, call, call.target(ctx, 0), started, True, failures, is_id_early=True)


def _failures(ctx: Context, call: Call, *codes: int) -> tuple[int, ...]:
    """The ways in which creating a thread may fail: none where nobody asks, which is assumed and reported."""
    if ctx.options.assumes("threads-start"):
        return ()
    if ctx.thread.ignored is not call.node:
        return codes
    ctx.assume_at(call.node, STARTED)
    return ()


def _create(
    ctx: Context,
    call: Call,
    place: Place,
    started: tuple[Sequence[tuple[str, Guard]], Value],
    is_joinable: bool,
    failures: tuple[int, ...],
    is_id_early: bool = False,
) -> list[Outcome]:
    """A new thread; its id is there before it runs if `is_id_early`, else it may look for that in vain."""
    functions, argument = started
    if not functions:  # null: the program ends badly, but not at once
        ctx.builder.doubt("a null pointer is called in a new thread")
        write(ctx, place, ctx.havoc(ctx.data.ulong), call.node)
        return either(ctx, 0, *failures)
    fixed = number(ctx, argument)
    ctx.builder.flush()
    start = ctx.builder.current
    if SOME not in dict(functions):
        ctx.builder.given.add(start)  # there is one function, or it cannot be started
    found: list[Outcome] = []
    for name, chosen in functions:
        ctx.builder.at(start)
        ctx.builder.emit(chosen)
        command = ctx.hooks.thread(ctx, name, fixed if len(functions) > 1 else argument, call.node, 0)
        if not is_joinable:
            ctx.facts.mark(DETACHED, command.template)
            ctx.facts.mark(ENDED, command.template)
            ctx.facts.mark_any(LATE)
        found_id = thread_id(ctx, command.template)
        if is_id_early:
            write(ctx, place, found_id, call.node)
        emit_spawn(ctx, command)
        if not is_id_early:
            write(ctx, place, found_id, call.node)
        found.append((ctx.builder.current, literal(0)))
    if failures:
        ctx.builder.at(start)
        ctx.builder.emit(SKIP)
        found += either(ctx, *failures)
    return found


def emit_spawn(ctx: Context, command: Spawn) -> None:
    """Starts a thread; with any number of instances where the run is parameterized."""
    ctx.builder.flush()
    if ctx.options.parameterized and ctx.options.entries is None:
        ctx.builder.given.add(ctx.builder.current)  # how many threads there are
        ctx.builder.edge(command, ctx.builder.current)
    ctx.builder.emit(command)


def thread_id(ctx: Context, template: str) -> Number:
    """The id of a new thread of a template: a constant, or any of a range where there can be several."""
    base = ctx.memory.base(ThreadId(template), IDS)
    origins = frozenset((ThreadId(template),))
    if template not in ctx.facts.many:
        return Number(constant(base), ctx.data.ulong, base, base, origins)
    name = ctx.temporary(ctx.data.ulong)
    if number_told_apart(ctx):
        ctx.builder.emit(Assign(name, add(variable(fresh(ctx, f"{template}:id", "threads", IDS)), constant(base))))
    else:
        ctx.builder.emit(Havoc(name, base, base + IDS - 1))
        ctx.builder.events.handles[name] = template
    ctx.temporaries.copies.add(name)
    return Number(variable(name), ctx.data.ulong, base, base + IDS - 1, origins)


def _is_known(ctx: Context, found: Number) -> bool:
    """Whether an id can only be that of the threads that are told."""
    return bool(threads(found.origins)) and not found.origins & UNKNOWN_POINTER and is_copy(ctx, found)


def join(*late: int, is_c11: bool = False) -> Model:
    """pthread_join: waits for the thread that the id means where that runs only once, else orders nothing.

    An id that may be none of a thread may be refused; that of one joined already has no defined meaning. `late` are the
    results of a function that may give up to wait.
    """

    def model(ctx: Context, call: Call) -> list[Outcome]:
        return _joined(ctx, call, late, is_c11)

    return model


def _joined(ctx: Context, call: Call, late: tuple[int, ...], is_c11: bool) -> list[Outcome]:
    found = call.number(ctx, 0)
    given = call.value(ctx, 1)
    result: Place = Temporary(VOID_POINTER) if is_null(given) else pointed(ctx, given)
    for position in range(2, len(call.arguments)):
        call.value(ctx, position)
    names, is_known = threads(found.origins), _is_known(ctx, found)
    if not names and not found.origins & UNKNOWN_POINTER and not ctx.is_settled(ctx.site(call.node, "join ")):
        return answer(ctx, 0)
    orderly = tuple(name for name in names if _is_orderly(ctx, name))
    ids = {name: constant(ctx.memory.base(ThreadId(name), IDS)) for name in orderly}
    if is_known:
        ctx.facts.mark(ENDED, *names)
    else:
        ctx.facts.mark_any(ENDED)
    if orderly != names or not is_known:
        ctx.facts.mark_any(LATE)
    builder = ctx.builder
    builder.flush()
    if not late:
        sharing.note_join(ctx, names if is_known else (UNKNOWN_LOCK,), call.node)
    start = builder.current
    builder.events.waits[start] = Waiting(found.term, names if not late else (), is_known and not late)
    ended, unknown = builder.fresh(), builder.fresh()
    is_certain = bool(names) and orderly == names and is_known
    given_up = {code: builder.fresh() for code in late}
    for name in orderly:
        way = builder.fresh()
        builder.at(start)
        builder.edge(
            Guard(conjunction(()) if is_certain and len(names) == 1 else compare(found.term, "==", ids[name])), way
        )
        builder.at(way)
        _may_give_up(ctx, name, given_up)
        builder.emit(Join(name))
        _expect_joined_once(ctx, name)
        builder.events.joined.setdefault(builder.current, []).append(name)
        _give_result(ctx, result, name, call, is_c11)
        builder.goto(ended)
        ctx.facts.mark(JOINS, (ctx.thread.template, name))
    crossing = any((name, ctx.thread.template) in ctx.facts.marked(JOINS) for name in names)
    if not is_certain:
        builder.at(start)
        others = conjunction([negate(compare(found.term, "==", ids[name])) for name in orderly])
        builder.edge(Guard(others), unknown)
        builder.dead()
        builder.at(unknown)
        builder.doubt("a thread is joined of which it is not known which one it is: nothing is waited for")
        if len(names) == 1 and is_known and _is_waited_for(ctx, names[0]):
            builder.emit(SKIP)
            builder.events.joined.setdefault(builder.current, []).append(names[0])
        _give_any_result(ctx, result, names if is_known else (), call)
        builder.goto(ended)
    may_refuse = crossing or len(orderly) < len(names)
    no_id = (ESRCH,) if not names or not is_known else ()
    refused = (*no_id, *((EINVAL, EDEADLK) if may_refuse else ()))
    if is_c11 and refused:
        refused = (2,)
    if number_told_apart(ctx) and orderly:
        return _results(ctx, start, ended, {*refused}, given_up)
    return _results(ctx, start, ended, {*refused, *late}, {})


def _may_give_up(ctx: Context, name: str, given_up: Mapping[int, int]) -> None:
    """The ways in which one gives up to wait for a thread that runs once, where schedules are looked for.

    Behind what others see of a thread last it still takes a while to end, so that one may do so at any time; but for a
    thread that was joined already nobody waits (what happens then has no defined meaning).
    """
    if number_told_apart(ctx) and given_up:
        ctx.builder.given.add(ctx.builder.current)
        for end in given_up.values():
            ctx.builder.edge(Guard(compare(variable(_joined_cell(ctx, name)), "==", constant(0))), end)


def _expect_joined_once(ctx: Context, name: str) -> None:
    """Lets only executions pass in which a thread that runs once is joined once, where schedules are looked for."""
    if number_told_apart(ctx):
        cell = _joined_cell(ctx, name)
        ctx.builder.emit(Atomic((Guard(compare(variable(cell), "==", constant(0))), Assign(cell, constant(1)))))


def _joined_cell(ctx: Context, name: str) -> str:
    """The cell that says whether a thread was joined."""
    cell = f"thread {name}:joined"
    if cell not in ctx.memory.cells:
        ctx.memory.cells[cell] = Cell(cell, None, False, 0, 0, f"{name} is joined", ctx.builder.span)
    return cell


def _results(ctx: Context, start: int, ended: int, others: set[int], given_up: Mapping[int, int]) -> list[Outcome]:
    """What joining may return where the thread has ended, and others where it is refused or given up."""
    found: list[Outcome] = [(ended, literal(0)), *((way, literal(code)) for code, way in given_up.items())]
    for code in sorted(others):
        way = ctx.builder.fresh()
        ctx.builder.at(start)
        ctx.builder.edge(Guard(conjunction(())), way, mark=_ANY_TIME)
        found.append((way, literal(code)))
    ctx.builder.at(start)
    ctx.builder.dead()
    return found


def _is_orderly(ctx: Context, name: str) -> bool:
    """Whether joining a thread waits for its end: one that is the only one of its template and nothing else ends."""
    return name not in ctx.facts.many and _is_waited_for(ctx, name)


def _is_waited_for(ctx: Context, name: str) -> bool:
    """Whether joining a thread of a template waits for the end of one: nothing else ends them."""
    facts = ctx.facts
    is_loose = any(facts.is_any_marked(mark) or name in facts.marked(mark) for mark in (DETACHED, CANCELLED))
    return name != ctx.thread.template and not is_loose


def _give_any_result(ctx: Context, result: Place, names: Sequence[str], call: Call) -> None:
    """Any value as the result of a thread of one of some templates; of what leads anywhere if there are none.

    Where it leads is what some thread of them has ended with; PTHREAD_CANCELED leads nowhere.
    """
    if isinstance(result, Temporary) or not is_scalar(result.type):
        return
    ctx.facts.mark(_GIVEN, *names)
    ctx.facts.mark(POINTERS, *names)
    held = NOTHING.union(*map(ctx.facts.pointers.held, map(_any_result, names)))
    origins = held.union(map(Content, map(_any_result, names))) if names else UNKNOWN_POINTER
    write(ctx, result, ctx.havoc(result.type, origins), call.node)


def _any_result(name: str) -> Elsewhere:
    """Where the results of all threads of a template are, as far as it is known where they lead."""
    return Elsewhere(f"results of {name}")


def _give_result(ctx: Context, result: Place, name: str, call: Call, is_c11: bool) -> None:
    if isinstance(result, Temporary) or not is_scalar(result.type):
        return
    ctx.facts.mark(RESULTS, name)
    if not is_c11:
        ctx.facts.mark(POINTERS, name)
    cell = _result_cell(ctx, name)
    kind = INT if is_c11 else VOID_POINTER
    write(ctx, result, snapshot(ctx, in_type(variable(cell), kind, ctx.facts.pointers.held(cell))), call.node)


def _result_cell(ctx: Context, template: str) -> str:
    """The cell that holds the result of a thread that runs once."""
    name = f"thread {template}:result"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, None, False, 0, 0, f"result of {template}", ctx.builder.span)
    return name


def keep_result(ctx: Context, value: Value) -> None:
    """Stores what the thread that ends here returns, where somebody reads that.

    A function that returns less than the pointer that is read leaves open what the rest of that is.
    """
    template = ctx.thread.template
    wanted, any_wanted = (template in ctx.facts.marked(mark) for mark in (RESULTS, _GIVEN))
    if not wanted and not any_wanted:
        return
    is_short = isinstance(value.type, IntType) and value.type.size < ctx.data.pointer
    if is_short and template in ctx.facts.marked(POINTERS):
        value = ctx.havoc(VOID_POINTER, UNKNOWN_POINTER)
    if any_wanted:
        let_have(ctx, _any_result(template), value)
    if wanted:
        hand_over(ctx, _result_cell(ctx, template), value)


def detach(failures: int | range) -> Model:
    """pthread_detach, thrd_detach: joining does not wait for the thread then."""
    return lambda ctx, call: _mark(ctx, call, DETACHED, failures)


def cancel(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cancel: the thread may end early; as it may as well be very slow, only joining it matters."""
    ctx.warn(call.node, "cancellation", "the thread may end anywhere: joining it orders nothing")
    ctx.assume("a thread that is cancelled runs its cleanup handlers at any time, as if they were threads")
    return _mark(ctx, call, CANCELLED, ERRORS)


def _mark(ctx: Context, call: Call, what: Mark[str], failures: int | range) -> list[Outcome]:
    found = call.number(ctx, 0)
    for mark in (what, ENDED):
        ctx.facts.mark(mark, *threads(found.origins))
        if not _is_known(ctx, found):
            ctx.facts.mark_any(mark)
    ctx.facts.mark_any(LATE)  # their ids may be used again, at any time
    ctx.builder.flush()
    return either(ctx, 0, failures)


def set_detached(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_attr_setdetachstate."""
    call.target(ctx, 0)
    state = call.number(ctx, 1)
    if state.constant != 0:
        ctx.facts.mark_any(DETACHING)
    return either(ctx, 0, EINVAL) if state.constant not in (0, 1) else answer(ctx, 0)


def self_id(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_self; a handler runs in any thread, of which the id is no address of anything in the program."""
    del call
    if ctx.thread.template in ctx.facts.marked(HANDLER):
        return answer(ctx, ctx.havoc(ctx.data.ulong, frozenset((EXTERNAL,))))
    return answer(ctx, thread_id(ctx, ctx.thread.template))


def equal(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_equal, as `==` on ids."""
    one, other = call.number(ctx, 0), call.number(ctx, 1)
    return answer(ctx, comparison(ctx, "==", one, other))


def _note_ending(ctx: Context, node: Node) -> None:
    """Notes that this thread may end here, which in a handler is any thread."""
    if ctx.thread.template in ctx.facts.marked(HANDLER):
        ctx.warn(node, "cancellation", "a handler may end any thread: joining orders nothing")
        ctx.facts.mark_any(CANCELLED)
        ctx.facts.mark_any(ENDED)
        ctx.facts.mark_any(LATE)


def leave(kind: CType) -> Model:
    """pthread_exit: to the end of the thread, after its cleanup handlers; in a handler, that of any thread."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        _note_ending(ctx, call.node)
        value = snapshot(ctx, convert(ctx, call.value(ctx, 0), kind, call.node))
        run_endings(ctx)
        keep_result(ctx, value)
        return unwind(ctx, call)

    return model


def unwind(ctx: Context, call: Call) -> list[Outcome]:
    """`__pthread_unwind_next` of glibc's headers: to the next cleanup handler, or to the end of the thread."""
    _end(ctx, call.node, destructors.last(ctx))
    return done(ctx)


def _end(ctx: Context, node: Node, last: int) -> None:
    """The thread goes to where it ends."""
    jumps.note_end(ctx)
    lifetimes.leave_stack(ctx)
    note_end(ctx, node)
    ctx.builder.goto(last)


def may_end(ctx: Context, node: Node) -> None:
    """Besides going on, the thread may end here, with its cleanup handlers and destructors or without them."""
    _note_ending(ctx, node)
    ctx.builder.flush()
    ended, killed, going = ctx.builder.fork(3)
    ctx.builder.at(ended)
    run_endings(ctx)
    keep_result(ctx, ctx.havoc(VOID_POINTER, UNKNOWN_POINTER))
    _end(ctx, node, destructors.last(ctx))
    ctx.builder.at(killed)
    keep_result(ctx, ctx.havoc(VOID_POINTER, UNKNOWN_POINTER))
    _end(ctx, node, ctx.builder.exit)
    ctx.builder.at(going)


def system_call(ctx: Context, call: Call) -> list[Outcome]:
    """syscall: one that is not known to come back may end this thread and nothing else, or make another process."""
    called = number(ctx, call.value(ctx, 0)).constant if ctx.data.pointer == _WORD else None
    if called in _TELLING:
        call.evaluate_all(ctx)
        return answer(ctx, ctx.havoc(ctx.data.long, is_given=True))
    if called not in _COMING_BACK:
        _call_system(ctx, call.node)
    return unknown_call(ctx, call, call.kind)


def trap(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_may_end()`: assembler calls the system, by any number, or other code, or stops. In drivers it goes on."""
    if ctx.options.model != "linux":
        _call_system(ctx, call.node)
    return done(ctx)


def _call_system(ctx: Context, node: Node) -> None:
    ctx.facts.mark_any(FORKED)
    ctx.assume(APART)
    may_end(ctx, node)


def stop(ctx: Context, call: Call) -> list[Outcome]:
    """exit, abort: this thread takes no further step."""
    call.evaluate_all(ctx)
    return never(ctx)


def forks(ctx: Context, call: Call) -> list[Outcome]:
    """fork: the new process goes on with memory of its own, as if its other threads were never scheduled."""
    call.evaluate_all(ctx)
    ctx.facts.mark_any(FORKED)
    ctx.assume(APART)
    if ctx.wants("deadlock"):
        ctx.assume_at(call.node, ORPHANED)
    ctx.warn(call.node, "fork", "the new process is taken as another execution of this one, without other threads")
    ctx.builder.flush()
    child, parent, failed = ctx.builder.fork(3)
    ctx.builder.at(parent)
    found = ctx.havoc(INT)
    ctx.builder.assume(compare(found.term, ">=", constant(1)))
    return [(child, literal(0)), (ctx.builder.current, found), (failed, literal(-1))]


def forks_within(ctx: Context, call: Call) -> list[Outcome]:
    """vfork: as fork, where the child does no more than POSIX lets it do."""
    ctx.assume("what a process made by vfork does before it ends or executes a program changes nothing for its parent")
    return forks(ctx, call)


def sleeps(kind: CType) -> Model:
    """sleep and the like: signals may end it early, which the result may tell in any way."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        call.evaluate_all(ctx)
        return answer(ctx, ctx.havoc(kind, is_given=True))

    return model


def start(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_spawn(f)`: a thread that runs a function with arbitrary arguments."""
    for name in call.functions(ctx, 0):
        argument = call.value(ctx, 1) if len(call.arguments) > 1 else None
        ctx.builder.emit(ctx.hooks.thread(ctx, name, argument, call.node, 0))
    return done(ctx)


def start_at(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_spawn_at(f, n, value)`: a thread that runs a function with a value for its `n`-th parameter, from 0.

    Its other arguments are arbitrary. There is none for a null pointer.
    """
    position = call.number(ctx, 1).constant
    assert position is not None
    value = call.value(ctx, 2)
    for name in call.handed(ctx, 0):
        ctx.builder.emit(ctx.hooks.thread(ctx, name, value, call.node, position))
    return done(ctx)
