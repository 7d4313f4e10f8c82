"""Outlook's packets in mail (winmail.dat): the files in them, the body where nothing else has it, damage."""

from __future__ import annotations

import base64
import struct
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.tnef import MAGIC, read_tnef
from tests.unit.documents.files import read

TITLE, DATA, NEW, FILE, MESSAGE = 0x8010, 0x800F, 0x9002, 0x9005, 0x9003


def attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, number | 0x60000, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def properties(values: dict[int, str | bytes | int]) -> bytes:
    out = struct.pack("<I", len(values) + 1)
    # A property with a name of its own and two values comes before the others.
    out += struct.pack("<HH16sII", 0x101F, 0x8001, b"", 1, 6) + "abc".encode("utf-16-le").ljust(8, b"\0")
    out += struct.pack("<I", 2) + struct.pack("<I4s", 2, b"x") * 2
    for number, value in values.items():
        if isinstance(value, int):
            out += struct.pack("<HHI", 3, number, value)
            continue
        data = value.encode("utf-16-le") if isinstance(value, str) else value
        out += struct.pack("<HHII", 0x1F if isinstance(value, str) else 0x102, number, 1, len(data))
        out += data + bytes(-len(data) % 4)
    return out


def packet(body: dict[int, str | bytes | int] | None = None) -> bytes:
    return (
        MAGIC
        + b"\1\0"
        + attribute(1, MESSAGE, properties(body or {}))
        + attribute(2, NEW, b"\0" * 14)
        + attribute(2, TITLE, b"OATS~1.MD\0")
        + attribute(2, DATA, b"# Oats\n\nTen bushels.\n")
        + attribute(2, FILE, properties({0x3707: "oats for müller.md", 0x0E20: 7}))
    )


def mail(folder: Path, data: bytes, text: str = "See the file.") -> list[tuple[str, str]]:
    parts = (
        "From: a@b.example\nSubject: Oats\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=cut\n\n"
        f"--cut\n\n{text}\n--cut\nContent-Type: application/ms-tnef; name=winmail.dat\n"
        f"Content-Transfer-Encoding: base64\n\n{base64.b64encode(data).decode()}\n--cut--\n"
    )
    document = read(folder, "a.eml", parts)
    assert document.notes == ()
    return [(block.place, block.span.of(document.text)) for block in document.blocks[2:]]


def test_files_are_taken_out_under_their_long_names_and_the_body_is_not_repeated(tmp_path: Path) -> None:
    place = "2.1 application/octet-stream oats for müller.md"
    assert mail(tmp_path, packet({0x1000: "See the file."})) == [
        ("1 text/plain", "See the file."),
        (place, "# Oats"),
        (place, "Ten bushels."),
    ]


def test_the_body_is_read_where_no_part_has_words(tmp_path: Path) -> None:
    both = packet({0x1000: "The gate sticks.", 0x1013: b"<p>The gate sticks.</p><p>In frost.</p>"})
    assert mail(tmp_path, both, "")[:2] == [("2.1 text/plain", "The gate sticks."), ("2.2 text/html", "In frost.")]
    text = rb"{\rtf1\ansi The gate sticks.\par}"
    rich = struct.pack("<II4sI", len(text) + 12, len(text), b"MELA", 0) + text
    assert mail(tmp_path, packet({0x1009: rich}), "")[0] == ("2.1 text/rtf", "The gate sticks.")


def test_a_packet_that_is_cut_off_gives_what_came_before() -> None:
    whole = packet({0x1000: "The gate."})
    assert read_tnef(whole).files[0].name == "oats for müller.md"
    assert read_tnef(whole[:-40]).files[0].name == "OATS~1.MD"
    assert read_tnef(whole[:30]).files == []


@given(st.integers(0, 400), st.binary(max_size=6), st.booleans())
def test_no_packet_whatever_raises(place: int, junk: bytes, cut: bool) -> None:
    whole = packet({0x1000: "The gate.", 0x1009: b"LZFu" * 5})
    broken = whole[:place] + junk + (b"" if cut else whole[place + len(junk) :])
    assert all(file.data in broken for file in read_tnef(broken).files)
