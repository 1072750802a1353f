"""Several files as one program, and programs whose calls are too many to be inlined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.clock import Clock
from duet.coarsen.analysis import analyse
from duet.errors import SourceError, UsageError
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.reading import read

HEADER = """#include <pthread.h>
struct box { int value; struct box *next; pthread_mutex_t lock; };
typedef struct { int low, high; } pair;
extern struct box box; extern pair both; extern int table[]; int add(int by); void *worker(void *u);
static inline int twice(int x) { return 2 * x; }
inline int thrice(int x) { return 3 * x; }
"""
FIRST = """#include "shared.h"
#include <assert.h>
static int hidden = 1;
int table[4];
pair both = {1, 2};
struct box box = {0, 0, PTHREAD_MUTEX_INITIALIZER};
int main(void) {
  pthread_t t; pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&box.lock); assert(box.value == 0); pthread_mutex_unlock(&box.lock);
  assert(hidden == 1); assert(twice(2) == 4); assert(thrice(2) == 6); assert(add(1) == 2);
  table[1] = 3; assert(table[1] == 3);
  assert(both.low == 1);
  assert(box.value == 0);
}
"""
SECOND = """#include "shared.h"
static int hidden = 7;
int add(int by) { return by + 1; }
void *worker(void *u) {
  struct box *b = &box; pair *p = &both;
  pthread_mutex_lock(&b->lock); b->value = hidden; b->value = 0; pthread_mutex_unlock(&b->lock);
  p->high = 5;
  return u;
}
"""


def write(folder: Path, **files: str) -> list[str]:
    (folder / "shared.h").write_text(HEADER, encoding="utf-8")
    paths = []
    for name, text in files.items():
        path = folder / f"{name}.c"
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    return paths


def test_variables_of_static_functions_of_one_name_are_told_apart(tmp_path: Path) -> None:
    made = "static int made(int *p) { int b = *p; int *q = &b; return *q + 1; }\n"
    paths = write(
        tmp_path,
        first=f"{made}int other(int *p) {{ return made(p); }}",
        second=f"{made}int other(int *p); int main(void) {{ int x = 1; return made(&x) + other(&x); }}",
    )
    program = read(tuple(paths), FrontendOptions(), Clock()).program
    places = {name: cell.span for name, cell in program.cells.items() if cell.label == "b"}
    found = {(name.partition("::")[0], span.file) for name, span in places.items() if span is not None}
    assert found == {("made@1", paths[0]), ("made@2", paths[1])}


def analyze(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["analyze", "--no-verify", *arguments, "--format", "json"])
    assert done.exit_code in (0, 1), done.output
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["status"] == "complete"
    return report


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {a["expression"]: a["status"] for a in report["assertions"]}


def codes(report: dict[str, Any]) -> set[str]:
    return {w["code"] for w in report["warnings"]}


@pytest.mark.parametrize("is_reversed", [False, True])
def test_two_files(tmp_path: Path, is_reversed: bool) -> None:
    paths = write(tmp_path, a=FIRST, b=SECOND)
    report = analyze(*(reversed(paths) if is_reversed else paths))
    found = verdicts(report) | {"box.value == 0": ""}
    assert set(found.values()) == {"", "proved"}
    locked, free = (a["status"] for a in report["assertions"] if a["expression"] == "box.value == 0")
    assert (locked, free) == ("proved", "unproved")
    assert not codes(report) & {"type-punning", "unresolved-pointer", "inconsistent-declaration"}
    assert [a["column"] for a in report["assertions"]][:2] == [34, 3]


def test_structs_of_one_name_that_differ_stay_apart(tmp_path: Path) -> None:
    paths = write(
        tmp_path,
        a="#include <assert.h>\nstruct s { int x; }; void f(void); int main(void) { struct s v = {1}; f();"
        " assert(v.x == 1); assert(sizeof v == 4); }\n",
        b="struct s { char pad[16]; int x; }; static struct s w; void f(void) { w.x = 2; }\n",
    )
    assert set(verdicts(analyze(*paths)).values()) == {"proved"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("int x = 0;", "extern long x; void f(void) { x = 1; }"),
        ("int x; void f(int *p) { *p = 1; x = 1; }", "extern int x; void f(long v); void g(void) { f(0); }"),
    ],
)
def test_declarations_that_do_not_fit_are_told(tmp_path: Path, first: str, second: str) -> None:
    paths = write(tmp_path, a=f"{first}\nint main(void) {{ }}\n", b=f"{second}\n")
    assert "inconsistent-declaration" in codes(analyze(*paths))


def test_a_header_that_is_included_by_another_way_is_the_same(tmp_path: Path) -> None:
    """A structure without a tag is one type, whatever the way to its header."""
    paths = write(tmp_path, second='#include "shared.h"\nint add(int by) { both.low = 1; return by; }\n')
    inner = tmp_path / "inner" / "first.c"
    inner.parent.mkdir()
    text = '#include "../shared.h"\npair both;\nint main(void) { add(1); pair *p = &both; return p->low; }\n'
    inner.write_text(text, encoding="utf-8")
    assert not codes(analyze(str(inner), *paths)) & {"type-punning", "unresolved-pointer", "inconsistent-declaration"}


@pytest.mark.parametrize("text", ["", "/* nothing */", "#if 0\nint x;\n#endif\n"])
def test_files_that_declare_nothing_are_left_out(text: str, tmp_path: Path) -> None:
    program = "#include <assert.h>\nint main(void) { assert(1); }\n"
    assert list(verdicts(analyze(*write(tmp_path, a=text, b=program))).values()) == ["proved"]
    assert CliRunner().invoke(cli, ["analyze", *write(tmp_path, a=text)]).exit_code == 2


SWAPPED = "struct s { int b, a; };"
STRUCT = "struct s { int a, b; };"
RETURNED = f"{SWAPPED} struct s v = {{0, 1}}; struct s f(void) {{ return v; }}"
SEEN_OTHERWISE = {
    "members in another order": (f"{STRUCT} extern struct s g;", "g.a == 0", f"{SWAPPED} struct s g = {{.b = 1}};"),
    "behind a pointer": (f"{STRUCT} extern struct s *p;", "p->a == 0", f"{SWAPPED} struct s g = {{1, 0}}, *p = &g;"),
    "a number with a sign": ("extern unsigned n;", "n / 2 <= 1073741823", "int n = -1;"),
    "a longer number": ("extern long n;", "n < 3000000000", "int n, m = 1;"),
    "rows of another length": ("extern int t[][3];", "t[1][0] == 4", "int t[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};"),
    "a longer argument": ("int f(int);", "f(-1) == 1", "int f(long x) { return x == -1; }"),
    "an argument with a fraction": ("int f(double);", "f(1) == 1", "int f(int x) { return x == 1; }"),
    "a truth": ("int f(int);", "f(256) == 1", "int f(_Bool x) { return x; }"),
    "a struct": (f"{STRUCT} int f(struct s);", "f((struct s){1}) == 1", SWAPPED + " int f(struct s x) { return x.a; }"),
    "a struct returned": (f"{STRUCT} struct s f();", "f().a == 1", RETURNED),
    "no result": ("int f(void);", "f() == 0", "void f(void) { }"),
    "a longer result": ("int f();", "f() == 1L << 32", "long f(void) { return 1L << 32; }"),
    "a shorter result": ("int f(void);", "f() == 300", "short f(void) { return 300; }"),
}  # fmt: skip


@pytest.mark.parametrize("case", SEEN_OTHERWISE)
def test_what_files_see_otherwise_is_not_what_the_definition_says(case: str, tmp_path: Path) -> None:
    declared, claim, defined = SEEN_OTHERWISE[case]
    text = f"#include <assert.h>\n{declared}\nint main(void) {{ assert({claim}); }}\n"
    report = analyze(*write(tmp_path, a=text, b=f"{defined}\n"))
    assert "inconsistent-declaration" in codes(report)
    assert set(verdicts(report).values()) == {"unproved"}


@pytest.mark.parametrize(
    ("call", "defined", "verdict"),
    [
        ("((int (*)(int))f)(-1)", "long x) { return x == -1", "unproved"),
        ("q(-1)", "long x) { return x == -1", "unproved"),
        ("q(300)", "unsigned char x) { return x == 44", "proved"),
        ("q(300)", "unsigned x) { return x == 300", "proved"),
    ],
)
def test_a_function_that_is_called_as_another_type(call: str, defined: str, verdict: str, tmp_path: Path) -> None:
    text = f"int f({defined}; }} static int (*q)(int) = (int (*)(int))f;"
    report = analyze(*write(tmp_path, a=f"#include <assert.h>\n{text}\nint main(void) {{ assert({call} == 1); }}\n"))
    assert set(verdicts(report).values()) == {verdict}


def test_two_definitions_are_an_error(tmp_path: Path) -> None:
    paths = write(tmp_path, a="int f(void) { return 1; } int main(void) { }\n", b="int f(void) { return 2; }\n")
    done = CliRunner().invoke(cli, ["analyze", *paths])
    assert done.exit_code == 2
    assert "b.c:1:5: error: 'f' is defined twice" in done.output


WEAK = "__attribute__((weak))"
SAME_TEXT = {
    "a constant": ("enum { N = 1 };", "enum { N = 2 };", "inline int f(void) { return N; }", "f() == 1"),
    "a type": ("typedef char T;", "typedef short T;", f"{WEAK} int f(void) {{ return (T)300; }}", "f() == 44"),
    "a size": (STRUCT, "struct s { int a; };", f"{WEAK} int f(void) {{ return sizeof(struct s); }}", "f() == 8"),
    "members in another order": (STRUCT, SWAPPED, f"{WEAK} int f(struct s *p) {{ return p->a; }}", "f != 0"),
    "own objects": ("static int n = 1;", "static int n = 2;", f"{WEAK} int f(void) {{ return n; }}", "f() == 1"),
    "an own function": ("static int g(void) { return 1; }", "static int g(void) { return 2; }",
                        f"{WEAK} int f(void) {{ return g(); }}", "f() == 1"),
    "a parameter": ("typedef int T;", "typedef char T;", f"{WEAK} int f(T x) {{ return x; }}", "f(300) == 300"),
    "a result": ("typedef int T;", "typedef char T;", f"{WEAK} T f(void) {{ return 300; }}", "f() == 300"),
    "a value": ("typedef char T;", "typedef short T;", f"{WEAK} int x = (T)300;", "x == 44"),
    "a value of an enumeration": ("enum { N = 1 };", "enum { N = 2 };", f"{WEAK} int x = N;", "x == 1"),
    "an object of another type": ("typedef int T;", "typedef char T;", f"{WEAK} T x = 300;", "x == 300"),
    "an address": ("static int n;", "static int n;", f"{WEAK} int *x = &n;", "x == &n"),
}  # fmt: skip


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("case", SAME_TEXT)
def test_definitions_of_one_text_that_mean_another_thing_are_an_error(
    case: str, is_reversed: bool, tmp_path: Path
) -> None:
    here, there, defined, claim = SAME_TEXT[case]
    text = f"#include <assert.h>\n{here}\n{defined}\nint main(void) {{ assert({claim}); }}\n"
    paths = write(tmp_path, a=text, b=f"{there}\n{defined}\n")
    done = CliRunner().invoke(cli, ["analyze", *(reversed(paths) if is_reversed else paths)])
    assert done.exit_code == 2
    assert "defined twice" in done.output or "is not known" in done.output


@pytest.mark.parametrize("case", SAME_TEXT)
def test_definitions_of_one_text_that_mean_the_same_are_one(case: str, tmp_path: Path) -> None:
    here, _, defined, claim = SAME_TEXT[case]
    shared = here.replace("static", "extern").replace(" = 1;", ";").replace("{ return 1; }", ";")
    text = f"#include <assert.h>\n{shared}\n{defined}\nint main(void) {{ assert({claim}); }}\n"
    paths = write(tmp_path, a=f"{here.replace('static', '')}\n{defined}\n", b=text)
    assert set(verdicts(analyze(*paths)).values()) == {"proved"}


WITH_BODIES = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s { int x; char name[8]; struct s *next; };
typedef int (*compared)(const void *, const void *);
static inline int own(struct s *p) { return p->x; }
inline int by_x(const void *a, const void *b) { const struct s *p = a, *q = b; return own((struct s *)p) - q->x; }
inline int all(struct s *p, int n, compared by) {
  static const char *const names[] = { "a", "b" };
  struct s one = { .x = 1, .name = "abc" };
  int i, t[n + 1];
  for (i = 0; i < n; i++) { t[i] = p[i].x; if (p[i].next) continue; else printf("%d\\n", t[i]++ + own(p)); }
  qsort(p, n, sizeof *p, by ? by : by_x);
  switch (n) { case 1: goto out; default: { int i = 4; one.x += i; } }
  do i--; while (i > 0 && one.x);
  one = (struct s){ .x = 4 };
out:
  return strcmp(one.name, names[0]) == 0 && _Generic(i, int: 1, default: 0);
}
"""


def test_inline_functions_of_a_header_mean_the_same(tmp_path: Path) -> None:
    (tmp_path / "all.h").write_text(WITH_BODIES, encoding="utf-8")
    paths = write(
        tmp_path,
        a='#include "all.h"\n#include <assert.h>\nextern int all(struct s *, int, compared); int other(void);\n'
        "int main(void) { struct s t[3] = { { 1 } }; assert(own(t) == 1); return all(t, 3, by_x) + other(); }",
        b='#include <errno.h>\n#include "all.h"\nint other(void) { struct s t = { 1 }; return all(&t, 1, 0) + errno; }',
    )
    assert verdicts(analyze(*paths)) != {}


def test_compilation_database(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "level.h").write_text("#define MORE 2\n", encoding="utf-8")
    (tmp_path / "forced.h").write_text("#define FORCED 3\n", encoding="utf-8")
    text = (
        '#include <assert.h>\n#include "level.h"\n#ifdef GONE\n#error gone\n#endif\nint f(void);\n'
        "int main(void) { assert(LEVEL + MORE + FORCED == 6); assert(f() == 9); }\n"
    )
    (tmp_path / "src" / "a.c").write_text(text, encoding="utf-8")
    (tmp_path / "src" / "b.c").write_text("int f(void) { return LEVEL; }\n", encoding="utf-8")
    database = [
        {"directory": "src", "file": "a.c", "command": "cc -DLEVEL=1 -DGONE -UGONE -I../inc -include ../forced.h a.c"},
        {"directory": str(tmp_path / "src"), "file": "b.c", "arguments": ["cc", "-D", "LEVEL=9", "-std=gnu99", "b.c"]},
        {"directory": ".", "file": "other.cpp", "arguments": ["c++", "other.cpp"]},
    ]
    path = tmp_path / "compile_commands.json"
    path.write_text(json.dumps(database), encoding="utf-8")
    for given in (["--compile-commands", str(tmp_path)], [str(path)], ["--compile-commands", str(path)]):
        assert set(verdicts(analyze(*given, "--only", "*.c")).values()) == {"proved"}
    with pytest.raises(UsageError, match="is not C; choose the C files with --only"):
        cli(["analyze", str(path)], standalone_mode=False)


def test_what_other_options_say_to_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "more").write_text("-DFILE=6 -Xpreprocessor -DPASSED=7", encoding="utf-8")
    sanitizers = "-fsanitize=undefined,address"
    options = ["-O2", "-pthread", "-Wp,-DLIMIT=5,-MD", "@more", "-Wall", "-g", "--define-macro=LONG=8", sanitizers]
    names = (
        "__OPTIMIZE__",
        "_REENTRANT",
        "LIMIT == 5",
        "LONG == 8",
        "__SANITIZE_ADDRESS__",
        "FILE == 6",
        "PASSED == 7",
        "linux",
        "!__STRICT_ANSI__",
    )
    tests = " && ".join(names)
    text = f"#include <assert.h>\n#define __STRICT_ANSI__ 0\nint main(void) {{\n#if {tests}\nint x = 1;\n"
    (path,) = write(tmp_path, a=f"{text}#else\nint x = 0;\n#endif\nassert(x == 1); }}\n")
    database = [{"directory": ".", "file": path, "arguments": ["gcc", *options, "-c", path]}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    assert set(verdicts(analyze("--compile-commands", str(tmp_path))).values()) == {"proved"}


def test_a_database_says_how_wide_pointers_are(tmp_path: Path) -> None:
    (path,) = write(tmp_path, a="int main(void) { assert(sizeof(void *) == 4 && (long)0x80000000u < 0); return 0; }\n")
    database = [{"directory": ".", "file": path, "arguments": ["gcc", "-m32", "-c", path]}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    assert set(verdicts(analyze("--compile-commands", str(tmp_path))).values()) == {"proved"}


@pytest.mark.parametrize(
    "option", ["-funsigned-char", "--unsigned-char", "-trigraphs", "-mx32", "-Wp,-imacros,x.h", "@none"]
)
def test_options_that_change_what_c_means_are_refused(tmp_path: Path, option: str) -> None:
    (path,) = write(tmp_path, a="int main(void) { return 0; }\n")
    database = [{"directory": ".", "file": path, "arguments": ["gcc", option, "-c", path]}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    with pytest.raises(SourceError, match=r"compile_commands.json:1:\d+: error"):
        cli(["analyze", "--compile-commands", str(tmp_path)], standalone_mode=False)


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("{}", [], "is a list of objects"),
        ("[", [], "cannot read this compilation database"),
        ("[]", ["--only", "x.c"], "no file matches x.c"),
        (None, [], "cannot read this compilation database"),
    ],
)
def test_databases_that_cannot_be_used(tmp_path: Path, content: str | None, arguments: list[str], message: str) -> None:
    path = tmp_path / "compile_commands.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises((SourceError, UsageError), match=message):
        cli(["analyze", "--compile-commands", str(path), *arguments], standalone_mode=False)


def tree(depth: int) -> str:
    """A program in which a call of `f0` makes two to the power of `depth` calls of the last function."""
    functions = [f"static void f{depth}(int x) {{ g = x; g = 0; }}"]
    functions += [f"static void f{i}(int x) {{ f{i + 1}(x); f{i + 1}(x + 1); }}" for i in reversed(range(depth))]
    checks = "h = 3; f0(1); assert(h == 3); assert(g == 0); g = 1; f0(2); assert(g == 1);"
    return "#include <assert.h>\nint g, h;\n" + "\n".join(functions) + f"\nint main(void) {{ {checks} }}\n"


def test_a_million_calls(tmp_path: Path) -> None:
    (path,) = write(tmp_path, a=tree(20))
    report = analyze(path, "--domain", "interval")
    assert verdicts(report) == {"h == 3": "proved", "g == 0": "proved", "g == 1": "unproved"}
    assert "inline-budget" in codes(report)
    assert report["stats"]["commands"] < 10_000


@pytest.mark.parametrize(("small", "status"), [(100, "proved"), (3, "unproved")])
def test_small_functions_have_a_copy_for_each_call(tmp_path: Path, small: int, status: str) -> None:
    text = """#include <assert.h>
int g;
static int clamped(int x) { if (x < 0) return 0; if (x > 9) return 9; return x; }
int main(void)
{
    int low = clamped(g) + 1;
    int high = clamped(g + 40) + clamped(g - 40);
    assert(low <= 10);
    assert(clamped(12) == 9);
    return high;
}
"""
    (path,) = write(tmp_path, a=text)
    budgets = Budgets(program_commands=2, inlined_commands_if_large=1, small_commands=small)
    found = read((path,), FrontendOptions(budgets=budgets), Clock())
    analysis = analyse(found.program, AnalysisOptions(domain="interval"))
    statuses = {check.expression: str(analysis.status_of(check)) for check in analysis.fixpoints[0].verdicts}
    assert statuses == {"low <= 10": "proved", "clamped(12) == 9": status}


def test_mutual_recursion(tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\nint depth, h;\nstatic void odd(int n);\n"
        "static void even(int n) { depth++; if (n > 0) odd(n - 1); }\n"
        "static void odd(int n) { if (n > 0) even(n - 1); }\n"
        "int main(void) { h = 3; even(__VERIFIER_nondet_int()); assert(h == 3); assert(depth == 1); }\n"
    )
    report = analyze(*write(tmp_path, a=text))
    found = verdicts(report)
    assert found["h == 3"] == "proved"
    assert found["depth == 1"] == "unproved"
    assert "recursion" in codes(report)
