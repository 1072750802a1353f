"""Facts about the whole program that lowering needs before it has seen all of it.

Lowering is repeated until a round adds no fact (they only grow), so the last round is consistent with all of them:
which objects have their address taken, what each cell may point to (flow-insensitive), and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from duet.frontend.judgments.growth import Growing, Growth
from duet.frontend.judgments.layouts import Layouts
from duet.frontend.judgments.marks import Mark
from duet.frontend.judgments.objects import Objects
from duet.frontend.judgments.pointers import Pointers
from duet.source import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A function that is not understood: the reason and its place, the identifiers in it with theirs.

    `calls` are the names that it may call.
    """

    name: str
    span: Span
    message: str
    cause: Span | None
    mentions: tuple[tuple[str, Span], ...]
    calls: frozenset[str]


class Facts:
    """What is known of the whole program, by what it is about; `growth` counts what is new.

    - `objects`, `pointers`, `layouts`: see there;
    - `by_itself`: each function is lowered by itself, and what it calls does anything (`duet.frontend.each`);
    - `refused`: functions that are not understood; `recursive`: those on a cycle of calls; `functions`: those whose
      address is taken;
    - `many`: templates with any number of instances;
    - `apart`: tags of structs that several files define in different ways;
    - `others`: names of library functions under which the program has other functions;
    - `weak_locks`: locks that order nothing;
    - `several`: templates of which several threads may be given the same argument; only `exclusion` asks, so that
      what is new here takes no other round;
    - `sizes`: how many commands a call of a function took at most, where its body was lowered for it. It is no fact of
      the program, so that what is new here takes no other round;
    - `names`: the numbers of cells that have one name, which are no facts of the program, either.
    """

    def __init__(self) -> None:
        self.growth = Growth()
        self.objects = Objects(self.growth)
        self.pointers = Pointers(self.growth)
        self.layouts = Layouts(self.growth)
        self.refused: dict[str, Refusal] = {}
        self.by_itself = False
        self.recursive: Growing[str] = Growing(self.growth)
        self.functions: Growing[str] = Growing(self.growth)
        self.many: Growing[str] = Growing(self.growth)
        self.apart: set[str] = set()
        self.others: set[str] = set()
        self.weak_locks: Growing[str] = Growing(self.growth)
        self.several: set[str] = set()
        self.names: dict[str, dict[object, int]] = {}
        self.sizes: dict[str, int] = {}
        self._marks: dict[Mark[Any], Growing[Any]] = {}
        self._any: Growing[Mark[Any]] = Growing(self.growth)

    @property
    def meanings(self) -> int:
        """How many names are known to mean something else than they seem to: forms depend on these."""
        return len(self.apart) + len(self.others)

    def mark(self, what: Mark[T], *subjects: T) -> None:
        """Records something that models of library functions need to know of the whole program."""
        self._marks.setdefault(what, Growing(self.growth)).add(*subjects)

    def mark_any(self, what: Mark[T]) -> None:
        """Records that a mark may be that of anything, or that it is one of the program as a whole."""
        self._any.add(what)

    def marked(self, what: Mark[T]) -> frozenset[T]:
        """The subjects that have a mark, but for `mark_any`."""
        return frozenset(self._marks.get(what, ()))

    def is_any_marked(self, what: Mark[T]) -> bool:
        """Whether anything may have a mark, as `mark_any` says."""
        return what in self._any

    def is_known(self, what: Mark[T]) -> bool:
        """Whether anything at all was recorded with a mark."""
        return what in self._any or bool(self._marks.get(what))

    def refuse(self, key: str, refusal: Refusal) -> None:
        """Records that a function is not understood; also where facts are frozen, as the round cannot be the last."""
        if key not in self.refused:
            self.refused[key] = refusal
            self.growth.count()
