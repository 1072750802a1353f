"""Initialisers: which scalar gets which expression (C11 6.7.9), for static and automatic objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from pycparser import c_ast

from duet.errors import Unsupported
from duet.frontend.cells.access import havoc_place, inside, write
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import convert, number
from duet.frontend.cells.memory import CellAt, Initial, Key, key_of
from duet.frontend.ctypes import literals
from duet.frontend.ctypes.types import ArrayType, CType, IntType, OpaqueType, StructType, is_scalar
from duet.frontend.ctypes.values import Direct, Index, Number, Object, Path, Place, Value, is_null, literal
from duet.frontend.expressions import expr, lengths, lvalue, order
from duet.frontend.graph.builder import Builder
from duet.frontend.source.nodes import RANGE, Node
from duet.plip.terms import constant

RANGE_LIMIT = 1 << 16
"""The most elements of a GNU range of designators."""
TORN = "an initial value overrides a part of another that is given as a whole: any values are assumed"
Entry = tuple[Path, CType, Node | int]
"""A part of an object and the expression that it gets; a number stands for itself, None for 0 in all of the part."""


def entries(ctx: Context, kind: CType, node: Node, path: Path = ()) -> list[Entry]:
    """The parts of an object of a type that an initialiser names, in order; later ones override, see `effective`."""
    cleared: list[Entry] = [(path, kind, None)] if path else []
    if isinstance(node, c_ast.CompoundLiteral) and isinstance(kind, ArrayType | StructType) and not path:
        return entries(ctx, kind, node.init)
    if isinstance(node, c_ast.InitList):
        if isinstance(kind, ArrayType) and len(node.exprs) == 1 and _is_string(node.exprs[0]):
            return entries(ctx, kind, node.exprs[0], path)
        if isinstance(kind, OpaqueType):
            return [(path, kind, _first_that_counts(ctx, node))]
        if not isinstance(kind, ArrayType | StructType):
            return entries(ctx, kind, node.exprs[0], path) if node.exprs else cleared
        items = deque(node.exprs)
        return [*cleared, *_fill(ctx, kind, items, path, is_braced=True)]
    if isinstance(kind, ArrayType) and _is_string(node):
        _, codes = literals.string(str(node.value))
        length = kind.length if kind.length is not None else len(codes) + 1
        elements: list[Entry] = [
            ((*path, Index(constant(place), kind.length)), kind.element, code)
            for place, code in enumerate([*codes, 0][:length])
        ]
        return [*cleared, *elements]
    return [(path, kind, node)]


def effective(ctx: Context, kind: CType, node: Node, path: Path = ()) -> tuple[list[Entry], bool]:
    """The entries that no later one overrides, and whether one overrides a part of what is given as a whole.

    Compilers differ in what the rest of the whole is then.
    """
    found: dict[Key, Entry] = {}
    above: set[Key] = set()
    is_torn = False
    for entry in entries(ctx, kind, node, path):
        key = key_of(entry[0])
        outer = [key[:length] for length in range(len(key))]
        if key in found or key in above:
            for other in [other for other in found if other[: len(key)] == key]:
                _check_no_effects(ctx, found.pop(other)[2])
        is_torn = is_torn or any(place in found and found[place][2] is not None for place in outer)
        found[key] = entry
        above.update(outer)
    result: list[Entry] = []
    for part, inner, item in found.values():
        if isinstance(item, c_ast.CompoundLiteral) and isinstance(inner, ArrayType | StructType) and part:
            parts, is_inner_torn = effective(ctx, inner, item.init, part)
            result += parts
            is_torn = is_torn or is_inner_torn
        else:
            result.append((part, inner, item))
    return result, is_torn


def _check_no_effects(ctx: Context, item: Node | int) -> None:
    """*Raises*: Unsupported for an overridden initialiser with effects: C leaves open whether it is evaluated."""
    if item is not None and not isinstance(item, int) and expr.has_effects(item):
        raise Unsupported("an initialiser with effects that a later one overrides", ctx.span(item))


def _first_that_counts(ctx: Context, node: Node) -> Node | int:
    """The first initialiser within a library object that is not 0, whatever its members are; 0 if all are."""
    work = deque([node])
    while work:
        item = work.popleft()
        if isinstance(item, c_ast.NamedInitializer):
            work.appendleft(item.expr)
        elif isinstance(item, c_ast.InitList):
            work.extendleft(reversed(item.exprs))
        else:
            with discarding(ctx):
                value = expr.rvalue(ctx, item)
            if not is_null(value):
                return item
    return 0


def _is_string(node: Node) -> bool:
    return isinstance(node, c_ast.Constant) and "string" in str(node.type)


def _element_size(node: Node) -> int:
    return literals.string(str(node.value))[0].size


def _fill(
    ctx: Context, kind: CType, items: deque[Node], path: Path, is_braced: bool, place: int = 0
) -> Iterator[Entry]:
    """The parts that the next items of a list initialise, in the order of the members from a position on."""
    while items:
        item = items[0]
        if isinstance(item, c_ast.NamedInitializer):
            if not is_braced:
                return
            items.popleft()
            indices = _range(ctx, item)
            for index in indices:
                yield from _designated(ctx, kind, _at(item, index), deque(), path)
            place = indices[-1] + 1 if indices else (yield from _designated(ctx, kind, item, items, path))
            continue
        found = _part(ctx, kind, place)
        if found is None:
            if is_braced:
                items.popleft()  # more initialisers than members: a constraint violation that compilers ignore
                continue
            return
        step, inner = found
        yield from _next(ctx, inner, items, (*path, *step))
        place += 1
        if isinstance(kind, StructType) and kind.is_union and not is_braced:
            return


def _range(ctx: Context, item: Node) -> range:
    """The indices that the GNU range of a designator names; empty for other designators."""
    first, *rest = item.name
    node = first.expr if isinstance(first, c_ast.ArrayDesignator) else None
    if not isinstance(node, c_ast.FuncCall) or node.name.name != RANGE:
        return range(0)
    low, high = (expr.constant_value(ctx, bound) for bound in node.args.exprs)
    if low is None or high is None or not 0 <= low <= high or high - low > RANGE_LIMIT or rest:
        raise Unsupported("this range of designators is not supported", ctx.span(node))
    if expr.has_effects(item.expr):
        raise Unsupported("a range of designators with an initialiser that has effects", ctx.span(node))
    return range(low, high + 1)


def _at(item: Node, index: int) -> Node:
    """A designated item for one index of its range."""
    node = c_ast.Constant("int", str(index), getattr(item.name[0], "coord", None))
    return c_ast.NamedInitializer([c_ast.ArrayDesignator(node, node.coord)], item.expr)


def _next(ctx: Context, kind: CType, items: deque[Node], path: Path) -> Iterator[Entry]:
    """The parts of one member that the next item, or with elided braces the next items, initialise."""
    item = items[0]
    is_whole = isinstance(item, c_ast.InitList) or not isinstance(kind, ArrayType | StructType)
    if not is_whole and isinstance(kind, ArrayType):
        element = kind.element
        is_whole = isinstance(element, IntType) and _is_string(item) and _element_size(item) == element.size
    if not is_whole and isinstance(kind, StructType) and not isinstance(item, c_ast.Constant):
        is_whole = lvalue.type_at(ctx, item) == kind
    if is_whole:
        items.popleft()
        yield from entries(ctx, kind, item, path)
        return
    yield from _fill(ctx, kind, items, path, is_braced=False)


def _part(ctx: Context, kind: CType, place: int) -> tuple[Path, CType] | None:
    """The member or element at a position."""
    match kind:
        case ArrayType(element, length):
            return None if length is not None and place >= length else ((Index(constant(place), length),), element)
        case StructType():
            members = ctx.memory.types.members(kind)
            if place >= len(members) or (kind.is_union and place > 0):
                return None
            return (members[place].name,), members[place].type
        case _:
            return None


def _designated(ctx: Context, kind: CType, item: Node, items: deque[Node], path: Path) -> Generator[Entry, None, int]:
    """The parts of a designated item, and of the next ones in what lies around it; returns the position behind that."""
    around: list[tuple[CType, Path, int]] = []
    for designator in item.name:
        if isinstance(kind, ArrayType):
            node = designator.expr if isinstance(designator, c_ast.ArrayDesignator) else designator
            index = expr.constant_value(ctx, node)
            if index is None:
                raise Unsupported("the index of this designator is no constant", ctx.span(node))
            around.append((kind, path, index))
            path, kind = (*path, Index(constant(index), kind.length)), kind.element
        elif isinstance(kind, StructType):
            found = ctx.memory.types.member(kind, designator.name)
            assert found is not None
            for name in found[0]:
                assert isinstance(kind, StructType)
                members = {member.name: member.type for member in ctx.memory.types.members(kind)}
                around.append((kind, path, list(members).index(name)))
                path, kind = (*path, name), members[name]
        else:
            break
    items.appendleft(item.expr)
    yield from _next(ctx, kind, items, path)
    for inner, start, position in reversed(around[1:]):
        yield from _fill(ctx, inner, items, start, is_braced=False, place=position + 1)
    return around[0][2] + 1


def completed(ctx: Context, kind: CType, node: Node | None) -> CType:
    """The type of an object, with the length that its initialiser gives."""
    if not isinstance(kind, ArrayType) or kind.length is not None or node is None:
        return kind
    longest = 0
    depth = 0
    for path, _, _ in entries(ctx, kind, node):
        step = path[depth]
        assert isinstance(step, Index)
        longest = max(longest, (step.constant or 0) + 1)
    return ArrayType(kind.element, longest)


def static_initial(ctx: Context, kind: CType, node: Node | None) -> Initial | None:
    """The initial values of a static object; None (any values) where the initialiser is not understood."""
    values: dict[Key, int] = {}
    origins: dict[Key, frozenset[str]] = {}
    if node is None:
        return Initial(values, origins)
    with discarding(ctx):
        found_entries, is_torn = effective(ctx, kind, node)
        if is_torn:
            ctx.warn(node, "initializer", TORN)
            return None
        for path, inner, item in found_entries:
            if item is None:
                continue
            if not is_scalar(inner):
                if isinstance(inner, StructType):
                    ctx.warn(node, "initializer", "an initial value is a whole structure: any values are assumed")
                    return None
                continue
            found = number(ctx, convert(ctx, _value(ctx, item), inner, item))
            if found.constant is None:
                ctx.warn(node, "initializer", "an initial value is not a constant that is known: any is assumed")
                return None
            values[key_of(path)] = found.constant
            if found.origins:
                origins[key_of(path)] = found.origins
    return Initial(values, origins)


def _value(ctx: Context, item: Node | int) -> Value:
    return literal(item) if isinstance(item, int) else expr.rvalue(ctx, item)


@contextmanager
def discarding(ctx: Context) -> Iterator[None]:
    """Lowers constant initialisers: commands are not kept, facts are."""
    before = ctx.builder
    ctx.builder = Builder(iter(range(10**9)), span=before.span)
    try:
        yield
    finally:
        ctx.builder = before


def initialise(ctx: Context, of: Object, node: Node) -> None:
    """Emits the initialisation of an automatic object."""
    place = Direct(of, (), of.type)
    if not isinstance(node, c_ast.InitList) and not _is_string(node):
        if is_scalar(of.type) or isinstance(of.type, StructType):
            value = expr.rvalue(ctx, node)
            _remember_constant(ctx, of, value, node)
            write(ctx, place, value, node)
            ctx.builder.flush()
        else:
            expr.effect(ctx, node)
        return
    found, is_torn = effective(ctx, of.type, node)
    values: dict[Key, int] = {}
    set_paths = set()
    nodes = [item for _, _, item in found if isinstance(item, c_ast.Node)]
    evaluated = iter(order.settled_operands(ctx, nodes))
    for path, inner, given in found:
        if given is None:
            continue
        item = next(evaluated) if isinstance(given, c_ast.Node) else given
        part: Place = place
        for step in path:
            part = inside(part, step, inner)
        value = _value(ctx, item)
        known = _constant(ctx, value, inner, node)
        if known is not None:
            values[key_of(path)] = known
        set_paths.add(key_of(path))
        if known is None:
            ctx.builder.flush()
            write(ctx, part, value, node)
    ctx.memory.initial[of.key] = Initial(values, {})
    _write_constants(ctx, of, values, set_paths, node)
    if is_torn:
        ctx.warn(node, "initializer", TORN)
        havoc_place(ctx, place)


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


def compound_literal(ctx: Context, node: Node) -> Place:
    """The place of a compound literal."""
    if ctx.frames:
        lengths.evaluate(ctx, node.type)
    kind = completed(ctx, ctx.memory.types.read(node.type, ctx.scope), node.init)
    key = ctx.unique(f"{ctx.frame.prefix}::literal" if ctx.frames else "literal")
    owner = ctx.template if ctx.frames else None
    of = Object(key, kind, "local" if owner else "global", owner, "(literal)", ctx.span(node))
    if owner is None:
        ctx.memory.declare(of, static_initial(ctx, kind, node.init))
    else:
        ctx.memory.declare(of, None)
        ctx.frame.cells.append(key)
        initialise(ctx, of, node.init)
    return Direct(of, (), kind)
