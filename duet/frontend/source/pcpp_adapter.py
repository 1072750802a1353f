"""Preprocessing by the pcpp library, for machines without gcc, clang or cpp."""

from __future__ import annotations

import io
import os
import re
from typing import NoReturn

import pcpp

from duet.errors import SourceError
from duet.source import Span


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no type information
    """pcpp that stops at the first error instead of printing it."""

    def on_error(self, file: str, line: int, msg: str) -> NoReturn:
        raise SourceError(msg, Span(file, line, 1))

    def on_include_not_found(
        self,
        is_malformed: bool,
        is_system_include: bool,  # noqa: ARG002  # the names are pcpp's
        curdir: str,  # noqa: ARG002
        includepath: str,
    ) -> NoReturn:
        what = "malformed #include" if is_malformed else f"cannot find the header '{includepath}'"
        raise SourceError(f"{what}; name its directory with -I", self._place())

    def on_directive_unknown(
        self,
        directive: object,
        toks: list[object],
        ifpassthru: bool,  # noqa: ARG002
        precedingtoks: list[object],  # noqa: ARG002
    ) -> bool | None:
        """Makes `#error` and what pcpp lacks an error; other pragmas and `#line` go through, `#warning` is dropped."""
        name = str(getattr(directive, "value", ""))
        text = "".join(str(getattr(token, "value", "")) for token in toks)
        if name == "error":
            file, line = str(getattr(directive, "source", "")), int(getattr(directive, "lineno", 1))
            raise SourceError(f"#error {text}", Span(file, line, 1))
        if name == "pragma" and text.strip().startswith(("push_macro", "pop_macro")):
            raise SourceError("this needs gcc, clang or cpp, which are not installed", self._place())
        return True if name in ("warning", "ident") else None

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:  # noqa: ARG002
        with open(includepath, "rb") as file:
            data = file.read()
        try:
            return io.StringIO(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            return io.StringIO(data.decode("latin-1"))

    def _place(self) -> Span:
        directive = self.lastdirective
        return Span(str(directive.source), int(directive.lineno), 1) if directive else Span("<command line>", 1, 1)


def run_pcpp(path: str, text: str, defines: tuple[str, ...], includes: tuple[str, ...]) -> str:
    """Returns `text`, the content of `path`, preprocessed.

    `defines` are `NAME` or `NAME=VALUE`, the last one of a name counts; `includes` are searched in order.
    File names in line markers are as the user would write them: relative to the directory given in `path`.
    """
    preprocessor = _Preprocessor()
    given = os.path.dirname(path)
    absolute = os.path.abspath(given) + os.sep
    prefix = os.path.join(given, "").replace("\\", "\\\\")
    preprocessor.rewrite_paths = [(re.escape(absolute) + "(.*)", prefix + "\\1")]
    preprocessor.line_directive = "#"
    for define in defines:
        name, equals, value = define.partition("=")
        preprocessor.define(f"{name} {value if equals else 1}")
    for directory in includes:
        preprocessor.add_path(directory)
    out = io.StringIO()
    try:
        preprocessor.parse(text, path)
        preprocessor.write(out)
    except SourceError:
        raise
    except (AttributeError, AssertionError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        # pcpp meets malformed directives with whatever Python raises.
        place = preprocessor._place()
        raise SourceError(f"cannot preprocess this ({type(error).__name__} in pcpp: {error})", place) from error
    return out.getvalue()
