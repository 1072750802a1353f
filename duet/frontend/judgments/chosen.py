"""The variable that holds the option that `getopt` has found, and for which options there certainly is an argument.

*Source*: POSIX `getopt`; the GNU manual for `getopt_long`. *Approximates*: under.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.judgments.marks import Mark
from duet.frontend.source.nodes import Node


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where a call of `getopt` says what it has found, a local variable; `needed` options come with an argument."""

    function: str
    variable: str
    needed: frozenset[int]


OPTIONS: Mark[Chosen] = Mark("options")
"""The mark of what calls of `getopt` choose; that of anything if one of them may be of no use to tell."""
VARIABLE = "optarg"
_ERRORS = frozenset((ord("?"), ord(":")))
_CHANGING = frozenset(("&", "++", "--", "p++", "p--"))
"""The operators that change what they are applied to, or tell where it is."""
_STATEMENTS = (
    c_ast.Compound,
    c_ast.While,
    c_ast.DoWhile,
    c_ast.For,
    c_ast.If,
    c_ast.Switch,
    c_ast.Case,
    c_ast.Default,
    c_ast.Label,
    c_ast.Return,
    c_ast.DeclList,
    c_ast.Decl,
    c_ast.FuncDef,
)


def with_argument(text: Sequence[int]) -> frozenset[int] | None:
    """The options of a string of letters that are only found with an argument; None where it has more than letters."""
    letters = "".join(map(chr, text)).lstrip("+-:")
    if ";" in letters:
        return None
    found: dict[str, bool] = {}
    for at, letter in enumerate(letters):
        if letter != ":":
            needs = letters[at + 1 : at + 2] == ":" and letters[at + 2 : at + 3] != ":"
            found[letter] = found.get(letter, True) and needs
    return frozenset(ord(letter) for letter, needs in found.items() if needs and 0 < ord(letter) < 128) - _ERRORS


def with_argument_too(
    short: frozenset[int], letters: Sequence[int], table: Sequence[Mapping[str, int]]
) -> frozenset[int]:
    """The same of letters and a table of long options, each by its members."""
    direct = [entry for entry in table if not entry.get("flag")]
    needed = {entry.get("val", 0) for entry in direct if entry.get("has_arg", 0) == 1} - set(letters)
    others = {entry.get("val", 0) for entry in direct if entry.get("has_arg", 0) != 1}
    return (short | needed) - others - _ERRORS - {0, -1}


def variable_of(function: Node, call: Node, family: frozenset[str]) -> str | None:
    """The local `int` that a function assigns what a call gives, and nothing else but what calls of a family give.

    None where there is none, or `optarg` is read by the expression that assigns it.
    """
    calls = [node for node in _within(function) if _is_call(node, family)]
    given = {id(inner): name for name, inner in _assignments(function)}
    names = {given.get(id(node)) for node in calls}
    name = names.pop() if len(names) == 1 else None
    if name is None or not any(node is call or getattr(node, "coord", None) == call.coord for node in calls):
        return None
    if not _is_own(function, name, family) or any(_mixes(root, family) for root in _expressions(function)):
        return None
    return name


def is_unchanged(function: Node, node: Node, call: Node) -> bool:
    """Whether an expression is a parameter that a function does not change before it is behind a call for good."""
    parameters = function.decl.type.args
    names = [getattr(item, "name", None) for item in parameters.params] if parameters is not None else []
    if not isinstance(node, c_ast.ID) or node.name not in names:
        return False
    before = [part for item in _up_to(function.body, call) for part in _within(item)]
    written = (part.lvalue for part in before if isinstance(part, c_ast.Assignment))
    changed = (part.expr for part in before if isinstance(part, c_ast.UnaryOp) and part.op in _CHANGING)
    hidden = any(isinstance(part, c_ast.Decl) and part.name == node.name for part in _within(function.body))
    return not hidden and not any(_names(part, node.name) for part in (*written, *changed))


def _up_to(body: Node, call: Node) -> Sequence[Node]:
    """The statements of a body that may run before a call in it: all of them if there is something to go back to."""
    items = body.block_items or []
    at = [place for place, item in enumerate(items) if any(part is call for part in _within(item))]
    is_straight = len(at) == 1 and not any(map(_is_gone_back_to, _within(body)))
    return items[: at[0] + 1] if is_straight else items


def _is_gone_back_to(node: Node) -> bool:
    """Whether a jump may lead to a node: a label, or what sets one, such as `setjmp`."""
    return isinstance(node, c_ast.Label) or (isinstance(node, c_ast.ID) and "jmp" in node.name)


def _names(node: Node, name: str) -> bool:
    return any(isinstance(part, c_ast.ID) and part.name == name for part in _within(node))


def _is_own(function: Node, name: str, family: frozenset[str]) -> bool:
    """Whether a name is declared once, as a local `int` without a value, and written by calls of `getopt` only."""
    declared = [node for node in _within(function) if isinstance(node, c_ast.Decl) and node.name == name]
    if len(declared) != 1 or not _is_plain(declared[0], family):
        return False
    return all(not _writes(node, name, family) for node in _within(function))


def _is_plain(declared: c_ast.Decl, family: frozenset[str]) -> bool:
    kind = declared.type
    is_int = isinstance(kind, c_ast.TypeDecl) and getattr(kind.type, "names", None) == ["int"]
    has_value = declared.init is not None and not _is_call(_bare(declared.init), family) and not _is_end(declared.init)
    return is_int and not declared.storage and not has_value and "volatile" not in declared.quals


def _is_end(value: Node) -> bool:
    """Whether a value is written as 0 or as -1, which are no options with an argument."""
    match value:
        case c_ast.Constant(value="0"):
            return True
        case c_ast.UnaryOp(op="-", expr=c_ast.Constant(value="1")):
            return True
        case _:
            return False


def _writes(node: Node, name: str, family: frozenset[str]) -> bool:
    """Whether a node writes a variable by anything but a call of `getopt`, or takes its address."""
    match node:
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=written)) if written == name:
            return not _is_call(_bare(node.rvalue), family)
        case c_ast.Assignment():
            return _names(node.lvalue, name)
        case c_ast.UnaryOp(op=op):
            return op in _CHANGING and _names(node.expr, name)
        case _:
            return False


def _mixes(root: Node, family: frozenset[str]) -> bool:
    """Whether one expression has a call of `getopt` and what it sets."""
    return any(_is_call(node, family) for node in _within(root)) and _names(root, VARIABLE)


def _assignments(function: Node) -> Iterator[tuple[str, Node]]:
    """Each variable that is given a value by `=`, with what it is given."""
    for node in _within(function):
        match node:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)):
                yield name, _bare(node.rvalue)
            case c_ast.Decl(name=str(name)) if node.init is not None:
                yield name, _bare(node.init)


def _is_call(node: Node, family: frozenset[str]) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in family


def _bare(node: Node) -> Node:
    """What is converted to `int`, which `getopt` gives already."""
    if isinstance(node, c_ast.Cast) and getattr(getattr(node.to_type.type, "type", None), "names", None) == ["int"]:
        return _bare(node.expr)
    return node


def _expressions(node: Node) -> Iterator[Node]:
    """The whole expressions of a statement."""
    for _, child in node.children():
        if isinstance(child, _STATEMENTS):
            yield from _expressions(child)
        else:
            yield child


def _within(node: Node) -> Iterator[Node]:
    yield node
    for _, child in node.children():
        yield from _within(child)
