"""Tokens of the text form of PLIP."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from duet.errors import SourceError
from duet.source import Span

_WORDS = """
    acquire assert assume at atomic break check choose continue else entry exit false for function global goto if in
    join label local or release return skip source spawn summary thread true while
"""
KEYWORDS = frozenset(_WORDS.split())
_NAME = r"[A-Za-z_$](?:[\w$.#@]|::)*"
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\r\n;]+|//[^\n]*|\#[^\n]*)
       | (?P<name>{_NAME})
       | (?P<number>\d+)
       | (?P<string>"(?:[^"\\\n]|\\.)*")
       | (?P<symbol>:=|->|\.\.|<=|>=|==|!=|&&|\|\||[-+*()\[\]{{}}<>!,:=?])""",
    re.VERBOSE,
)
_BARE = re.compile(_NAME)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `kind` is `name` (also a quoted one where a name is expected), `number`, `string`, `symbol` or `end`.

    A keyword is a `name` whose text is in KEYWORDS; `value` is the text without quotes.
    """

    kind: str
    value: str
    span: Span


def tokenize(text: str, path: str) -> tuple[Token, ...]:
    """The tokens of a text, ended by one of kind `end`.

    Comments run from `//` or `#` to the end of the line; semicolons separate nothing and are skipped.
    *Raises*: SourceError at a character that starts no token.
    """
    tokens: list[Token] = []
    position, line, line_start = 0, 1, 0
    while position < len(text):
        span = Span(path, line, position - line_start + 1)
        match = _TOKEN.match(text, position)
        if match is None:
            raise SourceError(f"unexpected character {text[position]!r}", span)
        kind, lexeme = match.lastgroup or "", match.group()
        if kind == "string":
            tokens.append(Token(kind, _unquote(lexeme, span), span))
        elif kind == "number":
            tokens.append(Token(kind, str(_integer(lexeme, span)), span))
        elif kind != "blank":
            tokens.append(Token(kind, lexeme, span))
        if "\n" in lexeme:
            line += lexeme.count("\n")
            line_start = position + lexeme.rindex("\n") + 1
        position = match.end()
    tokens.append(Token("end", "", Span(path, line, position - line_start + 1)))
    return tuple(tokens)


def quote_name(name: str) -> str:
    """A cell or template name as it is written: bare where that reads back as one name, else quoted."""
    is_bare = _BARE.fullmatch(name) is not None and name not in KEYWORDS
    return name if is_bare else quote(name)


def quote(text: str) -> str:
    """A string literal, on one line."""
    return json.dumps(text)


def _unquote(lexeme: str, span: Span) -> str:
    try:
        return str(json.loads(lexeme))
    except ValueError:
        raise SourceError(f"malformed string {lexeme}", span) from None


def _integer(lexeme: str, span: Span) -> int:
    try:
        return int(lexeme)
    except ValueError:
        raise SourceError(f"a number of {len(lexeme)} digits is too long", span) from None
