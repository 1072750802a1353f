"""Reader of the text form of PLIP (files `*.plip`).

    source "counter.c"                 // the file of places written as line:column only
    global count = 0                   // an initial value, or `in lo..hi` with open sides, `label "name"`, `at 3:4`
    summary data = 0                   // a global cell that stands for many
    main main                          // the template that runs first; this is the default

    thread main { while (*) { spawn worker(id := 1) } }

    thread worker(id) {                // parameters are local cells
      local t in 0..255                // no range: any value
      entry 0  exit 2                  // graph form, told by `entry`: numbered locations
      atomic at 1                      // locations at which no other thread moves
      0: t := count -> 1 at 7:3
      1: [t > 0 && id == 1] -> 2 approximates "why"
    }                                // the command stands for more than the source does

Without `entry` a body is structured: `if`/`else`, `while (phi)`, `while (*)`, `choose {} or {}`, `atomic {}`, `break`,
`continue`, `return`, `goto`/`label`, and `acquire m`, `release m`, `assume phi` for `atomic { [m == 0] m := 1 }`,
`m := 0`, `[phi]`. Instructions: `x := t`, `x := *`, `x := * in lo..hi`, `x := [1, 2, 3][t]`, `x := mul(t, u)` (div,
mod, and, or, xor, shl, shr, wrap), `[phi]`, `skip`, `spawn T(p := t)`, `join T`, `assert phi` (the execution ends
where it fails), `check phi` (it goes on). Names that are no identifiers are written as strings.
A command without `at` is at its place in the PLIP text itself; `at ?` is no place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from duet.errors import InternalError, SourceError
from duet.plip.build import ProgramBuilder, TemplateBuilder
from duet.plip.cursor import Cursor
from duet.plip.phrases import Phrases, Use, unresolved
from duet.plip.structured import StatementReader, emit_body
from duet.plip.syntax import Cell, Program
from duet.plip.tokens import Token, tokenize
from duet.plip.wellformed import violations
from duet.source import Span


def parse_program(text: str, path: str = "<plip>") -> Program:
    """The program written in a text; `path` names it in places and errors.

    *Raises*: SourceError with line and column, also for a program that is not well-formed.
    """
    try:
        return _ProgramReader(tokenize(text, path), path).read()
    except RecursionError:
        raise SourceError("nested too deeply", Span(path, 1, 1)) from None


def read_program(path: Path) -> Program:
    """The program in a file. *Raises*: SourceError, also for a file that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot read this file: {error}", Span(str(path), 1)) from error
    return parse_program(text, str(path))


def _first_free_location(tokens: tuple[Token, ...]) -> int:
    """A location that no graph form in the text can use; 0 if there is none in graph form."""
    if not any(token.kind == "name" and token.value == "entry" for token in tokens):
        return 0
    return 1 + max((int(token.value) for token in tokens if token.kind == "number"), default=0)


@dataclass(slots=True)
class _Uses:
    cells: list[Use] = field(default_factory=list)
    templates: list[Use] = field(default_factory=list)


class _ProgramReader:
    def __init__(self, tokens: tuple[Token, ...], path: str) -> None:
        self._cursor = Cursor(tokens, path)
        self._builder = ProgramBuilder(first_location=_first_free_location(tokens))
        self._uses = _Uses()
        self._start = tokens[0].span

    def read(self) -> Program:
        cursor = self._cursor
        main_span = self._start
        while not cursor.at_kind("end"):
            if cursor.accept("source"):
                cursor.source = cursor.string()
            elif cursor.at("main"):
                main_span = cursor.advance().span
                self._builder.main = cursor.name()
            elif cursor.at("global", "summary"):
                self._global()
            elif cursor.at("thread"):
                self._thread()
            else:
                raise cursor.error("expected global, summary, main, source or thread")
        program = self._builder.program()
        if program.main not in program.templates:
            raise SourceError(f"there is no thread {program.main} to start with", main_span)
        self._resolve(program)
        for violation in violations(program):
            raise SourceError(violation.message, violation.span or self._start)
        return program

    def _resolve(self, program: Program) -> None:
        """Every name is declared where it is used."""
        for use in self._uses.templates:
            if use.name not in program.templates:
                raise SourceError(f"there is no thread {use.name}", use.span)
        for use in self._uses.cells:
            cell = program.cells.get(use.name)
            if cell is None or cell.template not in (None, use.template):
                raise unresolved(use, "cell")

    def _global(self) -> None:
        keyword = self._cursor.advance().value
        if keyword == "global" and self._cursor.accept("summary"):
            keyword = "summary"
        self._cell(None, keyword == "summary")

    def _local(self, template: str) -> None:
        self._cursor.expect("local")
        self._cell(template, self._cursor.accept("summary"))

    def _cell(self, template: str | None, is_summary: bool) -> None:
        cursor = self._cursor
        span = cursor.span
        name = cursor.name()
        lo, hi = None, None
        if cursor.accept("="):
            lo = hi = cursor.integer()
        elif cursor.accept("in"):
            lo, hi = cursor.bounds()
        elif template is None:
            raise cursor.error(f"the initial value of {name} is missing: write = 0, in 0..9, or in .. for any")
        label = ""
        if cursor.accept("label"):
            label = cursor.string()
        place: Span | None = span
        if cursor.accept("at"):
            place = self._place()
        self._declare(Cell(name, template, is_summary, lo, hi, label, place), span)

    def _declare(self, cell: Cell, span: Span) -> None:
        try:
            self._builder.cell(cell)
        except InternalError as error:
            raise SourceError(str(error), span) from None

    def _place(self) -> Span | None:
        return None if self._cursor.accept("?") else self._cursor.place()

    def _thread(self) -> None:
        cursor = self._cursor
        cursor.expect("thread")
        span = cursor.span
        name = cursor.name()
        if self._builder.has_template(name):
            raise SourceError(f"thread {name} is declared twice", span)
        declared: tuple[tuple[str, Span], ...] = ()
        if cursor.accept("("):
            declared = cursor.comma_separated(")", lambda: (cursor.name(), cursor.span))
        function = cursor.string() if cursor.accept("function") else ""
        cursor.expect("{")
        while cursor.at("local"):
            self._local(name)
        parameters = tuple(parameter for parameter, _ in declared)
        for parameter, place in declared:
            if not self._builder.has_cell(parameter):
                self._declare(Cell(parameter, name, span=place), place)
        phrases = Phrases(cursor, name, function or name, self._uses.cells, self._uses.templates)
        if cursor.at("entry"):
            self._graph(phrases, parameters, function)
        else:
            body = StatementReader(phrases).rest_of_block()
            emit_body(self._builder.template(name, parameters=parameters, function=function), body)

    def _graph(self, phrases: Phrases, parameters: tuple[str, ...], function: str) -> None:
        cursor = self._cursor
        cursor.expect("entry")
        entry = cursor.natural()
        cursor.expect("exit")
        builder = self._builder.template(phrases.template, entry, cursor.natural(), parameters, function)
        if cursor.accept("atomic"):
            cursor.expect("at")
            builder.mark_atomic(cursor.natural())
            while cursor.accept(","):
                builder.mark_atomic(cursor.natural())
        while not cursor.accept("}"):
            self._command(phrases, builder)

    def _command(self, phrases: Phrases, builder: TemplateBuilder) -> None:
        cursor = self._cursor
        source = cursor.natural()
        cursor.expect(":")
        span: Span | None = cursor.span
        instruction = phrases.instruction()
        cursor.expect("->")
        target = cursor.natural()
        approximates = cursor.string() if cursor.accept("approximates") else ""
        if cursor.accept("at"):
            span = self._place()
        builder.command(source, instruction, target, span, approximates)


def without_places(program: Program) -> Program:
    """The program with no place at cells and commands; checks keep theirs."""
    cells = {name: replace(cell, span=None) for name, cell in program.cells.items()}
    commands = tuple(replace(c, span=None, accesses=()) for c in program.commands)
    return Program(cells, program.templates, commands, program.main)
