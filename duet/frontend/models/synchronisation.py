"""The records of threads and of what orders them: POSIX threads, semaphores, C11 threads, the kernel model's locks."""

from __future__ import annotations

from functools import partial

from duet.frontend.ctypes.library import EACH, Callback, Control, LockOperation, Reads, When
from duet.frontend.ctypes.types import INT, UINT, VOID_POINTER
from duet.frontend.models import (
    barriers,
    destruction,
    endings,
    handlers,
    interrupting,
    jumps,
    keys,
    locks,
    mutexes,
    posix,
    rwlocks,
    semaphores,
    threads,
)
from duet.frontend.models.call import ERRORS
from duet.frontend.models.effects import codes, effect
from duet.frontend.models.locks import sets, tries, waits
from duet.frontend.models.mutexes import c11
from duet.frontend.models.record import LibraryFunction
from duet.frontend.source.words import ENDING

EAGAIN, ENOMEM, EBUSY, EINVAL, ETIMEDOUT = 11, 12, 16, 22, 110

_flat = partial(LibraryFunction, reads=Reads.FLAT)
_own = partial(LibraryFunction, reads=Reads.NOTHING)

_MUTEXES: tuple[LibraryFunction, ...] = (
    _flat("pthread_mutex_lock", mutexes.lock, lock=LockOperation.ACQUIRE),
    _flat("mtx_lock", c11(mutexes.lock), lock=LockOperation.ACQUIRE),
    _flat("pthread_mutex_trylock", mutexes.attempt, lock=LockOperation.TRY),
    _flat("mtx_trylock", c11(mutexes.attempt), lock=LockOperation.TRY),
    _flat("pthread_mutex_timedlock pthread_mutex_clocklock", mutexes.timed, lock=LockOperation.TIMED),
    _flat("mtx_timedlock", c11(mutexes.timed), lock=LockOperation.TIMED),
    _flat("pthread_mutex_unlock", mutexes.unlock, lock=LockOperation.RELEASE),
    _flat("mtx_unlock", c11(mutexes.unlock), lock=LockOperation.RELEASE),
    _flat("pthread_mutex_init", mutexes.initialise, lock=LockOperation.INITIALISE, may_be_null=(1,)),
    _flat("mtx_init", mutexes.initialise_c11, lock=LockOperation.INITIALISE),
    _flat("pthread_mutex_destroy", destruction.destroy_mutex, lock=LockOperation.DESTROY),
    _flat("mtx_destroy", c11(destruction.destroy_mutex), lock=LockOperation.DESTROY),
    _flat("pthread_mutex_consistent pthread_mutex_consistent_np", codes(0, ERRORS), lock=LockOperation.CONFIGURE),
    _flat("pthread_mutexattr_init", mutexes.start_attributes, lock=LockOperation.CONFIGURE, altered=(0,)),
    _flat(
        "pthread_mutexattr_settype pthread_mutexattr_setkind_np",
        mutexes.set_kind,
        lock=LockOperation.CONFIGURE,
        altered=(0,),
    ),
    _flat(
        "pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np",
        mutexes.set_robust,
        lock=LockOperation.CONFIGURE,
        altered=(0,),
    ),
    _flat("pthread_mutexattr_setprotocol", mutexes.set_protocol, lock=LockOperation.CONFIGURE, altered=(0,)),
    _flat("pthread_mutex_getprioceiling", sets(1, results=(0, ERRORS)), lock=LockOperation.CONFIGURE),
    _flat("pthread_mutex_setprioceiling", mutexes.set_ceiling, lock=LockOperation.CONFIGURE, may_be_null=(2,)),
    _flat(
        "pthread_mutexattr_setpshared pthread_mutexattr_setprioceiling",
        codes(0, ERRORS),
        lock=LockOperation.CONFIGURE,
        altered=(0,),
    ),
    _flat(
        "pthread_mutexattr_gettype pthread_mutexattr_getpshared pthread_mutexattr_getrobust "
        "pthread_mutexattr_getrobust_np pthread_mutexattr_getprotocol pthread_mutexattr_getprioceiling",
        sets(1),
        lock=LockOperation.CONFIGURE,
    ),
    _flat("pthread_mutexattr_destroy", codes(), lock=LockOperation.CONFIGURE, altered=(0,)),
)

_CONDITIONS: tuple[LibraryFunction, ...] = (
    _flat("cnd_wait cnd_timedwait", c11(mutexes.wait), lock=LockOperation.CONDITION_WAIT),
    _flat(
        "pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait",
        mutexes.wait,
        lock=LockOperation.CONDITION_WAIT,
    ),
    _flat(
        "pthread_cond_signal pthread_cond_broadcast cnd_signal cnd_broadcast",
        mutexes.wake,
    ),
    _flat("pthread_cond_init cnd_init", destruction.initialise_condition, may_be_null=(1,)),
    _flat("pthread_cond_destroy cnd_destroy", destruction.destroy(0)),
    _flat("pthread_condattr_init pthread_condattr_destroy", codes(), altered=(0,)),
    _flat("pthread_condattr_setclock pthread_condattr_setpshared", codes(0, ERRORS), altered=(0,)),
    _flat("pthread_condattr_getclock pthread_condattr_getpshared", sets(1)),
)

_SHARED_LOCKS: tuple[LibraryFunction, ...] = (
    _flat("pthread_spin_lock", waits(locks.waits_for, 0, taken={0: False}), lock=LockOperation.ACQUIRE),
    _flat("pthread_spin_trylock", tries(0, EBUSY), lock=LockOperation.TRY),
    _flat("pthread_spin_unlock", waits(locks.set_to(0), 0), lock=LockOperation.RELEASE),
    _flat("pthread_spin_init", waits(locks.set_to(0), 0), lock=LockOperation.INITIALISE),
    _flat("pthread_spin_destroy", destruction.destroy(0), lock=LockOperation.DESTROY),
    _own("spin_lock", waits(locks.waits_for, 0, taken={0: False}), lock=LockOperation.ACQUIRE),
    _own("spin_trylock", tries(1, 0), lock=LockOperation.TRY),
    _own("spin_unlock", waits(locks.set_to(0), 0), lock=LockOperation.RELEASE),
    _own("spin_lock_init", waits(locks.set_to(0), 0), lock=LockOperation.INITIALISE),
    _flat("pthread_rwlock_init", waits(locks.set_to(0), 0), lock=LockOperation.INITIALISE, may_be_null=(1,)),
    _flat("pthread_rwlock_destroy", destruction.destroy(0, EBUSY), lock=LockOperation.DESTROY),
    _flat("pthread_rwlock_rdlock", rwlocks.read_lock, lock=LockOperation.READ),
    _flat("pthread_rwlock_wrlock", rwlocks.write_lock, lock=LockOperation.WRITE),
    _flat("pthread_rwlock_tryrdlock", rwlocks.try_read_lock, lock=LockOperation.TRY_SHARED),
    _flat("pthread_rwlock_trywrlock", rwlocks.try_write_lock, lock=LockOperation.TRY_SHARED),
    _flat(
        "pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock",
        rwlocks.timed_read_lock,
        lock=LockOperation.TIMED_SHARED,
    ),
    _flat(
        "pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock",
        rwlocks.timed_write_lock,
        lock=LockOperation.TIMED_SHARED,
    ),
    _flat("pthread_rwlock_unlock", rwlocks.unlock, lock=LockOperation.RELEASE),
    _flat("pthread_rwlockattr_init pthread_rwlockattr_destroy", codes(), altered=(0,)),
    _flat("pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared", codes(0, ERRORS), altered=(0,)),
    _flat("pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared", sets(1)),
    _flat("sem_init", semaphores.initialise, lock=LockOperation.INITIALISE),
    _flat("sem_wait", semaphores.wait, lock=LockOperation.AWAIT),
    _flat("sem_trywait", semaphores.attempt, lock=LockOperation.COUNT),
    _flat("sem_timedwait sem_clockwait", semaphores.timed, lock=LockOperation.COUNT),
    _flat("sem_post", semaphores.post, lock=LockOperation.POST),
    _flat("sem_getvalue", semaphores.value),
    _flat("sem_open", semaphores.opened, lock=LockOperation.COUNT),
    _flat("sem_close", codes(0, -1), releases=True),
    _flat("sem_unlink", codes(0, -1)),
    _flat("sem_destroy", destruction.destroy(0), lock=LockOperation.DESTROY),
    _flat("pthread_barrier_init", barriers.initialise, lock=LockOperation.INITIALISE, may_be_null=(1,)),
    _flat("pthread_barrier_wait", barriers.wait, lock=LockOperation.MEET),
    _flat("pthread_barrier_destroy", destruction.destroy(0), lock=LockOperation.DESTROY),
    _flat("pthread_barrierattr_init pthread_barrierattr_destroy", codes(), altered=(0,)),
    _flat("pthread_barrierattr_setpshared", barriers.share, altered=(0,)),
    _flat("pthread_barrierattr_getpshared", sets(1)),
)

_LIVES: tuple[LibraryFunction, ...] = (
    _own("pthread_create", threads.create, control=Control.STARTS_THREAD, passed=(1, 3), brief=(0, 1)),
    _own("thrd_create", threads.create_c11, control=Control.STARTS_THREAD, passed=(2,), brief=(0,)),
    _flat("pthread_join", threads.join(), control=Control.JOINS_THREAD, may_be_null=(1,), brief=(1,)),
    _flat("pthread_tryjoin_np", threads.join(EBUSY), control=Control.JOINS_THREAD, may_be_null=(1,), brief=(1,)),
    _flat(
        "pthread_timedjoin_np pthread_clockjoin_np",
        threads.join(ETIMEDOUT, EINVAL),
        control=Control.JOINS_THREAD,
        may_be_null=(1,),
    ),
    _flat("thrd_join", threads.join(is_c11=True), control=Control.JOINS_THREAD, may_be_null=(1,), brief=(1,)),
    _flat("pthread_detach", threads.detach(ERRORS)),
    _flat("thrd_detach", threads.detach(2)),
    _flat("pthread_cancel", threads.cancel),
    _own("pthread_exit", threads.leave(VOID_POINTER), control=Control.ENDS_THREAD, passed=(0,)),
    _flat("thrd_exit", threads.leave(INT), control=Control.ENDS_THREAD),
    _flat("pthread_self thrd_current", threads.self_id),
    _flat("pthread_equal thrd_equal", threads.equal),
    LibraryFunction(
        "exit _exit _Exit quick_exit abort __builtin_trap __builtin_unreachable",
        threads.stop,
        control=Control.ENDS_PROCESS,
    ),
    LibraryFunction("panic", threads.stop, control=Control.ENDS_PROCESS, is_of_kernel=True),
    _own("__duet_noreturn", threads.stop, control=Control.ENDS_PROCESS),
    _own("__duet_spawn", threads.start, control=Control.STARTS_THREAD),
    _own("__duet_spawn_at", threads.start_at, control=Control.STARTS_THREAD),
    _own(ENDING, threads.trap, control=Control.ENDS_THREAD),
    LibraryFunction("syscall", threads.system_call, control=Control.ENDS_THREAD, may_be_null=tuple(EACH)),
    LibraryFunction("fork", threads.forks),
    LibraryFunction("vfork", threads.forks_within),
    _flat("pthread_once", endings.once, callbacks=(Callback(1, When.DURING_CALL),)),
    _own("call_once", endings.once, callbacks=(Callback(1, When.DURING_CALL),)),
    _flat(
        "pthread_cleanup_push pthread_cleanup_push_defer_np",
        endings.push,
        callbacks=(Callback(0, When.AT_THREAD_EXIT),),
        passed=(1,),
    ),
    LibraryFunction("_pthread_cleanup_push", endings.push, callbacks=(Callback(0, When.AT_THREAD_EXIT),), passed=(2,)),
    _flat("pthread_cleanup_pop pthread_cleanup_pop_restore_np", endings.pop),
    LibraryFunction("_pthread_cleanup_pop", endings.pop),
    _own("__pthread_register_cancel __pthread_register_cancel_defer", jumps.register),
    _own("__pthread_unregister_cancel __pthread_unregister_cancel_restore", codes()),
    _own("__pthread_unwind_next", threads.unwind, control=Control.ENDS_THREAD),
    _flat(
        "pthread_key_create",
        keys.create_key(EAGAIN, ENOMEM),
        callbacks=(Callback(1, When.AT_THREAD_EXIT),),
        passed=(1,),
    ),
    LibraryFunction("tss_create", keys.create_key(2, 3), callbacks=(Callback(1, When.AT_THREAD_EXIT),), passed=(1,)),
    _own("pthread_setspecific", keys.set_data(EINVAL, ENOMEM), keeps=(1,), passed=(1,)),
    _own("tss_set", keys.set_data(2, 3), keeps=(1,), passed=(1,)),
    _flat("pthread_getspecific", keys.get_data),
    LibraryFunction("tss_get", keys.get_data),
    _flat("pthread_key_delete", keys.delete_key(0, ERRORS)),
    LibraryFunction("tss_delete", keys.delete_key(0)),
    _flat("signal", handlers.registers(VOID_POINTER), callbacks=(Callback(1, When.INTERRUPTING),), passed=(1,)),
    LibraryFunction(
        "bsd_signal ssignal sigset sysv_signal __sysv_signal",
        handlers.registers(VOID_POINTER),
        callbacks=(Callback(1, When.INTERRUPTING),),
        passed=(1,),
    ),
    _flat("sigaction", handlers.act, callbacks=(Callback(1, When.INTERRUPTING),), may_be_null=(1, 2)),
    LibraryFunction("timer_create", handlers.registers(INT), callbacks=(Callback(1, When.ANY_TIME),), may_be_null=(1,)),
    _flat("atexit", handlers.registers(INT), callbacks=(Callback(0, When.AT_EXIT),)),
    LibraryFunction("on_exit", handlers.registers(INT), callbacks=(Callback(0, When.AT_EXIT),), passed=(1,)),
    LibraryFunction("at_quick_exit", handlers.registers(INT), callbacks=(Callback(0, When.INTERRUPTING),)),
    _flat(
        "pthread_atfork",
        handlers.registers(INT),
        callbacks=(
            Callback(0, When.ANY_TIME),
            Callback(1, When.ANY_TIME),
            Callback(2, When.ANY_TIME),
        ),
        passed=(0, 1, 2),
    ),
)

_QUIET: tuple[LibraryFunction, ...] = (
    LibraryFunction("sched_yield", codes()),
    LibraryFunction("rcu_read_lock rcu_read_unlock synchronize_rcu", codes(), is_of_kernel=True),
    LibraryFunction(
        "__duet_wait_for_timers __duet_wait_for_interrupts __duet_wait_for_opening __duet_wait_for_completion"
        " __duet_wait_for_region",
        codes(),
    ),
    _flat("pthread_yield thrd_yield pthread_testcancel", codes()),
    LibraryFunction("usleep", codes(0, -1)),
    LibraryFunction("nanosleep", sets(1, results=(0, -1)), may_be_null=(1,), brief=EACH),
    _flat("thrd_sleep", sets(1, results=(0, -1, range(INT.lo, -1))), may_be_null=(1,), brief=EACH),
    LibraryFunction("clock_nanosleep", sets(3, results=(0, ERRORS)), may_be_null=(3,), brief=EACH),
    LibraryFunction("sleep", threads.sleeps(UINT)),
    _flat("pthread_kill pthread_setschedprio", codes(0, ERRORS)),
    _flat("pthread_sigqueue", handlers.signalled(codes(0, ERRORS))),
    LibraryFunction("raise kill pause sigsuspend tgkill", codes(0, -1)),
    _flat("pthread_setcancelstate pthread_setcanceltype", sets(1, results=(0, ERRORS)), may_be_null=(1,), brief=EACH),
    _flat("pthread_sigmask", sets(2, results=(0, ERRORS)), may_be_null=(1, 2), brief=EACH),
    LibraryFunction("sigprocmask", sets(2, results=(0, -1)), may_be_null=(1, 2), brief=EACH),
    LibraryFunction("sigemptyset sigfillset sigaddset sigdelset", sets(0, results=(0, -1)), brief=EACH),
    LibraryFunction("sigpending", sets(0, results=(0, -1)), brief=EACH),
    LibraryFunction("sigismember", codes(0, 1, -1)),
    LibraryFunction("sigwait", sets(1, results=(0, ERRORS)), brief=EACH),
    _flat("pthread_attr_setdetachstate", threads.set_detached, brief=EACH, altered=(0,)),
    _flat("pthread_attr_init pthread_attr_destroy", codes(), altered=(0,)),
    _flat(
        "pthread_attr_setstacksize pthread_attr_setguardsize pthread_attr_setscope pthread_attr_setinheritsched "
        "pthread_attr_setschedpolicy pthread_attr_setschedparam pthread_attr_setaffinity_np pthread_setschedparam "
        "pthread_setaffinity_np pthread_setconcurrency pthread_attr_setsigmask_np",
        codes(0, ERRORS),
        altered=(0,),
    ),
    _flat("pthread_attr_setstack pthread_attr_setstackaddr", posix.used_as_stack(ERRORS), keeps=(1,), altered=(0,)),
    _flat(
        "pthread_attr_getdetachstate pthread_attr_getstacksize pthread_attr_getguardsize pthread_attr_getscope "
        "pthread_attr_getinheritsched pthread_attr_getschedpolicy pthread_attr_getschedparam pthread_getcpuclockid "
        "pthread_getattr_np pthread_attr_getsigmask_np",
        sets(1, results=(0, ERRORS)),
    ),
    _flat("pthread_getschedparam pthread_attr_getstack", sets(1, 2, results=(0, ERRORS))),
    _flat("pthread_attr_getstackaddr", sets(1, results=(0, ERRORS))),
    _flat("pthread_getaffinity_np pthread_attr_getaffinity_np", effect((2, 1), low=0)),
    _flat("pthread_setname_np", codes(0, ERRORS)),
    _flat("pthread_getname_np", effect((1, 2), low=0)),
)

_KERNEL: tuple[LibraryFunction, ...] = (
    _own("__duet_interrupts_off", interrupting.switch(are_off=True)),
    _own("__duet_interrupts_on", interrupting.switch(are_off=False)),
    _own("__duet_interrupts_save", interrupting.save, takes_places=True),
    _own("__duet_interrupts_restore", interrupting.restore, takes_places=True),
    _own("__duet_bottoms_off", interrupting.hold_back(1)),
    _own("__duet_bottoms_on", interrupting.hold_back(-1)),
    _own("__duet_interruptible", interrupting.open_),
    _own("__duet_handlers", interrupting.handlers),
    _own("__duet_try_acquire", tries(1, 0), lock=LockOperation.TRY),
    _own("__duet_read_acquire", rwlocks.read_lock, lock=LockOperation.READ),
    _own("__duet_write_acquire", rwlocks.write_lock, lock=LockOperation.WRITE),
    _own("__duet_read_try", rwlocks.try_read_lock, lock=LockOperation.TRY_SHARED),
    _own("__duet_write_try", rwlocks.try_write_lock, lock=LockOperation.TRY_SHARED),
    _own("__duet_shared_release", rwlocks.unlock, lock=LockOperation.RELEASE),
    _own("__duet_downgrade", rwlocks.downgrade, lock=LockOperation.DOWNGRADE),
    _own("__duet_down", semaphores.wait, lock=LockOperation.AWAIT),
    _own("__duet_down_try", semaphores.attempt, lock=LockOperation.COUNT),
    _own("__duet_up", semaphores.post, lock=LockOperation.POST),
    _own("__duet_complete", semaphores.complete, lock=LockOperation.COUNT),
    _own("__duet_complete_all", semaphores.complete_all, lock=LockOperation.COUNT),
    _own("__duet_await", semaphores.await_completion, lock=LockOperation.COUNT),
    _own("__duet_await_try", semaphores.try_completion, lock=LockOperation.COUNT),
)

SYNCHRONISATION = (*_MUTEXES, *_CONDITIONS, *_SHARED_LOCKS, *_LIVES, *_QUIET, *_KERNEL)
