"""Directives in preprocessed text: pragmas that change what a program does, and what should not be there."""

from __future__ import annotations

import re

from duet.errors import SourceError, Unsupported
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import REFUSED, STARTER

_PARALLEL = re.compile(r"\s*#\s*pragma\s+(?:omp|acc)\b")
_OPERATOR = re.compile(r'\w*"\s*(?:omp|acc|redefine_extname|pack|weak|scalar_storage_order)\b')
_NAMESPACE = "omp"
_CHOOSING = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|embed)\b")
"""Directives that say what is part of the text."""


def check_directives(draft: Draft) -> None:
    """*Raises*: SourceError for a directive that should have been carried out, and says what is part of the text."""
    for index, piece in enumerate(draft.parts):
        if piece.kind is Kind.DIRECTIVE and _CHOOSING.match(piece.text):
            raise SourceError(
                "a directive in preprocessed text; name the file .c to have it preprocessed", draft.place(index)
            )


def refuse_pragmas(draft: Draft, refusals: dict[str, Unsupported]) -> None:
    """Puts names that stand for refusals where such a pragma is, for the parser to lose the function around it.

    Next to it comes the name of what starts threads, for which a function that is not understood is searched.
    """
    for index, piece in enumerate(draft.parts):
        if piece.kind is Kind.DIRECTIVE and _PARALLEL.match(piece.text):
            name = f"{REFUSED}{len(refusals)}"
            refusals[name] = Unsupported(f"'{piece.text.strip()}' changes what the program does", draft.place(index))
            draft.out[index] = f" {name} {STARTER} "


def check_operator(draft: Draft, token: int) -> None:
    """*Raises*: Unsupported where a `_Pragma` may not be dropped."""
    if draft.text(token) == "_Pragma" and _OPERATOR.match(draft.text(token + 2)):
        draft.add(token, STARTER)
        raise Unsupported("write this as #pragma: in _Pragma it is not supported", draft.span(token))


def check_namespace(draft: Draft, token: int, last: int) -> None:
    """*Raises*: Unsupported where the attributes between two tokens are directives of OpenMP."""
    if any(draft.text(index) == _NAMESPACE and draft.text(index + 1) == ":" for index in range(token, last)):
        draft.blank(token + 1, last)
        draft.add(token, STARTER)
        raise Unsupported("directives of OpenMP are not supported", draft.span(token))
