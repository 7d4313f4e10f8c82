"""Homes for the tests of the terminal interface: real files, indexed once, copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tui.driving import library, write

PAPERS = {
    "okapi": """---
title: Okapi at TREC-3
year: 1994
tags: [ranking, evaluation]
---
# Okapi at TREC-3

The system was built in London.

## Length normalisation

A long document repeats its words, so raw tf favours it.

Length normalisation divides tf by the ratio of the document's length to the average length,
softened by b: b = 0 turns it off, b = 1 applies it in full.

Robertson and others suggest a value between one half and four fifths for most collections of prose.

## Saturation

k1 sets how soon further repeats of a term stop adding to its score.
""",
    "pivoted": """---
title: Pivoted normalisation
year: 2009
tags: [ranking]
---
# Pivoted normalisation

The pivot is the length at which retrieval and relevance agree; length normalisation turns about it.
""",
    "stemming": """---
title: Stemming and its discontents
year: 2011
---
# Stemming

A stemmer folds endings. Some words lose their meaning with them.
""",
}
NOTES = {
    "garden": """# Garden

The length of the rows is twelve paces. Beans along the fence.

## Weather

Rain on most days of the month.
""",
    "kitchen": """# 台所

味噌汁は煮立てません。火を止める間際に味噌を溶き入れます。

Length of cooking: short.
""",
}


def _home(tmp: Path) -> Path:
    home = tmp / "home"
    papers, notes = write(tmp / "papers", **PAPERS), write(tmp / "notes", **NOTES)
    library(home, papers, description="ranking, normalisation, retrieval")
    library(home, notes, description="garden and kitchen, weather, soup")
    return home


@pytest.fixture(scope="session")
def kept_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two indexed libraries, `papers` and `notes`; read only."""
    return _home(tmp_path_factory.mktemp("tui"))


@pytest.fixture
def home(kept_home: Path, tmp_path: Path) -> Path:
    """A home of the test's own with the libraries `papers` and `notes`, whose folders it may not change."""
    shutil.copytree(kept_home, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def own_home(tmp_path: Path) -> Path:
    """A home and folders of the test's own: `tmp_path/papers`, `tmp_path/notes`."""
    return _home(tmp_path)
