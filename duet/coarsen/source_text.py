"""Parts of expressions as reports show them: the place that is accessed, its index, a divisor.

Checks carry the text of an expression; its parts are found by brackets and operators, with no parser.
"""

from __future__ import annotations

import re

_ASSIGNMENT = re.compile(r"\s(?:[-+*/%&|^]|<<|>>)?=\s")


def accessed(text: str) -> str:
    """The place that an expression accesses, without what is assigned to it.

    >>> accessed("a[i] = b == c"), accessed("n[k]++")
    ('a[i]', 'n[k]')
    """
    return _ASSIGNMENT.split(text, maxsplit=1)[0].removesuffix("++").removesuffix("--")


def index(text: str) -> str:
    """The last index of the place that an expression accesses, empty where it does not end in one.

    >>> index("t[i][j[0]] = 2"), index("p->x")
    ('j[0]', '')
    """
    place = accessed(text)
    depth = 0
    for at in reversed(range(len(place))) if place.endswith("]") else ():
        depth += {"]": 1, "[": -1}.get(place[at], 0)
        if depth == 0:
            return place[at + 1 : -1]
    return ""


def is_length(text: str) -> bool:
    """Whether the text of a check asks for a length, as `n > 0` does: none of an access or a call ends like that."""
    return text.endswith(" > 0")


def is_call(text: str) -> bool:
    """Whether an expression is a call by name."""
    return text.endswith(")") and re.match(r"\w+\(", text) is not None


def right_operand(text: str, operators: str) -> str:
    """What stands behind the first of some operators, empty where none is there.

    >>> right_operand("7 / (i + 1)", "/ %"), right_operand("x %= n", "/ %")
    ('(i + 1)', 'n')
    """
    either = "|".join(map(re.escape, operators.split()))
    found = re.search(rf" (?:{either})=? (.+)$", text)
    return found[1] if found else ""
