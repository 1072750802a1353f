"""The values that are tried for inputs: those that what they flow into is compared with, and the largest ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.plip.parser import parse_program
from duet.verify.samples import samples_of

START = "#include <assert.h>\nint __VERIFIER_nondet_int(void); int x, y, limit = 70;\nint main(void) {\n"
NOISE = "".join(f"if (y == {number}) y = 0; " for number in (3, 9, 15, 21, 27, 33))  # constants nearer to zero
INPUT = "int i = __VERIFIER_nondet_int(); "
FAILS = {
    "compared by itself": INPUT + "assert(i != 12345); return 0; }",
    "compared as a copy": f"{INPUT} {NOISE} x = i; assert(x <= 99); return 0; }}",
    "next to what it is compared with": f"{INPUT} {NOISE} assert(i < 99 || i > 101); return 0; }}",
    "compared with another variable": f"{INPUT} {NOISE} assert(i != limit); return 0; }}",
    "compared with what is assigned": f"{INPUT} {NOISE} limit = 80; assert(i != limit); return 0; }}",
    "the largest one": f"{INPUT} {NOISE} assert(i / 1000 <= 5000); return 0; }}",
}


@pytest.mark.parametrize("name", FAILS)
def test_an_input_that_fails_is_tried(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(START + FAILS[name], encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", "10", str(path)])
    (only,) = json.loads(result.stdout)["assertions"]
    assert (only["status"], only["confirmed"]) == ("refuted", "exact"), only["reason"]


def test_values_are_within_the_range_and_no_more_than_others_have() -> None:
    program = parse_program("thread main {\n  local i\n  i := * in 0..9\n  if (i <= 4) {\n    assert i != 20\n  }\n}\n")
    found = samples_of(program)
    assert set(found.own) == {"i"}
    assert all(0 <= value <= 9 for value in found.own["i"])
    assert {3, 4, 5, 9} <= set(found.own["i"])
    assert len(found.own["i"]) <= len(found.havoc)
