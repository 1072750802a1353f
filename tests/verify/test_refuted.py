"""`refuted` is said of C programs that really fail, and never where only the model of them does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = (
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <signal.h>\n"
    "int __VERIFIER_nondet_int(void); int ask(void); void outside(int *p);\n"
    "int x, y, *p, table[100]; float weight; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, locks[100];\n"
)


def verdicts(tmp_path: Path, text: str, *options: str) -> list[dict[str, object]]:
    path = tmp_path / "program.c"
    path.write_text(START + text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", "--format", "json", "--timeout", "5", *options, str(path)])
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, object]] = json.loads(result.stdout)["assertions"]
    return found


FAILS = {
    "lost update": "void *f(void *a) { x++; return 0; }\n"
    "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);\n"
    "pthread_join(s, 0); pthread_join(t, 0); assert(x == 2); return 0; }",
    "input": "int main(void) { if (__VERIFIER_nondet_int() == 12345) x = 1; assert(x == 0); return 0; }",
    "result of an unknown function": "int main(void) { assert(ask() != 77); return 0; }",
    "not under the lock": "void *f(void *a) { pthread_mutex_lock(&m); x = 1; x = 0;\n"
    "pthread_mutex_unlock(&m); return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }",
    "compare and swap": "void *f(void *a) { if (__sync_bool_compare_and_swap(&x, 0, 1)) y = 1; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) assert(y); return 0; }",
}  # fmt: skip


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_refuted(name: str, tmp_path: Path) -> None:
    (only,) = verdicts(tmp_path, FAILS[name])
    assert (only["status"], only["confirmed"]) == ("refuted", "exact")
    schedule = only["schedule"]
    assert isinstance(schedule, list)
    assert schedule[-1]["line"] == only["line"]


HOLDS = {
    "a null pointer is followed first": "void *f(void *a) { p = &x; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); *p = 1; assert(p != 0); return 0; }",
    "an index outside": "int small[3];\n"
    "int main(void) { int i = ask(); small[i] = 1; assert(i >= 0 && i < 3); return 0; }",
    "an overflow": "int main(void) { int i = ask(); int j = i + 1; assert(j <= 2147483647); return 0; }",
    "a division by zero": "int main(void) { int i = ask(); y = 10 / i; assert(i); return 0; }",
    "no memory": "int main(void) { int *q = malloc(4); *q = 1; x = q ? 0 : 1; assert(!x); return 0; }",
    "elements": "int main(void) { table[ask() & 63] = 1; table[70] = 0; assert(table[70] == 0); return 0; }",
    "floats": "int main(void) { weight = 2; assert(weight > 1); return 0; }",
    "a lock among many": "void *f(void *a) { int k = (int)(long)a; pthread_mutex_lock(&locks[x + 5]); y = 1; y = 0;\n"
    "pthread_mutex_unlock(&locks[x + 5]); return 0; }\n"
    "int main(void) { pthread_t t; x = ask() & 63; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&locks[x + 5]);\n"
    "assert(y == 0); return 0; }",
    "joined in a loop": "void *f(void *a) { __sync_fetch_and_add(&x, 1); return 0; }\n"
    "int main(void) { pthread_t t[90]; for (int i = 0; i < 90; i++) pthread_create(&t[i], 0, f, 0);\n"
    "for (int i = 0; i < 90; i++) pthread_join(t[i], 0); assert(x >= 1); return 0; }",
    "what a handler does at the end": "void g(int n) { x = 1; }\n"
    "int main(void) { atexit(0); assert(abs(-3) == 3); return 0; }",
    "two objects from one place": "int *q[2];\n"
    "int main(void) { for (int i = 0; i < 40; i++) { int *n = calloc(1, 4); if (!n) return 1;\n"
    "*n = i; if (i < 2) q[i] = n; } assert(*q[0] == 0); return 0; }",
    "addresses": "int main(void) { int *q; int k; int *r = ask() ? &x : &y; assert(r == &x || r == &y); return 0; }",
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_what_fails_in_the_model_only_is_not_refuted(name: str, tmp_path: Path) -> None:
    for found in verdicts(tmp_path, HOLDS[name], "--timeout", "2"):
        assert found["status"] != "refuted", found


def test_a_schedule_of_the_model_says_what_is_in_the_way(tmp_path: Path) -> None:
    (only,) = verdicts(tmp_path, "int main(void) { weight = 2; assert(weight > 1); return 0; }")
    assert only["status"] == "unproved"
    assert only["confirmed"] == ""
    assert only["schedule"]
    assert "floating" in str(only["reason"])


def test_kernel_code_is_never_refuted_by_the_model_of_the_kernel(tmp_path: Path) -> None:
    path = tmp_path / "driver.c"
    path.write_text(
        "#include <linux/module.h>\nstatic int n;\nstatic int start(void) { n = 1; BUG_ON(n == 1); return 0; }\n"
        "module_init(start);\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(cli, ["verify", "--model", "linux", "--format", "json", str(path)])
    found = json.loads(result.stdout)["assertions"]
    assert [item["status"] for item in found if item["property"] == "assertion"] == ["unproved"]
    assert [item["confirmed"] for item in found if item["property"] == "assertion"] == [""]


def test_the_text_shows_the_schedule(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(START + FAILS["lost update"], encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", str(path)])
    assert result.exit_code == 1
    assert "refuted: assertion 'x == 2' in main" in result.stdout
    assert "> f#2" in result.stdout


def test_analyze_decides_what_is_open_if_it_is_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(START + FAILS["input"], encoding="utf-8")
    plain = CliRunner().invoke(cli, ["analyze", "--no-verify", str(path)])
    more = CliRunner().invoke(cli, ["analyze", "--verify", str(path)])
    assert ": unproved:" in plain.stdout
    assert ": refuted:" in more.stdout
