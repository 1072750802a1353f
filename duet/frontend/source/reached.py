"""The items of a kernel's headers that a driver reaches; the others are left out before anything is parsed.

All items of the user's own files stay. Of the headers, an item stays if something that stays mentions a name that it
declares, with one exception: of a structure that is only pointed to, the definition stays if something that points to
it can be written (what a member points to counts once that member is named), and something that stays has the name of
one of its members behind `.` or `->`. Without that the structure is only declared; what needs its size is refused where
it stands.

Assembler between the items of a header can only define symbols that C does not define: what is called by these names
has no body here. The names in its text are those of what its code may call or change: a table at the end of the text
has them, which nothing mentions, so that the kernel finds it (`duet.linux.general`). So it is with that of the user's
own files where it is plain (`duet.frontend.source.toplevel`); a directive without effect is left in its place.

*Approximates*: over, see `duet.frontend.source.items`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from duet.frontend.source import toplevel
from duet.frontend.source.items import Item, declared, uses
from duet.frontend.source.tokens import DIRECTIVE
from duet.frontend.source.toplevel import is_assembler, is_plain


def reached(items: Sequence[Item], is_library: Callable[[str], bool]) -> str:
    """The text of the items that stay, behind line markers where others are gone."""
    reach = _Reach(items, is_library)
    kept = reach.kept()
    parts: list[str] = []
    is_gap = True
    for number, item in enumerate(items):
        is_replaced = number in reach.assembler and not is_library(item.file)
        is_left_out = not is_replaced and (number not in kept or number in reach.assembler)
        if not is_left_out:
            if is_gap:
                parts.append(_marker(item))
            parts.append(_in_place(item) if is_replaced else item.text)
        is_gap = is_left_out
    named = sorted(frozenset[str]().union(*reach.assembler.values()))
    own = next((item for item in items if not is_library(item.file)), None)
    if named and own is not None:
        members = ", ".join(f"(void *)&{name}" for name in named)
        parts.append(f"{_marker(own)}static void *const {ASSEMBLER_NAMES}[] = {{{members}}};\n")
    return "".join(parts)


def _in_place(item: Item) -> str:
    """What stands for assembler of the user: nothing that has an effect, on the first line of it."""
    skipped = re.match(r"(?:\s|#[^\n]*\n)*", item.text)
    head = skipped[0] if skipped else ""
    return head + '__asm__(".text");' + "".join(re.findall(r"\n(?:[ \t]*#[^\n]*)?", item.text[len(head) :]))


def _marker(item: Item) -> str:
    name = item.file.replace("\\", "\\\\").replace('"', '\\"')
    return f'\n# {item.line} "{name}"\n'


ASSEMBLER_NAMES = "__duet_used_by_assembler"
"""The table of what assembler in headers names."""
_TYPE = re.compile(r"typedef\b|(?:struct|union|enum)\b[^=;()]*\{")


class _Reach:
    """The search. `waiting` are, by their members, definitions that may stay; `behind` are the tags by members.

    `assembler` are the items that are nothing else, those of the user only if they are plain, with what they name.
    """

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
        self.assembler: dict[int, frozenset[str]] = {}
        own: dict[str, bool] = {}
        for number, item in enumerate(items):
            if item.file not in own:
                own[item.file] = not is_library(item.file)
            names = declared(item)
            for name in names:
                self.declaring[name].append(number)
            text = _without_directives(item.text)
            if not names and is_assembler(text) and (not own[item.file] or is_plain(text)):
                self.assembler[number] = frozenset()
            if own[item.file] or not (names or _is_checked(item)):
                self.work.append(number)
        for number in self.assembler:
            words = toplevel.names(_without_directives(items[number].text))
            self.assembler[number] = frozenset(filter(self._has_address, words))

    def _has_address(self, name: str) -> bool:
        """Whether a name is that of a function or an object."""
        found = [self.items[number] for number in self.declaring.get(name, ())]
        return any(item.is_function or not _TYPE.match(_without_directives(item.text)) for item in found)

    def kept(self) -> set[int]:
        """The numbers of the items that stay."""
        self._reach_names(frozenset[str]().union(*self.assembler.values()))
        while self.work:
            number = self.work.pop()
            if number not in self.found:
                self.found.add(number)
                self._follow(self.items[number])
        return self.found

    def _reach_names(self, names: frozenset[str]) -> None:
        for name in names - self.seen:
            self.seen.add(name)
            self.work.extend(self.declaring.get(name, ()))

    def _follow(self, item: Item) -> None:
        found = uses(item)
        self._reach_names(found.names)
        self._reach_members(found.members - self.members)
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


def _without_directives(text: str) -> str:
    return DIRECTIVE.sub("", text).lstrip()


def _is_checked(item: Item) -> bool:
    """Whether an item declares nothing and only has the compiler check something."""
    return item.text.strip(" \t\n;").rpartition("\n")[2].lstrip().startswith("_Static_assert") or not item.text.strip(
        " \t\n;"
    )
