"""Pointers where nothing leads: what is not known of them says nothing; but a label may be reached later."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells.context import Context
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import Job, perform
from tests.soundness.budgets import DEFAULT, SMALLEST

BUDGETS = {"default": DEFAULT, "large": Budgets(program_commands=-1), "smallest": SMALLEST}
START = """
#include <assert.h>
#include <stdlib.h>
extern long any(void);
static int x = 1, y = 1;
static int *first = &x, *second = &y;
static void strip(char **list, int n) {
    for (char **i = list; i < list + n; i++) {
        char *c = *i;
        while (*c++) ;
        *--c = 0;
    }
}
"""
NEVER = {
    "no elements": "strip(0, 0);",
    "behind null": "char **list = 0; char *c = *list; c++; c[any()] = 0;",
}
"""Bodies with a write by a pointer of which nothing is known that no execution comes to."""
REACHED = {
    "a label behind": "char *c; goto start; again: *c = 0; goto out; start: c = (char *)any(); goto again; out:;",
    "moved": "char *c; goto start; again: c++; *c = 0; goto out; start: c = (char *)any(); goto again; out:;",
    "never set": "char *c; goto start; again: *c = 0; goto out; start: goto again; out:;",
    "never set, moved": "char *c; goto start; again: c += any(); *c = 0; goto out; start: goto again; out:;",
    "called": "char *c[1]; goto start; again: strip(c, 1); goto out; start: c[0] = (char *)any(); goto again; out:;",
    "in a switch": "char *c = (char *)any(); switch (any()) { if (0) { case 1: *c = 0; } default:; }",
    "in a loop": "char *c = 0; if (0) { again: *c = 0; goto out; } while (!c) c = (char *)any(); goto again; out:;",
}
"""The same where a jump leads there that comes later in the text."""


def is_proved(body: str, folder: Path, budgets: Budgets) -> bool:
    """Whether what two pointers lead to is what it was behind a body."""
    path = folder / "a.c"
    before = "int *p = any() ? first : second;\n*p = 1;"
    text = f"{START}\nint main(void) {{\n{before}\n{body}\nassert(*p == 1);\nreturn 0;\n}}\n"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "null-dereference"), budgets=budgets)
    found = perform(Job((str(path),), options, AnalysisOptions(domain="interval")), lambda _: None).assertions
    (status,) = (item.status for item in found if item.check.property_name == "assertion")
    return status.is_safe


def warned(body: str, budgets: Budgets) -> bool:
    """Whether it is said that any object may be accessed."""
    text = (
        START.replace("#include <assert.h>\n#include <stdlib.h>\n", "") + f"int main(void) {{\n{body}\nreturn 0;\n}}\n"
    )
    options = FrontendOptions(properties=("null-dereference",), budgets=budgets)
    return any(it.code == "unresolved-pointer" for it in lower(parse(text, "a.c", options), options).warnings)


@pytest.mark.parametrize("budgets", ["default", "large"])
@pytest.mark.parametrize("name", NEVER)
def test_what_is_never_reached_changes_nothing(name: str, budgets: str, tmp_path: Path) -> None:
    assert is_proved(NEVER[name], tmp_path, BUDGETS[budgets])
    assert not warned(NEVER[name], BUDGETS[budgets])


@pytest.mark.parametrize("budgets", BUDGETS)
@pytest.mark.parametrize("name", REACHED)
def test_what_is_reached_later_does(name: str, budgets: str, tmp_path: Path) -> None:
    assert not is_proved(REACHED[name], tmp_path, BUDGETS[budgets])


def test_the_defect_that_nothing_is_reached_later_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    original = Context.is_settled
    monkeypatch.setattr(Context, "is_settled", lambda ctx, site: ctx.builder.is_live and original(ctx, site))
    monkeypatch.setattr(Context, "end_round", lambda _: None)
    assert any(is_proved(REACHED[name], tmp_path, BUDGETS[budgets]) for name in REACHED for budgets in BUDGETS)
