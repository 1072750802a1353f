"""A check is called unreachable only where its code is never executed."""

from __future__ import annotations

from pathlib import Path

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, certify, perform
from duet.result import Assertion, Status

STARTED = """#include <pthread.h>
#include <stdlib.h>
struct worker { int number; pthread_t id; };
static void *run(void *arg) { return arg; }
static void never(struct worker *w) { w->number = 2; }
int main(void) {
    struct worker *w = malloc(sizeof *w);
    if (!w)
        return 1;
    struct worker *nobody = 0;
    if (pthread_create(&w->id, 0, run, w))
        return 1;
    if (nobody)
        nobody->number = 1;
    return 0;
}
"""


def of(path: Path, certificate: str | None = None) -> dict[tuple[int, str], list[Assertion]]:
    path.write_text(STARTED)
    options = FrontendOptions(properties=("null-dereference",))
    job = Job((str(path),), options, AnalysisOptions(), certificate=certificate)
    found: dict[tuple[int, str], list[Assertion]] = {}
    for assertion in perform(job, lambda _: None).assertions:
        found.setdefault((assertion.check.line, assertion.check.function), []).append(assertion)
    return found


def test_what_could_fail_only_where_nothing_gets_is_proved(tmp_path: Path) -> None:
    found = of(tmp_path / "a.c")[11, "main"]
    assert {one.status for one in found} == {Status.PROVED}
    assert any(one.reason == "nothing gets to where it could fail" for one in found)


def test_what_is_never_executed_is_unreachable(tmp_path: Path) -> None:
    found = of(tmp_path / "a.c")
    assert [(one.status, one.reason) for one in found[5, "never"]] == [
        (Status.UNREACHABLE, "no thread runs this function")
    ]
    assert [one.status for one in found[14, "main"]] == [Status.UNREACHABLE]


def test_both_are_certified(tmp_path: Path) -> None:
    path, certificate = tmp_path / "a.c", str(tmp_path / "a.json")
    found = of(path, certificate)
    _, outcome = certify(certificate, (str(path),))
    assert not outcome.failures
    assert set(outcome.certified) == {one.check for some in found.values() for one in some}
