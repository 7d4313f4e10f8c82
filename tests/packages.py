"""Helper: a package as an installer leaves it, in a folder that a test puts on sys.path."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, group: str, **points: str) -> None:
    """Write the metadata of a package whose entry points of `group` are `points`, name to `module:attribute`."""
    info = folder / "rope_walk-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rope-walk\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]), encoding="utf-8")
