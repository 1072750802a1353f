"""Assembler in functions may access, and call, what the program has at file scope, by name: no operand tells of it."""

from __future__ import annotations

import pytest

from duet.coarsen.analysis import analyse
from duet.errors import Unsupported
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.options import AnalysisOptions, FrontendOptions

START = """
int x, y; static int own; union { long n; int *p; } u; void assert(int);
void set(void) { x = 1; }
int called asm("known_as"); void call_it(void) asm("known_as_function"); void call_it(void) { x = 1; }
int main(void) { long n;
"""
BODIES = {
    "a variable by its name there": 'asm volatile("movl $1, known_as(%rip)"); assert(called == 0);',
    "a function by its name there": 'asm volatile("call known_as_function" : : : "rax"); assert(x == 0);',
    "behind a prefix": 'asm volatile("lock incl x(%rip)"); assert(x == 0);',
    "in data": 'asm volatile(".data; 1: .quad x; .text; movq 1b, %0" : "=r"(n)); *(int *)n = 1; assert(x == 0);',
    "an operand in memory": 'asm volatile("movl $1, x(%rip)"); assert(x == 0);',
    "beside other operands": 'asm volatile("movl %0, x+0(%%rip)" : : "r"(1)); assert(x == 0);',
    "a static variable": 'asm volatile("movl %0, own(%%rip)" : : "r"(1)); assert(own == 0);',
    "a function": 'asm volatile("call set" : : : "rax"); assert(x == 0);',
    "an address": 'asm volatile("leaq x(%%rip), %0" : "=r"(n)); u.n = n; *u.p = 1; assert(x == 0);',
    "a constant": 'asm volatile("nop\\n\\tmovq $x, %0" : "=r"(n)); *(int *)n = 1; assert(x == 0);',
    "in a branch": 'if (y == 0) asm volatile("movl %0, x(%%rip)" : : "r"(1)); else y = 0; assert(x == 0);',
}


@pytest.mark.parametrize("name", BODIES)
def test_what_a_template_names_may_change(name: str) -> None:
    options = FrontendOptions()
    program = lower(parse(f"{START}{BODIES[name]} return 0; }}", "a.c", options), options).program
    assert not any(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


def test_it_may_name_what_another_file_has() -> None:
    options = FrontendOptions()
    texts = {
        "a.c": 'int get(void); void assert(int); int main(void) { asm("movl $1, x(%rip)"); assert(get() == 0); }',
        "b.c": "int x; int get(void) { return x; }",
    }
    program = lower([parse(text, path, options) for path, text in texts.items()], options).program
    assert not any(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


def test_what_it_does_not_name_stays() -> None:
    options = FrontendOptions()
    body = 'asm volatile("movl %0, x(%%rip)" : : "r"(1)); assert(y == 0); assert(own == 0);'
    program = lower(parse(f"{START}{body} return 0; }}", "a.c", options), options).program
    assert all(status.is_safe for status in analyse(program, AnalysisOptions()).statuses)


SHARED = {
    "a variable": 'int one asm("s"); extern int other asm("s"); int main(void) { other = 1; assert(one == 0); }',
    "an array": 'int one[2] asm("shared"); extern int other[2] asm("shared"); int main(void) { assert(!one[0]); }',
    "a function": 'void one(void) asm("shared"); void one(void) { } void other(void) asm("shared"); int main(void) { }',
    "a pointer to functions": 'int (*one)(void) asm("s"); extern int (*other)(void) asm("s"); int main(void) { }',
    "one of a block": 'int one asm("s"); int main(void) { extern int other asm("s"); other = 1; assert(one == 0); }',
    "a static one of a block": 'int main(void) { static int one asm("s"); extern int other asm("s"); }',
}


@pytest.mark.parametrize("name", SHARED)
def test_what_has_the_name_of_something_else_is_refused(name: str) -> None:
    options = FrontendOptions()
    with pytest.raises(Unsupported, match="stands for another one"):
        lower(parse(f"void assert(int); {SHARED[name]}", "a.c", options), options)


def test_what_is_not_there_may_have_one_name() -> None:
    options = FrontendOptions()
    text = 'int one(int) asm("known"); int other(int) asm("known"); int one(int); int main(void) { return one(1); }'
    lower(parse(text, "a.c", options), options)
