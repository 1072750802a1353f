"""Attributes that change the layout of structs, written in the C that pycparser reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duet.errors import Unsupported
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import (
    ALIGNED,
    ALIGNED_TYPE,
    KEYWORDS,
    OPENING,
    PACK,
    PACKED,
    PACKED_ENUM,
    PACKED_MEMBER,
    RENAMED,
)

TAGGED = ("struct", "union", "enum")
_PRAGMA = re.compile(r"\s*#\s*pragma\s+pack\b\s*(?:\((?P<words>[^()]*)\))?")
_STORAGE = re.compile(r"\s*#\s*pragma\s+scalar_storage_order\b")


def keep_layout(draft: Draft, token: int, last: int, index: int) -> None:
    """Writes `packed` and `aligned` of a type, and `packed` of a member, as static assertions, else as `_Alignas`."""
    is_packed = draft.text(index).strip("_") == "packed"
    has_value = draft.text(index + 1) == "("
    end = draft.closing(index + 1) if has_value else index
    value = " ".join(RENAMED.get(draft.text(i), draft.text(i)) for i in range(index + 2, end)) if has_value else "16"
    brace = _body_of(draft, token, last)
    if brace is not None and opens(draft, brace, "enum"):
        draft.add(brace, f"{PACKED_ENUM} = -1," if is_packed else "")
        return
    if brace is not None:
        draft.add(brace, f"_Static_assert(1, {PACKED});" if is_packed else f"_Static_assert({value}, {ALIGNED});")
        return
    around = enclosing(draft, token)
    is_member = around is not None and opens(draft, around, "struct", "union")
    start, stop = _declaration(draft, token)
    is_typedef = draft.text(start) == "typedef"
    if not is_member and (is_packed or not is_typedef):
        return  # the alignment of a variable or function changes no value
    if any(draft.text(i) == "," for i in outside(draft, start, stop)):
        raise Unsupported("a layout in a declaration of several names is not supported", draft.span(index))
    if is_packed:
        draft.add(start - 1, f"_Static_assert(1, {PACKED_MEMBER});")
        return
    if is_member:
        draft.out[draft.tokens[start]] = f"_Alignas({value}) {draft.out[draft.tokens[start]]}"
        return
    names = [draft.text(i) for i in outside(draft, start, stop) if draft.kind(i) is Kind.NAME]
    declared = [name for name in names if name and name not in KEYWORDS and not name.startswith("__attribute")]
    draft.add(stop, f'_Static_assert({value}, {ALIGNED_TYPE}{declared[-1] if declared else ""}");')


def _declaration(draft: Draft, token: int) -> tuple[int, int]:
    """The first token of the declaration around a token, and the semicolon that ends it."""
    start = token
    while start > 0:
        before = draft.parts[draft.tokens[start - 1]].text
        if before in (";", "{"):
            break
        start = opening(draft, start - 1) if before in OPENING.values() else start - 1
    while draft.text(start) == "" and start < token:
        start += 1
    stop = token
    while draft.text(stop) not in (";", "}") and stop < len(draft.tokens) - 1:
        stop = draft.closing(stop) + 1 if draft.text(stop) in OPENING else stop + 1
    return start, stop


def outside(draft: Draft, start: int, stop: int) -> Iterator[int]:
    """The tokens from `start` to before `stop` that are in no brackets."""
    while start < stop:
        if draft.parts[draft.tokens[start]].text in OPENING:
            start = draft.closing(start)
        else:
            yield start
        start += 1


def opening(draft: Draft, token: int) -> int:
    """The token that opens the bracket closed at `token`; brackets have been checked."""
    depth = 0
    while True:
        text = draft.parts[draft.tokens[token]].text
        depth += (text in OPENING.values()) - (text in OPENING)
        if depth == 0:
            return token
        token -= 1


def keep_packing(draft: Draft) -> None:
    """Writes `#pragma pack` as static assertions in the structs that end where it holds."""
    value, stack, braces = "", [], []
    token = 0
    for index, piece in enumerate(draft.parts):
        is_token = token < len(draft.tokens) and draft.tokens[token] == index
        if piece.kind is Kind.DIRECTIVE and _STORAGE.match(piece.text):
            raise Unsupported("the order of bytes in structs is not supported", draft.span(token))
        if piece.kind is Kind.DIRECTIVE and (found := _PRAGMA.match(piece.text)):
            words = found["words"].replace(" ", "").split(",") if found["words"] is not None else ["?"]
            if words[0] == "push":
                stack.append((words[1] if len(words) > 1 else "", value))
            elif words[0] == "pop":
                name = words[1] if len(words) > 1 and not words[1].isdigit() else ""
                while stack and name and stack[-1][0] != name:
                    stack.pop()
                value = stack.pop()[1] if stack else value
            if words[-1].isdigit() or words == [""]:
                value = words[-1] if words[-1] != "0" else ""
            elif words[0] not in ("push", "pop"):
                raise Unsupported("this #pragma pack is not understood", draft.span(token))
        elif is_token and RENAMED.get(piece.text, piece.text) == "{":
            braces.append(token)
        elif is_token and RENAMED.get(piece.text, piece.text) == "}":
            brace = braces.pop()
            if value and opens(draft, brace, "struct", "union"):
                draft.add(brace, f"_Static_assert({value}, {PACK});")
        token += is_token


def _body_of(draft: Draft, token: int, last: int) -> int | None:
    """The brace that opens the type whose attribute stands at a token: before its name or body, or behind it."""
    before = token - 1
    while draft.text(before) == "" and before > 0:
        before -= 1
    if draft.text(before) in TAGGED:
        after = last + 1
        while draft.kind(after) is Kind.NAME:
            after = draft.closing(after + 1) + 1 if draft.text(after + 1) == "(" else after + 1
        return after if draft.text(after) == "{" else None
    if draft.text(before) != "}":
        return None
    brace = opening(draft, before)
    return brace if opens(draft, brace, *TAGGED) else None


def opens(draft: Draft, brace: int, *words: str) -> bool:
    """Whether a brace opens the body of a type that is introduced by one of some words."""
    if draft.parts[draft.tokens[brace]].text != "{":
        return False
    before, found = brace, 0
    while before > 0 and found < 2:
        before -= 1
        if draft.text(before) == ")":
            before = opening(draft, before)
            continue
        found += draft.text(before) not in ("", "__attribute__", "__attribute")
        if draft.text(before) in words:
            return True
    return False


def enclosing(draft: Draft, token: int) -> int | None:
    """The brace that is open around a token."""
    depth = 0
    for index in range(token - 1, -1, -1):
        text = draft.parts[draft.tokens[index]].text
        depth += (text in ("{", "}")) * (1 if text == "}" else -1)
        if depth < 0:
            return index
    return None
