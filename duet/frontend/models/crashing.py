"""Library functions that do not come back when they are given a null pointer, but where that has a meaning.

A call of any other one is told where nothing says that null is meant to be given there (C11 7.1.4), and goes on as if
it was: system calls fail with EFAULT, and the tables may not know that null has a meaning.

*Source*: C11 7.21, 7.22, 7.24, 7.27, 7.29; the GNU C library, which looks at what it is given itself.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from types import MappingProxyType

from duet.frontend.ctypes.signatures import BUILTIN

_CRASHING: Mapping[str, str] = MappingProxyType(
    {
        "0": "memset memchr memrchr bzero explicit_bzero wmemset wmemchr "
        "strlen strnlen strchr strrchr strchrnul index rindex strsep strdup atoi atol atoll atof strtod strtof strtold "
        "strcspn wcslen wcsnlen wcschr wcsrchr wcspbrk wcsspn wcscspn wcsdup "
        "fclose fgetc getc feof ferror clearerr fileno fseek ftell rewind puts fputs fscanf "
        "sprintf snprintf vsprintf vsnprintf "
        "localtime gmtime localtime_r gmtime_r ctime ctime_r mktime regcomp regfree readdir "
        "pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_destroy "
        "pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_wait "
        "pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock "
        "pthread_rwlock_tryrdlock pthread_rwlock_trywrlock "
        "pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock "
        "pthread_barrier_destroy pthread_barrier_wait pthread_attr_init pthread_attr_destroy pthread_once "
        "mtx_lock mtx_unlock mtx_trylock mtx_destroy cnd_init cnd_destroy cnd_signal cnd_broadcast cnd_wait "
        "sem_post sem_wait sem_trywait sem_getvalue",
        "1": "strcspn strspn strstr strcasestr strpbrk strxfrm strptime localtime_r wcsstr fputc putc regcomp strncat "
        "pthread_cond_wait cnd_wait pthread_setname_np sem_getvalue",
        "01": "memcpy memmove mempcpy memccpy memcmp bcopy bcmp wmemcpy wmemmove wmemcmp "
        "strcpy strncpy stpcpy stpncpy strcat strcmp strncmp strcasecmp strncasecmp strcoll "
        "wcscpy wcsncpy wcscat wcscmp wcsncmp",
        "2": "strtok_r strftime pthread_cond_timedwait",
        "3": "strftime",
    }
)
"""Positions, and the functions that always look there, whatever their other arguments are, or no bytes (`sized`).

Left out are those that come back where another argument is refused first (a base, a size, a kind of lock), where the
end is reached, and where compilers know that nothing is done (`fputs("", stream)`).
"""
_CRASHES = frozenset(
    (name, int(position)) for positions, names in _CRASHING.items() for name in names.split() for position in positions
)
_MANY = 1 << 30
_BASES = frozenset((0, *range(2, 37)))
_CRASHING_WITH: Mapping[tuple[str, int], Mapping[int, Container[int]]] = MappingProxyType(
    {
        ("pthread_mutex_init", 0): {1: (0,)},
        ("pthread_barrier_init", 0): {1: (0,), 2: range(1, _MANY)},
        ("mtx_init", 0): {1: range(4)},
        ("sem_init", 0): {2: range(_MANY)},
        ("fgets", 2): {1: range(2, _MANY)},
        **{(name, 0): {2: _BASES} for name in ("strtol", "strtoul", "strtoll", "strtoull")},
    }
)
"""Functions and positions likewise, as long as the arguments at others are constants that are not refused."""
_CRASHING_WITH_TEXT = frozenset(["strstr", "strcasestr", "strspn", "strpbrk"])
"""Functions that look at what their first argument leads to if their second one is a string that is not empty."""
_LONGER = frozenset(
    ["memset", "memcpy", "memmove", "mempcpy", "strcpy", "stpcpy", "strcat", "strncpy", "stpncpy", "strncat"]
)
"""Functions to which compilers only add arguments at the end (`__strcpy_chk`)."""
_ATOMIC = ("atomic_", "__atomic_", "__sync_")


def crashes_at_null(
    name: str, position: int, constant: Callable[[int], int | None], is_filled: Callable[[int], bool]
) -> bool:
    """Whether a function with a record does not come back from null at a position where that has no meaning.

    `constant` gives the constant that the argument at another position is, None where it is none; that argument
    `is_filled` if it is a literal of some characters.
    """
    fine = _CRASHING_WITH.get((name, position))
    if fine is not None:
        return all((found := constant(other)) is not None and found in its for other, its in fine.items())
    plain = name.removeprefix(BUILTIN)
    if plain in _CRASHING_WITH_TEXT and position == 0:
        return is_filled(1)
    if plain.startswith(_ATOMIC):
        return not plain.endswith("_lock_free")  # these look at sizes only
    is_checked = plain.startswith("__") and plain.endswith("_chk")
    if is_checked:
        plain = plain.removeprefix("__").removesuffix("_chk")
        if plain not in _LONGER:
            return False
    return (plain, position) in _CRASHES
