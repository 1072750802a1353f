"""A certificate that says something wrong is refused: changed at random, it is refused or says what is true anyhow."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias, TypeVar

import pytest

from duet.certificate.document import Certificate, Layer, Phrase, Record
from duet.errors import UsageError
from duet.options import AnalysisOptions
from duet.plip.execute import Value
from duet.plip.semantics import Exploration, cells_in_scope, explore
from duet.plip.syntax import Assert, Atomic, Program
from tests.certificate.proofs import EXACT, LOCKED, checked, made, program_of, untrue
from tests.soundness.generate import random_program
from tests.soundness.properties import LIMITS, SAMPLES

INTERVAL = AnalysisOptions(domain="interval", engine="bitset")
AUTO = AnalysisOptions(domain="auto", engine="bitset")
PROGRAMS = 10
MUTATIONS = 4

Mutation: TypeAlias = Callable[[random.Random, Program, Layer], Layer]
T = TypeVar("T")


def _with_record(layer: Layer, index: int, record: Record) -> Layer:
    records = (*layer.records[:index], record, *layer.records[index + 1 :])
    return replace(layer, records=records)


def _stronger(choose: random.Random, phrase: Phrase | None, cells: Iterable[str]) -> Phrase:
    cell = choose.choice(sorted(cells))
    bound = f"{cell} {choose.choice(['<=', '>=', '=='])} {choose.randint(-1, 2)}"
    return Phrase(bound if phrase is None else f"{bound} && ({phrase.formula})", phrase.residues if phrase else ())


def _says_more_at_a_location(choose: random.Random, program: Program, layer: Layer) -> Layer:
    index = choose.randrange(len(layer.records))
    record = layer.records[index]
    owner = program.cells[record.cells[0]].template
    owners = program.template_of.items()
    locations = [place for place, name in owners if record.cells[0] in cells_in_scope(program, name)]
    location = choose.choice(sorted(locations))
    assert owner is None or program.template_of[location] == owner
    at = {**record.at, location: _stronger(choose, record.at.get(location), record.cells)}
    return _with_record(layer, index, replace(record, at=at))


def _says_more_after_a_command(choose: random.Random, program: Program, layer: Layer) -> Layer:
    index = choose.randrange(len(layer.records))
    record = layer.records[index]
    command = choose.choice(list(record.after) or [choose.randrange(len(program.commands))])
    after = {**record.after, command: _stronger(choose, record.after.get(command), record.cells)}
    at = {place: _stronger(choose, phrase, record.cells) for place, phrase in record.at.items()}
    return _with_record(layer, index, replace(record, after=after, at=at if choose.random() < 0.3 else record.at))


def _forgets_a_definition(choose: random.Random, program: Program, layer: Layer) -> Layer:
    known = [i for i, record in enumerate(layer.records) if record.after]
    if not known:
        return _says_more_at_a_location(choose, program, layer)
    index = choose.choice(known)
    record = layer.records[index]
    gone = choose.choice(sorted(record.after))
    return _with_record(layer, index, replace(record, after=_without(record.after, gone)))


def _gets_nowhere(choose: random.Random, program: Program, layer: Layer) -> Layer:
    return replace(layer, unreached=layer.unreached | {choose.choice(sorted(program.template_of))})


def _never_passes(choose: random.Random, program: Program, layer: Layer) -> Layer:
    command = choose.randrange(len(program.commands))
    return replace(
        layer, stopped=layer.stopped | {command}, unreached=layer.unreached | {program.commands[command].target}
    )


def _proves_all(_: random.Random, program: Program, layer: Layer) -> Layer:
    found = frozenset(i for i, command in enumerate(program.commands) if isinstance(command.instruction, Assert))
    return replace(layer, proved=found)


def _without(known: Mapping[int, T], gone: int) -> dict[int, T]:
    return {key: value for key, value in known.items() if key != gone}


MUTATIONS_OF: Mapping[str, Mutation] = {
    "says-more-at-a-location": _says_more_at_a_location,
    "says-more-after-a-command": _says_more_after_a_command,
    "forgets-a-definition": _forgets_a_definition,
    "gets-nowhere": _gets_nowhere,
    "never-passes": _never_passes,
    "proves-all": _proves_all,
}


def _mutated(choose: random.Random, mutation: Mutation, program: Program, proof: Certificate) -> Certificate:
    place = choose.randrange(len(proof.layers))
    layer = mutation(choose, program, proof.layers[place])
    return replace(proof, layers=(*proof.layers[:place], layer, *proof.layers[place + 1 :]))


@pytest.fixture(scope="module")
def proofs() -> tuple[tuple[Program, Certificate, Exploration], ...]:
    """Random programs, what is certified of them, and what is true of them."""
    programs = tuple(random_program(seed) for seed in range(PROGRAMS))
    return tuple(
        (program, made(program, INTERVAL, everywhere=True, is_whole=True), explore(program, LIMITS, SAMPLES))
        for program in programs
    )


@pytest.mark.parametrize("name", MUTATIONS_OF)
def test_changed_certificate_is_refused_or_true(
    name: str, proofs: tuple[tuple[Program, Certificate, Exploration], ...]
) -> None:
    refused = 0
    for seed, (program, proof, exploration) in enumerate(proofs):
        choose = random.Random(seed)
        for _ in range(MUTATIONS):
            changed = _mutated(choose, MUTATIONS_OF[name], program, proof)
            if checked(changed, program).holds:
                assert not list(untrue(changed, exploration)), (seed, changed)
            else:
                refused += 1
    assert refused


def test_stores_tell_true_certificates_from_untrue_ones() -> None:
    program = program_of(EXACT)
    proof = made(program, INTERVAL, everywhere=True, is_whole=True)
    exploration = explore(program, LIMITS, SAMPLES)
    assert not list(untrue(proof, exploration))
    wrong = _gets_nowhere(random.Random(1), program, proof.layers[0])
    assert list(untrue(replace(proof, layers=(wrong,)), exploration))
    values: set[Value] = {store["x"] for store in exploration.thread_stores(program.templates["main"].exit)}
    assert values == {1}


def _refusal(proof: Certificate, program: Program) -> str:
    return "\n".join(failure.reason for failure in checked(proof, program).failures)


def test_unproved_check_that_is_claimed_is_refused() -> None:
    program = program_of(EXACT)
    proof = made(program, INTERVAL)
    assert not checked(proof, program).failures
    claims = tuple(replace(claim, status="proved", is_covered=True) for claim in proof.claims)
    assert "copies are not proved" in _refusal(replace(proof, claims=claims), program)
    layer = _proves_all(random.Random(0), program, proof.layers[0])
    assert "does not follow from r == 1" in _refusal(replace(proof, layers=(layer,), claims=claims), program)


def test_check_of_another_program_is_refused() -> None:
    program = program_of(EXACT)
    proof = made(program, INTERVAL)
    claim = replace(proof.claims[0], check=("other.c", 1, 1, "f", "assertion", "x"))
    assert "no such check" in _refusal(replace(proof, claims=(claim,)), program)


def test_unreachable_is_more_than_proved() -> None:
    program = program_of(EXACT)
    proof = made(program, INTERVAL)
    claims = tuple(replace(claim, status="unreachable") for claim in proof.claims if claim.is_covered)
    assert "a thread may get there" in _refusal(replace(proof, claims=claims), program)


def test_without_what_holds_after_the_release_nothing_is_certified() -> None:
    program = program_of(LOCKED)
    proof = made(program, INTERVAL)
    assert checked(proof, program).holds
    layer = proof.layers[0]
    (index,) = (i for i, record in enumerate(layer.records) if record.cells == ("m",))
    record = layer.records[index]
    for command in record.after:
        changed = _with_record(layer, index, replace(record, after=_without(record.after, command)))
        assert not checked(replace(proof, layers=(changed,)), program).holds


REWRITTEN = """
global m = 0  global x = 0  global y = 0
thread main { while (*) { spawn w } }
thread w { local r  local s
  acquire m
  r := * in 0..9
  x := r
  y := r
  r := x  s := y
  assert r == s
  release m
}
"""


def test_rewritten_command_that_does_something_else_is_refused() -> None:
    program = program_of(REWRITTEN)
    proof = made(program, AUTO)
    assert len(checked(proof, program).certified) == 1
    place, layer = next((i, layer) for i, layer in enumerate(proof.layers) if layer.rewritten)
    for command, text in layer.rewritten.items():
        for other in ("skip", text.replace("x", "y"), text.replace("1", "2"), "x := * in 0..5"):
            changed = replace(layer, rewritten={**layer.rewritten, command: other})
            layers = (*proof.layers[:place], changed, *proof.layers[place + 1 :])
            assert other == text or not checked(replace(proof, layers=layers), program).holds, (text, other)


def test_facts_that_others_disturb_are_refused() -> None:
    """Without the lock, the same facts are wrong."""
    program, free = (
        program_of(REWRITTEN),
        program_of(REWRITTEN.replace("acquire m", "skip").replace("release m", "skip")),
    )
    proof = made(program, AUTO)
    assert checked(proof, program).holds
    assert not checked(proof, free).holds


def test_statements_about_other_cells_are_refused() -> None:
    """What is said of a cell flows along the definitions of that cell, so it may say nothing of another one."""
    program = program_of(LOCKED)
    proof = made(program, INTERVAL, everywhere=True)
    layer = proof.layers[0]
    (index,) = (i for i, record in enumerate(layer.records) if record.cells == ("m",))
    record = layer.records[index]
    wrong = replace(record, at={**record.at, 0: Phrase("x == 0")})
    with pytest.raises(UsageError, match="says x == 0 of m"):
        checked(replace(proof, layers=(_with_record(layer, index, wrong),)), program)


def test_statements_where_a_cell_is_not_are_refused() -> None:
    program = program_of(
        "global x = 0 thread main { local t  t := 0  spawn w  x := t  assert x == 0 } thread w { skip }"
    )
    proof = made(program, INTERVAL, everywhere=True)
    layer = proof.layers[0]
    (index,) = (i for i, record in enumerate(layer.records) if record.cells == ("t",))
    record = layer.records[index]
    wrong = replace(record, at={**record.at, program.templates["w"].entry: Phrase("t == 1")})
    with pytest.raises(UsageError, match="speaks of t at location"):
        checked(replace(proof, layers=(_with_record(layer, index, wrong),)), program)


def test_values_of_an_array_are_told_apart() -> None:
    """Two reads of a summary cell in one block may give two values, also where the certificate relates them."""
    text = """
    summary a in 0..1
    thread main { local t = 0  local u = 0  atomic { t := a; u := a; }  check t == u }
    """
    program = program_of(text)
    proof = made(program, AnalysisOptions(domain="octagon", engine="bitset"), everywhere=True, is_whole=True)
    (command,) = (i for i, c in enumerate(program.commands) if isinstance(c.instruction, Atomic))
    target = program.commands[command].target
    records = (Record(("t", "u"), {target: Phrase("t == u")}, {command: Phrase("t == u")}),)
    layer = _proves_all(random.Random(0), program, replace(proof.layers[0], records=records))
    assert "it need not be that t == u" in _refusal(replace(proof, layers=(layer,)), program)
