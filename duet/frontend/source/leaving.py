"""The attribute `cleanup` of a variable, written so that the parser keeps it: `_Alignas(f(&x)) T x`.

No alignment is a call, so `duet.frontend.source.dialect` tells it from one, and puts the call into the tree.
"""

from __future__ import annotations

from duet.errors import Unsupported
from duet.frontend.source.attributes import TAGGED, opening, opens
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import OPENING

_BEHIND_DECLARATOR = frozenset(("", ";", "=", ",", ")"))


def keep_cleanup(draft: Draft, attribute: int, last: int, index: int) -> None:
    """Writes `cleanup(f)`, which stands at `index` of an attribute, in front of the declaration around that.

    *Raises*: Unsupported where it is not plain which variable is meant.
    """
    behind = last + 1
    while draft.text(behind).startswith("__attribute"):
        behind = draft.closing(behind + 1) + 1
    if draft.text(behind) in _BEHIND_DECLARATOR:
        name = _variable(draft, attribute - 1)
    else:  # among the specifiers: of all that is declared
        end = behind
        while draft.text(end) not in _BEHIND_DECLARATOR:
            end = draft.closing(end) + 1 if draft.text(end) in OPENING else end + 1
        name = _variable(draft, end - 1) if draft.text(end) in (";", "=") and not _has_comma(draft, end) else None
    is_call = draft.text(index + 1) == "(" and draft.closing(index + 1) == index + 3
    if name is None or not is_call or draft.kind(index + 2) is not Kind.NAME:
        raise Unsupported("which variable this attribute 'cleanup' means is not understood", draft.span(index))
    draft.add(_start(draft, attribute) - 1, f"_Alignas({draft.text(index + 2)}(&{draft.text(name)}))")


def _variable(draft: Draft, token: int) -> int | None:
    """The name that is declared by what ends at a token, if it is plain: `x`, `x[n]`."""
    while token > 0 and draft.text(token) in ("", "]"):
        token = (opening(draft, token) if draft.text(token) else token) - 1
    return token if draft.kind(token) is Kind.NAME else None


def _has_comma(draft: Draft, token: int) -> bool:
    """Whether a comma is between a token and the end of the declaration, outside of brackets."""
    while draft.text(token) not in (";", ",", ""):
        token = draft.closing(token) + 1 if draft.text(token) in OPENING else token + 1
    return draft.text(token) == ","


def _start(draft: Draft, token: int) -> int:
    """The first token of the declaration around a token inside of a function."""
    while token > 0:
        before = draft.parts[draft.tokens[token - 1]].text
        if before in (";", "{", "(", ":") or (before == "}" and not _is_inside(draft, token - 1)):
            break
        token = opening(draft, token - 1) if before in OPENING.values() else token - 1
    return token


def _is_inside(draft: Draft, brace: int) -> bool:
    """Whether a brace closes a part of a declaration: the members of a type, or an initialiser."""
    start = opening(draft, brace)
    return opens(draft, start, *TAGGED) or draft.text(start - 1) == "="
