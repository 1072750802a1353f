"""Libraries change nothing through pointers to const that they are declared to take; all else that they reach, they do.

The header is a short one of our own, at a place where system headers are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.ctypes.origins import Elsewhere
from duet.frontend.lower import Lowered, lower
from duet.frontend.models import lent
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions

HEADER = """
typedef unsigned char octet;
struct pair { int a, *b; };
void far_look(const char *text, int more);
void far_octets(const octet *octets);
int far_set(char *text, const int *number);
char *far_find(const char *text);
void far_pair(const struct pair *pair);
void far_any(const void *what);
void far_old(const char *const *list);
void far_more(int count, ...);
int *far_number(void);
void far_run(const char *text, void (*run)(const char *));
"""
START = """
#include <library.h>
void own_look(const char *text);
int x = 1, y = 2, done;
char name[4] = {1, 2, 3, 0}, *list[2] = {name, 0};
struct s { int before; char name[4]; int *behind; } s = {1, {1, 2, 3, 0}, &x}, *p = &s;
struct pair pair = {1, &x};
void change(const char *text) { ((char *)text)[1] = 9; }
void assert(int);
"""
TRUE = {
    "characters": "far_look(name, 1); assert(name[1] == 2);",
    "other characters": "far_octets((octet *)name); assert(name[1] == 2);",
    "a part of a structure": "far_look(p->name, 1); assert(s.before == 1 && s.name[1] == 2);",
    "what is around it": "far_look(p->name, 1); assert(*s.behind == 1 && x == 1);",
    "a number": "far_set(0, &x); assert(x == 1);",
    "in a later call": "far_look(name, 1); far_set((char *)&y, 0); assert(name[1] == 2);",
}
FALSE = {
    "no pointer to const": "far_set(name, 0); assert(name[1] == 2);",
    "one of both": "far_set(name, (int *)name); assert(name[1] == 2);",
    "what it gives back": "char *q = far_find(name); q[1] = 5; assert(name[1] == 2);",
    "what it gives back later": "far_look((char *)&x, 0); *far_number() = 5; assert(x == 1);",
    "given again": "far_look(name, 1); far_set(name, 0); assert(name[1] == 2);",
    "what a structure leads to": "far_pair(&pair); assert(x == 1);",
    "of any type": "far_any(name); assert(name[1] == 2);",
    "a list": "far_old((const char *const *)list); assert(name[1] == 2);",
    "more arguments": "far_more(1, name); assert(name[1] == 2);",
    "a function of the program": "own_look(name); assert(name[1] == 2);",
    "a function that it calls": "far_run(name, change); assert(name[1] == 2);",
}


def lowered(folder: Path, body: str, budgets: Budgets) -> Lowered:
    """A program with the body as its `main`."""
    headers = folder / "usr" / "include"
    headers.mkdir(parents=True)
    (headers / "library.h").write_text(HEADER, encoding="utf-8")
    path = folder / "a.c"
    path.write_text(f"{START}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    options = FrontendOptions(budgets=budgets, include_dirs=(str(headers),))
    return lower(parse(preprocess(str(path), options).text, str(path), options), options)


def are_safe(folder: Path, body: str, budgets: Budgets | None = None) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    found = lowered(folder, body, budgets or Budgets())
    return {status.is_safe for status in analyse(found.program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(program_commands=-1)], ids=["small", "large"])
@pytest.mark.parametrize("name", TRUE)
def test_what_they_only_read_stays_what_it_is(tmp_path: Path, name: str, budgets: Budgets) -> None:
    if name == "in a later call" and budgets != Budgets():
        pytest.skip("what one call changes is not told apart in a large program")
    assert are_safe(tmp_path, TRUE[name], budgets) == {True}


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(program_commands=-1)], ids=["small", "large"])
@pytest.mark.parametrize("name", FALSE)
def test_all_else_may_change(tmp_path: Path, name: str, budgets: Budgets) -> None:
    assert are_safe(tmp_path, FALSE[name], budgets) == {False}


def test_the_report_says_so(tmp_path: Path) -> None:
    assert lent.READ_ONLY in lowered(tmp_path, TRUE["characters"], Budgets()).assumptions


def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lent, "LENT", Elsewhere("nowhere"))  # what it only reads is given back by nobody
    assert are_safe(tmp_path, FALSE["what it gives back"]) == {True}
