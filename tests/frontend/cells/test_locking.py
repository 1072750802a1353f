"""Lock operations as notes for the property deadlock."""

from __future__ import annotations

import pytest

from duet.frontend.cells.context import Context
from duet.frontend.cells.locking import note_operation
from duet.frontend.ctypes.library import LockOperation
from duet.frontend.ctypes.types import INT, OpaqueType
from duet.frontend.ctypes.values import Place, Temporary
from duet.plip.accesses import UNKNOWN_LOCK, AccessKind
from duet.plip.syntax import Assign, Cell, Guard, Step
from duet.plip.terms import add, compare, constant, variable
from tests.frontend.cells.lowering import context, declared, node, noted, whole

NODE = node("x")
FREE, TAKE, GIVE = Guard(compare(variable("m"), "==", constant(0))), Assign("m", constant(1)), Assign("m", constant(0))
COUNT = Assign("m", add(variable("m"), constant(1)))
BELOW = Assign("m", add(variable("m"), constant(-1)))
MINE = Assign("mine", constant(1))
OWN = Guard(compare(variable("mine"), "==", constant(1)))
Ways = tuple[tuple[int, tuple[Step, ...]], ...]


def lock(ctx: Context) -> Place:
    ctx.memory.cells["mine"] = Cell("mine", "main")
    ctx.memory.cells["m"] = Cell("m")
    return whole(declared(ctx, "m", OpaqueType("lock_t", 40, 8)))


def told(operation: LockOperation, ways: Ways, cell: str | None = "m", wanted: str = "deadlock") -> list[AccessKind]:
    ctx = context(wanted)
    note_operation(ctx, operation, NODE, lock(ctx), cell, ways, {0: 70, 1: 71})
    return [access.kind for access in noted(ctx)]


@pytest.mark.parametrize(
    ("operation", "ways", "expected"),
    [
        (LockOperation.ACQUIRE, ((0, (FREE, TAKE)),), [AccessKind.LOCK]),
        (LockOperation.ACQUIRE, ((0, (OWN, COUNT, MINE)),), [AccessKind.RELOCK]),
        (LockOperation.ACQUIRE, ((0, (OWN, COUNT)),), [AccessKind.LOCK]),
        (LockOperation.ACQUIRE, ((0, (FREE, TAKE)), (1, (OWN, COUNT, MINE))), [AccessKind.LOCK]),
        (LockOperation.WRITE, ((0, (OWN, TAKE)),), [AccessKind.LOCK]),
        (LockOperation.WRITE, ((0, (FREE, BELOW)),), [AccessKind.LOCK]),
        (LockOperation.READ, ((0, (COUNT,)),), [AccessKind.LOCK]),
        (LockOperation.TRY_SHARED, ((0, (FREE, BELOW)), (1, ())), [AccessKind.TAKE]),
        (LockOperation.RELEASE, ((0, (COUNT,)), (1, ())), [AccessKind.UNLOCK]),
        (LockOperation.ACQUIRE, ((1, (FREE,)),), []),
        (LockOperation.TRY, ((0, (FREE, TAKE)), (1, ())), [AccessKind.TAKE]),
        (LockOperation.TIMED, ((0, (FREE, TAKE)), (1, (TAKE,))), [AccessKind.TAKE, AccessKind.TAKE]),
        (LockOperation.RELEASE, ((0, (GIVE,)),), [AccessKind.UNLOCK]),
        (LockOperation.RELEASE, ((0, (BELOW,)),), [AccessKind.UNLOCK]),
        (LockOperation.RELEASE, ((1, (FREE,)),), []),
        (LockOperation.INITIALISE, ((0, (TAKE,)),), []),
    ],
)
def test_operations_are_told_by_what_their_ways_do(
    operation: LockOperation, ways: Ways, expected: list[AccessKind]
) -> None:
    assert told(operation, ways) == expected


def test_of_a_lock_that_is_not_told_apart_any_way_may_take_it() -> None:
    assert told(LockOperation.ACQUIRE, ((0, ()),), None) == [AccessKind.LOCK]
    assert told(LockOperation.TRY, ((0, ()),), None) == [AccessKind.TAKE]
    assert told(LockOperation.RELEASE, ((0, ()),), None) == [AccessKind.UNLOCK]


def test_nothing_is_told_unless_asked_for() -> None:
    assert told(LockOperation.ACQUIRE, ((0, (TAKE,)),), wanted="overflow") == []


def test_what_was_tried_is_taken_where_its_result_is_seen() -> None:
    ctx = context("deadlock")
    note_operation(ctx, LockOperation.TRY, NODE, lock(ctx), "m", ((1, (TAKE,)),), {0: 70, 1: 71})
    assert list(ctx.builder.accesses) == [71]


def test_a_lock_that_is_not_known_may_be_any() -> None:
    ctx = context("deadlock")
    note_operation(ctx, LockOperation.ACQUIRE, NODE, Temporary(INT), None, ((0, ()),), {})
    assert [access.object for access in noted(ctx)] == [UNKNOWN_LOCK]
