"""System calls that a program makes by number: one that may not come back ends its thread, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.result import Status
from tests.frontend.running import statuses

TEXT = """
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static int done;
static void call(int number) { @CALL@; }
static void *work(void *unused) { done = 1; call(SYS_exit); done = 2; return unused; }
int main(int count, char **arguments)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, work, 0)) return 1;
    pthread_join(thread, 0);
    assert(done == 2);
    return 0;
}
"""
OPEN = (
    "syscall(SYS_exit, 0)",
    "syscall(number, 0)",
    "syscall(SYS_exit_group, 0)",
    "(void)(done = 3, syscall(SYS_exit, 0), done = 1)",
    "if (syscall(SYS_fork) == 0) done = 3; else syscall(60)",
)
ASSEMBLER = (
    'asm volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11")',
    'long n = 60; asm volatile("movq $0, %%rdi\\n\\tsyscall" : "+a"(n) : : "rdi", "memory")',
    'asm("int $0x80" : : "a"(1))',
    'asm("svc #0")',
    'asm("call pthread_exit" : : "D"(0))',
    'asm("jmp *%0" : : "r"(&pthread_exit))',
    'asm("ret")',
    'if (number) asm("ud2"); else done = 1',
    'asm(".byte 0x0f, 0x05" : : "a"(60))',
    'asm volatile("xint %0" : : "r"(number))',
    'asm("movq %0, %%rsp" : : "r"(number))',
    'asm("push %0" : : "r"((long)number))',
    'asm("mov pc, %0" : : "r"(number))',
    'asm("testl %0, %0; jz out" : : "r"(number))',
    'asm("jmp 1f" : : : "memory")',
    'asm("nop; {movl $1, %%eax|; syscall}" : : : "eax")',
    'asm(".macro go; .long 0; .endm; go")',
    'asm("vmcall" : : "a"(number))',
)
PROVED = (
    'asm volatile("addl %0, %%eax" : : "r"(number) : "eax")',
    'asm volatile("1: decl %%eax; jnz 1b; jmp 2f; 2:" : : : "eax")',
    'asm volatile("push %%rbx\\n\\tcpuid\\n\\tpop %%rbx" : "=a"(number) : "0"(1) : "ecx", "edx")',
    'long n; asm volatile("movq %%rsp, %0  # where" : "=r"(n)); (void)n',
    'asm volatile("lock; cmpxchgl %1, %0; sete %%al" : "+m"(number) : "r"(1) : "eax")',
    'asm volatile(".p2align 4\\n0: lock xaddl %0, 8(%%rsp)\\n jne 0b" : "+r"(number))',
    'asm volatile("1: ldxr %w0, %1\\n stxr w2, %w0, %1\\n cbnz w2, 1b" : "=r"(number) : "m"(number))',
    'asm volatile("amoadd.w.aqrl %0, %0, %1; fence rw, rw" : "+r"(number) : "m"(number))',
    "syscall(SYS_gettid)",
    "long own = syscall(SYS_futex, 0, 1, 0, 0, 0, 0); (void)own",
    "",
)


@pytest.mark.parametrize(
    ("call", "is_proved"), [*((it, False) for it in (*OPEN, *ASSEMBLER)), *((it, True) for it in PROVED)]
)
def test_what_follows_a_system_call_need_not_happen(tmp_path: Path, call: str, is_proved: bool) -> None:
    found = statuses(tmp_path / "calls.c", TEXT.replace("@CALL@", call))
    assert found == (Status.PROVED if is_proved else Status.UNPROVED,)


@pytest.mark.parametrize(
    ("call", "is_known"),
    [("syscall(SYS_gettid)", True), ("syscall(SYS_getppid)", True), ("syscall(SYS_read, 0, &number, 4)", False)],
)
def test_a_call_that_only_gives_a_number_changes_nothing(tmp_path: Path, call: str, is_known: bool) -> None:
    path = tmp_path / "a.c"
    path.write_text(TEXT.replace("@CALL@", call), encoding="utf-8")
    options = FrontendOptions()
    found = lower(parse(preprocess(str(path), options).text, str(path), options), options)
    assert any(warning.code == "unknown-function" for warning in found.warnings) is not is_known
