"""Library functions whose models tell of all that they write: a call of any other one may have changed anything.

Each write of these passes the gate. What an effect says is written behind its arguments is all of it; what an argument
leads to that it says nothing of, and that is not const, may be changed, too (`Effect.model`). A string or structure of
the library that a call gives may lie where earlier ones were given (C11 7.24.6.2, 7.27.3): no effect says that.
"""

from __future__ import annotations

from duet.frontend.ctypes.library import Description
from duet.frontend.models.effects import Effect, Record, Text
from duet.frontend.models.record import LibraryFunction

_TEXTS = (
    "memset bzero explicit_bzero memcpy memmove strcpy strncpy strcat strncat fgets gets strlen strnlen strcmp strncmp "
    "strncasecmp memchr memrchr strspn strcspn sprintf vsprintf snprintf vsnprintf isdigit isxdigit tolower toupper "
    "strtol strtoul strtoll strtoull strtod strtof strtold scanf fscanf sscanf printf vprintf fprintf dprintf vdprintf "
    "vfprintf syslog vsyslog getenv secure_getenv abs labs llabs FD_SET FD_CLR FD_ISSET strlcpy strlcat"
)
_MEMORY = "malloc calloc valloc aligned_alloc memalign free cfree strdup strndup"
_CHECKS = "assert __VERIFIER_assert __assert_fail assume assume_abort_if_not __VERIFIER_assume __VERIFIER_nondet_int"
_THREADS = (
    "pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_rwlock_rdlock pthread_rwlock_wrlock "
    "pthread_rwlock_unlock pthread_spin_lock pthread_spin_unlock pthread_cond_wait pthread_cond_signal "
    "pthread_cond_broadcast sem_wait sem_post pthread_self pthread_equal sleep exit _exit _Exit abort pthread_create "
    "pthread_join thrd_create thrd_join mtx_lock mtx_unlock cnd_wait cnd_signal cnd_broadcast pthread_mutex_init "
    "pthread_mutex_destroy"
)
_COMPILED = (
    "__builtin_expect __builtin_expect_with_probability __builtin_constant_p __builtin_types_compatible_p "
    "__builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_object_size __builtin_unreachable "
    "htons htonl ntohs ntohl __errno_location __h_errno_location __sync_synchronize "
    "__duet_va_start __duet_va_copy __duet_va_arg __duet_va_end"
)
TELLING = frozenset(name for text in (_TEXTS, _MEMORY, _CHECKS, _THREADS, _COMPILED) for name in text.split())
"""The names of those that are no effects."""


def tells_all(name: str, known: Description | None) -> bool:
    """Whether the model of a function tells of all that it writes."""
    if name in TELLING:
        return True
    if not isinstance(known, LibraryFunction) or not isinstance(known.body, Effect):
        return False
    is_more = known.callbacks or known.keeps or known.library or known.takes_places or known.lock or known.control
    return not is_more and not isinstance(known.body.returns, Record | Text)
