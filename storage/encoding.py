"""Posting lists as bytes: a form byte, then ordinals and term frequencies in a small form that decodes at C speed.

- sparse: ordinals as uint16 (uint32 in a segment of more units), frequencies as uint8 (uint16 where one exceeds 255);
- gaps: a uint32 count, then the gaps between ordinals, 255 standing for "255 and more to come", then the frequencies,
  two to a byte where all are below 16;
- dense: a frequency byte for every unit of the segment.

Places (where in a unit the term occurs) are bytes beside them: for each posting its first place and then the gaps to
the next ones, 255 standing for "255 and more to come".
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAX_SHORT: Final = 65_536
"""Units up to which an ordinal takes 16 bits."""

WIDE: Final = 1
LONG: Final = 2
GAPS: Final = 4
NIBBLES: Final = 8
DENSE: Final = 16

_LONG_RUN: Final = 16
_PLAIN_WIDTH: Final = 3
"""Bytes of a posting in the form that has no flag: two for its ordinal, one for its frequency."""

_ESCAPE: Final = 255

Ordinals = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
Bytes = NDArray[np.uint8]
Blob = bytes


def encode(ordinals: Ordinals, frequencies: Ordinals, units: int) -> Blob:
    """One posting list of strictly rising `ordinals` below `units`; frequencies from 1 to 65,535."""
    return next(encode_runs(ordinals, frequencies, np.zeros(1, dtype=np.int64), units))


def encode_runs(ordinals: Integers, frequencies: Integers, starts: Ordinals, units: int) -> Iterator[Blob]:
    """A posting list for each run between `starts`."""
    if not len(starts):
        return
    ends = np.append(starts[1:], len(ordinals))
    sizes, peaks = ends - starts, np.maximum.reduceat(frequencies, starts)
    blobs: list[Blob] = [b""] * len(starts)
    lengthy = (peaks > 255) | (sizes >= _LONG_RUN)
    for size in range(1, _LONG_RUN):
        those = np.flatnonzero((sizes == size) & ~lengthy)
        for number, blob in zip(those.tolist(), _short(ordinals, frequencies, starts[those], size, units), strict=True):
            blobs[number] = blob
    for number in np.flatnonzero(lengthy).tolist():
        run = slice(starts[number], ends[number])
        blobs[number] = _encode_long(ordinals[run], frequencies[run], units, int(peaks[number]))
    yield from blobs


def _short(ordinals: Integers, frequencies: Integers, starts: Ordinals, size: int, units: int) -> list[Blob]:
    """Many short lists of one size, all at once."""
    long = LONG if units > MAX_SHORT else 0
    width = 4 if long else 2
    at = starts[:, np.newaxis] + np.arange(size)
    content = np.empty((len(starts), 1 + (width + 1) * size), dtype="u1")
    content[:, 0] = long
    content[:, 1 : 1 + width * size] = ordinals[at].astype(f"<u{width}").view("u1")
    content[:, 1 + width * size :] = frequencies[at]
    blobs: list[Blob] = content.view(f"V{content.shape[1]}").ravel().tolist()
    return blobs


def decode(blob: Blob) -> tuple[Ordinals, Ordinals]:
    """(ordinals, term frequencies) of a posting list, ordinals rising."""
    form = blob[0]
    if form & DENSE:
        column = np.frombuffer(blob, dtype="u1", offset=1)
        ordinals = np.flatnonzero(column)
        return ordinals, column[ordinals].astype(np.int64)
    if form & GAPS:
        count = int.from_bytes(blob[1:5], "little")
        split = len(blob) - _frequency_bytes(form, count)
        gaps = np.frombuffer(blob[5:split], dtype="u1")
        ordinals = np.cumsum(gaps, dtype=np.int64)[gaps != _ESCAPE] - 1
        return ordinals, _frequencies(form, blob[split:], count)
    width = 4 if form & LONG else 2
    count = (len(blob) - 1) // (width + (2 if form & WIDE else 1))
    ordinals = np.frombuffer(blob, dtype=f"<u{width}", count=count, offset=1).astype(np.int64)
    return ordinals, _frequencies(form, blob[1 + width * count :], count)


def encode_place_runs(gaps: Integers, starts: Ordinals) -> Iterator[Blob]:
    """Places for each run between `starts`, from first places and gaps."""
    if not len(starts):
        return
    ends = np.append(starts[1:], len(gaps))
    if int(gaps.max()) < _ESCAPE:
        content = gaps.astype("u1").tobytes()
    else:
        escapes, rest = np.divmod(gaps, _ESCAPE)
        after = np.cumsum(escapes + 1)
        filled = np.full(int(after[-1]), _ESCAPE, dtype="u1")
        filled[after - 1] = rest
        content = filled.tobytes()
        bounds = np.append(0, after)
        starts, ends = bounds[starts], bounds[ends]
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield content[start:end]


def decode_runs(blobs: Sequence[Blob]) -> tuple[Ordinals, Ordinals, Ordinals]:
    """(length, ordinals, frequencies) of many posting lists, one after the other; short ones cost no call each."""
    counts = np.zeros(len(blobs), dtype=np.int64)
    lengths = np.fromiter(map(len, blobs), dtype=np.int64, count=len(blobs))
    joined = np.frombuffer(b"".join(blobs), dtype="u1")
    begins = np.cumsum(lengths) - lengths
    forms = joined[begins]
    plain = forms == 0
    counts[plain] = (lengths[plain] - 1) // _PLAIN_WIDTH
    others = np.flatnonzero(~plain).tolist()
    decoded = [decode(blobs[number]) for number in others]
    counts[others] = [len(one[0]) for one in decoded]
    after = np.cumsum(counts)
    ordinals = np.empty(int(after[-1]) if len(after) else 0, dtype=np.int64)
    frequencies = np.empty_like(ordinals)
    for number, (some, often) in zip(others, decoded, strict=True):
        start, end = after[number] - counts[number], after[number]
        ordinals[start:end], frequencies[start:end] = some, often
    owners = np.repeat(np.flatnonzero(plain), counts[plain])
    places = np.arange(len(owners)) - np.repeat(np.cumsum(counts[plain]) - counts[plain], counts[plain])
    where = after[owners] - counts[owners] + places
    low = begins[owners] + 1 + 2 * places
    ordinals[where] = joined[low] + joined[low + 1].astype(np.int64) * 256
    frequencies[where] = joined[begins[owners] + 1 + 2 * counts[owners] + places]
    return counts, ordinals, frequencies


def decode_gaps(blob: Blob) -> Ordinals:
    """First places and gaps as they were encoded, an entry an occurrence."""
    raw = np.frombuffer(blob, dtype="u1")
    last = raw != _ESCAPE
    if last.all():
        return raw.astype(np.int64)
    gaps: Ordinals = np.diff(np.cumsum(raw, dtype=np.int64)[last], prepend=0)
    return gaps


def decode_places(blob: Blob, frequencies: Ordinals) -> Ordinals:
    """The place of every occurrence, posting after posting; each posting has as many as its frequency says.

    Raises ValueError where the two do not belong together.
    """
    gaps = decode_gaps(blob)
    if len(gaps) != int(frequencies.sum()):
        raise ValueError("places do not belong to their posting list")
    running = np.cumsum(gaps)
    starts = np.cumsum(frequencies) - frequencies
    places: Ordinals = running - np.repeat(running[starts] - gaps[starts], frequencies)
    return places


def column_of(blob: Blob) -> Bytes | None:
    """The frequency of every unit, where the list is written so; else None."""
    return np.frombuffer(blob, dtype="u1", offset=1) if blob[0] & DENSE else None


def _encode_long(ordinals: Integers, frequencies: Integers, units: int, peak: int) -> Blob:
    count = len(ordinals)
    if peak <= 255 and 3 * count > units:
        column = np.zeros(units, dtype="u1")
        column[ordinals] = frequencies
        return bytes([DENSE]) + column.tobytes()
    gaps = _gaps(ordinals)
    long = LONG if units > MAX_SHORT else 0
    width = 4 if long else 2
    form = WIDE if peak > 255 else NIBBLES if peak < 16 else 0
    if len(gaps) + 4 < width * count:
        head = bytes([GAPS | form]) + count.to_bytes(4, "little")
        return head + gaps.tobytes() + _pack_frequencies(form, frequencies)
    form &= WIDE
    return bytes([long | form]) + ordinals.astype(f"<u{width}").tobytes() + _pack_frequencies(form, frequencies)


def _gaps(ordinals: Integers) -> Bytes:
    rest = np.diff(ordinals, prepend=-1)
    if int(rest.max()) < _ESCAPE:
        return rest.astype("u1")
    escapes, rest = np.divmod(rest, _ESCAPE)
    places = np.cumsum(escapes + 1) - 1
    gaps = np.full(int(places[-1]) + 1, _ESCAPE, dtype="u1")
    gaps[places] = rest
    return gaps


def _frequency_bytes(form: int, count: int) -> int:
    if form & WIDE:
        return 2 * count
    return (count + 1) // 2 if form & NIBBLES else count


def _pack_frequencies(form: int, frequencies: Integers) -> bytes:
    if form & WIDE:
        return frequencies.astype("<u2").tobytes()
    plain = frequencies.astype("u1")
    if form & NIBBLES:
        low, high = plain[0::2].copy(), plain[1::2]
        low[: len(high)] |= high << 4
        return low.tobytes()
    return plain.tobytes()


def _frequencies(form: int, data: bytes, count: int) -> Ordinals:
    raw = np.frombuffer(data, dtype="<u2" if form & WIDE else "u1")
    if form & NIBBLES:
        pairs = np.empty(2 * len(raw), dtype=np.int64)
        pairs[0::2] = raw & 15
        pairs[1::2] = raw >> 4
        return pairs[:count]
    return raw.astype(np.int64)
