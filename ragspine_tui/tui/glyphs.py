"""The signs the screen is drawn with, and plain ASCII ones for terminals that measure the others wrongly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One sign a name; every sign is one cell wide in the usual settings."""

    bar: str = "▌"
    resting: str = "╎"
    child: str = "┃"
    ellipsis: str = "…"
    dot: str = "·"
    paragraph: str = "¶"
    into: str = "›"
    prompt: str = "❯"
    routed: str = "▸"
    dash: str = "–"
    open_quote: str = "“"
    close_quote: str = "”"
    rule: str = "─"
    light_rule: str = "╌"
    full: str = "█"
    empty: str = "░"
    left_end: str = "▕"
    right_end: str = "▏"
    enter: str = "↵"
    space: str = "␣"
    arrows: str = "↑↓"
    times: str = "×"


UNICODE = Glyphs()
ASCII = Glyphs(
    bar=">",
    resting=":",
    child="|",
    ellipsis="~",
    dot="-",
    paragraph="#",
    into=">",
    prompt=">",
    routed="*",
    dash="-",
    open_quote='"',
    close_quote='"',
    rule="-",
    light_rule="-",
    full="#",
    empty=".",
    left_end="[",
    right_end="]",
    enter="enter",
    space="space",
    arrows="up/down",
    times="x",
)


def glyphs(ascii_only: bool) -> Glyphs:
    """The plain signs where `ascii_only`, else the drawn ones."""
    return ASCII if ascii_only else UNICODE
