"""An exploration keeps to its bounds, whatever the program, and says which one it met."""

from __future__ import annotations

import json
import tracemalloc
from functools import partial
from pathlib import Path

import pytest

from duet.deadline import Deadline
from duet.plip.parser import parse_program
from duet.plip.syntax import Program
from duet.verify import refute
from duet.verify.explore import _Explorer, explore
from duet.verify.refute import failing
from duet.verify.room import Bounds, Room
from duet.verify.samples import samples_of
from duet.verify.wander import wander
from tests.certificate.proofs import checks_of
from tests.cli.conftest import Duet, duet  # noqa: F401  # the fixture

ENDLESS = "global x = 0 thread main { while (*) { x := x + 1 } assert x >= 0 }"


def wide(cells: int) -> Program:
    """Very many values in each state."""
    names = " ".join(f"global g{number} = 0" for number in range(cells))
    return parse_program(f"{names} global x = 0 thread main {{ while (*) {{ x := x + 1 g3 := x }} assert x >= 0 }}")


def choosing(cells: int) -> Program:
    """A block with very many results."""
    names = " ".join(f"global g{number} = 0" for number in range(cells))
    steps = " ".join(f"g{number} := *;" for number in range(cells))
    return parse_program(f"{names} global x = 0 thread main {{ atomic {{ {steps} }} x := 1 assert x == 1 }}")


def explored(program: Program, bounds: Bounds, seconds: float = 20.0) -> _Explorer:
    explorer = _Explorer(program, frozenset(checks_of(program)), samples_of(program), bounds, Deadline.after(seconds))
    explorer.search()
    return explorer


def test_the_number_of_states() -> None:
    explorer = explored(parse_program(ENDLESS), Bounds(states=500))
    assert len(explorer.parents) <= 501
    assert explorer.room.met == "500 states"


def test_their_memory() -> None:
    program, mib = wide(2_000), 16
    tracemalloc.start()
    explorer = explored(program, Bounds(memory=mib))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert explorer.room.met.endswith(f"which take {mib} MiB")
    assert 100 < len(explorer.parents) < 2_000
    assert most < 3 * mib * 2**20


@pytest.mark.parametrize("cells", [12, 40])
def test_a_block_with_many_results(cells: int) -> None:
    program = choosing(cells)
    tracemalloc.start()
    explored(program, Bounds(memory=16), 5.0)
    states = wander(program, checks_of(program)[0], samples_of(program), Bounds(memory=16), Deadline.after(5.0))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert states
    assert most < 96 * 2**20


def test_a_small_program_meets_no_bound() -> None:
    program = parse_program("global x = 0 thread main { x := 1 assert x == 1 }")
    assert explore(program, checks_of(program), samples_of(program), Bounds(), Deadline.after(1.0)).met == ""


def test_which_bound_was_met_is_told() -> None:
    program = parse_program(ENDLESS)
    told: dict[object, str] = {}
    assert not failing(program, checks_of(program), Deadline.after(1.0), Bounds(states=300), told.__setitem__)
    assert list(told.values()) == ["300 states, of at most 3 threads of a kind"]


def test_a_room_counts_threads_and_cells() -> None:
    room = Room(Bounds(memory=1))
    taken = 0
    while room.take((0,) * 1000, ((1, (0,) * 100),) * 3):
        taken += 1
    assert 80 < taken < 120  # about 10 KiB each


def test_the_report_says_so(duet: Duet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(refute, "Bounds", partial(Bounds, states=2_000))
    text = "global x = 0 global y = 0 thread main { while (*) { x := x + 1 } y := mul(x, x) assert y != 2 }"
    (tmp_path / "open.plip").write_text(text)
    done = duet("verify", "open.plip", "--timeout", "2", "--format", "json")
    (found,) = json.loads(done.out)["assertions"]
    assert found["status"] == "unproved"
    assert "no schedule that fails was found in the first 2,000 states" in found["reason"]
