"""The macros that are there before the first line: those of GCC 12 for Linux on x86, whatever preprocessor runs.

Source: `gcc -dM -E`, without an option or with `-m32`, as Debian configures it. Left out are macros of instruction
set extensions: the program is taken to be compiled for a machine without any.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.frontend.source.standards import Standard

_LOCK_FREE = ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER")
_PLAIN = (
    *("__DUET__=1", "__GNUC__=12", "__GNUC_MINOR__=2", "__GNUC_PATCHLEVEL__=0", '__VERSION__="12.2.0"'),
    *("__GXX_ABI_VERSION=1017", "__NO_INLINE__=1", "__FINITE_MATH_ONLY__=0", "__HAVE_SPECULATION_SAFE_VALUE=1"),
    *("__GCC_IEC_559=2", "__GCC_IEC_559_COMPLEX=2", "__GCC_ASM_FLAG_OUTPUTS__=1", "__GCC_HAVE_DWARF2_CFI_ASM=1"),
    *(
        "__GCC_CONSTRUCTIVE_SIZE=64",
        "__GCC_DESTRUCTIVE_SIZE=64",
        "__PRAGMA_REDEFINE_EXTNAME=1",
        "__SEG_FS=1",
        "__SEG_GS=1",
    ),
    *("__REGISTER_PREFIX__=", "__USER_LABEL_PREFIX__="),
    *("__CHAR_BIT__=8", "__SCHAR_MAX__=0x7f", "__SHRT_MAX__=0x7fff", "__INT_MAX__=0x7fffffff"),
    *("__LONG_LONG_MAX__=0x7fffffffffffffffLL", "__SCHAR_WIDTH__=8"),
    *("__SHRT_WIDTH__=16", "__INT_WIDTH__=32", "__LONG_LONG_WIDTH__=64"),
    *("__SIZEOF_SHORT__=2", "__SIZEOF_INT__=4", "__SIZEOF_LONG_LONG__=8"),
    *("__SIZEOF_WCHAR_T__=4", "__SIZEOF_WINT_T__=4", "__SIZEOF_FLOAT__=4", "__SIZEOF_DOUBLE__=8"),
    *("__SIZEOF_FLOAT128__=16", "__BIGGEST_ALIGNMENT__=16"),
    *("__CHAR16_TYPE__=unsigned short", "__CHAR32_TYPE__=unsigned int"),
    *("__ORDER_LITTLE_ENDIAN__=1234", "__ORDER_BIG_ENDIAN__=4321", "__ORDER_PDP_ENDIAN__=3412"),
    *("__BYTE_ORDER__=__ORDER_LITTLE_ENDIAN__", "__FLOAT_WORD_ORDER__=__ORDER_LITTLE_ENDIAN__"),
    "__ELF__=1",
    *("__linux__=1", "__linux=1", "__gnu_linux__=1", "__unix__=1", "__unix=1"),
    *("__STDC_ISO_10646__=201706L", "_STDC_PREDEF_H=1"),
    *("__STDC_IEC_559__=1", "__STDC_IEC_559_COMPLEX__=1"),
    *("__STDC_IEC_60559_BFP__=201404L", "__STDC_IEC_60559_COMPLEX__=201404L"),
    *('__GNUC_EXECUTION_CHARSET_NAME="UTF-8"', '__GNUC_WIDE_EXECUTION_CHARSET_NAME="UTF-32LE"'),
    *("__ATOMIC_RELAXED=0", "__ATOMIC_CONSUME=1", "__ATOMIC_ACQUIRE=2", "__ATOMIC_RELEASE=3", "__ATOMIC_ACQ_REL=4"),
    *("__ATOMIC_SEQ_CST=5", "__ATOMIC_HLE_ACQUIRE=65536", "__ATOMIC_HLE_RELEASE=131072"),
    *("__FLT_RADIX__=2", "__DECIMAL_DIG__=21"),
    *("__DECIMAL_BID_FORMAT__=1", "__DEC_EVAL_METHOD__=2"),
    *(f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}=1" for size in (1, 2, 4, 8)),
    *(f"__GCC_ATOMIC_{kind}_LOCK_FREE=2" for kind in _LOCK_FREE),
    "__GCC_ATOMIC_TEST_AND_SET_TRUEVAL=1",
)
_LONG = {
    "LP64": (
        *("__LP64__=1", "_LP64=1", "__code_model_small__=1", "__SIZEOF_INT128__=16"),
        *("__x86_64__=1", "__x86_64=1", "__amd64__=1", "__amd64=1", "__k8=1", "__k8__=1"),
        *("__LONG_MAX__=0x7fffffffffffffffL", "__LONG_WIDTH__=64", "__SIZEOF_LONG__=8"),
        *("__SIZEOF_POINTER__=8", "__SIZEOF_SIZE_T__=8", "__SIZEOF_PTRDIFF_T__=8"),
        *("__SIZEOF_LONG_DOUBLE__=16", "__SIZEOF_FLOAT80__=16"),
        *("__FLT_EVAL_METHOD__=0", "__FLT_EVAL_METHOD_TS_18661_3__=0"),
        *("__WCHAR_TYPE__=int", "__WCHAR_MAX__=0x7fffffff"),
    ),
    "ILP32": (
        *("__ILP32__=1", "_ILP32=1", "__code_model_32__=1"),
        *("__i386__=1", "__i386=1", "__i686__=1", "__i686=1", "__pentiumpro__=1", "__pentiumpro=1"),
        *("__LONG_MAX__=0x7fffffffL", "__LONG_WIDTH__=32", "__SIZEOF_LONG__=4"),
        *("__SIZEOF_POINTER__=4", "__SIZEOF_SIZE_T__=4", "__SIZEOF_PTRDIFF_T__=4"),
        *("__SIZEOF_LONG_DOUBLE__=12", "__SIZEOF_FLOAT80__=12"),
        *("__FLT_EVAL_METHOD__=2", "__FLT_EVAL_METHOD_TS_18661_3__=2"),
        *("__WCHAR_TYPE__=long", "__WCHAR_MAX__=0x7fffffffL"),
    ),
}
"""What depends on the data model."""
KERNEL_NAMES = (
    *("__KERNEL__=1", "MODULE=1", "CONFIG_MODULES=1", "CONFIG_SMP=1", "CONFIG_MMU=1", "CONFIG_PRINTK=1"),
    *("CONFIG_X86=1", "CONFIG_X86_64=1", "CONFIG_64BIT=1", "CONFIG_PCI=1", "CONFIG_PNP=1"),
    *("__LITTLE_ENDIAN=1234", "__LITTLE_ENDIAN_BITFIELD=1"),
)
"""Macros of a module of a kernel for this machine, with the parts that the model headers have.

Threads run at the same time, so there are several processors. The rest of a configuration is not known.
"""
KERNEL_BUILD = ("__KERNEL__=1", "MODULE=1", "CC_USING_FENTRY=1", "__DUET_OVERLAY=1")
"""Macros that the kernel's Makefile defines for a module; its own headers tell the configuration."""
_INTEGERS = (
    *(("INT8", "signed char", 8, ""), ("INT16", "short", 16, ""), ("INT32", "int", 32, "")),
    *(("INT_LEAST8", "signed char", 8, ""), ("INT_LEAST16", "short", 16, "")),
    *(("INT_LEAST32", "int", 32, ""), ("INT_FAST8", "signed char", 8, "")),
)
_64 = ("INT64", "INT_LEAST64", "INT_FAST64", "INTMAX")
_POINTER_SIZED = ("INT_FAST16", "INT_FAST32", "INTPTR")
_BINARY = {
    "FLT16": ("F16", 5, 3, 11, 4, 16, -4, -13),
    "FLT": ("F", 9, 6, 24, 38, 128, -37, -125),
    "DBL": ("L", 17, 15, 53, 308, 1024, -307, -1021),
    "LDBL": ("L", 21, 18, 64, 4932, 16384, -4931, -16381),
    "FLT128": ("F128", 36, 33, 113, 4932, 16384, -4931, -16381),
}
"""Binary floating types: the suffix of constants, then `_NUMBERS`."""
_SAME = {"FLT32": ("FLT", "F32"), "FLT64": ("DBL", "F64"), "FLT32X": ("DBL", "F32x"), "FLT64X": ("LDBL", "F64x")}
_NUMBERS = ("DECIMAL_DIG", "DIG", "MANT_DIG", "MAX_10_EXP", "MAX_EXP", "MIN_10_EXP", "MIN_EXP")
_LIMITS = {
    "FLT16": (
        *("6.55040000000000000000000000000000000e+4", "6.10351562500000000000000000000000000e-5"),
        *("9.76562500000000000000000000000000000e-4", "5.96046447753906250000000000000000000e-8"),
    ),
    "FLT": (
        *("3.40282346638528859811704183484516925e+38", "1.17549435082228750796873653722224568e-38"),
        *("1.19209289550781250000000000000000000e-7", "1.40129846432481707092372958328991613e-45"),
    ),
    "DBL": (
        *("1.79769313486231570814527423731704357e+308", "2.22507385850720138309023271733240406e-308"),
        *("2.22044604925031308084726333618164062e-16", "4.94065645841246544176568792868221372e-324"),
    ),
    "LDBL": (
        *("1.18973149535723176502126385303097021e+4932", "3.36210314311209350626267781732175260e-4932"),
        *("1.08420217248550443400745280086994171e-19", "3.64519953188247460252840593361941982e-4951"),
    ),
    "FLT128": (
        *("1.18973149535723176508575932662800702e+4932", "3.36210314311209350626267781732175260e-4932"),
        *("1.92592994438723585305597794258492732e-34", "6.47517511943802511092443895822764655e-4966"),
    ),
}
"""Of each binary type: the largest value, the least normal one, epsilon, the least one."""
_DECIMAL = {"DEC32": ("DF", 7, 97), "DEC64": ("DD", 16, 385), "DEC128": ("DL", 34, 6145)}
"""Decimal floating types: the suffix of constants, the number of digits, the largest exponent."""


POSITION_INDEPENDENT = ("__PIC__=2", "__pic__=2", "__PIE__=2", "__pie__=2")
"""What is defined where programs run at any address, which kernels do not."""


def _integers(data_model: str) -> Iterator[str]:
    """Types, limits, widths and constants of the integers of `<stdint.h>` and `<stddef.h>`."""
    word = ("long", 64, "L") if data_model == "LP64" else ("int", 32, "")
    largest = word if data_model == "LP64" else ("long long", 64, "LL")
    sized = (*((name, *largest) for name in _64), *((name, *word) for name in _POINTER_SIZED))
    for name, kind, width, suffix in (*_INTEGERS, *sized):
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
    kind, width, suffix = word
    others = (("SIZE", f"unsigned {kind}", width, f"U{suffix}"), ("PTRDIFF", *word), ("WINT", "unsigned int", 32, "U"))
    for name, kind, width, suffix in others:
        most = (1 << width - (not kind.startswith("unsigned"))) - 1
        yield from (f"__{name}_TYPE__={kind}", f"__{name}_MAX__={most:#x}{suffix}", f"__{name}_WIDTH__={width}")
    yield "__WCHAR_MIN__=(-__WCHAR_MAX__ - 1)"
    yield from ("__WCHAR_WIDTH__=32", "__WINT_MIN__=0U", "__SIG_ATOMIC_TYPE__=int", "__SIG_ATOMIC_WIDTH__=32")
    yield from ("__SIG_ATOMIC_MAX__=0x7fffffff", "__SIG_ATOMIC_MIN__=(-__SIG_ATOMIC_MAX__ - 1)")


def _floats(data_model: str) -> Iterator[str]:
    """Ranges and precisions of the floating types; x86 has some of 16 bits only with SSE2."""
    for name in (*_BINARY, *_SAME):
        if name == "FLT16" and data_model != "LP64":
            continue
        like, mark = _SAME[name] if name in _SAME else (name, _BINARY[name][0])
        values = _BINARY[like][1:]
        yield from (
            f"__{name}_{what}__={value if value > 0 else f'({value})'}"
            for what, value in zip(_NUMBERS, values, strict=True)
        )
        form = "((double){}L)" if name == "DBL" else "{}" + mark
        largest, least, epsilon, subnormal = map(form.format, _LIMITS[like])
        yield from (f"__{name}_MAX__={largest}", f"__{name}_NORM_MAX__={largest}", f"__{name}_MIN__={least}")
        yield from (f"__{name}_EPSILON__={epsilon}", f"__{name}_DENORM_MIN__={subnormal}")
        yield from (f"__{name}_HAS_{what}__=1" for what in ("DENORM", "INFINITY", "QUIET_NAN"))
        yield f"__{name}_IS_IEC_60559__=2"
    for name, (mark, digits, exponent) in _DECIMAL.items():
        yield from (f"__{name}_MANT_DIG__={digits}", f"__{name}_MAX_EXP__={exponent}")
        yield f"__{name}_MAX__=9.{'9' * (digits - 1)}E{exponent - 1}{mark}"
        yield from (f"__{name}_MIN_EXP__=({3 - exponent})", f"__{name}_MIN__=1E{2 - exponent}{mark}")
        yield f"__{name}_EPSILON__=1E-{digits - 1}{mark}"
        yield f"__{name}_SUBNORMAL_MIN__=0.{'0' * (digits - 2)}1E{2 - exponent}{mark}"


def _of_standard(standard: Standard) -> Iterator[str]:
    """What a standard adds: GNU C has names in the name space of programs."""
    yield from ("__STDC__=1", "__STDC_HOSTED__=1")
    if standard.version:
        yield from (f"__STDC_VERSION__={standard.version}", "__GNUC_STDC_INLINE__=1")
    else:
        yield "__GNUC_GNU_INLINE__=1"
    if standard.version and standard.name not in ("c99", "c9x"):
        yield from ("__STDC_UTF_16__=1", "__STDC_UTF_32__=1")
    yield from ("linux=1", "unix=1") if standard.is_gnu else ("__STRICT_ANSI__=1",)


def predefined(standard: Standard, data_model: str) -> tuple[str, ...]:
    """The macros of a standard and a data model as `NAME=VALUE`, or `NAME(x)=VALUE`."""
    gnu = ("i386=1",) if standard.is_gnu and data_model != "LP64" else ()
    own = (*_LONG[data_model], *gnu, *_integers(data_model), *_floats(data_model))
    return (*_PLAIN, *own, *_of_standard(standard))
