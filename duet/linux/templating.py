"""The templates of harnesses, filled in."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


def rendered(name: str, **values: object) -> str:
    """The text that a template makes, without more than one empty line in a row."""
    text = _environment().get_template(name).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


@cache
def _environment() -> Environment:
    """With the templates that were compiled, which takes longer than to fill them in."""
    return Environment(
        loader=PackageLoader("duet.linux", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
