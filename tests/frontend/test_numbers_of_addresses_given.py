"""What a library function writes through its arguments changes also where an address is given as a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
static struct flock x; static long n;
int main(void) { n = (long)&x; x.l_type = F_WRLCK; n ^= 5; n ^= 5;
"""
END = " assert(x.l_type == F_WRLCK); return 0; }\n"
WRITTEN = {
    "a lock": "fcntl(fileno(tmpfile()), F_GETLK, n);",
    "how much is printed": 'printf("aa%n", n);',
    "what is scanned": 'sscanf("7", "%d", n);',
}


@pytest.mark.parametrize("name", WRITTEN)
def test_it_changes(name: str, tmp_path: Path) -> None:
    assert not are_proved(tmp_path / "a.c", START + WRITTEN[name] + END, ("assertion",), "interval")


@pytest.mark.parametrize("name", WRITTEN)
def test_what_fails_does(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(START + WRITTEN[name] + END, encoding="utf-8")
    assert fails(tmp_path / "a.c", "int other;\n")
