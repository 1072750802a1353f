"""Memory that is given back: which operations have a check, what it says, and that nothing else has one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from duet.cli import cli

START = (
    "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nstruct own { int a, b; struct own *next; };\n"
    "int __VERIFIER_nondet_int(void); int x, *p; struct own pair, *shared; pthread_mutex_t m;\n"
    "int main(void) { struct own *q = malloc(sizeof *q); if (!q) return 1;\n"
)


def checks(tmp_path: Path, text: str, *options: str) -> list[tuple[str, bool]]:
    """The expression of each check, and whether it is proved."""
    path = tmp_path / "program.c"
    path.write_text(START + text, encoding="utf-8")
    asked = options or ("--properties", "use-after-free")
    result = CliRunner().invoke(cli, ["analyze", "--no-verify", *asked, "--format", "json", str(path)])
    assert result.exit_code in (0, 1), result.output
    found = json.loads(result.stdout)["assertions"]
    return [(item["expression"], item["status"] in ("proved", "unreachable")) for item in found]


USES = {
    "a read": ("x = q->a;", "q"),
    "a write": ("q->b = 1;", "q"),
    "an operation on a member": ("q->a += 1;", "q"),
    "a copy": ("pair = *q;", "q"),
    "a copy into it": ("*q = pair;", "q"),
    "bytes": ("memset(q, 0, sizeof *q);", "q"),
    "bytes that are read": ("memcpy(&pair, q, sizeof pair);", "q"),
    "an atomic operation": ("__sync_fetch_and_add(&q->a, 1);", "q"),
    "an exchange": ("__sync_lock_test_and_set(&q->a, 1);", "q"),
    "compare and swap": ("__sync_bool_compare_and_swap(&q->a, 1, 2);", "q"),
    "a lock": ("pthread_mutex_lock((pthread_mutex_t *)q);", "(pthread_mutex_t *) q"),
}


@pytest.mark.parametrize("name", USES)
def test_what_is_used_is_checked(name: str, tmp_path: Path) -> None:
    use, pointer = USES[name]
    before = checks(tmp_path, f"{use} free(q); return 0; }}")
    assert {is_proved for _, is_proved in before} == {True}
    assert f"{pointer} is still there" in dict(before)
    after = dict(checks(tmp_path, f"free(q); {use} return 0; }}"))
    assert after[f"{pointer} is still there"] is False
    assert after["q can be given back"] is True


def test_nothing_is_checked_without_being_asked_for(tmp_path: Path) -> None:
    assert not checks(tmp_path, "free(q); q->a = 1; return 0; }", "--properties", "assertion")


def test_what_is_not_of_the_heap_has_no_check(tmp_path: Path) -> None:
    assert [text for text, _ in checks(tmp_path, "p = &x; *p = 1; shared = &pair; shared->a = 2; return 0; }")] == []


GIVEN = {
    "null": ("free(0); p = __VERIFIER_nondet_int() ? malloc(4) : 0; free(p);", True),
    "the start": ("q->next = malloc(8); free(q->next);", True),
    "a variable": ("p = &x; free(p);", False),
    "the middle": ("free(&q->b);", False),
    "twice": ("free(q); free(q);", False),
    "what came from a number": ("free((void *)(long)__VERIFIER_nondet_int());", False),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_may_be_given_back(name: str, tmp_path: Path) -> None:
    text, expected = GIVEN[name]
    found = [is_proved for told, is_proved in checks(tmp_path, f"{text} return 0; }}") if "given back" in told]
    assert found
    assert all(found) is expected


def test_a_pointer_of_which_nothing_is_known_may_lead_to_what_is_gone(tmp_path: Path) -> None:
    text = "p = (int *)(long)__VERIFIER_nondet_int(); free(q); *p = 1; return 0; }"
    assert dict(checks(tmp_path, text))["p is still there"] is False


def test_memory_outside_of_the_program_may_be_given_back(tmp_path: Path) -> None:
    text = 'char *home = getenv("HOME"), *r = __VERIFIER_nondet_int() ? home : (char *)q; free(home); *r = 1;'
    assert dict(checks(tmp_path, f"{text} return 0; }}"))["r is still there"] is False


LENT = {
    "to an unknown function": ("drop(q);", False),
    "inside of something": ("pair.next = q; drop(&pair);", False),
    "and kept by it": ("drop(q); later();", False),
    "to a function of the library": ("memset(q, 0, 8);", True),
    "to nobody": ("drop(&pair);", True),
    "before it was there": ("drop(&pair); q = malloc(sizeof *q); if (!q) return 1;", True),
}


@pytest.mark.parametrize("name", LENT)
def test_what_is_unknown_may_give_back_what_it_reaches(name: str, tmp_path: Path) -> None:
    text, expected = LENT[name]
    told = dict(checks(tmp_path, f"void drop(struct own *), later(void); {text} return q->a; }}"))
    assert told["q is still there"] is expected
    trusting = ("--properties", "use-after-free", "--assume", "unknown-frees-nothing")
    assert all(
        dict(checks(tmp_path, f"void drop(struct own *), later(void); {text} return q->a; }}", *trusting)).values()
    )


LINES = """#include <stdio.h>
int main(void) { char *l = 0, *first; size_t n = 0; if (getline(&l, &n, stdin) < 0) return 1; first = l;"""


def test_the_buffer_of_getline_is_there_until_the_next_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    for text, expected in (("return *first;", True), ("getline(&l, &n, stdin); return *first;", False)):
        path.write_text(f"{LINES} {text} }}", encoding="utf-8")
        arguments = ["analyze", "--no-verify", "--properties", "use-after-free", "--format", "json", str(path)]
        found = json.loads(CliRunner().invoke(cli, arguments).stdout)["assertions"]
        assert all(it["status"] == "proved" for it in found if it["expression"].startswith("first")) is expected


@pytest.mark.parametrize(
    "call", ["q = realloc(q, 64);", "q = reallocarray(q, 2, 64);", "void *r = realloc(q, 8); q = r;"]
)
def test_what_was_given_back_is_not_given_back_again_for_more(call: str, tmp_path: Path) -> None:
    """The new object may be there, but the old one is not."""
    after = checks(tmp_path, f"free(q); {call} return 0; }}")
    assert [is_proved for _, is_proved in after] == [True, False]
