"""Helpers: ZIP packages made by hand, part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping


def packed(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The bytes of a ZIP file with these parts, in this order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()
