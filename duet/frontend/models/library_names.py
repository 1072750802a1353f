"""The records of the C library: strings, characters, memory, files, time."""

from __future__ import annotations

from duet.frontend.ctypes.library import EACH, Callback, Reads, When
from duet.frontend.models import library, sorting, strings
from duet.frontend.models.clocks import MICROSECONDS, Clock, Dated, Now
from duet.frontend.models.effects import (
    ANY,
    COUNT,
    MESSAGE,
    POINTED,
    RECORD,
    STATUS,
    TEXT,
    AnyValue,
    Bytes,
    Codes,
    Effect,
    Record,
    Text,
    Told,
    effect,
    fills,
    within,
)
from duet.frontend.models.record import LibraryFunction

_STRINGS: tuple[LibraryFunction, ...] = (
    LibraryFunction("memset", library.set_memory, reads=Reads.BYTES, sized=(0,), brief=EACH, into=0),
    LibraryFunction("bzero explicit_bzero", library.clear_memory, sized=(0,), brief=EACH),
    LibraryFunction("memcpy memmove", library.copies(1), reads=Reads.BYTES, sized=(0, 1), brief=EACH, into=0),
    LibraryFunction("bcopy", library.copies_back, reads=Reads.BYTES, sized=(0, 1), brief=EACH),
    LibraryFunction("strcpy", strings.copied, texts=(1,), brief=EACH, into=0),
    LibraryFunction("strncpy", strings.overwritten(2, most=2), sized=(0, 1), brief=EACH, into=0),
    LibraryFunction("strcat", strings.overwritten(None, ends=True), texts=(0, 1), brief=EACH, into=0),
    LibraryFunction(
        "strncat", strings.overwritten(None, most=2, ends=True), texts=(0,), sized=(1,), brief=EACH, into=0
    ),
    LibraryFunction("fgets", strings.overwritten(1, may_fail=True, ends=True), sized=(0,), brief=EACH, into=0),
    LibraryFunction("gets", strings.overwritten(None, may_fail=True, ends=True), brief=EACH, into=0),
    LibraryFunction("strlen", strings.measured, texts=(0,), brief=EACH),
    LibraryFunction("strnlen", strings.measured, sized=(0,), brief=EACH),
    LibraryFunction("strcmp", strings.compared, texts=(0, 1), brief=EACH),
    LibraryFunction("strcasecmp strcoll", ANY, texts=(0, 1)),
    LibraryFunction("strncmp strncasecmp", strings.compared_within, sized=(0, 1), brief=EACH),
    LibraryFunction("memcmp", Effect(reads=((0, 2), (1, 2)), only_compares=True), reads=Reads.BYTES),
    LibraryFunction("bcmp", Effect(reads=((0, 2), (1, 2)), only_compares=True)),
    LibraryFunction("strchr strrchr index", within(0, text=1), texts=(0,)),
    LibraryFunction("strchrnul", within(0, may_fail=False, text=-1), texts=(0,)),
    LibraryFunction("strstr strcasestr", within(0, text=1), texts=(0, 1)),
    LibraryFunction("strpbrk", within(0, text=-1), texts=(0, 1)),
    LibraryFunction("memmem", within(0, least=0, reads=((0, 1), (2, 3))), reads=Reads.BYTES),
    LibraryFunction("memchr memrchr", strings.found_among, reads=Reads.BYTES, sized=(0,), brief=EACH, into=0),
    LibraryFunction("strspn strcspn", strings.spanned, texts=(0, 1), brief=EACH),
    LibraryFunction(
        "strtok_r",
        library.split_again,
        calls_nothing=True,
        texts=(0, 1),
        may_be_null=(0,),
        brief=EACH,
        into=0,
        points=(2, 0),
    ),
    LibraryFunction("strsep", library.split, calls_nothing=True, texts=(1,), brief=EACH, points=(0, 0)),
    LibraryFunction("sprintf vsprintf", strings.formatted(1), texts=(1,), brief=EACH, prints=1),
    LibraryFunction("snprintf vsnprintf", strings.formatted(2), texts=(2,), sized=(0,), brief=EACH, prints=2),
    LibraryFunction("strerror", MESSAGE),  # C11 7.24.6.2: a pointer to a string, whatever the number
    LibraryFunction("strsignal", TEXT),
    LibraryFunction("setlocale", TEXT, may_be_null=(1,)),
)

_CHARACTERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("isdigit", strings.is_digit),
    LibraryFunction("isxdigit", strings.is_hexadecimal),
    LibraryFunction("isalnum isalpha isascii isblank iscntrl isgraph islower isprint ispunct isspace isupper", ANY),
    LibraryFunction("tolower toupper", strings.cased),
)

_NUMBERS: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "strtol strtoul strtoll strtoull strtod strtof strtold",
        library.converted,
        texts=(0,),
        may_be_null=(1,),
        brief=EACH,
        points=(1, 0),
    ),
    LibraryFunction("atoi atol atoll atof", ANY, texts=(0,)),
    LibraryFunction("rand random lrand48", COUNT),
    LibraryFunction("rand_r", effect((0, POINTED), low=0)),
    LibraryFunction("qsort", sorting.sorts(), callbacks=(Callback(3, When.DURING_CALL),), sized=(0,)),
    LibraryFunction("qsort_r", sorting.sorts(4), callbacks=(Callback(3, When.DURING_CALL),), passed=(4,), sized=(0,)),
    LibraryFunction("bsearch", sorting.searched, callbacks=(Callback(4, When.DURING_CALL),), passed=(0,), sized=(1,)),
)

_FILES: tuple[LibraryFunction, ...] = (
    LibraryFunction("fopen popen", ANY, texts=(0, 1)),
    LibraryFunction("fdopen tmpfile readdir", ANY),
    LibraryFunction("localtime gmtime", Dated(returns=Record(), reads=((0, POINTED),))),
    LibraryFunction("getpwnam gethostbyname", RECORD, texts=(0,)),
    LibraryFunction("getpwuid", RECORD),
    LibraryFunction("ctime", Dated(returns=Text(), reads=((0, POINTED),))),
    LibraryFunction("asctime", Effect(returns=Text(), reads=((0, POINTED),))),
    LibraryFunction("dlerror", TEXT),
    LibraryFunction("opendir", ANY, texts=(0,)),
    LibraryFunction("open creat unlink mkdir rmdir access chmod chdir", STATUS, texts=(0,)),
    LibraryFunction(
        "close dup dup2 socket listen shutdown lseek fsync isatty fseek ftell fileno ftruncate unsetenv",
        STATUS,
    ),
    LibraryFunction("setsockopt", effect(low=-1, reads=((3, 4),))),
    LibraryFunction("closedir", STATUS, may_be_null=(0,), releases=True),
    LibraryFunction("rename", STATUS, texts=(0, 1)),
    LibraryFunction("setenv", STATUS, texts=(0, 1), may_be_null=(0,)),
    LibraryFunction("fclose pclose putchar putc fputc getchar getc fgetc ungetc feof ferror", ANY),
    LibraryFunction("fflush", ANY, may_be_null=(0,)),
    LibraryFunction("puts fputs remove", ANY, texts=(0,)),
    LibraryFunction("system", ANY, texts=(0,), may_be_null=(0,)),
    LibraryFunction("perror", ANY, may_be_null=(0,)),
    LibraryFunction("openlog", ANY, keeps=(0,), may_be_null=(0,)),
    LibraryFunction("rewind clearerr closelog", ANY),
    LibraryFunction("getpid getppid getuid geteuid getgid getegid", COUNT),
    LibraryFunction("printf vprintf printk", library.printed(0), texts=(0,), brief=EACH, prints=0),
    LibraryFunction(
        "fprintf dprintf vfprintf vdprintf syslog vsyslog", library.printed(1), texts=(1,), brief=EACH, prints=1
    ),
    LibraryFunction("scanf", library.scanned(0), texts=(0,), brief=EACH),
    LibraryFunction("fscanf", library.scanned(1), texts=(1,), brief=EACH),
    LibraryFunction("sscanf", library.scanned(1), texts=(0, 1), brief=EACH),
    LibraryFunction("write send bind connect", effect(low=-1, reads=((1, 2),))),
    LibraryFunction("sendto", effect(low=-1, reads=((1, 2), (4, 5))), may_be_null=(4,)),
    LibraryFunction("read pread", effect((1, 2), low=-1, at_most=2)),
    LibraryFunction("recv", effect((1, 2), low=-1)),
    LibraryFunction("recvfrom", effect((1, 2), (4, Told(5)), (5, POINTED), low=-1), may_be_null=(4, 5)),
    LibraryFunction("accept", effect((1, Told(2)), (2, POINTED), low=-1), may_be_null=(1, 2)),
    LibraryFunction("fread", effect((0, Bytes(1, (1, 2))), low=0, at_most=2)),
    LibraryFunction("fwrite", effect(low=0, at_most=2, reads=((0, Bytes(1, (1, 2))),))),
    LibraryFunction("pipe", effect((0, Bytes(8)), low=-1)),
    LibraryFunction("stat lstat", fills(1, low=-1), texts=(0,)),
    LibraryFunction("fstat", fills(1, low=-1)),
    LibraryFunction("getline", library.line, brief=EACH),
    LibraryFunction("gethostname", effect((0, 1), low=-1)),
)

_TIMES: tuple[LibraryFunction, ...] = (
    LibraryFunction("time", Now(((0, POINTED),), AnyValue(low=-1)), may_be_null=(0,)),
    LibraryFunction("clock difftime", ANY),
    LibraryFunction("mktime timegm timelocal", fills(0)),
    LibraryFunction(
        "gettimeofday", Clock(((0, POINTED), (1, POINTED)), Codes((0,)), unit=MICROSECONDS), may_be_null=(0, 1)
    ),
    LibraryFunction("clock_gettime", Clock(((1, POINTED),), AnyValue(low=-1), clock=0)),
    LibraryFunction("timespec_get", Clock(((0, POINTED),), AnyValue(low=0), success=1)),
    LibraryFunction("clock_getres", fills(1, low=-1), may_be_null=(1,)),
    LibraryFunction("strftime", effect((0, 1), low=0, reads=((3, POINTED),)), texts=(2,)),
)

LIBRARY = (*_STRINGS, *_CHARACTERS, *_NUMBERS, *_FILES, *_TIMES)
"""Other functions of the library are unknown ones."""
