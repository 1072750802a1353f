"""Unions and bytes of numbers in programs with threads: what is proved, and that defects would be noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import access
from duet.frontend.cells.bits import with_bits
from duet.frontend.cells.context import Context
from duet.frontend.cells.located import BitsAt
from duet.frontend.cells.overlaps import Overlaps
from duet.frontend.ctypes.values import Number
from tests.frontend.running import fails, statuses

SHARED = """
#include <assert.h>
#include <pthread.h>
union word { int all; unsigned char low; struct { short first, second; } half; };
union pair { int parts[2]; long both; } pairs[2]; struct row { int size; union pair at[2]; } rows[2];
union word w; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *other(void *unused) { pthread_mutex_lock(&m); CHANGE; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; w.all = 0x10002; pthread_create(&t, 0, other, 0);
pthread_mutex_lock(&m); assert(CHECK); pthread_mutex_unlock(&m); return 0; }
"""
TRUE = {
    "a byte of a half": ("w.low = 3", "w.half.first < 4"),
    "a half that is not written": ("w.half.first = 9", "w.half.second == 1"),
    "through a pointer": ("short *p = &w.half.second; *p = 5", "w.low == 2"),
}
FALSE = {
    "a byte of a half": ("w.low = 3", "w.half.first == 2"),
    "the other half": ("w.half.first = 9", "w.all == 0x10002"),
    "through a pointer": ("short *p = &w.half.second; *p = 5", "w.half.second == 1"),
    "a byte that an index chooses": ("((unsigned char *)&w)[w.low] = 5", "w.half.second == 1"),
    "another type": ("*(char *)&w.all = 5", "w.low == 2"),
    "bytes that are cleared": ("__builtin_memset(&w.half, 0, 2)", "w.half.first == 2"),
    "a part of a union that an index chooses": (
        "int i = w.half.second; pairs[i].parts[i] = 5",
        "pairs[1].both == 0",
    ),
    "a part of a union in a structure, all chosen": (
        "int i = w.half.second; rows[i].at[i].parts[i] = 5",
        "rows[1].at[1].both == 0",
    ),
    "a union that an index chooses, as another type": (
        "int i = w.half.second; *(short *)&pairs[i].parts[1] = 5",
        "pairs[1].both == 0",
    ),
    "a copy of another union": ("union word v; v.low = 1; v.half.second = 7; w = v", "w.half.second == 1"),
}


def program(change: str, check: str) -> str:
    return SHARED.replace("CHANGE", change).replace("CHECK", check)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name: str, tmp_path: Path) -> None:
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", program(*TRUE[name])))


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, tmp_path: Path) -> None:
    text, alone = program(*FALSE[name]), tmp_path / "alone.c"
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", text))
    alone.write_text(text.replace("pthread_create(&t, 0, other, 0)", "other(0)"), encoding="utf-8")
    assert fails(alone, "")


def _proved(tmp_path: Path) -> set[str]:
    return {name for name, it in FALSE.items() if any(s.is_safe for s in statuses(tmp_path / "a.c", program(*it)))}


def test_bits_that_are_not_put_in_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unchanged(ctx: Context, whole: Number, at: BitsAt, _: Number) -> Number:
        return with_bits(ctx, whole, at, whole)

    monkeypatch.setattr(access, "with_bits", unchanged)
    assert "a byte of a half" in _proved(tmp_path)


def test_a_union_that_nothing_clobbers_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Overlaps, "kept", lambda *_: [])
    assert "a byte that an index chooses" in _proved(tmp_path)


NESTED = """
#include <assert.h>
union word { int all; struct { short first, second; } half; };
struct { int size; struct { union word w; } inner[2]; } table = {1, {{{.half = {2, 1}}}}};
int main(void) { assert(table.inner[0].w.all == VALUE); return 0; }
"""


def test_unions_inside_are_found_in_initial_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = (NESTED.replace("VALUE", value) for value in ("0x10002", "0"))
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", right))
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", wrong))
    monkeypatch.setattr(Overlaps, "_has_union", lambda *_: False)
    assert any(status.is_safe for status in statuses(tmp_path / "a.c", wrong))
