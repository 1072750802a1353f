"""What arithmetic leaves of a number that may be an address: a mask bounds it, whatever address that was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import convert
from tests.frontend import running

PROGRAM = """
#include <stdint.h>
extern void *get(void);
int table[64], x;
int main(void) { @; return 0; }
"""
PROVED: Mapping[str, str] = {
    "a part that is masked, and a number": "table[((uintptr_t)&x & 31) + 5] = 1",
    "a part of an unknown address": "table[((uintptr_t)get() & 31) + 5] = 1",
    "a rest": "table[((uintptr_t)&x % 61) + 3] = 1",
    "a bit that is chosen by a part": "table[(1ul << ((uintptr_t)get() & 3)) + 50] = 1",
}
OPEN: Mapping[str, str] = {
    "a part that may be too large": "table[((uintptr_t)&x & 63) + 1] = 1",
    "the upper bits": "table[((uintptr_t)&x >> 58) + 1] = 1",
    "whether an address is aligned": "if (((uintptr_t)&x & 3) + 1 == 1) table[64] = 1",
    "whether an address is not aligned": "if (((uintptr_t)&x & 3) + 1 != 1) table[64] = 1",
    "an address that is not masked": "if ((uintptr_t)&x + 1 == (1ul << 40) + 9) table[64] = 1",
}


def are_proved(directory: Path, body: str) -> bool:
    """Whether all accesses of a program stay inside of their objects, and all shifts are defined."""
    text = PROGRAM.replace("@", body)
    return running.are_proved(directory / "program.c", text, ("array-bounds", "overflow"), "interval")


@pytest.mark.parametrize("name", PROVED)
def test_a_mask_bounds_what_is_left(tmp_path: Path, name: str) -> None:
    assert are_proved(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_nothing_else_is_known_of_an_address(tmp_path: Path, name: str) -> None:
    assert not are_proved(tmp_path, OPEN[name])


def test_a_defect_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "PAGE", 1 << 64)
    assert are_proved(tmp_path, OPEN["an address that is not masked"])
