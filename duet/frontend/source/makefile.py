"""The variables of a Makefile as the kernel's build system uses them: assignments, conditions, references.

*Approximates*: what is not understood leaves a mark in the values that it concerns, and takes no branch of a condition;
functions and rules are not followed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

UNKNOWN = "\0"
"""Stands in a value for what is not understood."""
_ASSIGNMENT = re.compile(
    r"^(?:(?:export|override)\s+)*(?P<name>[^\s:#=?+!]+)\s*(?P<kind>::?=|\+=|\?=|=)\s*(?P<value>.*)$"
)
_CONDITION = re.compile(r"^(?P<else>else\b\s*)?(?P<kind>ifn?eq|ifn?def)\b\s*(?P<rest>.*)$")
_PAIR = re.compile(
    r"^\((?P<left>.*),(?P<right>.*)\)$|^(?P<q>[\"'])(?P<first>.*?)(?P=q)\s*(?P<p>[\"'])(?P<second>.*?)(?P=p)$"
)
_REFERENCE = re.compile(r"\$(?:\((?P<parens>[^()${}]*)\)|\{(?P<braces>[^()${}]*)\})")
_OTHER = re.compile(r"\$[({]|\$[^$]")
_COMMENT = re.compile(r"(?<!\\)#.*$")
_BUILT_BY = re.compile(r"^obj-\$[({](CONFIG_\w+)[)}]$")
_IGNORED = ("-include", "include", "sinclude", "define", "undefine", "vpath")


@dataclass
class Makefile:
    """What the lines of a Makefile assign. `outside` are the variables that are set from outside.

    `left_out` are the options, by objects, without which the kernel's configuration leaves these out.
    """

    outside: Mapping[str, str]
    values: dict[str, str] = field(default_factory=dict)
    is_understood: bool = True
    left_out: dict[str, str] = field(default_factory=dict)

    def expand(self, text: str) -> str:
        """A text with the values of its references, from the inside out."""
        for _ in range(50):
            changed = _REFERENCE.sub(lambda found: self._value(found["parens"] or found["braces"] or ""), text)
            if changed == text:
                break
            text = changed
        return _OTHER.sub(UNKNOWN, text).replace("$$", "$")

    def words(self, name: str) -> list[str]:
        """The words of a variable; those that are not understood are `UNKNOWN`."""
        return [UNKNOWN if UNKNOWN in word else word for word in self.expand(self.values.get(name, "")).split()]

    def _value(self, name: str) -> str:
        if name in self.values:
            return self.values[name]
        if name in self.outside:
            return self.outside[name]
        is_configuration = name.startswith("CONFIG_") and any(other.startswith("CONFIG_") for other in self.outside)
        return "" if is_configuration else UNKNOWN

    def read(self, text: str) -> None:
        """Takes over what the lines of a text assign."""
        taken: list[bool | None] = []
        decided: list[bool | None] = []
        for line in re.sub(r"\\\n", " ", text).splitlines():
            plain = _COMMENT.sub("", line).strip()
            condition = _CONDITION.match(plain)
            if condition and not condition["else"]:
                taken.append(self._holds(condition["kind"], condition["rest"]))
                decided.append(taken[-1])
            elif condition or plain == "else":
                if taken:
                    holds = self._holds(condition["kind"], condition["rest"]) if condition else True
                    before = decided[-1]
                    taken[-1] = None if before is None else not before and holds
                    decided[-1] = None if taken[-1] is None else before or taken[-1]
            elif plain == "endif":
                del taken[-1:], decided[-1:]
            elif plain and not line.startswith("\t"):
                self._read_line(plain, all(taken), None in taken)

    def _read_line(self, line: str, is_taken: bool, is_open: bool) -> None:
        if line.split()[0] in _IGNORED:
            self.is_understood = False
            return
        found = _ASSIGNMENT.match(line)
        if not found:
            return
        if is_open:
            self.is_understood = False
        if not is_taken:
            return
        name, value = self.expand(found["name"]), found["value"]
        if name == "obj-" and (built := _BUILT_BY.match(found["name"])):
            self.left_out.update(dict.fromkeys(self.expand(value).split(), built[1]))
        known = self.values.get(name)
        match found["kind"]:
            case "=":
                self.values[name] = value
            case ":=" | "::=":
                self.values[name] = self.expand(value)
            case "?=" if known is None and name not in self.outside:
                self.values[name] = value
            case "+=":
                self.values[name] = f"{known or ''} {value}"
            case _:
                pass

    def _holds(self, kind: str, rest: str) -> bool | None:
        """Whether a condition holds; None where that is not known."""
        if kind in ("ifdef", "ifndef"):
            value = self._value(self.expand(rest.strip()))
            return None if UNKNOWN in value else bool(value) == (kind == "ifdef")
        found = _PAIR.match(rest.strip())
        if not found:
            return None
        left, right = (
            (found["left"], found["right"]) if found["left"] is not None else (found["first"], found["second"])
        )
        left, right = self.expand(left).strip(), self.expand(right).strip()
        return None if UNKNOWN in left + right else (left == right) == (kind == "ifeq")
