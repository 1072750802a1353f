"""Origins of pointers to objects, for tests."""

from __future__ import annotations

from duet.frontend.ctypes.origins import ObjectAddress, Origins


def to(*keys: str) -> Origins:
    """The origins of a pointer to one of some objects."""
    return frozenset(map(ObjectAddress, keys))
