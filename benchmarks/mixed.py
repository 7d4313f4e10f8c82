"""How fast a folder of many formats is indexed, kind by kind, and by recoll on the same files in the same run."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.engine.child import Ran, run
from benchmarks.machine import revision, table, this_machine

KINDS: Final = {
    "Markdown": (".md", ".markdown"),
    "HTML": (".html", ".htm", ".xhtml"),
    "text": (".txt", ".rst", ".org", ".tex", ".csv", ".json", ".yaml"),
    "source code": (".py", ".c", ".h", ".js", ".rs", ".go", ".java", ".sh"),
    "PDF": (".pdf",),
    "Office": (".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp", ".rtf", ".epub"),
    "mail": (".eml", ".mbox", ".msg"),
    "compressed": (".gz", ".bz2", ".xz"),
}
EVERYTHING: Final = "all together"
RECOLL: Final = "recollindex"


class Part(NamedTuple):
    """Files of one kind, copied into a folder of their own."""

    kind: str
    folder: Path
    files: int
    size: int


def main() -> None:
    """The command: measures a folder and prints a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mixed", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="the files, of any formats")
    parser.add_argument("--most", type=int, default=400, metavar="MB", help="so many MB of each kind at most")
    parser.add_argument("--kinds", default="", help="only these, by comma")
    arguments = parser.parse_args()
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="ragspine-mixed-") as place:
        parts = list(_parts(arguments.folders, Path(place), arguments.most * 1_000_000, arguments.kinds.split(",")))
        rows = [_measured(part, Path(place)) for part in parts]
    print(table(("what", "figure"), [*machine.rows(), ("revision", revision())]), "", sep="\n")
    head = ("kind", "files", "MB", "ours s", "files/s", "MB/s", "peak MB", RECOLL, "its peak MB", "ours, times as fast")
    print(table(head, rows))


def _parts(folders: Sequence[Path], place: Path, most: int, only: Sequence[str]) -> Iterator[Part]:
    """The files by kind, and all of them, in folders of their own: each program reads exactly the same."""
    wanted = [kind for kind in KINDS if not any(only) or kind in only]
    made = [part for kind in wanted if (part := _copied(kind, folders, place, most)).files]
    yield from made
    if len(made) > 1:
        together = place / "files"
        yield Part(EVERYTHING, together, sum(part.files for part in made), sum(part.size for part in made))


def _copied(kind: str, folders: Sequence[Path], place: Path, most: int) -> Part:
    folder = place / "files" / kind.replace(" ", "-")
    count = size = 0
    for path in sorted(path for root in folders for path in root.rglob("*") if path.suffix.lower() in KINDS[kind]):
        if path.is_symlink() or not path.is_file() or size + path.stat().st_size > most:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        # Recoll tells files by their paths alone: a number keeps names of different folders apart.
        shutil.copy(path, folder / f"{count:06}-{path.name}")
        count, size = count + 1, size + path.stat().st_size
    return Part(kind, folder, count, size)


def _measured(part: Part, place: Path) -> tuple[str, ...]:
    ours = _ours(part.folder, place / "homes" / part.kind)
    theirs = _recoll(part.folder, place / "recoll" / part.kind)
    row = [part.kind, f"{part.files:,}", f"{part.size / 1e6:.1f}", f"{ours.seconds:.1f}"]
    row += [
        f"{part.files / ours.seconds:,.0f}",
        f"{part.size / 1e6 / ours.seconds:.2f}",
        f"{ours.peak_bytes / 1e6:.0f}",
    ]
    if theirs is None:
        return (*row, "-", "-", "-")
    return (*row, f"{theirs.seconds:.1f} s", f"{theirs.peak_bytes / 1e6:.0f}", f"{theirs.seconds / ours.seconds:.2f}x")


def _ours(folder: Path, home: Path) -> Ran:
    ran = run([sys.executable, "-m", "ragspine_tui", "add", "--home", str(home), "--id", "mixed", str(folder)])
    # 3 says that some files are not read, which is what some files are for.
    if ran.code not in (0, 3):
        raise SystemExit(f"ragspine-tui ended with {ran.code}")
    return ran


def _recoll(folder: Path, place: Path) -> Ran | None:
    """Recoll with as many threads as it likes, and nothing but this folder; None where it is not installed."""
    if shutil.which(RECOLL) is None:
        return None
    place.mkdir(parents=True)
    (place / "recoll.conf").write_text(f"topdirs = {folder}\nidxflushmb = 100\nloglevel = 1\n", encoding="utf-8")
    ran = run([RECOLL, "-c", str(place), "-z"])
    if ran.code != 0:
        print(f"{RECOLL} ended with {ran.code}", file=sys.stderr)
    return ran


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main()
