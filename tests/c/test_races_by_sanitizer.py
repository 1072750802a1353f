"""Annotated races as another tool sees them: the thread sanitizer of the compiler, which follows happens-before."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.c.annotations import AnnotatedProgram, Expected, bundled, name
from tests.c.schedules import harness_text

COMPILER = shutil.which("gcc")
RUNS = 20
_PRELUDE = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t atomic_sections = PTHREAD_MUTEX_INITIALIZER;
#define __VERIFIER_atomic_begin() pthread_mutex_lock(&atomic_sections)
#define __VERIFIER_atomic_end() pthread_mutex_unlock(&atomic_sections)
"""
# Threads that main does not wait for get the time to run.
_MAIN = """
#include <sched.h>
int program_main(void);
int main(void) { program_main(); for (int i = 0; i < 1000; i++) sched_yield(); return 0; }
"""
_KNOWN_RACE = """
int x;
void *f(void *unused) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }
"""
_ACCESS = re.compile(
    r"(?:read|write) of size.*\n(?:\s+#0 (?:free|realloc) .*\n)?\s+#\d .*?program\.c:(\d+)", re.IGNORECASE
)
PROGRAMS = [p for p in bundled() if p.path.parent.name == "races"]


def racing_lines(program: AnnotatedProgram, folder: Path) -> set[int]:
    """The lines of the accesses that the sanitizer reports in some executions."""
    assert COMPILER is not None
    source, harness, prelude = folder / "program.c", folder / "harness.c", folder / "prelude.h"
    text = program.path.read_text(encoding="utf-8")
    source.write_text(text, encoding="utf-8")
    own = harness_text(program, text)
    harness.write_text(f"#include <pthread.h>\n{own.replace('main(void)', 'program_main(void)')}{_MAIN}")
    prelude.write_text(_PRELUDE)
    executable = folder / "program"
    options = ["-std=gnu11", "-g", "-O0", "-w", "-fsanitize=thread", "-pthread"]
    with_prelude = ["-Dmain=program_main", "-include", str(prelude)]
    subprocess.run([COMPILER, *options, *with_prelude, "-c", str(source), "-o", str(folder / "p.o")], check=True)
    subprocess.run([COMPILER, *options, str(harness), str(folder / "p.o"), "-o", str(executable)], check=True)
    environment = {**os.environ, "TSAN_OPTIONS": "exitcode=0 history_size=4"}
    found: set[int] = set()
    for _ in range(RUNS):
        done = subprocess.run([str(executable)], capture_output=True, text=True, env=environment, timeout=60)
        found |= {int(line) for line in _ACCESS.findall(done.stderr)}
        if set(program.lines(Expected.UNSAFE)) <= found:
            break
    return found


@pytest.fixture(scope="module", autouse=True)
def _sanitizer_works(tmp_path_factory: pytest.TempPathFactory) -> None:
    if COMPILER is None:
        pytest.skip("gcc not found")
    folder = tmp_path_factory.mktemp("known")
    known = folder / "known.c"
    known.write_text("#include <pthread.h>\n" + _KNOWN_RACE, encoding="utf-8")
    try:
        found = racing_lines(AnnotatedProgram(known, (), ()), folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"the thread sanitizer does not run here: {error}")
    if not found:
        pytest.skip("the thread sanitizer does not see a plain race here")


def sampled(programs: Sequence[AnnotatedProgram]) -> Iterator[ParameterSet]:
    """Every program; all but every fourth are slow: this looks at the annotations, which seldom change, not at duet."""
    for index, program in enumerate(programs):
        yield pytest.param(program, marks=() if index % 4 == 0 else (pytest.mark.slow,), id=name(program))


@pytest.mark.parametrize("program", [*sampled(PROGRAMS)])
def test_annotated_races_are_seen(program: AnnotatedProgram, tmp_path: Path) -> None:
    assert set(program.lines(Expected.UNSAFE)) <= racing_lines(program, tmp_path)
