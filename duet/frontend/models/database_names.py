"""The records of databases of the system: hosts, services, users, groups, sessions, mounted files.

*Source*: POSIX.1-2017 and the manual pages of glibc 2.36. What a function gives without `_r` is memory of the library,
which later calls write to.
"""

from __future__ import annotations

from duet.frontend.cells.gate import Touch
from duet.frontend.models import posix
from duet.frontend.models.effects import (
    ANY,
    POINTED,
    RECORD,
    STATUS,
    TEXT,
    UNKNOWN_SIZE,
    Effect,
    Record,
    effect,
)
from duet.frontend.models.record import LibraryFunction


def _looked_up(
    called: str, entry: int, texts: tuple[int, ...] = (), may_be_null: tuple[int, ...] = ()
) -> LibraryFunction:
    """Functions that fill the entry at a position, whose strings are in the buffer behind it, of the size behind that.

    The arguments that follow are where the entry is told of, and errors.
    """
    return LibraryFunction(
        called,
        posix.looked_up(entry),
        calls_nothing=True,
        texts=texts,
        may_be_null=may_be_null,
        brief=(*range(entry), entry + 3, entry + 4),
    )


def _each(names: str, *pattern: str) -> str:
    return " ".join(form.format(name) for name in names.split() for form in pattern)


_HOSTS: tuple[LibraryFunction, ...] = (
    LibraryFunction(_each("host net serv proto rpc", "set{}ent", "end{}ent"), ANY),
    LibraryFunction(_each("host net serv proto rpc", "get{}ent"), RECORD),
    LibraryFunction("getnetbyname getrpcbyname", RECORD, texts=(0,)),
    LibraryFunction("getnetbyaddr getrpcbynumber if_nameindex", RECORD),
    LibraryFunction("if_freenameindex", ANY, releases=True),
    _looked_up(_each("host net serv proto rpc", "get{}ent_r"), 0),
    _looked_up("gethostbyname_r getnetbyname_r getprotobyname_r getrpcbyname_r", 1, texts=(0,)),
    _looked_up("getprotobynumber_r getrpcbynumber_r", 1),
    _looked_up("gethostbyname2_r", 2, texts=(0,)),
    _looked_up("getnetbyaddr_r", 2),
    _looked_up("getservbyname_r", 2, texts=(0, 1), may_be_null=(1,)),
    _looked_up("getservbyport_r", 2, texts=(1,), may_be_null=(1,)),
    LibraryFunction("gethostbyaddr_r", posix.looked_up(3, address=0), calls_nothing=True, brief=(0, 6, 7)),
    LibraryFunction("setnetgrent", ANY, texts=(0,)),
    LibraryFunction("endnetgrent", ANY),
    LibraryFunction("getnetgrent", Effect(((0, POINTED), (1, POINTED), (2, POINTED)), writes_texts=True)),
    LibraryFunction("innetgr", ANY, texts=(0,), may_be_null=(1, 2, 3)),
)

_USERS: tuple[LibraryFunction, ...] = (
    LibraryFunction("fgetpwent fgetgrent fgetspent getspent fgetsgent getsgent", RECORD),
    LibraryFunction("sgetspent getsgnam", RECORD, texts=(0,)),
    LibraryFunction("setspent endspent setsgent endsgent setusershell endusershell", ANY),
    LibraryFunction("getusershell", TEXT),
    LibraryFunction("putpwent putgrent putspent putsgent", effect(low=-1, reads=((0, POINTED),))),
    _looked_up("getpwent_r getgrent_r getspent_r getsgent_r", 0),
    _looked_up("fgetpwent_r fgetgrent_r fgetspent_r fgetsgent_r", 1),
    _looked_up("getspnam_r sgetspent_r getsgnam_r", 1, texts=(0,)),
    LibraryFunction("getgrouplist", effect((2, UNKNOWN_SIZE), (3, POINTED), low=-1), texts=(0,)),
    LibraryFunction("getpw", effect((1, UNKNOWN_SIZE), low=-1)),
    LibraryFunction("lckpwdf ulckpwdf", STATUS),
)

_SESSIONS: tuple[LibraryFunction, ...] = (
    LibraryFunction("setutent endutent setutxent endutxent", ANY),
    LibraryFunction("getutent getutxent", RECORD),
    LibraryFunction(
        "getutid getutline getutxid getutxline",
        Effect(returns=Record(), reads=((0, POINTED),)),
    ),
    LibraryFunction("pututline pututxline", posix.reaching, calls_nothing=True),  # glibc gives back the argument
    LibraryFunction("getutent_r getutid_r getutline_r", posix.reaching, calls_nothing=True),
    LibraryFunction("utmpname utmpxname logout", ANY, texts=(0,)),
    LibraryFunction("login", effect(reads=((0, POINTED),))),
    LibraryFunction("logwtmp", ANY, texts=(0, 1, 2)),
    LibraryFunction("updwtmp updwtmpx", effect(reads=((1, POINTED),)), texts=(0,)),
    LibraryFunction("getutmp getutmpx", effect((1, POINTED), reads=((0, POINTED),))),
)

_MOUNTS: tuple[LibraryFunction, ...] = (
    LibraryFunction("getfsent getttyent", RECORD),
    LibraryFunction("getfsspec getfsfile getttynam", RECORD, texts=(0,)),
    LibraryFunction("setfsent endfsent setttyent endttyent", ANY),
    LibraryFunction("getmntent_r", posix.examining(2, 3, Touch.FILL), calls_nothing=True),
    LibraryFunction("addmntent", effect(reads=((1, POINTED),))),
)

DATABASES = (*_HOSTS, *_USERS, *_SESSIONS, *_MOUNTS)
