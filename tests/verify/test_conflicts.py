"""Races as schedules: those refuted happen in the explicit states, and what locks exclude is not refuted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.clock import Clock
from duet.options import FrontendOptions
from duet.reading import read
from duet.verify import conflicts

START = (
    "#include <pthread.h>\n#include <stdlib.h>\n"
    "int x, y, t[4], many[20]; int *p; struct { int a, b; double d; } s, r, all[64];\n"
    "union { struct { int a, b; } pair; int one; } u; struct { int a : 1; int : 0; int b : 1, c : 1; } bits;\n"
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
    "a structure and a member": ("void *f(void *a) { r = s; return 0; }\n" + MAIN + "s.b = 2; return 0; }\n", "s"),
    "what is not tracked": ("void *f(void *a) { s.d = 1; return 0; }\n" + MAIN + "s.d = 2; return 0; }\n", "s.d"),
    "an element by an index": ("void *f(void *a) { t[ask() & 3] = 1; return 0; }\n"
                               + MAIN + "t[2] = 2; return 0; }\n", "t[2]"),
    "an element of many": ("void *f(void *a) { many[17] = 1; return 0; }\n"
                           + MAIN + "many[17] = 2; return 0; }\n", "many[17]"),
    "in an atomic section": ("void *f(void *a) { __VERIFIER_atomic_begin(); y = 1; x = 1; __VERIFIER_atomic_end();\n"
                             "return 0; }\n" + MAIN + "x = 2; return 0; }\n", "x"),
    "after the lock": ("void *f(void *a) { pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); x = 1; return 0;}\n"
                       + MAIN + "pthread_mutex_lock(&m); if (y) x = 2; pthread_mutex_unlock(&m); return 0; }\n", "x"),
    "bit-fields in a row": ("void *f(void *a) { bits.b = 1; return 0; }\n"
                            + MAIN + "bits.c = 1; return 0; }\n", "bits.b/c"),
    "the start of a union": ("void *f(void *a) { u.pair.a = 1; return 0; }\n" + MAIN + "u.one = 2; return 0; }\n", "u"),
    "a local that a thread gets": ("void *f(void *a) { *(int *)a = 1; return 0; }\n"
                                   "int main(void) { pthread_t one; int own;\n"
                                   "pthread_create(&one, 0, f, &own); own = 2; return 0; }\n", "own"),
    "memory that is given back": ("void *f(void *a) { *p = 1; return 0; }\n"
                                  "int main(void) { pthread_t one; p = malloc(sizeof *p); if (p == 0) return 0;\n"
                                  "pthread_create(&one, 0, f, 0); free(p); return 0; }\n", "(memory"),
    "the first elements of many": ("void *f(void *a) { many[ask() & 15] = 1; return 0; }\n"
                                   + MAIN + "many[ask() & 15] = 2; return 0; }\n", "many"),
    "an element of a structure that is copied": ("void *f(void *a) { r = all[ask() & 63]; return 0; }\n"
                                                 + MAIN + "all[ask() & 63].b = 2; return 0; }\n", "all"),
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
        assert all(move["text"].split()[1].startswith(cell.split("[")[0]) for move in schedule[-2:])
        assert "$about" not in json.dumps(schedule)


def test_a_schedule_is_that_of_its_own_pair(tmp_path: Path) -> None:
    """Two races of one access: with a read that comes at once, and with one that never does."""
    text = (
        "void *f(void *a) {\nx = 1;\nreturn 0; }\n"
        + MAIN
        + "if (x) y = 1;\nint v = ask();\nif (v * v == 7 && x) y = 2;\nreturn 0; }\n"
    )
    found = [one for one in verdicts(tmp_path, text) if "no race on x" in str(one["expression"])]
    lines = {}
    for one in found:
        accesses = one["accesses"]
        assert isinstance(accesses, list)
        lines[max(access["stack"][-1]["line"] for access in accesses)] = one["status"]
    assert "refuted" in lines.values()
    assert lines[START.count("\n") + 7] == "unproved"


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
    "a read that nobody uses": "void *f(void *a) { x; return 0; }\n" + MAIN + "x = 2; return 0; }\n",
    "another element of many": "void *f(void *a) { many[(x & 1) + 2] = 1; return 0; }\n"
    + MAIN + "many[y & 1] = 1; return 0; }\n",
    "another part of a union": "void *f(void *a) { u.pair.b = 1; return 0; }\n" + MAIN + "u.one = 2; return 0; }\n",
    "behind a bit-field of no width": "void *f(void *a) { bits.a = 1; return 0; }\n"
    + MAIN + "bits.b = 1; return 0; }\n",
    "between bit-fields and what is behind a union's start": "void *f(void *a) { bits.a = 1; u.one = 1; return 0; }\n"
    + MAIN + "bits.c = 1; u.pair.b = 1; return 0; }\n",
    "a local of an earlier turn": "void *f(void *a) { *(int *)a = 1; return 0; }\n"
    "int main(void) { pthread_t one; for (int i = 0; ask(); i++) { int own;\n"
    "if (i == 0) pthread_create(&one, 0, f, &own); else own = 2; } return 0; }\n",
    "elements of many that are none of each other": "void *f(void *a) { many[3 + (ask() & 7)] = 1; return 0; }\n"
    + MAIN + "many[x & 1] = 1; many[18] = 2; return 0; }\n",
    "memory of another one is given back": "void *f(void *a) { *(int *)a = 1; return 0; }\n"
    "int main(void) { pthread_t one; int *own[2];\n"
    "for (int i = 0; i < 2; i++) { own[i] = malloc(sizeof(int)); if (own[i] == 0) return 0; }\n"
    "pthread_create(&one, 0, f, own[0]); free(own[1]); return 0; }\n",
    "what each thread has for itself": "void *f(void *a) { int own = 1; int *q = &own; *q = 2; return 0; }\n"
    + MAIN + "pthread_create(&two, 0, f, 0); return 0; }\n",
    "in two atomic sections": "void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();\n"
    "return 0; }\n" + MAIN + "__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end(); return 0; }\n",
    "undefined before": "void *f(void *a) { *p = 1; x = 1; return 0; }\n" + MAIN + "x = 2; return 0; }\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NO_RACES)
def test_what_is_no_race_is_not_refuted(name: str, tmp_path: Path) -> None:
    for found in verdicts(tmp_path, NO_RACES[name]):
        if "no race on p " not in str(found["expression"]):
            assert found["status"] != "refuted", found


FILLED = {
    "set": "memset(&s, 0, sizeof s);",
    "set in part": "memset(&s, 0, 12);",
    "copied": "memcpy(&s, &r, sizeof s);",
    "read from a file": "read(0, &s, sizeof s);",
}


@pytest.mark.parametrize("name", FILLED)
def test_bytes_of_what_is_not_tracked_are_written(name: str, tmp_path: Path) -> None:
    """The floating member of a structure has no cell."""
    text = f"void *f(void *a) {{ {FILLED[name]} return 0; }}\n{MAIN} if (s.d > 0) y = 1; return 0; }}\n"
    found = verdicts(tmp_path, f"#include <string.h>\n#include <unistd.h>\n{text}")
    assert [one["status"] for one in found if "s.d" in str(one["expression"])] == ["unproved"]


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        (("t", ("[2]",)), ("t", ("[2]",)), True),
        (("t", ("[2]",)), ("t", ("[3]",)), False),
        (("s", ()), ("s", (".a",)), True),
        (("s", (".a",)), ("r", (".a",)), False),
    ],
)
def test_parts_that_have_memory_in_common(one: conflicts.Part, other: conflicts.Part, is_shared: bool) -> None:
    assert conflicts._overlap(one, other) == is_shared
    assert conflicts._overlap(other, one) == is_shared


def test_locals_are_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "_passed_once", lambda program: program.template_of)
    found = verdicts(tmp_path, NO_RACES["a local of an earlier turn"])
    assert "refuted" in {one["status"] for one in found}


def test_accesses_that_are_certain(tmp_path: Path) -> None:
    """Not those that code which is not there may make, nor those to a part of which the bytes are not known."""
    path = tmp_path / "program.c"
    body = "x = 1; y; s.a = 1; r = s; t[2] = 1; p = &x; *p = 2; u.pair.b = 1; bits.a = 1; unknown(&many[3]); "
    path.write_text(f"{START}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(properties=("data-race",))
    found = [a for c in read((str(path),), options, Clock()).program.commands for a in c.accesses if a.is_memory]
    certain = {access.label for access in found if access.is_certain}
    assert {"x", "s.a", "r", "s", "t[2]", "bits.a"} <= certain
    assert {access.label for access in found} - certain >= {"y", "u", "many"}
