"""What the record of a library function says."""

from __future__ import annotations

import pytest

from duet.frontend.ctypes.library import Callback, Control, Description, LockOperation, Reads, Role, When


def test_nothing_else_is_known_by_default() -> None:
    found = Description("f")
    assert found.reads is Reads.DEEP
    assert (found.lock, found.control, found.role, found.checks) == (None, None, None, None)
    assert (found.callbacks, found.keeps, found.texts, found.takes_places) == ((), (), (), False)
    assert not found.runs_others
    assert not found.only_looks


def test_names_are_apart_by_spaces() -> None:
    assert Description("one two\n three", lock=LockOperation.TRY).names == ("one", "two", "three")


@pytest.mark.parametrize(
    ("role", "is_assertion", "only_looks"),
    [
        (Role.ASSERTION, True, True),
        (Role.SOFT_ASSERTION, True, True),
        (Role.NEGATED_ASSERTION, False, True),
        (Role.ASSUMPTION, False, True),
        (Role.FAILURE, False, False),
        (Role.ATOMIC_SECTION, False, False),
        (None, False, False),
    ],
)
def test_what_only_looks_at_its_argument(role: Role | None, is_assertion: bool, only_looks: bool) -> None:
    found = Description("f", role=role)
    assert (found.is_assertion, found.only_looks) == (is_assertion, only_looks)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Description("f", control=Control.STARTS_THREAD), True),
        (Description("f", control=Control.JOINS_THREAD), False),
        (Description("f", callbacks=(Callback(0, When.DURING_CALL),)), False),
        (Description("f", callbacks=(Callback(0, When.DURING_CALL), Callback(1, When.ANY_TIME))), True),
        (Description("f", callbacks=(Callback(0, When.AT_THREAD_EXIT),)), True),
    ],
)
def test_what_lets_functions_run_beside_the_caller_or_after_it(found: Description, expected: bool) -> None:
    assert found.runs_others is expected
