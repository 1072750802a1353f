"""Samples of the annotated programs, as parameters of tests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from _pytest.mark import ParameterSet

from tests.c.annotations import HEAVY, AnnotatedProgram, name


def sample(programs: Sequence[AnnotatedProgram], every: int) -> list[ParameterSet]:
    """Programs as parameters; all but one of so many are slow, and so are the heavy ones."""
    return [
        pytest.param(one, id=name(one), marks=pytest.mark.slow if index % every or name(one) in HEAVY else ())
        for index, one in enumerate(programs)
    ]
