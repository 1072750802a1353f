"""Records are equal, have hashes and are copied as frozen dataclasses are."""

from __future__ import annotations

import pickle
from dataclasses import replace

from duet.plip.syntax import Linear
from duet.source import Span


def test_records_are_values() -> None:
    one, same = Linear((("x", 1),), 2), Linear((("x", 1),), 2)
    assert one == same
    assert len({one, same}) == 1
    assert replace(one, constant=3) != one
    assert Span("a.c", 1, 2) < Span("a.c", 2, 1)


def test_they_go_from_one_process_to_another() -> None:
    one = Linear((("x", 1),), 2)
    assert pickle.loads(pickle.dumps(one)) == one
