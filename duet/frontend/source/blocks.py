"""GNU declarations that pycparser does not read: labels that belong to a block, types of vectors."""

from __future__ import annotations

from duet.frontend.source.attributes import enclosing
from duet.frontend.source.draft import Draft
from duet.frontend.source.tokens import Kind

_BEFORE_LABELS = frozenset((";", "{", "}", ":", ")", "else", "do"))


def rename_labels(draft: Draft, token: int) -> int:
    """Gives the labels that `__label__` declares at a token names of their own; returns the token behind it."""
    end = token
    while draft.text(end) not in (";", ""):
        end += 1
    names = {draft.text(index) for index in range(token + 1, end) if draft.kind(index) is Kind.NAME}
    brace = enclosing(draft, token)
    draft.blank(token, end)
    if brace is not None:
        for index in range(end + 1, draft.closing(brace)):
            # an inner block may declare the same name again, which counts there then
            name = draft.parts[draft.tokens[index]].text
            if name in names and _is_label(draft, index):
                draft.out[draft.tokens[index]] = f"{name}__{token}"
    return end + 1


def _is_label(draft: Draft, index: int) -> bool:
    """Whether a name is that of a label: in `goto x`, `x:` or `&&x`."""
    before = index - 1
    while before >= 0 and not draft.text(before):  # the declaration of the labels itself is gone by now
        before -= 1
    previous = draft.text(before)
    if previous == "&&":
        is_operand = draft.kind(index - 2) in (Kind.NAME, Kind.NUMBER, Kind.STRING) or draft.text(index - 2) in (
            ")",
            "]",
        )
        return not is_operand or draft.text(index - 2) == "return"
    return previous == "goto" or (draft.text(index + 1) == ":" and previous in _BEFORE_LABELS)


def write_vector(draft: Draft, attribute: int, last: int, size: int) -> bool:
    """Writes `typedef T name __attribute__((vector_size(n)))` as a union of so many bytes; says whether it is that.

    Floating numbers are not tracked, so a vector holds anything, whatever its elements are; a function that calculates
    with vectors is not understood, as it calculates with a union then.
    """
    start = attribute
    while start > 0 and draft.text(start - 1) not in (";", "{", "}"):
        start -= 1
    words = [index for index in range(start, attribute) if draft.text(index)]
    is_typedef = bool(words) and draft.text(words[0]) == "typedef"
    if not is_typedef or any(draft.kind(index) is not Kind.NAME for index in words) or draft.text(size + 1) != "(":
        return False
    if draft.kind(last + 1) is not Kind.NAME:
        words.pop()  # the name that is declared
    if len(words) < 2 or draft.text(last + 1) == ",":
        return False
    length = " ".join(draft.text(index) for index in range(size + 2, draft.closing(size + 1)))
    is_one = length == "2" and "short" in map(draft.text, words[1:])  # GCC's headers have such vectors of one element
    parts = "1" if is_one else f"(int)({length}) < 4 ? -1 : (int)({length}) / 4"  # other small ones are refused
    union = f"union {{ _Alignas({length}) {'short' if is_one else 'float'} parts[{parts}]; }}"
    for index in words[1:]:
        draft.blank(index, index)
    draft.out[draft.tokens[words[1]]] = union
    return True
