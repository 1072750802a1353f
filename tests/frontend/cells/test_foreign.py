"""Code of the program in files that are not there."""

from __future__ import annotations

from typing import Any

from pycparser import CParser

from duet.frontend.cells.foreign import external_functions, externals, has_foreign, note_foreign
from duet.frontend.ctypes.scope import Definition, Scope
from tests.frontend.cells.lowering import context, declared


def defined(name: str, text: str) -> Definition:
    (node,) = CParser().parse(text).ext
    return Definition(name, name, node, Scope(), 0)


def linked(**options: Any) -> Any:
    ctx = context(**options)
    ctx.declared.linked.update(("a", "environ"))
    ctx.declared.library.add("environ")
    declared(ctx, "a")
    declared(ctx, "main::own", storage="thread")
    ctx.declared.linked.add("own")
    ctx.declared.functions.update(
        main=defined("main", "int main(void) { }"),
        shown=defined("shown", "void shown(void) { }"),
        hidden=defined("hidden", "static void hidden(void) { }"),
    )
    return ctx


def test_without_such_files_nothing_is_named() -> None:
    ctx = linked()
    assert not has_foreign(ctx)
    assert externals(ctx) == frozenset()
    assert external_functions(ctx) == []
    assert ctx.facts.objects.addressed == set()


def test_such_code_may_name_what_has_external_linkage() -> None:
    ctx = linked()
    note_foreign(ctx)
    assert has_foreign(ctx)
    assert {"a", "main::own"} <= externals(ctx)
    assert "environ" not in externals(ctx)
    assert ctx.facts.objects.addressed >= {"a", "main::own"}
    assert external_functions(ctx) == ["shown"]


def test_a_kernel_module_is_one_file() -> None:
    ctx = linked(model="linux")
    note_foreign(ctx)
    assert not has_foreign(ctx)
