"""C23: what it adds is understood as it says, or refused with a place; older standards stay what they were."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.errors import SourceError
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import TOOLS, preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Status

INSTALLED = tuple(tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool))
START = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N __VERIFIER_nondet_int()
#define claim(e) if (N) assert(e)
"""
"""What follows a claim does not rely on it."""
RUN = """
#include <stdio.h>
int __VERIFIER_nondet_int(void) { return 7; }
static int failed, claimed;
#define N __VERIFIER_nondet_int()
#define claim(e) (failed += !(e), claimed++)
"""
WRONG = {
    "separators between digits": """
        #define FIRST(a, b) a
        int main(void) { claim(1'000'000 == 1000); claim(0xff'ff != 65535); claim(0b101 != 5); claim(0B1'1 != 3);
            claim(FIRST(1'0, 2'0) != 10); claim(01'7 != 15); }
    """,
    "constants of several characters": """
        int main(void) { claim('ab' != 24930); claim('a' != 97); }
    """,
    "attributes": """
        [[nodiscard]] int f(void) { return 1; }
        struct [[deprecated]] S { int a [[maybe_unused]]; };
        int main(void) { [[maybe_unused]] int x = f();
            switch (x) { case 1: x = 3; [[fallthrough]]; case 2: x++; }
            claim(x != 4); }
    """,
    "characters of UTF-8": """
        int main(void) { claim(u8'a' != 97); claim(sizeof(u8'a') == 4);
            claim(_Generic(u8'a', unsigned char: 0, default: 1)); }
    """,
    "empty initialisers": """
        struct S { int a, b; };
        int main(void) { struct S s = {}; int a[3] = {}; claim(s.b); claim(a[2]); }
    """,
    "parameters without names": """
        int f(int, int b) { return b; }
        int main(void) { claim(f(1, 2) == 1); }
    """,
    "labels before declarations and at the end of blocks": """
        int main(void) { int x = 1; { goto end; x = 2; end: }
            claim(x != 1); switch (x) { case 1: } again: int y = 3; claim(y != 3); }
    """,
    "conditions": """
        #define X
        #ifdef Y
        int v = 1;
        #elifdef X
        int v = 2;
        #else
        int v = 3;
        #endif
        #ifdef Y
        #elifndef Q
        int w = 1;
        #else
        int w = 2;
        #endif
        int main(void) { claim(v != 2); claim(w != 1); }
    """,
    "optional arguments of macros": """
        #define F(a, ...) (a __VA_OPT__(+) __VA_ARGS__)
        int main(void) { claim(F(1) != 1); claim(F(1, 2) != 3); }
    """,
}
"""Programs that the oldest compiler with a mode for C23 understands: each claim fails when it is run."""
WRONG_IN_C23 = {
    "types from initialisers": """
        auto g = 5ul;
        int main(void) { int y[3]; auto x = 5u; auto p = &y; const auto k = 7l; static auto s = 3ull; auto c = 'a';
            claim(x - 6 < 0); claim(sizeof *p == 4); claim(sizeof g == 4); claim(sizeof k == 4); claim(sizeof s == 4);
            claim(sizeof c == 1); auto a = y; claim(sizeof a == 12); auto f = 1.5f; claim(sizeof f == 8);
            for (auto i = 0u; i < 1; i++) claim(i - 1 < 0); auto t = (short)1; claim(sizeof t == 4); }
    """,
    "atomic initialisers": """
        _Atomic unsigned a = 1;
        int main(void) { auto x = a; claim(x - 2 < 0); }
    """,
    "words": """
        int main(void) { bool b = true; claim(sizeof(true) == 4); claim(b == false); claim(sizeof(bool) != 1);
            claim(_Generic(true, int: 1, bool: 0)); claim(!_Generic(false, int: 0, bool: 1)); bool c = 2; claim(c != 1);
            claim(alignof(long) != 8); alignas(16) int z = 0; claim(z); }
    """,
    "words are no macros": """
        #if defined bool || defined true || defined nullptr || defined static_assert || defined thread_local
        #define FOUND 1
        #else
        #define FOUND 0
        #endif
        int main(void) { claim(FOUND); claim(__STDC_VERSION__ < 202311L); }
    """,
    "null pointers": """
        #include <stddef.h>
        int main(void) { int *p = nullptr; claim(p != 0); nullptr_t n = nullptr; claim(n != 0); claim(nullptr); }
    """,
    "types of other expressions": """
        int main(void) { const unsigned x = 5; typeof(x) y = 6; typeof_unqual(x) z = 3; z = 4;
            claim(y - 7 < 0); claim(z - 5 < 0); }
    """,
    "strings of UTF-8": """
        int main(void) { claim(_Generic(u8"a"[0], unsigned char: 0, default: 1)); claim(u8"\\xff"[0] < 0);
            claim("a" u8"\\xff"[1] < 0); }
    """,
    "enumerations with a type": """
        enum E : unsigned char { A, B = 255 };
        enum F : long long { Z = 1 };
        enum G : bool { T = 1 };
        int main(void) { enum E e = 256; enum F : long long f; enum G g = 2;
            claim(e == 256); claim(sizeof(e) != 1); claim(sizeof Z != 8); claim(sizeof f != 8); claim(g != 1); }
    """,
    "wide enumerations": """
        enum { H = 0x100000000LL, L = 1 };
        int main(void) { claim(sizeof L == 4); claim(sizeof H == 4); }
    """,
    "constants": """
        constexpr unsigned U = 5;
        int main(void) { constexpr int k = 4; int a[k]; claim(sizeof a != 16); claim(k != 4); claim(U - 6 < 0);
            constexpr auto w = 7ul; claim(sizeof w == 4); static constexpr int s = 2; claim(s != 2); }
    """,
    "assertions without a message": """
        static_assert(sizeof(int) == 4);
        struct S { int a; static_assert(sizeof(char) == 1); };
        int main(void) { static_assert(1); claim(sizeof(struct S) != 4); }
    """,
    "variable arguments alone": """
        int f(...) { return 2; }
        int main(void) { claim(f(1) != 2); }
    """,
    "thread-local variables": """
        thread_local int t = 3;
        int main(void) { claim(t != 3); }
    """,
}
"""Programs that compilers understand from GCC 13 on; what they do is said by the standard."""
RIGHT_IN_C23 = """
    auto g = 5ul;
    enum E : unsigned char { A, B = 255 };
    enum { H = 0x100000000LL, L = 1 };
    int main(void) { auto x = 5u; auto p = &x; bool b = true; int *q = nullptr; enum E e = 256; typeof(x) y = 1'000;
        constexpr int k = 4; int a[k] = {};
        claim(x - 6 > 0 && *p == 5 && sizeof g == 8 && sizeof true == 1 && b && q == 0 && e == 0 && y == 1000);
        claim(sizeof L == 8 && sizeof u8'a' == 1 && sizeof a == 16 && a[3] == 0); }
"""
OLDER = {
    "auto is a storage class": """
        int main(void) { auto x = 5u; auto int y = 2; claim(x - 6 > 0); claim(y != 2); claim(sizeof x != 4); }
    """,
    "types from initialisers in GNU C": """
        _Atomic unsigned a = 1;
        int main(void) { __auto_type x = 5u; __auto_type y = a; claim(x - 6 < 0); claim(y - 2 < 0); }
    """,
    "words are names": """
        enum { false, true = 5 };
        int main(void) { int bool = true; claim(bool == 1); int nullptr = 1; claim(!nullptr); }
    """,
    "strings of UTF-8 are of char": """
        int main(void) { claim(!_Generic(u8"a"[0], char: 1, default: 0)); claim(u8"\\xff"[0] > 0); }
    """,
    "enumerators keep int": """
        enum { H = 0x100000000LL, L = 1 };
        int main(void) { claim(sizeof L == 8); }
    """,
}
REFUSED = [
    ("int main(void) { _BitInt(7) x = 100; }", "c23", "BitInt"),
    ("int main(void) { return 3wb; }", "c23", "_BitInt"),
    ("int main(void) { return 1.0dd > 0; }", "c23", "_Decimal64"),
    ("_Decimal32 d; int main(void) { }", "c23", "unexpected|_Decimal32"),
    ("int main(void) { int *p = (static int[]){1, 2}; return *p; }", "c23", "storage class"),
    ("struct { int b : 5; } s; int main(void) { auto x = s.b; }", "c23", "bit-field"),
    ("struct { unsigned b : 1; } s; int main(void) { auto x = s.b; }", "c23", "bit-field"),
    ("int main(void) { auto x = 1, y = 2.0; }", "c23", "unexpected"),
    ("int main(void) { auto x; }", "c23", "unexpected"),
    ("int main(void) { auto *p = (int *)0; }", "c23", "plain identifier|unexpected"),
    ("static x;", "c23", "issing type|unexpected"),
    ("enum E : unsigned char { A = 256 };", "c23", "outside of the type"),
    ("static_assert(sizeof(int) == 8);", "c23", "static assertion failed"),
    ('struct S { int a; _Static_assert(sizeof(int) == 8, "no"); };', "c11", 'static assertion failed: "no"'),
    ('int main(void) { _Static_assert(0, "no"); }', "c11", "static assertion failed"),
    ("int main(void) { return 1'000; }", "c17", "C23"),
    ("int main(void) { return u8'a'; }", "c17", "C23"),
    ("enum E : int { A };", "c17", "C23"),
    ("int f(...);", "c17", "C23"),
    ('char a[] = {\n#embed "a.c"\n};', "c23", "embed"),
]


def options(standard: str) -> FrontendOptions:
    return FrontendOptions(std=standard)


def statuses(tmp_path: Path, text: str, standard: str, tool: str | None = None) -> tuple[Status, ...]:
    file = tmp_path / "a.c"
    file.write_text(START + text + "\n")
    given = options(standard)
    program = lower(parse(preprocess(str(file), given, tool).text, str(file), given), given).program
    return tuple(analyse(program, AnalysisOptions()).statuses)


def run(tmp_path: Path, text: str, standard: str) -> tuple[int, int]:
    """How many claims of a program fail when it is run, and how many there are; skips where it cannot be compiled."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("what the program does is not checked: gcc is not installed")
    file, program = tmp_path / "run.c", tmp_path / "run"
    body = text.rstrip().removesuffix("}") + ' printf("%d %d", failed, claimed); return 0; }\n'
    file.write_text(RUN + body)
    command = [compiler, f"-std={standard}", "-w", "-O0", str(file), "-o", str(program)]
    subprocess.run(command, check=True, capture_output=True)
    failed, claimed = subprocess.run([str(program)], capture_output=True, check=True, text=True).stdout.split()
    return int(failed), int(claimed)


def knows_c23() -> bool:
    """Whether there is a compiler that has the keywords of C23."""
    compiler = shutil.which("gcc")
    command = [compiler or "", "-std=gnu2x", "-fsyntax-only", "-x", "c", "-"]
    return compiler is not None and not subprocess.run(command, input=b"auto x = 1u;", capture_output=True).returncode


@pytest.mark.parametrize("name", WRONG)
def test_what_fails_is_not_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = run(tmp_path, WRONG[name], "gnu2x")
    assert failed == claimed > 0
    found = statuses(tmp_path, WRONG[name], "gnu23")
    assert len(found) >= claimed
    assert not any(status.is_safe for status in found)


@pytest.mark.parametrize("name", WRONG_IN_C23)
def test_what_fails_in_c23_is_not_proved(tmp_path: Path, name: str) -> None:
    if knows_c23():
        failed, claimed = run(tmp_path, WRONG_IN_C23[name], "gnu2x")
        assert failed == claimed > 0
    assert not any(status.is_safe for status in statuses(tmp_path, WRONG_IN_C23[name], "gnu23"))


def test_what_c23_says_is_proved(tmp_path: Path) -> None:
    assert all(status.is_safe for status in statuses(tmp_path, RIGHT_IN_C23, "c23"))


@pytest.mark.parametrize("name", OLDER)
def test_what_fails_in_older_standards_is_not_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = run(tmp_path, OLDER[name], "gnu17")
    found = statuses(tmp_path, OLDER[name], "gnu17")
    assert len(found) == claimed
    assert sum(not status.is_safe for status in found) >= failed > 0
    assert failed == claimed or name == "auto is a storage class"


def test_int_that_is_left_out_is_told() -> None:
    parsed = parse("int main(void) { auto x = 5u; return x; }", "a.c", options("gnu17"))
    assert [warning.code for warning in parsed.warnings] == ["implicit-int"]


@pytest.mark.parametrize(("text", "standard", "message"), REFUSED)
def test_what_is_refused_has_a_place(tmp_path: Path, text: str, standard: str, message: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(text + "\n")
    given = options(standard)
    try:
        found = lower(parse(preprocess(str(file), given).text, str(file), given), given).warnings
        said = [(item.message, item.file, item.column) for item in found if item.code == "not-understood"]
    except SourceError as error:
        said = [(error.message, error.span.file, error.span.column)] if error.span else []
    (only,) = said
    assert re.search(message, only[0])
    assert only[1] == str(file)
    assert only[2] > 0


@pytest.mark.parametrize("tool", INSTALLED)
@pytest.mark.parametrize("name", ["separators between digits", "conditions", "optional arguments of macros"])
def test_every_preprocessor_knows_c23_or_says_so(tmp_path: Path, tool: str, name: str) -> None:
    if tool == "pcpp":
        with pytest.raises(SourceError, match=r"a\.c:\d+:\d+: error: .* needs gcc"):
            statuses(tmp_path, WRONG[name], "gnu23", tool)
    else:
        assert not any(status.is_safe for status in statuses(tmp_path, WRONG[name], "gnu23", tool))
