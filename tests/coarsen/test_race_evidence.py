"""Verdicts on data races with their evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import (
    cause_under,
    held_words,
    positions,
    race_assertions,
    race_checks,
    shown,
    stack_words,
)
from duet.options import AnalysisOptions
from duet.plip.accesses import AccessKind
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.result import AccessNote, Assertion, Cause, CauseKind, Chance, Position, Status
from duet.source import Span
from tests.check.judged import APART
from tests.coarsen.fixpoints import with_accesses

X, Y = (AccessKind.WRITE, "x"), (AccessKind.WRITE, "y")


def program(*lines: int) -> Program:
    return with_accesses(parse_program(APART, "t.plip"), {line: [Y if line in (6, 12) else X] for line in lines})


def verdicts(found: Program) -> tuple[Assertion, ...]:
    return race_assertions(analyse(found, AnalysisOptions(domain="interval", engine="bitset")), "a.c")


def test_a_race_is_told_with_both_accesses() -> None:
    (found,) = verdicts(program(4, 10))
    assert found.status is Status.UNPROVED
    assert found.threads == ("one", "two")
    assert [note.stack[-1].line for note in found.accesses] == [4, 10]
    assert "write by one in one (a.c:4) holding no lock may happen at the same time as write by two" in found.reason


def test_a_cell_without_a_race_is_proved() -> None:
    (found,) = verdicts(program(6, 12))
    assert (found.status, found.check.expression, found.reason) == (Status.PROVED, "no race on y", "")
    both = verdicts(program(4, 6, 10, 12))
    proved = [item for item in both if item.status is Status.PROVED]
    assert [item.check.expression for item in proved] == ["no race on y"]
    assert "a race on other memory is not excluded" in proved[0].reason


def named_alike(found: Program) -> Program:
    """The program with one name for all that it accesses, as copies of a function have for its locals."""
    commands = (replace(c, accesses=tuple(replace(a, label="v") for a in c.accesses)) for c in found.commands)
    return replace(found, commands=tuple(commands))


def test_memory_of_one_name_is_free_of_races_if_all_of_it_is() -> None:
    (free,) = verdicts(named_alike(program(6, 12)))
    assert (free.status, free.check.expression) == (Status.PROVED, "no race on v")
    one, other = program(4, 6, 10, 12), named_alike(program(4, 6, 10, 12))
    assert sorted(it.status for it in verdicts(one)) == [Status.PROVED, Status.UNPROVED]
    assert [it.status for it in verdicts(other)] == [Status.UNPROVED]


def test_without_shared_memory_there_is_one_check() -> None:
    (found,) = verdicts(program(4))
    assert (found.status, found.check.file, found.check.expression) == (Status.PROVED, "a.c", "no memory is shared")


def test_what_there_is_to_decide() -> None:
    assert [check.expression for check in race_checks(program(4, 6, 10, 12), "a.c")] == [
        "no race on x",
        "no race on y",
    ]
    assert [check.expression for check in race_checks(program(), "a.c")] == ["no memory is shared"]


def test_words_for_accesses() -> None:
    stack = (Position("f", "dir/a.c", 9, 1), Position("g", "dir/a.c", 3, 1))
    note = AccessNote("read", "x", "main", stack, held=("m", "n"))
    assert stack_words(note) == "g (a.c:3), called in f (a.c:9)"
    assert held_words(note) == "holding m, n"
    deep = replace(note, stack=(*stack, *(Position(f"h{n}", "a.c", n, 1) for n in range(1, 5))))
    assert stack_words(deep) == "h4 (a.c:4), called in h3 (a.c:3), called in 3 more, called in f (a.c:9)"
    assert shown(Span("dir/a.c", 3, 1)) == "a.c:3"
    access = program(4).commands[next(i for i, c in enumerate(program(4).commands) if c.accesses)].accesses[0]
    assert positions(access) == (Position("one", "a.c", 4, 1),)


def test_a_race_under_one_lock_is_not_decided() -> None:
    found = cause_under("m", Cause(CauseKind.WRITE, "x is shared", "a.c", 2, Chance.EVEN))
    assert (found.kind, found.line) == (CauseKind.LOST, 2)
    lost = Cause(CauseKind.LOST, "where this pointer leads is not known", "a.c", 5)
    assert cause_under("m", lost) == lost


GIVEN_BACK = """
#include <pthread.h>
extern int any(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *run(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return 0;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, run, 0);
	pthread_create(&thread, 0, run, 0);
	@FIRST@
		pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
"""


@pytest.mark.parametrize(("first", "is_told"), [("if (any())", True), ("", False)])
def test_a_lock_that_is_given_back_by_who_does_not_have_it_is_told(tmp_path: Path, first: str, is_told: bool) -> None:
    source = tmp_path / "a.c"
    source.write_text(GIVEN_BACK.replace("@FIRST@", first), encoding="utf-8")
    outcome = CliRunner().invoke(cli, ["analyze", str(source), "--properties", "data-race", "--no-verify"])
    assert ("that lock keeps the two apart: at a.c:21 it may be given back" in outcome.output) is is_told
    assert ("lock may be given back here by who does not have it" in outcome.output) is is_told
    assert outcome.exit_code == int(is_told)
