"""Seeded defects in any kernel driver, found in its text: a check, and the same check where it fails.

A `Defect` is edits of a driver's text. Those for `both` texts add ghost variables and a check; with those of the
`wrong` one the check fails in some execution of the kernel. No edit adds a line, so that checks are told by theirs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

Edit = tuple[int, int, str]
"""The text from one position up to another becomes this."""

_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_FUNCTION = re.compile(r"^(?P<head>[A-Za-z][^;{}#=]*?\b(?P<name>\w+)\s*\([^;{}#]*\)\s*)^\{", re.MULTILINE)
_IF = re.compile(r"\bif \(")
_JUMP = re.compile(r"\s*(?:return\b[^;{}]*|goto \w+|break|continue);")
_BLOCK_JUMP = re.compile(r"[;{}]\s*(?:return\b[^;{}]*|goto \w+|break|continue);\s*\}$")
_PURE = re.compile(r"(?:[\w\s<>!&|()+*-]|==|<=|>=|!=|->|\.(?=\w))+")
_CALL = re.compile(r"\b(\w+)\s*\(")
_HARMLESS = frozenset(("likely", "unlikely", "IS_ERR", "IS_ERR_OR_NULL", "ARRAY_SIZE", "sizeof", "if"))
_BOUND = re.compile(r"(?P<left>[\w>.-]+) (?P<operator>>=|>|<=|<) (?P<right>\d+|[A-Z_][A-Z\d_]*|ARRAY_SIZE\(\w+\))")
_MOVED = {">=": "> ", ">": "> 1 + ", "<=": "< ", "<": "< -1 + "}
_LOCK_NAMES = re.compile(r"\b(?:DEFINE_MUTEX|DEFINE_SPINLOCK|DEFINE_RAW_SPINLOCK)\((\w+)\)")
_TAKEN = r"(?:mutex_lock|(?:raw_)?spin_lock(?:_irqsave|_irq|_bh)?)\(&{name}\s*(?:,\s*\w+)?\);"
_GIVEN = r"(?:mutex_unlock|(?:raw_)?spin_unlock(?:_irqrestore|_irq|_bh)?)\(&{name}\s*(?:,\s*\w+)?\);"
_LOOP = re.compile(
    r"for \(\s*(?:\w+ )?(?P<name>\w+) = 0; (?P=name) (?P<less><) (?P<bound>ARRAY_SIZE\(\w+\)|[A-Z_\d]+);"
)
_REGISTER = re.compile(
    r"^\t(?P<all>(?P<keep>return |\w+ = |[\w>-]+ = |)"
    r"(?P<call>\w*(?:register|cdev_add|kthread_run|request_irq)\w*\([^;{}]*\));)",
    re.MULTILINE,
)
_ENTRY = re.compile(r"^module_init\((\w+)\)|^\t+\.probe(?:_new)?\s*=\s*(\w+),", re.MULTILINE)
_MEMBER = re.compile(r"^\t+\.(\w+)\s*=\s*(\w+),", re.MULTILINE)
_WAIT = re.compile(
    r"^\t+(?P<call>(?:del_timer_sync|timer_delete_sync|cancel_work_sync|cancel_delayed_work_sync|flush_work|free_irq|"
    r"kthread_stop|tasklet_kill|flush_workqueue|destroy_workqueue|hrtimer_cancel)\([^;{}]*\);)",
    re.MULTILINE,
)
_ASYNCHRONOUS = re.compile(
    r"\b(?:INIT_WORK|INIT_DELAYED_WORK|timer_setup|setup_timer|tasklet_init|tasklet_setup|DECLARE_WORK|DEFINE_TIMER|"
    r"DECLARE_DELAYED_WORK|(?:devm_)?request_(?:threaded_|any_context_)?irq|kthread_run)\([^;{}]*?[,\s](\w+)\s*[,)]"
)


@dataclass(frozen=True)
class Defect:
    """The checks of a property on `lines` with `text` in them hold with the edits of `both`, and fail with `wrong`."""

    kind: str
    what: str
    function: str
    both: tuple[Edit, ...]
    wrong: tuple[Edit, ...]
    lines: range
    property_name: str = "assertion"
    text: str = ""
    ghost: str = ""


@dataclass(frozen=True)
class Driver:
    """The text of a driver as kernel people lay it out: bodies of functions start and end in the first column."""

    text: str

    @cached_property
    def bare(self) -> str:
        """The text without comments and literals, at the same positions."""
        return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.text)

    @cached_property
    def functions(self) -> dict[str, tuple[int, int]]:
        """Where the bodies of functions are, braces included."""
        found = {}
        for match in _FUNCTION.finditer(self.bare):
            end = self.bare.find("\n}", match.end())
            if end >= 0:
                found[match["name"]] = (match.end() - 1, end + 2)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, position: int) -> int:
        return bisect_right(self._starts, position)

    def function_at(self, position: int) -> str:
        return next((name for name, (start, end) in self.functions.items() if start <= position < end), "")

    def closed(self, position: int) -> int:
        """Behind the parenthesis or brace that closes the one at a position; -1 if there is none."""
        depth = 0
        for place in range(position, len(self.bare)):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(self.bare[place], 0)
            if depth == 0:
                return place + 1
        return -1


def every(driver: Driver) -> Iterator[Defect]:
    """All defects of a driver, in the same order every time."""
    for make in (conditions, locks, loops, orders, waits):
        yield from make(driver)


def conditions(driver: Driver) -> Iterator[Defect]:
    """What turns values away is dropped, or is off by one: behind it the condition no longer has to be false."""
    for match in _IF.finditer(driver.bare):
        end = driver.closed(match.end() - 1)
        function = driver.function_at(match.start())
        after = _behind_jump(driver, end) if end > 0 and function else -1
        condition = driver.bare[match.end() : end - 1]
        if after < 0 or not _PURE.fullmatch(condition) or {*_CALL.findall(condition)} - _HARMLESS:
            continue
        line = driver.line(after - 1)
        told = " ".join(condition.split())
        both = ((match.start(), match.start(), "{ "), (after, after, f" BUG_ON({told}); }}"))
        dropped = (match.end(), match.end(), "0 && ("), (end - 1, end - 1, ")")
        yield Defect("dropped check", told, function, both, dropped, range(line, line + 1))
        bound = _BOUND.fullmatch(condition)
        if bound:
            place = match.end() + bound.start("operator"), match.end() + bound.end("operator") + 1
            moved = ((*place, _MOVED[bound["operator"]]),)
            yield Defect("off by one", told, function, both, moved, range(line, line + 1))


def _behind_jump(driver: Driver, position: int) -> int:
    """Behind what an `if` guards, if that leaves and no `else` follows; else -1."""
    jump = _JUMP.match(driver.bare, position)
    end = jump.end() if jump else -1
    opening = re.compile(r"\s*\{").match(driver.bare, position)
    if opening:
        end = driver.closed(opening.end() - 1)
        if end < 0 or not _BLOCK_JUMP.search(driver.bare[position:end]):
            return -1
    return -1 if end < 0 or re.compile(r"\s*else\b").match(driver.bare, end) else end


def locks(driver: Driver) -> Iterator[Defect]:
    """A function no longer takes a lock at file scope around what only one thread may do."""
    for name in dict.fromkeys(_LOCK_NAMES.findall(driver.bare)):
        taken, given = (list(re.finditer(form.format(name=name), driver.bare)) for form in (_TAKEN, _GIVEN))
        if len(taken) + len(given) != len(re.findall(rf"\(&{name}\b", driver.bare)):
            continue  # it is taken in other ways, too
        ghost = f"duet_inside_{name}"
        both = [(m.start(), m.start(), "{ ") for m in taken]
        both += [(m.end(), m.end(), f" {ghost}++; BUG_ON({ghost} != 1); }}") for m in taken]
        both += [edit for m in given for edit in ((m.start(), m.start(), f"{{ {ghost}--; "), (m.end(), m.end(), " }"))]
        for function in dict.fromkeys(driver.function_at(m.start()) for m in taken):
            own = [m for m in (*taken, *given) if driver.function_at(m.start()) == function]
            wrong = tuple((m.start(), m.end(), "") for m in own)
            lines = driver.line(own[0].start())
            yield Defect("dropped lock", name, function, tuple(both), wrong, range(lines, lines + 1), ghost=ghost)


def loops(driver: Driver) -> Iterator[Defect]:
    """A loop goes one further than the array that it runs through."""
    for match in _LOOP.finditer(driver.bare):
        function, bound, name = driver.function_at(match.start()), match["bound"], match["name"]
        sized = re.fullmatch(r"ARRAY_SIZE\((\w+)\)", bound)
        arrays = [sized[1]] if sized else re.findall(rf"\b(\w+)\[{bound}\]", driver.bare)
        opening = driver.bare.find(")", driver.closed(match.start() + 4) - 1) + 1
        block = re.compile(r"\s*\{").match(driver.bare, opening)
        end = driver.closed(block.end() - 1) if block else driver.bare.find(";", opening)
        for array in dict.fromkeys(arrays):
            if function and re.search(rf"\b{array}\[{name}\]", driver.bare[opening:end]):
                lines = range(driver.line(opening), driver.line(end) + 1)
                wrong = ((match.start("less"), match.end("less"), "<="),)
                access = f"{array}[{name}]"
                yield Defect("one too far", access, function, (), wrong, lines, "array-bounds", access)


def _registered(driver: Driver, function: str) -> tuple[re.Match[str], ...]:
    """The statements of a function that register something."""
    start, end = driver.functions[function]
    return tuple(match for match in _REGISTER.finditer(driver.bare, start, end) if "unregister" not in match["call"])


def orders(driver: Driver) -> Iterator[Defect]:
    """What callbacks rely on is set up when they are already registered."""
    entries = [left or right for left, right in _ENTRY.findall(driver.bare)]
    entry = next((name for name in entries if name in driver.functions and _registered(driver, name)), "")
    if not entry:
        return
    found = _registered(driver, entry)
    first, last = found[0], found[-1]
    both = (_set(first, is_before=True),)
    taken_back = (first.start("all"), first.start("all"), "duet_ready = 0;")
    wrong = (taken_back, _set(last, is_before=False)) if first is not last else (_moved(driver, first),)
    for member, function in dict.fromkeys(_MEMBER.findall(driver.bare)):
        if function in driver.functions and function not in entries and member != "match":
            opening = driver.functions[function][0] + 1
            check = (opening, opening, " BUG_ON(duet_ready == 0);")
            line = driver.line(opening)
            yield Defect(
                "order", f".{member}", function, (*both, check), wrong, range(line, line + 1), ghost="duet_ready"
            )


def _set(match: re.Match[str], is_before: bool) -> Edit:
    """The flag is set in front of a statement, or behind it."""
    place = match.start("all") if is_before else match.end("all")
    return place, place, "duet_ready = 1; " if is_before else " duet_ready = 1;"


def _moved(driver: Driver, match: re.Match[str]) -> Edit:
    """One statement that registers, with the flag set behind it instead."""
    call, keep = driver.text[match.start("call") : match.end("call")], match["keep"]
    statement = f"{{ int duet_r = {call}; duet_ready = 1; return duet_r; }}" if keep == "return " else ""
    return match.start("all"), match.end("all"), f"duet_ready = 0; {statement or f'{keep}{call}; duet_ready = 1;'}"


def waits(driver: Driver) -> Iterator[Defect]:
    """Nobody waits for the callback of a timer, of work, or of an interrupt before what it uses is gone."""
    callbacks = [name for name in dict.fromkeys(_ASYNCHRONOUS.findall(driver.bare)) if name in driver.functions]
    for match in _WAIT.finditer(driver.bare):
        place, function = (match.start("call"), match.end("call")), driver.function_at(match.start("call"))
        for callback in callbacks:
            if not function or callback == function:
                continue
            opening = driver.functions[callback][0] + 1
            both = ((place[1], place[1], " duet_gone = 1;"), (opening, opening, " BUG_ON(duet_gone);"))
            line = driver.line(opening)
            lines = range(line, line + 1)
            what = f"{match['call'].split('(')[0]} for {callback}"
            yield Defect("no wait", what, function, both, ((*place, ";"),), lines, ghost="duet_gone")


def applied(driver: Driver, defects: tuple[Defect, ...], is_wrong: bool) -> str | None:
    """The text with some defects, or with their checks alone; None if they do not go together."""
    edits = dict.fromkeys(edit for defect in defects for edit in defect.both)
    if is_wrong:
        edits |= dict.fromkeys(edit for defect in defects for edit in defect.wrong)
    result, end = [], 0
    for start, stop, text in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        if start < end:
            return None
        result += [driver.text[end:start], text]
        end = stop
    if driver.text.startswith("#"):
        return None
    ghosts = "".join(f"static int {ghost}; " for ghost in sorted({d.ghost for d in defects if d.ghost}))
    return f"{ghosts}{''.join(result)}{driver.text[end:]}"
