"""System calls and `getopt` may change all that they are given, and call nothing of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import statuses

START = """#include <assert.h>
#include <getopt.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
int done, x = 1, many[] = {1, 2, 3, 4};
void work(void) { done = 1; }
struct request { int number; void (*run)(void); int *where; char *data; } request = {1, work, &x, 0};
#define SIOCGIFHWADDR 0x8927
#define SIOCETHTOOL 0x8946
#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541B
struct ifreq { char ifr_name[16]; union { char other[24]; char *ifr_data; }; } device = {.ifr_data = (char *)&x};
struct option longs[] = {{"many", 0, &many[1], 5}, {"number", 0, &request.number, 7}, {0, 0, 0, 0}};
extern int library(struct request *), library_of(struct option *);
int main(int argc, char **argv) {
"""
TRUE = {
    "functions in what it is given": "ioctl(0, 1, &request); assert(done == 0);",
    "a request about a device": "ioctl(0, SIOCGIFHWADDR, &device); assert(x == 1);",
    "a size of a terminal": "ioctl(0, TIOCGWINSZ, &many[1]); assert(many[0] == 1 && many[3] == 4);",
    "what sets flags of options": 'getopt_long(argc, argv, "a", longs, 0); assert(done == 0);',
}
FALSE = {
    "a request that nobody knows, about a device": "ioctl(0, SIOCETHTOOL, &device); assert(x == 1);",
    "one of several requests": "ioctl(0, library(0) ? SIOCGIFHWADDR : SIOCETHTOOL, &device); assert(x == 1);",
    "the device": "ioctl(0, SIOCGIFHWADDR, &device); assert(device.ifr_name[0] == 0);",
    "the size of a terminal": "ioctl(0, TIOCGWINSZ, &many[1]); assert(many[2] == 3);",
    "a number": "ioctl(0, FIONREAD, &many[1]); assert(many[1] == 2);",
    "what it is given": "ioctl(0, 1, &request); assert(request.number == 1);",
    "what that leads to": "ioctl(0, 1, &request); assert(x == 1);",
    "a function": "ioctl(0, 1, &request); request.run(); assert(done == 0);",
    "a buffer": "struct iovec v = {&x, sizeof x}; readv(0, &v, 1); assert(x == 1);",
    "a flag of an option": 'getopt_long(argc, argv, "a", longs, 0); assert(request.number == 1);',
    "another flag of an option": 'getopt_long(argc, argv, "a", longs, 0); assert(many[1] == 2);',
    "a function behind a flag": 'getopt_long(argc, argv, "a", longs, 0); request.run(); assert(done == 0);',
    "options that are given to code that is not there": "library_of(longs); assert(done == 0);",
    "code that is not there": "library(&request); assert(done == 0);",
}


@pytest.mark.parametrize("name", TRUE)
def test_they_call_nothing(tmp_path: Path, name: str) -> None:
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", f"{START}{TRUE[name]} return 0; }}"))


@pytest.mark.parametrize("name", FALSE)
def test_they_may_change_what_they_reach(tmp_path: Path, name: str) -> None:
    assert not all(status.is_safe for status in statuses(tmp_path / "a.c", f"{START}{FALSE[name]} return 0; }}"))
