"""The basis of a proof space: every triple is valid, and those of the thesis's example come out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

import pytest

from duet.certificate import triples
from duet.certificate.cubes import layer_of
from duet.certificate.triples import Basis, Triple, basis, basis_words
from duet.coarsen.analysis import analyse
from duet.deadline import Deadline
from duet.options import AnalysisOptions
from duet.plip.parser import parse_program
from duet.verify.decide import prepared, searched
from tests.certificate.test_established import BAKERY
from tests.verify.test_cubes import PROVED, checks_of

LOCAL = """
global g in 1..
thread main { while (*) { spawn w } }
thread w { local x  x := g  g := g + x  assert g >= 1 }
"""
SMALL = {name: PROVED[name] for name in ("counter under a lock", "Peterson", "joined", "two locks")}


def basis_of(text: str, has_facts: bool = False) -> Basis:
    program = parse_program(text)
    (check,) = checks_of(program)
    fixpoints = analyse(program, AnalysisOptions()).fixpoints if has_facts else ()
    part, facts = prepared(program, fixpoints, check)
    proof = searched(part.program, check, facts, Deadline.after(20.0))
    assert proof is not None
    return basis(part.program, layer_of(program, part, proof), facts)


def is_valid(triple: Triple) -> bool:
    """Whether a triple holds for all small values: each state in which it does not is a wrong step of a proof."""
    texts = " ".join((*triple.before, *triple.known, triple.command, triple.after))
    local = set(re.findall(r"(\w+)\(", texts))
    names = sorted(set(re.findall(r"[a-z]\w*(?:\([A-Z]\))?", texts)) - {"true", "false"})
    command = re.sub(rf"\b({'|'.join(sorted(local)) or '-'})\b", r"\1(A)", triple.command)
    for values in product(range(-1, 3), repeat=len(names)):
        store = dict(zip(names, values, strict=True))
        if all(_holds(part, store) for part in (*triple.before, *triple.known)):
            after = _run(command, store)
            if after is not None and not _holds(triple.after, after):
                return False
    return True


def _run(command: str, store: Mapping[str, int]) -> dict[str, int] | None:
    """The store after a command; None where it does not pass."""
    found = dict(store)
    for step in command.split("; "):
        target, is_written, value = step.partition(" := ")
        if is_written:
            found[target] = _value(value, found)
        elif step.startswith("[") and not _holds(step[1:-1], found):
            return None
    return found


def _holds(condition: str, store: Mapping[str, int]) -> bool:
    return bool(_value(condition.replace("||", " or ").replace("&&", " and "), store))


def _value(text: str, store: Mapping[str, int]) -> int:
    constants = {"true": True, "false": False}

    def shown(found: re.Match[str]) -> str:
        name = found[0]
        return name if name in ("or", "and") else str(constants.get(name, store.get(name, 0)))

    return int(eval(re.sub(r"[a-z]\w*(?:\([A-Z]\))?", shown, text), {}))


@pytest.mark.parametrize("name", SMALL)
def test_each_triple_is_valid(name: str) -> None:
    found = basis_of(SMALL[name])
    assert found.triples
    assert [triple for triple in found.triples if not is_valid(triple)] == []


def test_facts_are_named() -> None:
    found = basis_of(BAKERY, has_facts=True)
    assert any(triple.known for triple in found.triples)
    assert [triple for triple in found.triples if not is_valid(triple)] == []
    assert any("known from data flow graphs" in line for line in basis_words(found))


def test_the_example_of_the_thesis() -> None:
    """Section 5.1: two triples for the two commands, kept by the rest; the sum needs both by conjunction."""
    found = basis_of(LOCAL)
    texts = [str(triple) for triple in found.triples]
    assert "{g >= 1} <read g : A> {x(A) >= 1}" in texts or "{g >= 1} <x := g : A> {x(A) >= 1}" in texts
    assert "{g >= 1 && x(A) >= 1} <g := g + x : A> {g >= 1}" in texts
    assert "{g >= 1} <[g <= 0] : A> {false}" in texts
    assert any(line.startswith("CONJUNCTION:") for line in basis_words(found))


def test_a_precondition_has_nothing_that_can_be_left_out() -> None:
    for triple in basis_of(SMALL["counter under a lock"]).triples:
        for part in triple.before:
            rest = tuple(other for other in triple.before if other != part)
            assert not is_valid(Triple(rest, triple.known, triple.command, triple.thread, triple.after))


def test_a_lost_premise_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triples._Basis, "_needed", lambda *_: [])
    found = basis_of(SMALL["counter under a lock"])
    assert not all(map(is_valid, found.triples))


def test_rules_are_named() -> None:
    found = basis_of(SMALL["two locks"])
    told = list(basis_words(found))
    assert told[0] == f"Basic Hoare triples of the proof space ({len(found.triples)}):"
    assert any(line.startswith("SEQUENCING:") for line in told)
    assert any(line.startswith("SYMMETRY:") for line in told) == bool(found.renamed)
