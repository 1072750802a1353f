"""`a[i] op= x` and `a[i]++` read and write one and the same element, whichever that is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells import gate
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

START = "#include <assert.h>\n#include <stdlib.h>\nint a[3], b[2][2]; struct { int k, n[2]; } s;\n"
TRUE = {
    "added": "int i = rand() % 3; a[i] += 2; assert(a[0] + a[1] + a[2] == 2);",
    "stepped": "int i = rand() % 3; a[i]++; a[i]++; assert(a[0] + a[1] + a[2] == 2);",
    "moved": "int i = rand() % 3, j = rand() % 3; a[i] -= 4; a[j] += 4; assert(a[0] + a[1] + a[2] == 0);",
    "of a member": "int i = rand() % 2; s.n[i] += 3; assert(s.n[0] + s.n[1] == 3 && s.k == 0);",
    "through a pointer": "int *p = a, i = rand() % 3; p[i] += 2; assert(a[0] + a[1] + a[2] == 2);",
    "of a row": "int i = rand() % 2; b[1][i] += 3; assert(b[1][0] + b[1][1] == 3 && b[0][0] == 0);",
}
FALSE = {
    "the first": "int i = rand() % 3; a[i] += 2; assert(a[0] == 0);",
    "the last": "int i = rand() % 3; a[i] += 2; assert(a[2] == 0);",
    "the last is stepped": "int i = rand() % 3; a[i]++; assert(a[2] == 0);",
    "others": "int i = rand() % 3, j = rand() % 3; a[i] += 2; a[j] += 1; assert(a[0] < 3);",
    "of a member": "int i = rand() % 2; s.n[i] += 3; assert(s.n[1] == 0);",
    "through a pointer": "int *p = a + 1, i = rand() % 2; p[i] += 2; assert(a[2] == 0);",
    "the index changes": "int i = 0; a[i++] += 2; a[i] += 1; assert(a[1] == 0);",
}


def _safe(body: str) -> bool:
    options = FrontendOptions(properties=("assertion",))
    program = lower(parse(f"{START}int main(void) {{ {body} }}\n", "a.c", options), options).program
    return all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


@pytest.mark.parametrize("name", TRUE)
def test_what_cannot_fail_is_proved(name: str) -> None:
    assert _safe(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_what_may_fail_is_not_proved(name: str) -> None:
    assert not _safe(FALSE[name])


APART = gate.apart


def _without_the_last(*given: object) -> gate.Ways:
    """Nobody has the index of the last element."""
    return APART(*given)[:-1]  # type: ignore[arg-type]


def _always_the_first(*given: object) -> gate.Ways:
    """Whatever the index is, it is the first element that is changed."""
    found = APART(*given)  # type: ignore[arg-type]
    return tuple((guard, found[0][1]) for guard, _ in found)


@pytest.mark.parametrize("wrong", [_without_the_last, _always_the_first])
def test_seeded_defects_are_noticed(wrong: Callable[..., gate.Ways], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "apart", wrong)
    assert any(_safe(body) for body in FALSE.values())
