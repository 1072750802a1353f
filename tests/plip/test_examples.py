"""The example programs are complete: readable, with a verdict for every check, and printed back unchanged."""

from __future__ import annotations

import pytest

from duet.plip.parser import parse_program
from duet.plip.printer import normal_form, print_program
from tests.plip.expectations import EXAMPLES, assert_true_of_analysis, assert_true_of_semantics, example

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.plip"))


@pytest.mark.parametrize("name", NAMES)
def test_example_reads_back(name: str) -> None:
    program = example(name).program
    assert parse_program(print_program(program)) == normal_form(program)


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_are_true(name: str) -> None:
    found = example(name)
    assert found.verdicts
    assert_true_of_semantics(found)
    assert_true_of_analysis(found)
    assert_true_of_analysis(found, refine=False)


def test_a_wrong_verdict_is_noticed() -> None:
    found = example("racy-counter")
    for check in found.verdicts:
        found.verdicts[check] = "SAFE"
    with pytest.raises(AssertionError):
        assert_true_of_semantics(found)
    with pytest.raises(AssertionError):
        assert_true_of_analysis(found)
