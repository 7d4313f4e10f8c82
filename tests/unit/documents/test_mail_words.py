"""The words of messages: charsets, encoded words, parameters, addresses and dates as real messages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.mail_words import (
    addresses,
    header_text,
    iso_moment,
    loose_base64,
    parameters,
    part_text,
)
from ragspine_tui.errors import ReadError


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain words", "plain words"),
        (b"folded\r\n words", "folded words"),
        (b"=?utf-8?Q?Caf=C3=A9_noir?=", "Café noir"),
        (b"=?UTF-8?B?44G+44G/?=\n =?UTF-8?B?44KA44KB?=", "まみむめ"),
        (b"=?utf-8?Q?d=C3=A9livr=C3=A9e?= =?utf-8?Q?_au_moulin?=", "délivrée au moulin"),
        (b"=?utf-8?B?5pel?= =?utf-8?B?5pys6Kqe?=", "日本語"),
        (b"=?utf-8?B?5pc=?= =?utf-8?B?pQ==?=", "日"),
        (b"=?iso-2022-jp?B?GyRCJF4kXyRgJGEkYhsoQg==?=", "まみむめも"),
        (b"=?iso-8859-1?Q?M\xfcller?=", "Müller"),
        (b"Re: =?iso-8859-1?Q?a?= b =?koi8-r?B?zcnS?=", "Re: a b мир"),
        (b"=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b'"=?utf-8?Q?J=C3=B6hn?= Doe"', '"Jöhn Doe"'),
        (b"=?utf-8?Q?What?? Now?=", "What?? Now"),
        (b"=?no-such-charset?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?utf-8?B?R3LDvMOfZQ?=", "Grüße"),
        (b"=?broken", "=?broken"),
        ("Säying Hello".encode(), "Säying Hello"),
        (b"", ""),
    ],
)
def test_a_header_is_read_as_people_meant_it(raw: bytes, text: str) -> None:
    assert header_text(raw) == text


def test_raw_bytes_in_a_header_are_read_by_the_charset_of_the_message() -> None:
    assert header_text("Мельница у плотины".encode("koi8-r"), "koi8-r") == "Мельница у плотины"


@given(st.binary(max_size=60), st.sampled_from([b"=?utf-8?Q?", b"=?x?B?", b"?=", b"=?", b";", b'"', b"'", b"*0*="]))
def test_no_header_whatever_raises(junk: bytes, sign: bytes) -> None:
    raw = junk[:20] + sign + junk[20:40] + sign + junk[40:]
    assert isinstance(header_text(raw), str)
    assert isinstance(parameters(raw), tuple)
    assert isinstance(iso_moment(raw), str)
    assert all(name or address for name, address in addresses(raw))
    assert isinstance(loose_base64(raw), bytes)


@pytest.mark.parametrize(
    ("raw", "value", "found"),
    [
        (b"text/plain; charset=utf-8", "text/plain", {"charset": "utf-8"}),
        (
            b'TEXT/Plain;\r\n\tcharset="ISO-8859-1" ; format=flowed',
            "text/plain",
            {"charset": "ISO-8859-1", "format": "flowed"},
        ),
        (b"a/b; name=two words.txt", "a/b", {"name": "two words.txt"}),
        (b'a/b; name="a;b\\"c.txt"', "a/b", {"name": 'a;b"c.txt'}),
        (b"a/b; name*=utf-8''na%C3%AFve%20plan.txt", "a/b", {"name": "naïve plan.txt"}),
        (b"a/b; name*0*=utf-8''na%C3%AF; name*1=\"ve.txt\"", "a/b", {"name": "naïve.txt"}),
        (b'a/b; name*1="long.txt"; name*0="very "', "a/b", {"name": "very long.txt"}),
        (b'a/b; name="=?UTF-8?B?44Gm44GZ44GoLnR4dA==?="', "a/b", {"name": "てすと.txt"}),
        ('a/b; name="Frösche.txt"'.encode("latin-1"), "a/b", {"name": "Frösche.txt"}),
        (b"text/plain charset=utf-8", "text/plain charset=utf-8", {"charset": "utf-8"}),
        (b"", "", {}),
    ],
)
def test_parameters_are_put_together(raw: bytes, value: str, found: dict[str, str]) -> None:
    assert parameters(raw) == (value, found)


@pytest.mark.parametrize(
    ("raw", "people"),
    [
        (b"ada@mill.example", [("", "ada@mill.example")]),
        (
            b"Ada Quern <ada@mill.example>, bo@mill.example",
            [("Ada Quern", "ada@mill.example"), ("", "bo@mill.example")],
        ),
        (b'"Quern, Ada" <ada@mill.example>', [("Quern, Ada", "ada@mill.example")]),
        (b"=?utf-8?Q?Quern=2C_Ada?= <ada@mill.example>", [("Quern, Ada", "ada@mill.example")]),
        (b"ada@mill.example (Ada Quern)", [("Ada Quern", "ada@mill.example")]),
        (b"undisclosed-recipients:;", []),
        (b"Mill: ada@mill.example, bo@mill.example;", [("", "ada@mill.example"), ("", "bo@mill.example")]),
        (b"Ada Quern", [("Ada Quern", "")]),
        (b"ada at mill.example (Ada Quern)", [("ada at mill.example (Ada Quern)", "")]),
        (b",, ,", []),
    ],
)
def test_people_are_told_apart(raw: bytes, people: list[tuple[str, str]]) -> None:
    assert list(addresses(raw)) == people


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        (b"Mon, 01 Apr 2024 10:00:00 +0000", "2024-04-01T10:00:00Z"),
        (b"Mon, 6 Jun 2005 22:21:22 +0200 (CEST)", "2005-06-06T22:21:22+02:00"),
        (b"23 Oct 2003 22:40:49 -0700", "2003-10-23T22:40:49-07:00"),
        (b"Fri, 19 May 2000 09:55:48 EDT", "2000-05-19T09:55:48-04:00"),
        (b"Mon, 1 Apr 2024 10:00", "2024-04-01T10:00:00"),
        (b"next Tuesday", "next Tuesday"),
        (b"Mon, 99 Apr 2024 10:00:00 +0000", "Mon, 99 Apr 2024 10:00:00 +0000"),
        (b"", ""),
    ],
)
def test_a_date_is_written_so_that_it_can_be_compared(raw: bytes, moment: str) -> None:
    assert iso_moment(raw) == moment


@pytest.mark.parametrize(
    ("text", "codec", "declared"),
    [
        ("Ärger mit Öl", "utf-8", "iso-8859-1"),
        ("Ärger mit Öl", "utf-8", "us-ascii"),
        ("“quoted”", "cp1252", "iso-8859-1"),
        ("メールのテスト", "shift_jis", "x-sjis"),
        ("すみません", "iso2022_jp", "ISO-2022-JP"),
        ("①番", "iso2022_jp_2004", "iso-2022-jp"),
        ("하나님", "cp949", "ks_c_5601-1987"),
        ("中文邮件", "hz", "hz-gb-2312"),
        ("Grüße", "utf-7", "unicode-1-1-utf-7"),
        ("Grüße", "utf-16", "utf-16"),
        ("мельница", "koi8-r", '"koi8-r"'),
        ("plain", "ascii", "no-such-charset"),
    ],
)
def test_a_text_is_decoded_whatever_is_declared(text: str, codec: str, declared: str) -> None:
    data = text.encode(codec).replace(b"\x1b$(Q", b"\x1b$B")
    assert part_text(data, declared).text == text


def test_few_bytes_that_are_utf8_by_chance_are_read_as_declared() -> None:
    data = "摹".encode("gbk")
    assert data.decode("utf-8") != "摹"
    assert part_text(data, "gb2312").text == "摹"


def test_bytes_that_are_no_text_are_told() -> None:
    with pytest.raises(ReadError, match="binary"):
        part_text(bytes(range(32)) * 4, "utf-8")


def test_base64_is_read_through_junk_and_padding_in_the_middle() -> None:
    assert loose_base64(b"d29y\r\n ZHM=") == b"words"
    assert loose_base64(b"d29yZHM=d29yZHM=") == b"wordswords"
    assert loose_base64(b"d29y!!ZHM") == b"words"
    assert loose_base64(b"d") == b""
