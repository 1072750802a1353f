"""Thread creation, joining and ending. A thread id is the address of an object that stands for the thread."""

from __future__ import annotations

from duet.frontend.access import write
from duet.frontend.context import Context, Outcome
from duet.frontend.convert import number
from duet.frontend.models.call import Call, Model, answer, done, never
from duet.frontend.models.unknown import arbitrary, reachable
from duet.frontend.types import INT, ULONG, VOID_POINTER, CType, is_scalar
from duet.frontend.values import ANYTHING, Address, Number, Place, Temporary, Untracked, Value, addresses, literal
from duet.plip.syntax import Havoc, Join, Spawn
from duet.plip.terms import constant, variable

THREAD = "thread "
"""Starts the origin of a thread id."""
IDS = 1 << 20


def create(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_create: 0 with a new thread, or an error number without."""
    place = call.target(ctx, 0)
    call.value(ctx, 1)
    return _create(ctx, call, place, call.function(ctx, 2), call.value(ctx, 3))


def create_c11(ctx: Context, call: Call) -> list[Outcome]:
    """thrd_create."""
    return _create(ctx, call, call.target(ctx, 0), call.function(ctx, 1), call.value(ctx, 2))


def _create(
    ctx: Context, call: Call, place: Place, functions: tuple[str, ...] | None, argument: Value
) -> list[Outcome]:
    if functions is None:
        functions = tuple(sorted(ctx.facts.functions))
        ctx.warn(call.node, "unresolved-thread", "which function this thread runs is not known: any may be")
    fixed = number(ctx, argument) if functions != () else argument
    ctx.builder.flush()
    *ways, failed = ctx.builder.fork(len(functions) + 1)
    found: list[Outcome] = []
    for way, name in zip(ways, functions, strict=True):
        ctx.builder.at(way)
        command = ctx.hooks.thread(ctx, name, fixed if len(functions) > 1 else argument, call.node)
        if command is None:
            continue
        write(ctx, place, thread_id(ctx, command.template), call.node)
        emit_spawn(ctx, command)
        found.append((ctx.builder.current, literal(0)))
    ctx.builder.at(failed)
    return [*found, (failed, literal(11))]


def emit_spawn(ctx: Context, command: Spawn) -> None:
    """Starts a thread; with any number of instances where the run is parameterized."""
    ctx.builder.flush()
    if ctx.options.parameterized and ctx.options.entries is None:
        ctx.builder.edge(command, ctx.builder.current)
    ctx.builder.emit(command)


def thread_id(ctx: Context, template: str) -> Number:
    """The id of a new thread of a template: a constant, or any of a range where there can be several."""
    base = ctx.memory.base(f"{THREAD}{template}", IDS)
    origins = frozenset((f"{THREAD}{template}",))
    if template not in ctx.facts.many:
        return Number(constant(base), ULONG, base, base, origins)
    name = ctx.temporary(ULONG)
    ctx.builder.emit(Havoc(name, base, base + IDS - 1))
    return Number(variable(name), ULONG, base, base + IDS - 1, origins)


def join(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_join: waits where the id can only be that of one known thread, else orders nothing."""
    found = call.number(ctx, 0)
    result = call.target(ctx, 1) if len(call.arguments) > 1 else Temporary(VOID_POINTER)
    threads = [name for name in found.origins if name.startswith(THREAD)]
    if len(threads) == 1 and len(addresses(found.origins)) == 1:
        ctx.builder.emit(Join(threads[0].removeprefix(THREAD)))
    if (
        not isinstance(result, Temporary)
        and len(call.arguments) > 1
        and is_scalar(result.type)
        and not _is_null(result)
    ):
        write(ctx, result, ctx.havoc(result.type, frozenset((ANYTHING, "<external>"))), call.node)
    return answer(ctx, 0)


def _is_null(place: Place) -> bool:
    address = getattr(place, "address", None)
    return isinstance(address, Number) and address.constant == 0


def self_id(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_self."""
    del call
    return answer(ctx, thread_id(ctx, ctx.template))


def equal(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_equal."""
    call.evaluate_all(ctx)
    return answer(ctx, ctx.havoc(INT))


def leave(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_exit: to the end of the thread."""
    call.evaluate_all(ctx)
    ctx.builder.goto(ctx.builder.exit)
    return done(ctx)


def stop(ctx: Context, call: Call) -> list[Outcome]:
    """exit, abort: this thread takes no further step."""
    call.evaluate_all(ctx)
    return never(ctx)


def registers(kind: CType) -> Model:
    """signal, atexit and the like: the functions given may run at any time from here on, any number of times."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        values = call.evaluate_all(ctx)
        origins = frozenset[str]().union(*(number(ctx, v).origins for v in values if isinstance(v, Address | Number)))
        ctx.builder.flush()
        for name in sorted(key[:-2] for key in reachable(ctx, origins) if key.endswith("()")):
            command = ctx.hooks.thread(ctx, name, None, call.node)
            if command is not None:
                ctx.assume("signal and exit handlers run like threads, with thread-local variables of their own")
                ctx.warn(call.node, "handler", f"'{name}' may run at any time from here on: it is taken as a thread")
                ctx.builder.edge(command, ctx.builder.current)
        return answer(ctx, arbitrary(ctx, call, kind, values))

    return model


def nothing(ctx: Context, call: Call) -> list[Outcome]:
    """Only the arguments are evaluated."""
    call.evaluate_all(ctx)
    return answer(ctx, Untracked(VOID_POINTER))


def start(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_spawn(f)`: a thread that runs a function with arbitrary arguments."""
    for name in call.function(ctx, 0) or ():
        argument = call.value(ctx, 1) if len(call.arguments) > 1 else None
        command = ctx.hooks.thread(ctx, name, argument, call.node)
        if command is not None:
            ctx.builder.emit(command)
    return done(ctx)
