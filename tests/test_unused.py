"""No module defines a name that nothing uses: neither the module itself, nor another one, nor a test."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("duet", "domains", "datalog")
USERS = ("drivers-bench", "tests")
STARTED_BY_NAME = {("duet.batch.cluster", "serve")}
"""What another process is told to call."""


def _trees(folder: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines; what has a decorator is known to the decorator."""
    match node:
        case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _used(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names of other modules that a module uses: `from m import x`, and `m.x` of an imported module."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    yield module, alias.name
                    modules[alias.asname or alias.name] = f"{module}.{alias.name}"
            case ast.Import(names=names):
                modules |= {alias.asname or alias.name: alias.name for alias in names}
            case _:
                pass
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                yield modules[name], attribute
            case _:
                pass


def _idle(tree: ast.Module) -> list[str]:
    """The names that a module defines and none of its other statements uses."""
    loaded = [
        {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for statement in tree.body
    ]
    users = Counter(name for names in loaded for name in names)
    return [
        name
        for statement, names in zip(tree.body, loaded, strict=True)
        for name in _defined(statement)
        if users[name] == (name in names)
    ]


def unused() -> list[str]:
    """The names that modules of the packages define and nothing uses."""
    trees = [found for package in PACKAGES for found in _trees(package)]
    users = [*trees, *(found for folder in USERS for found in _trees(folder))]
    used = frozenset(pair for _, tree in users for pair in _used(tree)) | STARTED_BY_NAME
    return [f"{module}.{name}" for module, tree in trees for name in _idle(tree) if (module, name) not in used]


def test_everything_that_is_defined_is_used() -> None:
    assert unused() == []


def test_what_only_its_own_definition_uses_is_found() -> None:
    tree = ast.parse("def once(): return twice()\ndef twice(): return twice()\nclass Kind: ...\nKIND = Kind()")
    assert _idle(tree) == ["once", "KIND"]
