"""Documents to cut: written by hand or drawn at random over many scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from ragspine_tui.types import Block, BlockKind, Document, Span

WORDS = (
    *("第三条", "（目的）", "Article 4", "§ 5 ", "Chapter 2", "Q:", "A: ", "問1　", "Why?", "Mr. ", "\nQ1. "),
    *("rope", "Tide.", "naïve", "e\u0301tude", "Ruß!", "Привет,", "όχι;", "שלום", "مرحبا؟", "नमस्ते।", "สวัสดี", "မင်္ဂလာပါ"),
    *(
        "日本語。",
        "縄を綯う、",
        "第三章",
        "한국어",
        "👩\u200d🔬",
        "🇯🇵",
        "x" * 70,
        "語" * 90,
        "\u0301\u0301",
        "\x1c",
        "\ufffd",
    ),
)
GAPS = (" ", " ", "\n", "\r\n", "\u3000", "\t", "")
BREAKS = ("\n\n", "\n", "\r\n\r\n", "\r", "\n \t\n\n", " ")
KINDS = tuple(kind for kind in BlockKind if kind is not BlockKind.HEADING)


def blocked(*units: str, name: str = "a.md") -> Document:
    """A document of paragraphs; `# ` at the start of a unit makes a heading of that level."""
    text = "\n\n".join(units) + "\n"
    blocks, offset = [], 0
    for unit in units:
        level = len(unit) - len(unit.lstrip("#"))
        span = Span(offset, offset + len(unit))
        kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
        blocks.append(Block(span, kind, level, unit.lstrip("# ") if level else ""))
        offset += len(unit) + 2
    return Document(name, text, tuple(blocks))


@st.composite
def documents(draw: Callable[..., object]) -> Document:
    """Any document: blocks of any kind with pages and parts, gaps with and without text, or no blocks at all."""
    if draw(st.integers(0, 4)) == 0:
        pieces = draw(st.lists(st.sampled_from(WORDS + GAPS + BREAKS), max_size=60))
        assert isinstance(pieces, list)
        return Document("p.txt", "".join(pieces))
    count = draw(st.integers(0, 14))
    assert isinstance(count, int)
    text, blocks, page, part = str(draw(st.sampled_from(("", "\n", "lead ")))), [], 1, 0
    row = 0
    for _ in range(count):
        body = _words(draw)
        row += int(draw(st.integers(0, 5)) == 0)
        page += int(str(draw(st.integers(0, 1))))
        part += int(draw(st.integers(0, 9)) == 0)
        heading = draw(st.integers(0, 2)) == 0
        kind = BlockKind.HEADING if heading else draw(st.sampled_from(KINDS))
        assert isinstance(kind, BlockKind)
        level = int(str(draw(st.integers(1, 4)))) if heading else 0
        span = Span(len(text), len(text) + len(body))
        blocks.append(
            Block(
                span, kind, level, body.strip() if heading else "", None, page, f"part {part}", f"row {row}" * (row % 2)
            )
        )
        text += body + str(draw(st.sampled_from(BREAKS)))
    document = Document("d.md", text, tuple(blocks))
    if draw(st.booleans()):
        return document
    numbered = tuple(replace(block, line=1 + text.count("\n", 0, block.span.start)) for block in blocks)
    return replace(document, blocks=numbered, verbatim=False)


def _words(draw: Callable[..., object]) -> str:
    words = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=25))
    assert isinstance(words, list)
    return "".join(word + gap for word, gap in words)
