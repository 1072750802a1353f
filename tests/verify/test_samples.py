"""The values that are tried for inputs: those that what they flow into is compared with, and the largest ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.plip.parser import parse_program
from duet.verify import refute
from duet.verify.samples import in_turn, samples_of

START = "#include <assert.h>\nint __VERIFIER_nondet_int(void); int x, y, limit = 70;\nint main(void) {\n"
NOISE = "".join(f"if (y == {number}) y = 0; " for number in (3, 9, 15, 21, 27, 33))  # constants nearer to zero
INPUT = "int i = __VERIFIER_nondet_int(); "
FAILS = {
    "compared by itself": INPUT + "assert(i != 12345); return 0; }",
    "compared as a copy": f"{INPUT} {NOISE} x = i; assert(x <= 99); return 0; }}",
    "next to what it is compared with": f"{INPUT} {NOISE} assert(i < 99 || i > 101); return 0; }}",
    "compared with another variable": f"{INPUT} {NOISE} assert(i != limit); return 0; }}",
    "compared with what is assigned": f"{INPUT} {NOISE} limit = 80; assert(i != limit); return 0; }}",
    "the smallest one": f"{INPUT} {NOISE} assert(i / 1000 >= -5000); return 0; }}",
    "the largest one": f"{INPUT} {NOISE} assert(i / 1000 <= 5000); return 0; }}",
}


def verdict(folder: Path, name: str, seconds: int = 10) -> tuple[str, str]:
    path = folder / "program.c"
    path.write_text(START + FAILS[name], encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", str(seconds), str(path)])
    (only,) = json.loads(result.stdout)["assertions"]
    return only["status"], only.get("confirmed", "")


@pytest.mark.parametrize("name", FAILS)
def test_an_input_that_fails_is_tried(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, name) == ("refuted", "exact")


def test_one_set_of_values_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refute, "in_turn", lambda program, _: (samples_of(program),))
    assert verdict(tmp_path, "the smallest one", seconds=2) == ("unproved", "")


def test_values_are_within_the_range_and_no_more_than_others_have() -> None:
    program = parse_program("thread main {\n  local i\n  i := * in 0..9\n  if (i <= 4) {\n    assert i != 20\n  }\n}\n")
    found = samples_of(program)
    assert set(found.own) == {"i"}
    assert all(0 <= value <= 9 for value in found.own["i"])
    assert {3, 4, 5, 9} <= set(found.own["i"])
    assert len(found.own["i"]) <= len(found.havoc)


def test_sets_of_values_in_turn() -> None:
    """Few values, then those next to constants, then both ends of the range."""
    text = "thread main {\n  local i\n  i := * in -1000..1000\n  if (i <= 4) {\n    assert i != 20\n  }\n}\n"
    few, near, far = (found.own["i"] for found in in_turn(parse_program(text)))
    assert len(few) < len(near)
    assert {3, 4, 5, 20} <= set(near)
    assert {1000, -1000} == set(far[:2])


def test_without_inputs_there_is_one_set() -> None:
    assert len(in_turn(parse_program("global x = 0 thread main { x := 5 assert x == 0 }"))) == 1
