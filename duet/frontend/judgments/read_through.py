"""Reading copies where temporaries are read that are equal to them: tests then tell of the copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from duet.frontend.graph.reach import by_source, following, known_on_all_ways
from duet.plip.syntax import Assert, Assign, Command, Compute, Guard, Instruction, Linear, Lookup, steps
from duet.plip.terms import rename_formula, rename_term
from duet.plip.touched import reads, writes


@dataclass(frozen=True, slots=True)
class _Equal:
    """Temporaries with the copies that they are equal to."""

    pairs: frozenset[tuple[str, str]] = frozenset()

    def common(self, other: _Equal) -> _Equal:
        return _Equal(self.pairs & other.pairs)

    def behind(self, instruction: Instruction, copies: Set[str]) -> _Equal:
        pairs = self.pairs
        for step in steps(instruction):
            names, written = dict(pairs), writes(step)
            pairs = frozenset(pair for pair in pairs if written.isdisjoint(pair)) if written else pairs
            match step:
                case Assign(target, Linear(((cell, 1),), 0)) if target.startswith("$") and target not in copies:
                    copy = cell if cell in copies else names.get(cell)
                    pairs |= {(target, copy)} if copy is not None else frozenset()
                case _:
                    continue
        return _Equal(pairs)


def read_through(commands: Sequence[Command], entry: int, copies: Set[str]) -> list[Command]:
    """The commands with copies in the place of temporaries that are equal to them: tests then tell of the copies."""
    outgoing = by_source(commands)

    def behind(location: int, known: _Equal) -> Iterator[tuple[int, _Equal]]:
        for command in outgoing[location]:
            yield command.target, known.behind(command.instruction, copies)

    found = known_on_all_ways(entry, _Equal(), behind, following(outgoing))
    result: list[Command] = []
    for command in commands:
        names = dict(found[command.source].pairs) if command.source in found else {}
        is_asked = not names.keys().isdisjoint(reads(command.instruction))
        result.append(replace(command, instruction=_with_names(command.instruction, names)) if is_asked else command)
    return result


def _with_names(instruction: Instruction, names: Mapping[str, str]) -> Instruction:
    """An instruction that reads other cells; one of several steps as it is."""

    def rename(cell: str) -> str:
        return names.get(cell, cell)

    match instruction:
        case Assign(target, value):
            return Assign(target, rename_term(value, rename))
        case Compute(target, operation, arguments):
            return Compute(target, operation, tuple(rename_term(argument, rename) for argument in arguments))
        case Lookup():
            return replace(instruction, index=rename_term(instruction.index, rename))
        case Guard() | Assert():
            return replace(instruction, condition=rename_formula(instruction.condition, rename))
        case _:
            return instruction
