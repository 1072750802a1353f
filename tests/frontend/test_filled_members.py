"""What library functions write where a pointer leads into a structure: the members that so many bytes meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.cells import distances
from tests.frontend.bodies import compiled, decided, fails

START = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int any(void);
struct named { char name[8]; int number; };
struct record {
  int first, ends[2]; char text[16]; int stop; struct named inner; unsigned low : 4, high : 28;
  union { int word; char bytes[4]; } either; int *kept;
};
static int other; static struct record fixed; static char *elsewhere;
static char ones[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static struct record *made(void) { struct record *r = calloc(1, sizeof *r); if (!r) exit(0); return r; }
static int get(char *into, unsigned long size) {
  int ends[2];
  if (pipe(ends) || write(ends[1], ones, sizeof ones) != sizeof ones) exit(0);
  return (int)read(ends[0], into, size);
}
static void fill4(char *into) { int e[2]; if (pipe(e) || write(e[1], ones, 4) != 4) exit(0); read(e[0], into, 4); }
static void fill8(char *into) { int e[2]; if (pipe(e) || write(e[1], ones, 8) != 8) exit(0); read(e[0], into, 8); }
static void fill24(char *into) { int e[2]; if (pipe(e) || write(e[1], ones, 24) != 24) exit(0); read(e[0], into, 24); }
static int open_both(int ends[2]) { return pipe(ends); }
"""
BEGIN = "r->stop = 3; r->kept = &other; r->inner.number = 3; r->high = 3; r->first = 3; "
REST = "assert(r->stop == 3 && r->kept == &other && r->inner.number == 3 && r->first == 3);"
PROVED = {
    "an array by a function": f"open_both(r->ends); {REST}",
    "bytes by a function": f"fill8(r->text); {REST}",
    "bytes by a variable": f"char *b = r->text; fill8(b); memcpy(b, ones, 16); {REST}",
    "the middle of an array": f"fill8(r->text + 8); {REST}",
    "a member of a member": f"fill8(r->inner.name); {REST}",
    "one of two records": f"struct record *s = made(); char *b = any() ? r->text : s->text; fill8(b); {REST}",
    "a record that is one": f"fill8(fixed.text); {REST}",
}
FAILING = {
    "behind the array": "fill24(r->text); assert(r->stop == 3);",
    "behind the middle of it": "fill24(r->text + 8); assert(r->stop == 3);",
    "from where a loop ends": "char *b = r->text; for (int i = 0; i < 16; i++) b++; fill4(b); assert(r->stop == 3);",
    "another member": "char *b = (char *)&r->stop; fill4(b); assert(r->stop == 3);",
    "one of two members": "char *b = any() ? (char *)&r->stop : r->text; fill4(b); assert(r->stop == 3);",
    "the member before": "char *b = (char *)&r->ends[1]; r->text[0] = 0; fill8(b); assert(r->text[0] == 0);",
    "a global pointer": "elsewhere = (char *)&r->stop; fill4(elsewhere); assert(r->stop == 3);",
    "a member of the next one": "char *b = (char *)&r->stop; fill8(b); assert(r->inner.name[0] == 0);",
    "bits": "char *b = (char *)&r->inner.number; fill8(b); assert(r->high == 3);",
    "a union": "r->either.word = 0; char *b = r->either.bytes; fill4(b); assert(r->either.word == 0);",
    "the record": "fill4((char *)r); assert(r->first == 3);",
    "by way of void": "void *b = &r->stop; memcpy(b, ones, 4); assert(r->stop == 3);",
    "a pointer": "char *b = (char *)&r->kept; memcpy(b, ones, 8); assert(r->kept == &other);",
    "as many as there are": "char *b = r->text; get(b, 16 + 4 * (any() > 3)); assert(r->stop == 3);",
    "a record that is one": "r = &fixed; r->stop = 3; char *b = fixed.text; fill24(b); assert(r->stop == 3);",
}


def is_proved(body: str) -> bool:
    found = decided(START, f"struct record *r = made(); {BEGIN} {body}", "assertion", "array-bounds")
    asked = [check for check in found if check.subject == "assertion"]
    assert asked
    return all(check.is_safe for check in asked)


@pytest.mark.parametrize("name", PROVED)
def test_other_members_are_what_they_were(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", FAILING)
def test_what_the_bytes_meet_may_change(name: str) -> None:
    assert not is_proved(FAILING[name])


def test_it_is_noticed_when_only_the_first_member_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = distances._meeting
    monkeypatch.setattr(distances, "_meeting", lambda ctx, part, at, size: meeting(ctx, part, at, size)[:1])
    assert is_proved(FAILING["behind the array"])


def test_what_is_open_fails(tmp_path: Path) -> None:
    bodies = {name: f"struct record *r = made(); {BEGIN} {body}" for name, body in FAILING.items()}
    program = compiled(START, bodies, tmp_path)
    if program is None:
        pytest.skip("there is no compiler with sanitizers")
    assert [name for at, name in enumerate(bodies) if not fails(program, at)] == []
