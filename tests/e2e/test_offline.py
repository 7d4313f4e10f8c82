"""What is gone from the disk is said to be gone, on the command line as in the interface."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.program import found, ragspine
from tests.homes import write_files
from tests.tui.driving import Driver, drive

NOTES = {"a.md": "The heron waits.", "b.md": "A weir in the river.", "c.md": "An eel passes."}


def test_a_hit_whose_file_was_deleted_edited_or_renamed_says_so_until_the_next_update(tmp_path: Path) -> None:
    folder, home = write_files(tmp_path / "lib", NOTES), tmp_path / "home"
    ragspine("add", folder, "--home", home)
    (folder / "a.md").unlink()
    write_files(folder, {"b.md": "A weir in the river, mended."})
    (folder / "c.md").rename(folder / "d.md")
    run = ragspine("search", "heron weir eel", "--home", home)
    assert run.returncode == 3
    assert run.stdout.count("[file changed or gone]") == 3
    assert "3 of these hits are of files that changed or went since: try 'ragspine-tui index'" in run.stderr
    told = found(ragspine("search", "heron weir eel", "--json", "--home", home))
    assert [hit["stale"] for hit in told["hits"]] == [True, True, True]
    assert "(files: 1 changed, 1 removed, 1 renamed)" in ragspine("index", "--home", home).stdout
    after = found(ragspine("search", "heron weir eel", "--json", "--home", home))
    assert {hit["document"]: hit["stale"] for hit in after["hits"]} == {"b.md": False, "d.md": False}


def test_a_library_whose_folder_is_away_is_kept_and_listed_since_when(tmp_path: Path) -> None:
    folder, home = write_files(tmp_path / "lib", NOTES), tmp_path / "home"
    ragspine("add", folder, "--home", home)
    assert "offline" not in ragspine("libraries", "--home", home).stdout
    folder.rename(tmp_path / "away")
    run = ragspine("index", "--home", home)
    assert run.returncode == 3
    assert re.search(r"offline since \d{4}-\d\d-\d\d \d\d:\d\d: .*; everything is kept", run.stdout)
    assert re.search(r"offline since \d{4}-\d\d-\d\d \d\d:\d\d ", ragspine("libraries", "--home", home).stdout)
    (one,) = found(ragspine("libraries", "--json", "--home", home))
    assert (one["documents"], one["offline"]) == (3, True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", one["offline_since"])

    async def flow(driver: Driver) -> None:
        # The note has as many rows as it takes, and the pane is narrow.
        shown = " ".join(" ".join(row[:30].split()) for row in driver.text.splitlines())
        assert re.search(r"folder is not there since \d{4}-\d\d-\d\d \d\d:\d\d", shown)

    drive(home, flow)


def test_a_library_remembers_that_it_minds_no_ignore_file(tmp_path: Path) -> None:
    folder, home = write_files(tmp_path / "lib", {".gitignore": "b.md\n", **NOTES}), tmp_path / "home"
    assert "3 documents" in ragspine("add", folder, "--no-ignore", "--home", home).stdout
    write_files(folder, {".gitignore": "*.md\n"})
    assert "3 unchanged" in ragspine("index", "--home", home).stdout
    assert re.search(r"ignore files +False", ragspine("describe", "lib", "--home", home).stdout)
    assert found(ragspine("describe", "lib", "--json", "--home", home))["ignore_files"] is False
