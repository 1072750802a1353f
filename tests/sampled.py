"""Tests of which one of so many cases is run by default, as all of them take many minutes; all with `--slow`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

ONE_OF: Mapping[str, int] = {
    "c/test_unsafe_really_fails.py::test_failures": 2,
    "c/test_verdicts.py::test_verdicts": 4,
    "certificate/test_counts.py::test_a_bound_that_is_moved_is_refused_or_true": 2,
    "certificate/test_established.py::test_random_programs": 2,
    "certificate/test_programs.py::test_each_kind_of_proof_is_certified": 2,
    "domains/test_affine.py::test_a_defect_loses_points": 2,
    "drivers/test_mutants.py::test_defects_are_caught": 2,
    "drivers/test_own_drivers.py::test_no_domain_proves_what_can_fail": 2,
    "drivers/test_own_drivers.py::test_verdicts": 3,
    "flow/test_derived.py::test_what_fails_is_not_proved": 2,
    "frontend/judgments/test_first_comers.py::test_where_several_may_come_nothing_is_proved": 2,
    "frontend/test_bounds.py::test_an_access_that_may_be_outside_is_not_proved": 2,
    "frontend/test_bounds.py::test_it_is_really_outside": 2,
    "frontend/test_callbacks.py::test_what_may_fail_is_not_proved": 2,
    "frontend/test_callees.py::test_a_call_changes_only_what_it_may": 2,
    "frontend/test_callees.py::test_a_call_is_not_left_out": 3,
    "frontend/test_changed_by_libraries.py::test_all_that_may_be_there_counts": 2,
    "frontend/test_cleanup.py::test_nothing_else_is_proved": 2,
    "frontend/test_cleanup.py::test_what_is_seen_is_proved_and_seen": 2,
    "frontend/test_data_models.py::test_what_fails_in_a_data_model_is_not_proved_in_it": 2,
    "frontend/test_evaluation.py::test_what_fails_is_not_proved": 2,
    "frontend/test_exclusion.py::test_objects_that_others_know": 2,
    "frontend/test_exclusion.py::test_other_locks_do_not": 2,
    "frontend/test_gate.py::test_every_atomic_operation_is_checked": 3,
    "frontend/test_given_away.py::test_what_fails_is_not_proved": 2,
    "frontend/test_jumps.py::test_what_a_jump_may_do_is_done": 2,
    "frontend/test_kept_values.py::test_it_really_fails": 2,
    "frontend/test_kept_values.py::test_what_fails_is_not_proved": 2,
    "frontend/test_keys.py::test_what_fails_is_not_proved": 2,
    "frontend/test_lent_members.py::test_the_rest_is_what_it_was": 3,
    "frontend/test_lent_members.py::test_what_it_may_change_counts": 3,
    "frontend/test_library_models.py::test_what_fails_is_not_proved": 2,
    "frontend/test_moved_pointers.py::test_what_is_behind_the_end_is_not_proved": 2,
    "frontend/test_null_only.py::test_others_are_followed": 2,
    "frontend/test_optional_arguments.py::test_a_null_pointer_passes": 2,
    "frontend/test_optional_arguments.py::test_it_is_no_null_dereference": 2,
    "frontend/test_optional_arguments.py::test_what_is_not_null_stays_so": 2,
    "frontend/test_options.py::test_what_may_fail_stays_open": 2,
    "frontend/test_other_libraries.py::test_what_they_may_call_may_change_everything": 2,
    "frontend/test_own_cells.py::test_only_what_no_other_thread_may_write_stays_as_it_was": 2,
    "frontend/test_own_functions.py::test_another_function_may_do_anything": 2,
    "frontend/test_read_only_arguments.py::test_all_else_may_change": 2,
    "frontend/test_reached_by_anything.py::test_variables_whose_address_is_taken_may_be_meant": 3,
    "frontend/test_recovery.py::test_whatever_it_could_do_is_done": 2,
    "frontend/test_string_tables.py::test_what_fails_for_some_string_is_not_proved": 2,
    "frontend/test_texts.py::test_strings_that_may_not_end": 2,
    "frontend/test_thread_identity.py::test_what_fails_is_not_proved": 2,
    "frontend/test_types_and_initial_values.py::test_what_fails_is_not_proved": 2,
    "frontend/test_unknown_code.py::test_what_it_may_do_is_done": 2,
    "frontend/test_unspecified.py::test_an_assertion_that_may_fail_is_not_proved": 2,
    "frontend/test_unspecified.py::test_calls_beside_each_other_run_in_any_order": 2,
    "frontend/test_unspecified.py::test_it_really_fails": 2,
    "linux/test_disks.py::test_private_data_of_requests_that_is_too_small_is_noticed": 2,
    "linux/test_files.py::test_what_operations_may_find_null": 2,
    "linux/test_handed.py::test_what_a_clock_is_given": 2,
    "linux/test_headers.py::test_what_cannot_fail_is_proved": 2,
    "linux/test_headers.py::test_what_may_fail_is_not_proved": 2,
    "linux/test_interrupted.py::test_a_thread_that_is_interrupted_with_the_lock": 2,
    "linux/test_interrupted.py::test_a_thread_that_is_not_interrupted_with_the_lock": 2,
    "linux/test_kept.py::test_what_a_driver_keeps_is_called_by_the_driver": 2,
    "linux/test_kernel_collections.py::test_what_cannot_fail_is_proved": 2,
    "linux/test_kernel_collections.py::test_what_may_fail_is_not_proved": 2,
    "linux/test_kernel_models.py::test_what_cannot_fail_is_proved": 2,
    "linux/test_kernel_models.py::test_what_may_fail_is_not_proved": 2,
    "linux/test_kernel_pointers.py::test_what_stays_open": 2,
    "linux/test_kernel_pointers.py::test_what_stays_open_where_the_kernel_is_taken_to_give_whole_objects": 2,
    "linux/test_lives.py::test_a_callback_finds_what_the_probe_has_stored": 2,
    "linux/test_lives.py::test_what_a_callback_may_find_null": 2,
    "linux/test_maps.py::test_a_transfer_that_fits_is_proved": 2,
    "linux/test_maps.py::test_a_transfer_that_may_not_fit_is_not_proved": 2,
    "linux/test_operations.py::test_an_operation_finds_what_was_there_at_the_registration": 2,
    "linux/test_operations.py::test_what_an_operation_may_find_null": 2,
    "linux/test_parameters.py::test_what_is_only_given_when_the_module_is_loaded": 2,
    "linux/test_parameters.py::test_what_may_be_written_while_the_module_is_there": 2,
    "linux/test_printed_harness.py::test_what_is_printed_can_be_read": 2,
    "linux/test_private_objects.py::test_what_is_inside_is_proved": 2,
    "linux/test_private_objects.py::test_what_may_be_outside_is_not_proved": 2,
    "linux/test_refusals.py::test_callbacks_that_nobody_is_known_to_call_are_refused": 2,
    "linux/test_registered.py::test_a_callback_is_given_what_was_registered": 2,
    "linux/test_registered.py::test_a_callback_may_be_given_something_else": 2,
    "linux/test_roles.py::test_a_callback_that_cannot_be_parsed_may_do_anything": 3,
    "linux/test_roles.py::test_a_registration_that_cannot_be_parsed_may_be_there": 3,
    "linux/test_roles.py::test_private_descriptors_too": 3,
    "linux/test_timers.py::test_timers_fire": 2,
    "linux/test_timers.py::test_timers_run_beside_each_other": 2,
    "linux/test_waiting.py::test_waiting_with_another_lock_or_with_none": 2,
    "linux/test_waiting.py::test_waiting_with_the_lock_that_the_callback_takes": 2,
    "replay/test_random.py::test_what_is_refuted_fails": 3,
    "replay/test_replay.py::test_what_fails_is_seen_to": 3,
    "replay/test_replay.py::test_what_holds_does_not_fail": 2,
    "soundness/test_c_cases.py::test_nothing_that_fails_is_proved": 2,
    "soundness/test_random_programs.py::test_no_unsound_answer_of_intervals": 2,
    "verify/test_acceptance.py::test_proved": 3,
    "verify/test_acceptance_c.py::test_proved": 3,
    "verify/test_any_number.py::test_what_is_proved_for_any_number_does_not_fail": 2,
    "verify/test_bundled.py::test_neither_false_proofs_nor_false_alarms": 2,
    "verify/test_cubes.py::test_guesses_prove_nothing_that_fails": 2,
    "verify/test_cubes.py::test_what_is_proved_with_facts_does_not_fail": 2,
    "verify/test_cubes.py::test_what_is_proved_without_facts_does_not_fail": 3,
    "verify/test_elements.py::test_what_elements_hold_is_exact": 3,
    "verify/test_exact.py::test_what_c_defines_is_exact": 2,
    "verify/test_explore.py::test_random_programs": 2,
    "witness/test_witness.py::test_what_may_fail_is_refused": 3,
}


MANY = 6
"""Of tests with so many cases, every second one is run where nothing else is said."""
VERY_MANY = 16
"""Of those with so many, every third one."""


def sampled(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests without the cases that are left out."""
    cases = Counter(map(_name, items))
    seen: Counter[str] = Counter()
    kept = []
    for item in items:
        name = _name(item)
        if seen[name] % max(ONE_OF.get(name, 1), _one_of(cases[name])) == 0:
            kept.append(item)
        seen[name] += 1
    return kept


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0].removeprefix("tests/")


def _one_of(cases: int) -> int:
    return 3 if cases >= VERY_MANY else 2 if cases >= MANY else 1
