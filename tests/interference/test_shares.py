"""Shares of a global cell are found where they are, and what they claim holds in every reachable state.

Random programs do to `m`, with a share `H` for each thread, what is done to a reader/writer lock, right or not quite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.interference.shares import shares
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Program
from tests.soundness.properties import LIMITS, SAMPLES
from tests.soundness.races import missed

JOIN = "atomic { [m >= 0]; m := m + 1; H := H + 1; }"
LEAVE = "atomic { [H >= 1 && m >= 1]; m := m - 1; H := H - 1; }"
CLOSE = "atomic { [m == 0]; m := m - 1; H := -1; }"
CLOSE_FOR_GOOD = "atomic { [m == 0]; m := -1; H := -1; }"
OPEN = "atomic { [H <= -1 && m == -1]; m := m + 1; H := 0; }"
DOWNGRADE = "atomic { [H <= -1 && m == -1]; m := m + 2; H := 1; }"
RIGHT = ((JOIN, LEAVE), (JOIN, JOIN, LEAVE, LEAVE), (CLOSE, OPEN), (CLOSE, DOWNGRADE, LEAVE), (CLOSE_FOR_GOOD, "skip;"))
WRONG = (
    "atomic { m := m + 1; H := H + 1; }",
    "atomic { [m >= 1]; m := m - 1; H := H - 1; }",
    "atomic { [m <= 0]; m := m - 1; H := -1; }",
    "atomic { [m == -1]; m := m + 1; H := 0; }",
    "atomic { [m == -1]; m := m + 2; H := 1; }",
    "atomic { [H <= -1 && m == -1]; m := m + 2; H := 0; }",
    "atomic { m := 0; H := 0; }",
    "atomic { [m <= 0]; m := -1; H := -1; }",
    "atomic { m := -1; H := -1; }",
    "atomic { m := m - 1; H := H - 1; [H >= 1]; }",
    "H := 1;",
    "m := m - 1;",
    "m := 0;",
)
USES = ("x := x + 1;", "x := 0;", "check x == 0;")
POSITIVE = range(1, LIMITS.value + 1)
COUNT = 100
ENOUGH = 400
OPTIONS = AnalysisOptions(domain="interval", engine="bitset")


def program_of(main: str, *bodies: str) -> Program:
    """A program with a thread for each body, and a share for each thread."""
    threads = [f"thread t{i} {{ local h{i} = 0 {body.replace('H', f'h{i}')} }}" for i, body in enumerate(bodies)]
    head = ["global m = 0", "global x = 0", "main main", f"thread main {{ {main} }}"]
    return parse_program("\n".join((*head, *threads)))


def random_locking(seed: int) -> Program:
    """A program of two kinds of threads, with up to one step that is wrong."""
    rng = random.Random(seed)
    bodies = [[line for _ in range(rng.randint(1, 2)) for line in _section(rng)] for _ in range(2)]
    if rng.random() < 0.6:
        body = rng.choice(bodies)
        body.insert(rng.randrange(len(body) + 1), rng.choice(WRONG))
    spawns = ["spawn t0;", "spawn t1;", "while (*) { spawn t0; }", "while (*) { spawn t1; }"]
    steps = ["m := 0;"] * (rng.random() < 0.5) + rng.sample(spawns, 2) + ["m := 0;"] * (rng.random() < 0.1)
    return program_of(" ".join(steps), *map(" ".join, bodies))


def _section(rng: random.Random) -> Iterator[str]:
    ways = rng.choice(RIGHT)
    for step in ways[:-1]:
        yield step
        yield rng.choice(USES)
    yield ways[-1]
    if rng.random() < 0.2:
        yield rng.choice(USES)


def broken(program: Program) -> bool:
    """Whether some reachable state contradicts a share."""
    exploration = explore(program, LIMITS, SAMPLES)
    return any(
        store[share.own] in POSITIVE and store[share.whole] not in POSITIVE
        for template, found in shares(program).items()
        for location in exploration.stores
        if program.template_of[location] == template
        for store in exploration.thread_stores(location)
        for share in found
    )


def test_shares_hold_in_every_state() -> None:
    claimed = 0
    for seed in range(COUNT):
        program = random_locking(seed)
        claimed += bool(shares(program))
        assert not broken(program), f"seed {seed}"
    assert COUNT / 4 < claimed < COUNT * 3 / 4


def test_no_race_is_missed() -> None:
    for seed in range(COUNT // 2):
        assert not missed(random_locking(seed), OPTIONS), f"seed {seed}"


DEFECTS: Mapping[str, Callable[..., object]] = {
    "_are_first": lambda *_: True,
    "_at_most": lambda *_: True,
    "_at_least": lambda *_: True,
}


@pytest.mark.parametrize("name", DEFECTS)
def test_seeded_defects_are_noticed(name: str) -> None:
    with patch(f"duet.interference.shares.{name}", DEFECTS[name]):
        assert any(broken(random_locking(seed)) for seed in range(ENOUGH))


READER, WRITER = f"{JOIN} check x == 0; {LEAVE}", f"{CLOSE} x := 1; x := 0; {OPEN}"


@pytest.mark.parametrize(
    ("main", "reader", "is_found"),
    [
        ("m := 0; while (*) { spawn t0; spawn t1; }", READER, True),
        ("while (*) { spawn t0; m := 0; spawn t1; }", READER, False),
        ("m := 0; while (*) { spawn t0; spawn main; spawn t1; }", READER, False),
        ("while (*) { spawn t0; spawn t1; }", READER.replace("m >= 0", "m >= -1"), False),
        ("while (*) { spawn t0; spawn t1; }", f"m := 0; {READER}", False),
        ("while (*) { spawn t0; spawn t1; }", f"{READER} H := 0;", False),
    ],
)  # fmt: skip
def test_readers_without_number_exclude_a_writer(main: str, reader: str, is_found: bool) -> None:
    program = program_of(main, reader, WRITER)
    assert bool(shares(program)) == is_found
    assert all(status.is_safe for status in analyse(program, OPTIONS).statuses) == is_found
