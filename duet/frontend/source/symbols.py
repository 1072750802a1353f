"""Names of symbols that the text makes weak, or lets stand for others, which is refused."""

from __future__ import annotations

import re

from duet.errors import Unsupported
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind

_PRAGMA = re.compile(r"\s*#\s*pragma\s+weak\s+(?P<name>\w+)\s*(?P<alias>=)?")
_RENAMED = re.compile(r"\s*#\s*pragma\s+redefine_extname\s+\w+\s+(?P<name>\w+)")
_ENDS = (";", "{", "}", "")


def note_attribute(draft: Draft, token: int) -> None:
    """Notes all names of the declaration that an attribute `weak` at a token is part of."""
    first = token
    while draft.text(first - 1) not in _ENDS or (first > 0 and not draft.text(first - 1)):
        first -= 1
    last = token
    while draft.text(last) not in _ENDS or (last < len(draft.tokens) and not draft.text(last)):
        is_body = draft.text(last + 1) == "{" and draft.kind(last) is Kind.NAME
        last = draft.closing(last + 1) + 1 if is_body else last + 1
    draft.weak.update(draft.text(index) for index in range(first, last) if draft.kind(index) is Kind.NAME)


def note_pragmas(draft: Draft) -> None:
    """Notes the names that `#pragma weak` makes weak.

    *Raises*: Unsupported where a pragma lets a name stand for another one of the program.
    """
    token = 0
    for index, piece in enumerate(draft.parts):
        token += token < len(draft.tokens) and draft.tokens[token] == index
        if piece.kind is Kind.DIRECTIVE and (found := _PRAGMA.match(piece.text)):
            if found["alias"]:
                raise Unsupported("a symbol that stands for another one is not supported", draft.span(token))
            draft.weak.add(found["name"])
        found = _RENAMED.match(piece.text) if piece.kind is Kind.DIRECTIVE else None
        if found and any(draft.text(other) == found["name"] for other in range(len(draft.tokens))):
            raise Unsupported("a symbol that stands for another one is not supported", draft.span(token))


def check_label(draft: Draft, token: int, label: str) -> None:
    """Notes the name in assembler of what is declared, if that is a symbol. What a register has is no variable's.

    *Raises*: Unsupported where it is the one of something in the program.
    """
    first = token
    while draft.text(first - 1) not in _ENDS:
        first -= 1
    registers = [index for index in range(first, token) if draft.text(index) == "register"]
    for index in registers if not draft.is_in_braces[token] else ():
        draft.put(index, "extern volatile")
    if registers:
        return
    draft.labels.append((label, draft.span(token)))
    is_function = draft.text(token - 1) == ")"
    for index in range(len(draft.tokens)):
        if draft.parts[draft.tokens[index]].text == label and draft.kind(index) is Kind.NAME and index != token - 1:
            is_body = draft.text(index + 1) == "(" and draft.text(draft.closing(index + 1) + 1) == "{"
            if is_body or not is_function:
                raise Unsupported("a symbol that stands for another one is not supported", draft.span(token))
