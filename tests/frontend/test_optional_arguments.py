"""Arguments for which a null pointer has a meaning: nothing is checked of them, and nothing known behind the call."""

from __future__ import annotations

import pytest

from duet.frontend.cells import gate, pointers
from duet.frontend.models import table
from duet.frontend.models.call import Model
from duet.frontend.models.record import LibraryFunction
from tests.frontend.bodies import decided

START = """#define _GNU_SOURCE
#include <assert.h>
#include <libgen.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
extern int any(void);
extern size_t some(void);
extern pthread_t thread;
extern thrd_t other;
struct timespec limit;
pthread_mutex_t mutex;
extern pthread_mutexattr_t *kind;
"""
OPTIONAL = {
    "time": ("time_t", "time(p);"),
    "time by an address": ("time_t", "time(&*p);"),
    "wait": ("int", "wait(p);"),
    "waitpid": ("int", "waitpid(-1, p, 0);"),
    "gettimeofday": ("struct timeval", "gettimeofday(p, 0);"),
    "select": ("fd_set", "select(0, 0, p, 0, 0);"),
    "nanosleep": ("struct timespec", "nanosleep(&limit, p);"),
    "sigprocmask": ("sigset_t", "sigprocmask(0, 0, p);"),
    "pthread_setcancelstate": ("int", "pthread_setcancelstate(0, p);"),
    "pthread_join": ("void *", "pthread_join(thread, p);"),
    "thrd_join": ("int", "thrd_join(other, p);"),
    "pthread_mutex_init": ("pthread_mutexattr_t", "pthread_mutex_init(&mutex, p);"),
    "strtol": ("char *", 'strtol("1", p, 10);'),
    "realpath": ("char", 'realpath("/", p);'),
    "accept": ("socklen_t", "accept(0, 0, p);"),
    "mbrtowc": ("wchar_t", 'mbrtowc(p, "a", 1, 0);'),
    "dirname": ("char", "dirname(p);"),
    "fmemopen": ("char", 'fmemopen(p, 1, "r+");'),
    "no bytes": ("char", "read(0, p, some());"),
    "no bytes to print to": ("char", 'snprintf(p, some(), "%d", 1);'),
    "no bytes to write": ("char", "write(1, p, some());"),
}
"""What is pointed to and the call."""
NEEDED = {
    "strlen": ("char", "strlen(p);"),
    "clock_gettime": ("struct timespec", "clock_gettime(0, p);"),
    "pthread_mutex_lock": ("pthread_mutex_t", "pthread_mutex_lock(p);"),
    "read": ("char", "read(0, p, 1);"),
    "strcpy": ("char", 'strcpy(p, "a");'),
    "sprintf": ("char", 'sprintf(p, "a");'),
    "sscanf": ("int", 'sscanf("1", "%d", p);'),
    "sigemptyset": ("sigset_t", "sigemptyset(p);"),
    "a time that is read": ("time_t", "gmtime(p);"),
    "a format": ("char", "printf(p);"),
    "a mutex of the usual kind": ("pthread_mutex_t", "pthread_mutex_init(p, 0);"),
    "a mutex of some kind": ("pthread_mutex_t", "pthread_mutex_init(p, kind);"),
    "a mutex of a kind": ("mtx_t", "mtx_init(p, mtx_plain);"),
    "a mutex of any kind": ("mtx_t", "mtx_init(p, any());"),
    "a semaphore": ("sem_t", "sem_init(p, 0, 1);"),
    "a semaphore that begins too high": ("sem_t", "sem_init(p, 0, -1);"),
    "a barrier": ("pthread_barrier_t", "pthread_barrier_init(p, 0, 2);"),
    "a barrier for nobody": ("pthread_barrier_t", "pthread_barrier_init(p, 0, 0);"),
    "a number to a base": ("char", "strtol(p, 0, 16);"),
    "a number to no base": ("char", "strtoul(p, 0, 99);"),
    "lines of a stream": ("FILE", "char t[8]; fgets(t, sizeof t, p);"),
    "no line of a stream": ("FILE", "char t[8]; fgets(t, 1, p);"),
}
COME_BACK = (
    "read",
    "clock_gettime",
    "sigemptyset",
    "a format",
    "a mutex of some kind",
    "a mutex of any kind",
    "a semaphore that begins too high",
    "a barrier for nobody",
    "a number to no base",
    "no line of a stream",
)
"""What is needed there, but the run may go on from null: the kernel and the GNU C library refuse it."""
LEFT_ALONE = {
    "strtol": ("char *", 'strtol("1", p, 10); assert(v != 0);'),
    "time": ("int", "time_t t = 5, *q = p ? &t : 0; time(q); assert(t != 5);"),
    "realpath": ("char", 'char *r = realpath("/", p); assert(r == 0 || r == p);'),
    "pthread_join": ("void *", "v = &limit; pthread_join(thread, p); assert(v != &limit);"),
}
TWICE = (
    "lstat((void *)p, (void *)p);",
    "getline((void *)p, (void *)p, stdin);",
    "open_memstream((void *)p, (void *)p);",
)
"""Calls that come back from one null pointer that they are given twice."""
BOTH = ("assertion", "null-dereference")


def verdicts(kind: str, call: str, given: str = "any() ? &v : 0") -> dict[str, list[bool]]:
    """Whether the checks of a call are safe, by what they are about."""
    found = decided(START, f"static {kind} v; {kind} *p = {given};\n{call}", *BOTH)
    return {of: [item.is_safe for item in found if item.subject == of] for of in BOTH}


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_null_pointer_passes(name: str) -> None:
    kind, call = OPTIONAL[name]
    assert not any(verdicts(kind, f"{call} assert(p != 0);")["assertion"])


@pytest.mark.parametrize("name", [name for name in OPTIONAL if not name.startswith("no bytes")])
def test_it_is_no_null_dereference(name: str) -> None:
    assert all(verdicts(*OPTIONAL[name])["null-dereference"])


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_is_not_null_stays_so(name: str) -> None:
    kind, call = OPTIONAL[name]
    found = verdicts(kind, f"{call} assert(p == &v);", "&v")
    assert found["assertion"] == [True]
    assert all(found["null-dereference"])


@pytest.mark.parametrize("name", NEEDED)
def test_other_arguments_are_no_null_pointers(name: str) -> None:
    kind, call = NEEDED[name]
    found = verdicts(kind, f"{call} assert(p != 0);")
    assert found["assertion"] == [name not in COME_BACK]
    assert not any(found["null-dereference"])


@pytest.mark.parametrize("name", NEEDED)
def test_one_that_is_always_null_is_seen(name: str) -> None:
    found = verdicts(*NEEDED[name], "0")["null-dereference"]
    assert found
    assert not any(found)


@pytest.mark.parametrize("name", [name for name in OPTIONAL if not name.startswith("no bytes")])
def test_one_that_is_always_null_passes(name: str) -> None:
    assert all(verdicts(*OPTIONAL[name], "0")["null-dereference"])


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_nothing_happens_behind_a_null_pointer(name: str) -> None:
    assert not any(verdicts(*LEFT_ALONE[name])["assertion"])


@pytest.mark.parametrize("call", TWICE)
@pytest.mark.parametrize("given", ["any() ? &v : 0", "0"])
def test_one_null_pointer_is_given_twice(call: str, given: str) -> None:
    found = verdicts("char", f"{call} assert(p != 0);", given)
    assert not any(found["assertion"])
    assert not all(found["null-dereference"])


def test_a_transparent_union_of_pointers_may_be_null() -> None:
    declared = """#include <assert.h>
# 1 "/usr/include/sys/socket.h" 1 3 4
typedef union { void *one; char *other; } any_of __attribute__((__transparent_union__));
typedef unsigned int socklen_t;
extern int getpeername(int descriptor, any_of address, socklen_t *restrict length);
# 9 "a.c" 2
extern int any(void);
"""
    body = "static char v[64]; void *p = any() ? v : 0;\ngetpeername(-1, p, p); assert(p != 0);"
    assert not any(item.is_safe for item in decided(declared, body, *BOTH) if item.subject == "assertion")


def _as_it_is(known: LibraryFunction, model: Model) -> Model:
    """A seeded defect: nobody asks whether an argument is null."""
    del known
    return model


def test_the_defect_that_nobody_asks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "told_apart", _as_it_is)
    assert all(verdicts("time_t", "time(p); assert(p != 0);")["assertion"])
    assert all(verdicts(*LEFT_ALONE["strtol"])["assertion"])


def test_the_defect_that_no_bytes_are_some_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = pointers.null_check
    monkeypatch.setattr(gate, "null_check", lambda *given, **_: original(*given[:4]))
    assert all(verdicts("char", "memset(p, 0, some()); assert(p != 0);")["assertion"])
