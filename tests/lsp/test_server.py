"""The language server as an editor has it: a process, spoken to over the wire."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

LOCKED = """#include <assert.h>
#include <pthread.h>
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
    pthread_mutex_lock(&m);
    count = 1;
    assert(count == 1);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    return 0;
}
"""
RACY = LOCKED.replace("    pthread_mutex_lock(&m);\n", "    \n").replace("count = 1;", "count = 2; count = 1;")
SLOW = "#include <assert.h>\nint main(void) {\n" + "for (int i = 0; i < 100; i++) assert(i >= 0);\n" * 400 + "}\n"
PATIENCE = 120


class Editor:
    """A client that remembers what it is shown."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = LanguageClient("editor", "1")
        self.shown: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def shown(given: types.PublishDiagnosticsParams) -> None:
            self.shown.put_nowait(given)

        self.work: list[str] = []

        @self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
        def made(_: types.WorkDoneProgressCreateParams) -> None:
            return None

        @self.client.feature(types.PROGRESS)  # type: ignore[untyped-decorator]
        def went_on(given: types.ProgressParams) -> None:
            value: Any = given.value
            self.work.append(f"{value['kind']} {value.get('title', '')}".strip())

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def told(given: types.ShowMessageParams) -> None:
            self.messages.put_nowait(given.message)

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "duet", "lsp")
        await self.client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True)),
                root_uri=self.root.as_uri(),
            )
        )
        self.client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]  # pygls has partial types

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri(name), types.LanguageKind.C, 1, text))
        )

    def save(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")
        document = types.VersionedTextDocumentIdentifier(2, self.uri(name))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(name)))
        )

    async def diagnostics(self) -> types.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.shown.get(), PATIENCE)

    async def command(self, name: str, *arguments: Any) -> Any:
        given = types.ExecuteCommandParams(name, list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(given), PATIENCE)


def edited(root: Path, what: Callable[[Editor], Awaitable[None]]) -> None:
    """Does something with an editor whose server has just started."""

    async def run() -> None:
        editor = Editor(root)
        await editor.start()
        try:
            await what(editor)
        finally:
            await editor.stop()

    asyncio.run(run())


async def answered(editor: Editor) -> None:
    """Hovers, lenses and commands answer from the newest result, which is that of `RACY`."""
    document = types.TextDocumentIdentifier(editor.uri("a.c"))
    hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(7, 12)))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "**refuted**: assertion" in hover.contents.value
    assert "`count` is written by" in hover.contents.value
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lenses is not None
    assert [(lens.range.start.line, lens.command and lens.command.title) for lens in lenses] == [
        (4, "0 proved, 1 open")
    ]
    moves = await editor.command("duet.showSchedule", editor.uri("a.c"), 7)
    assert "   1. main: " in moves
    assert "assert count == 1" in moves
    assert await editor.command("duet.summary", editor.uri("a.c"), "worker") == ["8: assertion 'count == 1'"]
    text = await editor.command("duet.explain", editor.uri("a.c"), 7)
    assert "count == 1" in text
    assert await editor.command("duet.showSchedule", editor.uri("a.c"), 0) == "no schedule is known for this line"


def test_what_is_open_is_shown_and_goes_when_it_is_mended(tmp_path: Path) -> None:
    async def what(editor: Editor) -> None:
        editor.open("a.c", RACY)
        (found,) = (await editor.diagnostics()).diagnostics
        assert (found.range.start.line, found.code, found.severity) == (7, "assertion", types.DiagnosticSeverity.Error)
        assert found.message.startswith("refuted: assertion 'count == 1'")
        assert found.related_information
        assert any(item.message.startswith("1. main:") for item in found.related_information)
        await answered(editor)
        editor.save("a.c", LOCKED)
        shown = await editor.diagnostics()
        assert (shown.uri, list(shown.diagnostics)) == (editor.uri("a.c"), [])
        assert editor.work == ["begin duet: a.c", "end"] * 2

    edited(tmp_path, what)


def test_what_is_only_read_in_a_schedule_is_not_written(tmp_path: Path) -> None:
    """And what cannot be read is shown where it stands."""

    async def what(editor: Editor) -> None:
        editor.open("b.c", "int main(void) {\n    return 0 0;\n}\n")
        (found,) = (await editor.diagnostics()).diagnostics
        assert (found.range.start.line, found.severity) == (1, types.DiagnosticSeverity.Error)
        editor.open(
            "a.c",
            "#include <pthread.h>\nint sum, step = 1;\nvoid *add(void *unused) { sum += step; return unused; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); return 0; }\n",
        )
        await editor.diagnostics()
        document = types.TextDocumentIdentifier(editor.uri("a.c"))
        for character, is_written in (
            ("void *add(void *unused) { ", True),
            ("void *add(void *unused) { sum += ", False),
        ):
            place = types.HoverParams(document, types.Position(2, len(character)))
            hover = await editor.client.text_document_hover_async(place)
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert (" is written by add: a.c:3" in hover.contents.value) == is_written

    edited(tmp_path, what)


def test_a_newer_save_ends_an_older_analysis(tmp_path: Path) -> None:
    async def what(editor: Editor) -> None:
        editor.open("a.c", SLOW)
        await asyncio.sleep(0.5)
        editor.save("a.c", LOCKED)
        shown = await editor.diagnostics()
        assert list(shown.diagnostics) == []
        assert editor.shown.empty()
        editor.save("a.c", RACY)
        assert len((await editor.diagnostics()).diagnostics) == 1
        assert editor.shown.empty()  # nothing came of the first one

    edited(tmp_path, what)


def test_what_keeps_a_file_from_being_analysed_is_shown_in_it_also_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "duet.toml").write_text('files = ["a.c", "b.c"]\n', encoding="utf-8")
    (tmp_path / "b.c").write_text('int x;\n#include "missing.h"\n', encoding="utf-8")

    async def what(editor: Editor) -> None:
        editor.open("a.c", "int main(void) { return 0; }\n")
        shown = {(found := await editor.diagnostics()).uri: found.diagnostics for _ in range(2)}
        (here,), (there,) = shown[editor.uri("a.c")], shown[editor.uri("b.c")]
        assert (here.range.start.line, there.range.start.line) == (0, 1)
        assert here.severity == there.severity == types.DiagnosticSeverity.Error
        assert here.message == f"not analysed: b.c:2:10: error: {there.message}"

    edited(tmp_path, what)


def test_that_an_analysis_did_not_end_is_shown_in_the_file_that_was_saved(tmp_path: Path) -> None:
    (tmp_path / "duet.toml").write_text("timeout = 0.01\n", encoding="utf-8")

    async def what(editor: Editor) -> None:
        editor.open("a.c", LOCKED)
        found = (await editor.diagnostics()).diagnostics
        (limit,) = (one for one in found if one.severity == types.DiagnosticSeverity.Warning and one.code is None)
        assert "0.01" in limit.message

    edited(tmp_path, what)


def test_a_program_is_that_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "duet.toml").write_text('files = ["a.c", "b.c"]\nproperties = ["assertion"]\n', encoding="utf-8")
    (tmp_path / "b.c").write_text("int get(void) { return 3; }\n", encoding="utf-8")

    async def what(editor: Editor) -> None:
        editor.open("a.c", "#include <assert.h>\nint get(void);\nint main(void) { assert(get() == 3); }\n")
        shown = {(found := await editor.diagnostics()).uri: list(found.diagnostics) for _ in range(2)}
        assert shown == {editor.uri("a.c"): [], editor.uri("b.c"): []}
        editor.open("b.c", "int get(void) { return 4; }\n")
        shown = {(found := await editor.diagnostics()).uri: list(found.diagnostics) for _ in range(2)}
        assert [len(shown[editor.uri(name)]) for name in ("a.c", "b.c")] == [1, 0]
        (tmp_path / "duet.toml").write_text("speed = 3\n", encoding="utf-8")
        editor.save("a.c", LOCKED)
        assert "unknown option 'speed'" in await asyncio.wait_for(editor.messages.get(), PATIENCE)

    edited(tmp_path, what)


def test_nothing_stays_behind_when_the_editor_ends(tmp_path: Path) -> None:
    async def what(editor: Editor) -> None:
        editor.open("a.c", SLOW)
        await asyncio.sleep(1)

    edited(tmp_path, what)
    assert not [entry for entry in os.listdir("/proc") if entry.isdigit() and _is_about(entry, str(tmp_path))]


def _is_about(process: str, text: str) -> bool:
    try:
        return text in Path("/proc", process, "cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
