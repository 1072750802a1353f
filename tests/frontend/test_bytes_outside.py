"""Bytes of an address that the program puts into memory outside of it, one by one: a pointer read there leads back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import fails, statuses

PROGRAM = """#include <assert.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
int secret, other;
struct parts { unsigned a : 16, b : 16, c : 16, d : 16; };
union both { int *p; unsigned char bytes[8]; };
struct around { union both both; int k; };
int main(void) {
    int *p = &secret;
    char *mem = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned char b[9];
    memcpy(b, &p, 8);
    b[8] = 0;
    @WRITE@
    int *q = *(int **)mem;
    if (q) *q = 5;
    assert(secret == 0);
    return 0;
}
"""
WRITES = {
    "through a view as bytes": "for (int i = 0; i < 8; i++) mem[i] = ((char *)&p)[i];",
    "from an array of bytes": "for (int i = 0; i < 8; i++) mem[i] = b[i];",
    "with other values between": "for (int i = 0; i < 8; i++) { int k = b[i] + 1; mem[i] = (char)(k - 1); }",
    "counted up": "for (int i = 0; i < 8; i++) for (int k = 0; k < b[i]; k++) mem[i]++;",
    "by bit-fields": "*(struct parts *)mem = *(struct parts *)&p;",
    "by a union": "union both u; u.p = p; for (int i = 0; i < 8; i++) mem[i] = u.bytes[i];",
    "in a union of a structure": "struct around v; v.both.p = p; *(struct around *)mem = v;",
    "by a floating value": "double d; memcpy(&d, &p, 8); *(double *)mem = d;",
    "as a string": "strncpy(mem, (char *)&p, 7);",
    "as strings": "for (int i = 0; i < 8; i++) if (b[i]) strcpy(mem + i, (char *)b + i);",
    "printed": 'for (int i = 0; i < 8; i++) sprintf(mem + i, "%c", b[i]);',
    "by an atomic operation": "for (int i = 0; i < 8; i++) __atomic_store_n(mem + i, b[i], __ATOMIC_SEQ_CST);",
    "by an assembler": 'for (int i = 0; i < 8; i++) { int v = b[i]; asm("movb %b1, %0" : "=m"(mem[i]) : "q"(v)); }',
}


@pytest.mark.parametrize("way", WRITES)
def test_a_pointer_of_such_bytes_leads_back(way: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("@WRITE@", WRITES[way])
    assert not any(status.is_safe for status in statuses(tmp_path / "a.c", text)), text


@pytest.mark.slow
@pytest.mark.parametrize("way", WRITES)
def test_such_a_program_fails(way: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("@WRITE@", WRITES[way])
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert fails(tmp_path / "a.c", "")


def test_numbers_that_are_written_there_are_no_addresses(tmp_path: Path) -> None:
    text = PROGRAM.replace("@WRITE@", "*(int *)mem = 7; mem[4] = 1;")
    assert all(status.is_safe for status in statuses(tmp_path / "a.c", text))
