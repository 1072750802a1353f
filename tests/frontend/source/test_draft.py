"""The text of a C file while it is rewritten."""

from __future__ import annotations

import pytest

from duet.errors import SourceError
from duet.frontend.source.tokens import Kind
from duet.source import Span
from tests.frontend.source.drafts import draft_of, token_of, written


def test_tokens_are_replaced_where_they_stand() -> None:
    draft = draft_of("int /* a */ value = 3;")
    draft.put(1, "x")
    assert draft.text(1) == "x"
    assert "".join(draft.out) == "int /* a */ x     = 3;"
    draft.blank(2, 3)
    assert (draft.text(2), draft.kind(3)) == ("", Kind.NUMBER)
    draft.blank(3, 99)
    assert draft.text(4) == ""


def test_before_the_first_and_behind_the_last_token_is_nothing() -> None:
    draft = draft_of("a")
    assert (draft.text(-1), draft.text(1)) == ("", "")
    assert (draft.kind(-1), draft.kind(1)) == (Kind.SPACE, Kind.SPACE)


def test_what_is_put_behind_a_token_adds_up() -> None:
    draft = draft_of("a b")
    draft.add(0, "c")
    draft.add(0, "d")
    assert written(draft) == "a c d b"


def test_brackets_are_closed_at_their_own_depth() -> None:
    draft = draft_of("f(a[1], (b)) { c }")
    assert draft.text(draft.closing(1) + 1) == "{"
    assert draft.text(draft.closing(token_of(draft, "[")) + 1) == ","
    with pytest.raises(SourceError, match=r"'\(' is never closed"):
        draft_of("(a").closing(0)


def test_places_and_warnings_are_those_of_the_users_file() -> None:
    draft = draft_of('# 7 "b.h"\n  x y')
    assert draft.span(0) == Span("b.h", 7, 3)
    assert draft.span(99) == Span("b.h", 7, 5)
    draft.warn(1, "code", "text")
    (warning,) = draft.warnings
    assert (warning.file, warning.line, warning.column, warning.code) == ("b.h", 7, 5, "code")
