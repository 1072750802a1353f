"""What would keep threads from racing, or from waiting in a circle: the changes that come into question.

Each line is meant alone: with that change the two accesses, or the waits of the circle, do not come together. Which of
them the program is meant to have is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from duet.result import AccessNote


def of_race(one: AccessNote, other: AccessNote) -> tuple[str, ...]:
    """What would keep two accesses apart, the locks that one of them has already first."""
    return tuple(_of_race(one, other))


def _of_race(one: AccessNote, other: AccessNote) -> Iterator[str]:
    for here, there in ((one, other), (other, one)):
        for lock in here.held:
            if lock not in there.held:
                yield f"{lock} is held in {_place(there)} too, as in {_place(here)}"
    for lock in one.held:
        if lock in other.held:
            yield f"{lock} is the same lock in {_place(one)} and in {_place(other)}"
    if not one.held and not other.held:
        yield f"one lock is held in {' and in '.join(dict.fromkeys((_place(one), _place(other))))}"
    plain = [_place(note) for note in (one, other) if not note.is_atomic]
    yield f"the access in {' and that in '.join(dict.fromkeys(plain))} {_are(plain)} atomic"
    if one.thread == other.thread:
        yield f"no two threads run {one.thread} at a time: each is waited for before the next one is started"
    else:
        first, second = _named(one), _named(other)
        yield f"{first} has ended before {second} gets to {_place(other)}, or the other way round"


def of_circle(notes: Sequence[AccessNote], is_self_made: bool) -> tuple[str, ...]:
    """What would keep threads from waiting for each other; of one thread, for what it has itself."""
    return tuple(_of_circle(notes, is_self_made))


def _of_circle(notes: Sequence[AccessNote], is_self_made: bool) -> Iterator[str]:
    if is_self_made:
        (note,) = notes
        yield f"{note.thread} gives {note.cell} back before {_place(note)}, or does not take it again there"
        yield f"{note.cell} may be taken again by who has it (a recursive mutex)"
        return
    locks = sorted({note.cell for note in notes if note.kind == "lock"})
    if len(notes) == 1:
        yield f"locks of this kind are taken in one order by all threads in {_place(notes[0])}"
    elif len(locks) == len(notes):
        yield f"{_listed(locks)} are taken in one order by all threads"
    for note in notes:
        if note.held:
            does = f"waits for {note.cell}" if note.kind == "join" else f"takes {note.cell}"
            yield f"{note.thread} gives {_listed(note.held)} back before it {does} in {_place(note)}"
    for note in notes:
        if note.kind == "lock":
            tries = f"{note.thread} only tries to take {note.cell} in {_place(note)}"
            yield f"{tries}, and gives back what it has if it cannot"


def _place(note: AccessNote) -> str:
    """Where an access is, without the folders of the file."""
    if not note.stack:
        return note.thread
    return f"{note.stack[-1].file.rpartition('/')[2]}:{note.stack[-1].line}"


def _named(note: AccessNote) -> str:
    return f"the thread that runs {note.thread}"


def _are(places: Sequence[str]) -> str:
    return "are" if len(set(places)) > 1 else "is"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
