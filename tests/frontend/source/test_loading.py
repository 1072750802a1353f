"""Which function an attribute means that the loader looks at."""

from __future__ import annotations

import pytest

from duet.frontend.source.gnu import rewrite
from duet.frontend.source.loaded import LAST_PRIORITY, Loaded

BEFORE = Loaded("f", True, LAST_PRIORITY)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static void __attribute__((constructor)) f(void) { }", BEFORE),
        ("int g(void) { return 0; } __attribute__((used, __constructor__)) static void f(void) { }", BEFORE),
        ("void f(void) __attribute__((constructor())), *p;", None),
        ("struct s { int x; } *f(void) __attribute__((unused)) __attribute__((constructor));", BEFORE),
        ("[[gnu::constructor(101)]] static void f(void) { }", Loaded("f", True, 101)),
        ("typeof(1) f(void) __attribute__((destructor(65000)));", Loaded("f", False, 65000)),
        ("int f(void (*g)(void) __attribute__((constructor)));", None),
        ("type f __attribute__((constructor));", None),
        ("void (*f(void))(void) __attribute__((constructor));", None),
        ("struct __attribute__((constructor)) s f(void);", None),
        ("void f(void) { void g(void) __attribute__((constructor)); }", None),
        ("void f(void) __attribute__((annotate(constructor)));", None),
        ("void f(void) __attribute__((constructor(1000 + (2) - 901)));", Loaded("f", True, 101)),
        ("void f(void) __attribute__((constructor(((101)))));", Loaded("f", True, 101)),
        ("void f(void) __attribute__((constructor(100 * 2)));", None),
        ("void f(void) __attribute__((constructor(200 - (50 - 40))));", None),
        ("void f(void) __attribute__((constructor(0100 + 1)));", None),
        ("void f(void) __attribute__((constructor(65000 + 1000)));", None),
        ("void f(void) __attribute__((constructor(FIRST + 1)));", None),
    ],
)
def test_one_plain_function_is_told_or_the_attribute_is_refused(source: str, expected: Loaded | None) -> None:
    found = rewrite(f"int before;\n{source}\nint behind;\n", "a.c", is_c23=True)
    assert list(found.loaded) == ([expected] if expected else [])
    assert bool(found.refusals) == (expected is None)
