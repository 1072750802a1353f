"""Schedules through arrays and objects of one allocating place.

In small programs each element has a cell, so that what is read of one is what it holds; of many, a few. So have the
first objects that a place allocates.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.cells.context import Context
from duet.frontend.cells.elements import Elements
from duet.frontend.models import heap
from duet.options import Budgets
from duet.plip.syntax import Formula, Guard
from tests.replay.programs import needs_compiler

START = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int large[400], larger[5000], short_one[12], x;
struct item { int left, right; } items[300];
struct node { struct node *next; int value; } *list, *made[2];
void add(int value) {
    struct node *node = malloc(sizeof *node);
    if (node == 0) exit(0);
    node->value = value; node->next = list; list = node;
}
void *make(void *at) {
    for (int i = 0; i < 3; i++) *(struct node **)at = malloc(sizeof(struct node));
    return 0;
}
"""
INDEX = "int i = __VERIFIER_nondet_int(); if (i < {0} || i > {1}) return 0;\n"
EXACT = {
    "an element by a constant": "large[3] = 1; x = large[4]; assert(x == 1);",
    "an element by an input": INDEX.format(0, 11) + "short_one[i] = 4; x = short_one[7]; assert(x == 0);",
    "an element of many that a constant names": INDEX.format(0, 399) + "large[i] = 4; x = large[7]; assert(x == 0);",
    "one of the first elements": INDEX.format(0, 4999) + "larger[i] = 4; larger[7] = 5; x = larger[i]; assert(x == 0);",
    "one of the first structures": INDEX.format(0, 299) + "struct item *one = &items[i]; one->right = 4;\n"
    "items[7].right = 5; x = items[i].right; assert(x == 0);",
    "all others are written before": "for (int k = 0; k < 300; k++) items[k].left = 1;\n"
    + INDEX.format(0, 299)
    + "x = items[i].left; assert(x == 0);",
    "the second object of a place": "for (int k = 0; k < 20; k++) { if (k == 2) { x = list->next->value;\n"
    "assert(x == 1); } add(k); }",
    "objects that nobody looks into": "for (int k = 0; k < 20; k++) add(k);\n"
    "for (struct node *n = list; n != 0; n = 0) x++; assert(x == 0);",
    "a thread of many": "pthread_t t[20]; for (int k = 0; k < 20; k++) pthread_create(&t[k], 0, make, &made[k % 2]);\n"
    "assert(made[1] == 0);",
    "what is moved": "int *p = malloc(8), *q; if (p == 0) return 0;\n"
    "p[1] = 3; q = realloc(p, 400); if (q == 0) return 0;\n"
    "x = q[1]; assert(x == 0);",
    "what is moved from one of two": INDEX.format(0, 1)
    + "int *p = malloc(8), *r = malloc(4); if (!p || !r) return 0;\n"
    "p[0] = p[1] = 3; r[0] = 5; p = realloc(i ? p : r, 400); if (p == 0) return 0; x = p[0]; assert(x == 3);",
}
MODEL = {
    "an element that nobody names": INDEX.format(100, 399) + "large[i] = 4; x = large[i]; assert(x == 0);",
    "a structure that nobody names": INDEX.format(100, 299) + "struct item *one = &items[i]; one->right = 4;\n"
    "items[7].right = 5; x = items[i].right; assert(x == 0);",
    "what the tenth object of a place holds": "for (int k = 0; k < 20; k++) { add(k); if (k == 9) { x = list->value;\n"
    "assert(x == 8); } }",
    "what is behind the end of what is moved": "int *p = malloc(8); if (p == 0) return 0; p[1] = 3;\n"
    "p = realloc(p, 400); if (p == 0) return 0; x = p[2]; assert(x == 0);",
    "no memory at all": INDEX.format(0, 1) + "int *p = malloc(8); if (p == 0) return 0;\n"
    "p = realloc(p, i); assert(p == 0);",
}
TRUE = {
    "another element that nobody names": INDEX.format(100, 398) + "large[i] = 4; x = large[i + 1]; assert(x == 0);",
    "another structure that nobody names": INDEX.format(100, 298) + "struct item *one = &items[i]; one->right = 4;\n"
    "x = items[i + 1].right; assert(x == 0);",
    "another one of the first elements": INDEX.format(1, 4999) + "larger[i] = 4; x = larger[i - 1]; assert(x == 0);",
    "all elements are set": INDEX.format(0, 4999) + "larger[i] = 4; memset(larger, 0, sizeof larger);\n"
    "x = larger[i]; assert(x == 0);",
    "an element set through a pointer to all": INDEX.format(0, 4999) + "larger[1] = 4; int *all = larger;\n"
    "all[i] = 0; if (i == 1) { x = larger[1]; assert(x == 0); }",
    "an element set as bytes": INDEX.format(0, 399) + "large[1] = 4; char *bytes = (char *)large;\n"
    "for (int k = 0; k < 1600; k++) bytes[k] = 0; x = large[1]; assert(x == 0);",
    "another object of a place": "for (int k = 0; k < 20; k++) { if (k == 2) { list->value = 7;\n"
    "x = list->next->value; assert(x == 0); } add(k); }",
    "objects are no others": "for (int k = 0; k < 20; k++) { struct node *before = list; add(k);\n"
    "if (before) assert(before != list); }",
    "what realloc keeps": "int *p = malloc(8); if (p == 0) return 0; p[0] = 1; p[1] = 3; p = realloc(p, 400);\n"
    "if (p == 0) return 0; p[70] = 4; x = p[0] + p[1]; assert(x == 4);",
    "what realloc keeps of a structure": "struct node *n = malloc(sizeof *n); if (n == 0) return 0; n->value = 3;\n"
    "n->next = n; struct node *old = n; n = realloc(n, 4 * sizeof *n); if (n == 0) return 0; n[1].value = 4;\n"
    "x = n[0].value; assert(x == 3);",
    "what is moved from null": "int *p = realloc(0, 8); if (p == 0) return 0; p[1] = 3; p = realloc(p, 4);\n"
    "if (p == 0) return 0; p[0] = 1; assert(p[0] == 1);",
    "two threads make objects": "pthread_t t; pthread_create(&t, 0, make, &made[0]); make(&made[1]);\n"
    "pthread_join(t, 0); if (made[0] && made[1]) assert(made[0] != made[1]);",
}


def verdict(folder: Path, body: str, seconds: int = 8) -> str:
    path = folder / "program.c"
    path.write_text(f"{START}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    command = ["verify", "--format", "json", "--timeout", str(seconds), "--schedules", str(folder), str(path)]
    result = CliRunner().invoke(cli, command)
    (only,) = json.loads(result.stdout)["assertions"]
    return str(only["status"])


@needs_compiler
@pytest.mark.parametrize("name", EXACT)
def test_what_elements_hold_is_exact(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(tmp_path, EXACT[name]) == "refuted"
    (schedule,) = tmp_path.glob("*.json")
    done = CliRunner().invoke(cli, ["replay", str(schedule)])
    assert "failed again" in done.output
    monkeypatch.setattr(Budgets, "roomy", lambda budgets, _: budgets)
    assert verdict(tmp_path, EXACT[name]) == "unproved"


@pytest.mark.parametrize("name", MODEL)
def test_one_cell_for_many_elements_is_in_the_way(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, MODEL[name]) == "unproved"


@pytest.mark.parametrize("name", TRUE)
def test_elements_are_not_taken_for_others(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, TRUE[name], 3) != "refuted"


def test_an_array_that_is_set_as_a_whole_has_one_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Elements, "blur", lambda *_: None)
    assert verdict(tmp_path, TRUE["all elements are set"]) == "refuted"


def test_objects_of_a_place_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def takes_all(ctx: Context, count: str, passed: Formula) -> str:
        ctx.builder.emit(Guard(passed))
        return count

    monkeypatch.setattr(heap, "take", takes_all)
    assert verdict(tmp_path, TRUE["objects are no others"]) == "refuted"


def test_large_programs_have_no_more_cells() -> None:
    usual = Budgets()
    assert usual.roomy(10).array_cells > usual.roomy(200).array_cells > usual.array_cells
    assert usual.roomy(100_000).array_cells == usual.array_cells
