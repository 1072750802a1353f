"""Entries of directories that readdir_r writes to memory of the caller."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <dirent.h>
static struct dirent given, other;
static int kept = 1;
"""
OPENED = 'DIR *d = opendir("."); if (!d) return 1; struct dirent *r = &other; int *p = &kept;'
HOLDS = {
    "the entry is where it is wanted": "if (readdir_r(d, &given, &r) == 0 && r) assert(r == &given);",
    "others are as they were": "readdir_r(d, &given, &r); assert(*p == 1 && other.d_type == 0);",
    "what it gives": "assert(readdir_r(d, &given, &r) >= 0);",
    "an entry is there": "while (readdir_r(d, &given, &r) == 0 && r) kept += r->d_type;",
}
FAILS = {
    "there may be none": "readdir_r(d, &given, &r); kept = r->d_type;",
    "what is in it": "readdir_r(d, &given, &r); assert(given.d_type == 0);",
    "what an error leaves": "if (readdir_r(d, &given, &r) != 0) assert(r == &other);",
    "what an error changes": "if (readdir_r(d, &given, &r) != 0) assert(r == 0);",
    "no memory": "readdir_r(d, 0, &r);",
}


@pytest.mark.parametrize("name", HOLDS)
def test_what_it_writes_is_known(name: str) -> None:
    assert all(check.is_safe for check in decided(START, OPENED + HOLDS[name], "assertion", "null-dereference"))


@pytest.mark.parametrize("name", FAILS)
def test_what_it_may_leave_is_not(name: str) -> None:
    assert not all(check.is_safe for check in decided(START, OPENED + FAILS[name], "assertion", "null-dereference"))
