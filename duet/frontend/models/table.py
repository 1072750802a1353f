"""The table of modelled functions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.models import atomics, checks, linux, locks, memory_functions, threads
from duet.frontend.models.call import Model
from duet.frontend.types import INT, VOID_POINTER

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
"""These hold even where the program defines a function of that name."""

_LOCKS: dict[str, Model] = {
    **dict.fromkeys(("pthread_mutex_lock", "pthread_spin_lock", "mtx_lock", "spin_lock"), locks.lock),
    **dict.fromkeys(("pthread_mutex_unlock", "pthread_spin_unlock", "mtx_unlock", "spin_unlock"), locks.unlock),
    **dict.fromkeys(("pthread_mutex_trylock", "pthread_spin_trylock"), locks.attempt(locks.EBUSY)),
    "mtx_trylock": locks.attempt(1),
    "spin_trylock": locks.attempt(0, 1),
    **dict.fromkeys(("pthread_mutex_timedlock", "pthread_mutex_clocklock", "mtx_timedlock"), locks.timed),
    **dict.fromkeys(
        ("pthread_mutex_init", "pthread_spin_init", "pthread_rwlock_init", "mtx_init", "spin_lock_init"),
        locks.initialise,
    ),
    "pthread_rwlock_rdlock": locks.read_lock,
    "pthread_rwlock_wrlock": locks.write_lock,
    "pthread_rwlock_tryrdlock": locks.try_read_lock,
    "pthread_rwlock_trywrlock": locks.try_write_lock,
    "pthread_rwlock_unlock": locks.rw_unlock,
    "sem_init": locks.sem_init,
    "sem_wait": locks.sem_wait,
    "sem_trywait": locks.sem_trywait,
    "sem_timedwait": locks.sem_timedwait,
    "sem_post": locks.sem_post,
    **dict.fromkeys(("pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"), locks.wait),
    **dict.fromkeys(("pthread_once", "call_once"), locks.once),
    **dict.fromkeys(
        (
            *("pthread_mutex_destroy", "pthread_spin_destroy", "pthread_rwlock_destroy", "mtx_destroy", "sem_destroy"),
            *("pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast"),
            *("cnd_init", "cnd_destroy", "cnd_signal", "cnd_broadcast"),
            *("pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setdetachstate", "pthread_attr_setstacksize"),
            *("pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_settype"),
            *("pthread_condattr_init", "pthread_condattr_destroy", "pthread_detach", "pthread_setname_np"),
            *("pthread_barrier_init", "pthread_barrier_destroy", "pthread_cancel", "pthread_kill", "thrd_detach"),
            *("sched_yield", "pthread_yield", "usleep", "nanosleep", "sleep", "thrd_yield", "thrd_sleep"),
        ),
        locks.quiet,
    ),
}

_THREADS: dict[str, Model] = {
    "pthread_create": threads.create,
    "thrd_create": threads.create_c11,
    **dict.fromkeys(("pthread_join", "thrd_join"), threads.join),
    **dict.fromkeys(("pthread_exit", "thrd_exit"), threads.leave),
    **dict.fromkeys(("pthread_self", "thrd_current"), threads.self_id),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), threads.equal),
    **dict.fromkeys(
        ("exit", "_exit", "_Exit", "quick_exit", "abort", "__duet_noreturn", "panic", "__builtin_unreachable"),
        threads.stop,
    ),
    "__duet_spawn": threads.start,
    **dict.fromkeys(("signal", "bsd_signal", "ssignal", "sigset"), threads.registers(VOID_POINTER)),
    **dict.fromkeys(
        (
            *("sigaction", "timer_create", "atexit", "on_exit", "at_quick_exit", "pthread_atfork"),
            *("pthread_key_create", "tss_create", "pthread_cleanup_push"),
        ),
        threads.registers(INT),
    ),
}

_FETCH = {"add": "+", "sub": "-", "or": "|", "and": "&", "xor": "^", "nand": "~&"}
_ATOMICS: dict[str, Model] = {
    **{f"__sync_fetch_and_{name}": atomics.fetch(op, False) for name, op in _FETCH.items()},
    **{f"__sync_{name}_and_fetch": atomics.fetch(op, True) for name, op in _FETCH.items()},
    **{f"__atomic_fetch_{name}": atomics.fetch(op, False) for name, op in _FETCH.items()},
    **{f"__atomic_{name}_fetch": atomics.fetch(op, True) for name, op in _FETCH.items()},
    **{f"atomic_fetch_{name}": atomics.fetch(op, False) for name, op in _FETCH.items()},
    **{f"atomic_fetch_{name}_explicit": atomics.fetch(op, False) for name, op in _FETCH.items()},
    **dict.fromkeys(
        ("__atomic_exchange_n", "__sync_lock_test_and_set", "atomic_exchange", "atomic_exchange_explicit"),
        atomics.fetch("=", False),
    ),
    **dict.fromkeys(
        ("atomic_flag_test_and_set", "atomic_flag_test_and_set_explicit", "__atomic_test_and_set"),
        atomics.test_and_set,
    ),
    **dict.fromkeys(
        ("atomic_flag_clear", "atomic_flag_clear_explicit", "__atomic_clear", "__sync_lock_release"), atomics.clear
    ),
    "__sync_bool_compare_and_swap": atomics.compare_swap(False),
    "__sync_val_compare_and_swap": atomics.compare_swap(True),
    **dict.fromkeys(
        (
            *("__atomic_compare_exchange_n", "__atomic_compare_exchange"),
            *("atomic_compare_exchange_strong", "atomic_compare_exchange_weak"),
            *("atomic_compare_exchange_strong_explicit", "atomic_compare_exchange_weak_explicit"),
        ),
        atomics.compare_exchange,
    ),
    **dict.fromkeys(("__atomic_load_n", "atomic_load", "atomic_load_explicit"), atomics.load),
    "__atomic_load": atomics.load_into,
    "__atomic_store": atomics.store_from,
    **dict.fromkeys(("__atomic_store_n", "atomic_store", "atomic_store_explicit", "atomic_init"), atomics.store),
    **dict.fromkeys(
        ("__sync_synchronize", "__atomic_thread_fence", "atomic_thread_fence", "atomic_signal_fence"), checks.zero
    ),
}

_MEMORY: dict[str, Model] = {
    **dict.fromkeys(
        ("malloc", "calloc", "realloc", "alloca", "__builtin_alloca", "strdup", "strndup", "aligned_alloc"),
        memory_functions.allocate,
    ),
    "free": memory_functions.release,
    **dict.fromkeys(
        ("memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", "bzero", "fgets", "gets"),
        memory_functions.overwrite,
    ),
    **dict.fromkeys(("strlen", "strnlen"), memory_functions.measured),
    **dict.fromkeys(
        (
            *("strcmp", "strncmp", "memcmp", "strcasecmp", "strncasecmp", "atoi", "getpid", "getchar", "getppid"),
            *("fflush", "fclose", "close", "time", "clock", "isatty"),
        ),
        memory_functions.compared,
    ),
    **dict.fromkeys(("rand", "random", "lrand48"), memory_functions.random),
    **dict.fromkeys(
        ("printf", "fprintf", "puts", "putchar", "fputs", "fputc", "perror", "putc", "vprintf", "dprintf"),
        memory_functions.printed,
    ),
    **dict.fromkeys(("sprintf", "snprintf"), memory_functions.formatted),
    **dict.fromkeys(("srand", "srandom", "setbuf", "__duet_printk"), checks.zero),
}

_INTRINSICS: dict[str, Model] = {
    "__duet_havoc": linux.havoc,
    "__duet_acquire": linux.acquire,
    "__duet_release": linux.release,
    "__duet_asm": linux.assembler,
    "__duet_va_arg": linux.variadic,
    "offsetof": linux.offset_of,
    **dict.fromkeys(
        ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp"),
        linux.jump,
    ),
}

MODELS: Mapping[str, Model] = MappingProxyType({**_LOCKS, **_THREADS, **_ATOMICS, **_MEMORY, **_INTRINSICS})
"""These hold where the program does not define the function itself."""


def model_of(name: str, is_defined: bool) -> Model | None:
    """The model of a function; None for one to be inlined, or unknown."""
    if name in CHECKS:
        return CHECKS[name]
    kind = checks.nondet_name(name)
    if kind is not None:
        return checks.nondet(kind)
    return None if is_defined else MODELS.get(name)
