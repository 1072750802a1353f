"""Preprocessing by the pcpp library, for machines without gcc, clang or cpp."""

from __future__ import annotations

import io
import os
import re
from typing import NoReturn

import pcpp

from duet.errors import MissingHeader, SourceError
from duet.frontend.source.encoding import decoded, with_escapes
from duet.source import Span

_UNKNOWN = re.compile(
    r"^[ \t]*#[ \t]*(?:elifdef|elifndef|embed)\b|\b__VA_OPT__\b|\b__has_(?:c_attribute|attribute|builtin|embed)\b"
    r"|\b[0-9][\w.]*'[\w']+\b|\0",
    re.MULTILINE,
)
"""What pcpp does not know, and would pass over in silence or split in the wrong place."""
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_HIDDEN = "?\0?"
"""Stands for the `??` of what looks like a trigraph, which pcpp would replace although the standard has none."""
_NEEDS_PROGRAM = "this needs gcc, clang or cpp, which are not installed"


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no type information
    """pcpp that stops at the first error instead of printing it, and where the text has what it does not know."""

    def __init__(self, has_trigraphs: bool) -> None:
        super().__init__()
        self._has_trigraphs = has_trigraphs

    def check_known(self, text: str, path: str) -> None:
        """*Raises*: SourceError where a text has what pcpp does not know."""
        found = _UNKNOWN.search(text) or (_TRIGRAPH.search(text) if self._has_trigraphs else None)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
            raise SourceError(f"'{found.group().strip()}': {_NEEDS_PROGRAM}", Span(path, line, column))

    @staticmethod
    def hidden(text: str) -> str:
        """The text with `_HIDDEN` where pcpp would see a trigraph; see `group_lines`."""
        return _TRIGRAPH.sub(lambda found: _HIDDEN + found.group()[-1], text)

    def group_lines(self, input: str, source: str) -> object:
        """As in pcpp, which has replaced trigraphs by now: those that were hidden are back."""
        return super().group_lines(input.replace(_HIDDEN, "??"), source)

    def on_error(self, file: str, line: int, msg: str) -> NoReturn:
        raise SourceError(msg, Span(file, line, 1))

    def on_include_not_found(
        self,
        is_malformed: bool,
        is_system_include: bool,  # noqa: ARG002  # the names are pcpp's
        curdir: str,  # noqa: ARG002
        includepath: str,
    ) -> NoReturn:
        if is_malformed:
            raise SourceError("malformed #include; name its directory with -I", self._place())
        raise MissingHeader(includepath, self._place())

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
            raise SourceError(f"#error {with_escapes(text)}", Span(file, line, 1))
        if name == "pragma" and text.strip().startswith(("push_macro", "pop_macro")):
            raise SourceError(_NEEDS_PROGRAM, self._place())
        if name not in ("pragma", "line", "warning", "ident", "sccs"):
            raise SourceError(f"the directive #{name} is not known", self._place())
        return None if name in ("pragma", "line") else True

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:  # noqa: ARG002
        with open(includepath, "rb") as file:
            text = decoded(file.read())
        self.check_known(text, includepath)
        return io.StringIO(self.hidden(text))

    def _place(self) -> Span:
        directive = self.lastdirective
        return Span(str(directive.source), int(directive.lineno), 1) if directive else Span("<command line>", 1, 1)


def run_pcpp(path: str, text: str, defines: tuple[str, ...], includes: tuple[str, ...], has_trigraphs: bool) -> str:
    """Returns `text`, the content of `path`, preprocessed.

    `defines` are `NAME` or `NAME=VALUE`, the last one of a name counts; `includes` are searched in order.
    File names in line markers are as the user would write them: relative to the directory given in `path`.
    """
    preprocessor = _Preprocessor(has_trigraphs)
    preprocessor.check_known(text, path)
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
        preprocessor.parse(preprocessor.hidden(text), path)
        preprocessor.write(out)
    except SourceError:
        raise
    except (AttributeError, AssertionError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        # pcpp meets malformed directives with whatever Python raises.
        place = preprocessor._place()
        raise SourceError(f"cannot preprocess this ({type(error).__name__} in pcpp: {error})", place) from error
    return out.getvalue()
