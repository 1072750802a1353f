"""Which functions of a driver only the driver calls: it keeps them in structures of its own types.

The kernel may have the address of such a structure, as private data or in a table of devices, but does not know what
is in it. A function is kept if all mentions of it are in members of structures that the driver's C file defines, not
in members of these, which may be of the kernel's types, and such members are only called, tested and written: then no
value of theirs comes to where the kernel would look.
"""

from __future__ import annotations

from collections.abc import Iterator

from duet.frontend.source.parse import ParsedUnit
from duet.linux.mentions import Mentions
from duet.linux.tree import structures


def find_kept(unit: ParsedUnit, mentions: Mentions) -> Iterator[str]:
    """The functions that are kept, as far as functions that can be parsed show."""
    if any(lost.span.file in unit.source for lost in unit.refused):
        return
    own = {tag for tag, found in structures(unit.ast).items() if unit.span(found.coord).file == unit.path}
    for name in mentions.sites:
        sites = mentions.known(name)
        if sites and all(site.structure in own and "." not in site.member for site in sites):
            yield name
