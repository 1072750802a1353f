"""Every UNSAFE! check really fails in some execution, and no other one was ever seen to fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.c import executed
from tests.c.annotations import AnnotatedProgram, Annotation, Expected, bundled, name
from tests.c.executed import COMPILER, complaints, digest, recorded
from tests.c.schedules import all_entries, compile_program, compile_runtime, execute

SLOW_RUNS = 100_000

pytestmark = pytest.mark.skipif(not COMPILER, reason="gcc not found: schedules cannot be executed")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_runtime(COMPILER, tmp_path_factory.mktemp("runtime"))


def programs() -> Iterator[ParameterSet]:
    """Every program; those are slow that are as they were when they were executed, but for every eighth one."""
    record = recorded()
    for index, program in enumerate(bundled()):
        is_known = record.get(name(program)) == digest(program)
        yield pytest.param(program, marks=pytest.mark.slow if is_known and index % 8 else (), id=name(program))


@pytest.mark.parametrize("program", [*programs()])
def test_failures(program: AnnotatedProgram, runtime: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    slow = bool(pytestconfig.getoption("--slow", default=False))
    assert not complaints(program, runtime, tmp_path, SLOW_RUNS if slow else None)


WRONG = (
    "#include <pthread.h>\nint c;\nvoid *f(void *u) { c = 1; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\nassert(c == 0);\nreturn 0; }\n"
)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "topic" / "wrong.c"
    path.parent.mkdir()
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_a_wrong_annotation_is_noticed(
    runtime: Path, tmp_path: Path, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.c.annotations.ROOT", tmp_path)
    unmarked = AnnotatedProgram(wrong, (), ())
    seen = execute(unmarked, compile_program(unmarked, COMPILER, runtime, tmp_path), seed=1, runs=100)
    assert 0 < seen.failed[5] < seen.reached[5]
    for line, expected, told in (
        (5, Expected.SAFE, ["5: failed, but not marked UNSAFE!"]),
        (5, Expected.UNSAFE, []),
        (6, Expected.UNSAFE, ["6: marked UNSAFE!, never seen to fail", "5: failed, but not marked UNSAFE!"]),
    ):
        marked = AnnotatedProgram(wrong, (), (Annotation(line, expected),))
        assert complaints(marked, runtime, tmp_path, runs=100) == [f"{wrong}:{text}" for text in told]


def test_a_program_that_changes_is_executed_again(wrong: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = AnnotatedProgram(wrong, (), ())
    before = digest(program)
    assert digest(program) == before
    wrong.write_text(f"{WRONG}\n", encoding="utf-8")
    assert digest(program) != before
    wrong.write_text(WRONG, encoding="utf-8")
    monkeypatch.setattr(executed, "RUNTIME", wrong.parent)
    assert digest(program) != before


def test_most_programs_are_on_record() -> None:
    """Else this takes most of a minute: `python -m tests.c.executed`."""
    record = recorded()
    known = [program for program in bundled() if record.get(name(program)) == digest(program)]
    assert len(known) > len(bundled()) // 2


def test_entries_are_the_functions_nobody_mentions() -> None:
    text = "static int helper(int x) {\n return x;\n}\nvoid init(void) {\n}\nvoid f(void) {\n helper(1);\n}\n"
    assert all_entries(text) == ("f",)
