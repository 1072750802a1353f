"""The declarations of library headers that a file needs; the others are left out before anything is parsed.

A preprocessed file is mostly headers of which it uses little. An item is what stands at file scope up to its `;` or the
end of a function body. All items of the user's own files stay; of a library header those that declare a name that an
item that stays mentions, and those that mention such a name where nothing that stays declares it.

*Approximates*: over. An item in which no declared name is recognised stays, so do directives other than line markers;
a text that does not have this form (unbalanced brackets, old-style definitions in headers) stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from duet.frontend.source.tokens import DIRECTIVE, marker
from duet.frontend.source.words import GROUPED, KEYWORDS, OPENING, RENAMED, SPECIFIERS

_TOKEN = re.compile(
    r"""(?P<word>[^\W\d][\w$]*|\$[\w$]*)
    |(?P<mark>[{}()\[\];=,:*])
    |(?P<directive>^[ \t]*\#[^\n]*)
    |(?:u8|[LuU])?"(?:[^"\\\n]|\\.)*"|[LuU]?'(?:[^'\\\n]|\\.)*'|/\*.*?\*/|//[^\n]*|\.?[0-9](?:[eEpP][+-]|[\w.'])*""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_TAGGED = frozenset(("struct", "union", "enum"))
_BEHIND_NAME = frozenset(",;=[(:)")
_ACTING = frozenset(("constructor", "__constructor__", "destructor", "__destructor__", "section", "__section__"))
"""Attributes of what runs, or is reached, although nothing mentions it."""
_PLAIN = KEYWORDS | SPECIFIERS | RENAMED.keys() | GROUPED
"""Words that name nothing of the program."""


@dataclass(slots=True)
class _Item:
    """What stands between two offsets of the text, and the line that it begins in."""

    start: int
    file: str
    line: int
    end: int = 0
    is_library: bool = True
    words: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
    directives: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether it stays whatever others mention."""
        return not self.is_library or not self.declared or not self.words.isdisjoint(_ACTING)


class _Irregular(Exception):
    """The text has another form than the one that is described above."""


def needed(text: str, path: str, is_library: Callable[[str], bool]) -> str:
    """The text without the items of library headers that it does not need, behind line markers where lines are gone."""
    try:
        items = list(_Scanner(text, path, is_library).items())
    except _Irregular:
        return text
    kept = _kept(items)
    parts: list[str] = []
    is_gap = False
    for number, item in enumerate(items):
        if number in kept:
            if is_gap:
                name = item.file.replace("\\", "\\\\").replace('"', '\\"')
                parts.append(f'\n# {item.line} "{name}"\n')
            parts.append(text[item.start : item.end])
            is_gap = False
        else:
            parts.extend(f"\n{directive}\n" for directive in item.directives)
            is_gap = True
    return "".join(parts)


def _kept(items: list[_Item]) -> set[int]:
    """The numbers of the items that stay."""
    declaring: dict[str, list[int]] = defaultdict(list)
    mentioning: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        for name in item.declared:
            declaring[name].append(number)
        for name in item.words if item.is_library else ():
            mentioning[name].append(number)
    own = frozenset[str]().union(*(item.words for item in items if not item.is_library))
    kept: set[int] = set()
    work = [number for number, item in enumerate(items) if item.is_kept]
    while work:
        while work:
            number = work.pop()
            if number not in kept:
                kept.add(number)
                work.extend(other for name in items[number].words for other in declaring.get(name, ()))
        known = frozenset[str]().union(*(items[number].declared for number in kept))
        work = [number for name in own - known for number in mentioning.get(name, ()) if number not in kept]
    return kept


class _Scanner:
    """Finds the items of a text with the names that they declare and mention. *Raises*: `_Irregular`."""

    def __init__(self, text: str, path: str, is_library: Callable[[str], bool]) -> None:
        self.text = text
        self.file = path
        self.is_library = is_library
        self.base_line, self.base_offset = 1, 0
        self.item, self.state = self._begun(0), _State()

    def line_at(self, offset: int) -> int:
        return self.base_line + self.text.count("\n", self.base_offset, offset)

    def items(self) -> Iterator[_Item]:
        """The items in order; together they are the text."""
        start = 0
        for directive in self._directives():
            yield from self._between(start, directive.start())
            start = directive.end()
            self._direct(directive.group(), start)
        yield from self._between(start, len(self.text))
        if self.state.opened or self.state.last:
            raise _Irregular
        self.item.end = len(self.text)
        yield self.item

    def _directives(self) -> Iterator[re.Match[str]]:
        """The directives; what looks like one within a comment or a string is none."""
        if "/*" not in self.text and "\\\n" not in self.text:
            return DIRECTIVE.finditer(self.text)
        return (found for found in _TOKEN.finditer(self.text) if found.lastgroup == "directive")

    def _between(self, start: int, end: int) -> Iterator[_Item]:
        """The items that end between two directives."""
        known = _whole_items(self.text[start:end]) if self.state.is_new and self.is_library(self.file) else None
        if known is None:
            yield from self.scanned(start, end)
            return
        for found in known:
            self.item.words, self.item.declared = found.words, found.declared
            yield self._ended(start + found.end)

    def scanned(self, start: int, end: int) -> Iterator[_Item]:
        """The items that end between two directives, token by token."""
        for found in _TOKEN.finditer(self.text, start, end):
            if found.lastgroup is None:
                continue
            self.item.is_library = self.item.is_library and self.is_library(self.file)
            if self.state.take(found.group(), found.lastgroup == "word", self.item):
                yield self._ended(found.end())

    def _ended(self, offset: int) -> _Item:
        """The item, which ends here; the next one begins."""
        ended = self.item
        ended.end = offset
        self.item, self.state = self._begun(offset), _State()
        return ended

    def _begun(self, offset: int) -> _Item:
        return _Item(offset, self.file, self.line_at(offset))

    def _direct(self, directive: str, end: int) -> None:
        found = marker(directive)
        if found is None:
            self.item.directives.append(directive)
            return
        self.file = found.file or self.file
        self.base_line, self.base_offset = found.line, end + 1


@lru_cache(maxsize=4096)
def _whole_items(text: str) -> tuple[_Item, ...] | None:
    """The items of a stretch of a library header, which many files include; None if it is not whole items."""
    scanner = _Scanner(text, "", lambda _: True)
    try:
        found = tuple(scanner.scanned(0, len(text)))
    except _Irregular:
        return None
    return found if scanner.state.is_new and not text[scanner.item.start :].strip() else None


class _Part(Enum):
    """What the inside of some brackets is, as far as declarations go; UNKNOWN is a declarator or parameters."""

    OUTSIDE = auto()
    UNKNOWN = auto()
    DECLARATOR = auto()
    PARAMETERS = auto()
    MEMBERS = auto()
    ENUMERATORS = auto()
    BODY = auto()
    ATTRIBUTE = auto()


@dataclass(slots=True)
class _State:
    """Where in an item the scanner is.

    `opened` are the brackets that are open: what closes each, and what is in it. `last` is the last token outside of
    all brackets, "()" for a pair of parentheses; attributes do not count. `word` is the token before if that is a word,
    `tokens` how many there were in these brackets, `tag` the last of struct, union and enum, `is_tag` whether its tag
    comes next.
    """

    opened: list[tuple[str, _Part]] = field(default_factory=list)
    last: str = ""
    word: str = ""
    tokens: int = 0
    tag: str = ""
    is_tag: bool = False

    @property
    def is_new(self) -> bool:
        """Whether no token of the item was taken."""
        return not (self.opened or self.last or self.word or self.tokens)

    @property
    def part(self) -> _Part:
        return self.opened[-1][1] if self.opened else _Part.OUTSIDE

    def take(self, token: str, is_word: bool, item: _Item) -> bool:
        """Takes the next token; whether it ends the item."""
        if is_word and token not in _PLAIN:
            item.words.add(token)
        if self.part is _Part.ATTRIBUTE:
            self._inside_attribute(token)
            return False
        is_end = token in _BEHIND_NAME or token in GROUPED
        if is_end and self.word and self.word not in _PLAIN and self._may_declare(token):
            item.declared.add(self.word)
        if is_word:
            self._take_word(token, item)
            return False
        word, self.word = self.word, ""
        if token in OPENING:
            self._open(token, word, item)
            return False
        self.is_tag = False
        if token in OPENING.values():
            return self._close(token)
        self._settle(_Part.DECLARATOR if token == "*" and not self.tokens else _Part.PARAMETERS)
        self.tokens += 1
        if not self.opened:
            self.last = token
        return token == ";" and not self.opened

    def _inside_attribute(self, token: str) -> None:
        if token in OPENING:
            self.opened.append((OPENING[token], _Part.ATTRIBUTE))
        elif token in OPENING.values() and self.opened.pop()[0] != token:
            raise _Irregular

    def _take_word(self, token: str, item: _Item) -> None:
        self.word = token
        if token in GROUPED:
            return
        is_parameter = self.part in (_Part.UNKNOWN, _Part.PARAMETERS)  # a tag there is known nowhere else
        if (self.is_tag and not is_parameter) or self.part is _Part.ENUMERATORS:
            item.declared.add(token)
        self.is_tag = token in _TAGGED
        if self.is_tag:
            self.tag = token
        if self.tokens:
            self._settle(_Part.PARAMETERS)
        self.tokens += 1
        if not self.opened:
            self.last = token

    def _may_declare(self, token: str) -> bool:
        """Whether the word before a token may be a name that is declared, by where it stands."""
        match self.part:
            case _Part.OUTSIDE | _Part.DECLARATOR:
                return True
            case _Part.UNKNOWN:
                return self.tokens == 1 and token in "()"
            case _:
                return False

    def _settle(self, part: _Part) -> None:
        """Says what brackets are of which that was not known."""
        if self.part is _Part.UNKNOWN:
            self.opened[-1] = (self.opened[-1][0], part)

    def _open(self, token: str, word: str, item: _Item) -> None:
        if word in GROUPED:
            self.opened.append((OPENING[token], _Part.ATTRIBUTE))
            return
        self.is_tag = False
        if token == "{":
            part = self._of_braces(item)
        elif token == "[":
            part = _Part.PARAMETERS
        else:
            self._settle(_Part.DECLARATOR if not self.tokens else _Part.PARAMETERS)
            part = _Part.UNKNOWN if self.part in (_Part.OUTSIDE, _Part.DECLARATOR) else _Part.PARAMETERS
        self.opened.append((OPENING[token], part))
        self.tokens = 0

    def _of_braces(self, item: _Item) -> _Part:
        """What braces that open here have in them."""
        match self.part:
            case _Part.OUTSIDE if self.last in ("()", "="):
                return _Part.BODY
            case _Part.OUTSIDE if not self.last:  # the body of an old-style definition
                if item.is_library:
                    raise _Irregular
                self.last = "()"
                return _Part.BODY
            case _Part.OUTSIDE | _Part.MEMBERS:
                return _Part.ENUMERATORS if self.tag == "enum" else _Part.MEMBERS
            case _:
                return _Part.BODY

    def _close(self, token: str) -> bool:
        if not self.opened or self.opened[-1][0] != token:
            raise _Irregular
        _, part = self.opened.pop()
        self.tokens = 1  # the brackets themselves
        if self.opened:
            return False
        is_function = part is _Part.BODY and self.last == "()"
        self.last = {")": "()"}.get(token, token)
        return is_function
