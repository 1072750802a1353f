"""The models of atomic operations by name: C11, `__atomic_*` and `__sync_*` of compilers, with sizes or without."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.models import atomics, checks
from duet.frontend.models.call import Model
from duet.frontend.models.orders import mention, ordered, weak

_OPERATORS = {"add": "+", "sub": "-", "or": "|", "and": "&", "xor": "^", "nand": "~&"}
_SIZES = ("_1", "_2", "_4", "_8", "_16")


def _sized(name: str, model: Model) -> dict[str, Model]:
    """A generic operation and those for operands of some size."""
    return {name: model, **{f"{name}{size}": model for size in _SIZES}}


def _builtin(name: str, model: Model, orders: int = 1) -> dict[str, Model]:
    """`__atomic_NAME_n` and those for operands of some size."""
    wrapped = ordered(model, orders)
    return {f"__atomic_{name}_n": wrapped, **{f"__atomic_{name}{size}": wrapped for size in _SIZES}}


def _standard(name: str, model: Model, orders: int = 1) -> dict[str, Model]:
    """`atomic_NAME` and `atomic_NAME_explicit`."""
    return {f"atomic_{name}": model, f"atomic_{name}_explicit": ordered(model, orders)}


_ATOMICS: dict[str, Model] = {}
for _name, _operator in _OPERATORS.items():
    _old, _new = atomics.fetch(_operator, False), atomics.fetch(_operator, True)
    _ATOMICS |= _sized(f"__sync_fetch_and_{_name}", _old) | _sized(f"__sync_{_name}_and_fetch", _new)
    _ATOMICS |= _sized(f"__atomic_fetch_{_name}", ordered(_old)) | _sized(f"__atomic_{_name}_fetch", ordered(_new))
    _ATOMICS |= _standard(f"fetch_{_name}", _old)
_EXCHANGE = atomics.fetch("=", False)
_ATOMICS |= {
    **_builtin("exchange", _EXCHANGE),
    **_standard("exchange", _EXCHANGE),
    **_sized("__sync_lock_test_and_set", weak(_EXCHANGE)),
    "__atomic_exchange": ordered(atomics.exchange_behind),
    **_standard("flag_test_and_set", atomics.test_and_set),
    "__atomic_test_and_set": ordered(atomics.test_and_set),
    **_standard("flag_clear", atomics.clear),
    "__atomic_clear": ordered(atomics.clear),
    **_sized("__sync_lock_release", weak(atomics.clear)),
    **_sized("__sync_bool_compare_and_swap", atomics.compare_swap(False)),
    **_sized("__sync_val_compare_and_swap", atomics.compare_swap(True)),
    **_builtin("compare_exchange", atomics.compare_exchange, 2),
    "__atomic_compare_exchange": ordered(atomics.compare_exchange, 2),
    **_standard("compare_exchange_strong", atomics.compare_exchange, 2),
    **_standard("compare_exchange_weak", atomics.compare_exchange, 2),
    **_builtin("load", atomics.load),
    **_standard("load", atomics.load),
    "__atomic_load": ordered(atomics.load_into),
    **_builtin("store", atomics.store),
    **_standard("store", atomics.store),
    "__atomic_store": ordered(atomics.store_from),
    "atomic_init": atomics.initialise,
    **dict.fromkeys(
        (
            *("__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence"),
            *("atomic_thread_fence", "atomic_signal_fence"),
        ),
        checks.zero,
    ),
    **dict.fromkeys(("atomic_is_lock_free", "__atomic_is_lock_free", "__atomic_always_lock_free"), atomics.lock_free),
    "__duet_weak_order": mention,
}

ATOMICS: Mapping[str, Model] = MappingProxyType(_ATOMICS)
"""The models of this module."""
