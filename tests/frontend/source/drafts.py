"""Drafts of C texts, and what is written in the end."""

from __future__ import annotations

from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import INSIGNIFICANT, pieces

PATH = "a.c"


def draft_of(text: str) -> Draft:
    """The draft of a text of which nothing is rewritten yet."""
    parts = list(pieces(text))
    tokens = [index for index, piece in enumerate(parts) if piece.kind not in INSIGNIFICANT]
    inside: list[bool] = []
    depth = 0
    for index in tokens:
        inside.append(depth > 0)
        depth += (parts[index].text == "{") - (parts[index].text == "}")
    return Draft(PATH, parts, [piece.text for piece in parts], tokens, inside)


def token_of(draft: Draft, word: str, number: int = 0) -> int:
    """The token that a word is, the first one or a later one."""
    return [token for token in range(len(draft.tokens)) if draft.text(token) == word][number]


def written(draft: Draft) -> str:
    """The text of a draft, blanks made single."""
    return " ".join("".join(text + draft.behind.get(index, "") for index, text in enumerate(draft.out)).split())
