"""Origins of pointers to objects, for tests."""

from __future__ import annotations

from duet.frontend.ctypes.origins import AT_START, ObjectAddress, Origins


def to(*keys: str) -> Origins:
    """The origins of a pointer to one of some objects."""
    return frozenset(map(ObjectAddress, keys))


def start(*keys: str) -> Origins:
    """The origins of a pointer to the start of one of some objects, as what is known to be there is told."""
    return to(*keys) | {AT_START}
