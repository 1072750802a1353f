"""Random small PLIP programs: the same program for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from duet.plip.build import ProgramBuilder, TemplateBuilder
from duet.plip.structured import Block, Choose, Do, Jump, Label, Region, Statement, While, emit_body
from duet.plip.syntax import (
    SKIP,
    Assert,
    Assign,
    Atomic,
    Cell,
    Compute,
    Formula,
    Guard,
    Havoc,
    Instruction,
    Join,
    Linear,
    Lookup,
    Operation,
    Program,
    Spawn,
    Step,
)
from duet.plip.terms import compare, conjunction, constant, disjunction, linear, negate, show_formula, variable
from duet.result import Check
from duet.source import Span

GLOBALS = ("g", "h", "k")
LOCK = "m"
SUMMARY = "s"
COMPARISONS = ("<=", "<", ">=", ">", "==", "!=")
# What a program is mostly about; each stresses rules that an independent choice of statements seldom combines.
PROFILES = ("free", "locks", "flags", "joins", "regions", "summaries", "crowds", "handover")
# Every so many programs are about cells that are kept in a relation under a lock, besides.
PAIRS = 6
_INITIAL: tuple[tuple[int | None, int | None], ...] = ((0, 0), (0, 0), (0, 0), (1, 1), (0, 1), (None, None))
_ARITHMETIC = tuple(operation for operation in Operation if operation is not Operation.WRAP)


def random_program(seed: int) -> Program:
    """The program of a seed: main and up to two other templates, about 20 commands."""
    return _Generator(Random(seed), has_pairs=seed % PAIRS == PAIRS - 1).program()


class _Generator:
    def __init__(self, rng: Random, *, has_pairs: bool = False) -> None:
        self._rng = rng
        self._profile = rng.choice(PROFILES)
        if has_pairs:
            self._profile = "pairs"
        self._builder = ProgramBuilder()
        self._names = ("A", "B")[: rng.choice((1, 1, 2, 2))]
        self._globals = GLOBALS[: rng.choice((1, 2, 2, 3))]
        self._has_summary = self._profile == "summaries" or rng.random() < 0.1
        self._checks = 0
        self._template = ""
        self._in_atomic = False

    def program(self) -> Program:
        rng, builder = self._rng, self._builder
        for name in self._globals:
            lo, hi = rng.choice(_INITIAL)
            builder.cell(Cell(name, lo=lo, hi=hi))
        builder.cell(Cell(LOCK, lo=0, hi=0))
        if self._has_summary:
            builder.cell(Cell(SUMMARY, summary=True, lo=0, hi=0))
        for name in (*self._names, "main"):
            for local in self._locals(name):
                lo, hi = rng.choice(_INITIAL)
                builder.cell(Cell(local, template=name, lo=lo, hi=hi))
            if self._has_summary:
                builder.cell(Cell(f"{name}.{SUMMARY}", template=name, summary=True, lo=0, hi=rng.choice((0, None))))
        bodies = {name: self._body(name) for name in self._names}
        bodies["main"] = self._main()
        for name, body in bodies.items():
            parameters = (self._locals(name)[0],) if name != "main" else ()
            template = builder.template(name, parameters=parameters, function=name)
            emit_body(template, body)
            if self._chance(0.1):
                self._template = name
                self._add_edge(template)
        return builder.program()

    def _add_edge(self, template: TemplateBuilder) -> None:
        """A command between any two places of a template, into loops and out of regions too."""
        places = sorted({place for c in template.commands for place in (c.source, c.target)} - {template.exit})
        if places:
            template.command(self._rng.choice(places), self._step(), self._rng.choice([*places, template.exit]))

    def _locals(self, template: str) -> tuple[str, ...]:
        return f"{template}.t", f"{template}.u"

    def _summary(self) -> str:
        return self._rng.choice((SUMMARY, SUMMARY, f"{self._template}.{SUMMARY}"))

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _const(self) -> int:
        return self._rng.choice((0, 0, 1, 1, 1, 2, -1, 3))

    # Threads

    def _main(self) -> Block:
        """Some statements, the spawns in one of several shapes, more statements."""
        self._template = "main"
        body = list(self._statements(self._rng.choice((0, 1, 1))))
        for name in self._names:
            body.extend(self._spawns(name))
            body.extend(self._statements(self._rng.choice((0, 0, 1))))
            if self._chance(0.6 if self._profile == "joins" else 0.1):
                body.append(_do(Join(name)))
                body.extend(self._statements(self._rng.randint(0, 1)))
        if len(self._names) > 1 and self._chance(0.1):
            body.append(self._nested_crowd())
        body.extend(self._statements(self._rng.randint(0, 1)))
        if self._chance(0.7):
            body.append(self._check())
        return tuple(body)

    def _spawns(self, name: str) -> Block:
        shapes = ["once", "once", "twice", "loop", "branch", "locked"]
        if self._profile == "crowds":
            shapes += ["twice", "loop", "twice"]
        if self._profile in ("joins", "handover"):
            shapes += ["once", "once", "twice"]
        spawn = self._spawn(name)
        match self._rng.choice(shapes):
            case "once":
                return (spawn,)
            case "twice":
                return (spawn, *self._statements(self._rng.choice((0, 0, 1))), self._spawn(name))
            case "loop":
                return (While(None, (spawn,), _HERE),)
            case "branch":
                return (Choose(((spawn,), self._statements(1))),)
            case _:
                return (_do(_acquire()), spawn, *self._statements(1, 1), _do(_release()))

    def _nested_crowd(self) -> Statement:
        return While(None, tuple(self._spawn(name) for name in self._names), _HERE)

    def _spawn(self, name: str) -> Do:
        parameter = self._locals(name)[0]
        arguments = ((parameter, self._term()),) if self._chance(0.4) else ()
        return _do(Spawn(name, arguments))

    def _body(self, name: str) -> Block:
        self._template = name
        body = list(self._statements(self._rng.choice((1, 1, 2, 2, 3))))
        if self._chance(0.15):
            other = self._rng.choice(self._names if self._chance(0.9) else ("main",))
            position = self._rng.randint(0, len(body))
            spawn = _do(Spawn(other)) if other == "main" else self._spawn(other)
            body.insert(position, spawn)
        if self._chance(0.8):
            body.append(self._check())
        if self._chance(0.1):
            body = [Label("again", _HERE), *body, Choose(((Jump("goto", "again", _HERE),), ()))]
        return tuple(body)

    # Statements

    def _statements(self, count: int, depth: int = 0) -> Block:
        return tuple(part for _ in range(count) for part in self._statement(depth))

    def _statement(self, depth: int) -> Block:
        if self._in_atomic:
            return (self._flat_or_branch(depth),)
        motif: dict[str, tuple[float, Callable[[], Block]]] = {
            "locks": (0.35, self._critical_section),
            "flags": (0.35, self._flag),
            "regions": (0.35, self._region),
            "summaries": (0.4, self._summary_access),
            "handover": (0.35, self._handover),
            "pairs": (0.6, self._pair),
        }
        probability, build = motif.get(self._profile, (0.05, self._critical_section))
        if depth < 2 and self._chance(probability):
            return build()
        if depth < 2 and self._chance(0.05):
            return self._rng.choice((self._critical_section, self._flag, self._region))()
        return (self._flat_or_branch(depth),)

    def _flat_or_branch(self, depth: int) -> Statement:
        if depth < 2 and self._chance(0.12):
            return self._branch(depth)
        if self._chance(0.15):
            return self._check()
        if not self._in_atomic and self._chance(0.1):
            return _do(Atomic(tuple(self._step() for _ in range(self._rng.randint(1, 3)))))
        if not self._in_atomic and self._names and self._chance(0.03):
            return _do(Join(self._rng.choice(self._names)))
        return _do(self._step())

    def _branch(self, depth: int) -> Statement:
        rng = self._rng
        if not self._in_atomic and self._chance(0.25):
            condition = None if self._chance(0.4) else self._condition()
            body = self._statements(rng.randint(1, 2), depth + 1)
            if self._chance(0.2):
                body = (*body, Choose(((Jump("break", "", _HERE),), ())))
            return While(condition, body, _HERE)
        condition = self._condition()
        yes, no = (self._statements(rng.randint(0, 2), depth + 1) for _ in range(2))
        if self._chance(0.2):
            return Choose((yes, no))
        return Choose(((_do(Guard(condition)), *yes), (_do(Guard(negate(condition))), *no)))

    def _critical_section(self) -> Block:
        """`acquire m; statements; release m`, sometimes without one of the two, or trying the lock."""
        body = self._statements(self._rng.randint(1, 2), 2)
        if self._chance(0.15):
            fail = (
                _do(Guard(compare(variable(LOCK), "!=", constant(0)))),
                *self._statements(self._rng.randint(0, 1), 1),
            )
            return (Choose(((_do(_acquire()), *body, _do(_release())), fail)),)
        section: Block = (_do(_acquire()), *body)
        return section if self._chance(0.1) else (*section, _do(_release()))

    def _pair(self) -> Block:
        """Two cells under the lock: changed alike, one by one, or compared; seldom without the lock."""
        first, second = self._rng.choice(self._globals), self._rng.choice(self._globals)
        body: list[Statement] = []
        for _ in range(self._rng.choice((1, 1, 2))):
            match self._rng.choice(("both", "both", "one", "reset", "bounded", "compared")):
                case "both":
                    by = self._rng.choice((1, 1, -1, 2))
                    body += [*self._grown(first, by), *self._grown(second, by if self._chance(0.8) else 1)]
                case "one":
                    body += self._grown(first, self._rng.choice((1, -1)))
                case "reset":
                    to = constant(self._const())
                    body += [_do(Assign(first, to)), _do(Assign(second, to if self._chance(0.8) else constant(1)))]
                case "bounded":
                    condition = compare(self._read(first, body), "<=", self._read(second, body, self._const()))
                    grown = self._grown(self._rng.choice((first, second)), self._rng.choice((1, -1)))
                    body.append(Choose(((_do(Guard(condition)), *grown), (_do(Guard(negate(condition))),))))
                case _:
                    body.append(self._compared(first, second, body))
        body.append(self._compared(first, second, body))
        return tuple(body) if self._chance(0.1) else (_do(_acquire()), *body, _do(_release()))

    def _grown(self, cell: str, by: int) -> Block:
        """`cell := cell + by`, often by way of a local, as C does it."""
        if self._chance(0.3):
            return (_do(Assign(cell, linear({cell: 1}, by))),)
        local = self._rng.choice(self._locals(self._template))
        return _do(Assign(local, variable(cell))), _do(Assign(cell, linear({local: 1}, by)))

    def _read(self, cell: str, body: list[Statement], offset: int = 0) -> Linear:
        """The cell, or a local that is set to it by a statement that goes into `body`."""
        if self._chance(0.4):
            return linear({cell: 1}, offset)
        local = self._rng.choice(self._locals(self._template))
        body.append(_do(Assign(local, variable(cell))))
        return linear({local: 1}, offset)

    def _compared(self, first: str, second: str, body: list[Statement]) -> Do:
        left, right = self._read(first, body), self._read(second, body, self._rng.choice((0, 0, 0, 1, -1)))
        condition = compare(left, self._rng.choice(("==", "==", "<=", ">=", "!=")), right)
        self._checks += 1
        check = Check("random.plip", self._checks, 1, self._template, "assertion", show_formula(condition))
        return _do(Assert(condition, check, self._chance(0.6)))

    def _flag(self) -> Block:
        """Data, then the flag; or a wait for the flag, then the data."""
        flag, data = self._rng.choice(self._globals), self._rng.choice(self._globals)
        if self._chance(0.5):
            return _do(Assign(data, constant(self._const()))), _do(Assign(flag, constant(self._rng.choice((0, 1, 1)))))
        wait = compare(variable(flag), self._rng.choice(("==", "!=", ">=")), constant(self._rng.choice((0, 1))))
        return _do(Guard(wait)), self._check(data)

    def _handover(self) -> Block:
        """A write with a guard of the writer on the same cell behind it, which must not hide the write from others."""
        cell = self._rng.choice(self._globals)
        value = self._const()
        guard = Guard(compare(variable(cell), self._rng.choice(("==", "<=", ">=")), constant(value)))
        tail: Block = (_do(Assign(cell, constant(self._const()))),) if self._chance(0.3) else ()
        return _do(Assign(cell, constant(value))), _do(guard), *tail

    def _region(self) -> Block:
        """An atomic region with control flow inside."""
        self._in_atomic = True
        body = self._statements(self._rng.randint(1, 2), 1)
        if self._chance(0.1):
            other = self._rng.choice(self._names)
            body = (*body, self._rng.choice((self._spawn(other), _do(Join(other)))), *self._statements(1, 2))
        self._in_atomic = False
        return (Region(body or (_do(SKIP),), _HERE),)

    def _summary_access(self) -> Block:
        if not self._has_summary:
            return (_do(self._step()),)
        local = self._rng.choice(self._locals(self._template))
        if self._chance(0.4):
            return (_do(Assign(self._summary(), constant(self._const()))),)
        if self._chance(0.3):
            return (_do(Havoc(self._summary(), 0, 2)),)
        if self._chance(0.4):
            summary = self._summary()
            written = (Assign(summary, constant(self._const())), Assign(summary, self._term()))
            steps = (*written[: self._rng.randint(1, 2)], Assign(local, variable(summary)))
            return _do(Atomic(steps)), self._check(local)
        return _do(Assign(local, variable(self._summary()))), self._check(local)

    def _check(self, cell: str | None = None) -> Do:
        cell = cell or self._rng.choice(self._globals)
        condition = self._condition() if self._chance(0.3) else self._comparison(variable(cell))
        self._checks += 1
        check = Check("random.plip", self._checks, 1, self._template, "assertion", show_formula(condition))
        return _do(Assert(condition, check, self._chance(0.6)))

    # Instructions

    def _cell(self) -> str:
        return self._rng.choice((*self._globals, *self._globals, *self._locals(self._template)))

    def _step(self) -> Step:
        """An assignment of any kind or a guard."""
        rng = self._rng
        target = self._cell()
        roll = rng.random()
        if roll < 0.35:
            return Assign(target, constant(self._const()))
        if roll < 0.65:
            return Assign(target, self._term())
        if roll < 0.72:
            lo = rng.choice((-1, 0, 0, 1))
            return Havoc(target, *rng.choice(((lo, lo + rng.randint(0, 2)), (lo, None), (None, None))))
        if roll < 0.8:
            return self._computation(target)
        if roll < 0.84:
            return Lookup(target, tuple(self._const() for _ in range(rng.randint(1, 3))), self._term())
        if roll < 0.87 and self._has_summary:
            summary = self._summary()
            local = rng.choice((*self._locals(self._template), self._summary()))
            return rng.choice(
                (Assign(summary, self._term()), Assign(local, variable(summary)), self._computation(summary))
            )
        return Guard(self._condition()) if self._chance(0.5) else Assign(target, constant(self._const()))

    def _computation(self, target: str) -> Compute:
        if self._chance(0.25):
            lo = self._rng.choice((0, -2))
            return Compute(target, Operation.WRAP, (self._term(), constant(lo), constant(lo + 3)))
        return Compute(target, self._rng.choice(_ARITHMETIC), (self._term(), self._term()))

    def _term(self) -> Linear:
        rng = self._rng
        shape = rng.random()
        if shape < 0.2:
            return constant(self._const())
        coefficients = {self._cell(): rng.choice((1, 1, 1, 1, -1, 2))}
        if shape > 0.8:
            coefficients[self._cell()] = rng.choice((1, -1))
        return linear(coefficients, rng.choice((0, 0, 1, -1)))

    def _comparison(self, left: Linear) -> Formula:
        if self._chance(0.25):
            return compare(left, self._rng.choice(COMPARISONS), variable(self._cell()))
        return compare(left, self._rng.choice(COMPARISONS), constant(self._const()))

    def _condition(self) -> Formula:
        first = self._comparison(variable(self._cell()))
        if self._chance(0.8):
            return first
        second = self._comparison(self._term())
        return self._rng.choice((conjunction, disjunction))((first, second))


_HERE = Span("random.plip", 0)


def _do(instruction: Instruction) -> Do:
    return Do(instruction, _HERE)


def _acquire() -> Atomic:
    return Atomic((Guard(compare(variable(LOCK), "==", constant(0))), Assign(LOCK, constant(1))))


def _release() -> Assign:
    return Assign(LOCK, constant(0))
