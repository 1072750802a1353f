"""One layer of a certificate, checked on top of those before it: `duet.certificate.check` says what and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import z3

from duet.certificate import meaning
from duet.certificate.counts import Parts
from duet.certificate.document import Layer, Phrase, Record
from duet.certificate.equivalence import fact_failures, same
from duet.certificate.flows import INITIAL, REACHED, OwnFlows, definitions, touched
from duet.certificate.joint import joint_failures
from duet.certificate.judgments import Judgments
from duet.certificate.knowledge import Knowledge
from duet.certificate.meeting import Meeting
from duet.certificate.pairs import RefinedFlows
from duet.certificate.reading import Reader
from duet.errors import UsageError
from duet.plip.printer import show_instruction
from duet.plip.syntax import SKIP, Assert, Program
from duet.plip.terms import formula_cells
from duet.plip.wellformed import violations

TRUE = Phrase("true")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a layer or a claim does not hold: where (`file:line`, or a location of the program) and in what way."""

    layer: str
    place: str
    reason: str


class LayerCheck:
    """Checks one layer on top of what is known from those before; `settled` are checks that are known to hold."""

    def __init__(
        self,
        program: Program,
        layer: Layer,
        knowledge: Knowledge,
        previous: LayerCheck | None,
        settled: Collection[int] = (),
    ) -> None:
        self._settled = settled
        self.original = program
        self.layer = layer
        self.knowledge = knowledge
        self.prover = knowledge.prover
        self.before = previous.meeting if previous else None
        self.failures: list[Failure] = []
        self.program = _rewritten(program, layer, self.prover.reader)
        self.records = _records(program, layer)
        self._check_scope()
        self.definitions = definitions(self.program, tuple(record.cells for record in self.records))
        self.own = OwnFlows(self.program, self.definitions)
        self.reached = frozenset(self.own.reached)
        self.rounds: RefinedFlows | None = None
        is_alike = previous is not None and previous.program.commands == self.program.commands
        self._parts: Parts | None = previous._parts if previous is not None and is_alike else None
        is_same = previous is not None and previous.definitions.packs == self.definitions.packs
        self._rounds_before = previous.rounds if previous and is_same else None
        self._initial: dict[tuple[int, int], bool] = {}

    def _check_scope(self) -> None:
        """A record speaks of its own cells alone, where they are. *Raises*: UsageError where it does not."""
        statements, owner = self.prover.statements, self.program.template_of
        for record in self.records:
            template = self.program.cells[record.cells[0]].template
            for phrase in {*record.at.values(), *record.after.values()}:
                if not statements[self.prover.number(phrase)].cells <= set(record.cells):
                    raise UsageError(f"the certificate says {phrase} of {', '.join(record.cells)}")
            for location in record.at:
                if location not in owner or template not in (None, owner[location]):
                    raise UsageError(f"the certificate speaks of {', '.join(record.cells)} at location {location}")

    @cached_property
    def meeting(self) -> Meeting:
        """Two lineages under all that is known, this layer included."""
        return Meeting(self.program, self.knowledge)

    def run(self) -> list[Failure]:
        """Why the layer does not hold; nothing if it does."""
        self._facts()
        if self.failures:
            return self.failures
        self.knowledge.take(self.program)
        self._counted()
        if self.failures:
            return self.failures
        if self.layer.is_refined:
            if self.before is None:
                raise UsageError("the certificate begins with a round of refinement, so there is nothing to refine")
            self.rounds = RefinedFlows(
                self.definitions,
                Judgments(
                    self.program,
                    self.knowledge,
                    self.definitions,
                    self.before,
                    self._sources_before,
                    lambda *write: self._rounds_before is not None and self._rounds_before.is_over(*write),
                    self._parts if self.layer.is_summed else None,
                ),
            )
        self._learn()
        for check in (self._inductive, self._jointly, self._flows, self._proved):
            check()
            if self.failures:
                return self.failures
        self._learn_after()
        return self.failures

    def believe(self) -> None:
        """Takes for granted all that the layer says."""
        self.knowledge.add(self.layer.facts)
        self.knowledge.take(self.program)
        if self.layer.counts is not None:
            self.knowledge.add(self.layer.counts.bounds)
        self._learn()
        self._learn_after()

    def _sources_before(self, pack: int, location: int) -> Iterable[int]:
        """The own definitions that could be at a location by the layers before."""
        found, rounds = self.own.sources(pack, location), self._rounds_before
        return found if rounds is None else (c for c in found if rounds.is_kept(pack, location, c))

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
                is_settled = index in self._settled and new.instruction == SKIP
                if old.source in self.reached and not is_settled and not same(self.original, old, new, self.knowledge):
                    self._fail(self._command(index), f"'{show_instruction(new.instruction)}' stands for something else")

    def _counted(self) -> None:
        counts = self.layer.counts
        if counts is not None:
            meeting = self.before or Meeting(self.program, self.knowledge)
            self._parts = Parts(self.program, counts, self.knowledge, meeting, self.reached)
            for location, reason in self._parts.failures():
                self._fail(self._location(location), reason)
            self.knowledge.add(counts.bounds)

    def _learn(self) -> None:
        statements: dict[int, list[Phrase]] = defaultdict(list)
        for record in self.records:
            for location, phrase in record.at.items():
                statements[location].append(phrase)
        self.knowledge.add(statements, self.layer.unreached)
        self.knowledge.add(self.layer.joint)

    def _learn_after(self) -> None:
        for record in self.records:
            for command, phrase in record.after.items():
                self.knowledge.add_after(command, phrase)

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
        wanted = z3.And(*(meaning.phrase(self.prover.reader, phrase, store) for store in stores))
        return self.prover.is_valid(before, wanted) or (
            bool(effect.open_results)
            and self.prover.is_valid([*before, *self.knowledge.results(command, before)], wanted)
        )

    def _jointly(self) -> None:
        found = self.program, self.layer.joint, self.records, self.knowledge, self.before, self.reached
        for location, reason in joint_failures(*found):
            self._fail(self._location(location), reason)

    # (c) what holds at locations

    def _flows(self) -> None:
        self._reachability()
        meeting = self.before if self.rounds and self.before else self.meeting
        for pack, record in enumerate(self.records):
            for location, phrase in record.at.items():
                if location in self.reached:
                    self._own_flows(pack, location, phrase)
            if self.definitions.packs[pack] and self._is_shared(record):
                self._inter_flows(pack, meeting)

    def _reachability(self) -> None:
        for location in sorted(self.layer.unreached & self.reached):
            is_left = self.rounds is None or self.rounds.is_reached(location)
            for command in self.own.sources(REACHED, location) if is_left else ():
                if command == INITIAL or command not in self.layer.stopped:
                    self._fail(self._location(location), "a thread may get there, although no one should")

    def _own_flows(self, pack: int, location: int, phrase: Phrase) -> None:
        rounds = self.rounds
        if rounds is not None and not rounds.is_reached(location):
            return
        last = rounds.last(pack, location) if rounds else None
        for command in self.own.sources(pack, location):
            if rounds is not None and not rounds.is_kept(pack, location, command):
                continue
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
                last = self.rounds.last(pack, location)
                if self.rounds.is_over(pack, location, command) or self._bounded(command, pack, phrase, last):
                    continue
            self._fail(self._location(location), self._flow(command, pack, phrase, "another thread's"))

    def _gives(self, command: int, pack: int, phrase: Phrase, besides: int | None = None) -> bool:
        """Whether the value that a command (or INITIAL) gives a pack obeys a phrase."""
        premises: list[int] = []
        ranges = []
        for index in (command,) if besides is None else (command, besides):
            if index == INITIAL:
                ranges += [z3.BoolVal(True), *meaning.initial(self.program, self.definitions.packs[pack])]
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
                known = self.knowledge.premises(command.source, formula_cells(condition))
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
            ranges += meaning.between(fresh, program.cells[cell].lo, program.cells[cell].hi)
    return ranges, store


def _rewritten(program: Program, layer: Layer, reader: Reader) -> Program:
    """The program with the rewritten commands of a layer. *Raises*: UsageError where that is no program."""
    commands = list(program.commands)
    for index, text in layer.rewritten.items():
        if not 0 <= index < len(commands):
            raise UsageError(f"the certificate rewrites a command that there is not: {index}")
        owner = program.template_of[commands[index].source]
        commands[index] = replace(commands[index], instruction=reader.instruction(text, owner))
    result = replace(program, commands=tuple(commands))
    before = violations(program) if layer.rewritten else ()
    wrong = [found for found in violations(result) if found not in before] if layer.rewritten else ()
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
    return tuple(sorted((*layer.records, *rest), key=lambda record: record.cells))
