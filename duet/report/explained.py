"""All that a run knows of the checks of one line, for people: `duet explain FILE:LINE`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from duet.errors import UsageError
from duet.report.groups import Agenda, Ranked, agenda
from duet.report.text import access_words, cause_words, describe_flow, moves, shown_path, visible
from duet.result import AccessNote, Assertion, FlowNote, Run

MOST_STEPS = 8
"""How many steps of the way to a value are told, the last ones."""


def place(text: str) -> tuple[str, int]:
    """The file and the line of `FILE:LINE` or `FILE:LINE:COLUMN`. *Raises*: UsageError."""
    parts = text.split(":")
    numbers = [part for part in parts[1:] if part.isdigit()]
    if len(parts) >= 3 and parts[-1].isdigit() and parts[-2].isdigit():
        parts = parts[:-1]
    if not numbers or not parts[-1].isdigit() or not parts[0]:
        raise UsageError(f"'{text}' is no place: FILE:LINE is asked for")
    return ":".join(parts[:-1]), int(parts[-1])


def at(run: Run, file: str, line: int) -> tuple[int, ...]:
    """The indices of the checks of a line, and of races and deadlocks with an access there.

    *Raises*: UsageError where there are none, with the nearest lines.
    """
    in_file = [index for index, a in enumerate(run.assertions) if _is_same(a.check.file, file)]
    found = tuple(index for index, a in enumerate(run.assertions) if any(_is_at(p, file, line) for p in _places(a)))
    if found:
        return found
    if not in_file:
        known = ", ".join(sorted({shown_path(a.check.file) for a in run.assertions})[:5]) or "none"
        raise UsageError(f"there are no checks in {file}; files with checks: {known}")
    lines = {run.assertions[index].check.line for index in in_file}
    nearest = sorted(lines, key=lambda other: (abs(other - line), other))[:3]
    raise UsageError(f"there are no checks in line {line} of {file}; the nearest are in {', '.join(map(str, nearest))}")


def _places(assertion: Assertion) -> Iterator[tuple[str, int]]:
    """The place of a check, and those of its accesses."""
    yield assertion.check.file, assertion.check.line
    yield from (
        (note.stack[-1].file, note.stack[-1].line) for note in (*assertion.accesses, *assertion.also) if note.stack
    )


def _is_at(known: tuple[str, int], file: str, line: int) -> bool:
    return known[1] == line and _is_same(known[0], file)


def _is_same(known: str, asked: str) -> bool:
    """Whether a path may be meant by another one: equal, or its end."""
    mine, theirs = PurePath(shown_path(known)).parts, PurePath(shown_path(asked)).parts
    return mine == theirs or mine[-len(theirs) :] == theirs


def render(run: Run, indices: tuple[int, ...], is_whole: bool = False) -> str:
    """What is known of some checks of a run, by their indices, one paragraph each.

    Of ways to what is read there the last steps, unless the `is_whole` of it is asked for.
    """
    listed = agenda(run)
    parts = (_explained(run.assertions[index], listed.places.get(index), listed, is_whole) for index in indices)
    return "\n".join("".join(f"{visible(line)}\n" for line in part) for part in parts)


def _explained(assertion: Assertion, ranked: Ranked | None, listed: Agenda, is_whole: bool) -> Iterator[str]:
    check = assertion.check
    column = f":{check.column}" if check.column else ""
    where = f" in {check.function}" if check.function else ""
    yield f"{shown_path(check.file)}:{check.line}{column}: {assertion.status}: {check.property_name}{where}"
    yield f"  checked:    {check.expression}"
    if assertion.must and assertion.must != check.expression:
        yield f"  must hold:  {assertion.must}"
    if assertion.invariant or not assertion.accesses:
        yield f"  known here: {assertion.invariant or 'nothing beyond the types'}"
    if assertion.missing:
        yield f"  missing:    {assertion.missing}"
    if assertion.proved_by:
        yield f"  decided by: {assertion.proved_by}"
    if assertion.reason:
        yield f"  reason:     {assertion.reason}"
    copies = "copy" if assertion.contexts == 1 else "copies"
    threads = f", run by {', '.join(assertion.threads)}" if assertion.threads else ""
    yield f"  contexts:   {assertion.contexts} {copies}{threads}"
    if ranked is not None:
        yield from _in_list(ranked, listed)
    for note in assertion.accesses:
        yield f"  {access_words(note)}"
        yield from (f"      {frame.function} ({shown_path(frame.file)}:{frame.line})" for frame in reversed(note.stack))
    if assertion.also:
        yield "  races with it, or with another one of these:"
        yield from (f"    {access_words(note)}{_where(note)}" for note in assertion.also)
    for flow in assertion.flows:
        yield from _flow(flow, assertion, is_whole)
    if assertion.because:
        yield "  why it fails:"
        width = max(len(step.thread) for step in assertion.because)
        for step in assertion.because:
            yield f"    {step.thread:<{width}}  {shown_path(step.file)}:{step.line}: {step.text}"
    if assertion.prevented_by:
        yield "  any of these would prevent it:"
        yield from (f"    {text}" for text in assertion.prevented_by)
    if assertion.schedule:
        yield "  a schedule in which it fails:"
        yield from moves(assertion)


def _where(note: AccessNote) -> str:
    """The place of an access."""
    return f" at {shown_path(note.stack[-1].file)}:{note.stack[-1].line}" if note.stack else ""


def _in_list(ranked: Ranked, listed: Agenda) -> Iterator[str]:
    """The place of an open check in the list, and what hangs on its cause."""
    group = listed.groups[ranked.group - 1]
    yield f"  rank:       {ranked.rank} of {len(listed.places)}: {ranked.level.words}"
    yield f"  hangs on:   {cause_words(group.cause)}"
    others = [other.assertion.check for other in group.members if other is not ranked]
    if others:
        told = ", ".join(dict.fromkeys(f"{shown_path(other.file)}:{other.line}" for other in others[:5]))
        yield f"  so do:      {len(others)} other checks, such as those at {told}"


def _flow(flow: FlowNote, assertion: Assertion, is_whole: bool) -> Iterator[str]:
    value = f" = {flow.value}" if flow.value else ""
    text = f" by {flow.text}" if flow.text and flow.kind != "init" else ""
    yield f"  {flow.cell}{value}: {describe_flow(flow, assertion.threads)}{text}"
    left_out = 0 if is_whole else max(0, len(flow.derivation) - MOST_STEPS)
    if left_out:
        yield f"      {left_out} steps in front of these (-v shows them)"
    for step in flow.derivation[left_out:]:
        yield f"      {step.thread}: {shown_path(step.file)}:{step.line}: {step.text}"
