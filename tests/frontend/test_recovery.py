"""A function that is not understood may do anything; the rest of the program is analysed, and nothing looks safe."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.clock import Clock
from duet.frontend.bodies import recovery
from duet.frontend.cells.context import Context
from duet.frontend.program import Threads
from duet.frontend.source.nodes import Node
from duet.options import Budgets, FrontendOptions
from duet.plip.syntax import Program, Spawn
from duet.reading import read

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"


def run(tmp_path: Path, text: str, *options: str) -> tuple[int, dict[str, Any]]:
    path = tmp_path / "a.c"
    path.write_text(HEAD + text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyze", "--no-verify", str(path), "--format", "json", *options])
    assert done.exit_code in (0, 1), done.output
    return done.exit_code, json.loads(done.stdout)


def statuses(report: dict[str, Any]) -> dict[str, str]:
    return {f"{a['function']}:{a['expression']}": a["status"] for a in report["assertions"]}


LOST = pytest.mark.parametrize("wrong", ["int y = @;", "int v __attribute__((vector_size(8)));", "undeclared++;"])
"""What cannot be read, what is refused, what cannot be lowered."""
STARTS = {"sem_wait(&m);": "sem_init(&m, 0, 1);"}


@LOST
def test_the_rest_is_analysed(tmp_path: Path, wrong: str) -> None:
    text = f"int g;\nstatic void f(void) {{ {wrong} }}\nint main(void) {{ int l = 1; f(); assert(l == 1); }}"
    code, report = run(tmp_path, text)
    assert statuses(report) == {"main:l == 1": "proved"}
    errors = [w for w in report["warnings"] if w["severity"] == "error"]
    assert [(w["line"], w["code"]) for w in errors] == [(5, "not-understood")]
    assert "'f'" in errors[0]["message"]
    assert report["understood"] == {
        "functions": 2, "functions_understood": 1, "lines": 2, "lines_understood": 1, "percent": 50,
    }  # fmt: skip
    assert code == 0


@LOST
@pytest.mark.parametrize(
    ("declarations", "body", "check"),
    [
        ("int g;", "g = 1;", "g == 0"),
        ("int g; static void set(void) { g = 1; }", "set();", "g == 0"),
        ("int g; static void set(void) { g = 1; } void (*p)(void) = set;", "p();", "g == 0"),
        pytest.param("int g; static void *t(void *u) { g = 1; return u; }",
         "pthread_t id; pthread_create(&id, 0, t, 0);", "g == 0", marks=pytest.mark.slow),
        ("pthread_mutex_t m; int g; static void *t(void *u) { pthread_mutex_lock(&m); g = 1; g = 0;"
         " pthread_mutex_unlock(&m); return u; }", "pthread_mutex_unlock(&m);", "g == 0"),
        *(
            (f"{kind} m; int g; static void *t(void *u) {{ {lock}(&m); g = 1; g = 0; {unlock}(&m); return u; }}",
             f"{unlock}(&m);", "g == 0")
            for kind, lock, unlock in (
                ("pthread_rwlock_t", "pthread_rwlock_wrlock", "pthread_rwlock_unlock"),
                ("pthread_spinlock_t", "pthread_spin_lock", "pthread_spin_unlock"),
                ("#include <semaphore.h>\nsem_t", "sem_wait", "sem_post"),
            )
        ),
        ("static const int *p; static int g;", "static int h = 5; p = &h; g = 1;", "p == 0"),
    ],
)  # fmt: skip
def test_whatever_it_could_do_is_done(tmp_path: Path, wrong: str, declarations: str, body: str, check: str) -> None:
    takes = re.search(r"\{ (\w+\(&m\);)", declarations)
    start = f"pthread_t i; {STARTS.get(takes[1], '')} pthread_create(&i, 0, t, 0); {takes[1]}" if takes else ""
    text = (
        f"{declarations}\nstatic void f(void) {{ {wrong} {body} }}\nint main(void) {{ {start} f(); assert({check}); }}"
    )
    code, report = run(tmp_path, text)
    assert statuses(report)[f"main:{check}"] == "unproved"
    assert code == 1


@LOST
def test_locals_whose_address_it_is_given_change(tmp_path: Path, wrong: str) -> None:
    called = f"static void f(int *p) {{ {wrong} *p = 1; }}\n"
    text = called + "int main(void) { int a = 0, b = 0; f(&a); assert(b == 0); assert(a == 0); }"
    _, report = run(tmp_path, text)
    assert statuses(report) == {"main:b == 0": "proved", "main:a == 0": "unproved"}


@LOST
def test_any_pointer_may_come_back(tmp_path: Path, wrong: str) -> None:
    called = f"int g;\nstatic int *f(void) {{ {wrong} return &g; }}\n"
    text = called + "int main(void) { g = 0; int *p = f(); if (p) { g = 0; *p = 1; } assert(g == 0); }"
    _, report = run(tmp_path, text)
    assert statuses(report) == {"main:g == 0": "unproved"}


@LOST
def test_its_checks_are_unknown(tmp_path: Path, wrong: str) -> None:
    text = f"int g;\nstatic void f(void) {{ {wrong}\nassert(g == 0); }}\nint main(void) {{ f(); }}"
    code, report = run(tmp_path, text)
    assert [(a["line"], a["status"]) for a in report["assertions"]] == [(6, "unknown")]
    assert "not understood" in report["assertions"][0]["reason"]
    assert code == 1


@LOST
def test_its_implicit_checks_are_unknown(tmp_path: Path, wrong: str) -> None:
    text = f"int a[3];\nstatic void f(void) {{ {wrong} a[2] = 1; }}\nint main(void) {{ f(); }}"
    code, report = run(tmp_path, text, "--properties", "array-bounds,overflow")
    assert {(a["property"], a["status"]) for a in report["assertions"]} >= {
        ("array-bounds", "unknown"), ("overflow", "unknown"),
    }  # fmt: skip
    assert code == 1


@LOST
def test_one_that_nobody_calls_changes_nothing(tmp_path: Path, wrong: str) -> None:
    text = f"int g;\nvoid f(void) {{ {wrong} g = 1; assert(g == 2); }}\nint main(void) {{ assert(g == 0); }}"
    _, report = run(tmp_path, text)
    assert statuses(report)["main:g == 0"] == "proved"
    assert report["understood"]["functions_understood"] == 1


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("int g = ;\nint main(void) { return 0; }", ":4:9: error:", "unexpected"),
        ("int main(void) { int y = @; }", ":4:26: error:", "illegal character"),
        ("#include <setjmp.h>\njmp_buf b; void f(void) { @ longjmp(b, 1); }\nint main(void) { f(); }", ":5:29: error:",
         "jumps between functions"),
    ],
)  # fmt: skip
def test_what_stays_an_error(tmp_path: Path, text: str, place: str, message: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(HEAD + text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyze", str(path)])
    assert done.exit_code == 2
    assert place in done.output
    assert message in done.output


@pytest.mark.parametrize(
    "text",
    [
        "void lost(void) { for_each_thing(c) { seen = 1; } } int main(void) { give(&kept); give(lost); CHECK }",
        "int main(void) { give(&kept); { extern int other(int); give(other); } CHECK }",
    ],
)
def test_functions_that_are_only_named_in_a_body_are_called_before_it_too(tmp_path: Path, text: str) -> None:
    begin = "int seen; void *kept; extern void give(void *); "
    _, report = run(tmp_path, begin + text.replace("CHECK", "give(&seen); assert(seen == 0); return 0;"))
    assert statuses(report) == {"main:seen == 0": "unproved"}


def _calling_each_other(count: int) -> str:
    """A program of so many functions that are not understood, of which each calls the next one."""
    names = [f"f{number}" for number in range(count)]
    declared = "".join(f"void {name}(void); " for name in names)
    odd = "int y __attribute__((vector_size(16)));"
    bodies = [f"void {name}(void) {{ {odd} {after}(); }}\n" for name, after in pairwise([*names, "other"])]
    head = f"#include <assert.h>\nint g; void other(void); {declared}\n"
    return f"{head}{''.join(bodies)}int main(void) {{ f0(); assert(g == 0); }}\n"


def _calling(folder: Path, count: int, most: int = 100) -> Program:
    """Such a program, in which so many functions may have a template each."""
    path = folder / f"{count}.c"
    path.write_text(_calling_each_other(count), encoding="utf-8")
    return read((str(path),), FrontendOptions(budgets=Budgets(handlers_if_large=most)), Clock()).program


def test_functions_that_call_each_other_do_not_multiply(tmp_path: Path) -> None:
    """Each may call all others in each thread: eight times as much for twice the functions."""
    half, whole = _calling(tmp_path, 3), _calling(tmp_path, 6)
    assert len(whole.commands) < 12 * len(half.commands)
    # each function twice: for those that start it and for what is outside of the program
    assert len(whole.templates) == len(half.templates) + 2 * 3


def test_beyond_a_number_of_them_they_are_one_template(tmp_path: Path) -> None:
    apart, together = _calling(tmp_path, 6), _calling(tmp_path, 6, most=8)
    # one for each place where arguments come from; what is not there has one of its own
    absent = {"vector_size", "vector_size#2", "other", "other#2"}
    assert set(together.templates) == {"main", "any callback", "any callback#2"} | absent
    assert len(together.commands) < len(apart.commands) / 2


def test_the_defect_that_each_place_starts_a_thread_of_its_own_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Threads.run_beside

    def run_beside(self: Threads, ctx: Context, function: str, node: Node) -> Spawn | None:
        self.handlers.clear()
        return original(self, ctx, function, node)

    few = len(_calling(tmp_path, 2).templates)
    monkeypatch.setattr(Threads, "run_beside", run_beside)
    assert len(_calling(tmp_path, 2).templates) > 2 * few


def test_the_defect_that_they_share_no_body_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = len(_calling(tmp_path, 3).commands)
    monkeypatch.setattr(recovery, "is_in_anything", lambda _: False)
    assert len(_calling(tmp_path, 3).commands) > 1.5 * shared
