"""Threads with less room for their argument than it needs may be left with the same: what it tells is not their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.race_evidence import race_assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.reading import read

PARAMETERS = {
    "a character": "unsigned char id",
    "a short number": "short id",
    "an answer": "_Bool id",
    "a number": "int id",
}


def open_races(folder: Path, parameter: str) -> list[str]:
    source = folder / "a.c"
    source.write_text(
        f"#include <pthread.h>\nint a[600]; void *f({parameter}) {{ a[id] = 1; return 0; }}\n"
        "int main(void) { for (long i = 0; i < 300; i++) {"
        " pthread_t t; pthread_create(&t, 0, (void *(*)(void *))f, (void *)i); } return 0; }\n",
        encoding="utf-8",
    )
    found = read((str(source),), FrontendOptions(properties=("data-race",)), Clock())
    races = race_assertions(analyse(found.program, AnalysisOptions(domain="interval")), str(source))
    return [race.check.expression for race in races if not race.status.is_safe]


@pytest.mark.parametrize("name", PARAMETERS)
def test_parts_of_arguments(name: str, tmp_path: Path) -> None:
    assert open_races(tmp_path, PARAMETERS[name])
