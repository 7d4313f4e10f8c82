"""Opening a hit's file: the person's editor at the line, or the system's own program."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ragspine_tui.errors import UsageError
from ragspine_tui.types import Hit

# Files an editor shows as bytes; these go to the system's own program.
NOT_TEXT: Final = frozenset(
    {".pdf", ".doc", ".docx", ".docm", ".dotx", ".ppt", ".pptx", ".pptm", ".ppsx", ".xls", ".xlsx", ".xlsm"}
    | {".odt", ".odp", ".ods", ".ott", ".epub", ".rtf", ".ipynb", ".mobi", ".msg", ".gz", ".bz2", ".xz"}
)
_BINARY_KINDS: Final = frozenset({"pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub"})

# How PDF viewers are asked for a page, by the start of their desktop file's name: the command and its option.
_PAGE_OF_VIEWER: Final = {
    "org.gnome.evince": ("evince", "--page-index={page}"),
    "evince": ("evince", "--page-index={page}"),
    "org.gnome.papers": ("papers", "--page-index={page}"),
    "atril": ("atril", "--page-index={page}"),
    "xreader": ("xreader", "--page-index={page}"),
    "okular": ("okular", "--page={page}"),
    "org.kde.okular": ("okular", "--page={page}"),
    "org.pwmt.zathura": ("zathura", "--page={page}"),
}

# Kinds whose text is the file, line by line.
_OWN_TEXT: Final = frozenset({"md", "txt", "code", "rst", "org", "adoc", "yaml", "toml"})
_OPENER_SECONDS: Final = 3.0

_COLON_AFTER_GOTO: Final = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf"})
_COLON: Final = frozenset({"subl", "sublime_text", "zed", "hx", "helix", "mate"})
_WITHOUT_LINE: Final = frozenset({"notepad", "open", "xdg-open", "gedit"})


def editor_command(path: Path, line: int | None, environ: Mapping[str, str]) -> list[str]:
    """The editor's argv: `$VISUAL`, else `$EDITOR`, else one that is there; the line in the editor's own form.

    UsageError where no editor is set or the one set is not there.
    """
    named = environ.get("VISUAL") or environ.get("EDITOR") or _fallback()
    if not named:
        raise UsageError("no editor is set", "set VISUAL or EDITOR")
    try:
        command = shlex.split(named)
    except ValueError as error:
        raise UsageError(f"cannot understand the editor {named!r}", "mend VISUAL or EDITOR") from error
    if not command or shutil.which(command[0]) is None:
        raise UsageError(f"the editor {named!r} is not there", "set VISUAL or EDITOR to one that is")
    return [*command, *_at_line(Path(command[0]).stem.lower(), str(path), line)]


def _fallback() -> str:
    names = ("notepad",) if sys.platform == "win32" else ("nano", "vim", "vi")
    return next((name for name in names if shutil.which(name)), "")


def _at_line(editor: str, path: str, line: int | None) -> list[str]:
    if line is None or editor in _WITHOUT_LINE:
        return [path]
    if editor in _COLON_AFTER_GOTO:
        return ["--goto", f"{path}:{line}"]
    return [f"{path}:{line}"] if editor in _COLON else [f"+{line}", path]


def line_to_edit(hit: Hit) -> int | None:
    """The line of the hit's first matched word where the text is the file's own; else the line the hit names."""
    if hit.line is None or not _OWN_TEXT.intersection(hit.fields.get("kind", ())) or not hit.highlights:
        return hit.line
    return hit.line + hit.text.count("\n", 0, min(mark.start for mark in hit.highlights))


def is_not_text(hit: Hit, path: Path) -> bool:
    """Whether an editor would show the file as bytes, by its name or by what it turned out to be."""
    return path.suffix.lower() in NOT_TEXT or not _BINARY_KINDS.isdisjoint(hit.fields.get("kind", ()))


def run_editor(command: list[str], environ: Mapping[str, str]) -> None:
    """Run the editor in this terminal until it ends; UsageError in one line where it cannot be run."""
    try:
        subprocess.run(command, env=dict(environ), check=False)  # noqa: S603
    except OSError as error:
        raise UsageError(f"cannot run {command[0]!r}: {error.strerror}", "set VISUAL or EDITOR") from error


def viewer_command(path: Path, page: int | None) -> list[str]:
    """The system's viewer for PDF files at a page, where that is one which can be asked for a page; else empty."""
    asked = shutil.which("xdg-mime")
    if page is None or asked is None or path.suffix.lower() != ".pdf":
        return []
    try:
        told = subprocess.run(  # noqa: S603
            [asked, "query", "default", "application/pdf"], capture_output=True, timeout=_OPENER_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    name = told.stdout.decode("utf-8", "replace").strip().lower()
    for start, (command, option) in _PAGE_OF_VIEWER.items():
        if name.startswith(start) and (found := shutil.which(command)):
            return [found, option.format(page=page), str(path)]
    return []


def open_with_system(path: Path, page: int | None = None) -> None:
    """Hand the file to the system's own program for it, at the page where that can be asked for a page.

    UsageError where there is none or it says it failed.

    Openers that hand over end at once; one that is still there after a few seconds shows the file itself.
    """
    if sys.platform == "win32":
        os.startfile(path)  # noqa: S606
        return
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    found = shutil.which(opener)
    way_out = "Y copies where it stands" if path.suffix.lower() in NOT_TEXT else "press e for the editor"
    if found is None:
        raise UsageError(f"{opener} is not there", way_out)
    try:
        process = subprocess.Popen(  # noqa: S603
            viewer_command(path, page) or [found, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise UsageError(f"cannot run {opener}: {error.strerror}", way_out) from error
    try:
        code = process.wait(_OPENER_SECONDS)
    except subprocess.TimeoutExpired:
        # Someone must collect the process when it ends, and nobody should wait for it.
        threading.Thread(target=process.wait, daemon=True).start()
        return
    if code:
        raise UsageError(f"{opener} could not open it (exit {code})", way_out)
