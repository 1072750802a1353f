"""The records of the C library: strings, characters, memory, files, time."""

from __future__ import annotations

from duet.frontend.ctypes.library import Callback, Reads, When
from duet.frontend.models import library, strings
from duet.frontend.models.effects import ANY, COUNT, POINTED, STATUS, UNKNOWN_SIZE, Effect, Within, effect, fills
from duet.frontend.models.record import LibraryFunction

_STRINGS: tuple[LibraryFunction, ...] = (
    LibraryFunction("memset", library.set_memory, reads=Reads.BYTES),
    LibraryFunction("bzero explicit_bzero", library.clear_memory),
    LibraryFunction("memcpy memmove", library.copy_memory, reads=Reads.BYTES),
    LibraryFunction("strcpy", strings.copied),
    LibraryFunction("strncpy strcat strncat", strings.overwritten),
    LibraryFunction("fgets gets", strings.line_read),
    LibraryFunction("strlen strnlen", strings.measured),
    LibraryFunction("strcmp", strings.compared),
    LibraryFunction("strncmp strcasecmp strncasecmp strcoll bcmp", ANY),
    LibraryFunction("memcmp", ANY, reads=Reads.BYTES),
    LibraryFunction("strchr strrchr strstr strcasestr strpbrk index", Effect((), Within(0))),
    LibraryFunction("strchrnul", Effect((), Within(0, may_fail=False))),
    LibraryFunction("memchr memrchr memmem", Effect((), Within(0)), reads=Reads.BYTES),
    LibraryFunction("strspn strcspn", COUNT),
    LibraryFunction("strtok_r", library.split_again),
    LibraryFunction("strsep", library.split),
    LibraryFunction("sprintf vsprintf", strings.formatted(1)),
    LibraryFunction("snprintf vsnprintf", strings.formatted(2)),
    LibraryFunction("strerror strsignal setlocale", ANY),
)

_CHARACTERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("isdigit", strings.is_digit),
    LibraryFunction("isxdigit", strings.is_hexadecimal),
    LibraryFunction("isalnum isalpha isascii isblank iscntrl isgraph islower isprint ispunct isspace isupper", ANY),
    LibraryFunction("tolower toupper", strings.cased),
)

_NUMBERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("strtol strtoul strtoll strtoull strtod strtof strtold", library.converted),
    LibraryFunction("atoi atol atoll atof", ANY),
    LibraryFunction("rand random lrand48", COUNT),
    LibraryFunction("rand_r", effect((0, POINTED), low=0)),
    LibraryFunction("qsort", library.sorted_in_place, callbacks=(Callback(3, When.DURING_CALL),)),
    LibraryFunction("bsearch", library.searched, callbacks=(Callback(4, When.DURING_CALL),)),
)

_FILES: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "fopen fdopen popen tmpfile opendir readdir localtime gmtime ctime asctime getpwnam getpwuid gethostbyname "
        "dlopen dlerror",
        ANY,
    ),
    LibraryFunction(
        "open creat close dup dup2 socket bind listen connect shutdown lseek write send sendto fsync unlink rename "
        "mkdir rmdir access chmod chdir setsockopt closedir isatty fseek ftell fileno ftruncate setenv "
        "unsetenv",
        STATUS,
    ),
    LibraryFunction(
        "fclose fflush pclose puts fputs putchar putc fputc getchar getc fgetc ungetc feof ferror remove system", ANY
    ),
    LibraryFunction("perror rewind clearerr openlog closelog", ANY),
    LibraryFunction("getpid getppid getuid geteuid getgid getegid", COUNT),
    LibraryFunction("printf vprintf printk", library.printed(0)),
    LibraryFunction("fprintf dprintf vfprintf syslog", library.printed(1)),
    LibraryFunction("scanf", library.scanned(0)),
    LibraryFunction("fscanf sscanf", library.scanned(1)),
    LibraryFunction("read pread", effect((1, 2), low=-1, at_most=2)),
    LibraryFunction("recv", effect((1, 2), low=-1)),
    LibraryFunction("recvfrom", effect((1, 2), (4, UNKNOWN_SIZE), (5, POINTED), low=-1)),
    LibraryFunction("accept", effect((1, UNKNOWN_SIZE), (2, POINTED), low=-1)),
    LibraryFunction("fread", effect((0, UNKNOWN_SIZE), low=0, at_most=2)),
    LibraryFunction("fwrite", effect(low=0, at_most=2)),
    LibraryFunction("pipe", effect((0, UNKNOWN_SIZE), low=-1)),
    LibraryFunction("stat fstat lstat", fills(1, low=-1)),
    LibraryFunction("getline", library.line),
    LibraryFunction("gethostname", effect((0, 1), low=-1)),
)

_TIMES: tuple[LibraryFunction, ...] = (
    LibraryFunction("time", fills(0)),
    LibraryFunction("clock difftime", ANY),
    LibraryFunction("mktime timegm timelocal", fills(0)),
    LibraryFunction("gettimeofday", fills(0, 1, low=-1)),
    LibraryFunction("clock_gettime clock_getres", fills(1, low=-1)),
    LibraryFunction("strftime", effect((0, 1), low=0)),
)

LIBRARY = (*_STRINGS, *_CHARACTERS, *_NUMBERS, *_FILES, *_TIMES)
"""Other functions of the library are unknown ones."""
