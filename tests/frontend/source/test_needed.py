"""Declarations of library headers that a file does not need are left out; nothing else changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duet.frontend.source import parse as parsing
from duet.frontend.source.needed import needed
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import header_directories, preprocess
from duet.options import FrontendOptions

HEADER = """# 1 "user.c"
# 1 "/lib/box.h" 1
%s
# 2 "user.c" 2
%s
"""


def kept(header: str, user: str) -> str:
    """What stays of the text of a library header, blanks made single."""
    text = needed(HEADER % (header, user), "user.c", lambda name: name.startswith("/lib"))
    before, _, after = text.partition('# 2 "user.c" 2')
    assert " ".join(user.split()) in " ".join(after.split())
    return " ".join(" ".join(line for line in before.split("\n") if not line.startswith("# ")).split())


@pytest.mark.parametrize(
    "declaration",
    [
        "int used(int);",
        "extern int used;",
        "int first, *used[3];",
        "typedef unsigned long used;",
        "typedef int other, (*used)(int);",
        "typedef struct { int a; } used;",
        "struct used { int a; };",
        "struct __attribute__((packed)) used { int a; };",
        "union outer { struct used { int a; } inner; };",
        "enum { first, used = 3, last };",
        "enum outer { used };",
        "struct outer { enum { used } inner; };",
        "int (*used(int a, void (*)(int)))(int);",
        "int (used)(int);",
        "void *used(int) __attribute__((nothrow));",
        "int used __attribute__((aligned(8)));",
        'int used asm("other");',
        "static inline int used(void) { return 1; }",
        "static inline int __attribute__((always_inline)) used(void) { return 1; }",
        "static const int table[] = { 1, 2 }, used[] = { 3 };",
        "__extension__ typedef long long used;",
        '_Static_assert(sizeof(int) == 4, "used"); int used;',
        "__typeof__(int) used;",
    ],
)
def test_what_is_mentioned_stays(declaration: str) -> None:
    assert "used" in kept(f"int unused(int); {declaration} int unused2;", "int f(void) { return used; }")
    assert "used" not in kept(declaration, "int f(void) { return 0; }").replace('"used"', "")


def test_what_is_not_mentioned_goes() -> None:
    header = "typedef int t; struct s { t a; }; t f(struct s *x, t b); int g(t x); static int h(void) { return g(1); }"
    assert kept(header, "int a;") == ""
    assert kept(header, "int a = sizeof(t);") == "typedef int t;"
    assert (
        kept(header, "int a(void) { return h(); }") == "typedef int t; int g(t x); static int h(void) { return g(1); }"
    )
    assert kept(header, "struct s b;") == "typedef int t; struct s { t a; };"


def test_all_declarations_of_a_name_stay() -> None:
    assert kept("struct s; int f(); struct s { int a; }; int f(int);", "struct s *a; int b(void) { return f(1); }") == (
        "struct s; int f(); struct s { int a; }; int f(int);"
    )


def test_a_name_that_nothing_is_seen_to_declare_keeps_what_mentions_it() -> None:
    odd = "int f(int a) strange(used);"
    assert kept(odd, "int b(void) { return used; }") == odd


@pytest.mark.parametrize(
    "always",
    [
        "__attribute__((constructor)) static void start(void) { }",
        '__asm__(".globl x");',
        'int x __attribute__((section(".init_array")));',
        ";",
    ],
)
def test_what_acts_without_being_mentioned_stays(always: str) -> None:
    assert kept(f"int unused; {always} int unused2;", "int a;") == always


def test_directives_stay() -> None:
    text = "#pragma pack(push, 1)\nstruct unused { int a; };\n#pragma pack(pop)\nstruct used { int a; };"
    assert kept(text, "struct used a;") == "#pragma pack(push, 1) #pragma pack(pop) struct used { int a; };"


@pytest.mark.parametrize("text", ["int f(a) int a; { return a; }", "int a = (1;", "}", "int a"])
def test_text_of_another_form_stays_as_it_is(text: str) -> None:
    whole = HEADER % (text, "int b;")
    assert needed(whole, "user.c", lambda name: name.startswith("/lib")) == whole


def test_old_style_definitions_of_the_user() -> None:
    assert kept("int unused; int used;", "int f(a) int a; { return used; } int g;") == "int used;"


def test_places_stay() -> None:
    text = needed(HEADER % ("int unused;\nint used;\n", "int f(void) { return used; }"), "user.c", lambda n: "lib" in n)
    line = 0
    places = {}
    for content in text.split("\n"):
        if found := re.match(r'# (\d+) "(.*)"', content):
            line, file = int(found[1]), found[2]
            continue
        if content.strip():
            places[content.strip()] = (file, line)
        line += 1
    assert places == {"int used;": ("/lib/box.h", 2), "int f(void) { return used; }": ("user.c", 2)}


def _headers() -> list[str]:
    (directory,) = header_directories(None)
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*.h"))


def test_a_file_that_needs_nothing_of_all_bundled_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that is left is small, and what it declares is what the whole text declares."""
    file = tmp_path / "all.c"
    file.write_text("".join(f"#include <{name}>\n" for name in _headers()) + "size_t a; pthread_mutex_t m; FILE *f;\n")
    options = FrontendOptions()
    text = preprocess(str(file), options).text
    short = parse(text, str(file), options).ast
    monkeypatch.setattr(parsing, "needed", lambda text, *_: text)
    whole = parse(text, str(file), options).ast
    assert len(short.ext) < 20 < len(whole.ext)
    shown = [str(node) for node in whole.ext]
    assert all(str(node) in shown for node in short.ext)
