"""All that is known of the checks of one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.errors import UsageError
from duet.report.explained import MOST_STEPS, at, place, render
from duet.result import Run


@pytest.mark.parametrize(
    ("text", "found"), [("a.c:3", ("a.c", 3)), ("a.c:3:7", ("a.c", 3)), ("x:y.c:12", ("x:y.c", 12))]
)
def test_places(text: str, found: tuple[str, int]) -> None:
    assert place(text) == found


@pytest.mark.parametrize("text", ["a.c", "a.c:", ":3", "a.c:x"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        place(text)


def test_a_line_without_checks_names_the_nearest(example_run: Run) -> None:
    assert at(example_run, "driver.c", 16) == (1,)
    with pytest.raises(UsageError, match="nearest are in 15, 16, 17"):
        at(example_run, "driver.c", 2)
    with pytest.raises(UsageError, match=r"files with checks: driver\.c"):
        at(example_run, "other.c", 2)


def test_everything_is_told(example_run: Run) -> None:
    told = render(example_run, (1,))
    for part in ("driver.c:16:5: unproved: assertion in func2", "known here: 0 <= c <= 2", "rank:", "hangs on:"):
        assert part in told
    assert "c = 1 <= c <= 2: written at driver.c:8 (func1, another thread)" in told
    assert "func1: driver.c:8: c := c + 1" in told


def test_of_a_long_way_the_last_steps_are_told(example_run: Run) -> None:
    (at_flow, flow) = next((n, f) for n, f in enumerate(example_run.assertions[1].flows) if f.derivation)
    steps = tuple(replace(flow.derivation[0], line=number) for number in range(1, MOST_STEPS + 4))
    flows = list(example_run.assertions[1].flows)
    flows[at_flow] = replace(flow, derivation=steps)
    run = replace(example_run, assertions=(replace(example_run.assertions[1], flows=tuple(flows)),))
    told = render(run, (0,))
    assert "3 steps in front of these" in told
    assert ":3: " not in told
    assert ":4: " in told
    assert ":3: " in render(run, (0,), is_whole=True)
