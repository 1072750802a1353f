"""Initial values of static objects, and the initialisation of automatic ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from duet.errors import Unsupported
from duet.frontend.cells import rereads
from duet.frontend.cells.access import havoc_place, inside, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, number
from duet.frontend.cells.located import CellAt, Initial, Key, key_of
from duet.frontend.cells.told import Table
from duet.frontend.ctypes.origins import Origins, addresses
from duet.frontend.ctypes.types import ArrayType, CType, IntType, StructType, is_scalar
from duet.frontend.ctypes.values import Direct, Index, Number, Object, Place, Value, literal
from duet.frontend.form.tree import (
    CompoundLiteral,
    Constant,
    Entry,
    Expression,
    Initialiser,
    Parts,
    Read,
    StringLiteral,
)
from duet.frontend.form.walk import has_effects
from duet.frontend.graph.builder import Builder
from duet.frontend.source.nodes import Node

TORN = "an initial value overrides a part of another that is given as a whole: any values are assumed"
_WIDEST = 4
"""Bytes of the longest character."""
Rvalue: TypeAlias = Callable[[Context, Expression], Value]
"""What evaluates an expression."""


def static_initial(ctx: Context, kind: CType, initialiser: Initialiser | None, rvalue: Rvalue) -> Initial | None:
    """The initial values of a static object of a type; None (any values) where the initialiser is not understood."""
    values: dict[Key, int] = {}
    origins: dict[Key, Origins] = {}
    if initialiser is None:
        return Initial(values, origins)
    assert isinstance(initialiser, Parts)
    with discarding(ctx):
        if initialiser.is_torn:
            ctx.warn(initialiser.node, "initializer", TORN)
        table = ctx.tables.get(id(initialiser))
        if table is not None and all(_evaluated(ctx, form, to, rvalue) == was for form, to, was in table.asked):
            return table.initial
        strings = Strings.of(ctx, initialiser)
        known: dict[tuple[Expression, CType], Number] = {}  # also of the strings in one object, which all are one form
        is_known = not initialiser.is_torn
        for entry in initialiser.entries:
            if entry.value is None:
                continue
            node = entry.value.node
            if not is_scalar(entry.type):
                if isinstance(entry.type, StructType):
                    ctx.warn(node, "initializer", "an initial value is a whole structure: any values are assumed")
                    is_known = False
                    if has_effects(entry.value):
                        raise Unsupported("a static initial value has effects", ctx.span(node))
                    rvalue(ctx, entry.value)
                continue
            form, offset = strings.placed(entry.value)
            found = known.get((form, entry.type))
            if found is None:
                found = _evaluated(ctx, form, entry.type, rvalue)
                if not _is_fixed(form, entry.type):
                    known[form, entry.type] = found
            if found.constant is None:
                ctx.warn(node, "initializer", "an initial value is not a constant that is known: any is assumed")
                is_known = False
                continue
            key = key_of(entry.path)
            values[key] = found.constant + (offset or 0)
            if found.origins:
                origins[key] = found.origins if offset is None else addresses(found.origins)
    if not is_known:
        return None
    initial = ctx.memory.overlaps.settled(kind, Initial(values, origins))
    if initial is not None and initial.values == values:
        ctx.tables[id(initialiser)] = Table(initialiser, initial, [(*key, found) for key, found in known.items()])
    return initial


def _is_fixed(form: Expression, kind: CType) -> bool:
    """Whether a part has the same value in each round, and nothing is to be said of it."""
    return isinstance(form, Constant) and (isinstance(kind, IntType) or form.value == 0)


def _evaluated(ctx: Context, form: Expression, kind: CType, rvalue: Rvalue) -> Number:
    return number(ctx, convert(ctx, rvalue(ctx, form), kind, form.node))


@dataclass
class Strings:
    """The strings of one initialiser; where they are many, all of them are in one object.

    That object holds any characters, its length is unknown, and wherever a pointer to it leads that was never moved a
    string begins. Each string has a place of its own in it, so that addresses in different ones differ; compilers may
    still make one of equal ones.
    """

    is_one: bool
    first: dict[CType, Read] = field(default_factory=dict)
    size: int = 0

    @classmethod
    def of(cls, ctx: Context, parts: Parts) -> Strings:
        """The strings of an initialiser."""
        found = sum(_literal(entry.value) is not None for entry in parts.entries)
        return cls(found > ctx.options.budgets.table_strings)

    def placed(self, form: Expression) -> tuple[Expression, int | None]:
        """What to evaluate for a part; if that is the object of all strings, the place of one of them in it, in bytes.

        The address there was never moved.
        """
        literal = _literal(form) if self.is_one else None
        if literal is None or not isinstance(literal.type, ArrayType) or not isinstance(form, Read):
            return form, None
        element, length = literal.type.element, literal.type.length
        if element not in self.first:
            self.first[element] = replace(form, place=replace(literal, type=ArrayType(element, None)))
        offset = self.size
        self.size += (_WIDEST * (length or 0)) + 1  # behind the end of one is in front of the next one
        return self.first[element], offset


def _literal(form: Expression | None) -> StringLiteral | None:
    """The string literal that a form stands for, if it does for nothing else."""
    return form.place if isinstance(form, Read) and isinstance(form.place, StringLiteral) else None


@contextmanager
def discarding(ctx: Context) -> Iterator[None]:
    """Lowers constant initialisers: commands are not kept, facts are."""
    before = ctx.builder
    ctx.builder = Builder(iter(range(10**9)), span=before.span)
    try:
        yield
    finally:
        ctx.builder = before


def initialise_parts(
    ctx: Context, of: Object, parts: Parts, settled: Callable[[Sequence[Expression]], list[Expression]], rvalue: Rvalue
) -> None:
    """Emits the initialisation of an automatic object part by part; `settled` decides the order of evaluation."""
    place, node = Direct(of, (), of.type), parts.node
    values: dict[Key, int] = {}
    unions, is_torn = _cleared_unions(ctx, of, parts)
    set_paths = set(unions)
    evaluated = iter(settled([entry.value for entry in parts.entries if entry.value is not None]))
    for entry in parts.entries:
        if entry.value is None:
            continue
        part = _part_of(place, entry)
        value = rvalue(ctx, next(evaluated))
        is_overlapping = any(key_of(entry.path[:at]) in unions for at in range(len(entry.path)))
        known = None if is_overlapping else _constant(ctx, value, entry.type, node)
        if known is not None:
            values[key_of(entry.path)] = known
        set_paths.add(key_of(entry.path))
        if known is None:
            ctx.builder.flush()
            write(ctx, part, value, node)
    ctx.memory.initial[of.key] = Initial(values, {})
    _write_constants(ctx, of, values, set_paths, node)
    if parts.is_torn or is_torn:
        ctx.warn(node, "initializer", TORN)
        havoc_place(ctx, place)


def _cleared_unions(ctx: Context, of: Object, parts: Parts) -> tuple[frozenset[Key], bool]:
    """The unions that are given values, which are 0 first; and whether one is given several members."""
    found: dict[Key, str | Index] = {}
    is_torn = False
    for entry in parts.entries:
        union = ctx.memory.overlaps.outermost(of.type, entry.path) if entry.value is not None else None
        if union is None:
            continue
        at, kind = union
        is_new = key_of(entry.path[:at]) not in found
        is_torn = is_torn or found.setdefault(key_of(entry.path[:at]), entry.path[at]) != entry.path[at]
        for path, inner in ctx.memory.overlaps.kept(kind) if is_new else ():
            write(ctx, Direct(of, (*entry.path[:at], *path), inner), literal(0, inner), parts.node)
    return frozenset(found), is_torn


def _part_of(place: Place, entry: Entry) -> Place:
    for step in entry.path:
        place = inside(place, step, entry.type)
    return place


def initialise_whole(ctx: Context, of: Object, value: Value, node: Node) -> None:
    """Emits the initialisation of a scalar or structure with a value."""
    _remember_constant(ctx, of, value, node)
    write(ctx, Direct(of, (), of.type), value, node)
    ctx.builder.flush()


def _remember_constant(ctx: Context, of: Object, value: Value, node: Node) -> None:
    """A summary cell starts with the constant that its object is initialised with."""
    known = _constant(ctx, value, of.type, node)
    if known is not None:
        ctx.memory.initial[of.key] = Initial({(): known}, {})


def _constant(ctx: Context, value: Value, kind: CType, node: Node) -> int | None:
    """What a scalar is when it is initialised with a constant, as its type has that; None for what is no number."""
    if not isinstance(value, Number) or value.origins or value.constant is None or not is_scalar(kind):
        return None
    return number(ctx, convert(ctx, value, kind, node)).constant


def _write_constants(ctx: Context, of: Object, values: dict[Key, int], done: set[Key], node: Node) -> None:
    """Writes the constants of an initialiser, and 0 to what it does not name; summary cells start with them."""
    for path, kind in ctx.memory.scalars(of.type, is_each=True):
        key = key_of(path)
        part = Direct(of, path, kind)
        cell = ctx.memory.locate(part)
        if any(key[:length] in done and key[:length] not in values for length in range(len(key) + 1)):
            continue  # it, or the structure that it is part of, has been given its value
        if isinstance(cell, CellAt) and not cell.is_summary:
            write(ctx, part, literal(values.get(key, 0), kind), node)


def literal_object(ctx: Context, form: CompoundLiteral, kind: CType, rvalue: Rvalue) -> Object:
    """The object of a compound literal; one inside of a function is to be initialised."""
    key = ctx.unique(f"{ctx.thread.frame.prefix}::literal" if ctx.thread.frames else "literal")
    owner = ctx.thread.template if ctx.thread.frames else None
    of = Object(key, kind, "local" if owner else "global", owner, "(literal)", ctx.span(form.node))
    if owner is None:
        ctx.memory.declare(of, static_initial(ctx, kind, form.initialiser, rvalue))
    else:
        ctx.memory.declare(of, None)
        rereads.note_beginning(ctx, of)
        ctx.thread.frame.cells.append(key)
    return of
