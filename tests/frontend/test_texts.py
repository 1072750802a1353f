"""Strings of the library and arguments of `main`: they end, and are there, as long as the program leaves them alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from duet.frontend.cells import texts
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.pipeline import Job, perform
from duet.result import CauseKind
from tests.soundness.budgets import DEFAULT, SMALLEST

PROGRAM = """
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
char *saved, buffer[8];
int __VERIFIER_nondet_int(void);
void unknown(char **strings);
void unknown_two(long where) { *(char *)where = 'x'; }
int main(int argc, char **argv) {
    char *text = 0;
    %s
    return 0;
}
"""
COPY = 'text = strdup(argc > 0 ? argv[0] : ""); if (!text) return 1;'
GOOD = {
    "of_the_library": "strlen(strerror(errno));",
    "of_messages": "unknown_two((long)buffer); unknown_two(argc); strlen(strerror(errno));",
    "of_the_environment": 'text = getenv("HOME"); if (text) strlen(text);',
    "of_an_argument": "if (argc > 1) strlen(argv[1]);",
    "of_an_option": 'while (getopt(argc, argv, "o:") != -1) if (optarg) text = optarg; if (text) strlen(text);',
    "of_the_rest": 'getopt(argc, argv, "o:"); for (int i = optind; i < argc; i++) strlen(argv[i]);',
    "of_a_copy": f"{COPY} strlen(text);",
    "of_a_copy_that_is_cut": f"{COPY} text[0] = 0; strlen(text);",
    "of_one_of_both": f"if (argc > 1) text = argv[1]; else {{ {COPY} }} strlen(text);",
    "behind_arithmetic": "if (argc > 2 && argv[2][0]) strlen(argv[2]);",
}
BUFFERS = {
    "printed": 'char b[8]; snprintf(b, sizeof b, "%d", argc); strlen(b);',
    "ended": "char b[8]; int n = read(0, b, 7); if (n < 0) n = 0; b[n] = 0; strlen(b);",
    "a_line": "char b[80]; while (fgets(b, sizeof b, stdin)) { if (strlen(b) > 70) b[70] = 0; strlen(b); }",
    "cut": "char b[8]; strncpy(b, strerror(1), 7); b[7] = 0; strlen(b);",
    "copied": 'char b[8]; strcpy(b, "ab"); strlen(b);',
    "by_a_function": 'char b[8]; char *p = b; snprintf(p, 8, "x"); strlen(p);',
    "in_pieces": 'char b[80]; if (fgets(b, 80, stdin)) { char *p = strtok(b, " "); strlen(b); }',
}
GOOD |= BUFFERS
BAD = {
    "nothing_printed": "char b[8]; strlen(b);",
    "printed_in_no_room": 'char b[8]; snprintf(b, argc, "x"); strlen(b);',
    "read_only": "char b[8]; read(0, b, 8); strlen(b);",
    "ended_before": "char b[8]; b[7] = 0; read(0, b, 8); strlen(b);",
    "end_is_overwritten": "char b[8]; b[0] = 0; b[argc > 5 ? 0 : 1] = 'x'; strlen(b);",
    "no_line": "char b[8]; fgets(b, 8, stdin); strlen(b);",
    "perhaps_not_ended": "char b[8]; strncpy(b, strerror(1), 8); strlen(b);",
    "in_another_round": "for (int i = 0; i < 3; i++) { char b[8]; if (i) strlen(b); b[0] = 0; }",
    "written_in_another_round": "char b[8]; b[0] = 0; for (int i = 0; i < argc; i++) { strlen(b); read(0, b, 8); }",
    "by_another_pointer": "char b[8], c[8], *p = argc > 3 ? b : c; b[0] = c[0] = 0; read(0, p, 8); strlen(b);",
    "one_of_two": "char b[8], c[8], *p = argc > 3 ? b : c; *p = 0; strlen(b);",
    "behind_the_end": 'char b[8]; snprintf(b, 8, "x"); strlen(b + 4);',
    "jumped_over": "char b[8]; if (argc > 3) goto out; b[0] = 0; out: strlen(b);",
    "by_a_wild_pointer": "char b[8]; b[0] = 0; unknown_two((long)b); strlen(b);",
    "outside": "if (argc > 1) strlen(argv[2]), strlen(argv[3]);",
    "the_null_behind": "strlen(argv[argc]);",
    "perhaps_no_name": "strlen(argv[0]);",
    "moved": "if (argc > 1) strlen(argv[1] + 3);",
    "changed": "if (argc > 1) { argv[1][strlen(argv[1])] = 'x'; strlen(argv[1]); }",
    "changed_elsewhere": f"{COPY} saved = text; saved[0] = 'x'; strlen(text);",
    "changed_by_bytes": f"{COPY} read(0, text, 1); strlen(text);",
    "changed_by_the_library": f'{COPY} strncpy(text, "x", 1); strlen(text);',
    "a_message": "text = strerror(errno); text[0] = 'x'; strlen(strerror(errno));",
    "copied_over": f"{COPY} memcpy(text, buffer, 1); strlen(text);",
    "given_away": "unknown(argv); if (argc > 1) strlen(argv[1]);",
    "set_by_the_program": "argv[1] = buffer; if (argc > 1) strlen(argv[1]);",
    "resized": f"{COPY} text = realloc(text, 2); if (text) strlen(text);",
    "allocated": "text = malloc(8); if (text) strlen(text);",
    "an_option_of_others": 'char *own[] = {buffer, buffer, 0}; buffer[7] = 1; getopt(2, own, "o:"); '
    "if (optarg) strlen(optarg);",
    "another_environment": "extern char **environ; char *e[2] = {buffer, 0}; read(0, buffer, 8); environ = e;"
    ' text = getenv("x"); if (text) strlen(text);',
    "put_in_the_environment": 'read(0, buffer, 8); putenv(buffer); text = getenv("x"); if (text) strlen(text);',
    "more_arguments": "argc++; if (argc > 1) strlen(argv[1]);",
}


PROPERTIES = ("array-bounds", "null-dereference")


def are_safe(
    body: str, folder: Path, domain: str = "auto", budgets: Budgets = DEFAULT, properties: Sequence[str] = PROPERTIES
) -> bool:
    """Whether no check in a program is open."""
    path = folder / "a.c"
    path.write_text(PROGRAM % body, encoding="utf-8")
    options = FrontendOptions(properties=tuple(properties), budgets=budgets)
    job = Job((str(path),), options, AnalysisOptions(engine="bitset", domain=domain))
    found = [item for item in perform(job, lambda _: None).assertions if item.check.line >= 14]
    return all(item.status.is_safe for item in found)


@pytest.mark.parametrize("name", GOOD)
def test_strings_that_end(tmp_path: Path, name: str) -> None:
    assert are_safe(GOOD[name], tmp_path)


@pytest.mark.parametrize("name", BAD)
def test_strings_that_may_not_end(tmp_path: Path, name: str) -> None:
    assert not are_safe(BAD[name], tmp_path, "interval")


@pytest.mark.parametrize("use", ["strlen(argv[0])", "memset(argv[0], 0, 9)", "write(1, argv[0], 9)", "atoi(argv[0])"])
def test_bytes_behind_a_pointer_that_is_not_tracked_have_a_check(tmp_path: Path, use: str) -> None:
    body = f"static char other[3]; argv[0] = other; {use};"
    assert not are_safe(body, tmp_path, "interval", SMALLEST, ("array-bounds",))


def test_a_call_that_may_fail_is_named_as_the_cause(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM % 'text = strdup("x"); return text[0];', encoding="utf-8")
    options = FrontendOptions(properties=("null-dereference",))
    run = perform(Job((str(path),), options, AnalysisOptions(engine="bitset")), lambda _: None)
    (found,) = (item for item in run.assertions if item.check.line >= 14)
    assert found.cause is not None
    assert (found.cause.kind, found.cause.text) == (CauseKind.VALUE, "this allocation may fail")


def test_the_tests_notice_that_changes_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "alter", lambda *_: None)
    assert are_safe(BAD["changed_by_bytes"], tmp_path, "interval")
