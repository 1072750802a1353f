"""Shared variables that only one thread writes while it uses them: what it knows of these stays so.

Lines marked SAFE follow the same pointer as an access in front of them, whichever threads there are; of all others a
program may make the check fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.graph.alone import Own
from duet.options import Budgets, FrontendOptions
from duet.plip.touched import writes
from tests.frontend.running import decided

OPTIONS = FrontendOptions(properties=("array-bounds", "null-dereference"))
SHARED = FrontendOptions(
    properties=("array-bounds", "null-dereference"), budgets=Budgets(inlined_commands=-1, small_commands=-1)
)
START = """
#include <pthread.h>
#include <signal.h>
struct s { long a; long b; };
extern struct s *get(void);
extern int any(void);
static struct s *p; // its address is not taken: nothing that is accessed through pointers is p itself
pthread_t t, u;
void *reader(void *arg) { return p ? p : arg; }
void *writer(void *arg) { p = get(); return arg; }
void handler(int number) { p = get(); }
"""
USER = """
void *user(void *arg) {
  p = get();
  p->a = 1;
  p->a = 1;%s
  if (any()) p = get();
  p->a = 2;
  return arg;
}
"""
ONE, SEVERAL = USER % " // SAFE", USER % ""
PROGRAMS = {
    "a program without threads": (
        "",
        """
  p = get();
  p->a = 1;
  p->a = 1; // SAFE
  p = get();
  p->a = 1;""",
    ),
    "before any thread is started, and behind that": (
        "",
        """
  p = get();
  p->a = 1;
  p->a = 1; // SAFE
  pthread_create(&t, 0, writer, 0);
  p->a = 1;
  p->a = 1;""",
    ),
    "on one way only": (
        "",
        """
  p = get();
  if (any()) pthread_create(&t, 0, writer, 0);
  p->a = 1;
  p->a = 1;""",
    ),
    "a thread that only reads": (
        "",
        """
  p = get();
  pthread_create(&t, 0, reader, 0);
  p->a = 1;
  p->a = 1; // SAFE""",
    ),
    "a handler": (
        "",
        """
  p = get();
  p->a = 1;
  signal(SIGINT, handler);
  p->a = 1;
  p->a = 2;""",
    ),
    "a thread of its own, behind what main did": (
        ONE,
        """
  p = get();
  p->a = 1;
  p->a = 1; // SAFE
  pthread_create(&t, 0, user, 0);""",
    ),
    "a thread beside main, which writes": (
        SEVERAL,
        """
  pthread_create(&t, 0, user, 0);
  p = 0;""",
    ),
    "a thread beside another one, which writes": (
        SEVERAL,
        """
  pthread_create(&t, 0, user, 0);
  pthread_create(&u, 0, writer, 0);""",
    ),
    "two threads of one kind": (
        SEVERAL,
        """
  while (any()) pthread_create(&t, 0, user, 0);""",
    ),
    "two threads that are started at two places": (
        SEVERAL,
        """
  pthread_create(&t, 0, user, 0);
  pthread_create(&u, 0, user, 0);""",
    ),
    "two calls of what starts a thread": (
        SEVERAL + "void begin(void) { pthread_create(&t, 0, user, 0); }",
        """
  begin();
  begin();""",
    ),
    "a function that starts a thread": (
        "void begin(void) { pthread_create(&t, 0, writer, 0); }",
        """
  p = get();
  p->a = 1;
  begin();
  p->a = 1;
  begin();
  p->a = 2;""",
    ),
    "a function that starts none": (
        "int n; void count(void) { if (any()) n++; }",
        """
  p = get();
  p->a = 1;
  count();
  p->a = 1; // SAFE
  pthread_create(&t, 0, writer, 0);
  count();
  p->a = 2;""",
    ),
    "a function that writes it": (
        "void renew(void) { if (any()) p = get(); }",
        """
  p = get();
  p->a = 1;
  renew();
  p->a = 1;
  renew();
  p->a = 2;""",
    ),
}


@pytest.mark.parametrize("options", [OPTIONS, SHARED], ids=["inlined", "shared"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_only_what_no_other_thread_may_write_stays_as_it_was(
    tmp_path: Path, name: str, options: FrontendOptions
) -> None:
    text = _text(name)
    found = decided(tmp_path, text, options)
    assert {line: "SAFE" in text.splitlines()[line - 1] for line in found} == found


def _text(name: str) -> str:
    before, body = PROGRAMS[name]
    return f"{START}{before}\nint main(void) {{{body}\n  return 0;\n}}\n"


def wrongly_decided(folder: Path, name: str) -> bool:
    text = _text(name)
    lines = text.splitlines()
    return any(holds and "SAFE" not in lines[line - 1] for line, holds in decided(folder, text, OPTIONS).items())


def test_it_is_noticed_when_others_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Own, "at", lambda own, _: own.always | own.then)
    assert wrongly_decided(tmp_path, "on one way only")
    monkeypatch.setattr(Own, "changed", lambda _, instruction: writes(instruction))
    assert wrongly_decided(tmp_path, "before any thread is started, and behind that")
