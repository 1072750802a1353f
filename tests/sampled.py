"""Tests of which one of so many cases is run by default, as all of them take many minutes; all with `--slow`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

ONE_OF: Mapping[str, int] = {
    "c/test_verdicts.py::test_verdicts": 1,  # a sample already
    "drivers/test_own_drivers.py::test_no_domain_proves_what_can_fail": 2,
    "frontend/test_gate.py::test_every_atomic_operation_is_checked": 5,
    "frontend/test_rereads.py::test_calls_may_change_what_they_are_given": 15,
    "frontend/test_rereads.py::test_what_was_read_is_there_until_it_may_be_written": 2,
    "linux/test_roles.py::test_a_registration_that_cannot_be_parsed_may_be_there": 3,
    "linux/test_roles.py::test_private_descriptors_too": 3,
    "soundness/test_c_cases.py::test_nothing_that_fails_is_proved": 5,
    "replay/test_random.py::test_what_is_refuted_fails": 4,
    "verify/test_acceptance_c.py::test_proved": 2,
    "verify/test_elements.py::test_what_elements_hold_is_exact": 3,
    "witness/test_witness.py::test_what_may_fail_is_refused": 3,
}
"""Where it is not what their number of cases says."""
USUAL = ((48, 12), (24, 8), (12, 6), (6, 3), (3, 2))
"""Where nothing else is said: of tests with at least so many cases one of so many is run."""
OFTEN = ((12, 3), (6, 2))
"""The same of what is compared with executions."""
DEFECTS = ((12, 4), (6, 3), (3, 2))
"""The same of seeded defects, which say of tests that they can fail."""


def sampled(cases: Sequence[pytest.Item]) -> Sequence[pytest.Item]:
    """The cases of one function without those that are left out."""
    if not cases:
        return cases
    name = cases[0].nodeid.partition("[")[0].removeprefix("tests/")
    table = DEFECTS if "defect" in name else OFTEN if name.startswith("soundness/") else USUAL
    return cases[:: ONE_OF.get(name, next((step for count, step in table if len(cases) >= count), 1))]
