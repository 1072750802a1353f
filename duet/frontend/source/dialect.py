"""pycparser's parser with GNU C, which loses one function at a time where its text cannot be parsed.

Beyond C11 it takes `a ?: b`, case ranges and ranges of designators, labels as values and computed gotos,
`__auto_type`, and types as arguments of calls (`__builtin_types_compatible_p`); and C23 where that is the standard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import digits
from typing import Any, NoReturn

from pycparser import CParser, c_ast
from pycparser.c_lexer import Token
from pycparser.c_parser import Coord, ParseError

from duet.errors import Unsupported
from duet.frontend.source.nodes import RANGE, Cleanup, ComputedGoto, Enumeration23, Otherwise
from duet.frontend.source.words import AUTO_TYPE, CHAR8, REFUSED

_BAD = "BAD"


@dataclass(frozen=True, slots=True)
class Extent:
    """A function definition: its name, where that stands, and how many lines have some of its tokens on them."""

    name: str
    coord: Coord
    lines: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A function that cannot be parsed: why, the identifiers in it with their places, and what may be called by name.

    In the tree it is a declaration without a body.
    """

    name: str
    coord: Coord
    error: Exception
    mentions: tuple[tuple[str, Coord], ...]
    calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed text: `extents` are those of all functions, also of those in `lost`."""

    ast: c_ast.FileAST
    extents: tuple[Extent, ...]
    lost: tuple[Lost, ...]


class GnuParser(CParser):  # type: ignore[misc]  # pycparser has no type information for its parser
    """The parser. `refusals` are constructs that the rewriting refused, by the name that stands in their place."""

    def __init__(self, refusals: dict[str, Unsupported] | None = None, is_c23: bool = False) -> None:
        super().__init__(dialect="c23" if is_c23 else "legacy")
        self._is_c23 = is_c23
        self.clex._keyword_map |= {"typeof": "TYPEOF", "typeof_unqual": "TYPEOF_UNQUAL"}
        self._refusals = refusals or {}
        self._lexical: deque[Token] = deque()
        self._held: deque[Token | None] = deque()
        self._extents: list[Extent] = []
        self._lost: list[Lost] = []

    def tree(self, text: str, path: str) -> Tree:
        """The tree of a text. *Raises*: ParseError or Unsupported for what is wrong outside of function bodies."""
        self.clex.input(text, path)
        self._tokens = self._stream(iter(self._read, None))
        nodes: list[c_ast.Node] = []
        while self._tokens.peek() is not None:
            nodes.extend(self._external())
        return Tree(c_ast.FileAST(nodes), tuple(self._extents), tuple(self._lost))

    def _read(self) -> Token | None:
        """The next token; what is no token of C comes as one of a kind of its own."""
        if not self._held and not self._lexical:
            self._held.append(self.clex.token())
        return self._lexical.popleft() if self._lexical else self._held.popleft()

    def _stream(self, tokens: Iterator[Token]) -> Any:
        return type(self._tokens)(lambda: next(tokens, None))

    def _lex_error_func(self, msg: str, line: int, column: int) -> None:
        self._lexical.append(Token(_BAD, msg, line, column, self.clex.filename))

    def _classify_identifier(self, tok: Token | None) -> None:
        if tok is not None and tok.type == _BAD:
            self._parse_error(tok.value, self._tok_coord(tok))
        if tok is not None and tok.value.startswith(REFUSED):
            raise self._refusals[tok.value]
        super()._classify_identifier(tok)

    def _external(self) -> list[c_ast.Node]:
        """The next declaration at file level, or the prototype of a function whose body cannot be parsed."""
        start, scopes = self._mark(), len(self._scope_stack)
        try:
            nodes: list[c_ast.Node] = self._parse_external_declaration()
        except (ParseError, Unsupported, ValueError) as error:
            del self._scope_stack[scopes:]
            self._typedef_checked_token = None
            self._reset(start)
            return [self._lose(error)]
        for node in nodes:
            if isinstance(node, c_ast.FuncDef):
                tokens = self._tokens._buffer[start : self._mark()]
                self._extents.append(Extent(node.decl.name, node.decl.coord, _count_lines(tokens)))
        return nodes

    def _lose(self, error: Exception) -> c_ast.Node:
        """Skips a function; its prototype. *Raises*: the error where there is no function here."""
        tokens: list[Token] = []
        depth, body = 0, None
        while True:
            token = self._tokens.next()
            if token is None:
                raise error
            if token.type == "LBRACE" and depth == 0 and tokens and tokens[-1].type == "RPAREN":
                body = len(tokens)
            tokens.append(token)
            depth += (token.type in ("LBRACE", "LPAREN", "LBRACKET")) - (token.type in ("RBRACE", "RPAREN", "RBRACKET"))
            if depth == 0 and (token.type == "SEMI" or (token.type == "RBRACE" and body is not None)):
                break
        if body is None:
            raise error
        node = self._prototype(tokens[:body], error)
        self._extents.append(Extent(node.name, node.coord, _count_lines(tokens)))
        mentions = tuple((token.value, self._tok_coord(token)) for token in tokens if token.type in ("ID", "TYPEID"))
        pairs = pairwise(tokens)
        calls = frozenset(token.value for token, after in pairs if token.type == "ID" and after.type == "LPAREN")
        self._lost.append(Lost(node.name, node.coord, error, mentions, calls))
        return node

    def _prototype(self, header: list[Token], error: Exception) -> c_ast.Node:
        """The declaration that the header of a function makes. *Raises*: the error where it makes none."""
        last = header[-1]
        outer = self._tokens
        self._tokens = self._stream(iter([*header, Token("SEMI", ";", last.lineno, last.column, last.filename)]))
        try:
            nodes = self._parse_external_declaration()
        except (ParseError, Unsupported, ValueError):
            raise error from None
        finally:
            self._tokens = outer
            self._typedef_checked_token = None
        if len(nodes) != 1 or not isinstance(nodes[0].type, c_ast.FuncDecl):
            raise error
        return nodes[0]

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        """Fails at a place; where only the file is known, at the next token."""
        token = self._tokens.peek()
        if isinstance(coord, str) and token is not None and token.type != _BAD:
            msg, coord = f"before: {token.value}", self._tok_coord(token)
        raise ParseError(f"{coord}: {msg}")

    def _build_declarations(self, spec: Any, decls: Any, typedef_namespace: bool = False) -> list[c_ast.Node]:
        """As in C, with the type of an `auto` or `__auto_type` object written as that of its initialiser."""
        found: list[c_ast.Node] = super()._build_declarations(spec, decls, typedef_namespace)
        for node in found:
            kind: Any = getattr(node.type, "type", None)
            is_gnu = isinstance(kind, c_ast.IdentifierType) and kind.names == [AUTO_TYPE]
            if isinstance(node, c_ast.Decl) and (is_gnu or isinstance(kind, c_ast.InferredType)):
                if node.init is None or not isinstance(node.type, c_ast.TypeDecl):
                    self._parse_error("__auto_type needs a plain name and an initialiser", node.coord)
                node.type.type = c_ast.TypeOf(AUTO_TYPE, node.init, kind.coord)
            if isinstance(node, c_ast.Decl) and "constexpr" in node.storage:
                self._make_constant(node)
        return found

    def _parse_declaration(self) -> list[c_ast.Node]:
        """As in C, with what the attribute `cleanup` has called as a node of its own behind an automatic object."""
        found: list[c_ast.Node] = super()._parse_declaration()
        calls = dict(_cleanups(found[0])) if found else {}
        if not calls.keys() <= {getattr(node, "name", None) for node in found}:
            self._parse_error("the attribute 'cleanup' is for a variable", found[0].coord)
        parts: list[c_ast.Node] = []
        for node in found:
            parts.append(node)
            if isinstance(node, c_ast.Decl) and node.align:
                node.align = [item for item in node.align if not isinstance(item.alignment, c_ast.FuncCall)]
            call = calls.get(getattr(node, "name", ""))
            if call is not None and len(self._scope_stack) > 1 and not {"static", "extern"} & {*node.storage}:
                parts.append(Cleanup(call, node.coord))
        return parts

    def _make_constant(self, node: c_ast.Node) -> None:
        """Writes `constexpr` as the `const` that it implies, at file scope with internal linkage."""
        kind = node.type
        while isinstance(kind, c_ast.ArrayDecl):
            kind = kind.type
        if isinstance(kind, c_ast.FuncDecl):
            self._parse_error("'constexpr' is for objects", node.coord)
        kind.quals = [*(kind.quals or []), "const"]
        if len(self._scope_stack) == 1 and "static" not in node.storage:
            node.storage.append("static")

    def _parse_enum_specifier(self) -> c_ast.Node:
        node = super()._parse_enum_specifier()
        if not self._is_c23:
            return node
        return Enumeration23(node.name, node.values, node.underlying_type, node.coord)

    def _parse_constant(self) -> c_ast.Node:
        """As in C, without the separators between digits."""
        token: Any = self._tokens.peek()
        try:
            node: Any = super()._parse_constant()
        except ValueError as error:  # too many suffixes
            self._parse_error(str(error), self._tok_coord(token))
        is_separated = "'" in node.value and node.value.startswith((".", *digits))  # `'ab'` is an integer, too
        if not self._is_c23 and (is_separated or node.value.startswith("u8")):
            what = "separators between digits" if is_separated else "character constants of UTF-8"
            self._parse_error(f"{what} require C23", node.coord)
        if is_separated:
            node.value = node.value.replace("'", "")
        return node

    def _parse_unified_string_literal(self) -> c_ast.Constant:
        node = super()._parse_unified_string_literal()
        if self._is_c23 and node.value.startswith("u8"):
            node.value = CHAR8 + node.value.removeprefix("u8")
        return node

    def _parse_expression_statement(self) -> c_ast.Node:
        """As in C, with `({ ... });` as a list of one expression: a block in a block has no value."""
        node = super()._parse_expression_statement()
        return c_ast.ExprList([node], node.coord) if isinstance(node, c_ast.Compound) else node

    def _parse_conditional_expression(self) -> c_ast.Node:
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        if self._accept("COLON"):
            return Otherwise(condition, self._parse_conditional_expression(), condition.coord)
        iftrue = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, iftrue, self._parse_conditional_expression(), condition.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind == "LAND":
            token = self._advance()
            return c_ast.UnaryOp("&&", self._parse_identifier(), self._tok_coord(token))
        if kind == "_ALIGNOF":
            mark, token = self._mark(), self._advance()
            if self._peek_type() != "LPAREN" or not self._starts_declaration(self._peek(2)):
                return c_ast.UnaryOp(token.value, self._parse_unary_expression(), self._tok_coord(token))
            self._reset(mark)
        return super()._parse_unary_expression()

    def _parse_labeled_statement(self) -> c_ast.Node:
        if self._peek_type() != "CASE":
            return super()._parse_labeled_statement()
        token = self._advance()
        label = self._range(self._parse_constant_expression())
        self._expect("COLON")
        if self._starts_statement():
            return c_ast.Case(label, [self._parse_pragmacomp_or_statement()], self._tok_coord(token))
        return c_ast.Case(label, [c_ast.EmptyStatement(self._tok_coord(token))], self._tok_coord(token))

    def _parse_designation(self) -> list[c_ast.Node]:
        designators: list[c_ast.Node] = self._parse_designator_list()
        if len(designators) > 1 or not isinstance(designators[0], c_ast.ArrayDesignator):
            self._expect("EQUALS")
        else:
            self._accept("EQUALS")  # `[2] 8` is GNU C, older than C99
        return designators

    def _parse_designator(self) -> c_ast.Node:
        token = self._accept("LBRACKET")
        if token is None:
            return super()._parse_designator()
        index = self._range(self._parse_constant_expression())
        self._expect("RBRACKET")
        return c_ast.ArrayDesignator(index, self._tok_coord(token))

    def _range(self, first: c_ast.Node) -> c_ast.Node:
        """A constant, or behind it the end of a GNU range `first ... last`."""
        if not self._accept("ELLIPSIS"):
            return first
        last = self._parse_constant_expression()
        return c_ast.FuncCall(c_ast.ID(RANGE, first.coord), c_ast.ExprList([first, last], first.coord), first.coord)

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() != "GOTO" or self._peek_type(2) != "TIMES":
            return super()._parse_jump_statement()
        token = self._advance()
        self._advance()
        target = self._parse_expression()
        self._expect("SEMI")
        return ComputedGoto(target, self._tok_coord(token))

    def _parse_argument_expression_list(self) -> c_ast.Node:
        arguments = [self._argument()]
        while self._accept("COMMA"):
            arguments.append(self._argument())
        return c_ast.ExprList(arguments, arguments[0].coord)

    def _argument(self) -> c_ast.Node:
        return self._parse_type_name() if self._starts_declaration() else self._parse_assignment_expression()


def _cleanups(node: c_ast.Node) -> Iterator[tuple[str, c_ast.FuncCall]]:
    """The calls `f(&x)` that stand as alignments (see `source.leaving`), by the names of the variables."""
    for item in getattr(node, "align", None) or ():
        match item.alignment:
            case c_ast.FuncCall(args=c_ast.ExprList(exprs=[c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name))])):
                yield name, item.alignment
            case _:
                pass


def _count_lines(tokens: Iterable[Token | None]) -> int:
    return len({(token.filename, token.lineno) for token in tokens if token is not None})
