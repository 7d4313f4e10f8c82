"""What a text is taken for, clause by clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.querying.grammar import MAX_OPERATORS, Scope, parse
from ragspine_tui.retrieval.querying.query import Query
from ragspine_tui.types import Condition

SCOPE = Scope(lambda name: name in ("tag", "year", "two-part"), lambda name: name in ("papers", "notes"))
ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
OPERATORS = (
    "+",
    "-",
    '"',
    "“",
    "”",
    "«",
    "»",
    "*",
    "NEAR",
    "NEAR/",
    "/5",
    "title:",
    "lib:",
    "tag:",
    "year>=",
    ":",
    "(",
)
TYPED = (" ", "\n", "heron", "papers", "台所", "C++", "foo-bar", "\u3000", "＋", "－", "：", "＊", "\0", "\ud800", "5")
SIGNS = st.lists(st.sampled_from([*OPERATORS, *TYPED]), max_size=14).map("".join)


def read(text: str) -> list[tuple[str, str]]:
    """(what it is, its words) of each clause, signs first."""
    return [
        (f"{clause.sign}{clause.kind}{'*' if clause.stem else ''}", clause.inner.of(text))
        for clause in parse(text, SCOPE).clauses
    ]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("heron eels", [("word", "heron"), ("word", "eels")]),
        ('"grey heron" eels', [("phrase", "grey heron"), ("word", "eels")]),
        ('+heron -eels +"grey heron" -"white egret"',
         [("+word", "heron"), ("-word", "eels"), ("+phrase", "grey heron"), ("-phrase", "white egret")]),
        ("her* +her* -her*", [("prefix*", "her"), ("+word*", "her"), ("-word*", "her")]),
        ('title:heron title:"grey heron" -title:eel',
         [("title", "heron"), ("title", "grey heron"), ("-title", "eel")]),
        ("lib:papers", [("library", "papers")]),
        ("grey NEAR/5 heron", [("word", "grey"), ("near", "NEAR/5"), ("word", "heron")]),
        ('"grey heron" NEAR eel', [("phrase", "grey heron"), ("near", "NEAR"), ("word", "eel")]),
        ("+C++ -.NET", [("+word", "C++"), ("-word", ".NET")]),
        # A Japanese keyboard's signs, where the plain ones would be operators.
        ("猫\u3000＋犬\u3000－鳥", [("word", "猫"), ("+word", "犬"), ("-word", "鳥")]),
        ("tag：bird analy＊", [("condition", "bird"), ("prefix*", "analy")]),
        ("＂two words＂", [("phrase", "two words")]),
        ("ｔａｇ：bird ｔｉｔｌｅ：猫", [("condition", "bird"), ("title", "猫")]),
        ("猫　ＮＥＡＲ／５　犬", [("word", "猫"), ("near", "ＮＥＡＲ／５"), ("word", "犬")]),
        # Quotation marks that phones and word processors put in place of plain ones.
        ("“two words” „zwei Worte“ «deux mots» »zwei«",
         [("phrase", "two words"), ("phrase", "zwei Worte"), ("phrase", "deux mots"), ("phrase", "zwei")]),
        # Code keeps its quotes and stays code around them.
        ('open("a b")', [("word", "open("), ("phrase", "a b"), ("word", ")")]),
    ],
)  # fmt: skip
def test_operators_are_read(text: str, clauses: list[tuple[str, str]]) -> None:
    assert read(text) == clauses
    assert parse(text, SCOPE).notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "foo-bar", "DEC-0054", "Book - Some Book", "--flag", "--error-on-warnings", "-5", "+49", "-0.5", "-.5", "C++",
        "a+b", "C#", "「日本」", "『本』", "don't", "'single'", "5\" disk", "12:30", "https://x.y/z?q=1", "std::vector",
        "a@b.com", "@nasa", "*", "**bold**", "a*b", "foo(*", "[", "\\", "-", "+", "- -", "++i", "--i", "->", "+-x",
        "key: value", "x=1", "a<b", "i>=0", "\"\"", "\"...\"", "tag:", "title:", "lib:", "title:...", "ｆｏｏ－ｂａｒ",
        "C:\\Users\\me", "colour >= red", "foo(*args)", "2*3", "f(**kw)", "/* note */", "near/by", '""', '" "', 'a"" b',
        'fox "" dog', 'fox " " dog', '“” dog',
    ],
)  # fmt: skip
def test_what_only_looks_like_an_operator_is_text_and_nothing_is_said_of_it(text: str) -> None:
    parsed = parse(text, SCOPE)
    assert {(clause.kind, clause.sign) for clause in parsed.clauses} <= {("word", "")}
    assert parsed.notes == ()
    assert Query.parsed(text, SCOPE).plain == text


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('say "hello', 'a quote is not closed: what follows " is searched as text'),
        ("colour:red", "no document has a field colour: colour:red is searched as text"),
        ("Colour:red", "no document has a field Colour: Colour:red is searched as text"),
        ("lib:zoo", "no library zoo is in scope: lib:zoo is searched as text"),
        ("-x", '-x is searched as text, as a flag of one letter: -"x" leaves the word out'),
        ("-tag:bird", "-tag:bird is searched as text: a condition takes no sign (!= denies)"),
        ("-lib:papers", "-lib:papers is searched as text: a library takes no sign (name those you want)"),
        ("NEAR/5 heron", "NEAR/5 is searched as text: it stands between two words"),
        ("grey NEAR/x heron", "NEAR/x is searched as text: NEAR/5 says how many words apart"),
        ("grey NEAR -heron", "NEAR is searched as text: it stands between two words"),
        ("tag: bird", "tag: is searched as text: no blank may follow it"),
        ("title: heron", "title: is searched as text: no blank may follow it"),
        ("lib: zoo", "lib: is searched as text: no blank may follow it"),
        ("grey tag >= bird", "tag >= is searched as text: a condition has no blanks in it"),
        ("year >=2009 fox", "year >=2009 is searched as text: a condition has no blanks in it"),
        ("Year >= 2009 fox", "Year >= is searched as text: a condition has no blanks in it"),
        ("fox year>=", "year>= is searched as text: a value must follow it"),
        ("fox near/2 jumps", "near/2 is searched as text: the operator is written NEAR/2"),
        ("fo*x", "fo*x is searched as text: a * counts at the end of a word only"),
        ("*fox", "*fox is searched as text: a * counts at the end of a word only"),
        ("a*b*", "a*b* is searched as text: a * counts at the end of a word only"),
        ('title:""', 'title:"" is searched as text: a word must follow title:'),
        ("title:*", "title:* is searched as text: a word must follow title:"),
        ('"quick bro*"', "a * counts for nothing in quotes: quick bro* is searched as whole words"),
        ("a AND b", "AND, OR and NOT are searched as words: +word requires one, -word leaves one out"),
    ],
)
def test_what_was_not_understood_is_said_and_searched_as_text(text: str, note: str) -> None:
    assert note in parse(text, SCOPE).notes
    words = set(text.replace('"', " ").replace("-heron", "").split())
    assert words <= set(Query.parsed(text, SCOPE).plain.replace('"', " ").split())


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("tag:bird", Condition("tag", "eq", "bird")),
        ('tag:"grey heron"', Condition("tag", "eq", "grey heron")),
        ("tag!=bird", Condition("tag", "ne", "bird")),
        ("year>=2024", Condition("year", "gte", "2024")),
        ("year<=2024", Condition("year", "lte", "2024")),
        ("year>2024", Condition("year", "gt", "2024")),
        ("year<2024", Condition("year", "lt", "2024")),
        ("year:2020..2024", Condition("year", "between", ("2020", "2024"))),
        ('year:"2020..2024"', Condition("year", "eq", "2020..2024")),
        ("year＞＝2024", Condition("year", "gte", "2024")),
        ("two-part:x", Condition("two-part", "eq", "x")),
        ("Tag:bird", Condition("tag", "eq", "bird")),
        ("ＹＥＡＲ＞＝２０２４", Condition("year", "gte", "2024")),
        ("year:２０２０．．２０２４", Condition("year", "between", ("2020", "2024"))),
        ("year>=２０２４－０６", Condition("year", "gte", "2024-06")),
        ('year>="２０２４"', Condition("year", "gte", "２０２４")),
        ("tag:２０２４", Condition("tag", "eq", "２０２４")),
        ("year:2000..", Condition("year", "gte", "2000")),
        ("year:..2000", Condition("year", "lte", "2000")),
        ("tag:../x", Condition("tag", "eq", "../x")),
        ("tag:wait...", Condition("tag", "eq", "wait...")),
    ],
)
def test_conditions_are_read_as_the_filter_pane_reads_them(text: str, condition: Condition) -> None:
    query = Query.parsed(f"heron {text} eels", SCOPE)
    assert query.conditions == (condition,)
    assert query.plain.split() == ["heron", "eels"]


def test_names_of_fields_and_libraries_and_title_are_read_in_capitals_too() -> None:
    assert read("TITLE:two LIB:Papers Title:three") == [("title", "two"), ("library", "Papers"), ("title", "three")]
    assert Query.parsed("LIB:PAPERS", SCOPE).libraries == ("papers",)


@pytest.mark.parametrize(
    ("text", "clauses", "note"),
    [
        ('tag:"grey her', [("condition", "grey her")], "the quote after tag: is still open: taken to the end"),
        ('year>="20', [("condition", "20")], "the quote after year>= is still open: taken to the end"),
        (
            'eel title:"fox bro',
            [("word", "eel"), ("title", "fox bro")],
            "the quote after title: is still open: taken to the end",
        ),
        ("-title:“two", [("-title", "two")], "the quote after title: is still open: taken to the end"),
        ('lib:"papers', [("library", "papers")], "the quote after lib: is still open: taken to the end"),
        ('lib:"pap', [("word", 'lib:"pap')], 'no library pap is in scope: lib:"pap is searched as text'),
    ],
)
def test_a_quote_behind_a_name_that_is_not_closed_is_closed_by_the_end(
    text: str, clauses: list[tuple[str, str]], note: str
) -> None:
    assert read(text) == clauses
    assert parse(text, SCOPE).notes == (note,)


@pytest.mark.parametrize(
    "text", ["tag:", 'tag:"', 'tag:"grey', 'tag:"grey ', 'tag:"grey heron', "year>=", 'Tag："grey']
)
def test_a_condition_that_is_still_being_typed_narrows_nothing_yet(text: str) -> None:
    alone, beside = (Query.parsed(typed, SCOPE, prefix=True) for typed in (text, f"heron {text}"))
    assert (alone.conditions, alone.plain.strip(), alone.only_narrows) == ((), "", True)
    assert (beside.conditions, beside.plain.strip(), beside.only_narrows) == ((), "heron", False)
    assert all("still open" in note for note in alone.notes)


def test_a_condition_holds_once_its_quote_is_closed() -> None:
    query = Query.parsed('tag:"grey heron"', SCOPE, prefix=True)
    assert query.conditions == (Condition("tag", "eq", "grey heron"),)
    assert query.notes == ()


def test_the_last_word_of_a_title_being_typed_is_a_beginning() -> None:
    assert Query.parsed('title:"grey her', SCOPE, prefix=True).clauses[-1].begins
    assert not Query.parsed('title:"grey heron"', SCOPE, prefix=True).clauses[-1].begins


def test_several_libraries_add_up_and_conditions_stay_in_order() -> None:
    query = Query.parsed("lib:notes tag:b lib:papers year:1 lib:notes", SCOPE)
    assert query.libraries == ("notes", "papers")
    assert [condition.field for condition in query.conditions] == ["tag", "year"]
    assert query.only_narrows


def test_near_counts_its_words() -> None:
    distances = [clause.distance for clause in parse("a NEAR/5 b NEAR c NEAR/99999 d").clauses if clause.distance]
    assert distances == [5, 10, 10_000]


def test_a_pasted_page_has_only_so_many_operators() -> None:
    query = Query.parsed("+heron " * (MAX_OPERATORS + 5))
    assert len(query.required) == MAX_OPERATORS
    assert query.notes == (f"only the first {MAX_OPERATORS} operators count: the rest is searched as text",)


@given(ANY_TEXT | SIGNS)
def test_any_text_has_clauses_in_its_own_order_and_all_its_words_are_in_one(text: str) -> None:
    parsed = parse(text, SCOPE)
    end = 0
    for clause in parsed.clauses:
        assert end <= clause.span.start <= clause.inner.start <= clause.inner.end <= clause.span.end <= len(text)
        assert clause.span.start < clause.span.end
        assert text[end : clause.span.start].strip() == ""
        end = clause.span.end
    assert text[end:].strip() == ""
    assert all(note and "\n" not in note for note in parsed.notes if "\n" not in text)


@given(ANY_TEXT | SIGNS, st.booleans(), st.booleans())
def test_words_stay_where_they_were_typed(text: str, prefix: bool, every: bool) -> None:
    query = Query.parsed(text, SCOPE, prefix=prefix, every=every)
    for shown in (query.plain, query.loose):
        assert len(shown) == len(text)
        assert all(mine in (" ", typed) for mine, typed in zip(shown, text, strict=True)) or query.is_plain
    assert [part.text for part in query.parts()] == [text[part.start : part.end] for part in query.parts()]


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8), max_size=6))
def test_plain_words_are_only_words_and_come_back_as_they_are(words: list[str]) -> None:
    text = " ".join(word for word in words if word not in ("NEAR", "AND", "OR", "NOT"))
    query = Query.parsed(text, SCOPE)
    assert query.is_plain
    assert query.plain == query.loose == text
    assert query.notes == ()
    assert not (query.required or query.excluded or query.conditions or query.libraries or query.nears)


@given(ANY_TEXT | SIGNS)
def test_a_literal_query_has_no_operator(text: str) -> None:
    query = Query.parsed(text, SCOPE, literal=True)
    assert query.is_plain
    assert query.plain == text
    assert query.notes == ()
