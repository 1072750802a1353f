"""`setjmp` and `longjmp`: jumps out of functions, as edges from where one is made to where one may lead back.

A jump leads to any call of `setjmp` of the same thread, whether the function around that is still active or not. So
does one that code that is not there may make, as it may know what `setjmp` stored. Behind it the result is any number
but 0, and locals of the function around the call that C leaves indeterminate hold anything. What the functions that are
left had still to do is not done. In a recursive function, locals of all activations that may have been left hold
anything: their cells are those of the inner ones, too (see `duet.frontend.bodies.recursion`).

A handler that jumps ends, and leads the thread that it interrupts, wherever that is, to one of the places where it has
called `setjmp`: any thread, from anywhere, as handlers are threads of their own here. If it uses locks, that thread may
have those then, which it did not take: no lock of such a program orders anything.

*Approximates*: over. A thread that jumps and calls no `setjmp` has no defined behaviour. *Raises*: Unrecoverable for
jumps from or into an atomic section, and where a handler may jump that runs where the process ends.
"""

from __future__ import annotations

from duet.errors import Unrecoverable
from duet.frontend.cells import lifetimes
from duet.frontend.cells.access import havoc_place
from duet.frontend.cells.context import Context
from duet.frontend.cells.sharing import may_be_cancelled
from duet.frontend.cells.thread import Frame, Outcome
from duet.frontend.ctypes.declarations import is_volatile
from duet.frontend.ctypes.origins import NOTHING
from duet.frontend.ctypes.types import INT
from duet.frontend.ctypes.values import Direct, Object, literal
from duet.frontend.graph.returns import Landing
from duet.frontend.judgments.identity import APART, HANDLER, SIGNALLED
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.call import Call, done, either, never
from duet.frontend.models.effects import POINTED, effect
from duet.frontend.models.locks import INHERITED
from duet.plip.syntax import SKIP
from duet.source import Span

LANDINGS: Mark[str] = Mark("landings")
"""The mark of programs that call `setjmp`."""
_UNWINDING: Mark[str] = Mark("unwinding")
"""The mark of programs in which the end of a thread jumps, see `register`."""
_INTERRUPTING: Mark[str] = Mark("handler that may jump")
"""The mark of programs in which handlers may jump into the threads that they interrupt."""
LOCKING: Mark[str] = Mark("uses locks")
"""The mark of templates that may take locks, or give them back."""
_OWN = "longjmp is called by the thread that called setjmp (else the behaviour is undefined)"
_MARK = "a jump leads to any call of setjmp of the thread"
_WITH_LOCKS = (
    "this handler uses locks and may jump into the thread that it interrupts: all locks are taken to order nothing"
)
_FROM_HANDLERS = "a handler may jump into the thread that it interrupts: from anywhere to any call of setjmp there"
_STORE = effect((0, POINTED)).model


def prepare(ctx: Context, call: Call) -> list[Outcome]:
    """setjmp: 0, and later any other number where a jump leads back."""
    _check_place(ctx, call)
    ((before, _),) = _STORE(ctx, call)
    ctx.warn(call.node, "jump", "jumps out of functions are not matched: any of the thread may lead here")
    builder = ctx.builder
    builder.at(before)
    builder.flush()
    landing = builder.outside()
    builder.mark(landing)
    is_repeated = ctx.thread.frame.loops > 0
    for frame in ctx.thread.frames:
        frame.loops += 1  # what follows may be repeated
    ctx.thread.known = {}
    start = builder.current
    builder.landings.append((start, landing, ctx.span(call.node)))
    builder.at(landing)
    recursive = next((frame for frame in ctx.thread.frames if frame.function in ctx.facts.recursive), None)
    if recursive is not None:
        ctx.open_gap(recursive, is_return=True)
    _forget(ctx, ctx.thread.frame, is_repeated)
    lifetimes.leave_stack(ctx)
    builder.flush()
    return [(start, literal(0)), *either(ctx, range(1, INT.hi + 1), range(INT.lo, 0))]


def leap(ctx: Context, call: Call) -> list[Outcome]:
    """longjmp: to any place where `setjmp` was called."""
    _check_place(ctx, call)
    call.evaluate_all(ctx)
    ctx.builder.flush()
    ctx.builder.leaps.append((ctx.builder.current, ctx.span(call.node)))
    return never(ctx)


def register(ctx: Context, call: Call) -> list[Outcome]:
    """`pthread_cleanup_push` as glibc's headers have it: a variant of `setjmp`, whose buffer is handed over here.

    Where the thread ends, a jump leads there; the handler runs, and `__pthread_unwind_next` jumps on. A thread that may
    be cancelled may end, and so jump, anywhere.
    """
    call.evaluate_all(ctx)
    ctx.facts.mark_any(_UNWINDING)
    if may_be_cancelled(ctx):
        ctx.warn(call.node, "cancellation", "this thread may be cancelled: from anywhere it may jump here")
    return done(ctx)


def note_handler(ctx: Context) -> None:
    """A handler that runs where this thread is cancelled is a thread here: it runs in no atomic section of that."""
    ctx.facts.mark_any(_UNWINDING)


def note_section(ctx: Context) -> None:
    """An atomic section of the program begins here, out of which something may jump that may do so anywhere."""
    if _jumps_anywhere(ctx):
        ctx.builder.note_chance()


def _jumps_anywhere(ctx: Context) -> bool:
    is_ended = ctx.facts.is_known(_UNWINDING) and may_be_cancelled(ctx)
    return is_ended or ctx.facts.is_known(_INTERRUPTING)


def note_end(ctx: Context) -> None:
    """A thread ends here, which may lead to handlers first, see `register`."""
    if ctx.facts.is_known(_UNWINDING):
        ctx.builder.note_chance()


def _check_place(ctx: Context, call: Call) -> None:
    if ctx.builder.is_inside:
        raise Unrecoverable(f"'{call.name}' in an atomic section is not modelled", ctx.span(call.node))


def _forget(ctx: Context, frame: Frame, is_repeated: bool) -> None:
    """Makes unknown the locals of a function that may have changed between `setjmp` and a jump, if not volatile.

    Where the call of `setjmp` may be repeated, locals that are only initialised change as well.
    """
    changed = frame.body.changed if frame.body is not None else frozenset()
    for local, of in frame.locals.items():
        if isinstance(of, Object) and (is_repeated or local in changed) and not is_volatile(local.node):
            havoc_place(ctx, Direct(of, (), of.type), NOTHING)


def connect(ctx: Context) -> None:
    """Adds the jumps of a template that is complete but for them."""
    builder = ctx.builder
    leaps = [(place, span) for place, span in builder.leaps if place in builder.reached]
    chances = [(place, span) for place, span in builder.chances if place in builder.reached]
    if builder.landings:
        ctx.facts.mark_any(LANDINGS)
    if ctx.thread.template in ctx.facts.marked(HANDLER):
        _check_handler(ctx, [*leaps, *(chances if ctx.facts.is_known(LANDINGS) else ())])
    if builder.landings or (ctx.facts.is_known(_UNWINDING) and may_be_cancelled(ctx)):
        for place, span in chances:
            if place in builder.atomic:
                raise Unrecoverable("code that is not there may jump out of this atomic section", span)
    if not builder.landings:
        if leaps:
            ctx.assume(_OWN)
        return
    if _jumps_anywhere(ctx):
        anywhere = sorted(builder.reached - builder.atomic - {builder.exit})
        leaps += [(place, None) for place in anywhere]
    hub = builder.outside()
    for place, span in (*leaps, *chances):
        builder.span = span or builder.span
        builder.at(place)
        builder.edge(SKIP, hub, mark=_MARK)
    for start, landing, span in builder.landings:
        builder.span = span
        builder.at(hub)
        builder.edge(SKIP, landing, mark=_MARK)
        builder.crossings.append(Landing(start, hub, landing))


def _check_handler(ctx: Context, jumping: list[tuple[int, Span | None]]) -> None:
    """Lets other threads jump where a handler may. *Raises*: Unrecoverable where that says too little."""
    if not jumping:
        return
    handler, span = ctx.thread.template, jumping[0][1]
    if any(place in ctx.builder.atomic for place, _ in jumping):
        raise Unrecoverable("code that is not there may jump out of an atomic section of this handler", span)
    if handler not in ctx.facts.marked(APART) | ctx.facts.marked(SIGNALLED):
        raise Unrecoverable("a handler that may jump where the process ends is not modelled", span)
    if handler in ctx.facts.marked(LOCKING):
        ctx.facts.mark_any(INHERITED)
        if not ctx.is_silent:
            ctx.findings.warn(span or ctx.place_of(None), "jump", _WITH_LOCKS)
    ctx.facts.mark_any(_INTERRUPTING)
    ctx.assume(_FROM_HANDLERS)
