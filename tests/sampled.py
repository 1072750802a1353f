"""Tests of which one of so many cases is run by default, as all of them take minutes; all with `--slow`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

ONE_OF: Mapping[str, int] = {
    "c/test_verdicts.py::test_verdicts": 2,
    "certificate/test_counts.py::test_a_bound_that_is_moved_is_refused_or_true": 2,
    "certificate/test_established.py::test_random_programs": 2,
    "drivers/test_own_drivers.py::test_verdicts": 3,
    "frontend/test_callees.py::test_a_call_is_not_left_out": 3,
    "frontend/test_gate.py::test_every_atomic_operation_is_checked": 3,
    "linux/test_headers.py::test_what_cannot_fail_is_proved": 2,
    "linux/test_headers.py::test_what_may_fail_is_not_proved": 2,
    "linux/test_interrupted.py::test_a_thread_that_is_interrupted_with_the_lock": 2,
    "linux/test_interrupted.py::test_a_thread_that_is_not_interrupted_with_the_lock": 2,
    "linux/test_kernel_collections.py::test_what_cannot_fail_is_proved": 2,
    "linux/test_kernel_collections.py::test_what_may_fail_is_not_proved": 2,
    "linux/test_operations.py::test_what_an_operation_may_find_null": 2,
    "linux/test_registered.py::test_a_callback_may_be_given_something_else": 2,
    "linux/test_roles.py::test_a_callback_that_cannot_be_parsed_may_do_anything": 3,
    "linux/test_roles.py::test_a_registration_that_cannot_be_parsed_may_be_there": 3,
    "linux/test_roles.py::test_private_descriptors_too": 3,
    "linux/test_timers.py::test_timers_fire": 2,
    "linux/test_timers.py::test_timers_run_beside_each_other": 2,
    "replay/test_random.py::test_what_is_refuted_fails": 3,
    "replay/test_replay.py::test_what_fails_is_seen_to": 2,
    "replay/test_replay.py::test_what_holds_does_not_fail": 2,
    "soundness/test_c_cases.py::test_nothing_that_fails_is_proved": 2,
    "soundness/test_random_programs.py::test_no_unsound_answer_of_intervals": 2,
    "verify/test_acceptance.py::test_proved": 3,
    "verify/test_acceptance_c.py::test_proved": 2,
    "verify/test_any_number.py::test_what_is_proved_for_any_number_does_not_fail": 2,
    "verify/test_cubes.py::test_guesses_prove_nothing_that_fails": 2,
    "verify/test_cubes.py::test_what_is_proved_with_facts_does_not_fail": 2,
    "verify/test_cubes.py::test_what_is_proved_without_facts_does_not_fail": 3,
    "verify/test_elements.py::test_what_elements_hold_is_exact": 2,
    "verify/test_exact.py::test_what_c_defines_is_exact": 2,
    "verify/test_explore.py::test_random_programs": 2,
    "witness/test_witness.py::test_what_may_fail_is_refused": 3,
}


def sampled(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests without the cases that are left out."""
    seen: Counter[str] = Counter()
    kept = []
    for item in items:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        if seen[name] % ONE_OF.get(name, 1) == 0:
            kept.append(item)
        seen[name] += 1
    return kept
