"""Which memory two threads never access at once, one of them to write it: what a claim on data races means and needs.

*Source*: C11 5.1.2.4, in the form that a sequentially consistent execution has a race iff two threads are about to make
conflicting accesses in one of its states while no third one keeps them from moving. Which accesses those are is found
here from all that the commands of the program carry, not from the certificate, so that none can be left out of it.
A pair is excluded if layers show that two threads are never there together, or never mean the same bytes; or by what
the front end says of the accesses (`Access.overlaps`, `Access.excludes`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations_with_replacement, product
from typing import TypeAlias

import z3

from duet.certificate.document import Phrase
from duet.certificate.established import GLOBAL, Established, value
from duet.certificate.given import Given
from duet.certificate.meaning import Expr
from duet.plip.accesses import ANY_MEMORY, Access, AccessKind, Bytes
from duet.plip.semantics import runs_once
from duet.plip.syntax import Program
from duet.result import Check
from duet.source import Span

PROPERTY = "data-race"
NOT_SHARED = "no memory is shared"
Path: TypeAlias = tuple[str, ...]
Memory: TypeAlias = tuple[str, Path]
"""An object and the way to a part of it; all elements of an array are one."""


@dataclass(frozen=True, slots=True)
class Site:
    """An access of a thread that is about to leave a location."""

    location: int
    template: str
    access: Access

    def __str__(self) -> str:
        return f"{self.access.kind} by {self.template} at {self.access.span}"


Pair: TypeAlias = tuple[Site, Site]
Groups: TypeAlias = Mapping[Hashable, Sequence[Site]]


class Races:
    """The checks on data races of a program, and what is known of the accesses that they are about.

    `file` is where the program begins: checks are there that have no other place. `given` are statements about
    own cells by what threads were given, which may be true.
    """

    def __init__(self, program: Program, file: str, given: Mapping[int, Collection[Phrase]]) -> None:
        self._program, self._file, self._proposed = program, file, given
        self._given: dict[str, Given] = {}
        self._once = frozenset(name for name in program.templates if runs_once(program, name))
        self._sites = tuple(
            dict.fromkeys(
                Site(command.source, program.template_of[command.source], access)
                for command in program.commands
                for access in command.accesses
                if access.is_memory
            )
        )

    def failing(self, known: Established) -> Mapping[Check, str]:
        """The checks that may fail for all that is known of the program, each with two accesses that may race."""
        self._given.clear()
        found: dict[tuple[Memory, Memory], str] = {}
        for left, right in self._pairs(known):
            known.check_time()
            key = _memory(left.access), _memory(right.access)
            if key not in found and not self._is_excluded(left, right, known):
                found[key] = f"nothing keeps two threads from being at these at once: {left}, {right}"
        result: dict[Check, str] = {}
        for check, memories in self.checks.items():
            for both, reason in found.items():
                if any(self._is_on(memory, both) for memory in memories):
                    result.setdefault(check, reason)
        return result

    def unreached(self, _: Established) -> Collection[Check]:
        """None: these are checks of all accesses to some memory."""
        return ()

    @cached_property
    def checks(self) -> Mapping[Check, frozenset[Memory]]:
        """The memory that each check is about, with conflicting accesses of two threads; one check if there is none."""
        members: dict[Memory, list[Access]] = defaultdict(list)
        for site in self._conflicting:
            members[_memory(site.access)].append(site.access)
        if not members:
            return {Check(self._file, 1, 1, "", PROPERTY, NOT_SHARED): frozenset()}
        found: dict[Check, set[Memory]] = defaultdict(set)
        for memory, accesses in members.items():
            found[self._check(accesses)].add(memory)
        return {check: frozenset(memories) for check, memories in found.items()}

    def _check(self, accesses: Sequence[Access]) -> Check:
        label = min((access.label for access in accesses), key=lambda label: ("[*]" not in label, label))
        place = next((access.declared for access in accesses if access.declared is not None), Span(self._file, 1, 1))
        return Check(place.file, place.line, place.column, "", PROPERTY, f"no race on {label}")

    @cached_property
    def _exposed(self) -> frozenset[Memory]:
        """What pointers of which nothing is known may lead to."""
        return frozenset(_memory(site.access) for site in self._sites if site.access.is_exposed)

    @cached_property
    def _conflicting(self) -> Sequence[Site]:
        """The sites in conflicting pairs, in the order of the program."""
        groups = _grouped(self._sites, lambda _: None)
        found = {group for pair in self._conflicts(groups) for group in pair}
        members = {site for group in found for site in groups[group]}
        return [site for site in self._sites if site in members]

    def _pairs(self, known: Established) -> Iterator[Pair]:
        """Conflicting pairs, one for all that nothing of what is known tells apart."""
        groups = _grouped(self._sites, known.kind)
        for one, other in self._conflicts(groups):
            yield groups[one][0], groups[other][0]

    def _conflicts(self, groups: Groups) -> Iterator[tuple[Hashable, Hashable]]:
        """The groups with conflicting accesses of two threads."""
        by_object: dict[str, list[Hashable]] = defaultdict(list)
        for key, (site, *_) in groups.items():
            by_object[site.access.object].append(key)
        for name, keys in by_object.items():
            inside = combinations_with_replacement(keys, 2)
            wild = () if name == ANY_MEMORY else product(keys, by_object.get(ANY_MEMORY, ()))
            for one, other in chain(inside, wild):
                if self._is_conflict(groups[one][0], groups[other][0]):
                    yield one, other

    def _is_conflict(self, left: Site, right: Site) -> bool:
        """Whether two threads may make two accesses to one place, at least one to write, and not both atomic."""
        if left.template == right.template and left.template in self._once:
            return False
        one, other = left.access, right.access
        is_write = AccessKind.WRITE in (one.kind, other.kind)
        return is_write and not (one.is_atomic and other.is_atomic) and one.overlaps(other)

    def _is_on(self, memory: Memory, both: tuple[Memory, Memory]) -> bool:
        """Whether a race of accesses to some memory is on that of a check; on unknown memory if one of them is."""
        if memory[0] == ANY_MEMORY:
            return any(name == ANY_MEMORY for name, _ in both)
        return all(self._may_be_to(accessed, memory) for accessed in both)

    def _may_be_to(self, accessed: Memory, memory: Memory) -> bool:
        """Whether what an access is to may be, or be a part of, or have a part in memory of a check."""
        if accessed[0] == ANY_MEMORY:
            return memory in self._exposed
        return accessed[0] == memory[0] and all(a == b for a, b in zip(accessed[1], memory[1], strict=False))

    def _is_excluded(self, left: Site, right: Site, known: Established) -> bool:
        """Whether two threads are never about to make two accesses at once, or mean different bytes then."""
        return (
            left.access.excludes(right.access)
            or not known.are_together(left.location, right.location)
            or self._are_apart(left, right, known)
        )

    def _are_apart(self, left: Site, right: Site, known: Established) -> bool:
        one, other = left.access.bytes, right.access.bytes
        if one is None or other is None:
            return False
        first, second = (self._address(number, found) for number, found in enumerate((one, other)))
        is_apart = z3.Or(first + one.size <= second, second + other.size <= first)
        both = (left.location, right.location)
        if known.follows(both, is_apart):
            return True
        told = [*self._of_one_kind(left, right, known)]
        told += self._beyond((left, right), (0, 1), known)
        told += self._beyond((right, left), (1, 0), known)
        return bool(told) and known.follows(both, is_apart, told)

    def _of_one_kind(self, left: Site, right: Site, known: Established) -> Iterator[Expr]:
        """What is known of two threads of one template by the numbers that they were given."""
        given = self._given_to(left.template, known) if left.template == right.template else None
        if given is not None and given.apart:
            yield from given.said(left.location, 0)
            yield from given.said(right.location, 1)
            between = given.number(0) - given.number(1)
            yield z3.Or(between >= given.apart, -between >= given.apart)

    def _beyond(self, both: Pair, threads: tuple[int, int], known: Established) -> Iterator[Expr]:
        """That one thread accesses what is behind all that those of the other one's template were given."""
        (one, other), given = both, self._given_to(both[1].template, known)
        accessed = one.access.bytes
        if accessed is None or not given.apart:
            return
        for it in accessed.beyond:
            if it.template == other.template:
                number = z3.FreshInt("number")
                yield from given.said(other.location, threads[1])
                yield self._address(threads[0], accessed) == it.factor * number + it.distance
                yield number - given.number(threads[1]) >= given.apart

    def _given_to(self, template: str, known: Established) -> Given:
        if template not in self._given:
            self._given[template] = Given(self._program, template, self._proposed, known.knowledge)
        return self._given[template]

    def _address(self, thread: int, accessed: Bytes) -> Expr:
        """The address of the first byte that a thread accesses."""
        cells = self._program.cells
        terms = ((k, value(cell, GLOBAL if cells[cell].template is None else thread)) for cell, k in accessed.terms)
        return z3.Sum(z3.IntVal(accessed.constant), *(k * cell for k, cell in terms))


def _memory(access: Access) -> Memory:
    return access.object, tuple("[*]" if step.startswith("[") else step for step in access.path)


def _grouped(sites: Iterable[Site], kind: Callable[[int], Hashable]) -> Groups:
    """Sites by all that tells them apart but their place; `kind` is what is known of a location."""
    groups: dict[Hashable, list[Site]] = defaultdict(list)
    for site in sites:
        access = site.access
        what = access.kind, access.object, access.path, access.is_atomic, access.owner, access.is_exposed
        kept = access.locks, access.is_private, access.is_alone
        where = kind(site.location), access.bytes and (site.location, access.bytes)
        groups[site.template, what, kept, where].append(site)
    return groups
