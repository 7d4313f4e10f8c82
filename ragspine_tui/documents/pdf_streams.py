"""The packed streams of a PDF, looked at before PDFium unpacks them: a small file must not become a large one."""

from __future__ import annotations

import re
import zlib
from typing import Final

from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

MAX_UNPACKED: Final = 2_000_000
"""How many bytes a stream may have whatever it was packed from; drawn text takes PDFium 250 times as many."""
MAX_RATIO: Final = 100
"""How many times larger than packed a longer one may be; what people write comes to a tenth of that."""

_DICTIONARY: Final = 1_000
_CHUNK: Final = 8_192
_STREAM: Final = re.compile(rb">>\s{0,4}stream\r?\n")
_PACKED: Final = re.compile(rb"/(?:FlateDecode|Fl)\b")
# A blank picture packs as well as a bomb, but is unpacked only to be shown; the others grow by no more than they say.
_HARMLESS: Final = re.compile(rb"/(?:Image|ObjStm|XRef)\b")


def check_streams(data: bytes) -> bool:
    """Whether some of what pages draw can be unpacked, or nothing is packed.

    ReadError with status `too_large` where it is far larger than the file says.
    """
    sound = broken = 0
    for match in _STREAM.finditer(data):
        dictionary = data[max(0, match.start() - _DICTIONARY) : match.start()].rpartition(b" obj")[2]
        times = len(_PACKED.findall(dictionary))
        if times and not _HARMLESS.search(dictionary):
            unpacked = _unpacked(data, match.end(), keep=times > 1)
            # Packed twice, to hide how much it is.
            for _ in range(min(times, 4) - 1):
                unpacked = _unpacked(unpacked, 0, keep=True) if unpacked else unpacked
            sound += unpacked is not None
            broken += unpacked is None
    return sound > 0 or not broken or b"/Encrypt" in data


def _unpacked(data: bytes, start: int, *, keep: bool) -> bytes | None:
    """The unpacked bytes where they are to be kept, counted as they come; None where nothing can be unpacked."""
    inflater = zlib.decompressobj()
    size, at = 0, start
    kept: list[bytes] = []
    try:
        while not inflater.eof and at < len(data):
            waiting = data[at : at + _CHUNK]
            at += len(waiting)
            while waiting and not inflater.eof:
                part = inflater.decompress(waiting, MAX_UNPACKED)
                waiting = inflater.unconsumed_tail
                size += len(part)
                if size > MAX_UNPACKED and (keep or size > MAX_RATIO * (at - start)):
                    raise ReadError(
                        "unpacks to far more than its size",
                        "exclude it if it is not yours",
                        status=DocumentStatus.TOO_LARGE,
                    )
                if keep:
                    kept.append(part)
    except zlib.error:
        # Damaged or encrypted; PDFium sees no more of it than was counted.
        if not size:
            return None
    return b"".join(kept)
