"""The form of bodies: text in, text out for every kind of node; no kind is forgotten by what walks forms."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from duet.errors import SourceError
from duet.frontend.bodies import stmt
from duet.frontend.expressions import expr, known
from duet.frontend.form import control, printer, tree
from duet.frontend.form.control import Body, Statement
from duet.frontend.form.tree import Expression, Form, Place
from duet.frontend.form.walk import children, every
from duet.frontend.lower import formed, lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from duet.show import form_text

START = """
struct node { int key : 3; struct node *next; int a[4]; };
union word { int whole; char bytes[4]; };
enum colour { RED, GREEN = 5 };
int count; int table[8]; struct node head; _Thread_local int own;
int g(int); void h(void); int (*hook)(int); void take(struct node);
"""
HEAD = "int f(struct node *p, int x, char c)"
EXPRESSIONS = {
    "constants": ("1 + 2UL", "(1 + (2){unsigned long}){unsigned long}"),
    "a character": ("'a'", "97"),
    "an enumerator": ("GREEN", "5"),
    "a floating constant": ("1.5", "(floating){double}"),
    "a null pointer": ("(void *)0", "(convert 0){void*}"),
    "a local": ("x", "read x"),
    "an object": ("count", "read @count"),
    "an array": ("table", "read @table"),
    "a function": ("g", "read g()"),
    "an address": ("&x", "&x"),
    "the address behind a pointer": ("&*p", "read p"),
    "a member": ("head.next", "read @head.next"),
    "a member behind a pointer": ("p->next->a", "read *(read *(read p).next).a"),
    "a bit-field is promoted": ("head.key + 1", "(read @head.key + 1)"),
    "an element": ("table[x]", "read (read @table)[read x]"),
    "an element the other way round": ("x[table]", "read (read x)[read @table]"),
    "what a pointer points to": ("*(p + 1)", "read *((read p + 1){struct node*})"),
    "the distance of pointers": ("p - p", "(read p - read p){long}"),
    "a string": ('"ab"', 'read "ab"'),
    "the name of the function": ("__func__", 'read "f"'),
    "unary operators": ("-x + ~c", "((-read x) + (~read c))"),
    "a negation": ("!x", "!read x"),
    "logic": ("x && c || x", "((read x && read c) || read x)"),
    "a shift": ("c << 2L", "(read c << (2){long})"),
    "a comparison": ("c < 2u", "(read c < (2){unsigned int})"),
    "a choice": ("x ? 1 : 2L", "(read x ? 1 : (2){long}){long}"),
    "a choice of a pointer or null": ("x ? p : 0", "(read x ? read p : 0){struct node*}"),
    "a choice without its middle": ("x ?: c", "(read x ?: read c)"),
    "a comma": ("(x, p)", "(read x, read p){struct node*}"),
    "a cast": ("(char)x", "(convert read x){char}"),
    "an assignment": ("x = c", "x = read c"),
    "a compound assignment": ("count += x", "@count += read x"),
    "steps": ("x++ + --c", "(x++ + --c)"),
    "a call": ("g(x)", "(call g(read x))"),
    "a call through a pointer": ("hook(1)", "(call *read @hook(1))"),
    "a call through a pointer, written out": ("(*hook)(1)", "(call *read @hook(1))"),
    "a call without a declaration": ("nobody(1)", "(call undeclared nobody(1)){?}"),
    "a generic library function": (
        "__atomic_load_n(&head.next, 5)",
        "(call undeclared __atomic_load_n(&@head.next, 5)){struct node*}",
    ),
    "statements": ("x = ({ int y = x; y + 1L; })", "x = ({declare int y = read x; (read y + (1){long}){long}}){long}"),
    "statements in statements": (
        "x = ({ ({ int y = x; y + 1L; }); })",
        "x = ({(({declare int y = read x; (read y + (1){long}){long}}){long}){long}}){long}",
    ),
    "a block in statements": ("(void)({ x; { x; } })", "(convert ({read x; read x}){void}){void}"),
    "statements without a value": ("(void)({ h(); ; })", "(convert ({(call h()){void}}){void}){void}"),
    "the address of a label": ("hook = &&out", "@hook = &&out"),
    "a selection": ("_Generic(c, char: 1, default: 2)", "1"),
    "a selection that is not known": ("_Generic(p, struct node *: x, default: c + 0)", "(any of read x, (read c + 0))"),
    "the size of a type": ("sizeof(struct node)", "(sizeof struct node = 32){unsigned long}"),
    "the size of an array": ("sizeof table", "(sizeof int[8] = 32){unsigned long}"),
    "a size to be evaluated": ("sizeof(int[x++])", "(sizeof int[...]; length x++){unsigned long}"),
    "the alignment of a type": ("_Alignof(long)", "(alignof = 8){unsigned long}"),
    "the alignment of an object": ("_Alignof(x)", "(alignof){unsigned long}"),
    "an offset": ("__builtin_offsetof(struct node, a[2])", "(offsetof = 24){unsigned long}"),
    "an offset that is not known": ("__builtin_offsetof(struct node, a[x])", "(offsetof){unsigned long}"),
    "types as arguments": (
        "__builtin_types_compatible_p(int, long)",
        "(call undeclared __builtin_types_compatible_p(type int, type long))",
    ),
    "what is chosen by a constant": ("__builtin_choose_expr(sizeof(int) == 4, x, undeclared)", "read x"),
    "a compound literal": ("(struct node){1}.key", "read literal struct node {.key = 1}.key"),
    "a member of a result": ("({ head; }).key", "read of (({read @head}){struct node}).key"),
}
STATEMENTS = {
    "a declaration": ("int y = 1;", "declare int y = 1"),
    "a shadowed name": ("long x = 1; x++;", "declare long x#2 = 1\nx#2++"),
    "a static object": ("static char y[] = \"ab\";", "declare static char[3] y = {[0] = 97, [1] = 98, [2] = 0}"),
    "a thread's object": ("static _Thread_local int y;", "declare thread int y"),
    "an object elsewhere": ("extern int away; away = 1;", "@away = 1"),
    "parts of an object": (
        "struct node y = {.a = {[1] = x, 2}, .next = p};",
        "declare struct node y = {.a = cleared, .a[1] = read x, .a[2] = 2, .next = read p}",
    ),
    "an array of variable length": ("int y[x];", "length read x\ndeclare int[...] y"),
    "a type of variable length": ("typedef int t[x]; t *y;", "length read x\ndeclare int[...]* y"),
    "the type of another": ("__typeof__(p->a) y;", "declare int[4] y"),
    "an operand that is perhaps evaluated": (
        "int y[x][x]; __typeof__(y[x++]) z;",
        "length read x\nlength read x\ndeclare int[...][...] y\nperhaps read (read y)[x++]\ndeclare int[...] z",
    ),
    "an automatic type": ("__auto_type y = p;", "declare struct node* y = read p"),
    "a branch": ("if (x) c = 1; else { c = 2; }", "if read x\n  c = 1\nelse\n  c = 2"),
    "a while": ("while (x) { if (c) break; continue; }", "loop while read x\n  if read c\n    break\n  continue"),
    "a do": ("do x--; while (x);", "loop late while read x\n  x--"),
    "a for": ("for (int i = 0; i < 3; i++) ;", "declare int i = 0\nloop while (read i < 3) step i++"),
    "a for without parts": ("for (;;) h();", "loop\n  (call h()){void}"),
    "a switch": (
        "switch (c) { case 'a': x = 1; case 2 ... 3: break; default: x = 2; }",
        "switch read c\n  case 97:\n    x = 1\n  case 2 to 3:\n    break\n  default:\n    x = 2",
    ),
    "a label that wraps": ("switch ((unsigned)x) { case -1: h(); }", "switch (convert read x){unsigned int}\n"
                           "  case 4294967295:\n    (call h()){void}"),
    "a jump": ("goto out;", "goto out"),
    "a computed jump": ("void *to = &&out; goto *to;", "declare void* to = &&out\ngoto *read to"),
    "a return": ("return x;", "return read x"),
}  # fmt: skip
REFUSED = {
    "an unknown name": "return nothing;",
    "an unknown member": "return head.nothing;",
    "the type of what is not known": "__auto_type y = __duet_expose(p);",
    "a nested function": "int inner(void) { return 1; } return inner();",
    "a label that is no constant": "switch (x) { case sizeof(int[x]): ; }",
    "a label outside of a switch": "case 1: ;",
    "an overridden initialiser with effects": "int y[] = {[0] = g(1), [0] = 2};",
}


def bodies(text: str, path: Path) -> Mapping[str, Body | SourceError]:
    """The forms of all functions of a program."""
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions()
    return formed(parse(preprocess(str(path), options).text, str(path), options), options)


def form_of(text: str, path: Path) -> str:
    """The lines of the body of `f`, without the last label."""
    lines = form_text(bodies(f"{START}{HEAD} {{\n{text}\nout: return 0; }}\n", path)).splitlines()
    assert lines[0] == "int f(struct node* p, int x, char c)"
    return "\n".join(line[2:] for line in lines[1:-2])


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions(name: str, tmp_path: Path) -> None:
    text, expected = EXPRESSIONS[name]
    assert form_of(f"{text};", tmp_path / "a.c") == expected


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str, tmp_path: Path) -> None:
    text, expected = STATEMENTS[name]
    assert form_of(text, tmp_path / "a.c") == expected


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused(name: str, tmp_path: Path) -> None:
    try:
        found = bodies(f"{START}{HEAD} {{ {REFUSED[name]} }}\n", tmp_path / "a.c")
    except SourceError:
        return  # the whole file is
    assert isinstance(found["f"], SourceError)


def test_every_kind_of_node_has_its_case() -> None:
    """What prints and lowers forms names every kind."""
    kinds = {*get_args(Expression), *get_args(Place), *get_args(Statement)}
    concrete = {kind for kind in (*vars(tree).values(), *vars(control).values()) if isinstance(kind, type)}
    inner = {tree.Form, tree.Typed, tree.Act, tree.Length, tree.Entry, tree.Parts, tree.Implicit}
    assert {kind for kind in concrete if issubclass(kind, Form)} - inner == kinds
    lowering = inspect.getsource(expr) + inspect.getsource(known) + inspect.getsource(stmt)
    for kind in kinds:
        name = rf"(tree|control)\.{kind.__name__}\("
        assert re.search(name, inspect.getsource(printer)), kind
        assert re.search(name, lowering), kind


def test_every_kind_of_node_is_formed_walked_and_lowered(tmp_path: Path) -> None:
    """The examples above have all kinds but what lowering puts into forms itself, and are lowered."""
    texts = [f"{text};" for text, _ in EXPRESSIONS.values()] + [text for text, _ in STATEMENTS.values()]
    functions = [
        HEAD.replace(" f(", f" f{number}(") + f" {{ {text}\nout: return 0; }}" for number, text in enumerate(texts)
    ]
    path = tmp_path / "a.c"
    found = bodies("\n".join([START, *functions]), path)
    formed_bodies = [body for body in found.values() if isinstance(body, Body)]
    assert len(formed_bodies) == len(texts)
    seen = {type(item) for body in formed_bodies for item in every(body.block)}
    kinds = {*get_args(Expression), *get_args(Place), *get_args(Statement)}
    assert kinds - seen == {tree.Evaluated}
    options = FrontendOptions(entries=("all",))
    lowered = lower(parse(preprocess(str(path), options).text, str(path), options), options)
    assert lowered.understood.is_whole


def test_the_walker_sees_every_part(tmp_path: Path) -> None:
    """Each field that holds forms is among the children, up to those that stand elsewhere as well."""
    left, right = (tree.Constant(None, tree.UNKNOWN, number) for number in (1, 2))
    pair = tree.Binary(None, tree.UNKNOWN, "+", left, right)
    assert list(children(pair)) == [left, right]
    length = tree.Length(None, left, True)
    size = tree.SizeOf(None, tree.UNKNOWN, tree.UNKNOWN, None, pair, (length,))
    assert list(children(size)) == [pair, length]
    case = control.Case(None, 1, 1, (control.Evaluate(None, pair),))
    body = control.Block(None, (case,))
    assert list(children(control.Switch(None, left, (case,), body))) == [left, body]
