"""The writing systems the analyzer tells apart, as character classes for `re` (which knows no Unicode scripts)."""

from __future__ import annotations

import re
from typing import Final


def _char_class(ranges: str) -> str:
    """`"41-5A 5F"` as the inside of a character class."""
    pairs = (part.partition("-") for part in ranges.split())
    return "".join(f"\\U{int(low, 16):08x}" + (f"-\\U{int(high, 16):08x}" if high else "") for low, _, high in pairs)


# Combining marks of every script; letters between two marks of one script are let in, since `\w` holds them anyway.
MARKS: Final = _char_class(
    "300-36F 483-489 591-5BD 5BF 5C1-5C2 5C4-5C5 5C7 610-61A 64B-65F 670 6D6-6DC 6DF-6E8 6EA-6ED 711-7F3 7FD "
    "816-82D 859-85B 898-8E1 8E3-963 981-9E3 9FE-A75 A81-AE3 AFA-B63 B82-BD7 C00-C63 C81-C83 CBC-D4D D57-D63 "
    "D81-DF3 E31-E3A E47-E4E EB1-ECD F18-F19 F35 F37 F39 F3E-F84 F86-FBC FC6 102B-103E 1056-109D 135D-135F "
    "1712-1734 1752-17D3 17DD 180B-180D 180F-193B 1A17-1A1B 1A55-1A7F 1AB0-1B44 1B6B-1B73 1B80-1BF3 1C24-1C37 "
    "1CD0-1CD2 1CD4-1DFF 20D0-20F0 2CEF-2CF1 2D7F-2DFF 302A-302F 3099-309A A66F-A672 A674-A67D A69E-A6F1 "
    "A802-A827 A82C A880-A8C5 A8E0-A8F1 A8FF-A92D A947-A953 A980-A9C0 A9E5-AA4D AA7B-AAC1 AAEB-AAEF AAF5-AAF6 "
    "ABE3-ABEA ABEC-ABED FB1E FE00-FE0F FE20-FE2F 101FD-1037A 10A01-10A3F 10AE5-10AE6 10D24-10EAC 10F46-10F50 "
    "10F82-10F85 11000-11046 11070-110BA 110C2 11100-11134 11145-11173 11180-111C0 111C9-111CC 111CE-111CF "
    "1122C-11237 1123E 112DF-11446 1145E-114C3 115AF-115C0 115DC-11640 116AB-116B7 1171D-1172B 1182C-1183A "
    "11930-11943 119D1-119E0 119E4-11A3E 11A47-11A99 11C2F-11C3F 11C92-11EF6 16AF0-16AF4 16B30-16B36 16F4F-16F87 "
    "16F8F-16F92 16FE4 16FF0-16FF1 1BC9D-1BC9E 1CF00-1CF2D 1CF30-1CF46 1D165-1D169 1D16D-1D172 1D17B-1D182 "
    "1D185-1D18B 1D1AA-1D1AD 1D242-1D244 1DA00-1DA36 1DA3B-1DA6C 1DA75 1DA84 1DA9B-1DA9F 1DAA1-1DAAF 1E000-1E006 "
    "1E008-1E018 1E01B-1E021 1E023-1E024 1E026-1E02A 1E130-1E136 1E2AE 1E2EC-1E2EF 1E8D0-1E8D6 1E944-1E94A "
    "E0100-E01EF "
)

COMBINING: Final = _char_class("300-36F")

# The scripts that have a stemmer or a folding of their own; a word is cut where one of them ends.
SCRIPTS: Final = {
    "latin": _char_class("41-5A 61-7A AA BA C0-D6 D8-F6 F8-2AF 1D00-1DBF 1E00-1EFF 2C60-2C7F A720-A7FF AB30-AB6F"),
    "greek": _char_class("370-373 376-377 37B-37D 37F 386 388-3FF 1F00-1FFF"),
    "cyrillic": _char_class("400-52F 1C80-1C8F 1D2B 1D78 2DE0-2DFF A640-A69F"),
    "armenian": _char_class("531-58F"),
    "hebrew": _char_class("591-5F4"),
    "arabic": _char_class("610-65F 66E-6EF 6FA-6FF 750-77F 870-8FF"),
    "devanagari": _char_class("900-963 970-97F A8E0-A8FF"),
    "tamil": _char_class("B80-BE5"),
}

# Written without spaces, one character a syllable or a word: Han, kana, bopomofo, Yi, Tangut, Nushu.
IDEOGRAPHIC: Final = _char_class(
    "2E80-2FDF 3005-3007 3021-3029 3031-3035 3038-303C 3041-3096 309D-309F 30A1-30FA 30FC-30FF 3105-312F 31A0-31BF "
    "31F0-31FF 3400-4DBF 4E00-9FFF A000-A48C F900-FAFF 16FE0-16FE3 17000-18D08 1AFF0-1B2FB 20000-323AF"
)
HANGUL: Final = _char_class("1100-11FF 3131-318E A960-A97C AC00-D7A3 D7B0-D7FB")

# Written without spaces, several characters a syllable: Thai, Lao, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham,
# Balinese, Javanese, Cham, Tai Viet. Digits and punctuation of these blocks are left out.
UNSPACED: Final = _char_class(
    "E01-E3A E40-E4E E81-ECE EDC-EDF 1000-103F 1050-108F 109A-109D 1780-17D3 17D7 17DC-17DD 1950-1974 1980-19C9 "
    "1A20-1A7C 1AA7 1B00-1B4C A980-A9C0 A9CF A9E0-A9EF A9FA-A9FE AA00-AA4D AA60-AA7F AA80-AADD"
)

# Symbols that a person may search for: currency, arrows, mathematics, dingbats, emoji.
SYMBOLS: Final = _char_class("A2-A5 A7 20A0-20CF 2190-22FF 2600-27BF 2B00-2BFF 1F000-1F0FF 1F300-1FAFF")
REGIONAL: Final = _char_class("1F1E6-1F1FF")

# Characters that change how others look or join and nothing else: left out of terms. Among them what NFKC leaves of
# a stray voicing mark, the vowel signs nobody writes (Khmer inherent vowels), variation selectors and skin tones.
IGNORABLE: Final = re.compile(
    "["
    + _char_class(
        "AD 34F 61C 17B4-17B5 180B-180F 200D-200F 202A-202E 2060-2069 302A-302F 3099-309A FE00-FE0F FEFF 1F3FB-1F3FF "
        "E0000-E0FFF"
    )
    + "]+"
)

GRAM_RUN: Final = re.compile(f"[{IDEOGRAPHIC}]+|[{HANGUL}]+")
UNSPACED_RUN: Final = re.compile(f"[{UNSPACED}]+")
SPACELESS_RUN: Final = re.compile(f"{GRAM_RUN.pattern}|(?P<unspaced>{UNSPACED_RUN.pattern})")

# A word's runs of one script; digits of every script are runs of their own.
SCRIPT_RUN: Final = re.compile(
    r"(?P<digits>\d+)|"
    + "|".join(f"(?P<{name}>(?:(?!\\d)[{chars}{COMBINING}])+)" for name, chars in SCRIPTS.items())
    + f"|(?P<other>(?:(?!\\d)[^{''.join(SCRIPTS.values())}])+)"
)
