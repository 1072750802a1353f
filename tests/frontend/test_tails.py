"""Arrays at the end of structures that go on behind it: what lies there may be among their elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.cells import tails
from duet.frontend.cells.context import Context
from duet.frontend.ctypes.types import StructType
from duet.frontend.ctypes.values import Direct, Indirect, Object
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read
from tests.frontend.running import fails

PROGRAM = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define NEW(kind, name) struct kind *name = malloc(64); if (!name) return 0
struct open { unsigned length; char data[]; };
struct none { unsigned length; char data[0]; };
struct one { unsigned length; char data[1]; };
struct wide { struct open *next; unsigned length, kind; unsigned short data[]; };
struct other { unsigned first, second; };
struct outer { struct open inner; unsigned behind; };
struct node { struct node *next; };
struct listed { unsigned length; struct node node; char data[]; };
static void fill(struct open *it, char with) { for (unsigned i = 0; i < 8; i++) it->data[i] = with; }
static unsigned *second(struct open *of) { return &of[1].length; }
int main(void) {
    @BODY@
    return 0;
}
"""
FALSE = {
    "an element of an array": """
  NEW(open, it);
  it[1].length = 7;
  it->data[0] = 1;
  assert(it[1].length == 7);""",
    "no elements": """
  NEW(none, none);
  none[1].length = 7;
  none->data[0] = 1;
  assert(none[1].length == 7);""",
    "one element": """
  NEW(one, one);
  one[1].length = 7;
  one->data[4] = 1;
  assert(one[1].length == 7);""",
    "a pointer that goes on": """
  NEW(open, it);
  struct open *p = it;
  p++;
  p->length = 7;
  it->data[0] = 1;
  assert(p->length == 7);""",
    "one further in": """
  void *room = malloc(64);
  if (!room) return 0;
  struct open *it = room;
  struct open *p = (struct open *)((char *)room + 4);
  p->length = 7;
  it->data[0] = 1;
  assert(p->length == 7);""",
    "a member behind": """
  NEW(outer, outer);
  outer->behind = 7;
  outer->inner.data[0] = 1;
  assert(outer->behind == 7);""",
    "a member behind, by its own pointer": """
  NEW(outer, outer);
  struct open *p = &outer->inner;
  outer->behind = 7;
  p->data[0] = 1;
  assert(outer->behind == 7);""",
    "another structure": """
  void *room = malloc(64);
  if (!room) return 0;
  struct open *it = room;
  struct other *other = room;
  other->second = 7;
  it->data[0] = 1;
  assert(other->second == 7);""",
    "any of several": """
  NEW(open, it);
  int n = 1 + (rand() & 3);
  for (int i = 0; i < 5; i++) it[i].length = 7;
  it->data[4 * (n - 1)] = 1;
  assert(it[n].length == 7);""",
    "copied there": """
  NEW(open, it);
  it[1].length = 7;
  memcpy(it->data, &(int){1}, 4);
  assert(it[1].length == 7);""",
    "set there": """
  NEW(open, it);
  it[1].length = 7;
  memset(it->data, 1, 4);
  assert(it[1].length == 7);""",
    "a string": """
  NEW(open, it);
  it[1].length = 7;
  strcpy(it->data, "abc");
  assert(it[1].length == 7);""",
    "by a function": """
  NEW(open, it);
  it[1].length = 7;
  fill(it, 1);
  assert(it[1].length == 7);""",
    "by the address of the member": """
  NEW(open, it);
  unsigned *p = second(it);
  *p = 7;
  it->data[0] = 1;
  assert(it[1].length == 7);""",
    "what is read there": """
  NEW(open, it);
  it->data[0] = 1;
  it[1].length = 0;
  assert(it->data[0] == 1);""",
    "a whole structure": """
  NEW(open, it);
  it[1].length = 7;
  struct open two = {9};
  it->data[0] = 1;
  it[1] = two;
  it->data[0] = 1;
  assert(it[1].length == 9);""",
    "as another type": """
  NEW(open, it);
  int *number = (int *)it->data;
  *number = 7;
  it->data[0] = 1;
  assert(*number == 7);""",
    "as the type of another member": """
  static long a, b;
  struct { long first; long *rest[]; } *it = calloc(1, 64);
  if (!it) return 0;
  it->rest[0] = &a;
  ((long *)it)[1] = (long)&b;
  *it->rest[0] = 1;
  assert(b == 0);""",
    "as another type, copied there": """
  NEW(open, it);
  *(int *)&it->data[4] = 7;
  memset(&it->data[4], 1, 4);
  assert(*(int *)&it->data[4] == 7);""",
}
TRUE = {
    "by elements": """
  NEW(open, it);
  it->length = 7;
  for (int i = 0; i < 20; i++) it->data[i] = 1;
  assert(it->length == 7);""",
    "by a function": """
  NEW(open, it);
  it->length = 7;
  fill(it, 1);
  assert(it->length == 7);""",
    "copied": """
  NEW(open, it);
  it->length = 7;
  memcpy(it->data, &(int){1}, 4);
  assert(it->length == 7);""",
    "set": """
  NEW(open, it);
  it->length = 7;
  memset(it->data, 1, it->length);
  assert(it->length == 7);""",
    "a string": """
  NEW(open, it);
  it->length = 7;
  strcpy(it->data, "abc");
  assert(it->length == 7);""",
    "read": """
  NEW(open, it);
  it->length = 7;
  char c = it->data[3];
  assert(it->length == 7 && c == c);""",
    "what is in front of them as another type": """
  NEW(open, it);
  int *number = (int *)it;
  it->data[0] = 1;
  *number = 7;
  it->data[1] = 2;
  assert(it->length == 7);""",
    "of two bytes each": """
  NEW(wide, wide);
  wide->next = 0;
  wide->kind = 3;
  memset(wide->data, 1, 8);
  assert(!wide->next && wide->kind == 3);""",
    "no elements": """
  NEW(none, none);
  none->length = 7;
  none->data[3] = 1;
  memset(none->data, 1, 4);
  assert(none->length == 7);""",
    "one element": """
  NEW(one, one);
  one->length = 7;
  one->data[9] = 1;
  assert(one->length == 7);""",
    "with a member of another type in front": """
  NEW(listed, listed);
  struct node *node = &listed->node;
  node->next = node;
  listed->data[0] = 1;
  assert(node->next == node);""",
}


def is_safe(folder: Path, body: str, budgets: Budgets = Budgets()) -> bool:  # noqa: B008
    """Whether the assertion of a program holds, as far as the analysis finds out."""
    (folder / "a.c").write_text(PROGRAM.replace("@BODY@", body), encoding="utf-8")
    options = FrontendOptions(properties=("assertion", "array-bounds"), budgets=budgets)
    found = read((str(folder / "a.c"),), options, Clock())
    decided = assertions(analyse(found.program, AnalysisOptions()), found.checks)
    (safe,) = {one.status.is_safe for one in decided if one.check.property_name == "assertion"}
    return safe


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(program_commands=-1)], ids=["small", "large"])
@pytest.mark.parametrize("name", FALSE)
def test_what_may_be_among_the_elements(name: str, budgets: Budgets, tmp_path: Path) -> None:
    assert not is_safe(tmp_path, FALSE[name], budgets)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_in_front_of_them(name: str, tmp_path: Path) -> None:
    assert is_safe(tmp_path, TRUE[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", FALSE)
def test_they_fail(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM.replace("@BODY@", FALSE[name]), encoding="utf-8")
    assert fails(tmp_path / "a.c", "")


def test_elements_of_an_array_are_not_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at what lies behind, elements would be taken for nothing else."""
    monkeypatch.setattr(tails, "note", lambda *_: None)
    assert is_safe(tmp_path, FALSE["an element of an array"])


@pytest.mark.parametrize("name", ["as another type", "as the type of another member"])
def test_other_types_are_not_apart(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: what is accessed as no structure would be taken for a member in front of the elements."""
    note = tails.note

    def of_structures(ctx: Context, of: Object, place: Direct | Indirect, *rest: object) -> None:
        if isinstance(place, Direct) or isinstance(place.base, StructType):
            note(ctx, of, place, *rest)  # type: ignore[arg-type]  # as given

    monkeypatch.setattr(tails, "note", of_structures)
    assert is_safe(tmp_path, FALSE[name])
