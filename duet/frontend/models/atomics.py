"""Atomic operations: `__sync_*`, `__atomic_*`, `<stdatomic.h>`. Each is one step, sequentially consistent.

That those with a weaker order are taken so, too, is an assumption, which says where they are (see `orders`).
"""

from __future__ import annotations

from dataclasses import replace

from duet.frontend.cells import gate, sharing
from duet.frontend.cells.access import inside, located, read, write
from duet.frontend.cells.arithmetic import binary, unary
from duet.frontend.cells.automatic import own_copy
from duet.frontend.cells.comparison import comparison
from duet.frontend.cells.context import Context
from duet.frontend.cells.convert import condition_of, convert, fit, number, snapshot
from duet.frontend.cells.escapes import note_write
from duet.frontend.cells.gate import Touch
from duet.frontend.cells.located import CellAt
from duet.frontend.cells.regions import enter_region, leave_region, region
from duet.frontend.cells.targets import Target
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.origins import Content, Origin, anywhere, moved, stepped
from duet.frontend.ctypes.types import (
    BOOL,
    UCHAR,
    VOID,
    CType,
    IntType,
    PointerType,
    StructType,
    is_scalar,
    plain,
    value_range,
)
from duet.frontend.ctypes.values import (
    Address,
    Indirect,
    Number,
    Place,
    Untracked,
    Value,
    in_type,
    is_null,
    literal,
    of_term,
)
from duet.frontend.expressions.choice import mapped
from duet.frontend.form.tree import Convert
from duet.frontend.models.call import Call, Model, answer, done
from duet.frontend.source.nodes import Node
from duet.plip.syntax import Assign, Atomic, Guard
from duet.plip.terms import add, compare, constant, negate, rename_formula, scale, variable


def of_size(model: Model, kind: IntType, pointers: int, result: CType) -> Model:
    """An operation on as many bytes as a type has, whatever the first arguments, which are pointers, lead to."""

    def wrapped(ctx: Context, call: Call) -> list[Outcome]:
        given, more = call.arguments[:pointers], call.arguments[pointers:]
        if not all(_leads_to(ctx, it.type, kind) for it in given):
            cast = (Convert(it.node, PointerType(kind), it) for it in given)
            call = replace(call, arguments=[*cast, *more])
        found = model(ctx, call)
        return mapped(ctx, found, lambda value: convert(ctx, value, result, call.node)) if result == kind else found

    return wrapped


def _leads_to(ctx: Context, pointer: CType, kind: IntType) -> bool:
    """Whether a type is of pointers to integers with as many bits as a type has, or to pointers of its size."""
    match pointer:
        case PointerType(IntType(width=width)):
            return width == kind.width
        case PointerType(PointerType()):
            return ctx.data.pointer == kind.size
        case _:
            return False


def fetch(operator: str, is_new: bool) -> Model:
    """Read, change and write as one; the value is the old one, or the new one."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        place = call.target(ctx, 0)
        operand = call.number(ctx, 1)
        is_lock = operator == "=" and operand.constant is not None and not isinstance(place.type, PointerType)
        if is_lock and _is_exact(ctx, place, call.node):
            return _exchange(ctx, call, place, operand)
        with region(ctx):
            old = snapshot(ctx, number(ctx, read(ctx, place, call.node)))
            new = snapshot(ctx, number(ctx, _combined(ctx, operator, old, operand, place, call)))
            write(ctx, gate.covered(place), new, call.node, is_kept=True)  # checked where it was read
        return answer(ctx, new if is_new else old)

    return model


def _is_exact(ctx: Context, place: Place, node: Node) -> bool:
    """Whether a place has a cell of its type, whatever it means, and writing it changes nothing else."""
    for target in gate.choices(ctx, place, node):
        cell = located(ctx, target.place)
        if not isinstance(cell, CellAt) or target.clobbers or type(cell.type) is not type(place.type):
            return False
        if value_range(cell.type) != value_range(place.type):
            return False
    return True


def _exchange(ctx: Context, call: Call, place: Place, new: Number) -> list[Outcome]:
    """Exchanges with a constant: outcomes by the sign of the old value, which shows a lock taken this way.

    *Requires*: the place is exact.
    """
    (value,) = _operands(ctx, place, call, new)
    builder, kind = ctx.builder, place.type
    lo, hi = value_range(kind)
    old = ctx.temporary(kind)
    found: list[Outcome] = []
    term = variable(old)
    signs = [
        (compare(term, "==", constant(0)), literal(0, kind)),
        (compare(term, ">", constant(0)), _old(old, kind, 1, hi)),
    ]
    if lo < 0:
        signs.append((compare(term, "<", constant(0)), _old(old, kind, lo, -1)))
    ways = [builder.fresh() for _ in signs]

    def action(target: Target) -> Value:
        cell = located(ctx, target.place)
        assert isinstance(cell, CellAt)
        builder.flush()
        for way, (formula, _) in zip(ways, signs, strict=True):
            seen = formula if cell.is_summary else rename_formula(formula, lambda _: cell.name)
            steps = (Assign(old, variable(cell.name)), Guard(seen), Assign(cell.name, value.term))
            note_write(ctx, cell, target.place, value.origins)
            builder.edge(Atomic(steps), way)
        builder.dead()
        return Untracked(VOID)

    with sharing.atomically(ctx):
        gate.each(ctx, place, Touch.UPDATE, call.node, action, VOID)
    builder.dead()
    found.extend((gate.behind(ctx, place, way), result) for way, (_, result) in zip(ways, signs, strict=True))
    return found


def _old(name: str, kind: CType, low: int, high: int) -> Number:
    return of_term(variable(name), kind, low, high)


def _combined(ctx: Context, operator: str, old: Value, operand: Value, place: Place, call: Call) -> Value:
    if operator == "=":
        return convert(ctx, operand, place.type, call.node)
    if isinstance(place.type, PointerType):
        # compilers differ in whether the operand counts bytes or elements: it may lead anywhere
        origins = anywhere(number(ctx, old).origins | number(ctx, operand).origins)
        return ctx.havoc(place.type, moved(origins, place.type.target))
    if operator == "~&":
        found = unary(ctx, "~", binary(ctx, "&", old, operand, call.node), call.node)
        return convert(ctx, found, place.type, call.node)
    kind = place.type
    if isinstance(kind, IntType) and kind.signed and operator in ("+", "-"):
        # atomic arithmetic on signed types wraps silently (C11 7.17.7.5)
        a, b = number(ctx, old), number(ctx, operand)
        sign = 1 if operator == "+" else -1
        low, high = (a.lo + b.lo, a.hi + b.hi) if sign > 0 else (a.lo - b.hi, a.hi - b.lo)
        origins = stepped(a.origins, scale(b.term, sign), 1) | stepped(b.origins, a.term, 1)
        return fit(ctx, of_term(add(a.term, b.term, sign), a.type, low, high, origins), plain(kind))
    return convert(ctx, binary(ctx, operator, old, operand, call.node), kind, call.node)


def load(ctx: Context, call: Call) -> list[Outcome]:
    """The value, read as late as its use allows."""
    place = call.target(ctx, 0)
    for position in range(1, len(call.arguments)):
        call.value(ctx, position)
    return load_from(ctx, place, call.node)


def load_from(ctx: Context, place: Place, node: Node) -> list[Outcome]:
    """The value of a place, read as one step, as late as its use allows."""
    with sharing.atomically(ctx):
        value = read(ctx, place, node)
    return [(ctx.builder.current, value)]


def load_into(ctx: Context, call: Call) -> list[Outcome]:
    """__atomic_load(p, result, order)."""
    place = call.target(ctx, 0)
    if is_scalar(place.type):
        with sharing.atomically(ctx):
            value = snapshot(ctx, read(ctx, place, call.node))
    else:
        with region(ctx):
            value = _copy(ctx, place, call.node)
    write(ctx, call.target(ctx, 1), value, call.node)
    return done(ctx)


def _copy(ctx: Context, place: Place, node: Node) -> Value:
    """What a structure is where it is read; only what of this is in an atomic region is atomic."""
    return own_copy(ctx, read(ctx, place, node), "copy", node)


def store(ctx: Context, call: Call) -> list[Outcome]:
    """Writes the second argument."""
    place = call.target(ctx, 0)
    return store_to(ctx, place, call.number(ctx, 1), call.node)


def initialise(ctx: Context, call: Call) -> list[Outcome]:
    """atomic_init: writes the second argument, which is no atomic operation (C11 7.17.2.2)."""
    place = call.target(ctx, 0)
    write(ctx, place, convert(ctx, call.number(ctx, 1), place.type, call.node), call.node)
    return done(ctx)


def store_to(ctx: Context, place: Place, value: Value, node: Node) -> list[Outcome]:
    """Writes a value to a place as one step."""
    converted = convert(ctx, value, place.type, node)
    with sharing.atomically(ctx) if is_scalar(place.type) else region(ctx):
        write(ctx, place, converted, node)
    return done(ctx)


def store_from(ctx: Context, call: Call) -> list[Outcome]:
    """__atomic_store(p, value, order)."""
    place, given = call.target(ctx, 0), call.target(ctx, 1)
    return store_to(ctx, place, snapshot(ctx, _copy(ctx, given, call.node)), call.node)


def clear(ctx: Context, call: Call, is_untyped: bool = False) -> list[Outcome]:
    """Writes 0; to the first byte where the function takes pointers of any type."""
    place = _first_byte(ctx, call) if is_untyped else call.target(ctx, 0)
    return store_to(ctx, place, literal(0), call.node)


def set_flag(ctx: Context, call: Call, is_untyped: bool = False) -> list[Outcome]:
    """Sets a flag: outcomes by whether it was set before; a byte that is neither 0 nor 1 becomes 1, too."""
    place = _first_byte(ctx, call) if is_untyped else call.target(ctx, 0)
    if _is_exact(ctx, place, call.node):
        return [(at, literal(int(not is_null(old)))) for at, old in _exchange(ctx, call, place, literal(1))]
    with region(ctx):
        old = snapshot(ctx, number(ctx, read(ctx, place, call.node)))
        write(ctx, place, literal(1, place.type), call.node)
    was_clear, was_set = ctx.builder.branch(condition_of(ctx, comparison(ctx, "==", old, literal(0))))
    return [(was_clear, literal(0)), (was_set, literal(1))]


def _first_byte(ctx: Context, call: Call) -> Place:
    """The first byte of what the first argument points to."""
    place = call.target(ctx, 0)
    while isinstance(place.type, StructType) and (members := ctx.memory.types.members(place.type)):
        place = inside(place, members[0].name, members[0].type)
    if ctx.memory.types.size(place.type) == 1:
        return place
    address = convert(ctx, Address(place, PointerType(place.type)), PointerType(UCHAR), call.node)
    return Indirect(number(ctx, address), UCHAR, (), UCHAR)


def swap(ctx: Context, call: Call, place: Place, expected: Number, new: Number) -> tuple[int, int, Number]:
    """Compares and, where equal, writes, in one step: where it did, where not, and the value that was there."""
    if not _is_exact(ctx, place, call.node):
        return _swap_by_parts(ctx, call, place, expected, new)
    builder = ctx.builder
    kind = place.type
    old = ctx.temporary(kind)
    yes, no = builder.fresh(), builder.fresh()
    found: set[Origin] = set()

    def action(target: Target) -> Value:
        cell = located(ctx, target.place)
        assert isinstance(cell, CellAt)
        builder.flush()
        note_write(ctx, cell, target.place, new.origins)
        seen = variable(old if cell.is_summary else cell.name)
        fetched = Assign(old, variable(cell.name))
        held = ctx.facts.pointers.held(cell.name)
        found.update(held | {Content(cell.name)} if held or isinstance(kind, PointerType) else ())
        equal = condition_of(ctx, comparison(ctx, "==", in_type(seen, kind, held), expected))
        builder.edge(Atomic((fetched, Guard(equal), Assign(cell.name, new.term))), yes)
        builder.edge(Atomic((fetched, Guard(negate(equal)))), no)
        builder.dead()
        return Untracked(VOID)

    with sharing.atomically(ctx):
        gate.each(ctx, place, Touch.UPDATE, call.node, action, VOID)
    builder.dead()
    yes, no = gate.behind(ctx, place, yes), gate.behind(ctx, place, no)
    return yes, no, in_type(variable(old), kind, expected.origins | new.origins | found)


def _swap_by_parts(ctx: Context, call: Call, place: Place, expected: Number, new: Number) -> tuple[int, int, Number]:
    """The same for what has no cell of its type, by a read and a write in an atomic region."""
    builder = ctx.builder
    is_inside = builder.is_inside
    if not is_inside:
        enter_region(ctx)
    old = snapshot(ctx, number(ctx, read(ctx, place, call.node)))
    assert isinstance(old, Number)
    equal = condition_of(ctx, comparison(ctx, "==", old, expected))
    ends: list[int] = []
    for way, is_equal in zip(builder.branch(equal), (True, False), strict=True):
        builder.at(way)
        if is_equal:
            write(ctx, place, new, call.node, is_kept=True)
        builder.flush()
        if not is_inside:
            leave_region(ctx)
        ends.append(builder.current)
        builder.dead()
    return ends[0], ends[1], old


def _swap_whole(ctx: Context, call: Call, place: Place, expected: Place, new: Place) -> list[Outcome]:
    """The outcomes of comparing and exchanging a structure; whether it was as expected is not known."""
    _copy(ctx, expected, call.node)
    given = _copy(ctx, new, call.node)
    equal, other = ctx.builder.fork(2)
    ctx.builder.at(equal)
    with region(ctx):
        write(ctx, place, given, call.node)
    equal = ctx.builder.current
    ctx.builder.at(other)
    with region(ctx):
        seen = _copy(ctx, place, call.node)
    write(ctx, expected, seen, call.node)
    ctx.builder.flush()
    return [(equal, literal(1)), (ctx.builder.current, literal(0))]


def _operands(ctx: Context, place: Place, call: Call, *values: Value) -> list[Number]:
    """Values converted to the type of a place, as numbers that nothing changes."""
    result = []
    for value in values:
        found = snapshot(ctx, number(ctx, convert(ctx, value, place.type, call.node)))
        assert isinstance(found, Number)
        result.append(found)
    return result


def compare_swap(is_value: bool) -> Model:
    """__sync_bool_compare_and_swap, __sync_val_compare_and_swap."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        place = call.target(ctx, 0)
        expected, new = _operands(ctx, place, call, call.number(ctx, 1), call.number(ctx, 2))
        yes, no, old = swap(ctx, call, place, expected, new)
        if is_value:
            return [(yes, expected), (no, old)]
        return [(yes, literal(1)), (no, literal(0))]

    return model


def exchange_behind(ctx: Context, call: Call) -> list[Outcome]:
    """__atomic_exchange(p, value, result, order)."""
    place, given, result = (call.target(ctx, position) for position in range(3))
    if not is_scalar(place.type):
        value = _copy(ctx, given, call.node)
        with region(ctx):
            seen = _copy(ctx, place, call.node)
            write(ctx, place, value, call.node)
        write(ctx, result, seen, call.node)
        return done(ctx)
    (new,) = _operands(ctx, place, call, read(ctx, given, call.node))
    with region(ctx):
        old = snapshot(ctx, number(ctx, read(ctx, place, call.node)))
        write(ctx, place, new, call.node, is_kept=True)
    write(ctx, result, old, call.node)
    return done(ctx)


def lock_free(ctx: Context, call: Call) -> list[Outcome]:
    """atomic_is_lock_free: one or the other, which makes no difference here."""
    call.evaluate_all(ctx)
    return answer(ctx, ctx.havoc(BOOL))


def _says_weak(ctx: Context, call: Call) -> bool:
    """Whether a compare-and-exchange may be weak as an argument says."""
    # __atomic_compare_exchange_4 and the like may come without the argument; they are strong then
    return len(call.arguments) > 5 and call.number(ctx, 3).constant != 0


def compare_exchange(ctx: Context, call: Call, is_weak: bool | None = None, is_behind: bool = False) -> list[Outcome]:
    """C11 and `__atomic_compare_exchange(_n)`: what is expected is behind a pointer and set on failure.

    The new value is behind a pointer, too, if it `is_behind`. Weak ones may fail anyway; an argument says so for None.
    """
    builder = ctx.builder
    place, expected_place = call.target(ctx, 0), call.target(ctx, 1)
    if not is_scalar(place.type):
        return _swap_whole(ctx, call, place, expected_place, call.target(ctx, 2))
    given = read(ctx, call.target(ctx, 2), call.node) if is_behind else call.number(ctx, 2)
    expected, new = _operands(ctx, place, call, read(ctx, expected_place, call.node), given)
    is_weak = _says_weak(ctx, call) if is_weak is None else is_weak
    ways = builder.fork(2, is_given=True) if is_weak else [builder.current]
    builder.at(ways[0])
    yes, no, old = swap(ctx, call, place, expected, new)
    builder.at(no)
    write(ctx, expected_place, old, call.node, is_kept=True)
    builder.flush()
    no = builder.current
    if is_weak:
        builder.at(ways[1])
        with sharing.atomically(ctx):
            (seen,) = _operands(ctx, place, call, read(ctx, place, call.node))
        write(ctx, expected_place, seen, call.node, is_kept=True)
        builder.goto(no)
    return [(yes, literal(1)), (no, literal(0))]
