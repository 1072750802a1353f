"""pthread_once, cleanup handlers: what depends on how functions and threads end."""

from __future__ import annotations

from collections.abc import Callable

from duet.frontend.cells import gate
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number, snapshot
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.locking import note_running
from duet.frontend.cells.sharing import may_be_cancelled
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import NOTHING, Elsewhere, Holder
from duet.frontend.ctypes.types import VOID
from duet.frontend.ctypes.values import Address, Number, Untracked, Value, truth
from duet.frontend.judgments.identity import CANCELLED
from duet.frontend.judgments.marks import Mark
from duet.frontend.models import jumps
from duet.frontend.models.call import Call, answer, done
from duet.frontend.models.locks import find_lock, put, when
from duet.frontend.models.unknown import tell_of_handler
from duet.plip.syntax import SKIP, Atomic

VAGUE: Mark[str] = Mark("vague endings")
"""The mark of programs in which it is not known what is still to be done where a thread ends."""
_ANY_TIME = "what is still to be done where a thread ends is not known: any of it may happen here"
_PUSHED = Elsewhere("arguments of cleanup handlers")


def once(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_once: one thread runs the function (0 not yet, 1 running, 2 done), the others wait for it."""
    place = call.target(ctx, 0)
    functions = call.functions(ctx, 1)

    def action(target: Target) -> Value:
        builder = ctx.builder
        control = find_lock(ctx, target, call)
        builder.flush()
        note_running(ctx, target.place, call.node, ends=False)
        first, later, join = builder.fresh(), builder.fresh(), builder.fresh()
        # who is cancelled meanwhile may stop anywhere, with what is then to be done by others
        is_vague = control is None or ctx.facts.is_known(VAGUE) or may_be_cancelled(ctx)
        if control is None or is_vague:
            for way, after in zip(builder.fork(2), (first, later), strict=True):
                builder.at(way)
                builder.goto(after)
        else:
            cell = control.cell
            builder.edge(Atomic((when(cell, "==", 0), put(cell, 1))), first)
            builder.edge(when(cell, "==", 2), later)
            builder.dead()
            # POSIX: a call that does not return has not been made
            ctx.thread.endings.append(
                (
                    ctx.thread.template,
                    lambda: builder.emit(put(cell, 0), mark="a thread ends in a function called once"),
                )
            )
        builder.at(first)
        if control is not None:
            ctx.thread.once.append((control.cell, len(ctx.thread.frames) + 1))
        for way, name in zip(builder.fork(len(functions)), functions, strict=True):
            builder.at(way)
            ctx.hooks.run(ctx, name, (), call.node)
            builder.flush()
            if control is not None:
                builder.emit(put(control.cell, 2))
            note_running(ctx, target.place, call.node, ends=True)
            builder.emit(SKIP)
            builder.goto(join)
        if control is not None:
            ctx.thread.once.pop()
        if not is_vague:
            ctx.thread.endings.pop()
        builder.at(later)
        note_running(ctx, target.place, call.node, ends=True)
        builder.emit(SKIP)
        builder.goto(join)
        builder.at(join)
        return Untracked(VOID)

    gate.each(ctx, place, Touch.LOCK, call.node, action, VOID)
    return answer(ctx, 0)


def push(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cleanup_push: the function runs where the thread ends, or where it is popped."""
    functions = call.functions(ctx, 0)
    given = call.value(ctx, 1)
    argument = snapshot(ctx, number(ctx, given) if isinstance(given, Number | Address) else given)
    if ctx.facts.is_known(VAGUE) or ctx.facts.is_known(CANCELLED):
        ctx.builder.doubt(_ANY_TIME)
        ctx.facts.pointers.hold(_PUSHED, number(ctx, argument).origins if isinstance(argument, Number) else NOTHING)
        run_any_time(ctx, call, functions, _PUSHED)
        jumps.note_handler(ctx)
    ctx.thread.endings.append((ctx.thread.template, _runs(ctx, call, functions, argument)))
    return done(ctx)


def _runs(ctx: Context, call: Call, functions: tuple[str, ...], argument: Value) -> Callable[[], None]:
    def run() -> None:
        builder = ctx.builder
        ways = builder.fork(len(functions)) if len(functions) != 1 else [builder.current]
        join = builder.fresh()
        for way, name in zip(ways, functions, strict=True):
            builder.at(way)
            ctx.hooks.run(ctx, name, (argument,), call.node)
            builder.goto(join)
        builder.at(join)

    return run


def pop(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_cleanup_pop: runs what was pushed last if its argument is not 0."""
    wanted = call.number(ctx, 0)
    if not ctx.thread.endings or ctx.thread.endings[-1][0] != ctx.thread.template:
        ctx.builder.doubt(_ANY_TIME)
        return done(ctx)
    _, run = ctx.thread.endings.pop()
    ctx.builder.flush()
    if wanted.constant is None:
        yes, no = ctx.builder.branch(truth(wanted))
        ctx.builder.at(yes)
        run()
        ctx.builder.goto(no)
        ctx.builder.at(no)
    elif wanted.constant:
        run()
    return done(ctx)


def run_endings(ctx: Context) -> None:
    """What the thread still does where it ends here, the last one first."""
    mine = [item for item in ctx.thread.endings if item[0] == ctx.thread.template]
    if not mine:
        return
    if (
        ctx.facts.recursive or ctx.thread.shared_frames
    ):  # bodies that serve several calls: which calls are open is not known
        ctx.facts.mark_any(VAGUE)
        ctx.builder.doubt(_ANY_TIME)
    kept, ctx.thread.endings = ctx.thread.endings, []
    for _, run in reversed(mine):
        run()
    ctx.thread.endings = kept


def run_any_time(ctx: Context, call: Call, functions: tuple[str, ...], source: Holder) -> None:
    """Functions that may run at any time from here on, with what is held somewhere."""
    ctx.builder.flush()
    for name in functions:
        tell_of_handler(ctx, call, name)
        ctx.builder.edge(ctx.hooks.ending(ctx, name, source, call.node), ctx.builder.current)
