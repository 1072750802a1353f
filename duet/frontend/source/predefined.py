"""The macros that are there before the first line: those of GCC 12 for x86-64 Linux, whatever preprocessor runs.

Source: `gcc -dM -E`. Left out are macros of instruction set extensions, code generation and floating types beyond
`<float.h>`.
"""

from __future__ import annotations

from collections.abc import Iterator

_PLAIN = (
    *("__DUET__=1", "__GNUC__=12", "__GNUC_MINOR__=2", "__GNUC_PATCHLEVEL__=0", '__VERSION__="12.2.0"'),
    *("__GNUC_STDC_INLINE__=1", "__NO_INLINE__=1", "__GCC_IEC_559=2", "__FINITE_MATH_ONLY__=0"),
    *("__CHAR_BIT__=8", "__SCHAR_MAX__=0x7f", "__SHRT_MAX__=0x7fff", "__INT_MAX__=0x7fffffff"),
    *("__LONG_MAX__=0x7fffffffffffffffL", "__LONG_LONG_MAX__=0x7fffffffffffffffLL", "__SCHAR_WIDTH__=8"),
    *("__SHRT_WIDTH__=16", "__INT_WIDTH__=32", "__LONG_WIDTH__=64", "__LONG_LONG_WIDTH__=64"),
    *("__SIZEOF_SHORT__=2", "__SIZEOF_INT__=4", "__SIZEOF_LONG__=8", "__SIZEOF_LONG_LONG__=8"),
    *("__SIZEOF_POINTER__=8", "__SIZEOF_SIZE_T__=8", "__SIZEOF_PTRDIFF_T__=8", "__SIZEOF_INT128__=16"),
    *("__SIZEOF_WCHAR_T__=4", "__SIZEOF_WINT_T__=4", "__SIZEOF_FLOAT__=4", "__SIZEOF_DOUBLE__=8"),
    *("__SIZEOF_LONG_DOUBLE__=16", "__BIGGEST_ALIGNMENT__=16"),
    *("__CHAR16_TYPE__=unsigned short", "__CHAR32_TYPE__=unsigned int"),
    *("__ORDER_LITTLE_ENDIAN__=1234", "__ORDER_BIG_ENDIAN__=4321", "__ORDER_PDP_ENDIAN__=3412"),
    *("__BYTE_ORDER__=__ORDER_LITTLE_ENDIAN__", "__FLOAT_WORD_ORDER__=__ORDER_LITTLE_ENDIAN__"),
    *("__LP64__=1", "_LP64=1", "__ELF__=1"),
    *("__x86_64__=1", "__x86_64=1", "__amd64__=1", "__amd64=1"),
    *("__linux__=1", "__linux=1", "__gnu_linux__=1", "__unix__=1", "__unix=1"),
    *("__STDC_UTF_16__=1", "__STDC_UTF_32__=1", "__STDC_IEC_559__=1", "__STDC_ISO_10646__=201706L"),
    *(f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}=1" for size in (1, 2, 4, 8)),
    *(f"__GCC_ATOMIC_{kind}_LOCK_FREE=2" for kind in ("BOOL", "CHAR", "SHORT", "INT", "LONG", "LLONG", "POINTER")),
)
GNU_NAMES = ("linux=1", "unix=1")
"""Macros that GNU C has in the name space of programs."""
KERNEL_NAMES = (
    *("__KERNEL__=1", "MODULE=1", "CONFIG_MODULES=1", "CONFIG_SMP=1", "CONFIG_MMU=1", "CONFIG_PRINTK=1"),
    *("CONFIG_X86=1", "CONFIG_X86_64=1", "CONFIG_64BIT=1", "CONFIG_PCI=1", "CONFIG_PNP=1"),
    *("__LITTLE_ENDIAN=1234", "__LITTLE_ENDIAN_BITFIELD=1"),
)
"""Macros of a module of a kernel for this machine, with the parts that the model headers have.

Threads run at the same time, so there are several processors. The rest of a configuration is not known.
"""
_INTEGERS = (
    *(("INT8", "signed char", 8, ""), ("INT16", "short", 16, ""), ("INT32", "int", 32, ""), ("INT64", "long", 64, "L")),
    *(("INT_LEAST8", "signed char", 8, ""), ("INT_LEAST16", "short", 16, "")),
    *(("INT_LEAST32", "int", 32, ""), ("INT_LEAST64", "long", 64, "L"), ("INT_FAST8", "signed char", 8, "")),
    *((f"INT_FAST{width}", "long", 64, "L") for width in (16, 32, 64)),
    *(("INTMAX", "long", 64, "L"), ("INTPTR", "long", 64, "L")),
)
_OTHERS = (("SIZE", "unsigned long", 64, "UL"), ("PTRDIFF", "long", 64, "L"), ("WINT", "unsigned int", 32, "U"))


def _integers() -> Iterator[str]:
    """Types, limits, widths and constants of the integers of `<stdint.h>` and `<stddef.h>`."""
    for name, kind, width, suffix in _INTEGERS:
        unsigned = "unsigned char" if kind == "signed char" else f"unsigned {kind}"
        mark = "U" + suffix if width >= 32 else ""
        yield from (f"__{name}_TYPE__={kind}", f"__U{name}_TYPE__={unsigned}")
        yield f"__{name}_MAX__={(1 << width - 1) - 1:#x}{suffix}"
        yield f"__U{name}_MAX__={(1 << width) - 1:#x}{mark}"
        if name[3:].isdigit() or name == "INTMAX":
            yield f"__{name}_C(c)=c" + (f" ## {suffix}" if suffix else "")
            yield f"__U{name}_C(c)=c" + (f" ## {mark}" if mark else "")
        if not name[3:].isdigit():
            yield f"__{name}_WIDTH__={width}"
    for name, kind, width, suffix in _OTHERS:
        most = (1 << width - (not kind.startswith("unsigned"))) - 1
        yield from (f"__{name}_TYPE__={kind}", f"__{name}_MAX__={most:#x}{suffix}", f"__{name}_WIDTH__={width}")
    yield from ("__WCHAR_TYPE__=int", "__WCHAR_MAX__=0x7fffffff", "__WCHAR_MIN__=(-__WCHAR_MAX__ - 1)")
    yield from ("__WCHAR_WIDTH__=32", "__WINT_MIN__=0U")


PREDEFINED = (*_PLAIN, *_integers())
