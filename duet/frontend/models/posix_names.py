"""The records of POSIX and GNU functions: processes, files, networks, terminals, texts, times."""

from __future__ import annotations

from duet.frontend.cells.gate import Touch
from duet.frontend.ctypes.library import EACH, Callback, Reads, When
from duet.frontend.ctypes.types import INT, UINT, USHORT
from duet.frontend.models import library, mapped, posix, strings, vectors
from duet.frontend.models.builtins import swapped
from duet.frontend.models.clocks import Dated
from duet.frontend.models.effects import (
    ALWAYS_TEXT,
    ANY,
    COUNT,
    MESSAGE,
    POINTED,
    RECORD,
    STATUS,
    TEXT,
    UNKNOWN_SIZE,
    Argument,
    Bytes,
    ByValue,
    Effect,
    Record,
    Told,
    Within,
    codes,
    effect,
    fills,
    gives_back,
    within,
)
from duet.frontend.models.handlers import registers, signalled
from duet.frontend.models.record import LibraryFunction

_ADDRESS = ByValue(0, ((2, 4),), 16)
"""The bytes of an address of the Internet, by its family: AF_INET, or AF_INET6."""


def _notified(position: int) -> Callback:
    """The function of a `struct sigevent`, which has a thread of its own."""
    return Callback(position, When.ANY_TIME)


_PROCESSES: tuple[LibraryFunction, ...] = (
    LibraryFunction("wait", fills(0, low=-1), may_be_null=(0,)),
    LibraryFunction("waitpid", fills(1, low=-1), may_be_null=(1,)),
    LibraryFunction("wait3", fills(0, 2, low=-1), may_be_null=(0, 2)),
    LibraryFunction("wait4", fills(1, 3, low=-1), may_be_null=(1, 3)),
    LibraryFunction("waitid", fills(2, low=-1), may_be_null=(2,)),
    LibraryFunction("execl execlp execle execv execvp", posix.fails, texts=(0,), brief=EACH),
    LibraryFunction("execve execvpe", posix.fails, texts=(0,), may_be_null=(2,), brief=EACH),
    LibraryFunction("fexecve", posix.fails, may_be_null=(2,)),
    LibraryFunction("sigqueue", signalled(codes(0, -1))),
    LibraryFunction(
        "daemon setpriority setrlimit setsid setpgid getpgid getsid setuid setgid seteuid setegid setreuid setregid "
        "setresuid setresgid initgroups setpgrp sched_setscheduler sched_get_priority_max killpg "
        "sched_get_priority_min sched_setparam siginterrupt acct chroot reboot unshare mlockall munlockall "
        "shmget semget msgget",
        STATUS,
    ),
    LibraryFunction("mlock munlock mprotect posix_madvise munmap msync shmdt", STATUS, passed=(0,)),
    LibraryFunction("setgroups", effect(low=-1, reads=((1, Bytes(4, (0,))),))),
    LibraryFunction("sched_setaffinity", effect(low=-1, reads=((2, 1),))),
    LibraryFunction("semop", effect(low=-1, reads=((1, Bytes(6, (2,))),))),
    LibraryFunction("semtimedop", effect(low=-1, reads=((1, Bytes(6, (2,))),)), may_be_null=(3,)),
    LibraryFunction("msgsnd", effect(low=-1, reads=((1, Bytes(8)),))),
    LibraryFunction("umask alarm ualarm getpagesize getpgrp gettid getdtablesize", COUNT),
    LibraryFunction("sysconf pathconf fpathconf clearenv getpass", ANY),
    LibraryFunction("getlogin ttyname ptsname gnu_get_libc_version hstrerror", TEXT),
    LibraryFunction("gai_strerror nl_langinfo", MESSAGE),
    LibraryFunction("inet_ntoa", ALWAYS_TEXT),
    LibraryFunction("mmap", mapped.mapping, may_be_null=(0,)),
    LibraryFunction("sbrk", mapped.grown),
    LibraryFunction("madvise", effect((0, 1), low=-1), may_be_null=(0,)),
    LibraryFunction("nice getpriority personality", ANY),
    LibraryFunction("crypt", ANY),
    LibraryFunction("shmat", mapped.attached, may_be_null=(1,)),
    LibraryFunction("mremap", mapped.moved),
    LibraryFunction("uname sysinfo", fills(0, low=-1)),
    LibraryFunction("getrlimit getrusage getitimer sched_getparam sched_rr_get_interval", fills(1, low=-1)),
    LibraryFunction("setitimer", fills(2, low=-1), may_be_null=(2,)),
    LibraryFunction("prlimit", fills(3, low=-1), may_be_null=(2, 3)),
    LibraryFunction("sched_getaffinity", effect((2, 1), low=-1)),
    LibraryFunction("times", fills(0), may_be_null=(0,)),
    LibraryFunction("sigwaitinfo", fills(1, low=-1), may_be_null=(1,)),
    LibraryFunction("sigtimedwait", fills(1, low=-1), may_be_null=(1, 2)),
    LibraryFunction("getresuid getresgid", fills(0, 1, 2, low=-1)),
    LibraryFunction("getgroups", effect((1, Bytes(4, (0,))), low=-1), may_be_null=(1,)),
    LibraryFunction("confstr", effect((1, 2), low=0), may_be_null=(1,)),
    LibraryFunction(" ".join(sorted(posix.FAMILY)), posix.options, calls_nothing=True, texts=(2,), may_be_null=(3, 4)),
    LibraryFunction("putenv", posix.keeps, texts=(0,), keeps=(0,)),
    LibraryFunction("getenv secure_getenv", posix.kept, texts=(0,)),
    LibraryFunction("ttyname_r ptsname_r", effect((1, 2), low=0)),
    LibraryFunction("getlogin_r", effect((0, 1), low=0)),
    LibraryFunction("getloadavg", effect((0, Bytes(8, (1,))), low=-1)),
    LibraryFunction("setpwent endpwent setgrent endgrent setlogmask endmntent", ANY),
    LibraryFunction("setmntent", ANY),
    LibraryFunction("getpwent getgrnam getgrgid getgrent getspnam getmntent", RECORD),
    LibraryFunction("error", library.printed(2), texts=(2,), brief=EACH, prints=2),
    LibraryFunction("error_at_line", library.printed(4), texts=(4,), may_be_null=(2,), brief=EACH, prints=4),
    LibraryFunction("warn warnx vwarn vwarnx", library.printed(0), texts=(0,), may_be_null=(0,), brief=EACH, prints=0),
    LibraryFunction("getpwnam_r getgrnam_r", posix.looked_up(1), calls_nothing=True, texts=(0,), brief=(0, 4)),
    LibraryFunction("getpwuid_r getgrgid_r", posix.looked_up(1), calls_nothing=True, brief=(4,)),
    LibraryFunction("shmctl semctl msgctl", posix.reaching, calls_nothing=True, may_be_null=(2,)),
    LibraryFunction("msgrcv", effect((1, UNKNOWN_SIZE), low=-1)),
)

_FILES: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "fchown fchmod lchown fchownat fchmodat flock lockf truncate truncate64 ftruncate64 mkfifo mknod fdatasync "
        "dup3 openat mkdirat unlinkat renameat faccessat linkat symlinkat euidaccess eaccess fchdir posix_fadvise "
        "posix_fallocate fallocate inotify_init inotify_init1 inotify_add_watch inotify_rm_watch epoll_create "
        "epoll_create1 eventfd timerfd_create lseek64 open64 creat64 fseeko ftello fseeko64 ftello64 fsetpos "
        "sync_file_range syncfs readahead fputs_unlocked umount umount2 fanotify_init dirfd swapon swapoff pivot_root "
        "setns tcsetattr tcflush tcdrain tcsendbreak tcflow tcgetpgrp tcsetpgrp posix_openpt grantpt unlockpt vhangup",
        STATUS,
    ),
    LibraryFunction("utime", STATUS, may_be_null=(1,)),
    LibraryFunction("utimes lutimes futimens futimes", effect(low=-1, reads=((1, Bytes(32)),)), may_be_null=(1,)),
    LibraryFunction("utimensat futimesat", effect(low=-1, reads=((2, Bytes(32)),)), may_be_null=(1, 2)),
    LibraryFunction("mount", STATUS, may_be_null=(0, 2, 4)),
    LibraryFunction("fanotify_mark", STATUS, may_be_null=(4,)),
    LibraryFunction("writev pwritev", vectors.gathered, calls_nothing=True, may_be_null=(1,), brief=EACH),
    LibraryFunction("chown", STATUS, texts=(0,)),
    LibraryFunction("link symlink", STATUS, texts=(0, 1)),
    LibraryFunction("signalfd", STATUS, reads=Reads.FLAT),
    LibraryFunction("memfd_create", STATUS, reads=Reads.BYTES),
    LibraryFunction(
        "funlockfile ftrylockfile setlinebuf __ctype_get_mb_cur_max sync fputc_unlocked tmpfile64 "
        "putc_unlocked putchar_unlocked getc_unlocked getchar_unlocked fgetc_unlocked fopen64 feof_unlocked "
        "ferror_unlocked clearerr_unlocked fileno_unlocked fdopendir rewinddir seekdir telldir "
        "readdir64 fnmatch fpurge __fpurge putw getw fputwc putwc putwchar fgetwc getwc getwchar "
        "cfgetispeed cfgetospeed gnu_dev_major gnu_dev_minor gnu_dev_makedev posix_close regfree closefrom "
        "puts_unlocked",
        ANY,
    ),
    LibraryFunction("globfree", ANY, releases=True),
    LibraryFunction("freopen", ANY, may_be_null=(0,)),
    LibraryFunction("flockfile", posix.locks_stream),
    LibraryFunction("fflush_unlocked", ANY, may_be_null=(0,)),
    LibraryFunction("freeaddrinfo freeifaddrs", ANY, reads=Reads.NOTHING, may_be_null=(0,), passed=(0,), releases=True),
    LibraryFunction("fcntl", posix.controlled, calls_nothing=True),
    LibraryFunction("ioctl", posix.requested, calls_nothing=True),
    LibraryFunction("readv preadv", vectors.scattered, may_be_null=(1,), calls_nothing=True, brief=EACH),
    LibraryFunction("recvmsg", vectors.message(Touch.FILL), calls_nothing=True, brief=EACH),
    LibraryFunction("sendmmsg", vectors.messages, calls_nothing=True, brief=EACH),
    LibraryFunction("recvmmsg", vectors.messages, calls_nothing=True, may_be_null=(4,)),
    LibraryFunction("epoll_ctl", posix.reaching, calls_nothing=True, may_be_null=(3,)),
    LibraryFunction("stat64 fstat64 lstat64 statfs fstatfs statvfs fstatvfs", fills(1, low=-1)),
    LibraryFunction("fstatat fstatat64", fills(2, low=-1)),
    LibraryFunction("tcgetattr fgetpos", fills(1, low=-1)),
    LibraryFunction("cfmakeraw cfsetispeed cfsetospeed cfsetspeed", fills(0, low=-1)),
    LibraryFunction("pwrite pwrite64", effect(low=-1, reads=((1, 2),))),
    LibraryFunction("pread64", effect((1, 2), low=-1, at_most=2)),
    LibraryFunction("readlink", effect((1, 2), low=-1, at_most=2), texts=(0,)),
    LibraryFunction("readlinkat", effect((2, 3), low=-1, at_most=3)),
    LibraryFunction("fread_unlocked", effect((0, Bytes(1, (1, 2))), low=0, at_most=2)),
    LibraryFunction("fwrite_unlocked", effect(low=0, at_most=2, reads=((0, Bytes(1, (1, 2))),))),
    LibraryFunction("fgets_unlocked", strings.overwritten(1, may_fail=True), sized=(0,)),
    LibraryFunction("poll", effect((0, Bytes(8, (1,))), low=-1), may_be_null=(0,)),
    LibraryFunction("ppoll", effect((0, Bytes(8, (1,))), low=-1), may_be_null=(0, 2, 3)),
    LibraryFunction("select", fills(1, 2, 3, 4, low=-1), may_be_null=(1, 2, 3, 4)),
    LibraryFunction("FD_SET FD_CLR", posix.in_set(fills(1)), brief=EACH),
    LibraryFunction("FD_ZERO", fills(0)),
    LibraryFunction("FD_ISSET", posix.in_set(effect(low=0)), brief=EACH),
    LibraryFunction("pselect", fills(1, 2, 3, low=-1), may_be_null=(1, 2, 3, 4, 5)),
    LibraryFunction("epoll_wait", effect((1, Bytes(12, (2,))), low=-1)),
    LibraryFunction("epoll_pwait", effect((1, Bytes(12, (2,))), low=-1), may_be_null=(4,)),
    LibraryFunction("timerfd_settime", fills(3, low=-1), may_be_null=(3,)),
    LibraryFunction("timerfd_gettime", fills(1, low=-1)),
    LibraryFunction("eventfd_read", fills(1, low=-1)),
    LibraryFunction("eventfd_write", STATUS),
    LibraryFunction("pipe2", effect((0, Bytes(8)), low=-1)),
    LibraryFunction("sendfile sendfile64", fills(2, low=-1), may_be_null=(2,)),
    LibraryFunction("splice", fills(1, 3, low=-1), may_be_null=(1, 3)),
    LibraryFunction("mkstemp mkostemp mkstemps", effect((0, UNKNOWN_SIZE), low=-1)),
    LibraryFunction("mkdtemp", gives_back(0, (0, UNKNOWN_SIZE))),
    LibraryFunction("realpath", posix.named(1, None), texts=(0,), may_be_null=(1,), brief=EACH, into=1),
    LibraryFunction("tmpnam tmpnam_r ctermid", posix.named(0, None), may_be_null=(0,)),
    LibraryFunction("dlopen", posix.brings_code, texts=(0,), may_be_null=(0,)),
    LibraryFunction("dlsym dlvsym", posix.symbol, texts=(1,), may_be_null=(0,)),
    LibraryFunction("prctl", posix.of_process, calls_nothing=True),
    LibraryFunction("getcwd get_current_dir_name", posix.named(0, 1), may_be_null=(0,), brief=EACH, into=0),
    LibraryFunction("basename", posix.path_part, texts=(0,), brief=EACH, into=0),
    LibraryFunction("dirname __xpg_basename", posix.path_part, texts=(0,), may_be_null=(0,), brief=EACH, into=0),
    LibraryFunction("getdelim", library.line, brief=EACH),
    LibraryFunction("asprintf vasprintf", posix.printed_anew, texts=(1,), brief=EACH, prints=1),
    LibraryFunction(
        "glob glob64",
        posix.reaching,
        callbacks=(Callback(2, When.DURING_CALL),),
        texts=(0,),
        may_be_null=(2,),
        releases=True,
    ),
    LibraryFunction("sigaltstack", posix.used_as_stack(-1, old=1), keeps=(0,), may_be_null=(0, 1)),
    LibraryFunction("setbuf", posix.retains((1, Bytes(8192))), keeps=(1,), may_be_null=(1,)),
    LibraryFunction("setbuffer", posix.retains((1, 2)), keeps=(1,), may_be_null=(1,)),
    LibraryFunction("setvbuf", posix.retains((1, 3)), keeps=(1,), may_be_null=(1,)),
    LibraryFunction("initstate", posix.retains((1, 2)), keeps=(1,)),
    LibraryFunction("fmemopen", posix.retains((0, 1)), keeps=(0,), texts=(2,), may_be_null=(0,)),
    LibraryFunction("setstate", posix.retains(), keeps=(0,)),
    LibraryFunction(
        "aio_read aio_write aio_read64 aio_write64", posix.retains(notifies=True), callbacks=(_notified(0),), keeps=(0,)
    ),
    LibraryFunction("aio_fsync aio_fsync64", posix.retains(notifies=True), callbacks=(_notified(1),), keeps=(1,)),
    LibraryFunction("open_memstream open_wmemstream", posix.retains(), keeps=(0, 1), releases=True),
    LibraryFunction(
        "lio_listio lio_listio64",
        posix.retains(notifies=True),
        callbacks=(_notified(1), _notified(3)),
        keeps=(1, 3),
        may_be_null=(3,),
    ),
    LibraryFunction("mq_notify", registers(INT), callbacks=(_notified(1),), may_be_null=(1,)),
    LibraryFunction(
        "getaddrinfo_a",
        posix.retains(notifies=True),
        callbacks=(_notified(3),),
        keeps=(1,),
        may_be_null=(3,),
    ),
)

_NETWORKS: tuple[LibraryFunction, ...] = (
    LibraryFunction("htonl ntohl", swapped(UINT)),
    LibraryFunction("htons ntohs", swapped(USHORT)),
    LibraryFunction("getpeername getsockname", effect((1, Told(2)), (2, POINTED), low=-1)),
    LibraryFunction("accept4", effect((1, Told(2)), (2, POINTED), low=-1), may_be_null=(1, 2)),
    LibraryFunction("getsockopt", effect((3, Told(4)), (4, POINTED), low=-1)),
    LibraryFunction("socketpair", effect((3, Bytes(8)), low=-1)),
    LibraryFunction("sendmsg", vectors.message(Touch.EXAMINE), calls_nothing=True, brief=EACH),
    LibraryFunction("if_nametoindex sethostname", STATUS),
    LibraryFunction(
        "getaddrinfo",
        posix.hands_out(3, range(INT.lo, 0), range(1, INT.hi + 1), may_be_none=False),
        texts=(0, 1),
        may_be_null=(0, 1, 2),
    ),
    LibraryFunction("readdir_r", posix.read_entry, brief=(0, 2)),
    LibraryFunction("getifaddrs", posix.hands_out(0, -1, may_be_none=True), brief=EACH),
    LibraryFunction("getnameinfo", effect((2, 3), (4, 5)), may_be_null=(2, 4)),
    LibraryFunction("ether_ntoa", ANY),
    LibraryFunction("herror", ANY, may_be_null=(0,)),
    LibraryFunction("getservbyname getservbyport", RECORD, may_be_null=(1,)),
    LibraryFunction("getprotobyname getprotobynumber gethostbyname2", RECORD),
    LibraryFunction("gethostbyaddr", Effect(returns=Record(), reads=((0, 1),))),
    LibraryFunction("inet_lnaof inet_netof res_init", ANY),
    LibraryFunction("inet_addr inet_network", ANY, texts=(0,)),
    LibraryFunction("inet_pton", effect((2, _ADDRESS), low=-1), texts=(1,)),
    LibraryFunction("inet_aton", fills(1, low=0), texts=(0,)),
    LibraryFunction("inet_ntop", Effect(((2, 3),), Argument(2), reads=((1, _ADDRESS),))),
    LibraryFunction("if_indextoname", gives_back(1, (1, Bytes(16)))),
    LibraryFunction("getdomainname", effect((0, 1), low=-1)),
)

_TEXTS: tuple[LibraryFunction, ...] = (
    LibraryFunction("strtok", posix.tokens, texts=(0, 1), keeps=(0,), may_be_null=(0,)),
    LibraryFunction("stpcpy", posix.text_with_end, texts=(1,), brief=EACH, into=0),
    LibraryFunction("stpncpy", posix.text_with_end, sized=(0, 1), brief=EACH, into=0),
    LibraryFunction("mempcpy", posix.copied_with_end, reads=Reads.BYTES, sized=(0, 1), brief=EACH, into=0),
    LibraryFunction("strlcpy", posix.text_of_size(True), texts=(1,), sized=(0,), brief=EACH),
    LibraryFunction("strlcat", posix.text_of_size(True), texts=(0, 1), sized=(0,), brief=EACH),
    LibraryFunction("strxfrm", posix.text_of_size(False), texts=(1,), may_be_null=(0,), brief=EACH),
    LibraryFunction("wcstombs", posix.text_of_size(False), texts=(1,), may_be_null=(0,), brief=EACH),
    LibraryFunction("strerror_r", posix.error_text, sized=(1,), brief=EACH, into=1),
    LibraryFunction("strverscmp", ANY, texts=(0, 1)),
    LibraryFunction("rindex", within(0, text=1), texts=(0,)),
    LibraryFunction("rawmemchr", within(0, may_fail=False, reads=((0, UNKNOWN_SIZE),))),
    LibraryFunction(
        "strtoimax strtoumax strtoq strtouq wcstol wcstoul", library.converted, texts=(0,), may_be_null=(1,)
    ),
    LibraryFunction("gettext", posix.translated(0), texts=(0,), may_be_null=(0,)),
    LibraryFunction("dgettext dcgettext", posix.translated(1), texts=(0, 1), may_be_null=(0, 1)),
    LibraryFunction("bindtextdomain bind_textdomain_codeset", ANY, may_be_null=(0, 1)),
    LibraryFunction("textdomain", ANY, may_be_null=(0,)),
    LibraryFunction("localeconv", ANY),
    LibraryFunction("wmemcpy wmemmove", library.copies(4), reads=Reads.BYTES, sized=(0, 1), brief=EACH, into=0),
    LibraryFunction("wmemset wcsncpy", Effect(((0, Bytes(4, (2,))),), Argument(0, may_fail=False))),
    LibraryFunction("wcscpy wcsncat", Effect(((0, UNKNOWN_SIZE),), Argument(0, may_fail=False)), texts=(1,)),
    LibraryFunction("wcscat", Effect(((0, UNKNOWN_SIZE),), Argument(0, may_fail=False)), texts=(0, 1)),
    LibraryFunction("wcschr wcsrchr", within(0, least=4), texts=(0,)),
    LibraryFunction("wcsstr wcspbrk", within(0, least=4), texts=(0, 1)),
    LibraryFunction("wmemchr", within(0, least=4, reads=((0, Bytes(4, (2,))),))),
    LibraryFunction("wprintf vwprintf", library.printed(0), brief=EACH, prints=0),
    LibraryFunction("fwprintf vfwprintf", library.printed(1), brief=EACH, prints=1),
    LibraryFunction("swprintf vswprintf", posix.printed_wide, sized=(0,), brief=EACH, prints=2),
    LibraryFunction("memccpy", Effect(((0, 3),), Within(0, least=0), reads=((1, 3),))),
    LibraryFunction("swab", effect((1, 2), reads=((0, 2),))),
    LibraryFunction("fgetws", gives_back(0, (0, Bytes(4, (1,))))),
    LibraryFunction("wmemcmp", Effect(reads=((0, Bytes(4, (2,))), (1, Bytes(4, (2,)))), only_compares=True)),
    LibraryFunction("wcslen", ANY, texts=(0,)),
    LibraryFunction("wcscmp wcscasecmp wcscoll", ANY, texts=(0, 1)),
    LibraryFunction("wcsnlen wcswidth", effect(reads=((0, Bytes(4, (1,))),))),
    LibraryFunction(
        "wcsncmp wcsncasecmp", Effect(reads=((0, Bytes(4, (2,))), (1, Bytes(4, (2,)))), only_compares=True)
    ),
    LibraryFunction("wcwidth", ANY),
    LibraryFunction("mblen", effect(reads=((0, 1),)), may_be_null=(0,)),
    LibraryFunction("wcsspn wcscspn", ANY, texts=(0, 1)),
    LibraryFunction("wctob btowc towlower towupper", ANY),
    LibraryFunction("iswprint iswalpha iswalnum iswdigit iswspace iswcntrl iswupper iswlower", ANY),
    LibraryFunction("mbstowcs", effect((0, Bytes(4, (2,)))), may_be_null=(0,)),
    LibraryFunction("mbtowc", effect((0, UNKNOWN_SIZE), low=-1), may_be_null=(0, 1)),
    LibraryFunction("wctomb", effect((0, UNKNOWN_SIZE), low=-1), may_be_null=(0,)),
    LibraryFunction("mbrtowc", fills(0, 3), may_be_null=(0, 1, 3)),
    LibraryFunction("wcrtomb", effect((0, UNKNOWN_SIZE), (2, POINTED)), may_be_null=(0, 2)),
    LibraryFunction("regcomp", fills(0)),
    LibraryFunction("regexec", effect((3, Bytes(8, (2,)))), may_be_null=(3,)),
    LibraryFunction("regerror", effect((2, 3), low=0), may_be_null=(2,)),
    LibraryFunction("getrandom getentropy", effect((0, 1), low=-1, at_most=1)),
    LibraryFunction("srand48 drand48 mrand48 arc4random arc4random_uniform", ANY),
    LibraryFunction("erand48 jrand48", effect((0, Bytes(6)))),
    LibraryFunction("nrand48", effect((0, Bytes(6)), low=0)),
    LibraryFunction("div ldiv lldiv imaxdiv", posix.divided),
    LibraryFunction("abs labs llabs imaxabs", posix.absolute),
)

_TIMES: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "localtime_r gmtime_r", Dated(((1, POINTED),), Argument(1), reads=((0, POINTED),), writes_texts=True)
    ),
    LibraryFunction("ctime_r", Dated(((1, Bytes(26)),), Argument(1), reads=((0, POINTED),))),
    LibraryFunction("asctime_r", Effect(((1, Bytes(26)),), Argument(1), reads=((0, POINTED),))),
    LibraryFunction("strptime", posix.parsed_time, texts=(0, 1)),
    LibraryFunction("tzset", ANY),
    LibraryFunction("settimeofday", STATUS, may_be_null=(0, 1)),
    LibraryFunction("clock_settime", STATUS),
)

_CALLERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("dl_iterate_phdr", callbacks=(Callback(0, When.DURING_CALL),), passed=(1,)),
    LibraryFunction("ftw ftw64 nftw nftw64", callbacks=(Callback(1, When.DURING_CALL),), texts=(0,)),
    LibraryFunction("twalk twalk_r", callbacks=(Callback(1, When.DURING_CALL),), passed=(0, 2)),
    LibraryFunction("tdestroy", callbacks=(Callback(1, When.DURING_CALL),), passed=(0, 2), releases=True),
    LibraryFunction("tsearch tfind", callbacks=(Callback(2, When.DURING_CALL),), passed=(0, 1)),
    LibraryFunction("tdelete", callbacks=(Callback(2, When.DURING_CALL),), passed=(0, 1), releases=True),
    LibraryFunction(
        "lfind lsearch",
        posix.examining(1, UNKNOWN_SIZE),
        callbacks=(Callback(4, When.DURING_CALL),),
        passed=(0,),
    ),
    LibraryFunction(
        "scandir scandir64",
        callbacks=(Callback(2, When.DURING_CALL), Callback(3, When.DURING_CALL)),
        texts=(0,),
        may_be_null=(2, 3),
    ),
    LibraryFunction(
        "scandirat",
        callbacks=(Callback(3, When.DURING_CALL), Callback(4, When.DURING_CALL)),
        texts=(1,),
        may_be_null=(3, 4),
    ),
    LibraryFunction("argp_parse", callbacks=(Callback(0, When.DURING_CALL),), may_be_null=(4, 5), passed=(5,)),
    LibraryFunction(
        "argp_help argp_state_help argp_usage argp_error argp_failure",
        callbacks=(Callback(0, When.DURING_CALL),),
    ),
    LibraryFunction("clone __clone", callbacks=(Callback(0, When.ANY_TIME),), passed=(3,)),
    LibraryFunction("kthread_run kthread_create", callbacks=(Callback(0, When.ANY_TIME),), is_of_kernel=True),
    LibraryFunction("vsscanf", library.scanned_by_list(1), texts=(0, 1)),
    LibraryFunction("vfscanf", library.scanned_by_list(1), texts=(1,)),
    LibraryFunction("vscanf", library.scanned_by_list(0), texts=(0,)),
)
"""Functions of which hardly more is known than what they call, and when."""

POSIX = (*_PROCESSES, *_FILES, *_NETWORKS, *_TEXTS, *_TIMES, *_CALLERS)
