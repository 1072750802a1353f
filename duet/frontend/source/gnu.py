"""Rewrites preprocessed C so that pycparser takes it: GNU furniture goes, implicit `int` is written out.

Lines stay where they are; columns mostly do (what is dropped leaves blanks), the rest is mended in `places`.
What would change the meaning when dropped is refused with its place, never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from duet import result
from duet.errors import NothingDeclared, SourceError, Unsupported
from duet.frontend.source.assembly import rewrite_assembly
from duet.frontend.source.attributes import keep_layout, keep_packing
from duet.frontend.source.blocks import rename_labels, write_vector
from duet.frontend.source.draft import Draft
from duet.frontend.source.leaving import keep_cleanup
from duet.frontend.source.loaded import Loaded
from duet.frontend.source.loading import keep_loaded
from duet.frontend.source.places import is_library
from duet.frontend.source.pragmas import check_directives, check_namespace, check_operator, refuse_pragmas
from duet.frontend.source.symbols import note_alias, note_attribute, note_ending, note_pragmas
from duet.frontend.source.tokens import INSIGNIFICANT, Kind, marker, pieces
from duet.frontend.source.words import (
    ALIAS,
    ASSEMBLY,
    ASSERTION,
    ASSERTION_FAILED,
    C23_KEYWORDS,
    C23_RENAMED,
    CLEANUP,
    EXPECT,
    FLOATS,
    KEYWORDS,
    LAYOUT,
    MODES,
    NESTING_LIMIT,
    OPENING,
    REFUSED,
    REFUSED_ATTRIBUTES,
    RENAMED,
    SMALL_MODES,
    SPECIFIERS,
    TYPE_OPERATORS,
)
from duet.source import Span


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Text for pycparser; `names` are the identifiers in it, `typedefs` those that it declares as types.

    `refusals` are the constructs that are not supported, by the names that stand in their place. `weak` are names
    of weak symbols, and others, `ending` those of functions that do not return, and others. `labels` are the names that
    declarations have in assembler, with what they declare and their places; `loaded` are functions that run before
    `main` or behind it.
    """

    text: str
    names: frozenset[str]
    typedefs: frozenset[str]
    warnings: tuple[result.Warning, ...]
    refusals: Mapping[str, Unsupported]
    weak: frozenset[str]
    ending: frozenset[str]
    labels: tuple[tuple[str, str, Span], ...]
    loaded: tuple[Loaded, ...]
    aliases: tuple[tuple[str, str, Span], ...]
    symbols: tuple[tuple[str, Span], ...]


def rewrite(text: str, path: str, is_c23: bool = False, is_small: bool = False) -> Rewritten:
    """Returns `text` in the C that pycparser reads.

    Pointers have 32 bits if it `is_small`. *Raises*: SourceError for a text without any C, unbalanced or too deep
    brackets.
    """
    draft = _draft(text, path)
    draft.is_small = is_small
    check_directives(draft)
    _write_plainly(draft)
    _match_brackets(draft)
    _write_designators(draft)
    _drop_forwarders(draft)
    token = 0
    refusals: dict[str, Unsupported] = {}
    while token < len(draft.tokens):
        if draft.out[draft.tokens[token]].strip() not in _STARTING:
            token += 1
            continue
        try:
            token = _rewrite_token(draft, token, is_c23)
        except Unsupported as error:
            # the parser says so where it gets there: it may lose the function around it instead
            name = f"{REFUSED}{len(refusals)}"
            refusals[name] = error
            draft.out[draft.tokens[token]] = f" {name} "
            token += 1
    if any(piece.kind is Kind.DIRECTIVE and "pragma" in piece.text for piece in draft.parts):
        keep_packing(draft)
        note_pragmas(draft)
        refuse_pragmas(draft, refusals)
    draft.tokens = [index for index in draft.tokens if draft.out[index].strip()]
    typedefs = _typedef_names(draft)
    if not is_c23:
        _write_implicit_int(draft, typedefs)
    names = frozenset(draft.out[i].strip() for i in draft.tokens if draft.parts[i].kind is Kind.NAME)
    names -= C23_KEYWORDS if is_c23 else frozenset()
    written = "".join(text + draft.behind.get(index, "") for index, text in enumerate(draft.out))
    return Rewritten(
        written,
        names,
        typedefs,
        tuple(draft.warnings),
        refusals,
        frozenset(draft.weak),
        frozenset(draft.ending),
        tuple(draft.labels),
        tuple(draft.loaded),
        tuple(draft.aliases),
        tuple(draft.symbols),
    )


def _draft(text: str, path: str) -> Draft:
    """The draft of a text: comments and directives other than line markers are blank already."""
    parts = list(pieces(text))
    out = []
    for piece in parts:
        drop = piece.kind is Kind.COMMENT or (piece.kind is Kind.DIRECTIVE and marker(piece.text) is None)
        out.append("".join(c if c == "\n" else " " for c in piece.text) if drop else piece.text)
    tokens = [index for index, piece in enumerate(parts) if piece.kind not in INSIGNIFICANT]
    if not tokens:
        raise NothingDeclared("no C in this file: it has no declaration", Span(path, 1, 1))
    return Draft(path, parts, out, tokens)


def _write_plainly(draft: Draft) -> None:
    """Writes literals and names as the parser reads them.

    Characters that need no backslash lose it (`\\%`), and letters of a name that are not ASCII become their numbers.
    An imaginary constant of GNU C (`1.0fi`) becomes one of its type, as no value of these is tracked.
    """
    for token, index in enumerate(draft.tokens):
        piece = draft.parts[index]
        if piece.kind in (Kind.STRING, Kind.CHARACTER) and "\\" in piece.text:
            draft.put(token, _ESCAPE.sub(r"\1\2", piece.text))
        elif piece.kind is Kind.NAME and ("\\" in piece.text or not piece.text.isascii()):
            draft.put(token, _LETTER.sub(_number_of, piece.text))
        elif piece.kind is Kind.NUMBER and (found := _IMAGINARY.fullmatch(piece.text)):
            width = found["width"] or found["behind"] or ""
            draft.put(token, f"(({_WIDTHS[width.lower()]} _Complex) {found['number']}{width})")


_IMAGINARY = re.compile(
    r"(?P<number>(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)(?:(?P<width>[fFlL])?[iIjJ]|[iIjJ](?P<behind>[fFlL]))"
)
_WIDTHS = {"": "double", "f": "float", "l": "long double"}
"""Types of floating constants by their suffixes."""
_ESCAPE = re.compile(r"""(\\[\w.~^!=&\-\\?'"])|\\(.)""", re.DOTALL | re.ASCII)
"""One that the parser knows, or takes for one; or another."""
_LETTER = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|[^\x00-\x7f]")


def _number_of(letter: re.Match[str]) -> str:
    """A letter as its number, in a way that no name has: `\\u00e9`, `\\U000000e9` and `é` are one (C11 6.4.3)."""
    digits = letter[1] or letter[2]
    return f"${int(digits, 16) if digits else ord(letter[0]):x}$"


def _write_designators(draft: Draft) -> None:
    """Writes `{member: value}`, as GNU C had it before C99, as `{.member = value}`."""
    for token, index in enumerate(draft.tokens):
        if draft.parts[index].text != ":" or draft.kind(token - 1) is not Kind.NAME:
            continue
        is_first = draft.text(token - 2) == "{"
        if not is_first and (draft.text(token - 2) != "," or _is_in_choice(draft, token - 2)):
            continue
        if _is_in_initialiser(draft, token - 1):
            draft.put(token - 1, f".{draft.text(token - 1)}")
            draft.put(token, "=")


def _is_in_initialiser(draft: Draft, token: int) -> bool:
    """Whether a token stands in braces of an initialiser."""
    opened = draft.around(token)
    before = draft.text(opened - 1)
    if draft.text(opened) != "{" or before == "=":
        return before == "="
    if before == ")":
        return draft.text(draft.around(opened - 1) - 1) in _IN_FRONT_OF_LITERALS
    return before in ("{", ",") and _is_in_initialiser(draft, opened)


def _is_in_choice(draft: Draft, token: int) -> bool:
    """Whether a comma at a token stands between a `?` and its `:`."""
    choices, opened = 0, draft.around(token)
    while token > opened and choices >= 0:
        if draft.text(token) in _CLOSING:
            token = draft.around(token)
        choices += (draft.text(token) == ":") - (draft.text(token) == "?")
        token -= 1
    return choices < 0


_IN_FRONT_OF_LITERALS = frozenset(("=", "(", ",", "{", "return", "&", "?", ":", "["))
"""What may be in front of a compound literal, and of no list of parameters, and no condition of a statement."""


def _drop_forwarders(draft: Draft) -> None:
    """Makes declarations of functions in headers of the system that only call their namesake in the library.

    Nothing but a body that is inlined may hand all of its further arguments on: that of `error` in glibc.
    """
    if not any(piece.text == _FORWARDED for piece in draft.parts):
        return
    for token in range(len(draft.tokens)):
        if draft.text(token) == _FORWARDED and is_library(draft.span(token).file, ()):
            first = max(other for other in range(token) if not draft.is_in_braces[other])
            draft.blank(first, draft.closing(first))
            draft.put(first, ";")


_FORWARDED = "__builtin_va_arg_pack"
_CLOSING = frozenset(OPENING.values())
_ATTRIBUTES = ("__attribute__", "__attribute", "__declspec", "_Pragma")


def _match_brackets(draft: Draft) -> None:
    """Notes what stands inside braces; refuses brackets that do not match or nest too deeply."""
    opened: list[int] = []
    braces = 0
    for token, index in enumerate(draft.tokens):
        draft.is_in_braces.append(braces > 0)
        piece = draft.parts[index]
        if piece.kind is not Kind.PUNCTUATION:
            continue
        text = RENAMED.get(piece.text, piece.text)
        braces += (text == "{") - (text == "}")
        if text in OPENING:
            opened.append(token)
            if len(opened) > NESTING_LIMIT:
                raise SourceError(f"brackets nest deeper than {NESTING_LIMIT} levels", draft.span(token))
        elif text in OPENING.values():
            start = draft.parts[draft.tokens[opened[-1]]].text if opened else ""
            if OPENING.get(RENAMED.get(start, start)) != text:
                hint = f"; '{start}' was opened at {draft.span(opened[-1])}" if opened else ""
                raise SourceError(f"unexpected '{text}'{hint}", draft.span(token))
            opened.pop()
    if opened:
        raise SourceError(f"this '{draft.text(opened[-1])}' is never closed", draft.span(opened[-1]))


_ENDING = ("noreturn", "Noreturn")
"""Attributes of functions that do not return."""
_PARTS_OF_COMPLEX = ("__real__", "__real", "__imag__", "__imag")
_STARTING = frozenset(
    (
        *_PARTS_OF_COMPLEX,
        *RENAMED,
        *C23_RENAMED,
        *FLOATS,
        *ASSEMBLY,
        *_ATTRIBUTES,
        *("__extension__", "_Noreturn", "[", "(", "__label__", "__builtin_va_arg", ASSERTION_FAILED, EXPECT),
    )
)
"""The tokens at which `_rewrite_token` has something to do: few, as this is asked of each."""


def _rewrite_token(draft: Draft, token: int, is_c23: bool) -> int:
    """Rewrites what starts at `token`, one of `_STARTING`; returns the token to go on with."""
    text = draft.text(token)
    if text in RENAMED:
        draft.put(token, RENAMED[text])
    elif is_c23 and text in C23_RENAMED:
        draft.put(token, C23_RENAMED[text])
    elif text in FLOATS and draft.text(token + 1) != ";":
        draft.put(token, FLOATS[text])
    elif text == "__extension__":
        draft.blank(token, token)
    elif text == "_Noreturn":
        note_ending(draft, token)
    elif text in _ATTRIBUTES:
        return _drop_attribute(draft, token)
    elif text == "[" and draft.text(token + 1) == "[":
        last = draft.closing(token)
        check_namespace(draft, token, last)
        _check_dropped(draft, token, last)
        keep_loaded(draft, token, last)
        for index in range(token, last):
            _note_symbols(draft, token, index)
            if draft.text(index).strip("_") == CLEANUP:
                keep_cleanup(draft, token, last, index)
        draft.blank(token, last)
        return last + 1
    elif text == "[":
        _enclose_length(draft, token)
    elif text in _PARTS_OF_COMPLEX:
        raise Unsupported(f"'{text}' is not supported", draft.span(token))
    elif text == "(" and draft.text(token + 1) == "{":
        _rewrite_library_assert(draft, token)
    elif text == ASSERTION_FAILED:
        _rewrite_conditional_assert(draft, token)
    elif text in ASSEMBLY:
        return rewrite_assembly(draft, token)
    elif text == "__label__":
        return rename_labels(draft, token)
    elif text == EXPECT:
        _rewrite_expect(draft, token)
    elif text == "__builtin_va_arg":
        _rewrite_va_arg(draft, token)
    return token + 1


def _enclose_length(draft: Draft, token: int) -> None:
    """Puts parentheses around a length that starts with `*`, which the parser would take for one that is left open."""
    first, last = token + 1, draft.closing(token)
    while draft.text(first) in _BEFORE_LENGTHS:
        first += 1
    if draft.text(first) == "*" and first + 1 < last:
        draft.out[draft.tokens[first]] = "(*"
        draft.out[draft.tokens[last]] = ")]"


_BEFORE_LENGTHS = ("static", "const", "volatile", "restrict")


def _is_library_assert(draft: Draft, token: int) -> bool:
    """Whether glibc's `({ if (e) ; else __assert_fail(...); })` starts at a token, with nothing else in it."""
    if (draft.text(token + 2), draft.text(token + 3)) != ("if", "("):
        return False
    behind = draft.closing(token + 3) + 1
    if [draft.text(behind + i) for i in range(4)] != [";", "else", ASSERTION_FAILED, "("]:
        return False
    end = draft.closing(behind + 3)
    return [draft.text(end + i) for i in (1, 2)] == [";", "}"]


def _rewrite_library_assert(draft: Draft, token: int) -> None:
    """Makes the expansion of `assert(e)` by glibc's header the call `(assert(e))` again."""
    if _is_library_assert(draft, token):
        draft.put(token + 1, ASSERTION)
        draft.blank(token + 2, token + 2)
        draft.blank(draft.closing(token + 3) + 1, draft.closing(token) - 1)


def _rewrite_conditional_assert(draft: Draft, token: int) -> None:
    """Makes glibc's other expansion, `((e) ? (void) (0) : __assert_fail(...))`, the call `(assert(e))` again.

    Without the parentheses around it `e` may be the end of a longer condition, or the arguments of a call.
    """
    before = [draft.text(token - distance) for distance in range(9, 0, -1)]
    if before == [")", "?", "(", "void", ")", "(", "0", ")", ":"] and draft.text(token + 1) == "(":
        start, depth = token - 9, 1
        while depth and start:
            start -= 1
            depth += (draft.text(start) == ")") - (draft.text(start) == "(")
        if draft.text(start - 1) == "(" and draft.text(draft.closing(token + 1) + 1) == ")":
            draft.out[draft.tokens[start]] = f"{ASSERTION}("
            draft.blank(token - 8, draft.closing(token + 1))


def _drop_attribute(draft: Draft, token: int) -> int:
    """Blanks an attribute that does not change what the program does, refuses those that do."""
    if draft.text(token + 1) != "(":
        return token + 1
    last = draft.closing(token + 1)
    check_operator(draft, token)
    keep_loaded(draft, token, last)
    for index in range(token + 2, last):
        name = draft.text(index)
        if draft.kind(index) is Kind.NAME and name.strip("_") == "mode" and _write_mode(draft, token, index):
            break
        if name.strip("_") == "vector_size" and write_vector(draft, token, last, index):
            break
        if draft.kind(index) is Kind.NAME and name.strip("_") == ALIAS:
            note_alias(draft, token, index)
        _check_dropped(draft, index, index)
        if name.strip("_") == "section":
            _check_section(draft, index + 2)
        _note_symbols(draft, token, index)
        if draft.kind(index) is Kind.NAME and name.strip("_") in LAYOUT:
            keep_layout(draft, token, last, index)
        if draft.kind(index) is Kind.NAME and name.strip("_") == CLEANUP:
            keep_cleanup(draft, token, last, index)
    draft.blank(token, last)
    return last + 1


def _note_symbols(draft: Draft, token: int, index: int) -> None:
    """Notes what an attribute, whose name is at an index, says of the symbols that are declared around a token."""
    name = draft.text(index).strip("_")
    if name == "weak":
        note_attribute(draft, token, draft.weak)
    if name in _ENDING:
        note_ending(draft, token)


def _check_dropped(draft: Draft, first: int, last: int) -> None:
    """*Raises*: Unsupported where an attribute among some tokens may not be dropped."""
    for index in range(first, last + 1):
        name = draft.text(index).strip("_")
        is_standard = first < last  # `[[gnu::packed]]`
        if draft.kind(index) is Kind.NAME and (
            name in REFUSED_ATTRIBUTES or (is_standard and name in {*LAYOUT, ALIAS})
        ):
            message = f"the attribute '{draft.text(index)}' changes what the program does and is not supported"
            raise Unsupported(message, draft.span(index))


_RUN_BY_LOADER = (".init", ".fini", ".preinit_array", ".ctors", ".dtors")
"""The sections whose contents run before or behind `main`."""


def _check_section(draft: Draft, index: int) -> None:
    """*Raises*: Unsupported where what is put into a section is called, or reached by names that the linker makes."""
    name = "".join(text for text in map(draft.text, range(index, draft.closing(index - 1))) if text).replace('"', "")
    symbols = (f"__start_{name}", f"__stop_{name}")
    if name.startswith(_RUN_BY_LOADER) or any(draft.text(other) in symbols for other in range(len(draft.tokens))):
        raise Unsupported(f"the section '{name}' is not supported: it is more than a place", draft.span(index))


def _write_mode(draft: Draft, attribute: int, mode: int) -> bool:
    """Writes the type that `unsigned int ... __attribute__((mode(M)))` means in place; says whether it could.

    The mode alone says how wide the type is, so `long` and `short` count no more than `int`. It could not where the
    attribute need not mean all that is declared: with several declarators, pointers, functions.
    """
    kind = (SMALL_MODES if draft.is_small else MODES).get(draft.text(mode + 2).strip("_"))
    start = attribute - 1
    while start >= 0 and draft.text(start) not in (";", "{", "}"):
        start -= 1
    before = range(start + 1, attribute)
    words = [index for index in before if draft.text(index) in _INTEGER_WORDS]
    several = any(draft.text(index) in (",", "*", "(") for index in before)
    if kind is None or not words or several or draft.text(draft.closing(attribute + 1) + 1) == ",":
        return False
    is_unsigned = any(draft.text(index) == "unsigned" for index in words)
    sign = "unsigned " if is_unsigned else "signed " if kind == "char" else ""
    for index in words:
        draft.blank(index, index)
    draft.out[draft.tokens[words[0]]] = sign + kind
    return True


_INTEGER_WORDS = frozenset({"int", "long", "short", "char", "signed", "unsigned"})


def _rewrite_expect(draft: Draft, token: int) -> None:
    """`__builtin_expect(e, 0)` is `((long)(e))`."""
    if draft.text(token + 1) == "(":
        last = draft.closing(token + 1)
        if draft.text(last - 2) == "," and draft.kind(last - 1) is Kind.NUMBER:
            draft.blank(last - 2, last - 1)
            draft.out[draft.tokens[token]] = "((long)"
            draft.out[draft.tokens[last]] = "))"


def _rewrite_va_arg(draft: Draft, token: int) -> None:
    """`__builtin_va_arg(list, T)` reads a `T` at an unknown address: `(*(T *)__duet_va_arg(list, 0))`.

    It is 1 instead of 0 where `T` is spelled as a pointer.
    """
    if draft.text(token + 1) != "(":
        return
    last = draft.closing(token + 1)
    comma, depth = last, 0
    for index in range(token + 2, last):
        depth += (draft.text(index) in OPENING) - (draft.text(index) in OPENING.values())
        comma = index if depth == 0 and draft.text(index) == "," else comma
    source = " ".join(draft.text(index) for index in range(token + 2, comma))
    target = " ".join(draft.text(index) for index in range(comma + 1, last))
    draft.blank(token, last)
    draft.out[draft.tokens[token]] = f"(*({target} *)__duet_va_arg({source}, {int('*' in target)}))"


def _typedef_names(draft: Draft) -> frozenset[str]:
    """The names that the text declares by `typedef`: for each, the last name outside of brackets, or in `(*name)`."""
    names: set[str] = set()
    token = 0
    while token < len(draft.tokens):
        if draft.text(token) == "typedef":
            candidate = ""
            while draft.text(token) not in (";", ""):
                if draft.text(token) in ("{", "[") or (draft.text(token) == "(" and draft.text(token + 1) != "*"):
                    token = draft.closing(token)
                elif draft.kind(token) is Kind.NAME:
                    candidate = draft.text(token)
                elif draft.text(token) in (",", ")") and candidate:
                    names.add(candidate)
                token += 1
            names.add(candidate)
        token += 1
    return frozenset(names - {""})


def _write_implicit_int(draft: Draft, typedefs: frozenset[str]) -> None:
    """Writes the `int` that C89 lets one leave out: `static x;`, `const n = 3;`, `x;` at file scope."""
    depth = 0
    types: set[int] = set()
    for token, index in enumerate(draft.tokens):
        if draft.out[index].strip() in TYPE_OPERATORS and draft.text(token + 1) == "(":
            types.add(draft.closing(token + 1) + 1)
        written = draft.parts[index].text  # a bracket that something was added to is one still
        depth += (written in OPENING) - (written in _CLOSING)
        if token in types or (token and draft.out[draft.tokens[token - 1]].strip() not in (";", "{", "}", ")")):
            continue
        end = token
        while draft.text(end) in SPECIFIERS:
            end += 1
        if _is_old_function(draft, end, typedefs, depth):
            draft.out[draft.tokens[end]] = f"int {draft.text(end)}"
            continue
        if end == token and (depth > 0 or draft.text(token - 1) not in (";", "")):
            continue
        follower = draft.text(end + 1)
        named = draft.kind(end) is Kind.NAME and draft.text(end) not in typedefs and follower in (";", "=", ",", "[")
        if named and draft.text(end) not in KEYWORDS:
            draft.warn(token, "implicit-int", f"'{draft.text(end)}' is declared without a type: taken as int")
            draft.out[draft.tokens[end]] = f"int {draft.text(end)}"
        elif end > token and draft.text(end) == "*":
            draft.warn(token, "implicit-int", "a declaration without a type: taken as int")
            draft.out[draft.tokens[end]] = "int *"


def _is_old_function(draft: Draft, token: int, typedefs: frozenset[str], depth: int) -> bool:
    """Whether `name(a, b) int a; {` starts at a token: an old definition without a result type."""
    name = draft.text(token)
    is_type = name in typedefs | KEYWORDS | TYPE_OPERATORS
    if depth > 0 or draft.kind(token) is not Kind.NAME or is_type or draft.text(token + 1) != "(":
        return False
    return draft.kind(draft.closing(token + 1) + 1) is Kind.NAME
