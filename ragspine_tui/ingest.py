"""Bringing a library up to date: folder -> documents -> sections, chunks, postings; only what changed is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Final

from ragspine_tui.absence import absent_since, is_away, keep_mount
from ragspine_tui.documents.discover import DiscoveryProblem, Source, discover
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.documents.reader import READER_VERSION
from ragspine_tui.documents.sensitivity import PathRestriction
from ragspine_tui.entries import (
    RETRIED,
    UNREAD,
    analyzer_of,
    chunker_of,
    one_line,
    sample_order,
)
from ragspine_tui.errors import LibraryError, ReadError
from ragspine_tui.groups import GROUP_BYTES, Group, ReadGroup, grouped
from ragspine_tui.reading import Reading
from ragspine_tui.renames import follow_secrets, renamed
from ragspine_tui.restricting import restricted_among, restricted_by, restriction_of
from ragspine_tui.retrieval.chunking.chunker import CHUNKER_VERSION
from ragspine_tui.retrieval.lexical.analyzer import ANALYZER_VERSION, detect_language
from ragspine_tui.retrieval.lexical.stemming import LANGUAGES
from ragspine_tui.types import (
    DocumentStatus,
    FileProblem,
    IndexReport,
    Library,
    Progress,
    Sensitivity,
    shown_time,
)
from storage.documents import DocumentBatch, DocumentEntry, KnownDocument, stored_time
from storage.store import Store

FIRST_BATCH_CHARACTERS: Final = 250_000
BATCH_CHARACTERS: Final = 16_000_000
BATCH_DOCUMENTS: Final = 5_000
"""A batch is one transaction and one segment: what a kill can lose, and what is held in memory. The first is small, so
that something can be searched at once; each next one is four times the size, up to these bounds."""

WALK_TOLD: Final = 1_000
"""After so many files found it is told how many, and asked whether to go on."""

SAMPLE_DOCUMENTS: Final = 64
SAMPLE_CHARACTERS: Final = 4_000

OnProgress = Callable[[Progress], None]
IsCancelled = Callable[[], bool]


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a run has to do: sources to read, paths to forget, and how many files need nothing."""

    reads: tuple[Source, ...]
    forget: tuple[str, ...]
    unchanged: int


@dataclass(slots=True)
class Ingest:
    """Brings one library up to date in `store`, batch by batch; after a kill at any moment the next run goes on."""

    store: Store
    library: Library
    progress: OnProgress = lambda _: None
    cancelled: IsCancelled = lambda: False
    skip: Sequence[Path] = ()
    workers: int = 0
    """How many processes read the files that are many or not plain text; 0 reads them all in this one."""
    limits: ReadLimits = field(default_factory=ReadLimits)
    retry: bool = False
    """Whether files that could not be read are tried again, though they are the same."""
    _tally: _Tally = field(default_factory=_Tally)
    _key: int = 0
    _idle: bool = False
    _sizes: Sequence[int] = (0,)
    """The bytes of the files to read, before the first, the second ... and behind the last."""
    _seen: dict[str, KnownDocument] | None = None
    _restriction: PathRestriction = field(init=False)
    _first_restriction: PathRestriction = field(init=False)
    _followed: Sequence[FileProblem] = ()
    _left_out: int = 0
    _reading: Reading = field(init=False)

    def __post_init__(self) -> None:
        self._reading = Reading(self.library, self.limits, self.workers, self._is_cancelled)

    def run(self, *, rebuild: bool = False) -> IndexReport:
        """Read what is new or changed, forget what is gone, merge what is due. Raises StorageError."""
        root = Path(self.library.root)
        if is_away(self.store, self.library):
            return self._offline()
        try:
            return self._update(root, rebuild)
        except LibraryError:
            return IndexReport(self.library.library_id, cancelled=True, problems=(self._problem("removed meanwhile"),))
        except ReadError as error:
            return IndexReport(self.library.library_id, problems=(self._problem(str(error)),))
        finally:
            self._reading.close()

    def settle(self) -> None:
        """Make the index anew where the documents that are left speak another language than it was made in."""
        language = self.store.index_state(self.library.library_id)[0]
        if self._settled_language(language) != language:
            self.run(rebuild=True)

    def _update(self, root: Path, rebuild: bool) -> IndexReport:
        # Before anything is forgotten: what cannot be cut again must stay.
        chunker_of(self.library)
        if self.library.language != "auto":
            analyzer_of(self.library.language)
        self._key = self.store.library_key(self.library.library_id)
        self._take_marks()
        self._tell(0, 0, "")
        problems: list[DiscoveryProblem] = []
        sources = self._walked(root, problems)
        if self._tally.cancelled:
            return self._report(problems)
        self.store.note_unfound(self.library.library_id, self._unfound(problems))
        self._follow_secrets(sources)
        language = self._language(sources, rebuild)
        self._start(language, rebuild)
        self._bring_up(sources, problems, language)
        settled = self._settled_language(language)
        if settled != language and not self._tally.cancelled:
            self._start(settled, rebuild=True)
            self._bring_up(sources, problems, settled)
        while not self.cancelled() and self.store.merge_segments(self.library.library_id):
            pass
        self.store.shrink()
        if not (self._tally.cancelled or self.cancelled()):
            keep_mount(self.store, self.library)
            if not self._idle:
                self.store.set_index_state(self.library.library_id, settled, recipe_of(self.library), complete=True)
        return self._report(problems)

    def _walked(self, root: Path, problems: list[DiscoveryProblem]) -> list[Source]:
        """The files that there are; not all of them where it is cancelled."""
        sources: list[Source] = []
        include, exclude, ignoring = self.library.include, self.library.exclude, self.library.ignoring
        count = self._count_left_out
        for source in discover(
            root, include, exclude, skip=self.skip, report=problems.append, left_out=count, ignoring=ignoring
        ):
            sources.append(source)
            if len(sources) % WALK_TOLD == 0:
                self._tell(len(sources), 0, source.relative)
                if self._is_cancelled():
                    break
        return sources

    def _count_left_out(self) -> None:
        self._left_out += 1

    # Deciding

    def _follow_secrets(self, sources: Sequence[Source]) -> None:
        """Mark what may be restricted documents under new paths, before anything of them is read."""
        if self.library.sensitivity != Sensitivity.RESTRICTED and not self._restriction.is_empty:
            self._followed = follow_secrets(self.store, self.library, self._restriction, self._known_now(), sources)
            self._take_marks()

    def _take_marks(self) -> None:
        self._restriction = self._first_restriction = restriction_of(self.store, self.library)

    def _start(self, language: str, rebuild: bool) -> None:
        library_id, wanted = self.library.library_id, (language, recipe_of(self.library))
        state = self.store.index_state(library_id)
        clear = rebuild or bool(state[1] and state != wanted)
        if clear:
            self._seen = None
            self.store.clear_index(library_id)
        self._idle = not clear and self.store.is_complete(library_id) and state == wanted
        if not self._idle:
            self._begin(language)

    def _begin(self, language: str) -> None:
        """From here to its end the run changes something: searches read what is there anew."""
        self._idle = False
        self.store.set_index_state(self.library.library_id, language, recipe_of(self.library), complete=False)

    def _plan(self, sources: Sequence[Source], problems: Sequence[DiscoveryProblem]) -> _Plan:
        known = self._known_now()
        reads = [source for source in sources if not self._is_current(source, known.get(source.relative))]
        present = {source.relative for source in sources}
        unread = [problem.relative for problem in problems if problem.status == DocumentStatus.UNREADABLE]
        # What lies in a folder that cannot be read just now is not gone.
        hidden = tuple(f"{relative}/" for relative in unread)
        blind = "." in unread
        forget = [path for path in known if path not in present and not blind and not path.startswith(hidden)]
        return _Plan(tuple(reads), tuple(forget), len(sources) - len(reads))

    def _is_current(self, source: Source, known: KnownDocument | None) -> bool:
        if known is None or known.status in RETRIED or (self.retry and known.status.not_read):
            return False
        row = known.source
        same = (row.size, row.mtime_ns) == (source.size, stored_time(source.mtime_ns))
        if self._restricts(source.relative):
            return same and row.hash == UNREAD
        return same and row.hash != UNREAD

    def _restricts(self, relative: str) -> bool:
        return self._restriction.covers(relative)

    def _language(self, sources: Sequence[Source], rebuild: bool) -> str:
        """The library's language: as set, as the index has it, or (before a first index) from a sample of the files."""
        if self.library.language != "auto":
            return self.library.language
        known, recipe = self.store.index_state(self.library.library_id)
        return known if recipe and not rebuild and known in LANGUAGES else detect_language(self._file_sample(sources))

    def _file_sample(self, sources: Sequence[Source]) -> Iterator[str]:
        ordered = sorted(sources, key=lambda source: sample_order(source.relative))
        taken = 0
        for start in range(0, len(ordered), SAMPLE_DOCUMENTS):
            part = ordered[start : start + SAMPLE_DOCUMENTS]
            texts = self._reading.heads(part, self._restriction, SAMPLE_CHARACTERS)[: SAMPLE_DOCUMENTS - taken]
            yield from texts
            taken += len(texts)
            if taken == SAMPLE_DOCUMENTS or self._is_cancelled():
                return

    def _known_now(self) -> dict[str, KnownDocument]:
        """What the database holds of each file, read anew after this run changed something of it."""
        if self._seen is None:
            self._seen = self.store.known_documents(self.library.library_id)
        return self._seen

    def _settled_language(self, language: str) -> str:
        """What the documents as they are now say: an index that grew must equal one made afresh."""
        if self.library.language != "auto":
            return language
        known = self._known_now().values()
        indexed = [one for one in known if one.status == DocumentStatus.INDEXED]
        sample = sorted(indexed, key=lambda one: sample_order(one.source.path))[:SAMPLE_DOCUMENTS]
        return detect_language(self.store.text_of(one.document_id)[:SAMPLE_CHARACTERS] for one in sample)

    # Reading

    def _bring_up(self, sources: Sequence[Source], problems: Sequence[DiscoveryProblem], language: str) -> None:
        library_id = self.library.library_id
        plan = self._plan(sources, problems)
        known = self._known_now()
        # What was counted before the index is made anew in another language is done all the same.
        self._tally = _Tally(removed=self._tally.removed, renamed=self._tally.renamed, unchanged=plan.unchanged)
        self._sizes = tuple(accumulate((source.size for source in plan.reads), initial=0))
        if self._idle and (plan.reads or plan.forget):
            self._begin(language)
        if plan.forget:
            self._seen = None
            self._tally.removed += self.store.remove_documents(library_id, plan.forget)
        self._bring_in(plan.reads, known, language)
        self._tally.renamed += self._count_renamed(plan, known)
        self._tell(len(plan.reads), len(plan.reads), "")

    def _count_renamed(self, plan: _Plan, known: Mapping[str, KnownDocument]) -> int:
        """How many of the new files are ones that are gone, under another path."""
        new = [source.relative for source in plan.reads if source.relative not in known]
        if not (new and plan.forget):
            return 0
        now = self._known_now()
        gone = {path: known[path].source for path in plan.forget}
        return len(renamed(gone, {path: now[path].source for path in new if path in now}))

    def _bring_in(self, reads: Sequence[Source], known: Mapping[str, KnownDocument], language: str) -> None:
        """Read the files and store them in batches, in their order whoever reads them."""
        batch, bound = DocumentBatch(), FIRST_BATCH_CHARACTERS
        for group, found in self._read(reads, known, language):
            self._take(group, found)
            batch.extend(found.batch)
            if batch.characters >= bound or len(batch) >= BATCH_DOCUMENTS:
                self._write(batch)
                batch, bound = DocumentBatch(), min(4 * bound, BATCH_CHARACTERS)
        if len(batch):
            self._write(batch)

    def _read(
        self, reads: Sequence[Source], known: Mapping[str, KnownDocument], language: str
    ) -> Iterator[tuple[Group, ReadGroup]]:
        """What the files hold, group by group, until it is cancelled."""
        groups = (
            Group(sources, [self._known(known, source) for source in sources], self._restriction, language)
            for sources in grouped(reads, FIRST_BATCH_CHARACTERS, min(GROUP_BYTES, BATCH_CHARACTERS))
        )
        done, total = 0, len(reads)

        def begun(source: Source) -> None:
            nonlocal done
            self._tell(done, total, source.relative)
            done += 1

        return self._reading.read(groups, sum(source.size for source in reads), begun)

    def _known(self, known: Mapping[str, KnownDocument], source: Source) -> KnownDocument | None:
        """What is known of a file that is read, without the hash of one that is tried again."""
        found = known.get(source.relative)
        again = found is not None and self.retry and found.status.not_read
        return replace(found, source=replace(found.source, hash=UNREAD)) if found and again else found

    def _is_cancelled(self) -> bool:
        self._tally.cancelled = self._tally.cancelled or self.cancelled()
        return self._tally.cancelled

    def _take(self, group: Group, found: ReadGroup) -> None:
        """Count what was read of the files; those with new times and the same bytes only get their times."""
        # A cancelled group ends early.
        for source, known, end in zip(group.sources, group.known, found.ends, strict=False):
            if end is None:
                library_id = self.library.library_id
                self._seen = None
                self.store.touch_document(library_id, source.relative, source.size, stored_time(source.mtime_ns))
                self._tally.unchanged += 1
            elif known is None:
                self._tally.added += 1
            elif end == known.status and (end in RETRIED or (self.retry and end.not_read)):
                self._tally.unchanged += 1
            else:
                self._tally.changed += 1

    def _write(self, batch: DocumentBatch) -> None:
        self._seen = None
        self.store.write_batch(self.library.library_id, batch, key=self._key, late=self._restricted_meanwhile)

    def _restricted_meanwhile(self, marks: Sequence[str], paths: Sequence[str]) -> Sequence[DocumentEntry]:
        """A mark that a person set while the batch was read counts for it, and for all that is read already."""
        self._restriction = restriction_of(self.store, self.library, marks)
        if self._restriction.given == self._first_restriction.given:
            return ()
        known = self.store.known_documents(self.library.library_id)
        return restricted_among(self._restriction, {path: known[path] for path in paths if path in known})

    # Telling

    def _tell(self, done: int, total: int, path: str) -> None:
        sizes = (self._sizes[done], self._sizes[-1]) if total else (0, 0)
        self.progress(Progress(self.library.library_id, done, total, path, *sizes))

    def _offline(self) -> IndexReport:
        since = shown_time(absent_since(self.store, self.library)[1])
        reason = f"offline{since and ' since '}{since}: {self.library.root} is not there; everything is kept"
        return IndexReport(self.library.library_id, problems=(self._problem(reason),))

    def _problem(self, reason: str) -> FileProblem:
        return FileProblem(self.library.library_id, "", DocumentStatus.UNREADABLE, one_line(reason))

    def _unfound(self, problems: Sequence[DiscoveryProblem]) -> list[FileProblem]:
        library_id = self.library.library_id
        return [FileProblem(library_id, one.relative, one.status, one.reason) for one in problems]

    def _report(self, problems: Sequence[DiscoveryProblem]) -> IndexReport:
        library_id = self.library.library_id
        known = self._known_now().values()
        # Empty files are only counted: nothing can be done about them.
        told = [one for one in self.store.problems(library_id) if one.status != DocumentStatus.EMPTY]
        # A walk that was stopped keeps nothing.
        found = [one for one in self._unfound(problems) if one not in told]
        tally = self._tally
        return IndexReport(
            library_id=library_id,
            added=tally.added - tally.renamed,
            changed=tally.changed,
            removed=tally.removed - tally.renamed,
            renamed=tally.renamed,
            unchanged=tally.unchanged,
            empty=sum(one.status == DocumentStatus.EMPTY for one in known),
            restricted=sum(one.status == DocumentStatus.RESTRICTED for one in known),
            chunks=sum(one.chunks for one in known),
            cancelled=tally.cancelled or self.cancelled(),
            problems=(*found, *self._followed, *told),
            left_out=self._left_out,
            restricted_by=restricted_by(self._restriction, self._known_now()),
        )


def recipe_of(library: Library) -> str:
    """What an index is made with beside its language: another recipe means that it must be made anew."""
    versions = f"reader {READER_VERSION}, chunker {CHUNKER_VERSION}, analyzer {ANALYZER_VERSION}"
    return f"{versions}, cut by {library.chunker}"
