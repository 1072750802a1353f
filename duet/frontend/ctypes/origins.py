"""What origins of values are: addresses of objects or functions, ids of threads, contents of cells, or marks.

Only this module knows how they are written: the address of an object is its key, `ANYTHING` and `EXTERNAL` are marks.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.frontend.ctypes.values import CONTENT

_FUNCTION = "()"
_THREAD = "thread "


def of_function(key: str) -> str:
    """The origin of the address of a function."""
    return f"{key}{_FUNCTION}"


def functions(origins: Iterable[str]) -> list[str]:
    """The functions whose addresses are among some origins, in order."""
    return sorted(origin.removesuffix(_FUNCTION) for origin in origins if origin.endswith(_FUNCTION))


def of_thread(template: str) -> str:
    """The origin of the id of a thread of a template."""
    return f"{_THREAD}{template}"


def threads(origins: Iterable[str]) -> list[str]:
    """The templates of which ids are among some origins, in order."""
    return sorted(origin.removeprefix(_THREAD) for origin in origins if origin.startswith(_THREAD))


def of_content(node: str) -> str:
    """The origin of what was read from a cell, or from a value of the points-to analysis."""
    return f"{CONTENT}{node}"


MOVED = of_content("<moved>")
"""The origin of a pointer that was moved for the access that follows it now, see `duet.frontend.form.fleeting`."""


def content(origin: str) -> str | None:
    """The cell or value that something with an origin was read from; None for other origins."""
    return origin.removeprefix(CONTENT) if origin.startswith(CONTENT) else None


def contents(origins: Iterable[str]) -> list[str]:
    """The cells and values that something with these origins was read from, in order."""
    return sorted(node for origin in origins if (node := content(origin)) is not None)
