"""What data races go back to: an access through a pointer that may lead to many objects, or memory without a lock."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from duet.check.races import Site
from duet.check.shown_races import MANY_OBJECTS, Race
from duet.plip.accesses import ANY_MEMORY, AccessKind, Storage
from duet.result import Cause, CauseKind, Chance
from duet.source import NOWHERE, Span

_CHANCES = {Storage.LOCAL: Chance.RARELY, Storage.HEAP: Chance.SOMETIMES}
"""Of races without a common lock; of all others see `race_causes`."""
_NOBODY: Mapping[str, str] = MappingProxyType({})


def race_causes(
    races: Sequence[Race],
    found: Sequence[Site],
    handlers: Mapping[str, str] = _NOBODY,
    callbacks: Collection[str] = (),
) -> tuple[Cause, ...]:
    """The cause of each race: of accesses that explain several of them, that which explains the most.

    `handlers` are the names of functions, by the templates whose threads run inside of others. All that one of them
    has in common with what it interrupts is one cause, where its accesses begin. So is all that threads of some
    templates do, `callbacks`, of which nobody knows whether and when there are any.
    """
    objects: dict[tuple[str, int], set[str]] = defaultdict(set)
    count: dict[tuple[str, int], int] = defaultdict(int)
    for race in races:
        for place in {_place(found[index]) for index in race.pair}:
            objects[place].update(found[index].access.object for index in race.pair)
            count[place] += 1

    unknown = {site.access.span: site.access.unknown for site in found if site.access.unknown}
    given = {(site.access.span, site.access.object) for site in found if site.access.kind is AccessKind.READ}
    calls: dict[str, tuple[str, int]] = {}
    for site in found:
        if name := unknown.get(site.access.span):
            calls[name] = min(calls.get(name, _place(site)), _place(site))

    starts: dict[str, Span] = {}
    for index in sorted({index for race in races if race.interrupts for index in race.pair}):
        name, stack = handlers.get(found[index].template), found[index].access.stack
        if name is not None and stack and (span := stack[0].span) is not None:
            starts[name] = min(starts.get(name, span), span)

    def cause(race: Race) -> Cause:
        sites = [found[index] for index in race.pair]
        kinds = {site.access.storage for site in sites}
        names = sorted({unknown[site.access.span] for site in sites if _is_reached(site, unknown, given)})
        if names:
            text = f"{names[0]} has no body here: it may change all that it was ever given"
            return Cause(CauseKind.LOST, text, *calls[names[0]])
        wild = [_place(site) for site in sites if site.access.object == ANY_MEMORY]
        if wild:
            return Cause(CauseKind.LOST, "where this pointer leads is not known", *max(wild, key=count.__getitem__))
        if race.one_of is not None:
            where = race.one_of
            return Cause(CauseKind.LOST, f"this access may be to {where.objects} objects", where.file, where.line)
        if race.interrupts:
            names = sorted({handlers[site.template] for site in sites if site.template in handlers})
            who = names[0] if names else "a signal handler"
            text = (
                f"{who} may interrupt accesses to objects that are neither volatile sig_atomic_t nor lock-free atomic"
            )
            span = starts.get(who) or sites[0].access.declared or sites[0].access.span or NOWHERE
            is_own = len({site.template for site in sites}) == 1  # all that it interrupts here is itself
            chance = Chance.RARELY if Storage.LOCAL in kinds else Chance.SOMETIMES if is_own else Chance.MOSTLY
            return Cause(CauseKind.WRITE, text, span.file, span.line, chance)
        vague = [place for site in sites if len(objects[place := _place(site)]) > MANY_OBJECTS]
        if vague:
            place = max(vague, key=lambda one: (len(objects[one]), count[one]))
            return Cause(CauseKind.LOST, f"this access may be to {len(objects[place])} objects", *place)
        if called := [site for site in sites if site.template in callbacks]:
            span = next((it.access.stack[0].span for it in called if it.access.stack), None) or NOWHERE
            text = "when unknown code calls the functions that it was given is not known"
            return Cause(CauseKind.LOST, text, span.file, span.line)
        declared = next((site.access.declared for site in sites if site.access.declared is not None), None)
        first = declared or sites[0].access.span or NOWHERE
        text = f"{_object(race.label)} is shared, and accessed without a common lock"
        chance = max(_CHANCES.get(kind, Chance.EVEN) for kind in kinds)
        return Cause(CauseKind.WRITE, text, first.file, first.line, chance)

    return tuple(map(cause, races))


def _is_reached(site: Site, unknown: Mapping[Span | None, str], given: Collection[tuple[Span | None, str]]) -> bool:
    """Whether a function without a body writes at a site what its call is not given, but may lead to, or did before."""
    access = site.access
    return access.kind is AccessKind.WRITE and access.span in unknown and (access.span, access.object) not in given


def _place(site: Site) -> tuple[str, int]:
    span = site.access.span or NOWHERE
    return span.file, span.line


def _object(label: str) -> str:
    """The object that what has a label is part of."""
    found = re.match(r"\([^()]*\)|[^.\[]*", label)
    return found[0].strip("()") if found else label
