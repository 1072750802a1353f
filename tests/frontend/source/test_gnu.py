"""GNU C in the C that the parser reads; what means something is kept or refused, never dropped."""

from __future__ import annotations

import pytest

from duet.errors import SourceError
from duet.frontend.source.gnu import Rewritten, rewrite
from duet.frontend.source.words import REFUSED


def text(source: str, is_c23: bool = False) -> str:
    return " ".join(rewrite(source, "a.c", is_c23).text.split())


def test_what_is_plain_c_stays() -> None:
    source = "int f(int a) {\n  return a ? 1 : 2; // sum\n}\n"
    assert rewrite(source, "a.c").text == source.replace("// sum", "      ")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__inline__ int f(void);", "inline int f(void);"),
        ("__extension__ int x;", "int x;"),
        ("int x __attribute__((unused));", "int x ;"),
        ("int x <:3:>;", "int x [ 3] ;"),
        ("static x;", "static int x;"),
        (
            "int f(int *p, int a[*], int b[static *p], int c[*p + 1]);",
            "int f(int *p, int a[*], int b[static (*p)], int c[(*p + 1)]);",
        ),
        ("__thread int x;", "_Thread_local int x;"),
    ],
)
def test_gnu_words_go_or_have_a_name_in_c(source: str, expected: str) -> None:
    assert text(source) == expected


def test_lines_stay_where_they_are() -> None:
    source = "int x\n__attribute__((unused,\naligned))\n;\nint y;\n"
    assert rewrite(source, "a.c").text.count("\n") == source.count("\n")
    assert rewrite(source, "a.c").text.split("\n")[4] == "int y;"


@pytest.mark.parametrize(
    "attribute",
    ["cleanup(f)", "constructor(0x65)", "alias(f)", "mode(XX)", "weakref", "__destructor__(N)", 'ifunc("f")'],
)
def test_attributes_that_mean_something_are_refused(attribute: str) -> None:
    found = rewrite(f"void g(void) {{ }}\nvoid f(void) __attribute__(({attribute}));", "a.c")
    (name,) = found.refusals
    assert name.startswith(REFUSED)
    assert name in found.text
    span = found.refusals[name].span
    assert span is not None
    assert span.line == 2


def test_names_and_types_of_the_text_are_told() -> None:
    found: Rewritten = rewrite("typedef int T; T x; void f(void) { y; }\n#pragma weak x\n", "a.c")
    assert {"T", "x", "f", "y"} <= found.names
    assert found.typedefs == {"T"}
    assert found.weak == {"x"}


def test_c23_has_other_words() -> None:
    assert text("bool x;", is_c23=True) == "_Bool x;"
    assert text("bool x;") == "bool x;"
    assert "nullptr" not in rewrite("void *p = nullptr;", "a.c", is_c23=True).names


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "no C in this file"),
        ("/* nothing */\n#pragma once\n", "no C in this file"),
        ("int f(void) { (; }", r"'\(' was opened at"),
        ("int f(void) {", "never closed"),
        ("int x; }", "unexpected"),
        ("int x = " + "(" * 1000 + "1" + ")" * 1000 + ";", "nest deeper"),
        ("#ifdef X\nint x;\n#endif\n", "preprocessed"),
    ],
)
def test_texts_that_are_no_c_are_refused(source: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        rewrite(source, "a.c")


FORWARDER = (
    'void forward(int n, ...) __asm__("report");\n'
    "extern inline void report(int n, ...) { if (n) { forward(n, __builtin_va_arg_pack()); } }\n"
    "int behind(void) { return 1; }\n"
)


def test_what_a_header_of_the_system_only_hands_on_is_a_declaration() -> None:
    found = rewrite(f'# 1 "/usr/include/report.h"\n{FORWARDER}', "a.c")
    assert not found.refusals
    assert " ".join(found.text.split()).endswith(
        "extern inline void report(int n, ...) ; int behind(void) { return 1; }"
    )
    assert rewrite(f'# 1 "report.h"\n{FORWARDER}', "a.c").refusals
