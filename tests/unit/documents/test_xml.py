"""XML and SVG: what stands in elements and attributes can be found; entities are never expanded, drawings no text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, DocumentStatus
from tests.unit.documents.files import headings, read, texts

DATA = """<?xml version="1.0" encoding="UTF-8"?>
<!-- no word of this -->
<catalog xmlns="urn:x">
  <vessel id="v1">
    <owner>Marlock, Ines</owner>
    <about>Tarred &amp; caulked by <em>two</em>
      hands at the <b>quay</b>.</about>
    <item name="Mast" value="f&#252;nf"/>
  </vessel>
  <vessel id="v2"><owner>Rufus</owner><berth>North</berth></vessel>
</catalog>
"""
BOOK = """<!DOCTYPE book PUBLIC "-//X//EN" "http://x.invalid/x.dtd" [<!ENTITY prod "Rope">]>
<book><bookinfo><title>The Walk</title><author>Ines</author></bookinfo>
<chapter id="c1"><title>Laying <emphasis>strands</emphasis></title>
<para>The <emphasis>blue</emphasis> door of &prod; opens
 slowly.</para>
<programlisting>
x = 1
  y &lt; 2
</programlisting>
<section><title>Hemp</title><para>Words here.</para></section>
</chapter></book>
"""
BOMB = '<!DOCTYPE svg [<!ENTITY a "burst "><!ENTITY b "&a;&a;&a;&a;">]><svg><text>{}</text></svg>'


def test_data_are_lines_that_name_their_element(tmp_path: Path) -> None:
    document = read(tmp_path, "a.xml", DATA)
    assert [(block.line, block.span.of(document.text)) for block in document.blocks] == [
        (
            4,
            "vessel id=v1\nowner: Marlock, Ines\nabout: Tarred & caulked by two hands at the quay.\n"
            "item name=Mast value=fünf",
        ),
        (10, "vessel id=v2\nowner: Rufus\nberth: North"),
    ]
    assert (document.kind, document.title, document.verbatim) == ("xml", "a.xml", False)


def test_a_book_has_sections_and_sentences(tmp_path: Path) -> None:
    document = read(tmp_path, "a.xml", BOOK)
    assert headings(document) == [(1, "The Walk"), (2, "Laying strands"), (3, "Hemp")]
    assert "The blue door of &prod; opens slowly." in texts(document)[3]
    assert texts(document, BlockKind.CODE) == ["x = 1\n  y < 2"]
    assert document.notes == ("entities that the file declares are not expanded",)
    assert document.fields["author"] == ("Ines",)


def test_words_of_neighbouring_elements_do_not_fuse(tmp_path: Path) -> None:
    document = read(tmp_path, "a.xml", "<r><a1>one</a1><b1>two</b1><p>th<i>re</i>e</p></r>")
    assert document.text == "a1: one\nb1: two\nthree"


def test_cdata_is_text_and_its_signs_are_no_tags(tmp_path: Path) -> None:
    assert read(tmp_path, "a.xml", "<r><x1><![CDATA[a <b> & c]]></x1></r>").text == "x1: a <b> & c"


@pytest.mark.parametrize(
    "text",
    ["<r><a1>heron</a1>", "<r><a1>heron</b1></r>", "<r a='x>heron</r>", "heron < <r>", "<!DOCTYPE r [<r>heron</r>"],
)
def test_broken_xml_is_read_as_far_as_it_goes(tmp_path: Path, text: str) -> None:
    assert "heron" in read(tmp_path, "a.xml", text).text


def test_elements_may_lie_as_deep_as_they_like(tmp_path: Path) -> None:
    assert read(tmp_path, "a.xml", "<a1>" * 5_000 + "heron" + "</a1>" * 5_000).text == "a1: heron"


def test_a_file_without_text_is_the_text_it_is(tmp_path: Path) -> None:
    assert read(tmp_path, "a.xml", "<empty/>\n").text == "<empty/>\n"


def test_a_drawing_is_what_is_written_in_it(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0"?><svg>\n<title>Map of quays</title><style>.a{}</style>\n'
        '<text>North<tspan x="3">quay</tspan> and <tspan>so</tspan>uth</text><script>no()</script></svg>'
    )
    for name in ("a.svg", "a.xml"):
        document = read(tmp_path, name, text)
        assert texts(document) == ["Map of quays", "North quay and south"]
        assert [block.line for block in document.blocks] == [2, 3]
        assert (document.kind, document.title) == ("svg", "Map of quays")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("<svg><path d='M 1 2'/></svg>", DocumentStatus.NO_TEXT),
        (BOMB.format("&b;&b;"), DocumentStatus.UNSUPPORTED),
    ],
)
def test_a_drawing_without_words_says_so(tmp_path: Path, text: str, status: DocumentStatus) -> None:
    with pytest.raises(ReadError) as error:
        read(tmp_path, "a.svg", text)
    assert error.value.status is status


def test_no_entity_is_expanded(tmp_path: Path) -> None:
    document = read(tmp_path, "a.svg", BOMB.format("words &b; &lt;here&gt;"))
    assert document.text == "words <here>"
    assert document.notes == ("entities that the file declares are not expanded",)


def test_the_declared_encoding_counts(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-2"?><r><x1>żyrandol</x1></r>'
    assert read(tmp_path, "a.xml", text.encode("iso8859_2")).text == "x1: żyrandol"


PIECES = st.sampled_from(
    [
        *(
            "<a1>",
            "</a1>",
            "<title>",
            "</title>",
            "<section x='1'>",
            "</section>",
            "<b>",
            "</b>",
            "<i/>",
            "<!--",
            "-->",
            "<![CDATA[",
        ),
        *(
            "]]>",
            "<?x",
            "?>",
            "<!DOCTYPE x [",
            "]>",
            "&e;",
            "&#65;",
            "&#99999999;",
            "<",
            ">",
            '"',
            "'",
            "word",
            "\n",
            " ",
            "<pre>",
        ),
        *("<text>", "</text>", "<svg>", "<style>", "</style>", "<tspan x='1'>", "</pre>"),
    ]
)


@pytest.mark.parametrize("name", ["a.xml", "a.svg"])
@given(pieces=st.lists(PIECES, max_size=30))
def test_any_tags_whatever_are_read(name: str, pieces: list[str]) -> None:
    data = ("<r><title>heron</title>" + "".join(pieces)).encode()
    assert "heron" in read_loaded(SourceFile(Path(name), name, data, len(data), 0.0)).text
