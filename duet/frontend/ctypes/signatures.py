"""The types of functions that compilers know without a declaration, or behind `__builtin_`, or that no header tells."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from duet.frontend.ctypes.names import FLOATING
from duet.frontend.ctypes.scope import Function, Scope
from duet.frontend.ctypes.types import (
    CHAR_POINTER,
    DOUBLE,
    INT,
    LLONG,
    LONG,
    UINT,
    ULONG,
    VOID,
    VOID_POINTER,
    CType,
    FloatType,
    FunctionType,
)

_CODES: Mapping[str, CType] = MappingProxyType(
    {
        "v": VOID,
        "i": INT,
        "l": LONG,
        "m": LLONG,
        "n": ULONG,
        "u": UINT,
        "p": VOID_POINTER,
        "s": CHAR_POINTER,
        "f": FloatType("float", 4),
        "d": DOUBLE,
        "e": FloatType("long double", 16),
    }
)
_SIGNATURES = """
pppn memcpy memmove mempcpy
ppin memset memchr
ippn memcmp bcmp
vpn bzero
sss strcpy strcat stpcpy strstr strpbrk
sssn strncpy strncat stpncpy
ssi strchr strrchr index rindex
ns strlen
nsn strnlen
iss strcmp strcasecmp
issn strncmp strncasecmp
nss strspn strcspn
ss strdup
ssn strndup
pn malloc alloca
pnn calloc
ppn realloc
ii abs isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
ii tolower toupper
ll labs
mm llabs
lll expect
llld expect_with_probability
pp assume_aligned
id ilogb
ld lround lrint
lf lroundf lrintf
le lroundl lrintl
md llround llrint
mf llroundf llrintf
me llroundl llrintl
l fpathconf ftello64 getdelim getrandom imaxabs jrand48 lrand48 lseek64 mrand48 msgrcv nrand48 pread64 preadv
l pwrite64 pwritev readahead readlinkat recvmsg sendfile sendfile64 splice strtoq telldir wcstol
n confstr fread_unlocked fwrite_unlocked gnu_dev_makedev regerror strtouq strxfrm wcstoul
u arc4random arc4random_uniform btowc cfgetispeed cfgetospeed fgetwc fputwc getwc getwchar gnu_dev_major
u gnu_dev_minor if_nametoindex inet_lnaof inet_netof inet_network putwc putwchar towlower towupper ualarm
p crypt fdopendir fopen64 freopen getgrent getgrgid getgrnam gethostbyaddr gethostbyname2 getlogin getmntent getpass
p getprotobyname getprotobynumber getpwent getservbyname getservbyport getspnam gnu_get_libc_version hstrerror
p localeconv mremap nl_langinfo ptsname readdir64 setmntent shmat tmpfile64 ttyname ether_ntoa bindtextdomain
p bind_textdomain_codeset textdomain
d drand48 erand48
"""
_KNOWN: Mapping[str, FunctionType] = MappingProxyType(
    {
        name: FunctionType(_CODES[codes[0]], tuple(_CODES[code] for code in codes[1:]))
        for codes, *names in map(str.split, _SIGNATURES.strip().splitlines())
        for name in names
    }
    | {name: FunctionType(_CODES[code], ()) for name, code in FLOATING.items()}
)


def signature(scope: Scope, name: str, declared: FunctionType | None) -> FunctionType | None:
    """The type of a function: as declared with parameters, else as compilers know it; None where nobody tells."""
    if declared is not None and declared.parameters is not None:
        return declared
    plain = name.removeprefix("__builtin_")
    found = scope.find(plain) if plain != name else None
    return _KNOWN.get(plain) or (found.type if isinstance(found, Function) else declared)
