"""Which items of a kernel's headers a driver reaches, and how a text is split into items."""

from __future__ import annotations

import re

import pytest

from duet.frontend.source.items import Irregular, declared, items, uses
from duet.frontend.source.reached import reached

HEADER = """# 1 "h.h"
typedef unsigned int u32;
typedef u32 word;
struct inner { word number; };
struct outer { struct inner whole; struct far *far; int (*call)(struct param *p); };
struct far { struct farther *more; int plain; };
struct farther { int last; };
struct param { int given; };
enum kind { FIRST = sizeof(struct counted), SECOND };
struct counted { int c; };
static inline int helper(struct outer *o) { return deeper(o->whole.number); }
static inline int deeper(int x) { return x; }
static inline int unused(void) { return SECOND; }
typedef int (*callback_t)(struct param *p);
extern int (*pointer)(void);
extern struct outer *table[4], other;
__attribute__((__section__("x"))) extern int placed __attribute__((aligned(8)));
_Static_assert(1, "no");
"""


def kept(own: str) -> set[str]:
    """The names that are declared in what stays of the header for some text of the user."""
    text = reached(list(items(f'{HEADER}\n# 1 "own.c"\n{own}', "own.c")), lambda name: name == "h.h")
    names = r"u32|word|inner|outer|far|farther|param|FIRST|counted|helper|deeper|unused|callback_t|pointer|table|placed"
    return set(re.findall(rf"\b(?:{names})\b", text.split('"own.c"')[0]))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("int a, *b, c[3], d(int e);", {"a", "b", "c", "d"}),
        ("typedef struct tag { int x; } name_t;", {"struct tag", "name_t"}),
        ("enum { ONE = (1), TWO };", {"ONE", "TWO"}),
        ("typedef void (*handler_t)(int, struct s *p);", {"handler_t"}),
        ("static struct s *f(int (*g)(void), int h) { int i; }", {"f"}),
        ("extern int __attribute__((noreturn)) f(void) __attribute__((cold));", {"f"}),
        ("struct s;", set()),
        ("struct s { struct t { int x; } y; } z = { .y = { 1 } };", {"struct s", "struct t", "z"}),
        ("extern typeof(x) y;", {"y"}),
        ("void f(char *s) { s = \"};{\"; if (*s == '{') return; }", {"f"}),
    ],
)
def test_what_an_item_declares(text: str, names: set[str]) -> None:
    (item,) = items(text, "a.c")
    assert declared(item) == names


def test_the_items_are_the_text_with_their_places() -> None:
    text = 'int a;\n# 7 "h.h"\nint b;\n\nint c(void)\n{\n}\n# 3 "a.c"\nint d = 1;\n'
    found = list(items(text, "a.c"))
    assert "".join(item.text for item in found) == text
    assert [(item.file, item.line) for item in found[:4]] == [("a.c", 1), ("h.h", 1), ("h.h", 7), ("a.c", 11)]


def test_a_text_of_another_form_is_told() -> None:
    with pytest.raises(Irregular):
        list(items("int a; }", "a.c"))


def test_members_lead_to_types_only_where_they_are_named() -> None:
    (item,) = items("struct s { struct a x; struct b *y; word z[SIZE]; int w : BITS; };", "a.c")
    found = uses(item)
    assert {"struct a", "word", "SIZE", "BITS"} <= found.names
    assert "struct b" not in found.names
    assert found.behind["y"] == {"struct b"}


def test_an_enumeration_inside_of_a_structure_with_numbers_changes_nothing() -> None:
    (item,) = items("struct s { enum { FIRST = START, LAST = END } x; struct b *y; int w; };", "a.c")
    found = uses(item)
    assert {"START", "END"} <= found.names
    assert found.behind["y"] == {"struct b"}
    assert {"x", "w"} <= found.behind.keys()


def test_the_length_of_a_member_leads_to_what_it_uses() -> None:
    (item,) = items("struct s { u8 z[sizeof(((struct b *)0)->c.d)]; struct e *y; };", "a.c")
    found = uses(item)
    assert found.members == {"c", "d"}
    assert found.pointed == {"struct b"}


def test_only_what_is_reached_stays() -> None:
    assert kept("int x;") == set()
    assert kept("u32 x;") == {"u32"}
    assert {"helper", "outer", "inner", "word", "u32", "deeper"} <= kept("int f(struct outer *o) { return helper(o); }")
    assert "unused" not in kept("int f(struct outer *o) { return helper(o); }")


def test_structures_behind_pointers_stay_where_their_members_are_used() -> None:
    assert "plain" not in reached(list(items(f'{HEADER}\n# 1 "own.c"\nstruct outer o;', "o.c")), lambda n: n == "h.h")
    text = reached(
        list(items(f'{HEADER}\n# 1 "own.c"\nint f(struct outer *o) {{ return o->far->more->last; }}', "o.c")),
        lambda n: n == "h.h",
    )
    assert "int plain;" in text
    assert "int last;" in text
    assert "int given;" not in text
