"""The text report: the form of the contract, and nothing that steers a terminal."""

from __future__ import annotations

from dataclasses import replace

from duet.report.text import describe_flow, moves, render
from duet.result import Cause, CauseKind, FlowNote, Move, Run, RunStatus
from duet.result import Warning as Note


def test_unproved_check_is_one_line_with_place_invariant_and_writers(example_run: Run) -> None:
    first = render(example_run).results.splitlines()[0]
    assert first.startswith("driver.c:16:5: unproved: assertion 'c <= 0' in func2: here 0 <= c <= 2")
    assert "written at driver.c:8 (func1, another thread)" in first
    assert "written at driver.c:14 (func2, this thread)" in first


def test_summary_is_the_last_line(example_run: Run) -> None:
    last = render(example_run).results.splitlines()[-1]
    expected = "driver.c: 1 proved, 1 unproved, 1 unreachable, 1 unknown in 0.4 s (octagon, souffle, own)"
    assert last == expected


def test_safe_checks_have_no_line(example_run: Run) -> None:
    text = render(example_run).results
    assert ":15:" not in text
    assert ":17:" not in text


def test_warnings_are_notes_and_assumptions_the_ending(example_run: Run) -> None:
    text = render(example_run)
    warning = "driver.c:7:5: warning: unknown function 'f<T>' may change anything [unknown-function]"
    assert text.notes.splitlines() == [warning]
    assert text.ending.splitlines() == ["assumptions: sequential consistency; no signals & no <longjmp>"]
    all_of_it = render(example_run, is_verbose=True).ending.splitlines()
    assert all_of_it == ["assumption: sequential consistency", "assumption: no signals & no <longjmp>"]


def test_many_warnings_are_counted(example_run: Run) -> None:
    (one,) = example_run.warnings
    many = tuple(replace(one, message=f"{one.message}, way {number}") for number in range(50))
    notes = render(replace(example_run, warnings=many)).notes.splitlines()
    assert len(notes) == 21
    assert notes[-1] == "30 more warnings (30 unknown-function): see the JSON or HTML report"


def test_warnings_that_say_the_same_are_one_line(example_run: Run) -> None:
    def told(*names: str, is_verbose: bool = False) -> list[str]:
        found = tuple(Note("d.c", at, 1, "odd", f"{name}is odd") for at, name in enumerate(names, 1))
        return render(replace(example_run, warnings=found), is_verbose=is_verbose).notes.splitlines()

    assert told("'f' ", "'g' ", "'f' ") == ["d.c:1:1: warning: 'f' is odd [odd]; also 'g'"]
    assert told(*[""] * 5) == ["d.c:1:1: warning: is odd [odd]; also line 2, line 3, line 4 and 1 more"]
    assert len(told("'f' ", "'g' ", is_verbose=True)) == 2


def test_control_characters_of_the_source_are_written_out(example_run: Run) -> None:
    check = replace(example_run.assertions[1].check, expression="a\x1b]0;x\x07\n<= b")
    text = render(replace(example_run, assertions=(replace(example_run.assertions[1], check=check),))).results
    assert "\x1b" not in text
    assert len(text.splitlines()) == 2
    assert "a\\x1b]0;x\\x07\\n<= b" in text


def test_colour_only_when_asked(example_run: Run) -> None:
    assert "\x1b[33munproved" in render(example_run, colour=True).results
    assert "\x1b" not in render(example_run).results


def test_unfinished_run_says_so_in_the_summary(example_run: Run) -> None:
    run = replace(example_run, status=RunStatus.TIMEOUT, message="the time limit of 2 s was reached")
    assert render(run).results.rstrip().endswith("; not finished: timeout, the time limit of 2 s was reached")


def test_steps_that_stand_nowhere_are_not_told(example_run: Run) -> None:
    steps = (
        Move("main", "main", "", 0, "a value := any value"),
        Move("main", "main", "", 0, "n := any value", (("n", "3"),)),
        Move("main", "main", "a.c", 4, "assert n == 2", (("n", "3"),)),
    )
    assert list(moves(replace(example_run.assertions[1], schedule=steps))) == [
        "    main  at the start: n := any value  (n = 3)",
        "    main  a.c:4: assert n == 2  (n = 3)",
    ]


def test_what_was_not_chosen_is_told_where_a_program_asserts(example_run: Run) -> None:
    def ending(*properties: str) -> str:
        return render(replace(example_run, properties=properties, has_default_properties=True)).ending

    assert "--properties assertion,data-race,deadlock" in ending("assertion")
    assert "chosen for this program; --properties P,Q chooses others" in ending("assertion", "data-race")


def test_what_was_written_before_a_thread_started_is_not_told_as_its_own(example_run: Run) -> None:
    flow = FlowNote("a.c", 3, "main", "intra", "p", "0", "p := 0")
    assert describe_flow(flow, ("f", "g")) == "written at a.c:3 (main, before it started this thread)"
    assert describe_flow(flow, ("main",)) == describe_flow(flow) == "written at a.c:3 (main, this thread)"


def test_many_allocations_that_may_fail_come_with_what_leaves_them_out(example_run: Run) -> None:
    def counted(number: int) -> str:
        one = example_run.assertions[1]
        causes = [Cause(CauseKind.VALUE, "this allocation may fail", "a.c", at) for at in range(1, number + 1)]
        found = [replace(one, check=replace(one.check, line=cause.line), cause=cause) for cause in causes]
        twice = [replace(item, check=replace(item.check, column=9)) for item in found]
        return render(replace(example_run, assertions=(*found, *twice))).results

    assert "(4 are allocations that may fail; --assume malloc-succeeds leaves them out)" in counted(4)
    assert "--assume" not in counted(3)
