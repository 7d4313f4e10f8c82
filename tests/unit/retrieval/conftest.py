"""The sample libraries in one real home, and the texts of their files as the readers give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from ragspine_tui.documents.reader import read_document
from ragspine_tui.session import Session
from tests.homes import open_session

QUESTIONS = (
    "how cold did it get at the bottom of the frost hollow",
    "toads carried over the road in 2024",
    "rollers and ink",
    "出汁の昆布",
    "味噌",
    "the",
    "press guillotine 鍋 rooks",
)


@dataclass(frozen=True, slots=True)
class Samples:
    """A session, and (library, document) -> the text of the file, read anew and not from the store."""

    session: Session
    texts: Mapping[tuple[str, str], str]


@pytest.fixture(scope="package")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Samples]:
    """The sample libraries, indexed."""
    with open_session(tmp_path_factory.mktemp("samples")) as session:
        session.add_samples()
        session.index()
        texts = {}
        for summary in session.libraries():
            library_id = summary.library.library_id
            for path in session._store.known_documents(library_id):
                texts[library_id, path] = read_document(session.file_of(library_id, path), path).text
        yield Samples(session, texts)
