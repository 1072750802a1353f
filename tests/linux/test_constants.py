"""Constants of a driver: what is stored by a pointer of which nothing is known is not stored there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import gate, size
from duet.frontend.cells.context import Context
from tests.linux.kernel_tree import safe

DRIVER = """
#include <linux/module.h>
#include <linux/gadget.h>
struct limits { int low, high; };
@DECLARED@
static const int *kept = &limits.low;
static void raise(struct gadget *g, unsigned int to) { @LEVEL@ }
static int start(struct gadget *g) { @START@ return 0; }
static const struct gadget_ops ops = { .start = start, .level = raise };
static struct gadget gadget = { .name = "g", .ops = &ops };
static int __init loading(void) { return gadget_register(&gadget); }
module_init(loading);
MODULE_LICENSE("GPL");
"""
CONSTANT, VARIABLE = "static const struct limits limits = { 1, 2 };", "static struct limits limits = { 1, 2 };"
STORE = "g->holder->held->a = 9;"
CHECK = "__VERIFIER_assert(limits.low == 1);"
HANDED = "extern struct gadget *made_of(const struct limits *limits); struct gadget *made = made_of(&limits);"
READ = "const struct limits *read = &limits; __VERIFIER_assert(read->low == 1);"
GIVEN_BACK = "if (made) { made->count = 9; *(int *)made = 9; }"
FAILS: Mapping[str, tuple[str, str, str]] = {
    "a variable": (VARIABLE, CHECK, "kept = (int *)g->data; " + STORE),
    "a pointer that leads there": (CONSTANT, "", f"*(int *)kept = 3; {CHECK}"),
    "a pointer that may lead there": (CONSTANT, CHECK, "*(int *)(to ? kept : (int *)g->data) = 3;"),
    "a variable that the kernel gives back": (VARIABLE, HANDED + GIVEN_BACK + READ, ""),
    "another value": (CONSTANT, "__VERIFIER_assert(limits.low == 2);", STORE),
}


def is_proved(directory: Path, found: tuple[str, str, str]) -> bool:
    declared, start, level = found
    text = DRIVER.replace("@DECLARED@", declared).replace("@START@", start).replace("@LEVEL@", level)
    return all(safe(directory, text))


@pytest.mark.parametrize("is_large", [False, True])
def test_a_constant_stays_what_it_is(tmp_path: Path, is_large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_large:
        monkeypatch.setattr(size, "is_large", lambda _: True)
    assert is_proved(tmp_path, (CONSTANT, CHECK, STORE))


def test_a_constant_that_the_kernel_gives_back_stays_what_it_is(tmp_path: Path) -> None:
    assert is_proved(tmp_path, (CONSTANT, HANDED + GIVEN_BACK + READ, ""))


@pytest.mark.parametrize("name", FAILS)
def test_what_may_change_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not is_proved(tmp_path, FAILS[name])


def _all(ctx: Context, *_: object) -> bool:
    """Everything is a constant."""
    return ctx.options.model == "linux"


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "is_protected", _all)
    assert is_proved(tmp_path, FAILS["a pointer that may lead there"])
