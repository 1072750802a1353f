"""Deadlocks as schedules: circles that close are refuted, those that a lock or an order excludes are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = (
    "#include <pthread.h>\nint x, y;\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    "pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;\n#define LOCK(m) pthread_mutex_lock(&m)\n"
    "#define GIVE(m) pthread_mutex_unlock(&m)\n"
)


def main(*functions: str, rest: str = "") -> str:
    starts = "".join(f"pthread_create(&t[{i}], 0, {name}, 0);\n" for i, name in enumerate(functions))
    return f"int main(void) {{ pthread_t t[4];\n{starts}{rest}\nreturn 0; }}\n"


def thread(name: str, body: str) -> str:
    return f"void *{name}(void *u) {{\n{body}\nreturn 0; }}\n"


def verdicts(folder: Path, text: str) -> list[dict[str, object]]:
    path = folder / "program.c"
    path.write_text(START + text, encoding="utf-8")
    command = ["verify", "--format", "json", "--timeout", "10", "--properties", "deadlock", str(path)]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


CLOSED = {
    "two orders": thread("f", "LOCK(a);\nLOCK(b);\nGIVE(b); GIVE(a);")
    + thread("g", "LOCK(b);\nLOCK(a);\nGIVE(a); GIVE(b);") + main("f", "g"),
    "three": thread("f", "LOCK(a);\nLOCK(b);") + thread("g", "LOCK(b);\nLOCK(c);") + thread("h", "LOCK(c);\nLOCK(a);")
    + main("f", "g", "h"),
    "itself": thread("f", "LOCK(a);\nif (x) GIVE(a);\nLOCK(a);") + main("f"),
    "joined": thread("f", "LOCK(a); GIVE(a);") + main("f", rest="LOCK(a);\npthread_join(t[0], 0);"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_circles_are_refuted(name: str, tmp_path: Path) -> None:
    refuted = [found for found in verdicts(tmp_path, CLOSED[name]) if found["status"] == "refuted"]
    assert refuted
    for found in refuted:
        schedule, accesses = found["schedule"], found["accesses"]
        assert isinstance(schedule, list)
        assert isinstance(accesses, list)
        ends = schedule[-len(accesses) :]
        assert len({move["thread"] for move in ends}) == len(accesses)
        assert all(move["text"].startswith("wait for ") for move in ends)
        assert "$about" not in json.dumps(schedule)


OPEN = {
    "under a third lock": thread("f", "LOCK(c); LOCK(a);\nLOCK(b);\nGIVE(b); GIVE(a); GIVE(c);")
    + thread("g", "LOCK(c); LOCK(b);\nLOCK(a);\nGIVE(a); GIVE(b); GIVE(c);") + main("f", "g"),
    "one after the other": thread("f", "LOCK(a);\nLOCK(b);\nGIVE(b); GIVE(a);")
    + thread("g", "LOCK(b);\nLOCK(a);\nGIVE(a); GIVE(b);")
    + main("f", rest="pthread_join(t[0], 0); pthread_create(&t[1], 0, g, 0);"),
    "never both": thread("f", "if (x) {\nLOCK(a);\nLOCK(b); }") + thread("g", "LOCK(b);\nLOCK(a);") + main("f", "g"),
    "given back by another": thread("f", "LOCK(a);\nLOCK(b);\nGIVE(b); GIVE(a);")
    + thread("g", "LOCK(b); GIVE(a);\nLOCK(a);\nGIVE(b);") + main("f", "g"),
    "given back before": thread("f", "LOCK(a);\nGIVE(a); LOCK(b);\nGIVE(b);")
    + thread("g", "LOCK(b);\nGIVE(b); LOCK(a);\nGIVE(a);") + main("f", "g"),
    "recursive": thread("f", "pthread_mutexattr_t k; pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE);\n"
    "pthread_mutex_init(&a, &k); LOCK(a);\nLOCK(a);\nGIVE(a); GIVE(a);") + main("f"),
    "tried": thread("f", "LOCK(a);\nif (pthread_mutex_trylock(&b) == 0) GIVE(b);\nGIVE(a);")
    + thread("g", "LOCK(b);\nLOCK(a);\nGIVE(a); GIVE(b);") + main("f", "g"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_what_is_no_circle_is_not_refuted(name: str, tmp_path: Path) -> None:
    for found in verdicts(tmp_path, OPEN[name]):
        assert found["status"] != "refuted", found
