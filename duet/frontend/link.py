"""Several files as one program: their declarations of a name with external linkage (C11 6.2.7).

Weak symbols are those of ELF: a definition that is not weak is the one, also that of a variable without a value. Of
several weak ones the linker takes any.
"""

from __future__ import annotations

from collections.abc import Iterable

from duet.errors import SourceError, Unsupported
from duet.frontend.cells.context import Context, show
from duet.frontend.ctypes.types import ArrayType, CType, FunctionType, are_elements_alike
from duet.frontend.ctypes.values import Object
from duet.frontend.source.nodes import Node, names
from duet.source import Span

CODE = "inconsistent-declaration"


def _is_weak(ctx: Context, name: str, number: int) -> bool:
    """Whether a name may be of a weak symbol in a file."""
    return number in ctx.declared.weak.get(name, ())


def is_first(ctx: Context, key: str, item: Node, body: Node, number: int) -> bool:
    """Whether a definition of a function is the one to take. *Raises*: SourceError where there are two of them.

    Inline and weak functions may be defined in each file if they are the same: else it is open which one is called.
    """
    known = ctx.declared.functions.get(key)
    if known is None:
        return True
    is_inline = "inline" in (item.funcspec or ()) or "inline" in (known.node.decl.funcspec or ())
    was_weak, is_weak = (_is_weak(ctx, item.name, place) for place in (known.unit, number))
    if was_weak != is_weak and not is_inline:
        return was_weak
    if (is_inline or is_weak) and show(body) == show(known.node.body):
        return False
    other = ctx.span(known.node.decl)
    if is_weak:
        text = f"which of two weak definitions of '{item.name}' counts is not known; the other is at {other}"
        raise Unsupported(text, ctx.span(item))
    raise _twice(ctx, item, other)


def _twice(ctx: Context, item: Node, other: Span) -> SourceError:
    text = f"'{item.name}' is defined twice, also at {other}; give the files of one program only"
    return SourceError(text, ctx.span(item))


def overrides(ctx: Context, key: str, item: Node, number: int) -> bool | None:
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
    texts = [show(node) if node is not None else "" for node in (initial, item.init)]
    if texts[0] != texts[1] or (item.init is not None and names(item.init)):
        text = f"which of several weak definitions of '{item.name}' counts is not known"
        raise Unsupported(text, ctx.span(item))
    return False


def check_labels(ctx: Context, labels: Iterable[tuple[str, Span]]) -> None:
    """*Raises*: Unsupported where what a file declares has the name in assembler of something that is defined."""
    for label, span in labels:
        if label in ctx.declared.functions or (label in ctx.memory.objects and label not in ctx.declared.elsewhere):
            raise Unsupported("a symbol that stands for another one is not supported", span)


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
