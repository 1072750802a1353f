"""Sizes that are not constant, of memory of which a place makes several: each thread knows that of its last one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duet.frontend.cells import inside
from duet.plip.syntax import TRUE
from tests.frontend import running

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern unsigned long any(void);
char *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *make(unsigned long size) { char *made = malloc(size); if (!made) exit(1); return made; }
static void *work(void *unused)
{
	unsigned long n = any(), k = any();

	if (n == 0 || n > 4096 || k == 0 || k > 4096)
		return 0;
	@BODY@
	return 0;
}
int main(void)
{
	pthread_t thread;

	while (any())
		pthread_create(&thread, 0, work, 0);
}
"""
PROVED: Mapping[str, str] = {
    "the last byte": "char *b = make(n + 1); memset(b, 1, n); b[n] = 0; free(b);",
    "the last element": "unsigned long *b = malloc(n * 8); if (!b) return 0; b[n - 1] = 1; free(b);",
    "the last byte, again and again": "while (any()) { char *b = make(n + 1); b[n] = 0; }",
    "two objects of two places": "char *b = make(n); char *c = make(k); b[n - 1] = 0; c[k - 1] = 1;",
}
OPEN: Mapping[str, str] = {
    "one byte too far": "char *b = make(n + 1); b[n + 1] = 0;",
    "one byte too far, again and again": "while (any()) { char *b = make(n + 1); b[n + 1] = 0; }",
    "the size of another object": "char *b = make(n); char *c = make(k); c[n - 1] = 0; free(b);",
    "an older object": (
        "char *b = 0; for (int i = 0; i < 2; i++) { char *c = make(i ? k : n); if (b) b[k - 1] = 0; b = c; }"
    ),
    "the object of another thread": (
        "pthread_mutex_lock(&lock); if (shared) shared[n - 1] = 0; shared = make(n); pthread_mutex_unlock(&lock);"
    ),
    "an object that was given another size": "char *b = make(n); b = realloc(b, k); if (b) b[n - 1] = 0;",
    "a pointer that was moved": "char *b = make(n); b += k; b[n - 1] = 0;",
    "a size that has changed": "char *b = make(n); n = k; b[n - 1] = 0;",
    "in front of it": "char *b = make(n); memset(b - 1, 0, n);",
}


def are_proved(directory: Path, body: str) -> bool:
    """Whether all accesses of a program stay inside of their objects."""
    return running.are_proved(directory / "program.c", PROGRAM.replace("@BODY@", body), ("array-bounds",), "octagon")


@pytest.mark.parametrize("name", PROVED)
def test_a_thread_knows_the_size_of_its_last_object(tmp_path: Path, name: str) -> None:
    assert are_proved(tmp_path, PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_of_other_objects_it_knows_nothing(tmp_path: Path, name: str) -> None:
    assert not are_proved(tmp_path, OPEN[name])


def test_a_defect_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "_within_own", lambda *_: TRUE)
    assert are_proved(tmp_path, OPEN["one byte too far, again and again"])
