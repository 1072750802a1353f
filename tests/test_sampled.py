"""The table of tests that are sampled names tests that are there."""

from __future__ import annotations

from pathlib import Path

from tests.sampled import ONE_OF


def test_every_name_is_that_of_a_test() -> None:
    for name in ONE_OF:
        file, _, function = name.partition("::")
        assert f"def {function}(" in (Path(__file__).parent / file).read_text(), name
