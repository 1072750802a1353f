"""Formulas and instructions of a certificate, read from their text form."""

from __future__ import annotations

from duet.certificate.document import Phrase
from duet.errors import SourceError, UsageError
from duet.plip.cursor import Cursor
from duet.plip.phrases import Phrases
from duet.plip.syntax import Formula, Instruction, Program
from duet.plip.tokens import tokenize

_NAME = "<certificate>"


class Reader:
    """Reads texts about a program. *Raises*: UsageError where one is not understood or names what is not there."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._formulas: dict[str, Formula] = {}

    def formula(self, phrase: Phrase) -> Formula:
        """The formula of a phrase, without its residues."""
        text = phrase.formula
        if text not in self._formulas:
            phrases = self._phrases(text, "")
            try:
                found = phrases.formula()
            except (SourceError, RecursionError) as error:
                raise UsageError(f"the certificate has no formula here: {text!r}") from error
            self._end(phrases, text)
            self._formulas[text] = found
        for cell, modulus, residue in phrase.residues:
            if cell not in self._program.cells or not 0 <= residue < modulus:
                raise UsageError(f"the certificate has a residue that is none: {phrase}")
        return self._formulas[text]

    def instruction(self, text: str, template: str) -> Instruction:
        """An instruction in the code of a template."""
        phrases = self._phrases(text, template)
        try:
            found = phrases.instruction()
        except (SourceError, RecursionError) as error:
            raise UsageError(f"the certificate has no instruction here: {text!r}") from error
        self._end(phrases, text)
        return found

    def _phrases(self, text: str, template: str) -> Phrases:
        try:
            return Phrases(Cursor(tokenize(text, _NAME), _NAME), template)
        except SourceError as error:
            raise UsageError(f"the certificate has a text that cannot be read: {text!r}") from error

    def _end(self, phrases: Phrases, text: str) -> None:
        if not phrases.cursor.at_kind("end"):
            raise UsageError(f"the certificate has more text than was expected: {text!r}")
        for use in phrases.cells:
            if use.name not in self._program.cells:
                raise UsageError(f"the certificate names a cell that the program does not have: {use.name}")
