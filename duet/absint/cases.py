"""Cases: the states of a thread at a place, told apart by the values of a few cells.

*Source*: trace partitioning by values (Rival and Mauborgne 2007). A set of states is the union of its cases, so telling
more or fewer of them apart is sound either way.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any, TypeAlias

from domains.values.number import Number, constant
from duet.absint.state import Space, State, Value
from duet.fixpoint.chaotic import Mode

FEW = 4
"""More values of a cell are not told apart unless they are met one by one."""
MOST = 8
"""Cases of one place; where there would be more, they are put together."""
WHOLE = 2
"""How coarse one case is that all are put together in."""
Key: TypeAlias = tuple[int | None, ...]
"""The values of the cells that tell cases apart, None for any."""
Cases: TypeAlias = Mapping[Key, State]


@dataclass(frozen=True)
class Splitting:
    """How states over some packs are told apart: by the values of `cells`, where these are known to be constant.

    There are at most `most` cases of one place. Of cells in `told` only some numbers are cases of their own. `memory`
    is what was made of values, by their identity, with these.
    """

    space: Space
    cells: tuple[str, ...] = ()
    most: int = MOST
    told: Mapping[str, Collection[int]] = field(default_factory=dict)
    memory: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict, compare=False, repr=False)

    def of(self, states: Iterable[State], coarse: int = 0) -> Cases:
        """The cases of some states, which all have the same packs.

        With `coarse` of 1 only globals tell them apart, so too where there would be too many; `WHOLE` is a single case.
        """
        given = list(states)
        for cells in self._ways[coarse:]:
            found: dict[Key, State] = {}
            for part in (part for state in given for part in self.parts(state, cells)):
                key = self._key(part, cells)
                found[key] = self._joined(found[key], part) if key in found else part
                if len(found) > self.most:
                    break
            else:
                return found
        return {(None,) * len(self.cells): reduce(self._joined, given)} if given else {}

    @cached_property
    def _ways(self) -> tuple[tuple[str, ...], ...]:
        """The cells that tell cases apart, all and the globals among them."""
        cells = self.space.program.cells
        return self.cells, tuple(cell for cell in self.cells if cells[cell].template is None)

    def parts(self, state: State, cells: Sequence[str]) -> Iterator[State]:
        """A state by the values of some cells, where these are known to be one of few."""
        for number, cell in enumerate(cells):
            pack, position = self.space.packing.pack_of[cell], self.space.packing.position[cell]
            value = state.get(pack)
            parted = (value,) if value is None else self._parted(value, position)
            if len(parted) != 1 or parted[0] is not value:
                for part in parted:
                    yield from self.parts(state | {pack: part}, cells[number + 1 :])
                return
        yield state

    def _parted(self, value: Value, position: int) -> tuple[Value, ...]:
        """A value of a pack by the values of one of its cells, itself alone where there are not few."""
        key = ("parted", id(value), position)
        if key not in self.memory:
            domain = self.space.domain
            found: tuple[Value, ...] = (value,)
            if domain.is_bottom(value):  # of a way that nothing takes, as narrowing may find
                found = ()
            elif 1 < len(members := domain.number(value, position).members) <= FEW:
                met = [domain.meet_number(value, position, constant(member)) for member in members]
                found = tuple([part for part in met if not domain.is_bottom(part)])
            self.memory[key] = found, value
        parted: tuple[Value, ...] = self.memory[key][0]
        return parted

    def _key(self, state: State, told: Collection[str]) -> Key:
        """The values of the cells in a state, of those that are told apart."""
        return tuple(
            [self._value(self.space.number(state, cell), cell) if cell in told else None for cell in self.cells]
        )

    def _value(self, found: Number, cell: str) -> int | None:
        """The value of a cell, None for any that is no case of its own."""
        if found.lo != found.hi or (cell in self.told and found.lo not in self.told[cell]):
            return None
        return int(found.lo)

    def _joined(self, left: State, right: State) -> State:
        if left is right:
            return left
        return {pack: value if value is right[pack] else self._join(value, right[pack]) for pack, value in left.items()}

    def _join(self, left: Value, right: Value) -> Value:
        key = ("join", id(left), id(right))
        if key not in self.memory:
            self.memory[key] = self.space.domain.join(left, right), left, right
        return self.memory[key][0]

    def met(self, state: State, pack: int, value: Value) -> State | None:
        """A state with what a value says of a pack, None where both contradict each other."""
        key = ("meet", id(state[pack]), id(value))
        if key not in self.memory:
            found = self.space.domain.meet(state[pack], value)
            self.memory[key] = None if self.space.domain.is_bottom(found) else found, state[pack], value
        found = self.memory[key][0]
        return None if found is None else state | {pack: found}

    def fresh(self, states: Iterable[State], old: Cases) -> list[State]:
        """Those of some states that none of some cases has in it; the least of equal ones."""
        found = {tuple([id(value) for value in state.values()]): state for state in states}
        return [state for state in found.values() if not self._is_in(state, old)]

    def _is_in(self, state: State, cases: Cases) -> bool:
        """Whether one of some cases has a state in it; it is mostly the one with the same values."""
        same = cases.get(self._key(state, self.cells))
        if same is not None and self._is_below(state, same):
            return True
        return any(self._is_below(state, case) for case in cases.values())

    def _leq(self, left: Value, right: Value) -> bool:
        key = ("leq", id(left), id(right))
        if key not in self.memory:
            self.memory[key] = self.space.domain.leq(left, right), left, right
        return bool(self.memory[key][0])

    def combined(self, old: Cases, new: Cases, mode: Mode, thresholds: Mapping[int, tuple[int, ...]]) -> Cases:
        """An old and a new value of an equation, case by case and pack by pack; `thresholds` are those of packs.

        With `JOIN` and the widenings the result contains both; there are finitely many keys, so that chains end. With
        `LOWER` it is the new value where that is below the old one in each case: what was of another case before, as
        too many are put together, may be in the new value of a case only.
        """
        if mode is Mode.SET:
            return new
        if mode is Mode.LOWER:
            return new if all(key in old and self._is_below(state, old[key]) for key, state in new.items()) else old
        grown = {key: self._grown(state, new[key], mode, thresholds) for key, state in old.items() if key in new}
        return {**old, **new, **grown}

    def _is_below(self, left: State, right: State) -> bool:
        return all(value is right[pack] or self._leq(value, right[pack]) for pack, value in left.items())

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
