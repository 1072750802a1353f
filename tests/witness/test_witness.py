"""Correctness witnesses: what `duet verify --witness` writes for a proof, and what `duet check` says of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from duet.frontend.models import checks
from tests.c.annotations import AnnotatedProgram, bundled, name, safe_part
from tests.cli.conftest import Duet

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "witness.schema.json").read_text(encoding="utf-8"))
SPECIFICATION = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
PROGRAM = """\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct { int low, high; } range = {0, 5};
int turns[2];
static int step(int n) {
    while (n < 7) n = n + 2;
    return n;
}
static void *mover(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        range.low = i; range.high = i + 5;
        assert(range.high - range.low == 5);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, mover, 0);
    pthread_create(&two, 0, mover, 0);
    int n = step(1) + step(1);
    assert(n >= 14);
    do { turns[1] = n; n--; } while (n > 0);
    return 0;
}
"""
ALONE = PROGRAM.replace("    pthread_create(&one, 0, mover, 0);\n    pthread_create(&two, 0, mover, 0);\n", "\n\n")
"""The lines of `main` and `step`, without threads: what is asked of them takes a third of the time."""
MOVED = PROGRAM.replace("step(1) + step(1)", "14").replace("do { turns[1] = n; n--; } while (n > 0);", "")
"""And those of threads."""
Witness = list[dict[str, Any]]


def written(text: str, duet: Duet, directory: Path, *options: str) -> Witness:
    """The witness of a program, as it is written."""
    (directory / "a.c").write_text(text, encoding="utf-8")
    done = duet("verify", "a.c", "--witness", "a.yml", "--timeout=100", *options)
    assert done.code == 0, done.out + done.err
    found: Witness = yaml.safe_load((directory / "a.yml").read_text(encoding="utf-8"))
    jsonschema.validate(found, SCHEMA)
    return found


def values(witness: Witness) -> set[tuple[int, int, str]]:
    found = [one["invariant"] for one in witness[-1]["content"]]
    return {(one["location"]["line"], one["location"]["column"], one["value"]) for one in found}


def test_a_witness_has_what_is_known_in_the_words_of_the_source(duet: Duet, tmp_path: Path) -> None:
    for text, expected, more in (
        (ALONE, {(7, 5, "n == 1 || n == 3 || n == 5 || n == 7"), (20, 5, "turns[1] == 0")}, []),
        (MOVED, {(11, 5, "range.high <= 8")}, ["--format=json"]),
    ):
        witness = written(text, duet, tmp_path, "--witness-version=2.0")
        found = values(witness)
        assert expected <= found
        assert not any(" m " in f" {value} " for _, _, value in found), "a mutex is no number"
        task = witness[0]["metadata"]["task"]
        assert task["input_file_hashes"] == {"a.c": sha256(text.encode()).hexdigest()}
        assert task["specification"] == SPECIFICATION
        assert [entry["entry_type"] for entry in witness] == ["invariant_set"], "ghosts are of a later version"
        done = duet("check", "a.yml", "a.c", "--timeout=100", *more)
        assert done.code == 0, done.out
        if not more:
            assert f"confirmed: {len(found)} of {len(found)} invariants certified" in done.out
        else:
            report = json.loads(done.out)
            assert report["confirmed"]
            assert all(one["certified"] for one in report["invariants"])


def of(text: str, invariants: list[dict[str, Any]], version: str = "2.0", **task: object) -> Witness:
    """A witness of `a.c`."""
    hashes = {"a.c": sha256(text.encode()).hexdigest()}
    return [
        {
            "entry_type": "invariant_set",
            "metadata": {
                "format_version": version,
                "uuid": "01234567-89ab-cdef-0123-456789abcdef",
                "creation_time": "2026-01-02T03:04:05Z",
                "producer": {"name": "nobody", "version": "1"},
                "task": {"input_files": ["a.c"], "input_file_hashes": hashes, "specification": SPECIFICATION,
                         "data_model": "LP64", "language": "C", **task},
            },
            "content": [{"invariant": one | {"format": "c_expression"}} for one in invariants],
        }
    ]  # fmt: skip


def at(line: int, value: str, kind: str = "loop_invariant", **location: object) -> dict[str, Any]:
    return {"type": kind, "location": {"file_name": "a.c", "line": line, **location}, "value": value}


def outcome(witness: Witness, text: str, duet: Duet, directory: Path) -> tuple[int, str]:
    (directory / "a.c").write_text(text, encoding="utf-8")
    (directory / "a.yml").write_text(yaml.safe_dump(witness), encoding="utf-8")
    done = duet("check", "a.yml", "a.c", "--timeout=100")
    return done.code, done.out + done.err


TRUE = [
    (7, "n % 2 == 1"),
    (11, "0 <= range.low && range.low <= 3"),
    (11, "i <= 4"),
    (25, "n >= 0"),
    (25, "turns[0] == 0"),
]
FALSE = [(7, "n == 1"), (7, "n < 7"), (11, "range.low == 0"), (11, "i < 4"), (11, "range.high - range.low == 5"),
         (25, "n == 14"), (25, "n == 18"), (25, "turns[1] == 0"), (25, "turns[2] == turns[2] || 1"),
         (7, "n / (n - 1) == n / (n - 1)"), (7, "n + 2147483647 != 0"), (7, "1 << (n + 24)")]  # fmt: skip


def program_with(line: int) -> str:
    return MOVED if line == 11 else ALONE


@pytest.mark.parametrize(("line", "value"), TRUE)
def test_what_holds_is_confirmed(duet: Duet, tmp_path: Path, line: int, value: str) -> None:
    program = program_with(line)
    code, text = outcome(of(program, [at(line, value)]), program, duet, tmp_path)
    assert code == 0, text


@pytest.mark.parametrize(("line", "value"), FALSE)
def test_what_may_fail_is_refused(duet: Duet, tmp_path: Path, line: int, value: str) -> None:
    program = program_with(line)
    code, text = outcome(of(program, [at(line, value)]), program, duet, tmp_path)
    assert code == 1, text
    assert f"a.c:{line}:1: refused: '{value}'" in text
    assert "not confirmed" in text


def test_one_that_fails_makes_no_other_one_hold(duet: Duet, tmp_path: Path) -> None:
    code, text = outcome(of(ALONE, [at(7, "n == 1"), at(7, "n <= 1"), at(7, "n <= 7")]), ALONE, duet, tmp_path)
    assert code == 1
    assert text.count("refused") == 2, text


PAIR = """\
#include <pthread.h>
int a, b;
void __VERIFIER_atomic_both(void) { a = 1 - a; b = 1 - b; }
void *t(void *unused) { for (;;) __VERIFIER_atomic_both(); return 0; }
int main(void) { pthread_t one; pthread_create(&one, 0, t, 0); while (1) { } return 0; }
"""


def test_an_invariant_is_evaluated_in_one_step(duet: Duet, tmp_path: Path) -> None:
    assert outcome(of(PAIR, [at(5, "a == b")]), PAIR, duet, tmp_path)[0] == 0
    apart = PAIR.replace("__VERIFIER_atomic_both", "both")
    assert outcome(of(apart, [at(5, "a == b")]), apart, duet, tmp_path)[0] == 1


WRONG: dict[str, tuple[Callable[[], Witness], str]] = {
    "another file": (lambda: of(PROGRAM + " ", []), "other files"),
    "another data model": (lambda: of(PROGRAM, [], data_model="LLP64"), "LLP64"),
    "another version": (lambda: of(PROGRAM, [], "3.0"), "3.0 is not supported"),
    "termination": (lambda: of(PROGRAM, [], specification="CHECK( init(main()), LTL(F end) )"), "termination"),
    "memory": (lambda: of(PROGRAM, [], specification="CHECK( init(main()), LTL(G valid-deref) )"), "valid-deref"),
    "no place": (lambda: of(PROGRAM, [at(8, "1")]), "no loop begins here"),
    "side effects": (lambda: of(PROGRAM, [at(7, "n++")]), "side effects"),
    "an object of the library": (lambda: of(PROGRAM, [at(7, "m == 0")]), "no number"),
    "a kind of its own": (lambda: of(PROGRAM, [at(7, "1", "loop_transition_invariant")]), "not checked here"),
    "a contract": (
        lambda: [of(PROGRAM, [])[0] | {"content": [{"contract": {"type": "function_contract", "requires": "1"}}]}],
        "the contract of a function",
    ),
    "no entries": (list, "no correctness witness"),
    "another entry": (lambda: [of(PROGRAM, [])[0] | {"entry_type": "violation_sequence"}], "violation_sequence"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_checked_is_an_error(duet: Duet, tmp_path: Path, what: str) -> None:
    make, expected = WRONG[what]
    code, text = outcome(make(), PROGRAM, duet, tmp_path)
    assert code == 2, text
    assert expected in text


def test_a_name_that_is_not_in_scope_is_not_confirmed(duet: Duet, tmp_path: Path) -> None:
    assert outcome(of(ALONE, [at(7, "unused == 0 || 1")]), ALONE, duet, tmp_path)[0] != 0


def test_a_proof_needs_the_property_as_well(duet: Duet, tmp_path: Path) -> None:
    wrong = ALONE.replace("n >= 14", "n >= 15")
    code, text = outcome(of(wrong, [at(7, "n % 2 == 1")]), wrong, duet, tmp_path)
    assert code == 1
    assert "1 of 1 invariants certified; the property is not proved" in text


def test_a_seeded_defect_is_noticed(duet: Duet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is undefined goes unchecked, a division by zero lets nobody get to where the invariant fails."""
    witness = of(ALONE, [at(7, "n / (n - 1) == n / (n - 1)")])
    monkeypatch.setattr(checks, "UNDEFINED", ())
    assert outcome(witness, ALONE, duet, tmp_path)[0] == 0


def test_no_witness_is_written_where_not_all_is_decided(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\nint *f(void);\nint main(void) { assert(*f()); }\n", encoding="utf-8"
    )
    done = duet("analyze", "a.c", "--witness", "a.yml")
    assert done.code == 1
    assert "no witness is written" in done.err
    assert not (tmp_path / "a.yml").exists()


def test_a_certificate_takes_no_options_of_the_front_end(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    duet("analyze", "a.c", "--certificate", "a.json")
    assert duet("check", "a.json", "a.c", "--parameterized").code == 2
    assert duet("check", "a.json", "a.c").code == 0


PROGRAMS = [
    program
    for program in bundled()
    if not {"linux", "--entries", "--properties"} & {word.partition("=")[0] for word in program.arguments}
    and "assert(" in program.path.read_text(encoding="utf-8")
    and safe_part(program) is not None
]


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_witnesses_of_bundled_programs_are_confirmed(program: AnnotatedProgram, duet: Duet, tmp_path: Path) -> None:
    text = safe_part(program)
    assert text is not None
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    how = [word for word in program.arguments if word == "--parameterized"]
    done = duet("verify", "a.c", "--witness", "a.yml", "--properties=assertion,unreach-call", "--timeout=300", *how)
    if done.code != 0:
        pytest.skip("not all is proved")
    jsonschema.validate(yaml.safe_load((tmp_path / "a.yml").read_text(encoding="utf-8")), SCHEMA)
    done = duet("check", "a.yml", "a.c", "--timeout=300", *how)
    assert done.code == 0, done.out + done.err
