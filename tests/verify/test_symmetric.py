"""The 14 programs of symmetry-aware predicate abstraction, for any number of threads: safe ones proved, others refuted.

*Source*: Donaldson, Kaiser, Kroening, Wahl, "Symmetry-Aware Predicate Abstraction for Shared-Variable Concurrent
Programs" (CAV 2011), section 5, written anew from what is said there; each is unsafe with `-D BUG`. There the safe ones
were proved for 3 to 26 threads. Those that take long run with `--slow`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

FOLDER = Path(__file__).parent / "symmetric"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.c")))
QUICK = frozenset(("increment_lock", "stack_lock", "stack_cas", "test_and_set"))
QUICK_FAILING = frozenset(("increment_lock", "increment_cas", "maximum_cas", "random_cas", "test_and_set", "tickets"))
SECONDS = "60"


def statuses(name: str, *options: str) -> set[str]:
    given = ["verify", "--parameterized", "--timeout", SECONDS, "--format", "json", *options, str(FOLDER / f"{name}.c")]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code in (0, 1), result.output
    return {assertion["status"] for assertion in json.loads(result.stdout)["assertions"]}


def skip_slow(name: str, quick: frozenset[str], request: pytest.FixtureRequest) -> None:
    if name not in quick and not request.config.getoption("--slow", default=False):
        pytest.skip("slow: run with --slow")


def test_all_of_them_are_here() -> None:
    assert len(NAMES) == 14
    assert {*QUICK, *QUICK_FAILING} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_safe_is_proved(name: str, request: pytest.FixtureRequest) -> None:
    skip_slow(name, QUICK, request)
    assert statuses(name) == {"proved"}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_unsafe_is_refuted(name: str, request: pytest.FixtureRequest) -> None:
    skip_slow(name, QUICK_FAILING, request)
    assert "refuted" in statuses(name, "-D", "BUG")
