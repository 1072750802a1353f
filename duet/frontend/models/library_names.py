"""The models of the C library by name: strings, characters, memory, files, time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.models import library, strings
from duet.frontend.models.call import Model
from duet.frontend.models.library import POINTED, UNKNOWN_SIZE, Bytes, effect
from duet.frontend.models.posix_names import MATHEMATICS, POSIX

_ANY = effect()
_STATUS = effect(low=-1)
_COUNT = effect(low=0)

_STRINGS: dict[str, Model] = {
    "memset": library.set_memory,
    **dict.fromkeys(("bzero", "explicit_bzero"), library.clear_memory),
    **dict.fromkeys(("memcpy", "memmove"), library.copy_memory),
    "strcpy": strings.copied,
    "strncpy": strings.overwritten(2),
    **dict.fromkeys(("strcat", "strncat"), strings.overwritten(None)),
    "fgets": strings.overwritten(1, may_fail=True),
    "gets": strings.overwritten(None, may_fail=True),
    **dict.fromkeys(("strlen", "strnlen"), strings.measured),
    "strcmp": strings.compared,
    **dict.fromkeys(("strcasecmp", "strcoll"), _ANY),
    **dict.fromkeys(("strncmp", "strncasecmp"), strings.compared_within),
    **dict.fromkeys(("memcmp", "bcmp"), effect(reads=((0, 2), (1, 2)))),
    **dict.fromkeys(
        ("strchr", "strrchr", "strchrnul", "strstr", "strcasestr", "strpbrk", "memmem", "index"),
        strings.found,
    ),
    **dict.fromkeys(("memchr", "memrchr"), strings.found_among),
    **dict.fromkeys(("strspn", "strcspn"), _COUNT),
    **dict.fromkeys(("strtok_r", "strsep"), library.split),
    **dict.fromkeys(("sprintf", "snprintf", "vsprintf", "vsnprintf"), strings.formatted),
    **dict.fromkeys(("strerror", "strsignal", "setlocale"), _ANY),
}

_CHARACTERS: dict[str, Model] = {
    "isdigit": strings.is_digit,
    "isxdigit": strings.is_hexadecimal,
    **dict.fromkeys(
        (
            *("isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isgraph", "islower", "isprint", "ispunct"),
            *("isspace", "isupper"),
        ),
        _ANY,
    ),
    **dict.fromkeys(("tolower", "toupper"), strings.cased),
}

_NUMBERS: dict[str, Model] = {
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold"), library.converted),
    **dict.fromkeys(("atoi", "atol", "atoll", "atof"), _ANY),
    **dict.fromkeys(("rand", "random", "lrand48"), _COUNT),
    "rand_r": effect((0, POINTED), low=0),
    "qsort": library.sorted_in_place,
    "bsearch": library.searched,
}

_FILES: dict[str, Model] = {
    **dict.fromkeys(
        (
            *("fopen", "fdopen", "popen", "tmpfile", "opendir", "readdir", "localtime", "gmtime", "ctime", "asctime"),
            *("getpwnam", "getpwuid", "gethostbyname", "dlopen", "dlerror"),
        ),
        _ANY,
    ),
    **dict.fromkeys(
        (
            *("open", "creat", "close", "dup", "dup2", "socket", "listen", "shutdown", "lseek"),
            *("fsync", "unlink", "rename", "mkdir", "rmdir", "access", "chmod", "chdir"),
            *("setsockopt", "closedir", "isatty", "usleep", "fseek", "ftell", "fileno", "ftruncate", "kill"),
            *("setenv", "unsetenv"),
        ),
        _STATUS,
    ),
    **dict.fromkeys(
        (
            *("fclose", "fflush", "pclose", "puts", "fputs", "putchar", "putc", "fputc", "getchar", "getc", "fgetc"),
            *("ungetc", "feof", "ferror", "remove", "system"),
        ),
        _ANY,
    ),
    **dict.fromkeys(("perror", "rewind", "clearerr", "openlog", "closelog"), _ANY),
    **dict.fromkeys(("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "sleep"), _COUNT),
    **dict.fromkeys(("printf", "fprintf", "dprintf", "vprintf", "vfprintf", "syslog", "printk"), library.printed),
    **dict.fromkeys(("scanf", "fscanf", "sscanf"), library.scanned),
    **dict.fromkeys(("write", "send", "sendto", "bind", "connect"), effect(low=-1, reads=((1, 2),))),
    **dict.fromkeys(("read", "pread"), effect((1, 2), low=-1, at_most=2)),
    "recv": effect((1, 2), low=-1),
    "recvfrom": effect((1, 2), (4, UNKNOWN_SIZE), (5, POINTED), low=-1),
    "accept": effect((1, UNKNOWN_SIZE), (2, POINTED), low=-1),
    "fread": effect((0, Bytes(1, (1, 2))), low=0, at_most=2),
    "fwrite": effect(low=0, at_most=2, reads=((0, Bytes(1, (1, 2))),)),
    "pipe": effect((0, Bytes(8)), low=-1),
    **dict.fromkeys(("stat", "fstat", "lstat"), effect((1, POINTED), low=-1)),
    "getline": library.line,
    "gethostname": effect((0, 1), low=-1),
}

_TIMES: dict[str, Model] = {
    "time": effect((0, POINTED)),
    **dict.fromkeys(("clock", "difftime"), _ANY),
    **dict.fromkeys(("mktime", "timegm", "timelocal"), effect((0, POINTED))),
    "gettimeofday": effect((0, POINTED), (1, POINTED), low=-1),
    **dict.fromkeys(("clock_gettime", "clock_getres"), effect((1, POINTED), low=-1)),
    "nanosleep": effect((1, POINTED), low=-1),
    "clock_nanosleep": effect((3, POINTED), low=0),
    "strftime": effect((0, 1), low=0),
}

LIBRARY: Mapping[str, Model] = MappingProxyType(
    {**_STRINGS, **_CHARACTERS, **_NUMBERS, **_FILES, **_TIMES, **POSIX, **MATHEMATICS}
)
"""Other functions of the library are unknown ones."""
