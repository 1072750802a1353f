"""A `main` for a program whose threads are functions that nothing in it starts (`--entries`)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from duet.replay.recipe import Recipe

_LEAST = 2
"""Instances of each function where there may be any number of them."""


def harness(recipe: Recipe, source: Path, has_init: bool, is_thread: bool = False) -> str:
    """The program, followed by a `main` that starts as many instances of each entry as the schedule has.

    Entries take no arguments or, if `is_thread`, are functions as `pthread_create` takes them and are given null.
    """
    init = recipe.init or ("init" if has_init and "init" not in recipe.entries else "")
    counts = instances(recipe)
    lines = [f'#include "{source}"', "void __duet_start(void *(*)(void *));"]
    lines += [_call(name, is_thread) for name in recipe.entries]
    starts = [f"  __duet_start(duet_{name});" for name in recipe.entries for _ in range(counts[name])]
    return "\n".join([*lines, "int main(void) {", f"  {init}();" if init else "", *starts, "  return 0;", "}", ""])


def _call(name: str, is_thread: bool) -> str:
    if not is_thread:
        return f"static void *duet_{name}(void *unused) {{ {name}(); return 0; }}"
    known = f"__builtin_types_compatible_p(__typeof__({name}), void *(void *))"
    return f'_Static_assert({known}, "arguments");\nstatic void *duet_{name}(void *unused) {{ return {name}(0); }}'


def instances(recipe: Recipe) -> Counter[str]:
    """How many threads of each entry there are."""
    seen = Counter(thread.partition("#")[0] for thread in {move.thread for move in recipe.moves})
    least = _LEAST if recipe.is_parameterized else 1
    return Counter({name: max(seen[name], least) for name in recipe.entries})
