"""Formulas and instructions of certificates are read as those of programs are, and nothing else is."""

from __future__ import annotations

import pytest

from duet.certificate.document import Phrase
from duet.certificate.reading import Reader
from duet.errors import UsageError
from duet.plip.parser import parse_program
from duet.plip.syntax import Assign, Atom, Linear, Relation, Spawn

PROGRAM = parse_program("global x = 0 thread main { local t  t := x  spawn w } thread w { skip }")


def test_a_formula_is_read_without_its_residues() -> None:
    expected = Atom(Linear((("x", 1),), -3), Relation.LE)
    assert Reader(PROGRAM).formula(Phrase("x <= 3")) == expected
    assert Reader(PROGRAM).formula(Phrase("x <= 3", (("x", 2, 1), ("x", 2, 0)))) == expected


@pytest.mark.parametrize(
    "phrase",
    [
        Phrase(""),
        Phrase("x <="),
        Phrase("x <= 3 y"),
        Phrase("z == 1"),
        Phrase("x := 1"),
        Phrase("$"),
        Phrase("(" * 10_000),
        Phrase("true", (("z", 2, 1),)),
        Phrase("true", (("x", 2, 2),)),
        Phrase("true", (("x", 2, -1),)),
        Phrase("true", (("x", 0, 0),)),
    ],
)
def test_what_is_no_formula_is_refused(phrase: Phrase) -> None:
    with pytest.raises(UsageError, match="the certificate"):
        Reader(PROGRAM).formula(phrase)


def test_a_wrong_residue_is_refused_of_a_known_formula_too() -> None:
    reader = Reader(PROGRAM)
    reader.formula(Phrase("x == 1"))
    with pytest.raises(UsageError, match="residue"):
        reader.formula(Phrase("x == 1", (("x", 3, 3),)))


def test_an_instruction_is_read() -> None:
    reader = Reader(PROGRAM)
    assert reader.instruction("x := t + 1", "main") == Assign("x", Linear((("t", 1),), 1))
    assert reader.instruction("spawn w", "main") == Spawn("w")


@pytest.mark.parametrize("text", ["", "x :=", "x := 1 y", "z := 1", "x := z", "x == 1", "$", "(" * 10_000])
def test_what_is_no_instruction_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the certificate"):
        Reader(PROGRAM).instruction(text, "main")
