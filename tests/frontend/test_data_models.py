"""Programs in both data models: types are as GCC has them, and what fails in one is not proved in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.errors import SourceError
from duet.options import DATA_MODELS, FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

OPTIONS = {"LP64": "-m64", "ILP32": "-m32"}
DECLARED = """
struct mixed { char c; long long x; };
struct real { char c; double d; };
struct bits { unsigned a : 3; unsigned long b : 9; };
struct atom { char c; _Atomic long long x; };
struct long_real { char c; long double d; };
struct told { char c; _Alignas(long long) char d; };
struct complex { char c; double _Complex z; };
struct quad { char c; __float128 q; };
struct extended { char c; _Float64x x; };
union both { void *p; char text[6]; };
struct list { struct list *next; short value; };
enum small { LEAST }; enum large { MOST = 0x80000000u }; enum huge { HUGE = 0x100000000 };
enum negative { BELOW = -1, ABOVE = 0x80000000u };
"""
SIZES = (
    *("char", "short", "int", "long", "long long", "float", "double", "long double", "double _Complex", "_Bool"),
    *("void *", "int (*)(void)", "int *[3]", "struct mixed", "struct real", "struct bits", "struct atom"),
    *(
        "struct long_real",
        "struct told",
        "struct complex",
        "struct quad",
        "struct extended",
        "union both",
        "struct list",
        "enum small",
        "enum large",
    ),
    *("enum huge", "enum negative", "__builtin_va_list", "__SIZE_TYPE__", "__PTRDIFF_TYPE__", "__INTPTR_TYPE__"),
    *("__INT64_TYPE__", "__INTMAX_TYPE__", "__INT_FAST16_TYPE__", "__WCHAR_TYPE__", "__UINT_FAST32_TYPE__"),
)
CONSTANTS = (
    *("1", "2147483647", "2147483648", "4294967296", "0x7fffffff", "0x80000000", "0xffffffff", "0x100000000"),
    *("037777777777", "1L", "2147483648L", "0xffffffffL", "4294967295U", "4294967296U", "1UL", "4294967296UL"),
    *("1LL", "0xffffffffffffffff", "'a'", "L'a'", "sizeof(int)", "(char *)0 - (char *)0", "1L + 1U", "1UL + 1LL"),
    *("1L << 1U", "0 ? 1L : 1U", "-2147483648", "LEAST", "MOST", "HUGE", "__LONG_MAX__", "__SIZE_MAX__", "~0L + 1U"),
)
"""Expressions whose types differ, or could."""
VALUES = (
    *("-1L < 1U", "(int)0x80000000 < 0", "(long)0x80000000u < 0", "(unsigned long)-1 == 0xffffffffu", "~0ul >> 16"),
    *("(long long)(void *)-1", "(unsigned long long)(void *)-1 >> 40", "-1 < (long)0xffffffffu", 'sizeof "abc"'),
    *("__LONG_MAX__ == __INT_MAX__", "__builtin_offsetof(struct mixed, x)", "__builtin_offsetof(struct list, value)"),
    *("_Alignof(struct mixed)", "_Alignof(long)", "_Alignof(void *)", "_Alignof(struct atom)", 'sizeof L"a"'),
    *("(unsigned long)2147483647 + 2147483647 + 3 > 2", "__SIZEOF_POINTER__", "1 ? -1L : 0U"),
)
_KINDS = ("int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long")


def expressions() -> list[str]:
    kinds = ", ".join(f"{kind}: {number}" for number, kind in enumerate(_KINDS))
    return [*(f"sizeof({kind})" for kind in SIZES), *(f"_Generic(({text}), {kinds})" for text in CONSTANTS), *VALUES]


def said_by_gcc(model: str) -> list[int]:
    """What GCC computes while it compiles: nothing is run, so that no library of 32 bits is needed."""
    text = f"{DECLARED}long long found[] = {{ {', '.join(expressions())} }};\n"
    command = ["gcc", OPTIONS[model], "-w", "-S", "-x", "c", "-", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    if model == "ILP32":
        words = [int(word) for word in re.findall(r"\.long\s+(-?\d+)", done.stdout)]
        values = [low % (1 << 32) + (high << 32) for low, high in zip(words[::2], words[1::2], strict=True)]
    else:
        values = [int(word) for word in re.findall(r"\.quad\s+(-?\d+)", done.stdout)]
    return [(value + (1 << 63)) % (1 << 64) - (1 << 63) for value in values]


def program(values: list[int]) -> str:
    checks = enumerate(zip(expressions(), values, strict=True))
    asserted = [f'_Static_assert((long long)({text}) == {value}LL, "{number}");' for number, (text, value) in checks]
    return "\n".join((DECLARED, *asserted, "int main(void) { assert(1); return 0; }\n"))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc says how large types are")
@pytest.mark.parametrize("model", DATA_MODELS)
def test_types_and_constants_are_those_of_gcc(model: str, tmp_path: Path) -> None:
    values, source = said_by_gcc(model), tmp_path / "a.c"
    assert len(values) == len(expressions())
    options = FrontendOptions(data_model=model)
    statuses(source, program(values), options)
    for place in range(0, len(values), 9):  # a value that is another one is noticed
        wrong = [value + (number == place) for number, value in enumerate(values)]
        with pytest.raises(SourceError, match=f'"{place}"'):
            statuses(source, program(wrong), options)


START = """
extern int __VERIFIER_nondet_int(void); extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void); extern void *malloc(__SIZE_TYPE__);
typedef unsigned long pthread_t; extern pthread_t pthread_self(void);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_equal(pthread_t, pthread_t);
int g, h; int *spot = &g; void *leads;
void *same(void *p) { return p; } void *number(void *p) { g = (int)(long)p; return p; }
"""
BOTH, ONE, OTHER, NEITHER = (True, True), (True, False), (False, True), (False, False)
PROGRAMS = [  # whether what is asserted is proved: in LP64, in ILP32
    ("long x = 2147483647; x = x + 1UL; assert(x > 0);", ONE),
    ("unsigned long u = 4294967295u; u++; assert(u != 0);", ONE),
    ("unsigned long u = 4294967295u; u++; assert(u == 0);", OTHER),
    ("long x = __VERIFIER_nondet_long(); assert(x <= 2147483647);", OTHER),
    ("unsigned long n = __VERIFIER_nondet_ulong(); assert(n <= 0xffffffffu);", OTHER),
    ("long x = __VERIFIER_nondet_long(); long long y = (long long)x + 1; assert(y <= 2147483648LL);", OTHER),
    ("int i = __VERIFIER_nondet_int(); if (i < 0) assert((long)i < (unsigned)1);", ONE),
    ("unsigned i = 4000000000u; long x = i; assert(x > 0);", ONE),
    ("assert(sizeof(struct { char c; long long x; }) == 16);", ONE),
    ("struct { char c; double d; } *p = malloc(12); assert(sizeof *p <= 12);", OTHER),
    ("long long x = 1LL << 40; assert((long)x == 0);", OTHER),
    ("int *p = malloc(4); if (p) assert(0);", NEITHER),
    ("int *p = malloc(4); if (!p) return 0; assert(p != (int *)-1 && p != 0);", BOTH),
    ("void *p = (void *)-1; if (p == (void *)0xffffffffu) assert(0);", ONE),
    ("int *p = malloc(4 * (__SIZE_TYPE__)1073741825u); assert(4 * (__SIZE_TYPE__)1073741825u == 4);", OTHER),
    ("assert((long long)(void *)-1 < 0);", BOTH),
    ("assert((void *)-1 == (void *)0xffffffffu);", OTHER),
    (
        "unsigned u = 4000000000u; void *p = (void *)(unsigned long)u; assert((unsigned)(unsigned long)p == u);",
        BOTH,
    ),
    (
        "int i = __VERIFIER_nondet_int(); if (i > 0) { void *p = (void *)(long)i; assert((int)(long)p == i && p); }",
        BOTH,
    ),
    ("int *p = &g; assert((unsigned long)p != 0); assert(p - &g == 0);", BOTH),
    ("int *p = &g; assert((int *)(unsigned long)p != &h);", ONE),  # in ILP32 it is true, and not known
    ("long a = (long)&g, b = (long)&h; assert(a != b);", ONE),  # likewise
    ("unsigned u = (unsigned)(unsigned long)&g; assert(u != 4096); assert(u != 0);", NEITHER),
    ("spot = (int *)(long)(int)(long)spot; assert(spot != &h);", NEITHER),
    ("pthread_t t; void *r; pthread_create(&t, 0, number, (void *)7L); pthread_join(t, &r); assert(g == 7);", BOTH),
    (
        "pthread_t a, b; pthread_create(&a, 0, same, 0); pthread_create(&b, 0, same, 0); assert(a != pthread_self());",
        BOTH,
    ),
    ("pthread_t a = pthread_self(); assert(a == pthread_self()); assert(pthread_equal(a, pthread_self()));", BOTH),
    ("pthread_t a = pthread_self(); assert(a < 1000000);", NEITHER),
    ("unsigned short s = (unsigned short)pthread_self(); assert(s != 4096);", NEITHER),
    ("assert(__builtin_popcountl(-1L) == 64);", ONE),
    ("assert(__builtin_clzl(1) == 31);", OTHER),
    ("assert((unsigned)-1 + 1L == 0);", OTHER),
    ("leads = &g; unsigned n = (unsigned)(unsigned long)leads; assert((void *)(unsigned long)n != &h);", NEITHER),
]


@pytest.mark.parametrize(("body", "holds"), PROGRAMS)
def test_what_fails_in_a_data_model_is_not_proved_in_it(tmp_path: Path, body: str, holds: tuple[bool, bool]) -> None:
    for model, is_true in zip(DATA_MODELS, holds, strict=True):
        text = f"{START}int main(void) {{ {body} return 0; }}\n"
        found = statuses(tmp_path / "a.c", text, FrontendOptions(data_model=model))
        assert all(status in (Status.PROVED, Status.UNREACHABLE) for status in found) == is_true, (model, found)


def test_a_header_with_other_types_is_refused(tmp_path: Path) -> None:
    text = "#include <sys/syscall.h>\nint main(void) { assert(1); return 0; }\n"
    assert statuses(tmp_path / "a.c", text, FrontendOptions())
    with pytest.raises(SourceError, match="is not there for ILP32"):
        statuses(tmp_path / "a.c", text, FrontendOptions(data_model="ILP32"))


SIZED = {
    "pthread_mutex_t": (40, 24),
    "pthread_cond_t": (48, 48),
    "pthread_rwlock_t": (56, 32),
    "pthread_barrier_t": (32, 20),
    "pthread_attr_t": (56, 36),
    "sem_t": (32, 16),
    "FILE": (216, 148),
    "size_t": (8, 4),
    "ssize_t": (8, 4),
    "ptrdiff_t": (8, 4),
    "int64_t": (8, 8),
    "intmax_t": (8, 8),
    "int_fast16_t": (8, 4),
    "time_t": (8, 4),
    "off_t": (8, 4),
    "dev_t": (8, 8),
    "wchar_t": (4, 4),
    "fpos_t": (16, 12),
    "cpu_set_t": (128, 128),
    "struct timespec": (16, 8),
    "atomic_intmax_t": (8, 8),
}
"""Types of the headers of glibc on x86, with 64 and with 32 bits."""


@pytest.mark.parametrize("model", DATA_MODELS)
def test_headers_have_the_types_of_the_data_model(tmp_path: Path, model: str) -> None:
    names = ["pthread", "semaphore", "stdio", "stddef", "stdint", "time", "unistd", "sched", "stdatomic", "limits"]
    sizes = {name: found[DATA_MODELS.index(model)] for name, found in SIZED.items()}
    included = "".join(f"#include <{name}.h>\n" for name in names)
    tested = "".join(f'_Static_assert(sizeof({name}) == {size}, "{name}");\n' for name, size in sizes.items())
    limits = (
        '_Static_assert(LONG_MAX >> 8 * (sizeof(long) - 1) == 127 && (size_t)-1 == SIZE_MAX && INTPTR_MAX > 0, "");'
    )
    text = f"#define _GNU_SOURCE\n{included}{tested}{limits}\nint main(void) {{ assert(1); return 0; }}\n"
    assert statuses(tmp_path / "a.c", text, FrontendOptions(data_model=model))


def test_conditions_on_the_width_of_words_are_those_of_the_data_model(tmp_path: Path) -> None:
    text = "#include <limits.h>\nint main(void) {\n#if __WORDSIZE == 64\nassert(sizeof(long) == 8);\n#else\n"
    for model in DATA_MODELS:
        found = statuses(
            tmp_path / "a.c", f"{text}assert(sizeof(long) == 4);\n#endif\n}}\n", FrontendOptions(data_model=model)
        )
        assert found == (Status.PROVED,)


def test_names_of_headers_that_are_not_there_have_the_types_of_the_data_model(tmp_path: Path) -> None:
    for model, size in zip(DATA_MODELS, (40, 24), strict=True):
        text = (
            f"pthread_mutex_t m; size_t n; int main(void) {{ assert(sizeof m == {size} && sizeof n == sizeof(long)); }}"
        )
        assert statuses(tmp_path / "a.c", text, FrontendOptions(data_model=model)) == (Status.PROVED,)
