"""Atomic regions: everything inside happens as one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duet.frontend.cells.context import Context


@contextmanager
def region(ctx: Context) -> Iterator[None]:
    """Everything inside happens as one step (inside another atomic region there is nothing to do)."""
    builder = ctx.builder
    if builder.is_inside:
        yield
        return
    enter_region(ctx)
    yield
    leave_region(ctx)


def enter_region(ctx: Context) -> None:
    """Begins an atomic region by a step that does nothing, so that its entry is no loop head."""
    builder = ctx.builder
    builder.flush()
    location = builder.outside()
    builder.atomic.add(location)
    builder.gates.add(location)
    builder.goto(location)
    builder.at(location)


def leave_region(ctx: Context) -> None:
    """Ends an atomic region."""
    builder = ctx.builder
    builder.flush()
    location = builder.outside()
    builder.goto(location)
    builder.at(location)
