"""`duet analyze --certificate` and `duet check`: what they write, say and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import LOCKED, Duet

SCHEMA = Path(__file__).parents[2] / "docs" / "certificate.schema.json"
ROOT = Path(__file__).parents[2]


def test_proof_is_written_and_checked(duet: Duet, locked: str, tmp_path: Path) -> None:
    assert duet("analyze", locked, "--certificate", "proof.json").code == 1
    proof = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))
    jsonschema.validate(proof, json.loads(SCHEMA.read_text(encoding="utf-8")))
    done = duet("check", "proof.json", locked)
    assert done.code == 0
    assert "holds: 1 check certified; 1 check not certified" in done.out


def test_report_as_json(duet: Duet, locked: str) -> None:
    duet("analyze", locked, "--certificate", "proof.json")
    report = json.loads(duet("check", "proof.json", locked, "--format", "json").out)
    assert report["holds"]
    assert report["certified"] == ["locked.plip:7:3:assertion"]
    assert report["not_certified"] == ["locked.plip:10:3:assertion"]


def test_same_analysis_same_certificate(duet: Duet, locked: str, tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        duet("analyze", locked, "--certificate", name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_changed_source_is_noticed(duet: Duet, locked: str, tmp_path: Path) -> None:
    duet("analyze", locked, "--certificate", "proof.json")
    (tmp_path / locked).write_text(LOCKED.replace("acquire m", "skip"), encoding="utf-8")
    done = duet("check", "proof.json", locked)
    assert done.code == 2
    assert "other files" in done.err


def test_changed_header_is_noticed(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "limit.h").write_text("#define LIMIT 1\n", encoding="utf-8")
    text = '#include <assert.h>\n#include "limit.h"\nint main(void) { int x = 0; assert(x < LIMIT); return 0; }\n'
    (tmp_path / "main.c").write_text(text, encoding="utf-8")
    assert duet("analyze", "main.c", "--certificate", "proof.json").code == 0
    assert duet("check", "proof.json", "main.c").code == 0
    (tmp_path / "limit.h").write_text("#define LIMIT 0\n", encoding="utf-8")
    done = duet("check", "proof.json", "main.c")
    assert done.code == 2
    assert "another program" in done.err


def test_refusal_names_the_place_and_the_query(duet: Duet, locked: str, tmp_path: Path) -> None:
    duet("analyze", locked, "--certificate", "proof.json")
    path = tmp_path / "proof.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"is": "x == 0"', '"is": "x == 1"'), encoding="utf-8")
    done = duet("check", "proof.json", locked)
    assert done.code == 1
    assert "locked.plip:6:11: refused: after 'x := 0' it need not be that x == 1" in done.out
    assert "does not hold: 0 checks certified" in done.out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"schema": "duet.certificate/1"', '"schema": "duet.certificate/9"'),
        ('"is": "x == 0"', '"is": "x == "'),
        ('"is": "x == 0"', '"is": "other == 0"'),
        ('"is": "x == 0"', '"is": "x == 0 )"'),
        ('"layers"', '"lairs"'),
        ('"parameterized": false', '"parametrised": false'),
        ('"for": "', '"for": "x'),
        ('"for": "', '"for": "99999,'),
        ('"for": "', '"for": "1-99999999999999,'),
        ("[", "{"),
    ],
)
def test_malformed_certificate_is_an_error_with_a_message(
    duet: Duet, locked: str, tmp_path: Path, old: str, new: str
) -> None:
    duet("analyze", locked, "--certificate", "proof.json")
    path = tmp_path / "proof.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    done = duet("check", "proof.json", locked)
    assert done.code == 2
    assert "error" in done.err


def test_missing_files_are_errors_with_a_message(duet: Duet, locked: str) -> None:
    assert duet("check", "nothing.json", locked).code == 2
    duet("analyze", locked, "--certificate", "proof.json")
    assert duet("check", "proof.json", "nothing.plip").code == 2
    assert duet("check", "proof.json", locked, locked).code == 2
    assert duet("analyze", locked, "--certificate", "no/such/folder/proof.json").code == 2


def test_races_are_not_certified(duet: Duet, tmp_path: Path) -> None:
    text = "global x = 0 thread main { spawn w  x := 1  assert x <= 1 } thread w { x := 1 }"
    (tmp_path / "race.plip").write_text(text, encoding="utf-8")
    duet("analyze", "race.plip", "--properties", "assertion,data-race", "--certificate", "proof.json")
    report = json.loads(duet("check", "proof.json", "race.plip", "--format", "json").out)
    assert report["certified"] == ["race.plip:1:45:assertion"]
    assert [name for name in report["not_certified"] if "data-race" in name]


def test_driver_of_our_own(duet: Duet) -> None:
    driver = str(ROOT / "drivers-bench" / "drivers" / "openflag_wdt.c")
    duet("analyze", "--model", "linux", driver, "--domain=interval", "--certificate", "proof.json")
    done = duet("check", "proof.json", driver)
    assert done.code == 0, done.out
    assert "checks certified;" in done.out


def test_check_in_code_that_is_not_understood_is_never_certified(duet: Duet, tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\nint x;\nvoid odd(void) { undeclared++; assert(x == 0); }\n"
        "int main(void) { int l = 1; assert(l == 1); odd(); return 0; }\n"
    )
    (tmp_path / "odd.c").write_text(text, encoding="utf-8")
    duet("analyze", "odd.c", "--certificate", "proof.json")
    path = tmp_path / "proof.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    unknown = [claim for claim in proof["claims"] if claim["status"] == "unknown"]
    assert unknown
    for claim in unknown:
        claim.update(status="proved", covered=True)
    path.write_text(json.dumps(proof), encoding="utf-8")
    done = duet("check", "proof.json", "odd.c")
    assert done.code == 1
    assert "no such check that could be proved" in done.out
