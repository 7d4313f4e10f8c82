"""OpenDocument in one XML file instead of a package."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_ROOT: Final = re.compile(rb"<office:document[\s>]")
_NAMESPACE: Final = b"urn:oasis:names:tc:opendocument:xmlns:office:"


class FlatOdfReader:
    """Flat OpenDocument; the documents are of the kinds `odt`, `ods`, `odp` and `odg`."""

    kind = "fodf"
    suffixes: frozenset[str] = frozenset({".fodt", ".fods", ".fodp", ".fodg"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """The root element of such a file, where the suffix says nothing else."""
        return suffix in {*self.suffixes, "", ".xml", ".txt"} and bool(_ROOT.search(head)) and _NAMESPACE in head

    def read(self, source: SourceFile) -> Document:
        """As from a package."""
        from ragspine_tui.documents.odf_reader import read_flat

        document = read_flat(source)
        if not document.text:
            raise ReadError("holds no text", status=DocumentStatus.EMPTY)
        return document
