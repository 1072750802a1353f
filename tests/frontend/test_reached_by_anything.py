"""An access through a pointer of which nothing is known may be to a local of a thread whose address is taken.

Each program races in C: `main` gives away the bytes of an address, unknown to all that follows pointers, and writes the
variable while the thread that has got them accesses it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import Budgets
from tests.frontend.running import open_races

START = """
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *memcpy(void *, const void *, unsigned long);
unsigned long strlen(const char *);
long write(int, const void *, unsigned long), read(int, void *, unsigned long);
union bytes { int *p; double real; struct { unsigned long number; float more; } other; };
static unsigned long got;
static int out;
"""
MAIN = """
int main(void) {
  int own = 0;
  union bytes u;
  u.p = &own;
  got = u.other.number;
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  own = 1;
  pthread_join(t, 0);
}
"""
ACCESSES = {
    "written": "*(int *)got = 5;",
    "read": "out = *(int *)got;",
    "read as a byte": "out = *(char *)got;",
    "read as another type": "out = *(float *)got > 0;",
    "copied": "memcpy(&out, (void *)got, sizeof out);",
    "read by a function that is known": "out = strlen((char *)got);",
    "read by the system": "write(1, (void *)got, sizeof(int));",
    "written by the system": "read(0, (void *)got, sizeof(int));",
}
LARGE = Budgets(program_commands=-1)


def races(folder: Path, text: str, budgets: Budgets) -> list[str]:
    """The races that are open, but for those on variables that have names in `work`."""
    return open_races(folder / "a.c", f"{START}void *work(void *x) {{ {text} return 0; }}{MAIN}", budgets)


@pytest.mark.parametrize("budgets", [Budgets(), LARGE], ids=["small", "large"])
@pytest.mark.parametrize("name", ACCESSES)
def test_variables_whose_address_is_taken_may_be_meant(tmp_path: Path, name: str, budgets: Budgets) -> None:
    assert any("not known" in found for found in races(tmp_path, ACCESSES[name], budgets))


@pytest.mark.parametrize("budgets", [Budgets(), LARGE], ids=["small", "large"])
def test_a_variable_alone_has_no_race(tmp_path: Path, budgets: Budgets) -> None:
    assert not races(tmp_path, "out = 1;", budgets)
