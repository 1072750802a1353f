"""The models of threads and of what orders them, by name: POSIX threads, semaphores, C11 threads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.ctypes.types import INT, UINT, VOID_POINTER
from duet.frontend.models import barriers, endings, handlers, locks, mutexes, rwlocks, semaphores, threads
from duet.frontend.models.call import ERRORS, Model
from duet.frontend.models.library import effect
from duet.frontend.models.locks import fills, quiet, tries, waits

EAGAIN, ENOMEM, EBUSY, EINVAL = 11, 12, 16, 22

_MUTEXES: dict[str, Model] = {
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock"), mutexes.lock),
    **dict.fromkeys(("pthread_mutex_trylock", "mtx_trylock"), mutexes.attempt),
    **dict.fromkeys(("pthread_mutex_timedlock", "pthread_mutex_clocklock", "mtx_timedlock"), mutexes.timed),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock"), mutexes.unlock),
    "pthread_mutex_init": mutexes.initialise,
    "mtx_init": mutexes.initialise_c11,
    **dict.fromkeys(("pthread_mutex_destroy", "mtx_destroy"), mutexes.destroy),
    **dict.fromkeys(("pthread_mutex_consistent", "pthread_mutex_consistent_np"), quiet(0, ERRORS)),
    "pthread_mutexattr_init": mutexes.start_attributes,
    **dict.fromkeys(("pthread_mutexattr_settype", "pthread_mutexattr_setkind_np"), mutexes.set_kind),
    **dict.fromkeys(
        (*("pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np", "pthread_mutexattr_setprotocol"),),
        mutexes.set_robust,
    ),
    "pthread_mutex_setprioceiling": mutexes.set_ceiling,
    **dict.fromkeys(("pthread_mutexattr_setpshared", "pthread_mutexattr_setprioceiling"), quiet(0, ERRORS)),
    **dict.fromkeys(
        (
            *("pthread_mutexattr_gettype", "pthread_mutexattr_getpshared", "pthread_mutexattr_getrobust"),
            *("pthread_mutexattr_getprotocol", "pthread_mutexattr_getprioceiling"),
        ),
        fills(1),
    ),
    "pthread_mutexattr_destroy": quiet(),
}

_CONDITIONS: dict[str, Model] = {
    **dict.fromkeys(
        ("pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"),
        mutexes.wait,
    ),
    "pthread_cond_clockwait": mutexes.wait,
    **dict.fromkeys(
        (
            *("pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast"),
            *("cnd_init", "cnd_destroy", "cnd_signal", "cnd_broadcast"),
            *("pthread_condattr_init", "pthread_condattr_destroy"),
        ),
        quiet(),
    ),
    **dict.fromkeys(("pthread_condattr_setclock", "pthread_condattr_setpshared"), quiet(0, ERRORS)),
    **dict.fromkeys(("pthread_condattr_getclock", "pthread_condattr_getpshared"), fills(1)),
}

_SHARED_LOCKS: dict[str, Model] = {
    **dict.fromkeys(("pthread_spin_lock",), waits(locks.waits_for, 0, taken={0: False})),
    "pthread_spin_trylock": tries(0, EBUSY),
    **dict.fromkeys(("pthread_spin_unlock", "pthread_spin_init"), waits(locks.set_to(0), 0)),
    "pthread_spin_destroy": quiet(),
    "spin_lock": waits(locks.waits_for, 0, taken={0: False}),
    "spin_trylock": tries(1, 0),
    **dict.fromkeys(("spin_unlock", "spin_lock_init"), waits(locks.set_to(0), 0)),
    "pthread_rwlock_init": waits(locks.set_to(0), 0),
    "pthread_rwlock_destroy": quiet(0, EBUSY),
    "pthread_rwlock_rdlock": rwlocks.read_lock,
    "pthread_rwlock_wrlock": rwlocks.write_lock,
    "pthread_rwlock_tryrdlock": rwlocks.try_read_lock,
    "pthread_rwlock_trywrlock": rwlocks.try_write_lock,
    **dict.fromkeys(("pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock"), rwlocks.timed_read_lock),
    **dict.fromkeys(("pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock"), rwlocks.timed_write_lock),
    "pthread_rwlock_unlock": rwlocks.unlock,
    **dict.fromkeys(("pthread_rwlockattr_init", "pthread_rwlockattr_destroy"), quiet()),
    **dict.fromkeys(("pthread_rwlockattr_setkind_np", "pthread_rwlockattr_setpshared"), quiet(0, ERRORS)),
    **dict.fromkeys(("pthread_rwlockattr_getkind_np", "pthread_rwlockattr_getpshared"), fills(1)),
    "sem_init": semaphores.initialise,
    "sem_wait": semaphores.wait,
    "sem_trywait": semaphores.attempt,
    **dict.fromkeys(("sem_timedwait", "sem_clockwait"), semaphores.timed),
    "sem_post": semaphores.post,
    "sem_getvalue": semaphores.value,
    "sem_open": semaphores.opened,
    **dict.fromkeys(("sem_close", "sem_unlink"), quiet(0, -1)),
    "sem_destroy": quiet(),
    "pthread_barrier_init": barriers.initialise,
    "pthread_barrier_wait": barriers.wait,
    "pthread_barrier_destroy": quiet(),
    **dict.fromkeys(("pthread_barrierattr_init", "pthread_barrierattr_destroy"), quiet()),
    "pthread_barrierattr_setpshared": barriers.share,
    "pthread_barrierattr_getpshared": fills(1),
}

_LIVES: dict[str, Model] = {
    "pthread_create": threads.create,
    "thrd_create": threads.create_c11,
    **dict.fromkeys(
        ("pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"),
        threads.join,
    ),
    **dict.fromkeys(("pthread_detach", "thrd_detach"), threads.detach),
    "pthread_cancel": threads.cancel,
    **dict.fromkeys(("pthread_exit", "thrd_exit"), threads.leave),
    **dict.fromkeys(("pthread_self", "thrd_current"), threads.self_id),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), threads.equal),
    **dict.fromkeys(
        (
            *("exit", "_exit", "_Exit", "quick_exit", "abort", "panic"),
            *("__duet_noreturn", "__builtin_trap", "__builtin_unreachable"),
        ),
        threads.stop,
    ),
    "__duet_spawn": threads.start,
    "fork": threads.forks,
    "vfork": threads.forks_within,
    **dict.fromkeys(("pthread_once", "call_once"), endings.once),
    **dict.fromkeys(("pthread_cleanup_push", "_pthread_cleanup_push", "pthread_cleanup_push_defer_np"), endings.push),
    **dict.fromkeys(("pthread_cleanup_pop", "_pthread_cleanup_pop", "pthread_cleanup_pop_restore_np"), endings.pop),
    "pthread_key_create": endings.create_key(EAGAIN, ENOMEM),
    "tss_create": endings.create_key(2, 3),
    "pthread_setspecific": endings.set_data(EINVAL, ENOMEM),
    "tss_set": endings.set_data(2, 3),
    **dict.fromkeys(("pthread_getspecific", "tss_get"), endings.get_data),
    "pthread_key_delete": quiet(0, ERRORS),
    "tss_delete": quiet(),
    **dict.fromkeys(
        ("signal", "bsd_signal", "ssignal", "sigset", "sysv_signal", "__sysv_signal"), handlers.registers(VOID_POINTER)
    ),
    **dict.fromkeys(
        ("sigaction", "timer_create", "atexit", "on_exit", "at_quick_exit", "pthread_atfork"), handlers.registers(INT)
    ),
}

_QUIET: dict[str, Model] = {
    **dict.fromkeys(("sched_yield", "pthread_yield", "thrd_yield", "pthread_testcancel"), quiet()),
    **dict.fromkeys(("usleep",), quiet(0, -1)),
    "nanosleep": fills(1, results=(0, -1)),
    "thrd_sleep": fills(1, results=(0, -1, range(INT.lo, -1))),
    "clock_nanosleep": fills(3, results=(0, ERRORS)),
    "sleep": threads.sleeps(UINT),
    **dict.fromkeys(("pthread_kill", "pthread_sigqueue", "pthread_setschedprio"), quiet(0, ERRORS)),
    **dict.fromkeys(("raise", "kill", "pause", "sigsuspend", "tgkill"), quiet(0, -1)),
    **dict.fromkeys(("pthread_setcancelstate", "pthread_setcanceltype"), fills(1, results=(0, ERRORS))),
    **dict.fromkeys(("pthread_sigmask",), fills(2, results=(0, ERRORS))),
    "sigprocmask": fills(2, results=(0, -1)),
    **dict.fromkeys(("sigemptyset", "sigfillset", "sigaddset", "sigdelset"), fills(0, results=(0, -1))),
    "sigpending": fills(0, results=(0, -1)),
    "sigismember": quiet(0, 1, -1),
    "sigwait": fills(1, results=(0, ERRORS)),
    "pthread_attr_setdetachstate": threads.set_detached,
    **dict.fromkeys(("pthread_attr_init", "pthread_attr_destroy"), quiet()),
    **dict.fromkeys(
        (
            *("pthread_attr_setstacksize", "pthread_attr_setstack", "pthread_attr_setguardsize"),
            *("pthread_attr_setscope", "pthread_attr_setinheritsched", "pthread_attr_setschedpolicy"),
            *("pthread_attr_setschedparam", "pthread_attr_setaffinity_np", "pthread_setschedparam"),
            *("pthread_setaffinity_np", "pthread_setconcurrency", "pthread_attr_setsigmask_np"),
        ),
        quiet(0, ERRORS),
    ),
    **dict.fromkeys(
        (
            *("pthread_attr_getdetachstate", "pthread_attr_getstacksize", "pthread_attr_getguardsize"),
            *("pthread_attr_getscope", "pthread_attr_getinheritsched", "pthread_attr_getschedpolicy"),
            *("pthread_attr_getschedparam", "pthread_getcpuclockid", "pthread_getattr_np"),
        ),
        fills(1, results=(0, ERRORS)),
    ),
    "pthread_getschedparam": fills(1, 2, results=(0, ERRORS)),
    "pthread_getaffinity_np": effect((2, 1), low=0),
    "pthread_setname_np": quiet(0, ERRORS),
    "pthread_getname_np": effect((1, 2), low=0),
}

_KERNEL: dict[str, Model] = {
    "__duet_try_acquire": tries(1, 0),
    "__duet_read_acquire": rwlocks.read_lock,
    "__duet_write_acquire": rwlocks.write_lock,
    "__duet_read_try": rwlocks.try_read_lock,
    "__duet_write_try": rwlocks.try_write_lock,
    "__duet_shared_release": rwlocks.unlock,
    "__duet_downgrade": rwlocks.downgrade,
    "__duet_down": semaphores.wait,
    "__duet_down_try": semaphores.attempt,
    "__duet_up": semaphores.post,
    "__duet_complete": semaphores.complete,
    "__duet_complete_all": semaphores.complete_all,
    "__duet_await": semaphores.await_completion,
    "__duet_await_try": semaphores.try_completion,
}

SYNCHRONISATION: Mapping[str, Model] = MappingProxyType(
    {**_MUTEXES, **_CONDITIONS, **_SHARED_LOCKS, **_LIVES, **_QUIET, **_KERNEL}
)
"""The models of this module."""
