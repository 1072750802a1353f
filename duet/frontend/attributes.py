"""Attributes that change the layout of structs, written in the C that pycparser reads."""

from __future__ import annotations

from duet.errors import Unsupported
from duet.frontend.draft import Draft
from duet.frontend.tokens import Kind
from duet.frontend.words import ALIGNED, OPENING, PACKED, RENAMED


def keep_layout(draft: Draft, token: int, last: int, index: int) -> None:
    """Writes `packed` or `aligned` of a struct as a static assertion in it, `aligned` of a member as `_Alignas`."""
    is_packed = draft.text(index).strip("_") == "packed"
    has_value = draft.text(index + 1) == "("
    end = draft.closing(index + 1) if has_value else index
    value = " ".join(RENAMED.get(draft.text(i), draft.text(i)) for i in range(index + 2, end)) if has_value else "16"
    brace = _struct_of(draft, token, last)
    if brace is not None:
        text = f"_Static_assert(1, {PACKED});" if is_packed else f"_Static_assert({value}, {ALIGNED});"
        draft.out[draft.tokens[brace]] += f" {text}"
        return
    around = enclosing(draft, token)
    if around is None or not _opens_struct(draft, around):
        return  # the alignment of a variable or function changes no value
    if is_packed:
        raise Unsupported("a packed member is not supported; pack the whole struct", draft.span(index))
    start = token
    while start - 1 > around and draft.text(start - 1) not in (";", "}"):
        start -= 1
    draft.out[draft.tokens[start]] = f"_Alignas({value}) {draft.out[draft.tokens[start]]}"


def _struct_of(draft: Draft, token: int, last: int) -> int | None:
    """The brace that opens the struct whose attribute stands at a token: before its name or body, or behind it."""
    before = token - 1
    while draft.text(before) == "" and before > 0:
        before -= 1
    if draft.text(before) in ("struct", "union"):
        after = last + 1
        while draft.kind(after) is Kind.NAME:
            after = draft.closing(after + 1) + 1 if draft.text(after + 1) == "(" else after + 1
        return after if draft.text(after) == "{" else None
    if draft.text(before) != "}":
        return None
    depth, opening = 1, before
    while depth and opening > 0:
        opening -= 1
        text = draft.parts[draft.tokens[opening]].text
        depth += (text in OPENING.values()) - (text in OPENING)
    return opening if _opens_struct(draft, opening) else None


def _opens_struct(draft: Draft, brace: int) -> bool:
    """Whether a brace opens the body of a struct or union."""
    words = [text for text in (draft.text(i) for i in range(max(brace - 12, 0), brace)) if text][-2:]
    return draft.parts[draft.tokens[brace]].text == "{" and bool({"struct", "union"} & set(words))


def enclosing(draft: Draft, token: int) -> int | None:
    """The brace that is open around a token."""
    depth = 0
    for index in range(token - 1, -1, -1):
        text = draft.parts[draft.tokens[index]].text
        depth += (text in ("{", "}")) * (1 if text == "}" else -1)
        if depth < 0:
            return index
    return None
