"""The items of a kernel's headers that a driver reaches; the others are left out before anything is parsed.

All items of the user's own files stay. Of the headers, an item stays if something that stays mentions a name that it
declares, with one exception: of a structure that is only pointed to, the definition stays if something that points to
it can be written (what a member points to counts once that member is named), and something that stays has the name of
one of its members behind `.` or `->`. Without that the structure is only declared; what needs its size is refused where
it stands.

*Approximates*: over, see `duet.frontend.source.items`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from duet.frontend.source.items import Item, declared, uses


def reached(items: Sequence[Item], is_library: Callable[[str], bool]) -> str:
    """The text of the items that stay, behind line markers where others are gone."""
    kept = _Reach(items, is_library).kept()
    parts: list[str] = []
    is_gap = True
    for number, item in enumerate(items):
        if number in kept:
            if is_gap:
                name = item.file.replace("\\", "\\\\").replace('"', '\\"')
                parts.append(f'\n# {item.line} "{name}"\n')
            parts.append(item.text)
        is_gap = number not in kept
    return "".join(parts)


class _Reach:
    """The search. `waiting` are, by their members, definitions that may stay; `behind` are the tags by members."""

    def __init__(self, items: Sequence[Item], is_library: Callable[[str], bool]) -> None:
        self.items = items
        self.found: set[int] = set()
        self.work: list[int] = []
        self.members: set[str] = set()
        self.seen: set[str] = set()
        self.pointed: set[str] = set()
        self.waiting: dict[str, list[int]] = defaultdict(list)
        self.behind: dict[str, set[str]] = defaultdict(set)
        self.declaring: dict[str, list[int]] = defaultdict(list)
        own: dict[str, bool] = {}
        for number, item in enumerate(items):
            if item.file not in own:
                own[item.file] = not is_library(item.file)
            names = declared(item)
            for name in names:
                self.declaring[name].append(number)
            if own[item.file] or not (names or _is_checked(item)):
                self.work.append(number)

    def kept(self) -> set[int]:
        """The numbers of the items that stay."""
        while self.work:
            number = self.work.pop()
            if number not in self.found:
                self.found.add(number)
                self._follow(self.items[number])
        return self.found

    def _follow(self, item: Item) -> None:
        found = uses(item)
        self._reach_members(found.members - self.members)
        for name in found.names - self.seen:
            self.seen.add(name)
            self.work.extend(self.declaring.get(name, ()))
        self._reach_pointed(found.pointed)
        for member, tags in found.behind.items():
            if member in self.members:
                self._reach_pointed(tags)
            else:
                self.behind[member].update(tags)

    def _reach_pointed(self, tags: Iterable[str]) -> None:
        """Something that points to structures can be written: they stay now, or once a member of theirs is used."""
        for tag in set(tags) - self.pointed:
            self.pointed.add(tag)
            for number in self.declaring.get(tag, ()):
                inside = uses(self.items[number]).behind.keys()
                if not self.members.isdisjoint(inside):
                    self.work.append(number)
                for name in inside:
                    self.waiting[name].append(number)

    def _reach_members(self, names: Iterable[str]) -> None:
        for name in names:
            self.members.add(name)
            self.work.extend(self.waiting.pop(name, ()))
            self._reach_pointed(self.behind.pop(name, ()))


def _is_checked(item: Item) -> bool:
    """Whether an item declares nothing and only has the compiler check something."""
    return item.text.strip(" \t\n;").rpartition("\n")[2].lstrip().startswith("_Static_assert") or not item.text.strip(
        " \t\n;"
    )
