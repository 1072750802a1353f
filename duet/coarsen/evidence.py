"""Verdicts with their evidence: what is known at a check and which definitions flow into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from duet.absint.state import Value
from duet.check.assertions import Copy, Verdict
from duet.coarsen.causes import cause, may_be_null, names_giver
from duet.coarsen.needed import NO_POINTERS, Pointers, is_refuted, known_words, needed, pointer_text
from duet.coarsen.results import Analysis, Fixpoint
from duet.coarsen.words import instruction_words, label, value_words
from duet.flow.reaching import Initial
from duet.plip.syntax import (
    FALSE,
    And,
    Assert,
    Assign,
    Atom,
    Compute,
    Formula,
    Guard,
    Linear,
    Lookup,
    Program,
    Relation,
    steps,
)
from duet.plip.terms import formula_cells, substitute, term_cells
from duet.plip.touched import writes
from duet.result import Assertion, Cause, CauseKind, Chance, Check, FlowNote, Status, Step
from duet.source import NOWHERE, Span

# How many copies from cell to temporary are followed back, and how many flows are noted per check.
_COPY_DEPTH = 4
_FLOW_LIMIT = 24
_SIZE = "the size of "
"""Starts the labels of cells with the sizes of objects."""
_MOST_LOOKED_AT = 60
"""The most places that one check is followed back to."""


def assertions(
    analysis: Analysis,
    checks: Iterable[Check] = (),
    pointers: Pointers = NO_POINTERS,
    has_derivations: bool = True,
) -> tuple[Assertion, ...]:
    """The verdict on every check, in source order; those of `checks` that no thread has a copy of are unreachable.

    `pointers` are, by cell, the objects that it may point to. To find derivations of flows may take seconds.
    """
    copied = analysis.fixpoints[0].verdicts if analysis.fixpoints else {}
    asked = {_access(check) for check in copied if check.property_name == "null-dereference"}
    return tuple(
        _assertion(analysis, check, pointers, _access(check) in asked, has_derivations)
        if check in copied
        else _never(check)
        for check in sorted({*checks, *copied})
    )


def _never(check: Check) -> Assertion:
    return Assertion(check, Status.UNREACHABLE, invariant="false", contexts=0, reason="no thread runs this function")


def _access(check: Check) -> tuple[str, int, int]:
    return check.file, check.line, check.column


def _assertion(
    analysis: Analysis, check: Check, pointers: Pointers, is_asked_for_null: bool, has_derivations: bool
) -> Assertion:
    status = analysis.status_of(check)
    fixpoint = analysis.best(check)
    verdict = fixpoint.verdicts[check]
    witness = verdict.witness
    assert witness is not None
    command = analysis.program.commands[witness.command]
    location = command.source
    invariants = fixpoint.invariants
    assert isinstance(command.instruction, Assert)
    is_known, condition = not invariants.is_bottom(location), command.instruction.condition
    state = invariants.state(location) if is_known else {}
    threads = _threads(analysis.program, verdict)
    if status is not Status.UNPROVED:
        return Assertion(
            check,
            status,
            proved_by=fixpoint.name if status.is_safe else "",
            invariant=known_words(invariants.space, state, check, condition, pointers) if is_known else "false",
            contexts=len(verdict.copies),
            threads=threads,
        )
    notes = tuple(_flow_notes(fixpoint, witness.command, has_derivations))
    need = needed(invariants.space, state, check, condition, pointers)
    is_plain = condition == FALSE and need.is_certain  # nothing that is known could be lost
    chosen = _chosen(analysis.program, witness.command) if is_plain else None
    place = command.span or NOWHERE
    is_unnamed = chosen is not None and not names_giver(chosen)
    asked = _asked_for_null(analysis.program, witness.command) if is_unnamed else None
    if asked is not None:
        why: Cause | None = cause(fixpoint, *asked)
    elif chosen is not None:
        why = may_be_null(place, chosen)
    else:
        followed = pointers if check.property_name == "array-bounds" and is_asked_for_null else ()
        why = (
            _plain(check, place) if is_plain else cause(fixpoint, witness.command, need.parts or (condition,), followed)
        )
    return Assertion(
        check,
        status,
        invariant=f"{pointer_text(check.expression)} may be null" if chosen is not None else need.known,
        contexts=len(verdict.copies),
        threads=threads,
        flows=notes,
        reason=_reason(notes),
        must=need.must,
        missing=need.missing,
        cause=why,
        is_certain=need.is_certain
        and (why is None or why.kind is not CauseKind.LOST)
        and all(_always_fails(analysis.program, fixpoint, copy) for copy in verdict.copies),
    )


def _plain(check: Check, place: Span) -> Cause | None:
    """The cause of a check that is about one value only: of a pointer, that it is null, at least on one way to here."""
    if check.property_name != "null-dereference":
        return None
    return Cause(CauseKind.VALUE, "a null pointer gets here", place.file, place.line, Chance.RARELY)


def _always_fails(program: Program, fixpoint: Fixpoint, copy: Copy) -> bool:
    """Whether a copy of a check fails whenever a thread gets there, as far as is known; so it is where none does."""
    command, invariants = program.commands[copy.command], fixpoint.invariants
    assert isinstance(command.instruction, Assert)
    if copy.status is Status.UNREACHABLE or invariants.is_bottom(command.source):
        return True
    condition = command.instruction.condition
    if condition == FALSE:
        return _chosen(program, copy.command) is None
    return is_refuted(invariants.space, invariants.state(command.source), condition)


def _chosen(program: Program, command: int) -> str | None:
    """The mark of the way that a check is on, one of several of its line among which nothing of the program chooses.

    So it is where it uses what a library function gives, among others: on other ways that has another value. None for
    no such way.
    """
    line, seen, mark = program.commands[command].span, {command}, ""
    while True:
        mark = mark or program.commands[command].approximates
        source = program.commands[command].source
        leaving = program.outgoing[source]
        if len(leaving) > 1 and not all(isinstance(program.commands[index].instruction, Guard) for index in leaving):
            return mark
        before = program.incoming[source]
        if len(before) != 1 or before[0] in seen or not _is_of_line(program.commands[before[0]].span, line):
            return None
        (command,) = before
        seen.add(command)


def _asked_for_null(program: Program, command: int) -> tuple[int, tuple[Formula, ...]] | None:
    """The command that asks on the way of `_chosen` whether a pointer is null, with that it is not; None for none.

    Each argument of a function of the library has two ways, and what the program itself gives is on both of them.
    """
    while True:
        terms: list[Linear] = []
        for step in reversed(steps(program.commands[command].instruction)):
            match step:
                case Guard(condition):
                    parts = condition.parts if isinstance(condition, And) else (condition,)
                    terms += [it.term for it in parts if isinstance(it, Atom) and it.relation is Relation.EQ]
                case Assign(target, value):
                    terms = [substitute(term, {target: value}) for term in terms]
                case _:
                    pass
        if terms:
            return command, (Atom(terms[-1], Relation.NE),)
        source = program.commands[command].source
        before = program.incoming[source]
        if len(program.outgoing[source]) > 1 or len(before) != 1:
            return None
        (command,) = before


def _is_of_line(place: Span | None, line: Span | None) -> bool:
    return place is not None and line is not None and (place.file, place.line) == (line.file, line.line)


def _threads(program: Program, verdict: Verdict) -> tuple[str, ...]:
    owners = {program.template_of[program.commands[copy.command].source] for copy in verdict.copies}
    return tuple(sorted({program.templates[name].label for name in owners}))


def _reason(notes: tuple[FlowNote, ...]) -> str:
    if any(note.kind == "inter" for note in notes):
        return "other threads may write the values it reads"
    return ""


def _cells(program: Program, command: int) -> tuple[str, ...]:
    instruction = program.commands[command].instruction
    assert isinstance(instruction, Assert)
    return tuple(sorted(formula_cells(instruction.condition)))


def _flow_notes(fixpoint: Fixpoint, command: int, has_derivations: bool) -> Iterator[FlowNote]:
    """The writes that flow into a check, copies into temporaries followed back to what they copy.

    A condition that narrows a value on the way is none.
    """
    program = fixpoint.graph.program
    work = [(cell, program.commands[command].source, 0) for cell in _cells(program, command)]
    seen: set[tuple[str, int]] = set()
    noted: set[tuple[str, int, str]] = set()
    count = 0
    while work and count < _FLOW_LIMIT and len(seen) < _MOST_LOOKED_AT:
        cell, location, depth = work.pop(0)
        if (cell, location) in seen:
            continue
        seen.add((cell, location))
        for source, kind, value in _flows_at(fixpoint, cell, location):
            copied = _copied(program, source) if depth < _COPY_DEPTH and not program.cells[cell].label else ()
            if source >= 0 and cell not in writes(program.commands[source].instruction):  # it only narrows the value
                work.append((cell, program.commands[source].source, depth))
            elif copied:
                work.extend((found, program.commands[source].source, depth + 1) for found in copied)
            elif label(program, cell).startswith(("$", _SIZE)):  # a guess of lowering: `cause` says of what
                continue
            elif (label(program, cell), source, kind) not in noted and count < _FLOW_LIMIT:
                noted.add((label(program, cell), source, kind))
                count += 1
                note = _note(fixpoint, cell, source, kind, value)
                if kind == "inter" and has_derivations:
                    pack = fixpoint.graph.packing.pack_of[cell]
                    note = replace(note, derivation=_derivation(fixpoint, source, pack, location))
                yield note


def _copied(program: Program, command: int) -> tuple[str, ...]:
    """The cells that a command computes its result from, if that is all it does."""
    if command < 0:
        return ()
    match program.commands[command].instruction:
        case Assign(_, value):
            return tuple(sorted(term_cells(value)))
        case Compute(_, _, arguments):
            return tuple(sorted({cell for argument in arguments for cell in term_cells(argument)}))
        case Lookup(_, _, index):
            return tuple(sorted(term_cells(index)))
        case _:
            return ()


def _flows_at(fixpoint: Fixpoint, cell: str, location: int) -> Iterator[tuple[int, str, Value]]:
    """The flows of a cell's pack into a location: the command (-1 for the initial value), the kind and the value."""
    graph, solution = fixpoint.graph, fixpoint.invariants.solution
    pack = graph.packing.pack_of[cell]
    for source in graph.own_sources(pack, location):
        if isinstance(source, Initial):
            yield -1, "init", fixpoint.invariants.space.initial(pack)
        elif (value := solution.definition(source.command, pack)) is not None:
            yield source.command, "intra", value
    for command in sorted(graph.inter.get((pack, location), ())):
        if (value := solution.definition(command, pack)) is not None:
            yield command, "inter", value


def _note(fixpoint: Fixpoint, cell: str, command: int, kind: str, value: Value) -> FlowNote:
    program = fixpoint.graph.program
    shown = value_words(fixpoint.invariants.space, value, cell)
    if command < 0:
        place = program.cells[cell].span or NOWHERE
        thread = program.cells[cell].template or ""
        return FlowNote(place.file, place.line, thread, kind, label(program, cell), shown, "initial value")
    found = program.commands[command]
    place = found.span or NOWHERE
    text = instruction_words(program, found.instruction)
    return FlowNote(place.file, place.line, _thread(program, command), kind, label(program, cell), shown, text)


def _thread(program: Program, command: int) -> str:
    return program.templates[program.template_of[program.commands[command].source]].label


def _derivation(fixpoint: Fixpoint, command: int, pack: int, location: int) -> tuple[Step, ...]:
    """The steps of two threads that justify a flow; empty when too many would have to be searched."""
    program = fixpoint.graph.program
    steps: list[Step] = []
    for lineage, index in fixpoint.explanations.of((command, pack, location)) or ():
        step = program.commands[index]
        place = step.span or NOWHERE
        text = instruction_words(program, step.instruction)
        if text != "skip":
            steps.append(Step(f"{lineage}: {_thread(program, index)}", place.file, place.line, text))
    return tuple(steps)
