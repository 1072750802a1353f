"""What checks need, in the words of the source: no temporaries, no addresses, no bounds that a type has anyway."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from domains.values import number
from duet.coarsen.needed import number_words, pointer_text
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.result import Assertion, CauseKind

PROPERTIES = ("array-bounds", "overflow", "division-by-zero", "null-dereference")


def open_checks(text: str, tmp_path: Path) -> dict[str, Assertion]:
    """The open checks of a C program, by what they check."""
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    job = Job((str(path),), FrontendOptions(properties=PROPERTIES), AnalysisOptions(engine="bitset"))
    found = [a for a in perform(job, lambda _: None).assertions if not a.status.is_safe]
    return {f"{a.check.property_name} {a.check.expression}": a for a in found}


def test_an_index_is_told_with_its_array_and_the_side_that_is_missing(tmp_path: Path) -> None:
    found = open_checks(
        "int ask(void); int a[5];\n"
        "int main(void) {\n  int i = ask();\n  a[i] = 1;\n  if (i > 2) a[i + 1] = 3;\n  a[i - 1]++;\n}",
        tmp_path,
    )
    first, second, third = (found[f"array-bounds a[{text}"] for text in ("i]", "i + 1]", "i - 1]"))
    assert (first.must, first.invariant, first.missing) == ("0 <= i < 5", "", "0 <= i < 5")
    assert (second.must, second.invariant, second.missing) == ("0 <= i + 1 < 5", "i == 4", "i + 1 < 5")
    assert (third.must, third.missing) == ("0 <= i - 1 < 5", "i - 1 >= 0")
    assert first.cause is not None
    assert (first.cause.kind, first.cause.line) == (CauseKind.INPUT, 3)


def test_factors_and_constants_of_an_index_do_not_change_the_length(tmp_path: Path) -> None:
    found = open_checks(
        "int ask(void); int a[10];\nint main(void) {\n"
        "  int i = ask(), j = ask(), k = ask(); a[2 * i] = 1; a[10 - j] = 2; a[k + k + 1] = 3; }",
        tmp_path,
    )
    indices = [a.must for name, a in found.items() if name.startswith("array-bounds")]
    assert indices == ["0 <= 2 * i < 10", "0 <= 10 - j < 10", "0 <= (k + k) + 1 < 10"]


def test_a_pointer_is_told_without_addresses(tmp_path: Path) -> None:
    found = open_checks(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n"
        "  int *p = malloc(4 * sizeof *p), *q = 0;\n  p[argc] = 3;\n  if (argc > 1) *q = 2;\n}",
        tmp_path,
    )
    p, q = found["null-dereference p != 0"], found["null-dereference q != 0"]
    assert "may be null" in p.invariant
    assert p.cause is not None
    assert (p.cause.kind, p.cause.text, p.cause.line) == (CauseKind.VALUE, "this allocation may fail", 3)
    assert (q.invariant, q.is_certain) == ("q is null", True)
    assert q.cause is not None
    assert q.cause.text == "a null pointer gets here"
    bounds = next(a for name, a in found.items() if name.startswith("array-bounds p[argc]"))
    assert bounds.must == "p[argc] lies inside of its object"


def test_where_an_argument_of_the_library_is_null_is_told(tmp_path: Path) -> None:
    found = open_checks(
        "#include <unistd.h>\nstatic char *name;\nint main(int argc, char **argv) {\n"
        "  if (argc > 1) name = argv[1];\n  return access(name, F_OK);\n}",
        tmp_path,
    )["null-dereference name != 0"]
    assert found.cause is not None
    assert (found.cause.text, found.cause.line) == ("name is 0 at the start", 2)


def test_what_macros_make_is_told_as_it_is_written(tmp_path: Path) -> None:
    found = open_checks(
        "#include <string.h>\n"
        "#define COPY(to, from, size) ({ unsigned long __duet_size = (size); memcpy(to, from, __duet_size); })\n"
        "int ask(void); char to[4], from[9];\nint main(void) {\n  COPY(to, from, ask() & 7);\n}",
        tmp_path,
    )
    copied = found["array-bounds COPY(to, from, ask() & 7)"]
    assert copied.must == "what COPY(to, from, ask() & 7) accesses lies inside of its object"
    assert "__duet" not in f"{copied.missing} {copied.invariant}"


def test_a_pointer_that_was_moved_is_told_so(tmp_path: Path) -> None:
    found = open_checks("int ask(void); int a[4];\nint main(void) {\n  int *p = a + ask(); *p = 1; }", tmp_path)
    known = [a.invariant for a in found.values() if a.check.property_name == "array-bounds"]
    assert known == ["p may be null, leads to a, was moved"]


def test_operators_are_told_by_what_they_need(tmp_path: Path) -> None:
    found = open_checks(
        "int ask(void);\nint main(void) {\n"
        "  int i = ask(), j = ask(), k; k = i + j + 5; k = 7 / i; k = 1 << j; k = 3 * i; return k; }",
        tmp_path,
    )
    assert found["overflow i + j"].must == "-2147483648 <= i + j <= 2147483647"
    assert found["overflow (i + j) + 5"].must == "(i + j) + 5 fits its type"
    assert found["overflow 3 * i"].must == "-2147483648 <= 3 * i <= 2147483647"
    assert found["division-by-zero 7 / i"].must == "i != 0"
    assert found["overflow 1 << j"].must == "0 <= j <= 31"


def test_no_words_of_the_analysis_are_shown(tmp_path: Path) -> None:
    found = open_checks(
        "struct job { int n; char *text; int tab[4]; struct job *next; } *head;\n"
        "#include <stdlib.h>\nchar *find(int);\n"
        "int main(int argc, char **argv) {\n  for (int i = 0; i < argc; i++) {\n"
        "    struct job *j = malloc(sizeof *j);\n    j->text = argv[i]; j->n = i; j->next = head; head = j;\n"
        "    j->text[0] = 'x'; j->tab[j->n] = 2;\n  }\n  char *f = find(3);\n  f[2] = 3;\n}",
        tmp_path,
    )
    assert found
    for assertion in found.values():
        told = " ".join((assertion.must, assertion.invariant, assertion.missing, assertion.reason))
        told += " ".join(f"{note.cell} {note.text}" for note in assertion.flows)
        assert "$" not in told
        assert "4096" not in told
        assert "18446744073709551615" not in told
        assert assertion.cause is not None
        assert "$" not in assertion.cause.text


def test_null_pointers_that_stand_in_the_source_have_no_name(tmp_path: Path) -> None:
    found = open_checks(
        "#include <string.h>\n#include <stdlib.h>\nstruct s { char *a; };\n"
        "int main(int argc, char **argv) { struct s *p = malloc(sizeof *p); if (!p) return 1;\n"
        '  p->a = malloc(4); strcpy(p->a, "abc");\n  if (argc > 7) return (int)strlen(NULL); }',
        tmp_path,
    )
    written = found["null-dereference (void *) 0 != 0"]
    assert (written.must, written.invariant) == ("no null pointer is passed here", "")
    assert found["null-dereference p->a != 0"].invariant.startswith("p->a may be null")


def test_numbers_in_words() -> None:
    def words(lo: int, hi: int) -> list[str]:
        found = number.of_bounds(lo, hi)
        assert found is not None
        return list(number_words("n", found))

    assert words(3, 3) == ["n == 3"]
    assert words(0, 100) == ["0 <= n <= 100"]
    assert words(-2147483648, 2147483647) == []
    assert words(0, 18446744073709551615) == []


def test_where_a_pointer_leads_is_told_without_marks_and_numbers_of_literals(tmp_path: Path) -> None:
    found = open_checks(
        "static int first(const char *p) { return *p; }\n"
        'int main(int argc, char **argv) { const char *p = argc > 1 ? "abc" : argc > 2 ? "de" : 0;\n'
        "  if (p) p += argc;\n  return first(p); }",
        tmp_path,
    )
    assert found["null-dereference p != 0"].invariant == "p may be null, leads to a string literal, was moved"


def test_what_is_known_at_races_has_no_addresses(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "#include <pthread.h>\nstatic const char *name; static int x;\n"
        "static void *run(void *a) { x = 1; return a; }\n"
        'int main(int argc, char **argv) { pthread_t t; if (argc > 1) name = "abc";\n'
        "  pthread_create(&t, 0, run, 0); if (name) x = 2; pthread_join(t, 0); return 0; }",
        encoding="utf-8",
    )
    job = Job((str(path),), FrontendOptions(properties=("data-race",)), AnalysisOptions(engine="bitset"))
    (race,) = [a for a in perform(job, lambda _: None).assertions if not a.status.is_safe]
    assert "name" not in race.invariant
    assert all("name" not in access.known for access in race.accesses)


def test_what_is_called_may_be_null_and_is_no_number(tmp_path: Path) -> None:
    found = open_checks(
        "#include <stdlib.h>\nint ask(void); static int f(int a) { return a; }\n"
        "struct client { int id; int (*call)(int); };\nstruct bus { int n; struct client *clients; };\n"
        "int main(void) {\n  struct bus *b = malloc(sizeof *b); if (!b) return 1;\n"
        "  b->clients = calloc(4, sizeof *b->clients); b->n = 4;\n"
        "  for (int i = 0; i < 4; i++) { struct client *c = &b->clients[i];\n"
        "    if (ask()) c->call = f; c->call(c->id);\n"
        "  }\n}",
        tmp_path,
    )
    told = {a.invariant for name, a in found.items() if name.startswith("null-dereference")}
    assert told, found.keys()
    pointers = [re.sub(r"\[\d+\]", "", text.partition(",")[0]) for text in told]  # without numbers of elements
    assert all("may be null" in text and not any(map(str.isdigit, text)) for text in pointers)


def test_what_is_kept_of_a_lock_has_the_name_of_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "#include <pthread.h>\n#include <stdlib.h>\nint ask(void); struct s { pthread_mutex_t m; int n; } *s;\n"
        "void *run(void *p) { pthread_mutex_lock(&s->m); s->n++; pthread_mutex_unlock(&s->m); return p; }\n"
        "int main(void) {\n  pthread_t t; s = calloc(1, sizeof *s); if (!s) return 1;\n"
        "  pthread_mutex_init(&s->m, 0); pthread_create(&t, 0, run, 0);\n"
        "  pthread_create(&t, 0, run, 0); s->n = 1;\n  if (ask()) pthread_mutex_destroy(&s->m);\n  s->n = 2;\n}\n",
        encoding="utf-8",
    )
    job = Job((str(path),), FrontendOptions(properties=("data-race",)), AnalysisOptions(domain="interval"))
    told = [a.invariant for a in perform(job, lambda _: None).assertions if not a.status.is_safe]
    assert any("destructions of (memory from p.c:6).m" in text for text in told)
    assert not any("heap" in text or "calloc" in text for text in told)


def test_an_assertion_tells_pointers_as_such_and_numbers_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "#include <assert.h>\n#include <stdlib.h>\nint ask(void);\n"
        "int main(void) {\n  int n = ask(), *p = malloc(4), *q = ask() ? &n : p; if (n) return 1;\n"
        "  assert(q); assert(n == ask()); int r = ask(); assert(r != 4);\n}\n",
        encoding="utf-8",
    )
    job = Job((str(path),), FrontendOptions(properties=("assertion",)), AnalysisOptions(engine="bitset"))
    told = [a.invariant for a in perform(job, lambda _: None).assertions if not a.status.is_safe]
    assert told[0].startswith("q may be null, leads to ")
    assert "null" not in told[1]
    assert "null" not in told[2]


@pytest.mark.parametrize("excluded", ["0", "MAP_FAILED", "(void *)-1"])
def test_a_check_of_a_pointer_names_it(excluded: str) -> None:
    assert pointer_text(f"box->rows[i != 0] != {excluded}") == "box->rows[i != 0]"
