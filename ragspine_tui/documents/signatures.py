"""Formats that are told by their first bytes and that no text reader may take for text."""

from __future__ import annotations

from typing import Final

_SIGNATURES: Final = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an Office file"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"{\\rtf", "a rich text file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"OggS", "an Ogg recording"),
    (b"fLaC", "a FLAC recording"),
    (b"ID3", "an MP3 recording"),
    (b"\x1aE\xdf\xa3", "a Matroska film"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a compiled class"),
    (b"\x00asm", "a WebAssembly module"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x00\x01\x00\x00\x00", "a font"),
)
# Letters alone could begin a text; these need a byte that no text has near the start.
_WORDS: Final = frozenset({b"BZh", b"ID3", b"OggS", b"fLaC", b"wOFF", b"wOF2"})


def foreign_format(head: bytes) -> str:
    """What the first bytes of a file say it is, '' where they name no such format."""
    for magic, name in _SIGNATURES:
        if head.startswith(magic) and (magic not in _WORDS or _has_control(head[:64])):
            return name
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        return "a picture, film or recording"
    if head[4:8] == b"ftyp":
        return "a film or recording"
    return "a tar archive" if head[257:262] == b"ustar" else ""


def _has_control(data: bytes) -> bool:
    return any(byte < 9 or 13 < byte < 27 for byte in data)
