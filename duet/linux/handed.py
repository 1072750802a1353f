"""What the core of a subsystem has in hand when it calls a function that it found: objects of its own.

One record for each parameter that is such an object, with what the core has done to it. Where a function is found by
its core only, the harness has a caller for it with that object; members that are not here are given anything.
A caller has what was registered as its first parameter, also for functions that get it as a later one (`LATER`).
*Source*: the functions of Linux 6.1 that the records name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from duet.frontend.source.parse import ParsedUnit
from duet.linux.buses import MARKER
from duet.linux.lvalues import Site
from duet.linux.mentions import Mentions
from duet.linux.tree import members, structure_of, structures, text

OBJECT = f"{MARKER}object"
_STRUCTURE = "struct "


@dataclass(frozen=True, slots=True)
class Handed:
    """The parameter at a `position` points to an object of a type, or to the first of so many.

    `bounds` are the members that lie in a range, `fixed` those that hold a number; others hold anything. If there is a
    `length`, the position of a parameter, it is a string in memory of its own: so many bytes as that says, a page at
    most, with a null character behind them.
    """

    position: int
    type: str
    count: int = 1
    bounds: tuple[tuple[str, int, int], ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    length: int | None = None

    @property
    def name(self) -> str:
        """The name of the object."""
        return f"{OBJECT}_{self.position}"


@dataclass(frozen=True, slots=True)
class Caller:
    """A function of the harness that calls one of the driver's.

    It has `parameters` of its own, of which those at the `given` positions are never null. The others that the
    `function` has point to what is `handed`; `arguments` are all of them, `names` those of the function's parameters.
    """

    function: str
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    names: tuple[str, ...]
    handed: tuple[Handed, ...]
    given: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the caller."""
        return f"{MARKER}call_of_{self.function}"


_YEARS = ("tm_year", -1900, 2**31 - 1 - 1900)
_TIME = (("tm_sec", 0, 59), ("tm_min", 0, 59), ("tm_hour", 0, 23), ("tm_mday", 1, 31), ("tm_mon", 0, 11), _YEARS)
"""rtc_valid_tm() and rtc_subtract_offset(): nothing is said of the day of the week, which comes from user space."""
_ALARM = (*_TIME, ("tm_wday", 0, 6), ("tm_yday", 1, 366))
"""rtc_time64_to_tm(), which all alarms go through."""
_NAMES = ("tm_sec", "tm_min", "tm_hour", "tm_mday", "tm_mon", "tm_year", "tm_wday", "tm_yday", "tm_isdst")
PAGE = 4096
"""The bytes of a page at least: what sysfs has for the text of an attribute."""
_TEXT = (Handed(2, "char", PAGE),)
_WRITTEN = (Handed(2, "char", length=3),)
"""kernfs_fop_write_iter() puts a null character behind what was written; sysfs_kf_write() leaves out what is empty."""
_DRIVER_WRITTEN = (Handed(1, "char", length=2),)
HANDED: Mapping[str, Mapping[str, tuple[Handed, ...]]] = {
    "rtc_class_ops": {
        "set_time": (Handed(1, "struct rtc_time", bounds=_TIME),),
        "read_time": (Handed(1, "struct rtc_time", fixed=tuple((name, 0) for name in _NAMES)),),
        "set_alarm": (
            Handed(1, "struct rtc_wkalrm", bounds=tuple((f"time.{name}", low, high) for name, low, high in _ALARM)),
        ),
        "read_alarm": (
            Handed(
                1,
                "struct rtc_wkalrm",
                fixed=(("enabled", 0), ("pending", 0), *((f"time.{name}", -1) for name in _NAMES)),
            ),
        ),
        "read_offset": (Handed(1, "long"),),  # offset_show() and rtc_dev_ioctl() have one each
    },
    "hwmon_ops": {"read": (Handed(4, "long"),)},
    "iio_info": {"read_raw": (Handed(2, "int"), Handed(3, "int"))},
    "device_attribute": {"show": _TEXT, "store": _WRITTEN},
    "sensor_device_attribute": {"dev_attr.show": _TEXT, "dev_attr.store": _WRITTEN},
    "sensor_device_attribute_2": {"dev_attr.show": _TEXT, "dev_attr.store": _WRITTEN},
    "kobj_attribute": {"show": _TEXT, "store": _WRITTEN},
    "driver_attribute": {"show": (Handed(1, "char", PAGE),), "store": _DRIVER_WRITTEN},
}
LATER: Mapping[str, Mapping[str, int]] = {"net_device_ops": {"ndo_start_xmit": 1}}
"""The position of the parameter that is what was registered, where that is not the first one."""


def is_later(site: Site) -> bool:
    """Whether a function at a site gets what was registered as another parameter than the first one."""
    return site.member in LATER.get(site.structure, {})


def find_callers(unit: ParsedUnit, mentions: Mentions, given: Mapping[str, tuple[int, ...]]) -> Iterator[Caller]:
    """The callers of a unit's functions; `given` are the parameters of these that are never null."""
    known = structures(unit.ast)
    for item in unit.ast.ext:
        if not isinstance(item, c_ast.FuncDef) or item.param_decls:
            continue
        name = str(item.decl.name)
        sites = mentions.known(name)
        found = {HANDED.get(site.structure, {}).get(site.member, ()) for site in sites}
        handed = next(iter(found)) if len(found) == 1 else ()
        subjects = {LATER.get(site.structure, {}).get(site.member, 0) for site in sites}
        subject = next(iter(subjects)) if len(subjects) == 1 else 0
        parameters = getattr(item.decl.type.args, "params", None) or []
        is_plain = all(isinstance(parameter, c_ast.Decl) and parameter.name for parameter in parameters)
        last = max((subject, *(max(each.position, each.length or 0) for each in handed)))
        is_fitting = bool(handed or subject) and last < len(parameters)
        if is_plain and is_fitting and all(_is_there(each, known) for each in handed):
            yield _caller(name, parameters, handed, given.get(name, ()), subject)


def _is_there(handed: Handed, known: Mapping[str, c_ast.Struct]) -> bool:
    """Whether a unit defines the type of an object, with all members that something is said of."""
    if not handed.type.startswith(_STRUCTURE):
        return True
    paths = [name for name, *_ in handed.bounds] + [name for name, _ in handed.fixed]
    return all(_has_member(handed.type.removeprefix(_STRUCTURE), path, known) for path in paths)


def _has_member(tag: str, path: str, known: Mapping[str, c_ast.Struct]) -> bool:
    first, _, rest = path.partition(".")
    found = next((item for item in members(known.get(tag)) if item.name == first), None)
    return found is not None and (not rest or _has_member(structure_of(found), rest, known))


def _caller(
    name: str, parameters: list[c_ast.Decl], handed: tuple[Handed, ...], given: tuple[int, ...], subject: int
) -> Caller:
    objects = {each.position: each for each in handed}
    own = [subject, *(place for place in range(len(parameters)) if place not in objects and place != subject)]
    arguments = [str(item.name) for item in parameters]
    for place, each in objects.items():
        arguments[place] = each.name if each.count > 1 or each.length is not None else f"&{each.name}"
    positions = tuple(at for at, place in enumerate(own) if place in given)
    declared, names = tuple(text(parameters[place]) for place in own), tuple(str(item.name) for item in parameters)
    return Caller(name, declared, tuple(arguments), names, handed, positions)
