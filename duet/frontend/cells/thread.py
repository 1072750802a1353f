"""The thread being lowered: its template, the calls that it is in, and what is known where lowering stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from duet.frontend.ctypes.scope import Bound, Local
from duet.frontend.ctypes.types import CType
from duet.frontend.ctypes.values import Object, Value
from duet.frontend.form.control import Body, Case
from duet.frontend.source.nodes import Node
from duet.plip.accesses import Stack
from duet.source import Span

Outcome: TypeAlias = tuple[int, Value]
"""A location, and the value an expression has there."""


class Sign(Enum):
    """What is told apart of the results of a body that calls share."""

    NEGATIVE = auto()
    ZERO = auto()
    POSITIVE = auto()
    ANY = auto()


@dataclass(eq=False)
class Frame:
    """An inlined call: where its jumps lead, and the outcomes of its returns.

    `stacks` are the calls that lead to each place in it; `stacked` is what it has got of `alloca`. `copies`: so often
    the expression at hand is lowered, for each order that C allows. `caller` is where the jump is to the `entry` of its
    body, which calls share if it `is_shared`, and which ends at the `hubs`, by the sign of what it gives; `left` are
    those that returns lead to, none before the body is complete. `shareable` are the commands of calls in it that share
    a body where the budget for copies is used up. `given` are the arguments that are constants, None for others.
    """

    function: str
    result: CType
    prefix: str
    copies: int = 1
    labels: dict[str, int] = field(default_factory=dict)
    breaks: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)
    switches: list[dict[Case, int]] = field(default_factory=list)
    returns: list[Outcome] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    loops: int = 0
    shareable: int = 0
    caller: int | None = None
    entry: int | None = None
    parameters: tuple[Object, ...] = ()
    locals: dict[Local, Object | Bound] = field(default_factory=dict)
    body: Body | None = None
    hubs: dict[Sign, int] = field(default_factory=dict)
    left: set[Sign] = field(default_factory=set)
    value: Object | None = None
    call: Span | None = None
    is_shared: bool = False
    stacked: list[Object] = field(default_factory=list)
    stacks: dict[Span, Stack] = field(default_factory=dict)
    given: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """A step of a jump to a body that is there already, at which locals may have to be made unknown, see `recursion`.

    `place` is the number of its command, `stack` are the bodies around it.
    """

    place: int
    stack: tuple[Frame, ...]
    callee: Frame
    is_return: bool


@dataclass
class Thread:
    """What belongs to one template while it is lowered.

    - `frames`: the calls that lowering is in, from the bottom; `shared_frames`: bodies that several calls share;
      `gaps`: the jumps to such bodies;
    - `known`: local cells that are constants here;
    - `endings`: what a thread does that ends here, the last one first, with the template that it belongs to;
    - `once`: the functions that it is in and that are to be called once, each by the cell of its `pthread_once_t` and
      the number of calls around its body;
    - `nested`: so many bodies were inlined in others of the same function; `unreached`: locations of calls that would
      recur, to which nothing has led so far, with the functions that would;
    - `running`: library functions that were called through pointers and are not done;
    - `copies`: how many there are of the statement being lowered; `copy`: the numbers of those that it stands in;
    - `looped`: the variables that loops which start threads, and were not copied, choose elements of;
    - `ignored`: the expression whose value nobody uses;
    - `operation`: the function of the threads if a registration with the kernel starts them;
    - `keeps_texts`, `keeps_ends`: what is written leaves strings what they are, see `texts` and `last_bytes`.
    """

    template: str = "main"
    frames: list[Frame] = field(default_factory=list)
    shared_frames: dict[str, Frame] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    endings: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    once: list[tuple[str, int]] = field(default_factory=list)
    nested: int = 0
    unreached: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    copies: int = 1
    copy: list[int] = field(default_factory=list)
    looped: set[Local | Object | None] = field(default_factory=set)
    ignored: Node | None = None
    is_atomic: bool = False
    is_in_library: bool = False
    operation: str = ""
    keeps_texts: bool = False
    keeps_ends: bool = False

    @property
    def frame(self) -> Frame:
        """The call being lowered."""
        return self.frames[-1]

    @property
    def way(self) -> tuple[object, ...]:
        """The calls that lead to what is being lowered, from the body on that calls share, if there is one."""
        way: list[object] = []
        for frame in reversed(self.frames):
            way.append(frame.function)
            if frame.is_shared:
                break
            way.append(frame.call)
        return tuple(way)
