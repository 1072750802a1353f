"""Functions that code which is not there may call: those that the program keeps in its variables, or of a plugin."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.lower import lower
from duet.frontend.models.unknown import ONLY_ARGUMENTS
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

START = """
struct hooks { int n; void (*f)(void); }; struct list { struct list *next; struct hooks *of; };
void assert(int); void *dlopen(const char *, int); void *dlsym(void *, const char *);
int x; static void sets(void) { x = 1; }
static void keep(void (*f)(void)) { extern void (*elsewhere)(void); elsewhere = f; }
extern void (*hook)(void); extern struct hooks many; extern struct list *all;
static struct hooks own = {1, sets}; static struct list node = {0, &own};
int main(void) {
"""
CALLED = {
    "in a variable": "hook = sets;",
    "in one that a block declares": "keep(sets);",
    "by way of a pointer": "void (**p)(void) = &hook; *p = sets;",
    "in a structure": "many.f = sets;",
    "in a list": "node.next = all; all = &node;",
    "given to a plugin": 'void (*run)(void (*)(void)) = dlsym(dlopen("p.so", 2), "run"); if (run) run(sets);',
}
NOT_CALLED = {
    "in a variable of the program": "static void (*mine)(void); mine = sets;",
    "nothing but null": "hook = 0;",
    "the program itself": "void *h = dlopen(0, 2); (void)h;",
}


def are_safe(body: str, **choices: str) -> set[bool]:
    """Whether the checks of a program hold, as far as an analysis finds out."""
    options = FrontendOptions(**choices)  # type: ignore[arg-type]  # they are those of a test
    program = lower(parse(f"{START} {body} assert(x == 0); return 0; }}", "a.c", options), options).program
    return {status.is_safe for status in analyse(program, AnalysisOptions()).statuses}


@pytest.mark.parametrize("name", CALLED)
def test_code_that_is_not_there_may_call_them(name: str) -> None:
    assert are_safe(CALLED[name]) == {False}


@pytest.mark.parametrize("name", NOT_CALLED)
def test_nothing_else_is_called(name: str) -> None:
    assert are_safe(NOT_CALLED[name]) == {True}


def test_a_plugin_may_do_what_any_unknown_function_may() -> None:
    body = 'dlopen("p.so", 2);'
    options = FrontendOptions()
    found = lower(parse(f"{START} {body} assert(x == 0); return 0; }}", "a.c", options), options)
    assert ONLY_ARGUMENTS in found.assumptions
    assert are_safe(body, unknown_functions="externals") == {False}


def test_a_file_that_is_not_here_any_more_is_the_users() -> None:
    text = "int main(void) { keep(&x); x = 0; later(); assert(x == 0); }"
    for name, is_safe in (("/not/here/a.h", False), ("/not/usr/include/here.h", True)):
        declared = f'# 1 "{name}"\nvoid keep(int *); void later(void);\n'
        marked = f'int x; void assert(int);\n{declared}# 1 "/not/here/a.c"\n{text}\n'
        program = lower(parse(marked, "a.i", FrontendOptions()), FrontendOptions()).program
        assert {status.is_safe for status in analyse(program, AnalysisOptions()).statuses} == {is_safe}
