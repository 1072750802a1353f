"""Times that are taken apart: null comes back only for years that no clock tells."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <string.h>
#include <time.h>
int any(void);
static time_t shared;
static struct tm parts;
"""
HOLDS = {
    "what time gives": "time_t now = time(0); return localtime(&now)->tm_year;",
    "what time writes": "time_t now; time(&now); return gmtime_r(&now, &parts)->tm_year + ctime(&now)[0];",
    "a constant": "time_t start = 0; return gmtime(&start)->tm_year;",
    "an hour later": "time_t now = time(0) + 3600; return localtime_r(&now, &parts)->tm_year;",
}
FAILS = {
    "any number": "time_t then; memcpy(&then, &(long){any() * 1000000000000000L}, 8); return gmtime(&then)->tm_year;",
    "a late one": "time_t then = 67768036191676800; return localtime(&then)->tm_year;",
    "an early one": "time_t then = -67768040609740801; return gmtime_r(&then, &parts)->tm_year;",
    "what is multiplied": "time_t then = time(0) * 1000000000; return gmtime(&then)->tm_year;",
    "what another thread may write": "return gmtime(&shared)->tm_year;",
    "what is not a time": "struct tm then = {0}; then.tm_year = any(); return asctime(&then)[0];",
}
THREAD = """
#include <pthread.h>
static void *later(void *unused) { shared = 67768036191676800; return unused; }
static void begin(void) { pthread_t t; pthread_create(&t, 0, later, 0); }
"""


@pytest.mark.parametrize("name", HOLDS)
def test_a_time_that_a_clock_tells_has_a_date(name: str) -> None:
    assert all(check.is_safe for check in decided(START, HOLDS[name], "null-dereference", domain="interval"))


@pytest.mark.parametrize("name", FAILS)
def test_another_one_may_have_none(name: str) -> None:
    found = decided(START + THREAD, "begin();" + FAILS[name], "null-dereference", domain="interval")
    assert not all(check.is_safe for check in found)
