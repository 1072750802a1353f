"""Directives that change what a program does are refused, not dropped."""

from __future__ import annotations

import pytest

from duet.errors import SourceError, Unsupported
from duet.frontend.source.pragmas import check_directives, check_namespace, check_operator, refuse_pragmas
from duet.frontend.source.words import REFUSED, STARTER
from tests.frontend.source.drafts import draft_of, token_of, written


@pytest.mark.parametrize("word", ["if X", "ifdef X", "ifndef X", "elif X", "else", "endif", "embed <a>", " elifdef X"])
def test_directives_that_choose_text_should_not_be_there(word: str) -> None:
    with pytest.raises(SourceError, match="preprocessed") as caught:
        check_directives(draft_of(f"int x;\n  #{word}\n"))
    assert caught.value.span is not None
    assert caught.value.span.line == 2


@pytest.mark.parametrize("line", ["# 3", "#pragma once", "#ident", "#iffy"])
def test_other_directives_may_be_there(line: str) -> None:
    check_directives(draft_of(f"{line}\nint x;"))


def test_parallel_loops_are_refused_in_their_place() -> None:
    refusals: dict[str, Unsupported] = {}
    draft = draft_of("void f(void) {\n#pragma omp parallel for\n;\n#pragma acc loop\n;\n#pragma ompx\n;}")
    refuse_pragmas(draft, refusals)
    assert list(refusals) == [f"{REFUSED}0", f"{REFUSED}1"]
    assert f"{REFUSED}0 {STARTER}" in written(draft)
    span = refusals[f"{REFUSED}1"].span
    assert span is not None
    assert span.line == 4


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ('_Pragma("omp parallel")', True),
        ('_Pragma(" pack(1)")', True),
        ('_Pragma("weak x")', True),
        ('_Pragma("once")', False),
        ('other("omp parallel")', False),
    ],
)
def test_operators_that_stand_for_such_pragmas(text: str, is_refused: bool) -> None:
    draft = draft_of(text)
    if is_refused:
        with pytest.raises(Unsupported, match="write this as #pragma"):
            check_operator(draft, 0)
    else:
        check_operator(draft, 0)


def test_attributes_of_openmp_are_refused() -> None:
    draft = draft_of("[[omp::directive(parallel)]] { }")
    with pytest.raises(Unsupported, match="OpenMP"):
        check_namespace(draft, 0, token_of(draft, "{") - 1)
    other = draft_of("[[gnu::unused]] int omp;")
    check_namespace(other, 0, len(other.tokens))
