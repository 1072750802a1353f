"""Checks for null pointers name the pointer that is followed, also where an argument is a part of what it leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.clock import Clock
from duet.options import FrontendOptions
from duet.reading import read

PROGRAM = """
#include <stdlib.h>
#include <string.h>
struct inner { char tag[4]; };
struct outer { char name[8]; struct inner inner, many[3], *far; char *text; };
int main(int argc, char **argv) {
    struct outer *p = malloc(sizeof *p), **q = &p;
    memset(@ARGUMENT@, 0, 4);
    return 0;
}
"""
POINTERS = {
    "p": "p",
    "p->name": "p",
    "&p->name[argc & 1]": "p",
    "p->inner.tag": "p",
    "p->many[argc & 1].tag": "p",
    "(*p).name": "p",
    "p[0].name": "p",
    "(*q)->name": "*q",
    "p->far->tag": "p->far",
    "p->text": "p->text",
}


@pytest.mark.parametrize("argument", POINTERS)
def test_the_pointer_that_an_argument_follows_is_named(tmp_path: Path, argument: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM.replace("@ARGUMENT@", argument), encoding="utf-8")
    checks = read((str(path),), FrontendOptions(properties=("null-dereference",)), Clock()).checks
    found = {check.expression.removesuffix(" != 0") for check in checks}
    assert POINTERS[argument] in found
    assert found <= {*POINTERS.values(), "q"}
