"""A pointer that was never assigned may be anything: nothing that is accessed through it is inside of an object."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved

START = "extern int __VERIFIER_nondet_int(void);\nint a[4]; static void put(int *p) { p[1] = 3; }\n"
OPEN = {
    "handed on": "int *p; if (__VERIFIER_nondet_int()) p = a; put(p);",
    "followed": "int *p; if (__VERIFIER_nondet_int()) p = a; *p = 1;",
    "around a jump": "int *p; if (__VERIFIER_nondet_int()) goto out; p = a; out: p[2] = 1;",
    "in a loop": "int *p; for (int i = 0; i < 2; i++) { if (i) p = a; p[1] = 1; }",
}


@pytest.mark.parametrize("name", OPEN)
def test_what_is_never_assigned_leads_anywhere(name: str, tmp_path: Path) -> None:
    text = f"{START}int main(void) {{ {OPEN[name]} }}\n"
    assert not are_proved(tmp_path / "a.c", text, ("array-bounds",), "interval")
    assert are_proved(tmp_path / "b.c", text.replace("int *p;", "int *p = a;"), ("array-bounds",), "interval")
