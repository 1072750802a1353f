"""Library functions that do not come back when they are given a null pointer, but where that has a meaning.

A call of any other one is told where nothing says that null is meant to be given there (C11 7.1.4), and goes on as if
it was: system calls fail with EFAULT, and the tables may not know that null has a meaning.

*Source*: C11 7.21, 7.22, 7.24, 7.27, 7.29; the GNU C library, which looks at what it is given itself.
"""

from __future__ import annotations

from duet.frontend.ctypes.library import Description
from duet.frontend.ctypes.signatures import BUILTIN

_MEMORY = (
    "memset memcpy memmove mempcpy memccpy memcmp memchr memrchr memmem bzero bcopy bcmp explicit_bzero "
    "wmemcpy wmemmove wmemset wmemchr wmemcmp"
)
_TEXTS = (
    "strcpy strncpy stpcpy stpncpy strlcpy strlcat strcat strncat strlen strnlen strcmp strncmp strcasecmp strncasecmp "
    "strcoll strxfrm strchr strrchr strchrnul index rindex strstr strcasestr strpbrk strspn strcspn strtok strtok_r "
    "strsep strdup strndup strtol strtoul strtoll strtoull strtod strtof strtold atoi atol atoll atof "
    "strftime strptime strtoimax strtoumax "
    "wcscpy wcsncpy wcscat wcsncat wcslen wcsnlen wcscmp wcsncmp wcschr wcsrchr wcsstr wcspbrk wcsspn wcscspn wcsdup"
)
_STREAMS = (
    "fclose fgetc fgets fputc fputs fread fwrite getc putc ungetc feof ferror clearerr fileno fseek ftell rewind "
    "getline getdelim puts printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf "
    "scanf fscanf sscanf vscanf vfscanf vsscanf"
)
_TIMES = "localtime gmtime localtime_r gmtime_r ctime ctime_r asctime asctime_r mktime"
_OTHERS = "qsort qsort_r bsearch getopt getopt_long getopt_long_only regcomp regexec regfree readdir"
_NAMES = frozenset(f"{_MEMORY} {_TEXTS} {_STREAMS} {_TIMES} {_OTHERS}".split())
_BEGINNINGS = ("pthread_", "sem_", "atomic_", "__atomic_", "__sync_")
_COME_BACK = {
    0: "printf vprintf scanf vscanf fgets fread fwrite asctime asctime_r strftime qsort qsort_r bsearch sem_close "
    "pthread_mutexattr_destroy pthread_condattr_destroy pthread_rwlockattr_destroy pthread_barrierattr_destroy",
    1: "fprintf vfprintf sprintf vsprintf fscanf vfscanf sscanf vsscanf gmtime_r bsearch "
    "getopt getopt_long getopt_long_only pthread_getname_np",
    2: "snprintf vsnprintf strptime pthread_setaffinity_np pthread_getaffinity_np pthread_setschedparam",
    3: "regexec getopt_long getopt_long_only",
}
"""Where null is an error that these tell, or is not looked at: at the end of a file, or without options."""
_RETURNING = frozenset((name, position) for position, names in _COME_BACK.items() for name in names.split())


def crashes_at_null(name: str, known: Description, position: int) -> bool:
    """Whether a function with a record does not come back from null at a position where that has no meaning."""
    plain = name.removeprefix(BUILTIN)
    is_checked = plain.endswith("_chk")  # it may have other arguments in between
    plain = plain.removeprefix("__").removesuffix("_chk")
    if (plain, position) in _RETURNING or (is_checked and any(plain == other for other, _ in _RETURNING)):
        return False
    return known.lock is not None or name.startswith(_BEGINNINGS) or plain in _NAMES
