"""Files that lie in a PDF, below its own text: each is read by its own reader, with `attachment NAME` as its part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.labels import FIELD
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus


def with_attached(
    document: Document, files: Sequence[tuple[str, bytes]], source: SourceFile, read_inner: ReadInner
) -> Document:
    """The document with the text of its attached files, by name and content, behind it, and their names as a field.

    One that cannot be read is named in a note; a label of sensitivity in one counts for the whole.
    """
    out = GatheredText()
    out.add_document(document, "", "")
    for name, data in files:
        try:
            inner = read_inner(source.inner(name, data))
            out.add_document(inner, f"attachment {name}", f"attachment {name}")
        except ReadError as error:
            if error.status != DocumentStatus.EMPTY:
                out.note(f"attachment {name[:80]} {error}")
        else:
            out.note(*(f"attachment {name[:80]}: {note}" for note in inner.notes))
    fields = FieldsBuilder()
    fields.add(FIELD, *out.labels)
    fields.add_all(document.fields)
    fields.add("attachments", *(name for name, _ in files))
    return replace(
        document, text=out.text, blocks=tuple(out.blocks), fields=fields.build(), notes=document.notes + out.notes
    )
