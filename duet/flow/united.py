"""Where ways meet that bring only one definition, beside what stands for them there, that is the definition.

Many ways meet behind bodies that calls share, and most cells are what they were.
*Source*: M. Braun et al., "Simple and efficient construction of static single assignment form", 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

D = TypeVar("D")


def united(merged: Mapping[D, Collection[D]]) -> Callable[[D], D]:
    """What each definition is the same as, by what is `merged` in some of them: one that is no merge of only one."""
    same: dict[D, D] = {}

    def found(definition: D) -> D:
        last = definition
        while last in same:
            last = same[last]
        while definition in same:  # the way is short next time
            same[definition], definition = last, same[definition]
        return last

    left, count = list(merged), -1
    while count != len(left):
        several, count = [], len(left)
        for of in left:
            brought = {found(it) for it in merged[of]} - {of}
            if len(brought) == 1:
                same[of] = brought.pop()
            else:
                several.append(of)
        left = several
    return found
