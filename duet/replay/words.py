"""What `duet replay` prints: whether the failure happened again, and the steps of the run that had it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from duet.replay.recipe import Recipe
from duet.replay.replay import Replayed, Step
from duet.report.text import visible


def told(recipe: Recipe, found: Replayed) -> str:
    """The outcome as text, ending in a line break."""
    check = recipe.check
    what = f"{check.file}:{check.line}: {check.property_name} '{check.expression}'"
    if not found.has_failed:
        return f"{what}: it did not fail in {found.attempts} runs{_others(found)}\n"
    how = "following the schedule" if found.is_exact else f"in run {found.attempts}, guided by the schedule"
    return "\n".join([f"{what}: failed again {how}", *_lines(found.steps)]) + "\n"


def _others(found: Replayed) -> str:
    parts = [f"{count} ended at another check ({name})" for name, count in found.others.items()]
    return f"; {', '.join(parts)}" if parts else ""


def _lines(steps: Sequence[Step]) -> Iterator[str]:
    """One line for each place that a thread passes without a pause; `>` where another thread goes on than before."""
    width = max((len(step.thread) for step in steps), default=0)
    texts = {file: _text_lines(file) for file in {step.file for step in steps}}
    before = ""
    for step, _ in groupby(steps):
        mark = " " if step.thread == before else ">"
        before = step.thread
        lines = texts[step.file]
        text = lines[step.line - 1].strip() if step.line <= len(lines) else ""
        yield visible(f"  {mark} {step.thread:<{width}}  {Path(step.file).name}:{step.line}  {text}".rstrip())


def _text_lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []
