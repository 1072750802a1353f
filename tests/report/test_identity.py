"""Names for checks that survive edits elsewhere."""

from __future__ import annotations

from dataclasses import replace

from duet.report.identity import fingerprints, key
from duet.result import Check

CHECK = Check("a.c", 3, 5, "f", "assertion", "x <= 3")


def test_lines_and_spaces_do_not_count_but_repetition_does() -> None:
    moved = replace(CHECK, line=90, column=1, expression="x<=3")
    first, second = fingerprints([CHECK, moved])
    assert first != second
    assert fingerprints([moved]) == [first]


def test_rule_function_and_text_count() -> None:
    different = [("assertion", "f", "x"), ("assertion", "g", "x"), ("overflow", "f", "x"), ("assertion", "f", "y")]
    assert len({key(*parts) for parts in different}) == 4
