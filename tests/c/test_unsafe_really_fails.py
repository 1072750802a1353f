"""Every UNSAFE! check really fails in some execution, and no other one was ever seen to fail."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.c.annotations import AnnotatedProgram, Expected, bundled, left_for_slow, name
from tests.c.schedules import all_entries, compile_program, compile_runtime, execute

COMPILER = shutil.which("gcc")
RUNS = 4_000
FEW_RUNS = 300  # where nothing is to be seen
SLOW_RUNS = 100_000
# Checks that random schedules cannot be expected to reach: (program, line) -> why, and how else it is known.
NOT_SHOWN: dict[tuple[str, int], str] = {
    ("null/allocation", 17): "memory does not run out here; malloc is allowed to fail",
}

pytestmark = pytest.mark.skipif(COMPILER is None, reason="gcc not found: schedules cannot be executed")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert COMPILER is not None
    return compile_runtime(COMPILER, tmp_path_factory.mktemp("runtime"))


def programs() -> Iterator[ParameterSet]:
    left = left_for_slow()
    for program in bundled():
        yield pytest.param(program, id=name(program), marks=(pytest.mark.slow,) if name(program) in left else ())


@pytest.mark.parametrize("program", tuple(programs()))
def test_failures(program: AnnotatedProgram, runtime: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    assert COMPILER is not None
    executable = compile_program(program, COMPILER, runtime, tmp_path)
    slow = bool(pytestconfig.getoption("--slow", default=False))
    failing = set(program.lines(Expected.UNSAFE))
    seen = execute(program, executable, seed=1, runs=SLOW_RUNS if slow else RUNS if failing else FEW_RUNS)
    excused = {line for topic, line in NOT_SHOWN if topic == name(program)}
    assert not seen.crashed
    assert failing - excused <= {line for line, count in seen.failed.items() if count}, "never seen to fail"
    assert not {line for line, count in seen.failed.items() if count} - failing, "failed, but not marked UNSAFE!"
    assert not set(program.lines(Expected.UNREACHABLE)) & set(seen.reached), "reached, but marked UNREACHABLE"
    asserted = set(program.lines(Expected.SAFE)) & lines_with_assert(program)
    assert asserted <= set(seen.reached), "marked SAFE, but never executed"


def lines_with_assert(program: AnnotatedProgram) -> set[int]:
    lines = program.path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if "assert(" in line}


def test_a_wrong_annotation_is_noticed(runtime: Path, tmp_path: Path) -> None:
    assert COMPILER is not None
    text = (
        "#include <pthread.h>\nint c;\nvoid *f(void *u) { c = 1; return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\nassert(c == 0);\nreturn 0; }\n"
    )
    path = tmp_path / "wrong.c"
    path.write_text(text, encoding="utf-8")
    program = AnnotatedProgram(path, (), ())
    seen = execute(program, compile_program(program, COMPILER, runtime, tmp_path), seed=1, runs=100)
    assert 0 < seen.failed[5] < seen.reached[5]


def test_entries_are_the_functions_nobody_mentions() -> None:
    text = "static int helper(int x) {\n return x;\n}\nvoid init(void) {\n}\nvoid f(void) {\n helper(1);\n}\n"
    assert all_entries(text) == ("f",)
