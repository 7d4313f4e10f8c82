"""What a PDF says about itself: its information dictionary, its XMP packet, and a title worth showing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.labels import FIELD, folded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Sensitivity

_DATE: Final = re.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)?(\d\d)?)?\s*(Z|[+-])?(?:(\d\d)'?(\d\d)?)?", re.ASCII
)
_KEYWORDS: Final = re.compile(r"[,;\n]")
_LABEL: Final = re.compile(rf"{FIELD}\s*[:=]\s*(.+)", re.IGNORECASE)
_PACKET: Final = (b"<x:xmpmeta", b"</x:xmpmeta>")
_LONGEST_PACKET: Final = 200_000
_MOST_PACKETS: Final = 50
_XMP_LABEL: Final = re.compile(
    rf"(?<=[<\s])[\w.-]+:{FIELD}(?:\s*=\s*[\"']([^\"']{{0,200}})|[^>]*>([^<]{{0,200}}))", re.IGNORECASE
)
_NO_TITLE: Final = re.compile(
    r"(?:untitled|unknown|document|slide|title|microsoft (?:word|powerpoint|excel)|powerpoint presentation|none|null)"
    r"[\s\d.-]*|microsoft (?:word|powerpoint|excel) - .*|\(?(?:anonymous|null|unspecified)\)?|[\W\d_]*|"
    r"(?:[a-z]:)?[\\/].*|file:.*|.*[\\/]tmp[\\/].*|"
    r".*\.(?:docx?|docm|dotx?|pptx?|xlsx?|pdf|indd|tex|dvi|rtf|od[tpsg]|html?|qxd|e?ps|fm|txt|pages|key|wpd|p65|pmd|ai|cdr"
    r"|pub|md|tmp|pm[0-9d]|book|svg|png|jpe?g|tiff?)",
    re.IGNORECASE | re.DOTALL,
)
_INFO: Final = (("author", "Author"), ("subject", "Subject"))


def declared_fields(info: Callable[[str], str], source: SourceFile, pages: int, language: str) -> FieldsBuilder:
    """The fields that the document declares; `info` gives an entry of its information dictionary, '' without one."""
    fields = FieldsBuilder()
    if title := sensible_title(info("Title"), source):
        fields.add("title", title)
    for name, key in _INFO:
        if value := _plain(info(key)):
            fields.add(name, value)
    keywords = [word for part in _KEYWORDS.split(info("Keywords")) if (word := _plain(part))]
    if keywords:
        fields.add("keywords", *keywords)
        fields.add("tags", *keywords)
    for name, key in (("created", "CreationDate"), ("modified", "ModDate")):
        if value := iso_moment(info(key)):
            fields.add(name, value)
    if language:
        fields.add("language", language)
    fields.add("pages", str(pages))
    if labels := _labels(info, keywords, source.data):
        fields.add(FIELD, *labels)
    return fields


def sensible_title(written: str, source: SourceFile) -> str:
    """A title from the metadata, '' where a program made it up or it is only the name of a file."""
    title = _plain(written)[:1_000]
    if folded(title) in {folded(source.name), folded(source.stem)} or _NO_TITLE.fullmatch(title):
        return ""
    return title


def iso_moment(written: str) -> str:
    """A PDF date, `D:20230423175904+08'00'`, as ISO 8601 as far as it is known; '' where it is none."""
    match = _DATE.match(written.strip())
    if match is None:
        return ""
    year, month, day, hour, minute, second, sign, zone_hours, zone_minutes = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    if not (day and hour):
        return date
    moment = f"{date}T{hour}:{minute or '00'}:{second or '00'}"
    if sign in ("+", "-") and zone_hours:
        return f"{moment}{sign}{zone_hours}:{zone_minutes or '00'}"
    return f"{moment}Z" if sign == "Z" else moment


def _plain(value: str) -> str:
    return " ".join(value.replace("\0", " ").split())


def _labels(info: Callable[[str], str], keywords: list[str], data: bytes) -> list[str]:
    """Labels of sensitivity: an entry of that name, a keyword that names one, the packet of XMP."""
    labels = [value for key in ("Sensitivity", "sensitivity", "SENSITIVITY") if (value := _plain(info(key)))]
    for keyword in keywords:
        if match := _LABEL.fullmatch(keyword):
            labels.append(match[1])
        elif folded(keyword) == Sensitivity.RESTRICTED:
            labels.append(keyword)
    for packet in islice(_packets(data), _MOST_PACKETS):
        labels += [one or other for one, other in _XMP_LABEL.findall(packet.decode("utf-8", "replace"))]
    return labels


def _packets(data: bytes) -> Iterator[bytes]:
    """The packets of XMP that stand in the file as they are, neither packed nor encrypted."""
    opening, closing = _PACKET
    end = 0
    while (start := data.find(opening, end)) >= 0:
        end = data.find(closing, start, start + _LONGEST_PACKET)
        end = start + len(opening) if end < 0 else end
        yield data[start:end]
