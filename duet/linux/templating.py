"""The templates of harnesses, filled in."""

from __future__ import annotations

import re

from jinja2 import Environment, PackageLoader, StrictUndefined


def rendered(name: str, **values: object) -> str:
    """The text that a template makes, without more than one empty line in a row."""
    environment = Environment(
        loader=PackageLoader("duet.linux", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    text = environment.get_template(name).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"
