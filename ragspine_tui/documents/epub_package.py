"""What the package document of a book says: its metadata, its files in reading order, its table of contents, its locks.

All names are looked up in the package alone; one that leads out of it is told and passed over.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ragspine_tui.documents.fields import MAX_VALUE, FieldsBuilder
from ragspine_tui.documents.office_fields import add_keywords, add_property
from ragspine_tui.documents.packages import Package, PartError, part_key, shown, xml_events
from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_LARGEST: Final = 16 << 20
_MAX_NAMES: Final = 20_000
# A document type that declares nothing of its own is harmless, and tables of contents used to have one.
_DOCTYPE: Final = re.compile(rb"<!DOCTYPE[^\[>]*>")
_FONTS: Final = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
_PAGE_NAME: Final = re.compile(r"\.x?html?\Z", re.IGNORECASE)
_FIELDS: Final = {
    "title": "title",
    "creator": "author",
    "language": "language",
    "date": "date",
    "publisher": "publisher",
    "identifier": "identifier",
    "description": "description",
}
_TAG: Final = re.compile(r"<[^<>]{0,1000}>")


@dataclass(slots=True)
class Book:
    """A book: the files to read in order, the names that its contents give them, its fields, what is wrong."""

    pages: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    fields: FieldsBuilder = field(default_factory=FieldsBuilder)
    locked: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)


def read_book(package: Package) -> Book:
    """The book in the package; without a readable package document its pages in the order of their names."""
    book = Book(locked=_locked(package))
    opf = ""
    try:
        opf = _package_document(package)
        root = _xml(package, opf)
        if _local(root) != "package":
            raise PartError("names no package document", status=DocumentStatus.DAMAGED)
        _read_package(package, opf, root, book)
    except ReadError as error:
        if error.status == DocumentStatus.ENCRYPTED:
            raise
        book.notes.append(str(error))
    if not book.pages:
        book.pages = sorted(name for name in package.names if _PAGE_NAME.search(name) and resolved("", name))
        if book.pages:
            book.notes.append("its pages are read in the order of their names")
    return book


def resolved(base: str, reference: str) -> str:
    """The part that a reference in the part `base` names; '' where it leads out of the package."""
    path = unquote(reference.partition("#")[0]).replace("\\", "/")
    if not path or ":" in path.partition("/")[0]:
        return ""
    folder = "" if path.startswith("/") else posixpath.dirname(base)
    name = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    return "" if name.startswith("..") or name == "." else name


def _package_document(package: Package) -> str:
    root = _xml(package, CONTAINER)
    for element in root.iter():
        if _local(element) == "rootfile" and (path := element.get("full-path")):
            if name := resolved("", path):
                return name
            raise PartError(f"names a file outside the book ({shown(path)})", status=DocumentStatus.DAMAGED)
    raise PartError("names no package document", status=DocumentStatus.DAMAGED)


def _xml(package: Package, name: str) -> Element:
    """The root of a small XML part; a DTD with declarations of its own is refused."""
    data = _DOCTYPE.sub(b"", package.read(name, _LARGEST), count=1)
    root: Element | None = None
    for _, element in xml_events(iter((data,)), name):
        root = element if root is None else root
    if root is None:
        raise PartError(f"has a damaged part {shown(name)}", status=DocumentStatus.DAMAGED)
    return root


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _read_package(package: Package, opf: str, root: Element, book: Book) -> None:
    _metadata(root, book.fields)
    items = {
        item.get("id", ""): item for item in root.iter() if _local(item) == "item" and item.get("href") is not None
    }
    for reference in (element for element in root.iter() if _local(element) == "itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None:
            book.notes.append(f"its spine names {shown(reference.get('idref', ''))}, which is not there")
        elif _is_page(item):
            name = resolved(opf, item.get("href", ""))
            if name not in package:
                # Some write the name as it is, signs of percent included.
                name = resolved(opf, item.get("href", "").replace("%", "%25"))
            if not name or name not in package:
                book.notes.append(f"has no part {shown(item.get('href', ''))}")
            elif name not in book.pages[-1:]:
                book.pages.append(name)
    book.pages = list(dict.fromkeys(book.pages))
    for item in items.values():
        contents = resolved(opf, item.get("href", ""))
        if item.get("media-type") == "application/x-dtbncx+xml" or "nav" in item.get("properties", "").split():
            for name, label in _contents(package, contents):
                book.names.setdefault(part_key(name), label)


def _is_page(item: Element) -> bool:
    kind = item.get("media-type", "").lower()
    return kind in _PAGES or (
        not kind.startswith(("image/", "audio/", "video/"))
        and bool(_PAGE_NAME.search(item.get("href", "").partition("#")[0]))
    )


def _metadata(root: Element, fields: FieldsBuilder) -> None:
    for element in root.iter():
        local, text = _local(element), " ".join("".join(element.itertext()).split())
        if "purl.org/dc/" in element.tag.lower() and text:
            if local.lower() == "subject":
                add_keywords(fields, text)
            elif name := _FIELDS.get(local.lower()):
                fields.add(name, " ".join(_TAG.sub(" ", text).split())[:MAX_VALUE])
        elif local == "meta":
            name, value = element.get("name") or element.get("property") or "", element.get("content") or text
            if name == "dcterms:modified":
                fields.add("modified", value)
            elif name.lower() == "sensitivity":
                add_property(fields, name, value)
            elif name == "calibre:series":
                fields.add("series", value)
        elif local in ("manifest", "spine"):
            break


def _contents(package: Package, name: str) -> Iterator[tuple[str, str]]:
    """The parts that a table of contents names, each with its label; what cannot be read names none."""
    try:
        root = _xml(package, name)
    except ReadError:
        return
    count = 0
    for element in root.iter():
        local = _local(element)
        if local == "navPoint":
            label = next((one for one in element if _local(one) == "navLabel"), None)
            content = next((one.get("src", "") for one in element if _local(one) == "content"), "")
        elif local == "a" and element.get("href"):
            label, content = element, element.get("href", "")
        else:
            continue
        text = " ".join("".join(label.itertext()).split()) if label is not None else ""
        target = resolved(name, content)
        if text and target:
            yield target, text
        count += 1
        if count >= _MAX_NAMES:
            return


def _locked(package: Package) -> frozenset[str]:
    """The parts that are encrypted; fonts that are only made unfit for copying are no locks."""
    if _ENCRYPTION not in package:
        return frozenset()
    try:
        root = _xml(package, _ENCRYPTION)
    except ReadError:
        return frozenset()
    found: set[str] = set()
    for data in (element for element in root.iter() if _local(element) == "EncryptedData"):
        method = next((one.get("Algorithm", "") for one in data.iter() if _local(one) == "EncryptionMethod"), "")
        if method not in _FONTS:
            found |= {
                part_key(resolved("", one.get("URI", ""))) for one in data.iter() if _local(one) == "CipherReference"
            }
    return frozenset(found)
