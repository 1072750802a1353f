"""What types, sizes, literals and initialisers mean: what fails when run is never proved, what is exact is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.loop import analyse
from duet.frontend.lower import lower
from duet.frontend.parse import parse
from duet.frontend.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Status

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
"""For the run: claims are counted, and main ends by printing the counts."""
POINT = """
struct P { int x, y; };
struct R { struct P p; int z; };
"""
WRONG = {
    "override of a range by no constant": """
        int main(void) { int n = N, a[4] = {[0 ... 3] = 1, [2] = n}; claim(a[2] == 1); }
    """,
    "override of a member by no constant": """
        int main(void) { int n = N; struct { int x; } s = {.x = 1, .x = n}; claim(s.x == 1); }
    """,
    "override in a compound literal": """
        int main(void) { int n = N, *p = (int[2]){[0] = 3, [0] = n}; claim(p[0] == 3); }
    """,
    "override of a static structure": """
        struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}};
        int main(void) { claim(a[1].x == 1); }
    """,
    "override of a local structure": """
        int main(void) {
            int n = N;
            struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}}, b[2] = {[0 ... 1] = {n, n}, [1] = {.y = 7}};
            claim(a[1].x == 1); claim(b[1].x == n); }
    """,
    "override of a string": """
        char g[2][4] = {[0 ... 1] = "abc", [1] = "x"};
        int main(void) {
            char s[2][4] = {[0 ... 1] = "abc", [1] = "x"};
            claim(g[1][2] == 'c'); claim(s[1][2] == 'c'); }
    """,
    "override in a whole structure": """
        struct R g = {.p = (struct P){1, 2}, .p.x = 3};
        int main(void) {
            struct P q = {10, 20};
            struct R r = {.p = q, .p.x = 1}, s = {.p = (struct P){1, 2}, .p.x = 3};
            claim(r.p.x == 10); claim(r.p.y == 20); claim(s.p.y == 2); claim(g.p.y == 0); claim(g.p.x == 1); }
    """,
    "overridden effects": """
        int main(void) { int k = 0, a[1] = {[0] = ++k, [0] = 2}; (void)a; claim(k == 1); }
    """,
    # WRONG
}
RIGHT = {
    "overrides": """
        struct P a[3] = {[0 ... 2] = {1, 2}, [1] = {.y = 7}};
        struct R g = {.p = (struct P){1, 2}, .z = 5};
        int main(void) {
            int n = N, b[4] = {[0 ... 3] = 1, [2] = n}, c[2] = {[0] = n, [0] = 3};
            struct R r = {.p = {n, n}, .p = {.y = 4}, .z = n}, s = {.p = (struct P){1, n}};
            claim(b[2] == n && b[3] == 1 && c[0] == 3 && c[1] == 0);
            claim(r.p.x == 0 && r.p.y == 4 && r.z == n && s.p.x == 1 && s.p.y == n && s.z == 0);
            claim(a[0].x == 1 && a[1].x == 0 && a[1].y == 7 && a[2].y == 2 && g.p.y == 2 && g.z == 5); }
    """,
    # RIGHT
}


def _statuses(tmp_path: Path, text: str) -> tuple[Status, ...]:
    file = tmp_path / "a.c"
    file.write_text(START + POINT + text + "\n")
    options = FrontendOptions()
    program = lower(parse(preprocess(str(file), options).text, str(file), options), options).program
    return tuple(analyse(program, AnalysisOptions()).statuses)


def _run(tmp_path: Path, text: str) -> tuple[int, int]:
    """How many claims of a program fail when it is run, and how many there are."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("what the program does is not checked: gcc is not installed")
    file, program = tmp_path / "run.c", tmp_path / "run"
    body = text.rstrip().removesuffix("}") + ' printf("%d %d", failed, claimed); return 0; }\n'
    file.write_text(RUN + POINT + body)
    subprocess.run([compiler, "-w", "-O0", "-fwrapv", "-pthread", str(file), "-o", str(program)], check=True)
    failed, claimed = subprocess.run([str(program)], capture_output=True, check=True, text=True).stdout.split()
    return int(failed), int(claimed)


@pytest.mark.parametrize("name", WRONG)
def test_what_fails_is_not_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = _run(tmp_path, WRONG[name])
    assert failed == claimed > 0
    assert not any(status.is_safe for status in _statuses(tmp_path, WRONG[name]))


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_exact_is_proved(tmp_path: Path, name: str) -> None:
    failed, claimed = _run(tmp_path, RIGHT[name])
    assert failed == 0 < claimed
    statuses = _statuses(tmp_path, RIGHT[name])
    assert statuses
    assert all(status.is_safe for status in statuses)
