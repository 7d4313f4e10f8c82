"""The language of a library's Latin-script text, from its function words."""

import pytest

from ragspine_tui.retrieval.lexical.language import detect_language, function_words, stop_words

SENTENCES = {
    "en": "The garden was wet after the rain and we could not find the spade that she had left behind.",
    "de": "Der Garten war nach dem Regen nass, und wir konnten den Spaten nicht finden, den sie hier gelassen hatte.",
    "fr": "Le jardin était mouillé après la pluie et nous ne pouvions pas trouver la bêche qu'elle avait laissée.",
    "es": "El jardín estaba mojado después de la lluvia y no pudimos encontrar la pala que ella había dejado.",
    "it": "Il giardino era bagnato dopo la pioggia e non siamo riusciti a trovare la vanga che lei aveva lasciato.",
    "pt": "O jardim estava molhado depois da chuva e não conseguimos encontrar a pá que ela tinha deixado.",
    "nl": "De tuin was nat na de regen en we konden de schop niet vinden die zij had achtergelaten.",
    "sv": "Trädgården var våt efter regnet och vi kunde inte hitta spaden som hon hade lämnat kvar.",
    "no": "Hagen var våt etter regnet, og vi kunne ikke finne spaden som hun hadde lagt igjen.",
    "da": "Der var en gang en mand, som boede ved havet, og han gik ned til stranden for at se, om der var noget.",
    "fi": "Puutarha oli märkä sateen jälkeen, emmekä me löytäneet lapiota, jonka hän oli jättänyt.",
    "hu": "A kert vizes volt az eső után, és nem találtuk meg az ásót, amelyet ő hagyott ott, de már nem baj.",
    "ro": "Grădina era udă după ploaie și nu am putut găsi lopata pe care ea o lăsase acolo.",
    "tr": "Bahçe yağmurdan sonra ıslaktı ama bu çok da önemli değil, çünkü bir tane daha var.",
    "pl": "Ogród był mokry po deszczu i nie mogliśmy znaleźć łopaty, którą ona zostawiła, ale to już nie jest ważne.",
    "cs": "Zahrada byla po dešti mokrá a nemohli jsme najít rýč, který tam nechala, ale to už není důležité.",
    "ca": "El jardí estava moll després de la pluja i no vam poder trobar la pala que ella havia deixat amb altres.",
    "id": "Kebun itu basah setelah hujan dan kami tidak dapat menemukan sekop yang telah dia tinggalkan di sana.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert detect_language([SENTENCES[language]]) == language


def test_the_language_with_the_most_text_decides() -> None:
    assert detect_language([SENTENCES["en"], *[SENTENCES["de"]] * 3]) == "de"
    assert detect_language([SENTENCES["de"], *[SENTENCES["en"]] * 3]) == "en"


def test_text_without_latin_words_has_no_stemmer() -> None:
    assert detect_language([]) == "none"
    assert detect_language(["", "12 34", "庭は雨のあとで濡れていた。", "Сад был мокрый"]) == "none"


def test_names_and_identifiers_among_other_scripts_count_as_english() -> None:
    assert detect_language(["東京のNASAとESA、version a の話", "get_user_name"]) == "en"


def test_function_words_hold_those_of_other_scripts_whatever_the_language() -> None:
    assert {"the", "of", "что", "में"} <= function_words("en")
    assert "the" not in function_words("none")
    assert not stop_words("eo")


ARABIC = "تقع المدينة القديمة على ضفة النهر، وفيها سوق كبير يبيع فيه الناس الخبز والزيت والقماش كل صباح. "
JAPANESE = "出汁は昆布と鰹節でとる。昆布は水に一晩つけておき、朝になったら弱い火にかけて、沸く前に引き上げる。"
THAI = "ตลาดเก่าริมแม่น้ำเปิดทุกเช้า มีขนมปัง น้ำมัน และผ้าขาย ผู้คนมาจากหมู่บ้านรอบ ๆ "
HINDI = "पुराना बाज़ार नदी के किनारे है और हर सुबह वहाँ रोटी, तेल और कपड़ा बिकता है। "
RUSSIAN = "Старый рынок стоит на берегу реки, и каждое утро там продают хлеб, масло и ткани. "
NAMES = "Anna de la Torre (IBM), Ole den Hartog, Die Zeit, The Beatles"
FRONT = "---\ntitle: {}\ndate: 2024-03-02\nauthor: and the others of the house\ntags: [in, of, the]\n---\n"


@pytest.mark.parametrize("text", [ARABIC, JAPANESE, THAI, HINDI, RUSSIAN])
def test_names_in_a_library_of_another_script_are_no_language(text: str) -> None:
    assert detect_language([text * 20 + NAMES] * 5) == "none"
    assert detect_language([text * 3 + NAMES]) == "none"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_front_matter_and_markup_decide_nothing(ends: str) -> None:
    notes = [(FRONT.format(f"鍋 {n}") + f"# 鍋 {n}\n\n{JAPANESE}").replace("\n", ends) for n in range(5)]
    assert detect_language(notes) == "none"
    assert detect_language([f'<p class="of the">{JAPANESE}</p><a href="https://a.org/in/the/end">次</a>'] * 3) == "none"
    german = [FRONT.format("the house of the sea") + SENTENCES["de"]]
    assert detect_language(german) == "de"


def test_front_matter_alone_is_text_where_nothing_else_is() -> None:
    assert detect_language([FRONT.format("the house by the sea")]) == "en"


def test_a_quotation_in_another_script_is_no_language_but_a_tenth_of_sentences_is() -> None:
    assert detect_language([ARABIC * 40 + SENTENCES["de"]]) == "none"
    assert detect_language([*[ARABIC * 5] * 3, SENTENCES["de"] * 3]) == "de"


def test_english_notes_with_much_code_are_english() -> None:
    code = "def read_all(paths):\n    for path in paths:\n        yield open(path).read()\n" * 30
    assert detect_language([f"{SENTENCES['en']}\n\n```python\n{code}```\n"]) == "en"
    assert detect_language([code]) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "Buy rope and tar before Friday. Ask Hal about the boards behind the door, and pay the baker for the bread.",
        "Rope, tar, two boards",
        "Anna de Vries",
        "Die Zeit",
    ],
)
def test_one_short_note_or_a_few_names_are_english(text: str) -> None:
    assert detect_language([text]) == "en"


def test_the_same_texts_in_any_order_have_one_language() -> None:
    texts = [ARABIC, SENTENCES["de"], JAPANESE, SENTENCES["en"], NAMES]
    assert len({detect_language(texts[n:] + texts[:n]) for n in range(len(texts))}) == 1
