"""Compressed files: what they hold is read as if it lay open, within bounds, and damage is told."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_document, read_inner
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from tests.unit.documents.files import block_with, headings, read

NOTES = "# Ferrets\n\nBells hang on the hutch.\n\n## Food\n\nRabbit and water.\n"
LONG = "\n\n".join(f"Paragraph {number} tells of salt barge {number * 7919 % 997}." for number in range(2_000))


def status_of(folder: Path, name: str, data: bytes) -> tuple[str, str]:
    with pytest.raises(ReadError) as raised:
        read(folder, name, data)
    return raised.value.status, str(raised.value)


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
    ids=["gz", "bz2", "xz"],
)
def test_a_compressed_note_is_the_note_with_its_kind_its_lines_and_its_headings(tmp_path, suffix, pack) -> None:  # type: ignore[no-untyped-def]
    document = read(tmp_path, f"notes.md{suffix}", pack(NOTES.encode()))
    assert (document.kind, document.title, document.text, document.verbatim) == ("md", "Ferrets", NOTES, True)
    assert headings(document) == [(1, "Ferrets"), (2, "Food")]
    assert block_with(document, "Rabbit").line == 7
    assert document.fields["ext"] == (suffix[1:],)
    assert document.fields["name"] == (f"notes.md{suffix}",)
    assert document.path == f"notes.md{suffix}"
    assert document.notes == ()


def test_a_label_in_a_compressed_file_counts(tmp_path: Path) -> None:
    document = read(tmp_path, "plan.md.gz", gzip.compress(b"---\nsensitivity: restricted\n---\nsecret\n"))
    assert document.fields["sensitivity"] == ("restricted",)


def test_members_one_after_the_other_are_one_text_and_what_follows_them_is_not(tmp_path: Path) -> None:
    members = gzip.compress(b"first member\n\n") + gzip.compress(b"second member\n")
    assert read(tmp_path, "a.txt.gz", members + bytes(700)).text == "first member\n\nsecond member\n"
    assert read(tmp_path, "b.txt.gz", members + b"garbage").text == "first member\n\nsecond member\n"
    streams = bz2.compress(b"first stream\n") + bz2.compress(b"second stream\n")
    assert read(tmp_path, "c.txt.bz2", streams).text == "first stream\nsecond stream\n"


def test_a_file_that_is_cut_off_gives_its_first_part_and_says_so(tmp_path: Path) -> None:
    whole = gzip.compress(LONG.encode())
    document = read(tmp_path, "long.txt.gz", whole[: len(whole) // 2])
    assert LONG.startswith(document.text[:-10])
    assert document.notes == ("is cut off: what could be unpacked is read",)
    assert status_of(tmp_path, "none.txt.gz", whole[:12]) == ("damaged", "is cut off")


def test_a_wrong_checksum_is_told_and_the_text_is_read(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(NOTES.encode()))
    packed[-6] ^= 1
    document = read(tmp_path, "notes.md.gz", bytes(packed))
    assert document.text == NOTES
    assert document.notes == ("is damaged: what could be unpacked is read",)


def test_what_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(b"chaff in the wind\n" * 2_000_000)
    assert status_of(tmp_path, "chaff.txt.gz", packed) == (
        "unsupported",
        "unpacks to more than 200 times its size: not read",
    )


def test_what_is_compressed_twice_is_read_and_three_times_is_not(tmp_path: Path) -> None:
    twice = gzip.compress(bz2.compress(NOTES.encode()))
    assert read(tmp_path, "notes.md.bz2.gz", twice).text == NOTES
    status, reason = status_of(tmp_path, "notes.md.bz2.gz.gz", gzip.compress(twice))
    assert (status, reason) == ("unsupported", "is compressed more than twice: not read")


def test_an_archive_is_not_walked_and_bytes_under_a_false_name_are_not_read(tmp_path: Path) -> None:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"), io.BytesIO(b""))
    for name in ("all.tgz", "all.tar.gz"):
        status, reason = status_of(tmp_path, name, gzip.compress(held.getvalue()))
        assert (status, "tar archive" in reason) == ("unsupported", True)
    assert status_of(tmp_path, "bells.txt", gzip.compress(b"ferret bells"))[0] == "unsupported"
    assert status_of(tmp_path, "words.gz", b"words that nobody compressed")[0] == "damaged"


def test_an_empty_file_in_a_compressed_one_is_empty(tmp_path: Path) -> None:
    status, reason = status_of(tmp_path, "a.txt.gz", gzip.compress(b""))
    assert (status, reason) == ("empty", "is compressed, and what is in it is empty")


def test_files_too_deep_in_one_another_are_not_read() -> None:
    with pytest.raises(ReadError, match="too deep"):
        read_inner(SourceFile(Path("a"), "a.txt", b"words", 5, 0.0, depth=9))


PACKED = {
    "a.txt.gz": gzip.compress(LONG.encode()[:2_000]),
    "a.txt.bz2": bz2.compress(LONG.encode()[:2_000]),
    "a.txt.xz": lzma.compress(LONG.encode()[:2_000]),
}


@given(st.sampled_from(sorted(PACKED)), st.integers(0, 3_000), st.binary(max_size=6), st.booleans())
def test_no_bytes_whatever_raise_anything_but_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, place: int, junk: bytes, cut: bool
) -> None:
    data = PACKED[name]
    broken = data[:place] + junk + (b"" if cut else data[place + len(junk) :])
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(broken)
    try:
        assert read_document(path, name).text
    except ReadError as error:
        assert error.args[0]
