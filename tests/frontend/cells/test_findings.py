"""What a round of lowering reports, each thing once."""

from duet.frontend.cells.findings import Findings
from duet.source import Span


def test_a_place_has_one_warning_of_each_code() -> None:
    findings = Findings()
    for line, code, message in ((1, "float", "one"), (1, "float", "two"), (1, "asm", "three"), (2, "float", "four")):
        findings.warn(Span("a.c", line, 1), code, message)
    assert [warning.message for warning in findings.warnings.values()] == ["one", "three", "four"]


def test_a_subject_is_new_once_for_each_code() -> None:
    findings = Findings()
    assert [findings.is_first("a", "x"), findings.is_first("a", "x"), findings.is_first("b", "x")] == [
        True,
        False,
        True,
    ]


def test_an_assumption_names_where_it_is_made() -> None:
    findings = Findings()
    for line in (7, 3, 7):
        findings.assume_at(Span("a.c", line, 1), "joined")
    assert list(findings.assumptions) == ["joined: a.c:3, a.c:7"]
    for line in range(10, 40):
        findings.assume_at(Span("b.c", line, 1), "joined")
    assert next(iter(findings.assumptions)).endswith(" and 12 more")
