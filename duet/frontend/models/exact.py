"""Library functions whose models do what C says and no more, so that a schedule through them may be one of the program.

Of any other function that is taken to be an approximation. So is a lock that is not told apart from others, and all
else that is warned of: `Context.warn` notes it where it is.
"""

from __future__ import annotations

from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.models.call import Call, Model
from duet.frontend.models.checks import KINDS
from duet.plip.marks import MODELLED
from duet.plip.syntax import MADE

_CHECKS = (
    "assert __VERIFIER_assert __goblint_check __goblint_assert BUG_ON reach_error __VERIFIER_error __assert_fail "
    "assume assume_abort_if_not __VERIFIER_assume __VERIFIER_atomic_begin __VERIFIER_atomic_end"
)
_THREADS = (
    "pthread_create thrd_create pthread_join thrd_join pthread_exit thrd_exit exit _exit _Exit abort "
    "pthread_tryjoin_np pthread_key_create pthread_setspecific pthread_getspecific tss_create tss_set tss_get "
    "pthread_self thrd_current pthread_once call_once pthread_cleanup_push pthread_cleanup_pop"
)
_MEMORY = "memset bzero memcpy memmove strcpy strlen strcmp"  # any value that is taken there has a mark of its own
_LOCKS = (
    "pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy "
    "mtx_init mtx_lock mtx_trylock mtx_unlock mtx_destroy "
    "pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spin_destroy "
    "pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock "
    "pthread_rwlock_unlock pthread_rwlock_destroy "
    "sem_init sem_open sem_wait sem_trywait sem_post sem_destroy "
    "pthread_cond_init pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy "
    "cnd_init cnd_wait cnd_signal cnd_broadcast cnd_destroy "
    "pthread_mutex_timedlock mtx_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock sem_timedwait "
    "pthread_cond_timedwait cnd_timedwait sem_getvalue "
    "pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy "
    "pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy"
)
_QUIET = (
    "sched_yield pthread_yield thrd_yield usleep sleep printf fprintf puts putchar fflush "  # nothing that is tracked
    "srand srandom rand random malloc calloc realloc reallocarray free"
)
_SIZED = ("", "_1", "_2", "_4", "_8")
_OPERATORS = ("add", "sub", "or", "and", "xor", "nand")
_ATOMICS = (
    *(f"__sync_fetch_and_{operator}{size}" for operator in _OPERATORS for size in _SIZED),
    *(f"__sync_{operator}_and_fetch{size}" for operator in _OPERATORS for size in _SIZED),
    *(f"__atomic_fetch_{operator}{size}" for operator in _OPERATORS for size in _SIZED),
    *(f"__atomic_{operator}_fetch{size}" for operator in _OPERATORS for size in _SIZED),
    *(f"__sync_{name}{size}" for name in ("lock_test_and_set", "lock_release", "bool_compare_and_swap",
                                          "val_compare_and_swap") for size in _SIZED),
    *(f"__atomic_{name}_n" for name in ("exchange", "load", "store", "compare_exchange")),
    *(f"atomic_{name}{how}" for how in ("", "_explicit") for name in (
        "load", "store", "exchange", "flag_test_and_set", "flag_clear", "compare_exchange_strong",
        "compare_exchange_weak", *(f"fetch_{operator}" for operator in _OPERATORS))),
    "atomic_init", "__atomic_exchange", "__atomic_load", "__atomic_store", "__atomic_compare_exchange",
    "__sync_synchronize", "__atomic_thread_fence", "atomic_thread_fence", "offsetof",
)  # fmt: skip
EXACT = frozenset(
    (
        *(name for text in (_CHECKS, _THREADS, _LOCKS, _MEMORY, _QUIET) for name in text.split()),
        *(f"__VERIFIER_nondet_{kind}" for kind in KINDS),
        *_ATOMICS,
    )
)
"""The names of these functions."""
_TEXTS = (
    "strcasecmp strncasecmp strcoll strncmp memcmp bcmp strchr strrchr index strchrnul strstr strpbrk strcasestr "
    "memmem memchr memrchr strspn strcspn strnlen strerror strsignal setlocale "
    "strtol strtoul strtoll strtoull strtod strtof strtold atoi atol atoll atof"
)
_ENVIRONMENT = (
    "fopen popen fclose pclose open creat unlink mkdir rmdir access chmod chdir close dup dup2 socket listen shutdown "
    "lseek fsync setsockopt isatty fseek ftell fileno ftruncate remove rename setenv unsetenv getenv sysconf pipe "
    "putc fputc ungetc feof ferror puts fputs perror rewind clearerr vprintf vfprintf dprintf vdprintf syslog openlog "
    "closelog getpid getppid getuid geteuid getgid getegid bind stat lstat fstat gethostname lrand48 rand_r "
    "time clock difftime gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep thrd_sleep "
    "pthread_attr_init pthread_attr_destroy pthread_setname_np pthread_detach thrd_detach sem_unlink"
)
_SIGNS = ("", *(f"{sign}{{}}{size}" for sign in "su" for size in ("", "l", "ll")))
_COUNTS = ("clz", "ctz", "clrsb", "popcount", "ffs", "parity")
_COMPILED = (
    "expect", "expect_with_probability", "constant_p", "types_compatible_p", "bswap16", "bswap32", "bswap64",
    "object_size", "prefetch", "assume_aligned",
    *(f"{sign or '{}'}_overflow".format(name) for name in ("add", "sub", "mul") for sign in _SIGNS),
    *(f"{name}{size}" for name in _COUNTS for size in ("", "l", "ll")),
)  # fmt: skip
VALUES = frozenset((*_TEXTS.split(), *_ENVIRONMENT.split(), *(f"__builtin_{name}" for name in _COMPILED)))
"""Functions that return, and of which no more is approximated than values: their results, and what they write.

None of them waits for what another thread does, as reading from a pipe may. Each such value has a mark of its own, so
that a schedule that goes on with one of them is none of the program.
"""


def doubted(name: str, model: Model) -> Model:
    """The model of a function that may do less than the model says."""

    is_ours = name.startswith(MADE)  # what the kernel model's headers, and jumps of assembler, are written with

    def noted(ctx: Context, call: Call) -> list[Outcome]:
        ours = "the model of the kernel" if ctx.options.model == "linux" else "what stands for this code"
        reason = f"{ours} allows any value here" if is_ours else f"{name} {MODELLED}"
        ctx.builder.doubt(reason)
        return model(ctx, call)

    return noted


def valued(model: Model) -> Model:
    """The model of a function whose values are guesses: nothing in it counts as an input, but for its arguments."""

    def guessing(ctx: Context, call: Call) -> list[Outcome]:
        with ctx.builder.guessing(True):
            return model(ctx, call)

    return guessing


def with_marks(name: str, model: Model) -> Model:
    """The model of a function, with marks for what it does more than C says."""
    if name in EXACT:
        return model
    return valued(model) if name in VALUES else doubted(name, model)
