"""Whether the memory behind a pointer has been given back: the checks of `use-after-free`.

Each object of the heap that something gives back has a cell that is 1 from then on; one that stands for several objects
has a summary cell. An access has a check in front of it, and a guard behind it that lets pass what is still there then:
an execution in which memory is given back in between did something undefined, and one in which the check comes later
fails it. Such an execution is cut off, as behind any check that fails, so that no schedule leads through it.
What `alloca` gives may be gone from the end of the function on that asked for it, and nothing gives it back.
*Approximates*: over; memory outside of the program is there as long as nothing in it may give any of that back.
"""

from __future__ import annotations

from collections.abc import Sequence

from duet.frontend.cells import texts
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import allocated
from duet.frontend.cells.sharing import may_be_cancelled
from duet.frontend.cells.thread import Frame
from duet.frontend.ctypes.origins import (
    EXTERNAL,
    MOVED,
    ObjectAddress,
    Origins,
    addresses,
    distances,
    marks,
    may_be_any,
)
from duet.frontend.ctypes.types import ADDRESS, BOOL
from duet.frontend.ctypes.values import Indirect, Number, Object, truth
from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node
from duet.plip.marks import Loss
from duet.plip.syntax import FALSE, TRUE, Assign, Atomic, Cell, Formula, Guard, Havoc, Linear
from duet.plip.terms import add, compare, conjunction, constant, disjunction, negate, variable
from duet.result import GIVEN_BACK

PROPERTY = "use-after-free"
OUTSIDE = ""
"""The key that stands for memory outside of the program among objects that are given back."""
ASSUMED = (
    "functions of the kernel that are unknown, and devm_* when a device goes, give back no memory that the program"
    " still uses"
)
_UNKNOWN = Loss("a function that is unknown may give back memory of the heap that it can reach")
_UNTOLD = Loss("where this pointer leads is not known")
_LEFT = Loss("memory of the stack is there until its function ends")
STACKED: Mark[str] = Mark("memory of the stack")
"""The mark of objects of `alloca`, by template, too."""
MAPPED: Mark[str] = Mark("mapped memory")
"""The mark of what `free` cannot give back, as `malloc` has not made it."""
_LASTING = texts.CONSTANT | {texts.LIBRARY, texts.ARGUMENTS}


def check_use(ctx: Context, address: Number, offset: Linear | None, node: Node, text: str) -> None:
    """Emits the check that what an access touches, so far behind an address that has a text, is still there.

    There is none where no object of the heap can be meant. *Requires*: no read is deferred.
    """
    if not ctx.wants(PROPERTY):
        return
    fine = _there(ctx, address, offset)
    if fine is not None:
        _assume(ctx)
        ctx.check(node, PROPERTY, fine, f"{text} is still there")


def _assume(ctx: Context) -> None:
    if ctx.options.model == "linux":
        ctx.assume(ASSUMED)


def used(ctx: Context, place: object) -> None:
    """Lets only what was still there pass behind an access to a place."""
    if not ctx.wants(PROPERTY) or not isinstance(place, Indirect):
        return
    offset = ctx.memory.offset(place.base, place.path)
    single = [of for of in _released(ctx, place.address) if not ctx.memory.is_multiple(of)]
    if single and ctx.builder.is_live:
        ctx.builder.flush()
        span, ctx.builder.span = ctx.builder.span, None  # nothing that the source does
        ctx.builder.assume(_kept(ctx, place.address, offset, single))
        ctx.builder.span = span


def release(ctx: Context, address: Number, node: Node, text: str) -> None:
    """Gives back the object at an address, unless that is null, behind the check that this may be done.

    *Requires*: no read is deferred.
    """
    if not ctx.wants(PROPERTY) or address.hi == 0:
        return
    is_any = may_be_any(address.origins)  # one that never was the address of anything can only be null
    known = [of for of in ctx.memory.objects.values() if of.kind == "heap"] if is_any else _heap(ctx, address)
    ctx.facts.objects.released.add(*(of.key for of in known))
    if is_any or _is_of_library(ctx, address.origins):
        may_end_outside(ctx)
    _assume(ctx)
    ctx.check(node, PROPERTY, _returnable(ctx, address, known, is_any), f"{text} {GIVEN_BACK}")
    _give_back(ctx, address, known, is_any)


def begin(ctx: Context, of: Object) -> None:
    """An object that stands for one allocation is new here: nobody can have given it back."""
    if ctx.wants(PROPERTY) and of.key in ctx.facts.objects.released:
        ctx.builder.flush()
        ctx.builder.emit(Assign(_cell(ctx, of), constant(0)))


def begin_stacked(ctx: Context, new: Sequence[Object]) -> None:
    """Some objects, any of which is new here, last until the function ends that lowering is in."""
    for mark in (STACKED, STACKED.of(ctx.thread.template)):
        ctx.facts.mark(mark, *(of.key for of in new))
    if ctx.wants(PROPERTY):
        ctx.facts.objects.released.add(*(of.key for of in new))
        ctx.thread.frame.stacked += new
        if may_be_cancelled(ctx):
            _leave(ctx, new)


def end_stacked(ctx: Context, frame: Frame) -> None:
    """A function returns here: what it had of the stack may be gone, unless that is of another call of it."""
    if frame.stacked:
        _leave(ctx, frame.stacked)


def leave_stack(ctx: Context) -> None:
    """The thread has left functions otherwise than by their return: all that they had of the stack may be gone."""
    if ctx.wants(PROPERTY):
        known, keys = ctx.memory.objects, sorted(ctx.facts.marked(STACKED.of(ctx.thread.template)))
        _leave(ctx, [known[key] for key in keys if key in known])


def _leave(ctx: Context, ended: Sequence[Object]) -> None:
    ctx.builder.flush()
    for of in ended:
        ctx.builder.emit(Havoc(_cell(ctx, of), 0, 1), loss=_LEFT)


def may_end(ctx: Context, given: Origins) -> None:
    """Code that is unknown may have given back some of the objects that it reaches."""
    if not ctx.wants(PROPERTY) or ctx.options.model == "linux" or ctx.options.assumes("unknown-frees-nothing"):
        return
    if _is_of_library(ctx, given):
        may_end_outside(ctx)
    for of in ctx.memory.pointed(given):
        if of.kind == "heap":
            ctx.facts.objects.released.add(of.key)
            ctx.builder.flush()
            ctx.builder.emit(Havoc(_cell(ctx, of), 0, 1), loss=_UNKNOWN)


def may_end_outside(ctx: Context) -> None:
    """Memory that a library has given may be gone from some time on."""
    if ctx.wants(PROPERTY):
        ctx.facts.objects.released.add(OUTSIDE)


def _give_back(ctx: Context, address: Number, known: Sequence[Object], is_any: bool) -> None:
    """The step that gives back one of some objects: that at an address, or any; or none."""
    builder = ctx.builder
    join = builder.fresh()
    for of in known:
        here, after = builder.fork(2) if is_any else builder.branch(negate(_elsewhere(ctx, of, address)))
        builder.at(here)
        builder.emit(Atomic((Guard(_once(ctx, of)), Assign(_cell(ctx, of), constant(1)))))
        builder.goto(join)
        builder.at(after)
    builder.goto(join)
    builder.at(join)


def _once(ctx: Context, of: Object) -> Formula:
    """That nobody else has given back an object meanwhile."""
    return TRUE if ctx.memory.is_multiple(of) else _unreleased(ctx, of)


def _returnable(ctx: Context, address: Number, known: Sequence[Object], is_any: bool) -> Formula:
    """That an address is null, or that of an object that was allocated and is still there."""
    if is_any:
        return truth(ctx.havoc(BOOL, loss=_UNTOLD))
    fine = [compare(address.term, "==", constant(0))]
    lasting = ctx.facts.marked(STACKED) | ctx.facts.marked(MAPPED) | _LASTING
    known = [of for of in known if of.key not in lasting]
    resized = [of for of in known if of.key in ctx.facts.objects.resized]
    if resized:  # it may be any of these, wherever it is, or be in one if it was moved
        others = [of for of in ctx.memory.pointed(address.origins) if of not in known]
        apart = [_elsewhere(ctx, of, address) for of in others]
        if not _is_start(address):
            apart.append(truth(ctx.havoc(BOOL, loss=_UNTOLD)))
        fine.append(conjunction([*apart, *(_unreleased(ctx, of) for of in resized)]))
    for of in known:
        if of in resized:
            continue
        if ctx.memory.is_multiple(of):
            away = _elsewhere(ctx, of, address)
            there = [negate(away), _unreleased(ctx, of, away)]
            if _may_be_inside(address):  # all that is known is that it is one of these, or in one
                there.append(truth(ctx.havoc(BOOL, loss=_UNTOLD)))
        else:
            there = [compare(address.term, "==", ctx.memory.base_term(of).term), _unreleased(ctx, of)]
        fine.append(conjunction(there))
    if _is_of_library(ctx, address.origins):
        fine.append(
            conjunction([truth(ctx.havoc(BOOL, loss=_UNTOLD)), *(_elsewhere(ctx, of, address) for of in known)])
        )
    return disjunction(fine)


def _is_start(address: Number) -> bool:
    """Whether an address is nothing but those of objects, where they start."""
    known = addresses(address.origins)
    is_one = bool(known) and all(isinstance(origin, ObjectAddress) for origin in known)
    return is_one and not _may_be_inside(address)


def _may_be_inside(address: Number) -> bool:
    """Whether an address may lead behind where an object starts: it was moved, or is that of a part."""
    return MOVED in address.origins or bool(marks(address.origins) or distances(address.origins))


def _there(ctx: Context, address: Number, offset: Linear | None) -> Formula | None:
    """That no object which an access may touch has been given back; None where none is of the heap."""
    released = ctx.facts.objects.released
    if _is_any(ctx, address) or (_is_of_library(ctx, address.origins) and OUTSIDE in released):
        return truth(ctx.havoc(BOOL, loss=_UNTOLD)) if released else TRUE
    if not _heap(ctx, address):
        return None
    return _kept(ctx, address, offset, _released(ctx, address))


def _kept(ctx: Context, address: Number, offset: Linear | None, known: Sequence[Object]) -> Formula:
    """That none of some objects has been given back that an access so far behind an address touches."""
    if len(addresses(address.origins)) == 1 and ctx.wants("null-dereference"):  # which has been checked in front
        return conjunction([_unreleased(ctx, of) for of in known])
    places = [(of, _elsewhere(ctx, of, address, offset)) for of in known]
    return conjunction([disjunction((away, _unreleased(ctx, of, away))) for of, away in places])


def _is_any(ctx: Context, address: Number) -> bool:
    """Whether an address may be that of any object, or of what the kernel gives back itself."""
    if ObjectAddress(texts.NAMES) in address.origins:
        return True
    return may_be_any(address.origins) or not (EXTERNAL in address.origins or ctx.memory.pointed(address.origins))


def _is_of_library(ctx: Context, origins: Origins) -> bool:
    """Whether an address may be of memory that a library has given, of which it is not told what was given back."""
    given = (of.key for of in ctx.memory.pointed(origins))
    is_lent = EXTERNAL in origins or ObjectAddress(texts.LENT) in origins
    return is_lent or not ctx.memory.records.isdisjoint(given)


def _heap(ctx: Context, address: Number) -> list[Object]:
    """The objects of the heap that an address may be in; what the library gives back itself is not among them."""
    known = ctx.memory.pointed(address.origins)
    return [of for of in known if of.kind == "heap" and of.key not in ctx.memory.records]


def _released(ctx: Context, address: Number) -> list[Object]:
    return [of for of in _heap(ctx, address) if of.key in ctx.facts.objects.released]


def _elsewhere(ctx: Context, of: Object, address: Number, offset: Linear | None = None) -> Formula:
    """That so far behind an address is none of the memory of an object, or of those that it stands for."""
    if of.key in ctx.facts.objects.resized:  # then its address may be any
        return FALSE
    if len(addresses(address.origins)) == 1:
        return compare(address.term, "==", constant(0)) if address.lo <= 0 else FALSE
    start = address.term if offset is None else add(address.term, offset)
    first, size = ctx.memory.range_of(of)
    return disjunction((compare(start, "<", constant(first)), compare(start, ">=", constant(first + size))))


def _unreleased(ctx: Context, of: Object, away: Formula = FALSE) -> Formula:
    """That an object has not been given back; where it stands for several, that one of them has not.

    Where these are told apart from others of the same place they are not looked at if none of them is meant (`away`).
    """
    cell = _cell(ctx, of)
    if not ctx.memory.is_multiple(of):
        return compare(variable(cell), "==", constant(0))
    name = ctx.temporary(ADDRESS)
    if away == FALSE or ctx.options.budgets.first_allocations <= 0:
        ctx.builder.emit(Assign(name, variable(cell)))
        return compare(variable(name), "==", constant(0))
    here, looked = ctx.builder.branch(away)
    ctx.builder.at(here)
    ctx.builder.emit(Assign(name, constant(0)))
    end = ctx.builder.current
    ctx.builder.at(looked)
    ctx.builder.emit(Assign(name, variable(cell)))
    ctx.builder.goto(end)
    ctx.builder.at(end)
    return compare(variable(name), "==", constant(0))


def _cell(ctx: Context, of: Object) -> str:
    """The cell that says whether an object has been given back."""
    name = f"{of.key} is given back"
    if of.template not in (None, ctx.thread.template):
        ctx.memory.hand_on(of)
    if name not in ctx.memory.cells:
        label = f"freed({allocated(of)})"
        owner = None if ctx.memory.is_shared(of) else of.template
        ctx.memory.cells[name] = Cell(name, owner, ctx.memory.is_multiple(of), 0, 0, label, of.span)
    return name
