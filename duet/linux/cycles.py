"""The life of a device with its driver: one record for each bus says what is called, in which order, with what.

The core of the kernel calls what a bus has for a device one after the other, under the lock of the device: `probe`
first, and the others only if it succeeds, until `remove`. What runs beside that is called by the general rule. A
driver is run so if its variable says all that matters: its functions are mentioned there and in such variables only,
it has a `probe`, and no code assigns one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.cells.operations import FILE_OPERATIONS, TERMINAL_OPERATIONS
from duet.frontend.source.parse import ParsedUnit
from duet.frontend.source.words import INSTALLED, OPENED
from duet.linux.buses import MARKER
from duet.linux.lvalues import Site
from duet.linux.mentions import Mentions
from duet.linux.tree import declarations, structure_of

DEVICE, MATCH, MESSAGE = f"{MARKER}device", f"{MARKER}match", f"{MARKER}message"
"""Variables of the thread: the device, the entry of a table that it matched, a message of the power management."""
SLEEP = (
    *("prepare", "complete", "suspend", "resume", "freeze", "thaw", "poweroff", "restore"),
    *("suspend_late", "resume_early", "freeze_late", "thaw_early", "poweroff_late", "restore_early"),
    *("suspend_noirq", "resume_noirq", "freeze_noirq", "thaw_noirq", "poweroff_noirq", "restore_noirq"),
)
BINDERS = ("device_bind_driver",)
"""Functions that give any driver a device without a call of it."""
POWER = "dev_pm_ops"
"""Operations that put a device to sleep and wake it; those at run time may be called beside all others."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """What a bus does with a device, which is a `device`, by the members of a `driver`.

    `probes` and `later` are the members with their arguments, `last` is the one that ends it. `success` is how the
    result of a probe is when the driver has the device. `match` is the structure of the entry that it matched, if that
    is an argument that is not null. `general` is the device itself, as the core of the kernel knows it, `power` the
    member with its operations for sleep. `binders` are functions that give a driver a device in another way. `first` is
    a statement in front of all calls, `begun` what is called once a driver has the device, `ended` before the last of
    its calls. If there are `takers`, drivers
    come to the bus by these functions, or in the members of the structures that are among them.
    """

    driver: str
    device: str
    probes: Mapping[str, str]
    last: Mapping[str, str]
    later: Mapping[str, str]
    success: str = "== 0"
    match: str = ""
    general: str = f"&{DEVICE}->dev"
    power: str = "driver.pm"
    binders: tuple[str, ...] = ()
    first: str = ""
    begun: str = ""
    ended: str = ""
    takers: tuple[str | tuple[str, str], ...] = ()
    is_walk: bool = False

    @property
    def members(self) -> frozenset[str]:
        """All members that are called."""
        return frozenset({*self.probes, *self.later, *self.last})


_ANY = f"{MARKER}nondet_ptr()"
CYCLES = (
    Cycle(
        "platform_driver",
        "platform_device",
        {"probe": DEVICE},
        {"remove": DEVICE},
        {"shutdown": DEVICE, "suspend": f"{DEVICE}, {MESSAGE}", "resume": DEVICE},
        binders=("__platform_driver_probe", "__platform_create_bundle"),
    ),
    Cycle(
        "i2c_driver",
        "i2c_client",
        {"probe": f"{DEVICE}, {_ANY}", "probe_new": DEVICE},
        {"remove": DEVICE},
        {"shutdown": DEVICE},
    ),
    Cycle("spi_driver", "spi_device", {"probe": DEVICE}, {"remove": DEVICE}, {"shutdown": DEVICE}),
    Cycle(
        "pci_driver",
        "pci_dev",
        {"probe": f"{DEVICE}, {MATCH}"},
        {"remove": DEVICE},
        {"shutdown": DEVICE, "suspend": f"{DEVICE}, {MESSAGE}", "resume": DEVICE},
        success=">= 0",
        match="pci_device_id",
    ),
    Cycle(
        "pnp_driver",
        "pnp_dev",
        {"probe": f"{DEVICE}, {_ANY}"},
        {"remove": DEVICE},
        {"shutdown": DEVICE, "suspend": f"{DEVICE}, {MESSAGE}", "resume": DEVICE},
        success=">= 0",
    ),
    Cycle("serdev_device_driver", "serdev_device", {"probe": DEVICE}, {"remove": DEVICE}, {}),
    Cycle(
        "usb_driver",
        "usb_interface",
        {"probe": f"{DEVICE}, {MATCH}"},
        {"disconnect": DEVICE},
        {
            "suspend": f"{DEVICE}, {MESSAGE}",
            "resume": DEVICE,
            "reset_resume": DEVICE,
            "pre_reset": DEVICE,
            "post_reset": DEVICE,
        },
        match="usb_device_id",
        power="",
        binders=("usb_driver_claim_interface",),
    ),
    Cycle(  # serio_connect_driver() and serio_driver_remove(); what the port sends comes from serio_open() on
        "serio_driver",
        "serio",
        {"connect": f"{DEVICE}, (struct serio_driver *){MATCH}"},
        {"disconnect": DEVICE},
        {},
        match="serio_driver",
        power="",
        first=f"{DEVICE}->dev.driver_data = {_ANY};",  # serio_bind_driver() leaves what a `connect` that failed had set
    ),
    Cycle(  # tty_init_dev() and release_one_tty(); `close` follows an `open` that fails, too
        TERMINAL_OPERATIONS,
        "tty_struct",
        {"install": f"(struct tty_driver *){MATCH}, {DEVICE}"},
        {"cleanup": DEVICE},
        {},
        success=">= 0",
        match="tty_driver",
        general="",
        power="",
        binders=("alloc_tty_struct",),
        begun=INSTALLED,
        takers=("tty_set_operations",),
    ),
    Cycle(  # a file from its opening on: do_dentry_open(), __fput(); the others of its operations are called meanwhile
        FILE_OPERATIONS,
        "file",
        {"open": f"(struct inode *){MATCH}, {DEVICE}"},
        {"release": f"(struct inode *){MATCH}, {DEVICE}"},
        {},
        match="inode",
        general="",
        power="",
        begun=OPENED,
        ended="__duet_closed",
        takers=(
            *("register_chrdev", "__register_chrdev", "cdev_init", "debugfs_create_file", "debugfs_create_file_unsafe"),
            *(("miscdevice", "fops"), ("usb_class_driver", "fops")),
        ),
    ),
    Cycle(  # seq_read_iter() and traverse(), under the lock of the file: nobody else changes its index
        "seq_operations",
        "seq_file",
        {"start": ""},
        {"stop": ""},
        {"next": "", "show": ""},
        general="",
        power="",
        takers=(
            "seq_open",
            "seq_open_private",
            "__seq_open_private",
            "proc_create_seq_private",
            "proc_create_net_data",
        ),
        is_walk=True,
    ),
)
INDEX = "index"
"""The member of a `seq_file` that is where its walk has come to; the walk of a harness has a variable of its own."""


@dataclass(frozen=True, slots=True)
class Life:
    """The life of the devices of one driver, a variable: calls as C text, and what they call with its sites."""

    name: str
    cycle: Cycle
    probes: tuple[str, ...]
    later: tuple[str, ...]
    last: tuple[str, ...]
    named: frozenset[tuple[Site, str]]

    @property
    def functions(self) -> Mapping[str, str]:
        """The functions that are called, by the last parts of their members."""
        return {site.member.rpartition(".")[2]: name for site, name in self.named}

    @property
    def thread(self) -> str:
        """The function of the harness that runs it."""
        return f"{MARKER}life_of_{self.name}"

    @property
    def has_message(self) -> bool:
        """Whether a call has a message of the power management as an argument."""
        return any(MESSAGE in call for call in self.later)


def find_lives(unit: ParsedUnit, mentions: Mentions) -> tuple[Life, ...]:
    """The drivers of a unit whose devices have a life of this kind."""
    drivers = {
        str(decl.name): cycle
        for cycle in CYCLES
        for decl in declarations(unit.ast)
        if _is_of(decl, cycle) and _is_probed(decl, cycle, mentions)
    }
    return tuple(_life(name, drivers, mentions) for name in drivers)


def threads_of(function: str, lives: Sequence[Life], mentions: Mentions) -> tuple[str, ...]:
    """The threads that run where the kernel finds a function: itself, too, if a site of it is in no life."""
    named = [(site, function) for site in mentions.known(function)]
    threads = [life.thread for life in lives if not life.named.isdisjoint(named)]
    is_general = not frozenset(named) <= frozenset[tuple[Site, str]]().union(*(life.named for life in lives))
    return (*threads, *((function,) if is_general else ())) if threads else ()


def _is_of(decl: c_ast.Decl, cycle: Cycle) -> bool:
    is_static = "static" in (decl.storage or ())
    is_variable = isinstance(decl.type, c_ast.TypeDecl) and decl.init is not None
    return is_static and is_variable and structure_of(decl) == cycle.driver


def _named(variable: str, mentions: Mentions) -> Iterator[tuple[Site, str]]:
    """What the initialiser of a variable names."""
    return ((site, name) for name, sites in mentions.sites.items() for site in sites if site.variable == variable)


def _is_probed(decl: c_ast.Decl, cycle: Cycle, mentions: Mentions) -> bool:
    """Whether the device of a driver is probed by the functions that its initialiser names, and in no other way."""
    driver = str(decl.name)
    probes = [name for site, name in _named(driver, mentions) if site.member in cycle.probes]
    is_known = bool(probes) and all(map(mentions.known, probes))
    is_assigned = "const" not in (decl.quals or ()) and bool(mentions.assigned & cycle.probes.keys())
    is_bound = bool(mentions.called & {*cycle.binders, *BINDERS}) or not _is_taken(driver, cycle, mentions)
    return is_known and not is_assigned and not is_bound and (not cycle.is_walk or _is_whole(driver, cycle, mentions))


def _is_whole(driver: str, cycle: Cycle, mentions: Mentions) -> bool:
    """Whether one function is known for each member of a walk, and the core alone moves it on."""
    members = [site.member for site, name in _named(driver, mentions) if mentions.known(name)]
    return sorted(members) == sorted(cycle.members) and INDEX not in mentions.assigned


def _is_taken(driver: str, cycle: Cycle, mentions: Mentions) -> bool:
    """Whether a driver only comes to its bus by those who bring it there, where it is said who does."""
    members = {(site.structure, site.member) for site in mentions.sites.get(driver, ())}
    given = members.union(mentions.handed.get(driver, ()))
    return not cycle.takers or (driver not in mentions.lost | mentions.copied and given <= {*cycle.takers})


def _life(driver: str, drivers: Mapping[str, Cycle], mentions: Mentions) -> Life:
    """The life of the devices of a driver; `drivers` are all that have one."""

    def is_only_here(table: str) -> bool:
        sites = mentions.known(table)
        return bool(sites) and all(
            site.variable in drivers and site.member == drivers[site.variable].power for site in sites
        )

    cycle = drivers[driver]
    own = [(site, name) for site, name in _named(driver, mentions) if mentions.known(name)]
    tables = [name for site, name in own if site.member == cycle.power and is_only_here(name)]
    sleep = [
        (site, name)
        for table in tables
        for site, name in _named(table, mentions)
        if mentions.known(name) and site.structure == POWER and site.member in SLEEP
    ]

    def calls(members: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(f"{name}({members[site.member]})" for site, name in own if site.member in members)

    later = (*calls(cycle.later), *(f"{name}({cycle.general})" for name in dict.fromkeys(name for _, name in sleep)))
    called = [(site, name) for site, name in own if site.member in cycle.members]
    return Life(driver, cycle, calls(cycle.probes), later, calls(cycle.last), frozenset((*called, *sleep)))
