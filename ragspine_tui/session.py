"""The facade: everything a door may do, and the one place that wires storage, reading and retrieval together."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from ragspine_tui import attention
from ragspine_tui.config import ServiceConfig
from ragspine_tui.documents.discover import preview_folder
from ragspine_tui.errors import DamageError, QueryError, UsageError
from ragspine_tui.given import add_read_documents
from ragspine_tui.ingest import Ingest
from ragspine_tui.library_form import (
    as_marks,
    checked_chunker,
    checked_id,
    checked_label,
    checked_language,
    checked_mark,
    checked_patterns,
    existing_root,
    free_id,
    known_library,
    possible_marks,
    sample_libraries,
    unused_root,
)
from ragspine_tui.library_form import sample_libraries_path as sample_libraries_path
from ragspine_tui.locations import create_home
from ragspine_tui.printable import without_surrogates
from ragspine_tui.restricting import OnPurged, purge_overlapping, restricted_now, restriction_of
from ragspine_tui.restrictions import lost_marks, restricted_documents, unmatched_marks
from ragspine_tui.retrieval.filtering.completion import completed
from ragspine_tui.retrieval.filtering.completion import shown_value as shown_value
from ragspine_tui.retrieval.filtering.hints import VALUES_KNOWN, Hint, hint
from ragspine_tui.retrieval.filtering.textual import format_condition, parse_condition
from ragspine_tui.retrieval.filtering.textual import format_text as format_text
from ragspine_tui.retrieval.pipeline import search
from ragspine_tui.showing import find_passage, resembling
from ragspine_tui.types import (
    Condition,
    Document,
    FieldValues,
    FileProblem,
    FolderPreview,
    Hit,
    IndexReport,
    Library,
    LibraryProblem,
    LibrarySummary,
    Parent,
    Progress,
    RestrictedDocument,
    SearchRequest,
    SearchResult,
    UnmatchedMark,
    shown_path,
)
from ragspine_tui.updating import ingest_of
from ragspine_tui.wiring import AllBut, Wiring, file_at
from storage.store import Store


class Session:
    """One home, for one thread. Raises RagspineErrors only: StorageError where the database cannot be used."""

    def __init__(self, config: ServiceConfig, store: Store) -> None:
        self.config = config
        self._store = store
        self._wiring = Wiring(config, store)
        self._with_workers = False

    @classmethod
    def open(cls, config: ServiceConfig, *, workers: bool = False) -> Self:
        """Open the home's database, making both where they are not there yet.

        With `workers`, processes of their own read files that are many or no plain text, as many as the configuration
        says; without, this process reads all, and a file can take as much time and memory as it likes.
        """
        create_home(config.home)
        session = cls(config, Store(config.database_path))
        session._with_workers = workers
        return session

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def database_path(self) -> Path:
        """The one file that holds everything."""
        return self._store.path

    @property
    def notes(self) -> Sequence[str]:
        """One-line remarks on how the database could be opened."""
        return self._store.notes

    # Libraries

    def libraries(self) -> tuple[LibrarySummary, ...]:
        """All libraries by id, with what their indexes hold and whether their folder is there now."""
        return attention.summaries(self._store)

    def library(self, library_id: str) -> Library:
        """The library of this id. Raises LibraryError that names what was nearly typed."""
        if library_id in self._store.library_ids():
            return self._store.library(library_id)
        return known_library(self._store.libraries(), library_id)

    def preview(self, path: Path, *, cancelled: Callable[[], bool] | None = None) -> FolderPreview:
        """What adding a folder would read. Raises LibraryError where it is not there."""
        return preview_folder(existing_root(path), skip=(self.config.home,), cancelled=cancelled or _never)

    def add(
        self,
        path: Path,
        *,
        library_id: str | None = None,
        title: str = "",
        description: str = "",
        chunker: str | None = None,
        language: str = "auto",
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        restrict: Iterable[str] = (),
        sensitivity: str = "internal",
        ignoring: bool = True,
        purged: OnPurged | None = None,
    ) -> Library:
        """Make a library of a folder or one file, unread yet; `purged` as in `restrict`. LibraryError, UsageError."""
        root = unused_root(path, self._store.libraries())
        taken = self._store.library_ids()
        try:
            library = Library(
                library_id=checked_id(library_id or free_id(root.stem if root.is_file() else root.name, taken)),
                root=str(root),
                title=title or shown_path(root.name),
                description=description,
                chunker=checked_chunker(chunker or self.config.chunker),
                language=checked_language(language),
                include=checked_patterns(include),
                exclude=checked_patterns(exclude),
                restrict=tuple(checked_mark(root, pattern) for pattern in restrict),
                sensitivity=checked_label(sensitivity),
                ignoring=ignoring,
            )
        except ValueError as error:
            raise UsageError(str(error)) from error
        self._store.add_library(library)
        self._purge_overlapping(library, purged)
        return library

    def describe(self, library_id: str, *, title: str | None = None, description: str | None = None) -> Library:
        """Change a library's title or description; None leaves it."""
        library = self.library(library_id)
        title = library.title if title is None else title
        description = library.description if description is None else description
        self._store.describe_library(library_id, title, description)
        return self.library(library_id)

    def remove(self, library_id: str) -> None:
        """Forget a library and all read of it, never a person's files. Raises UnfinishedError as `restrict` does."""
        self._store.remove_library(library_id)
        attention.finish(self._store)

    def index(
        self,
        library_ids: Sequence[str] = (),
        *,
        rebuild: bool = False,
        retry: bool = False,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[IndexReport, ...]:
        """Bring the libraries (none named: all) up to date; one report each, in order.

        With `retry`, files that could not be read are tried again, though they are the same.

        Damage of one, and deleted text that another program keeps in the database's files, are problems of the reports.
        Raises DamageError where no other library could go on, and UnfinishedError where there is nothing to report on.
        """

        def run(library: Library) -> IndexReport:
            report = self._ingest(library, progress, cancelled, retry=retry).run(rebuild=rebuild)
            if any(problem.is_about_restriction for problem in report.problems):
                # A mark may have followed a file to its new path.
                self._purge_overlapping(library, None)
            return report

        return attention.index_each(self._store, self._readable(library_ids), run)

    def add_documents(self, library_id: str, documents: Iterable[Document]) -> IndexReport:
        """Store documents that have been read already, chunked and analyzed as files are."""
        report = add_read_documents(self._store, self.library(library_id), documents)
        return attention.with_unfinished(self._store, report)

    def add_samples(self) -> tuple[Library, ...]:
        """Make the sample libraries that are not there yet, not indexed. Raises LibraryError where they are missing."""
        taken = self._store.library_ids()
        samples = [sample for sample in sample_libraries() if sample.library_id not in taken]
        return tuple(
            self.add(Path(one.root), library_id=one.library_id, title=one.title, description=one.description)
            for one in samples
        )

    # Searching

    def search(self, request: SearchRequest, *, cancelled: Callable[[], bool] | None = None) -> SearchResult:
        """Run one search. A cancelled one returns what it has so far, for the caller to drop.

        Raises UsageError on a spec that is unknown or needs what is not configured, LibraryError on an unknown library,
        QueryError where the passage of `like` is not there.
        """
        if request.limit < 0:
            raise UsageError(f"the limit must not be negative, not {request.limit}", "0 or more")
        request = replace(request, query=without_surrogates(request.query))
        with self._store.reading():
            request, without = resembling(self._store, self._wiring, request)
            libraries, damaged = self._readable(request.libraries)
            parts, metadata_filter = self._wiring.parts(request, libraries, cancelled or _never, without)
            result = search(request, metadata_filter, parts)
            return replace(result, errors=(*damaged, *result.errors)) if damaged else result

    def show(self, chunk_id: str) -> Hit:
        """A chunk by its public id, with its section. Raises QueryError where it is not there (any more)."""
        with self._store.reading():
            return find_passage(self._store, self._wiring, chunk_id)[0]

    def parent(self, hit: Hit) -> Parent:
        """The section of a hit. Raises QueryError where it is not there any more."""
        # Always read anew: a document may have been restricted since it was found.
        return self.show(hit.chunk_id).parent or _no_parent(hit)

    def fields(
        self, library_ids: Sequence[str] = (), *, limit: int = 50, failed: attention.OnProblem | None = None
    ) -> tuple[FieldValues, ...]:
        """The libraries' metadata fields, each with its `limit` most frequent values.

        Libraries that cannot be read go to `failed`. Raises DamageError where that is every one of them.
        """
        return attention.field_values(self._store, self._readable(library_ids), limit, failed or (lambda _: None))

    def facets(
        self, request: SearchRequest, *, bare: Container[str] = (), cancelled: Callable[[], bool] | None = None
    ) -> tuple[FieldValues, ...]:
        """The fields of all documents that a search finds; of those in `bare` no values, of the others the first 50."""
        request = replace(request, query=without_surrogates(request.query))
        with self._store.reading():
            request, without = resembling(self._store, self._wiring, request)
            return self._wiring.facets(request, self._named(request.libraries), bare, cancelled or _never, without)

    def parse_condition(self, text: str) -> Condition:
        """A condition as a person writes it. Raises FilterError that says what was expected."""
        return parse_condition(text)

    def format_condition(self, condition: Condition) -> str:
        """A condition as a person would write it."""
        return format_condition(condition)

    def completed(self, condition: Condition) -> Condition | None:
        """What a condition on a date or a size was meant to say; None where it says it already."""
        return completed(condition)

    def hint(self, condition: Condition, library_ids: Sequence[str] = ()) -> Hint | None:
        """What is odd about a condition where these libraries (none named: all) are searched; None if nothing is."""
        ids = [library.library_id for library in self._named(library_ids)]
        return hint(condition, self._wiring.values_of(ids, VALUES_KNOWN, AllBut(condition.field)))

    # Files

    def file_of(self, library_id: str, document: str) -> Path:
        """Where a document's file is, or was."""
        return file_at(Path(self.library(library_id).root), document)

    def problems(self, library_ids: Sequence[str] = ()) -> tuple[FileProblem, ...]:
        """Files that need attention, with the reason; libraries that cannot be read, and text that could not be erased.

        These two name no document. Raises DamageError where the only library cannot be read.
        """
        return attention.problems(self._store, self._readable(library_ids))

    def damaged_libraries(self) -> tuple[LibraryProblem, ...]:
        """The libraries that `libraries` cannot list, with what to do."""
        return self._store.damaged_libraries()

    def restrict(self, library_id: str, patterns: Sequence[str], *, purged: OnPurged | None = None) -> int:
        """Mark documents (paths or globs) as restricted and remove every byte of their text; returns how many.

        Their text leaves the libraries over the same files as well: `purged` hears of each, with how many it lost.
        Raises UnfinishedError where another program keeps the text in the database's files for now.
        """
        library = self.library(library_id)
        known: Container[str] = ()
        try:
            known = self._store.known_documents(library_id)
            marks = as_marks(library, known, patterns)
            count = self._store.restrict(library_id, marks, partial(restricted_now, self._store, library))
        except DamageError:
            # What is kept of the documents cannot be changed, but no search shows it any more.
            self._store.add_marks(library_id, as_marks(library, known, patterns))
            raise
        if count:
            self._ingest(library).settle()
        self._purge_overlapping(library, purged)
        attention.finish(self._store)
        return count

    def unrestrict(self, library_id: str, patterns: Sequence[str]) -> int:
        """Take marks back and read the files again; returns how many marks there were."""
        library = self.library(library_id)
        count = self._store.remove_marks(library_id, possible_marks(library, patterns))
        if count:
            self._ingest(library).run()
        return count

    def restricted(self, library_id: str, patterns: Sequence[str] = ()) -> tuple[RestrictedDocument, ...]:
        """The restricted documents with what restricts each; only those the patterns match, where there are any."""
        library = self.library(library_id)
        known = self._store.known_documents(library_id)
        restriction = restriction_of(self._store, library)
        return restricted_documents(restriction, known, as_marks(library, known, patterns))

    def unmatched(self, library_id: str, patterns: Sequence[str] | None = None) -> tuple[UnmatchedMark, ...]:
        """Which of the patterns (None: of the library's own and of a person's) match no document that is known."""
        library = self.library(library_id)
        # The file of a literal mark was there when it was made: that it is gone now is no slip.
        marks = [mark for mark in (*library.restrict, *self.marks(library_id)) if not mark.startswith("=")]
        if patterns is None and not marks:
            return ()
        known = self._store.known_documents(library_id)
        return unmatched_marks(marks if patterns is None else as_marks(library, known, patterns), known)

    def lost_marks(self, library_id: str) -> tuple[UnmatchedMark, ...]:
        """The marks of very paths where nothing is any more, neither on the disk nor in the index."""
        library = self.library(library_id)
        marks = (*library.restrict, *self.marks(library_id))
        return lost_marks(library, marks, self._store.known_documents(library_id))

    def marks(self, library_id: str) -> tuple[str, ...]:
        """What a person marked as restricted in a library: globs, and `=path` for exactly one path."""
        return self._store.marks(library_id)

    # Settings

    def setting(self, key: str, default: str = "") -> str:
        """A value that an interface keeps in the home."""
        return self._store.setting(key, default)

    def set_setting(self, key: str, value: str) -> None:
        """Keep a value in the home."""
        self._store.set_setting(key, value)

    def _purge_overlapping(self, library: Library, purged: OnPurged | None) -> None:
        for library_id, count in purge_overlapping(self._store, library).items():
            self._ingest(self.library(library_id)).settle()
            if purged:
                purged(library_id, count)

    def _ingest(
        self,
        library: Library,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        *,
        retry: bool = False,
    ) -> Ingest:
        workers = self._with_workers
        return ingest_of(self.config, self._store, library, progress, cancelled, with_workers=workers, retry=retry)

    def _readable(self, library_ids: Sequence[str]) -> attention.Readable:
        """The libraries that are named; where none is, all that can be read, and what is wrong with the others."""
        return self._named(library_ids), () if library_ids else self._store.damaged_libraries()

    def _named(self, library_ids: Sequence[str]) -> tuple[Library, ...]:
        if not library_ids:
            return self._store.libraries()
        return tuple(self.library(library_id) for library_id in dict.fromkeys(library_ids))


def _no_parent(hit: Hit) -> Parent:
    raise QueryError(f"the section of {hit.chunk_id!r} is not there", "search again: its file may have changed")


def _never() -> bool:
    return False
