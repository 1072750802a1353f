"""Which threads there can be at all: how templates start each other, and what that says of who runs when."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from duet.plip.semantics import runs_once
from duet.plip.syntax import Program, Spawn


class Threads:
    """The threads of a program, as far as its spawn commands tell."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.once = tuple(name for name in program.templates if runs_once(program, name))
        self._spawns: dict[str, set[str]] = {name: set() for name in program.templates}
        for command in program.commands:
            if isinstance(command.instruction, Spawn):
                self._spawns[program.template_of[command.source]].add(command.instruction.template)
        self._before: dict[str, frozenset[str]] = {}
        self._after: dict[tuple[str, str], frozenset[int]] = {}
        self._running: dict[int, frozenset[str]] = {}

    def leads_to(self, template: str, without: str = "") -> frozenset[str]:
        """The template and those that come to run through it, other than through `without`."""
        found, work = {template}, [template]
        while work:
            new = self._spawns[work.pop()] - found - {without}
            found |= new
            work += new
        return frozenset(found)

    def chain(self, template: str) -> tuple[str, ...]:
        """The templates from main to one that runs once, each started by the one before; nothing if it never runs."""
        if template not in self.once or template not in self.leads_to(self.program.main):
            return ()
        found = [template]
        while found[-1] != self.program.main:
            (parent,) = (name for name, started in self._spawns.items() if found[-1] in started)
            found.append(parent)
        return tuple(reversed(found))

    def before(self, template: str) -> frozenset[str]:
        """The templates that can run although one was never started."""
        if template not in self._before:
            main = self.program.main
            self._before[template] = frozenset() if template == main else self.leads_to(main, without=template)
        return self._before[template]

    def later(self, template: str) -> frozenset[str]:
        """The templates that only run when one has been started, itself included."""
        return frozenset(self.program.templates) - self.before(template)

    def after_starting(self, template: str, descendant: str) -> frozenset[int]:
        """The locations of a template that follow a spawn that leads to a descendant."""
        key = (template, descendant)
        if key not in self._after:
            found: set[int] = set()
            for index in self.program.templates[template].commands:
                command = self.program.commands[index]
                if isinstance(command.instruction, Spawn) and descendant in self.leads_to(command.instruction.template):
                    found |= self._following[command.target]
            self._after[key] = frozenset(found)
        return self._after[key]

    @cached_property
    def _following(self) -> Mapping[int, frozenset[int]]:
        """The locations that control can get to from each."""
        return {location: self._reach(location) for location in self.program.template_of}

    def _reach(self, location: int) -> frozenset[int]:
        found, work = {location}, [location]
        while work:
            new = {self.program.commands[index].target for index in self.program.outgoing[work.pop()]} - found
            found |= new
            work += new
        return frozenset(found)

    def running(self, location: int) -> frozenset[str]:
        """The templates of which threads may run while one is at a location."""
        if location not in self._running:
            here = self.program.template_of[location]
            self._running[location] = frozenset(
                name
                for name in self.program.templates
                if here not in self.once
                or name == here
                or name in self.before(here)
                or location in self.after_starting(here, name)
            )
        return self._running[location]

    def bystanders(self, tracked: str, reader: str, is_begun: bool) -> frozenset[int]:
        """The commands that threads other than a reader and the one thread of `tracked` (or its ancestors) may run.

        An ancestor that runs once has gone on from the spawns that lead to both.
        """
        chain, found = self.chain(tracked), set[int]()
        for name, template in self.program.templates.items():
            if name == tracked or (name == reader and name in self.once):
                continue
            if not is_begun and name in self.later(tracked):
                continue
            is_passed = name in chain or reader not in self.before(name)
            if name in self.once and is_passed:
                left = self.after_starting(name, tracked) | self.after_starting(name, reader)
                found.update(c for c in template.commands if self.program.commands[c].source in left)
            else:
                found.update(template.commands)
        return frozenset(found)
