"""The list to act on: levels, groups, ranks."""

from __future__ import annotations

from dataclasses import replace

from duet.report import json, text
from duet.report.groups import Level, agenda
from duet.result import Assertion, Cause, CauseKind, Chance, Check, Move, Run, Status

LOST = Cause(CauseKind.LOST, "what p holds is not tracked", "a.c", 3)


def check(line: int, name: str = "assertion") -> Check:
    return Check("a.c", line, 5, "f", name, f"x{line}")


def an_open(line: int, cause: Cause | None = LOST, name: str = "assertion") -> Assertion:
    return Assertion(check(line, name), Status.UNPROVED, cause=cause)


def listed(run: Run, *assertions: Assertion) -> list[tuple[Level, str, list[int]]]:
    found = agenda(replace(run, assertions=assertions))
    return [(g.level, g.cause.text, [m.assertion.check.line for m in g.members]) for g in found.groups]


def test_what_surely_fails_comes_first(example_run: Run) -> None:
    value = Cause(CauseKind.VALUE, "n is set to 7", "a.c", 2)
    step = Move("main", "f", "a.c", 50, "x")
    found = listed(
        example_run,
        Assertion(check(10), Status.UNKNOWN, reason="the run did not finish"),
        an_open(20),
        an_open(30, Cause(CauseKind.INPUT, "n comes from outside", "a.c", 1)),
        an_open(40, value),
        replace(an_open(50, value), is_certain=True),
        replace(an_open(60, replace(value, line=3)), schedule=(step,)),
        replace(an_open(25, replace(LOST, line=4)), schedule=(step,)),
        replace(an_open(70), status=Status.REFUTED, schedule=(step,), confirmed="exact"),
        Assertion(check(80), Status.PROVED),
    )
    levels = [level for level, _, _ in found]
    assert levels == [*[*Level][:5], Level.LOST, Level.LOST, Level.UNDECIDED]
    assert [lines for _, _, lines in found] == [[70], [60], [50], [40], [30], [20], [25], [10]]


def test_what_is_likely_stands_by_its_chance(example_run: Run) -> None:
    causes = [Cause(CauseKind.VALUE, chance.name, "a.c", 9 - chance, chance) for chance in Chance]
    found = listed(example_run, *(an_open(10 - cause.chance, cause) for cause in causes))
    assert [(level, text) for level, text, _ in found] == [(Level.LIKELY, chance.name) for chance in Chance]


def test_checks_of_one_cause_are_one_group_and_the_largest_comes_first(example_run: Run) -> None:
    other = replace(LOST, text="q")
    found = listed(example_run, an_open(1, other), an_open(2), an_open(3), an_open(4))
    assert found == [(Level.LOST, LOST.text, [2, 3, 4]), (Level.LOST, "q", [1])]


def test_an_access_hangs_on_what_its_pointer_hangs_on(example_run: Run) -> None:
    nowhere = Cause(CauseKind.LOST, "where this pointer leads is not known", "a.c", 9)
    found = listed(example_run, an_open(9, nowhere, "array-bounds"), an_open(9, LOST, "null-dereference"))
    assert found == [(Level.LOST, LOST.text, [9, 9])]


def test_ranks_count_through_the_groups(example_run: Run) -> None:
    run = replace(example_run, assertions=(an_open(1, replace(LOST, text="q")), an_open(2), an_open(3)))
    document = json.document(run)
    assert [group["checks"] for group in document["groups"]] == [2, 1]
    assert document["groups"][0] == {
        "id": 1, "cause": LOST.text, "file": "a.c", "line": 3, "level": "lost", "checks": 2,
    }  # fmt: skip
    assert [(a["group"], a["rank"]) for a in document["assertions"]] == [(2, 3), (1, 1), (1, 2)]


def test_safe_checks_have_no_rank(example_run: Run) -> None:
    run = replace(example_run, assertions=(Assertion(check(1), Status.PROVED),))
    (found,) = json.document(run)["assertions"]
    assert (found["group"], found["rank"]) == (None, None)


def test_the_text_tells_the_group_and_then_its_checks(example_run: Run) -> None:
    run = replace(example_run, assertions=tuple(an_open(line) for line in range(10, 30)))
    lines = text.render(run).results.splitlines()
    assert lines[0].startswith("a.c:3: note: 20 checks hang on this: what p holds is not tracked")
    assert lines[1].startswith("a.c:10:5: unproved: assertion 'x10' in f")
    assert len(lines) == 1 + text.CHECK_LIMIT + 1 + 2
    assert lines[-2] == "driver.c: 20 open checks hang on 1 cause: not decided: the analysis lost something: 1"
    assert sum("unproved: assertion" in line for line in text.render(run, is_verbose=True).results.splitlines()) == 20
