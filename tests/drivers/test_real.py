"""The benchmark of real programs: its list, what is fetched by checksum, and measurements that go on."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "drivers-bench"
sys.path.insert(0, str(ROOT))

import real  # noqa: E402

PROGRAM = """#include "size.h"
int a[SIZE];
int main(int n, char **v) { (void)v; if (n < SIZE) a[n] = 1; return a[SIZE - 1]; }
"""
MODULE = "int helper(void) { return 0; }\n"


def _archive(path: Path) -> str:
    """An archive of a program of two files, one of which is named by a makefile, and one that is left out."""
    with tarfile.open(path, "w:gz") as archive:
        contents = {"main.c": PROGRAM, "test.c": "broken", "sub/part.c": MODULE, "sources.mak": "S = ./part.c \\\n"}
        for name, text in contents.items():
            member = tarfile.TarInfo(f"small-1/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _listed(folder: Path) -> real.Real:
    digest = _archive(folder / "small_1.orig.tar.gz")
    return real.Real(
        "small",
        real.Source("pool/small_1.orig.tar.gz", digest),
        "small-1",
        ("*.c",),
        without=("test.c",),
        listed={"sources.mak": "sub"},
        flags=("-Icfg", "-I@headers"),
        written={"cfg/size.h": "#define SIZE 4\n"},
    )


def test_the_list_is_whole() -> None:
    headers, programs, properties = real.programs()
    assert len({program.name for program in programs}) == len(programs) >= 9
    assert "data-race" in properties
    for source in (*headers, *(program.source for program in programs)):
        assert len(source.sha256) == 64
        assert source.place.startswith(("debian/pool/", "debian-security/pool/"))


def test_programs_are_fetched_by_checksum_and_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _listed(tmp_path)
    cache = tmp_path / "cache"
    other = replace(program, name="other", source=replace(program.source, sha256="0" * 64))
    monkeypatch.setattr(real, "programs", lambda: ((), (program, other), ()))
    assert not program.is_there(cache)
    lines = list(real.fetch(str(tmp_path), cache))
    assert lines[0] == "small: 2 files"
    assert "another checksum" in lines[1]
    assert program.is_there(cache)
    assert program.paths(cache) == ("main.c", "sub/part.c")
    assert program.options(cache)[1].endswith("/cache/headers/usr/include")
    assert (cache / "small-1" / "cfg" / "size.h").read_text() == "#define SIZE 4\n"


@pytest.mark.skipif(not all(map(shutil.which, ("clang", "gcc"))), reason="no other analyzers")
def test_measurements_are_kept_and_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _listed(tmp_path)
    monkeypatch.setattr(real, "programs", lambda: ((), (program,), ()))
    list(real.fetch(str(tmp_path), tmp_path))
    (tmp_path / "headers" / "usr" / "include").mkdir(parents=True)
    found = real.measure(program, ("array-bounds",), 60, 2000, tmp_path)
    assert (found.files, found.lines) == (2, 4)
    assert found.default.status == found.interval.status == "complete"
    assert found.default.total >= found.default.proved > 0
    assert found.default.half is not None
    assert min(found.default.cost.seconds, found.clang.seconds, found.gcc.seconds) >= 0
    assert found.clang.refused == found.gcc.refused == 0
    real.save(tmp_path / "kept" / "results.json", {"small": found})
    assert real.load(tmp_path / "kept" / "results.json") == {"small": found}
    rows = real.table({"small": found}).splitlines()
    assert rows[0].count("|") == rows[1].count("|") == rows[2].count("|")
    assert rows[2].startswith("| small | 2 | 4 |")


def test_nothing_is_known_before_the_first_measurement(tmp_path: Path) -> None:
    assert real.load(tmp_path / "results.json") == {}
    assert real.table({}).count("\n") == 1
