"""Verdicts on data races with their evidence: one for each pair of places that may race, one for each cell that cannot.

*Source*: see `duet.check.races`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from duet.absint.invariants import Invariants
from duet.check.deadlocks import usually_held
from duet.check.held import given_unheld
from duet.check.races import SharedCell, Site, free_of_races, shared_cells, sites
from duet.check.shown_races import Race, distinct
from duet.coarsen.needed import number_words
from duet.coarsen.prevention import of_race
from duet.coarsen.race_causes import race_causes
from duet.coarsen.results import Analysis
from duet.coarsen.words import has_gaps, label
from duet.interference.conditions import observable_conditions
from duet.plip.accesses import Access
from duet.plip.syntax import ANY_CALLBACK, MADE, Program
from duet.plip.terms import term_cells
from duet.result import AccessNote, Assertion, Cause, CauseKind, Check, Position, Status
from duet.source import NOWHERE, Span

PROPERTY = "data-race"
MOST_FRAMES = 4
"""The most calls of a stack that are told in a sentence; `duet explain` and the JSON and HTML reports have all."""
MOST_LINES = 6
"""The most further lines of a race that are told in a sentence."""
_FIRST_OBJECT, _LAST_OBJECT = 1 << 32, 1 << 56
"""The addresses that objects have here; they are no numbers of the program."""


def race_checks(program: Program, file: str) -> tuple[Check, ...]:
    """What there is to decide about races: a check for each cell that two threads access."""
    found = sites(program)
    return tuple(dict.fromkeys(_cell_check(cell, found, file) for cell in shared_cells(program))) or (_no_cell(file),)


def race_assertions(analysis: Analysis, file: str) -> tuple[Assertion, ...]:
    """The verdicts on races in a program that carries its accesses; `file` is where it begins."""
    program, free = analysis.program, free_assertions(analysis, file)
    if not shared_cells(program):
        return free
    found = sites(program)
    shown = distinct(found, analysis.races)
    sides = (found[index] for race in shown for index in (*race.pair, *race.also))
    notes = _Notes(analysis, sides)
    handlers = {name: template.label for name, template in program.templates.items() if template.interrupts}
    causes = race_causes(shown, found, handlers, _callbacks(program))
    unproved = (_unproved(race, found, notes, cause) for race, cause in zip(shown, causes, strict=True))
    return tuple(sorted([*free, *unproved], key=lambda assertion: assertion.check))


def free_assertions(analysis: Analysis, file: str) -> tuple[Assertion, ...]:
    """The verdicts on memory that no race is on, in no order; one that says so where no memory is shared."""
    found, cells = sites(analysis.program), shared_cells(analysis.program)
    if not cells:
        reason = "no memory is accessed by two threads, one of them writing"
        return (Assertion(_no_cell(file), Status.PROVED, proved_by=_domains(analysis), reason=reason),)
    alike: dict[Check, list[SharedCell]] = defaultdict(list)
    for cell in cells:
        alike[_cell_check(cell, found, file)].append(cell)
    free = frozenset(free_of_races(cells, found, analysis.races))
    return tuple(_proved(analysis, check, same, found) for check, same in alike.items() if free.issuperset(same))


def _no_cell(file: str) -> Check:
    return Check(file, 1, 1, "", PROPERTY, "no memory is shared")


def _domains(analysis: Analysis) -> str:
    return analysis.fixpoints[-1].name


def _cell_check(cell: SharedCell, found: tuple[Site, ...], file: str) -> Check:
    declared = next((s for i in cell.members if (s := found[i].access.declared) is not None), Span(file, 1, 1))
    return Check(declared.file, declared.line, declared.column, "", PROPERTY, f"no race on {cell.label}")


def _proved(analysis: Analysis, check: Check, cells: Sequence[SharedCell], found: tuple[Site, ...]) -> Assertion:
    members = [found[index] for cell in cells for index in cell.members]
    threads = tuple(sorted({_thread(analysis.program, site) for site in members}))
    reason = "as long as threads interleave: a race on other memory is not excluded" if analysis.races else ""
    return Assertion(check, Status.PROVED, _domains(analysis), contexts=len(members), threads=threads, reason=reason)


def _unproved(race: Race, found: tuple[Site, ...], known: _Notes, cause: Cause) -> Assertion:
    one, other = (found[index] for index in race.pair)
    here = one.access.span or NOWHERE
    notes = known.of(one, other), known.of(other, one)
    both = sorted(set(notes[0].held) & set(notes[1].held))
    also = tuple(known.of(found[index], one) for index in race.also)
    if race.interrupts:
        return _interrupted(race, (one, other), notes, cause)
    check = Check(
        here.file, here.line, here.column, _function(one.access), PROPERTY,
        f"no race on {race.label} with {_function(other.access)}",
    )  # fmt: skip
    return Assertion(
        check,
        Status.UNPROVED,
        invariant=notes[0].known,
        contexts=race.count,
        threads=tuple(sorted({note.thread for note in (*notes, *also)})),
        reason=_reason(notes, race, [found[index].access.span or NOWHERE for index in race.also]),
        accesses=notes,
        also=also,
        must=_must(race, found),
        missing=known.missing(both[0]) if both else "a lock that both hold, or an order of the two",
        cause=cause_under(both[0], cause, known.given(both[0])) if both else cause,
        prevented_by=of_race(*notes),
    )


def _callbacks(program: Program) -> frozenset[str]:
    """The templates for whatever unknown code calls, in a program that is not given to a kernel that calls it."""
    if any((template.function or template.name).startswith(MADE) for template in program.templates.values()):
        return frozenset()
    return frozenset(name for name, template in program.templates.items() if template.function == ANY_CALLBACK)


def cause_under(lock: str, cause: Cause, given: Span | None = None) -> Cause:
    """The cause of a race under one lock: that this is one, and taken at both accesses, is what was lost.

    It is so where the lock is `given` back by a thread that may not have it.
    """
    if given is not None:
        return Cause(CauseKind.LOST, f"{lock} may be given back here by who does not have it", given.file, given.line)
    if cause.kind is CauseKind.LOST:
        return cause
    text = f"both accesses hold {lock}, but it is not known that this keeps them apart"
    return Cause(CauseKind.LOST, text, cause.file, cause.line)


def _interrupted(race: Race, sites: tuple[Site, Site], notes: tuple[AccessNote, AccessNote], cause: Cause) -> Assertion:
    """That a handler interrupts its own thread where both access an object that is not made for that."""
    here = sites[0].access.span or NOWHERE
    names = " and ".join(dict.fromkeys(_function(site.access) for site in sites))
    label, function = race.label, _function(sites[0].access)
    words = [f"{note.kind} in {stack_words(note)}" for note in notes]
    return Assertion(
        Check(here.file, here.line, here.column, function, PROPERTY, f"no interrupted access to {label} in {names}"),
        Status.UNPROVED,
        contexts=race.count,
        threads=tuple(sorted({note.thread for note in notes})),
        reason=f"a signal handler may run between the steps of one thread: {words[0]}, {words[1]}",
        accesses=notes,
        must=f"{label} has the type volatile sig_atomic_t, or is a lock-free atomic object (C11 5.1.2.3)",
        missing="such a type, or a signal mask that holds the handler back meanwhile",
        cause=cause,
    )


def shown(place: Span) -> str:
    """A place without the folders of its file."""
    return f"{place.file.rpartition('/')[2]}:{place.line}"


def _must(race: Race, found: tuple[Site, ...]) -> str:
    """What has to hold of two accesses, by their places."""
    one, other = (found[index].access for index in race.pair)
    places = [shown(access.span or NOWHERE) for access in (one, other)]
    return f"no {one.kind} of {race.label} at {places[0]} during a {other.kind} at {places[1]}"


def _reason(notes: tuple[AccessNote, AccessNote], race: Race, also: Sequence[Span]) -> str:
    words = [_note_words(note) for note in notes]
    same = ", another instance" if notes[0].thread == notes[1].thread else ""
    others = ""
    if also:
        lines = [shown(span) for span in sorted(also, key=lambda span: (span.file, span.line))]
        more = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
        others = f"; it is one of {race.others + 1} pairs of lines, also with {', '.join(lines[:MOST_LINES])}{more}"
    elif race.others:
        pairs = "more pair" if race.others == 1 else "more pairs"
        others = f"; {race.others} {pairs} of lines that access {race.label} are left out"
    return f"{words[0]} may happen at the same time as {words[1]}{same}{others}"


def _note_words(note: AccessNote) -> str:
    kind = f"{'atomic ' if note.is_atomic else ''}{note.kind}"
    return f"{kind} by {note.thread} in {stack_words(note)} {held_words(note)}"


def held_words(note: AccessNote) -> str:
    """The locks that a thread has: `holding a, b`, `holding no lock`."""
    return f"holding {', '.join(note.held) or 'no lock'}"


def stack_words(note: AccessNote) -> str:
    """The stack of an access, innermost first: `f (a.c:3), called in g (a.c:9)`; of a long one its ends."""
    frames = [f"{frame.function} ({shown(Span(frame.file, frame.line))})" for frame in reversed(note.stack)]
    if len(frames) > MOST_FRAMES:
        frames[2:-1] = [f"{len(frames) - 3} more"]
    return ", called in ".join(frames)


def _function(access: Access) -> str:
    return access.stack[-1].function if access.stack else ""


def _thread(program: Program, site: Site) -> str:
    return program.templates[site.template].label


class _Notes:
    """What reports say of the accesses of races under the invariants of a program."""

    def __init__(self, analysis: Analysis, shown: Iterable[Site]) -> None:
        program, invariants = analysis.program, analysis.fixpoints[-1].invariants
        self._program = program
        # the first one has been asked already which commands never pass
        self._held = usually_held(program, analysis.fixpoints[0].invariants)
        cells = sorted({cell for atom in observable_conditions(program) for cell in term_cells(atom.term)})
        places = {site.location for site in shown}
        self._known = {place: _known(invariants, place, cells) for place in places}
        names = frozenset(lock for held in self._held.values() for lock in held)
        self._locks = frozenset(cell for cell in cells if label(program, cell) in names)
        self._invariants = invariants

    @cached_property
    def _given(self) -> Mapping[str, Span]:
        """Where locks, by their names, may be given back by threads that do not have them; few races are under one."""
        return {it.label: it.span or NOWHERE for it in given_unheld(self._program, self._invariants)}

    def given(self, lock: str) -> Span | None:
        """Where a thread gives back a lock that it may not have, if one does."""
        return self._given.get(lock)

    def missing(self, lock: str) -> str:
        """What is not known of two accesses under one lock."""
        given = self._given.get(lock)
        where = "" if given is None else f": at {shown(given)} it may be given back by who does not have it"
        return f"that {lock} keeps the two apart{where}"

    def of(self, site: Site, other: Site) -> AccessNote:
        """The note on an access: which locks are held, and values of flags of which others are known there."""
        access, held = site.access, self._held.get(site.location, ())
        here, there = self._known[site.location], self._known[other.location]
        of_locks = {*held, *self._held.get(other.location, ())}
        known = " && ".join(
            words
            for cell, words in here.items()
            if there.get(cell, words) != words and cell not in self._locks and self._concerns(cell, words, of_locks)
        )
        return AccessNote(
            access.kind.value,
            access.label,
            _thread(self._program, site),
            positions(access),
            access.is_atomic,
            known,
            held,
        )

    def _concerns(self, cell: str, words: str, locks: Collection[str]) -> bool:
        """Whether a cell is one of the program, or counts what one of some locks, if any, has gone through."""
        _, is_count, of = label(self._program, cell).partition(" of ")
        return not is_count or (not words.endswith(" == 0") and (not locks or of in locks))


def _known(invariants: Invariants, location: int, cells: Iterable[str]) -> Mapping[str, str]:
    """The values that cells have at a location, of each that has one or a few there, but for where pointers lead.

    Of what a lock or thread goes through, by which it may exclude nobody, bounds are told, too.
    """
    if invariants.is_bottom(location):
        return {}
    state, found = invariants.state(location), {}
    for cell in cells:
        value = invariants.space.number(state, cell)
        is_told = value.lo == value.hi or has_gaps(value) or " of " in label(invariants.space.program, cell)
        if is_told and not _FIRST_OBJECT <= value.hi <= _LAST_OBJECT:
            found[cell] = " && ".join(number_words(label(invariants.space.program, cell), value))
    return {cell: words for cell, words in found.items() if words}


def positions(access: Access) -> tuple[Position, ...]:
    """The stack of an access for reports."""
    places = [(call.function, call.span or NOWHERE) for call in access.stack]
    return tuple(Position(function, place.file, place.line, place.column) for function, place in places)
