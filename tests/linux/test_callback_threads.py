"""What the kernel calls as one template (`duet.frontend.callbacks`): the same executions as with one for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duet.frontend import callbacks
from duet.frontend.cells.context import Context
from duet.frontend.program import Threads
from duet.frontend.source.nodes import Node
from duet.options import Budgets
from duet.plip.syntax import ANY_CALLBACK, Spawn
from tests.linux.kernel_tree import safe
from tests.linux.test_general import FAILS, driver

ONE = Budgets(callback_commands=0)
BESIDE = "two different callbacks beside each other"
MORE: Mapping[str, str] = {
    BESIDE: driver("level = 1; __VERIFIER_assert(level == 1); level = 0; return 0;", "level = 0;"),
    "locals of a callback that a shared body returns to": driver(
        "int before = shared(1); __VERIFIER_assert(before != 2); return before;",
        "level = shared(to);",
        more="static int shared(int with) { return with + 1; }\n",
    ),
    "a callback that only a callback hands over": driver(
        "g->holder->held = (void *)hidden; __VERIFIER_assert(level == 0); return 0;",
        "",
        more="static void later(void) { level = 1; }\n"
        "static void hidden(void) { gadget.holder->held = (void *)later; }\n",
    ),
    "a body that cannot be parsed": driver("__VERIFIER_assert(level == 0); return 0;", "level = ;"),
}
HOLDS: Mapping[str, str] = {
    "nobody writes it": driver("__VERIFIER_assert(level == 0); return 0;", "to = 1;"),
    "locals": driver("int own = 3; own += 1; __VERIFIER_assert(own == 4); return 0;", "to += 2;"),
    "under a lock": driver(
        "spin_lock(&lock); level = 1; __VERIFIER_assert(level == 1); level = 0; spin_unlock(&lock); return 0;",
        "spin_lock(&lock); level = 2; level = 0; spin_unlock(&lock);",
        more="#include <linux/spinlock.h>\nstatic DEFINE_SPINLOCK(lock);\n",
    ),
}


@pytest.mark.parametrize("name", [*FAILS, *MORE])
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(safe(tmp_path, {**FAILS, **MORE}[name], budgets=ONE))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(tmp_path: Path, name: str) -> None:
    assert all(safe(tmp_path, HOLDS[name], budgets=ONE))


def _forgets(ctx: Context, function: str) -> None:
    """A function that is found is not among those that are called."""


def _once(patch: pytest.MonkeyPatch) -> None:
    """Seeds the defect that one thread calls one function, once."""
    started = Threads.run_beside

    def run_beside(threads: Threads, ctx: Context, function: str, node: Node) -> Spawn | None:
        is_first = ANY_CALLBACK not in threads.beside
        command = started(threads, ctx, function, node)
        if command is not None and is_first and not ctx.is_silent:
            ctx.builder.emit(command)
        return None

    patch.setattr(Threads, "run_beside", run_beside)


Defect = Callable[[pytest.MonkeyPatch], None]
DEFECTS: Mapping[str, tuple[Defect, str]] = {
    "found functions are forgotten": (lambda patch: patch.setattr(callbacks, "note", _forgets), "another callback"),
    "one thread for all of them": (_once, BESIDE),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, shown = DEFECTS[name]
    seed(monkeypatch)
    assert all(safe(tmp_path, {**FAILS, **MORE}[shown], budgets=ONE))
