"""The items of a preprocessed text, found in one pass: what stands at file scope up to its `;` or the end of its body.

One compiled expression finds where each item ends, so 3 MB of headers take some hundredths of a second. What an item
declares is read off its head when it is asked for, what it mentions off its whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from duet.frontend.source.tokens import DIRECTIVE, Marker, marker
from duet.frontend.source.words import KEYWORDS, RENAMED, SPECIFIERS

_DEPTH = 24
"""Braces nest less deeply than this in headers; a text in which they do not is `Irregular`."""
_QUOTED = r'"(?:[^"\\\n]|\\.)*+"' + r"|'(?:[^'\\\n]|\\.)*+'"


def _braces(depth: int) -> str:
    """Matches a pair of braces with all that is in it."""
    inner = rf"[^{{}}\"'#]++|#[^\n]*+|{_QUOTED}" + (f"|{_braces(depth - 1)}" if depth else "")
    return rf"\{{(?>{inner})*+\}}"


_ITEM = re.compile(rf"(?>[^{{}};\"'#]++|#[^\n]*+|{_QUOTED})*+(?:;|(?P<body>{_braces(_DEPTH)}))")
_INSIDE = r"[^()\"]|\"(?:[^\"\\]|\\.)*\""
_PARENTHESES = rf"\((?:{_INSIDE}|\((?:{_INSIDE}|\((?:{_INSIDE}|\([^()]*\))*\))*\))*\)"
_FURNITURE = re.compile(
    rf"(?:\b(?:__attribute__|__attribute|__declspec|_Alignas|__asm__|__asm|asm)\s*{_PARENTHESES}|\b__extension__\b)"
)
_TYPEOF = re.compile(rf"\b(?:typeof|__typeof__|__typeof|typeof_unqual|__typeof_unqual__)\s*{_PARENTHESES}")
_LEADING = re.compile(r"(?:\s++|#[^\n]*+\n)*+")
_TAG = re.compile(r"\b(struct|union|enum)\s+([A-Za-z_]\w*)\s*\{")
_ENUM = re.compile(r"\benum\b[^{};()]*\{([^{}]*)\}")
_ENUMERATOR = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)")
_GROUP = re.compile(r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)")
_TAGGED = re.compile(r"\b(?:struct|union|enum)\s+[A-Za-z_]\w*")
_INNERMOST = re.compile(r"\([^()]*\)")
_MEMBER = re.compile(r"([A-Za-z_]\w*)\s*(?=[,\[:()]|$)")
_OWN = re.compile(r"\b[A-Za-z_]\w*\s*(?=[\[:]|$)")
_WIDTH = re.compile(r":[^:?]*$")
_LENGTH = re.compile(r"\[.*\]", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_DECLARED = re.compile(r"([A-Za-z_]\w*)\s*(?=[;,=\[:]|\0(?!\s*\0)|$)")
_POINTER = re.compile(r"\(\s*\**\s*(?:const\s+|volatile\s+|__restrict\s+)*([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*[()]")
_WORD = re.compile(
    rf"{_QUOTED}|(?P<tag>\b(?:struct|union|enum)\s+[A-Za-z_]\w*)(?P<star>\s*(?:const\s*|volatile\s*)*\*|\s*;)?"
    r"|(?P<member>(?:->|(?<![.\w])\.|(?<=[\w)\]])\.)\s*[A-Za-z_]\w*)|(?P<name>[A-Za-z_]\w*)"
)
_PLAIN = KEYWORDS | SPECIFIERS | RENAMED.keys() | {"__attribute__", "__asm__", "asm", "typeof", "__extension__"}


class Irregular(Exception):
    """The text has another form than the one that is described above."""


@dataclass(frozen=True, slots=True)
class Item:
    """What stands between two offsets of the text; `body` is where its last pair of braces starts in it, or -1.

    `file` is where its first token stands; `line` is that of its start, as long as no line marker is before that token.
    """

    text: str
    file: str
    line: int
    body: int

    @property
    def is_function(self) -> bool:
        """Whether it defines a function."""
        return self.body >= 0 and self.text.endswith("}")


@dataclass(frozen=True, slots=True)
class Uses:
    """The names that an item uses: tags as `struct name`, those that are only declared or pointed to apart from others.

    `members` stand behind `.` or `->`. `behind` are the members that the item defines, with the tags they point to.
    """

    names: frozenset[str]
    pointed: frozenset[str]
    members: frozenset[str]
    behind: Mapping[str, frozenset[str]] = field(default_factory=dict)


def items(text: str, path: str) -> Iterator[Item]:
    """The items of a text in order; together they are the text. *Raises*: `Irregular`."""
    position, start, body = 0, 0, -1
    file, line, counted = path, 1, 0
    size = len(text)
    while found := _ITEM.match(text, position):
        end = found.end()
        if found["body"] is not None:
            body = found.start("body")
            if not _ends_with_body(text[start:body]):
                position = end
                continue
        piece = text[start:end]
        line += text.count("\n", counted, start)
        counted = start
        marks = list(_marks(piece)) if "#" in piece else []
        first = _LEADING.match(piece)
        before = [mark for offset, mark in marks if first is not None and offset <= first.end()]
        named = next((mark.file for mark in reversed(before) if mark.file), file)
        yield Item(piece, named, line, body - start if body >= start and text[end - 1] == "}" else -1)
        for offset, mark in marks:
            counted = start + offset
            file, line = mark.file or file, mark.line
        position = start = end
        body = -1
    rest = text[start:size]
    if DIRECTIVE.sub("", rest).strip():
        raise Irregular
    if rest:
        yield Item(rest, file, line + text.count("\n", counted, start), -1)


def _marks(piece: str) -> Iterator[tuple[int, Marker]]:
    """The line markers in a text, each with the offset behind its line."""
    for directive in DIRECTIVE.finditer(piece):
        mark = marker(directive.group())
        if mark is not None:
            yield directive.end() + 1, mark


def _ends_with_body(head: str) -> bool:
    """Whether braces behind some text are the body of a function."""
    plain = _FURNITURE.sub("", DIRECTIVE.sub("", head)).rstrip()
    return plain.endswith(")") and "=" not in _GROUP.sub("", plain)


def declared(item: Item) -> frozenset[str]:
    """The names that an item declares at file scope, tags as `struct name`. *Approximates*: over."""
    found: set[str] = set()
    if item.is_function:
        head = DIRECTIVE.sub("", item.text[: item.body])
    else:
        head = DIRECTIVE.sub("", item.text)
        if "{" in head:
            found.update(f"{kind} {name}" for kind, name in _TAG.findall(head))
            for inside in _ENUM.findall(head) if "enum" in head else ():
                found.update(_ENUMERATOR.findall(_GROUP.sub("", inside)))
            head = _outside_braces(head)
    head = _TAGGED.sub(" ", _TYPEOF.sub(" ", _FURNITURE.sub(" ", head)))
    plain = set(_DECLARED.findall(_without_groups(head))) - _PLAIN
    found.update(plain or _POINTER.findall(head)[:1])
    return frozenset(found - _PLAIN)


def _without_groups(text: str) -> str:
    """The text with a mark in place of each pair of parentheses, from the inside out."""
    before = None
    while before != text:
        before, text = text, _INNERMOST.sub("\0", text)
    return text


def _outside_braces(text: str) -> str:
    """The text with what stands in braces left out, and a mark in its place."""
    parts, depth, start = [], 0, 0
    for found in _BRACE.finditer(text):
        is_open = found.group() == "{"
        if depth == (0 if is_open else 1):
            parts.append(text[start : found.start()] if is_open else "\1")
            start = found.end()
        depth += 1 if is_open else -1
    return "".join((*parts, text[start:]))


def uses(item: Item) -> Uses:
    """The names that an item uses. *Approximates*: over: a name may be that of something local."""
    text = DIRECTIVE.sub("", item.text) if "#" in item.text else item.text
    if item.is_function or "=" in _outside_braces(text):
        return _uses(text)
    if "{" in text:
        return _uses_of_members(text)
    found = _uses(text)  # a parameter of what is only declared gives nothing that one could look into
    return Uses(found.names, _uses(_without_groups(text)).pointed, frozenset())


def _uses(text: str) -> Uses:
    names, pointed, members = set(), set(), set()
    for found in _WORD.finditer(text):
        match found.lastgroup:
            case "name":
                names.add(found.group())
            case "member":
                members.add(found.group().lstrip("->. \n\t"))
            case "star":
                pointed.add(" ".join(found["tag"].split()))
            case "tag":
                names.add(" ".join(found.group().split()))
            case _:
                pass
    names = {name for name in names - _PLAIN if not (name.startswith("__") and name.endswith("__"))}
    return Uses(frozenset(names), frozenset(pointed), frozenset(members))


def _uses_of_members(text: str) -> Uses:
    """Those of the definition of a type: what its members point to counts by the names of these.

    What is behind the name of a member, in brackets or as its bits, is a number, for which all that it uses counts, and
    so is what is behind that of an enumerator.
    """
    names, pointed, members = set[str](), set[str](), set[str]()
    behind: dict[str, set[str]] = {}
    for part in re.split(r"[;{}]", text):
        width = _WIDTH.search(part)
        found = _uses(part if "=" in part else _OWN.sub(" ", _WIDTH.sub("", part)))
        number = _uses("".join((*_LENGTH.findall(part), width.group() if width else "")))
        names |= found.names | number.names
        pointed |= number.pointed
        members |= number.members
        for name in set(_MEMBER.findall(part)) - _PLAIN:
            behind.setdefault(name, set()).update(found.pointed)
    tags = {name: frozenset(found) for name, found in behind.items()}
    return Uses(frozenset(names), frozenset(pointed), frozenset(members), tags)
