"""The container of Office files: parts by name, bounds that count as they go, XML without DTD, no other exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.packages import MAX_RATIO, Package, PartError, is_zip
from ragspine_tui.errors import ReadError
from tests.unit.documents.packed import packed

SMALL = packed({"a.xml": "<a><b>one</b><b>two</b></a>", "folder/B.bin": b"\x00\x01" * 40})


def failure(package: Package, name: str) -> ReadError:
    with pytest.raises(ReadError) as caught:
        list(package.events(name))
    return caught.value


def test_parts_are_found_whatever_case_and_slashes_their_names_have() -> None:
    package = Package(packed({"Word\\Document.xml": "<a/>", "/x.xml": "<x/>"}))
    assert package.read("word/document.xml") == b"<a/>"
    assert "x.xml" in package
    assert "y.xml" not in package
    assert package.names == ("Word\\Document.xml", "/x.xml")


def test_elements_come_in_order_with_their_text() -> None:
    ends = [element.text for event, element in Package(SMALL).events("a.xml") if event == "end"]
    assert ends == ["one", "two", None]


def test_a_name_that_climbs_is_only_a_key() -> None:
    package = Package(packed({"../../etc/passwd": "mine"}))
    assert package.read("../../etc/passwd") == b"mine"
    with pytest.raises(PartError, match="no part"):
        package.read("/etc/hostname")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE a [<!ENTITY x "boom">]>',
        '<!DOCTYPE a SYSTEM "file:///etc/hostname">',
        "<!DOCTYPE a>",
        f"<!--{'-. ' * 40_000}--><!DOCTYPE a>",
    ],
)
def test_a_dtd_is_refused_in_every_encoding(declared: str, encoding: str) -> None:
    package = Package(packed({"a.xml": f"{declared}<a>&x;</a>".encode(encoding)}))
    error = failure(package, "a.xml")
    assert error.status == "damaged"
    assert "DTD" in str(error)


def test_what_unpacks_to_far_more_than_its_size_is_refused() -> None:
    data = packed({"a.xml": b"<a>" + b" " * (20 << 20) + b"</a>"})
    assert len(data) * MAX_RATIO < 20 << 20
    error = failure(Package(data), "a.xml")
    assert error.status == "damaged"
    assert "far more" in str(error)


def test_the_bound_holds_over_all_parts_together() -> None:
    package = Package(packed({f"{n}.bin": b" " * (6 << 20) for n in range(3)}))
    with pytest.raises(ReadError, match="far more"):
        [package.read(f"{n}.bin") for n in range(3)]


def test_a_part_is_read_no_further_than_asked() -> None:
    with pytest.raises(PartError, match="too large a part"):
        Package(SMALL).read("folder/b.bin", 79)
    assert len(Package(SMALL).read("folder/b.bin", 80)) == 80


def test_a_forged_size_changes_nothing() -> None:
    data = bytearray(packed({"a.bin": b"x" * 1000}))
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = (5).to_bytes(4, "little")
    with pytest.raises(PartError, match="damaged part"):
        Package(bytes(data)).read("a.bin")


def test_a_locked_part_needs_a_password() -> None:
    data = bytearray(packed({"a.xml": "<a/>"}))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    assert failure(Package(bytes(data)), "a.xml").status == "encrypted"


def test_a_broken_xml_part_gives_what_stands_before_the_break() -> None:
    package = Package(packed({"a.xml": "<a><b>one</b><b>two</a>"}))
    found: list[str | None] = []
    with pytest.raises(PartError, match=r"damaged XML in a\.xml"):
        found.extend(element.text for event, element in package.events("a.xml") if event == "end")
    assert found == ["one"]


@pytest.mark.parametrize("content", [b"\n <?xml version='1.0'?><a>x\x0by</a>", b"\xef\xbb\xbf\r\n<a>xy</a>"])
def test_slips_of_careless_programs_are_passed_over(content: bytes) -> None:
    events = list(Package(packed({"a.xml": content})).events("a.xml"))
    assert events[-1][1].text == "xy"


def test_only_zip_files_are_zip_files() -> None:
    assert is_zip(SMALL[:4096])
    assert not is_zip(b"PK is a firm")


@given(st.data())
def test_any_damage_ends_in_a_read_error_or_in_a_reading(data: st.DataObject) -> None:
    broken = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(broken[: data.draw(st.integers(0, len(broken)))])
    for content in (bytes(broken), cut):
        try:
            package = Package(content)
            for name in package.names:
                list(package.events(name))
        except ReadError as error:
            assert error.status in {"damaged", "encrypted", "too_large"}
