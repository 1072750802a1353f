"""Preprocessed C text to pycparser's tree, with every place as the user wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from pycparser import c_ast
from pycparser.c_parser import ParseError

from duet import result
from duet.errors import SourceError
from duet.frontend.source import handlers, known
from duet.frontend.source.deep import call_deep
from duet.frontend.source.dialect import GnuParser, Tree
from duet.frontend.source.gnu import Rewritten, rewrite
from duet.frontend.source.items import Irregular, items
from duet.frontend.source.kernel import find_headers
from duet.frontend.source.loaded import Loaded
from duet.frontend.source.needed import needed
from duet.frontend.source.places import Places, WrittenCall, find_places, is_library
from duet.frontend.source.preprocess import check_headers, library_directories, overlay_directory
from duet.frontend.source.reached import reached
from duet.frontend.source.replacing import replaced
from duet.frontend.source.standards import standard_of
from duet.frontend.source.tokens import INSIGNIFICANT, marker, pieces, with_unsigned_char
from duet.options import FrontendOptions
from duet.source import Span

DEPTH_LIMIT = 1500
_MESSAGE = re.compile(r"^(?P<file>.*?):(?:(?P<line>\d+):(?:(?P<column>\d+):)?)? (?P<text>.*)$", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*|\S")


@dataclass(frozen=True, slots=True)
class Refused:
    """A function of the user's text that is not understood, see `Lost`."""

    name: str
    span: Span
    error: SourceError
    mentions: tuple[tuple[str, object], ...]
    calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class Extent:
    """A function definition of the user's text, and the number of lines that it takes up."""

    name: str
    span: Span
    lines: int


@dataclass(frozen=True, slots=True)
class ParsedUnit:
    """A translation unit.

    `ast` is pycparser's tree; a `Decl` of a thread-local object (also by `__thread`) has `_Thread_local` in its
    `storage`. `source` maps each of the user's files to its lines. `warnings` name what was assumed about the text.
    Intrinsics that the text may call beyond what the user wrote: `__duet_asm(...)` for inline assembler (`&x` for what
    it writes) and `__duet_va_arg(list, is_pointer)`. `extents` are the definitions of all functions; those in `refused`
    could not be parsed and are only declared in the tree. `weak` has the names of weak symbols (and others in their
    declarations), `ending` those of functions that do not return (likewise), `labels` the names that
    declarations have in assembler, `loaded` the functions that the loader calls.
    `aliases` are the functions that stand for others of the unit: both names, and where that is said;
    `symbols` are the data that assembler defines.
    """

    path: str
    ast: c_ast.FileAST
    places: Places
    warnings: tuple[result.Warning, ...]
    extents: tuple[Extent, ...] = ()
    refused: tuple[Refused, ...] = ()
    weak: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    labels: tuple[tuple[str, str, Span], ...] = ()
    loaded: tuple[Loaded, ...] = ()
    aliases: tuple[tuple[str, str, Span], ...] = ()
    symbols: tuple[tuple[str, Span], ...] = ()

    @property
    def source(self) -> Mapping[str, tuple[str, ...]]:
        return self.places.source

    def span(self, coord: object) -> Span:
        """The place of a node's `coord` in the user's files; that of a macro's use for what a macro made."""
        line = getattr(coord, "line", None)
        if not line:
            return Span(self.path, 1, 1)
        return self.places.span(getattr(coord, "file", self.path), line, getattr(coord, "column", None) or 0)

    def is_users(self, coord: object) -> bool:
        """Whether what stands at a node's `coord` is in a file of the user."""
        return self.places.is_users(self.span(coord).file)

    def written_call(self, coord: object) -> WrittenCall | None:
        """The call that the user wrote at `coord`; None where there is none."""
        return self.places.call(self.span(coord))


def parse(text: str, path: str, options: FrontendOptions) -> ParsedUnit:
    """Returns the parsed unit of preprocessed `text`, which came from the file `path`.

    Types and constants of common headers that are used without being declared are added, with a warning each.
    *Raises*: SourceError or Unsupported with the place of what cannot be read.
    """
    libraries = library_directories(options)

    @cache
    def is_header(name: str) -> bool:  # a harness has a name in angles
        return not name.startswith("<") and is_library(name, libraries)

    if options.data_model == "ILP32":
        check_headers(path, text)
    is_c23, data_model = standard_of(path, options).is_c23, options.data_model
    rewritten = rewrite(_used(text, path, is_header, options), path, is_c23, data_model == "ILP32")
    places = find_places(rewritten.text, path, libraries)
    prelude = [line for name, line in known.ALWAYS.items() if name in rewritten.names - rewritten.typedefs]
    tree, missing = _parse_with_common_types(rewritten, path, prelude, places, is_c23, data_model)
    declared = _declared_names(tree.ast)
    constants = sorted(rewritten.names & known.CONSTANTS.keys() - declared)
    if constants:
        changed = replace(rewritten, text=_replace_constants(rewritten.text, constants))
        try:
            tree = _tree(changed, path, [*prelude, *_typedefs(missing, data_model)], is_c23)
        except ParseError as error:
            raise _explained(error, path, places) from None
    _check_depth(tree.ast, path)
    assumed = tuple(_assumed(name, path, rewritten.text) for name in (*missing, *constants))
    warnings = (*rewritten.warnings, *assumed)
    weak, labels, loaded = rewritten.weak, rewritten.labels, rewritten.loaded
    unit = ParsedUnit(path, tree.ast, places, warnings, weak=weak, labels=labels, loaded=loaded)
    unit = replace(unit, aliases=rewritten.aliases, symbols=rewritten.symbols, ending=rewritten.ending)
    if not handlers.MARKS.isdisjoint(rewritten.names):
        handlers.with_handlers(unit.ast, lambda node: unit.span(node.coord))
    return _with_functions(unit, tree)


def joined(unit: ParsedUnit, other: ParsedUnit) -> ParsedUnit:
    """One unit with what another text declares behind it, which must not need the types of the first one."""
    ast = c_ast.FileAST([*unit.ast.ext, *other.ast.ext])
    one, more = unit.places, other.places
    places = Places({**more.source, **one.source}, {**more.parsed, **one.parsed}, one.headers)
    return replace(unit, ast=ast, places=places, extents=(*unit.extents, *other.extents))


def _used(text: str, path: str, is_header: Callable[[str], bool], options: FrontendOptions) -> str:
    """The text without what it does not need of headers."""
    if options.kernel is None:
        return needed(text, path, is_header)
    try:
        is_model = cache(lambda name: is_library(name, (overlay_directory(),)))
        found = replaced(list(items(text, path)), is_model, is_header)
        kept = reached(found, is_header)
    except Irregular:
        kept = text
    return with_unsigned_char(kept) if find_headers(options.kernel).has_unsigned_char else kept


def _with_functions(unit: ParsedUnit, tree: Tree) -> ParsedUnit:
    """The unit with what is known of the functions in it. *Raises*: SourceError where none could be parsed."""
    refused = []
    for lost in tree.lost:
        error = lost.error
        if not isinstance(error, SourceError):
            error = _explained(error, unit.path, unit.places)
        if len(tree.lost) == len(tree.extents):
            raise error
        refused.append(Refused(lost.name, unit.span(lost.coord), error, lost.mentions, lost.calls))
    extents = tuple(Extent(found.name, unit.span(found.coord), found.lines) for found in tree.extents)
    return replace(unit, extents=extents, refused=tuple(refused))


def _parse_with_common_types(
    rewritten: Rewritten, path: str, prelude: list[str], places: Places, is_c23: bool, data_model: str
) -> tuple[Tree, list[str]]:
    """The tree, and the names of common types that had to be added for it."""
    candidates = sorted((rewritten.names & known.common(data_model).keys()) - rewritten.typedefs)
    tree: Tree | None = None
    try:
        tree = _tree(rewritten, path, prelude, is_c23)
    except ParseError as error:
        if not candidates:
            raise _explained(error, path, places) from None
        missing = candidates
    else:
        # Without its type `FILE *f;` is a product to the parser, so a parsed text can still miss declarations.
        declared = _declared_names(tree.ast) if candidates else frozenset()
        missing = [name for name in candidates if name not in declared]
        if not missing:
            return tree, []
    try:
        return _tree(rewritten, path, [*prelude, *_typedefs(missing, data_model)], is_c23), missing
    except ParseError as error:
        raise _explained(error, path, places) from None


def _typedefs(names: list[str], data_model: str) -> list[str]:
    known_types = known.common(data_model)
    return [known_types[name] for name in names]


def _tree(rewritten: Rewritten, path: str, prelude: list[str], is_c23: bool) -> Tree:
    """The tree of the text behind some typedefs of ours."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    before = f'# 1 "<duet>"\n{" ".join(prelude)}\n# 1 "{escaped}"\n' if prelude else ""
    parser = GnuParser(dict(rewritten.refusals), is_c23)
    try:
        return call_deep(lambda: parser.tree(before + rewritten.text, path))
    except RecursionError:
        raise SourceError("the text nests too deeply to be parsed", Span(path, 1, 1)) from None


def _explained(error: Exception, path: str, places: Places) -> SourceError:
    """The error of pycparser with its place and what may be wrong."""
    found = _MESSAGE.match(str(error))
    if not found:
        return SourceError(f"not C that can be parsed: {error}", Span(path, 1, 1))
    line, column = int(found["line"] or 0), int(found["column"] or 0)
    text = found["text"]
    if not line:
        return SourceError(f"not C that can be parsed: {text[:1].lower()}{text[1:]}", Span(path, 1, 1))
    file = found["file"] or path
    span = Span(file, line, places.column(file, line, column) if column else 1)
    if not text.startswith("before: "):
        return SourceError(f"not C that can be parsed: {text[:1].lower()}{text[1:]}", span)
    token = text.removeprefix("before: ")
    hint = ""
    for parsed in places.parsed.get((file, line), ()):
        words = _WORD.findall(parsed[: max(column - 1, 0)])
        if words and re.match(r"[A-Za-z_]", words[-1]) and re.match(r"[A-Za-z_*]", token):
            hint = f"; if '{words[-1]}' is a type, include the header that declares it"
    return SourceError(f"unexpected '{token}'{hint}", span)


def _declared_names(ast: c_ast.FileAST) -> frozenset[str]:
    """Every name that a declaration, enumerator or typedef anywhere in the tree declares."""
    names: set[str] = set()
    stack: list[c_ast.Node] = [ast]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Decl | c_ast.Enumerator | c_ast.Typedef) and node.name:
            names.add(node.name)
        stack.extend(child for _, child in node.children())
    return frozenset(names)


def _replace_constants(text: str, names: list[str]) -> str:
    """The text with macros of common headers written out; members and strings of that name stay."""
    result: list[str] = []
    before = ""
    for piece in pieces(text):
        is_member = before in (".", "->")
        result.append(known.CONSTANTS[piece.text] if piece.text in names and not is_member else piece.text)
        before = before if piece.kind in INSIGNIFICANT else piece.text
    return "".join(result)


def _assumed(name: str, path: str, text: str) -> result.Warning:
    """The warning that a name of a common header is used without that header."""
    file, line = path, 1
    for content in text.split("\n"):
        found = marker(content)
        if found:
            file, line = found.file or file, found.line
            continue
        if match := re.search(rf"\b{name}\b", content):
            return result.Warning(file, line, match.start() + 1, "undeclared-name", _assumption(name))
        line += 1
    return result.Warning(path, 1, 1, "undeclared-name", _assumption(name))


def _assumption(name: str) -> str:
    return f"'{name}' is not declared: taken as in the standard headers"


def _check_depth(ast: c_ast.FileAST, path: str) -> None:
    """Refuses a tree that is too deep for the recursive passes behind the parser."""
    stack: list[tuple[c_ast.Node, int]] = [(ast, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > DEPTH_LIMIT:
            line, column = int(getattr(node.coord, "line", 1) or 1), int(getattr(node.coord, "column", 1) or 1)
            file = str(getattr(node.coord, "file", path))
            raise SourceError(
                f"statements or expressions nest deeper than {DEPTH_LIMIT} levels", Span(file, line, column)
            )
        stack.extend((child, depth + 1) for _, child in node.children())
