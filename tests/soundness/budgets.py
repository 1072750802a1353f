"""Budgets that send small programs through what large ones meet: shared bodies, shared cells, loops that stay loops."""

from __future__ import annotations

import random
from dataclasses import fields

from duet.options import Budgets

DEFAULT = Budgets()
NAMES = tuple(field.name for field in fields(Budgets))
SMALLEST = Budgets(**dict.fromkeys(NAMES, -1))
"""Everything forced low: the coarsest way everywhere, from the first command on."""
_SOME = (-1, 0, 1, 2, 4, 12, 40)


def small_budgets(seed: int) -> Budgets:
    """All numbers forced low for every other seed; else calls share bodies soon, and some other numbers are low.

    Where all are low little is known, so that a defect of one way may not show.
    """
    if seed % 2:
        return SMALLEST
    rng = random.Random(seed)
    low = {name: rng.choice(_SOME) for name in NAMES if name.startswith("inlined") or rng.random() < 0.4}
    return Budgets(**low)


def default_budgets(_: int) -> Budgets:
    """Those of every run, whatever the seed."""
    return DEFAULT


MODES = {"default": default_budgets, "small": small_budgets}
"""The budgets of a random program by its seed, by the name of the mode."""
