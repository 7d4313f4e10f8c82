"""Presets on the kinds of text they are for: rules of a house, a novel, questions with answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.retrieval.chunking.chunker import Chunking
from tests.unit.chunking.files import cut

RULES_JA = """水車小屋保存会会則

目次
　第一章　総則（第一条―第三条）
　第二章　会員（第四条）

第一章　総則

（名称）
第一条　この会は、水車小屋保存会という。

（目的）
第二条　この会は、川沿いの水車小屋を直し、次の代へ渡すことを目的とする。
２　前項の目的のため、第三条の作業を行う。

第二条の二　小屋の鍵は、当番が持つ。
（作業）
第三条　作業は、毎月第一日曜日に行う。雨のときは、
第三条の規定にかかわらず、翌週に延ばす。

第二章　会員

（入会）
第四条　会員になろうとする者は、板に名を書く。

附　則
この会則は、令和六年四月一日から施行する。
"""
RULES_ZH = """渡口管理办法

第一章 总则

第一条 为了保护渡口，制定本办法。
第二条【范围】本办法适用于东岸和西岸。
第三条：渡船每日清晨出发。

第二章　附则

第十条　本办法自公布之日起施行。
"""
RULES_EN = """FERRY BY-LAWS

PART I THE FERRY

Article 1 Name
The ferry is called the Heron.

Article 2. The ferry crosses at each full hour, except as
Article 9 of the harbour rules says otherwise, and never in fog.
Article 3.
(1) Dogs cross without charge.
(2) Section 3 of the fees does not apply to geese.

PART II THE FERRYMAN

Article 4: The ferryman is chosen by lot.
"""
RULES_DE = """Satzung des Rudervereins

§ 1 Name und Sitz

Der Verein heißt Reiher. Er sitzt am Ufer.

§ 2 Beiträge
Der Beitrag wird im März gezahlt. Er richtet sich nach
§ 4 Abs. 2 der Ordnung.

§ 2a (1) Kinder zahlen nichts.
(2) § 1 gilt entsprechend.
"""
RULES_MD = """# By-laws

## Chapter 1: The mill

### Article 1 (Name)

The mill is called the Otter.

### Article 2 (Work)

- the wheel is greased in May
- the weir is cleared in June

## Chapter 2: The miller

**Article 3.** The miller keeps the key.
"""
NOVEL = """The Lamp at Herring Point

Prologue

The lamp had burned for ninety years.

PART ONE

Chapter 1
The keeper

He came by boat. Chapter and verse were all the same to him.

It was a long night.

CHAPTER II. Of oil

They carried the oil up in cans.

Chapter 3 of the log book was missing, and nobody asked why it was.

PART TWO

Chapter 3

The lamp went out.

Epilogue

Now the point is dark.
"""
NOVEL_JA = """灯台守

序章

灯は九十年ともっていた。

第一章　油

缶を担いで階段をのぼった。

第二章
霧

霧笛が鳴った。

あとがき

岬を訪ねて書いた。
"""
MEMOIR = """# The weir

## Childhood

Water first.

### The otter

It swam.

### The heron

It stood.

## Work

Mills.
"""
FAQ = """Frequently asked questions

**Q: When does the ferry cross?**
**A:** At each full hour.

Q2. May dogs come along, and
do they pay?
A2. They may. Why should they pay?

It is the geese that pay.

Q: What about fog? A: Nobody crosses.
"""
ASKED = ["Q: When does the ferry cross?", "Q2. May dogs come along, and do they pay?", "Q: What about fog?"]
FAQ_JA = """問1　渡し船は何時に出ますか。
答　毎正時に出ます。

問2　犬も乗れますか？
答　乗れます。運賃はいりません。

質問：霧のときは？
回答：出ません。
"""
FAQ_MD = """# FAQ

## Ferry

### When does it cross?

Each hour.

### Do dogs pay?

No.

#### Answer in full

Never.
"""
FAQ_BARE = """Do dogs pay?

No, they do not.

May I bring a goose?
You may, and it pays.

Ask the ferryman.
"""


def headings(result: Chunking) -> list[str]:
    return [" > ".join(section.heading_path) for section in result.sections]


def chunk_with(result: Chunking, phrase: str) -> str:
    (found,) = [chunk for chunk in result.chunks if phrase in chunk.text]
    return found.text


def test_articles_of_japanese_rules_are_sections_under_their_chapters(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "laws", RULES_JA)
    assert headings(result)[1:] == [
        "第一章　総則 > （名称） 第一条",
        "第一章　総則 > （目的） 第二条",
        "第一章　総則 > 第二条の二",
        "第一章　総則 > （作業） 第三条",
        "第二章　会員 > （入会） 第四条",
        "附　則",
    ]
    assert chunk_with(result, "川沿いの水車小屋").startswith("（目的）\n第二条")
    assert "２　前項の目的" in chunk_with(result, "川沿いの水車小屋")
    assert chunk_with(result, "翌週に延ばす").startswith("（作業）\n第三条")


def test_articles_of_chinese_rules_are_sections(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "laws", RULES_ZH)
    assert headings(result)[1:] == [
        "第一章 总则 > 第一条",
        "第一章 总则 > 第二条【范围】",
        "第一章 总则 > 第三条：",
        "第二章　附则 > 第十条",
    ]
    assert chunk_with(result, "清晨出发") == "第三条：渡船每日清晨出发。"


def test_articles_of_english_rules_are_sections_and_mentions_are_not(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "laws", RULES_EN)
    assert headings(result) == [
        "PART I THE FERRY > Article 1 Name",
        "PART I THE FERRY > Article 2.",
        "PART I THE FERRY > Article 3.",
        "PART II THE FERRYMAN > Article 4:",
    ]
    assert chunk_with(result, "geese") == chunk_with(result, "Dogs cross")


def test_paragraph_signs_open_sections(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "laws", RULES_DE)
    assert headings(result)[1:] == ["§ 1 Name und Sitz", "§ 2 Beiträge", "§ 2a"]
    assert "§ 4 Abs. 2 der Ordnung." in chunk_with(result, "im März gezahlt")


def test_headings_of_the_format_and_articles_in_the_text_nest_alike(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "laws", RULES_MD, "a.md")
    assert headings(result) == [
        "By-laws > Chapter 1: The mill > Article 1 (Name)",
        "By-laws > Chapter 1: The mill > Article 2 (Work)",
        "By-laws > Chapter 2: The miller > Article 3.",
    ]


def test_chapters_of_a_novel_are_sections_under_their_parts(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "book", NOVEL)
    assert headings(result)[1:] == [
        "Prologue",
        "PART ONE > Chapter 1 The keeper",
        "PART ONE > CHAPTER II. Of oil",
        "PART TWO > Chapter 3",
        "PART TWO > Epilogue",
    ]
    assert "nobody asked why" in chunk_with(result, "carried the oil")


def test_chapters_of_a_japanese_novel_are_sections(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "book", NOVEL_JA)
    assert headings(result)[1:] == ["序章", "第一章　油", "第二章 霧", "あとがき"]


def test_headings_inside_a_chapter_open_no_section(tmp_path: Path) -> None:
    document, result = cut(tmp_path, "book", MEMOIR, "a.md")
    assert headings(result) == ["The weir > Childhood", "The weir > Work"]
    assert all("### The heron\n\nIt stood." in chunk.window_text for chunk in result.chunks if chunk.section == 0)
    assert not any(chunk.text.endswith("### The otter") for chunk in result.chunks)
    assert document.text.startswith(result.chunks[0].text)


@pytest.mark.parametrize(
    ("text", "name", "questions"),
    [
        (
            FAQ,
            "a.txt",
            ["Q: When does the ferry cross?", "Q2. May dogs come along, and do they pay?", "Q: What about fog?"],
        ),
        (
            FAQ,
            "a.md",
            ["Q: When does the ferry cross?", "Q2. May dogs come along, and do they pay?", "Q: What about fog?"],
        ),
        (FAQ_JA, "a.txt", ["問1　渡し船は何時に出ますか。", "問2　犬も乗れますか？", "質問：霧のときは？"]),
        (FAQ_BARE, "a.txt", ["Do dogs pay?", "May I bring a goose?"]),
    ],
)
def test_each_question_is_a_section_with_its_answer(tmp_path: Path, text: str, name: str, questions: list[str]) -> None:
    _, result = cut(tmp_path, "qa", text, name)
    assert [section.heading for section in result.sections if section.heading_path] == questions
    asked = [chunk for chunk in result.chunks if result.sections[chunk.section].heading_path]
    assert len(asked) == len(questions)


def test_an_answer_keeps_all_its_paragraphs(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "qa", FAQ)
    assert chunk_with(result, "geese that pay").startswith("Q2. May dogs")


def test_questions_without_answers_and_articles_without_sentences_are_sections_too(tmp_path: Path) -> None:
    asked = cut(tmp_path, "qa", "Q: Who has the key?\n\nQ: Who has the boat?\nA: Hal.\n\nQ: Who has the oars?\n")[1]
    assert headings(asked) == ["Q: Who has the key?", "Q: Who has the boat?", "Q: Who has the oars?"]
    assert [chunk.text[:6] for chunk in asked.chunks] == ["Q: Who"] * 3
    bare = cut(tmp_path, "laws", "第一条　名称　鷺\n第二条　場所　東岸\n\nArticle 3 Fees\n")[1]
    assert [chunk.text for chunk in bare.chunks] == ["第一条　名称　鷺", "第二条　場所　東岸", "Article 3 Fees"]


def test_questions_that_are_headings_open_sections_and_answers_do_not(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "qa", FAQ_MD, "a.md")
    assert headings(result)[:2] == ["FAQ > Ferry > When does it cross?", "FAQ > Ferry > Do dogs pay?"]
    text = "## Q: Do dogs pay?\n\nI have two.\n\n### Answer\n\nNo.\n"
    assert headings(cut(tmp_path, "qa", text, "b.md")[1]) == ["Q: Do dogs pay?"]


@pytest.mark.parametrize("spec", ["laws", "book", "qa"])
def test_a_text_of_another_kind_is_cut_at_its_headings(tmp_path: Path, spec: str) -> None:
    text = "# Rope\n\nHemp and tar.\n\n# Tides\n\nThe ebb.\n\n```\nArticle 1. code\nQ: code?\nChapter 1\n```\n"
    _, result = cut(tmp_path, spec, text, "a.md")
    assert headings(result) == ["Rope", "Tides"]
