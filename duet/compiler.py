"""Options of a compiler on the command line (`duet analyze -Wall -O2 -std=c99 server.c`), as in a Makefile."""

from __future__ import annotations

from collections.abc import Iterator

import click

OPTION = "--compiler-option"
_VALUED = ("-include", "-isystem", "-iquote", "-idirafter")
"""Those whose value may be the next word."""
_ALONE = (
    "-O",
    "-W",
    "-w",
    "-c",
    "-s",
    "-pthread",
    "-pthreads",
    "-pedantic",
    "-ansi",
    "-pipe",
    "-static",
    "-shared",
    "-rdynamic",
)
_BEGINNINGS = ("-W", "-O", "-g", "-f", "-m", "-l", "-L", "-std=", "-pedantic-", *_VALUED)
"""How others begin, joined to their value."""


class Compiling(click.Command):
    """A command that takes options of a compiler, too: each word of them as the value of `OPTION`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is left of the arguments by the options of the command; words that are none of a compiler are those."""
        names = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        return super().parse_args(ctx, list(_marked(args, names)))


def _marked(arguments: list[str], names: set[str]) -> Iterator[str]:
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            yield word
            yield from rest
        elif not _is_for_compilers(word, names):
            yield word
        else:
            yield f"{OPTION}={word}"
            if word in _VALUED and (value := next(rest, None)) is not None:
                yield f"{OPTION}={value}"


def _is_for_compilers(word: str, names: set[str]) -> bool:
    """Whether a word is an option of compilers, and none of the command's with a dash too few."""
    if f"-{word.partition('=')[0]}" in names and not word.startswith("-std="):
        return False
    return word in _ALONE or (word.startswith(_BEGINNINGS) and word not in ("-f", "-m", "-l", "-L"))
