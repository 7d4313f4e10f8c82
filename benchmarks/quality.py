"""Retrieval quality beside the peers': nDCG@10 on judged collections of the app, SQLite's FTS5 and bm25s."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from benchmarks.machine import revision, table, this_machine
from benchmarks.peer_rankings import DEPTH, Ranker, Writing, bm25s_ways, fts5_ways, writing
from ragspine_tui.errors import UsageError
from ragspine_tui.evaluation.collection import Collection
from ragspine_tui.evaluation.measure import measure
from ragspine_tui.evaluation.metrics import mean_metrics

MEASURE: Final = "ndcg@10"
ENGLISH: Final = ("cranfield", "cisi", "medline", "cacm")
AIM: Final = 0.505
"""What the mean over the four English collections is to reach."""

Ways = Callable[[Collection, Writing], Iterator[tuple[str, Ranker]]]
PEERS: Final[Mapping[str, Ways]] = {"FTS5": fts5_ways, "bm25s": bm25s_ways}


@dataclass(frozen=True, slots=True)
class Scores:
    """One collection's nDCG@10: ours, and each peer's by the way it was set up."""

    collection: str
    queries: int
    ours: float
    peers: Mapping[str, Mapping[str, float]]

    def best(self, peer: str) -> tuple[str, float]:
        """The way that suits this collection best, and what it reaches; the first of equal ones."""
        return max(self.peers[peer].items(), key=lambda item: item[1])

    @property
    def best_peer(self) -> str:
        """The peer that is best here, each at its best; the first of equal ones."""
        return max(self.peers, key=lambda peer: self.best(peer)[1])

    @property
    def ahead(self) -> float:
        """How far we are ahead of the best peer; negative where it is ahead."""
        return self.ours - self.best(self.best_peer)[1]


def main() -> None:
    """Prints the tables as Markdown."""
    arguments = _arguments()
    machine = this_machine()
    try:
        found = [_scores(folder) for folder in arguments.folders]
    except UsageError as error:
        sys.exit(str(error))
    if arguments.json:
        print(json.dumps([_as_json(one) for one in found], indent=2, ensure_ascii=False))
        return
    said = [*machine.rows(), ("revision", revision())]
    print(table(("what", "figure"), said), end="\n\n")
    print(page(found), end="")


def page(found: Sequence[Scores]) -> str:
    """The table of collections and engines, what it comes to, and how each peer was at its best."""
    peers = list(found[0].peers)
    head = ("collection", "queries", "ours", *peers, "best peer", "ours - best peer")
    ways = [(one.collection, *(one.best(peer)[0] for peer in peers)) for one in found]
    return "\n\n".join(
        [
            table(head, [*map(_row, found), *_mean_rows(found)]),
            " ".join(verdicts(found)),
            "Each peer's best way, which is what counts:",
            table(("collection", *peers), ways) + "\n",
        ]
    )


def verdicts(found: Sequence[Scores]) -> Iterator[str]:
    """One sentence on the aim, where the four English collections were measured, and one on where we are behind."""
    english = _english(found)
    if english:
        ours = mean(one.ours for one in english)
        said = "reached" if ours >= AIM else "**missed**"
        yield f"The mean over {', '.join(ENGLISH)} is {ours:.4f}; the aim of {AIM} is {said}."
    behind = sorted((one for one in found if one.ahead < 0), key=lambda one: one.ahead)
    if behind:
        named = (f"{one.collection} ({one.ahead:+.4f}, {one.best_peer} {one.best(one.best_peer)[0]})" for one in behind)
        yield f"Behind the best peer on {'; '.join(named)}."
    else:
        yield "Behind the best peer on none."


def _row(one: Scores) -> tuple[str, ...]:
    figures = (one.ours, *(one.best(peer)[1] for peer in one.peers))
    return (one.collection, f"{one.queries:,}", *map(_figure, figures), one.best_peer, f"{one.ahead:+.4f}")


def _mean_rows(found: Sequence[Scores]) -> Iterator[tuple[str, ...]]:
    groups = (("mean of all", found), (f"mean of {', '.join(ENGLISH)}", _english(found)))
    for name, group in groups:
        if group:
            # One peer for all of them, each collection at its best way.
            means = {peer: mean(one.best(peer)[1] for one in group) for peer in group[0].peers}
            ours = mean(one.ours for one in group)
            best = max(means, key=lambda peer: means[peer])
            queries = f"{sum(one.queries for one in group):,}"
            yield (name, queries, *map(_figure, (ours, *means.values())), best, f"{ours - means[best]:+.4f}")


def _english(found: Sequence[Scores]) -> list[Scores]:
    """The four English collections, or nothing where one of them is missing."""
    four = [one for one in found if one.collection in ENGLISH]
    return four if len(four) == len(ENGLISH) else []


def _figure(value: float) -> str:
    return f"{value:.4f}"


def _scores(folder: Path) -> Scores:
    collection = Collection.load(folder)
    judged = collection.judged()
    ours = measure(collection, depth=DEPTH, told=lambda line: _tell(f"{collection.name}: {line}")).means[MEASURE]
    how = writing(entry.whole_text for entry in collection.entries)
    peers: dict[str, dict[str, float]] = {}
    for peer, ways in PEERS.items():
        for way, ranked in ways(collection, how):
            run = {query: ranked(collection.queries[query]) for query in judged if query in collection.queries}
            peers.setdefault(peer, {})[way] = mean_metrics(judged, run)[MEASURE]
            _tell(f"{collection.name}: {peer}, {way}: {peers[peer][way]:.4f} (ours {ours:.4f})")
    return Scores(collection.name, len(judged), ours, peers)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _as_json(one: Scores) -> dict[str, object]:
    peers = {peer: {way: round(value, 6) for way, value in ways.items()} for peer, ways in one.peers.items()}
    return {"collection": one.collection, "queries": one.queries, "ours": round(one.ours, 6), "peers": peers}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=os.environ.get("RAGSPINE_COLLECTIONS") or None,
        help="holds the collections, a folder each (else RAGSPINE_COLLECTIONS)",
    )
    parser.add_argument("--only", default="", metavar="LIST", help="these collections alone")
    parser.add_argument("--json", action="store_true", help="every way's figure, as JSON")
    arguments = parser.parse_args()
    if arguments.folder is None:
        parser.error("name the folder of the collections, or set RAGSPINE_COLLECTIONS")
    arguments.folders = collections_in(Path(arguments.folder))
    if only := [name for name in arguments.only.split(",") if name]:
        known = [folder.name for folder in arguments.folders]
        if wrong := [name for name in only if name not in known]:
            parser.error(f"--only: there is no {', '.join(wrong)}; there are: {', '.join(known) or 'none'}")
        arguments.folders = [folder for folder in arguments.folders if folder.name in only]
    if not arguments.folders:
        parser.error(f"no collection in {arguments.folder}: each is a folder with corpus.jsonl")
    return arguments


def collections_in(folder: Path) -> list[Path]:
    """The folders in it that hold a corpus: the four English ones first, then by name."""
    found = [path.parent for path in folder.glob("*/corpus.jsonl")]
    rank = {name: number for number, name in enumerate(ENGLISH)}
    return sorted(found, key=lambda path: (rank.get(path.name, len(rank)), path.name))


if __name__ == "__main__":
    main()
