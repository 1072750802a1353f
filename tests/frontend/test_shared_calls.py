"""Calls that share one copy of a function: what is known where a call returns.

Lines marked SAFE have a pointer that was not null, and led to the same bytes, where the call was made; of all others a
program may make the check fail.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from duet.frontend.graph.returns import Landing, Returns
from duet.frontend.models import jumps
from duet.options import Budgets, FrontendOptions
from tests.frontend.running import decided

SHARED = Budgets(inlined_commands=-1, small_commands=-1, callback_small_commands=-1)
OPTIONS = FrontendOptions(properties=("array-bounds", "null-dereference"), budgets=SHARED)
START = """
#include <setjmp.h>
struct s { long a; long b; };
extern struct s *get(void);
extern int any(void);
int count;
struct s *shared;
static struct s *kept; // its address is not taken: nothing that is accessed through pointers is kept itself
jmp_buf there;
void work(void) { if (any()) count++; }
void around(void) { work(); count++; work(); }
void clear(struct s **where) { if (any()) *where = 0; } // SAFE
void renew(void) { if (any()) kept = get(); }
void leap(void) { if (any()) longjmp(there, 1); }
jmp_buf inner;
void hop(void) { if (any()) longjmp(inner, 1); }
void middle(void) { work(); hop(); work(); }
void within(void) { if (setjmp(inner)) kept = get(); else middle(); }
void again(int n) {
  if (n == 0 && setjmp(inner)) kept = get();
  if (n < 2 && any()) again(n + 1); else hop();
}
void run(struct s *p, int depth) {
  p->a = depth;
  if (any()) run(get(), depth + 1);
  p->a = depth;
}
void once(struct s *p) {
  p->a = 1;
  work();
  p->a = 1; // SAFE
}
"""
PROGRAMS = {
    "a call that leaves the pointer alone": """
  p->a = 1;
  work();
  p->a = 1; // SAFE
  p = get();
  work();
  p->a = 1;""",
    "in a loop, with another pointer each time": """
  while (any()) {
    p = get();
    work();
    p->a = 1;
    work();
    p->a = 1; // SAFE
  }
  work();
  p->a = 1;""",
    "a call in a call": """
  p->a = 1;
  around();
  p->a = 1; // SAFE
  p = get();
  around();
  p->a = 1;""",
    "only if it was followed": """
  if (any()) p->a = 1;
  work();
  p->a = 1;""",
    "a call that writes it": """
  struct s *q = get();
  p->a = q->a = 1;
  clear(&p);
  q->a = 1; // SAFE
  p->a = 1;
  clear(&p);
  p->a = 1;""",
    "a call that writes a variable": """
  kept = p;
  kept->a = 1;
  work();
  kept->a = 1; // SAFE
  renew();
  kept->a = 1;
  renew();
  kept->a = 1;""",
    "a pointer that others have": """
  shared = p;
  shared->a = 1;
  work();
  shared->a = 1;""",
    "a parameter of a function that calls itself": """
  run(p, 0);
  run(get(), 1);
  p->a = 1;""",
    "a parameter of a function that several call": """
  once(p);
  once(get());""",
    "a jump out of the call": """
  p->a = 1;
  if (setjmp(there)) {
    p->a = 1;
    return 1;
  }
  work();
  p = get();
  leap();
  p->a = 1;""",
    "a call that jumps to this function, or returns": """
  if (setjmp(there)) {
    p = get();
    work();
  }
  p->a = 1;
  leap();
  p->a = 1; // SAFE
  work();
  p = get();
  leap();
  p->a = 1;""",
    "a jump inside of the call": """
  kept = p;
  kept->a = 1;
  work();
  kept->a = 1; // SAFE
  within();
  kept->a = 1;
  within();
  kept->a = 1;""",
    "a jump inside of the call, to an outer one of the same function": """
  kept = p;
  kept->a = 1;
  again(0);
  kept->a = 1;
  again(0);
  kept->a = 1;""",
    "a jump back to in front of the call": """
  setjmp(there);
  p->a = 1;
  p = get();
  leap();
  p->a = 1;""",
}


def found_and_true(folder: Path, name: str) -> tuple[dict[int, bool], dict[int, bool]]:
    """By the lines of the checks of a program, whether they are found to hold, and whether they do."""
    text = f"{START}int main(void) {{\n  struct s *p = get();{PROGRAMS[name]}\n  return 0;\n}}\n"
    found = decided(folder, text, OPTIONS)
    return found, {line: "SAFE" in text.splitlines()[line - 1] for line in found}


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_what_was_known_at_the_call_is_known_behind_it(tmp_path: Path, name: str) -> None:
    found, true = found_and_true(tmp_path, name)
    assert true == found


def test_it_is_noticed_when_what_a_call_writes_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Returns, "in_bodies", lambda *_: defaultdict(frozenset))
    found, true = found_and_true(tmp_path, "a call that writes a variable")
    assert any(holds and not true[line] for line, holds in found.items())


def test_it_is_noticed_when_a_jump_inside_of_a_call_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jumps, "Landing", lambda _, hub, to: Landing(-1, hub, to))
    found, true = found_and_true(tmp_path, "a jump inside of the call")
    assert any(holds and not true[line] for line, holds in found.items())
