"""`duet show` and `duet doctor`."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.cli.conftest import Duet


def test_plip_is_read_back(duet: Duet, locked: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    shown = duet("show", "plip", locked).out
    path = tmp_path_factory.mktemp("again") / "again.plip"
    path.write_text(shown, encoding="utf-8")
    assert duet("show", "plip", str(path)).out == shown


def test_cfg_has_every_command_with_its_place(duet: Duet, locked: str) -> None:
    lines = duet("show", "cfg", locked).out.splitlines()
    assert any(line.startswith("template w (MANY)") for line in lines)
    assert sum("x := " in line and "(locked.plip:6)" in line for line in lines) == 2


def test_interference_lists_only_flows_between_threads(duet: Duet, locked: str) -> None:
    everything = duet("show", "dfg", locked).out.splitlines()
    between = duet("show", "interference", locked).out.splitlines()
    headings = [line for line in everything if line.endswith(" rounds")]
    assert headings[0] == everything[0]
    assert {line.split()[0] for line in everything if line not in headings} == {"init", "intra", "inter"}
    assert between == [line for line in everything if line in headings or line.split()[0] == "inter"]
    assert any("y := r + 1" in line for line in between)


@pytest.mark.parametrize("what", ["cfg", "dfg", "interference"])
def test_graphs_for_graphviz(duet: Duet, locked: str, what: str) -> None:
    text = duet("show", what, locked, "--dot").out
    assert text.startswith("digraph ")
    assert text.count("{") == text.count("}")
    assert "->" in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz (Debian: apt install graphviz)")
@pytest.mark.parametrize("what", ["cfg", "dfg", "interference"])
def test_graphviz_reads_the_graphs(duet: Duet, locked: str, what: str) -> None:
    text = duet("show", what, locked, "--dot").out
    subprocess.run(["dot", "-Tsvg"], input=text, text=True, check=True, capture_output=True)


def test_doctor_names_engines_libraries_and_defaults(duet: Duet) -> None:
    done = duet("doctor")
    assert done.code == 0
    found = [line.split()[:2] for line in done.out.splitlines()]
    for row in (["engine", "bitset"], ["engine", "souffle"], ["numeric", "own"], ["default", "domain"]):
        assert row in found
