"""C text that runs a Linux driver the way the kernel may run it: module loading, clients, timers, interrupts.

The harness is an over-approximation of the kernel:

- Module parameters take any value of their type, those that sysfs may write at any time; then the driver is brought up
  as the module macros say.
- What a registration brings to life is started *by* the registration, when it succeeds, so it runs concurrently with
  the rest of the bring-up: the clients of a misc device, a notifier, an interrupt handler. Registrations may also fail.
- A timer may fire at any time once something could have armed it: from the first registration on, or from the very
  start if the bring-up itself can reach `mod_timer`. It fires again and again, armed or not.
- Each registered device has any number of clients. With `private` descriptors each one opens the device, operates on
  it, releases it. With `shared` ones any number of threads operate between an open and long after its release.
- What the module exports may be used by others from the start: that is so where it is built into the kernel.
- A file has its device in `private_data` when it is opened, and no position where the driver may make it a stream.
- A notifier may run beside itself, a handler of an interrupt or a timer does not.
- Tear-down runs with everything else alive, also clients: the kernel keeps clients out by a count of users.

A device is probed only while its driver is registered, by a thread that runs beside the rest of the bring-up, and may
be unbound and probed again at any time (sysfs does that). There are any number of devices, but only one where the
driver itself registers it. User space passes arbitrary arguments, except that the kernel itself limits the size of
reads and writes. No name in the harness is one that the driver may use.
"""

from __future__ import annotations

from dataclasses import dataclass

from duet.errors import UsageError
from duet.frontend.source.parse import ParsedUnit
from duet.linux.plan import plan
from duet.linux.roles import Roles, find_roles
from duet.linux.templating import rendered
from duet.options import FrontendOptions

MAX_COUNT = "0x7ffff000ul"
"""The kernel limits reads and writes to so many bytes."""


@dataclass(frozen=True, slots=True)
class Harness:
    """The C text of a harness (no preprocessor lines in it) and the roles that it was made from."""

    text: str
    roles: Roles


def derive(unit: ParsedUnit, options: FrontendOptions) -> Harness:
    """Returns the harness of a driver.

    *Raises*: UsageError if there is no module entry point; Unsupported for callbacks that nobody is known to call.
    """
    roles = find_roles(unit)
    if not roles.init and not roles.module_driver:
        raise UsageError(f"{unit.path}: no module_init and no module_*_driver: not a driver module")
    text = rendered("harness.c.jinja", plan=plan(unit, roles, options.descriptors), max_count=MAX_COUNT)
    return Harness(text, roles)


def combine(preprocessed: str, harness: str, name: str) -> str:
    """Returns the preprocessed text of a driver followed by a harness; its lines are those of the file `name`."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'{preprocessed}\n# 1 "{escaped}"\n{harness}'
