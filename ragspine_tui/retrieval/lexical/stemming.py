"""Snowball stemmers: the Latin-script one by the library's language, every other by the word's script alone."""

from __future__ import annotations

from typing import Final

import Stemmer

SNOWBALL: Final = {
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "tr": "turkish",
}
LANGUAGES: Final = ("none", *SNOWBALL)

_BY_SCRIPT: Final = {
    "greek": "greek",
    "cyrillic": "russian",
    "armenian": "armenian",
    "arabic": "arabic",
    "devanagari": "hindi",
    "tamil": "tamil",
}


class Stemmers:
    """The stemmers one analyzer needs, made when first used; a Snowball stemmer belongs to one thread."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"unknown language {language!r}; valid: {', '.join(LANGUAGES)}")
        self._algorithms = dict(_BY_SCRIPT)
        if language != "none":
            self._algorithms["latin"] = SNOWBALL[language]
        self._made: dict[str, Stemmer.Stemmer] = {}
        self._latin = self._stemmer("latin")

    def latin(self, word: str) -> str:
        """The stem of a word of Latin letters."""
        if self._latin is None:
            return word
        stem: str = self._latin.stemWord(word)
        return stem or word

    def stem(self, word: str, script: str) -> str:
        """The stem of a word of one script; the word itself where the script has no stemmer."""
        stemmer = self._stemmer(script)
        if stemmer is None:
            return word
        stem: str = stemmer.stemWord(word)
        return stem or word

    def _stemmer(self, script: str) -> Stemmer.Stemmer | None:
        algorithm = self._algorithms.get(script)
        if algorithm is None:
            return None
        if algorithm not in self._made:
            self._made[algorithm] = Stemmer.Stemmer(algorithm, 0)
        return self._made[algorithm]
