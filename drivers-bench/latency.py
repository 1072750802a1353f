"""How long the language server takes from a save to diagnostics, and what it needs after many saves.

    latency.py DIRECTORY FILE [--edits 10] [--saves 100]

DIRECTORY has the sources, and a `duet.toml` where FILE is one file of several; it is copied, and the copy is edited:
each edit puts one more comment at the end of FILE. Prints the median and the worst of the edits, in seconds, and the
resident memory of the server after the first result and at the end, in MiB (analyses are processes of their own).
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil
from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 600.0


class Editor:
    """A client with one file open, which knows when diagnostics have come in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.client = LanguageClient("latency", "1")
        self.arrived = asyncio.Event()
        self.count = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def shown(given: types.PublishDiagnosticsParams) -> None:
            if given.uri == path.as_uri():
                self.count = len(given.diagnostics)
                self.arrived.set()

    async def start(self) -> psutil.Process:
        """The process of the server, behind the first result."""
        await self.client.start_io(sys.executable, "-m", "duet", "lsp")
        root = self.path.parent.as_uri()
        await self.client.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=root))
        self.client.initialized(types.InitializedParams())
        (server,) = psutil.Process().children()
        document = types.TextDocumentItem(self.path.as_uri(), types.LanguageKind.C, 1, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        await asyncio.wait_for(self.arrived.wait(), PATIENCE)
        return server

    async def save(self, number: int) -> float:
        """Seconds from a save to its diagnostics."""
        self.text += f"/* edit {number} */\n"
        self.path.write_text(self.text, encoding="utf-8")
        self.arrived.clear()
        document = types.VersionedTextDocumentIdentifier(number + 1, self.path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(self.text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        begun = time.monotonic()
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.path.as_uri()))
        )
        await asyncio.wait_for(self.arrived.wait(), PATIENCE)
        return time.monotonic() - begun

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]  # pygls has partial types


async def measure(path: Path, edits: int, saves: int) -> str:
    """The line that is printed."""
    editor = Editor(path)
    server = await editor.start()
    first = _mib(server)
    seconds = [await editor.save(number) for number in range(1, edits + 1)]
    for number in range(edits + 1, saves + 1):
        await editor.save(number)
    last = _mib(server)
    await editor.stop()
    told = f"median {statistics.median(seconds):.1f} s, worst {max(seconds):.1f} s of {edits} edits"
    memory = f"{first} MiB after the first result, {last} MiB after {max(edits, saves)} saves"
    return f"{path.name}: {editor.count} diagnostics; {told}; {memory}"


def _mib(process: psutil.Process) -> int:
    return int(process.memory_info().rss // 2**20)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("file", type=Path, help="relative to DIRECTORY")
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--saves", type=int, default=0, help="go on until so many saves are done")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as copy:
        root = Path(copy) / "copy"
        shutil.copytree(given.directory, root, symlinks=True)
        print(asyncio.run(measure(root / given.file, given.edits, given.saves)))


if __name__ == "__main__":
    main()
