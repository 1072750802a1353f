"""Global cells that threads have a share of, kept in a local cell each, as reader/writer locks have.

*Source*: none. That a lock is held for reading is known to its count only, and what other readers do to that leaves
nothing of it; so the reader's own share has to tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from duet.flow.effects import effects
from duet.plip.once import once
from duet.plip.syntax import And, Assign, Atom, Atomic, Command, Formula, Guard, Linear, Program, Relation, Spawn
from duet.plip.terms import add, constant, variable


@dataclass(frozen=True, slots=True)
class Share:
    """Where `own`, a local cell, is at least 1, so is `whole`, a global one; in every execution."""

    own: str
    whole: str

    def implies(self, condition: Atom) -> bool:
        """Whether a condition holds of every `whole` that is at least 1."""
        if len(condition.term.terms) != 1 or condition.term.terms[0][0] != self.whole:
            return False
        factor, offset = condition.term.terms[0][1], condition.term.constant
        match condition.relation:
            case Relation.LE:
                return factor < 0 and factor + offset <= 0
            case Relation.NE:
                return bool(offset % factor) or -offset // factor < 1
            case Relation.EQ:
                return False


@once
def shares(program: Program) -> Mapping[str, tuple[Share, ...]]:
    """The shares that each template has.

    All that writes a cell `m` or a share `h` of it is one of these commands, each a single step; both are 0 at first:

        [m >= 0] m := m + 1; h := h + 1     [h >= 1] m := m - 1; h := h - 1
        [m == 0] m := m - 1; h := -1        [h <= -1 and m == -1] m := m + k + 1; h := k   for k of 0 and 1
        (the last two may set m to what it is then)
        m := 0                              in main, where nothing else of this nor a thread may have come before

    By induction, either no share is negative and `m` is at least their sum over all threads, also those that have
    ended, or one share is -1, all others are 0, and `m` is -1. So `h >= 1` implies `m >= 1`.
    """
    writers: dict[str, list[int]] = defaultdict(list)
    for index, effect in enumerate(effects(program)):
        for cell in effect.writes:
            writers[cell].append(index)
    given = {cell for c in program.commands if isinstance(c.instruction, Spawn) for cell, _ in c.instruction.arguments}
    found: dict[str, list[Share]] = defaultdict(list)
    for whole in program.globals:
        owned = _owned(program, whole, writers)
        if owned and not given.intersection(owned) and all(_is_zero(program, cell) for cell in (whole, *owned)):
            for own in owned:
                template = program.cells[own].template
                assert template is not None
                found[template].append(Share(own, whole))
    return {template: tuple(owned) for template, owned in found.items()}


def _is_zero(program: Program, name: str) -> bool:
    cell = program.cells[name]
    return cell.lo == cell.hi == 0 and not cell.summary


def _owned(program: Program, whole: str, writers: Mapping[str, Iterable[int]]) -> tuple[str, ...]:
    """The shares of a cell, none if something writes it or them in another way."""
    owned: dict[str, None] = {}
    steps: set[int] = set()
    starts: set[int] = set()
    for index in writers.get(whole, ()):
        instruction = program.commands[index].instruction
        own = _share_of(program, program.commands[index], whole)
        if own is not None:
            owned[own] = None
            steps.add(index)
        elif instruction == Assign(whole, constant(0)):
            starts.add(index)
        else:
            return ()
    if not owned or any(set(writers[own]) - steps for own in owned) or not _are_first(program, starts, steps):
        return ()
    return tuple(owned)


def _share_of(program: Program, command: Command, whole: str) -> str | None:
    """The share that a command changes together with the whole in one of the four ways, if it does."""
    if not isinstance(command.instruction, Atomic):
        return None
    steps, template = command.instruction.steps, program.template_of[command.source]
    targets = ["" if isinstance(step, Guard) else step.target for step in steps]
    values = {step.target: step.value for step in steps if isinstance(step, Assign)}
    for own in values:
        if program.cells[own].template == template and targets.count(own) == targets.count(whole) == 1:
            first = min(targets.index(own), targets.index(whole))
            before = [atom for step in steps[:first] if isinstance(step, Guard) for atom in _conjuncts(step.condition)]
            if whole in values and _is_step(whole, own, values, before):
                return own
    return None


def _conjuncts(condition: Formula) -> tuple[Atom, ...]:
    """Atoms that hold where a condition does."""
    match condition:
        case Atom():
            return (condition,)
        case And(parts):
            return tuple(atom for part in parts for atom in _conjuncts(part))
        case _:
            return ()


def _is_step(whole: str, own: str, values: Mapping[str, Linear], before: Sequence[Atom]) -> bool:
    """Whether the values are those of one of the four ways, and what holds before is what it takes."""
    for amount in (1, -1):
        if all(values[cell] == add(variable(cell), constant(amount)) for cell in (whole, own)):
            return _at_least(before, whole, 0) if amount == 1 else _at_least(before, own, 1)
    for old, new in ((0, -1), (-1, 0), (-1, 1)):
        if values[own] == constant(new) and values[whole] in (add(variable(whole), constant(new - old)), constant(new)):
            is_whole = _at_least(before, whole, old) and _at_most(before, whole, old)
            return is_whole and (old == 0 or _at_most(before, own, old))
    return False


def _at_least(known: Iterable[Atom], cell: str, least: int) -> bool:
    return _at_most(known, cell, -least, -1)


def _at_most(known: Iterable[Atom], cell: str, most: int, sign: int = 1) -> bool:
    """Whether some atom that is known says that `sign * cell` is at most a number."""
    for atom in known:
        match atom:
            case Atom(Linear(((name, 1 | -1 as factor),), offset), Relation.LE) if name == cell and factor == sign:
                found = -offset
            case Atom(Linear(((name, 1 | -1 as factor),), offset), Relation.EQ) if name == cell:
                found = -offset * factor * sign
            case _:
                continue
        if found <= most:
            return True
    return False


def _are_first(program: Program, starts: Set[int], steps: Set[int]) -> bool:
    """Whether some commands are in main, and nothing comes before them there that is a step or starts a thread."""
    work = [program.commands[index].target for index in steps]
    for command in program.commands:
        if isinstance(command.instruction, Spawn):
            work += [command.target, program.templates[command.instruction.template].entry]
    seen = set(work)
    while work:
        for index in program.outgoing[work.pop()]:
            if program.commands[index].target not in seen:
                seen.add(program.commands[index].target)
                work.append(program.commands[index].target)
    sources = {program.commands[index].source for index in starts}
    return all(program.template_of[source] == program.main for source in sources) and not sources & seen
