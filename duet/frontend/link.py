"""Several files as one program: their declarations of a name with external linkage (C11 6.2.7).

Weak symbols are those of ELF: a definition that is not weak is the one, also that of a variable without a value. Of
several weak ones the linker takes any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from duet.errors import SourceError, Unsupported
from duet.frontend.cells.context import Context, show
from duet.frontend.cells.memory import LIBRARY_VARIABLES
from duet.frontend.ctypes.scope import Definition, Function
from duet.frontend.ctypes.types import ArrayType, CType, FunctionType, VoidType, are_elements_alike
from duet.frontend.ctypes.values import Object
from duet.frontend.form.alike import are_alike
from duet.frontend.models import heap
from duet.frontend.models.table import describe
from duet.frontend.source.nodes import Node
from duet.frontend.source.parse import ParsedUnit
from duet.source import Span

CODE = "inconsistent-declaration"


def key_of(name: str, is_static: bool, number: int, is_one_of_many: bool) -> str:
    """The key of what a file declares, where it is not another name of something."""
    return f"{name}@{number + 1}" if is_static and is_one_of_many else name


def declare_aliases(ctx: Context, units: tuple[ParsedUnit, ...]) -> dict[str, int]:
    """Declares other names of functions (attribute `alias`) in front of all files: by name, the file that says so.

    Where the name is weak and another file defines it, that definition is the one, everywhere.
    *Raises*: Unsupported where it is open which function a name stands for.
    """
    found: dict[str, int] = {}
    files = [_Functions.of(unit) for unit in units]
    for number, (unit, own) in enumerate(zip(units, files, strict=True)):
        loaded = {item.name for item in unit.loaded}
        elsewhere = [(other, there) for other, there in zip(units, files, strict=True) if there is not own]
        for name, target, span in unit.aliases:
            strong = [other for other, there in elsewhere if name in there.external]
            if strong and name in unit.weak - own.defined and not any(name in other.weak for other in strong):
                continue
            is_hidden = target in own.external and any(target in there.external for _, there in elsewhere)
            is_known = target in own.defined - unit.weak and not is_hidden
            is_free = (
                name in own.declared - own.defined - own.static and not strong and name not in {"main", *found, *loaded}
            )
            if not is_known or not is_free or ctx.options.model is not None:
                raise Unsupported(f"which function '{name}' stands for is not known", span)
            found[name] = number
            key = key_of(target, target in own.static, number, len(units) > 1)
            ctx.declared.aliases[name] = key
            ctx.scope.names[name] = Function(key, FunctionType(VoidType(), None))
    return found


@dataclass(frozen=True, slots=True)
class _Functions:
    """The names of the functions that a file declares, defines, and has for itself."""

    declared: frozenset[str]
    defined: frozenset[str]
    static: frozenset[str]

    @property
    def external(self) -> frozenset[str]:
        return self.defined - self.static

    @classmethod
    def of(cls, unit: ParsedUnit) -> _Functions:
        bodies = [item.decl for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
        declared = [item for item in unit.ast.ext if isinstance(getattr(item, "type", None), c_ast.FuncDecl)] + bodies
        return cls(
            frozenset(item.name for item in declared),
            frozenset([*(item.name for item in bodies), *(item.name for item in unit.refused)]),
            frozenset(item.name for item in declared if "static" in (item.storage or ())),
        )


def _is_weak(ctx: Context, name: str, number: int) -> bool:
    """Whether a name may be of a weak symbol in a file."""
    return number in ctx.declared.weak.get(name, ())


def is_first(ctx: Context, item: Node, found: Definition) -> bool:
    """Whether a definition of a function is the one to take. *Raises*: SourceError where there are two of them.

    Inline and weak functions may be defined in each file if they are the same: else it is open which one is called.
    Whether the same text means the same in both files is asked when all is declared (`check_same`).
    """
    known = ctx.declared.functions.get(found.key)
    if known is None:
        return True
    is_inline = "inline" in (item.funcspec or ()) or "inline" in (known.node.decl.funcspec or ())
    was_weak, is_weak = (_is_weak(ctx, item.name, place) for place in (known.unit, found.unit))
    if was_weak != is_weak and not is_inline:
        return was_weak
    if not (is_inline or is_weak) or show(found.node.body) != show(known.node.body):
        raise _differs(ctx, known, found)
    ctx.declared.again.append(found)
    return False


def check_same(ctx: Context) -> None:
    """*Raises*: SourceError where a function is defined with the same text in two files, and does not mean the same."""
    functions, asked = ctx.declared.functions, set[tuple[str, str]]()

    def mean_the_same(known: Definition, found: Definition) -> bool:
        try:
            first = ctx.forms.body(known)
        except SourceError:
            return True  # it is taken to do anything
        second = ctx.forms.body(found)
        return all(are_alike(getattr(first, part), getattr(second, part), are_same) for part in _SAID)

    def are_same(key: str, other: str) -> bool:
        if (key, other) in asked:
            return True
        asked.add((key, other))
        known, found = functions.get(key), functions.get(other)
        if known is None or found is None or show(known.node) != show(found.node):
            return False
        return mean_the_same(known, found)

    for found in ctx.declared.again:
        known = functions[found.key]
        if not mean_the_same(known, replace(found, key=f"{found.key}@{found.unit + 1}")):
            raise _differs(ctx, known, found)


_SAID = ("result", "parameters", "lengths", "block")
"""What bodies say; all else follows from it."""


def _differs(ctx: Context, known: Definition, found: Definition) -> SourceError:
    item, other = found.node.decl, ctx.span(known.node.decl)
    if _is_weak(ctx, item.name, found.unit):
        text = f"which of two weak definitions of '{item.name}' counts is not known; the other is at {other}"
        return Unsupported(text, ctx.span(item))
    return _twice(ctx, item, other)


def _twice(ctx: Context, item: Node, other: Span) -> SourceError:
    text = f"'{item.name}' is defined twice, also at {other}; give the files of one program only"
    return SourceError(text, ctx.span(item))


def overrides(ctx: Context, key: str, kind: CType, item: Node, number: int) -> bool | None:
    """Whether a definition of a variable counts in the place of another file's; None where both are the same one.

    *Raises*: SourceError where both have values and none is weak; Unsupported where it is open which one counts.
    """
    defining, initial = ctx.declared.defining.get(key, (number, None))
    was_weak, is_weak = (_is_weak(ctx, item.name, place) for place in (defining, number))
    is_strong = not (was_weak or is_weak)
    if is_strong and initial is not None and item.init is not None:
        raise _twice(ctx, item, ctx.span(initial))
    if defining == number or is_strong:
        return None
    if was_weak != is_weak:
        return was_weak
    was, scope = ctx.memory.objects[key].type, ctx.declared.files[defining]
    both = ((was, initial, scope), (kind, item.init, ctx.scope))
    texts = [show(node) if node is not None else "" for _, node, _ in both]
    values = [ctx.forms.initialiser(of, node, there) if node is not None else None for of, node, there in both]
    if was != kind or texts[0] != texts[1] or not are_alike(values[0], values[1]):
        text = f"which of several weak definitions of '{item.name}' counts is not known"
        raise Unsupported(text, ctx.span(item))
    return False


def check_labels(ctx: Context, units: Sequence[ParsedUnit]) -> None:
    """*Raises*: Unsupported where what a file declares has the name in assembler of something that is defined.

    So it does where what has another name there is defined: whoever names that means it, in any file; in one file, that
    is whoever gives the same name in assembler to something else.
    """
    if len(units) == 1:
        _check_shared(ctx, units[0])
        return
    for number, unit in enumerate(units):
        for label, name, span in unit.labels:
            symbol = ctx.declared.files[number].names.get(name)
            is_elsewhere = isinstance(symbol, Function | Object) and not _is_defined(ctx, symbol.key)
            if _is_defined(ctx, label) or (label != name and not is_elsewhere):
                raise Unsupported("a symbol that stands for another one is not supported", span)


def _check_shared(ctx: Context, unit: ParsedUnit) -> None:
    """Checks that nothing in a file that may be defined has the same name in assembler as something else there."""
    for label, _, span in unit.labels:
        found = {at: name for other, name, at in unit.labels if other == label}
        is_one = len(found) == 1 or (len(set(found.values())) == 1 and "" not in found.values())
        if not is_one and any(name not in ctx.scope.names or _is_defined(ctx, name) for name in found.values()):
            raise Unsupported("a symbol that stands for another one is not supported", span)


def _is_defined(ctx: Context, key: str) -> bool:
    """Whether the program defines a function or variable."""
    return key in ctx.declared.functions or (key in ctx.memory.objects and key not in ctx.declared.elsewhere)


def note_replaced(ctx: Context) -> None:
    """Says what is assumed where the program has functions of its own in the place of the library's."""
    own = [name for name in heap.REPLACED if name in ctx.declared.functions]
    if own and ctx.options.model != "linux":
        ctx.assume(f"functions of the library do not call the program's own {', '.join(own)}")


def check_symbols(ctx: Context, symbols: Iterable[tuple[str, Span]]) -> None:
    """*Raises*: Unsupported where data in assembler may be what C or a library means by that name."""
    declared = ctx.declared
    for symbol, span in symbols:
        is_here = _is_defined(ctx, symbol)
        is_of_library = symbol in declared.library or symbol in LIBRARY_VARIABLES or describe(symbol) is not None
        if is_here or is_of_library or symbol in declared.aliases:
            raise Unsupported(f"which '{symbol}' is meant is not known: assembler defines one, too", span)


def check_signature(ctx: Context, key: str, kind: FunctionType, item: Node) -> None:
    """Warns of a declaration of a function that does not fit an earlier one."""
    known = ctx.declared.prototypes.setdefault(key, kind)
    is_open = known.parameters is None or kind.parameters is None
    if known.parameters is None:
        ctx.declared.prototypes[key] = kind
    if known.result != kind.result if is_open else known != kind:
        text = f"'{item.name}' is declared with different types: calls are as each file has it"
        ctx.warn_once(item, CODE, key, text)


def check_variable(ctx: Context, known: Object, kind: CType, item: Node) -> None:
    """Warns of a declaration of a variable that does not fit an earlier one."""
    if not _agree(known.type, kind):
        text = f"'{item.name}' is declared with different types: accesses are as each file has it, to one object"
        ctx.warn_once(item, CODE, known.key, text)


def _agree(left: CType, right: CType) -> bool:
    if isinstance(left, ArrayType) and isinstance(right, ArrayType) and None in (left.length, right.length):
        return are_elements_alike(left, right)
    return left == right


def unite(ctx: Context) -> None:
    """Lets every file see a variable as its definition has it, but where they do not agree on its type."""
    for scope in ctx.declared.files:
        for name, symbol in scope.names.items():
            if isinstance(symbol, Object):
                found = ctx.memory.objects.get(symbol.key, symbol)
                scope.names[name] = found if are_elements_alike(symbol.type, found.type) else symbol
