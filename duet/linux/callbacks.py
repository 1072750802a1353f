"""Structures of functions that the kernel calls, and functions of the kernel that take callbacks: one record each.

Members of such a structure that no record names are refused (`refusals`), so that a header cannot get ahead of this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Phase(Enum):
    """When a callback is called."""

    OPEN = "once for each open file, before its operations"
    OPERATION = "any number of times while the file is open"
    RELEASE = "once for each open file, at the end"
    NOTIFY = "any number of times while it is registered"
    EXPIRE = "any number of times once it can be armed"
    MATCH = "before a device is probed, to refuse it"
    PROBE = "when a device comes"
    REMOVE = "when a device goes"
    SHUTDOWN = "once, at any time while a device is bound"
    SUSPEND = "at any time while a device is bound"
    RESUME = "at any time while a device is bound, after it was suspended"


@dataclass(frozen=True, slots=True)
class Callback:
    """A member of a structure that is a function, and the arguments of its calls as C text of the harness.

    In the arguments `{object}` is the address of the structure. Where it `transfers` they have a `__duet_count`, and
    `{position}` is the address of a position, or may be none.
    """

    member: str
    phase: Phase
    arguments: str
    transfers: bool = False


@dataclass(frozen=True, slots=True)
class Holder:
    """A structure of the kernel with functions in it: the callbacks, and the members that point to further holders.

    A function without a model that is given one that `is_called` may call what is in it at any time from then on.
    """

    structure: str
    callbacks: tuple[Callback, ...] = ()
    tables: tuple[str, ...] = ()
    is_called: bool = False

    @property
    def bound(self) -> frozenset[str]:
        """The members that say which functions are called."""
        return frozenset({*(callback.member for callback in self.callbacks), *self.tables})


@dataclass(frozen=True, slots=True)
class Taker:
    """A function of the kernel that is understood by the names of its arguments.

    Its first argument is the address of a variable of type `structure`, the one at the position `callback` a function:
    one that is named there if it `is_named`, else it may be any of its type.
    """

    function: str
    structure: str = ""
    callback: int | None = None
    is_named: bool = True


_TRANSFER = "__duet_count, {position}"
_COMMAND = "&__duet_file, __duet_nondet_uint(), __duet_nondet_ulong()"
FILE_OPERATIONS = Holder(
    "file_operations",
    (
        Callback("open", Phase.OPEN, "&__duet_inode, &__duet_file"),
        Callback("read", Phase.OPERATION, f"&__duet_file, (char *)__duet_nondet_ptr(), {_TRANSFER}", True),
        Callback("write", Phase.OPERATION, f"&__duet_file, (const char *)__duet_nondet_ptr(), {_TRANSFER}", True),
        Callback("unlocked_ioctl", Phase.OPERATION, _COMMAND),
        Callback("compat_ioctl", Phase.OPERATION, _COMMAND),
        Callback("llseek", Phase.OPERATION, "&__duet_file, __duet_nondet_longlong(), __duet_nondet_int()"),
        Callback("poll", Phase.OPERATION, "&__duet_file, (struct poll_table_struct *)__duet_nondet_ptr()"),
        Callback("flush", Phase.OPERATION, "&__duet_file, __duet_nondet_ptr()"),
        Callback(
            "fsync",
            Phase.OPERATION,
            "&__duet_file, __duet_nondet_longlong(), __duet_nondet_longlong(), __duet_nondet_int()",
        ),
        Callback("release", Phase.RELEASE, "&__duet_inode, &__duet_file"),
    ),
    is_called=True,
)
POSITIONED = frozenset({"nonseekable_open"})
"""Functions that change the mode of a file, but do not take its position away."""
MISC_DEVICE = Holder("miscdevice", tables=("fops",))
NOTIFIER = Holder(
    "notifier_block",
    (Callback("notifier_call", Phase.NOTIFY, "{object}, __duet_nondet_ulong(), __duet_nondet_ptr()"),),
    is_called=True,
)
TIMER = Holder("timer_list", (Callback("function", Phase.EXPIRE, "{object}"),))
HOLDERS = (FILE_OPERATIONS, MISC_DEVICE, NOTIFIER, TIMER)
"""Those that are no drivers of a bus."""

MISC_REGISTER = Taker("misc_register", "miscdevice")
REBOOT_NOTIFIER = Taker("register_reboot_notifier", "notifier_block")
TIMER_SETUP = Taker("timer_setup", callback=1, is_named=False)
REQUEST_IRQ = Taker("request_irq", callback=1)
ARMING = (Taker("mod_timer"), Taker("add_timer"))
"""The functions that arm a timer."""
TAKERS = (MISC_REGISTER, REBOOT_NOTIFIER, TIMER_SETUP, REQUEST_IRQ, *ARMING)
"""Those that do not register drivers of a bus."""
