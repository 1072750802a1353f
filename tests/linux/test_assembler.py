"""Assembler between the items of a header: what its text names may be called and changed at any time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.source import reached
from tests.linux.kernel_tree import safe
from tests.linux.test_general import driver

STUB = "#include <linux/stub.h>\ntypedef int stub_type;\n"
STUBBED = STUB + "static int stubbed(int number) { @ return number; }\n"
FAILS: Mapping[str, str] = {
    "a function that it names": driver(
        "__VERIFIER_assert(level == 0); return 0;", "", more=STUBBED.replace("@", "level = 1;")
    ),
    "an object that it names": driver(
        "__VERIFIER_assert(stub_data == 0); return 0;", "", more=STUB + "static int stub_data;\n"
    ),
    "what it defines": driver("__VERIFIER_assert(stub(1) == 1); return 0;", "", more=STUBBED.replace("@", "")),
}
HOLDS: Mapping[str, str] = {
    "a function that it does not name": driver(
        "__VERIFIER_assert(level == 0); return 0;",
        "",
        more=STUBBED.replace("stubbed(", "other(").replace("@", "level = 1;"),
    ),
    "what a function that it names leaves alone": driver(
        "__VERIFIER_assert(level == 0); return 0;", "", more=STUBBED.replace("@", "number = 2;")
    ),
}


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_in_the_kernel_is_not_proved(tmp_path: Path, name: str) -> None:
    assert not all(safe(tmp_path, FAILS[name]))


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_proved(tmp_path: Path, name: str) -> None:
    assert all(safe(tmp_path, HOLDS[name]))


@pytest.mark.parametrize("name", list(FAILS)[:2])
def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "_NAME", re.compile(r"(?!)"))
    assert all(safe(tmp_path, FAILS[name]))
