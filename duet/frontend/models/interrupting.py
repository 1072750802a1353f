"""Intrinsics of the kernel model for interrupts: turned off and on, held back, and handlers that are registered."""

from __future__ import annotations

from duet.frontend.cells import interrupts
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.models.call import Call, Model, done


def switch(are_off: bool) -> Model:
    """`__duet_interrupts_off()`, `__duet_interrupts_on()`."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        interrupts.switch(ctx, are_off, call.node)
        return done(ctx)

    return model


def hold_back(change: int) -> Model:
    """`__duet_bottoms_off()`, `__duet_bottoms_on()`: as often on as off."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        interrupts.hold_back(ctx, change, call.node)
        return done(ctx)

    return model


def save(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_interrupts_save(flags)`: off from here on; the variable is for going back."""
    interrupts.save(ctx, call.place(ctx, 0))
    return done(ctx)


def restore(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_interrupts_restore(flags)`."""
    interrupts.restore(ctx, call.place(ctx, 0), call.node)
    return done(ctx)


def open_(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_interruptible()`: a spinlock has been taken, and interrupts may be on."""
    interrupts.note_open(ctx, call.node)
    return done(ctx)


def handlers(ctx: Context, call: Call) -> list[Outcome]:
    """`__duet_handlers(f, g)`: `f` is called in interrupts, `g` in a thread of its own."""
    for position, mark in ((0, interrupts.PRIMARY), (1, interrupts.THREADED)):
        ctx.facts.mark(mark, *call.handed(ctx, position))
    return done(ctx)
