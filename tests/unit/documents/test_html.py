"""HTML: the words a person sees, in blocks that know their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragspine_tui.documents.html_reader import HtmlReader
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import block_with, headings, read, texts


def page(folder: Path, body: str, head: str = "") -> Document:
    return read(folder, "page.html", f"<!doctype html><html><head>{head}</head><body>{body}</body></html>")


def test_headings_and_paragraphs_are_blocks_with_source_lines(tmp_path: Path) -> None:
    document = page(tmp_path, "\n<h1>Quay</h1>\n<p>Rope\nand tar.</p>\n\n<h2>Tides</h2><p>\nEbb.")
    assert headings(document) == [(1, "Quay"), (2, "Tides")]
    assert texts(document) == ["Quay", "Rope and tar.", "Tides", "Ebb."]
    assert [block.line for block in document.blocks] == [2, 3, 6, 7]
    assert not document.verbatim


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Word<b>break</b>ing in<i>line</i>", "Wordbreaking inline"),
        ("<p>caf&eacute; &amp; &lt;hr&gt; &#x2014;", "café & <hr> —"),
        ("<p>one<br>two", "one\ntwo"),
        ("<div>one</div><div>two</div>", "one\n\ntwo"),
        ("<table><tr><th>Vat<th>Man<tr><td>oak<td>Ysolde</table>", "Vat\tMan\noak\tYsolde"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<pre>a\n  b &lt; c</pre>", "a\n  b < c"),
        ("<p>前半の\n後半", "前半の後半"),
        ("<p>한국\n말", "한국 말"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>の", "漢字(かんじ)の"),
        ('<p>see <img src="x" alt="a treadle lathe"> here', "see a treadle lathe here"),
        ('<h2>Name<a class="headerlink" href="#n">¶</a></h2><p>x', "Name\n\nx"),
        ('<p title="<p>not this</p>">this', "this"),
        ("<p title=it's>this</p><p title=it's>that", "this\n\nthat"),
        ("<p>5 < 6 and a<b", "5 < 6 and a"),
        ("<custom-el>joined</custom-el>word", "joinedword"),
        ("<textarea>draft <b></textarea>", "draft <b>"),
        ("<svg><text>weather</text></svg>", "weather"),
        ("<p>early</p></body></html><p>late", "early\n\nlate"),
    ],
)
def test_the_text_is_what_a_browser_shows(tmp_path: Path, html: str, text: str) -> None:
    assert page(tmp_path, html).text == text


@pytest.mark.parametrize(
    "noise",
    [
        "<script>NOISE</script>",
        "<script>document.write('<p>NOISE</p>')</script>",
        '<script type="application/ld+json">{"a": "NOISE"}</script>',
        "<style>.NOISE {}</style>",
        "<template><p>NOISE</p></template>",
        "<noscript>NOISE</noscript>",
        "<nav><ul><li>NOISE</li></ul></nav>",
        '<div role="navigation"><div>NOISE</div></div>',
        "<!-- NOISE -->",
        "<!-- <p> --><!-- NOISE -->",
        "<p onclick=\"alert('NOISE')\"></p>",
        '<p data-x="NOISE"></p>',
        "<iframe>NOISE</iframe>",
    ],
)
def test_what_is_no_text_is_left_out(tmp_path: Path, noise: str) -> None:
    assert page(tmp_path, f"<p>before</p>{noise}<p>after</p>").text == "before\n\nafter"


def test_an_unclosed_nav_takes_nothing_with_it(tmp_path: Path) -> None:
    assert "words" in page(tmp_path, "<nav><a>menu</a><p>words").text


def test_meta_elements_become_fields(tmp_path: Path) -> None:
    head = """<title>Rope &amp; tar</title><meta name="author" content="Mirela">
    <meta name="keywords" content="rope, tar">
    <meta property="article:published_time" content="2024-05-01T08:00:00Z"><meta content="On ropes" name=Description>"""
    document = read(tmp_path, "p.html", f"<html lang=en-GB>{head}<p>x")
    assert document.title == "Rope & tar"
    wanted = {"author": ("Mirela",), "tags": ("rope", "tar"), "language": ("en-GB",), "year": ("2024",)}
    assert {name: document.fields[name] for name in wanted} == wanted
    assert document.fields["description"] == ("On ropes",)


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ('<meta charset="euc-jp">', "euc_jp"),
        ("<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>", "shift_jis"),
        ("", "utf_16"),
    ],
)
def test_the_declared_charset_is_used(tmp_path: Path, head: str, codec: str) -> None:
    text = f"<html><head>{head}<title>縄</title></head><body><p>縄を綯う。</p>"
    assert read(tmp_path, "p.html", text.encode(codec)).text == "縄を綯う。"


def test_an_xml_declaration_names_the_charset(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="iso-8859-2"?>\n<html><body><p>żyrandol <![CDATA[<małpa>]]></p></body></html>'
    assert read(tmp_path, "p.xhtml", text.encode("iso8859_2")).text == "żyrandol <małpa>"


def test_twenty_thousand_nested_elements_are_read(tmp_path: Path) -> None:
    assert page(tmp_path, "<div>" * 20_000 + "deep" + "</div>" * 20_000).text == "deep"


@pytest.mark.parametrize(
    "piece",
    ["<a", "<a ", '<a x="', "<!--", "<nav>", "<div role=navigation>", "<title>", "<ruby>", "<a ==", "<![CDATA[", "</ "],
)
def test_what_never_closes_is_not_looked_for_again_and_again(tmp_path: Path, piece: str) -> None:
    assert "after" not in page(tmp_path, f"<p>before</p>{piece * 50_000}").text


def test_a_page_without_words_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        page(tmp_path, "<script>x</script>")
    assert caught.value.status == "no_text"


def test_code_in_pre_keeps_its_lines(tmp_path: Path) -> None:
    document = page(tmp_path, "\n<pre><code>first = 1\n\n<span>second</span> = 2\n</code></pre>")
    assert texts(document, BlockKind.CODE) == ["first = 1", "second = 2"]
    assert block_with(document, "second").line == 4


SOUP = (
    *(
        "<p>",
        "</p>",
        "<td>",
        "<b>",
        "<",
        ">",
        '"',
        "'",
        "a",
        "=",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<h1>",
        "</h1>",
    ),
    *("<li>", "<pre>", "&amp", "<nav>", "</nav>", "<tr", "/", "<title>", "語", "<br>", "<![CDATA[", "\n", " "),
)


@example(["<td>", "<pre>", "\n", "<p>", "<", "<h1>", "<"])
@given(st.lists(st.sampled_from(SOUP), max_size=25))
def test_tag_soup_gives_ordered_blocks_that_cover_the_text(parts: list[str]) -> None:
    data = "".join(parts).encode()
    document = HtmlReader().read(SourceFile(Path("x.html"), "x.html", data, len(data), 0.0))
    end, line = 0, 1
    for block in document.blocks:
        assert end <= block.span.start < block.span.end <= len(document.text)
        assert block.line is not None and block.line >= line
        end, line = block.span.end, block.line
    assert all(part.isspace() or not part for part in _between(document))


def _between(document: Document) -> list[str]:
    edges = [0, *(edge for block in document.blocks for edge in (block.span.start, block.span.end)), len(document.text)]
    return [document.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
