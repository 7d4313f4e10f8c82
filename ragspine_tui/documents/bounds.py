"""How much a document may consist of: a small file must never become a large one in memory or in the index."""

from __future__ import annotations

from typing import Final

from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

HEADING_CHARS: Final = 500
MAX_BLOCKS: Final = 500_000
MAX_LINES: Final = 5_000_000


def heading_text(text: str) -> str:
    """A heading as far as it names anything; the rest of a long one stands in the document's text alone."""
    return text[:HEADING_CHARS].strip()


def check_count(count: int, most: int, what: str) -> None:
    """ReadError with status `too_large` where a document has more than `most` of something."""
    if count > most:
        raise ReadError(f"has more than {most:,} {what}", "split it, or exclude it", status=DocumentStatus.TOO_LARGE)
