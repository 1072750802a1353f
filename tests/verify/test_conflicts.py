"""Races as schedules: those refuted happen in the explicit states, and what locks exclude is not refuted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = (
    "#include <pthread.h>\nint x, y, t[4]; int *p; struct { int a, b; } s;\n"
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nvoid unknown(int *q); int ask(void);\n"
)
MAIN = "int main(void) { pthread_t one, two; pthread_create(&one, 0, f, 0);\n"


def verdicts(folder: Path, text: str, *given: str) -> list[dict[str, object]]:
    path = folder / "program.c"
    path.write_text(START + text, encoding="utf-8")
    command = ["verify", "--format", "json", "--timeout", "8", "--properties", "data-race", *given, str(path)]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


RACES = {
    "two writes": ("void *f(void *a) { x = 1; return 0; }\n" + MAIN + "x = 2; return 0; }\n", "x"),
    "a read in a condition": ("void *f(void *a) { if (x) y = 1; return 0; }\n" + MAIN + "x = 2; return 0; }\n", "x"),
    "an instance of the same": ("void *f(void *a) { x++; return 0; }\n"
                                + MAIN + "pthread_create(&two, 0, f, 0); return 0; }\n", "x"),
    "an element": ("void *f(void *a) { t[2] = 1; return 0; }\n" + MAIN + "t[2] = 2; return 0; }\n", "t[2]"),
    "a member": ("void *f(void *a) { s.a = 1; return 0; }\n" + MAIN + "if (s.a) y = 1; return 0; }\n", "s.a"),
    "atomic and plain": ("void *f(void *a) { __sync_fetch_and_add(&x, 1); return 0; }\n"
                         + MAIN + "x = 2; return 0; }\n", "x"),
    "after the lock": ("void *f(void *a) { pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); x = 1; return 0;}\n"
                       + MAIN + "pthread_mutex_lock(&m); if (y) x = 2; pthread_mutex_unlock(&m); return 0; }\n", "x"),
}  # fmt: skip


@pytest.mark.parametrize("name", RACES)
def test_races_are_refuted(name: str, tmp_path: Path) -> None:
    text, cell = RACES[name]
    refuted = [found for found in verdicts(tmp_path, text) if found["status"] == "refuted"]
    assert refuted
    assert {found["confirmed"] for found in refuted} == {"exact"}
    for found in refuted:
        schedule = found["schedule"]
        assert isinstance(schedule, list)
        assert schedule[-1]["thread"] != schedule[-2]["thread"]
        assert all(move["text"].endswith(cell) for move in schedule[-2:])
        assert "$about" not in json.dumps(schedule)


NO_RACES = {
    "under a lock": "void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }\n"
    + MAIN + "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); return 0; }\n",
    "after joining": "void *f(void *a) { x = 1; return 0; }\n" + MAIN + "pthread_join(one, 0); x = 2; return 0; }\n",
    "another element": "void *f(void *a) { t[(x & 1) + 2] = 1; return 0; }\n" + MAIN + "t[y & 1] = 1; return 0; }\n",
    "what unknown code may write": "void *f(void *a) { x = 1; return 0; }\n" + MAIN + "unknown(&x); return 0; }\n",
    "never both": "void *f(void *a) { if (y == 1) x = 1; return 0; }\n" + MAIN + "x = 2; return 0; }\n",
    "by a pointer to something else": "void *f(void *a) { y = 1; return 0; }\n"
    + MAIN + "p = ask() ? &x : &x; *p = 2; return 0; }\n",
    "both atomic": "void *f(void *a) { __sync_fetch_and_add(&x, 1); return 0; }\n"
    + MAIN + "__sync_fetch_and_add(&x, 1); return 0; }\n",
    "undefined before": "void *f(void *a) { *p = 1; x = 1; return 0; }\n" + MAIN + "x = 2; return 0; }\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NO_RACES)
def test_what_is_no_race_is_not_refuted(name: str, tmp_path: Path) -> None:
    for found in verdicts(tmp_path, NO_RACES[name]):
        if "no race on p " not in str(found["expression"]):
            assert found["status"] != "refuted", found
