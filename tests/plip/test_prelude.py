"""Where the first thread can only be before it has started others, also where calls share bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from duet.options import Budgets
from duet.plip import prelude as module
from duet.plip.parser import parse_program
from duet.plip.prelude import preludes
from duet.plip.returns import Return, call_of
from duet.plip.syntax import SKIP, Program, Spawn
from tests.frontend.running import open_races
from tests.plip.shared_bodies import random_program

DEPTH = 5
SHARED = Budgets(inlined_commands=-1, inlined_commands_if_large=-1, small_commands=-1)
SEEDS = range(300)
START = """#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static int verbose, lines;
static volatile sig_atomic_t stopped;
static pthread_mutex_t lines_lock = PTHREAD_MUTEX_INITIALIZER;
static void say(int n) { pthread_mutex_lock(&lines_lock); if (n) lines++; pthread_mutex_unlock(&lines_lock); }
static void settings(int n) { if (n > 2) { say(n); verbose = 1; } say(n); }
static void stop(int n) { if (n) stopped = 1; }
static void *work(void *p) { if (verbose) say(1); return p; }
static void begin(void) { pthread_t t; if (pthread_create(&t, 0, work, 0)) exit(1); }
int main(int argc, char **argv) { signal(SIGINT, stop); """
PROVED = (
    "settings(argc); say(1); begin(); say(2); }",
    "settings(argc); settings(2); say(1); begin(); begin(); say(2); }",
)
RACY = (
    "settings(argc); say(1); begin(); say(2); settings(argc); }",
    "begin(); settings(argc); say(1); }",
    "for (int i = 0; i < argc; i++) { settings(argc); begin(); } }",
)


@pytest.mark.parametrize("main", PROVED)
def test_settings_are_read_before_threads_are_started_where_a_handler_runs(main: str, tmp_path: Path) -> None:
    assert "verbose" not in " ".join(open_races(tmp_path / "a.c", START + main, SHARED))


@pytest.mark.parametrize("main", RACY)
def test_settings_that_are_read_again_race(main: str, tmp_path: Path) -> None:
    assert "verbose" in " ".join(open_races(tmp_path / "a.c", START + main, SHARED))


def _started_anywhere(seed: int) -> Program:
    """A program with calls of shared bodies whose first thread starts another one here and there."""
    program, rng = random_program(seed, with_other=True), Random(seed)
    own = [
        index for index in program.templates[program.main].commands if not call_of(program.commands[index].instruction)
    ]
    commands = list(program.commands)
    for index in own:
        if isinstance(commands[index].instruction, Spawn):
            commands[index] = replace(commands[index], instruction=SKIP)
    for index in rng.sample(own, 2):
        commands[index] = replace(commands[index], instruction=Spawn("other"))
    return replace(program, commands=tuple(commands))


def _behind_starts(program: Program) -> set[int]:
    """Where executions of the first thread, whatever guards say, get to once they have started another one.

    Those that are out of a body by a jump come back behind a call further out.
    """
    start: tuple[int, tuple[int, ...], bool] = (program.templates[program.main].entry, (), False)
    seen = {start}
    work = [start]
    while work:
        location, calls, is_started = work.pop()
        for index in program.outgoing[location]:
            command = program.commands[index]
            mark = call_of(command.instruction)
            inner = (*calls, mark) if mark > 0 else calls
            if mark < 0:
                if -mark not in calls:
                    continue
                inner = calls[: len(calls) - 1 - calls[::-1].index(-mark)]
            state = (command.target, inner, is_started or isinstance(command.instruction, Spawn))
            if len(inner) <= DEPTH and state not in seen:
                seen.add(state)
                work.append(state)
    return {location for location, _, is_started in seen if is_started}


def _wrong(seed: int) -> set[int]:
    program = _started_anywhere(seed)
    return _behind_starts(program) & preludes(program).get(frozenset(("other",)), frozenset())


@pytest.mark.parametrize("seed", SEEDS)
def test_no_execution_gets_back_there(seed: int) -> None:
    assert not _wrong(seed)


def test_more_is_known_than_commands_alone_tell() -> None:
    programs = [_started_anywhere(seed) for seed in SEEDS]
    found = sum(len(locations) for program in programs for locations in preludes(program).values())
    original = module._later
    with patch.object(module, "_later", lambda program, starts, _: original(program, starts, ())):
        again = [replace(program) for program in programs]
        assert sum(len(locations) for program in again for locations in preludes(program).values()) < found


@pytest.mark.parametrize("forgotten", ["starts in bodies", "calls behind starts"])
def test_a_rule_that_forgets_something_is_noticed(forgotten: str) -> None:
    original = module._later

    def wrong(program: Program, starts: frozenset[int], calls: Sequence[Return]) -> frozenset[int]:
        if forgotten == "starts in bodies":
            return original(program, starts, [replace(it, body=frozenset()) for it in calls])
        elsewhere = program.templates["other"].commands[0]  # the first thread never makes a call there
        return original(program, starts, [replace(it, call=elsewhere) for it in calls])

    with patch.object(module, "_later", wrong):
        assert any(map(_wrong, SEEDS))


def test_threads_that_others_start_are_there_later() -> None:
    program = parse_program("thread main { skip spawn T } thread T { spawn U } thread U { skip }")
    assert preludes(program) == {}  # no calls share bodies
