"""The command eval: retrieval quality on a judged collection."""

from __future__ import annotations

from pathlib import Path

import click

from ragspine_tui.cli.arguments import Command, as_path
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.specs import spec_option
from ragspine_tui.errors import UsageError
from ragspine_tui.evaluation.collection import Collection
from ragspine_tui.evaluation.measure import evaluation_json, measure
from ragspine_tui.evaluation.metrics import Run, trec_lines
from ragspine_tui.json_output import to_json
from ragspine_tui.printable import escaped


@click.command("eval", cls=Command)
@click.argument("folder", type=click.Path(), callback=as_path)
@click.option("--run", "run_file", type=click.Path(), callback=as_path, metavar="FILE", help="Also write a TREC run.")
@spec_option("--mode", "retrieval_mode", "How passages are found")
@spec_option("--fusion", "fusion", "How several libraries' hits become one list")
@spec_option("--extract", "filter_extractor", "Conditions out of the query's own words")
@spec_option("--chunker", "chunker", "How documents are cut")
@click.option("--language", default="auto", show_default=True, metavar="L", help="auto, none, or en, de, fr, ...")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def evaluate(
    console: Console,
    folder: Path,
    run_file: Path | None,
    mode: str | None,
    fusion: str | None,
    extract: str | None,
    chunker: str | None,
    language: str,
    as_json: bool,
) -> int:
    """Measure retrieval on a judged collection.

    It is indexed in a throw-away home. FOLDER is in the BEIR layout: corpus.jsonl, queries.jsonl and qrels.tsv
    (or qrels/test.tsv).
    """
    result = measure(
        Collection.load(folder),
        chunker=chunker,
        language=language,
        overrides={"retrieval_mode": mode, "fusion": fusion, "filter_extractor": extract},
        told=console.note,
    )
    if run_file is not None:
        _write(run_file, result.run)
    value = evaluation_json(result)
    if as_json:
        console.out(to_json(value))
    else:
        width = max(map(len, value))
        console.out(*(f"{name:<{width}}  {_shown(entry)}" for name, entry in value.items()))
    return ExitCode.DONE


def _shown(entry: object) -> str:
    return f"{entry:.4f}" if isinstance(entry, float) else escaped(str(entry))


def _write(path: Path, run: Run) -> None:
    if any(len(identifier.split()) != 1 for query, ranked in run.items() for identifier in (query, *ranked)):
        raise UsageError("an id with white space cannot stand in a TREC run", "leave --run out")
    try:
        path.write_text("".join(f"{line}\n" for line in trec_lines(run)), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "give another --run FILE") from None
