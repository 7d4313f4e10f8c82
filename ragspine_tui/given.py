"""Documents that are given as they are, and not as files: they come into the index as files do."""

from __future__ import annotations

from collections.abc import Iterable

from ragspine_tui.entries import EntryMaker, analyzer_of, sample_order
from ragspine_tui.ingest import BATCH_DOCUMENTS, SAMPLE_CHARACTERS, SAMPLE_DOCUMENTS, recipe_of
from ragspine_tui.retrieval.lexical.analyzer import detect_language
from ragspine_tui.types import Document, IndexReport, Library
from storage.documents import SourceRow
from storage.store import Store


def add_read_documents(store: Store, library: Library, documents: Iterable[Document]) -> IndexReport:
    """Store documents that have been read already, by the same way as files: chunked, analyzed, in batches."""
    library_id = library.library_id
    everything = list(documents)
    sample = sorted(everything, key=lambda one: sample_order(one.path))[:SAMPLE_DOCUMENTS]
    language = library.language
    if language == "auto":
        language = detect_language(one.text[:SAMPLE_CHARACTERS] for one in sample)
    maker = EntryMaker(library, lambda _: False, analyzer_of(language))
    store.set_index_state(library_id, language, recipe_of(library), complete=True)
    for start in range(0, len(everything), BATCH_DOCUMENTS):
        batch = everything[start : start + BATCH_DOCUMENTS]
        rows = [SourceRow(one.path, len(one.text), 0) for one in batch]
        store.replace_documents(library_id, [maker.entry(*pair) for pair in zip(rows, batch, strict=True)])
    while store.merge_segments(library_id):
        pass
    known = store.known_documents(library_id).values()
    return IndexReport(library_id, added=len(everything), chunks=sum(one.chunks for one in known))
