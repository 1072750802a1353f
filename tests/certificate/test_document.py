"""Certificates as JSON: what is written is read again, and what is none is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from duet.certificate.document import Certificate, Claim, Layer, Phrase, Record, options_of, read, render
from duet.errors import UsageError
from duet.options import Budgets, FrontendOptions, UnitFlags

LAYER = Layer(
    name="interval",
    is_refined=True,
    rewritten={3: "x := 1"},
    facts={2: (Phrase("x == 1"), Phrase("y == 2"))},
    records=(
        Record(("x", "y"), {1: Phrase("x <= y"), 2: Phrase("true", (("x", 4, 1),))}, {}),
        Record(("z",), {}, {0: Phrase("false")}),
    ),
    unreached=frozenset({7, 1, 2, 3}),
    stopped=frozenset({9}),
    proved=frozenset(),
)
CERTIFICATE = Certificate(
    tool="1.0",
    files=(("a.c", "ab" * 32), ("ü.c", "cd" * 32)),
    options={"parameterized": True},
    program="ef" * 32,
    layers=(LAYER,),
    claims=(Claim(("a.c", 3, 5, "f", "assertion", "x > 0"), "proved", True),),
)
DOCUMENT: dict[str, Any] = json.loads(render(CERTIFICATE))


def test_what_is_written_is_read_again() -> None:
    assert read(render(CERTIFICATE)) == CERTIFICATE
    assert render(read(render(CERTIFICATE))) == render(CERTIFICATE)


def test_the_text_is_ascii_and_obeys_the_schema() -> None:
    assert render(CERTIFICATE).isascii()
    schema = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(DOCUMENT, schema)


def test_equal_certificates_have_equal_texts() -> None:
    other = replace(LAYER, unreached=frozenset({3, 2, 7, 1}), facts={2: LAYER.facts[2], 5: ()})
    assert render(replace(CERTIFICATE, layers=(other,))) == render(CERTIFICATE)


def test_numbers_in_a_row_are_written_as_ranges() -> None:
    (layer,) = DOCUMENT["layers"]
    assert (layer["unreached"], layer["stopped"], layer["proved"]) == ("1-3,7", "9", "")


def _changed(**others: Any) -> str:
    return json.dumps({**DOCUMENT, **others})


def _with_layer(**others: Any) -> str:
    return _changed(layers=[{**DOCUMENT["layers"][0], **others}])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "[" * 100_000,
        _changed(schema="duet.certificate/0"),
        json.dumps({key: value for key, value in DOCUMENT.items() if key != "claims"}),
        _changed(files=[{"path": "a.c"}]),
        _changed(layers=7),
        _changed(claims=[{"check": ["a.c", 1], "status": "proved", "covered": True}]),
        _with_layer(unreached="5-3"),
        _with_layer(unreached="1-99999999999"),
        _with_layer(unreached="a"),
        _with_layer(stopped=3),
        _with_layer(rewritten={"x": "skip"}),
        _with_layer(packs=[{"cells": ["x"], "at": []}]),
    ],
)
def test_what_is_no_certificate_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="this is no certificate"):
        read(text)


def test_phrases_are_shown_with_their_residues() -> None:
    residues = (("x", 4, 1),)
    assert str(Phrase("x <= 3")) == "x <= 3"
    assert str(Phrase("true")) == "true"
    assert str(Phrase("true", residues)) == "x mod 4 == 1"
    assert str(Phrase("x <= 3 || y == 0", residues)) == "(x <= 3 || y == 0) && x mod 4 == 1"


def test_options_come_back_as_they_were() -> None:
    units = ({"path": "a.c", "macros": ["-DX=1", "-UY"]},)
    options = {"parameterized": True, "properties": ["overflow"], "units": units, "budgets": {"templates": 7}}
    found = options_of(replace(CERTIFICATE, options=options))
    assert found.properties == ("overflow",)
    assert found.units == (UnitFlags("a.c", macros=("-DX=1", "-UY")),)
    assert found.budgets == Budgets(templates=7)
    assert options_of(replace(CERTIFICATE, options={})) == FrontendOptions()


@pytest.mark.parametrize("options", [{"speed": 3}, {"units": [7]}, {"budgets": {"speed": 3}}, {"units": 7}])
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="unknown here"):
        options_of(replace(CERTIFICATE, options=options))
