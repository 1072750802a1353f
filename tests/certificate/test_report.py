"""What is said of a certificate that was checked."""

from __future__ import annotations

import json

from duet.certificate.check import Outcome
from duet.certificate.document import Certificate
from duet.certificate.layers import Failure
from duet.certificate.report import SCHEMA, json_report, text_report
from duet.result import Check

ONE, TWO = (Check("a.c", line, 1, "f", "assertion", "x > 0") for line in (3, 4))
OPTIONS = {"parameterized": True, "properties": ["overflow", "data-race"], "units": [], "model": None}
CERTIFICATE = Certificate("1.0", (), OPTIONS, "", (), ())
FAILURE = Failure("interval", "a.c:3:1", "it need not be that x == 1")


def test_a_certificate_that_holds_is_told_in_two_lines() -> None:
    text = text_report("p.json", CERTIFICATE, Outcome((ONE,), (), (), 7))
    assert text.splitlines() == [
        "p.json: holds: 1 check certified",
        "p.json: program read with parameterized True, properties overflow,data-race",
    ]


def test_failures_come_first_each_with_its_place_and_layer() -> None:
    text = text_report("p.json", CERTIFICATE, Outcome((), (ONE, TWO), (FAILURE,), 7))
    first, second, _ = text.splitlines()
    assert first == "a.c:3:1: refused: it need not be that x == 1 [interval]"
    assert second.startswith("p.json: does not hold: 0 checks certified; 2 checks not certified")


def test_the_same_as_json() -> None:
    found = json.loads(json_report("p.json", CERTIFICATE, Outcome((ONE,), (TWO,), (FAILURE,), 7)))
    assert (found["schema"], found["certificate"], found["holds"], found["queries"]) == (SCHEMA, "p.json", False, 7)
    assert (found["certified"], found["not_certified"]) == ([ONE.id], [TWO.id])
    assert found["failures"] == [{"layer": "interval", "place": "a.c:3:1", "reason": "it need not be that x == 1"}]
    assert found["options"] == OPTIONS
    assert json.loads(json_report("p.json", CERTIFICATE, Outcome((), (), (), 0)))["holds"] is True
