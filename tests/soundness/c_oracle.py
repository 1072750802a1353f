"""What compiled C programs do, against what the analysis says of them.

A program holds checks `__goblint_check(e)`, at most one on a line. It is compiled as it is, with a small runtime that
notes the outcomes by line. Unsound: a check that was seen to fail is proved or unreachable, or one that was seen at
all is unreachable. Undefined behaviour that the compiler can trap ends an execution.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duet.coarsen.analysis import analyse
from duet.coarsen.evidence import assertions
from duet.frontend.lower import Lowered, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.reduction import with_local_decisions
from duet.plip.regions import merge_regions
from duet.plip.wellformed import violations
from duet.result import Status
from tests.soundness.budgets import DEFAULT

COMPILER = "gcc"
SANITIZED = ("-fsanitize=undefined", "-fno-sanitize=alignment,null", "-fno-sanitize-recover=all")
ADDRESSES = ("-fsanitize=address",)
"""An access outside of all objects ends the execution as well."""
RUNS = 12
_RUNTIME = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum {{ LINES = 1000, VALUES = 16 }};
static struct line {{ int seen, count; long long values[VALUES]; }} *lines;
static unsigned long long state;
static unsigned long long next(void) {{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 20;
}}
void oracle_check(int line, int holds) {{ if (line < LINES) lines[line].seen |= holds ? 1 : 2; }}
void oracle_value(int number, long long value) {{
    struct line *line = &lines[number < LINES ? number : 0];
    for (int i = 0; i < line->count; i++) if (line->values[i] == value) return;
    if (line->count < VALUES) line->values[line->count++] = value;
}}
long long oracle_input(void) {{
    static const long long edges[] = {{0, 1, -1, 127, 128, 255, 32767, 65535, 2147483647, -2147483647 - 1}};
    unsigned long long kind = next() % 4;
    if (kind == 0) return edges[next() % 10];
    return kind == 1 ? (long long)(next() << 24 ^ next()) : (long long)(next() % 16) - 4;
}}
{declarations}
static int (*const programs[])(void) = {{ {names} }};
int main(int argc, char **argv) {{
    int runs = atoi(argv[1]);
    lines = mmap(0, LINES * sizeof *lines, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int p = 0; p < {count}; p++) {{
        memset(lines, 0, LINES * sizeof *lines);
        for (int run = 0; run < runs; run++) {{
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {{
                state = 88172645463325252ULL * (unsigned)(run + 1) + (unsigned)p;
                alarm(2);
                if (!freopen("/dev/null", "w", stderr)) _exit(3);
                exit((programs[p](), 0));
            }}
            waitpid(child, 0, 0);
        }}
        for (int l = 1; l < LINES; l++) {{
            if (!lines[l].seen && !lines[l].count) continue;
            printf("%d %d %d", p, l, lines[l].seen & 3);
            for (int i = 0; i < lines[l].count; i++) printf(" %lld", lines[l].values[i]);
            printf("\\n");
        }}
    }}
    return 0;
}}
"""
_PRELUDE = """
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <signal.h>
void oracle_check(int line, int holds);
long long oracle_input(void);
void oracle_value(int line, long long value);
#define PROBE(e) oracle_value(__LINE__, (long)(e))
#define __goblint_check(e) oracle_check(__LINE__, !!(e))
#define __VERIFIER_nondet_int() ((int)oracle_input())
#define __VERIFIER_nondet_uint() ((unsigned)oracle_input())
#define __VERIFIER_nondet_short() ((short)oracle_input())
#define __VERIFIER_nondet_ushort() ((unsigned short)oracle_input())
#define __VERIFIER_nondet_char() ((char)oracle_input())
#define __VERIFIER_nondet_uchar() ((unsigned char)oracle_input())
#define __VERIFIER_nondet_long() ((long)oracle_input())
#define __VERIFIER_nondet_ulong() ((unsigned long)oracle_input())
#define __VERIFIER_nondet_bool() ((_Bool)oracle_input())
"""
Lower = Callable[..., Lowered]


@dataclass(frozen=True, slots=True)
class Seen:
    """The lines of checks that held in some execution, of those that failed in some, and values seen of probes."""

    held: frozenset[int]
    failed: frozenset[int]
    values: Mapping[int, frozenset[int]]


def observed(texts: Sequence[str], folder: Path, runs: int = RUNS, more: Sequence[str] = ()) -> list[Seen]:
    """What the checks of programs with a `main` each did in some executions; all are compiled into one executable.

    `more` are further options of the compiler.
    """
    sources = []
    for number, text in enumerate(texts):
        source = folder / f"program{number}.c"
        source.write_text(
            f'{_PRELUDE}#define main program_main_{number}\n#line 1 "program.c"\n{text}', encoding="utf-8"
        )
        sources.append(source)
    declarations = "\n".join(f"int program_main_{number}();" for number in range(len(texts)))
    names = ", ".join(f"(int (*)(void))program_main_{number}" for number in range(len(texts)))
    runtime = folder / "runtime.c"
    runtime.write_text(_RUNTIME.format(declarations=declarations, names=names, count=len(texts)), encoding="utf-8")
    objects = [_compiled(source, folder, more) for source in sources]
    executable = folder / "programs"
    subprocess.run(
        [COMPILER, "-w", *SANITIZED, *more, str(runtime), *map(str, objects), "-pthread", "-o", str(executable)],
        check=True,
    )
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([str(executable), str(runs)], check=True, capture_output=True, text=True, env=environment)
    rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    return [_seen([row[1:] for row in rows if row[0] == number]) for number in range(len(texts))]


def _seen(rows: list[tuple[int, ...]]) -> Seen:
    """What was seen of one program, from rows of a line, 1 (held) + 2 (failed), and values."""
    return Seen(
        frozenset(line for line, outcome, *_ in rows if outcome & 1),
        frozenset(line for line, outcome, *_ in rows if outcome & 2),
        {line: frozenset(values) for line, _, *values in rows if values},
    )


def _compiled(source: Path, folder: Path, more: Sequence[str]) -> Path:
    """The object file of a program, whose names nothing outside of it sees but its `main`."""
    target = folder / f"{source.stem}.o"
    options = ("-w", "-O0", "-std=gnu11", *SANITIZED, *more)
    subprocess.run([COMPILER, *options, "-c", str(source), "-o", str(target)], check=True)
    keep = f"--keep-global-symbol=program_main_{source.stem.removeprefix('program')}"
    subprocess.run(["objcopy", keep, str(target)], check=True)
    return target


def verdicts(
    path: Path, domain: str = "interval", lowering: Lower = lower, budgets: Budgets = DEFAULT
) -> Mapping[int, Status]:
    """What the analysis says of the checks of a file, by line. *Raises*: whatever the analysis does."""
    return verdicts_by_domain(path, (domain,), lowering, budgets)[domain]


def verdicts_by_domain(
    path: Path, domains: Sequence[str], lowering: Lower = lower, budgets: Budgets = DEFAULT
) -> Mapping[str, Mapping[int, Status]]:
    """What the analysis says with each of some domains, for which the file is read and lowered once."""
    options = FrontendOptions(budgets=budgets)
    unit = parse(preprocess(str(path), options).text, str(path), options)
    lowered = lowering(unit, options)
    program = merge_regions(with_local_decisions(lowered.program))
    assert violations(program) == ()
    said = {}
    for domain in domains:
        analysis = analyse(program, AnalysisOptions(domain=domain, engine="bitset", numeric="own"))
        said[domain] = {found.check.line: found.status for found in assertions(analysis, lowered.checks)}
    return said


def complaints(text: str, seen: Seen, said: Mapping[int, Status]) -> list[str]:
    """What is unsound about the verdicts, a line each."""
    lines = text.splitlines()
    found = []
    for line in sorted(seen.held | seen.failed):
        status = said.get(line)
        if status is None:
            found.append(f"{line}: no verdict: {lines[line - 1].strip()}")
        elif status is Status.UNREACHABLE or (status.is_safe and line in seen.failed):
            did = "fails" if line in seen.failed else "is executed"
            found.append(f"{line}: {status.value}, but it {did}: {lines[line - 1].strip()}")
    return found
