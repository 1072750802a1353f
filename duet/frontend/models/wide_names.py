"""The records of wide characters, of functions that are given a locale, and of conversions between characters.

*Source*: C11 7.28 to 7.30, POSIX.1-2017 and the manual pages of glibc 2.36. A locale is a handle of the library's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duet.frontend.models import conversions, library, posix
from duet.frontend.models.effects import (
    ANY,
    POINTED,
    STATUS,
    UNKNOWN_SIZE,
    AnyValue,
    Argument,
    Bytes,
    Effect,
    Text,
    Within,
    effect,
    gives_back,
    within,
)
from duet.frontend.models.record import LibraryFunction, without

_TEXTS: tuple[LibraryFunction, ...] = (
    LibraryFunction("wcsxfrm", effect((0, Bytes(4, (2,)))), texts=(1,)),
    LibraryFunction("wcschrnul", within(0, may_fail=False, least=4), texts=(0,)),
    LibraryFunction("wcswcs", within(0, least=4), texts=(0, 1)),
    LibraryFunction("wcstok", conversions.piece, calls_nothing=True, texts=(0, 1), may_be_null=(0,)),
    LibraryFunction("wcpcpy", Effect(((0, UNKNOWN_SIZE),), Within(0, may_fail=False, least=4)), texts=(1,)),
    LibraryFunction("wcpncpy", Effect(((0, Bytes(4, (2,))),), Within(0, may_fail=False, least=0))),
    LibraryFunction(
        "wmempcpy", Effect(((0, Bytes(4, (2,))),), Within(0, may_fail=False, least=0), ((1, Bytes(4, (2,))),))
    ),
    LibraryFunction("wcsftime", effect((0, Bytes(4, (1,))), low=0, reads=((3, POINTED),)), texts=(2,)),
    LibraryFunction(
        "wcstoll wcstoull wcstoq wcstouq wcstoimax wcstoumax wcstod wcstof wcstold",
        library.converted,
        texts=(0,),
        may_be_null=(1,),
    ),
    LibraryFunction("iswgraph iswpunct iswxdigit iswblank iswctype isctype toascii", ANY),
    LibraryFunction("wctype wctrans", ANY, texts=(0,)),
    LibraryFunction("towctrans", ANY, passed=(1,)),  # C11 7.30.3.2.1: 0 stands for no mapping
    LibraryFunction("fputws fputws_unlocked", ANY, texts=(0,)),
    LibraryFunction(
        "ungetwc getwc_unlocked getwchar_unlocked fgetwc_unlocked fputwc_unlocked putwc_unlocked putwchar_unlocked",
        ANY,
    ),
    LibraryFunction("fgetws_unlocked", gives_back(0, (0, Bytes(4, (1,))))),
)

_CONVERSIONS: tuple[LibraryFunction, ...] = (
    LibraryFunction("mbsinit", effect(reads=((0, POINTED),)), may_be_null=(0,)),
    LibraryFunction("mbrlen", effect((2, POINTED), reads=((0, 1),)), may_be_null=(0, 2)),
    LibraryFunction(
        "mbrtoc8 mbrtoc16 mbrtoc32", effect((0, POINTED), (3, POINTED), reads=((1, 2),)), may_be_null=(0, 1, 3)
    ),
    LibraryFunction("c8rtomb c16rtomb c32rtomb", effect((0, UNKNOWN_SIZE), (2, POINTED)), may_be_null=(0, 2)),
    LibraryFunction("mbsrtowcs", conversions.restarted(4, 2), calls_nothing=True, may_be_null=(0, 3)),
    LibraryFunction("wcsrtombs", conversions.restarted(1, 2), calls_nothing=True, may_be_null=(0, 3)),
    LibraryFunction("mbsnrtowcs", conversions.restarted(4, 3, Bytes(1, (2,))), may_be_null=(0, 4)),
    LibraryFunction("wcsnrtombs", conversions.restarted(1, 3, Bytes(4, (2,))), may_be_null=(0, 4)),
    LibraryFunction("iconv", conversions.converted, calls_nothing=True, may_be_null=(1, 3), sized=(2, 4)),
    LibraryFunction("iconv_open", Effect(returns=AnyValue(1)), texts=(0, 1)),  # POSIX: where it fails it gives -1
    LibraryFunction("iconv_close", STATUS),
    LibraryFunction("getsubopt", conversions.suboption, calls_nothing=True),
)

_LOCALES: tuple[LibraryFunction, ...] = (
    LibraryFunction("newlocale", ANY, texts=(1,), may_be_null=(2,)),
    LibraryFunction("duplocale freelocale", ANY),
    LibraryFunction("uselocale", Effect(returns=AnyValue(1)), may_be_null=(0,)),
    LibraryFunction("strerrordesc_np strerrorname_np sigabbrev_np sigdescr_np", Effect((), Text(is_constant=True))),
    LibraryFunction("catopen", ANY, texts=(0,)),
    LibraryFunction("catgets", posix.translated(3), passed=(0, 3)),
    LibraryFunction("catclose", STATUS, passed=(0,), releases=True),
    LibraryFunction("ngettext", posix.translated(0, 1), texts=(0, 1)),
    LibraryFunction("dngettext dcngettext", posix.translated(1, 2), texts=(0, 1, 2), may_be_null=(0,)),
    LibraryFunction("strfry", Effect(((0, UNKNOWN_SIZE),), Argument(0, may_fail=False)), texts=(0,)),
    LibraryFunction("strfromd strfromf strfroml", effect((0, 1)), texts=(2,)),
    LibraryFunction("strfmon", effect((0, 1), low=-1), texts=(2,)),
    LibraryFunction("strfmon_l", effect((0, 1), low=-1), texts=(3,)),
)

WIDE = (*_TEXTS, *_CONVERSIONS, *_LOCALES)

_WITH_LOCALE = (
    (
        1,
        "isalnum isalpha iscntrl isdigit islower isgraph isprint ispunct isspace isupper isxdigit isblank tolower "
        "toupper iswalnum iswalpha iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit "
        "iswblank towlower towupper wctype wctrans strerror nl_langinfo",
    ),
    (2, "strcoll strcasecmp wcscoll wcscasecmp iswctype towctrans strtod strtof strtold wcstod wcstof wcstold"),
    (
        3,
        "strncasecmp strxfrm strtol strtoul strtoll strtoull strptime wcsncasecmp wcsxfrm wcstol wcstoul wcstoll "
        "wcstoull",
    ),
    (4, "strftime wcsftime"),
)
"""Where functions are given a locale that are others otherwise."""


def with_locale(plain: Mapping[str, LibraryFunction]) -> tuple[LibraryFunction, ...]:
    """The records of functions like `strcoll_l`, by those of the functions without a locale."""
    return tuple(
        _with_locale(plain[name], name, position) for position, names in _WITH_LOCALE for name in names.split()
    )


def _with_locale(known: LibraryFunction, name: str, position: int) -> LibraryFunction:
    sized = known.body.sized if isinstance(known.body, Effect) else ()
    return replace(
        known,
        called=f"{name}_l",
        body=without(name, (position,), known),
        sized=(*known.sized, *sorted(sized)),
        brief=known.used_briefly,
        into=known.gives_back,
    )
