"""The attributes `constructor` and `destructor`: functions that the loader calls before `main`, and at the end.

*Source*: "Common Function Attributes" of GCC's manual. Priorities are numbers; lower ones start first.
"""

from __future__ import annotations

import re

from duet.errors import Unsupported
from duet.frontend.source.draft import Draft
from duet.frontend.source.loaded import LAST_PRIORITY, Loaded
from duet.frontend.source.tokens import Kind
from duet.frontend.source.words import GROUPED, KEYWORDS, LOADED

_ENDS = (";", "{", "}")
_TAGGED = ("struct", "union", "enum")
_NUMBER = r"(?:0|[1-9]\d*)"
_SUM = re.compile(rf"{_NUMBER}(?: [+-] {_NUMBER})*")
_ENCLOSED = re.compile(rf"\( ({_NUMBER}) \)")


def keep_loaded(draft: Draft, attribute: int, last: int) -> None:
    """Notes which function is declared with an attribute, from `attribute` to `last`, that the loader looks at.

    *Raises*: Unsupported where that is not plain.
    """
    for index in range(attribute + 1, last):
        word = draft.text(index).strip("_")
        if draft.kind(index) is Kind.NAME and word in LOADED:
            name = _declared(draft, attribute)
            priority = _priority(draft, index)
            if name is None or priority is None or not _is_outermost(draft, attribute, index):
                text = f"what the attribute '{draft.text(index)}' is for is not understood"
                raise Unsupported(text, draft.span(index))
            draft.loaded.append(Loaded(name, word == "constructor", priority))


def _is_outermost(draft: Draft, attribute: int, index: int) -> bool:
    """Whether a word of an attribute is one by itself, and no argument of another one."""
    inside = range(attribute, index)
    return sum((draft.text(i) in ("(", "[")) - (draft.text(i) in (")", "]")) for i in inside) == 2


def _priority(draft: Draft, index: int) -> int | None:
    """The priority behind the name of an attribute; None where it is no plain number or sum of such."""
    if draft.text(index + 1) != "(":
        return LAST_PRIORITY
    inside = " ".join(draft.text(i) for i in range(index + 2, draft.closing(index + 1)))
    if not inside:
        return LAST_PRIORITY
    while inside != (bare := _ENCLOSED.sub(r"\1", inside)):
        inside = bare
    if not _SUM.fullmatch(inside):
        return None
    priority = sum(map(int, inside.replace("+ ", "+").replace("- ", "-").split()))
    return priority if 0 <= priority <= LAST_PRIORITY else None


def _declared(draft: Draft, attribute: int) -> str | None:
    """The name of the one function that the declaration around an attribute declares; None where that is not plain."""
    if draft.is_in_braces[attribute] or draft.text(attribute - 1) in _TAGGED:
        return None
    start = attribute
    while start > 0 and draft.parts[draft.tokens[start - 1]].text not in _ENDS:
        start -= 1
    name, before = None, ""
    while start < len(draft.tokens):
        text = draft.text(start)
        if text in GROUPED and draft.text(start + 1) == "(":
            start = draft.closing(start + 1)
        elif text == "[" and draft.text(start + 1) == "[":
            start = draft.closing(start)
        elif text == "(" and name is None:
            if not before or before in KEYWORDS or start < attribute < draft.closing(start):
                return None
            name, start = before, draft.closing(start)
        elif text in (";", "{") or (text and name is not None):
            return name if text in (";", "{") else None
        elif text:
            before = text if draft.kind(start) is Kind.NAME else ""
            if text in ("=", ",", "["):
                return None
        start += 1
    return None
