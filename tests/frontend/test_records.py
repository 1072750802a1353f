"""Structures that the C library gives: whole objects of its own, whose members hold anything that they may hold."""

from __future__ import annotations

import pytest

from duet.frontend.cells import records
from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
extern int any(void);
extern struct passwd *kept_passwd(void);
int own = 5;
char name[4] = "abc", *at = name;
time_t now;
struct tm *t;
struct passwd *p;
struct addrinfo *list, *one, hints;
"""
BOUNDS, NULL, ASSERTION = "array-bounds", "null-dereference", "assertion"
PROVED = {
    "a member": (BOUNDS, "if ((t = localtime(&now))) own = t->tm_year + t->tm_mon;"),
    "all of it": (BOUNDS, "if ((t = gmtime(&now))) { struct tm copy = *t; own = copy.tm_min; }"),
    "its bytes": (BOUNDS, 'char b[99]; if ((t = gmtime(&now))) { strftime(b, 99, "%Y", t); memcpy(b, t, sizeof *t); }'),
    "a string of it": (NULL, 'if ((p = getpwnam("a"))) own = strlen(p->pw_name);'),
    "a list": (NULL, 'if (!getaddrinfo("a", 0, &hints, &list)) for (one = list; one; one = one->ai_next) any();'),
    "what it certainly has": (NULL, 'if (!getaddrinfo("a", 0, &hints, &list)) own = list->ai_addr->sa_family;'),
    "what it leads to": (BOUNDS, 'if (!getaddrinfo("a", 0, &hints, &list)) own = list->ai_addr->sa_family;'),
    "what is written to it leaves others alone": (
        ASSERTION, 'if ((p = getpwnam("a"))) { p->pw_uid = 1; p->pw_name = 0; } assert(own == 5);',
    ),
}  # fmt: skip
OPEN = {
    "behind its end": (BOUNDS, "if ((t = localtime(&now))) own = t[1].tm_year;"),
    "a larger structure": (
        BOUNDS, "struct larger { struct tm t; int more; } *l; if ((l = (void *)localtime(&now))) own = l->more;",
    ),
    "bytes behind it": (BOUNDS, "if ((t = localtime(&now))) memset(t, 0, sizeof *t + 1);"),
    "bytes behind a member": (BOUNDS, "if ((t = localtime(&now))) memset(&t->tm_mon, 0, sizeof *t);"),
    "bytes of the next one": (BOUNDS, "if ((t = localtime(&now))) memset(t + 1, 0, sizeof *t);"),
    "bytes of a larger structure": (
        BOUNDS,
        "struct larger { struct tm t; int more; } *l; if ((l = (void *)localtime(&now))) memset(l, 0, sizeof *l);",
    ),
    "bytes of it, or of less": (
        BOUNDS, "char b[4]; if ((t = localtime(&now))) memset(own ? (void *)b : (void *)t, 0, sizeof *t);",
    ),
    "as many bytes as an address has": (
        BOUNDS,
        'char b[99]; if (!getaddrinfo("a", 0, &hints, &list) && list->ai_addrlen < 99)'
        " memcpy(b, list->ai_addr, list->ai_addrlen);",
    ),
    "there is none": (NULL, "own = localtime(&now)->tm_year;"),
    "there is none after a failure": (NULL, 'getaddrinfo("a", 0, &hints, &list); own = list->ai_family;'),
    "the end of a list": (NULL, 'if (!getaddrinfo("a", 0, &hints, &list)) own = list->ai_next->ai_family;'),
    "a name that may be missing": (NULL, 'if (!getaddrinfo("a", 0, &hints, &list)) own = strlen(list->ai_canonname);'),
    "null that was put there": (NULL, 'if ((p = getpwnam("a"))) { p->pw_name = 0; own = p->pw_name[0]; }'),
    "what was put there": (
        ASSERTION, 'if ((p = getpwnam("a"))) { p->pw_name = at; p->pw_name[0] = 1; } assert(name[0] != 1);',
    ),
    "what was put there by way of a copy": (
        ASSERTION,
        'if ((p = getpwnam("a"))) { p->pw_name = at; struct passwd c = *p; c.pw_name[0] = 1; } assert(name[0] != 1);',
    ),
    "a number": (ASSERTION, "if ((t = localtime(&now))) assert(t->tm_year >= 0);"),
    "a number that a later call changes": (
        ASSERTION, "if ((t = localtime(&now))) { t->tm_year = 1; localtime(&now); assert(t->tm_year == 1); }",
    ),
    "another way to the same": (
        ASSERTION,
        'struct passwd *q = kept_passwd(); if (q && (p = getpwnam("a"))) { q->pw_name = at; p->pw_name[0] = 1; }'
        " assert(name[0] != 1);",
    ),
}  # fmt: skip


def is_proved(case: tuple[str, str]) -> bool:
    kind, body = case
    return all(check.is_safe for check in decided(START, body, kind))


@pytest.mark.parametrize("name", PROVED)
def test_what_the_library_gives_is_there(name: str) -> None:
    assert is_proved(PROVED[name])


@pytest.mark.parametrize("name", OPEN)
def test_nothing_else_is_known_of_it(name: str) -> None:
    assert not is_proved(OPEN[name])


def test_a_defect_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_FILLED", {"addrinfo": ("ai_addr", "ai_next")})
    assert is_proved(OPEN["the end of a list"])
