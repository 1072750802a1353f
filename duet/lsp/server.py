"""The server: analyses in the background on open and save, and answers from the newest results.

*Source*: the Language Server Protocol 3.17, by pygls.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from duet import __version__
from duet.errors import SourceError
from duet.lsp import findings
from duet.lsp.findings import Result
from duet.lsp.runs import Program, Runs, program_of

EXPLAIN, SCHEDULE, SUMMARY = "duet.explain", "duet.showSchedule", "duet.summary"


@dataclass(frozen=True, slots=True)
class Known:
    """The newest result of a program."""

    program: Program
    result: Result


class Server(LanguageServer):
    """A language server with the newest result of each file."""

    def __init__(self) -> None:
        super().__init__("duet", __version__)
        self.runs = Runs()
        self.known: dict[str, Known] = {}

    async def analyse(self, uri: str) -> None:
        """Analyses the program of a file and shows what came out, unless a newer analysis has begun."""
        path = findings.path_of(uri)
        if not path.endswith((".c", ".h", ".i", ".plip")):
            return
        try:
            program = program_of(path, self.runs.timeout)
        except SourceError as error:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(error)))
            return
        async with self._shown_as_work(path):
            result = await self.runs.result(program)
        if result is None:
            return
        shown = findings.diagnostics(result, program.root, findings.uri_of(path, program.root))
        before = {other for other, known in self.known.items() if known.program == program}
        for other in before - shown.keys():
            shown[other] = []
        for other, diagnostics in shown.items():
            self.known[other] = Known(program, result)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(other, diagnostics))
        if self.client_capabilities.workspace and self.client_capabilities.workspace.code_lens:
            self.workspace_code_lens_refresh(None, lambda _: None)

    @contextlib.asynccontextmanager
    async def _shown_as_work(self, path: str) -> AsyncIterator[None]:
        """Says in the editor that a file is analysed, if the editor shows such things."""
        if not (self.client_capabilities.window and self.client_capabilities.window.work_done_progress):
            yield
            return
        token = str(uuid.uuid4())
        await self.work_done_progress.create_async(token)
        title = f"duet: {os.path.basename(path)}"
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=False))
        try:
            yield
        finally:
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())


server = Server()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
async def opened(server: Server, parameters: types.DidOpenTextDocumentParams) -> None:
    """Analyses a file that is opened."""
    await server.analyse(parameters.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
async def saved(server: Server, parameters: types.DidSaveTextDocumentParams) -> None:
    """Analyses a file that is saved."""
    await server.analyse(parameters.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hovered(server: Server, parameters: types.HoverParams) -> types.Hover | None:
    """What is known of a line, and who writes the variable that is pointed at."""
    uri, place = parameters.text_document.uri, parameters.position
    known = server.known.get(uri)
    if known is None:
        return None
    word = server.workspace.get_text_document(uri).word_at_position(place)
    text = findings.hover(known.result, known.program.root, uri, place.line, word)
    return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def lenses(server: Server, parameters: types.CodeLensParams) -> list[types.CodeLens]:
    """How many checks of each function are proved."""
    uri = parameters.text_document.uri
    known = server.known.get(uri)
    if known is None:
        return []
    lines = server.workspace.get_text_document(uri).lines
    return findings.lenses(known.result, known.program.root, uri, lines)


@server.command(EXPLAIN)
async def explain(server: Server, uri: str, line: int) -> str:
    """What `duet explain` says of a line, which counts from 0."""
    known = server.known.get(uri)
    if known is None:
        return "not analysed yet"
    path = os.path.relpath(findings.path_of(uri), known.program.root)
    return await server.runs.explained(known.program, path, line + 1)


@server.command(SCHEDULE)
def show_schedule(server: Server, uri: str, line: int) -> str:
    """The schedules in which checks of a line, which counts from 0, fail."""
    known = server.known.get(uri)
    found = findings.schedule(known.result, known.program.root, uri, line) if known else ""
    return found or "no schedule is known for this line"


@server.command(SUMMARY)
def summary(server: Server, uri: str, function: str) -> list[str]:
    """The open checks of a function, a line each."""
    known = server.known.get(uri)
    if known is None:
        return []
    return [
        f"{check['line']}: {check['property']} '{check.get('must') or check['expression']}'"
        for check in known.result["assertions"]
        if check["function"] == function
        and check["status"] not in findings.SAFE
        and findings.uri_of(check["file"], known.program.root) == uri
    ]


@server.feature(types.SHUTDOWN)
async def ended(server: Server, _: None) -> None:
    """Ends all analyses."""
    await server.runs.cancel_all()
