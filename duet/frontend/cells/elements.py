"""Which elements of arrays have cells of their own.

All elements of a short array have, until one is accessed in a way that does not tell which: then the array is one
summary cell (`blurred`). Of a long one that is accessed by an unknown index a few may have (`few`): an access means one
of these or any of the rest, for which one summary cell stands (`Index.is_rest`). So a schedule that meets only a few
elements can be exact whatever the length.
*Approximates*: over. An access that was not put apart like this makes the array one summary cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duet.frontend.ctypes.declarations import TypeTable
from duet.frontend.ctypes.types import ArrayType, CType, StructType
from duet.frontend.ctypes.values import Direct, Index
from duet.frontend.judgments.facts import Facts
from duet.frontend.judgments.marks import Mark
from duet.options import Budgets

_NAMED: Mark[int] = Mark("elements of an array that constants name")


@dataclass(frozen=True, slots=True)
class Elements:
    """Judgments about arrays; `key` starts the names of the cells of an array."""

    facts: Facts
    types: TypeTable
    budgets: Budgets

    def has_cell(self, key: str, kind: ArrayType, step: Index) -> bool:
        """Whether an element of an array has its own cell; that a constant names it is recorded."""
        number, length = step.constant, kind.length
        if length is None or key in self.facts.objects.blurred or number is None or not 0 <= number < length:
            return False
        if number >= self.budgets.few_elements and len(self._named(key)) < self.budgets.few_elements:
            self.facts.mark(_NAMED.of(key), number)
        return not self._is_sparse(key, length) or number in self.few(key, length)

    def told_apart(self, key: str, length: int) -> Sequence[int] | None:
        """The elements that an access by an unknown index tells apart from the rest; None where it tells none."""
        if key in self.facts.objects.blurred:
            return None
        if length <= self.budgets.indexed_elements:
            return range(length)
        if self.budgets.few_elements <= 0:
            return None
        self.facts.objects.sparse.add(key)
        return self.few(key, length)

    def few(self, key: str, length: int) -> Sequence[int]:
        """The elements of an array that have cells if only a few have: the first ones, and some that constants name."""
        return sorted({*range(min(max(0, self.budgets.few_elements), length)), *self._named(key)})

    def _named(self, key: str) -> frozenset[int]:
        return self.facts.marked(_NAMED.of(key))

    def _is_sparse(self, key: str, length: int) -> bool:
        return key in self.facts.objects.sparse or length > self.budgets.array_cells

    def blur(self, place: Direct) -> None:
        """Records which arrays of a path need one cell for all of their elements."""
        text = place.object.key
        kind: CType = place.object.type
        for step in place.path:
            if isinstance(step, Index):
                assert isinstance(kind, ArrayType)
                is_known = self.has_cell(text, kind, step)
                if not is_known and not self._is_of_rest(text, kind, step):
                    self.facts.objects.blurred.add(text)
                text += f"[{step.constant}]" if is_known else "[*]"
                kind = kind.element
            else:
                assert isinstance(kind, StructType)
                text += f".{step}"
                kind = next(member.type for member in self.types.members(kind) if member.name == step)

    def _is_of_rest(self, key: str, kind: ArrayType, step: Index) -> bool:
        """Whether a step leads to none of the few elements that have cells."""
        if step.is_rest:
            return True
        is_sparse = kind.length is not None and self._is_sparse(key, kind.length) and self.budgets.few_elements > 0
        return is_sparse and step.constant is not None
