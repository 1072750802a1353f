"""`optarg` is not null where `getopt` has found an option that has an argument, as the variable for options tells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.frontend.judgments.chosen import with_argument, with_argument_too
from tests.frontend.running import statuses

PROGRAM = """#include <assert.h>
#include <getopt.h>
#include <stddef.h>
@BEFORE@
int main(int argc, char **argv) {
    int c;
    @START@
    while ((c = @CALL@) != -1) { @LOOP@ }
    @END@
    return 0;
}
"""
SHORT, LONG = 'getopt(argc, argv, "ab:d::h")', 'getopt_long(argc, argv, "ab:h", longs, NULL)'
TABLE = """static struct option longs[] = {
    {"beta", required_argument, NULL, 'b'}, {"size", required_argument, NULL, 300},
    {"maybe", optional_argument, NULL, 301}, {"alpha", no_argument, NULL, @ALPHA@}, {0, 0, 0, 0}};"""
BESIDE = "(c = NEXT) == 'a' ? assert(optarg) : (void)0;"
CHECK = "if (c == 'b') assert(optarg);"


def program(loop: str, call: str = SHORT, before: str = "", start: str = "", end: str = "") -> str:
    parts = {"@LOOP@": loop, "@CALL@": call, "@BEFORE@": before, "@START@": start, "@END@": end}
    text = PROGRAM
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def table(alpha: str = "'a'") -> str:
    return TABLE.replace("@ALPHA@", alpha)


SAFE = {
    "short": program(CHECK),
    "in a switch": program("switch (c) { case 'b': assert(optarg); break; case 'a': break; default: return 1; }"),
    "long": program("if (c == 'b' || c == 300) assert(optarg);", LONG, table()),
    "what is left is counted behind the loop": program(CHECK, end="argc -= optind; argv += optind;"),
    "letters in a variable": program(CHECK, "getopt(argc, argv, letters)", 'static const char *letters = ":ab:";'),
}
INDEXED = LONG.replace("NULL", "&at")
SAFE |= {
    "the index of a long option": program(
        "assert(at >= 0 && at < 4 && longs[at].name);", INDEXED, table(), start="int at = 1;"
    ),
    "an index that nobody wants": program("assert(at == 1);", LONG, table(), start="int at = 1;"),
}
FAILING = {
    "the index of another option": (
        program("assert(at == 0);", INDEXED, table(), start="int at = 0;"),
        ["--size", "1"],
    ),
    "no index of a short option": (program("assert(at < 4);", INDEXED, table(), start="int at = 9;"), ["-a"]),
    "an index without a known table": (
        program(
            "assert(at < 4);",
            INDEXED,
            table().replace("{0, 0, 0, 0}", "{0, 0, 0, 0}, {0, 0, 0, 0}"),
            start='int at = 1; longs[4] = (struct option){"more", no_argument, NULL, 7};',
        ),
        ["--more"],
    ),
    "no argument": (program("if (c == 'a') assert(optarg);"), ["-a"]),
    "an argument that may be left out": (program("if (c == 'd') assert(optarg);"), ["-d"]),
    "unknown option": (program("if (c == '?') assert(optarg);"), ["-x"]),
    "long without argument": (program("if (c == 301) assert(optarg);", LONG, table()), ["--maybe"]),
    "one value for two options": (program(CHECK, LONG, table("'b'")), ["--alpha"]),
    "a table that is changed": (program(CHECK, LONG, table(), start="longs[3].val = 'b';"), ["--alpha"]),
    "another value": (program("if (c == 'a') c = 'b'; " + CHECK), ["-a"]),
    "written through its address": (program("int *p = &c; *p = 'b'; " + CHECK), ["-a"]),
    "two variables": (program('int d = getopt(argc, argv, "ab:"); (void)d; ' + CHECK), ["-bx", "-a"]),
    "a call whose result is lost": (program('getopt(argc, argv, "ab:"); ' + CHECK), ["-bx", "-a"]),
    "set by the program": (program("optarg = NULL; " + CHECK), ["-bx"]),
    "set through its address": (program("char **q = &optarg; *q = NULL; " + CHECK), ["-bx"]),
    "in another function": (
        program("if (c == 'a') use('b');", before="static void use(int c) { " + CHECK + " }"),
        ["-a"],
    ),
    "called by another function": (
        program(
            "if (c == 'b') next(argc, argv); " + CHECK,
            before='int next(int n, char **v) { int c = getopt(n, v, "a"); return c; }',
        ),
        ["-bx", "-a"],
    ),
    "before the first option": (program("", start="c = 'b'; " + CHECK), []),
    "too small a variable": (
        program(
            "",
            end="char e = getopt_long(argc, argv, \"b:\", more, NULL); if (e == 'b') assert(optarg);",
            call="-1",
            before="static const struct option more[] = {{\"x\", 0, NULL, 256 + 'b'}, {0, 0, 0, 0}};",
        ),
        ["--x"],
    ),
    "an argument that is taken away": (program(CHECK, start="argv[2] = NULL;"), ["-b", "x"]),
    "more arguments than there are": (program(CHECK, 'getopt(argc + 1, argv, "b:")'), ["-b"]),
    "more arguments than there were": (program(CHECK, start="argc++;"), ["-b"]),
    "more arguments the next time": (
        program(CHECK, start="for (int k = 0; k < 2; k++) {", end="argc++; optind = 1; }"),
        ["-b"],
    ),
    "more arguments behind a jump": (
        program(CHECK, start="int k = 0; again:", end="argc++; optind = 1; if (!k++) goto again;"),
        ["-b"],
    ),
    "recursive": (
        program("if (c == 'b' && !depth++) main(argc, argv); " + CHECK, before="static int depth;"),
        ["-bx", "-a"],
    ),
    "read beside the call": (
        program("", "-1", '#define NEXT getopt(argc, argv, "a")', "optarg = argv[0]; " + BESIDE),
        ["-a"],
    ),
}


@pytest.mark.parametrize("case", SAFE)
def test_the_argument_of_an_option_is_there(case: str, tmp_path: Path) -> None:
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", SAFE[case]))


@pytest.mark.parametrize("case", FAILING)
def test_what_may_fail_stays_open(case: str, tmp_path: Path) -> None:
    assert not all(status.is_safe for status in statuses(tmp_path / "a.c", FAILING[case][0]))


@pytest.mark.slow
@pytest.mark.parametrize("case", FAILING)
def test_it_fails(case: str, tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    source, executable = tmp_path / "a.c", tmp_path / "a"
    source.write_text(FAILING[case][0], encoding="utf-8")
    subprocess.run([compiler, "-w", str(source), "-o", str(executable)], check=True, capture_output=True)
    ran = subprocess.run([str(executable), *FAILING[case][1]], check=False, capture_output=True, timeout=10)
    assert ran.returncode < 0


def test_which_options_have_an_argument() -> None:
    assert with_argument(b"+ab:c::d:") == frozenset(b"bd")
    assert with_argument(b"bb:") == frozenset()
    assert with_argument(b"W;b:") is None
    assert with_argument(b":b:?:") == frozenset(b"b")
    entries = [{"has_arg": 1, "val": 300}, {"has_arg": 2, "val": 301}, {"has_arg": 1, "flag": 1, "val": 302}]
    assert with_argument_too(frozenset((98,)), b"ab:", entries) == {98, 300}
    assert with_argument_too(frozenset((98,)), b"ab:", [{"has_arg": 1, "val": ord("a")}]) == {98}
    assert with_argument_too(frozenset((98,)), b"ab:", [{"has_arg": 0, "val": 98}]) == frozenset()
