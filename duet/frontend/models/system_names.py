"""The records of what POSIX and GNU have beside the most common: files, processes, scheduling, queues, numbers, memory.

*Source*: POSIX.1-2017 and the manual pages of Linux and of glibc 2.36.
"""

from __future__ import annotations

from duet.frontend.cells.gate import Touch
from duet.frontend.ctypes.library import EACH, Reads
from duet.frontend.models import posix, vectors
from duet.frontend.models.call import ERRORS
from duet.frontend.models.effects import (
    ANY,
    COUNT,
    POINTED,
    RECORD,
    STATUS,
    TEXT,
    UNKNOWN_SIZE,
    AnyValue,
    Argument,
    Bytes,
    ByValue,
    Effect,
    Text,
    Within,
    codes,
    effect,
    fills,
    gives_back,
    within,
)
from duet.frontend.models.handlers import signalled
from duet.frontend.models.record import LibraryFunction

_ADDRESS = ByValue(0, ((2, 4),), 16)
"""The bytes of an address of the Internet, by its family."""

_FILES: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "fallocate64 openat64 lockf64 posix_fadvise64 posix_fallocate64 fsetpos64 lchmod mknodat mkfifoat renameat2 "
        "close_range shm_open shm_unlink removexattr lremovexattr fremovexattr fsopen fsmount fspick open_tree "
        "login_tty tcgetsid revoke getpt isfdtype sockatmark",
        STATUS,
    ),
    LibraryFunction("fcntl64", posix.controlled),
    LibraryFunction("fgetpos64 statfs64 fstatfs64 statvfs64 fstatvfs64", fills(1, low=-1)),
    LibraryFunction("statx", fills(4, low=-1)),
    LibraryFunction("freopen64", ANY, may_be_null=(0,)),
    LibraryFunction("getumask", COUNT),
    LibraryFunction("glob_pattern_p", ANY),
    LibraryFunction("mkstemp64 mkostemp64 mkostemps mkstemps64 mkostemps64", effect((0, UNKNOWN_SIZE), low=-1)),
    LibraryFunction("mktemp", Effect(((0, UNKNOWN_SIZE),), Argument(0, may_fail=False))),
    LibraryFunction("tempnam", posix.named(2, None), texts=(0, 1), may_be_null=(0, 1), brief=EACH),
    LibraryFunction("canonicalize_file_name", posix.named(1, None), texts=(0,), brief=EACH),
    LibraryFunction("getwd", gives_back(0, (0, UNKNOWN_SIZE))),
    LibraryFunction("readdir64_r", posix.read_entry, brief=(0, 2)),
    LibraryFunction(
        "alphasort alphasort64 versionsort versionsort64",
        posix.with_lists(effect(reads=((0, POINTED), (1, POINTED)))),
        brief=EACH,
    ),
    LibraryFunction("getdirentries getdirentries64", effect((1, 2), (3, POINTED), low=-1, at_most=2)),
    LibraryFunction("getdents64", effect((1, 2), low=-1, at_most=2)),
    LibraryFunction("listxattr llistxattr flistxattr", effect((1, 2), low=-1)),
    LibraryFunction("getxattr lgetxattr fgetxattr", effect((2, 3), low=-1)),
    LibraryFunction("setxattr lsetxattr fsetxattr", effect(low=-1, reads=((2, 3),))),
    LibraryFunction("copy_file_range", fills(1, 3, low=-1), may_be_null=(1, 3)),
    LibraryFunction("preadv2 preadv64 preadv64v2", vectors.scattered, may_be_null=(1,), calls_nothing=True, brief=EACH),
    LibraryFunction("vmsplice", vectors.scattered, may_be_null=(1,), calls_nothing=True),
    LibraryFunction("pwritev2 pwritev64 pwritev64v2", vectors.gathered, may_be_null=(1,), brief=EACH),
    LibraryFunction("epoll_pwait2", effect((1, Bytes(12, (2,))), low=-1), may_be_null=(3, 4)),
    LibraryFunction(
        "openpty",
        effect((0, POINTED), (1, POINTED), (2, UNKNOWN_SIZE), low=-1, reads=((3, POINTED), (4, POINTED))),
        may_be_null=(2, 3, 4),
    ),
    LibraryFunction("mincore", effect((2, UNKNOWN_SIZE), low=-1), passed=(0,)),
    LibraryFunction("globfree64", ANY, releases=True),
    LibraryFunction("wordexp", posix.reaching, calls_nothing=True, texts=(0,), releases=True),
    LibraryFunction("wordfree", fills(0), releases=True),
)

_ACTIONS = "posix_spawn_file_actions_"
_ATTRIBUTES = "posix_spawnattr_"


def _all(prefix: str, ends: str) -> str:
    return " ".join(prefix + end for end in ends.split())


_PROCESSES: tuple[LibraryFunction, ...] = (
    LibraryFunction(
        "posix_spawn posix_spawnp",
        posix.with_lists(Effect(((0, POINTED),), codes(0, ERRORS).returns)),
        texts=(1,),
        may_be_null=(0, 2, 3, 5),
        brief=EACH,
        reads=Reads.FLAT,
    ),
    LibraryFunction(
        _all(_ACTIONS, "init destroy addclose adddup2 addfchdir_np addclosefrom_np addtcsetpgrp_np"),
        fills(0, low=0),
        reads=Reads.FLAT,
    ),
    LibraryFunction(_all(_ACTIONS, "addchdir_np"), fills(0, low=0), reads=Reads.FLAT, texts=(1,)),
    LibraryFunction(_all(_ACTIONS, "addopen"), fills(0, low=0), reads=Reads.FLAT, texts=(2,)),
    LibraryFunction(
        _all(_ATTRIBUTES, "init destroy setflags setpgroup setschedpolicy"), fills(0, low=0), reads=Reads.FLAT
    ),
    LibraryFunction(
        _all(_ATTRIBUTES, "setsigdefault setsigmask setschedparam"),
        effect((0, POINTED), low=0, reads=((1, POINTED),)),
        reads=Reads.FLAT,
    ),
    LibraryFunction(
        _all(_ATTRIBUTES, "getsigdefault getsigmask getflags getpgroup getschedpolicy getschedparam"),
        effect((1, POINTED), low=0, reads=((0, POINTED),)),
        reads=Reads.FLAT,
    ),
    LibraryFunction("execveat", posix.fails, texts=(1,), may_be_null=(3,), brief=EACH),
    LibraryFunction(
        "pidfd_open pidfd_getfd process_mrelease pkey_alloc pkey_free pkey_get pkey_set sched_getcpu "
        "sched_getscheduler setlogin sethostid setrlimit64 sigrelse",
        STATUS,
    ),
    LibraryFunction("pidfd_send_signal", signalled(effect(low=-1, reads=((2, POINTED),))), may_be_null=(2,)),
    LibraryFunction("pkey_mprotect brk", STATUS, passed=(0,)),
    LibraryFunction("getcpu", fills(0, 1, low=-1), may_be_null=(0, 1)),
    LibraryFunction("__sched_cpucount", effect(low=0, reads=((1, 0),))),
    LibraryFunction("getrlimit64", fills(1, low=-1)),
    LibraryFunction("prlimit64", fills(3, low=-1), may_be_null=(2, 3)),
    LibraryFunction("gsignal sigpause", codes(0, -1)),
    LibraryFunction("sigsetmask", ANY),
    LibraryFunction("sigandset sigorset", effect((0, POINTED), low=-1, reads=((1, POINTED), (2, POINTED)))),
    LibraryFunction("sigisemptyset", effect(low=-1, reads=((0, POINTED),))),
    LibraryFunction("psignal", ANY, may_be_null=(1,)),
    LibraryFunction("psiginfo", effect(reads=((0, POINTED),)), may_be_null=(1,)),
    LibraryFunction("setdomainname", effect(low=-1, reads=((0, 1),))),
    LibraryFunction("klogctl", effect((1, 2), low=-1), may_be_null=(1,)),
    LibraryFunction("ftok", STATUS, texts=(0,)),
    LibraryFunction("group_member ttyslot gethostid setfsuid setfsgid ulimit fcloseall", ANY),
    LibraryFunction("get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages pthread_getconcurrency", ANY),
    LibraryFunction("mallinfo mallinfo2 mallopt malloc_trim malloc_stats malloc_info", ANY),
    LibraryFunction("malloc_usable_size", COUNT, passed=(0,)),
    LibraryFunction("backtrace", effect((0, Bytes(8, (1,))), low=0, at_most=1)),
    LibraryFunction("backtrace_symbols backtrace_symbols_fd", effect(reads=((0, Bytes(8, (1,))),))),
    LibraryFunction("aio_init", effect(reads=((0, POINTED),))),
    LibraryFunction("aio_error aio_error64", effect(low=0, reads=((0, POINTED),))),
    LibraryFunction("aio_return aio_return64", fills(0, low=-1)),
    LibraryFunction("aio_cancel aio_cancel64", fills(1, low=-1), may_be_null=(1,)),
    LibraryFunction(
        "aio_suspend aio_suspend64",
        posix.with_lists(effect(low=-1, reads=((0, Bytes(8, (1,))), (2, POINTED)))),
        may_be_null=(2,),
        sized=(0,),
        brief=EACH,
    ),
)

_QUEUES: tuple[LibraryFunction, ...] = (
    LibraryFunction("mq_open", STATUS, texts=(0,), may_be_null=(3,)),
    LibraryFunction("mq_close mq_unlink", STATUS),
    LibraryFunction("mq_getattr", fills(1, low=-1)),
    LibraryFunction("mq_setattr", effect((2, POINTED), low=-1, reads=((1, POINTED),)), may_be_null=(2,)),
    LibraryFunction("mq_send", effect(low=-1, reads=((1, 2),))),
    LibraryFunction("mq_timedsend", effect(low=-1, reads=((1, 2), (4, POINTED)))),
    LibraryFunction("mq_receive", effect((1, 2), (3, POINTED), low=-1, at_most=2), may_be_null=(3,)),
    LibraryFunction(
        "mq_timedreceive",
        effect((1, 2), (3, POINTED), low=-1, at_most=2, reads=((4, POINTED),)),
        may_be_null=(3,),
    ),
)

_TIMES: tuple[LibraryFunction, ...] = (
    LibraryFunction("dysize", ANY),
    LibraryFunction("adjtimex ntp_adjtime ntp_gettime ntp_gettimex", fills(0, low=-1)),
    LibraryFunction("clock_adjtime", fills(1, low=-1)),
    LibraryFunction("clock_getcpuclockid getdate_r", fills(1, low=0)),
    LibraryFunction("timespec_getres", fills(0, low=0), may_be_null=(0,)),
    LibraryFunction("adjtime", effect((1, POINTED), low=-1, reads=((0, POINTED),)), may_be_null=(0, 1)),
    LibraryFunction("timer_gettime", fills(1, low=-1), passed=(0,)),
    LibraryFunction("timer_getoverrun", STATUS, passed=(0,)),
    LibraryFunction("getdate", RECORD, texts=(0,)),
)

_NUMBERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("a64l rpmatch crypt_checksalt", ANY, texts=(0,)),
    LibraryFunction("l64a crypt_preferred_method", TEXT),
    LibraryFunction("ecvt fcvt qecvt qfcvt", Effect(((2, POINTED), (3, POINTED)), Text())),
    LibraryFunction("gcvt qgcvt", Effect(((2, UNKNOWN_SIZE),), Argument(2, may_fail=False))),
    LibraryFunction("ecvt_r fcvt_r qecvt_r qfcvt_r", effect((2, POINTED), (3, POINTED), (4, 5), low=-1)),
    LibraryFunction("random_r srandom_r setstate_r", posix.reaching, calls_nothing=True),
    LibraryFunction("initstate_r", posix.examining(1, 2, Touch.FILL), calls_nothing=True),
    LibraryFunction("drand48_r lrand48_r mrand48_r", fills(0, 1)),
    LibraryFunction("erand48_r nrand48_r jrand48_r", effect((0, Bytes(6)), (1, POINTED), (2, POINTED))),
    LibraryFunction("srand48_r", fills(1)),
    LibraryFunction("seed48_r", effect((1, POINTED), reads=((0, Bytes(6)),))),
    LibraryFunction("lcong48_r", effect((1, POINTED), reads=((0, Bytes(14)),))),
    LibraryFunction("lcong48", effect(reads=((0, Bytes(14)),))),
    LibraryFunction("seed48", Effect(returns=AnyValue(1), reads=((0, Bytes(6)),))),
    LibraryFunction("arc4random_buf", effect((0, 1))),
    LibraryFunction("crypt_r", Effect(((2, POINTED),), Within(2)), texts=(0, 1)),
    LibraryFunction("crypt_rn", Effect(((2, 3),), Within(2)), texts=(0, 1)),
    LibraryFunction("crypt_gensalt", Effect(returns=Text(), reads=((2, 3),)), may_be_null=(0, 2)),
    LibraryFunction(
        "crypt_gensalt_r crypt_gensalt_rn", Effect(((4, 5),), Argument(4), reads=((2, 3),)), may_be_null=(0, 2)
    ),
    LibraryFunction("argz_count", effect(low=0, reads=((0, 1),))),
    LibraryFunction("argz_stringify", effect((0, 1))),
    LibraryFunction("argz_next", within(0, reads=((0, 1),)), may_be_null=(2,)),
    LibraryFunction("envz_entry envz_get", within(0, reads=((0, 1),)), texts=(2,)),
    LibraryFunction("parse_printf_format", effect((2, Bytes(4, (1,))), low=0), texts=(0,)),
    LibraryFunction("insque remque", posix.examining(0, Bytes(16), Touch.FILL), calls_nothing=True, may_be_null=(1,)),
    LibraryFunction("hcreate", ANY),
    LibraryFunction("hcreate_r", fills(1)),
    LibraryFunction("hdestroy", ANY, releases=True),
    LibraryFunction("hdestroy_r", fills(0), releases=True),
    LibraryFunction("re_compile_pattern", posix.examining(0, 1), calls_nothing=True, releases=True),
    LibraryFunction("re_match re_search", posix.examining(1, 2), calls_nothing=True, releases=True),
    LibraryFunction("re_compile_fastmap", posix.reaching, calls_nothing=True, releases=True),
)

_INTERNET: tuple[LibraryFunction, ...] = (
    LibraryFunction("bindresvport bindresvport6", fills(1, low=-1), may_be_null=(1,)),
    LibraryFunction("rresvport rresvport_af", fills(0, low=-1)),
    LibraryFunction("__cmsg_nxthdr", within(1, least=0, reads=((0, POINTED), (1, POINTED)))),
    LibraryFunction("inet_makeaddr", ANY),
    LibraryFunction("inet_net_ntop", Effect(((3, 4),), Argument(3), reads=((1, _ADDRESS),))),
    LibraryFunction("inet_net_pton", effect((2, 3), low=-1), texts=(1,)),
    LibraryFunction("inet_nsap_addr", effect((1, 2), low=0), texts=(0,)),
    LibraryFunction("ether_ntoa_r", Effect(((1, Bytes(18)),), Argument(1, may_fail=False), reads=((0, POINTED),))),
    LibraryFunction("ether_aton", RECORD, texts=(0,)),
    LibraryFunction("ether_aton_r", gives_back(1, (1, POINTED)), texts=(0,)),
    LibraryFunction("ether_ntohost", effect((0, UNKNOWN_SIZE), reads=((1, POINTED),))),
    LibraryFunction("ether_hostton", fills(1), texts=(0,)),
    LibraryFunction("ether_line", effect((1, POINTED), (2, UNKNOWN_SIZE)), texts=(0,)),
    LibraryFunction("res_query res_search __res_query __res_search", effect((3, 4), low=-1), texts=(0,)),
    LibraryFunction("res_querydomain __res_querydomain", effect((4, 5), low=-1), texts=(0,), may_be_null=(1,)),
    LibraryFunction(
        "res_mkquery __res_mkquery",
        effect((7, 8), low=-1, reads=((4, 5),)),
        texts=(1,),
        may_be_null=(4, 6),
        passed=(6,),
    ),
    LibraryFunction("res_send __res_send", effect((2, 3), low=-1, reads=((0, 1),))),
    LibraryFunction("res_dnok res_hnok res_mailok res_ownok", ANY, texts=(0,)),
    LibraryFunction("ns_samedomain ns_samename ns_subdomain", ANY, texts=(0, 1)),
    LibraryFunction("ns_parse_ttl ns_datetosecs", fills(1), texts=(0,)),
    LibraryFunction("ns_format_ttl", effect((1, 2), low=-1)),
    LibraryFunction("ns_makecanon ns_name_pton", effect((1, 2), low=-1), texts=(0,)),
    LibraryFunction("ns_get16", effect(low=0, reads=((0, Bytes(2)),))),
    LibraryFunction("ns_get32", effect(low=0, reads=((0, Bytes(4)),))),
    LibraryFunction("ns_put16", effect((1, Bytes(2)))),
    LibraryFunction("ns_put32", effect((1, Bytes(4)))),
)

SYSTEM = (*_FILES, *_PROCESSES, *_QUEUES, *_TIMES, *_NUMBERS, *_INTERNET)
