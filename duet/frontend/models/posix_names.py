"""The models of POSIX and GNU functions by name: processes, files, networks, terminals, locales, mathematics."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.ctypes.names import FLOATING
from duet.frontend.ctypes.types import UINT, USHORT
from duet.frontend.models import library, posix, strings
from duet.frontend.models.builtins import swapped
from duet.frontend.models.call import Model
from duet.frontend.models.library import POINTED, UNKNOWN_SIZE, Bytes, effect

_ANY = effect()
_STATUS = effect(low=-1)
_COUNT = effect(low=0)


def _fills(position: int, low: int | None = -1) -> Model:
    return effect((position, POINTED), low=low)


_PROCESSES: dict[str, Model] = {
    "wait": _fills(0),
    "waitpid": _fills(1),
    "wait3": effect((0, POINTED), (2, POINTED), low=-1),
    "wait4": effect((1, POINTED), (3, POINTED), low=-1),
    "waitid": _fills(2),
    **dict.fromkeys(("execl", "execlp", "execle", "execv", "execvp", "execve", "execvpe", "fexecve"), posix.fails),
    **dict.fromkeys(
        (
            *("daemon", "setpriority", "setrlimit", "setsid", "setpgid", "getpgid", "getsid"),
            *("setuid", "setgid", "seteuid", "setegid", "setreuid", "setregid", "setresuid", "setresgid", "initgroups"),
            *("setgroups", "setpgrp", "sched_setscheduler", "sched_setaffinity", "sched_get_priority_max", "killpg"),
            *("sched_get_priority_min", "sched_setparam", "siginterrupt", "sigqueue", "chroot", "acct", "reboot"),
            *("unshare", "mlock", "munlock", "mlockall", "munlockall", "mprotect"),
            *(
                "posix_madvise",
                "munmap",
                "msync",
                "shmget",
                "shmdt",
                "semget",
                "semop",
                "msgget",
                "msgsnd",
                "semtimedop",
            ),
        ),
        _STATUS,
    ),
    **dict.fromkeys(("umask", "alarm", "ualarm", "getpagesize", "getpgrp", "gettid", "getdtablesize"), _COUNT),
    **dict.fromkeys(("sysconf", "pathconf", "fpathconf", "clearenv", "getpass", "getlogin", "sbrk"), _ANY),
    "mmap": effect((0, UNKNOWN_SIZE)),
    "madvise": effect((0, 1), low=-1),
    **dict.fromkeys(("nice", "getpriority", "personality"), _ANY),
    **dict.fromkeys(("shmat", "mremap", "crypt", "gnu_get_libc_version"), _ANY),
    **dict.fromkeys(("uname", "sysinfo"), _fills(0)),
    **dict.fromkeys(("getrlimit", "getrusage", "getitimer", "sched_getparam", "sched_rr_get_interval"), _fills(1)),
    "setitimer": _fills(2),
    "prlimit": _fills(3),
    "sched_getaffinity": effect((2, 1), low=-1),
    "times": _fills(0, low=None),
    **dict.fromkeys(("sigwaitinfo", "sigtimedwait", "sigaltstack"), _fills(1)),
    **dict.fromkeys(("getresuid", "getresgid"), effect((0, POINTED), (1, POINTED), (2, POINTED), low=-1)),
    "getgroups": effect((1, Bytes(4, (0,))), low=-1),
    "confstr": effect((1, 2), low=0),
    **dict.fromkeys(("getopt", "getopt_long", "getopt_long_only"), posix.options),
    "putenv": posix.keeps,
    **dict.fromkeys(("getenv", "secure_getenv"), posix.kept),
    "getloadavg": effect((0, Bytes(8, (1,))), low=-1),
    **dict.fromkeys(("setpwent", "endpwent", "setgrent", "endgrent", "setlogmask", "endmntent", "vsyslog"), _ANY),
    **dict.fromkeys(("getpwent", "getgrnam", "getgrgid", "getgrent", "getspnam", "setmntent", "getmntent"), _ANY),
    **dict.fromkeys(("warn", "warnx", "vwarn", "vwarnx"), library.printed),
    **dict.fromkeys(
        ("getpwnam_r", "getpwuid_r", "getgrnam_r", "getgrgid_r", "shmctl", "semctl", "msgctl"), posix.reaching
    ),
    "msgrcv": effect((1, UNKNOWN_SIZE), low=-1),
}

_FILES: dict[str, Model] = {
    **dict.fromkeys(
        (
            *("fchown", "fchmod", "chown", "lchown", "fchownat", "fchmodat", "flock", "lockf", "link", "symlink"),
            *("truncate", "truncate64", "ftruncate64", "mkfifo", "mknod", "utime", "utimes", "utimensat", "futimens"),
            *("futimes", "fdatasync", "dup3", "openat", "mkdirat", "unlinkat", "renameat", "faccessat", "linkat"),
            *(
                "symlinkat",
                "euidaccess",
                "eaccess",
                "fchdir",
                "posix_fadvise",
                "posix_fallocate",
                "fallocate",
                "inotify_init",
            ),
            *("inotify_init1", "inotify_add_watch", "inotify_rm_watch", "epoll_create", "epoll_create1", "eventfd"),
            *("timerfd_create", "signalfd", "writev", "pwritev", "lseek64", "open64", "creat64"),
            *("fseeko", "ftello", "fseeko64", "ftello64", "fsetpos", "sync_file_range", "syncfs", "readahead"),
            *(
                "fputs_unlocked",
                "mount",
                "umount",
                "umount2",
                "memfd_create",
                "fanotify_mark",
                "fanotify_init",
                "dirfd",
            ),
            *("swapon", "swapoff", "pivot_root", "setns", "tcsetattr", "tcflush", "tcdrain", "tcsendbreak", "tcflow"),
            *("tcgetpgrp", "tcsetpgrp", "posix_openpt", "grantpt", "unlockpt", "vhangup"),
        ),
        _STATUS,
    ),
    **dict.fromkeys(
        (
            *(
                "flockfile",
                "funlockfile",
                "ftrylockfile",
                "setlinebuf",
                "__ctype_get_mb_cur_max",
                "sync",
                "freopen",
                "fputc_unlocked",
                "tmpfile64",
            ),
            *("putc_unlocked", "putchar_unlocked", "getc_unlocked", "getchar_unlocked", "fgetc_unlocked", "fopen64"),
            *(
                "feof_unlocked",
                "ferror_unlocked",
                "fflush_unlocked",
                "clearerr_unlocked",
                "fileno_unlocked",
            ),
            *("fdopendir", "rewinddir", "seekdir", "telldir", "readdir64", "ttyname", "ptsname", "fnmatch"),
            *("fpurge", "__fpurge", "putw", "getw", "fputwc", "putwc", "putwchar", "fgetwc", "getwc", "getwchar"),
            *("cfgetispeed", "cfgetospeed", "gnu_dev_major", "gnu_dev_minor", "gnu_dev_makedev", "posix_close"),
            *("freeaddrinfo", "freeifaddrs", "globfree", "regfree", "closefrom", "puts_unlocked"),
        ),
        _ANY,
    ),
    "fcntl": posix.controlled,
    **dict.fromkeys(("ioctl", "recvmsg", "readv", "preadv", "recvmmsg", "epoll_ctl", "sendmmsg"), posix.reaching),
    **dict.fromkeys(("stat64", "fstat64", "lstat64", "statfs", "fstatfs", "statvfs", "fstatvfs"), _fills(1)),
    **dict.fromkeys(("fstatat", "fstatat64"), _fills(2)),
    **dict.fromkeys(("tcgetattr", "fgetpos"), _fills(1)),
    **dict.fromkeys(("cfmakeraw", "cfsetispeed", "cfsetospeed", "cfsetspeed"), _fills(0)),
    **dict.fromkeys(("pwrite", "pwrite64"), effect(low=-1, reads=((1, 2),))),
    "pread64": effect((1, 2), low=-1, at_most=2),
    "readlink": effect((1, 2), low=-1, at_most=2),
    "readlinkat": effect((2, 3), low=-1, at_most=3),
    "fread_unlocked": effect((0, Bytes(1, (1, 2))), low=0, at_most=2),
    "fwrite_unlocked": effect(low=0, at_most=2),
    "fgets_unlocked": strings.overwritten(1, may_fail=True),
    **dict.fromkeys(("poll", "ppoll"), effect((0, Bytes(8, (1,))), low=-1)),
    "select": effect((1, POINTED), (2, POINTED), (3, POINTED), (4, POINTED), low=-1),
    "pselect": effect((1, POINTED), (2, POINTED), (3, POINTED), low=-1),
    **dict.fromkeys(("epoll_wait", "epoll_pwait"), effect((1, Bytes(12, (2,))), low=-1)),
    "timerfd_settime": _fills(3),
    "timerfd_gettime": _fills(1),
    "eventfd_read": _fills(1),
    "eventfd_write": _STATUS,
    "pipe2": effect((0, Bytes(8)), low=-1),
    **dict.fromkeys(("sendfile", "sendfile64"), _fills(2)),
    "splice": effect((1, POINTED), (3, POINTED), low=-1),
    **dict.fromkeys(("mkstemp", "mkostemp", "mkstemps"), effect((0, UNKNOWN_SIZE), low=-1)),
    "mkdtemp": posix.gives_back(0, (0, UNKNOWN_SIZE)),
    "realpath": posix.named(1, None),
    **dict.fromkeys(("tmpnam", "tmpnam_r", "ctermid"), posix.named(0, None)),
    **dict.fromkeys(("dlsym", "dlvsym"), posix.symbol),
    "prctl": posix.reaching,
    **dict.fromkeys(("getcwd", "get_current_dir_name"), posix.named(0, 1)),
    **dict.fromkeys(("basename", "dirname", "__xpg_basename"), posix.path_part),
    "getdelim": library.line,
    **dict.fromkeys(("asprintf", "vasprintf"), posix.printed_anew),
    "glob": posix.reaching,
    **dict.fromkeys(
        (
            *(
                "setbuf",
                "setbuffer",
                "setvbuf",
                "fmemopen",
                "open_memstream",
                "open_wmemstream",
                "initstate",
                "setstate",
            ),
            *("aio_read", "aio_write", "lio_listio", "pthread_attr_setstack"),
        ),
        posix.retains,
    ),
}

_NETWORKS: dict[str, Model] = {
    **{name: swapped(kind) for name, kind in (("htonl", UINT), ("ntohl", UINT), ("htons", USHORT), ("ntohs", USHORT))},
    **dict.fromkeys(("getpeername", "getsockname"), effect((1, UNKNOWN_SIZE), (2, POINTED), low=-1)),
    "accept4": effect((1, UNKNOWN_SIZE), (2, POINTED), low=-1),
    "getsockopt": effect((3, UNKNOWN_SIZE), (4, POINTED), low=-1),
    "socketpair": effect((3, Bytes(8)), low=-1),
    **dict.fromkeys(("sendmsg", "if_nametoindex", "sethostname"), _STATUS),
    "getaddrinfo": posix.hands_out(3),
    "getifaddrs": posix.hands_out(0, low=-1),
    "getnameinfo": effect((2, 3), (4, 5)),
    **dict.fromkeys(("gai_strerror", "hstrerror", "inet_ntoa", "ether_ntoa", "getservbyname", "getservbyport"), _ANY),
    **dict.fromkeys(("getprotobyname", "getprotobynumber", "gethostbyaddr", "gethostbyname2", "herror"), _ANY),
    **dict.fromkeys(("inet_addr", "inet_network", "inet_lnaof", "inet_netof", "__h_errno_location", "res_init"), _ANY),
    "inet_pton": effect((2, UNKNOWN_SIZE), low=-1),
    "inet_aton": _fills(1, low=0),
    "inet_ntop": posix.gives_back(2, (2, 3)),
    "if_indextoname": posix.gives_back(1, (1, Bytes(16))),
    "getdomainname": effect((0, 1), low=-1),
}

_TEXTS: dict[str, Model] = {
    "strtok": posix.tokens,
    "stpcpy": posix.text_with_end,
    "stpncpy": posix.text_with_end,
    "mempcpy": posix.copied_with_end,
    **dict.fromkeys(("strlcpy", "strlcat", "strxfrm", "wcstombs"), posix.text_of_size),
    "strerror_r": posix.reaching,
    "strverscmp": _ANY,
    **dict.fromkeys(("rindex", "rawmemchr"), strings.found),
    **dict.fromkeys(("strtoimax", "strtoumax", "strtoq", "strtouq", "wcstol", "wcstoul"), library.converted),
    **dict.fromkeys(("gettext",), posix.translated(0)),
    **dict.fromkeys(("dgettext", "dcgettext"), posix.translated(1)),
    **dict.fromkeys(("bindtextdomain", "textdomain", "bind_textdomain_codeset", "nl_langinfo", "localeconv"), _ANY),
    **dict.fromkeys(
        ("wcslen", "wcswidth", "wcwidth", "wcscmp", "mblen", "wctob", "btowc", "towlower", "towupper"), _ANY
    ),
    **dict.fromkeys(
        ("iswprint", "iswalpha", "iswalnum", "iswdigit", "iswspace", "iswcntrl", "iswupper", "iswlower"), _ANY
    ),
    "mbstowcs": effect((0, Bytes(4, (2,)))),
    **dict.fromkeys(("mbtowc", "wctomb"), effect((0, UNKNOWN_SIZE), low=-1)),
    "mbrtowc": effect((0, POINTED), (3, POINTED)),
    "wcrtomb": effect((0, UNKNOWN_SIZE), (2, POINTED)),
    "regcomp": _fills(0, low=None),
    "regexec": effect((3, Bytes(8, (2,)))),
    "regerror": effect((2, 3), low=0),
    **dict.fromkeys(("getrandom", "getentropy"), effect((0, 1), low=-1, at_most=1)),
    **dict.fromkeys(("srand48", "drand48", "mrand48", "arc4random", "arc4random_uniform"), _ANY),
    **dict.fromkeys(("erand48", "jrand48"), effect((0, Bytes(6)))),
    "nrand48": effect((0, Bytes(6)), low=0),
    **dict.fromkeys(("abs", "labs", "llabs", "imaxabs"), posix.absolute),
}

_TIMES: dict[str, Model] = {
    **dict.fromkeys(("localtime_r", "gmtime_r"), posix.gives_back(1, (1, POINTED))),
    **dict.fromkeys(("ctime_r", "asctime_r"), posix.gives_back(1, (1, Bytes(26)))),
    "strptime": posix.parsed_time,
    **dict.fromkeys(("tzset",), _ANY),
    **dict.fromkeys(
        (
            "settimeofday",
            "clock_settime",
        ),
        _STATUS,
    ),
}

POSIX: Mapping[str, Model] = MappingProxyType({**_PROCESSES, **_FILES, **_NETWORKS, **_TEXTS, **_TIMES})

_ROUNDING = ("ilogb", "lround", "llround", "lrint", "llrint")
MATHEMATICS: Mapping[str, Model] = MappingProxyType(
    {
        **dict.fromkeys(FLOATING, _ANY),
        **{f"{name}{end}": _ANY for name in _ROUNDING for end in ("", "f", "l")},
        **{f"{name}{end}": effect((1, POINTED)) for name in ("modf", "frexp") for end in ("", "f", "l")},
        **{f"sincos{end}": effect((1, POINTED), (2, POINTED)) for end in ("", "f", "l")},
    }
)
"""Values of floating types are not tracked."""
