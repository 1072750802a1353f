"""Seeded defects: drivers with a check that holds, and the same text with a defect that makes it fail.

Every mutant is a pair of texts with the same lines. Both carry ghost variables and one added check (or a check that the
analyzer makes itself); the first text is right, the second one has the defect. Nothing of a driver's text is kept here:
the patterns find the places in whatever was fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.linux.roles import Roles, find_roles
from duet.options import FrontendOptions

LOCK = re.compile(r"spin_lock(?:_irqsave|_irq|_bh)?\((&?[\w.>-]+)(?:,\s*\w+)?\);")
UNLOCK = re.compile(r"spin_unlock(?:_irqrestore|_irq|_bh)?\((&?[\w.>-]+)(?:,\s*\w+)?\);")
RANGE = re.compile(
    r"if \(\(?(?P<name>\w+) < (?P<low>-?\w+)\)? \|\| \(?(?P=name) > (?P<high>\w+|\([\d *]+\))\)?\)(?P<rest>[^\n]*)\n"
)
RETURN = re.compile(r"\s*return -EINVAL;")
RELEASE = re.compile(r"\brelease_region\(")
REQUEST = re.compile(r"\brequest_(?:muxed_)?region\(")
REGISTER_NOTIFIER = re.compile(r"\bregister_reboot_notifier\(")
UNREGISTER = re.compile(r"\bunregister_reboot_notifier\(")
REGISTER = re.compile(r"^\t+\w+ = misc_register\(&(?P<device>\w+)\);", re.MULTILINE)
MODULE_INIT = re.compile(r"^module_init\((?P<name>\w+)\);", re.MULTILINE)
GHOSTS = (
    "static int duet_inside, duet_region, duet_notifier, duet_ready;\n"
    "#define duet_request(a, b, c) (request_region(a, b, c) ? (duet_region++, 1) : 0)\n"
    "#define duet_release(a, b) (duet_region--, release_region(a, b))\n"
    "#define duet_register(x) (register_reboot_notifier(x) ? -5 : (duet_notifier = 1, 0))\n"
    "#define duet_unregister(x) (duet_notifier = 0, unregister_reboot_notifier(x))\n"
)
INDICES = (
    # what is wrong, where it is found, what becomes of it, the text of the accesses that then go too far
    ("a wider mask", r"& 0x07\)\]", "& 0x0f)]", "heartbeat_tbl"),
    ("one entry more", r"timeout > 63\b", "timeout > 64", "wd_times[timeout]"),
    ("one action more", r"action <= 3\b", "action <= 4", "str[act]"),
    ("a negative action", r" && action >= 0\b", "", "str[act]"),
    ("no end of the table", r"\[i\]\.ioport != 0", "[i].ioport != 7", "mixcomwd_io_info[i]"),
    ("no end of the table", r"(?<=!found && )sch311x_ioports\[i\]", "sch311x_ioports[i] != 1", "sch311x_ioports[i]"),
    ("an index moved", r"(?<== )pcwd_ioports\[id\]", "pcwd_ioports[id + 2]", "pcwd_ioports[id"),
)


@dataclass(frozen=True)
class Mutant:
    """`right` and `wrong` differ by the defect; it affects the checks of a property on `line` that contain `text`."""

    driver: str
    kind: str
    what: str
    right: str
    wrong: str
    line: int
    property_name: str
    text: str = ""


@dataclass(frozen=True)
class Source:
    """A fetched driver: its text with the ghosts in front, its roles, and which function each line belongs to."""

    name: str
    text: str
    roles: Roles
    functions: tuple[tuple[int, str], ...]

    def function_at(self, position: int) -> str:
        line = self.line(position)
        return next((name for start, name in reversed(self.functions) if start <= line), "")

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1


def read(path: str, name: str) -> Source:
    """The driver in a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = GHOSTS + file.read()
    options = FrontendOptions(model="linux")
    unit = parse(preprocess(path, options).text, path, options)
    shift = GHOSTS.count("\n")
    starts = [
        (unit.span(node.decl.coord).line + shift, node.decl.name)
        for node in unit.ast.ext
        if type(node).__name__ == "FuncDef" and unit.span(node.decl.coord).file.endswith(name)
    ]
    return Source(name, text, find_roles(unit), tuple(sorted(starts)))


def every(source: Source) -> Iterator[Mutant]:
    """All mutants of a driver, in the same order every time."""
    for make in (dropped_locks, ranges, indices, releases, orders):
        yield from make(source)


def _concurrent(source: Source) -> frozenset[str]:
    """The functions that the operations of a device run, so that any number of threads may be in them."""
    stack = [name for device in source.roles.devices for name in device.operations.values()]
    found: set[str] = set()
    while stack:
        name = stack.pop()
        if name not in found and name in source.roles.functions:
            found.add(name)
            stack.extend(sorted(source.roles.calls[name]))
    return frozenset(found)


def dropped_locks(source: Source) -> Iterator[Mutant]:
    """A function that any number of threads run no longer takes the lock around what only one may do."""
    locks = {match[1] for match in LOCK.finditer(source.text)}
    if len(locks) != 1:
        return
    places = [match for match in LOCK.finditer(source.text) if source.function_at(match.start()) in _concurrent(source)]

    def text(dropped: range) -> str:
        def keep(match: re.Match[str]) -> str:
            return "" if match.start() in dropped else match[0]

        result = LOCK.sub(lambda m: f"{{ {keep(m)}@IN@ }}", source.text)
        # positions of the unlocks are those of the original text
        unlocks = iter([keep(match) for match in UNLOCK.finditer(source.text)])
        result = UNLOCK.sub(lambda _: f"{{ @OUT@{next(unlocks)} }}", result)
        inside = " duet_inside++; BUG_ON(duet_inside != 1);"
        return result.replace("@IN@", inside).replace("@OUT@", "duet_inside--; ")

    right = text(range(0))
    starts = [*(match.start() for match in LOCK.finditer(source.text)), len(source.text)]
    for place in places:
        end = starts[starts.index(place.start()) + 1]
        wrong = text(range(place.start(), end))
        function = source.function_at(place.start())
        yield Mutant(
            source.name, "dropped lock", function, right, wrong, source.line(place.start()), "assertion", "duet_inside"
        )


def ranges(source: Source) -> Iterator[Mutant]:
    """A value from outside is no longer validated, or wrongly."""
    for match in RANGE.finditer(source.text):
        name, low, high = match["name"], match["low"], match["high"]
        end = _end_of_body(source.text, match)
        if end is None:
            continue
        check = f" BUG_ON({name} < {low} || {name} > {high});"
        head, body, tail = source.text[: match.start()], source.text[match.start() : end], source.text[end:]
        defects = {
            "not validated": body.replace(f"{name} <", f"0 && {name} <", 1).replace("||", "&&", 1),
            "wrong operator": body.replace("||", "&&", 1),
            "off by one": body.replace(f"> {high}", f"> {high} + 1", 1),
        }
        for what, changed in defects.items():
            yield Mutant(
                source.name,
                "bounds check",
                f"{name} in {source.function_at(match.start())}: {what}",
                head + body + check + tail,
                head + changed + check + tail,
                source.line(end - 1),
                "assertion",
            )


def _end_of_body(text: str, match: re.Match[str]) -> int | None:
    """Behind the body of an `if`: a `return`, or a block; None for others."""
    single = RETURN.match(text, match.end())
    if single and "{" not in match["rest"]:
        return single.end()
    if "{" not in match["rest"]:
        return None
    depth, position = 1, match.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
    return None if text[position:].lstrip().startswith("else") else position


def indices(source: Source) -> Iterator[Mutant]:
    """An index that leaves its table."""
    for what, pattern, new, accesses in INDICES:
        found = re.search(pattern, source.text)
        table = accesses.split("[")[0]
        if found and re.search(rf"\b{table}\[", source.text):
            wrong = source.text[: found.start()] + new + source.text[found.end() :]
            yield Mutant(source.name, "index", what, source.text, wrong, 0, "array-bounds", accesses)


def _with_result(text: str, condition: str) -> str:
    """The driver with a check of what holds when its bring-up has failed."""
    return MODULE_INIT.sub(
        lambda m: (
            f"static int duet_start(void) {{ int r = {m['name']}(); if (r != 0) BUG_ON({condition}); return r; }} "
            "module_init(duet_start);"
        ),
        text,
    )


def releases(source: Source) -> Iterator[Mutant]:
    """A bring-up that fails keeps what it had requested or registered."""
    entry = MODULE_INIT.search(source.text)
    if entry is None:
        return
    cases: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
        ("duet_region", RELEASE, lambda t: REQUEST.sub("duet_request(", RELEASE.sub("duet_release(", t))),
        (
            "duet_notifier",
            UNREGISTER,
            lambda t: REGISTER_NOTIFIER.sub("duet_register(", UNREGISTER.sub("duet_unregister(", t)),
        ),
    )
    for ghost, pattern, instrument in cases:
        calls = [m for m in pattern.finditer(source.text) if source.function_at(m.start()) == entry["name"]]
        first = len(GHOSTS)
        for call in calls:
            leaving = re.search(r"\breturn\b\s*([^;]*);", source.text[call.start() :])
            if leaving is None or leaving[1] == "0":
                continue  # the bring-up has not failed
            wrong = source.text[: call.start()] + "(void)(" + _arguments_only(source.text, call.end())
            right, wrong = (GHOSTS + instrument(text[first:]) for text in (source.text, wrong))
            line = source.line(entry.start())
            what = f"{call[0]}...) on line {source.line(call.start()) - GHOSTS.count(chr(10))}"
            yield Mutant(
                source.name,
                "missing release",
                what,
                _with_result(right, f"{ghost} != 0"),
                _with_result(wrong, f"{ghost} != 0"),
                line,
                "assertion",
            )


def _arguments_only(text: str, position: int) -> str:
    """The text behind the opening parenthesis of a call that goes."""
    end = text.index(")", position)
    return "0" + text[end:]


def orders(source: Source) -> Iterator[Mutant]:
    """A device is registered before what its operations rely on is there."""
    for match in REGISTER.finditer(source.text):
        device = next((d for d in source.roles.devices if d.name == match["device"]), None)
        function = (device.operations.get("write") or device.operations.get("unlocked_ioctl")) if device else None
        if not function or function not in source.roles.functions:
            continue
        opening = re.search(rf"\b{function}\([^;{{]*\)\n\{{", source.text)
        if opening is None or opening.end() > match.start():
            continue
        head = source.text[: opening.end()] + " BUG_ON(duet_ready == 0);" + source.text[opening.end() : match.start()]
        tail = source.text[match.end() :]
        right = f"{head} duet_ready = 1; {match[0]}{tail}"
        wrong = f"{head}{match[0]} duet_ready = 1;{tail}"
        line = source.line(opening.end())
        yield Mutant(source.name, "order", match["device"], right, wrong, line, "assertion", "duet_ready")
