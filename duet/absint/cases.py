"""Cases: the states of a thread at a place, told apart by the values of a few cells.

*Source*: trace partitioning by values (Rival and Mauborgne 2007). A set of states is the union of its cases, so telling
more or fewer of them apart is sound either way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from domains.values.number import constant
from duet.absint.state import Space, State
from duet.fixpoint.chaotic import Mode

FEW = 4
"""More values of a cell are not told apart unless they are met one by one."""
MOST = 8
"""Cases of one place; where there would be more, they are put together."""
Key: TypeAlias = tuple[int | None, ...]
"""The values of the cells that tell cases apart, None for any."""
Cases: TypeAlias = Mapping[Key, State]


@dataclass(frozen=True)
class Splitting:
    """How states over some packs are told apart: by the values of `cells`, where these are known to be constant.

    There are at most `most` cases of one place.
    """

    space: Space
    cells: tuple[str, ...] = ()
    most: int = MOST

    def of(self, states: Collection[State], is_whole: bool = False) -> Cases:
        """The cases of some states, which all have the same packs; with `is_whole`, a single one."""
        found: dict[Key, State] = {}
        parts = states if is_whole else (part for state in states for part in self.parts(state, self.cells))
        for part in parts:
            key = self._key(part) if not is_whole else (None,) * len(self.cells)
            found[key] = self._joined(found[key], part) if key in found else part
            if len(found) > self.most:
                return self.of(states, is_whole=True)
        return found

    def parts(self, state: State, cells: Iterable[str]) -> list[State]:
        """A state by the values of some cells, where these are known to be one of few.

        No further cell is looked at once there are more than `most` parts.
        """
        found, is_bottom = [state], self.space.domain.is_bottom
        for cell in cells:
            members = self.space.number(state, cell).members
            if 1 < len(members) <= FEW:
                pack, position = self.space.packing.pack_of[cell], self.space.packing.position[cell]
                meet = self.space.domain.meet_number
                found = [
                    part | {pack: met}
                    for part in found
                    for member in members
                    if not is_bottom(met := meet(part[pack], position, constant(member)))
                ]
            if len(found) > self.most:
                break
        return found

    def _key(self, state: State) -> Key:
        """The values of the cells in a state."""
        numbers = [self.space.number(state, cell) for cell in self.cells]
        return tuple([int(found.lo) if found.lo == found.hi else None for found in numbers])

    def _joined(self, left: State, right: State) -> State:
        if left is right:
            return left
        join = self.space.domain.join
        return {pack: value if value is right[pack] else join(value, right[pack]) for pack, value in left.items()}

    def combined(self, old: Cases, new: Cases, mode: Mode, thresholds: Mapping[int, tuple[int, ...]]) -> Cases:
        """An old and a new value of an equation, case by case and pack by pack; `thresholds` are those of packs.

        With `JOIN` and the widenings the result contains both; there are finitely many keys, so that chains end.
        """
        if mode is Mode.SET:
            return new
        if mode is Mode.LOWER:
            if not new.keys() <= old.keys():
                return old
            return {key: self._lowered(old[key], state) for key, state in new.items()}
        grown = {key: self._grown(state, new[key], mode, thresholds) for key, state in old.items() if key in new}
        return {**old, **new, **grown}

    def _lowered(self, old: State, new: State) -> State:
        leq = self.space.domain.leq
        return {pack: new[pack] if leq(new[pack], value) else value for pack, value in old.items()}

    def _grown(self, old: State, new: State, mode: Mode, thresholds: Mapping[int, tuple[int, ...]]) -> State:
        domain = self.space.domain
        result: State = {}
        for pack, value in old.items():
            if new[pack] is value or domain.leq(new[pack], value):
                result[pack] = value
                continue
            result[pack] = domain.join(value, new[pack])
            if mode is not Mode.JOIN:
                limits = thresholds[pack] if mode is Mode.WIDEN else ()
                result[pack] = domain.widen(value, result[pack], limits)
        return result
