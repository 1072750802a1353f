"""Names with letters that are not ASCII, however these are written, as GCC has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#define größe(x) (sizeof(x))
enum { erste = 1, été, \\u00e9t\\U000000e9s };
struct naïve { int π; char μ[3]; } one = {3, "ab"};
static int x\\u00e9 = 4, xu00e9 = 5, U000000e9 = 6, é = 7;
"""
HOLD = (
    "one.π == 3 && one.\\u03c0 == 3",
    "été == 2 && étés == 3",
    "xé == 4 && xu00e9 == 5",
    "U000000e9 == 6 && \\u00E9 == 7",
    "größe(one.μ) == 3",
    '"é"[0] == \'\\303\' && sizeof("\\u00e9") == 3',
)
FAIL = ("xé == 5", "U000000e9 == é", "one.π == 4")


@pytest.mark.parametrize("condition", [*HOLD, *FAIL])
def test_names_are_one_however_they_are_written(condition: str, tmp_path: Path) -> None:
    source, text = tmp_path / "a.c", f"{START}int main(void) {{ assert({condition}); return 0; }}\n"
    assert are_proved(source, text, ("assertion",), "interval") == (condition in HOLD)
    assert fails(source, "") == (condition in FAIL)
