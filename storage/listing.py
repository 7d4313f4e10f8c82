"""Documents in an order that needs no score: by date, newest first, then by path."""

import os
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from storage.database import sound_rows
from storage.dating import newest_values
from storage.snapshot import Snapshot

_BATCH: Final = 500


class ListedRow(NamedTuple):
    """A document with its latest `date`, '' where it has none, its path, and its opening chunk: ordinal and number."""

    date: str
    path: str
    document_id: int
    chunk: int
    number: int


def list_documents(snapshot: Snapshot, documents: NDArray[np.bool_], limit: int) -> list[ListedRow]:
    """The first `limit` of the flagged documents that have a passage. Raises StorageError on damaged rows."""
    if not limit:
        return []
    with sound_rows():
        dates, rank = newest_values(snapshot, "date")
        chosen = np.flatnonzero(documents & (snapshot.first_chunk[1:] > snapshot.first_chunk[:-1]))
        if len(chosen) > limit:
            cut = np.partition(rank[chosen], len(chosen) - limit)[len(chosen) - limit]
            chosen = chosen[rank[chosen] >= cut]
        paths = _paths(snapshot, snapshot.documents[chosen].tolist())
    chunks = snapshot.opening_chunk[chosen]
    numbers = chunks - snapshot.first_chunk[chosen] + 1
    columns = (chosen, snapshot.documents[chosen], chunks, numbers)
    rows = [
        ListedRow(dates[rank[ordinal]], paths[identity], identity, chunk, number)
        for ordinal, identity, chunk, number in zip(*(column.tolist() for column in columns), strict=True)
    ]
    rows.sort(key=lambda row: row.path)
    rows.sort(key=lambda row: row.date, reverse=True)
    return rows[:limit]


def _paths(snapshot: Snapshot, identities: list[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for start in range(0, len(identities), _BATCH):
        batch = identities[start : start + _BATCH]
        rows = snapshot.connection.execute(
            f"SELECT id, path FROM documents WHERE id IN ({', '.join('?' * len(batch))})", batch
        )
        found.update((identity, os.fsdecode(path)) for identity, path in rows)
    return found
