"""Cells that no other thread writes while a thread uses them: what it knows of these stays so until it writes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.frontend.graph.returns import Crossing, Returns
from duet.plip.syntax import Cell, Command, Instruction, Join, Spawn, steps
from duet.plip.touched import writes

_ENDED = "alone no more"


@dataclass(frozen=True, slots=True)
class _Alone:
    """Whether no thread was started yet."""

    is_alone: bool

    def common(self, other: _Alone) -> _Alone:
        return _Alone(self.is_alone and other.is_alone)

    def and_kept(self, before: _Alone, written: Set[str]) -> _Alone:
        return _Alone(before.is_alone and _ENDED not in written)


def alone(
    commands: Sequence[Command], entry: int, calls: Iterable[Crossing], until: Set[int] = frozenset()
) -> frozenset[int]:
    """The locations of the first thread to which no way leads on which another one was started.

    Nor does one lead there that has gone on from a location of those in `until`.
    """

    def ended(command: Command) -> frozenset[str]:
        is_started = any(isinstance(step, Spawn) for step in steps(command.instruction))
        return frozenset((_ENDED,)) if is_started or command.source in until else frozenset()

    returns = Returns(commands, calls, ended)

    def behind(location: int, known: _Alone) -> Iterator[tuple[int, _Alone]]:
        for command in returns.outgoing[location]:
            yield command.target, _Alone(known.is_alone and not ended(command))

    found = known_on_all_ways(entry, _Alone(True), behind, returns.successors, returns.behind)
    return frozenset(location for location, known in found.items() if known.is_alone)


@dataclass(frozen=True, slots=True)
class _Running:
    """The templates of which a thread may run that the first thread has started."""

    templates: frozenset[str]

    def common(self, other: _Running) -> _Running:
        return _Running(self.templates | other.templates)


def between(
    commands: Sequence[Command], entry: int, ending: Set[str], ends: Mapping[str, Collection[tuple[int, int]]]
) -> frozenset[int]:
    """The locations of the first thread where all threads that it has started have certainly ended.

    `ending` are templates that have one instance, which starts no thread: that has ended when it was joined. So have
    all threads of those with `ends` behind these ways.
    """
    outgoing = by_source(commands)

    def behind(location: int, known: _Running) -> Iterator[tuple[int, _Running]]:
        for command in outgoing[location]:
            over = {name for name, ways in ends.items() if (command.source, command.target) in ways}
            running = known.templates - over
            for step in steps(command.instruction):
                match step:
                    case Spawn(template):
                        running |= {template}
                    case Join(template) if template in ending:
                        running -= {template}
                    case _:
                        continue
            yield command.target, _Running(running)

    found = known_on_all_ways(entry, _Running(frozenset()), behind, following(outgoing))
    return frozenset(location for location, known in found.items() if not known.templates)


@dataclass(frozen=True, slots=True)
class Own:
    """The cells that only the thread writes: `always`, and `others` as long as it is `alone` at a location.

    `then` are all that it has then.
    """

    always: frozenset[str]
    others: frozenset[str] = frozenset()
    alone: frozenset[int] = frozenset()
    then: frozenset[str] = frozenset()

    def at(self, location: int) -> Collection[str]:
        """The cells of which what is known at a location stays so."""
        return self.then if location in self.alone else self.always

    def only(self, cells: frozenset[str]) -> Own:
        """Those among some cells."""
        return Own(self.always & cells, self.others & cells, self.alone, self.then & cells)

    def changed(self, instruction: Instruction) -> frozenset[str]:
        """The cells that may be written from an instruction on; from where a thread is started, also by that."""
        return writes(instruction) | self.others if isinstance(instruction, Spawn) else writes(instruction)


def own_cells(
    commands: Mapping[str, Sequence[Command]], cells: Mapping[str, Cell], several: Set[str], first: str, alone: Set[int]
) -> Mapping[str, Own]:
    """The cells of each template; `several` have more than one instance, `alone` are locations of the `first` one.

    A cell that is shared is that of the only instance that writes it, but for what was written before it was started.
    """
    writers: dict[str, set[str]] = defaultdict(set)
    for template, given in commands.items():
        for command in given:
            if template == first and command.source in alone and command.target in alone:
                continue
            for cell in writes(command.instruction):
                writers[cell].add(template)
    plain = {name: cell for name, cell in cells.items() if not cell.summary}
    own: dict[str, Own] = {}
    for template in commands:
        is_one = template not in several
        always = {
            name
            for name, cell in plain.items()
            if cell.template is not None or (is_one and writers[name] <= {template})
        }
        own[template] = Own(frozenset(always))
        if template == first:
            own[template] = Own(frozenset(always), frozenset(plain) - always, frozenset(alone), frozenset(plain))
    return own
