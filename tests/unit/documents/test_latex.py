"""LaTeX: what a person reads on the page can be found, at its line; what nobody reads cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import block_with, headings, read, texts

PAPER = r"""\documentclass[12pt]{article}
\usepackage{nothing}
% a private remark
\newcommand{\proj}{Rope\-walk}
\title{On the \emph{Drift} of Buoys\thanks{Paid by the guild.}}
\author{Ines Marlock\\ Halfmoon \and Rufus Penhale}
\date{5 March 2024}
\begin{document}
\maketitle
\section[short]{Mooring chains}\label{sec:chains}
The \textbf{blue} door of \proj{} opens.% gone
\footnote{Seen from the \emph{pilot} cutter.}
% alone

\subsection*{Fouling by \texttt{kelp}}
\begin{tabular}{l|p{3cm}}
\hline
Buoy & Colour \\ \hline
Skerry & ochre over
lampblack \\[2pt]
\end{tabular}
\end{document}
after the end
"""


def body(tmp_path: Path, text: str) -> str:
    return read(tmp_path, "a.tex", f"\\begin{{document}}\n{text}\n\\end{{document}}\n").text


def test_a_paper_is_read_as_it_is_printed(tmp_path: Path) -> None:
    document = read(tmp_path, "a.tex", PAPER)
    assert [(block.line, block.span.of(document.text)) for block in document.blocks] == [
        (5, "On the Drift of Buoys"),
        (5, "Footnote: Paid by the guild."),
        (6, "Ines Marlock Halfmoon, Rufus Penhale"),
        (7, "5 March 2024"),
        (10, "Mooring chains"),
        (11, "The blue door of Ropewalk opens."),
        (12, "Footnote: Seen from the pilot cutter."),
        (15, "Fouling by kelp"),
        (18, "Buoy\tColour"),
        (19, "Skerry\tochre over lampblack"),
    ]
    assert headings(document) == [(1, "On the Drift of Buoys"), (4, "Mooring chains"), (5, "Fouling by kelp")]
    assert (document.kind, document.title, document.verbatim) == ("tex", "On the Drift of Buoys", False)
    assert document.fields["author"] == ("Ines Marlock", "Rufus Penhale")
    assert document.fields["date"] == ("2024-03-05",)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        (r"cat\'e na\"{\i}ve \c{c}a \v{S}koda \r ang \O re", "caté naïve ça Škoda ång Øre"),
        (r"50\% of 3 \& 4 for \$5 \#1 a\_b \{x\}", "50% of 3 & 4 for $5 #1 a_b {x}"),
        (r"``said'' -- 1--2---so~it is", "“said” – 1–2—so it is"),
        (r"hy\-phen \LaTeX{} and \TeX\ too\ldots", "hyphen LaTeX and TeX too…"),
        (r"10\,km\\next", "10 km\nnext"),
        (r"sags by \(\cosh(x/a)\) and $a_1 \% b$ here", r"sags by \(\cosh(x/a)\) and $a_1 \% b$ here"),
        (r"see \cite[p.~4]{knuth84} and \ref{sec:one}", "see [knuth84] and sec:one"),
        (r"\textcolor{red}{red} \href{http://x.invalid}{a link} \vspace*{3cm}end", "red a link end"),
        (r"use \verb|a_b{c}| and \lstinline!x%y!", "use a_b{c} and x%y"),
        (r"an \unknown[opt]{kept} \other one", "an kept one"),
        ("one% gone\n  word", "oneword"),
        ("lines of  the file \n stay lines", "lines of the file\nstay lines"),
        ("日本の\n文章", "日本の文章"),
        (r"\texorpdfstring{$\alpha$}{alpha} and A\textsuperscript{2}", "alpha and A2"),
        (r"{\bf bold \it{both}} and {plain}", "bold both and plain"),
    ],
)
def test_commands_vanish_and_their_words_stay(tmp_path: Path, written: str, printed: str) -> None:
    assert body(tmp_path, written) == printed


def test_the_shorthands_of_german_are_letters(tmp_path: Path) -> None:
    text = '\\usepackage[ngerman]{babel}\n\\begin{document}\nDie F"ahre, gro"s, "`ja"\', Ab"-lage\n\\end{document}\n'
    assert read(tmp_path, "a.tex", text).text == "Die Fähre, groß, „ja“, Ablage"
    assert body(tmp_path, 'say "a word"') == 'say "a word"'


def test_lists_quotes_code_and_mathematics_are_told(tmp_path: Path) -> None:
    text = (
        "\\begin{itemize}\n\\item one\n\\item[two] words\n\\end{itemize}\n\\begin{quote}said\\end{quote}\n"
        "\\begin{verbatim}\n  \\section{no} % kept\n\\end{verbatim}\n\\begin{align*}\nx &= 1\n\\end{align*}\nafter\n"
    )
    document = read(tmp_path, "a.tex", text)
    assert [(block.kind, block.line, block.span.of(document.text)) for block in document.blocks] == [
        (BlockKind.LIST, 2, "one"),
        (BlockKind.LIST, 3, "two words"),
        (BlockKind.QUOTE, 5, "said"),
        (BlockKind.CODE, 7, "  \\section{no} % kept"),
        (BlockKind.CODE, 9, "\\begin{align*}\nx &= 1\n\\end{align*}"),
        (BlockKind.PARAGRAPH, 12, "after"),
    ]


def test_a_chapter_without_a_preamble_is_read_whole(tmp_path: Path) -> None:
    document = read(tmp_path, "a.tex", "\\chapter{Tar}\n\nIt is made of pine.\n\n\\part{Two}\n")
    assert headings(document) == [(3, "Tar"), (2, "Two")]
    assert document.title == "Tar"


@pytest.mark.parametrize("text", ["50% of it is plain\n", "\\newcommand{\\x}{y}\n\\endinput\n"])
def test_a_file_that_prints_nothing_is_the_text_it_is(tmp_path: Path, text: str) -> None:
    document = read(tmp_path, "a.tex", text)
    assert (document.text, document.verbatim, document.kind) == (text, True, "tex")


@pytest.mark.parametrize("piece", ["{", "\\emph{", "\\footnote{", "\\label{", "\\(", "$", "\\begin{verbatim}", "\\x["])
def test_what_is_never_closed_ends_with_the_file(tmp_path: Path, piece: str) -> None:
    assert "heron" in read(tmp_path, "a.tex", "\\a first\n" + piece * 5_000 + " heron").text


def test_a_title_never_closed_ends_with_its_paragraph(tmp_path: Path) -> None:
    document = read(tmp_path, "a.tex", "\\section{Open\n\nwords of the text\n")
    assert headings(document) == [(4, "Open")]
    assert block_with(document, "words of the text").kind is BlockKind.PARAGRAPH


def test_a_label_in_a_comment_at_the_top_counts(tmp_path: Path) -> None:
    document = read(tmp_path, "a.tex", "% sensitivity: restricted\n\\section{One}\nwords\n")
    assert document.fields["sensitivity"] == ("restricted",)
    assert texts(document) == ["One", "words"]


PIECES = st.sampled_from(
    [
        *("{", "}", "[", "]", "$", "$$", "\\(", "\\)", "\\\\", "&", "%", "\n", "\n\n", "\r\n", "~", "--", "\\'", "e"),
        *("\\section", "\\footnote", "\\title", "\\begin{tabular}", "\\end{tabular}", "\\begin{verbatim}", "\\item"),
        *(
            "\\end{verbatim}",
            "\\begin{document}",
            "\\end{document}",
            "\\newcommand",
            "\\x",
            "\\cite",
            "\\verb|",
            "word",
        ),
        *("\\label", "\\begin{itemize}", "\\end{itemize}", "\\author", "\\and", "\\par", "\\def", "\\", "#1"),
    ]
)


def made(text: str) -> Document:
    data = text.encode()
    return read_loaded(SourceFile(Path("a.tex"), "a.tex", data, len(data), 0.0))


@given(st.lists(PIECES, max_size=30))
def test_any_commands_whatever_are_read(pieces: list[str]) -> None:
    document = made("\\a " + "".join(pieces) + " heron")
    assert document.text.strip()
    starts = [block.span.start for block in document.blocks]
    assert starts == sorted(starts)
    assert all(block.line is None or 1 <= block.line <= 61 for block in document.blocks)
