"""What threads add up to is certified; certificates that were changed, or that a wrong analysis made, are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from unittest.mock import patch

import pytest
import z3

from duet.certificate import counts
from duet.certificate.document import Certificate, Counts, Layer, Phrase
from duet.certificate.established import Established
from duet.certificate.lives import Past, pasts
from duet.errors import UsageError
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.plip.semantics import explore
from duet.plip.syntax import Program
from tests.certificate.proofs import checked, made, untrue
from tests.coarsen.programs import DRAWN, LENT, NUMBERED, POOL
from tests.soundness.counting import counting_program, summing_program
from tests.soundness.properties import LIMITS, SAMPLES
from tests.soundness.test_counting import DEFECTS, seeded

OPTIONS = AnalysisOptions(domain="interval", engine="bitset")
RANDOM = 20
ENOUGH = 60

JOINED = """global x = 0
thread main { local r  spawn one  spawn two  join one  join two  r := x  assert r == 7 }
thread one { atomic { x := x + 3 } }
thread two { atomic { x := x + 4 } }
"""
MANY = """global x = 0
thread main { local r  while (*) { spawn up } r := x  assert r >= 0 }
thread up { atomic { x := x + 1 } atomic { x := x - 1 } }
"""
WRAPPED = """global x = 0
thread main { local r  spawn one  spawn two  r := x  assert r <= 7 }
thread one { atomic { x := x + 3  x := wrap(x, -128, 127) } }
thread two { atomic { x := x + 4  x := wrap(x, -128, 127) } }
"""
TOKENS = """global free = 2 global used = 0
thread main { while (*) { spawn user } }
thread user { atomic { [free >= 1]; free := free - 1 }  used := used + 1  assert used <= 2
  used := used - 1  free := free + 1 }
"""
HANDED_ON = """global x = 0
thread main { local r  spawn outer  join outer  r := x  assert r == 5 }
thread outer { spawn inner  atomic { x := x + 2 }  join inner  }
thread inner { atomic { x := x + 3 } }
"""
HELD = """global x in 0..99
thread main { x := 1  atomic { x := x + 1 }  spawn one  atomic { x := x + 1 }  spawn two }
thread one { local r  r := x  assert r >= 2  atomic { x := x - 1 } }
thread two { atomic { x := x - 1 } }
"""
"""Whoever holds something was given it by the first thread, which held more before it started the other one."""
READ = """global m = 0 global x = 0
thread main { spawn one  spawn two }
thread one { local r local n  n := * in 0..9  acquire m  r := x  assert n + r <= 100  x := r + n  release m }
thread two { local s local k  k := * in 0..9  acquire m  s := x  assert k + s <= 100  x := s + k  release m }
"""
"""Relations of locals bound what is read here; in the layers before, the global may be larger than 100."""
DIFFERENCE = """global g = 0 global h = 0
thread main { spawn one  spawn two  join one  join two  assert g - h >= 7 }
thread one { atomic { g := g + 3 }  atomic { h := h + 1 } }
thread two { atomic { h := h + 4 }  atomic { g := g - 1 } }
"""
TOTAL = """global x = 0 global d = 0
thread main { local s  spawn one  spawn two  [x == 7]  s := d  assert s == 1 }
thread one { d := 1  atomic { x := x + 3 } }
thread two { atomic { x := x + 4 } }
"""
"""Who finds the sum of all parts knows that each of them has been added: two threads are followed together."""
LAST = """global x = 0 global d = 0
thread main { local s  x := 3  spawn one  spawn two  atomic { [x == 1]  x := x - 1 }  s := d  assert s == 1 }
thread one { d := 1  atomic { x := x - 1 } }
thread two { atomic { x := x - 1 } }
"""
"""And whoever takes the last one."""
INSIDE = """global x = 0
thread main { local n  x := 2  spawn one  atomic { n := x  assert n >= 1  x := x + 1 }  spawn two }
thread one { atomic { x := x - 1 } }
thread two { atomic { x := x - 1 } }
"""
"""Who is started later is not there yet, also while the first thread is inside of a region."""
RELATED = AnalysisOptions(domain="auto", engine="bitset")
PROVED = {"joined": JOINED, "many": MANY, "wrapped": WRAPPED, "tokens": TOKENS, "handed-on": HANDED_ON, "held": HELD}
FAILING = {
    "one-is-not-joined": JOINED.replace("join two  ", ""),
    "another-sum": JOINED.replace("r == 7", "r == 6"),
    "more-is-taken": MANY.replace("x - 1", "x - 2"),
    "wraps": WRAPPED.replace("127", "5").replace("r <= 7", "r >= 0"),
    "given-too-late": HELD.replace("atomic { x := x + 1 }  spawn two", "spawn two  atomic { x := x + 1 }"),
    "not-set-first": HELD.replace("x := 1  ", ""),
    "another-token": TOKENS.replace("free = 2", "free = 3"),
    "with-one-sign": DIFFERENCE,
    "inner-is-not-joined": HANDED_ON.replace("join inner  ", ""),
}

FOLLOWED = {"total": TOTAL, "last": LAST}
NOT_FOLLOWED = {
    "added-too-early": TOTAL.replace("d := 1  atomic { x := x + 3 }", "atomic { x := x + 3 }  d := 1"),
    "not-all": TOTAL.replace("x == 7", "x == 4"),
    "a-third": TOTAL.replace("spawn two", "spawn two  spawn three") + "thread three { atomic { x := x + 3 } }",
    "any-number": TOTAL.replace("spawn two", "while (*) { spawn two }").replace("x + 4", "x + 7"),
    "not-the-last": LAST.replace("x := 3", "x := 2"),
    "taken-too-early": LAST.replace("d := 1  atomic { x := x - 1 }", "atomic { x := x - 1 }  d := 1"),
}


def _made(text: str) -> tuple[Program, Certificate]:
    program = parse_program(text, "t.plip")
    return program, made(program, OPTIONS, is_whole=True)


def _with_counts(proof: Certificate, counts: Counts) -> Certificate:
    layers = (replace(layer, counts=counts if layer.counts is not None else None) for layer in proof.layers)
    return replace(proof, layers=tuple(layers))


def _counts(proof: Certificate) -> Counts:
    (found,) = {id(layer.counts): layer.counts for layer in proof.layers if layer.counts is not None}.values()
    return found


@pytest.mark.parametrize("name", PROVED)
def test_sums_of_what_threads_add_are_certified(name: str) -> None:
    program, proof = _made(PROVED[name])
    outcome = checked(proof, program)
    assert not outcome.failures
    assert len(outcome.certified) == 1
    assert _counts(proof).bounds


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_two_threads_have_added_is_certified(name: str) -> None:
    program, proof = _made(FOLLOWED[name])
    outcome = checked(proof, program)
    assert not outcome.failures
    assert len(outcome.certified) == 1


def test_a_certificate_rests_on_what_two_threads_have_added() -> None:
    program, proof = _made(LAST)
    with patch(f"{counts.__name__}.Parts.beside", lambda *_: counts.NOTHING):
        assert not checked(proof, program).holds


@pytest.mark.parametrize("name", NOT_FOLLOWED)
def test_what_two_threads_have_not_added_is_not_certified(name: str) -> None:
    program, proof = _made(NOT_FOLLOWED[name])
    assert explore(program, replace(LIMITS, threads=4), SAMPLES).failures
    outcome = checked(proof, program)
    assert not outcome.failures
    assert not outcome.certified


@pytest.mark.parametrize("is_right", [True, False])
def test_sums_inside_of_a_region(is_right: bool) -> None:
    text = INSIDE if is_right else INSIDE.replace("atomic { n := x", "spawn two  atomic { n := x", 1)
    outcome = checked(made(parse_program(text, "t.plip"), OPTIONS, is_whole=True), parse_program(text, "t.plip"))
    assert not outcome.failures
    assert len(outcome.certified) == is_right


@pytest.mark.parametrize("is_right", [True, False])
def test_what_is_read_is_a_sum(is_right: bool) -> None:
    program = parse_program(READ if is_right else READ.replace("0..9", "0..60"), "t.plip")
    outcome = checked(made(program, RELATED, is_whole=True), program)
    assert not outcome.failures
    assert len(outcome.certified) == (2 if is_right else 0)


@pytest.mark.parametrize("text", [POOL, LENT, DRAWN, NUMBERED])
def test_cases_and_what_a_thread_knows_itself_are_certified(text: str) -> None:
    program = parse_program(text, "t.plip")
    outcome = checked(made(program, RELATED, is_whole=True), program)
    assert not outcome.failures
    assert len(outcome.certified) == 1


def test_a_sum_is_only_compared_with_cells_of_the_thread_that_is_there() -> None:
    program = parse_program(LENT, "t.plip")
    proof = made(program, RELATED, is_whole=True)
    counts = _counts(proof)
    own = {at: told for at, told in counts.bounds.items() if any("n" in one.formula.split() for one in told)}
    assert own
    at, told = next(iter(own.items()))
    entry = program.templates[program.main].entry
    assert at != entry
    assert not checked(_with_counts(proof, replace(counts, bounds={entry: told})), program).holds


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_not_certified(name: str) -> None:
    program, proof = _made(FAILING[name])
    outcome = checked(proof, program)
    assert not outcome.failures
    assert not outcome.certified


@pytest.mark.parametrize(("name", "other"), [("joined", "one-is-not-joined"), ("tokens", "another-token")])
def test_the_certificate_of_another_program_is_refused(name: str, other: str) -> None:
    program, proof = _made(PROVED[name])
    twin = parse_program(FAILING[other], "t.plip")
    assert len(twin.commands) != len(program.commands) or not checked(proof, twin).holds


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.parametrize("by", [-2, -1, 1, 2])
def test_a_bound_that_is_moved_is_refused_or_true(name: str, by: int) -> None:
    program, proof = _made(PROVED[name])
    counts, exploration, refused = _counts(proof), explore(program, LIMITS, SAMPLES), 0
    for location, phrases in counts.bounds.items():
        for phrase in phrases:
            head, relation, value = phrase.formula.rsplit(" ", 2)
            moved = Phrase(f"{head} {relation} {int(value) + by}")
            changed = _with_counts(proof, replace(counts, bounds={**counts.bounds, location: (moved,)}))
            if checked(changed, program).holds:
                assert not list(untrue(changed, exploration))
            else:
                refused += 1
    assert refused


@pytest.mark.parametrize("name", ["joined", "wrapped", "tokens", "handed-on"])
def test_bounds_rest_on_what_each_thread_has_added(name: str) -> None:
    program, proof = _made(PROVED[name])
    counts = _counts(proof)
    assert not checked(_with_counts(proof, replace(counts, added={})), program).holds


def _moved(added: Mapping[int, tuple[Phrase, ...]], location: int) -> dict[int, tuple[Phrase, ...]]:
    """Statements about parts with another number at a location."""
    return {
        place: tuple(
            Phrase(
                f"{phrase.formula.rpartition(' ')[0]} {int(phrase.formula.rpartition(' ')[2]) + (place == location)}"
            )
            for phrase in phrases
        )
        for place, phrases in added.items()
    }


def test_a_part_that_no_thread_has_is_refused() -> None:
    program, proof = _made(JOINED)
    counts = _counts(proof)
    for location in counts.added:
        assert not checked(_with_counts(proof, replace(counts, added=_moved(counts.added, location))), program).holds


def test_parts_may_only_be_named_by_their_own_thread() -> None:
    program, proof = _made(JOINED)
    counts = _counts(proof)
    exit_of_main = program.templates["main"].exit
    for statement in ('"<x by one>" == 3', "x == 7", '"<x by one>" == x'):
        added = {**counts.added, exit_of_main: (Phrase(statement),)}
        assert "cells of one thread" in "".join(
            failure.reason for failure in checked(_with_counts(proof, replace(counts, added=added)), program).failures
        )


def test_nothing_else_of_a_certificate_may_name_a_part() -> None:
    """To other rules a part would be a cell that is never written."""
    program, proof = _made(JOINED)
    location = program.templates["one"].exit
    told, last = {location: (Phrase('"<x by one>" == 0'),)}, proof.layers[-1]
    for layer in (replace(last, facts=told), replace(last, joint=told)):
        with pytest.raises(UsageError, match="does not have"):
            checked(replace(proof, layers=(*proof.layers[:-1], layer)), program)


def test_cells_of_threads_are_not_counted() -> None:
    program, proof = _made(JOINED)
    with pytest.raises(UsageError, match="no global"):
        checked(_with_counts(proof, replace(_counts(proof), sums=((("r", 1),),))), program)


@pytest.mark.parametrize("kind", [counting_program, summing_program])
@pytest.mark.parametrize("start", range(0, RANDOM, 5))
def test_random_programs(kind: object, start: int) -> None:
    assert callable(kind)
    for seed in range(start, start + 5):
        program = kind(seed)
        assert not checked(made(program, OPTIONS, is_whole=True), program).failures, seed


@pytest.mark.parametrize("name", sorted(DEFECTS))
def test_what_a_defect_makes_of_it_is_refused(name: str) -> None:
    texts = (
        parse_program(text, "t.plip")
        for text in (*FAILING.values(), *PROVED.values(), *NOT_FOLLOWED.values(), *FOLLOWED.values())
    )
    randoms = (kind(seed) for seed in range(ENOUGH) for kind in (counting_program, summing_program))
    for programs in (texts, randoms):
        for program in programs:
            with seeded(name):
                proof = made(program, OPTIONS, is_whole=True)
            if checked(proof, program).failures:
                return
    pytest.fail("every certificate was accepted")


def _all_have_ended(program: Program) -> dict[int, Past]:
    """Wrong: whoever has been started has ended."""
    return {location: Past(past.begun, past.begun) for location, past in pasts(program).items()}


DEFECTS_OF_THE_CHECKER: dict[str, tuple[str, object]] = {
    "others-add-nothing": ("_of_others", lambda *_: z3.IntVal(0)),
    "started-threads-have-ended": ("pasts", _all_have_ended),
    "nobody-meets": ("Established.may_meet", lambda *_: False),
}
"""What the analysis may have wrong, and the same mistake of the checker."""


@pytest.mark.parametrize("name", DEFECTS_OF_THE_CHECKER)
def test_a_defect_of_the_checker_accepts_what_is_wrong(name: str) -> None:
    program = parse_program(FAILING["one-is-not-joined"], "t.plip")
    with seeded(name):
        proof = made(program, OPTIONS, is_whole=True)
    assert list(untrue(proof, explore(program, LIMITS, SAMPLES)))
    assert not checked(proof, program).holds
    target, wrong = DEFECTS_OF_THE_CHECKER[name]
    with patch(f"{counts.__name__}.{target}", wrong):
        assert checked(proof, program).holds


def _always_kept(self: object, index: int, phrase: Phrase) -> bool:
    """Wrong: a step changes no part."""
    return True


def test_a_part_may_not_be_kept_across_a_write() -> None:
    program, proof = _made(JOINED)
    owners = program.template_of.items()
    added = {place: (Phrase(f'"<x by {name}>" == 0'),) for place, name in owners}
    end = program.templates[program.main].exit
    wrong = replace(_counts(proof), added=added, bounds={end: (Phrase("x == 0"),)})
    empty = Layer("counting", False, {}, {}, (), frozenset(), frozenset(), frozenset(), counts=wrong)
    forged = replace(proof, layers=(empty,), claims=())
    assert list(untrue(forged, explore(program, LIMITS, SAMPLES)))
    assert not checked(forged, program).holds
    with patch(f"{counts.__name__}.Parts._is_kept", _always_kept):
        assert checked(forged, program).holds


_MAY_MEET = Established.may_meet


def _nobody_waits(self: Established, one: int, other: int) -> bool:
    """Wrong: while a thread is inside of a region there is no other one."""
    return (one in self._atomic) == (other in self._atomic) and _MAY_MEET(self, one, other)


def test_threads_that_wait_for_a_region_have_their_parts() -> None:
    text = INSIDE.replace("atomic { n := x", "spawn two  atomic { n := x", 1).replace("}  spawn two }", "} }")
    program = parse_program(text, "t.plip")
    proof = made(program, OPTIONS, is_whole=True)
    inside = min(program.templates["main"].atomic)
    first = next(index for index, layer in enumerate(proof.layers) if layer.counts is not None)
    wrong = replace(_counts(proof), bounds={inside: (Phrase("x >= 1"),)})
    counting = replace(proof.layers[first], counts=wrong, records=())
    forged = replace(proof, layers=(*proof.layers[:first], counting), claims=())
    assert list(untrue(forged, explore(program, LIMITS, SAMPLES)))
    assert not checked(forged, program).holds
    with patch(f"{counts.__name__}.Established.may_meet", _nobody_waits):
        assert checked(forged, program).holds


def test_what_has_certainly_started_and_ended() -> None:
    program = parse_program(
        "thread main { local r  spawn a  if (*) { spawn b }  join a  r := 1  join b  r := 2 }"
        " thread a { spawn c  join c } thread b { skip } thread c { skip }",
        "t.plip",
    )
    found = pasts(program)
    start, first = program.templates["b"].entry, program.templates["main"].exit
    assert found[start] == Past(frozenset({"main", "a", "b"}), frozenset(), frozenset({"main", "a", "b", "c"}))
    assert found[first] == Past(frozenset({"main", "a", "b", "c"}), frozenset({"a", "b", "c"}), frozenset({"main"}))
    assert found[program.templates["c"].entry].begun == {"main", "a", "c"}


def test_one_that_is_started_often_does_not_end() -> None:
    program = parse_program("thread main { while (*) { spawn a  join a } } thread a { skip }", "t.plip")
    assert pasts(program)[program.templates["main"].exit].ended == frozenset()
