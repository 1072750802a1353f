"""The engines under test: all of them, with those that are absent skipped visibly."""

from __future__ import annotations

import pytest

from datalog.engine import Engine, EngineFailure
from datalog.registry import NAMES, choose

ALL = NAMES


def engine_or_skip(name: str) -> Engine:
    """The engine of that name, or a skipped test that says why."""
    try:
        return choose(name)
    except EngineFailure as failure:
        pytest.skip(failure.message)
