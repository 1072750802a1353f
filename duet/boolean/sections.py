"""Atomic sections of a thread of a Boolean program: the locations between their begins and ends."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from duet.errors import SourceError
from duet.plip.build import TemplateBuilder
from duet.plip.syntax import Command


@dataclass(frozen=True, slots=True)
class Sections:
    """The locations that commands lead to which begin and end a section; no other command leads there."""

    begins: frozenset[int]
    ends: frozenset[int]


def inside(template: TemplateBuilder, sections: Sections) -> frozenset[int]:
    """The locations inside of sections; a thread that ends leaves its section.

    *Raises*: SourceError where a location is inside on some ways to it only, and where sections are nested.
    """
    leaving: dict[int, list[Command]] = defaultdict(list)
    for command in template.commands:
        leaving[command.source].append(command)
    found = {template.entry: False}
    stack = [template.entry]
    while stack:
        place = stack.pop()
        for command in leaving[place]:
            target, is_inside = command.target, found[place]
            if target in (sections.begins if is_inside else sections.ends):
                what = "begins in another one" if is_inside else "ends that did not begin"
                raise SourceError(f"an atomic section {what}", command.span)
            if target in sections.begins | sections.ends or target == template.exit:
                is_inside = target in sections.begins
            if target not in found:
                stack.append(target)
            if found.setdefault(target, is_inside) != is_inside:
                raise SourceError("this is reached from inside and from outside of an atomic section", command.span)
    return frozenset(place for place, is_inside in found.items() if is_inside)
