"""What a terminal is for: whether to write colours to it, and whether to show progress on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO


def wants_colour(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """Whether a stream gets colours: FORCE_COLOR asks for them, NO_COLOR and TERM=dumb forbid them, else terminals do.

    *Source*: no-color.org and force-color.org; a variable that is set to nothing does not count.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return environment.get("TERM") != "dumb" and stream.isatty()


def wants_progress(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal on which a line can be written again and again."""
    return environment.get("TERM") != "dumb" and stream.isatty()
