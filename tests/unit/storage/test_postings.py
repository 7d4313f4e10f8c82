import sqlite3
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils import Database

from storage import merging, schema
from storage.building import MAX_FREQUENCY, ChunkTerms, IndexedDocument, IndexedSection, SegmentBuilder
from storage.encoding import MAX_SHORT, decode, encode
from storage.occurrences import RunTerms
from storage.postings import MAX_CHUNKS, insert_segment, mark_dead, read_segments
from storage.snapshot import Snapshot

TERMS = ["a", "bee", "cat", "dog", "é", "語", "dot.ted"]
counts = st.dictionaries(st.sampled_from(TERMS), st.integers(1, 400), max_size=4)


def run(terms: Sequence[str], exacts: Sequence[str] = (), width: int = 0) -> RunTerms:
    """Terms at one place after another; `width` 0 is as many places as terms."""
    return (terms, exacts, range(len(terms)), width or len(terms))


def chunk(runs: Sequence[RunTerms], loose: str = "") -> ChunkTerms:
    return (runs, loose, sum(len(one[0]) for one in runs) + len(loose))


words = st.lists(st.sampled_from(TERMS), max_size=4)
runs = st.builds(run, words, words, st.sampled_from([4, 5, 254, 255, 256, 600]))
chunks = st.builds(chunk, st.lists(runs, max_size=4), st.text("xyz", max_size=3))
sections = st.builds(IndexedSection, counts, st.lists(chunks, max_size=3))


documents = st.builds(
    IndexedDocument,
    hash=st.integers(0, 2**64 - 1),
    title=counts,
    name=counts,
    metadata=counts,
    sections=st.lists(sections, min_size=1, max_size=3),
)


def new_database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrations.apply(Database(connection, execute_plugins=False))
    connection.execute(
        "INSERT INTO libraries VALUES"
        " (1, 'lib', x'2f', '', '', 'layout', 'none', '[]', '[]', '[]', 'internal', 1, '', x'')"
    )
    return connection


def store(connection: sqlite3.Connection, members: Sequence[tuple[int, IndexedDocument]]) -> int:
    builder = SegmentBuilder()
    for _, document in members:
        builder.add(document)
    return insert_segment(connection, 1, builder.arrays([row for row, _ in members]), builder.rows())


def content(snapshot: Snapshot) -> object:
    """Everything a search can see of a snapshot, in terms of row ids rather than ordinals."""
    seen: dict[str, object] = {}
    for term in (*TERMS, "x", "y"):
        placed, at = snapshot.places(term)
        owners = snapshot.document_of_chunk[placed]
        where = zip(
            snapshot.documents[owners].tolist(),
            (placed - snapshot.first_chunk[owners]).tolist(),
            at.tolist(),
            strict=True,
        )
        seen[f"places/{term}"] = list(where)
        for name, (ordinals, frequencies) in snapshot.postings(term).items():
            keys = []
            for ordinal in ordinals.tolist():
                if name in ("body", "exact"):
                    document = int(snapshot.document_of_chunk[ordinal])
                    key = (int(snapshot.documents[document]), ordinal - int(snapshot.first_chunk[document]))
                elif name == "heading":
                    document = int(snapshot.document_of_section[ordinal])
                    first = int(np.searchsorted(snapshot.document_of_section, document))
                    key = (int(snapshot.documents[document]), ordinal - first)
                else:
                    key = (int(snapshot.documents[ordinal]), 0)
                keys.append(key)
            seen[f"{name}/{term}"] = sorted(zip(keys, frequencies.tolist(), strict=True))
    totals = {name: float(values.sum()) for name, values in snapshot.lengths.items()}
    return seen, totals, dict(snapshot.unit_counts)


@st.composite
def posting_lists(draw: st.DrawFn) -> tuple[int, dict[int, int]]:
    """(units of the segment, frequency by ordinal): short and long, near and far apart, small and large numbers."""
    units = draw(st.sampled_from([1, 7, 300, 2_000, MAX_SHORT, MAX_SHORT + 1, 200_000]))
    highest = draw(st.sampled_from([1, 15, 16, 255, 256, 65_535]))
    near = draw(st.integers(1, units))
    ordinals = draw(st.lists(st.integers(0, near - 1), min_size=1, max_size=60, unique=True))
    return units, {ordinal: draw(st.integers(1, highest)) for ordinal in ordinals}


@given(posting_lists())
def test_a_posting_list_comes_back_as_it_was_encoded(case: tuple[int, dict[int, int]]) -> None:
    units, postings = case
    ordinals = np.array(sorted(postings), dtype=np.int64)
    frequencies = np.array([postings[ordinal] for ordinal in sorted(postings)], dtype=np.int64)
    back = decode(encode(ordinals, frequencies, units))
    assert back[0].tolist() == ordinals.tolist()
    assert back[1].tolist() == frequencies.tolist()


def test_a_document_with_more_chunks_than_a_segment_usually_holds_keeps_every_posting() -> None:
    many = [chunk([run(["word", f"w{number}"])]) for number in range(MAX_CHUNKS + 10)]
    document = IndexedDocument(1, {}, {}, {}, [IndexedSection({}, many)])
    connection = new_database()
    store(connection, [(1, document)])
    snapshot = Snapshot(connection, 1, 1)
    assert snapshot.postings("word")["body"][0].tolist() == list(range(MAX_CHUNKS + 10))
    assert snapshot.postings(f"w{MAX_CHUNKS + 9}")["body"][0].tolist() == [MAX_CHUNKS + 9]


@given(st.lists(documents, min_size=1, max_size=5))
def test_every_occurrence_is_counted_and_has_its_place(members: list[IndexedDocument]) -> None:
    connection = new_database()
    store(connection, list(enumerate(members, start=1)))
    snapshot = Snapshot(connection, 1, 1)
    places: dict[str, list[tuple[int, int]]] = {}
    frequencies: Counter[tuple[str, str, int]] = Counter()
    number = 0
    for section in (one for member in members for one in member.sections):
        for found, loose, _ in section.chunks:
            base = 0
            for terms, exacts, at, width in found:
                for term, place in zip(terms, at, strict=True):
                    places.setdefault(term, []).append((number, base + place))
                frequencies.update(("body", term, number) for term in terms)
                frequencies.update(("exact", term, number) for term in exacts)
                base += width
            frequencies.update(("body", term, number) for term in loose)
            number += 1
    for term in (*TERMS, "x", "y", "z"):
        found_places = zip(*(array.tolist() for array in snapshot.places(term)), strict=True)
        assert list(found_places) == sorted(places.get(term, ()))
        for name in ("body", "exact"):
            expected = {key[2]: count for key, count in frequencies.items() if key[:2] == (name, term)}
            ordinals, counted = snapshot.postings(term).get(name, (np.empty(0), np.empty(0)))
            assert dict(zip(ordinals.tolist(), counted.tolist(), strict=True)) == expected


def test_a_word_said_a_hundred_thousand_times_in_one_chunk_is_counted_as_often_as_can_be_kept() -> None:
    connection = new_database()
    said = chunk([run(["again"] * 100_000), run(["end"])])
    store(connection, [(1, IndexedDocument(1, {}, {}, {}, [IndexedSection({}, [said, chunk([run(["again"])])])]))])
    snapshot = Snapshot(connection, 1, 1)
    assert [one.tolist() for one in snapshot.postings("again")["body"]] == [[0, 1], [MAX_FREQUENCY, 1]]
    assert len(snapshot.places("again")[0]) == MAX_FREQUENCY + 1
    assert [one.tolist() for one in snapshot.places("end")] == [[0], [100_000]]


@given(st.lists(documents, min_size=1, max_size=8), st.data())
def test_a_merge_keeps_what_is_alive_and_drops_the_rest(members: list[IndexedDocument], data: st.DataObject) -> None:
    rows = list(enumerate(members, start=1))
    cut = data.draw(st.integers(0, len(rows)))
    dead = data.draw(st.sets(st.sampled_from([row for row, _ in rows])))
    connection = new_database()
    segments = [store(connection, part) for part in (rows[:cut], rows[cut:]) if part]
    for segment in segments:
        mark_dead(connection, segment, dead)
    before = content(Snapshot(connection, 1, 1))
    merging.merge(connection, 1, segments)
    after = content(Snapshot(connection, 1, 2))

    fresh = new_database()
    if alive := [pair for pair in rows if pair[0] not in dead]:
        store(fresh, alive)
    assert before == after == content(Snapshot(fresh, 1, 1))
    terms = [row[0] for row in connection.execute("SELECT term FROM postings")]
    assert terms == sorted(terms, key=str.encode)


@given(st.lists(documents, min_size=1, max_size=6), st.sampled_from(["", "d", "dot", "é", "zz"]), st.data())
def test_a_prefix_stands_for_the_same_words_however_the_index_was_cut(
    members: list[IndexedDocument], prefix: str, data: st.DataObject
) -> None:
    rows = list(enumerate(members, start=1))
    dead = data.draw(st.sets(st.sampled_from([row for row, _ in rows])))
    pieces = new_database()
    for pair in rows:
        mark_dead(pieces, store(pieces, [pair]), dead)
    fresh = new_database()
    if alive := [pair for pair in rows if pair[0] not in dead]:
        store(fresh, alive)
    assert Snapshot(pieces, 1, 1).expansions(prefix, 10) == Snapshot(fresh, 1, 1).expansions(prefix, 10)


@given(st.integers(0, 2**32), st.integers(1, 4), st.floats(0, 0.5))
def test_the_most_frequent_words_of_a_prefix_are_found_among_many(seed: int, pieces: int, gone: float) -> None:
    """Common words are looked up apart: they must be those that counting everything gives, ties and all."""
    random = Random(seed)
    words = [f"{first}{second}{third}" for first in "ab" for second in "ab" for third in "abcdefgh"]
    weights = [1 / (1 + number) for number in random.sample(range(len(words)), len(words))]
    said = [random.choices(words, weights, k=12) for _ in range(random.choice([3, 60, 400]))]
    connection = new_database()
    dead = {row for row in range(1, len(said) + 1) if random.random() < gone}
    for piece in range(pieces):
        part = [
            (row, IndexedDocument(row, {}, {}, {}, [IndexedSection({}, [chunk([run(text)])])]))
            for row, text in enumerate(said, start=1)
            if row % pieces == piece
        ]
        if part:
            mark_dead(connection, store(connection, part), dead)
    alive = Counter(word for row, text in enumerate(said, start=1) if row not in dead for word in set(text))
    snapshot = Snapshot(connection, 1, 1)
    for prefix in ("a", "ab", "bb", "baa", "c", ""):
        ranked = sorted((word for word in alive if word.startswith(prefix)), key=lambda word: (-alive[word], word))
        for limit in (0, 1, 3, 10, 100):
            assert snapshot.expansions(prefix, limit) == ranked[:limit]


def test_many_small_segments_are_merged_and_full_ones_are_left_alone() -> None:
    connection = new_database()
    document = IndexedDocument(1, {}, {}, {}, [IndexedSection({}, [chunk([run(["a"])])])])
    rounds = 0
    for row in range(1, 3 * merging.FAN_IN):
        store(connection, [(row, document)])
        while due := merging.due(read_segments(connection, 1)):
            merging.merge(connection, 1, due)
            rounds += 1
    count = connection.execute("SELECT count(*) FROM segments").fetchone()[0]
    assert count < 2 * merging.FAN_IN
    assert 0 < rounds <= 3
    assert Snapshot(connection, 1, 1).postings("a")["body"][0].tolist() == list(range(3 * merging.FAN_IN - 1))
