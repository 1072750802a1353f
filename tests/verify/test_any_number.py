"""Several equal threads with names of their own: proved for any number of them, or as they are; nothing wrong is.

`crowds/*.c` have the truth in comments; it depends on what is defined.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip import folded
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import SKIP, Spawn
from duet.result import Status
from duet.verify.any_number import REASON, any_number
from duet.verify.decide import proofs
from tests.plip.crowded import crowded
from tests.soundness.properties import LIMITS, SAMPLES

FOLDER = Path(__file__).parent / "crowds"


def told(path: Path, *options: str) -> list[dict[str, Any]]:
    given = ["verify", "--timeout", "30", "--format", "json", *options, str(path)]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["assertions"]
    return found


@pytest.mark.parametrize("name", ["numbered", "addressed", "phases"])
def test_proved_for_any_number(name: str) -> None:
    found = told(FOLDER / f"{name}.c")
    assert {one["status"] for one in found} == {"proved"}
    assert all(REASON in one["reason"] for one in found)


@pytest.mark.parametrize("define", [("seats",), ("own_turn",), ("last_one", "-D", "WRITERS=3")], ids=" ".join)
def test_proved_for_these_threads_only(define: tuple[str, ...]) -> None:
    """What fails for more threads is not refuted, either."""
    name, *options = define
    (found,) = told(FOLDER / f"{name}.c", *options)
    assert found["status"] == "proved"
    assert REASON not in found.get("reason", "")


FAILING = {
    ("numbered", "-D", "BUG"): 8,
    ("addressed", "-D", "BUG"): 8,
    ("phases", "-D", "BUG"): 6,
    ("own_turn", "-D", "BUG"): 4,
    ("seats", "-D", "MOST=4"): 5,  # all five threads are needed
    ("last_one",): 4,  # all four
}
"""Programs that fail, with the number of threads that main starts."""


@pytest.mark.parametrize("define", FAILING, ids=" ".join)
def test_what_fails_is_refuted(define: tuple[str, ...]) -> None:
    """By a schedule of the program itself: no more threads than it starts have a part in it."""
    name, *options = define
    found = [one for one in told(FOLDER / f"{name}.c", *options) if one["status"] == "refuted"]
    assert found
    for one in found:
        assert one["confirmed"] == "exact"
        threads = {move["thread"] for move in one["schedule"]} - {"main"}
        assert len(threads) <= FAILING[define]


CLIENTS = """
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int busy, cell;
static void *client(void *unused) {
    int mine = 0;
    __VERIFIER_atomic_begin();
    if (busy == 0) { busy = 1; mine = 1; }
    __VERIFIER_atomic_end();
    if (mine == 1) { cell = 4; assert(cell == 4); cell = 0; busy = 0; }
    return 0;
}
int main(void) {
    pthread_t t[64];
%s
    return 0;
}
"""


@pytest.mark.parametrize("count", [3, 8, 64])
def test_time_does_not_grow_with_threads(count: int, tmp_path: Path) -> None:
    path, proof = tmp_path / "clients.c", tmp_path / "proof.json"
    path.write_text(CLIENTS % "\n".join(f"    pthread_create(&t[{i}], 0, client, 0);" for i in range(count)))
    given = ["analyze", "--certificate", str(proof), "--format", "json", str(path)]
    found = json.loads(CliRunner().invoke(cli, given).stdout)
    assert [one["status"] for one in found["assertions"]] == ["proved"]
    assert found["timing"]["any number"] < 5.0
    checked = CliRunner().invoke(cli, ["check", str(proof), str(path)])
    assert checked.exit_code == 0, checked.output
    assert "1 check certified" in checked.stdout


def test_many_threads_that_fail_are_refuted(tmp_path: Path) -> None:
    path = tmp_path / "clients.c"
    wrong = CLIENTS.replace("__VERIFIER_atomic_begin();\n", "\n").replace("__VERIFIER_atomic_end();\n", "\n")
    path.write_text(wrong % "\n".join(f"    pthread_create(&t[{i}], 0, client, 0);" for i in range(16)))
    (found,) = told(path)
    assert (found["status"], found["confirmed"]) == ("refuted", "exact")


@pytest.mark.parametrize("seed", range(60))
def test_what_is_proved_for_any_number_does_not_fail(seed: int) -> None:
    program = crowded(seed, copies=3)
    failing = explore(program, LIMITS, SAMPLES).failures
    for assertion in safe(program) if failing else ():
        assert assertion not in failing


def safe(program: Any) -> list[Any]:
    """The checks that are proved for any number of threads, by cubes too."""
    found = any_number(
        program, AnalysisOptions(), prover=lambda subject, left: proofs(subject, left, Deadline.after(0.3 * len(left)))
    )
    return [one.check for one in found.verdicts if one.status is Status.PROVED] if found else []


def three(bodies: tuple[str, str, str], more: str = "") -> str:
    named = zip("abc", bodies, strict=True)
    threads = " ".join(f"thread {name} {{ {body} }}" for name, body in named)
    return f"global x = 0 global y = 0 thread main {{ spawn a spawn b spawn c {more} }} {threads}"


def constants_are_dropped(patch: pytest.MonkeyPatch) -> None:
    right = folded._given
    patch.setattr(folded, "_given", lambda rows, fresh: right([(row[0],) * len(row) for row in rows], fresh))


def starts_are_gone(patch: pytest.MonkeyPatch) -> None:
    """Of equal threads only the first one is started."""
    right = folded._Folding._instruction

    def wrong(self: Any, instruction: Any, terms: Any, size: Any) -> Any:
        if isinstance(instruction, Spawn) and self.first.get(instruction.template) != instruction.template:
            return SKIP
        return right(self, instruction, terms, size)

    patch.setattr(folded._Folding, "_instruction", wrong)


@pytest.mark.parametrize(
    ("defect", "text"),
    [
        (constants_are_dropped, three(("x := 1", "x := 2", "x := 3"), more="assert x <= 1")),
        (starts_are_gone, three(("x := x + 1", "x := x + 1", "x := x + 1"), more="assert x <= 1")),
    ],
    ids=["constants", "starts"],
)
def test_a_defect_is_noticed(
    defect: Callable[[pytest.MonkeyPatch], None], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = parse_program(text)
    assert explore(program, LIMITS, SAMPLES).failures
    assert not safe(program)
    defect(monkeypatch)
    assert safe(program)
