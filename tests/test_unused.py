"""No module defines a name that nothing uses: neither the module itself, nor another one, nor a test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("duet", "domains", "datalog")
USERS = ("drivers-bench", "tests")
STARTED_BY_NAME = {("duet.batch.cluster", "serve")}
"""What another process is told to call."""
_NAMES = r"\w+(?: as \w+)?(?:, \w+(?: as \w+)?)*"
_IMPORT = re.compile(
    rf"^[ \t]*(from [\w.]+ import (?:\([^)]*\)|{_NAMES})|import [\w.]+(?: as \w+)?)(?:  #[^\n]*)?$", re.MULTILINE
)
_ATTRIBUTE = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\.([A-Za-z_]\w*)")


def _texts(folder: str) -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        yield name, path.read_text(encoding="utf-8")


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


def _used(text: str) -> Iterator[tuple[str, str]]:
    """The names of other modules that a module uses: `from m import x`, and `m.x` of an imported module."""
    modules: dict[str, str] = {}
    for statement in _IMPORT.findall(text):
        for node in ast.parse(statement).body:
            match node:
                case ast.ImportFrom(module=str(module), names=names):
                    for alias in names:
                        yield module, alias.name
                        modules[alias.asname or alias.name] = f"{module}.{alias.name}"
                case ast.Import(names=names):
                    modules |= {alias.asname or alias.name: alias.name for alias in names}
                case _:
                    pass
    for name, attribute in _ATTRIBUTE.findall(text):
        if name in modules:
            yield modules[name], attribute


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
    texts = [found for package in PACKAGES for found in _texts(package)]
    users = [*texts, *(found for folder in USERS for found in _texts(folder))]
    used = frozenset(pair for _, text in users for pair in _used(text)) | STARTED_BY_NAME
    idle = ((module, name) for module, text in texts for name in _idle(ast.parse(text)))
    return [f"{module}.{name}" for module, name in idle if (module, name) not in used]


def test_everything_that_is_defined_is_used() -> None:
    assert unused() == []


def test_what_only_its_own_definition_uses_is_found() -> None:
    tree = ast.parse("def once(): return twice()\ndef twice(): return twice()\nclass Kind: ...\nKIND = Kind()")
    assert _idle(tree) == ["once", "KIND"]
