"""What one round of lowering has found out, or noted, already: large programs ask for the same again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from duet.frontend.cells.located import Initial
from duet.frontend.ctypes.origins import Origins
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Number, Object
from duet.frontend.form.tree import Expression, Parts


@dataclass
class Told:
    """What was noted, and need not be noted again.

    - `changed`: what code that is not there changes in a large program, by the origins of that, those of the pointers
      that it writes there and those of what else it stores; `lost`: these objects, of the type that each had then, by
      key and the latter two;
    - `published`: what other threads reach, by its origins; `exposed`: what unknown pointers lead to.
    """

    changed: dict[tuple[Origins, Origins, Origins], Sequence[Object]] = field(default_factory=dict)
    lost: dict[tuple[str, Origins, Origins], Object] = field(default_factory=dict)
    published: dict[Origins, Sequence[Object]] = field(default_factory=dict)
    exposed: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The initial values of an object: constants, and what each round is `asked` again, given by its forms.

    They hold in each round in which all that is asked comes out the same, and is told the same by that. The initialiser
    has its identity as long as the table is there.
    """

    initialiser: Parts
    initial: Initial
    asked: Sequence[tuple[Expression, CType, Number]]


@dataclass
class Reached:
    """What is reached through pointers, as long as nothing new is known of them.

    - `closed`: the origins of all of it, by the bits of those of the pointers; `inside`: what is in the program;
    - `anything`: the bits of all whose address is taken, while what tells that has the same `sizes`.
    """

    closed: dict[int, Origins] = field(default_factory=dict)
    inside: dict[frozenset[Origins], Origins] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()
    anything: int = 0
    _versions: tuple[int, ...] = ()

    def as_of(self, *versions: int) -> Self:
        """This, without what was found when something else was known."""
        if versions != self._versions:
            self._versions = versions
            self.closed.clear()
            self.inside.clear()
        return self
