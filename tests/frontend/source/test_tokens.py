"""Preprocessed C text as pieces, and where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duet.frontend.source.tokens import INSIGNIFICANT, Kind, Marker, marker, pieces, places, unescape
from duet.source import Span


@given(st.text(alphabet="ab0'\"\\/*\n #.$é<:%", max_size=30))
def test_pieces_put_together_are_the_text(text: str) -> None:
    assert "".join(piece.text for piece in pieces(text)) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("name", Kind.NAME),
        ("$x1", Kind.NAME),
        ("_é", Kind.NAME),
        ("0x1F", Kind.NUMBER),
        ("1e+5", Kind.NUMBER),
        (".5f", Kind.NUMBER),
        ("1'000", Kind.NUMBER),
        ('"a\\"b"', Kind.STRING),
        ('u8"a"', Kind.STRING),
        ("L'a'", Kind.CHARACTER),
        ("<<=", Kind.PUNCTUATION),
        ("->", Kind.PUNCTUATION),
        ("<:", Kind.PUNCTUATION),
        ("/* a\nb */", Kind.COMMENT),
        ("// a", Kind.COMMENT),
        ("# 3 what", Kind.DIRECTIVE),
        ("@", Kind.OTHER),
        ('"', Kind.OTHER),
        (" \t", Kind.SPACE),
    ],
)
def test_what_a_piece_is(text: str, kind: Kind) -> None:
    (piece,) = pieces(text)
    assert (piece.kind, piece.text) == (kind, text)


def test_a_directive_begins_a_line() -> None:
    kinds = [piece.kind for piece in pieces("a # b\n  # c\nd")]
    assert kinds.count(Kind.DIRECTIVE) == 1
    assert {Kind.SPACE, Kind.COMMENT, Kind.DIRECTIVE} == INSIGNIFICANT


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ('# 3 "a.c" 1 3', Marker("a.c", 3)),
        ('#line 7 "b.c"', Marker("b.c", 7)),
        ("# 3", Marker("", 3)),
        (r'# 3 "a\"b"', Marker('a"b', 3)),
        ("#pragma once", None),
        ("#", None),
    ],
)
def test_line_markers(directive: str, expected: Marker | None) -> None:
    assert marker(directive) == expected


def test_names_of_files_are_escaped() -> None:
    assert unescape(r"a\\b") == r"a\b"
    assert unescape(r"\303\251") == "é"
    assert unescape(r"a\"b") == 'a"b'


def test_places_follow_line_markers() -> None:
    text = 'a b\nc\n# 10 "x.h"\nd\n# 5\n  e'
    found = dict(zip((piece.text for piece in pieces(text)), places(list(pieces(text)), "a.c"), strict=True))
    assert found["a"] == Span("a.c", 1, 1)
    assert found["b"] == Span("a.c", 1, 3)
    assert found["c"] == Span("a.c", 2, 1)
    assert found["d"] == Span("x.h", 10, 1)
    assert found["e"] == Span("x.h", 5, 3)
