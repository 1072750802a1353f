"""Schedules through arrays: in small programs each element has a cell, so that what is read of one is what it holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.options import Budgets

START = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint large[400], short_one[12], x;\n"
EXACT = {
    "an element by a constant": "large[3] = 1; x = large[4]; assert(x == 1);",
    "an element by an input": "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 11) return 0;\n"
    "short_one[i] = 4; x = short_one[7]; assert(x == 0);",
}
MODEL = {
    "any of many elements": "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 399) return 0;\n"
    "large[i] = 4; x = large[7]; assert(x == 0);",
}


def verdict(folder: Path, body: str) -> str:
    path = folder / "program.c"
    path.write_text(f"{START}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", "8", str(path)])
    (only,) = json.loads(result.stdout)["assertions"]
    return str(only["status"])


@pytest.mark.parametrize("name", EXACT)
def test_what_elements_hold_is_exact(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(tmp_path, EXACT[name]) == "refuted"
    monkeypatch.setattr(Budgets, "roomy", lambda budgets, _: budgets)
    assert verdict(tmp_path, EXACT[name]) == "unproved"


@pytest.mark.parametrize("name", MODEL)
def test_one_cell_for_many_elements_is_in_the_way(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, MODEL[name]) == "unproved"


def test_large_programs_have_no_more_cells() -> None:
    usual = Budgets()
    assert usual.roomy(10).array_cells > usual.roomy(200).array_cells > usual.array_cells
    assert usual.roomy(100_000).array_cells == usual.array_cells
