"""Names of symbols that the text makes weak, or lets stand for others, which is refused."""

from __future__ import annotations

import re

from duet.errors import Unsupported
from duet.frontend.source.attributes import outside
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import ASSEMBLY, ENDING, GROUPED, KEYWORDS

_PRAGMA = re.compile(r"\s*#\s*pragma\s+weak\s+(?P<name>\w+)\s*(?P<alias>=)?")
_RENAMED = re.compile(r"\s*#\s*pragma\s+redefine_extname\s+(?P<old>\w+)\s+(?P<name>\w+)")
_ENDS = (";", "{", "}", "")


def note_attribute(draft: Draft, token: int, names: set[str]) -> range:
    """Adds all names of the declaration that an attribute at a token is part of; gives its tokens."""
    first = token
    while draft.text(first - 1) not in _ENDS or (first > 0 and not draft.text(first - 1)):
        first -= 1
    last = token
    while draft.text(last) not in _ENDS or (last < len(draft.tokens) and not draft.text(last)):
        is_body = draft.text(last + 1) == "{" and draft.kind(last) is Kind.NAME
        last = draft.closing(last + 1) + 1 if is_body else last + 1
    found = range(first, last)
    names.update(draft.text(index) for index in found if draft.kind(index) is Kind.NAME)
    return found


def note_ending(draft: Draft, token: int) -> None:
    """Notes all names of what is declared not to return around a token; any function may be of a type that does not."""
    tokens = note_attribute(draft, token, draft.ending)
    head, _, _ = " ".join(map(draft.text, tokens)).partition("{")
    if "( *" in head or any(draft.text(index) == "typedef" for index in tokens):
        draft.ending.add(ENDING)


def note_alias(draft: Draft, token: int, index: int) -> None:
    """Notes that the function declared around an attribute stands for the one that `alias` at a token in it names.

    *Raises*: Unsupported where it is no declaration of one function alone, at file scope.
    """
    target = draft.text(index + 2)
    first = last = token
    while draft.text(first - 1) not in _ENDS or (first > 0 and not draft.text(first - 1)):
        first -= 1
    while draft.text(last) not in _ENDS:
        last = draft.closing(last + 1) + 1 if draft.text(last + 1) == "(" else last + 1
    parts = list(outside(draft, first, last))
    texts = [draft.parts[draft.tokens[part]].text for part in parts]
    declared = [
        draft.text(part)
        for part, text in zip(parts, texts, strict=True)
        if draft.kind(part) is Kind.NAME and text not in GROUPED and draft.text(part + 1) == "("
    ]
    is_plain = [draft.text(index + 1), draft.text(index + 3)] == ["(", ")"] and re.fullmatch(r'"[A-Za-z_]\w*"', target)
    is_one = len(declared) == 1 and declared[0] not in KEYWORDS and draft.text(last) == ";"
    is_odd = draft.is_in_braces[token] or any(text in ("=", ",", "typedef", *ASSEMBLY) for text in texts)
    if not is_plain or not is_one or is_odd:
        raise Unsupported("what this attribute 'alias' declares is not understood", draft.span(index))
    draft.aliases.append((declared[0], target[1:-1], draft.span(index)))


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
        if found:
            draft.labels.append((found["name"], found["old"], draft.span(token)))


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
    name = _declared(draft, token)
    draft.labels.append((label, name, draft.span(token)))
    is_function = draft.text(token - 1) == ")"
    used = [index for index in _named(draft, label) if index != token - 1]
    is_own = is_function and name != label and any(_is_body(draft, index) for index in _named(draft, name))
    if any(not is_function or is_own or _is_body(draft, index) for index in used):
        raise Unsupported("a symbol that stands for another one is not supported", draft.span(token))


def _declared(draft: Draft, token: int) -> str:
    """The name that a declarator in front of a token declares; nothing where that is not one of a function or array."""
    depth = groups = 0
    for index in range(token - 1, -1, -1):
        text = draft.text(index)
        if depth == 0 and text not in (")", "]"):
            is_plain = groups < 2 or draft.text(token - 1) == "]"
            return text if is_plain and draft.kind(index) is Kind.NAME and text not in KEYWORDS else ""
        groups += depth == 0
        depth += (text in (")", "]")) - (text in ("(", "["))
    return ""


def _named(draft: Draft, name: str) -> list[int]:
    """Where a name stands."""
    tokens = enumerate(draft.tokens)
    return [at for at, part in tokens if draft.parts[part].text == name and draft.kind(at) is Kind.NAME]


def _is_body(draft: Draft, index: int) -> bool:
    """Whether a function with the name at a token is defined there."""
    return draft.text(index + 1) == "(" and draft.text(draft.closing(index + 1) + 1) == "{"
