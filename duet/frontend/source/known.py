"""Names of common headers, for snippets that use them without including anything."""

from __future__ import annotations

ALWAYS = {
    "__builtin_va_list": "typedef struct __duet_va_list *__builtin_va_list;",
    "_Float128": "typedef long double _Float128;",
    "__float128": "typedef long double __float128;",
    "_Float64": "typedef double _Float64;",
    "_Float32": "typedef float _Float32;",
    "_Float64x": "typedef long double _Float64x;",
    "_Float32x": "typedef double _Float32x;",
    "__auto_type": "typedef int __auto_type;",
    "__int128_t": "typedef __int128 __int128_t;",
    "__uint128_t": "typedef unsigned __int128 __uint128_t;",
}
"""Types that compilers have without any header."""

_INTEGERS = {
    "size_t": "unsigned long",
    "ssize_t": "long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "intmax_t": "long",
    "uintmax_t": "unsigned long",
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
    "bool": "_Bool",
    "wchar_t": "int",
    "off_t": "long",
    "pid_t": "int",
    "time_t": "long",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "ushort": "unsigned short",
    "u_int": "unsigned int",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned int",
    "u64": "unsigned long long",
    "s8": "signed char",
    "s16": "short",
    "s32": "int",
    "s64": "long long",
    "pthread_t": "unsigned long",
    "pthread_key_t": "unsigned int",
    "pthread_once_t": "int",
    "atomic_int": "_Atomic int",
    "atomic_uint": "_Atomic unsigned int",
    "atomic_bool": "_Atomic _Bool",
    "atomic_long": "_Atomic long",
    "atomic_flag": "_Atomic _Bool",
}
_UNIONS = {
    "pthread_mutex_t": (40, "long"),
    "pthread_cond_t": (48, "long"),
    "pthread_rwlock_t": (56, "long"),
    "pthread_spinlock_t": (4, "int"),
    "pthread_barrier_t": (32, "long"),
    "pthread_attr_t": (56, "long"),
    "pthread_mutexattr_t": (4, "int"),
    "pthread_condattr_t": (4, "int"),
    "sem_t": (32, "long"),
}
"""The sizes of structures, and the types that they are aligned as."""
_SMALL_INTEGERS = {
    **dict.fromkeys(("ssize_t", "ptrdiff_t", "intptr_t"), "int"),
    **dict.fromkeys(("size_t", "uintptr_t"), "unsigned int"),
    **dict.fromkeys(("int64_t", "intmax_t"), "long long"),
    **dict.fromkeys(("uint64_t", "uintmax_t"), "unsigned long long"),
    "wchar_t": "long",
}
_SMALL_UNIONS = {
    "pthread_mutex_t": (24, "long"),
    "pthread_rwlock_t": (32, "long"),
    "pthread_barrier_t": (20, "long"),
    "pthread_attr_t": (36, "long"),
    "sem_t": (16, "long"),
}
"""Those that are other ones with ILP32."""
_JUMPS = {"LP64": 200, "ILP32": 156}


def common(data_model: str) -> dict[str, str]:
    """Types of common headers by name, as declarations."""
    is_small = data_model == "ILP32"
    integers = _INTEGERS | (_SMALL_INTEGERS if is_small else {})
    unions = _UNIONS | (_SMALL_UNIONS if is_small else {})
    return {
        **{name: f"typedef {kind} {name};" for name, kind in integers.items()},
        **{
            name: f"typedef union {{ char __size[{size}]; {kind} __align; }} {name};"
            for name, (size, kind) in unions.items()
        },
        "jmp_buf": f"typedef union {{ char __size[{_JUMPS[data_model]}]; long __align; }} jmp_buf[1];",
        **_OTHERS,
    }


_OTHERS = {
    "FILE": "typedef struct __duet_file FILE;",
    "va_list": "typedef struct __duet_va_list *va_list;",
    "spinlock_t": "typedef struct { int __duet_state; } spinlock_t;",
}
"""Types of common headers that are the same for all data models."""

CONSTANTS = {
    "NULL": "((void *)0)",
    "true": "1",
    "false": "0",
    "PTHREAD_MUTEX_INITIALIZER": "{0}",
    "PTHREAD_COND_INITIALIZER": "{0}",
    "PTHREAD_RWLOCK_INITIALIZER": "{0}",
    "PTHREAD_ONCE_INIT": "0",
    "EXIT_SUCCESS": "0",
    "EXIT_FAILURE": "1",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647 - 1)",
    "UINT_MAX": "4294967295U",
}
"""Macros of common headers."""
