"""Pointers to bytes that were made of an array in a structure stay in it, by a check; those along the whole do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = """#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s { int n; char name[16]; int *p; unsigned char raw[8]; int z; };
static struct s g, other;
static int x = 1, y = 2;
static void fill(char *to, int n) { for (int i = 0; i < n; i++) to[i] = 1; }
static void *run(void *to) { fill(to, 30); return 0; }
static void rest(char *to, int n) { if (n) { *to = 1; rest(to + 1, n - 1); } }
static void listed(int n, ...) { va_list all; va_start(all, n); fill(va_arg(all, char *), n); va_end(all); }
int main(int argc, char **argv) {
g.p = &x; g.n = 5; g.z = 7;
"""
STAYS = {
    "a loop": "fill(g.name, 16);",
    "of the other sign": "uint8_t *q = (uint8_t *)g.name; for (int i = 0; i < 16; i++) *q++ = 0; fill(g.raw, 8);",
    "a string": 'char *q = g.name; snprintf(q, 16, "%d", argc); strncpy(q, argv[0], 16); memset(q + 8, 0, 8);',
    "one of two": "char *q = argc > 1 ? g.name : (char *)g.raw; fill(q, 8);",
    "one of two objects": "char *q = argc > 1 ? g.name : other.name; fill(q, 8);",
}
"""The members around an array keep what they hold."""
LEAVES = {
    "by a loop": "fill(g.name, 17);",
    "by an index": "char *q = g.name; q[argc + 20] = 9;",
    "in front": "char *q = g.name; for (int i = 0; i < 5; i++) *q-- = 9;",
    "to a read": "char *q = g.name; int i = -4; if (q[i] == 5) g.z = 8;",
    "into another array": "char *q = g.name; q[argc + 24] = 9;",
    "by memset": "char *q = g.name; memset(q, 0, 24);",
    "by memcpy": "char *q = g.name; memcpy(q, argv[0], 30);",
    "by snprintf": 'char *q = g.name; snprintf(q, 30, "%040d", argc);',
    "by strcpy": 'char *q = g.name; strcpy(q, "a string that is too long for it");',
}
"""One check at least is open, of the accesses themselves."""
WHOLE = {
    "a cast": "char *q = (char *)&g + 4; fill(q, 30);",
    "a cast of bytes": "uint8_t *q = (uint8_t *)&g; for (q += 4; q < (uint8_t *)(&g + 1); q++) *q = 0;",
    "memset": "char *q = (char *)&g + offsetof(struct s, name); memset(q, 0, sizeof g - 4);",
    "memcpy": "char *q = (char *)&g + offsetof(struct s, name); memcpy(q, (char *)&other + 4, sizeof g - 4);",
    "what is in front": "int *w = (int *)&g; fill((char *)(w + 1), 30);",
    "a member in front": "fill((char *)(&g.n + 1), 30);",
    "to nothing": "void *q = (void *)&g + 4; memset(q, 0, 30);",
    "a number": "uintptr_t u = (uintptr_t)&g; u += 4; fill((char *)u, 30);",
    "bits of a number": "uintptr_t u = (uintptr_t)&g; u |= 4; char *q = (char *)u; q[20] = 1;",
    "one of two": "char *q = argc ? (char *)&g + 4 : g.name; memset(q, 1, 30);",
    "later": "char *q = g.name; q[3] = 1; char *r = (char *)&g; r += 4; fill(r, 30);",
    "a thread": "pthread_t t; pthread_create(&t, 0, run, (char *)&g + 4); pthread_join(t, 0);",
    "recursion": "rest((char *)&g + 4, 30);",
    "variable arguments": "listed(30, (char *)&g + 4);",
    "an index": "char *b = (char *)&g; fill(&b[4], 30);",
    "from the end": "char *e = (char *)(&g + 1); fill(e - 44, 40);",
    "what is found": "g.name[0] = 'a'; char *q = memchr(&g, 'a', sizeof g); if (q) fill(q, 30);",
    "what memcpy returns": "int k = 1; char *q = (char *)memcpy(&g, &k, 4) + 4; memset(q, 0, 30);",
    "as integers before": "char *q = (char *)&g + 4, *r = q; int64_t *w = (int64_t *)(r + 20); *w = 0; q[20] = 1;",
    "in the place of a member": "char *q = (char *)&g.p; q[0] = 1;",
}
"""The address of a structure leads to all of its bytes: what others hold is not known any more."""
KEPT = "assert(g.p == &x && g.n == 5);"


def _open(tmp_path: Path, body: str) -> list[str]:
    path = tmp_path / "a.c"
    path.write_text(f"{START}{body}\n{KEPT}\nreturn 0; }}\n")
    arguments = ["analyze", str(path), "--properties=assertion,array-bounds", "--domain=interval", "--no-verify"]
    outcome = CliRunner().invoke(cli, [*arguments, "--format=json"])
    assert outcome.exit_code in (0, 1), outcome.output
    found = json.loads(outcome.stdout)["assertions"]
    return [one["property"] for one in found if one["status"] not in ("proved", "unreachable")]


@pytest.mark.parametrize("name", STAYS)
def test_what_is_around_an_array_is_kept(tmp_path: Path, name: str) -> None:
    assert "assertion" not in _open(tmp_path, STAYS[name])


@pytest.mark.parametrize("name", LEAVES)
def test_an_array_that_is_left_has_an_open_check(tmp_path: Path, name: str) -> None:
    assert "array-bounds" in _open(tmp_path, LEAVES[name])


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_along_a_structure_changes_all_of_it(tmp_path: Path, name: str) -> None:
    assert "assertion" in _open(tmp_path, WHOLE[name])
