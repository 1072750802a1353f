"""The records of atomic operations: C11, `__atomic_*` and `__sync_*` of compilers, with sizes or without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from duet.frontend.ctypes.library import Reads, Result
from duet.frontend.ctypes.types import BOOL, UCHAR, UINT, UINT128, ULLONG, USHORT, VOID, CType
from duet.frontend.models import atomics, checks
from duet.frontend.models.call import Model
from duet.frontend.models.orders import mention, ordered, weak
from duet.frontend.models.record import LibraryFunction

_OPERATORS = (("add", "+"), ("sub", "-"), ("or", "|"), ("and", "&"), ("xor", "^"), ("nand", "~&"))
_own = partial(LibraryFunction, reads=Reads.NOTHING)


def _of_sizes(name: str, model: Model, result: CType | Result, pointers: int = 1) -> Iterator[LibraryFunction]:
    """The operations for operands of some size: on unsigned integers, whatever the `pointers` lead to (as in GCC)."""
    for kind in (UCHAR, USHORT, UINT, ULLONG, UINT128):
        given = kind if isinstance(result, Result) else result
        yield _own(f"{name}_{kind.size}", atomics.of_size(model, kind, pointers, given), result=given)


def _sized(name: str, model: Model, result: CType | Result = Result.POINTED) -> tuple[LibraryFunction, ...]:
    """A generic operation and those for operands of some size."""
    return (_own(name, model, result=result), *_of_sizes(name, model, result))


def _builtin(
    name: str, model: Model, orders: int = 1, result: CType | Result = Result.POINTED
) -> tuple[LibraryFunction, ...]:
    """`__atomic_NAME_n` and those for operands of some size."""
    several = ordered(model, orders)
    return (_own(f"__atomic_{name}_n", several, result=result), *_of_sizes(f"__atomic_{name}", several, result, orders))


def _standard(
    name: str, model: Model, orders: int = 1, result: CType | Result = Result.POINTED
) -> tuple[LibraryFunction, ...]:
    """`atomic_NAME` and `atomic_NAME_explicit`."""
    explicit = _own(f"atomic_{name}_explicit", ordered(model, orders), result=result)
    return (_own(f"atomic_{name}", model, result=result), explicit)


def _changing(name: str, operator: str) -> tuple[LibraryFunction, ...]:
    """The operations that read, change and write."""
    old, new = atomics.fetch(operator, False), atomics.fetch(operator, True)
    return (
        *_sized(f"__sync_fetch_and_{name}", old),
        *_sized(f"__sync_{name}_and_fetch", new),
        *_sized(f"__atomic_fetch_{name}", ordered(old)),
        *_sized(f"__atomic_{name}_fetch", ordered(new)),
        *_standard(f"fetch_{name}", old),
    )


_EXCHANGE = atomics.fetch("=", False)

ATOMICS: tuple[LibraryFunction, ...] = (
    *(record for name, operator in _OPERATORS for record in _changing(name, operator)),
    *_builtin("exchange", _EXCHANGE),
    *_standard("exchange", _EXCHANGE),
    *_sized("__sync_lock_test_and_set", weak(_EXCHANGE)),
    _own("__atomic_exchange", ordered(atomics.exchange_behind), result=VOID),
    *_standard("flag_test_and_set", atomics.set_flag, result=BOOL),
    _own("__atomic_test_and_set", ordered(partial(atomics.set_flag, is_untyped=True)), result=BOOL),
    *_standard("flag_clear", atomics.clear, result=VOID),
    _own("__atomic_clear", ordered(partial(atomics.clear, is_untyped=True)), result=VOID),
    *_sized("__sync_lock_release", weak(atomics.clear), VOID),
    *_sized("__sync_bool_compare_and_swap", atomics.compare_swap(False), BOOL),
    *_sized("__sync_val_compare_and_swap", atomics.compare_swap(True)),
    *_builtin("compare_exchange", atomics.compare_exchange, 2, BOOL),
    _own("__atomic_compare_exchange", ordered(partial(atomics.compare_exchange, is_behind=True), 2), result=BOOL),
    *_standard("compare_exchange_strong", partial(atomics.compare_exchange, is_weak=False), 2, BOOL),
    *_standard("compare_exchange_weak", partial(atomics.compare_exchange, is_weak=True), 2, BOOL),
    *_builtin("load", atomics.load),
    *_standard("load", atomics.load),
    _own("__atomic_load", ordered(atomics.load_into), result=VOID),
    *_builtin("store", atomics.store, result=VOID),
    *_standard("store", atomics.store, result=VOID),
    _own("__atomic_store", ordered(atomics.store_from), result=VOID),
    _own("atomic_init", atomics.initialise, result=VOID),
    _own("__sync_synchronize __atomic_thread_fence __atomic_signal_fence", checks.zero, result=VOID),
    _own("atomic_thread_fence atomic_signal_fence", checks.zero, result=VOID),
    _own("atomic_is_lock_free __atomic_is_lock_free __atomic_always_lock_free", atomics.lock_free, result=BOOL),
    _own("__duet_weak_order", mention),
)
