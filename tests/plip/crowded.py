"""Random programs with several templates that are equal, but for their constants."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from duet.plip.renamed import renamed, with_terms
from duet.plip.syntax import Assign, Command, Instruction, Join, Linear, Program, Spawn, Template
from duet.plip.wellformed import check_wellformed
from tests.soundness.generate import random_program


def crowded(seed: int, copies: int = 2) -> Program:
    """A random program of which each template is there several times; who starts one starts all, or one of them."""
    return _Copier(random_program(seed), Random(seed), copies).program()


class _Copier:
    def __init__(self, program: Program, rng: Random, copies: int) -> None:
        self._old, self._rng, self._copies = program, rng, copies
        self._next = max(program.template_of) + 1
        self._commands: list[Command] = []
        self._templates: dict[str, Template] = {}
        self._cells = {name: cell for name, cell in program.cells.items() if cell.template in (None, program.main)}

    def program(self) -> Program:
        for template in self._old.templates.values():
            for number in range(1 if template.name == self._old.main else self._copies):
                self._copy(template, number)
        found = Program(self._cells, self._templates, tuple(self._commands), self._old.main)
        check_wellformed(found)
        return found

    def _copy(self, template: Template, number: int) -> None:
        own = [cell for cell in self._old.cells.values() if cell.template == template.name]
        cells = {cell.name: _named(cell.name, number) for cell in own}
        name = _named(template.name, number)
        for cell in own:
            self._cells[cells[cell.name]] = replace(cell, name=cells[cell.name], template=name)
        places = {}
        for place in sorted(place for place, owner in self._old.template_of.items() if owner == template.name):
            places[place] = place if number == 0 else self._fresh()
        start = len(self._commands)
        for index in template.commands:
            command = self._old.commands[index]
            source, target = places[command.source], places[command.target]
            match command.instruction:
                case Spawn(started, arguments):
                    self._spawn(source, target, started, arguments, cells)
                case Join(awaited):
                    self._commands.append(Command(source, Join(self._named(awaited, number)), target))
                case other:
                    changed = renamed(other, cells)
                    if number and self._may_differ(changed):
                        changed = with_terms(changed, lambda term: Linear(term.terms, term.constant + number))
                    self._commands.append(replace(command, source=source, instruction=changed, target=target))
        self._templates[name] = Template(
            name, places[template.entry], places[template.exit], tuple(range(start, len(self._commands))),
            tuple(cells[cell] for cell in template.parameters), frozenset(places[spot] for spot in template.atomic),
        )  # fmt: skip

    def _spawn(
        self,
        source: int,
        target: int,
        started: str,
        arguments: tuple[tuple[str, Linear], ...],
        cells: dict[str, str],
    ) -> None:
        numbers = [*range(self._copies)] if self._rng.random() < 0.7 else [self._rng.randrange(self._copies)]
        numbers = numbers[:1] if started == self._old.main else numbers
        for number in numbers:
            given = tuple(
                (
                    _named(cell, number),
                    Linear(tuple(sorted((cells.get(c, c), k) for c, k in value.terms)), value.constant),
                )
                for cell, value in arguments
            )
            after = target if number == numbers[-1] else self._fresh()
            self._commands.append(Command(source, Spawn(self._named(started, number), given), after))
            source = after

    def _may_differ(self, instruction: Instruction) -> bool:
        if not isinstance(instruction, Assign) or self._rng.random() > 0.3:
            return False
        return not any(cell.summary for cell in self._old.cells.values())

    def _named(self, template: str, number: int) -> str:
        return template if template == self._old.main else _named(template, number)

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1


def _named(name: str, number: int) -> str:
    return name if number == 0 else f"{name}#{number + 1}"
