"""The restricted language: what it takes, and that it takes nothing else."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise

import pytest

from datalog import ruleset
from datalog.parser import RuleError, parse
from datalog.syntax import Declaration, Literal, Rule, restricted

GRAPH = """
.decl edge(a:number, b:number) // an edge
.input edge
.decl path(a:number, b:number)
/* two
   rules */
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
.decl _start(a:number)
_start(0) :- edge(_, 3).
.output path
"""


def test_reads_declarations_directives_and_rules() -> None:
    rules = parse((("graph.dl", GRAPH),))
    assert rules.declarations[0] == Declaration("edge", ("a", "b"))
    assert (rules.inputs, rules.outputs) == (frozenset(("edge",)), frozenset(("path",)))
    assert rules.rules[1].body == (Literal("path", ("a", "b")), Literal("edge", ("b", "c")))
    assert rules.rules[2] == Rule(Literal("_start", (0,)), (Literal("edge", (None, 3)),))


def test_printed_rules_read_back() -> None:
    for rules in (parse((("graph.dl", GRAPH),)), ruleset.interference()):
        assert parse((("again.dl", str(rules)),)) == rules
    pointers = ruleset.points_to()
    assert parse((("again.dl", str(pointers)),), is_linear=False) == pointers


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (".decl r(a:symbol)", 1, "every column must be a number"),
        (".decl r(a:number)\n.decl r(b:number)", 2, "declared twice"),
        ("r(1).", 1, "r is not declared"),
        (".decl r(a:number)\n\nr(1, 2).", 3, "wrong number of columns"),
        (".decl r(a:number)\nr(a).", 2, "unbound variable"),
        (".decl r(a:number)\nr(_) :- r(_).", 2, "unbound variable"),
        (".decl r(a:number)\nr(a) :- r(a), r(a).", 2, "not linear"),
        (".decl r(a:number)\n.decl s(a:number)\nr(a) :- s(a).", 3, "declared before what it depends on"),
        (".decl r(a:number)\n.input r\nr(1).", 3, "is an input"),
        (".decl r(a:number)\nr(1) :- !r(2).", 2, "not in the restricted language"),
        (".decl r(a:number)\nr(-1).", 2, "not in the restricted language"),
        (".decl r(a:number)\nr(a) :- r(a), a < 3.", 2, "not in the restricted language"),
        ('.decl r(a:number)\nr("a").', 2, "not in the restricted language"),
        ("#include <x>", 1, "not in the restricted language"),
        (".plan 0:(1)", 1, "expected a name"),
        (".decl r(a:number)\nr(1)", 2, "expected :- or ., found the end of the file"),
        (".decl r(a", 1, "found the end of the file"),
        (".output r", 1, "not declared"),
    ],
)  # fmt: skip
def test_refuses_the_rest(text: str, place: int, message: str) -> None:
    with pytest.raises(RuleError, match=re.escape(message)) as caught:
        parse((("bad.dl", text),))
    assert str(caught.value).startswith(f"bad.dl:{place}: ")


def test_restriction_keeps_what_an_output_depends_on() -> None:
    pairs = restricted(ruleset.interference(), ("coreach",))
    assert pairs.inputs == {"cstart", "cstep", "csig", "cen"}
    assert {rule.head.relation for rule in pairs.rules} == {"coreach"}
    with pytest.raises(ValueError, match="not declared: nonsense"):
        restricted(pairs, ("nonsense",))


def test_rule_files_follow_their_conventions() -> None:
    folder = files("datalog") / "rules"
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".dl"))
    assert sorted((*ruleset.INTERFERENCE, *ruleset.POINTS_TO)) == names
    for name in names:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("// "), f"{name} has no header"
        for before, line in pairwise(lines):
            if line.startswith(".decl"):
                assert before.startswith("// "), f"no sentence above {line}"
                assert before.endswith("."), f"no sentence above {line}"
            if line.startswith(".input"):
                assert name.endswith("schema.dl")
            if line.startswith(".output"):
                assert name.endswith("output.dl")
