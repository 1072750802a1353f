"""What is lowered again from units that were read is what reading the files again gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from duet.clock import Clock
from duet.frontend import lower
from duet.frontend.cells.context import Context
from duet.frontend.program import Threads, assemble
from duet.options import UNDEFINED, Budgets, FrontendOptions
from duet.plip.lifetimes import ended_behind
from duet.plip.syntax import Join, Program
from duet.reading import lowered_again, read
from tests.c.annotations import bundled, name
from tests.verify.test_bundled import options_of

NAMES = ("everyday/stack_of_free", "condition/thread_pool", "strings/copied_literals")


@pytest.mark.parametrize("chosen", NAMES)
def test_with_other_checks_and_budgets(chosen: str) -> None:
    program = next(found for found in bundled() if name(found) == chosen)
    options, paths = options_of(program), (str(program.path),)
    found = read(paths, options, Clock())
    strict = replace(
        options,
        properties=tuple(dict.fromkeys((*options.properties, *UNDEFINED))),
        budgets=options.budgets.roomy(len(found.program.commands)),
    )
    again = lowered_again(found, strict)
    assert again == read(paths, strict, Clock()).program
    assert again != found.program
    assert lowered_again(found, options) == found.program


LATE = """
#include <pthread.h>
#include <stdlib.h>
struct item { int value, seen; struct item *next; } *head;
static void *worker(void *unused) {
    struct item *it = head;
    if (it && it->seen) it->value = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        struct item *it = malloc(sizeof *it);
        if (!it) return 1;
        it->value = 0, it->next = head, head = it;
    }
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
"""


def test_a_program_is_assembled_once_where_members_turn_out_to_be_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "late.c"
    source.write_text(LATE, encoding="utf-8")
    assembled: list[str] = []

    def noted(ctx: Context, threads: Threads) -> Program:
        assembled.append(" ".join(sorted(ctx.facts.objects.unset)))
        return assemble(ctx, threads)

    monkeypatch.setattr(lower, "assemble", noted)
    read((str(source),), FrontendOptions(), Clock())
    assert len(assembled) == 1
    assert assembled[0].endswith(".seen")


def test_threads_that_are_told_apart_no_more_are_not_waited_for() -> None:
    chosen = next(found for found in bundled() if name(found) == "written_next/vote_count")
    small = Budgets(program_commands=10, inlined_commands_if_large=20, small_commands=1)
    program = read((str(chosen.path),), replace(options_of(chosen), budgets=small), Clock()).program
    waited_for = {it.instruction.template for it in program.commands if isinstance(it.instruction, Join)}
    assert waited_for <= program.templates.keys()
    assert ended_behind(program)
