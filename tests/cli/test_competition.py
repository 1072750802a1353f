"""One property file and one result line, as competitions have it, and what BenchExec makes of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from duet import benchexec
from duet.batch.svcomp import CHECKS
from duet.competition import read
from duet.errors import UsageError
from tests.cli.conftest import Duet

PROPERTIES = {
    "unreach-call": "G ! call(reach_error())",
    "no-overflow": "G ! overflow",
    "no-data-race": "G ! data-race",
    "no-deadlock": "G ! deadlock",
    "valid-deref": "G valid-deref",
}
THREADS = (
    "#include <pthread.h>\nextern void reach_error(void); int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void *t(void *p) { LOCK x = x % 10 + 1; UNLOCK return 0; }\n"
    "int main(void) { pthread_t a, b; if (pthread_create(&a, 0, t, 0)) return 0;\n"
    "if (pthread_create(&b, 0, t, 0)) return 0; pthread_join(a, 0); pthread_join(b, 0);\n"
    "if (x > LIMIT) reach_error(); return 0; }\n"
)
LOCKED = THREADS.replace("UNLOCK", "pthread_mutex_unlock(&m);").replace("LOCK", "pthread_mutex_lock(&m);")
RACY = THREADS.replace("UNLOCK", "").replace("LOCK", "")
RESULTS = {
    "reached by nobody": (LOCKED.replace("LIMIT", "10"), "unreach-call", "true"),
    "reached": (LOCKED.replace("LIMIT", "1"), "unreach-call", "false(unreach-call)"),
    "locked": (LOCKED.replace("LIMIT", "9"), "no-data-race", "true"),
    "not locked": (RACY.replace("LIMIT", "9"), "no-data-race", "false(no-data-race)"),
    "no deadlock": (LOCKED.replace("LIMIT", "9"), "no-deadlock", "true"),
    "a deadlock": (
        LOCKED.replace("LIMIT", "9").replace("x = x", "pthread_mutex_lock(&m); x = x"),
        "no-deadlock",
        "false(no-deadlock)",
    ),
    "an overflow": (
        "int main(void) { int x = 2147483647; x = x + 1; return x; }\n",
        "no-overflow",
        "false(no-overflow)",
    ),
    "outside of an array": (
        "int main(void) { int a[2]; int i = 2; a[i] = 1; return 0; }\n",
        "valid-deref",
        "false(valid-deref)",
    ),
    "only a part is checked": ("int main(void) { int a[2]; a[1] = 1; return 0; }\n", "valid-deref", "unknown"),
}


def property_file(directory: Path, *names: str) -> str:
    path = directory / "one.prp"
    lines = (f"CHECK( init(main()), LTL({PROPERTIES.get(name, name)}) )\n" for name in names)
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", RESULTS)
def test_the_last_line_is_the_result(duet: Duet, tmp_path: Path, name: str) -> None:
    text, asked, expected = RESULTS[name]
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    done = duet("verify", "a.c", "--prp", property_file(tmp_path, asked), "--timeout=60")
    assert done.out.splitlines()[-1] == f"SV-COMP result: {expected}"


def test_data_on_standard_output_stays_alone(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    done = duet("analyze", "a.c", "--prp", property_file(tmp_path, "no-overflow"), "--format=json")
    assert done.out.startswith("{")
    assert done.err.splitlines()[-1] == "SV-COMP result: true"


def test_memory_safety_is_checked_in_part(tmp_path: Path) -> None:
    asked = read(property_file(tmp_path, "G valid-free", "G valid-deref", "G valid-memtrack"))
    assert (asked.name, asked.is_whole) == ("valid-memsafety", False)
    assert asked.parts == ("valid-free", "valid-deref", "valid-memtrack")
    assert asked.checks == ("array-bounds", "null-dereference", "use-after-free")


def test_memory_safety_of_programs_that_start_elsewhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "one.prp"
    lines = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(start()), LTL(G valid-deref) )\n"
    for text in (lines, lines.splitlines()[1]):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError):
            read(str(path))


HEAP = "#include <pthread.h>\n#include <stdlib.h>\nint *p; int g;\n"
ALLOCATED = "int main(void) { p = malloc(sizeof *p); if (!p) return 0; "
DEREF, FREE, ALL = ("G valid-deref",), ("G valid-free",), ("G valid-free", "G valid-deref", "G valid-memtrack")
MEMORY = {
    "given back twice": (ALLOCATED + "free(p); free(p); return 0; }", ALL, "false(valid-free)"),
    "given back twice, asked alone": (ALLOCATED + "free(p); free(p); return 0; }", FREE, "false(valid-free)"),
    "given back twice, not asked": (ALLOCATED + "free(p); free(p); return 0; }", DEREF, "unknown"),
    "used late": (ALLOCATED + "free(p); *p = 1; return 0; }", ALL, "false(valid-deref)"),
    "used late, asked alone": (ALLOCATED + "free(p); *p = 1; return 0; }", DEREF, "false(valid-deref)"),
    "used late, not asked": (ALLOCATED + "free(p); *p = 1; return 0; }", FREE, "unknown"),
    "no memory of the heap": ("int main(void) { free(&g); return 0; }", ALL, "false(valid-free)"),
    "not its begin": (
        "int main(void) { p = malloc(8); if (p) free(p + 1); return 0; }", FREE, "false(valid-free)"
    ),
    "null": ("int main(void) { *p = 1; return 0; }", ALL, "false(valid-deref)"),
    "null is given back": ("int main(void) { free(p); return 0; }", ALL, "unknown"),
    "another thread gives it back": (
        "void *t(void *u) { free(p); return 0; }\n" + ALLOCATED
        + "pthread_t a; pthread_create(&a, 0, t, 0); *p = 1; return 0; }",
        ALL,
        "false(valid-deref)",
    ),
    "another thread gives it back later": (
        "void *t(void *u) { free(p); return 0; }\n" + ALLOCATED
        + "*p = 1; pthread_t a; pthread_create(&a, 0, t, 0); return 0; }",
        ALL,
        "unknown",
    ),
    "a leak": (ALLOCATED + "p = 0; return 0; }", ALL, "unknown"),
    "only leaks are asked for": (ALLOCATED + "free(p); free(p); return 0; }", ("G valid-memtrack",), "unknown"),
    "only what is left is asked for": (ALLOCATED + "return 0; }", ("G valid-memcleanup",), "unknown"),
}  # fmt: skip


@pytest.mark.parametrize("name", MEMORY)
def test_memory_safety(duet: Duet, tmp_path: Path, name: str) -> None:
    text, asked, expected = MEMORY[name]
    (tmp_path / "a.c").write_text(HEAP + text + "\n", encoding="utf-8")
    given = ("--prp", property_file(tmp_path, *asked), "--timeout=60", "--witness", "a.yml")
    done = duet("verify", "a.c", *given)
    assert done.out.splitlines()[-1] == f"SV-COMP result: {expected}"
    if expected != "unknown":
        part = expected.removeprefix("false(").removesuffix(")")
        assert f"LTL(G {part})" in (tmp_path / "a.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_property_has_checks(tmp_path: Path, name: str) -> None:
    asked = read(property_file(tmp_path, name))
    assert asked.checks
    assert asked.is_whole == (name in CHECKS)


def test_what_is_not_checked_is_an_error(duet: Duet, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    done = duet("analyze", "a.c", "--prp", property_file(tmp_path, "F end"))
    assert done.code == 2
    assert "the property termination is not supported" in done.err


def test_the_tool_info_module_passes_the_test_of_benchexec() -> None:
    command = [sys.executable, "-m", "benchexec.test_tool_info", "duet.benchexec", "--no-container"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": str(Path(sys.executable).parent)})
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "'verify', '--prp', 'PROPERTY.PRP', 'INPUT.FILE'" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "code", "expected"),
    [
        ("SV-COMP result: true", 0, "true"),
        ("SV-COMP result: false(no-data-race)", 1, "false(no-data-race)"),
        ("SV-COMP result: TIMEOUT", 3, "TIMEOUT"),
        ("w.yml: confirmed: 2 of 2 invariants certified; the property is proved", 0, "true"),
        ("w.yml: not confirmed: 1 of 2 invariants certified; the property is proved", 1, "unknown"),
        ("a.c: 1 proved in 0.1 s", 0, "done"),
        ("a.c: 1 unproved in 0.1 s", 1, "unknown"),
        ("duet: error: no such file", 2, "ERROR"),
    ],
)
def test_benchexec_reads_the_result(line: str, code: int, expected: str) -> None:
    output = BaseTool2.RunOutput([f"{line}\n"])
    run = BaseTool2.Run([], ProcessExitCode(raw=code << 8, value=code, signal=None), output, None)
    assert benchexec.Tool().determine_result(run) == expected


def test_limits_are_passed_on() -> None:
    task = BaseTool2.Task.with_files(["a.c"], property_file="p.prp")
    limits = BaseTool2.ResourceLimits(walltime=900, memory=15_000_000_000)
    command = benchexec.Tool().cmdline("duet", [], task, limits)
    assert command == ["duet", "verify", "--prp", "p.prp", "--timeout", "895", "--memory", "12874", "a.c"]


def test_a_task_with_a_witness_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, duet: Duet) -> None:
    monkeypatch.chdir(tmp_path)
    text = "#include <assert.h>\nint main(void) { int n = 0; while (n < 4) n = n + 2; assert(n == 4); return 0; }\n"
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert duet("verify", "a.c", "--witness", "w.yml", "--timeout=60").code == 0
    options = {"witness_input_file": "w.yml", "data_model": "LP64"}
    task = BaseTool2.Task.with_files(["w.yml", "a.c"], property_file="p.prp", options=options)
    limits = BaseTool2.ResourceLimits(walltime=60, memory=15_000_000_000)
    command = benchexec.Tool().cmdline("duet", [], task, limits)
    assert command == ["duet", "check", "--timeout", "55", "w.yml", "a.c"]
    done = duet(*command[1:])
    run = BaseTool2.Run(command, ProcessExitCode(raw=done.code << 8, value=done.code, signal=None),
                        BaseTool2.RunOutput(done.out.splitlines(keepends=True)), None)  # fmt: skip
    assert benchexec.Tool().determine_result(run) == "true"


def test_bundled_programs_become_task_definitions_that_are_read_back(duet: Duet, tmp_path: Path) -> None:
    """`drivers-bench/tasks.py`."""
    script = Path(__file__).parents[2] / "drivers-bench" / "tasks.py"
    told = subprocess.run([sys.executable, str(script), str(tmp_path / "suite"), "--count", "3"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert told.stdout.startswith("3 tasks in ")
    done = duet("batch", "suite", "-j1", "-o", "out", "--timeout=60")
    assert "3 tasks" in done.out
    assert "wrong" not in done.out
    assert done.code in (0, 1)
