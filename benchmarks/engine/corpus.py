"""A corpus from a seed: chunks of 30 to 80 terms in documents of 1 to 40 chunks, as Markdown and as plain lines."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.vocabulary import FOLLOWERS, WORDS, Vocabulary

SEED: Final = 20_261_201
SHORTEST, LONGEST = 30, 80
LARGEST_DOCUMENT: Final = 40
BLOCK: Final = 10_000
REPEATED: Final = 0.15
"""How often a term is one that its chunk has already: words come in bursts."""
FOLLOWING: Final = 0.15
"""How often a term is one that likes to follow the term before it: phrases exist."""

PARTS: Final = 5
FOLDERS: Final = 20
"""Each of the five parts (libraries) has twenty folders, so that one folder holds a hundredth of the documents."""

_ROOM: Final = 440
"""Characters of a chunk's words: with its marks it stays below what the default chunker packs into one chunk."""
_PACKED: Final = 500
_HEADING: Final = 3
_SENTENCE: Final = 12


class Block(NamedTuple):
    """Chunks as rows of word ids; row i has `lengths[i]` terms, what stands after them means nothing."""

    terms: NDArray[np.int32]
    lengths: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus on disk: `markdown` for the app, `lines` (a chunk each) for its peers, `doc_freqs` by word id."""

    folder: Path
    chunks: int
    documents: int
    markdown_bytes: int
    seed: int

    @property
    def markdown(self) -> Path:
        """The root of the Markdown files."""
        return self.folder / "markdown"

    def lines(self) -> Iterator[str]:
        """The text of each chunk, in order."""
        with (self.folder / "chunks.txt").open(encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n")

    def bounds(self) -> NDArray[np.int64]:
        """The first chunk of each document, and the end of the last."""
        bounds: NDArray[np.int64] = np.load(self.folder / "bounds.npy")
        return bounds

    def doc_freqs(self) -> NDArray[np.int64]:
        """In how many chunks each word is."""
        freqs: NDArray[np.int64] = np.load(self.folder / "doc_freqs.npy")
        return freqs

    def document_of_chunk(self) -> NDArray[np.int64]:
        """The number of the document of each chunk."""
        bounds = self.bounds()
        return np.repeat(np.arange(self.documents), np.diff(bounds))


def part_of(document: int) -> int:
    """Which of the five libraries a document belongs to."""
    return document % PARTS


def folder_of(document: int) -> str:
    """The folder of a document: a hundredth of all documents share it."""
    return f"p{part_of(document)}/f{document // PARTS % FOLDERS:02}"


def open_or_make(folder: Path, chunks: int, seed: int = SEED, words: int = WORDS) -> Corpus:
    """The corpus kept in `folder`, made where it is not there or is another one."""
    note = folder / "corpus.json"
    if note.is_file():
        said = json.loads(note.read_text(encoding="utf-8"))
        if (said["chunks"], said["seed"]) == (chunks, seed):
            return Corpus(folder, said["chunks"], said["documents"], said["markdown_bytes"], said["seed"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    corpus = write(folder, chunks, Vocabulary.make(seed, words), seed)
    known = {name: value for name, value in asdict(corpus).items() if name != "folder"}
    note.write_text(json.dumps(known), encoding="utf-8")
    return corpus


def write(folder: Path, chunks: int, vocabulary: Vocabulary, seed: int) -> Corpus:
    """Write a corpus: Markdown files, chunks as lines, where documents begin, and each word's document frequency."""
    sizes = document_sizes(chunks, seed)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    freqs = np.zeros(len(vocabulary.words), dtype=np.int64)
    size = document = 0
    for part in range(PARTS):
        for number in range(FOLDERS):
            (folder / "markdown" / f"p{part}" / f"f{number:02}").mkdir(parents=True)
    pending: list[list[str]] = []
    with (folder / "chunks.txt").open("w", encoding="utf-8") as lines:
        for block in blocks(chunks, vocabulary, seed):
            freqs += document_frequencies(block, len(freqs))
            texts = spelled(block, vocabulary)
            lines.writelines(" ".join(words) + "\n" for words in texts)
            pending += texts
            first = 0
            while document < len(sizes) and first + sizes[document] <= len(pending):
                text = markdown(pending[first : first + sizes[document]])
                path = folder / "markdown" / folder_of(document) / f"d{document:06}.md"
                size += path.write_bytes(text.encode())
                first += sizes[document]
                document += 1
            del pending[:first]
    np.save(folder / "bounds.npy", bounds)
    np.save(folder / "doc_freqs.npy", freqs)
    return Corpus(folder, chunks, len(sizes), size, seed)


def document_sizes(chunks: int, seed: int) -> list[int]:
    """How many chunks each document has: 1 to 40, short ones more often (the logarithm is uniform)."""
    random = np.random.default_rng([seed, 2])
    sizes: list[int] = []
    left = chunks
    while left:
        for size in (LARGEST_DOCUMENT ** random.random(1_000)).astype(int).tolist():
            sizes.append(min(size, left))
            left -= sizes[-1]
            if not left:
                break
    return sizes


def blocks(chunks: int, vocabulary: Vocabulary, seed: int) -> Iterator[Block]:
    """The chunks, some thousand at a time; a larger corpus begins with the smaller one."""
    for number, start in enumerate(range(0, chunks, BLOCK)):
        made = block(np.random.default_rng([seed, 3, number]), vocabulary)
        count = min(BLOCK, chunks - start)
        yield Block(made.terms[:count], made.lengths[:count])


def block(random: np.random.Generator, vocabulary: Vocabulary, rows: int = BLOCK) -> Block:
    """Chunks drawn term by term: a new word, one that the chunk has already, or one that follows the last."""
    shape = (rows, LONGEST)
    fresh = vocabulary.draw(random.random(shape))
    choice = random.random(shape)
    pick = random.random(shape)
    terms = np.empty(shape, dtype=np.int32)
    terms[:, 0] = fresh[:, 0]
    row = np.arange(rows)
    for at in range(1, LONGEST):
        earlier = terms[row, (pick[:, at] * at).astype(np.intp)]
        following = vocabulary.followers[terms[:, at - 1], (pick[:, at] * FOLLOWERS).astype(np.intp)]
        repeated, follows = choice[:, at] < REPEATED, choice[:, at] < REPEATED + FOLLOWING
        terms[:, at] = np.where(repeated, earlier, np.where(follows, following, fresh[:, at]))
    lengths = random.integers(SHORTEST, LONGEST + 1, rows)
    fitting = (np.cumsum(vocabulary.letters[terms] + 1, axis=1) <= _ROOM).sum(axis=1)
    return Block(terms, np.minimum(lengths, fitting).astype(np.int32))


def document_frequencies(block: Block, words: int) -> NDArray[np.int64]:
    """In how many of the block's chunks each word is."""
    rows, columns = block.terms.shape
    used = np.arange(columns) < block.lengths[:, None]
    pairs = (np.arange(rows)[:, None] * words + block.terms)[used]
    return np.bincount(np.unique(pairs) % words, minlength=words)


def spelled(block: Block, vocabulary: Vocabulary) -> list[list[str]]:
    """The words of each chunk."""
    words = vocabulary.words
    return [
        [words[term] for term in row[:length]]
        for row, length in zip(block.terms.tolist(), block.lengths.tolist(), strict=True)
    ]


def markdown(chunks: Sequence[Sequence[str]]) -> str:
    """A document: a title, headings of three words, and a paragraph a chunk.

    A heading opens each chunk that the chunker would otherwise pack together with the one before.
    """
    pieces: list[str] = []
    before = 0
    for number, words in enumerate(chunks):
        room = sum(map(len, words)) + len(words)
        headed = number == 0 or before + room <= _PACKED or number % 2 == 1
        if headed:
            pieces.append(("# " if number == 0 else "## ") + " ".join(words[:_HEADING]))
        pieces.append(_sentences(words[_HEADING:] if headed else words))
        before = room
    return "\n\n".join(pieces) + "\n"


def _sentences(words: Sequence[str]) -> str:
    return ". ".join(" ".join(words[at : at + _SENTENCE]) for at in range(0, len(words), _SENTENCE)) + "."
