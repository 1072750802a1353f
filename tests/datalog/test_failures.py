"""Engines that fail, hang or print nonsense give an error that says so, never a wrong answer."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from datalog import ruleset
from datalog.bitset import Bitset
from datalog.engine import EngineFailure
from datalog.registry import NAMES, available, choose
from datalog.relation import Facts, Relations
from datalog.souffle import Souffle

# After this many seconds a hang counts as one; the fakes would hang for a minute.
SOON = 0.3


def _fake(folder: Path, body: str) -> Souffle:
    """A program in the place of souffle; `$OUTPUT` is where it must write."""
    path = folder / "souffle"
    path.write_text(
        '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -D ] && OUTPUT=$2; shift; done\n' + body, encoding="utf-8"
    )
    path.chmod(0o755)
    return Souffle(str(path))


def _run(engine: Souffle, timeout: float | None = None) -> Relations:
    return engine.run(ruleset.interference(), {"cstart": [(0, 1)]}, ("coreach",), timeout)


def test_a_fake_that_behaves_is_believed(tmp_path: Path) -> None:
    found = _run(_fake(tmp_path, 'printf "1\\t2\\n3\\t4\\n" > "$OUTPUT/coreach.csv"'))
    assert found == {"coreach": {(1, 2), (3, 4)}}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("echo mended by nobody >&2; exit 3", "exit code 3"),
        ('printf "1\\t2\\n" > "$OUTPUT/coreach.csv"; exit 1', "exit code 1"),
        ("kill -6 $$", "exit code -6"),
        ("true", "wrote no coreach.csv"),
        ('printf "1\\n" > "$OUTPUT/coreach.csv"', "nonsense"),
        ('printf "1\\t2\\t3\\n" > "$OUTPUT/coreach.csv"', "nonsense"),
        ('printf "1\\tx\\n" > "$OUTPUT/coreach.csv"', "nonsense"),
        ('printf "1\\t-2\\n" > "$OUTPUT/coreach.csv"', "nonsense"),
        ('printf "1\\t2\\n\\n" > "$OUTPUT/coreach.csv"', "nonsense"),
        ('printf "\\377" > "$OUTPUT/coreach.csv"', "nonsense"),
    ],
)  # fmt: skip
def test_failures_are_told(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(EngineFailure, match=message) as caught:
        _run(_fake(tmp_path, body))
    assert caught.value.command[0].endswith("souffle")
    assert not caught.value.timed_out


def test_stderr_is_kept(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure) as caught:
        _run(_fake(tmp_path, "echo the disk is full >&2; exit 1"))
    assert "the disk is full" in caught.value.stderr


@pytest.mark.parametrize("body", ["sleep 60", "sleep 60 &\nwait", "sleep 60 &"], ids=["itself", "child", "orphan"])
def test_a_hang_is_ended(tmp_path: Path, body: str) -> None:
    start = time.monotonic()
    with pytest.raises(EngineFailure, match="did not end within") as caught:
        _run(_fake(tmp_path, body), SOON)
    assert caught.value.timed_out
    assert time.monotonic() - start < 20


def test_a_missing_executable_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match="cannot start souffle"):
        _run(Souffle(str(tmp_path / "nowhere")))


def test_an_old_answer_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    _run(_fake(tmp_path, 'printf "1\\t2\\n" > "$OUTPUT/coreach.csv"'))
    with pytest.raises(EngineFailure, match="wrote no"):
        _run(_fake(tmp_path, "true"))


def test_every_input_has_a_file(tmp_path: Path) -> None:
    body = 'ls "$OUTPUT/.." >&2; exit 1'
    with pytest.raises(EngineFailure) as caught:
        _run(_fake(tmp_path, body))
    assert {f"{name}.facts" for name in ("cstart", "cstep", "csig", "cen")} <= set(caught.value.stderr.split())


def test_absence_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = {engine.name: engine for engine in available()}
    assert sorted(found) == sorted(NAMES)
    assert not found["souffle"].is_available
    assert "not on PATH" in found["souffle"].note
    assert found["clingo"].is_available
    assert found["bitset"].is_available
    with pytest.raises(EngineFailure, match="not on PATH"):
        choose("souffle")


def test_a_version_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake(tmp_path, "echo hello")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "does not tell its version" in next(engine.note for engine in available() if engine.name == "souffle")


def test_an_engine_without_a_version_is_one(tmp_path: Path) -> None:
    assert _fake(tmp_path, "printf 'Version: \\nWord size: 32 bits\\n'").version() == "without a version"


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such engine: prolog"):
        choose("prolog")


def test_the_bitset_engine_says_what_it_cannot_do() -> None:
    with pytest.raises(EngineFailure, match="computes only"):
        Bitset().run(ruleset.interference(), {}, ("mayreach",))


def test_the_bitset_engine_keeps_its_limit() -> None:
    facts: Facts = {"cstart": [(0, 0)], "csig": [(0, 0)], "cstep": [(0, 1, 0)], "cen": [(0, 0)]}
    with pytest.raises(EngineFailure) as caught:
        Bitset().run(ruleset.interference(), facts, ("coreach",), -1.0)
    assert caught.value.timed_out
