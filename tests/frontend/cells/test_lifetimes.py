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


OF_LIBRARIES = """
#include <dirent.h>
#include <netdb.h>
#include <search.h>
#include <semaphore.h>
#include <stdio.h>
struct own *lib_new(void); void lib_free(struct own *);
static int compared(const void *a, const void *b) { return 0; }
static int of_library(void) { void *heap = malloc(1); free(heap);
"""
GONE = {
    "a stream in memory": (
        "char *t = 0; size_t n; FILE *f = open_memstream(&t, &n); if (!f) return 0; fflush(f); "
        "char *old = t; x = *old;",
        "",
    ),
    "a directory": (
        'DIR *d = opendir("/"); struct dirent *e = d ? readdir(d) : 0; if (!e) return 0; @ x = e->d_name[0];',
        "closedir(d);",
    ),
    "addresses": (
        'struct addrinfo *r = 0; if (getaddrinfo("a", 0, 0, &r)) return 0; @ x = r->ai_family;',
        "freeaddrinfo(r);",
    ),
    "a node of a tree": (
        "void *root = 0; int **n = tsearch(&x, &root, compared); if (!n) return 0; "
        "tdelete(&x, &root, compared); x = **n;",
        "",
    ),
    "a named semaphore": (
        'sem_t *s = sem_open("a", 0); if (s == SEM_FAILED) return 0; @ sem_post(s);',
        "sem_close(s);",
    ),
    "what an unknown function gave": ("struct own *o = lib_new(); if (!o) return 0; @ x = o->a;", "lib_free(o);"),
}


CALLED = ("--properties", "use-after-free", "--entries", "of_library")


@pytest.mark.parametrize("name", GONE)
def test_memory_of_libraries_may_be_given_back(name: str, tmp_path: Path) -> None:
    use, back = GONE[name]
    after = checks(tmp_path, "return 0; }" + OF_LIBRARIES + use.replace("@", back) + "return x; }", *CALLED)
    assert not all(is_proved for _, is_proved in after)
    before = checks(tmp_path, "return 0; }" + OF_LIBRARIES + use.replace("@", "") + "return x; }", *CALLED)
    assert all(is_proved for _, is_proved in before) or not back


MANY = "for (; x < 99; x++) { struct own *r = malloc(sizeof *r); if (r) { r->next = shared; shared = r; } }"
GIVEN = {
    "null": ("free(0); p = __VERIFIER_nondet_int() ? malloc(4) : 0; free(p);", True),
    "the start": ("q->next = malloc(8); free(q->next);", True),
    "a variable": ("p = &x; free(p);", False),
    "one of many": (f"{MANY} free(shared);", True),
    "the middle": ("free(&q->b);", False),
    "twice": ("free(q); free(q);", False),
    "what came from a number": ("free((void *)(long)__VERIFIER_nondet_int());", False),
}


NEVER_GIVEN = {
    "a variable": "p = &x; p = realloc(p, 8);",
    "an array": "char b[4], *r = b; r = realloc(r, 8);",
    "a string of the library": 'char *r = getenv("A"); r = realloc(r, 8);',
    "such a string, as it is": "free(strerror(1));",
    "the array of arguments": "free(argv);",
    "memory of the stack": "p = __builtin_alloca(8); free(p);",
    "memory of the stack, for more": "p = __builtin_alloca(8); p = realloc(p, 16);",
    "the middle of what was more": "char *r = realloc(0, 9); if (r) free(r + 1);",
    "a member": "struct own *r = realloc(0, sizeof *r); if (r) free(&r->b);",
    "a member of one of many": f"{MANY} if (shared) free(&shared->b);",
    "behind one of many": f"{MANY} free(shared + 1);",
    "what was moved before": "char *r = realloc(0, 9); if (r) { r++; r = realloc(r, 10); }",
}


def test_what_may_not_be_given_back(tmp_path: Path) -> None:
    parts = [f"case {turn}: {{ {text} break; }}" for turn, text in enumerate(NEVER_GIVEN.values())]
    path = tmp_path / "program.c"
    start = START.replace("main(void)", "main(int argc, char **argv)")
    path.write_text("\n".join((start, "switch (__VERIFIER_nondet_int()) {", *parts, "} return 0; }")), encoding="utf-8")
    arguments = ["analyze", "--no-verify", "--properties", "use-after-free", "--format", "json", str(path)]
    found = json.loads(CliRunner().invoke(cli, arguments).stdout)["assertions"]
    first = start.count("\n") + 3
    open_lines = {item["line"] - first for item in found if item["status"] == "unproved"}
    assert [name for turn, name in enumerate(NEVER_GIVEN) if turn not in open_lines] == []


STACK = """
struct pair { int a, b; }; char *kept; jmp_buf back; int __VERIFIER_nondet_int(void);
char *give(void) { char *p = alloca(8); *p = 0; return p; } // SAFE
struct pair copy(void) { struct pair *p = alloca(sizeof *p); p->a = 1; return *p; } // SAFE
char *align(void) { return __builtin_alloca_with_align(8, 64); }
void keep(void) { kept = alloca(4); kept[0] = 1; } // SAFE
void twice(char *p) { char *own = alloca(4); if (p) *p = 2; else twice(own); } // SAFE
void in_loop(void) { char *first = 0, *p; for (int i = 0; i < 3; i++) { p = alloca(4); if (!first) first = p; }
  *first = *p = 1; } // SAFE
void *work(void *a) { char *p = alloca(4); *p = 1; return p; } // SAFE
void *leave(void *a) { kept = alloca(4); pthread_exit(0); }
void jump(void) { kept = alloca(4); longjmp(back, 1); }
int main(void) {
  pthread_t t; void *r;
  switch (__VERIFIER_nondet_int()) {
  case 0: kept = give(); *kept = 1; break; // UNSAFE!
  case 1: return copy().a;
  case 2: keep(); kept[1] = 2; break; // UNSAFE!
  case 3: twice(0); in_loop(); break;
  case 4: if (pthread_create(&t, 0, work, 0)) return 1; pthread_join(t, &r); *(char *)r = 1; break; // UNSAFE!
  case 5: if (pthread_create(&t, 0, leave, 0)) return 1; pthread_join(t, &r); *kept = 1; break; // UNSAFE!
  case 7: kept = align(); *kept = 1; break; // UNSAFE!
  case 6: if (setjmp(back)) *kept = 1; else jump(); break; // UNSAFE!
  } return 0; }
"""


def test_memory_of_the_stack_is_there_until_its_function_ends(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    text = "".join(f"#include <{name}.h>\n" for name in ("alloca", "setjmp", "pthread")) + STACK
    path.write_text(text, encoding="utf-8")
    arguments = ["analyze", "--no-verify", "--domain=interval", "--properties", "use-after-free", "--format", "json"]
    found = json.loads(CliRunner().invoke(cli, [*arguments, str(path)]).stdout)["assertions"]
    told = {line: {it["status"] for it in found if it["line"] == line} for line in {it["line"] for it in found}}
    for line, written in enumerate(text.splitlines(), 1):
        if "// " in written:
            assert (told[line] == {"proved"}) is written.endswith("// SAFE"), written


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


MOVED_BACK = {
    "freed": "char *r = realloc(q, 9); if (!r) return 1; r += 4; free(r - 4);",
    "freed by its end": "char *r = realloc(q, 9); if (!r) return 1; r += 2; for (x = 0; x < 2; x++) r--; free(r);",
    "for more": """struct own *r = realloc(q, 9 * sizeof *r); if (!r) return 1; int *b = &r->b; *b = 2;
        r = (struct own *)((char *)b - sizeof(int)); r = realloc(r, 99);""",
    "found by a global": "shared = realloc(q, 64); if (!shared) return 1; shared++; free(--shared);",
}


@pytest.mark.parametrize("name", MOVED_BACK)
def test_what_is_moved_back_to_its_start_may_be_given_back(name: str, tmp_path: Path) -> None:
    """Such a pointer to what `realloc` gave leads anywhere in it, as far as is known: what follows is reached."""
    found = checks(tmp_path, f"{MOVED_BACK[name]} __VERIFIER_assert(0); }}", "--properties", "use-after-free,assertion")
    assert found[-1] == ("0", False)
