"""Threads with less room for their argument than it needs may be left with the same: what it tells is not their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import open_races

PARAMETERS = {
    "a character": "unsigned char id",
    "a short number": "short id",
    "an answer": "_Bool id",
    "a number": "int id",
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parts_of_arguments(name: str, tmp_path: Path) -> None:
    text = (
        f"#include <pthread.h>\nint a[600]; void *f({PARAMETERS[name]}) {{ a[id] = 1; return 0; }}\n"
        "int main(void) { for (long i = 0; i < 300; i++) {"
        " pthread_t t; pthread_create(&t, 0, (void *(*)(void *))f, (void *)i); } return 0; }\n"
    )
    assert open_races(tmp_path / "a.c", text)
