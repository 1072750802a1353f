"""What `pthread_cleanup_push` and `pthread_cleanup_pop` of glibc's headers become, written as calls of these again.

One form calls `setjmp`, the other one, with exceptions, declares a variable with the attribute `cleanup`. In both the
handler runs where it is popped, and where the thread ends in between. Only exactly these are rewritten.

*Approximates*: the first form stays as it is where something in it may jump out of it (with its `setjmp`).
*Raises*: Unsupported for the second one there, as its handler runs at any way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from duet.errors import Unsupported
from duet.frontend.source.nodes import Cleanup, ComputedGoto, Node
from duet.source import Span

_FRAME = "__pthread_cleanup_frame"
MARKS = frozenset((_FRAME, "__cancel_buf"))
"""Names of which each text has one that has such a form."""
_JUMPS = (c_ast.Return, c_ast.Goto, c_ast.Label, ComputedGoto)
_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
_START = (
    "__pthread_unwind_buf_t __cancel_buf",
    "void (*__cancel_routine)(void *)",
    "void *__cancel_arg",
    "int __not_first_call",
)
_NAMES = ["__cancel_buf", "__cancel_routine", "__cancel_arg", "__not_first_call"]
_FIRST = (
    "__sigsetjmp_cancel(__cancel_buf.__cancel_jmp_buf, 0)",
    "__sigsetjmp((struct __jmp_buf_tag *) ((void *) __cancel_buf.__cancel_jmp_buf), 0)",
)
_RUN = "__cancel_routine(__cancel_arg)"
_AGAIN = ("(long) __not_first_call", _RUN, "__pthread_unwind_next(&__cancel_buf)")
_REGISTER, _UNREGISTER = "__pthread_register_cancel(&__cancel_buf)", "__pthread_unregister_cancel(&__cancel_buf)"


def with_handlers(ast: c_ast.FileAST, span: Callable[[Node], Span]) -> None:
    """Rewrites both forms in a tree, the inner ones first."""
    for node in ast.ext:
        if isinstance(node, c_ast.FuncDef):
            _rewrite(node.body, span)


def _rewrite(root: Node, span: Callable[[Node], Span]) -> None:
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Compound) and node.block_items:
            found.append(node)
        stack += [child for _, child in node.children()]
    for block in reversed(found):
        items = _of_jump(block.block_items) or _of_frame(block.block_items, span)
        if items is not None:
            block.block_items = items


def _of_jump(items: list[Node]) -> list[Node] | None:
    """The first form as calls; None for what is not exactly that, or may be left."""
    if len(items) != 9 or [getattr(item, "name", None) for item in items[:4]] != _NAMES:
        return None
    buffer, routine, argument, first, again, register, inner, unregister, popped = items
    starts = tuple(_text(c_ast.Decl(**_without_value(item))) for item in items[:4])
    is_start = starts == _START and buffer.init is None and first.init is not None and _text(first.init) in _FIRST
    if not is_start or routine.init is None or argument.init is None or not _is_again(again):
        return None
    if not isinstance(register, c_ast.FuncCall) or not isinstance(unregister, c_ast.FuncCall):
        return None
    if _text(register) != _REGISTER or _text(unregister) != _UNREGISTER or not isinstance(popped, c_ast.If):
        return None
    is_popped = popped.iffalse is None and isinstance(popped.iftrue, c_ast.FuncCall) and _text(popped.iftrue) == _RUN
    if (
        not is_popped
        or not isinstance(inner, c_ast.DoWhile)
        or _text(inner.cond) != "0"
        or any(_ways_out(inner, is_in_loop=True))
    ):
        return None
    push = _call("pthread_cleanup_push", [routine.init, argument.init], register.coord)
    return [push, inner, _call("pthread_cleanup_pop", [_truth(popped.cond)], unregister.coord)]


def _is_again(node: Node) -> bool:
    """Whether a statement is what is done where the thread ends: the handler, and what is outside of this one."""
    is_if = isinstance(node, c_ast.If) and node.iffalse is None and isinstance(node.iftrue, c_ast.Compound)
    return is_if and (_text(node.cond), *map(_text, node.iftrue.block_items or [])) == _AGAIN


def _of_frame(items: list[Node], span: Callable[[Node], Span]) -> list[Node] | None:
    """The second form as calls; None for what has no such frame."""
    frame = next((item for item in items if isinstance(item, c_ast.Decl) and _is_frame(item)), None)
    if frame is None:
        return None
    start, *body, end = items
    given = frame.init.exprs if isinstance(frame.init, c_ast.InitList) else []
    names = [[_text(part) for part in one.name] for one in given if isinstance(one, c_ast.NamedInitializer)]
    is_cleanup = bool(body) and isinstance(body[0], Cleanup) and _text(body[0].call) == _ROUTINE
    is_end = isinstance(end, c_ast.Assignment) and end.op == "=" and _text(end.lvalue) == "__clframe.__do_it"
    is_form = start is frame and frame.name == "__clframe" and names == _MEMBERS and len(given) == len(_MEMBERS)
    if not (is_form and is_cleanup and is_end) or any(_ways_out(c_ast.Compound(body[1:]))):
        raise Unsupported("this cleanup handler may run where its block is left, which is not modelled", span(frame))
    routine, argument, _ = (one.expr for one in given)
    push = _call("pthread_cleanup_push", [routine, argument], frame.coord)
    return [push, *body[1:], _call("pthread_cleanup_pop", [end.rvalue], end.coord)]


_ROUTINE = "__pthread_cleanup_routine(&__clframe)"
_MEMBERS = [["__cancel_routine"], ["__cancel_arg"], ["__do_it"]]


def _is_frame(declared: c_ast.Decl) -> bool:
    kind = getattr(declared.type, "type", None)
    return isinstance(kind, c_ast.Struct) and kind.name == _FRAME


def _ways_out(node: Node, is_in_loop: bool = False, is_in_switch: bool = False) -> Iterator[Node]:
    """What in a statement may jump out of it, or into it from elsewhere."""
    for _, child in node.children():
        is_left = isinstance(child, c_ast.Continue) or (isinstance(child, c_ast.Break) and not is_in_switch)
        is_entered = isinstance(child, c_ast.Case | c_ast.Default) and not is_in_switch
        if isinstance(child, _JUMPS) or (is_left and not is_in_loop) or is_entered:
            yield child
        yield from _ways_out(
            child, is_in_loop or isinstance(child, _LOOPS), is_in_switch or isinstance(child, c_ast.Switch)
        )


def _truth(condition: Node) -> Node:
    """A condition as a number that fits `int`."""
    if isinstance(condition, c_ast.Constant) and condition.type == "int":
        return condition
    return c_ast.BinaryOp("!=", condition, c_ast.Constant("int", "0", condition.coord), condition.coord)


def _call(name: str, arguments: list[Node], coord: object) -> c_ast.FuncCall:
    return c_ast.FuncCall(c_ast.ID(name, coord), c_ast.ExprList(arguments, coord), coord)


def _without_value(declared: c_ast.Decl) -> dict[str, object]:
    return {name: getattr(declared, name) for name in _PARTS} | {"init": None}


_PARTS = ("name", "quals", "align", "storage", "funcspec", "type", "bitsize")


def _text(node: Node) -> str:
    return str(CGenerator().visit(node))
