"""Parsing: places as the user wrote them, GNU furniture, old C, and errors with a place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pycparser import c_ast, c_generator

from duet.errors import SourceError, Unsupported
from duet.frontend.source.parse import ParsedUnit, parse
from duet.frontend.source.preprocess import TOOLS, preprocess
from duet.options import FrontendOptions

OPTIONS = FrontendOptions()
INSTALLED = tuple(tool for tool in TOOLS if tool == "pcpp" or shutil.which(tool))


def unit(text: str) -> ParsedUnit:
    return parse(text, "input.c", OPTIONS)


def calls(root: c_ast.Node, name: str) -> list[c_ast.FuncCall]:
    """The calls of a function below a node, in order."""
    found = [root] if isinstance(root, c_ast.FuncCall) and getattr(root.name, "name", "") == name else []
    return found + [call for _, child in root.children() for call in calls(child, name)]


def declarations(root: c_ast.Node) -> list[c_ast.Decl]:
    found = [root] if isinstance(root, c_ast.Decl) else []
    return [*found, *(decl for _, child in root.children() for decl in declarations(child))]


def declaration(parsed: ParsedUnit, name: str) -> str:
    """The text of a declaration at file scope."""
    found = [node for node in parsed.ast.ext if isinstance(node, c_ast.Decl) and node.name == name]
    return str(c_generator.CGenerator().visit(found[0]))


@pytest.mark.parametrize("tool", INSTALLED)
def test_places_through_macros_and_blanks(tmp_path: Path, tool: str) -> None:
    path = tmp_path / "input.c"
    path.write_text(
        "#include <assert.h>\n#define LIMIT 10\n#define CHECK(x) assert((x) < LIMIT)\nint a,   b;\nvoid f(void)\n{\n"
        "\tassert(a < LIMIT);   assert(b   == a);\n  if (a)  CHECK(b); assert(LIMIT);\n}\n"
    )
    parsed = parse(preprocess(str(path), OPTIONS, tool).text, str(path), OPTIONS)
    found = calls(parsed.ast, "assert")
    spans = [parsed.span(call.coord) for call in found]
    assert [(span.line, span.column) for span in spans] == [(7, 2), (7, 23), (8, 11), (8, 21)]
    assert {span.file for span in spans} == {str(path)}
    assert [written.arguments for call in found if (written := parsed.written_call(call.coord))] == [
        "a < LIMIT",
        "b == a",
        "b",
        "LIMIT",
    ]


def test_line_markers_of_a_preprocessed_file() -> None:
    parsed = unit('# 1 "a\\\\b.c"\nvoid f(void) {\n# 40 "other.c" 2\n  assert(1); }\n')
    span = parsed.span(calls(parsed.ast, "assert")[0].coord)
    assert (span.file, span.line, span.column) == ("other.c", 40, 3)


def test_gnu_furniture_is_skipped() -> None:
    parsed = unit(
        'static __inline__ __attribute__((noreturn, aligned(8))) void f(int *__restrict p) __asm__("other");\n'
        "__extension__ typedef struct { int x; } s __attribute__((packed));\n"
        "__signed__ char c; __const int k = 1; __builtin_va_list l; __int128 big; _Float128 w;\n"
        '_Atomic(int) i; _Atomic int j; _Static_assert(1, "fine"); [[maybe_unused]] int m;\n'
        "unsigned long o = __builtin_offsetof(s, x); int g(int t) { return __builtin_expect(!!(t), 0); }\n"
        "const char *h(void) { return __func__; } _Noreturn void stop(void);\n#pragma GCC ivdep\nint last;\n"
    )
    assert parsed.warnings == ()
    assert declaration(parsed, "c") == "signed char c"
    assert "offsetof" in declaration(parsed, "o")
    assert calls(parsed.ast, "__builtin_expect") == []
    assert declaration(parsed, "last") == "int last"
    modes = unit("int a __attribute__((__mode__(__QI__))); unsigned int b __attribute__((mode(DI)));")
    assert (declaration(modes, "a"), declaration(modes, "b")) == ("signed char a", "unsigned long b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unsigned long w __attribute__((mode(TI)));", "unsigned __int128 w"),
        ("unsigned w __attribute__((mode(DI)));", "unsigned long w"),
        ("long long int w __attribute__((mode(SI)));", "int w"),
        ("char w __attribute__((mode(QI)));", "signed char w"),
        ("__extension__ unsigned __attribute__((unused)) long w __attribute__((mode(HI)));", "unsigned short w"),
    ],
)
def test_mode_alone_says_how_wide_a_type_is(text: str, expected: str) -> None:
    assert declaration(unit(text), "w") == expected


@pytest.mark.parametrize("text", ["int a, b __attribute__((mode(DI)));", "int *p __attribute__((mode(DI)));"])
def test_mode_of_one_of_several_declarators_is_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="mode"):
        unit(text)


def test_thread_local_names() -> None:
    parsed = unit("__thread int a; static _Thread_local int b; int c; void f(void) { static __thread int d; }")
    assert [node.name for node in declarations(parsed.ast) if "_Thread_local" in node.storage] == ["a", "b", "d"]


def test_assembler_keeps_what_it_may_write() -> None:
    parsed = unit('void f(int x, int y) { __asm__ volatile ("op" : "=r"(x) : "r"(y) : "memory"); }')
    (call,) = calls(parsed.ast, "__duet_asm_memory")
    assert [c_generator.CGenerator().visit(argument) for argument in call.args.exprs] == ["&x", "y"]
    assert [warning.code for warning in parsed.warnings] == ["inline-assembler"]
    barrier = unit('void f(void) { asm volatile("" ::: "memory"); }')
    assert (calls(barrier.ast, "__duet_asm"), barrier.warnings) == ([], ())
    more = unit(r'void f(void) { asm volatile("lock; addl $0,0(%%rsp)\n\tmovl $5,g(%%rip)" ::: "memory"); }')
    assert len(calls(more.ast, "__duet_asm_memory")) == 1


@pytest.mark.parametrize(
    "expansion",
    [
        "((void) sizeof ((x == 1) ? 1 : 0), __extension__ ({ if (x == 1) ; else "
        '__assert_fail ("x == 1", "a.c", 20, __extension__ __PRETTY_FUNCTION__); }))',
        '((x == 1) ? (void) (0) : __assert_fail ("x == 1", "a.c", 20, __PRETTY_FUNCTION__))',
    ],
)
def test_expanded_assert_of_a_system_header(expansion: str) -> None:
    parsed = unit(f"void f(int x) {{ {expansion}; }}")
    (call,) = calls(parsed.ast, "assert")
    assert c_generator.CGenerator().visit(call) == "assert(x == 1)"
    assert calls(parsed.ast, "__assert_fail") == []


@pytest.mark.parametrize(
    "text",
    [
        "(y) && (x == 1) ? (void) (0) : FAIL;",
        "!(x == 1) ? (void) (0) : FAIL;",
        "1 == (x) ? (void) (0) : FAIL;",
        "g(x) ? (void) (0) : FAIL;",
        "((x == 1) ? (void) (0) : FAIL, x++);",
        "y = ({ if (x) ; else FAIL; x = 5; x; });",
        "({ if (x) ; else FAIL, x = 1; });",
    ],
)
def test_what_only_looks_like_an_expanded_assert(text: str) -> None:
    parsed = unit(f"int g(int); void f(int x, int y) {{ {text.replace('FAIL', '__assert_fail(0, 0, 1, 0)')} }}")
    assert len(calls(parsed.ast, "__assert_fail")) == 1
    assert calls(parsed.ast, "assert") == []


def test_implicit_int_and_old_functions() -> None:
    parsed = unit(
        "static x; y = 2; const n = 3; extern *p; main() { static z; return z; } f(a, b) char b; { return a; }"
    )
    assert declaration(parsed, "x") == "static int x"
    assert declaration(parsed, "y") == "int y = 2"
    assert declaration(parsed, "p") == "extern int *p"
    assert [warning.code for warning in parsed.warnings] == ["implicit-int"] * 5
    unchanged = unit(
        "typedef int t; static t v; struct s { int a; } w; static struct s q; struct o { typeof(v) const *p; } z;"
        "_Atomic(int) volatile *n; typeof(v) const c;"
    )
    assert unchanged.warnings == ()


def test_common_names_without_their_headers() -> None:
    parsed = unit(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nbool b = true;\nvoid *p = NULL;\n"
        "void f(void) { FILE *o; o = 0; uint32_t u = 1; }\n"
    )
    names = {warning.message.split("'")[1] for warning in parsed.warnings}
    assert names == {"pthread_mutex_t", "PTHREAD_MUTEX_INITIALIZER", "bool", "true", "NULL", "FILE", "uint32_t"}
    assert declaration(parsed, "b") == "bool b = 1"
    assert [w.line for w in parsed.warnings if "'NULL'" in w.message] == [3]
    own = unit("enum { false, true }; typedef int bool; bool b = true; int uint;")
    assert own.warnings == ()
    assert declaration(own, "b") == "bool b = true"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("void f(void) { int x __attribute__((vector_size(8))); }", (1, 37), "vector_size"),
        ("void f(void) { int x __attribute__((__cleanup__(g, h))); }", (1, 37), "cleanup"),
    ],
)
def test_gnu_constructs_with_a_meaning_are_refused(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(Unsupported, match=message) as caught:
        unit(text)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == place


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Dear all,\nthis is a letter.\n", 1, "not C|unexpected"),
        ("int f(void)\n{\n  if (1) { ;\n}\n", 2, "never closed"),
        ("int f(void) {\n ]\n}", 2, "unexpected"),
        ("int a;\nint f(foo_t x) { return 0; }", 2, "'foo_t' is a type"),
        ("/* nothing */\n", 1, "no C"),
        ("int x = ;\n", 1, "not C|unexpected"),
        ("int f(void) { return 'a; }\n", 1, "unmatched"),
        ("\u00e9\u00e9 int;\n", 1, "illegal character"),
    ],
)
def test_text_that_is_not_c(text: str, line: int, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        unit(text)
    assert caught.value.span is not None
    assert caught.value.span.line == line
    assert caught.value.span.column > 0


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) { return " + "(" * 5000 + "1" + ")" * 5000 + "; }",
        "void f(void) {" + "{" * 5000 + "}" * 5000 + "}",
        "void f(void) {" + "if (1) " * 5000 + "; }",
        "int f(void) { return " + "- " * 5000 + "1; }",
        "int f(void) { return " + "1 + " * 5000 + "1; }",
    ],
)
def test_deep_nesting_is_an_error_with_a_place(text: str) -> None:
    with pytest.raises(SourceError, match="nest") as caught:
        unit(text)
    assert caught.value.span is not None
    assert caught.value.span.column > 100


def test_usual_nesting_is_fine() -> None:
    unit("int f(int a) { return " + "(" * 200 + "a" + ")" * 200 + "; }")
    unit("void f(int a) {" + " else ".join(f"if (a == {n}) a = 0;" for n in range(400)) + "}")


def test_variable_arguments() -> None:
    parsed = unit("int f(int n, ...) { __builtin_va_list l; return __builtin_va_arg(l, unsigned int) + 1; }")
    assert len(calls(parsed.ast, "__duet_va_arg")) == 1


@pytest.mark.parametrize("text", ["typeof(x) y;", "extern typeof(x) y;", "static __typeof__(x) y, *z;", "typeof(f) g;"])
def test_typeof_at_file_scope_is_a_type(tmp_path: Path, text: str) -> None:
    source = tmp_path / "t.c"
    source.write_text(f"int x; int f(void);\n{text}\n")
    assert parse(source.read_text(), str(source), FrontendOptions()).ast.ext
