"""The table of modelled functions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.models import checks, heap, linux, threads
from duet.frontend.models.atomic_names import ATOMICS
from duet.frontend.models.builtins import BUILTINS
from duet.frontend.models.call import Model
from duet.frontend.models.library_names import LIBRARY
from duet.frontend.models.orders import weak
from duet.frontend.models.stubs import is_stub
from duet.frontend.models.synchronisation import SYNCHRONISATION
from duet.frontend.models.unknown import IMPORT
from duet.frontend.source.nodes import Node

OPAQUE = frozenset(
    (
        *("pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "pthread_spinlock_t"),
        *("pthread_attr_t", "pthread_mutexattr_t", "pthread_condattr_t", "pthread_rwlockattr_t", "sem_t"),
        *("pthread_barrierattr_t", "mtx_t", "cnd_t", "spinlock_t", "raw_spinlock_t"),
    )
)
"""Typedef names of library objects: one cell each, whatever the headers make of them."""

CHECKS: Mapping[str, Model] = MappingProxyType(
    {
        "assert": checks.assertion,
        "__VERIFIER_assert": checks.assertion,
        "__goblint_check": checks.soft_assertion,
        "__goblint_assert": checks.soft_assertion,
        "BUG_ON": checks.bug_on,
        "reach_error": checks.unreachable,
        "__VERIFIER_error": checks.unreachable,
        "__assert_fail": checks.assert_failed,
        "assume": checks.assume,
        "__VERIFIER_assume": checks.assume,
        "assume_abort_if_not": checks.assume,
        "__duet_assume": checks.assume,
        "__VERIFIER_atomic_begin": checks.begin_atomic,
        "__VERIFIER_atomic_end": checks.end_atomic,
        "__duet_atomic_begin": checks.begin_atomic,
        "__duet_atomic_end": checks.end_atomic,
    }
)
"""These hold even where the program defines a function of that name that does nothing else."""

_MEMORY: dict[str, Model] = {
    **dict.fromkeys(("malloc", "kmalloc", "vmalloc", "valloc"), heap.allocate(0)),
    **dict.fromkeys(("kzalloc", "vzalloc"), heap.allocate(0, is_zeroed=True)),
    **dict.fromkeys(("calloc", "kcalloc"), heap.allocate(0, 1, is_zeroed=True)),
    **dict.fromkeys(("aligned_alloc", "memalign"), heap.allocate(1)),
    **dict.fromkeys(("alloca", "__builtin_alloca"), heap.allocate(0, may_fail=False)),
    **dict.fromkeys(("realloc", "krealloc"), heap.resize(1)),
    "reallocarray": heap.resize(1, 2),
    **dict.fromkeys(("strdup", "strndup", "wcsdup"), heap.copied),
    "posix_memalign": heap.allocate_into,
    **dict.fromkeys(("free", "cfree", "kfree", "vfree", "kvfree"), heap.release),
    **dict.fromkeys(("srand", "srandom"), checks.zero),
}

_INTRINSICS: dict[str, Model] = {
    "__duet_havoc": linux.havoc,
    "__duet_expose": linux.expose,
    IMPORT: linux.imported,
    "__duet_receive": linux.receive,
    "__duet_read_once": weak(linux.read_once),
    "__duet_write_once": weak(linux.write_once),
    "__duet_acquire": linux.acquire,
    "__duet_release": linux.release,
    "__duet_asm": linux.assembler,
    "__duet_asm_memory": linux.assembler_of_memory,
    "__duet_va_arg": linux.variadic,
    "offsetof": linux.offset_of,
    **dict.fromkeys(linux.JUMPS, linux.jump),
}

_ENDS: dict[str, Model] = dict.fromkeys(("err", "errx", "verr", "verrx"), threads.stop)

MODELS: Mapping[str, Model] = MappingProxyType(
    {**LIBRARY, **SYNCHRONISATION, **ATOMICS, **_MEMORY, **_INTRINSICS, **_ENDS}
)
"""These hold where the program does not define the function itself."""


def model_of(name: str, definition: Node | None) -> Model | None:
    """The model of a function whose own definition, if any, is a tree; None for one to be inlined, or unknown."""
    if name in CHECKS and (definition is None or is_stub(name, definition)):
        return CHECKS[name]
    if definition is not None:
        return None
    kind = checks.nondet_name(name)
    if kind is not None:
        return checks.nondet(kind)
    plain = name.removeprefix("__builtin_")
    return MODELS.get(name) or BUILTINS.get(name) or (MODELS.get(plain) if plain != name else None)
