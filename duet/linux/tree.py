"""What can be read off a tree of C by itself: names, arguments, structures, text."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast, c_generator


def text(node: c_ast.Node) -> str:
    """The C text of an expression."""
    return str(c_generator.CGenerator().visit(node))


def nodes(root: c_ast.Node) -> Iterator[c_ast.Node]:
    """Every node below and including `root`."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in reversed(node.children()))


def calls(root: c_ast.Node) -> Iterator[c_ast.FuncCall]:
    """Every call below `root`."""
    return (node for node in nodes(root) if isinstance(node, c_ast.FuncCall))


def arguments(call: c_ast.FuncCall) -> list[c_ast.Node]:
    """The arguments of a call."""
    return list(call.args.exprs) if call.args else []


def name_of(node: c_ast.Node | None) -> str:
    """The name that an expression like `f`, `&f` or `(T)f` is, empty for others."""
    while isinstance(node, c_ast.UnaryOp | c_ast.Cast):
        if isinstance(node, c_ast.UnaryOp) and node.op != "&":
            return ""
        node = node.expr
    return str(node.name) if isinstance(node, c_ast.ID) else ""


def structure_of(decl: c_ast.Decl) -> str:
    """The tag of the structure that a variable is, or is an array of; empty for others."""
    kind = decl.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    inner = kind.type if isinstance(kind, c_ast.TypeDecl) else None
    return str(inner.name or "") if isinstance(inner, c_ast.Struct) else ""


def dimensions_of(decl: c_ast.Decl) -> int:
    """How many dimensions the array that a variable is has, 0 for others."""
    kind, found = decl.type, 0
    while isinstance(kind, c_ast.ArrayDecl):
        kind, found = kind.type, found + 1
    return found


def declarations(ast: c_ast.FileAST) -> Iterator[c_ast.Decl]:
    """The declarations at file scope that declare a name."""
    return (node for node in ast.ext if isinstance(node, c_ast.Decl) and node.name)


def members(structure: c_ast.Struct | None) -> list[c_ast.Decl]:
    """The members of a structure, without assertions and pragmas between them."""
    return [item for item in (structure.decls if structure is not None else None) or () if isinstance(item, c_ast.Decl)]


def structures(ast: c_ast.FileAST) -> dict[str, c_ast.Struct]:
    """The structures that are defined at file scope, by their tags."""
    found = (node.type for node in ast.ext if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Struct))
    return {str(node.name): node for node in found if node.decls}
