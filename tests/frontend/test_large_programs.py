"""What is told apart in large programs: what allocates where calls share bodies, and what was found before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duet.frontend import lower
from duet.frontend.cells import size
from duet.frontend.judgments.facts import Facts
from duet.frontend.lower import Lowered
from duet.frontend.source.parse import parse
from duet.options import Budgets, FrontendOptions

LARGE = Budgets(program_commands=60, inlined_commands_if_large=-1, small_commands=20)
ALLOCATING = """
struct item { struct item *next; int value; };
void *malloc(unsigned long);
void exit(int);
int puts(const char *);
static int last;
static void told(const char *text) {
  puts(text);
  for (int i = 0; i < 4; i++) { last += i; if (last > 7) last -= 3; }
}
static void given_up(void) { told("no memory"); told("left"); exit(1); }
static void *memory(unsigned long size) {
  void *found = malloc(size);
  if (!found) given_up();
  return found;
}
int *numbers, **places;
struct item *items;
char *text;
int main(void) {
  numbers = memory(40);
  places = memory(80);
  items = memory(sizeof *items);
  text = memory(12);
  text[0] = 'a', numbers[0] = 1, items->value = 2, *places = numbers;
  return 0;
}
"""
LIST = """
void *malloc(unsigned long);
void free(void *);
struct item { struct item *next; const char *text; };
extern int any(void);
int main(int argc, char **argv) {
  struct item *first = 0, **link = &first, *item, *next;
  for (int i = 0; i < argc; i++) {
    item = malloc(sizeof *item);
    if (!item) return 1;
    item->next = 0, item->text = argv[i];
    *link = item, link = &item->next;
  }
  link = &first;
  for (item = first; item; item = next) {
    next = item->next;
    if (item->text[0] == '-') *link = next, free(item);
    else link = &item->next;
  }
  return 0;
}
"""


def lowered(text: str, budgets: Budgets = LARGE) -> Lowered:
    options = FrontendOptions(budgets=budgets, properties=("null-dereference", "array-bounds"))
    return lower.lower(parse(text, "a.c", options), options)


def targets(found: Lowered, cell: str) -> set[str]:
    return {str(origin) for origin in found.pointers[cell] if str(origin).startswith("heap")}


def test_each_call_of_what_allocates_has_an_object_though_its_last_resort_is_long() -> None:
    found = lowered(ALLOCATING)
    assert size.SPARING in found.assumptions
    places = [targets(found, cell) for cell in ("numbers", "places", "items", "text")]
    assert [len(place) for place in places] == [1, 1, 1, 1]
    assert len(set.union(*places)) == 4
    shared = lowered(ALLOCATING, replace(LARGE, small_commands=-1))
    assert {len(targets(shared, cell)) for cell in ("numbers", "text")} == {1}
    assert targets(shared, "numbers") == targets(shared, "text")


def test_nothing_is_kept_of_what_was_found_before_a_program_was_known_to_be_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Facts] = []
    settled = lower._settled

    def noted(units: object, options: object, heard: object, facts: Facts, *others: object) -> Lowered:
        begun.append(facts)
        assert not facts.pointers.holds
        return settled(units, options, heard, facts, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(lower, "_settled", noted)
    assert size.SPARING in lowered(ALLOCATING).assumptions
    assert len(begun) == 2
    assert all(begun[1].sizes[name] >= commands for name, commands in begun[0].sizes.items())


def test_a_small_program_is_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "begun", lambda _: pytest.fail("nothing is begun anew"))
    assert size.SPARING not in lowered(LIST, Budgets()).assumptions


@pytest.mark.parametrize("budgets", [Budgets(), Budgets(program_commands=-1)], ids=["small", "large"])
def test_a_pointer_to_one_member_does_not_mean_one_of_another_type(budgets: Budgets) -> None:
    found = lowered(LIST, budgets)
    texts = [cell for cell in found.pointers if cell.startswith("heap a.c") and cell.endswith(".text")]
    assert texts
    assert all(targets(found, cell) == {"heap strings of the library"} for cell in texts)
    assert not [warning for warning in found.warnings if warning.code in ("type-punning", "unresolved-pointer")]


COPYING = """
#include <pthread.h>
#include <stdlib.h>
struct log { int next; int line[8]; };
static struct log *log_of_all;
static int written;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&lock);
    if (!log_of_all) {
      log_of_all = malloc(sizeof *log_of_all);
      if (!log_of_all) abort();
      for (int j = 0; j < 8; j++) log_of_all->line[j] = 0;
    }
    written++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
"""


def _lowered(budgets: Budgets) -> Lowered:
    options = FrontendOptions(budgets=budgets)
    return lower.lower(parse(COPYING, "t.c", options), options)


def test_copies_of_loops_do_not_make_a_program_large() -> None:
    """Loops that start no threads stay loops before threads are not told apart any more."""
    ample, few = _lowered(Budgets()), _lowered(Budgets(program_commands=400))
    assert len(few.program.commands) < len(ample.program.commands)
    assert len(few.program.templates) == len(ample.program.templates) == 4
    assert size.SPARING not in few.assumptions
    assert size.SPARING in _lowered(Budgets(program_commands=60)).assumptions
