"""Ghost variables of correctness witnesses: read, checked, and written for locks."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from duet.frontend.source import ghosts, invariants
from duet.frontend.source.words import ATOMIC_END
from tests.cli.conftest import Duet
from tests.witness.test_witness import SCHEMA, Witness, at, of, outcome

PROGRAM = """\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy, turns;
static void *worker(void *unused) {
    pthread_mutex_lock(&m);
    busy = 1;
    turns = turns + 1;
    busy = 0;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    while (1) { }
    return 0;
}
"""
UPDATES = {5: "1", 9: "0"}
LOOP = 15


def ghosts_of(
    text: str, updates: dict[int, str] | None = None, name: str = "taken", kind: str = "int", initial: str = "0"
) -> Witness:
    """A witness with one ghost, and no invariant."""
    content = {
        "ghost_variables": [
            {"name": name, "scope": "global", "type": kind, "initial": {"value": initial, "format": "c_expression"}}
        ],
        "ghost_updates": [
            {
                "location": {"file_name": "a.c", "line": line},
                "updates": [{"variable": name, "value": value, "format": "c_expression"}],
            }
            for line, value in (UPDATES if updates is None else updates).items()
        ],
    }
    return [of(text, [], "2.1")[0] | {"entry_type": "ghost_instrumentation", "content": content}]


def said(value: str, given: Witness, duet: Duet, folder: Path, text: str = PROGRAM) -> tuple[int, str]:
    """The exit code and the output for an invariant of the loop of `main`."""
    return outcome([*given, *of(text, [at(LOOP, value)], "2.1")], text, duet, folder)


@pytest.mark.parametrize("value", ["taken == 1 || busy == 0", "taken == 0 || taken == 1", "busy <= taken"])
def test_what_holds_is_confirmed(duet: Duet, tmp_path: Path, value: str) -> None:
    code, text = said(value, ghosts_of(PROGRAM), duet, tmp_path)
    assert code == 0, text


@pytest.mark.parametrize("value", ["taken == 0", "taken == 1", "taken == 0 || busy == 1", "taken == 1 || turns == 0"])
def test_what_may_fail_is_refused(duet: Duet, tmp_path: Path, value: str) -> None:
    code, text = said(value, ghosts_of(PROGRAM), duet, tmp_path)
    assert code == 1, text
    assert f"refused: '{value}'" in text


@pytest.mark.parametrize(
    ("updates", "code"),
    [({5: "0", 9: "0"}, 1), ({5: "1", 9: "1"}, 0), ({9: "0"}, 1), ({5: "1"}, 0), ({5: "0", 9: "1"}, 1)],
)
def test_other_updates_make_other_invariants(
    duet: Duet,
    tmp_path: Path,
    updates: dict[int, str],
    code: int,
) -> None:
    assert said("taken == 1 || busy == 0", ghosts_of(PROGRAM, updates), duet, tmp_path)[0] == code


def test_an_update_is_one_step_with_its_statement(
    duet: Duet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a thread that still waits for the lock could have said that it has it."""
    create = "pthread_create(&one, 0, worker, 0);"
    text = PROGRAM.replace(create, f"{create} {create}")
    assert said("taken == 1 || busy == 0", ghosts_of(text), duet, tmp_path, text)[0] == 0
    monkeypatch.setattr(invariants, "ATOMIC_BEGIN", ATOMIC_END)
    assert said("taken == 1 || busy == 0", ghosts_of(text), duet, tmp_path, text)[0] == 1


def test_updates_that_are_forgotten_are_noticed(
    duet: Duet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ghosts, "Inserted", lambda *_: invariants.Inserted({}))
    assert said("taken == 0", ghosts_of(PROGRAM), duet, tmp_path)[0] == 0  # wrong: the test above refuses it


WRONG: dict[str, tuple[Witness, str]] = {
    "an assignment": (ghosts_of(PROGRAM, {6: "1"}), "not supported"),
    "a statement that calls": (ghosts_of(PROGRAM, {14: "1"}), "not supported"),
    "no statement": (ghosts_of(PROGRAM, {3: "1"}), "not supported"),
    "a name of the program": (ghosts_of(PROGRAM, name="busy"), "a name of the program"),
    "a name of a local variable": (ghosts_of(PROGRAM, name="unused"), "a name of the program"),
    "a name that is none": (ghosts_of(PROGRAM, name="a b"), "no declaration"),
    "a name of the tool": (ghosts_of(PROGRAM, name="__duet_taken"), "a name of the program"),
    "a pointer": (ghosts_of(PROGRAM, kind="int *"), "no declaration"),
    "a type of the program": (ghosts_of(PROGRAM, kind="pthread_t"), "no declaration"),
    "an initial value": (ghosts_of(PROGRAM, initial="busy"), "no number"),
    "a value": (ghosts_of(PROGRAM, {5: "taken + 1"}), "only numbers"),
    "twice": ([*ghosts_of(PROGRAM), *ghosts_of(PROGRAM, {})], "twice"),
    "of version 2.0": (
        [ghosts_of(PROGRAM)[0] | {"metadata": of(PROGRAM, [], "2.0")[0]["metadata"]}],
        "'ghost_instrumentation'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_checked_is_an_error(duet: Duet, tmp_path: Path, what: str) -> None:
    given, expected = WRONG[what]
    code, text = said("busy <= 1", given, duet, tmp_path)
    assert code == 2, text
    assert expected in text


def test_an_update_of_another_ghost_is_an_error(duet: Duet, tmp_path: Path) -> None:
    given: list[dict[str, Any]] = ghosts_of(PROGRAM)
    given[0]["content"]["ghost_updates"][0]["updates"][0]["variable"] = "free"
    assert said("busy <= 1", given, duet, tmp_path)[0] == 2


def test_a_function_of_the_program_is_no_lock(duet: Duet, tmp_path: Path) -> None:
    text = PROGRAM.replace(
        "#include <pthread.h>\n", "#include <pthread.h>\nint mtx_lock(int *p) { *p = 2; return 0; }\n"
    )
    text = text.replace("    busy = 1;", "    mtx_lock(&turns);")
    given = ghosts_of(text, {7: "1"})
    code, told = outcome([*given, *of(text, [at(LOOP + 1, "busy <= 1")], "2.1")], text, duet, tmp_path)
    assert (code, "not supported" in told) == (2, True)


def test_several_files_are_an_error(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "b.c").write_text("int other;\n", encoding="utf-8")
    given = ghosts_of(PROGRAM)
    task = given[0]["metadata"]["task"]
    task["input_files"] = ["a.c", "b.c"]
    task["input_file_hashes"] |= {"b.c": sha256(b"int other;\n").hexdigest()}
    (tmp_path / "a.yml").write_text(yaml.safe_dump(given), encoding="utf-8")
    done = duet("check", "a.yml", "a.c", "b.c")
    assert (done.code, "several files" in done.err) == (2, True)


def test_locks_have_ghosts(duet: Duet, tmp_path: Path) -> None:
    text = PROGRAM.replace("int busy", "int m_locked, busy") + "#include <assert.h>\nvoid f(void) { assert(1); }\n"
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    done = duet("verify", "a.c", "--witness", "a.yml", "--witness-version=2.1", "--timeout=100")
    assert done.code == 0, done.out + done.err
    witness: Witness = yaml.safe_load((tmp_path / "a.yml").read_text(encoding="utf-8"))
    jsonschema.validate(witness, SCHEMA)
    assert {entry["metadata"]["format_version"] for entry in witness} == {"2.1"}
    found = [one["invariant"]["value"] for one in witness[-1]["content"]]
    assert "m_locked_ == 1 || busy == 0" in found
    assert [entry["entry_type"] for entry in witness] == ["ghost_instrumentation", "invariant_set"]
    updates = [(u["location"]["line"], u["updates"][0]["value"]) for u in witness[0]["content"]["ghost_updates"]]
    assert updates == [(5, "1"), (9, "0")]
    done = duet("check", "a.yml", "a.c", "--timeout=100")
    assert done.code == 0, done.out + done.err
