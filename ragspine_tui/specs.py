"""The closed tables of spec names: what a person may write to choose a part, and the one name each spelling means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Seam:
    """A part that can be chosen: `names` maps each canonical name to its aliases.

    `off` is the canonical name that '' and 'none' mean, None where the part cannot be switched off. `entry_points` is
    the group by which installed packages add names, '' where they cannot; built-in names win.
    """

    label: str
    variable: str
    default: str
    off: str | None
    names: Mapping[str, tuple[str, ...]]
    entry_points: str = ""

    def valid(self) -> str:
        """The valid specs in one line, aliases in brackets, those of installed packages last."""
        built_in = [f"{name} ({', '.join(also)})" if also else name for name, also in self.names.items()]
        return ", ".join([*built_in, *sorted(self.installed())])

    def installed(self) -> dict[str, EntryPoint]:
        """What installed packages add, by name; nothing of theirs is imported."""
        if not self.entry_points:
            return {}
        # Reading the metadata of all packages takes a while, and built-in names never need it.
        from importlib.metadata import entry_points

        taken = {spelling for name, also in self.names.items() for spelling in (name, *also)}
        found = sorted(entry_points(group=self.entry_points), key=lambda point: (point.name, point.value), reverse=True)
        named = {normalise_spec(point.name): point for point in found}
        return {name: point for name, point in named.items() if name and name not in taken}


SEAMS: Final[Mapping[str, Seam]] = MappingProxyType(
    {
        "mode": Seam(
            label="retrieval mode",
            variable="RAGSPINE_RETRIEVAL_MODE",
            default="economy",
            off="hybrid",
            names=MappingProxyType(
                {"economy": ("bm25", "lexical", "keyword"), "hybrid": ("auto", "none"), "vector": ("dense",)}
            ),
        ),
        "router": Seam(
            label="library router",
            variable="RAGSPINE_LIBRARY_ROUTER",
            default="none",
            off="none",
            names=MappingProxyType({"none": (), "keyword": ("description", "lexical")}),
        ),
        "filter_extractor": Seam(
            label="filter extractor",
            variable="RAGSPINE_FILTER_EXTRACTOR",
            default="none",
            off="none",
            names=MappingProxyType({"none": (), "keyword": ("vocab", "controlled_vocab", "glossary")}),
        ),
        "fusion": Seam(
            label="fusion",
            variable="RAGSPINE_FUSION",
            default="score",
            off=None,
            names=MappingProxyType({"score": (), "rrf": ()}),
        ),
        "chunker": Seam(
            label="chunker",
            variable="RAGSPINE_CHUNKER",
            default="parent_child",
            off="none",
            entry_points="ragspine_tui.chunkers",
            names=MappingProxyType(
                {
                    "none": (),
                    "layout": (),
                    "parent_child": ("small_to_big",),
                    "laws": (),
                    "book": (),
                    "qa": (),
                    "sentence_window": (),
                }
            ),
        ),
    }
)


def normalise_spec(spec: str) -> str:
    """The spelling that tables are looked up by: stripped, lower-cased, `-` as `_`."""
    return spec.strip().lower().replace("-", "_")


def resolve_spec(seam: str, spec: str) -> str:
    """The canonical name of `spec`; '' means off. ValueError lists the valid specs where it is blank or unknown."""
    table = SEAMS[seam]
    wanted = normalise_spec(spec)
    if spec == "" and table.off is not None:
        return table.off
    for name, aliases in table.names.items():
        if wanted == name or wanted in aliases:
            return name
    if wanted in table.installed():
        return wanted
    raise ValueError(f"unknown {table.label} {spec!r}; valid: {table.valid()}")


def choose_spec(seam: str, spec: str | None, environ: Mapping[str, str] = os.environ) -> str:
    """`resolve_spec`, where None reads the seam's environment variable and, without one, its default."""
    table = SEAMS[seam]
    return resolve_spec(seam, environ.get(table.variable, table.default) if spec is None else spec)
