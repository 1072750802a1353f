"""Attributes that change the layout of structs are written in C."""

from __future__ import annotations

import pytest

from duet.errors import Unsupported
from duet.frontend.source.attributes import enclosing, keep_layout, keep_packing
from tests.frontend.source.drafts import draft_of, token_of, written


def kept(text: str) -> str:
    """The text with its one attribute kept and blanked."""
    draft = draft_of(text)
    first = token_of(draft, "__attribute__")
    last = draft.closing(first + 1)
    words = [token for token in range(first, last) if draft.text(token) in ("packed", "aligned")]
    keep_layout(draft, first, last, words[0])
    draft.blank(first, last)
    return written(draft)


MEMBER = '_Static_assert(1, "__duet packed member");'
PACKED, ALIGNED = '_Static_assert(1, "__duet packed");', '_Static_assert(8, "__duet aligned");'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct __attribute__((packed)) S { int a; };", f"struct S {{ {PACKED} int a; }};"),
        ("struct S { int a; } __attribute__((packed));", f"struct S {{ {PACKED} int a; }} ;"),
        ("union { int a; } __attribute__((aligned(8))) x;", f"union {{ {ALIGNED} int a; }} x;"),
        ("enum E { A } __attribute__((packed));", "enum E { __duet_packed = -1, A } ;"),
        ("struct S { char a; int b __attribute__((aligned(8))); };", "struct S { char a; _Alignas(8) int b ; };"),
        ("struct S { char a; int b __attribute__((packed)); };", f"struct S {{ char a; {MEMBER} int b ; }};"),
        ("struct S { int b __attribute__((aligned)); };", "struct S { _Alignas(16) int b ; };"),
        ("typedef int T __attribute__((aligned(8)));",
         'typedef int T ; _Static_assert(8, "__duet aligned type T");'),
        ("int x __attribute__((aligned(8)));", "int x ;"),
    ],
)  # fmt: skip
def test_attributes_become_c(text: str, expected: str) -> None:
    assert kept(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct S { int a __attribute__((packed)), b; };", "several names"),
        ("struct S { int a __attribute__((aligned(8))), b; };", "several names"),
        ("typedef int T __attribute__((aligned(8))), U;", "several names"),
    ],
)
def test_what_means_more_is_refused(text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message):
        kept(text)


S = "struct S { int a; };"


@pytest.mark.parametrize(
    ("directives", "value"),
    [
        ("#pragma pack(1)", "1"),
        ("#pragma pack(push, 2)", "2"),
        ("#pragma pack(1)\n#pragma pack()", ""),
        ("#pragma pack(1)\n#pragma pack(0)", ""),
        ("#pragma pack(4)\n#pragma pack(push, 1)\n#pragma pack(pop)", "4"),
        ("#pragma pack(push, a, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, a)", ""),
    ],
)
def test_packing_holds_where_a_struct_ends(directives: str, value: str) -> None:
    draft = draft_of(f"{directives}\n{S}")
    keep_packing(draft)
    expected = f'_Static_assert({value}, "__duet pack");' if value else ""
    assert " ".join(draft.behind.values()).strip() == expected


@pytest.mark.parametrize("line", ["#pragma pack(show)", "#pragma pack", "#pragma scalar_storage_order big-endian"])
def test_other_pragmas_of_layout_are_refused(line: str) -> None:
    with pytest.raises(Unsupported):
        keep_packing(draft_of(f"{line}\n{S}"))


def test_packing_says_nothing_of_functions() -> None:
    draft = draft_of("#pragma pack(1)\nvoid f(void) { }")
    keep_packing(draft)
    assert draft.behind == {}


def test_the_brace_around_a_token() -> None:
    draft = draft_of("a { b { c } d }")
    assert enclosing(draft, token_of(draft, "a")) is None
    assert enclosing(draft, token_of(draft, "c")) == token_of(draft, "{", 1)
    assert enclosing(draft, token_of(draft, "d")) == token_of(draft, "{")
