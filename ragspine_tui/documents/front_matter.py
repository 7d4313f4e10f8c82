"""Front matter of text files: YAML between `---`, TOML between `+++`, as the written strings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import yaml

from ragspine_tui.documents.front_values import Values, is_too_much, toml_values, yaml_values
from ragspine_tui.documents.labels import FIELD, folded
from ragspine_tui.documents.lines import first_lines, line_start

_KEY: Final = re.compile(
    r"""(?:"([^"]{1,80})"|'([^']{1,80})'|([\w$@][\w .$@/-]{0,79}?))[ \t]*:(?:[ \t]+(.*)|[ \t]*)\Z"""
)
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+(.*)\Z")
_MAX_LINES: Final = 2_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a front matter, how many lines it takes with its fences, and what a person should mend."""

    lines: int = 0
    values: Values = field(default_factory=list)
    notes: tuple[str, ...] = ()


def front_of(text: str) -> tuple[FrontMatter, int]:
    """The front matter a text begins with, and where it ends in the text; (none, 0) without one."""
    front = front_matter(first_lines(text, _MAX_LINES + 1)) if text[:3] in ("---", "+++") else FrontMatter()
    return front, line_start(text, front.lines)


def front_matter(lines: list[str]) -> FrontMatter:
    """The front matter that `lines` (without line ends) begin with; `lines` is 0 where there is none."""
    fence = lines[0].rstrip() if lines else ""
    if fence not in ("---", "+++"):
        return FrontMatter()
    ends = ("---", "...") if fence == "---" else ("+++",)
    last = next((n for n, line in enumerate(lines[1:_MAX_LINES], 1) if line.rstrip() in ends), 0)
    opened = len(lines) > 1 and bool(_KEY.match(lines[1].rstrip()))
    if not last:
        return FrontMatter(notes=("line 1: front matter is never closed; read as text",) if opened else ())
    inner = lines[1:last]
    parse = yaml_values if fence == "---" else toml_values
    values, problem = _parsed(inner, parse)
    if problem and not _looks_meant(inner):
        return FrontMatter(notes=(f"{problem}; read as text",))
    if problem:
        return FrontMatter(last + 1, _salvaged(inner, fence), (problem,))
    return FrontMatter(last + 1, values, _repeated(inner) if fence == "---" else ())


def _parsed(inner: list[str], parse: Callable[[str], Values]) -> tuple[Values, str]:
    text = "\n".join(inner)
    if is_too_much(text):
        return [], "line 1: front matter is too large or too deep to read whole"
    try:
        return parse(text), ""
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 2 if mark else 1
        return (
            [],
            f"line {min(line, len(inner) + 2)}: front matter is not valid YAML ({error.problem or error.context})",
        )
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        return [], f"line {int(found.group(1)) + 1 if found else 1}: front matter is not valid TOML"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return [], f"line 1: front matter cannot be read ({str(error).splitlines()[0][:80] or type(error).__name__})"


def _looks_meant(inner: list[str]) -> bool:
    """Whether broken front matter was meant as such: it begins with a key, and keys are most of its own lines."""
    own = [line for line in inner if line.strip() and line[0] not in " \t#-"]
    keys = sum(bool(_KEY.match(line.rstrip()) or re.match(r"[\w.-]+\s*=", line)) for line in own)
    return bool(own) and own[0].strip() != "" and keys * 2 > len(own)


def _salvaged(inner: list[str], fence: str) -> Values:
    """The plain `key: value` lines and `- item` lines of a front matter that does not parse."""
    values: Values = []
    name = ""
    for line in inner[:500]:
        if fence == "+++":
            key, equals, value = line.partition("=")
            if equals and re.fullmatch(r"[\w.-]+", key.strip()) and _is_plain(value):
                values.append((key.strip(), _unquoted(value)))
            continue
        match = _KEY.match(line.rstrip())
        if match:
            name = next(part for part in match.group(1, 2, 3) if part)
            value = match.group(4) or ""
            if value and _is_plain(value):
                values.append((name, _unquoted(value)))
        elif (item := _ITEM.match(line)) and name and _is_plain(item.group(1)):
            values.append((name, _unquoted(item.group(1))))
    # Labels are found in the raw lines, not by guesses.
    return [(name, value) for name, value in values if folded(name) != FIELD]


def _is_plain(value: str) -> bool:
    value = value.strip()
    return value[:1] not in ("[", "{", "|", ">", "&", "*") or value.startswith(("{{", "[["))


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.split(" #", 1)[0].rstrip()


def _repeated(inner: list[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    for number, line in enumerate(inner, 2):
        match = _KEY.match(line.rstrip()) if line[:1] not in (" ", "\t", "-", "#", "") else None
        if match:
            name = next(part for part in match.group(1, 2, 3) if part)
            if name in seen:
                return (f"line {number}: front matter has {name!r} twice; both values are kept",)
            seen.add(name)
    return ()
