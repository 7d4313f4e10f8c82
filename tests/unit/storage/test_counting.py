"""Fields are counted over any documents as one would count them by hand, whatever the segments and what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from ragspine_tui.types import FieldValues, Library
from storage.columns import MANY_VALUES
from storage.store import Store
from tests.unit.storage.test_store import LIBRARY, entry

COUNT = 2 * MANY_VALUES
LIMITS = (0, 1, 3, 50, 10_000)
Fields = Mapping[str, tuple[str, ...]]


def fields_of(number: int) -> dict[str, tuple[str, ...]]:
    """Values of its own, shared by some, and names that begin alike; every fifth document has fewer fields."""
    found = {
        "own": (f"{number * 7919 % 1_000:03}", "\U00010000" if number % 3 else "\uffff"),
        "kind": (("md", "txt", "md\0")[number % 3],),
        "a": (str(number % 11),),
        "a\x01": (str(number % 2),),
    }
    return found if number % 5 else {"own": found["own"], "": ("nameless",)}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two segments with columns and one without, a third of all documents taken out again."""
    opened = Store(tmp_path_factory.mktemp("counting") / "ragspine.db")
    opened.add_library(LIBRARY)
    for numbers in (range(COUNT), range(COUNT, 2 * COUNT), range(2 * COUNT, 2 * COUNT + 20)):
        opened.replace_documents("lib", [entry(f"{number}.md", fields_of(number)) for number in numbers])
    opened.remove_documents("lib", [f"{number}.md" for number in range(2 * COUNT + 20) if number % 3 == 1])
    yield opened
    opened.close()


def by_hand(documents: Sequence[Fields], limit: int) -> tuple[FieldValues, ...]:
    having = Counter(name for fields in documents for name in fields)
    counts: dict[str, Counter[str]] = {name: Counter() for name in having}
    for fields in documents:
        for name, values in fields.items():
            counts[name].update(set(values))
    return tuple(
        FieldValues(
            name, having[name], tuple(sorted(counts[name].items(), key=lambda pair: (-pair[1], pair[0]))[:limit])
        )
        for name in sorted(having)
    )


@pytest.mark.parametrize("share", [0.0, 0.004, 0.1, 0.7, 1.0])
def test_the_fields_of_some_documents_are_counted_as_by_hand(store: Store, share: float) -> None:
    numbers = {one.document_id: int(Path(path).stem) for path, one in store.known_documents("lib").items()}
    snapshot = store.snapshot("lib")
    # Documents that are gone are asked for too: they never count.
    flags = np.random.default_rng(7).random(len(snapshot.documents)) < share
    wanted = [numbers[document] for document in snapshot.documents[flags].tolist() if document in numbers]
    documents = [fields_of(number) for number in wanted]
    for limit in LIMITS:
        assert store.count_values({"lib": flags}, limit) == by_hand(documents, limit)
    told = store.count_values({"lib": flags}, 50, {"own", "kind"})
    assert [(one.field, one.documents) for one in told] == [(one.field, one.documents) for one in by_hand(documents, 1)]
    assert all(bool(one.values) == (one.field not in ("own", "kind")) for one in told)
    if share == 1:
        assert len(documents) > COUNT
        assert store.field_values(["lib"], 50) == by_hand(documents, 50)


def test_the_values_of_several_libraries_add_up(tmp_path: Path) -> None:
    store = Store(tmp_path / "ragspine.db")
    for name in ("lib", "other"):
        store.add_library(Library(name, f"/{name}"))
    for name, numbers in (("lib", range(COUNT)), ("other", range(100, 130))):
        store.replace_documents(name, [entry(f"{number}.md", fields_of(number)) for number in numbers])
    documents = [fields_of(number) for number in (*range(COUNT), *range(100, 130))]
    for limit in LIMITS:
        assert store.field_values(["lib", "other"], limit) == by_hand(documents, limit)
    store.close()
