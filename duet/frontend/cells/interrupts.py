"""What a thread has to expect of interrupts of its own processor, for the property deadlock.

Where interrupts are on, a handler may run inside of the thread, which goes on when that has ended: it waits for the
handler, with all the locks that it has. Each kind of handlers is a lock for that, which they have while they run, as in
`duet.frontend.cells.waiting`. The thread waits for it behind each spinlock that it takes, and where it lets interrupts
in again. Whether they are off is a cell of the thread; the saved state goes with the variable for the flags.

*Approximates*: over. Interrupts are on where it is not known who turned them off.
"""

from __future__ import annotations

from duet.frontend.cells import waiting
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import CellAt
from duet.frontend.ctypes.types import INT, FunctionType
from duet.frontend.ctypes.values import Direct, Object, Place
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.accesses import AccessKind
from duet.plip.syntax import Assign, Formula
from duet.plip.terms import add, compare, conjunction, constant, variable

HARD, SOFT = "interrupts of this processor", "bottom halves of this processor"
THREADED: Mark[str] = Mark("handlers that run as threads")
PRIMARY: Mark[str] = Mark("handlers that interrupt")
_SERVED: Mark[str] = Mark("what interrupts threads")
_OFF, _HELD, _SAVED = "interrupts are off", "bottom halves are held back", "interrupts were off"


def context_of(ctx: Context, key: str, function: FunctionType) -> str:
    """What a function is one of that runs inside of other threads; empty for one that does not, as far as is known."""
    kinds = waiting.kinds_of(function)
    is_threaded = key in ctx.facts.marked(THREADED) and key not in ctx.facts.marked(PRIMARY)
    if (waiting.INTERRUPTS in kinds and not is_threaded) or waiting.CLOCKS in kinds:
        return HARD
    return SOFT if waiting.TIMERS in kinds or waiting.TASKLETS in kinds else ""


def start(ctx: Context) -> None:
    """A thread starts: nothing is turned off."""
    if waiting.is_wanted(ctx):
        for what in (_OFF, _HELD):
            _put(ctx, what, 0)


def begin(ctx: Context, what: str, node: Node) -> None:
    """A handler runs: no other one of its kind does on its processor."""
    ctx.facts.mark(_SERVED, what)
    waiting.note(ctx, what, node, AccessKind.TAKE)
    if what == HARD:
        _put(ctx, _OFF, 1)
    else:
        _count(ctx, 1)


def end(ctx: Context, what: str, node: Node) -> None:
    """The handler returns."""
    if what == HARD:
        _put(ctx, _OFF, 0)
    else:
        _count(ctx, -1)
    waiting.note(ctx, what, node, AccessKind.UNLOCK)


def switch(ctx: Context, are_off: bool, node: Node) -> None:
    """Interrupts are turned off, or on again."""
    if waiting.is_wanted(ctx):
        _put(ctx, _OFF, int(are_off))
        if not are_off:
            note_open(ctx, node)


def hold_back(ctx: Context, change: int, node: Node) -> None:
    """Bottom halves are held back once more, or once less."""
    if waiting.is_wanted(ctx):
        _count(ctx, change)
        if change < 0:
            note_open(ctx, node)


def save(ctx: Context, flags: Place) -> None:
    """Interrupts are turned off; whether they were is kept with the variable."""
    if waiting.is_wanted(ctx):
        if (saved := _saved(ctx, flags)) is not None:
            ctx.builder.emit(Assign(saved, variable(_cell(ctx, _OFF))))
        _put(ctx, _OFF, 1)


def restore(ctx: Context, flags: Place, node: Node) -> None:
    """Interrupts are as they were when the variable was filled; on, where that is not known."""
    if waiting.is_wanted(ctx):
        saved = _saved(ctx, flags)
        ctx.builder.emit(Assign(_cell(ctx, _OFF), constant(0) if saved is None else variable(saved)))
        note_open(ctx, node)


def note_open(ctx: Context, node: Node) -> None:
    """Notes that the thread may be interrupted here, where that makes a difference."""
    if not waiting.is_wanted(ctx):
        return
    hard = compare(variable(_cell(ctx, _OFF)), "==", constant(0))
    soft = conjunction((hard, compare(variable(_cell(ctx, _HELD)), "<=", constant(0))))
    for what, condition in ((HARD, hard), (SOFT, soft)):
        if what in ctx.facts.marked(_SERVED):
            _wait(ctx, what, condition, node)


def _wait(ctx: Context, what: str, condition: Formula, node: Node) -> None:
    """Waits for handlers of a kind under a condition."""
    ctx.builder.flush()
    here, after = ctx.builder.branch(condition)
    ctx.builder.at(here)
    waiting.note(ctx, what, node, AccessKind.LOCK)
    waiting.note(ctx, what, node, AccessKind.UNLOCK)
    ctx.builder.goto(after)
    ctx.builder.at(after)


def _put(ctx: Context, what: str, value: int) -> None:
    ctx.builder.emit(Assign(_cell(ctx, what), constant(value)))


def _count(ctx: Context, change: int) -> None:
    cell = _cell(ctx, _HELD)
    ctx.builder.emit(Assign(cell, add(variable(cell), constant(change))))


def _saved(ctx: Context, flags: Place) -> str | None:
    """The cell of the state that goes with a variable of the thread."""
    if not isinstance(flags, Direct) or flags.path or flags.object.template != ctx.thread.template:
        return None
    return _cell(ctx, f"{_SAVED}, by {flags.object.key}")


def _cell(ctx: Context, what: str) -> str:
    """A cell of the thread."""
    key = f"{ctx.thread.template}::{what}"
    if key not in ctx.memory.objects:
        ctx.memory.declare(Object(key, INT, "local", ctx.thread.template, what), None)
    of = ctx.memory.objects[key]
    cell = ctx.memory.locate(Direct(of, (), INT))
    assert isinstance(cell, CellAt)
    ctx.facts.objects.written.add(cell.starred)
    return cell.name
