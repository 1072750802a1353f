"""Colours and progress: only where they are wanted."""

from __future__ import annotations

import io

import pytest

from duet.terminal import wants_colour, wants_progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "on_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_colours(environment: dict[str, str], on_terminal: bool, elsewhere: bool) -> None:
    assert wants_colour(_Terminal(), environment) is on_terminal
    assert wants_colour(io.StringIO(), environment) is elsewhere


def test_progress_needs_a_terminal_that_can_go_back() -> None:
    assert wants_progress(_Terminal(), {"TERM": "xterm"})
    assert not wants_progress(_Terminal(), {"TERM": "dumb"})
    assert not wants_progress(io.StringIO(), {})
