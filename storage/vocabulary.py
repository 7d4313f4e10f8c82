"""The words of an index, as they are spelled: for suggesting one where another was not found."""

from collections.abc import Sequence

from storage.database import sound_rows
from storage.snapshot import Snapshot


def spellings(snapshot: Snapshot, first: str, lengths: tuple[int, int]) -> Sequence[str]:
    """Terms that begin with the character `first` and have so many characters (shortest, longest), in order.

    Stems and words of documents that are gone are among them: who shows one looks for it in a text first.
    """
    found: set[str] = set()
    with sound_rows():
        for segment, _ in snapshot.segments():
            rows = snapshot.connection.execute(
                "SELECT term FROM postings"
                " WHERE segment = ? AND term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
                (segment, first, first + "\U0010ffff", *lengths),
            )
            found.update(term for (term,) in rows)
    return sorted(found)
