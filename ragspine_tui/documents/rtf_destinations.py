"""Groups of RTF that are not the text itself: what they hold is a note, a field of the document, or nothing to read."""

from __future__ import annotations

from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.office_fields import add_authors, add_keywords, add_property

BOX: Final = "text box"
FLOWS: Final = {
    **dict.fromkeys(("shptxt", "dptxbxtext"), BOX),
    "footnote": "footnote",
    "annotation": "comment",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footer"),
}
"""Destinations that are text of their own, and the part they are."""

_SILENT_WORDS: Final = """
colortbl listtable listoverridetable rsidtbl generator fldinst datafield xmlnstbl filetbl revtbl themedata latentstyles
colorschememapping datastore nonshppict shprslt bkmkstart bkmkend objdata objclass objname xe rxe txe tc tcn template
formfield nonesttables ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pgptbl mmathPict listname atnref atndate atntime
atnparent atnicn atrfstart atrfend fontemb fontfile falt panose upr private passwordhash wgrffmtfilter blipuid
"""
_INFO: Final = {
    "title": "title",
    "subject": "subject",
    "company": "company",
    "manager": "manager",
    "category": "category",
    "doccomm": "description",
}
DESTINATIONS: Final = {
    **dict.fromkeys(_SILENT_WORDS.split(), "silent"),
    **dict.fromkeys(("pntext", "listtext", "pntxta", "pntxtb"), "listed"),
    **dict.fromkeys(("shpinst", "do", "nesttableprops", "moMath", "moMathPara"), ""),
    **{
        name: name
        for name in (*_INFO, "author", "keywords", "info", "creatim", "revtim", "atnauthor", "atnid", "userprops")
    },
    **{name: name for name in ("propname", "staticval", "fonttbl", "stylesheet")},
    "pict": "silent",
    "sn": "=sn",
    "sv": "=sv",
}
"""What a group is that begins with one of these words; '' is the text around it, `=` one to read in silent ones too."""
_DESCRIBED: Final = "wzDescription"
_LONGEST: Final = 2_000


def is_silent(destination: str) -> bool:
    """Whether nothing in such a group is read."""
    return destination == "silent"


class Captured:
    """The text of short groups, and what becomes of it when they end."""

    def __init__(self, fields: FieldsBuilder) -> None:
        self._pictures: list[str] = []
        self._fields = fields
        self._texts: dict[str, str] = {}
        self._time: dict[str, int] = {}

    def begin(self, destination: str) -> None:
        """A group begins."""
        self._texts[destination] = ""
        self._time = {}

    def say(self, destination: str, text: str) -> None:
        """Text in a group."""
        if len(known := self._texts.get(destination, "")) < _LONGEST:
            self._texts[destination] = known + text

    def take(self, destination: str) -> str:
        """The text of the last such group, once."""
        return " ".join(self._texts.pop(destination, "").split())

    def take_pictures(self) -> list[str]:
        """What pictures were said to show since this was last asked."""
        taken, self._pictures = self._pictures, []
        return taken

    def word(self, destination: str, word: str, number: int | None) -> None:
        """A control word in a group."""
        if destination in {"creatim", "revtim"} and number is not None:
            self._time[word] = number
        elif destination == "info" and word == "nofpages" and number:
            self._fields.add("pages", str(number))

    def end(self, destination: str) -> None:
        """A group ends."""
        text = self._texts.get(destination, "").strip()
        if destination == "author":
            add_authors(self._fields, text)
        elif destination in _INFO and text:
            self._fields.add(_INFO[destination], text)
        elif destination == "keywords" and text:
            add_keywords(self._fields, text)
        elif destination in {"creatim", "revtim"} and self._time.get("yr"):
            self._fields.add("created" if destination == "creatim" else "modified", self._moment())
        elif destination == "staticval":
            add_property(self._fields, self._texts.get("propname", "").strip(), text)
        elif destination == "sv" and self._texts.get("sn", "").strip() == _DESCRIBED and text:
            self._pictures.append(f"Picture: {' '.join(text.split())}")

    def _moment(self) -> str:
        year, month, day, hour, minute = (self._time.get(name, 0) for name in ("yr", "mo", "dy", "hr", "min"))
        return f"{year:04}-{month or 1:02}-{day or 1:02}T{hour:02}:{minute:02}:00"
