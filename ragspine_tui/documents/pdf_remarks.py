"""What people added to a page: comments, and what they filled into its form."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, Final

import pypdfium2.raw as pdfium

_MOST: Final = 5_000
_LONGEST: Final = 200_000
# Links and the windows of comments say nothing of their own.
_SILENT: Final = frozenset({pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP})
_BUTTONS: Final = frozenset(
    {pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}
)


def remarks(page: Any, form: Any) -> Iterator[str]:
    """The comments on a page as `Comment: ...` and its form's values as `Field NAME: ...`, in the page's order.

    `page` is an FPDF_PAGE, `form` an FPDF_FORMHANDLE or None where the document has no form.
    """
    for number in range(min(_MOST, pdfium.FPDFPage_GetAnnotCount(page))):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                text = _value(annotation, form) if form else ""
            else:
                text = "" if kind in _SILENT else _comment(annotation)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
        if text:
            yield text


def _comment(annotation: Any) -> str:
    text = wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size))
    return f"Comment: {text}" if text else ""


def _value(annotation: Any, form: Any) -> str:
    if pdfium.FPDFAnnot_GetFormFieldType(form, annotation) in _BUTTONS:
        return ""
    value = wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
    name = wide_text(lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, size))
    return f"Field {name}: {value}" if value else ""


def wide_text(read: Callable[[Any, int], int]) -> str:
    """The text that a function of PDFium writes as UTF-16 into a buffer, whose size it tells first."""
    size = read(None, 0)
    if not 2 < size <= 2 * _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\0", "").replace("\r", "\n").strip()
