"""Ghost variables of witnesses put into a parsed program: declared first, and assigned in the steps of statements.

*Source*: ghost instrumentation of correctness witnesses for concurrent programs (2.1). An update and its statement are
one atomic section, so a statement may have one only if it is a single step anyway: a lock is taken or given back.
Anything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from duet.errors import SourceError
from duet.frontend.source.dialect import GnuParser
from duet.frontend.source.invariants import Inserted, begin, plain, put_at, statements
from duet.frontend.source.nodes import Node
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.words import ACQUIRING, RELEASING
from duet.options import Ghost, GhostUpdate
from duet.source import Span

_TYPES = frozenset(("_Bool", "char", "short", "int", "long", "signed", "unsigned"))
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True, slots=True)
class Locking:
    """A statement that takes a lock, which is a variable, or gives it back."""

    span: Span
    lock: str
    is_taken: bool


def lockings(unit: ParsedUnit) -> Iterator[Locking]:
    """The statements of a file that may have updates of ghosts, as far as they are plainly written there."""
    for item in unit.ast.ext:
        for node in statements(item.body) if isinstance(item, c_ast.FuncDef) else ():
            if is_locking(unit, node) and (span := plain(unit, node)) is not None:
                yield Locking(span, lock_of(node), node.name.name in ACQUIRING)


def words(unit: ParsedUnit) -> frozenset[str]:
    """All words of a text, before and after the preprocessor."""
    lines = (*unit.places.parsed.values(), *unit.source.values())
    return frozenset(word for found in lines for line in found for word in _NAME.findall(line))


def with_ghosts(unit: ParsedUnit, ghosts: Sequence[Ghost], updates: Sequence[GhostUpdate]) -> ParsedUnit:
    """The unit with ghosts and their updates. *Raises*: SourceError for what cannot be put there."""
    if not ghosts and not updates:
        return unit
    declared = "".join(_declared(unit, ghost) for ghost in ghosts)
    names = {ghost.name for ghost in ghosts}
    if len(names) < len(ghosts):
        raise SourceError("the witness declares a ghost variable twice", Span(unit.path, 1, 1))
    found: dict[int, list[Node]] = {}
    for update in updates:
        if update.variable not in names or not _NUMBER.fullmatch(update.value):
            raise SourceError(
                f"an update of '{update.variable}' to '{update.value}': only numbers for ghosts are supported",
                _span(update),
            )
        node = _locking(unit, update)
        found.setdefault(id(node), []).append(_assignment(update, node))
    inserted = Inserted({}, {key: tuple(assigned) for key, assigned in found.items()})
    own = GnuParser().tree(declared, unit.path).ast.ext
    return replace(unit, ast=c_ast.FileAST([*own, *map(inserted.definition, unit.ast.ext)]))


def _declared(unit: ParsedUnit, ghost: Ghost) -> str:
    """The declaration of a ghost. *Raises*: SourceError for what is no number, or no new name."""
    here = Span(unit.path, 1, 1)
    if not _NAME.fullmatch(ghost.name) or not _TYPES.issuperset(ghost.type.split()) or not ghost.type.strip():
        raise SourceError(f"'{ghost.type} {ghost.name}' of the witness is no declaration of a number", here)
    if not _NUMBER.fullmatch(ghost.initial):
        raise SourceError(f"the initial value '{ghost.initial}' of the ghost '{ghost.name}' is no number", here)
    if ghost.name in words(unit) or ghost.name.startswith("__"):
        raise SourceError(f"the ghost variable '{ghost.name}' has a name of the program", here)
    return f"{ghost.type} {ghost.name} = {ghost.initial};\n"


def _locking(unit: ParsedUnit, update: GhostUpdate) -> Node:
    """The statement of an update. *Raises*: SourceError for one that is not a lock that is taken or given back."""
    bodies = [item.body for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    found = [(begin(unit, node), node) for body in bodies for node in statements(body) if is_locking(unit, node)]
    for span, node in sorted(found, key=lambda one: one[0].column):
        if (span.file, span.line) == (update.file, update.line) and update.column in (0, span.column):
            return node
    what = "no statement begins here that takes a lock or gives one back, by its name alone"
    raise SourceError(f"{what}; updates of ghost variables elsewhere are not supported", _span(update))


def is_locking(unit: ParsedUnit, node: Node, of: Iterable[str] = ACQUIRING | RELEASING) -> bool:
    """Whether a statement calls one of some functions of the library for the lock that is a variable, and no more."""
    if type(node) is not c_ast.FuncCall or not isinstance(node.name, c_ast.ID) or node.name.name not in of:
        return False
    given = node.args.exprs if node.args else []
    own = {item.decl.name for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)}
    return node.name.name not in own and len(given) == 1 and lock_of(node) != ""


def lock_of(node: Node) -> str:
    """The name of the lock in a call `f(&name)`; empty for another argument."""
    match node.args.exprs[0]:
        case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
            return str(name)
        case _:
            return ""


def _assignment(update: GhostUpdate, node: Node) -> Node:
    made = c_ast.Assignment("=", c_ast.ID(update.variable), c_ast.Constant("int", update.value.lstrip("-")))
    if update.value.startswith("-"):
        made.rvalue = c_ast.UnaryOp("-", made.rvalue)
    put_at(made, node.coord)
    return made


def _span(update: GhostUpdate) -> Span:
    return Span(update.file, update.line, max(update.column, 1))
