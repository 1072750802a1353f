"""Every published example comes out as published; each test says what data flow graphs can do about it.

The figures of thesis and paper are rebuilt as PLIP programs (`tests/plip/examples`); each is first checked against all
executions of two to four threads.
"""

from __future__ import annotations

import pytest

from tests.plip.expectations import (
    assert_true_of_analysis,
    assert_true_of_semantics,
    example,
    needs_refinement,
)


def _comes_out_as_written(name: str) -> None:
    found = example(name)
    assert_true_of_semantics(found)
    assert_true_of_analysis(found)


def test_fig_2_6_stale_copies_of_a_counter() -> None:
    """Provable: the guard on the local copy bounds the only value that is ever written back."""
    _comes_out_as_written("fig-2-6-decrement")


def test_fig_3_1_straight_line_code() -> None:
    """Provable: each operand has one definition."""
    _comes_out_as_written("fig-3-1-sum")


def test_fig_3_2_lock_prevents_the_flow() -> None:
    """Provable: the lock is known to be held wherever null could leave from, so null never flows to the assertion."""
    _comes_out_as_written("fig-3-2-lock")


def test_fig_3_5_flag_prevents_the_flow() -> None:
    """Provable: `flag = 1` is known from the test-and-set to the reset, so no second thread gets in between."""
    _comes_out_as_written("fig-3-5-flag")


def test_fig_4_4_needs_counting() -> None:
    """Not provable: a data flow graph does not tell one execution of an increment from the next one."""
    _comes_out_as_written("fig-4-4-two-increments")


def test_fig_4_4_is_false_for_any_number_of_threads() -> None:
    """Nothing to prove: with a third thread g gets to 3."""
    _comes_out_as_written("fig-4-4-any-number")


def test_fig_4_5_disjoint_memory() -> None:
    """Provable: no flow between threads at all."""
    _comes_out_as_written("fig-4-5-local")


def test_fig_5_1_thread_pool() -> None:
    """Not provable: that blocks of tasks do not overlap relates locals of different threads (thesis, conclusion)."""
    _comes_out_as_written("fig-5-1-thread-pool")


def test_symmetry_aware_p() -> None:
    """Program P of Donaldson et al., section 1.1. Nothing to prove: two threads violate the assertion."""
    _comes_out_as_written("mixed-predicate-local")


def test_symmetry_aware_p_prime() -> None:
    """Program P' of the same section. Nothing to prove: the second of two threads violates the assertion."""
    _comes_out_as_written("mixed-predicate-shared")


def test_symmetry_aware_p_double_prime() -> None:
    """Program P''. Not provable: the invariant relates a global to a local cell, and packs never mix the two kinds."""
    _comes_out_as_written("mixed-predicate-needed")


PROVED = (
    "fig-2-6-decrement",
    "fig-3-2-lock",
    "fig-3-5-flag",
    "fig-4-5-local",
    "rendezvous",
    "busy-flag",
    "owner-id-lock",
    "two-flag-lock",
    "trylock",
)
REFINED = ("status-ready", "join-then-read", "wait-for-flag", "two-producers", "chain", "spawn-under-lock", "peterson")
NOT_PROVED = ("fig-4-4-two-increments", "racy-counter", "many-writers")


@pytest.mark.parametrize("domain", ["interval", "octagon"])
@pytest.mark.parametrize("name", [*PROVED, *REFINED, *NOT_PROVED])
def test_comparison_of_plain_and_refined(name: str, domain: str) -> None:
    """What coarsening proves of well-known ways to synchronise, without and with refinement.

    Plainly provable where a condition over globals is known at every place from which the harmful write could leave.
    Refinement adds those where the harmful value is the thread's own, from before it waited, and (in intervals)
    Peterson's algorithm, where who is inside depends on two flags and the turn together. Neither proves what needs
    counting, nor a race that is real.
    """
    found = example(name)
    assert_true_of_semantics(found)
    assert_true_of_analysis(found, domain, refine=False)
    if (name, domain) != ("peterson", "octagon"):  # one pack of both flags does not tell their writes apart
        assert_true_of_analysis(found, domain)
    assert ("SAFE" in found.verdicts.values()) == (name in PROVED)
    assert needs_refinement(found) == (name in REFINED)
