"""Members of new objects that are set before anybody can read them hold nothing else than what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.judgments import settled
from duet.frontend.judgments.settled import Settling

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *next; };
struct node *head, *other;
intptr_t hidden;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
void unknown(struct node *n);
void tell(int count, ...) { }
void *look(void *unused) {
    struct node *e;
    pthread_mutex_lock(&lock);
    for (e = head; e != 0; e = e->next)
        assert(e->key >= 0 && e->key <= 7);
    pthread_mutex_unlock(&lock);
    return 0;
}
void push(struct node *n) {
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
}
void *work(void *unused) {
    struct node *n = malloc(sizeof *n), *old;
    if (!n) return 0;
    BODY
    return 0;
}
int main(void) {
    int i;
    pthread_t thread;
    for (i = 0; i < 100; i++) pthread_create(&thread, 0, i % 2 ? work : look, 0);
    return 0;
}
"""
STARTED = "for (i = 0; i < 100; i++) pthread_create(&thread, 0, i % 2 ? work : look, 0);"
ONE_OF_EACH = "pthread_create(&thread, 0, work, 0); pthread_create(&thread, 0, look, 0);"
TWO_OF_ONE = f"pthread_create(&thread, 0, work, 0); {ONE_OF_EACH}"
LOOKED = 1 + PROGRAM[: PROGRAM.index("assert(e->key")].count("\n")
"""The line of the assertion on what others have left."""
MORE = "n->key = 7; push(n); struct node *more = malloc(sizeof *more); old = malloc(sizeof *old);"
GOOD = {
    "before": "n->key = 7; push(n);",
    "by_a_copy": "old = n; old->key = 7; push(n);",
    "on_both_ways": "if (__VERIFIER_nondet_int()) n->key = 7; else n->key = 7; push(n);",
    "given_back": "if (__VERIFIER_nondet_int()) { free(n); return 0; } n->key = 7; push(n);",
    "or_neither": MORE + "if (more && old) { more->key = old->key = 7; push(more); push(old); }"
    " else { free(more); free(old); }",
    "null_member_first": "n->next = 0; n->key = 7; push(n);",
    "where_it_is_there": MORE + "if (more) more->key = 7; if (old) old->key = 7;"
    " if (more) push(more); if (old) push(old);",
    "and_told": "n->next = 0; tell(1, n->next); n->key = 7; tell(2, n->key, n); push(n);",
    "found_or_made": "free(n); n = head; if (!n) { n = malloc(sizeof *n); if (!n) return 0; n->key = 7; push(n); }"
    " n->next = 0;",
}
BAD = {
    "never": "push(n);",
    "afterwards": "push(n); n->key = 7;",
    "on_one_way": "if (__VERIFIER_nondet_int()) n->key = 7; push(n);",
    "in_another": "old = malloc(sizeof *old); if (!old) return 0; old->key = 7; push(n);",
    "of_two_lost": "old = n; n = malloc(sizeof *n); if (!n) return 0; n->key = 7; push(old);",
    "read_by_itself": "assert(n->key == 7); n->key = 7; push(n);",
    "in_a_loop": "for (int i = 0; i < __VERIFIER_nondet_int(); i++) n->key = 7; push(n);",
    "as_a_number": "hidden = (intptr_t)n; push((struct node *)hidden); n->key = 7;",
    "by_bytes": "memcpy(&head, &n, sizeof n); n->next = 0; n->key = 7;",
    "to_unknown_code": "unknown(n); n->key = 7; push(n);",
    "several": "n = realloc(n, 4 * sizeof *n); if (!n) return 0; n->key = 7; n->next = 0; push(n + 1);",
    "of_an_array": "free(n); n = malloc(4 * sizeof *n); if (!n) return 0; n->key = 7; push(n + 1);",
    "of_another": MORE + "if (more && old) { old->key = 7; push(more); push(old); }"
    " else if (more) free(more); else if (old) free(old);",
    "without_another": MORE + "if (more && old) { more->key = old->key = 7; push(more); push(old); }"
    " else if (more) push(more); else if (old) free(old);",
    "where_another_is_null": "old = malloc(sizeof *old); if (old) { old->key = n->key = 7; push(old); } push(n);",
    "anew_where_it_is_null": MORE + "if (more) more->key = 7; else more = malloc(sizeof *more); if (more) push(more);",
    "an_earlier_one_where_it_is_null": "n->key = 7; push(n); old = 0; for (int i = 0; i < 3; i++) {"
    " struct node *more = malloc(sizeof *more); if (!more) { if (old) push(old); old = 0; continue; } old = more; }",
    "one_of_a_place": "n->key = 7; push(n); struct node *more = malloc(sizeof *more), *kept = 0; old = 0;"
    " if (more) { if (__VERIFIER_nondet_int()) { kept = more; kept->key = 7; } else old = more; } more = 0;"
    " if (kept) push(kept); if (old) push(old);",
    "one_of_two_cells": "n->key = 7; push(n); struct node *more = malloc(sizeof *more), *kept = 0; old = 0;"
    " if (__VERIFIER_nondet_int()) { if (more) { kept = more; kept->key = 7; } } else if (more) old = more;"
    " if (__VERIFIER_nondet_int()) kept = 0; more = 0; if (old) push(old); if (kept) push(kept);",
    "found_or_made_or_found": "free(n); n = head; if (!n) { n = malloc(sizeof *n); if (!n) return 0; old = n; n = head;"
    " if (n) n->key = 7; push(old); }",
    "found_or_lost": "free(n); n = head; if (!n) { n = malloc(sizeof *n); if (!n) return 0; old = n;"
    " if (__VERIFIER_nondet_int()) n = head; if (n) n->key = 7; push(old); }",
    "behind": "old = n; while (__VERIFIER_nondet_int()) old = old->next; old->key = 7; push(n);",
}

FINE_ALONE = {"read_by_itself", "behind"}
"""What is so of a single object only where it has failed before, or has followed a pointer that has no value."""


def statuses(tmp_path: Path, body: str, started: str = STARTED) -> Iterator[str]:
    """The statuses of the assertions on keys that others have left."""
    path = tmp_path / "a.c"
    path.write_text(PROGRAM.replace("BODY", body).replace(STARTED, started))
    arguments = ["analyze", str(path), "--properties=assertion,data-race", "--domain=interval", "--no-verify"]
    outcome = CliRunner().invoke(cli, [*arguments, "--format=json"])
    assert outcome.exit_code in (0, 1), outcome.output
    for item in json.loads(outcome.stdout)["assertions"]:
        if item["property"] == "assertion" and item["line"] == LOOKED:
            yield item["status"]


@pytest.mark.parametrize("name", GOOD)
def test_members_that_are_set_first(tmp_path: Path, name: str) -> None:
    assert list(statuses(tmp_path, GOOD[name])) == ["proved"]


@pytest.mark.parametrize("name", ["found_or_made", "before"])
def test_members_that_are_set_first_by_one_of_two_threads(tmp_path: Path, name: str) -> None:
    assert list(statuses(tmp_path, GOOD[name], TWO_OF_ONE)) == ["proved"]


@pytest.mark.parametrize("name", [name for name in BAD if name.startswith("found")])
def test_members_that_one_of_two_threads_may_not_set(tmp_path: Path, name: str) -> None:
    assert list(statuses(tmp_path, BAD[name], TWO_OF_ONE)) == ["unproved"]


@pytest.mark.parametrize("name", BAD)
def test_members_that_may_not_be_set(tmp_path: Path, name: str) -> None:
    assert list(statuses(tmp_path, BAD[name])) == ["unproved"]


@pytest.mark.parametrize("name", sorted(BAD.keys() - FINE_ALONE))
def test_members_of_a_single_object_that_may_not_be_set(tmp_path: Path, name: str) -> None:
    assert list(statuses(tmp_path, BAD[name], ONE_OF_EACH)) == ["unproved"]


@pytest.mark.parametrize("started", [ONE_OF_EACH, STARTED], ids=["one", "many"])
@pytest.mark.parametrize("key", ["7", "old ? 7 : 8"], ids=["constant", "copied"])
def test_members_begin_with_what_is_written(tmp_path: Path, key: str, started: str) -> None:
    only = f"old = head; int key = {key}; n->key = key; push(n);"
    path = tmp_path / "b.c"
    text = PROGRAM.replace("BODY", only).replace(STARTED, started)
    path.write_text(text.replace("e->key >= 0 && e->key <= 7", "e->key >= 7 && e->key <= 8"))
    arguments = ["analyze", str(path), "--no-verify", "--domain=interval", "--format=json"]
    found = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert {item["status"] for item in found["assertions"] if item["line"] == LOOKED} == {"proved"}


def test_the_tests_notice_that_any_way_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled, "_is_elsewhere", lambda *_: True)
    assert "unproved" not in set(statuses(tmp_path, BAD["found_or_made_or_found"], TWO_OF_ONE))


def test_the_tests_notice_members_that_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settling, "open_members", frozenset())
    assert "unproved" not in set(statuses(tmp_path, BAD["never"]))
