"""Bounds by how far a pointer leads, whatever is known of its number: members of objects of which there are several."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.cells import bounds
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions

START = """
void *malloc(unsigned long); int rand(void); void *memset(void *, int, unsigned long); void *any(void);
struct pair { long first, second; };
struct large { struct pair front; char name[8]; long last; };
struct { void *name, *second, *last; } table[32];
int main(void) {
  int i;
  for (i = 0; i < 32; i++) {
    struct large *it = malloc(sizeof *it);
    if (!it) return 1;
    table[i].name = it->name;
    table[i].second = &it->front.second;
    table[i].last = &it->last;
  }
  i = rand() & 31;
"""
TRUE = {
    "a member": "long *p = table[i].last; if (p) *p = 1;",
    "a member of a structure": "long *p = table[i].second; if (p) *p = 1;",
    "as another type": "struct pair *p = table[i].second; if (p) p->second = 1;",
    "by a library": "char *p = table[i].name; if (p) memset(p, 0, 8);",
}
FALSE = {
    "beyond the end": "struct pair *p = table[i].last; if (p) p->second = 1;",
    "of too large a type": "struct large *p = table[i].second; if (p) p->last = 1;",
    "that was moved": "long *p = table[i].last; if (p) { p = p + 1; *p = 1; }",
    "or null": "struct large *p = table[i].second; if (rand()) p = 0; p->name[0] = 1;",
    "too many bytes": "char *p = table[i].name; if (p) memset(p, 0, 17);",
    "of which nothing is known": "long *p = rand() ? table[i].last : any(); if (p) *p = 1;",
}


def are_inside(folder: Path, body: str) -> bool:
    """Whether all that is accessed, behind a pointer that a table holds, too, is proved to be inside of its object."""
    text = f"{START}  {body}\n  return 0;\n}}\n"
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(properties=("array-bounds",))
    program = lower(parse(preprocess(str(path), options).text, str(path), options), options).program
    return all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


@pytest.mark.parametrize("name", TRUE)
def test_how_far_it_leads_is_enough(tmp_path: Path, name: str) -> None:
    assert are_inside(tmp_path, TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_not_where_it_may_lead_elsewhere(tmp_path: Path, name: str) -> None:
    assert not are_inside(tmp_path, FALSE[name])


@pytest.mark.parametrize("name", ["beyond the end", "of too large a type"])
def test_a_defect_of_the_rule_is_noticed(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "all_distances", lambda _: ((0, 0),))  # all pointers lead to the start
    assert are_inside(tmp_path, FALSE[name])
