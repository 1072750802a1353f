"""Pieces of strings: what `strtok` and its like find again is a string, as long as what they were given is one.

Lines marked SAFE are of such pieces; in all others a program may make the check fail, or code that is not there may.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import rest
from duet.options import Budgets, FrontendOptions
from tests.frontend.running import decided

START = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
static char common[20];
static void *splits(void *p) { char other[8] = "a b"; strtok(other, " "); return strtok(0, " "); }
static void *idles(void *p) { return p; }
"""
FOREIGN = "extern void far(void);"
PROGRAMS = {
    "all of them": """
  for (char *p = strtok(line, " "); p; p = strtok(0, " ")) puts(p); // SAFE""",
    "some of them": """
  char *a = strtok(line, "."), *b = strtok(0, "."); // SAFE
  if (a) puts(a); // SAFE
  if (b) puts(b); // SAFE
  if (a) return atoi(a); // SAFE""",
    "printed, if there are any": """
  char *a = strtok(line, "."), *b = strtok(0, "."); // SAFE
  printf("%s %s", a, b); // SAFE""",
    "in a loop of a function": """
  char *a = strtok(line, "."); // SAFE
  if (!a) return 1;
  while ((a = strtok(0, "."))) strtol(a, 0, 10); // SAFE""",
    "kept elsewhere": """
  char *k;
  for (char *p = strtok_r(line, " ", &k); p; p = strtok_r(0, " ", &k)) puts(p); // SAFE""",
    "the rest that is kept elsewhere": """
  char *k, *p = strtok_r(line, " ", &k); // SAFE
  if (p) p = strtok_r(0, " ", &k); // SAFE
  if (p) puts(k);""",
    "behind a write": """
  char *p = strtok(line, " "); // SAFE
  line[3] = rand(); // SAFE
  p = strtok(0, " ");
  if (p) puts(p); // SAFE""",
    "kept elsewhere, behind a write": """
  char *k, *p = strtok_r(line, " ", &k); // SAFE
  line[3] = rand(); // SAFE
  p = strtok_r(0, " ", &k);
  if (p) puts(p); // SAFE""",
    "of bytes": """
  char *p = strtok(line, " "); // SAFE
  fread(line, 1, 20, stdin); // SAFE
  p = strtok(0, " ");
  if (p) puts(p); // SAFE""",
    "of another string": """
  char other[8];
  strcpy(other, "a b");
  char *p = strtok(line, " "); // SAFE
  fread(other, 1, 8, stdin); // SAFE
  p = strtok(0, " "); // SAFE
  if (p) puts(p); // SAFE""",
    "of one or the other": """
  char other[8];
  strcpy(other, "a b");
  char *p = strtok(rand() ? line : other, " ");
  fread(other, 1, 8, stdin); // SAFE
  p = strtok(0, " ");
  if (p) puts(p); // SAFE""",
    "of what was given last": """
  char other[8];
  strcpy(other, "a b");
  char *p = strtok(line, " "); // SAFE
  strtok(other, " "); // SAFE
  fread(other, 1, 8, stdin); // SAFE
  p = strtok(0, " ");
  if (p) puts(p); // SAFE""",
    "before any string": """
  char *p = strtok(0, " ");
  if (p) puts(p);""",
    "of what others see": """
  pthread_t t;
  pthread_create(&t, 0, idles, common);
  char *p = strtok(common, " ");
  p = strtok(0, " ");
  if (p) puts(p);""",
    "while another thread splits a string": """
  pthread_t t;
  pthread_create(&t, 0, splits, 0);
  char *p = strtok(line, " ");
  p = strtok(0, " ");
  if (p) puts(p);""",
    "behind a thread that does not": """
  pthread_t t;
  pthread_create(&t, 0, idles, 0);
  char *p = strtok(line, " "); // SAFE
  p = strtok(0, " "); // SAFE
  if (p) puts(p); // SAFE""",
    "behind code that is not there": """
  char *p = strtok(line, " "); // SAFE
  far();
  p = strtok(0, " ");
  if (p) puts(p); // SAFE""",
}


def found_in(folder: Path, name: str, budgets: Budgets) -> tuple[list[int], list[int]]:
    """The lines of a program whose checks are wrongly decided, and those whose checks are missed."""
    start = START + FOREIGN if "far()" in PROGRAMS[name] else START
    begun = "int main(void) { char line[20]; if (!fgets(line, 20, stdin)) return 1;"
    text = f"{start}{begun}{PROGRAMS[name]}\nreturn 0; }}\n"
    marked = {at: "SAFE" in line for at, line in enumerate(text.splitlines(), 1)}
    options = FrontendOptions(properties=("array-bounds",), budgets=budgets)
    first = text[: text.index("int main")].count("\n") + 2
    found = {line: is_safe for line, is_safe in decided(folder, text, options).items() if line >= first}
    wrong = [line for line, is_safe in found.items() if is_safe and not marked[line]]
    return wrong, [line for line, is_safe in found.items() if marked[line] and not is_safe]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("budgets", [Budgets(), Budgets(program_commands=-1)], ids=["small", "large"])
def test_pieces_are_strings(name: str, budgets: Budgets, tmp_path: Path) -> None:
    wrong, missed = found_in(tmp_path, name, budgets)
    assert wrong == [], wrong
    if budgets != Budgets():  # in small programs numbers tell of some strings
        assert missed == [], missed


SEVERAL = """
static void *splits_too(void *p) {
  char line[20];
  if (!fgets(line, 20, stdin)) return 0;
  strtok(line, " ");
  p = strtok(0, " ");
  if (p) puts(p);
  return 0;
}
int main(void) {
  pthread_t t;
  while (rand()) pthread_create(&t, 0, splits_too, 0);
  return 0;
}
"""
"""A thread may get a piece of the line of another one, which is gone, or is being read."""


def pieces_of_several(folder: Path) -> bool:
    """Whether it is decided that a piece of a line of one of several threads is a string."""
    options = FrontendOptions(properties=("array-bounds",), budgets=Budgets(program_commands=-1))
    return decided(folder, START + SEVERAL, options)[
        START.count("\n") + 1 + SEVERAL[: SEVERAL.index("strtok(0")].count("\n")
    ]


def test_of_several_threads(tmp_path: Path) -> None:
    assert not pieces_of_several(tmp_path)


def test_a_rest_of_several_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were what `strtok` keeps each thread's own, it would be a string."""
    monkeypatch.setattr(rest, "is_own", lambda _: True)
    assert pieces_of_several(tmp_path)


def test_a_rest_that_others_leave_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were code that is not there not to call `strtok`, pieces would be strings behind it."""
    monkeypatch.setattr(rest, "has_foreign", lambda _: False)
    monkeypatch.setattr(rest, "forget", lambda _: None)
    assert found_in(tmp_path, "behind code that is not there", Budgets(program_commands=-1))[0]
