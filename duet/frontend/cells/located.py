"""What stands for a part of an object: a cell, a constant table or nothing; what static objects hold at first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from duet.frontend.ctypes.origins import NOTHING, Origins
from duet.frontend.ctypes.types import CType, IntType
from duet.frontend.ctypes.values import Index, Object, Path
from duet.plip.syntax import Linear
from duet.records import dataclass

_ELEMENT = re.compile(r"^\[[*0]\](?=\.)")
Key: TypeAlias = tuple[str | int, ...]
"""A path with constant indices."""
Shape: TypeAlias = tuple[str | None, ...]
"""A path in which None stands for any index."""


@dataclass(frozen=True)
class Initial:
    """The initial scalars of a static object by path; a path not in `values` has 0. `origins` of what points there."""

    values: Mapping[Key, int]
    origins: Mapping[Key, Origins]

    @cached_property
    def shaped(self) -> Mapping[Shape, Sequence[Key]]:
        """The paths that have values, by their shapes: tables have many of one shape."""
        found: dict[Shape, list[Key]] = {}
        for key in self.values:
            found.setdefault(shape_of(key), []).append(key)
        return found

    @cached_property
    def pointing(self) -> Origins:
        """The origins of all that points."""
        return NOTHING.union(*self.origins.values())


@dataclass(frozen=True, slots=True)
class CellAt:
    """A cell for a scalar."""

    name: str
    type: CType
    is_shared: bool
    is_summary: bool
    starred: str


@dataclass(frozen=True, slots=True)
class BitsAt:
    """Some bits of the cell of another scalar of a union, from `shift` on."""

    cell: CellAt
    shift: int
    type: IntType


@dataclass(frozen=True, slots=True)
class TableAt:
    """An entry of a constant table."""

    values: tuple[int, ...]
    index: Linear
    type: CType
    origins: Origins


@dataclass(frozen=True, slots=True)
class Nowhere:
    """Memory that is not tracked: reads give any value of the type."""

    type: CType


Located: TypeAlias = CellAt | BitsAt | TableAt | Nowhere


def key_of(path: Path) -> Key:
    """A path as a key of initial values."""
    return tuple([(step.constant or 0) if isinstance(step, Index) else step for step in path])


def spelled(path: Path, is_starred: bool = False) -> str:
    """A path as the end of the name of a cell: constant indices as they are, others as `*`; with `is_starred`, all."""
    return "".join(f".{step}" if isinstance(step, str) else _shown(step, is_starred) for step in path)


def _shown(step: Index, is_starred: bool) -> str:
    return "[*]" if is_starred or step.constant is None else f"[{step.constant}]"


def shape_of(key: Key) -> Shape:
    """The shape of a path."""
    return tuple([None if isinstance(step, int) else step for step in key])


def part_of(of: Object, path: str) -> str:
    """A part of an object in words: of what was allocated, the first element is not told."""
    if of.kind != "heap":
        return (of.label or of.key) + path
    inside = _ELEMENT.sub("", path, count=1)
    return f"({allocated(of)}){inside}" if of.span is not None else of.label + inside


def in_words(of: Object) -> str:
    """An object in words: by its name, or by the place where it was allocated."""
    return allocated(of) if of.kind == "heap" else of.label or of.key


def allocated(of: Object) -> str:
    """What was allocated, in words: by the place of that, if it has one."""
    return f"memory from {of.span.file.rpartition('/')[2]}:{of.span.line}" if of.span is not None else of.label
