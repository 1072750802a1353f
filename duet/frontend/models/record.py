"""A library function as one record: what is known of it, and its model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from duet.errors import InternalError
from duet.frontend.cells.context import Context
from duet.frontend.cells.thread import Outcome
from duet.frontend.ctypes.library import EACH, Description
from duet.frontend.models.call import Call, Model
from duet.frontend.models.effects import Argument, Effect, Within

Body: TypeAlias = Model | Effect


@dataclass(frozen=True, slots=True)
class LibraryFunction(Description):
    """Functions that are alike, under all of their names.

    `body` lowers a call; None for functions that are unknown but for what is described. The prototype is that of the
    headers that the program includes, or else of the bundled header of such functions (see `ctypes.signatures`).
    """

    body: Body | None = None

    def asks_for(self, position: int) -> bool:
        """Whether a null pointer is refused in place of an argument, whatever the others are."""
        is_sized = isinstance(self.body, Effect) and position in self.body.sized
        return not is_sized and Description.asks_for(self, position)

    def is_told(self, position: int) -> bool:
        """Whether the record or its model says how much is used behind an argument."""
        is_of_effect = isinstance(self.body, Effect) and position in self.body.told
        return is_of_effect or Description.is_told(self, position)

    def reads_text(self, position: int) -> bool:
        """Whether a string is read behind an argument that leads to characters."""
        return position in self.texts or (isinstance(self.body, Effect) and not self.is_told(position))

    @property
    def used_briefly(self) -> Collection[int]:
        """The arguments behind which a call uses memory during that call only: an effect keeps none."""
        return EACH if isinstance(self.body, Effect) else self.brief

    @property
    def gives_back(self) -> int | None:
        """The argument into which the result may lead."""
        returns = self.body.returns if isinstance(self.body, Effect) else None
        return returns.position if isinstance(returns, Argument | Within) else self.into

    @property
    def model(self) -> Model | None:
        """What lowers a call."""
        return self.body.model if isinstance(self.body, Effect) else self.body


def without(name: str, positions: tuple[int, ...], plain: LibraryFunction) -> Model:
    """The model of a function that is another one with further arguments at some positions."""

    def model(ctx: Context, call: Call) -> list[Outcome]:
        for at in positions:
            call.value(ctx, at)
        arguments = [value for at, value in enumerate(call.arguments) if at not in positions]
        kind = call.kind
        if kind is not None and kind.parameters is not None:
            left = tuple(part for at, part in enumerate(kind.parameters) if at not in positions)
            kind = replace(kind, parameters=left)
        assert plain.model is not None
        return plain.model(ctx, replace(call, name=name, arguments=arguments, kind=kind))

    return model


def table(*groups: Iterable[LibraryFunction]) -> Mapping[str, LibraryFunction]:
    """All records by name. *Raises*: InternalError where two have the same name."""
    found: dict[str, LibraryFunction] = {}
    for group in groups:
        for record in group:
            for name in record.names:
                if name in found:
                    raise InternalError(f"the library function '{name}' has two records")
                found[name] = record
    return MappingProxyType(found)
