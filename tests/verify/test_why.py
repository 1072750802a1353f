"""Why a check fails: what is said of an execution is true of it, and names what the user has to look at."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duet.deadline import Deadline
from duet.plip.parser import parse_program
from duet.result import Step
from duet.verify.refute import failing
from duet.verify.schedule import Schedule
from tests.certificate.proofs import checks_of
from tests.cli.conftest import Duet, duet  # noqa: F401  # the fixture
from tests.soundness.generate import random_program


def schedule_of(text: str) -> Schedule:
    program = parse_program(text)
    (found,) = failing(program, checks_of(program), Deadline.after(5.0)).values()
    return found


def told(text: str) -> list[str]:
    return [f"{step.thread}: {step.line}: {step.text}" for step in schedule_of(text).because]


LOST = """global x = 0
thread main { spawn w spawn v join w join v
 assert x == 2 }
thread w { local t t := x
 x := t + 1 }
thread v { local u u := x
 x := u + 1 }
"""


def test_a_lost_update() -> None:
    first, second, third = told(LOST)
    assert first == "main: 3: x == 2 does not hold: x = 1"
    assert re.fullmatch(r"[vw]#1: [57]: x is 1: x := [tu] \+ 1, where [tu] = 0", second)
    assert re.fullmatch(
        r"[vw]#1: [57]: [vw]#1 went on from x = 0 \(line [46]\); since then [vw]#1 had set x to 1 \(line [57]\)", third
    )


def test_a_test_that_is_out_of_date() -> None:
    lines = told(
        "global x = 1 thread main { spawn w spawn v join w join v\n assert x >= 0 }\n"
        "thread w { [x >= 1]\n atomic { x := x - 1; } }\nthread v { [x >= 1]\n atomic { x := x - 1; } }"
    )
    assert lines[0] == "main: 2: x >= 0 does not hold: x = -1"
    assert any("had tested [x >= 1] with x = 1 (line " in line and "had set x to 0" in line for line in lines)


def test_an_input() -> None:
    lines = told("global x = 0 thread main { local n n := *\n x := n + 1\n assert x != 8 }")
    assert lines == [
        "main: 3: x != 8 does not hold: x = 8",
        "main: 2: x is 8: x := n + 1, where n = 7",
        "main: 1: n is 7, which may be any value here",
    ]


def test_what_must_not_be_reached() -> None:
    lines = told("global x = 0 thread main { x := 4\n [x >= 3]\n assert false }")
    assert lines == ["main: 3: false is reached", "main: 2: [x >= 3] holds: x = 4", "main: 1: x is 4: x := 4"]


def test_an_argument() -> None:
    lines = told("global x = 0 thread main { x := 3\n spawn w(n := x + 1) }\nthread w(n) { assert n != 4 }")
    assert lines[0] == "w#1: 3: n != 4 does not hold: n = 4"
    assert lines[-1] == "main: 1: x is 3: x := 3"


def test_nothing_that_does_not_matter() -> None:
    lines = told("global x = 0 global y = 0 thread main { y := 5\n x := 1\n y := x\n assert x == 0 }")
    assert lines == ["main: 4: x == 0 does not hold: x = 1", "main: 2: x is 1: x := 1"]


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed: int) -> None:
    """Each step that is told is one of the schedule, of this thread; the failing one comes first."""
    program = random_program(seed)
    for check, found in failing(program, checks_of(program), Deadline.after(0.7)).items():
        places = {(move.thread, move.line) for move in found.moves}
        assert {(step.thread, step.line) for step in found.because} <= places
        if found.because:
            assert found.because[0].text.startswith(check.expression)


def test_explain_tells_it(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "lost.plip").write_text(LOST)
    done = duet("explain", "lost.plip:3")
    assert "  why it fails:\n    main  lost.plip:3: x == 2 does not hold: x = 1\n" in done.out


def test_the_reason_is_not_read_from_the_wrong_thread() -> None:
    """Own cells of two threads of one template are two."""
    found = schedule_of(
        "global x = 0 global n = 0 thread main { while (*) { atomic { n := n + 1; } spawn w(k := n) } }\n"
        "thread w(k) { local t t := k\n x := t\n assert x == k }"
    )
    values = {step.thread: step.text for step in found.because if isinstance(step, Step) and "x is" in step.text}
    failing_thread = found.because[0].thread
    assert set(values) == {thread for thread in values if thread != failing_thread}


def changes(text: str) -> tuple[str, ...]:
    return schedule_of(text).prevented_by


def test_what_must_not_come_between() -> None:
    (change,) = changes(LOST)
    lock = r"a lock held there and in line [57], or one atomic step"
    assert re.fullmatch(rf"nobody sets x while [vw]#1 is between line [46] and line [57]: {lock}", change)


def test_what_must_be_seen_together() -> None:
    """A writer takes a flag back for a moment; who reads it then takes the wrong way."""
    text = (
        "global up = 1 thread main { spawn w spawn r }\nthread w { up := 0\n up := 1 }\n"
        "thread r { local seen seen := 0\n if (up == 1) { seen := 1 }\n assert seen == 1 }"
    )
    assert changes(text) == ("nobody reads up while w#1 is between line 2 and line 3: a lock held there and in line 5",)
    assert any("[up != 1] holds: up = 0" in line for line in told(text))


def test_what_must_come_first() -> None:
    text = "global x = 0 thread main { spawn r\n x := 5 }\nthread r { assert x == 5 }"
    assert changes(text) == ("x is set (line 2, main) before r#1 is in line 3",)


def test_who_is_alone_needs_no_other_order() -> None:
    assert changes("global x = 0 thread main { x := 4 assert x == 5 }") == ()
    assert changes("global x = 0 thread main { spawn w } thread w { x := 4 assert x == 5 }") == ()
