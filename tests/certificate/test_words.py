"""Proofs in words name threads, lines and the user's cells."""

from __future__ import annotations

from pathlib import Path

from duet.certificate.words import proof_words
from duet.plip.parser import parse_program
from duet.verify.decide import prepared
from tests.cli.conftest import Duet, duet  # noqa: F401  # the fixture
from tests.verify.test_cubes import checks_of, proved

TEXT = """global x = 0
thread main { spawn w join w
  assert x == 1 }
thread w {
  x := 1 }
"""


def test_each_set_is_a_sentence() -> None:
    program = parse_program(TEXT)
    (check,) = checks_of(program)
    found = proved(program, check)
    assert found is not None
    part, _ = prepared(program, (), check)
    first, *lines, last = proof_words(part.program, found)
    assert f"these {len(found.cubes)} sets" in first
    assert lines[0] == "   1. thread A is in main before line 3 (location 3), where x != 1"
    assert any("thread B has ended w" in line for line in lines)
    assert "the check holds" in last


def test_show_proof(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "one.plip").write_text(TEXT.replace("x := 1", "local t t := x while (t < 1) { t := t + 1 x := x + 1 }"))
    done = duet("show", "proof", "one.plip:3")
    assert done.code == 0
    assert done.out.startswith("one.plip:3:3: assertion 'x == 1' in main: proved by ")
    nothing = duet("show", "proof", "one.plip:1")
    assert nothing.code == 2
    assert "no check" in nothing.err
    assert duet("show", "proof", "one.plip").code == 2


def test_a_check_that_is_not_proved_is_said_to_be_open(duet: Duet, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "open.plip").write_text("global x = 0\nthread main { x := *\n assert x == 1 }\n")
    assert "not proved" in duet("show", "proof", "open.plip:3").out
