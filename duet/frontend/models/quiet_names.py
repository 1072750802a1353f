"""The records of functions of the C library of which only this is known: they call nothing of a program.

*Source*: C11 7, POSIX.1-2017 and the manual pages of glibc 2.36. What they give and change is not known, as of any
unknown function. Not here are those that run what a program hands them, or has handed to others of them: hooks
(`mtrace`), streams of its own (`fopencookie`), notifications (`aio_read`), memory that it allocates
itself (`obstack_free`), and code that is loaded or unloaded (`dlclose`). Nor are those that give bytes, numbers or
pointers which another call was given, and which may be addresses (`hsearch`).
"""

from __future__ import annotations

from functools import partial

from duet.frontend.models.record import LibraryFunction

_quiet = partial(LibraryFunction, calls_nothing=True, passed=tuple(range(12)))

QUIET: tuple[LibraryFunction, ...] = (
    _quiet(
        "dn_comp dn_expand dn_skipname res_ninit res_nmkquery res_nquery res_nquerydomain res_nsearch res_nsend "
        "res_nclose __dn_comp __dn_expand __dn_skipname __res_init __res_ninit __res_nmkquery __res_nquery "
        "__res_nquerydomain __res_nsearch __res_nsend __res_nclose ns_initparse ns_parserr ns_skiprr "
        "ns_name_uncompress ns_name_skip ns_msg_getflag"
    ),
    _quiet(
        "inet_nsap_ntoa inet6_opt_init inet6_opt_append inet6_opt_finish inet6_opt_set_val inet6_opt_next "
        "inet6_opt_find inet6_opt_get_val inet6_rth_space inet6_rth_init inet6_rth_add inet6_rth_reverse "
        "inet6_rth_segments inet6_rth_getaddr getipv4sourcefilter setipv4sourcefilter getsourcefilter setsourcefilter"
    ),
    _quiet(
        "name_to_handle_at open_by_handle_at cuserid hasmntopt getnetgrent_r getauxval quotactl crypt_ra "
        "crypt_gensalt_ra __sched_cpualloc __sched_cpufree pthread_getattr_default_np pthread_setattr_default_np "
        "argz_create argz_create_sep argz_extract"
    ),
    _quiet(
        "argz_append argz_add argz_add_sep argz_delete argz_insert argz_replace envz_add envz_merge envz_remove "
        "envz_strip",
        releases=True,
    ),
)
