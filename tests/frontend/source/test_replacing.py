"""What the overlay defines in the place of the kernel's headers, and what is left of it."""

from __future__ import annotations

from duet.frontend.source.items import items
from duet.frontend.source.replacing import replaced

HEADERS = """# 1 "/overlay/clock.h"
static inline void set(int x) { modelled(x); }
# 1 "/kernel/clock.h"
static inline void set(int x) { real(x); }
# 1 "user.c"
"""


def _text(user: str) -> str:
    found = items(HEADERS + user, "user.c")
    return "".join(
        item.text for item in replaced(list(found), lambda n: n.startswith("/overlay"), lambda n: n.startswith("/"))
    )


def test_a_function_of_the_overlay_stands_for_that_of_the_kernel() -> None:
    text = _text("void use(void) { set(1); }\n")
    assert "modelled(x)" in text
    assert "real(x)" not in text


def test_a_function_that_the_user_defines_stands_for_both() -> None:
    text = _text("void set(int x) { own(x); }\n")
    assert "own(x)" in text
    assert "modelled(x)" not in text
