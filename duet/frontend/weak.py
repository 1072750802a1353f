"""Symbols that may not be there, so that their address is null, or that stand for others, which is refused."""

from __future__ import annotations

import re

from duet.errors import Unsupported
from duet.frontend.context import Context
from duet.frontend.convert import number
from duet.frontend.draft import Draft
from duet.frontend.tokens import Kind
from duet.frontend.types import PointerType
from duet.frontend.values import Address, Direct, FunctionPlace, Indirect, Number, Place
from duet.plip.syntax import Havoc
from duet.plip.terms import variable

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
    """*Raises*: Unsupported where the name in assembler of what is declared is the one of something in the program."""
    draft.labels.append((label, draft.span(token)))
    is_function = draft.text(token - 1) == ")"
    for index in range(len(draft.tokens)):
        if draft.parts[draft.tokens[index]].text == label and draft.kind(index) is Kind.NAME and index != token - 1:
            is_body = draft.text(index + 1) == "(" and draft.text(draft.closing(index + 1) + 1) == "{"
            if is_body or not is_function:
                raise Unsupported("a symbol that stands for another one is not supported", draft.span(token))


def perhaps_missing(ctx: Context, name: str, place: Direct | FunctionPlace) -> Place:
    """The place that a name denotes: behind a pointer that may be null where it is weak and not defined."""
    if name not in ctx.weak or _is_defined(ctx, place):
        return place
    found = number(ctx, Address(place, PointerType(place.type)))
    cell = ctx.temporary(found.type)
    ctx.builder.emit(Havoc(cell, 0, found.hi))
    address = Number(variable(cell), found.type, 0, found.hi, found.origins)
    return Indirect(address, place.type, (), place.type)


def _is_defined(ctx: Context, place: Direct | FunctionPlace) -> bool:
    if isinstance(place, FunctionPlace):
        return place.name in ctx.functions
    return place.object.kind != "global" or ctx.memory.initial[place.object.key] is not None
