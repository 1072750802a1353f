"""Data of a thread by key (`pthread_key_create`, C11's `tss_create`): a cell for each thread and key, null at first.

A key is known by the call that creates it, or by the `pthread_once_t` of the function that does, as long as its number
is only moved as a whole (see `convert.is_copy`). What is known by one name may be several keys: how many have been
created is counted, and if that is more than one, a thread finds anything that points to what it ever kept by one of
them. Where some key is not known, what threads keep by keys may be anything that any of them kept.

What destructors do is part of the threads (`destructors`), unless it is not known who runs them, and when.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from duet.frontend.cells.access import hand_over, read, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import is_copy, snapshot
from duet.frontend.cells.located import Initial
from duet.frontend.cells.regions import region
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, DataKey, Elsewhere, keys
from duet.frontend.ctypes.types import UINT, VOID_POINTER
from duet.frontend.ctypes.values import Direct, Number, Object, Value, in_type, literal
from duet.frontend.expressions.places import thread_local
from duet.frontend.judgments.identity import CANCELLED, HANDLER, LOOSE_KEYS
from duet.frontend.judgments.marks import Mark
from duet.frontend.models.call import Call, Model, answer, either
from duet.frontend.models.endings import run_any_time
from duet.frontend.models.heap import site
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Assign, Cell, Havoc
from duet.plip.terms import compare, constant, variable


@dataclass(frozen=True, slots=True)
class Destructor:
    """A function that may be the destructor of a key; `node` is where the key is created."""

    key: str
    function: str
    node: Node = field(compare=False)


KEPT = "<data of threads>"
"""The cell of what destructors are given: what threads keep that is not null."""
_ONCE = "once"
_LIBRARY = Elsewhere("kept by keys")
_DESTROYED: Mark[str] = Mark("destroyed data")
"""The mark of keys whose data a destructor is given."""
_DELETED: Mark[str] = Mark("deleted keys")
"""The mark of programs that delete keys, it is not known which."""
KEEPERS: Mark[tuple[str, str]] = Mark("keepers")
"""The mark of templates and the keys by which their threads keep something."""
DESTRUCTORS: Mark[Destructor] = Mark("destructors")
"""The mark of destructors."""
KEPT_WHERE_IGNORED = "threads keep what they are to keep by a key where the program ignores whether they could"
"""What is assumed of `pthread_setspecific` where its result is not used."""


def create_key(*failures: int) -> Model:
    """pthread_key_create: where it is not known who runs the destructor, that may be at any time from here on."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        place = call.target(ctx, 0)
        destructors = call.functions(ctx, 1)
        created, *failed = ctx.builder.fork(1 + len(failures), is_given=True)
        ctx.builder.at(created)
        key = _name(ctx, call)
        if destructors:
            ctx.facts.mark(_DESTROYED, key)
        ctx.facts.mark(DESTRUCTORS, *(Destructor(key, function, call.node) for function in destructors))
        _count(ctx, key)
        name = ctx.temporary(UINT)
        ctx.builder.emit(Havoc(name, 0, UINT.hi), is_given=True)
        ctx.temporaries.copies.add(name)
        write(ctx, place, Number(variable(name), UINT, 0, UINT.hi, frozenset((DataKey(key),))), call.node)
        if are_any_time(ctx):
            run_any_time(ctx, call, destructors, _common(ctx))
        done = (ctx.builder.current, literal(0))
        return [done, *((way, literal(code)) for way, code in zip(failed, failures, strict=True))]

    return model


def set_data(*failures: int) -> Model:
    """pthread_setspecific: what this thread keeps by a key."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        key = _known(ctx, call.number(ctx, 0), call)
        if ctx.thread.template in ctx.facts.marked(HANDLER):  # the thread that it interrupts keeps the value
            ctx.facts.mark_any(LOOSE_KEYS)
        value = snapshot(ctx, call.value(ctx, 1))
        ctx.builder.flush()
        codes = _failures(ctx, call, failures)
        kept, *failed = ctx.builder.fork(1 + len(codes), is_given=True)
        ctx.builder.at(kept)
        is_loose = key is None or ctx.facts.is_known(LOOSE_KEYS)
        if is_loose or (key in ctx.facts.marked(_DESTROYED) and are_any_time(ctx)):
            hand_over(ctx, _common(ctx), value)  # a destructor has it from here on
            if is_loose:
                ctx.facts.pointers.hold(_LIBRARY, ctx.facts.pointers.held(_common(ctx)))
        if key is not None:
            _expect_created(ctx, key)
            ctx.facts.mark(KEEPERS, (ctx.thread.template, key))
            write(ctx, _own(ctx, key, call.node), value, call.node)
        ctx.builder.flush()
        done = (ctx.builder.current, literal(0))
        return [done, *((way, literal(code)) for way, code in zip(failed, codes, strict=True))]

    return model


def get_data(ctx: Context, call: Call) -> list[Outcome]:
    """pthread_getspecific: what this thread kept by a key, null if that is nothing."""
    key = _known(ctx, call.number(ctx, 0), call)
    is_loose = ctx.facts.is_known(LOOSE_KEYS)
    if key is not None and not is_loose:
        _expect_created(ctx, key)
        return answer(ctx, find(ctx, key, call.node))
    if not is_loose:  # nothing is known of the key yet: there is another round
        return answer(ctx, literal(0, VOID_POINTER))
    if ctx.facts.is_any_marked(LOOSE_KEYS):
        return answer(ctx, ctx.havoc(VOID_POINTER, UNKNOWN_POINTER))
    name, common = ctx.temporary(VOID_POINTER), _common(ctx)
    ctx.builder.doubt("what a thread keeps by a key that is not known may be what any thread keeps")
    ctx.builder.emit(Assign(name, variable(common)))
    return answer(ctx, in_type(variable(name), VOID_POINTER, ctx.facts.pointers.held(common)))


def delete_key(*results: int | range) -> Model:
    """pthread_key_delete: who keeps something by the key keeps it, and it is not destroyed where the thread ends."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        found = call.number(ctx, 0)
        names = keys(found.origins)
        is_one = len(names) == 1 and not found.origins & UNKNOWN_POINTER and is_copy(ctx, found)
        ctx.builder.flush()
        if is_one:
            ctx.builder.emit(Assign(deleted(ctx, names[0]), constant(1)))
        else:
            ctx.facts.mark_any(_DELETED)
        return either(ctx, *results)

    return model


def are_any_time(ctx: Context) -> bool:
    """Whether destructors may run at any time: it is not known where threads end, or by which keys they keep what."""
    return ctx.facts.is_known(LOOSE_KEYS) or ctx.facts.is_known(CANCELLED)


def may_be_deleted(ctx: Context) -> bool:
    """Whether a key may be deleted and it is not known which."""
    return ctx.facts.is_known(_DELETED)


def deleted(ctx: Context, key: str) -> str:
    """The cell that is 1 once a key of a name has been deleted."""
    name = f"{KEPT} {key} deleted"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, None, False, 0, 0, "a key is deleted", ctx.builder.span)
    return name


def _failures(ctx: Context, call: Call, codes: tuple[int, ...]) -> tuple[int, ...]:
    """The ways in which keeping something may fail: none where nobody asks, which is assumed and reported."""
    if ctx.thread.ignored is not call.node:
        return codes
    ctx.assume_at(call.node, KEPT_WHERE_IGNORED)
    return ()


def _name(ctx: Context, call: Call) -> str:
    """What a new key is called: the same in all calls of the function that makes it, if that is to run once."""
    if not ctx.thread.once:
        return site(ctx, call)
    control, depth = ctx.thread.once[-1]
    calls = [f"{frame.call.line}:{frame.call.column}" for frame in ctx.thread.frames[depth:] if frame.call is not None]
    return " ".join((_ONCE, control, str(ctx.span(call.node)), "/".join(calls))).rstrip()


def _are_several(ctx: Context, key: str) -> bool:
    """Whether several keys may go by one name: always if a function that runs once makes it, else as for objects."""
    return key.startswith(_ONCE) or key in ctx.facts.objects.repeated


def _count(ctx: Context, key: str) -> None:
    """Counts in one step that one more key of a name is created: none, one, more."""
    ctx.builder.flush()
    created = _created(ctx, key)
    if not _are_several(ctx, key):
        ctx.builder.emit(Assign(created, constant(1)))
        return
    with region(ctx):
        first, again = ctx.builder.branch(compare(variable(created), "==", constant(0)))
        after = ctx.builder.fresh()
        for way, many in ((first, 1), (again, 2)):
            ctx.builder.at(way)
            ctx.builder.emit(Assign(created, constant(many)))
            ctx.builder.goto(after)
        ctx.builder.at(after)


def find(ctx: Context, key: str, node: Node) -> Value:
    """What a thread finds by a key: what it has kept, if there is only one key of that name."""
    own = _own(ctx, key, node)
    if not _are_several(ctx, key):
        return snapshot(ctx, read(ctx, own, node))
    ctx.builder.flush()
    only, several = ctx.builder.branch(compare(variable(_created(ctx, key)), "<=", constant(1)))
    ctx.builder.at(several)
    ctx.builder.doubt("which of several keys is used is not known")
    kept = read(ctx, own, node)
    assert isinstance(kept, Number)
    write(ctx, own, ctx.havoc(VOID_POINTER, kept.origins), node)
    ctx.builder.flush()
    ctx.builder.goto(only)
    ctx.builder.at(only)
    return snapshot(ctx, read(ctx, own, node))


def forget(ctx: Context, key: str, node: Node) -> None:
    """Keeps nothing any more by a key."""
    write(ctx, _own(ctx, key, node), literal(0, VOID_POINTER), node)
    ctx.builder.flush()


def _known(ctx: Context, found: Number, call: Call) -> str | None:
    """The name of the key that a number is, if there is only one that it can be.

    A handler runs in any thread: whose data it means is not known.
    """
    names = keys(found.origins)
    if not names and not found.origins & UNKNOWN_POINTER and not ctx.is_settled(ctx.site(call.node, "key ")):
        return None
    is_one = len(names) == 1 and not found.origins & UNKNOWN_POINTER and is_copy(ctx, found)
    if is_one and ctx.thread.template not in ctx.facts.marked(HANDLER):
        return names[0]
    ctx.facts.mark(LOOSE_KEYS, ctx.thread.template)
    return None


def _created(ctx: Context, key: str) -> str:
    """The cell that counts the keys of a name that have been created, up to two."""
    name = f"{KEPT} {key} created"
    if name not in ctx.memory.cells:
        ctx.memory.cells[name] = Cell(name, None, False, 0, 0, "a key is created", ctx.builder.span)
    return name


def _expect_created(ctx: Context, key: str) -> None:
    """Goes on with a doubt where a key is used that has not been created, which has no defined meaning."""
    ctx.builder.flush()
    missing, there = ctx.builder.branch(compare(variable(_created(ctx, key)), "==", constant(0)))
    after = ctx.builder.fresh()
    for way, doubt in ((there, ""), (missing, "a key is used that is not created yet")):
        ctx.builder.at(way)
        if doubt:
            ctx.builder.doubt(doubt)
        ctx.builder.goto(after)
    ctx.builder.at(after)


def _own(ctx: Context, key: str, node: Node) -> Direct:
    """Where this thread keeps what belongs to a key."""
    name = f"{KEPT} {key}"
    if name not in ctx.memory.objects:
        of = Object(name, VOID_POINTER, "thread", None, "data of the thread", ctx.span(node))
        ctx.memory.declare(of, Initial({}, {}))
    return Direct(thread_local(ctx, ctx.memory.objects[name]), (), VOID_POINTER)


def _common(ctx: Context) -> str:
    """The cell for what destructors are given, and for everything where some key is not known."""
    if KEPT not in ctx.memory.cells:
        ctx.memory.cells[KEPT] = Cell(KEPT, None, True, 0, 0, "data of threads", ctx.builder.span)
    return KEPT
