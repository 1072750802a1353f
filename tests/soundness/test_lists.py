"""A check that fails still does so where the lengths of lists are known, and where sums that tests compare are held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.frontend.graph import summed
from duet.frontend.judgments import lengths
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.plip.semantics import Limits, explore
from duet.plip.syntax import Command, Formula, Linear, Program

STATES = 60_000
WAY = lengths._Way
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
static struct node *head, *tail, *seen;
static int n, used, room = 2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define PUSH(p) p->next = head; head = p; n++;
#define POP(p) p = head; if (p) { head = p->next; n--; }
#define APPEND(p) p->next = NULL; if (n > 0) tail->next = p; else head = p; tail = p; n++;
#define CHECK assert((head == NULL) == (n == 0));
static void *run(void *unused) {
  struct node *p = malloc(sizeof *p), *q = NULL, *r = NULL;
  if (!p) return 0;
  pthread_mutex_lock(&m); WORK pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, run, 0); OTHER pthread_join(t, 0); return 0;
}
"""
BESIDE = "pthread_create(&u, 0, run, 0);"
AGAIN = "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);"
NEW = "q = malloc(sizeof *q); if (!q) exit(1);"
SOME = "int k = 1; if (__VERIFIER_nondet_int()) k = 2; if (room < 3) room++;"
LISTS = {
    "not counted": ("PUSH(p) POP(q) if (__VERIFIER_nondet_int()) n++; CHECK", ""),
    "pushed twice": ("PUSH(p) PUSH(p) POP(q) POP(q) CHECK", ""),
    "pushed twice by another name": ("r = p; PUSH(p) PUSH(r) POP(q) POP(q) CHECK", ""),
    "linked later": (f"{NEW} PUSH(q) PUSH(p) {AGAIN} p->next = NULL; POP(q) CHECK", ""),
    "linked anew while another global leads to it": (
        f"PUSH(p) {NEW} q->next = head; seen = q; q->next = NULL; head = q; n++; POP(r) POP(r) CHECK",
        "",
    ),
    "left for a while": (
        f"PUSH(p) {AGAIN} q = head; r = q->next; {AGAIN} head = r; n--; CHECK",
        BESIDE,
    ),
    "behind what is not the last one": (
        f"APPEND(p) {NEW} q->next = NULL; tail->next = q; n++; r = malloc(sizeof *r); if (!r) exit(1);"
        "r->next = NULL; tail->next = r; n++; POP(r) POP(r) CHECK",
        "",
    ),
    "behind what was taken": (f"APPEND(p) POP(q) n++; {NEW} APPEND(q) CHECK n--; CHECK", ""),
    "appended without the lock": ("pthread_mutex_unlock(&m); APPEND(p) pthread_mutex_lock(&m); POP(q) CHECK", BESIDE),
    "given up": ("PUSH(p) POP(q) if (__VERIFIER_nondet_int()) { PUSH(p) head = NULL; } CHECK", ""),
}  # fmt: skip
SUMS = {
    "changed in between": (f"{SOME} if (used + k <= room) {{ k += 2; used += k; }} assert(used <= room);", ""),
    "too much of it": (f"{SOME} if (used + k <= room) {{ used += k; used += 2 * k; }} assert(used <= room);", ""),
    "left for a while": (f"{SOME} if (used + k <= room) {{ {AGAIN} used += k; }} assert(used <= room);", BESIDE),
    "less room": (f"{SOME} if (used + k <= room) {{ room -= 2; used += k; }} assert(used <= room);", ""),
}


def _as_it_was(
    _ctx: object, _builders: object, commands: Mapping[str, Sequence[Command]], *_: object
) -> tuple[Mapping[str, Sequence[Command]], Mapping[int, int]]:
    return commands, {}


def _lowered(path: Path, work: str, other: str) -> Program:
    path.write_text(HEAD.replace("WORK", work).replace("OTHER", other), encoding="utf-8")
    return _read(path)


def _read(path: Path) -> Program:
    options = FrontendOptions()
    return lower(parse(preprocess(str(path), options).text, str(path), options), options).program


def _failing(program: Program) -> Set[object]:
    found = explore(program, Limits(threads=3, states=STATES))
    return {(check.line, check.column) for check in found.failures}


def _lost(path: Path, work: str, other: str) -> bool:
    """Whether a check no longer fails with ghosts."""
    with patch("duet.frontend.program.with_lengths", _as_it_was), patch("duet.frontend.lower.summed", lambda it: it):
        before = _failing(_lowered(path, work, other))
    assert before
    return not before <= _failing(_lowered(path, work, other))


@pytest.mark.parametrize("name", LISTS)
def test_what_fails_of_lists_still_does(name: str, tmp_path: Path) -> None:
    assert not _lost(tmp_path / "a.c", *LISTS[name])


@pytest.mark.parametrize("name", SUMS)
def test_what_fails_of_sums_still_does(name: str, tmp_path: Path) -> None:
    assert not _lost(tmp_path / "a.c", *SUMS[name])


@pytest.mark.parametrize(
    ("work", "is_known"),
    [
        ("PUSH(p) POP(q) CHECK", True),
        ("APPEND(p) POP(q) CHECK", True),
        (f"PUSH(p) {AGAIN} POP(q) free(q); CHECK", True),
        (f"PUSH(p) POP(q) {AGAIN} PUSH(p) CHECK", False),  # if nothing was taken, nobody has it
        ("PUSH(p) free(p); POP(q) CHECK", False),
        (f"PUSH(p) POP(q) seen = q; {AGAIN} PUSH(seen) CHECK", False),
        ("struct node **at = &p->next; PUSH(p) POP(q) *at = seen; CHECK", False),
        (f"seen = p; PUSH(p) POP(q) {AGAIN} head = seen; CHECK", False),
    ],
)
def test_lengths_are_known_only_where_all_is_understood(work: str, is_known: bool, tmp_path: Path) -> None:
    assert any(name.endswith(" length") for name in _lowered(tmp_path / "a.c", work, "").cells) is is_known


def test_lists_that_do_not_begin_empty(tmp_path: Path) -> None:
    program = HEAD.replace("*head, *tail, *seen", "first, *head = &first, *tail = &first, *seen = &first")
    text = program.replace("WORK", "PUSH(p) POP(q) CHECK").replace("OTHER", "")
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert not any(name.endswith(" length") for name in _read(tmp_path / "a.c").cells)


def _always(known: lengths._Known, *_: object) -> lengths._Known:
    return known


def _never_lost(held: summed._Template, state: summed._Held, step: object) -> summed._Held:
    return summed._Held(state.cells | {one.cell for one in held._compared(step)})  # type: ignore[arg-type]


def _with_last(conditions: Sequence[Formula], ghosts: Mapping[str, Linear]) -> lengths._Way:
    kept = {name: value for name, value in ghosts.items() if not name.endswith(" last") or value.constant}
    return WAY(conditions, kept)


@pytest.mark.parametrize(
    ("rule", "wrong", "found"),
    [
        ("judgments.lengths._Known.without_own", _always, LISTS["pushed twice"]),  # what is in a list is had still
        ("judgments.lengths.Lists._behind", lambda *_: [], LISTS["linked later"]),  # anybody may link anything
        ("judgments.lengths._Known.disturbed", _always, LISTS["left for a while"]),  # nobody else is there
        ("judgments.lengths._Way", _with_last, LISTS["behind what is not the last one"]),  # any tail will do
        ("graph.summed._Template._after", _never_lost, SUMS["changed in between"]),  # a sum for ever
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], found: tuple[str, str], tmp_path: Path) -> None:
    with patch(f"duet.frontend.{rule}", wrong):
        assert _lost(tmp_path / "a.c", *found)
