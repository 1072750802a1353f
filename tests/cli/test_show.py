"""`duet show` and `duet doctor`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Duet


def test_plip_is_read_back(duet: Duet, locked: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    shown = duet("show", "plip", locked).out
    path = tmp_path_factory.mktemp("again") / "again.plip"
    path.write_text(shown, encoding="utf-8")
    assert duet("show", "plip", str(path)).out == shown


POINTERS = """#include <pthread.h>
#include <stdio.h>
static int a, b, *p = &a; static void (*hook)(void);
static void hit(void) { printf("%d", b ?: a); }
static void *run(void *q) { *(int *)q = 1; return q; }
int main(void) { pthread_t t; hook = hit; p = &b; pthread_create(&t, 0, run, p); hook(); return 0; }
"""


def test_tree_is_c_with_what_is_needed_of_the_headers(duet: Duet, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(POINTERS + "int lost(void) { return (1 2); }\n", encoding="utf-8")
    shown = duet("show", "tree", str(path)).out
    assert "int printf(const char *format, ...);" in shown
    assert "hook = hit;" in shown
    assert "fopen" not in shown
    assert "/* not understood: lost (" in shown


def test_points_to_has_every_pointer(duet: Duet, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(POINTERS, encoding="utf-8")
    lines = duet("show", "points-to", str(path)).out.splitlines()
    assert {"p -> a, b", "hook -> hit()"} <= set(lines)


def test_several_files_are_one_program(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("extern int *p; int main(void) { return *p; }\n", encoding="utf-8")
    (tmp_path / "b.c").write_text("static int v; int *p = &v;\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.c", "b.c")]
    assert "p -> v@2\n" in duet("show", "points-to", *files).out
    assert duet("show", "harness", *files).code == 2


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


def test_doctor_tells_others_no_paths(duet: Duet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "home-of-a-user" / "bin"
    own.mkdir(parents=True)
    for name, text in {"gcc": f"echo 'gcc 12.2 in {own}/gcc'", "clang": "exit 3", "cpp": "kill -9 $$"}.items():
        (own / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (own / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{own}:/usr/bin:/bin")
    told = duet("doctor", "--report").out
    assert str(tmp_path) not in told
    assert re.search(r"preprocessor +gcc +gcc 12.2 in ", told)
    assert re.search(r"preprocessor +clang +tells no version", told)
    assert re.search(r"requires +networkx +\d", told)
    assert re.search(r"machine +memory +\d+ MiB", told)
    assert not re.search(r"(?<![\w.])/\w", told), told
    assert str(own) in duet("doctor").out


def test_doctor_names_engines_libraries_and_defaults(duet: Duet) -> None:
    done = duet("doctor")
    assert done.code == 0
    found = [line.split()[:2] for line in done.out.splitlines()]
    for row in (
        ["engine", "bitset"],
        ["engine", "souffle"],
        ["numeric", "own"],
        ["numeric", "apron"],
        ["numeric", "ppl"],
        ["default", "domain"],
    ):
        assert row in found


def test_form_has_types_and_places(duet: Duet, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(POINTERS + "int lost(void) { return nothing; }\n", encoding="utf-8")
    shown = duet("show", "form", str(path)).out
    assert "void* run(void* q)\n  *((convert read q){int*}) = 1\n  return read q\n" in shown
    assert "(call printf(" in shown
    assert "lost is not understood: " in shown


def test_a_proof_for_any_number_of_equal_threads_is_shown_as_such(duet: Duet) -> None:
    path = Path(__file__).parents[1] / "verify" / "crowds" / "numbered.c"
    done = duet("show", "proof", f"{path}:23")
    assert done.code == 0
    first, second, *_ = done.out.splitlines()
    assert first == "for any number of equal threads (client):"
    assert "assertion 'cell == 3 * number + 1' in client: proved by copies: here cell is 1 or 4 or 7" in second


def test_a_proof_by_cubes_is_shown_with_them(duet: Duet) -> None:
    path = Path(__file__).parents[1] / "verify" / "symmetric" / "random_cas.c"
    first, second, *_ = duet("show", "proof", "--parameterized", f"{path}:12").out.splitlines()
    assert first.endswith("assertion 'old != 0' in drawer: proved by cubes")
    assert second.startswith("No execution, of any number of threads")


def test_a_proof_for_these_threads_only_is_not(duet: Duet) -> None:
    path = Path(__file__).parents[1] / "verify" / "crowds" / "own_turn.c"
    assert "any number" not in duet("show", "proof", f"{path}:17").out


def test_a_proof_in_a_driver_is_shown(duet: Duet) -> None:
    path = Path(__file__).parents[2] / "drivers-bench" / "drivers" / "openflag_wdt.c"
    done = duet("show", "proof", f"{path}:43", "--kernel", "bundled")
    assert done.code == 0
    assert "proved" in done.out
