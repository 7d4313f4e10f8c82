"""Mailbox files: each message a part of its own under its subject; postmarks, stuffed lines, labels, bounds."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.mbox_reader import messages
from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.types import Condition, SearchRequest
from tests.homes import indexed, paths
from tests.unit.documents.files import block_with, headings, read

POSTMARK = "From ada@mill.example Mon Apr  1 10:00:00 2024\n"


def letter(number: int, body: str = "Words of it.", more: str = "") -> str:
    return (
        f"{POSTMARK}From: Ada {number} <ada{number}@mill.example>\nTo: list@mill.example\nSubject: Letter {number}\n"
        f"Date: Mon, 0{number % 9 + 1} Apr 202{number % 5} 10:00:00 +0000\n{more}\n{body}\n\n"
    )


def email_day(day: str) -> str:
    return format_datetime(datetime.fromisoformat(f"{day}T10:00:00+00:00"))


def test_each_message_is_a_part_with_its_own_heading_and_places(tmp_path: Path) -> None:
    document = read(tmp_path, "a.mbox", letter(1, "The gate sticks.") + letter(2, "Bring tallow."))
    assert headings(document) == [(1, "Letter 1"), (1, "Letter 2")]
    chunking = make_chunker("parent_child").chunk(document)
    found = [(chunk.part, chunking.sections[chunk.section].heading) for chunk in chunking.chunks]
    assert found == [
        ("message 1: header:Subject", "Letter 1"),
        ("message 1: 1 text/plain", "Letter 1"),
        ("message 2: header:Subject", "Letter 2"),
        ("message 2: 1 text/plain", "Letter 2"),
    ]
    assert (document.kind, document.title) == ("mbox", "a")


def test_the_fields_are_those_of_all_messages(tmp_path: Path) -> None:
    fields = read(tmp_path, "Inbox", letter(1) + letter(2)).fields
    assert fields["from"][::3] == ("Ada 1 <ada1@mill.example>", "Ada 2 <ada2@mill.example>")
    assert (fields["author"], fields["year"]) == (("Ada 1", "Ada 2"), ("2021", "2022"))
    assert fields["date"] == ("2021-04-02T10:00:00Z", "2022-04-03T10:00:00Z")
    assert fields["subject"] == ("Letter 1", "Letter 2")


def test_what_does_not_fit_the_fields_is_told_and_still_found(tmp_path: Path) -> None:
    document = read(tmp_path, "a.mbox", "".join(letter(number) for number in range(250)))
    assert document.notes == ("only the first and the last 100 values are kept of the fields author, from, subject",)
    assert block_with(document, "Letter 249").place == "message 250: header:Subject"
    subjects = document.fields["subject"]
    assert (len(subjects), subjects[0], subjects[99], subjects[100]) == (200, "Letter 0", "Letter 99", "Letter 150")
    assert {"Letter 249", "Letter 150"} < set(subjects)
    assert "Ada 249" in document.fields["from"]


def test_the_oldest_and_the_newest_dates_of_a_mailbox_are_kept_whatever_their_order(tmp_path: Path) -> None:
    days = [f"{2000 + number}-03-04" for number in range(20)] + [
        f"1990-{m:02}-{d:02}" for m in (1, 2, 3) for d in range(1, 29)
    ]
    days += [f"{year}-{month:02}-05" for year in range(1991, 2000) for month in range(1, 13)]
    mails = [f"{POSTMARK}From: a@b.example\nSubject: x\nDate: {email_day(day)}\n\nHi.\n\n" for day in days]
    kept = [date[:10] for date in read(tmp_path, "a.mbox", "".join(mails)).fields["date"]]
    assert len(kept) == 200
    assert kept == [*sorted(days)[:100], *sorted(days)[-100:]]


@pytest.mark.parametrize("value", ["Ada 1", "ada1@mill.example", "Ada 1 <ada1@mill.example>"])
def test_people_are_filtered_by_name_by_address_and_by_both(tmp_path: Path, value: str) -> None:
    with indexed(
        tmp_path, {"a.mbox": letter(1), "b.eml": letter(1).removeprefix(POSTMARK), "c.eml": "Subject: ada1"}
    ) as session:
        result = session.search(SearchRequest("words", conditions=(Condition("from", "eq", value),)))
        assert sorted(paths(result)) == ["a.mbox", "b.eml"]


def test_a_line_of_the_text_that_begins_with_from_is_no_postmark(tmp_path: Path) -> None:
    body = "Tell them:\n\nFrom the miller with thanks.\n>From the reeve too.\nFrom: here on\n>>From deeper."
    document = read(tmp_path, "a.mbox", letter(1, body) + letter(2))
    assert len(headings(document)) == 2
    assert "\nFrom the reeve too.\nFrom: here on\n\n>From deeper." in document.text


def test_messages_end_at_postmarks_with_or_without_a_blank_line_before(tmp_path: Path) -> None:
    tight = letter(1).rstrip("\n") + "\n" + letter(2)
    assert len(headings(read(tmp_path, "a.mbox", tight))) == 2
    windows = (letter(1) + letter(2)).replace("\n", "\r\n")
    assert len(headings(read(tmp_path, "b.mbox", windows))) == 2
    dateless = (letter(1) + letter(2)).replace(POSTMARK, "From someone\n")
    assert len(list(messages(dateless.encode()))) == 2


def test_a_mailbox_is_known_by_its_content_and_one_saved_message_is_none(tmp_path: Path) -> None:
    both = letter(1) + letter(2)
    assert read(tmp_path, "Sent", both).kind == "mbox"
    archive = both.replace("Date:", "Message-ID: <1@mill.example>\nDate:")
    assert read(tmp_path, "2024-April.txt", archive).kind == "mbox"
    assert read(tmp_path, "saved.eml", letter(1)).kind == "eml"
    assert read(tmp_path, "a.mbox", letter(1).removeprefix(POSTMARK)).kind == "eml"


@pytest.mark.parametrize("label", ["Sensitivity: private\n", "Sensitivity: restricted\n", "Sensitivity: odd\n"])
def test_a_restricted_message_is_left_out_and_the_others_stay(tmp_path: Path, label: str) -> None:
    document = read(tmp_path, "a.mbox", letter(1) + letter(2, "Nobody may read this.", label) + letter(3))
    assert "Nobody may read" not in document.text
    assert "Letter 2" not in document.text
    assert "Letter 2" not in document.fields["subject"]
    assert "sensitivity" not in document.fields
    assert document.notes == ("1 of 3 messages are labelled restricted: left out",)
    assert block_with(document, "Letter 3").place == "message 3: header:Subject"
    with pytest.raises(ReadError, match="only restricted") as raised:
        read(tmp_path, "b.mbox", letter(1, more=label))
    assert raised.value.status == "restricted"


def test_a_broken_message_does_not_lose_the_others(tmp_path: Path) -> None:
    broken = letter(2, "\0\1\2\3" * 30)
    document = read(tmp_path, "a.mbox", letter(1, "First words.") + broken + letter(3, "Last words."))
    assert "First words." in document.text
    assert "Last words." in document.text
    assert document.notes == ("message 2: part 1 holds binary data, not text",)


def test_a_mailbox_without_messages_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no message"):
        read(tmp_path, "a.mbox", b"\0\1\2\3" * 30)


WHOLE = (letter(1) + letter(2)).encode()


@given(st.integers(0, len(WHOLE)), st.binary(max_size=8), st.booleans())
def test_no_bytes_whatever_raise_anything_but_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes, cut: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.mbox"
    path.write_bytes(WHOLE[:place] + junk + (b"" if cut else WHOLE[place + len(junk) :]))
    try:
        assert read_document(path, "a.mbox").text
    except ReadError as error:
        assert error.args[0]


@given(st.lists(st.sampled_from([letter(1), letter(2), "From \n", "From x\n", "\n", "From a 10:00\nB: c\n", "\r"])))
def test_messages_are_cut_out_in_order_and_lose_only_postmarks(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    assert sum(map(len, messages(data))) <= len(data)
    assert b"".join(messages(data)).count(b"Words of it.") == data.count(b"Words of it.")
