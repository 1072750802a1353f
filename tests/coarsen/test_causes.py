"""What open checks go back to."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from duet.coarsen.causes import cause
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform
from duet.plip.syntax import Assert
from duet.result import Cause, CauseKind, Chance
from tests.coarsen.fixpoints import fixpoint


def of(text: str, followed: Collection[str] = ()) -> Cause:
    """The cause of the first check of a text, where `followed` are pointers that another check asks for null."""
    found = fixpoint(text)
    program = found.graph.program
    index, instruction = next(
        (index, command.instruction)
        for index, command in enumerate(program.commands)
        if isinstance(command.instruction, Assert)
    )
    return cause(found, index, (instruction.condition,), followed)


@pytest.mark.parametrize(
    ("text", "kind", "words", "line"),
    [
        ("thread main { local r\nr := 7\ncheck r <= 3 }", CauseKind.VALUE, "r is set to 7", 2),
        ('global x = 0 label "n"\nthread main {\nx := 7\ncheck x <= 3 }', CauseKind.VALUE, "n is set to 7", 3),
        ('global x = 9 label "n"\nthread main { check x <= 3 }', CauseKind.VALUE, "n is 9 at the start", 1),
        ('global x = 0 label "n"\nthread main {\nx := *\ncheck x <= 3 }', CauseKind.INPUT, "n comes from outside", 3),
        ('global y = 0 label "n"\nthread main { local r\ny := *\nr := y\ncheck r <= 3 }',
         CauseKind.INPUT, "n comes", 3),
        ('global summary s = 0 label "a[*]"\nthread main { local r\ns := 8\nr := s\ncheck r <= 3 }',
         CauseKind.LOST, "what is known of a[*] is known of all objects or elements that it stands for together", 1),
    ],
)  # fmt: skip
def test_a_check_goes_back_to_where_its_value_comes_from(text: str, kind: CauseKind, words: str, line: int) -> None:
    found = of(text)
    assert (found.kind, found.line) == (kind, line)
    assert words in found.text


def test_a_definition_for_which_the_check_holds_is_no_cause() -> None:
    found = of('global x = 0 label "n"\nthread main {\nif (*) { x := 1 } else {\nx := 7 }\ncheck x <= 3 }')
    assert found == Cause(CauseKind.VALUE, "n is set to 7", "t.plip", 4)


def test_what_one_step_reads_of_another_one_goes_back_to_what_that_reads() -> None:
    text = (
        'global n = 0 label "n"\nthread main { local $r\nlocal $s\nwhile (*) { assume n <= 9\n'
        "atomic { $r := n; $s := mod($r + 1, 100) }\ncheck $r <= 3\nn := $s } }"
    )
    assert of(text).text == "no closer bounds are known of n"


def test_writes_of_others_are_causes() -> None:
    found = of('global x = 0 label "n"\nthread main {\nspawn w\ncheck x == 0\n}\nthread w { local r\nx := r + 5\n}')
    assert (found.kind, found.line) == (CauseKind.WRITE, 7)


@pytest.mark.parametrize(("followed", "words", "line"), [((), "p is set to 0", 4), (("p",), "p is set to 3", 6)])
def test_null_is_no_cause_where_another_check_asks_for_it(followed: tuple[str, ...], words: str, line: int) -> None:
    found = of(
        'global p = 50 label "p"\nthread main { if (*) {\nif (*) {\np := 0 } else {\n\np := 3 } }\ncheck p >= 9 }',
        followed,
    )
    assert found == Cause(CauseKind.VALUE, words, "t.plip", line)


def test_null_alone_is_a_cause_of_no_bounds() -> None:
    text = 'global p = 50 label "p"\nthread main {\nif (*) {\np := 0 }\ncheck p >= 9 }'
    assert of(text).text == "p is set to 0"
    assert of(text, ("p",)) == Cause(CauseKind.LOST, "no closer bounds are known of p", "t.plip", 5)


@pytest.mark.parametrize(
    ("call", "words", "chance"),
    [
        ('strdup("abc")', "this allocation may fail", Chance.OFTEN),
        ('fopen("a", "r")', "fopen may fail and give null", Chance.EVEN),
        ('strstr(argv[0], "a")', "strstr may fail and give null", Chance.EVEN),
        ("dlerror()", "dlerror gives null only where nothing has failed before", Chance.RARELY),
        ("localtime(&now)", "localtime gives null only for times that no clock tells", Chance.RARELY),
    ],
)
def test_a_function_that_gives_null_is_named(call: str, words: str, chance: Chance, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "#include <dlfcn.h>\n#include <stdio.h>\n#include <string.h>\n#include <time.h>\n"
        f"int main(int argc, char **argv) {{ time_t now = 1000000000000000L * argc; void *p = {call};\n"
        "  return *(char *)p; }\n",
        encoding="utf-8",
    )
    job = Job((str(path),), FrontendOptions(properties=("null-dereference",)), AnalysisOptions(verify=False))
    (found,) = [a for a in perform(job, lambda _: None).assertions if a.check.line == 6 and not a.status.is_safe]
    assert found.cause is not None
    assert (found.cause.text, found.cause.chance) == (words, chance)


def test_what_a_moved_pointer_hangs_on_is_the_pointer(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "#include <pthread.h>\n#include <stdlib.h>\nint ask(void);\n"
        "int main(int argc, char **argv) { pthread_mutex_t *m = malloc(argc * sizeof *m); int i = ask();\n"
        "  return pthread_mutex_lock(&m[i]); }\n",
        encoding="utf-8",
    )
    job = Job((str(path),), FrontendOptions(properties=("null-dereference",)), AnalysisOptions(verify=False))
    causes = {a.cause for a in perform(job, lambda _: None).assertions if not a.status.is_safe}
    assert causes == {Cause(CauseKind.VALUE, "this allocation may fail", str(path), 4, Chance.OFTEN)}
