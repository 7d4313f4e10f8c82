"""Helpers: OLE files made by hand, stream by stream, and Outlook messages in them."""

from __future__ import annotations

import struct
from collections.abc import Mapping

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Tree = Mapping[str, "bytes | Tree"]


def ole(tree: Tree) -> bytes:
    """The bytes of an OLE file with these storages (mappings) and streams (bytes)."""
    return _Ole().file(tree)


class _Ole:
    def __init__(self) -> None:
        self.entries: list[list[object]] = []
        self.chains: list[int] = []
        self.sectors: list[bytes] = []
        self.mini = b""
        self.mini_chains: list[int] = []

    def file(self, tree: Tree) -> bytes:
        self.entries.append(["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0])
        self.entries[0][4] = self._children(tree)
        self.entries[0][6] = len(self.mini)
        self.entries[0][5] = self._chain(self.mini)
        directory = b"".join(self._entry(entry) for entry in self.entries)
        first_directory = self._chain(directory)
        mini_fat = struct.pack(f"<{len(self.mini_chains)}I", *self.mini_chains)
        first_mini_fat = self._chain(mini_fat)
        count = len(self.chains)
        fats = 1
        while fats * 128 < count + fats:
            fats += 1
        chains = self.chains + [_FAT] * fats
        table = struct.pack(f"<{len(chains)}I", *chains).ljust(fats * _SECTOR, b"\xff")
        header = struct.pack(
            "<8s16sHHHHH6x9I",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            b"",
            0x3E,
            3,
            0xFFFE,
            9,
            6,
            0,
            fats,
            first_directory,
            0,
            _CUTOFF,
            first_mini_fat,
            (len(mini_fat) + _SECTOR - 1) // _SECTOR,
            _END,
            0,
        )
        places = struct.pack("<109I", *[count + n if n < fats else _FREE for n in range(109)])
        return header + places + b"".join(self.sectors) + table

    def _children(self, tree: Tree) -> int:
        """The entries of a storage, each the right neighbour of the one before; the first one's number."""
        before, first = -1, _FREE
        for name, content in tree.items():
            number = len(self.entries)
            entry: list[object] = [name, 2, _FREE, _FREE, _FREE, _END, 0]
            self.entries.append(entry)
            if isinstance(content, bytes):
                entry[6] = len(content)
                entry[5] = self._chain(content) if len(content) >= _CUTOFF else self._mini_chain(content)
            else:
                entry[1] = 1
                entry[4] = self._children(content)
            if before < 0:
                first = number
            else:
                self.entries[before][3] = number
            before = number
        return first

    def _chain(self, data: bytes) -> int:
        start = len(self.sectors)
        for place in range(0, len(data), _SECTOR):
            self.sectors.append(data[place : place + _SECTOR].ljust(_SECTOR, b"\0"))
            self.chains.append(len(self.sectors))
        if not data:
            return _END
        self.chains[-1] = _END
        return start

    def _mini_chain(self, data: bytes) -> int:
        if not data:
            return _END
        start = len(self.mini_chains)
        count = (len(data) + _MINI - 1) // _MINI
        self.mini += data.ljust(count * _MINI, b"\0")
        self.mini_chains += [*range(start + 1, start + count), _END]
        return start

    @staticmethod
    def _entry(entry: list[object]) -> bytes:
        name, kind, left, right, child, start, size = entry
        raw = (str(name) + "\0").encode("utf-16-le")
        return struct.pack("<64sHBBIII16sIQQIQ", raw, len(raw), kind, 1, left, right, child, b"", 0, 0, 0, start, size)


def storage(properties: Mapping[int, object], form: str = "other", **more: object) -> dict[str, bytes | Tree]:
    """The storage of a message (`root`, `message`), a recipient or an attachment.

    Text, bytes and storages become streams of their kind, integers fixed values, pairs (integer, 8) moments; `more`
    are further storages.
    """
    table, streams = b"", {}
    for number, value in properties.items():
        if isinstance(value, tuple):
            table += struct.pack("<HHIQ", 0x40, number, 6, value[0])
        elif isinstance(value, int):
            table += struct.pack("<HHIQ", 3, number, 6, value)
        else:
            kind = 0x1F if isinstance(value, str) else 0x102 if isinstance(value, bytes) else 0x0D
            table += struct.pack("<HHIQ", kind, number, 6, len(value))  # type: ignore[arg-type]
            streams[f"__substg1.0_{number:04X}{kind:04X}"] = (
                value.encode("utf-16-le") if isinstance(value, str) else value
            )
    header = bytes({"root": 32, "message": 24, "other": 8}[form])
    return {"__properties_version1.0": header + table, **streams, **more}  # type: ignore[dict-item]
