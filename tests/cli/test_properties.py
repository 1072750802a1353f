"""What `--properties` takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from duet.cli import cli

RACE = """\
#include <pthread.h>
int count;
void *worker(void *arg) { count++; return 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    count = 2;
    pthread_join(thread, 0);
    return count;
}
"""


def analyzed(tmp_path: Path, text: str, properties: str) -> list[dict[str, Any]]:
    """The entries of the report on a program."""
    program = tmp_path / "p.c"
    program.write_text(text)
    result = CliRunner().invoke(cli, ["analyze", "--properties", properties, "--format=json", str(program)])
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["assertions"]
    return found


def shown(entry: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(note["kind"], note["thread"], note["stack"][-1]["line"]) for note in entry["accesses"]]


def test_a_race_is_a_pair_of_accesses_with_their_stacks(tmp_path: Path) -> None:
    found = analyzed(tmp_path, RACE, "data-race")
    (only,) = found
    assert (only["line"], only["status"], only["property"]) == (3, "refuted", "data-race")
    assert shown(only) == [("write", "worker", 3), ("write", "main", 7)]
    assert only["contexts"] == 2


def test_a_program_without_shared_memory_has_been_looked_at(tmp_path: Path) -> None:
    (only,) = analyzed(tmp_path, "int x; int main(void) { x = 1; return x; }\n", "assertion,data-race")
    assert (only["property"], only["status"]) == ("data-race", "proved")


def test_races_are_not_looked_for_unless_they_are_asked_for(tmp_path: Path) -> None:
    assert not analyzed(tmp_path, RACE, "assertion,unreach-call")


DIVISION = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int sum = a + b;
    if (b > 0)
        sum = a / b;
    return sum % a;
}
"""


def test_division_by_zero_is_a_property_of_its_own(tmp_path: Path) -> None:
    found = analyzed(tmp_path, DIVISION, "division-by-zero")
    assert [(a["line"], a["property"], a["status"]) for a in found] == [
        (6, "division-by-zero", "proved"),
        (7, "division-by-zero", "refuted"),
    ]


ERRORS = """\
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_int())
        reach_error();
    else
        x = 1;
    if (x == 1)
        goto end;
    __VERIFIER_assert(x == 1);
ERROR:
    x = 2;
end:
    if (x == 3)
        __VERIFIER_error();
    return 0;
}
"""


def test_calls_of_error_functions_and_error_labels_are_looked_for(tmp_path: Path) -> None:
    found = analyzed(tmp_path, ERRORS, "unreach-call,assertion")
    statuses = {a["line"]: a["status"] for a in found}
    # the error function of this program returns, so that what follows is reached as well
    assert statuses == {6: "refuted", 11: "refuted", 12: "unreachable", 16: "unreachable"}


LOCKED = """\
#include <pthread.h>
pthread_mutex_t mutex;
int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return 0;
}
"""


def test_a_lock_taken_twice_is_a_deadlock(tmp_path: Path) -> None:
    first, second = analyzed(tmp_path, LOCKED, "deadlock")
    assert (first["line"], first["status"]) == (4, "proved")
    assert (second["line"], second["status"]) == (5, "refuted")
    assert second["accesses"][0]["held"] == ["mutex"]


def test_a_program_without_locks_has_been_looked_at(tmp_path: Path) -> None:
    (only,) = analyzed(tmp_path, "int main(void) { return 0; }\n", "deadlock")
    assert (only["property"], only["status"]) == ("deadlock", "proved")
