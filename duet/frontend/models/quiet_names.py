"""The records of functions of the C library of which only this is known: they call nothing of a program.

*Source*: C11 7, POSIX.1-2017 and the manual pages of glibc 2.36. What they give and change is not known, as of any
unknown function. Not here are those that run what a program hands them, or has handed to others of them: handlers of
signals (`gsignal`), hooks (`error_at_line`, `mtrace`), streams of its own (`fopencookie`), notifications (`aio_read`),
memory that it allocates itself (`obstack_free`), and code that is loaded or unloaded (`dlclose`). Nor are those that
give bytes, numbers or pointers which another call was given, and which may be addresses (`mq_receive`, `wcstoull`,
`hsearch`).
"""

from __future__ import annotations

from functools import partial

from duet.frontend.models.record import LibraryFunction

_quiet = partial(LibraryFunction, calls_nothing=True, passed=tuple(range(12)))

_NUMBERS = (
    "acosh asinh atanh exp10 isinf finite drem significand nan isnan j0 j1 jn y0 y1 yn lgamma gamma lgamma_r "
    "nexttoward nextup nextdown llogb scalbln remquo fma roundeven scalb fmaxmag fminmag canonicalize totalorder"
)
"""Functions of <math.h> that have variants for `float` and `long double`."""

QUIET: tuple[LibraryFunction, ...] = (
    _quiet(" ".join(name + kind for name in _NUMBERS.split() for kind in ("", "f", "l") if not name.endswith("_r"))),
    _quiet("lgammaf_r lgammal_r"),
    _quiet(
        "feclearexcept fegetexceptflag feraiseexcept fesetexcept fesetexceptflag fetestexcept fetestexceptflag "
        "fegetround fesetround fegetenv feholdexcept fesetenv feupdateenv fegetmode fesetmode feenableexcept "
        "fedisableexcept fegetexcept"
    ),
    _quiet(
        "isctype toascii isalnum_l isalpha_l iscntrl_l isdigit_l islower_l isgraph_l isprint_l ispunct_l isspace_l "
        "isupper_l isxdigit_l isblank_l tolower_l toupper_l strcoll_l strxfrm_l strerror_l strcasecmp_l strncasecmp_l "
        "strerrordesc_np strerrorname_np sigabbrev_np sigdescr_np strfry strftime_l strptime_l"
    ),
    _quiet(
        "strfromd strfromf strfroml ecvt fcvt gcvt qecvt qfcvt qgcvt ecvt_r fcvt_r qecvt_r qfcvt_r rpmatch random_r "
        "srandom_r initstate_r setstate_r seed48 lcong48 drand48_r erand48_r lrand48_r nrand48_r mrand48_r jrand48_r "
        "srand48_r seed48_r lcong48_r arc4random_buf"
    ),
    _quiet(
        "wcscasecmp_l wcsncasecmp_l wcsxfrm wcscoll_l wcsxfrm_l wcschrnul wcstok wcswcs mbsinit mbrlen mbsrtowcs "
        "wcsrtombs mbsnrtowcs wcsnrtombs wcpcpy wcpncpy wcsftime wcsftime_l iswgraph iswpunct iswxdigit iswblank "
        "wctype iswctype wctrans towctrans iswalnum_l iswalpha_l iswcntrl_l iswdigit_l iswgraph_l iswlower_l "
        "iswprint_l iswpunct_l iswspace_l iswupper_l iswxdigit_l iswblank_l wctype_l iswctype_l towlower_l towupper_l "
        "wctrans_l towctrans_l mbrtoc8 c8rtomb mbrtoc16 c16rtomb mbrtoc32 c32rtomb"
    ),
    _quiet(
        "iconv iconv_open iconv_close catopen catgets ngettext dngettext dcngettext newlocale duplocale "
        "freelocale uselocale nl_langinfo_l"
    ),
    _quiet(
        "dysize clock_adjtime clock_getcpuclockid timespec_getres getdate getdate_r adjtime adjtimex "
        "ntp_gettime ntp_gettimex ntp_adjtime timer_gettime timer_getoverrun"
    ),
    _quiet(
        "if_nameindex sethostent endhostent gethostent gethostent_r gethostbyaddr_r gethostbyname_r "
        "gethostbyname2_r setnetent endnetent getnetent getnetbyaddr getnetbyname getnetent_r getnetbyaddr_r "
        "getnetbyname_r setservent endservent getservent getservent_r getservbyname_r getservbyport_r setprotoent "
        "endprotoent getprotoent getprotoent_r getprotobyname_r getprotobynumber_r setrpcent endrpcent getrpcbyname "
        "getrpcbynumber getrpcent getrpcbyname_r getrpcbynumber_r getrpcent_r setnetgrent endnetgrent getnetgrent "
        "innetgr getnetgrent_r"
    ),
    _quiet(
        "dn_comp dn_expand dn_skipname res_mkquery res_query res_querydomain res_search res_send res_ninit "
        "res_nmkquery res_nquery res_nquerydomain res_nsearch res_nsend res_nclose __dn_comp __dn_expand __dn_skipname "
        "__res_init __res_mkquery __res_query __res_querydomain __res_search __res_send __res_ninit __res_nmkquery "
        "__res_nquery __res_nquerydomain __res_nsearch __res_nsend __res_nclose ns_initparse ns_parserr ns_skiprr "
        "ns_name_uncompress ns_name_skip ns_get16 ns_get32 ns_put16 ns_put32 ns_msg_getflag __cmsg_nxthdr"
    ),
    _quiet(
        "sockatmark isfdtype bindresvport rresvport inet_makeaddr inet_net_ntop inet_net_pton inet_nsap_addr "
        "inet_nsap_ntoa ether_ntoa_r ether_aton ether_aton_r ether_ntohost ether_hostton ether_line inet6_opt_init "
        "inet6_opt_append inet6_opt_finish inet6_opt_set_val inet6_opt_next inet6_opt_find inet6_opt_get_val "
        "inet6_rth_space inet6_rth_init inet6_rth_add inet6_rth_reverse inet6_rth_segments inet6_rth_getaddr "
        "getipv4sourcefilter setipv4sourcefilter getsourcefilter setsourcefilter"
    ),
    _quiet(
        "readdir64_r alphasort alphasort64 versionsort versionsort64 getdirentries getdirentries64 "
        "getdents64 name_to_handle_at open_by_handle_at fallocate64 fcntl64 openat64 lockf64 posix_fadvise64 "
        "posix_fallocate64 glob_pattern_p lchmod getumask mknodat mkfifoat renameat2 tempnam freopen64 "
        "fgetpos64 fsetpos64 cuserid mktemp mkstemp64 mkstemps64 mkostemp64 mkostemps mkostemps64 "
        "canonicalize_file_name statfs64 fstatfs64 statvfs64 fstatvfs64 close_range listxattr "
        "llistxattr flistxattr removexattr lremovexattr fremovexattr"
    ),
    _quiet(
        "fputws ungetwc getwc_unlocked getwchar_unlocked fgetwc_unlocked fputwc_unlocked putwc_unlocked "
        "putwchar_unlocked fgetws_unlocked fputws_unlocked"
    ),
    _quiet(
        "getfsent getfsspec getfsfile setfsent endfsent fgetgrent putgrent getgrent_r fgetgrent_r getgrouplist "
        "getmntent_r addmntent hasmntopt fgetpwent putpwent getpwent_r fgetpwent_r getpw getusershell endusershell "
        "setusershell setspent endspent getspent sgetspent fgetspent putspent getspent_r getspnam_r sgetspent_r "
        "fgetspent_r lckpwdf ulckpwdf getutent setutent endutent getutid getutline pututline getutent_r getutid_r "
        "getutline_r setutxent endutxent getutxent getutxid getutxline pututxline utmpname utmpxname login logout "
        "logwtmp updwtmp updwtmpx getutmp getutmpx getttynam"
    ),
    _quiet("mq_open mq_close mq_getattr mq_setattr mq_unlink "),
    _quiet(
        "posix_spawn posix_spawnp posix_spawnattr_init posix_spawnattr_destroy posix_spawnattr_getsigdefault "
        "posix_spawnattr_setsigdefault posix_spawnattr_getsigmask posix_spawnattr_setsigmask posix_spawnattr_getflags "
        "posix_spawnattr_setflags posix_spawnattr_getpgroup posix_spawnattr_setpgroup posix_spawnattr_getschedpolicy "
        "posix_spawnattr_setschedpolicy posix_spawnattr_getschedparam posix_spawnattr_setschedparam "
        "posix_spawn_file_actions_init posix_spawn_file_actions_destroy posix_spawn_file_actions_addopen "
        "posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addchdir_np "
        "posix_spawn_file_actions_addfchdir_np execveat"
    ),
    _quiet(
        "sched_getcpu getcpu sched_getscheduler __sched_cpualloc __sched_cpucount __sched_cpufree "
        "pthread_getattr_default_np pthread_setattr_default_np "
        "pthread_attr_getaffinity_np pthread_attr_getsigmask_np pthread_getconcurrency sigisemptyset sigandset "
        "sigorset psignal psiginfo"
    ),
    _quiet(
        "tcgetsid openpty getwd group_member ttyslot setlogin gethostid sethostid setdomainname revoke getpt "
        "getauxval setfsuid setfsgid ftok mincore shm_open shm_unlink quotactl prlimit64 getrlimit64 setrlimit64 "
        "get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages ulimit mallinfo mallinfo2 mallopt malloc_trim "
        "malloc_usable_size malloc_stats malloc_info pvalloc backtrace backtrace_symbols backtrace_symbols_fd "
        "getsubopt crypt_r crypt_rn crypt_ra crypt_gensalt crypt_gensalt_rn crypt_gensalt_ra "
        "crypt_checksalt"
    ),
    _quiet("argz_create argz_create_sep argz_count argz_extract argz_stringify argz_next envz_entry envz_get"),
    _quiet(
        "argz_append argz_add argz_add_sep argz_delete argz_insert argz_replace envz_add envz_merge envz_remove "
        "envz_strip",
        releases=True,
    ),
    _quiet("if_freenameindex globfree64 wordexp wordfree catclose", releases=True),
)
