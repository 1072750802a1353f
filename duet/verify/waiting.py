"""Why threads race, or wait in a circle, in a schedule: what each is about to do, the locks it has, and since where."""

from __future__ import annotations

from collections.abc import Sequence

from duet.result import AccessNote, Move, Step


def why_racing(moves: Sequence[Move], notes: Sequence[AccessNote]) -> tuple[Step, ...]:
    """What is to be seen of the two accesses at the end of a schedule; the second note is of the last one or the other.

    Each with the locks that its thread has of those that the notes name.
    """
    *before, first, second = moves
    locks = sorted({lock for note in notes for lock in note.held})
    told = [(move, _held(before, move.thread, locks)) for move in (first, second)]
    found = [_step(move, f"is about to {move.text}, {_holding(held)}") for move, held in told]
    common = told[0][1].keys() & told[1][1].keys()
    if locks and not common:
        found.append(_step(second, "no lock is held by both"))
    return tuple(found)


def why_in_circle(moves: Sequence[Move], notes: Sequence[AccessNote]) -> tuple[Step, ...]:
    """The waits at the end of a schedule, that of the first note last, each with who has what is waited for."""
    before, waits = moves[: -len(notes)], [moves[-1], *moves[-len(notes) : -1]]
    found: list[Step] = []
    for number, (move, note) in enumerate(zip(waits, notes, strict=True)):
        owner = waits[(number + 1) % len(waits)].thread
        since = _held(before, owner, (note.cell,)).get(note.cell)
        whose = f"waits for {note.cell}, which {owner} has{f' since line {since}' if since else ''}"
        found.append(_step(move, f"waits for the end of {owner}" if note.kind == "join" else whose))
    return tuple(found)


def _held(moves: Sequence[Move], thread: str, locks: Sequence[str]) -> dict[str, int]:
    """The locks among some that a thread has set last to something else than 0, with the line where it did."""
    found: dict[str, int] = {}
    for move in moves:
        for cell, value in move.values if move.thread == thread else ():
            if cell in locks:
                found.pop(cell, None)
                found |= {} if value == "0" else {cell: move.line}
    return found


def _holding(held: dict[str, int]) -> str:
    return "holding " + (", ".join(f"{lock} (since line {line})" for lock, line in held.items()) or "no lock")


def _step(move: Move, text: str) -> Step:
    return Step(move.thread, move.file, move.line, text)
