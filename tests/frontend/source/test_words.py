"""The words of C that the rewriting knows do not contradict each other."""

from __future__ import annotations

from duet.frontend.ctypes.types import BASIC_WORDS
from duet.frontend.source.words import (
    C23_KEYWORDS,
    C23_RENAMED,
    FLOATS,
    KEYWORDS,
    LAYOUT,
    MODES,
    REFUSED_ATTRIBUTES,
    RENAMED,
    SPECIFIERS,
)


def test_what_is_renamed_gets_a_final_name() -> None:
    for table in (RENAMED, C23_RENAMED, FLOATS):
        assert table.keys().isdisjoint(table.values())
        assert table.keys().isdisjoint(KEYWORDS)


def test_new_names_of_keywords_are_keywords() -> None:
    assert set(C23_RENAMED.values()) <= KEYWORDS | {"_Static_assert"}
    assert SPECIFIERS <= KEYWORDS
    assert C23_KEYWORDS.isdisjoint(KEYWORDS)


def test_types_are_named_in_words_of_c() -> None:
    words = {word for text in (*FLOATS.values(), *MODES.values()) for word in text.split()}
    assert words <= BASIC_WORDS


def test_an_attribute_is_kept_or_refused() -> None:
    assert LAYOUT.isdisjoint(REFUSED_ATTRIBUTES)
