"""What a configuration has to work with."""

from __future__ import annotations

import pytest

from domains.registry import available
from duet.coarsen.resources import choose_domain, choose_engine
from duet.deadline import Deadline, OutOfTime
from duet.errors import EngineError, UsageError
from tests.coarsen.fixpoints import resources


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_engine("bitset").name == "bitset"
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError, match="souffle"):
        choose_engine("souffle")


def test_domains_by_name_and_library() -> None:
    assert choose_domain("octagon", "own") is not None
    (apron,) = (library for library in available() if library.name == "apron")
    if apron.version is not None:
        assert choose_domain("octagon", "apron") is not None
    else:
        with pytest.raises(UsageError, match="error: "):
            choose_domain("octagon", "apron")


def test_only_the_deadline_changes() -> None:
    before = resources()
    after = before.until(Deadline.after(0))
    assert (after.engine, after.clock, after.everywhere) == (before.engine, before.clock, before.everywhere)
    with pytest.raises(OutOfTime):
        after.deadline.check()
    before.deadline.check()
