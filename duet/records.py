"""`dataclass` for records of which a run makes very many: nobody may change them, but that is not checked at run time.

A frozen dataclass sets each field of a new object through `object.__setattr__`, which costs a twentieth of a run. mypy
takes this decorator for that of the standard library, and refuses to change a record of either.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, **options: Any) -> Any:
        """The decorator of the standard library; objects that it would freeze have a hash and are left as they are."""
        return dataclasses.dataclass(cls, unsafe_hash=frozen and options.get("eq", True), **options)
