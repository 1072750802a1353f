"""Intrinsics that the Linux model headers are written with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from pycparser import c_ast

from duet.errors import Unrecoverable
from duet.frontend.cells import contracts, hidden, names, texts
from duet.frontend.cells.access import havoc_any, read
from duet.frontend.cells.bounds import is_lost_member, unknown_check, whole_check
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.convert import convert, number, snapshot
from duet.frontend.cells.escapes import put_outside
from duet.frontend.cells.foreign import with_symbols
from duet.frontend.cells.given import is_inside
from duet.frontend.cells.pointers import ASSUMED, move_check
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, stepped, unmoved
from duet.frontend.ctypes.types import (
    ADDRESS,
    CHAR,
    OFFSET,
    VOID,
    VOID_POINTER,
    IntType,
    PointerType,
    StructType,
    value_range,
)
from duet.frontend.ctypes.values import Address, Direct, FunctionPlace, Number, Untracked, Value, of_term
from duet.frontend.form.tree import AddressOf
from duet.frontend.graph.there import PAGE
from duet.frontend.models import registrations
from duet.frontend.models.anything import write_anything
from duet.frontend.models.atomics import load_from, store_to
from duet.frontend.models.buffers import fill
from duet.frontend.models.call import Call, answer, done
from duet.frontend.models.effects import any_pointer
from duet.frontend.models.locks import perform, set_to, waits_for
from duet.frontend.models.unknown import clobber
from duet.plip.marks import Loss
from duet.plip.syntax import Assign, Linear, Operation
from duet.plip.terms import add, compare, constant, disjunction, scale, variable

_AROUND = Loss("whether this is a member of such a structure is not known")


def havoc(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_havoc(lvalue)`: any value of its type."""
    havoc_any(ctx, call.place(ctx, 0), call.node)
    return done(ctx)


def expose(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_expose(pointer)`: it may be what `__duet_nondet_ptr()` gives."""
    put_outside(ctx, number(ctx, call.value(ctx, 0)).origins)
    return done(ctx)


def imported(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_import(pointer, ...)`: other modules call the functions and change the objects, at any time."""
    clobber(ctx, call.evaluate_all(ctx), call)
    return done(ctx)


def container(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_container(pointer, offset, size)`: what is so many bytes before a member, and has so many bytes.

    That it is there is checked here, once for all that follow it. What is made of null is none; drivers may ask later
    whether it was.
    """
    member = call.value(ctx, 0)
    is_lost = is_lost_member(ctx, member)
    pointer = convert(ctx, member, PointerType(CHAR), call.node)
    step = scale(call.number(ctx, 1).term, -1)
    size = call.number(ctx, 2).constant
    move_check(ctx, pointer, step, call.node)
    address = number(ctx, pointer)
    around_it = stepped(address.origins, step, 1)
    moved = replace(address, term=add(address.term, step), origins=around_it)
    text = f"container_of({show(call.arguments[0].node)})"
    is_known = is_inside(ctx, moved, size)
    if not address.origins & UNKNOWN_POINTER:
        if ctx.wants("array-bounds"):
            whole_check(ctx, address, moved, size, call.node, text)
    elif is_lost or (not is_known and not ctx.options.assumes("kernel-pointers")):
        unknown_check(ctx, call.node, _AROUND, text)
    if is_lost:
        ctx.facts.pointers.parts.add(*(() if size is None else (size,)))
        address = replace(address, origins=unmoved(address.origins))
        moved = replace(moved, origins=address.origins)
    around, top = snapshot(ctx, moved), value_range(address.type)[1]
    assert isinstance(around, Number)
    if not (address.origins & UNKNOWN_POINTER and step.terms == () and step.constant > -PAGE):
        return answer(ctx, of_term(around.term, address.type, 0, top, around.origins))
    ctx.builder.flush()
    ctx.assume(ASSUMED)  # so the member is in no first page, and what is around it is not null
    is_there = compare(around.term, ">", constant(0))
    if ctx.wants("null-dereference") or address.lo > 0:
        ctx.builder.assume(is_there)
        return answer(ctx, replace(around, lo=1, hi=top))
    ctx.builder.assume(disjunction((is_there, compare(around.term, "==", step))))
    return answer(ctx, replace(around, lo=step.constant, hi=top))


def named(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_named(member)`: the name that a member leads to; null, or a string, if the kernel has written it."""
    place = call.place(ctx, 0)
    found = read(ctx, place, call.node)
    if not names.is_of_kernel(ctx, place):
        return answer(ctx, found)
    return any_pointer(ctx, place.type, texts.of_kernel(ctx))


def error_pointer(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_error_pointer(error)`: the pointer that is this number, which leads where the number came from."""
    wide = number(ctx, convert(ctx, convert(ctx, call.value(ctx, 0), OFFSET, call.node), ADDRESS, call.node))
    return answer(ctx, replace(wide, type=VOID_POINTER))


def size_sum(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_size_sum(a, b)`: the sum of two sizes, or the largest size where that is more."""
    one, other = call.number(ctx, 0), call.number(ctx, 1)
    return _limited(ctx, add(one.term, other.term), one.lo + other.lo, one.hi + other.hi)


def size_product(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_size_product(a, b)`: the product, likewise."""
    one, other = sorted((call.number(ctx, 0), call.number(ctx, 1)), key=lambda value: value.constant is None)
    if one.constant is not None:
        term = scale(other.term, one.constant)
    else:
        ctx.builder.flush()
        name = ctx.temporary(ADDRESS)
        ctx.builder.compute(name, Operation.MUL, one.term, other.term)
        term = variable(name)
    return _limited(ctx, term, one.lo * other.lo, one.hi * other.hi)


def _limited(ctx: Context, term: Linear, low: int, high: int) -> list[Outcome]:
    """A size that is no negative number, or the largest size where that is less."""
    if high <= ADDRESS.hi:
        return answer(ctx, of_term(term, ADDRESS, low, high))
    ctx.builder.flush()
    name, join = ctx.temporary(ADDRESS), ctx.builder.fresh()
    for way, value in zip(
        ctx.builder.branch(compare(term, "<=", constant(ADDRESS.hi))), (term, constant(ADDRESS.hi)), strict=True
    ):
        ctx.builder.at(way)
        ctx.builder.edge(Assign(name, value), join)
    ctx.builder.at(join)
    return answer(ctx, of_term(variable(name), ADDRESS, min(low, ADDRESS.hi), ADDRESS.hi))


def run_as(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_run_as(f, g, ...)`: where the kernel finds `f`, the threads `g`, ... run, each with any arguments."""
    for function in call.functions(ctx, 0):
        threads = [name for position in range(1, len(call.arguments)) for name in call.functions(ctx, position)]
        contracts.let_stand(ctx, function, threads)
    return done(ctx)


def give(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_give(f, n, ...)`: the kernel gives the `n`-th parameter of `f`, from 0, no null pointer."""
    positions = [call.number(ctx, position).constant for position in range(1, len(call.arguments))]
    for function in call.functions(ctx, 0):
        contracts.give(ctx, function, [position for position in positions if position is not None])
    return done(ctx)


def operate(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_operate(f, g, ...)`: `f` runs from calls of `g`, ... on, which register what it is for, not before."""
    registers = [name for position in range(1, len(call.arguments)) for name in call.functions(ctx, position)]
    for function in call.functions(ctx, 0):
        contracts.let_operate(ctx, function, registers)
    return done(ctx)


def begun(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_opened(file)`, `__duet_installed(terminal)`: its operations may be called from here on."""
    registrations.note_call(ctx, call, call.evaluate_all(ctx))
    return done(ctx)


def closed(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_closed(file)`: its operations are not called any more, and none of them runs."""
    call.evaluate_all(ctx)
    ctx.builder.note_closing()
    return done(ctx)


def place(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_place(f, start, size)`: `f` is called with what is so far from the start of objects of a size."""
    start, size = call.number(ctx, 1).constant, call.number(ctx, 2).constant
    for function in call.functions(ctx, 0):
        assert start is not None, "the harness has constants here"
        assert size is not None
        contracts.let_be_at(ctx, function, start, size)
    return done(ctx)


def keep(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_keep(f)`: only the driver calls `f`, which it keeps in structures of its own types."""
    for function in call.functions(ctx, 0):
        contracts.keep(ctx, function)
    return done(ctx)


def relay(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_relay(f, ...)`: these functions of the kernel may return what functions of the driver say."""
    for position in range(len(call.arguments)):
        for function in call.functions(ctx, position):
            contracts.let_relay(ctx, function)
    return done(ctx)


def behind(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_behind(f, (struct s *)0)`: the core of `s` calls `f` under a lock, or waits for its end."""
    value = call.evaluate_all(ctx)[1]
    target = value.type.target if isinstance(value.type, PointerType) else None
    assert isinstance(target, StructType), "the harness gives a pointer to a structure"
    for function in call.functions(ctx, 0):
        contracts.let_be_behind(ctx, function, target.tag)
    return done(ctx)


def knows_own(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_knows_own()`: whether structures of the driver's own types hold nothing but what the driver put there."""
    call.evaluate_all(ctx)
    return answer(ctx, int(ctx.options.assumes("kernel-pointers") and not ctx.facts.refused))


def call_by(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_call_by(f, g)`: where the kernel has found `f` it calls `g`, which calls `f` with what its core has."""
    for function in call.functions(ctx, 0):
        contracts.let_be_called(ctx, function, call.functions(ctx, 1))
    return done(ctx)


def receive(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_receive(pointer, count)`: so many bytes hold anything."""
    target, count = call.value(ctx, 0), call.number(ctx, 1)
    fill(ctx, target, count, call)
    return done(ctx)


def read_once(ctx: Context, call: Call) -> list[Outcome]:
    """`READ_ONCE(lvalue)`: one atomic read."""
    return load_from(ctx, call.place(ctx, 0), call.node)


def write_once(ctx: Context, call: Call) -> list[Outcome]:
    """`WRITE_ONCE(lvalue, value)`: one atomic write."""
    place = call.place(ctx, 0)
    return store_to(ctx, place, call.value(ctx, 1), call.node)


def acquire(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_acquire(&lock)`."""
    return _finished(perform(ctx, call.target(ctx, 0), call, waits_for, (0,), taken={0: False}))


def release(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_release(&lock)`."""
    return _finished(perform(ctx, call.target(ctx, 0), call, set_to(0), (0,)))


def _finished(found: list[Outcome]) -> list[Outcome]:
    """The outcomes of an operation without a result."""
    return [(place, Untracked(VOID)) for place, _ in found]


def assembler(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_asm(...)`: its outputs, and everything reachable from what it is given, hold anything.

    Of an integer output it is given the value, not the address. A string tells what the template may name besides.
    """
    given: list[Value] = []
    for position, argument in enumerate(call.arguments):
        written = call.node.args.exprs[position]
        if isinstance(written, c_ast.Constant) and written.type == "string":
            given += _named(ctx, written.value.strip('"').split())
            continue
        if isinstance(argument, AddressOf):
            place = call.place(ctx, position)
        elif _is_followed(call, position):
            place = call.target(ctx, position)
        else:
            given.append(call.value(ctx, position))
            continue
        given.append(read(ctx, place, call.node) if isinstance(place.type, IntType) else call.value(ctx, position))
        havoc_any(ctx, place, call.node)
    clobber(ctx, given, call, is_kept=False)
    ctx.warn(call.node, "inline-assembler", "inline assembler: any change of what its operands reach is assumed")
    return done(ctx)


def _named(ctx: Context, symbols: Collection[str]) -> Iterator[Value]:
    """The addresses of what the program has by some symbols."""
    objects, functions = with_symbols(ctx, symbols)
    for of in objects:
        yield Address(Direct(of, (), of.type), PointerType(of.type))
    for key in functions:
        kind = ctx.declared.signatures[key]
        yield Address(FunctionPlace(key, kind), PointerType(kind))


def _is_followed(call: Call, position: int) -> bool:
    """Whether an argument is written as `&*p`: forms leave out both."""
    written = call.node.args.exprs[position]
    return isinstance(written, c_ast.UnaryOp) and written.op == "&"


def assembler_of_memory(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_asm_memory(...)`: inline assembler that may also write any memory there is."""
    found = assembler(ctx, call)
    write_anything(ctx)
    ctx.builder.flush()
    return [(ctx.builder.current, value) for _, value in found]


def jump(ctx: Context, call: Call) -> list[Outcome]:
    """setjmp, longjmp and the like, which no graph of this program shows. *Raises*: Unrecoverable."""
    raise Unrecoverable(f"'{call.name}' jumps between functions, which is not modelled", ctx.span(call.node))


def variadic(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_va_arg(list, is_pointer)`: a pointer to any value; if it is none, that may be made of a pointer."""
    if call.number(ctx, 1).constant != 1:
        given = read(ctx, call.place(ctx, 0), call.node)
        hidden.take_apart_value(ctx, given if isinstance(given, Number) else ctx.havoc(VOID_POINTER, UNKNOWN_POINTER))
    ctx.warn(call.node, "variadic", "variable arguments are not tracked: any value is assumed")
    return answer(ctx, ctx.havoc(VOID_POINTER, UNKNOWN_POINTER))
