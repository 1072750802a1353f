"""Checks that a program defines itself, for each choice of properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved

CHECK = (
    "extern void abort(void); void reach_error(void) {}\n"
    "void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "int main(void) { int n = __VERIFIER_nondet_int(); if (n > %d) __VERIFIER_assert(n > 5); return 0; }\n"
)


@pytest.mark.parametrize("properties", [("unreach-call",), ("assertion",), ("assertion", "unreach-call")])
@pytest.mark.parametrize("least", [5, 4])
def test_an_assertion_of_ones_own_fails_whichever_property_is_asked_for(
    tmp_path: Path, properties: tuple[str, ...], least: int
) -> None:
    assert are_proved(tmp_path / "own.c", CHECK % least, properties, "interval") is (least == 5)
