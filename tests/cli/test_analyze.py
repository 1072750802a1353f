"""`duet analyze`: formats, files, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.interference.explain import Explanations
from tests.cli.conftest import Duet

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "result.schema.json").read_text(encoding="utf-8"))


def test_text_has_results_on_stdout_and_the_rest_on_stderr(duet: Duet, locked: str) -> None:
    done = duet("analyze", "--no-verify", locked)
    assert done.code == 1
    first, last = done.out.splitlines()
    assert first.startswith("locked.plip:10:3: unproved: assertion 'y <= 3' in w: here ")
    assert last.startswith("locked.plip: 1 proved, 1 unproved in ")


def test_what_stays_open_is_looked_into_unless_told_otherwise(duet: Duet, locked: str) -> None:
    done = duet("analyze", locked)
    first, *moves, last = done.out.splitlines()
    assert first.startswith("locked.plip:10:3: refuted: assertion 'y <= 3' in w: ")
    assert moves[-1].endswith("assert y <= 3  (y = 4)")
    assert last.startswith("locked.plip: 1 proved, 1 refuted in ")


def test_json_is_all_that_stdout_gets_and_meets_the_schema(duet: Duet, locked: str) -> None:
    done = duet("analyze", locked, "--format=json", "--domain=interval", "--engine=bitset")
    assert done.code == 1
    report = json.loads(done.out)
    jsonschema.validate(report, SCHEMA)
    assert [entry["status"] for entry in report["assertions"]] == ["proved", "refuted"]
    assert report["status"] == "complete"
    assert report["input"]["domain"] == "interval"
    assert report["input"]["engine"].startswith("bitset")
    assert {"parse", "invariants", "interference", "total"} <= set(report["timing"])
    assert report["stats"]["peak_rss_mib"] > 0


def test_derivations_are_only_found_for_reports_that_show_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asked = tmp_path / "a.plip", list[tuple[int, int, int]]()
    path.write_text("global x = 0 thread main { spawn w check x == 0 } thread w { x := 5 }", encoding="utf-8")
    monkeypatch.setattr(Explanations, "of", lambda _, flow: asked.append(flow))

    def is_asked(*options: str) -> bool:
        asked.clear()
        CliRunner().invoke(cli, ["analyze", "--no-verify", str(path), *options])
        return bool(asked)

    page = ("--html", str(tmp_path / "page.html"))
    assert [is_asked("--format", form) for form in ("text", "sarif", "github")] == [False, False, False]
    assert [is_asked("--format", "json"), is_asked("--format", "html"), is_asked(*page)] == [True, True, True]
    asked.clear()
    CliRunner().invoke(cli, ["explain", f"{path}:1"])
    assert asked


def test_exit_code_zero_when_all_is_proved_or_asked_for(duet: Duet, locked: str, tmp_path: Path) -> None:
    safe = (tmp_path / locked).read_text(encoding="utf-8").replace("assert y <= 3", "")
    (tmp_path / "safe.plip").write_text(safe, encoding="utf-8")
    assert duet("analyze", "safe.plip").code == 0
    assert duet("analyze", locked, "--exit-zero").code == 0


def test_output_and_html_files(duet: Duet, locked: str, tmp_path: Path) -> None:
    done = duet("analyze", locked, "--format", "json", "-o", "out.json", "--html", "out.html")
    assert done.out == ""
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["summary"]["proved"] == 1
    assert "y &lt;= 3" in (tmp_path / "out.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == [locked, "out.html", "out.json"]


def test_sarif_and_html_on_stdout(duet: Duet, locked: str) -> None:
    assert json.loads(duet("analyze", locked, "--format", "sarif").out)["version"] == "2.1.0"
    assert duet("analyze", locked, "--format", "html").out.startswith("<!DOCTYPE html>")


def test_every_engine_and_domain_gives_these_verdicts(duet: Duet, locked: str) -> None:
    for engine in ("bitset", "clingo"):
        for domain in ("interval", "octagon"):
            report = json.loads(duet("analyze", locked, "--engine", engine, "--domain", domain, "--format=json").out)
            assert [entry["status"] for entry in report["assertions"]] == ["proved", "refuted"]


def test_generous_limits_change_nothing(duet: Duet, locked: str) -> None:
    told = ("analyze", locked, "--format", "json", "--no-verify")  # which schedule is found depends on how fast that is
    free = json.loads(duet(*told).out)
    limited = json.loads(duet(*told, "--timeout", "100", "--memory", "4000").out)
    for report in (free, limited):
        del report["timing"], report["stats"]["peak_rss_mib"]
    assert free == limited
