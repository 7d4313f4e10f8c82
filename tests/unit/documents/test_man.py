"""Manual pages: what `man` shows can be found, at the line of the source; requests and fonts cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.man_reader import ManReader
from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.roff_escapes import printed
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, DocumentStatus
from tests.unit.documents.files import headings, read

PAGE = r"""'\" t
.\" a remark of the author
.TH ROPEWALK 1 2024-03-05 "Halfmoon 2" "User Commands"
.de XX
hidden \\$1
..
.SH NAME
ropewalk \- lay \fBstrands\fP of hemp
.SH
DESCRIPTION
Says that one
.I can
lay
.BR strands (7),
slowly.\" no word of this
.PP
.nf
.in +4n
.IR walk "(" ")"
.in
.fi
.TP
.BR \-v ", " \-\-verbose
Tell more.
.IP \(bu 2
An item.
.ie t for paper
.el for a screen
.TS
tab(:);
l l
l l.
Name:Meaning
_
hemp:T{
a plant for
.B rope
T}
.TE
"""
MDOC = r""".Dd $Mdocdate: March 5 2024 $
.Dt ROPEWALK 1
.Os
.Sh NAME
.Nm ropewalk
.Nd lay strands
.Sh SYNOPSIS
.Nm
.Op Fl v Ar file ...
.Op Fl o Ns = Ns Ar out
.Sh DESCRIPTION
See
.Xr hemp 7 ,
.Pa /etc/rope .
and
.Dq a word .
.Bl -tag
.It Fl v , Fl Fl verbose
Tell more.
.El
.Bd -literal
line  one
line two
.Ed
"""


def body(tmp_path: Path, text: str) -> str:
    return read(tmp_path, "a.1", f".TH A 1\n.SH B\n{text}\n").text.removeprefix("B\n\n")


def test_a_page_in_the_man_macros_is_read_as_it_is_shown(tmp_path: Path) -> None:
    document = read(tmp_path, "ropewalk.1", PAGE)
    assert [(block.line, block.kind, block.span.of(document.text)) for block in document.blocks] == [
        (7, BlockKind.HEADING, "NAME"),
        (8, BlockKind.PARAGRAPH, "ropewalk - lay strands of hemp"),
        (10, BlockKind.HEADING, "DESCRIPTION"),
        (11, BlockKind.PARAGRAPH, "Says that one can lay strands(7), slowly."),
        (19, BlockKind.CODE, "walk()"),
        (23, BlockKind.LIST, "-v, --verbose\nTell more."),
        (25, BlockKind.LIST, "• An item. for a screen"),
        (33, BlockKind.TABLE, "Name\tMeaning"),
        (35, BlockKind.TABLE, "hemp\ta plant for rope"),
    ]
    assert (document.kind, document.title, document.verbatim) == ("man", "ropewalk(1)", False)
    assert (document.fields["section"], document.fields["date"]) == (("1",), ("2024-03-05",))


def test_a_page_in_the_mdoc_macros_is_read_as_it_is_shown(tmp_path: Path) -> None:
    document = read(tmp_path, "ropewalk.1", MDOC)
    assert [block.span.of(document.text) for block in document.blocks] == [
        "NAME",
        "ropewalk – lay strands",
        "SYNOPSIS",
        "ropewalk [-v file ...] [-o=out]",
        "DESCRIPTION",
        "See hemp(7), /etc/rope. and “a word”.",
        "-v, --verbose\nTell more.",
        "line  one\nline two",
    ]
    assert headings(document) == [(1, "NAME"), (1, "SYNOPSIS"), (1, "DESCRIPTION")]
    assert (document.title, document.fields["date"]) == ("ropewalk(1)", ("2024-03-05",))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"\fBbold\fR \f(CWcode\fP \s-1SMALL\s0", "bold code SMALL"),
        (r"e.g.\& \-\-x \(em \*(lqq\*(rq \(aq", "e.g. --x — “q” '"),
        (r"\[u00E9] \(:a \('e \[char233] \(*a", "é ä é é α"),
        (r"a\|b\~c\ d\h'-2u'e \e \w'x'u", "ab c de \\ u"),
        (r"\*[Tm] \*(ZZ end", "™  end"),
    ],
)
def test_escapes_are_the_characters_they_print(written: str, shown: str) -> None:
    assert printed(written) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (".ds pq the walk\nOn \\*(pq today", "On the walk today"),
        (".if n shown\n.if t hidden", "shown"),
        (".if t \\{\\\nhidden\n.br\\}\nshown", "shown"),
        (".ie n \\{\\\nshown\n.\\}\n.el \\{\\\nhidden\n.\\}", "shown"),
        (".ig\nhidden\n..\nshown", "shown"),
        (".if n " * 5_000 + "\nshown", "shown"),
        ("one\\\n two", "one two"),
        ("one\n.br\ntwo", "one\ntwo"),
        ("no\\c\nspace", "nospace"),
        (".UR http://x.invalid\nthe page\n.UE .", "http://x.invalid the page."),
        ('.B "two words" three', "two words three"),
        (".UnknownMacro kept", "kept"),
        (".EX\n  a\n\n  b\n.EE", "  a\n\n  b"),
    ],
)
def test_requests_do_what_they_do_on_a_terminal(tmp_path: Path, text: str, shown: str) -> None:
    assert body(tmp_path, text) == shown


@pytest.mark.parametrize(
    ("head", "suffix", "claimed"),
    [
        (b".TH A 1\n", ".1", True),
        (b'.\\" remark\n.TH A 3pm\n', ".3pm", True),
        (b'.\\" remark\n' * 400, ".7", True),
        (b".Dd today\n", "", True),
        (b"'\\\" t\n", ".8", True),
        (b"Dec 1 started\n", ".1", False),
        (b".TH A 1\n", ".txt", False),
        (b'.\\" remark\n', "", False),
    ],
)
def test_a_page_is_known_by_its_content(head: bytes, suffix: str, claimed: bool) -> None:
    assert ManReader().claims(head, suffix) is claimed


def test_a_page_that_only_names_another_is_empty(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"only refers to man3/rope\.3") as error:
        read(tmp_path, "a.3", ".so man3/rope.3\n")
    assert error.value.status is DocumentStatus.EMPTY


def test_a_page_without_text_is_the_text_it_is(tmp_path: Path) -> None:
    document = read(tmp_path, "a.man", ".TH A 1\n")
    assert (document.text, document.verbatim) == (".TH A 1\n", True)


def test_a_label_in_a_comment_at_the_top_counts(tmp_path: Path) -> None:
    document = read(tmp_path, "a.1", '.\\" sensitivity: restricted\n.TH A 1\n.SH B\nwords\n')
    assert document.fields["sensitivity"] == ("restricted",)


PIECES = st.sampled_from(
    [
        *(
            ".TH A 1\n",
            ".SH\n",
            ".SH B\n",
            ".TP\n",
            ".IP x\n",
            ".TS\n",
            ".TE\n",
            "l l.\n",
            "T{\n",
            "T}\n",
            "a\tb\n",
            "\\",
            "word\n",
        ),
        *(
            ".if t \\{\n",
            ".ie n ",
            ".el ",
            "\\}\n",
            ".de X\n",
            "..\n",
            ".ig\n",
            ".nf\n",
            ".fi\n",
            ".Sh N\n",
            ".Nm ",
            ".Op Fl ",
        ),
        *(
            ".It Xo\n",
            ".Bl\n",
            "\\f",
            "\\(",
            "\\*(",
            '"',
            "\n",
            "'",
            ".",
            ".ds a \\*a\n",
            "\\*a",
            "\\s",
            "\\h'",
            "\\[",
            ".TH",
        ),
    ]
)


@given(st.lists(PIECES, max_size=30))
def test_any_requests_whatever_are_read(pieces: list[str]) -> None:
    data = (".TH A 1\n" + "".join(pieces)).encode()
    document = read_loaded(SourceFile(Path("a.1"), "a.1", data, len(data), 0.0))
    assert document.kind == "man"
    assert document.text.strip()


def test_a_line_of_a_quarter_of_a_million_macros_is_read_like_any_other() -> None:
    data = b".Dd x\n.Dt A 1\n.Sh NAME\n." + b"Op " * 250_000
    document = read_loaded(SourceFile(Path("a.1"), "a.1", data, len(data), 0.0))
    assert document.text.count("[") == 250_000
