"""How often cycles of objects are looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from duet.clock import Clock
from duet.errors import SourceError
from duet.garbage import HARDLY, RARELY, collected_rarely
from duet.options import FrontendOptions
from duet.reading import read


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    """The thresholds that Python begins with; tests have others."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_what_was_set_is_set_again() -> None:
    before = gc.get_threshold()
    assert before != RARELY
    with collected_rarely():
        assert gc.get_threshold() == RARELY
        with collected_rarely():
            assert gc.get_threshold() == RARELY
        assert gc.get_threshold() == RARELY
        with collected_rarely(HARDLY):
            assert gc.get_threshold() == HARDLY
        assert gc.get_threshold() == RARELY
    assert gc.get_threshold() == before


def test_also_after_an_error() -> None:
    before = gc.get_threshold()
    with pytest.raises(SourceError):
        read(("there is no such file.c",), FrontendOptions(), Clock())
    assert gc.get_threshold() == before
