"""Inline assembler becomes a call that says what it may read and write."""

from __future__ import annotations

import pytest

from duet.errors import Unsupported
from duet.frontend.source.assembly import rewrite_assembly
from tests.frontend.source.drafts import draft_of, token_of, written


def inside(assembler: str) -> str:
    draft = draft_of(f"int x; void f(void) {{ {assembler}; }}")
    rewrite_assembly(draft, token_of(draft, "asm"))
    return written(draft).removeprefix("int x; void f(void) {").removesuffix("; }").strip()


@pytest.mark.parametrize(
    ("assembler", "expected"),
    [
        ('asm("mov %1, %0" : "=r"(x) : "r"(y))', "__duet_asm(&(x), (y))"),
        ('asm volatile("inc %0" : "+m"(s.count[1]))', "__duet_asm(&(s . count [ 1 ]))"),
        ('asm("cpuid" : : "r"(y) : "memory")', "__duet_asm_memory((y))"),
        ('asm("cpuid" ::: "memory")', "__duet_asm_memory()"),
        ('asm("cpuid")', "__duet_asm()"),
        (
            'asm("movq %%rax,8(%0) \\n\\t addq %1,%%rax" : "=r"(p), "=r"(x) : "0"(p), "1"(x))',
            "__duet_asm(&(x), (p), (x))",
        ),
        ('asm("movq %1,8(%0)" : "+r"(p) : "r"(x))', "__duet_asm((p), (x))"),
        ('asm("movq %1,%0" : "+r"(p) : "r"(x))', "__duet_asm(&(p), (x))"),
        ('asm("addq $8,%0; movq %1,(%0)" : "+r"(p) : "r"(x))', "__duet_asm(&(p), (x))"),
        ('asm("stosb %1,(%0)" : "+D"(p) : "a"(x))', "__duet_asm(&(p), (x))"),
        ('asm("movsb (%1),(%0)" : "+D"(p), "+S"(q))', "__duet_asm(&(p), &(q))"),
        ('asm("movq %2,8(%0)" : "=r"(p) : "0"(q), "r"(x))', "__duet_asm(&(p), (q), (x))"),
        ('asm("movq %[x],8(%[p])" : [p] "+r"(p) : [x] "r"(x))', "__duet_asm(&(p), (x))"),
        ('asm("movq %%rdi,8(%0)\\n push %%rdi\\n pop %%rcx" : "+c"(p))', "__duet_asm(&(p))"),
        ('asm("mov %%rax,%%rcx\\n" : "+c"(p))', "__duet_asm(&(p))"),
        ('asm("movl %0, x+4(%%rip)" : : "r"(y))', '__duet_asm((y), "x")'),
        ('asm("nop\\nx: movl $\\170, %[x]" : : [x] "m"(y))', '__duet_asm((y), "x")'),
        (
            'asm("cpuid" : : "i"(__builtin_offsetof(struct s, m.n) / 8))',
            "__duet_asm((offsetof ( struct s , m . n ) / 8))",
        ),
        ('asm("cpuid" : : "r"(__extension__ ((__signed__ char)x)))', "__duet_asm((( ( signed char ) x )))"),
        ('asm("" : : "r"(x++))', "__duet_asm((x ++))"),
        ('asm("" : : "r"(f (x)))', "__duet_asm((f ( x )))"),
    ],
)
def test_operands_are_arguments_outputs_by_address(assembler: str, expected: str) -> None:
    assert inside(assembler) == expected


@pytest.mark.parametrize(
    "assembler",
    [
        'asm volatile("" ::: "memory")',
        'asm volatile("mfence" ::: "memory")',
        'asm volatile("rep; nop")',
        'asm volatile("pause\\n\\t" ::: "memory")',
        'asm volatile("lock; addl $0,0(%%rsp)" ::: "memory")',
        'asm volatile("" : : "r"(x))',
        'asm volatile("" : "+r"(x))',
    ],
)
def test_what_only_orders_accesses_is_dropped(assembler: str) -> None:
    assert inside(assembler) == ""


def test_a_jump_may_go_on_at_each_of_its_labels() -> None:
    found = inside('asm goto("jmp %l0" : : : : one, two)')
    assert "if (__duet_nondet_int()) goto one;" in found
    assert "if (__duet_nondet_int()) goto two;" in found
    assert inside('asm goto("" : : : : one)') != ""


def test_what_is_replaced_is_told() -> None:
    draft = draft_of('void f(void) { asm("cpuid" : "=r"(x)); }')
    rewrite_assembly(draft, token_of(draft, "asm"))
    assert [warning.code for warning in draft.warnings] == ["inline-assembler"]
    harmless = draft_of('void f(void) { asm volatile("mfence"); }')
    rewrite_assembly(harmless, token_of(harmless, "asm"))
    assert harmless.warnings == []


def test_the_name_of_a_declaration_is_dropped_and_noted() -> None:
    draft = draft_of('int x asm("y"); int z;')
    rewrite_assembly(draft, token_of(draft, "asm"))
    assert written(draft) == "int x ; int z;"
    assert [label for label, *_ in draft.labels] == ["y"]


def test_assembler_at_file_level_may_define_nothing() -> None:
    harmless = draft_of('asm(".globl a"); int x;')
    rewrite_assembly(harmless, 0)
    assert written(harmless) == "; int x;"
    with pytest.raises(Unsupported, match="outside of functions"):
        rewrite_assembly(draft_of('asm("f: ret"); int x;'), 0)
