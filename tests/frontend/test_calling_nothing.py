"""Functions of the C library that call nothing of a program, whatever leads to its functions in what they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.result import Status
from tests.frontend.running import statuses

TEXT = """
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>
static int hits;
static void hit(void) { hits = 1; }
static struct ops { void (*run)(void); char *text; size_t size; } ops = {hit, "a,b", 3};
void keep(void *what);
int main(void)
{
    char *const names[] = {"a", 0};
    @CALL@;
    hits = 0;
    @CALL@;
    assert(hits == 0);
    return 0;
}
"""
QUIET = (
    "fcntl(0, F_SETFL, (long)&ops)",
    "fcntl(0, F_SETLK, &ops)",
    'strsep((char **)&ops, ",")',
    'strtok_r(0, ",", (char **)&ops)',
    "writev(0, (struct iovec *)&ops, 1)",
    "sendmsg(0, (struct msghdr *)&ops, 0)",
    "mbsrtowcs(0, (const char **)&ops, 0, 0)",
    "getsubopt((char **)&ops, names, &ops.text)",
)


@pytest.mark.parametrize("call", QUIET)
def test_nothing_is_called(call: str, tmp_path: Path) -> None:
    assert statuses(tmp_path / "a.c", TEXT.replace("@CALL@", call)) == (Status.PROVED,)


@pytest.mark.parametrize("call", ["keep(&ops)", "keep((void *)hit)"])
def test_others_may_call_what_they_find(call: str, tmp_path: Path) -> None:
    assert statuses(tmp_path / "a.c", TEXT.replace("@CALL@", call)) == (Status.UNPROVED,)
