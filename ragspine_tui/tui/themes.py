"""The program's own two themes; Textual's stay available in the palette."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="ragspine-dark",
    primary="#7cb7ff",
    secondary="#9aa7c7",
    accent="#f2c56b",
    warning="#f0a35e",
    error="#f07178",
    success="#9ccf8a",
    foreground="#d6dae3",
    background="#12161d",
    surface="#171c25",
    panel="#1e2531",
    dark=True,
    variables={
        "rule": "#2c3545",
        "quiet": "#8490a5",
        "match": "#f2c56b",
        "cursor-row": "#1f2b3d",
        "cursor-row-blurred": "#19212d",
        "border": "#7cb7ff",
        "border-blurred": "#2c3545",
        "input-cursor-background": "#d6dae3",
        "input-cursor-foreground": "#12161d",
        "input-selection-background": "#7cb7ff 35%",
        "scrollbar": "#2c3545",
        "scrollbar-hover": "#3a465b",
        "scrollbar-active": "#7cb7ff",
        "scrollbar-background": "#12161d",
        "scrollbar-background-hover": "#12161d",
        "scrollbar-background-active": "#12161d",
    },
)

LIGHT: Final = Theme(
    name="ragspine-light",
    primary="#1f5fbf",
    secondary="#5a6785",
    accent="#8a5200",
    warning="#9a5b00",
    error="#b3261e",
    success="#2f6f3a",
    foreground="#24272e",
    background="#fbfaf7",
    surface="#f3f1eb",
    panel="#ebe8e0",
    dark=False,
    variables={
        "rule": "#d3cfc4",
        "quiet": "#666c79",
        "match": "#8a4b00",
        "cursor-row": "#e3ebf8",
        "cursor-row-blurred": "#f0efe9",
        "border": "#1f5fbf",
        "border-blurred": "#d3cfc4",
        "input-cursor-background": "#24272e",
        "input-cursor-foreground": "#fbfaf7",
        "input-selection-background": "#1f5fbf 25%",
        "scrollbar": "#d3cfc4",
        "scrollbar-hover": "#bdb8aa",
        "scrollbar-active": "#1f5fbf",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
    },
)

THEMES: Final = (DARK, LIGHT)
DEFAULT: Final = DARK.name

# Other themes know nothing of these names; they fall back to what every theme has.
FALLBACK: Final = {
    "rule": "$foreground 20%",
    "quiet": "$foreground 60%",
    "match": "$accent",
    "cursor-row": "$primary 20%",
    "cursor-row-blurred": "$foreground 8%",
}
