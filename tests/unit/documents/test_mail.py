"""Messages: subject and people first, then every part in its place; files in them by their own readers; broken ones."""

from __future__ import annotations

import base64
import gzip
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import choose_reader, read_document
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import block_with, headings, read, texts

HEAD = (
    "From: Ada Quern <ada@mill.example>\r\nTo: Bo <Bo@mill.example>, cy@mill.example\r\nSubject: The weir gate\r\n"
    "Date: Mon, 01 Apr 2024 12:00:00 +0200\r\nMessage-ID: <1@mill.example>\r\nMIME-Version: 1.0\r\n"
)


def mail(folder: Path, rest: str | bytes, name: str = "a.eml", head: str = HEAD) -> Document:
    body = rest if isinstance(rest, bytes) else rest.encode()
    return read(folder, name, head.encode() + body)


def parts(*bodies: str, kind: str = "mixed") -> str:
    return (
        f'Content-Type: multipart/{kind}; boundary="cut"\r\n\r\npreamble'
        + "".join(f"\r\n--cut\r\n{body}" for body in bodies)
        + "\r\n--cut--\r\nepilogue"
    )


def places(document: Document) -> list[tuple[str, str]]:
    return [(block.place, block.span.of(document.text)) for block in document.blocks]


def test_subject_and_people_open_the_text_and_the_body_follows(tmp_path: Path) -> None:
    document = mail(tmp_path, "\r\nThe gate sticks.\r\nIn frost.\r\n\r\nBring tallow.\r\n")
    assert places(document) == [
        ("header:Subject", "The weir gate"),
        (
            "header:Subject",
            "From: Ada Quern <ada@mill.example>\nTo: Bo <Bo@mill.example>, cy@mill.example\n"
            "Date: Mon, 01 Apr 2024 12:00:00 +0200",
        ),
        ("1 text/plain", "The gate sticks.\nIn frost."),
        ("1 text/plain", "Bring tallow."),
    ]
    assert (document.kind, document.title, document.verbatim, document.notes) == ("eml", "The weir gate", False, ())


def test_the_headers_are_fields_and_the_date_can_be_compared(tmp_path: Path) -> None:
    more = "Cc: dan@mill.example\r\nList-ID: Millers <m.mill.example>\r\nKeywords: weir, frost\r\n\r\nx"
    fields = mail(tmp_path, more).fields
    assert fields["from"] == ("Ada Quern <ada@mill.example>", "Ada Quern", "ada@mill.example")
    assert fields["to"] == ("Bo <Bo@mill.example>", "Bo", "bo@mill.example", "cy@mill.example")
    assert (fields["cc"], fields["author"]) == (("dan@mill.example",), ("Ada Quern",))
    assert (fields["date"], fields["year"]) == (("2024-04-01T10:00:00Z",), ("2024",))
    assert (fields["subject"], fields["message-id"]) == (("The weir gate",), ("<1@mill.example>",))
    assert (fields["list-id"], fields["tags"]) == (("Millers <m.mill.example>",), ("weir", "frost"))


def test_the_subject_leads_to_the_body_and_an_attachment_is_a_part_of_its_own(tmp_path: Path) -> None:
    attached = 'Content-Type: text/plain; name="oats.txt"\r\n\r\nTen bushels.'
    document = mail(tmp_path, parts("\r\nThe gate sticks.", attached))
    chunking = make_chunker("parent_child").chunk(document)
    found = {chunk.part: chunking.sections[chunk.section].heading_path for chunk in chunking.chunks}
    assert found == {
        "header:Subject": ("The weir gate",),
        "1 text/plain": ("The weir gate",),
        "2 text/plain oats.txt": (),
    }


def test_parts_are_numbered_as_mime_numbers_them(tmp_path: Path) -> None:
    inner = HEAD.replace("weir gate", "old race").replace("\r\n", "\n")
    forwarded = f"Content-Type: message/rfc822\r\n\r\n{inner}" + parts("\r\nInner words.", "\r\nMore.").replace(
        "cut", "in"
    )
    single = f"Content-Type: message/rfc822\r\n\r\n{inner}\nSingle words."
    nested = parts("\r\nDeep.", kind="related").replace("cut", "rel")
    document = mail(tmp_path, parts("\r\nOuter words.", forwarded, single, nested))
    assert block_with(document, "Outer words").place == "1 text/plain"
    assert block_with(document, "Inner words").place == "2.1.1 text/plain"
    assert block_with(document, "More.").place == "2.1.2 text/plain"
    assert block_with(document, "Single words").place == "3.1 text/plain"
    assert block_with(document, "Deep.").place == "4.1 text/plain"
    assert [block.place for block in document.blocks if block.heading == "The old race"] == [
        "2 message/rfc822",
        "3 message/rfc822",
    ]


PLAIN = "Content-Type: text/plain\r\n\r\nThe gate sticks in frost.\r\nBring tallow."
HTML = (
    "Content-Type: text/html; charset=utf-8\r\n\r\n<h1>News</h1><p>The gate sticks in <b>frost</b>. Bring tallow.</p>"
)


def test_of_two_forms_the_second_gives_only_what_the_first_does_not_say(tmp_path: Path) -> None:
    same = mail(tmp_path, parts(PLAIN, HTML.replace("<h1>News</h1>", ""), kind="alternative"))
    assert texts(same)[2:] == ["The gate sticks in frost.\nBring tallow."]
    more = mail(tmp_path, parts(PLAIN, HTML, kind="alternative"))
    assert places(more)[2:] == [
        ("1 text/plain", "The gate sticks in frost.\nBring tallow."),
        ("2 text/html", "News"),
    ]
    first = mail(tmp_path, parts(HTML, PLAIN, kind="alternative"))
    assert places(first)[2:] == [
        ("1 text/html", "News"),
        ("2 text/plain", "The gate sticks in frost.\nBring tallow."),
    ]
    empty = mail(tmp_path, parts("\r\n \r\n", HTML, kind="alternative"))
    assert texts(empty)[2:] == ["News", "The gate sticks in frost. Bring tallow."]
    japanese = mail(
        tmp_path,
        parts(
            "\r\n水車が凍\r\nりました。",
            HTML.partition("\r\n\r\n")[0] + "\r\n\r\n<p>水車が凍りました。</p>",
            kind="alternative",
        ),
    )
    assert texts(japanese)[2:] == ["水車が凍\nりました。"]


def test_html_alone_is_read_as_a_page(tmp_path: Path) -> None:
    page = "<html><head><style>.secret{}</style></head><body><p>Caf\xe9.</p></body></html>"
    body = b"Content-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    document = mail(tmp_path, body + base64.b64encode(page.encode("latin-1")))
    assert places(document)[2:] == [("1 text/html", "Café.")]


def test_a_saved_page_is_read_without_its_styles_and_scripts(tmp_path: Path) -> None:
    page = "Content-Type: text/html\r\nContent-Location: http://mill.example/\r\n\r\n<p>The race is clear.</p>"
    style = "Content-Type: text/css\r\nContent-Location: a.css\r\n\r\n.secret{}"
    script = "Content-Type: text/javascript\r\n\r\nlet hidden = 1"
    document = mail(tmp_path, parts(page, style, script, kind="related"), "page.mht")
    assert places(document)[2:] == [("1 text/html", "The race is clear.")]
    assert document.notes == ()


def test_a_message_without_a_subject_is_called_by_its_sender(tmp_path: Path) -> None:
    document = read(tmp_path, "cur/1700000001.M1P1.host:2,S", b"From: Ada <a@b.example>\nTo: c@d.example\n\nWords.")
    assert (document.title, headings(document)) == ("Ada", [])


def test_files_in_a_message_are_read_by_their_own_readers(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"], message["From"] = "Files", "ada@mill.example"
    message.set_content("See below.")
    message.add_attachment(b"# Oats\n\nTen bushels.\n", "application", "octet-stream", filename="näme.md")
    message.add_attachment(gzip.compress(b"Barley too."), "application", "gzip", filename="more.txt.gz")
    message.add_attachment(b"\x89PNG\r\n\x1a\n0000", "application", "octet-stream", filename="gate.png")
    message.add_attachment(b"\xff\xd8\xff", "image", "jpeg", filename="weir.jpg")
    document = mail(tmp_path, message.as_bytes(), head="")
    assert block_with(document, "Ten bushels").place == "2 application/octet-stream näme.md"
    assert headings(document) == [(1, "Files"), (1, "Oats")]
    assert block_with(document, "Barley").place == "3 application/gzip more.txt.gz"
    assert "Attachments: näme.md, more.txt.gz, gate.png, weir.jpg" in document.text
    assert document.fields["attachments"] == ("näme.md", "more.txt.gz", "gate.png", "weir.jpg")
    assert document.notes == (
        "part 4 gate.png is a PNG picture: this format is not read",
        "pictures and recordings are not read: weir.jpg",
    )


def test_old_encodings_are_undone(tmp_path: Path) -> None:
    encoded = "begin 644 oats.txt\r\n#5&5N\r\n`\r\nend\r\n"
    attached = f"Content-Type: text/plain; name=oats.txt\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n\r\n{encoded}"
    assert block_with(mail(tmp_path, parts("\r\nx", attached)), "Ten").place == "2 text/plain oats.txt"
    inline = mail(tmp_path, f"\r\nBefore it.\r\n{encoded}After it.")
    assert places(inline)[2:] == [
        ("1 text/plain", "Before it.\nAfter it."),
        ("1.1 application/octet-stream oats.txt", "Ten"),
    ]
    quoted = "Content-Transfer-Encoding: Quoted-Printable\r\n\r\nthe hopper le=\r\naks =C3=A9t=E9=\r\n."
    assert "hopper leaks" in mail(tmp_path, quoted).text


def test_plain_words_below_base64_stay(tmp_path: Path) -> None:
    body = b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(b"The gate sticks again.")
    document = mail(tmp_path, body + b"\r\n_______\r\nMillers mailing list\r\n")
    assert texts(document)[2:] == ["The gate sticks again.", "_______\nMillers mailing list"]


def test_lines_that_flow_are_put_together_and_quotations_are_quotes(tmp_path: Path) -> None:
    body = "The gate \r\nsticks.\r\n> Does it \r\n> still?\r\n>\r\n> Bo\r\n-- \r\nAda\r\n"
    document = mail(tmp_path, "Content-Type: text/plain; format=flowed\r\n\r\n" + body)
    assert [(block.kind, block.span.of(document.text)) for block in document.blocks[2:]] == [
        (BlockKind.PARAGRAPH, "The gate sticks."),
        (BlockKind.QUOTE, "> Does it still?"),
        (BlockKind.QUOTE, "> Bo"),
        (BlockKind.PARAGRAPH, "-- \nAda"),
    ]
    joined = mail(tmp_path, "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n水車が \r\n凍る")
    assert texts(joined)[2:] == ["水車が凍る"]


def test_what_is_encrypted_or_signed_is_no_text(tmp_path: Path) -> None:
    armour = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA7f\r\n-----END PGP MESSAGE-----"
    document = mail(tmp_path, f"\r\nFor you alone:\r\n\r\n{armour}\r\n\r\nAda")
    assert texts(document)[2:] == ["For you alone:", "Ada"]
    assert document.notes == ("part 1 holds text encrypted with PGP: not read",)
    sealed = "Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nMIIB"
    assert mail(tmp_path, sealed).notes == ("part 1 smime.p7m is encrypted or sealed: not read",)
    tnef = "Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nx"
    assert mail(tmp_path, parts("\r\nSee below.", tnef)).notes == (
        "part 2 winmail.dat holds no packet of Outlook's (TNEF) that can be read",
    )


@pytest.mark.parametrize(
    ("header", "labels"),
    [
        ("Company-Confidential", ("restricted",)),
        ("private", ("restricted",)),
        ("Personal", ("restricted",)),
        ("restricted", ("restricted",)),
        ("top secret", ("unknown",)),
        ("internal", ("internal",)),
    ],
)
def test_the_header_for_sensitivity_labels_the_message(tmp_path: Path, header: str, labels: tuple[str, ...]) -> None:
    assert mail(tmp_path, f"Sensitivity: {header}\r\n\r\nx").fields["sensitivity"] == labels
    inner = f"Content-Type: message/rfc822\r\n\r\n{HEAD}Sensitivity: {header}\r\n\r\nx"
    assert mail(tmp_path, parts("\r\nx", inner)).fields["sensitivity"] == labels


def test_no_number_of_headers_hides_a_label(tmp_path: Path) -> None:
    document = mail(tmp_path, "X-More: y\r\n" * 3_000 + "Sensitivity: private\r\n\r\nWords.")
    assert document.fields["sensitivity"] == ("restricted",)
    assert texts(document)[2:] == ["Words."]


def test_a_label_in_the_body_or_in_an_attachment_counts_and_a_public_one_lifts_nothing(tmp_path: Path) -> None:
    assert mail(tmp_path, "\r\nsensitivity: restricted\r\n\r\nx").fields["sensitivity"] == ("restricted",)
    attached = 'Content-Type: text/markdown; name="a.md"\r\n\r\n---\r\nsensitivity: {}\r\n---\r\nx'
    document = mail(tmp_path, parts("\r\nx", attached.format("restricted")))
    assert document.fields["sensitivity"] == ("restricted",)
    assert "sensitivity" not in mail(tmp_path, parts("\r\nx", attached.format("public"))).fields
    page = 'Content-Type: text/html\r\n\r\n<meta name="sensitivity" content="restricted"><p>x</p>'
    assert mail(tmp_path, parts(PLAIN, page, kind="alternative")).fields["sensitivity"] == ("restricted",)


def test_one_broken_part_does_not_lose_the_rest(tmp_path: Path) -> None:
    broken = "Content-Type: application/gzip; name=a.txt.gz\r\nContent-Transfer-Encoding: base64\r\n\r\nH4sIAAAA"
    document = mail(tmp_path, parts("\r\nBefore.", broken, "\r\nAfter."))
    assert texts(document)[2:] == ["Before.", "After."]
    assert document.notes == ("part 2 a.txt.gz is cut off",)


def test_a_message_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    document = mail(tmp_path, parts("\r\nFirst.", "\r\nSecond half").partition("\r\n--cut--")[0])
    assert texts(document)[2:] == ["First.", "Second half"]
    assert document.notes == ("the message is cut off: its last part has no end",)
    lost = mail(tmp_path, 'Content-Type: multipart/mixed; boundary="other"\r\n\r\nAll words stay.')
    assert texts(lost)[2:] == ["All words stay."]
    assert lost.notes == ("part 1: the boundary between its parts is not found; read as text",)
    guessed = mail(tmp_path, parts("\r\nOne.", "\r\nTwo.").replace('; boundary="cut"', ""))
    assert texts(guessed)[2:] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("headers", "body", "said"),
    [
        ("Content-Type: text/html Content-Transfer-Encoding: 8bit\r\n", "<p>The <b>gate</b>.</p>", "The gate."),
        ("A line of junk\r\n goes on\r\nContent-Type: text/html\r\n", "<p>The gate.</p>", "The gate."),
        ("Content-Transfer-Encoding: quoted printable\r\n", "The g=61te.", "The gate."),
        ("Content-Transfer-Encoding: spam\r\n", "The gate.", "The gate."),
        ("Content-Type: nonsense\r\n", "The gate.", "The gate."),
        ('Content-Type: multipart/mixed\r\n boundary="b"\r\n', "--b\r\n\r\nThe gate.\r\n--b--", "The gate."),
        ("Content-Type: text/html\r\nContent-Type: text/plain\r\n", "<p>The gate.</p>", "The gate."),
    ],
)
def test_headers_with_a_slip_are_read_as_they_were_meant(tmp_path: Path, headers: str, body: str, said: str) -> None:
    assert texts(mail(tmp_path, f"{headers}\r\n{body}"))[2:] == [said]


def test_words_right_below_the_headers_are_the_text(tmp_path: Path) -> None:
    assert texts(mail(tmp_path, "Hello there\r\nFrom: here on\r\n\r\nmore"))[2:] == [
        "Hello there\nFrom: here on",
        "more",
    ]


def test_parts_too_deep_in_one_another_are_told_and_not_read(tmp_path: Path) -> None:
    body = "Content-Type: message/rfc822\r\n\r\nSensitivity: private\r\n\r\nInnermost words."
    for level in range(200):
        body = (
            f'Content-Type: multipart/mixed; boundary="b{level}"\r\n\r\n--b{level}\r\n\r\nLevel {level}.'
            f"\r\n--b{level}\r\n{body}\r\n--b{level}--"
        )
    document = mail(tmp_path, body)
    assert "Level 199." in document.text
    assert "Innermost words" not in document.text
    assert document.notes == ("parts lie too deep in one another: the innermost are not read",)


def test_a_message_is_known_by_its_headers_where_no_suffix_says_more(tmp_path: Path) -> None:
    whole = (HEAD + "\r\nx").encode()
    assert read(tmp_path, "cur/1700000003.M3P3.host.org:2,S", whole).kind == "eml"
    assert read(tmp_path, "new/1700000003.M3P3.host", whole).kind == "eml"
    assert read(tmp_path, "letter", b"From: a@b.example\nSubject: x\n\ny").kind == "eml"
    assert read(tmp_path, "saved.txt", whole).kind == "eml"
    assert read(tmp_path, "page.mht", whole).kind == "eml"
    assert read(tmp_path, "letter.emlx", b"%d\n" % len(whole) + whole + b"<plist/>").text.endswith("x")


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("memo.txt", "From: the miller\nTo: the reeve\nSubject: oats\n\nBring ten.", "txt"),
        ("quoted.md", HEAD + "\nx", "md"),
        ("fix.patch", f"From {'0' * 40} Mon Sep 17 00:00:00 2001\n{HEAD}\nx", "code"),
        ("notes", "To do: oats\nDone: barley\n\nx", "txt"),
        ("control", "Package: mill\nVersion: 1\nDate: 2024\n\nx", "txt"),
    ],
)
def test_what_only_looks_like_a_message_is_none(tmp_path: Path, name: str, content: str, kind: str) -> None:
    assert read(tmp_path, name, content).kind == kind


def test_the_suffix_of_a_maildir_message_is_none() -> None:
    def suffix(relative: str, depth: int = 0) -> str:
        return SourceFile(Path("/library", relative), relative, b"", 0, 0.0, depth).suffix

    assert suffix("cur/1700000001.M1P1.host:2,S") == suffix("new/1700000001.M1P1.host.rs") == ""
    assert suffix("old/1700000001.M1P1.host_2,") == suffix("old/1700000001.M1P1.host!2,FRS") == ""
    assert suffix("cur/plan.md") == suffix("other/1700000001.plan.md") == ".md"
    assert suffix("cur/1700000001.plan.md", depth=1) == ".md"


def test_a_message_without_anything_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no message"):
        read(tmp_path, "a.eml", b"\x00\x01\x02\x03" * 40)
    with pytest.raises(ReadError, match="without subject and text") as raised:
        read(tmp_path, "a.eml", b"Content-Type: text/plain\n\n")
    assert raised.value.status == "empty"
    assert choose_reader(SourceFile(Path("a.eml"), "a.eml", b"words", 5, 0.0)).kind == "eml"


WHOLE = (HEAD + parts(PLAIN, HTML, "Content-Transfer-Encoding: base64\r\n\r\nd29yZHM=")).encode()


@given(st.integers(0, len(WHOLE)), st.binary(max_size=8), st.booleans())
def test_no_bytes_whatever_raise_anything_but_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes, cut: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.eml"
    path.write_bytes(WHOLE[:place] + junk + (b"" if cut else WHOLE[place + len(junk) :]))
    try:
        document = read_document(path, "a.eml")
    except ReadError as error:
        assert error.args[0]
    else:
        assert all(a.span.end <= b.span.start for a, b in zip(document.blocks, document.blocks[1:], strict=False))


SENTENCES = (
    "The gate sticks in frost.",
    "Die Mühle steht still, größer als zuvor.",
    "Мельница у плотины замёрзла.",
    "水車が凍りました。油を持って来て。",
    "水车冻住了，请带油来。",
    "물레방아가 얼었습니다.",
    "דלת הטחנה נתקעה בכפור.",
    "ประตูน้ำติดเพราะน้ำค้างแข็ง",
)
CHARSETS = ("utf-8", "latin-1", "koi8-r", "iso-2022-jp", "gb18030", "euc-kr", "iso-8859-8", "tis-620", "us-ascii")


@given(
    st.sampled_from(SENTENCES),
    st.sampled_from(SENTENCES),
    st.sampled_from(SENTENCES),
    st.sampled_from(CHARSETS),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
    st.booleans(),
)
def test_what_the_standard_library_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, subject: str, body: str, name: str, charset: str, cte: str, html: bool
) -> None:
    message = EmailMessage()
    message["Subject"], message["From"] = subject, f'"{name}" <ada@mill.example>'
    try:
        body.encode(charset)
        message.set_content(body + "\n", charset=charset, cte=cte)
    except (UnicodeEncodeError, ValueError):
        charset = "utf-8"
        message.set_content(body + "\n", charset=charset)
    if html:
        message.add_alternative(f"<p>{body}</p><p>{name}</p>", subtype="html", charset="utf-8")
    message.add_attachment(name.encode(), "text", "plain", filename=f"{body[:9]}.txt")
    path = tmp_path_factory.getbasetemp() / "written.eml"
    path.write_bytes(message.as_bytes())
    document = read_document(path, "written.eml")
    assert (document.title, document.fields["author"]) == (subject, (name,))
    place = "1.1 text/plain" if html else "1 text/plain"
    assert (place, body) in places(document)
    assert (f"2 text/plain {body[:9]}.txt", name) in places(document)
    assert (("1.2 text/html", name) in places(document)) == (html and name != body)


@pytest.mark.parametrize(
    ("header", "labels"),
    [
        ("Keywords: sensitivity: restricted", ("restricted",)),
        ("Keywords: rope, Restricted", ("restricted",)),
        ("X-Sensitivity: restricted", ("restricted",)),
        ("X-Sensitivity: Company-Confidential", ("restricted",)),
        ("X-Sensitivity: 1", None),
        ("Keywords: rope, restrictions", None),
    ],
)
def test_labels_among_keywords_and_in_a_programs_own_header_count(
    tmp_path: Path, header: str, labels: tuple[str, ...] | None
) -> None:
    assert mail(tmp_path, f"{header}\r\n\r\nx").fields.get("sensitivity") == labels
