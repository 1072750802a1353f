"""What a thread knows of a global cell that it has a share of, shown by induction over the steps of all threads.

That a reader/writer lock is held for reading is known to its count only, which other readers change; the reader's own
share tells that it is positive.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import z3

from duet.certificate import meaning
from duet.certificate.document import Phrase
from duet.certificate.flows import touched
from duet.certificate.knowledge import Prover
from duet.certificate.meaning import Expr, cell_of
from duet.plip.semantics import runs_once
from duet.plip.syntax import Program, Spawn
from duet.plip.terms import compare, constant, disjunction, show_formula, variable
from duet.plip.tokens import quote_name


def share_facts(program: Program, prover: Prover) -> Mapping[int, tuple[Phrase, ...]]:
    """For each location `share <= 0 || whole >= 1` for the shares of its template that certainly are some."""
    found: dict[str, list[Phrase]] = {}
    for whole in program.globals:
        sharing = _Sharing(program, prover, whole)
        if sharing.owned and sharing.is_kept():
            for name, own in sharing.owned.items():
                said = disjunction(
                    (compare(variable(own), "<=", constant(0)), compare(variable(whole), ">=", constant(1)))
                )
                found.setdefault(name, []).append(Phrase(show_formula(said, quote_name)))
    return {location: tuple(found[name]) for location, name in program.template_of.items() if name in found}


@dataclass
class _Sharing:
    """A global cell and the cells, one for each template, that may be the shares of it."""

    program: Program
    prover: Prover
    whole: str

    def __post_init__(self) -> None:
        self.writes = [touched(command.instruction).writes for command in self.program.commands]
        self.owned: dict[str, str] = {}
        for name in self.program.templates:
            local = [
                {cell for cell in writes if self.program.cells[cell].template == name}
                for index, writes in enumerate(self.writes)
                if self.whole in writes and self._owner(index) == name
            ]
            common = set.intersection(*(cells for cells in local if cells)) if any(local) else set()
            if common:
                self.owned[name] = min(common)

    def _owner(self, command: int) -> str:
        return self.program.template_of[self.program.commands[command].source]

    def is_kept(self) -> bool:
        """Whether each step keeps what is 0 everywhere at first: see `_kept`."""
        shares = {self.whole, *self.owned.values()}
        cells = [self.program.cells[name] for name in shares]
        given = {
            cell
            for command in self.program.commands
            if isinstance(command.instruction, Spawn)
            for cell, _ in command.instruction.arguments
        }
        if any(cell.summary or (cell.lo, cell.hi) != (0, 0) for cell in cells) or given & shares:
            return False
        changing = [index for index, writes in enumerate(self.writes) if not shares.isdisjoint(writes)]
        late = self._late(index for index in changing if not shares.isdisjoint(self.writes[index] - {self.whole}))
        return all(self._keeps(index, late) for index in changing)

    def _late(self, steps: Iterator[int]) -> Collection[int]:
        """The locations that come after a step that changes a share, or after the start of a thread."""
        commands = self.program.commands
        work = [commands[index].target for index in steps]
        work += [command.target for command in commands if isinstance(command.instruction, Spawn)]
        seen = set(work)
        while work:
            for index in self.program.outgoing[work.pop()]:
                if commands[index].target not in seen:
                    seen.add(commands[index].target)
                    work.append(commands[index].target)
        return seen

    def _keeps(self, command: int, late: Collection[int]) -> bool:
        name, source = self._owner(command), self.program.commands[command].source
        own, others, whole = z3.Int("<own>"), z3.Int("<others>"), cell_of(self.whole)
        effect = meaning.effect(self.program, self.program.commands[command].instruction)
        if name in self.owned:
            own = cell_of(self.owned[name])
        premises = [*effect.needs, *effect.laws, _kept(whole, own, others)]
        if name not in self.owned or (name == self.program.main and source not in late):
            premises.append(own == 0)
        if name == self.program.main and source not in late and runs_once(self.program, name):
            premises.append(others == 0)  # there is no other thread yet
        after = effect.after.get(self.owned.get(name, ""), own)
        return self.prover.is_valid(premises, _kept(effect.after.get(self.whole, whole), after, others))


def _kept(whole: Expr, own: Expr, others: Expr) -> Expr:
    """No share is negative and the whole at least their sum; or one is -1 as is the whole, and the rest are 0.

    `others` is the sum of the shares of all threads but one, also of those that have ended.
    """
    return z3.Or(
        z3.And(own >= 0, others >= 0, whole >= own + others),
        z3.And(own == -1, others == 0, whole == -1),
        z3.And(own == 0, others == -1, whole == -1),
    )
