"""Libraries as rows."""

import json
import os
from collections.abc import Sequence
from typing import Final

from ragspine_tui.types import Library, Sensitivity

COLUMNS: Final = "slug, root, title, description, chunker, language, include, exclude, restrict_globs, sensitivity"


def row_of(library: Library) -> tuple[object, ...]:
    """The values of `COLUMNS`."""
    return (
        library.library_id,
        os.fsencode(library.root),
        library.title,
        library.description,
        library.chunker,
        library.language,
        json.dumps(library.include),
        json.dumps(library.exclude),
        json.dumps(library.restrict),
        library.sensitivity.value,
    )


def library_of(row: Sequence[object]) -> Library:
    """The library behind the values of `COLUMNS`."""
    slug, root, title, description, chunker, language, include, exclude, restrict, sensitivity = row
    return Library(
        library_id=str(slug),
        root=os.fsdecode(root if isinstance(root, bytes) else str(root)),
        title=str(title),
        description=str(description),
        chunker=str(chunker),
        language=str(language),
        include=tuple(json.loads(str(include))),
        exclude=tuple(json.loads(str(exclude))),
        restrict=tuple(json.loads(str(restrict))),
        sensitivity=Sensitivity(str(sensitivity)),
    )
