"""Reader of Boolean programs (files `*.bp`), as SatAbs and Boom write them.

    decl lock;                          // shared variables: any value at first
    void main() begin
      decl mine;                        // own ones
      lock := 0;
      start_thread worker();            // or `start_thread goto LABEL`, with a copy of the own variables
    end
    bool worker() begin
    1: atomic_begin; assume(!lock); lock := 1; atomic_end;
       assert(lock);
       lock, mine := *, !mine constrain 'lock => mine;
       if * then goto 1, 2; fi;
    2: return schoose[lock, mine];
    end

*Raises*: SourceError, with the place, for what is not in this grammar: there is no guess.
"""

from __future__ import annotations

import re

from duet.boolean.syntax import (
    Assert,
    Assign,
    Assume,
    Atomic,
    Binary,
    Block,
    BooleanProgram,
    Call,
    Choice,
    Constant,
    EndThread,
    Enforce,
    Expression,
    Forget,
    Function,
    Goto,
    If,
    Kind,
    Name,
    Not,
    Return,
    Skip,
    Start,
    Statement,
    Unknown,
    While,
)
from duet.errors import SourceError
from duet.plip.cursor import Cursor
from duet.plip.tokens import Token
from duet.source import Span

_WORDS = """
    begin end decl void bool goto enforce if then else elsif fi skip while do od abortif start_thread end_thread sync
    atomic_begin atomic_end constrain dead return schoose dfs assert assume wait broadcast thread_local atomic
"""
_KEYWORDS = frozenset(_WORDS.split())
_STRUCTURE = frozenset(
    ("end", "void", "bool", "then", "else", "elsif", "fi", "do", "od", "constrain", "schoose", "dfs")
)
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<name>[A-Za-z_$][\w$\#-]*)
      | (?P<number>\d+)
      | (?P<symbol>:=|=>|!=|==|&&|\|\||[&|^!~'*=()\[\]<>,:;])""",
    re.VERBOSE | re.DOTALL,
)
_SAME = {"&&": "&", "||": "|", "==": "="}
_LEVELS = (("^",), ("|",), ("&",))
_LOWEST = ("=>", "=", "!=")
_CONSTANTS = {"T": True, "F": False}
_PREFIX = "ASYNC_"
"""A call behind a label that starts so is one of a new thread."""


def parse(text: str, path: str) -> BooleanProgram:
    """The program in a text; `path` names it in places."""
    try:
        return _Reader(Cursor(_tokens(text, path), path)).program()
    except RecursionError:
        raise SourceError("nested too deeply", Span(path, 1, 1)) from None


def _tokens(text: str, path: str) -> tuple[Token, ...]:
    """The tokens of a text; keywords are symbols here."""
    found: list[Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        span = Span(path, line, position - start + 1)
        match = _TOKEN.match(text, position)
        if match is None:
            raise SourceError(f"unexpected character {text[position]!r}", span)
        kind, lexeme = match.lastgroup or "", match.group()
        if kind != "blank":
            found.append(Token("symbol" if lexeme in _KEYWORDS else kind, _SAME.get(lexeme, lexeme), span))
        if "\n" in lexeme:
            line += lexeme.count("\n")
            start = position + lexeme.rindex("\n") + 1
        position = match.end()
    return (*found, Token("end", "", Span(path, line, position - start + 1)))


class _Reader:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    def program(self) -> BooleanProgram:
        cursor = self._cursor
        variables: list[Name] = []
        functions: dict[str, Function] = {}
        while not cursor.at_kind("end"):
            if cursor.accept("decl"):
                variables += self._names()
                cursor.expect(";")
            else:
                function = self._function()
                if function.name in functions:
                    raise cursor.error(f"function {function.name} is defined twice", function.span)
                functions[function.name] = function
        if "main" not in functions:
            raise cursor.error("there is no function main")
        return BooleanProgram(tuple(variables), functions)

    def _function(self) -> Function:
        cursor = self._cursor
        cursor.accept("dfs")
        width = 0
        if cursor.accept("bool"):
            width = 1
            if cursor.accept("<"):
                width = cursor.natural()
                cursor.expect(">")
        elif not cursor.accept("void"):
            raise cursor.error(f"expected decl, void or bool, found {cursor.token.value!r}")
        span = cursor.span
        name = self._identifier()
        cursor.expect("(")
        parameters = () if cursor.at(")") else self._names()
        cursor.expect(")")
        cursor.expect("begin")
        body = self._block("end")
        cursor.expect("end")
        return Function(name, tuple(parameters), width, body, span)

    def _identifier(self) -> str:
        if not self._cursor.at_kind("name"):
            raise self._cursor.error(f"expected a name, found {self._cursor.token.value or 'the end of the text'!r}")
        return self._cursor.advance().value

    def _name(self) -> Name:
        span = self._cursor.span
        return Name(self._identifier(), span)

    def _names(self) -> tuple[Name, ...]:
        names = [self._name()]
        while self._cursor.accept(","):
            names.append(self._name())
        return tuple(names)

    def _block(self, *ends: str) -> Block:
        """Statements up to one of some words, which is still to be read."""
        found: list[Statement] = []
        while not self._cursor.at(*ends):
            found.append(self._statement())
            if not self._cursor.accept(";") and not self._cursor.at(*ends):
                raise self._cursor.error(f"expected ';', found {self._cursor.token.value or 'the end of the text'!r}")
        return tuple(found)

    def _statement(self) -> Statement:
        labels: list[str] = []
        while (label := self._cursor.attempt(self._label)) is not None:
            labels.append(label)
        span = self._cursor.span
        kind = self._kind()
        if isinstance(kind, Call) and any(label.startswith(_PREFIX) for label in labels):
            kind = Start(kind)
        return Statement(tuple(labels), kind, span)

    def _label(self) -> str:
        label = self._target()
        self._cursor.expect(":")
        return label

    def _target(self) -> str:
        return self._cursor.advance().value if self._cursor.at_kind("number") else self._identifier()

    def _kind(self) -> Kind:
        cursor = self._cursor
        if cursor.at_kind("name") or cursor.at("'"):
            return self._call_or_assignment()
        word, span = cursor.token.value, cursor.span
        if word not in _KEYWORDS - _STRUCTURE:
            raise cursor.error(f"expected a statement, found {word or 'the end of the text'!r}")
        cursor.advance()
        match word:
            case "skip":
                return Skip()
            case "goto":
                return Goto(self._targets())
            case "return":
                return Return(() if cursor.at(";", "end", "fi", "od", "else", "elsif") else self._expressions())
            case "assume":
                return Assume(self._condition())
            case "assert":
                return Assert(self._condition())
            case "abortif":
                return Assume(Not(self._expression()))
            case "enforce":
                return Enforce(self._expression())
            case "dead" | "decl":
                return Forget(self._names(), word == "decl")
            case "if":
                return self._if()
            case "while":
                return self._while()
            case "start_thread":
                return self._start()
            case "end_thread":
                return EndThread()
            case "atomic_begin" | "atomic_end":
                return Atomic(word == "atomic_begin")
            case _:
                raise cursor.error(f"statements of the form {word!r} are not supported", span)

    def _targets(self) -> tuple[str, ...]:
        labels = [self._target()]
        while self._cursor.accept(","):
            labels.append(self._target())
        return tuple(labels)

    def _condition(self) -> Expression:
        self._cursor.expect("(")
        found = self._expression()
        self._cursor.expect(")")
        return found

    def _if(self) -> If:
        cursor = self._cursor
        condition = self._expression()
        cursor.expect("then")
        yes = self._block("elsif", "else", "fi")
        span = cursor.span
        if cursor.accept("elsif"):
            return If(condition, yes, (Statement((), self._if(), span),))
        no = self._block("fi") if cursor.accept("else") else ()
        cursor.expect("fi")
        return If(condition, yes, no)

    def _while(self) -> While:
        condition = self._expression()
        self._cursor.expect("do")
        body = self._block("od")
        self._cursor.expect("od")
        return While(condition, body)

    def _start(self) -> Start:
        if self._cursor.accept("goto"):
            return Start(self._target())
        name = self._identifier()
        return Start(self._call((), name))

    def _call(self, targets: tuple[Name, ...], name: str) -> Call:
        self._cursor.expect("(")
        arguments = () if self._cursor.at(")") else self._expressions()
        self._cursor.expect(")")
        return Call(targets, name, arguments)

    def _call_or_assignment(self) -> Kind:
        cursor = self._cursor
        targets = self._names()
        if len(targets) == 1 and cursor.at("("):
            return self._call((), targets[0].name)
        cursor.expect(":=")
        call = cursor.attempt(self._callee)
        if call is not None:
            return self._call(targets, call)
        values = self._expressions()
        if len(values) != len(targets):
            raise cursor.error(f"{len(values)} values for {len(targets)} variables", targets[0].span)
        return Assign(targets, values, self._expression() if cursor.accept("constrain") else None)

    def _callee(self) -> str:
        """A name in front of a parenthesis, which is still to be read."""
        name = self._identifier()
        if not self._cursor.at("("):
            raise self._cursor.error("expected '('")
        return name

    def _expressions(self) -> tuple[Expression, ...]:
        found = [self._expression()]
        while self._cursor.accept(","):
            found.append(self._expression())
        return tuple(found)

    def _expression(self) -> Expression:
        """`=>`, `=` and `!=` bind least and group to the right."""
        left = self._level(0)
        if self._cursor.at(*_LOWEST):
            return Binary(self._cursor.advance().value, left, self._expression())
        return left

    def _level(self, depth: int) -> Expression:
        if depth == len(_LEVELS):
            return self._unary()
        left = self._level(depth + 1)
        while self._cursor.at(*_LEVELS[depth]):
            left = Binary(self._cursor.advance().value, left, self._level(depth + 1))
        return left

    def _unary(self) -> Expression:
        cursor = self._cursor
        if cursor.accept("!", "~"):
            return Not(self._unary())
        if cursor.accept("'"):
            span = cursor.span
            return Name(self._identifier(), span, is_next=True)
        if cursor.accept("("):
            inner = self._expression()
            cursor.expect(")")
            return inner
        if cursor.accept("*"):
            return Unknown()
        if cursor.accept("schoose"):
            cursor.expect("[")
            yes = self._expression()
            cursor.expect(",")
            no = self._expression()
            cursor.expect("]")
            return Choice(yes, no)
        if cursor.at_kind("number"):
            span, value = cursor.span, cursor.natural()
            if value > 1:
                raise cursor.error(f"{value} is no Boolean value", span)
            return Constant(value == 1)
        name = self._name()
        return Constant(_CONSTANTS[name.name]) if name.name in _CONSTANTS else name
