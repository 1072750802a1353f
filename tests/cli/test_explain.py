"""`duet explain`, `--baseline`, `-v`, and output paths that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Duet


def test_explain_tells_of_the_checks_of_a_line(duet: Duet, locked: str) -> None:
    done = duet("explain", f"{locked}:10")
    assert done.code == 1
    assert "locked.plip:10:3: refuted: assertion in w" in done.out
    assert "hangs on:" in done.out
    assert duet("explain", f"{locked}:7").code == 0


def test_explain_of_a_line_without_checks_is_a_usage_error(duet: Duet, locked: str) -> None:
    done = duet("explain", f"{locked}:1")
    assert done.code == 2
    assert "the nearest are in 7, 10" in done.err
    assert duet("explain", locked).code == 2


def test_explain_refuses_what_it_does_not_do(duet: Duet, locked: str) -> None:
    for arguments in (("--format", "json"), ("-o", "x"), ("--html", "x"), ("--baseline", "x")):
        done = duet("explain", f"{locked}:10", *arguments)
        assert done.code == 2
        assert f"{arguments[0]} is for 'duet analyze'" in done.err


def test_with_a_baseline_only_new_checks_count(duet: Duet, locked: str, tmp_path: Path) -> None:
    duet("analyze", locked, "--format", "json", "-o", "before.json")
    text = (tmp_path / locked).read_text(encoding="utf-8")
    (tmp_path / locked).write_text("\n\n" + text, encoding="utf-8")
    done = duet("analyze", locked, "--baseline", "before.json")
    assert done.code == 0
    assert "0 open checks are new, 0 fixed, 1 the same" in done.out
    (tmp_path / locked).write_text(text.replace("assert x == 0", "assert x == 1"), encoding="utf-8")
    report = json.loads(duet("analyze", locked, "--baseline", "before.json", "--format", "json").out)
    assert report["baseline"]["new"] == 1
    assert duet("analyze", locked, "--baseline", "missing.json").code == 2


def test_paths_are_tried_before_the_analysis(duet: Duet, locked: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for arguments in (("-o", "no/such/out.json"), ("--html", "folder"), ("--certificate", "no/such/proof")):
        done = duet("analyze", locked, *arguments)
        assert done.code == 2
        assert f"cannot write {arguments[1]}: " in done.err
        assert done.out == ""


def test_colours_can_be_forced_and_forbidden(duet: Duet, locked: str) -> None:
    forced, both = {"FORCE_COLOR": "1", "NO_COLOR": ""}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b[3" in duet("analyze", locked, env=forced).out
    assert "\x1b" not in duet("analyze", locked, env=both).out
    assert "\x1b" not in duet("analyze", locked, "--format", "json", env=forced).out
