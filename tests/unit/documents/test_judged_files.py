"""Real files with known right answers: each phrase is in the text, at its line; each field and status is right."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

import pytest

from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.types import Chunk, Document

FILES = os.environ.get("RAGSPINE_FILES", "")
KINDS = {
    "pdf",
    "tex",
    "ipynb",
    "misnamed",
    "bombs",
    "epub",
    "msg",
    "docx",
    "pptx",
    "xlsx",
    "odf",
    "rtf",
    "data",
    "gz",
    "email",
    "maildir",
    "mbox",
    "csv",
    "rst",
    "org",
    "markdown",
    "text",
    "html",
    "encodings",
    "source",
}
_CJK = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"


class Case(NamedTuple):
    case_id: str
    path: str
    phrase: str
    locator: str
    status: str
    note: str


def cases() -> list[Case]:
    if not FILES:
        return []
    rows = [line.split("\t") for line in Path(FILES, "cases.tsv").read_text("utf-8").splitlines()[1:]]
    return [Case(row[0], row[2], row[3], row[4], row[5], row[7]) for row in rows if row[1] in KINDS]


def folded(text: str) -> str:
    text = re.sub("[\u00ad\u200b]", "", unicodedata.normalize("NFKC", text))
    return re.sub(rf"(?<={_CJK}) (?={_CJK})", "", re.sub(r"\s+", " ", text)).casefold()


def lines_of(document: Document, chunk: Chunk) -> range:
    """The lines of the file that a chunk may stand for, or its page."""
    if chunk.page is not None:
        return range(chunk.page, chunk.page + 1)
    assert chunk.line is not None
    if document.verbatim:
        return range(chunk.line, chunk.line + len(re.findall(r"\r\n|\r|\n", chunk.text)) + 1)
    after = [block.line for block in document.blocks if block.span.start >= chunk.span.end and block.line]
    return range(chunk.line, (after[0] if after else 10**9) + 1)


def is_at(part: str, place: str) -> bool:
    """Whether a part is a place: the same words, the sheet's name, or a range of cells that holds the one asked for."""
    sheet, _, cells = part.partition("!")
    if place in (part, sheet):
        return True
    corners = [re.fullmatch(r"([A-Z]+)(\d+)", corner) for corner in cells.split(":")]
    wanted = re.fullmatch(re.escape(sheet) + r"!([A-Z]+)(\d+)", place)
    if not wanted or not all(corners):
        return False
    rows = sorted(int(corner[2]) for corner in corners if corner)
    columns = sorted(corner[1].rjust(3) for corner in corners if corner)
    return rows[0] <= int(wanted[2]) <= rows[-1] and columns[0] <= wanted[1].rjust(3) <= columns[-1]


@pytest.mark.skipif(not FILES, reason="RAGSPINE_FILES names no judged files")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.case_id)
def test_a_judged_file_gives_what_it_must(case: Case) -> None:
    path = Path(FILES, case.path)
    allowed = {case.status, *re.sub(r".*\bor=([\w,]+).*|.*", r"\1", case.note).split(",")}
    try:
        document = read_document(path, case.path)
    except ReadError as error:
        assert error.status in allowed
        return
    assert "indexed" in allowed
    if field := re.search(r"FIELD (\w+)=(.+?)(?:; |\Z)", case.note):
        assert field[2] in document.fields[field[1]]
        return
    chunks = make_chunker("parent_child").chunk(document).chunks
    assert folded(case.phrase) in folded(document.text)
    holding = [chunk for chunk in chunks if folded(case.phrase) in folded(chunk.text)]
    if case.locator and holding and not case.locator.isdigit():
        assert any(is_at(chunk.part, case.locator) for chunk in holding), [chunk.part for chunk in holding]
    elif case.locator and holding:
        lines = {int(case.locator), *map(int, re.findall(r"or_locator=(\d+)", case.note))}
        assert any(line in lines_of(document, chunk) for chunk in holding for line in lines)
    if section := re.search(r"section=(.+?)(?:; |\Z)", case.note):
        sections = make_chunker("parent_child").chunk(document).sections
        path_end = tuple(section[1].split(" > "))
        assert any(sections[chunk.section].heading_path[-len(path_end) :] == path_end for chunk in holding)


def negatives() -> list[tuple[str, str]]:
    if not FILES:
        return []
    rows = [line.split("\t") for line in Path(FILES, "negatives.tsv").read_text("utf-8").splitlines()[1:]]
    return [(row[2], row[3]) for row in rows if row[1] in KINDS]


@pytest.mark.skipif(not FILES, reason="RAGSPINE_FILES names no judged files")
@pytest.mark.parametrize(("path", "phrase"), negatives())
def test_a_judged_file_does_not_give_what_nobody_sees(path: str, phrase: str) -> None:
    try:
        text = read_document(Path(FILES, path), path).text
    except ReadError:
        text = ""  # What is refused gives nothing.
    assert folded(phrase) not in folded(text)
