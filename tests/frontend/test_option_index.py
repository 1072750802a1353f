"""`optind` is the same whenever it is read, until `getopt` or the program itself changes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.frontend.running import are_proved

PROGRAM = """#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int count;
static char **all;
static void next(void) { getopt(count, all, "ab:"); }
static void bump(void) { optind++; }
static void *other(void *unused) { next(); return unused; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void handler(int number) { next(); }
int main(int argc, char **argv) {
    pthread_t thread;
    count = argc;
    all = argv;
    while (getopt(argc, argv, "ab:") != -1)
        ;
    @BODY@
    return 0;
}
"""
READ = "puts(argv[optind]);"
SAFE = {
    "asked for before": f"if (optind < argc) {READ}",
    "the only one": f"if (argc - optind != 1) return 1; {READ} {READ}",
    "kept": "int at = optind; if (at < argc) puts(argv[at]);",
    "behind a function of the library": f'if (optind >= argc) return 1; puts("one"); {READ}',
}
OPEN = {
    "not asked for": READ,
    "asked for less": f"if (optind <= argc) {READ}",
    "the next one": "if (optind < argc) { optind = 1 + optind; puts(argv[optind]); }",
    "found again": f'if (optind < argc) {{ optind = 0; getopt(argc, argv, "ab:"); {READ} }}',
    "found by a function": f"if (optind < argc) {{ next(); {READ} }}",
    "raised by a function": f"if (optind < argc) {{ bump(); {READ} }}",
    "found by a thread": f"pthread_create(&thread, 0, other, 0); if (optind < argc) {READ}",
    "found by a thread without the lock": "pthread_create(&thread, 0, other, 0); pthread_mutex_lock(&lock);"
    f" if (optind < argc) {READ} pthread_mutex_unlock(&lock);",
    "found by a handler": f"signal(SIGINT, handler); if (optind < argc) {READ}",
}
PROPERTIES = ("array-bounds", "null-dereference")


@pytest.mark.parametrize("case", SAFE)
def test_an_argument_that_is_there_is_read(case: str, tmp_path: Path) -> None:
    assert are_proved(tmp_path / "a.c", PROGRAM.replace("@BODY@", SAFE[case]), PROPERTIES, "auto")


@pytest.mark.parametrize("case", OPEN)
def test_one_that_may_not_be_there_is_open(case: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", PROGRAM.replace("@BODY@", OPEN[case]), PROPERTIES, "auto")


@pytest.mark.parametrize("case", ["found by a thread", "found by a thread without the lock", "found by a handler"])
def test_nor_is_it_known_where_races_are_asked_for(case: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("@BODY@", OPEN[case])
    assert not are_proved(tmp_path / "a.c", text, (*PROPERTIES, "data-race"), "auto")


@pytest.mark.slow
@pytest.mark.parametrize("case", ["not asked for", "asked for less", "the next one", "raised by a function"])
def test_it_is_not_there(case: str, tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    source, executable = tmp_path / "a.c", tmp_path / "a"
    source.write_text(PROGRAM.replace("@BODY@", OPEN[case]), encoding="utf-8")
    subprocess.run([compiler, "-w", str(source), "-o", str(executable)], check=True, capture_output=True)
    arguments = [] if case in ("not asked for", "asked for less") else ["one"]
    assert subprocess.run([str(executable), *arguments], check=False, capture_output=True, timeout=10).returncode < 0
