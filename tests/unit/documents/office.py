"""Helpers: small Office files made by hand, part by part, transitional or strict."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from tests.unit.documents.packed import packed

_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_TYPES = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "r": _TYPES,
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "tc": "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments",
    "v": "urn:schemas-microsoft-com:vml",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "ep": "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    "op": "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties",
    "vt": "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes",
}
ODF_NAMESPACES = {
    name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"
    for name in "office text table presentation style meta manifest chart".split()  # noqa: SIM905
} | {
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
}


def xml(tag: str, content: str, namespaces: Mapping[str, str] = NAMESPACES) -> str:
    """An XML part with `tag` around `content` and every namespace declared."""
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in namespaces.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><{tag} {declared}>{content}</{tag.split()[0]}>'


def relations(targets: Mapping[str, str]) -> str:
    """The relationships of a part: ids to `kind target`."""
    listed = "".join(
        f'<Relationship Id="{name}" Type="{_CORE if kind == "core-properties" else f"{_TYPES}/{kind}"}" '
        f'Target="{target}"/>'
        for name, (kind, _, target) in ((name, value.partition(" ")) for name, value in targets.items())
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'
    )


def strict(text: str) -> str:
    """The same part in the namespaces of strict OOXML."""
    for prefix in ("w", "p", "s", "a", "wp", "xdr", "c", "dgm", "r", "m", "ep", "op", "vt"):
        kind, _, rest = NAMESPACES[prefix].removeprefix("http://schemas.openxmlformats.org/").partition("/2006/")
        text = text.replace(NAMESPACES[prefix], f"http://purl.oclc.org/ooxml/{kind}/{rest}")
    return text


def docx(body: str, parts: Mapping[str, str] | None = None, targets: Mapping[str, str] | None = None) -> dict[str, str]:
    """The parts of a Word file; `targets` are the relationships of its body, `parts` further parts below `word/`."""
    return {
        "_rels/.rels": relations(
            {"m": "officeDocument word/document.xml", "c": "core-properties docProps/core.xml"}
            | {"a": "extended-properties docProps/app.xml", "u": "custom-properties docProps/custom.xml"}
        ),
        "word/document.xml": xml("w:document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": relations(targets or {}),
    } | {name if "/" in name else f"word/{name}": content for name, content in (parts or {}).items()}


def paragraph(text: str, style: str = "", extra: str = "") -> str:
    """A Word paragraph of one run."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r>{extra}</w:p>'


def odf(kind: str, body: str, parts: Mapping[str, str] | None = None, automatic: str = "") -> bytes:
    """The bytes of an OpenDocument package."""
    content = f"<office:automatic-styles>{automatic}</office:automatic-styles>"
    content += f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": xml("office:document-content", content, ODF_NAMESPACES),
        }
        | dict(parts or {})
    )


@st.composite
def damaged(draw: st.DrawFn, seed: bytes, first: int = 0) -> bytes:
    """These bytes with some of them changed, lost or more of them, from `first` on."""
    broken = bytearray(seed)
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(first, len(broken) - 1))
        broken[start : start + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(broken)
