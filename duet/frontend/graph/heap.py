"""Where heap objects come from: one for each allocation site and each chain of calls that leads to it.

An object is a single one, with strong updates, where its place is passed at most once: its template has one instance
and no way through the template leads from the place back to it (`duet.frontend.graph.again`). So is what each instance
allocates once and no other thread reaches (`Memory.is_each_ones`): each has it in cells of its own. Both are assumed
until a round of lowering finds them wrong (`Objects.repeated`, `Objects.handed_on`), so the last round has checked
them.

All threads and chains of calls share the single object of a place that is known to be passed once whoever comes there
(`duet.frontend.judgments.first_comers`); so do the chains of calls of one template where each thread passes the place
at most once (`duet.frontend.judgments.each_once`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from duet.frontend.graph.again import passed_again
from duet.frontend.graph.builder import Builder


@dataclass
class Sites:
    """The allocations of one round: locations by template and key of the object, keys by site and chain of calls.

    At most `most` chains of calls to one site in a template have an object of their own; the others share one. `once`
    are the sites that are passed at most once, `each` those that each thread passes at most once, and `passed` the keys
    and locations of all but the first.
    """

    most: int
    once: frozenset[str] = frozenset()
    each: frozenset[str] = frozenset()
    locations: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    keys: dict[str, set[str]] = field(default_factory=dict)
    passed: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    def key(self, place: str, template: str, way: str) -> tuple[str, bool]:
        """The key of what is allocated at a site by a chain of calls (`way`), and whether several chains share it."""
        if place in self.once:
            return f"heap {place}", False
        name = f"heap {place} {template}"
        if place in self.each:
            return name, False
        known = self.keys.setdefault(name, set())
        if way not in known and len(known) >= self.most:
            return f"{name} others", True
        known.add(way)
        return f"{name} {way}".rstrip(), False

    def note(self, template: str, place: str, key: str, location: int) -> None:
        """Records that an object is allocated at a location."""
        if place in self.once:
            return
        self.passed.setdefault(place, {}).setdefault(key, []).append(location)
        self.locations.setdefault(template, {}).setdefault(key, []).append(location)

    def passed_again(self, template: str, builder: Builder) -> list[str]:
        """The objects of a template, just built, that one thread may allocate several times."""
        single = {key for place in self.each for key in self.passed.get(place, ())}
        found = {key: it for key, it in self.locations.get(template, {}).items() if key not in single}
        if not found:
            return []
        is_again = passed_again(builder.commands, builder.entry, builder.crossings, found.values())
        return [key for key, it in zip(found, is_again, strict=True) if it]

    def allocated_in(self, templates: Collection[str]) -> list[str]:
        """The objects that some templates allocate."""
        return [key for template in templates for key in self.locations.get(template, ())]
