"""Accesses that few programs write have their checks, too: operands of assembler, lengths, the structures of `div`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from duet.cli import cli

TEXT = """#include <inttypes.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
int parts(double _Complex *z) { return __real__ *z; } // not understood
int main(void) {
  int n = __VERIFIER_nondet_int(), *p = 0, *q = &n, a[4];
  struct pair *s = 0, *gone = malloc(sizeof *gone);
  if (!gone) return 1;
  free(gone);
  switch (__VERIFIER_nondet_int()) {
  case 0: __asm__("incl %0" : "+m"(*p)); break; // UNSAFE!
  case 1: __asm__("movl $1, %0" : "=m"(*p)); break; // UNSAFE!
  case 2: __asm__("foo %0" : : "m"(*p)); break; // UNSAFE!
  case 3: __asm__("foo %0" : "=m"(s->b)); break; // UNSAFE!
  case 4: __asm__("foo %0" : "=m"(*s)); break; // UNSAFE!
  case 5: __asm__("foo %0" : "=m"(a[n])); break; // UNSAFE!
  case 6: __asm__("foo %0" : "=m"(*gone)); break; // UNSAFE!
  case 7: __asm__("foo %0" : "=m"(*q) : "m"(*q)); break; // SAFE
  case 8: imaxdiv(1, n); break; // UNSAFE!
  case 9: ldiv(1, 0); break; // UNSAFE!
  case 10: { int v[*p]; break; } // UNSAFE!
  case 11: n = sizeof(int[*p]); break; // UNSAFE!
  case 13: parts(0); break;
  case 12: n = sizeof(int[*q]); break; // SAFE
  }
  return 0;
}
"""


def test_what_is_seldom_accessed_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT, encoding="utf-8")
    properties = "null-dereference,array-bounds,use-after-free,division-by-zero"
    arguments = ["analyze", "--no-verify", "--properties", properties, "--format", "json", str(path)]
    result = CliRunner().invoke(cli, arguments)
    found = json.loads(result.stdout)["assertions"]
    for line, written in enumerate(TEXT.splitlines(), 1):
        told = {item["status"] for item in found if item["line"] == line}
        assert ("// UNSAFE!" in written) is ("unproved" in told), written
        assert ("// not understood" in written) is ("unknown" in told), written
