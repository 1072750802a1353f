"""Whether a certificate proves what it claims, layer by layer.

Shares no code with the analysis but the front end and PLIP itself. For each layer: (a) each rewritten command does what
the program's own does, under facts that stay true along each thread and that no other thread disturbs; (b) what the
layer says after a command follows from what it says before it; (c) what it says at a location follows from what it says
after each command whose value may be there, be it by the own thread or from another one, for all data flows that are
feasible under the layer itself. Then all of it holds in every execution (thesis Thm. 3.5.1), and (d) the checks follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import z3

from duet.certificate import meaning
from duet.certificate.document import Certificate, Layer, Phrase, Record
from duet.certificate.equivalence import fact_failures, same
from duet.certificate.flows import INITIAL, REACHED, OwnFlows, cells_in, definitions, touched
from duet.certificate.knowledge import Knowledge, Prover
from duet.certificate.meeting import Meeting
from duet.certificate.reading import Reader
from duet.errors import UsageError
from duet.plip.printer import show_instruction
from duet.plip.syntax import Assert, Program
from duet.plip.wellformed import violations
from duet.result import Check, Status

TRUE = Phrase("true")
_MOST = 20  # failures of one layer that are told


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a layer or a claim does not hold: where (`file:line`, or a location of the program) and in what way."""

    layer: str
    place: str
    reason: str


class RoundFlows(Protocol):
    """The data flows of one round of refinement, as far as they are fewer than all."""

    def own(self, cells: tuple[str, ...] | None, location: int) -> Collection[int] | None:
        """The commands (or INITIAL) whose value of a pack may be at a location; None for all that reach it.

        No cells: the commands after which control may get there.
        """
        ...

    def last(self, cells: tuple[str, ...], location: int) -> Collection[int] | None:
        """Writes (or INITIAL) one of which is the last one of a pack there; None where nothing is known."""
        ...

    def is_over(self, cells: tuple[str, ...], location: int, command: int) -> bool:
        """Whether another thread's write is never the last one there."""
        ...


class Refiner(Protocol):
    """Finds out the flows of rounds of refinement from the layers before them."""

    def __call__(self, index: int) -> RoundFlows | None:
        """The flows of the round that is layer `index`; None where these layers do not lead to it."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a certificate proves.

    `certified` are the checks that hold by layers that were checked in full, `trusting` those that also rest on flows
    of refinement that were recomputed by the analysis itself; `open_checks` are claimed by the run but not by the
    certificate, or not claimed at all.
    """

    certified: tuple[Check, ...]
    trusting: tuple[Check, ...]
    open_checks: tuple[Check, ...]
    failures: tuple[Failure, ...]
    queries: int

    @property
    def holds(self) -> bool:
        return not self.failures


def check(certificate: Certificate, program: Program, checks: Collection[Check], refiner: Refiner | None) -> Outcome:
    """What a certificate proves of a program, the one that it is about. *Raises*: UsageError where it is malformed."""
    prover = Prover(program)
    knowledge = Knowledge(program, prover)
    proved: dict[int, bool] = {}
    dead: frozenset[int] = frozenset()
    failures: list[Failure] = []
    meeting: Meeting | None = None
    trusts = False
    for index, layer in enumerate(certificate.layers):
        flows = refiner(index) if layer.is_refined and refiner is not None else None
        step = _LayerCheck(program, layer, knowledge, meeting, flows)
        found = step.run()
        failures += found[:_MOST]
        if found:
            break
        trusts |= layer.is_refined
        meeting = step.meeting
        dead = frozenset(knowledge.dead)
        for command in layer.proved:
            proved.setdefault(command, trusts)
    return _outcome(certificate, program, checks, proved, dead, failures, prover.queries)


def _outcome(
    certificate: Certificate,
    program: Program,
    checks: Collection[Check],
    proved: Mapping[int, bool],
    dead: frozenset[int],
    failures: list[Failure],
    queries: int,
) -> Outcome:
    copies: dict[Check, list[int]] = {found: [] for found in checks}
    for index, command in enumerate(program.commands):
        if isinstance(command.instruction, Assert):
            copies.setdefault(command.instruction.check, []).append(index)
    certified: list[Check] = []
    trusting: list[Check] = []
    left: list[Check] = []
    for claim in certificate.claims:
        found = Check(*claim.check)
        safe = claim.status in (Status.PROVED, Status.UNREACHABLE)
        if not claim.is_covered or not safe:
            left.append(found)
            continue
        reason = ""
        if found not in copies:
            reason = "the program has no such check"
        elif open_copies := [index for index in copies[found] if index not in proved]:
            reason = f"{len(open_copies)} of its {len(copies[found])} copies are not proved by any layer that holds"
        elif claim.status == Status.UNREACHABLE and any(
            program.commands[index].source not in dead for index in copies[found]
        ):
            reason = "a thread may get there"
        if reason:
            failures.append(Failure("claims", found.id, f"'{found.expression}' is {claim.status}: {reason}"))
        else:
            (trusting if any(proved[index] for index in copies[found]) else certified).append(found)
    return Outcome(tuple(certified), tuple(trusting), tuple(left), tuple(failures), queries)


class _LayerCheck:
    """Checks one layer on top of what is known from those before."""

    def __init__(
        self, program: Program, layer: Layer, knowledge: Knowledge, before: Meeting | None, rounds: RoundFlows | None
    ) -> None:
        self.original = program
        self.layer = layer
        self.knowledge = knowledge
        self.prover = knowledge.prover
        self.before = before
        self.rounds = rounds
        self.failures: list[Failure] = []
        self.program = _rewritten(program, layer, self.prover.reader)
        self.records = _records(program, layer)
        self.definitions = definitions(self.program, tuple(record.cells for record in self.records))
        self.own = OwnFlows(self.program, self.definitions)
        self.reached = frozenset(self.own.reached)
        self._initial: dict[tuple[int, int], bool] = {}
        self._meeting: Meeting | None = None

    @property
    def meeting(self) -> Meeting:
        """Two lineages under all that is known, this layer included."""
        if self._meeting is None:
            self._meeting = Meeting(self.program, self.knowledge)
        return self._meeting

    def run(self) -> list[Failure]:
        """Why the layer does not hold; nothing if it does."""
        self._facts()
        if self.failures:
            return self.failures
        if self.layer.is_refined and (self.rounds is None or self.before is None):
            self._fail("the flows of refinement", "the layers before it do not lead to this round")
            return self.failures
        self.knowledge.take(self.program)
        self._learn()
        for check in (self._inductive, self._flows, self._proved):
            check()
            if self.failures:
                break
        return self.failures

    def _fail(self, place: str, reason: str) -> None:
        self.failures.append(Failure(self.layer.name, place, reason))

    # (a) facts and rewritten commands

    def _facts(self) -> None:
        facts = self.layer.facts
        if facts or self.layer.rewritten:
            for location, reason in fact_failures(self.original, facts, self.knowledge, self.before, self.reached):
                self._fail(self._location(location), reason)
        self.knowledge.add(facts)
        if not self.failures:
            for index in sorted(self.layer.rewritten):
                old, new = self.original.commands[index], self.program.commands[index]
                if old.source in self.reached and not same(self.original, old, new, self.knowledge):
                    self._fail(self._command(index), f"'{show_instruction(new.instruction)}' stands for something else")

    def _learn(self) -> None:
        statements: dict[int, list[Phrase]] = defaultdict(list)
        for record in self.records:
            for location, phrase in record.at.items():
                statements[location].append(phrase)
        self.knowledge.add(statements, self.layer.unreached)

    # (b) what holds after commands

    def _inductive(self) -> None:
        for pack, record in enumerate(self.records):
            for index, phrase in record.after.items():
                if self._is_live(index) and not self._follows(index, pack, phrase):
                    self._fail(
                        self._command(index),
                        f"after '{self._text(index)}' it need not be that {phrase}; before it: {self._before(index)}",
                    )
        for index in sorted(self.layer.stopped):
            if self._is_live(index) and not self.prover.is_valid(self.knowledge.before(index, ()), z3.BoolVal(False)):
                self._fail(self._command(index), f"'{self._text(index)}' may pass; before it: {self._before(index)}")

    def _is_live(self, command: int) -> bool:
        if not 0 <= command < len(self.program.commands):
            raise UsageError(f"the certificate speaks of a command that there is not: {command}")
        source = self.program.commands[command].source
        return source in self.reached and source not in self.knowledge.dead

    def _follows(self, command: int, pack: int, phrase: Phrase) -> bool:
        """Whether a phrase holds of the value that a command gives a pack, or of each that it adds."""
        number = self.prover.number(phrase)
        statement = self.prover.statements[number]
        effect = self.knowledge.effect(command)
        cells = self.definitions.packs[pack]
        if pack in self.definitions.given.get(command, ()):
            ranges, store = _started(self.program, cells, effect.after)
            added = [found for cell in cells for found in effect.added.get(cell, ())]
            stores = [{cells[0]: value} for value in added] or [store]
        elif pack in self.definitions.defines[command]:
            ranges = []
            added = [found for cell in cells for found in effect.added.get(cell, ())]
            stores = [{cells[0]: value} for value in added] or [effect.after]
        else:
            return True  # it flows nowhere
        before = [*self.knowledge.before(command, statement.cells), *ranges]
        return all(self.prover.is_valid(before, meaning.phrase(self.prover.reader, phrase, store)) for store in stores)

    # (c) what holds at locations

    def _flows(self) -> None:
        self._reachability()
        meeting = self.before if self.rounds is not None and self.before is not None else self.meeting
        for pack, record in enumerate(self.records):
            for location, phrase in record.at.items():
                if location in self.reached:
                    self._own_flows(pack, location, phrase)
            if self.definitions.packs[pack] and self._is_shared(record):
                self._inter_flows(pack, meeting)

    def _reachability(self) -> None:
        for location in sorted(self.layer.unreached & self.reached):
            sources = set(self.own.sources(REACHED, location))
            kept = self.rounds.own(None, location) if self.rounds else None
            for command in sorted(sources if kept is None else sources & set(kept)):
                if command == INITIAL or command not in self.layer.stopped:
                    self._fail(self._location(location), "a thread may get there, although no one should")

    def _own_flows(self, pack: int, location: int, phrase: Phrase) -> None:
        cells = self.definitions.packs[pack]
        sources: Iterable[int] = self.own.sources(pack, location)
        kept = self.rounds.own(cells, location) if self.rounds else None
        last = self.rounds.last(cells, location) if self.rounds else None
        for command in sources if kept is None else sorted(set(sources) & set(kept)):
            if not self._gives(command, pack, phrase) and not self._bounded(command, pack, phrase, last):
                self._fail(self._location(location), self._flow(command, pack, phrase, "own"))

    def _bounded(self, command: int, pack: int, phrase: Phrase, last: Collection[int] | None) -> bool:
        """Whether a phrase holds of a value that is also that of one of the last writes."""
        if last is None:
            return False
        return all(self._gives(write, pack, phrase, besides=command) for write in last)

    def _inter_flows(self, pack: int, meeting: Meeting) -> None:
        record = self.records[pack]
        writes = [index for index, found in enumerate(self.definitions.written) if pack in found]
        by_value: dict[Phrase, list[int]] = defaultdict(list)
        for index in writes:
            if self.program.commands[index].source in self.reached:
                by_value[record.after.get(index, TRUE)].append(index)
        ends = frozenset(index for index in writes if self.definitions.written[index][pack])
        kills = frozenset(index for index, found in enumerate(self.definitions.defines) if found.get(pack))
        for commands in by_value.values():
            bad = 0
            for location, phrase in record.at.items():
                number = meeting.number.get(location)
                if number is not None and not self._gives(commands[0], pack, phrase):
                    bad |= 1 << number
            if not bad or not meeting.seen(frozenset(commands), ends, kills) & bad:
                continue
            for command in commands:
                seen = meeting.seen(frozenset((command,)), ends, kills) & bad
                self._seen(command, pack, seen, meeting)

    def _seen(self, command: int, pack: int, seen: int, meeting: Meeting) -> None:
        """Complains of the locations where another thread's write may be seen although its value is none there."""
        record = self.records[pack]
        for location, phrase in record.at.items():
            number = meeting.number.get(location)
            if number is None or not seen >> number & 1:
                continue
            if self.rounds is not None:
                last = self.rounds.last(record.cells, location)
                is_over = self.rounds.is_over(record.cells, location, command)
                if is_over or self._bounded(command, pack, phrase, last):
                    continue
            self._fail(self._location(location), self._flow(command, pack, phrase, "another thread's"))

    def _gives(self, command: int, pack: int, phrase: Phrase, besides: int | None = None) -> bool:
        """Whether the value that a command (or INITIAL) gives a pack obeys a phrase."""
        premises: list[int] = []
        ranges = []
        for index in (command,) if besides is None else (command, besides):
            if index == INITIAL:
                ranges += _ranges(self.program, self.definitions.packs[pack])
            else:
                value = self.records[pack].after.get(index, TRUE)
                if value != TRUE:
                    premises.append(self.prover.number(value))
        number = self.prover.number(phrase)
        if not ranges:
            return self.prover.implies(tuple(sorted(set(premises))), number)
        if besides is not None:
            return self.prover.is_valid(
                [*self.prover.meanings(tuple(premises)), *ranges], self.prover.statements[number].meaning
            )
        if (pack, number) not in self._initial:
            self._initial[pack, number] = self.prover.is_valid(ranges, self.prover.statements[number].meaning)
        return self._initial[pack, number]

    def _is_shared(self, record: Record) -> bool:
        return self.program.cells[record.cells[0]].template is None

    # (d) the checks

    def _proved(self) -> None:
        for index in sorted(self.layer.proved):
            if not 0 <= index < len(self.original.commands):
                raise UsageError(f"the certificate speaks of a command that there is not: {index}")
            command = self.original.commands[index]
            if not isinstance(command.instruction, Assert):
                self._fail(self._command(index), "a check is claimed that is none")
            elif command.source in self.reached and command.source not in self.knowledge.dead:
                condition = command.instruction.condition
                known = self.knowledge.premises(command.source, cells_in(condition))
                if not self.prover.is_valid(self.prover.meanings(known), meaning.formula(condition, {})):
                    text = show_instruction(command.instruction)
                    self._fail(self._command(index), f"'{text}' does not follow from {self._words(known)}")

    # Words

    def _words(self, known: Sequence[int]) -> str:
        return " && ".join(str(self.prover.statements[number].phrase) for number in known) or "nothing"

    def _before(self, command: int) -> str:
        found = self.program.commands[command]
        what = touched(found.instruction)
        return self._words(self.knowledge.premises(found.source, what.reads | what.guards | what.writes))

    def _flow(self, command: int, pack: int, phrase: Phrase, whose: str) -> str:
        cells = ", ".join(self.definitions.packs[pack])
        if command == INITIAL:
            return f"the initial value of {cells} may be here, but it need not be that {phrase}"
        value = self.records[pack].after.get(command, TRUE)
        return (
            f"{whose} write '{self._text(command)}' at {self._command(command)} may be here, after which {value}; "
            f"so it need not be that {phrase}"
        )

    def _text(self, command: int) -> str:
        return show_instruction(self.program.commands[command].instruction)

    def _command(self, index: int) -> str:
        command = self.program.commands[index]
        return str(command.span) if command.span else f"command {index}"

    def _location(self, location: int) -> str:
        leaving = self.program.outgoing.get(location, ())
        spans = [span for index in leaving if (span := self.program.commands[index].span)]
        return f"location {location} ({spans[0]})" if spans else f"location {location}"


def _started(
    program: Program, cells: Sequence[str], given: Mapping[str, object]
) -> tuple[list[object], dict[str, object]]:
    """What a child's cells start with: what they are given, else any initial value."""
    store: dict[str, object] = {}
    ranges: list[object] = []
    for cell in cells:
        if cell in given:
            store[cell] = given[cell]
        else:
            fresh = z3.FreshInt("initial")
            store[cell] = fresh
            found = program.cells[cell]
            ranges += [fresh >= found.lo] if found.lo is not None else []
            ranges += [fresh <= found.hi] if found.hi is not None else []
    return ranges, store


def _ranges(program: Program, cells: Sequence[str]) -> list[object]:
    """The initial values of cells; nothing is never said, so that there is a premise."""
    found: list[object] = [z3.BoolVal(True)]
    for cell in cells:
        declared, value = program.cells[cell], meaning.cell_of(cell)
        found += [value >= declared.lo] if declared.lo is not None else []
        found += [value <= declared.hi] if declared.hi is not None else []
    return found


def _rewritten(program: Program, layer: Layer, reader: Reader) -> Program:
    """The program with the rewritten commands of a layer. *Raises*: UsageError where that is no program."""
    commands = list(program.commands)
    for index, text in layer.rewritten.items():
        if not 0 <= index < len(commands):
            raise UsageError(f"the certificate rewrites a command that there is not: {index}")
        owner = program.template_of[commands[index].source]
        commands[index] = replace(commands[index], instruction=reader.instruction(text, owner))
    result = replace(program, commands=tuple(commands))
    wrong = violations(result) if layer.rewritten else ()
    if wrong:
        raise UsageError(f"the certificate has a rewritten command that is none: {wrong[0].message}")
    return result


def _records(program: Program, layer: Layer) -> tuple[Record, ...]:
    """The records of a layer, one for each cell that it leaves out. *Raises*: UsageError where packs are wrong."""
    seen: set[str] = set()
    for record in layer.records:
        unknown = [cell for cell in record.cells if cell not in program.cells]
        if unknown or not record.cells or seen.intersection(record.cells) or len(set(record.cells)) < len(record.cells):
            raise UsageError(f"the certificate has a pack that is none: {', '.join(record.cells)}")
        found = [program.cells[cell] for cell in record.cells]
        if len({cell.template for cell in found}) > 1 or (len(found) > 1 and any(cell.summary for cell in found)):
            raise UsageError(f"the certificate has a pack of cells that do not go together: {', '.join(record.cells)}")
        seen.update(record.cells)
    rest = (Record((cell,), {}, {}) for cell in program.cells if cell not in seen)
    return (*layer.records, *rest)
