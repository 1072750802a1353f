"""Locals whose address is handed out later: the thread's own until then, and again once all that had it are joined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duet.frontend.cells import escapes, targets
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.origins import UNKNOWN_POINTER, Origins
from duet.frontend.ctypes.values import Object
from tests.frontend.running import statuses

START = "#include <assert.h>\n#include <pthread.h>\nint *seen; void *w(void *p) { if (seen) *seen = 5; return 0; }\n"
TRUE = {
    "before": "int x = 1; pthread_create(&t, 0, w, 0); x = 2; assert(x == 2); seen = &x;",
    "joined again": (
        "int x = 1; seen = &x; if (pthread_create(&t, 0, w, 0)) return 1; pthread_join(t, 0); x = 3; assert(x == 3);"
    ),
}
FALSE = {
    "behind": "int x = 1; pthread_create(&t, 0, w, 0); seen = &x; x = 2; assert(x == 2);",
    "through another pointer": "int x = 1, *p = &x; pthread_create(&t, 0, w, 0); seen = p; x = 2; assert(x == 2);",
    "in a structure": (
        "int x = 1; struct { int *of; } s = {&x}; pthread_create(&t, 0, w, 0); seen = s.of; x = 2; assert(x == 2);"
    ),
}


def program(body: str) -> str:
    return f"{START}int main(void) {{ pthread_t t; {body} return 0; }}\n"


@pytest.mark.parametrize("name", TRUE)
def test_what_is_a_threads_own_is_proved(name: str, tmp_path: Path) -> None:
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", program(TRUE[name])))


@pytest.mark.parametrize("name", FALSE)
def test_what_others_may_write_is_not(name: str, tmp_path: Path) -> None:
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", program(FALSE[name])))


def test_an_escape_that_is_noticed_too_late_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what others store through a pointer to a local of another thread is taken for untracked."""
    monkeypatch.setattr(escapes, "publish", lambda *_: None)
    monkeypatch.setattr(targets, "candidates", _own_only(targets.candidates))
    found = {name for name in FALSE if any(s.is_safe for s in statuses(tmp_path / "a.c", program(FALSE[name])))}
    assert "behind" in found


def _own_only(candidates: Callable[..., tuple[list[Object], Origins | None]]) -> object:
    def defect(ctx: Context, *given: object) -> tuple[list[Object], Origins | None]:
        found, elsewhere = candidates(ctx, *given)
        return [of for of in found if of.template in (None, ctx.thread.template)], elsewhere or UNKNOWN_POINTER

    return defect
