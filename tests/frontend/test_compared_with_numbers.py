"""A number that is compared with a pointer, without a cast, becomes a pointer, as in GCC."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#include <sys/mman.h>
static char *none = (char *)-1, text[4]; static int minus = -1; static short small = -1; static unsigned all = -1;
int main(void) { char *p = text; void *m = mmap(0, 10, PROT_READ, MAP_PRIVATE, -1, 0); long here = (long)text;
"""
HOLD = ("none == -1", "none == minus", "small == none", "none != all", "none == (minus, -1L)", "p != -1", "none > 0u")
FAIL = (
    *("m != -1", "m != minus", "none != -1", "-1 != none", "none != minus", "none != small", "none == all"),
    *("none < all", "p > -1", "-1 < p", "p > minus", "p != here", "(p ? -1 : p) != none"),
)


@pytest.mark.parametrize("condition", [*HOLD, *FAIL])
def test_comparisons_with_numbers_are_those_of_gcc(condition: str, tmp_path: Path) -> None:
    source, text = tmp_path / "a.c", f"{START}assert({condition}); return 0; }}\n"
    assert are_proved(source, text, ("assertion",), "interval") == (condition in HOLD)
    assert fails(source, "") == (condition in FAIL)
