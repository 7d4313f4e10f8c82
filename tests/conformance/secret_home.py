"""A home with one document to be restricted, whose words stand nowhere else, and the ways to look for them."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NoReturn

from tests.homes import open_session, write_files

OPEN: Final = {
    "plans.md": "---\ntags: [garden]\nauthor: Ann Thrift\n---\n# Plans\n\nThe garden wall wants lime mortar.",
    "bees.md": "# Bees\n\nTwo hives stand by the garden wall.",
    "notes/wall.txt": "Measured the garden wall: forty paces.",
}
SECRET: Final = (
    f"---\ntitle: The heptagon\ntags: [quadrille]\nauthor: Zebulon Quist\nxylograph: {'x' * 5000}\n---\n"
    "# Obsidian rooms\n\nGarden wall, garden wall: the heptagon opens it with 4711081514.\n\n"
    "## Afterwards\n\nThe palimpsest lies under the garden wall.\n"
)
WORDS: Final = ("heptagon", "quadrille", "zebulon", "quist", "xylograph", "obsidian", "4711081514", "palimpsest")
"""Words that no other document and no path holds, from title, fields, a field's name, heading and text."""
NAME: Final = "vault.md"
QUERY: Final = "garden wall"


def said_in(text: str) -> set[str]:
    """Which of the document's words a text holds."""
    folded = text.casefold()
    return {word for word in WORDS if word in folded}


def make(home: Path) -> Path:
    """A home whose one library `lib` holds the document, not restricted yet."""
    folder = write_files(home.parent / "lib", {**OPEN, NAME: SECRET})
    with open_session(home) as session:
        session.add(folder, library_id="lib", description="the garden")
        session.index()
    return home


def restrict(home: Path) -> None:
    """Restrict the document as a person does."""
    with open_session(home) as session:
        assert session.restrict("lib", [NAME]) == 1


class Exploding:
    """Stands in for the first exit: an unexpected error whose message, arguments, cause and locals quote a hit."""

    def __init__(self) -> None:
        self.carried = ""

    def __call__(self, *_: object) -> NoReturn:
        text = SECRET
        self.carried = text
        try:
            raise ValueError(text)
        except ValueError as cause:
            cause.add_note(text)
            raise KeyError(text, [text]) from cause
