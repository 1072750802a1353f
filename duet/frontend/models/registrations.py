"""Registrations with cores of the kernel: what they start, and which other calls may do the same.

See `duet.frontend.cells.operations` for the records, `duet.frontend.judgments.stored` for what is found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from duet.frontend.cells import contracts, private, requests
from duet.frontend.cells.access import havoc_any, read
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import number
from duet.frontend.cells.extent import exact_size
from duet.frontend.cells.memory import LARGEST, SLOT
from duet.frontend.cells.operations import FILE, OPERATIONS, Apart, Given, Itself, OfLife, Operations, Source, Stored
from duet.frontend.ctypes.origins import addresses
from duet.frontend.ctypes.types import ADDRESS, VOID_POINTER, ArrayType, PointerType, StructType, value_range
from duet.frontend.ctypes.values import Address, Direct, Number, Value, type_of
from duet.frontend.graph.events import Lasting, Registering
from duet.frontend.judgments.stored import Settled, settle
from duet.frontend.models.call import Call
from duet.frontend.source.nodes import Node
from duet.frontend.source.words import INSTALLED, OPENED
from duet.plip.syntax import TRUE, Formula, Havoc, Linear, Operation
from duet.plip.terms import add, compare, constant, disjunction, variable

_LEAVING = frozenset(("nonseekable_open", "stream_open", "generic_file_open", "no_llseek", "noop_llseek"))
"""Functions that are given a file and leave its private data alone."""


def note_call(ctx: Context, call: Call, values: Sequence[Value]) -> None:
    """A function of the kernel is called: it may fill private data; the operations that may run from here on."""
    if call.name not in (OPENED, INSTALLED) and any(isinstance(type_of(value), PointerType) for value in values):
        _fill(ctx, call, values)
    for value in values:
        if isinstance(value, Address | Number) and requests.is_set(type_of(value)):
            requests.note_set(ctx, call.name, number(ctx, value))
    if not contracts.has_operations(ctx):
        return
    for record in OPERATIONS:
        functions = contracts.operations(ctx, record)
        if not functions:
            continue
        source = record.registers.get(call.name)
        if call.name in (record.makers or {}) and _of_device(ctx, values, (record.makers or {})[call.name]) is None:
            contracts.loosen(ctx, record)
        elif source is not None:
            _register(ctx, record, functions, source, values, call.node)
        elif call.name not in record.functions and any(_is_one(value, record) for value in values):
            contracts.loosen(ctx, record)


def _fill(ctx: Context, call: Call, values: Sequence[Value]) -> None:
    """Gives the private data of the life cycle any value: that of a device where it is null, that of a file given."""
    if private.is_of_file(ctx):
        if call.name not in _LEAVING and any(type_of(value) == PointerType(StructType(FILE[0])) for value in values):
            for place in private.all_of_life(ctx):
                havoc_any(ctx, place, call.node)
        return
    for place in private.all_of_life(ctx):
        held = number(ctx, read(ctx, place, call.node))
        ctx.builder.flush()
        empty, after = ctx.builder.branch(compare(held.term, "==", constant(0)))
        ctx.builder.at(empty)
        havoc_any(ctx, place, call.node)
        ctx.builder.goto(after)
        ctx.builder.at(after)


def note_result(ctx: Context, call: Call, values: Sequence[Value], result: Value) -> None:
    """A function of the kernel has returned: what it registered lasts from here on, or what it ended does not."""
    if not contracts.has_operations(ctx):
        return
    for record in OPERATIONS:
        for name, source in record.registers.items():
            if not isinstance(source, OfLife) or source.position is None or call.name not in (name, source.end):
                continue
            if not source.end or _of_device(ctx, values, source.position) is None:
                continue
            what = _constant(ctx, values, source.position + 1)
            if call.name == name and contracts.operations(ctx, record):
                ctx.builder.note_lasting(Lasting(record.table, source.end, what, number(ctx, result).term))
            elif call.name == source.end and what is not None:
                ctx.builder.note_ending(source.end, what)


def _constant(ctx: Context, values: Sequence[Value], position: int) -> Linear | None:
    """An argument, if it is one address whenever the call is made."""
    value = values[position] if position < len(values) else None
    found = number(ctx, value).term if isinstance(value, Address | Number) else None
    return None if found is None or found.terms else found


def data(ctx: Context, call: Call, values: Sequence[Value]) -> Value | None:
    """The private data that a function of the kernel gives an operation; None for all others."""
    record = next((record for record in OPERATIONS if record.getter == call.name), None)
    if record is None or not values or not isinstance(values[0], Address | Number):
        return None
    found = private.data_of_operation(ctx, record, number(ctx, values[0]))
    return None if found is None else read(ctx, found, call.node)


def finish(ctx: Context) -> Settled:
    """What a thread that has been lowered shows of private data; gives its registrations the values that are known."""
    builder = ctx.builder
    if not builder.events.stored and not builder.events.registered:
        return Settled()
    template = ctx.thread.template

    def is_own(cell: str) -> bool:
        known = ctx.memory.cells[cell]
        return known.template == template and not known.summary

    commands = [command for command in builder.commands if command.source in builder.reached]
    found = settle(commands, builder.entry, builder.events, builder.successors, is_own)
    requests.settle(ctx, found)
    builder.settle(found.values)
    return found


def note_losses(ctx: Context, found: Sequence[Settled]) -> None:
    """Records what some threads leave open; in a round that finds no other fact, as each may tell more of that."""
    requests.note_losses(ctx, found)
    for settled in found:
        for record in OPERATIONS:
            if record.table in settled.tables:
                contracts.forget(ctx, record)
        for slot in sorted(settled.slots):
            private.loosen(ctx, slot)


def _is_one(value: Value, record: Operations) -> bool:
    """Whether a value leads to what a core has operations of."""
    kind = type_of(value)
    while isinstance(kind, PointerType | ArrayType):
        kind = kind.target if isinstance(kind, PointerType) else kind.element
    return isinstance(kind, StructType) and kind.tag in record.objects


def _of_device(ctx: Context, values: Sequence[Value], position: int) -> Direct | None:
    """The private data of the device that an argument is, if that is the one whose life the thread is."""
    value = values[position] if position < len(values) else None
    return private.data_of_device(ctx, number(ctx, value)) if isinstance(value, Address | Number) else None


def _data(ctx: Context, record: Operations, source: Source, values: Sequence[Value], node: Node) -> Number | None:
    """The private data at a registration; None where it is not known to be one value from here on."""
    match source:
        case Given(position):
            value = values[position] if position < len(values) else None
            return number(ctx, value) if isinstance(value, Address | Number) else None
        case OfLife(position):
            found = private.data_of_life(ctx) if position is None else _of_device(ctx, values, position)
            if found is None or record.slot is None:
                return None
            ctx.builder.note_registering(Registering(record.table, record.slot))
            return number(ctx, read(ctx, found, node))
        case Stored(position):
            value = values[position] if position < len(values) else None
            start = private.start_of(ctx, record.slot) if record.slot is not None else None
            if not isinstance(value, Address | Number) or start is None or record.slot is None:
                return None
            at, name, top = number(ctx, value), ctx.temporary(VOID_POINTER), value_range(VOID_POINTER)[1]
            ctx.builder.emit(Havoc(name, 0, top))
            address = add(at.term, constant(start))
            ctx.builder.note_registering(Registering(record.table, record.slot, address, name))
            return Number(variable(name), VOID_POINTER, 0, top, private.origins(ctx, record.slot))
        case Itself() | Apart():
            return None
        case _:
            assert_never(source)


def _registered(ctx: Context, source: Source, values: Sequence[Value]) -> Number | None:
    """What operations find as their first argument; None where that is not what was registered, or not known."""
    position = source.registered
    value = values[position] if position is not None and position < len(values) else None
    if not isinstance(value, Address | Number):
        return None
    found = number(ctx, value)
    if not isinstance(source, Itself) or not source.member:
        return found
    kind = found.type.target if isinstance(found.type, PointerType) else None
    start = private.start_of(ctx, (kind.tag, source.member)) if isinstance(kind, StructType) else None
    return None if start is None else replace(found, term=add(found.term, constant(start)))


def _register(
    ctx: Context, record: Operations, functions: Sequence[str], source: Source, values: Sequence[Value], node: Node
) -> None:
    """Starts any number of threads of each operation, with what is registered and its private data."""
    of = _registered(ctx, source, values)
    if of is None and record.is_passed:
        contracts.loosen(ctx, record)
        return
    found = _data(ctx, record, source, values, node) if contracts.has_data(ctx, record) else None
    if found is None and contracts.has_data(ctx, record):
        contracts.forget(ctx, record)
        if not record.is_passed:
            return
    ctx.builder.flush()
    data = None if found is None else replace(found, type=VOID_POINTER)
    for function in functions:
        command = ctx.hooks.operation(ctx, function, of if record.is_passed else None, data, node)
        if command is None:
            contracts.loosen(ctx, record)
            continue
        fitting = _fits(ctx, function, of) if of is not None else TRUE
        ctx.builder.flush()
        here, after = ctx.builder.branch(fitting)
        ctx.builder.at(here)
        ctx.builder.edge(command, here)
        ctx.builder.goto(after)
        ctx.builder.at(after)


def _fits(ctx: Context, function: str, of: Number) -> Formula:
    """Whether what is registered is where an operation is called with it, as far as that is known.

    It is not where it may be in objects of other sizes, which may have several of the structures in them.
    """
    places = contracts.places(ctx, function)
    found = ctx.memory.pointed(of.origins)
    sizes = {exact_size(ctx.memory, item) for item in found if item.kind == "heap"}
    is_known = len(found) == len(addresses(of.origins)) and {size for _, size in places if size <= LARGEST} >= sizes
    if not places or not found or not is_known or any(item.kind != "heap" for item in found):
        return TRUE
    fine: list[Formula] = []
    if several := any(map(ctx.memory.is_multiple, found)):
        ctx.builder.flush()
        within = ctx.temporary(ADDRESS)
        ctx.builder.compute(within, Operation.MOD, of.term, constant(SLOT))
    for start, size in places:
        fine += [
            compare(of.term, "==", add(ctx.memory.base_term(item).term, constant(start)))
            for item in found
            if not ctx.memory.is_multiple(item) and exact_size(ctx.memory, item) == size
        ]
        fine += [compare(variable(within), "==", constant(start))] if several else []
    return disjunction(fine)
