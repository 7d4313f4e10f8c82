"""Posting lists as bytes: a form byte, then ordinals and term frequencies in a small form that decodes at C speed.

- sparse: ordinals as uint16 (uint32 in a segment of more units), frequencies as uint8 (uint16 where one exceeds 255);
- gaps: a uint32 count, then the gaps between ordinals, 255 standing for "255 and more to come", then the frequencies,
  two to a byte where all are below 16;
- dense: a frequency byte for every unit of the segment.

Places (where in a unit the term occurs) are bytes beside them: for each posting its first place and then the gaps to
the next ones, 255 standing for "255 and more to come".
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
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
    dense = lengthy & (peaks <= 255) & (3 * sizes > units)
    for number in np.flatnonzero(dense).tolist():
        run = slice(starts[number], ends[number])
        blobs[number] = _dense(ordinals[run], frequencies[run], units)
    long = lengthy & ~dense
    within = np.repeat(long, sizes)
    found = _long(ordinals[within], frequencies[within], sizes[long], peaks[long], units)
    for number, blob in zip(np.flatnonzero(long).tolist(), found, strict=True):
        blobs[number] = blob
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
    content, bounds = _escaped(gaps, np.append(starts, len(gaps)))
    for start, end in pairwise(bounds.tolist()):
        yield content[start:end]


def _escaped(gaps: Integers, bounds: Ordinals) -> tuple[bytes, Ordinals]:
    """Gaps as bytes, and where in them lies what stood between `bounds`."""
    if not len(gaps) or int(gaps.max()) < _ESCAPE:
        return gaps.astype("u1").tobytes(), bounds
    escapes, rest = np.divmod(gaps, _ESCAPE)
    after = np.cumsum(escapes + 1)
    filled = np.full(int(after[-1]), _ESCAPE, dtype="u1")
    filled[after - 1] = rest
    return filled.tobytes(), np.append(0, after)[bounds]


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


def _dense(ordinals: Integers, frequencies: Integers, units: int) -> Blob:
    column = np.zeros(units, dtype="u1")
    column[ordinals] = frequencies
    return bytes([DENSE]) + column.tobytes()


def _long(ordinals: Integers, frequencies: Integers, sizes: Ordinals, peaks: Integers, units: int) -> Iterator[Blob]:
    """Lists one after the other, as gaps where these take less room."""
    bounds = np.append(0, np.cumsum(sizes))
    starts = bounds[:-1]
    gaps = np.diff(ordinals, prepend=-1)
    gaps[starts] = ordinals[starts] + 1
    content, parts = _escaped(gaps, bounds)
    long = LONG if units > MAX_SHORT else 0
    width = 4 if long else 2
    plain = ordinals.astype(f"<u{width}").tobytes()
    short, wide = frequencies.astype("u1").tobytes(), frequencies.astype("<u2").tobytes()
    halves, half_bounds = _nibbles(frequencies, sizes)
    places = zip(
        pairwise(bounds.tolist()), pairwise(parts.tolist()), pairwise(half_bounds), peaks.tolist(), strict=True
    )
    for (start, end), (low, high), (half, half_end), peak in places:
        is_wide = WIDE if peak > 255 else 0
        often = wide[2 * start : 2 * end] if is_wide else short[start:end]
        if high - low + 4 >= width * (end - start):
            yield bytes([long | is_wide]) + plain[width * start : width * end] + often
            continue
        form = is_wide or (NIBBLES if peak < 16 else 0)
        head = bytes([GAPS | form]) + (end - start).to_bytes(4, "little")
        yield head + content[low:high] + (halves[half:half_end] if form == NIBBLES else often)


def _nibbles(frequencies: Integers, sizes: Ordinals) -> tuple[bytes, list[int]]:
    """Frequencies two to a byte, each list from a byte of its own on; where one is above 15 it makes no sense."""
    bounds = np.append(0, np.cumsum((sizes + 1) // 2))
    place = np.arange(len(frequencies)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    at = np.repeat(bounds[:-1], sizes) + place // 2
    odd = (place & 1).astype(bool)
    packed = np.zeros(int(bounds[-1]), dtype="u1")
    packed[at[~odd]] = frequencies[~odd].astype("u1")
    packed[at[odd]] |= frequencies[odd].astype("u1") << 4
    return packed.tobytes(), bounds.tolist()


def _frequency_bytes(form: int, count: int) -> int:
    if form & WIDE:
        return 2 * count
    return (count + 1) // 2 if form & NIBBLES else count


def _frequencies(form: int, data: bytes, count: int) -> Ordinals:
    raw = np.frombuffer(data, dtype="<u2" if form & WIDE else "u1")
    if form & NIBBLES:
        pairs = np.empty(2 * len(raw), dtype=np.int64)
        pairs[0::2] = raw & 15
        pairs[1::2] = raw >> 4
        return pairs[:count]
    return raw.astype(np.int64)
