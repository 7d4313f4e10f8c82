"""Bytes to text: right, or told."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.encoding import decode
from ragspine_tui.errors import ReadError

JAPANESE = "茶わんの金継ぎは、欠けた縁を漆でつなぎ、金粉をまく仕事です。急がず、三日は室で乾かします。\n" * 4
CHINESE = "山里的茶农在清明之前采下第一批嫩芽，先用竹匾摊晾，再入铁锅翻炒。\n" * 4
TRADITIONAL = "山裡的茶農在清明之前採下第一批嫩芽，先用竹匾攤晾，再入鐵鍋翻炒。\n" * 4
KOREAN = "바닷가 마을에서는 새벽마다 그물을 손질하고 소금을 나르는 소리가 들린다.\n" * 4
RUSSIAN = "Весной лодочник смолит борта, а внук носит ему воду и слушает рассказы о реке.\n" * 4
FRENCH = "Le pêcheur répare ses filets près de la forêt, naïvement fier de son œuvre.\n" * 4


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp1251"),
        (FRENCH, "cp1252"),
        (JAPANESE, "utf_8"),
        (JAPANESE, "utf_16_le"),
        (JAPANESE, "utf_16_be"),
        (FRENCH, "utf_16_le"),
        (FRENCH, "utf_32_be"),
    ],
)
def test_text_in_its_own_encoding_comes_back_whole(text: str, codec: str) -> None:
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, codec: str) -> None:
    decoded = decode(mark + JAPANESE.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.notes) == (JAPANESE, codec, ())


def test_a_few_bad_bytes_do_not_cost_a_utf8_file() -> None:
    decoded = decode(JAPANESE.encode() + b"\xff\xfe broken\n" + JAPANESE.encode())
    assert decoded.encoding == "utf-8"
    assert decoded.text.count("\ufffd") == 2
    assert "2 characters are not valid utf-8 (first in line 5)" in decoded.notes


def test_a_guess_with_little_evidence_is_told() -> None:
    decoded = decode("naïve".encode("cp1252"))
    assert decoded.text == "naïve"
    assert any("guessed" in note for note in decoded.notes)


def test_a_declared_charset_is_taken_where_it_fits() -> None:
    assert decode("żyrandol".encode("iso8859_2"), "ISO-8859-2").text == "żyrandol"


def test_a_declared_charset_that_does_not_fit_is_told() -> None:
    decoded = decode(RUSSIAN.encode("koi8_r"), "utf-8")
    assert decoded.text == RUSSIAN
    assert any("does not fit" in note for note in decoded.notes)


def test_utf8_beats_a_wrong_declaration() -> None:
    assert decode("café".encode(), "iso-8859-1").text == "café"


@pytest.mark.parametrize("label", ["rot13", "base64", "no-such", "utf-16", "", "ünknown", "x" * 500])
def test_a_useless_declaration_is_ignored(label: str) -> None:
    assert decode(FRENCH.encode("cp1252"), label).text == FRENCH


def test_stray_nul_bytes_keep_length_and_lines() -> None:
    decoded = decode(b"first line\nbroken \0\0 here\nlast line\n")
    assert decoded.text == "first line\nbroken \ufffd\ufffd here\nlast line\n"
    assert decoded.notes == ("2 NUL bytes are shown as U+FFFD",)


@pytest.mark.parametrize("data", [bytes(range(256)) * 4, b"\0" * 500, b"\x01\x02\x03\x04" * 100])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(ReadError) as caught:
        decode(data)
    assert caught.value.status == "unsupported"


def test_a_far_umlaut_in_a_large_file_is_seen() -> None:
    text = "plain words " * 40_000 + "\n" + FRENCH * 3
    assert decode(text.encode("cp1252")).text == text


@given(st.text())
def test_any_text_survives_utf8(text: str) -> None:
    if "\0" not in text and not text.startswith("\ufeff") and "\x1b" not in text:
        controls = sum(c < " " and c not in "\t\n\v\f\r\b" for c in text)
        if controls * 10 <= len(text):
            assert decode(text.encode()).text == text


@given(st.binary())
def test_any_bytes_give_text_or_a_reason(data: bytes) -> None:
    try:
        decode(data)
    except ReadError as error:
        assert str(error)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-32", "utf-8"])
def test_nul_in_any_encoding_is_shown_as_what_it_is_not(codec: str) -> None:
    text = "words of the quay\n" * 8
    decoded = decode(f"{text}one\0two".encode(codec))
    assert decoded.text == f"{text}one\ufffdtwo"
    assert "1 NUL bytes are shown as U+FFFD" in decoded.notes
