"""Outlook messages: subject, people, date, body in its best form, files in them; labels, bounds, damage."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.compressed_rtf import unpacked_rtf
from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError
from tests.unit.documents.files import block_with, headings, read, texts
from tests.unit.documents.ole import ole, storage

SUBJECT, BODY, HTML, RTF, SENSITIVITY = 0x0037, 0x1000, 0x1013, 0x1009, 0x0036
SENDER, SENDER_SMTP, SENT, MESSAGE_ID, TRANSPORT = 0x0C1A, 0x5D01, 0x0039, 0x1035, 0x007D
NAME, SMTP, EMAIL, ROLE = 0x3001, 0x39FE, 0x3003, 0x0C15
FILE, MIME, DATA = 0x3707, 0x370E, 0x3701
# 1 April 2024, 10:00 UTC, in tenths of microseconds since 1601.
APRIL = (133_564_392_000_000_000, 8)

NOTE = {
    SUBJECT: "The weir gate",
    BODY: "The gate sticks in frost.\r\n\r\nBring tallow.",
    SENDER: "Ada Quern",
    SENDER_SMTP: "Ada@mill.example",
    SENT: APRIL,
    MESSAGE_ID: "<1@mill.example>",
}


def person(name: str, address: str, role: int) -> dict[str, object]:
    return storage({NAME: name, SMTP: address, ROLE: role})  # type: ignore[return-value]


def message(more: dict[int, object] | None = None, **storages: object) -> bytes:
    named = {f"__{name[:-1]}_version1.0_#0000000{name[-1]}": value for name, value in storages.items()}
    return ole(storage({**NOTE, **(more or {})}, "root", **named))


def test_subject_people_and_date_open_the_message_and_the_body_follows(tmp_path: Path) -> None:
    data = message(
        recip0=person("Bo Hopper", "bo@mill.example", 1),
        recip1=person("List", "list@mill.example", 2),
        recip2=storage({NAME: "Cy", EMAIL: "/O=MILL/OU=SITE/CN=RECIPIENTS/CN=CY", ROLE: 1}),
    )
    document = read(tmp_path, "gate.msg", data)
    assert [(block.place, block.span.of(document.text)) for block in document.blocks] == [
        ("Subject", "The weir gate"),
        (
            "Subject",
            "From: Ada Quern <Ada@mill.example>\nTo: Bo Hopper <bo@mill.example>, Cy\n"
            "Cc: List <list@mill.example>\nDate: 2024-04-01T10:00:00Z",
        ),
        ("body", "The gate sticks in frost."),
        ("body", "Bring tallow."),
    ]
    fields = document.fields
    assert (document.kind, document.title, document.notes) == ("msg", "The weir gate", ())
    assert fields["from"] == ("Ada Quern <Ada@mill.example>", "Ada Quern", "ada@mill.example")
    assert (fields["author"], fields["date"], fields["year"]) == (("Ada Quern",), ("2024-04-01T10:00:00Z",), ("2024",))
    assert (fields["cc"], fields["message-id"]) == (
        ("List <list@mill.example>", "List", "list@mill.example"),
        ("<1@mill.example>",),
    )


def test_a_message_is_known_by_its_content_under_any_name_and_mail_named_msg_is_mail(tmp_path: Path) -> None:
    assert read(tmp_path, "gate", message()).kind == "msg"
    plain = b"From: a@b.example\nSubject: Named so\n\nPlain words.\n"
    assert read(tmp_path, "plain.msg", plain).kind == "eml"


def test_html_is_read_where_it_says_more_than_the_plain_text(tmp_path: Path) -> None:
    html = "<meta charset=windows-1252><p>The gate sticks in frost.</p><p>Caf\xe9 at noon.</p>".encode("cp1252")
    document = read(tmp_path, "a.msg", message({HTML: html}))
    assert texts(document)[2:] == ["The gate sticks in frost.", "Bring tallow.", "Café at noon."]
    only = read(tmp_path, "b.msg", message({BODY: "", HTML: html}))
    assert texts(only)[2:] == ["The gate sticks in frost.", "Café at noon."]


def test_rich_text_is_read_where_nothing_else_is_there(tmp_path: Path) -> None:
    rich = rb"{\rtf1\ansi\ansicpg1252\deff0\pard Caf\'e9 at noon.\par Bring \b tallow\b0.\par}"
    page = (
        rb"{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 at {\*\htmltag84 <b>}"
        rb"\htmlrtf {\b \htmlrtf0 noon{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0 .{\*\htmltag72 </p>}"
        rb"\htmlrtf \par}\htmlrtf0 Bring tallow.}"
    )
    for text in (rich, page):
        packed = struct.pack("<II4sI", len(text) + 12, len(text), b"MELA", 0) + text
        document = read(tmp_path, "a.msg", message({BODY: "", RTF: packed}))
        assert [(block.place, block.span.of(document.text)) for block in document.blocks[2:]] == [
            ("body", "Café at noon."),
            ("body", "Bring tallow."),
        ]


def test_text_in_a_code_page_is_decoded_by_it(tmp_path: Path) -> None:
    tree = storage({0x3FFD: 1251, SENT: APRIL}, "root")
    tree["__substg1.0_0037001E"] = "Мельница у плотины".encode("cp1251")
    assert read(tmp_path, "a.msg", ole(tree)).title == "Мельница у плотины"


def test_files_in_a_message_are_read_in_their_places_and_named_in_any_case(tmp_path: Path) -> None:
    data = message(
        attach0=storage({FILE: "oats.md", MIME: "text/markdown", DATA: b"# Oats\n\nTen bushels."}),
        attach1=storage({FILE: "gate.png", MIME: "image/png", DATA: b"\x89PNG\r\n\x1a\n0000"}),
        attach2=storage({FILE: "x.bin", DATA: b"\0\1\2\3"}),
    )
    document = read(tmp_path, "a.msg", data)
    assert block_with(document, "Ten bushels").place == "attachment 1 oats.md"
    assert (1, "Oats") in headings(document)
    assert "Attachments: oats.md, gate.png, x.bin" in document.text
    assert document.fields["attachments"] == ("oats.md", "gate.png", "x.bin")
    assert document.notes == (
        "attachment 3 x.bin holds binary data, not text",
        "pictures and recordings are not read: gate.png",
    )


def test_a_message_in_a_message_has_its_own_subject_and_body(tmp_path: Path) -> None:
    inner = storage({SUBJECT: "Older news", BODY: "The hopper leaks."}, "message")
    document = read(tmp_path, "a.msg", message(attach0=storage({NAME: "Older news", DATA: inner, 0x3705: 5})))
    assert block_with(document, "hopper leaks").place == "attachment 1 Older news: body"
    assert block_with(document, "hopper leaks").part == "attachment 1 Older news"


@pytest.mark.parametrize("mark", [1, 2, 3])
def test_private_and_confidential_messages_are_restricted(tmp_path: Path, mark: int) -> None:
    assert read(tmp_path, "a.msg", message({SENSITIVITY: mark})).fields["sensitivity"] == ("restricted",)
    inner = storage({SUBJECT: "Inner", BODY: "x", SENSITIVITY: mark}, "message")
    outer = message({SENSITIVITY: 0}, attach0=storage({DATA: inner}))
    assert read(tmp_path, "b.msg", outer).fields["sensitivity"] == ("restricted",)


def test_messages_too_deep_in_one_another_end_somewhere(tmp_path: Path) -> None:
    inner = storage({SUBJECT: "Innermost"}, "message")
    for level in range(30):
        attached = storage({DATA: inner, NAME: "m"})
        inner = storage({SUBJECT: f"Level {level}"}, "message", **{"__attach_version1.0_#00000000": attached})
    document = read(tmp_path, "a.msg", message(attach0=storage({DATA: inner, NAME: "m"})))
    assert "Level 29" in document.text
    assert "Innermost" not in document.text


def test_an_ole_file_that_is_no_message_is_told(tmp_path: Path) -> None:
    for data, status in ((ole({"Other": b"x"}), "unsupported"), (message()[:600], "damaged"), (b"words", "damaged")):
        with pytest.raises(ReadError) as raised:
            read(tmp_path, "a.msg", data)
        assert raised.value.status == status


def test_compressed_rich_text_is_unpacked_as_far_as_it_goes() -> None:
    # Eight characters as they are, then a reference to the first four of them, then the end.
    start = 207
    body = bytes([0]) + b"mill weir"[:8] + bytes([0b11]) + struct.pack(">HH", start << 4 | 2, (start + 12) << 4)
    data = struct.pack("<II4sI", len(body) + 12, 12, b"LZFu", 0) + body
    assert unpacked_rtf(data) == b"mill weimill"
    assert unpacked_rtf(data[:-5]) == b"mill wei"
    assert unpacked_rtf(struct.pack("<II4sI", 17, 5, b"MELA", 0) + b"plain") == b"plain"
    assert unpacked_rtf(b"") == unpacked_rtf(b"x" * 40) == b""


WHOLE = message(attach0=storage({FILE: "a.txt", DATA: b"words"}), recip0=person("Bo", "bo@b.example", 1))


@given(st.integers(0, len(WHOLE)), st.binary(max_size=5), st.booleans())
def test_no_bytes_whatever_raise_anything_but_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes, cut: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.msg"
    path.write_bytes(WHOLE[:place] + junk + (b"" if cut else WHOLE[place + len(junk) :]))
    try:
        assert read_document(path, "a.msg").text
    except ReadError as error:
        assert error.args[0]


def test_a_stream_of_a_forged_size_is_not_read_in_circles(tmp_path: Path) -> None:
    data = bytearray(message({BODY: "Frost. " * 1_000}))
    entry = data.index("__substg1.0_1000001F".encode("utf-16-le"))
    first = 512 + 512 * int.from_bytes(data[entry + 116 : entry + 120], "little")
    assert data[first : first + 6] == "Fro".encode("utf-16-le")
    data[entry + 120 : entry + 124] = b"\xff\xff\xff\x7f"
    document = read(tmp_path, "a.msg", bytes(data))
    assert document.title == "The weir gate"
    assert "Frost" not in document.text


def test_what_does_not_fit_into_the_fields_is_told(tmp_path: Path) -> None:
    document = read(tmp_path, "gate.msg", message({SUBJECT: "weir " * 300}))
    assert "subject" not in document.fields
    assert document.notes == ("too long or too many for fields: subject",)
