"""Labels that belong to a block, and types of vectors."""

from __future__ import annotations

import pytest

from duet.frontend.source.blocks import rename_labels, write_vector
from tests.frontend.source.drafts import draft_of, token_of, written


def renamed(text: str) -> str:
    draft = draft_of(text)
    token = token_of(draft, "__label__")
    assert draft.text(rename_labels(draft, token) - 1) == ""
    return written(draft).replace(f"__{token}", "'")


def test_declared_labels_get_names_of_their_own() -> None:
    assert renamed("{ __label__ a, b; goto a; a: goto b; b: ; }") == "{ goto a'; a': goto b'; b': ; }"


def test_other_names_stay() -> None:
    assert renamed("{ __label__ a; x = a; s.a = 1; c ? a : b; goto z; a: ; }") == (
        "{ x = a; s.a = 1; c ? a : b; goto z; a': ; }"
    )


def test_labels_as_values() -> None:
    assert renamed("{ __label__ a; p = &&a; x && a; return &&a; a: ; }") == ("{ p = &&a'; x && a; return &&a'; a': ; }")


def test_labels_belong_to_their_block() -> None:
    assert renamed("{ { __label__ a; a: ; } goto a; }") == "{ { a': ; } goto a; }"


def vector(text: str) -> str | None:
    draft = draft_of(text)
    first = token_of(draft, "__attribute__")
    last = draft.closing(first + 1)
    size = token_of(draft, "vector_size")
    if not write_vector(draft, first, last, size):
        return None
    draft.blank(first, last)
    return written(draft)


def test_a_vector_is_a_union_of_so_many_bytes() -> None:
    union = "union { _Alignas(16) float parts[(int)(16) < 4 ? -1 : (int)(16) / 4]; }"
    assert vector("typedef int v __attribute__((vector_size(16)));") == f"typedef {union} v ;"
    assert vector("typedef unsigned int __attribute__((vector_size(16))) v;") == f"typedef {union} v;"


@pytest.mark.parametrize(
    "text",
    [
        "int v __attribute__((vector_size(16)));",
        "typedef int *v __attribute__((vector_size(16)));",
        "typedef int v __attribute__((vector_size(16))), w;",
        "typedef v __attribute__((vector_size(16)));",
        "typedef int v __attribute__((vector_size));",
    ],
)
def test_other_declarations_of_vectors_are_left(text: str) -> None:
    assert vector(text) is None
