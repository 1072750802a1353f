"""A write through a pointer of which nothing is known changes no constant of static storage (C11 6.7.3p6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import gate, targets
from duet.options import Budgets, FrontendOptions
from duet.result import Status
from tests.frontend.bodies import decided
from tests.frontend.running import statuses

START = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long word;
struct operations { int level; void (*set)(int); };
int done, word_of;
void set(int level) { done = level; }
void other(int level) { done = -1; }
const struct operations fixed = {1, set}, *which = &fixed;
struct operations loose = {1, set}, *open = &loose;
static const int table[] = {1, 2, 3};
int x = 1, *const mine = &x;
word token;
int main(int count, char **arguments) {
  token = (word)open ^ (word)which ^ (word)table ^ (word)&mine;
  struct operations *far = (struct operations *)strtoul(arguments[1], 0, 10);
"""
TRUE = {
    "a member": "far->level = 2; assert(fixed.level == 1);",
    "a function": "far->set = other; fixed.set(7); assert(done == 7);",
    "behind a pointer": "far->set = other; which->set(7); assert(done == 7);",
    "a table": "far->level = 9; assert(table[count > 3] <= 2);",
    "a pointer": "far->set = other; assert(mine == &x);",
    "bytes": "memset(far, 7, sizeof *far); assert(fixed.level == 1);",
}
FALSE = {
    "a variable": "far->level = 2; assert(loose.level == 1);",
    "a function of a variable": "far->set = other; loose.set(7); assert(done == 7);",
    "through the pointer itself": "far->level = 2; assert(far->level == 1);",
    "a pointer that is known to lead there": "((struct operations *)which)->level = 2; assert(fixed.level == 1);",
    "a constant of the block": "const int own = 1; token = (word)&own; far->level = 2; assert(own == 1);",
    "bytes of a variable": "memset(far, 7, sizeof *far); assert(loose.level == 1);",
    "another value": "far->level = 2; assert(fixed.level == 2);",
}


def is_proved(folder: Path, body: str, is_large: bool) -> bool:
    """Whether the check of a program holds; the pointer `far` leads anywhere."""
    options = FrontendOptions(budgets=Budgets(program_commands=-1) if is_large else Budgets())
    return set(statuses(folder / "a.c", f"{START}{body} return 0; }}", options)) == {Status.PROVED}


@pytest.mark.parametrize("is_large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("name", TRUE)
def test_a_constant_stays_what_it_is(tmp_path: Path, name: str, is_large: bool) -> None:
    assert is_proved(tmp_path, TRUE[name], is_large)


@pytest.mark.parametrize("is_large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("name", FALSE)
def test_what_may_change_is_not_proved(tmp_path: Path, name: str, is_large: bool) -> None:
    assert not is_proved(tmp_path, FALSE[name], is_large)


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (gate, targets):
        monkeypatch.setattr(module, "is_protected", lambda *_: True)
    assert is_proved(tmp_path, FALSE["a variable"], True)


def test_what_hardware_changes_is_no_constant() -> None:
    found = decided("extern const volatile int clock; void assert(int);", "assert(clock == clock);", "assertion")
    assert [check.is_safe for check in found] == [False]
