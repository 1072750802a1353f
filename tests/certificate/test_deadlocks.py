"""Claims that threads never wait in a circle: what holds is certified, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from duet.certificate.check import Outcome, check
from duet.certificate.document import Certificate, Claim, read, render
from duet.certificate.emit import Subject, certificate
from duet.cli import cli
from duet.coarsen.analysis import analyse
from duet.coarsen.deadlock_evidence import deadlock_assertions, deadlock_checks
from duet.options import AnalysisOptions, FrontendOptions
from duet.plip.accesses import UNKNOWN_LOCK, Access, AccessKind
from duet.plip.syntax import Program
from duet.result import Check, Status
from tests.check.judged import FILE, access, with_accesses
from tests.check.test_deadlocks import program

LOCK, RELOCK, TAKE, UNLOCK, JOIN, AWAIT, POST, MEET, END, PRESUME, CANCEL = (
    AccessKind.LOCK,
    AccessKind.RELOCK,
    AccessKind.TAKE,
    AccessKind.UNLOCK,
    AccessKind.JOIN,
    AccessKind.AWAIT,
    AccessKind.POST,
    AccessKind.MEET,
    AccessKind.END,
    AccessKind.PRESUME,
    AccessKind.CANCEL,
)
A, B = access(LOCK, "a"), access(LOCK, "b", line=2)
AGAIN = access(RELOCK, "a")
GIVEN = access(UNLOCK, "a")
WAKE, WAKEN, MEETS = access(AWAIT, "c"), access(POST, "c"), access(MEET, "b")
INTERVAL = AnalysisOptions(domain="interval", engine="bitset")
ASKED = FrontendOptions(properties=("deadlock",))


def made(found: Program) -> Certificate:
    """What an analysis writes of the deadlocks of a program."""
    analysis = analyse(found, INTERVAL, is_shown=True)
    subject = Subject(((FILE, b""),), ASKED, found)
    return read(render(certificate(subject, analysis, deadlock_assertions(analysis, FILE))))


def checked(proof: Certificate, found: Program) -> Outcome:
    return check(proof, found, (), ("deadlock",))


def claimed(proof: Certificate, checks: tuple[Check, ...], status: str = "proved") -> Certificate:
    """A certificate that claims that these checks are safe."""
    named = ((it.file, it.line, it.column, it.function, it.property_name, it.expression) for it in checks)
    return replace(proof, claims=tuple(Claim(check, status, True) for check in named))


def is_free(
    one: tuple[Access, ...], two: tuple[Access, ...] = (), start: str = "spawn one  spawn two", gives_back: bool = True
) -> bool:
    """Whether all checks of a program are certified, as the analysis has them, and if they are only claimed."""
    found = program(one, two, start, gives_back)
    proof = made(found)
    told = checked(proof, found)
    assert told.holds
    checks = deadlock_checks(found, FILE)
    forged = checked(claimed(proof, checks), found)
    assert set(forged.certified) == set(told.certified)
    assert len(forged.failures) + len(forged.certified) == len(checks)
    return len(told.certified) == len(checks)


def element(step: str) -> Access:
    return access(LOCK, "t", step)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ((A, B), (A, B), True),
        ((A, B), (B, A), False),
        ((A, GIVEN, B), (B, A), True),
        ((A, access(UNLOCK, UNKNOWN_LOCK), B), (B, A), False),
        ((access(RELOCK, "a"), access(RELOCK, "a"), GIVEN, B), (B, A), False),
        ((access(RELOCK, "a"), access(RELOCK, "a"), GIVEN, GIVEN, B), (B, A), True),
        ((*[access(RELOCK, "a")] * 5, *[GIVEN] * 5, B), (B, A), False),
        ((A, access(LOCK, UNKNOWN_LOCK)), (B, A), False),
        ((element("[0]"), B), (B, element("[*]")), False),
        ((element("[0]"), B), (B, element("[1]")), True),
        ((access(TAKE, "a"), B), (B, A), False),
        ((A, access(TAKE, "b")), (B, access(TAKE, "a")), True),
        ((A, A), (), False),
        ((A, access(RELOCK, "a")), (), True),
        ((access(JOIN, "two"),), (access(JOIN, "one"),), False),
        ((access(JOIN, "two"),), (A,), True),
        ((A, access(JOIN, "two")), (A,), False),
        ((access(JOIN, UNKNOWN_LOCK),), (access(JOIN, "one"),), False),
        ((A, WAKE), (A, WAKEN), False),
        ((A, WAKE), (WAKEN, A), True),
        ((A, WAKE), (A, access(POST, "d")), False),
        ((WAKE,), (access(JOIN, "one"), WAKEN), False),
        ((WAKE,), (WAKEN, access(JOIN, "one")), True),
        ((MEETS, MEETS, A), (MEETS, MEETS), True),
        ((A, MEETS), (A, MEETS), False),
        ((A, access(PRESUME, "b")), (access(PRESUME, "b"), A), True),
        ((access(TAKE, "a"), access(PRESUME, "b")), (access(TAKE, "b"), access(PRESUME, "a")), True),
        ((A, access(PRESUME, "b")), (B, access(PRESUME, "a")), True),
        ((A, access(PRESUME, "b")), (B, A), False),
    ],
)
def test_circles(one: tuple[Access, ...], two: tuple[Access, ...], expected: bool) -> None:
    assert is_free(one, two) is expected


def test_a_circle_needs_two_threads_at_once() -> None:
    assert is_free((A, B), (B, A), start="spawn one  join one  spawn two")
    assert is_free((A,), start="spawn one  spawn one")
    assert not is_free((access(LOCK, UNKNOWN_LOCK), access(LOCK, "b")), start="spawn one  spawn one")


def test_what_ended_threads_have_is_waited_for_for_ever() -> None:
    assert not is_free((A,), (A,), gives_back=False)
    assert is_free((A,), (B,), gives_back=False)
    assert not is_free((A,), start="spawn one spawn one", gives_back=False)
    assert not is_free((A, access(LOCK, UNKNOWN_LOCK)), (B,), gives_back=False)
    assert not is_free((A, access(CANCEL, UNKNOWN_LOCK)), (A,))
    assert not is_free((A, access(END, UNKNOWN_LOCK)), (A,))
    assert not is_free((A,), (access(JOIN, "one"), A), gives_back=False)
    given, again = access(UNLOCK, "d"), access(RELOCK, "d")
    assert is_free((given, A), (A, access(UNLOCK, "a")), gives_back=False)  # that means nothing
    assert not is_free((given, A), (again, given, A, access(UNLOCK, "a")), gives_back=False)


def test_who_would_start_who_wakes_is_waited_for() -> None:
    def told(before: str, behind: str) -> int:
        lines = (
            f"global x = 0 thread main {{ spawn one {before}",
            *("x := 1", behind, "x := 2 } thread one {", "x := 3", "x := 4", "x := 5 } thread two {", "x := 6 }"),
        )
        here = replace(A, stack=access(LOCK, "a", line=2).stack)
        found = with_accesses(
            "\n".join(lines), {2: (here,), 4: (GIVEN,), 5: (A,), 6: (WAKE,), 7: (GIVEN,), 8: (WAKEN,)}
        )
        proof = made(found)
        return len(checked(claimed(proof, deadlock_checks(found, FILE)), found).failures)

    assert told("spawn two", "") == 0
    assert told("", "spawn two") == 1


@pytest.mark.parametrize(
    ("one", "two"),
    [((A,), (B, A)), ((A, access(JOIN, "three")), (AGAIN,)), ((WAKEN, A, WAKE), (AGAIN,))],
    ids=["has a lock", "waits for an end", "waits to be woken"],
)
def test_a_handler_keeps_whom_it_interrupts_from_going_on(one: tuple[Access, ...], two: tuple[Access, ...]) -> None:
    found = program(one, two)
    name = "one" if len(two) > 1 else "two"
    for interrupts in (False, True):
        handler = replace(found.templates[name], interrupts=interrupts)
        changed = replace(found, templates={**found.templates, name: handler})
        forged = claimed(made(changed), deadlock_checks(changed, FILE))
        assert checked(forged, changed).holds is not interrupts


def test_nothing_is_waited_for_only_where_nothing_is() -> None:
    nothing = program((access(TAKE, "a"),))
    proof = made(nothing)
    (found,) = checked(proof, nothing).certified
    assert found.expression == "no lock and no thread is waited for"
    assert not checked(proof, program((A,))).holds
    assert not check(proof, nothing, (), ("data-race",)).holds
    assert not checked(claimed(proof, (found,), "unreachable"), nothing).holds


def test_only_what_nobody_comes_to_is_unreachable() -> None:
    found = program((A, B), (), start="spawn one")
    checks = deadlock_checks(found, FILE)
    assert len(checked(claimed(made(found), checks, "unreachable"), found).failures) == len(checks)
    never = program((A, B), (), start="[0 == 1] spawn one")
    assert {claim.status for claim in made(never).claims} == {Status.UNREACHABLE}
    assert len(checked(made(never), never).certified) == len(deadlock_checks(never, FILE))


def _elsewhere(claim: Claim) -> Claim:
    return replace(claim, check=("other.c", *claim.check[1:]))


def _on_another_lock(claim: Claim) -> Claim:
    return replace(claim, check=(*claim.check[:5], "no deadlock on z"))


@pytest.mark.parametrize("change", [_elsewhere, _on_another_lock])
def test_changed_claims_are_refused(change: Callable[[Claim], Claim]) -> None:
    found = program((A, B), (A, B))
    proof = made(found)
    assert checked(proof, found).holds
    assert not checked(replace(proof, claims=tuple(map(change, proof.claims))), found).holds


CROSSWISE = """#include <pthread.h>
pthread_mutex_t m, n;
void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); GIVE return p; }
void *two(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); GIVE return p; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); pthread_exit(0); }
"""
GIVE = "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
KEPT = CROSSWISE.replace("pthread_mutex_lock(&n); pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);")


@pytest.mark.parametrize(
    ("text", "defect"),
    [(CROSSWISE.replace("GIVE", GIVE), ("blocks", False)), (KEPT.replace("GIVE", ""), ("_kept", {}))],
    ids=["blocks", "kept"],
)
def test_false_claims_of_a_defective_analysis_are_refused(text: str, defect: tuple[str, Any], tmp_path: Path) -> None:
    """What it calls safe by mistake is not covered; if that is claimed, it is refused."""
    path, proof = tmp_path / "a.c", tmp_path / "proof.json"
    path.write_text(text, encoding="utf-8")
    asked = ["analyze", "--no-verify", str(path), "--properties", "deadlock", "--certificate", str(proof)]
    CliRunner().invoke(cli, asked)
    safe = [it["check"] for it in _claims(proof) if it["status"] == "proved"]
    with patch(f"duet.check.deadlocks.{defect[0]}", lambda *_: defect[1]):
        CliRunner().invoke(cli, asked)
    wrong = [it for it in _claims(proof) if it["status"] == "proved" and it["check"] not in safe]
    assert wrong
    assert not any(it["covered"] for it in wrong)
    assert CliRunner().invoke(cli, ["check", str(proof), str(path)]).exit_code == 0
    forged = {**json.loads(proof.read_text()), "claims": [{**it, "covered": True} for it in wrong]}
    proof.write_text(json.dumps(forged))
    done = CliRunner().invoke(cli, ["check", str(proof), str(path)])
    assert done.output.count(": refused:") == len(wrong)


def _claims(proof: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(proof.read_text())["claims"]
    return found
