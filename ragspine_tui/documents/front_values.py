"""The values of a front matter as the strings a person wrote: bounded in number and in the work they cost."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import yaml

from ragspine_tui.documents.fields import MAX_NAME, MAX_VALUE
from ragspine_tui.documents.labels import FIELD, UNKNOWN, distinct, folded, label_named

Values = list[tuple[str, str]]

_LOADER: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_MAX_CHARS: Final = 262_144
_MAX_DEPTH: Final = 8
_MAX_VALUES: Final = 5_000
# Aliases let a few lines stand for billions of nodes.
_MAX_VISITS: Final = 50_000
# libyaml and tomllib descend once for each bracket; people nest a few.
_MAX_NESTING: Final = 200
_DEEP_LINE: Final = re.compile(r"(?m)^[ \t]*+(?:[-?:][ \t]++){5}")
_MAX_DOTS: Final = 50


def is_too_much(text: str) -> bool:
    """Whether a front matter is too large or too deep for the parsers."""
    return (
        len(text) > _MAX_CHARS
        or text.count("[") + text.count("{") > _MAX_NESTING
        or bool(_DEEP_LINE.search(text))
        or any(part.rpartition("\n")[2].count(".") > _MAX_DOTS for part in text.split("="))
    )


def yaml_values(text: str) -> Values:
    """The labels, then all other values, by dotted names; ValueError or YAMLError where it is no mapping."""
    # The composed nodes keep what a person wrote: no types, and repeated keys are still there.
    node = yaml.compose(text, Loader=_LOADER)
    if node is None:
        return []
    if not isinstance(node, yaml.MappingNode):
        raise ValueError("no `key: value` lines")
    return _with_labels(_yaml_labels(node), _YamlWalk(text).values(node, "", 0))


def toml_values(text: str) -> Values:
    """The labels, then all other values, by dotted names; TOMLDecodeError where it is not TOML."""
    table = tomllib.loads(text)
    return _with_labels(_toml_labels(table), _toml_items(table, "", 0))


def _with_labels(labels: Iterator[str], values: Iterator[tuple[str, str]]) -> Values:
    """Labels come first: no bound on number or length leaves one out."""
    others = (pair for pair in islice(values, _MAX_VALUES) if folded(pair[0][:MAX_NAME]) != FIELD)
    return [*((FIELD, label) for label in distinct(labels)), *others]


def _yaml_labels(root: yaml.Node) -> Iterator[str]:
    """The labels under a key anywhere, each node once however many aliases lead to it."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if not isinstance(node, yaml.MappingNode):
            waiting.extend(node.value)
            continue
        for key, value in node.value:
            waiting += (key, value)
            if isinstance(key, yaml.ScalarNode) and _is_label_key(key.value):
                yield label_named(value.value) if isinstance(value, yaml.ScalarNode) else UNKNOWN


def _toml_labels(root: Any) -> Iterator[str]:
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            for key, inner in value.items():
                if _is_label_key(key):
                    yield label_named(inner) if isinstance(inner, str) else UNKNOWN


def _is_label_key(key: str) -> bool:
    return len(key) <= MAX_NAME and folded(key) == FIELD


class _YamlWalk:
    """One walk over composed nodes that visits no more of them than _MAX_VISITS, aliases counted each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._visits = 0

    def values(self, node: yaml.Node, name: str, depth: int) -> Iterator[tuple[str, str]]:
        self._visits += 1
        if self._visits > _MAX_VISITS:
            return
        if isinstance(node, yaml.ScalarNode):
            yield name, str(node.value)
        elif depth > _MAX_DEPTH or self._is_template(node):
            yield name, self._written(node)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from self._item(item, name, depth + 1)
                if self._visits > _MAX_VISITS:
                    return
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode):
                    yield from self.values(value, _joined(name, str(key.value)), depth + 1)
                if self._visits > _MAX_VISITS:
                    return

    def _item(self, item: yaml.Node, name: str, depth: int) -> Iterator[tuple[str, str]]:
        """A list's item; an unquoted `[[Note]]` is one link to a person, though a list in a list to YAML."""
        start = item.start_mark.index
        if isinstance(item, yaml.SequenceNode) and self._text.startswith("[[", start):
            self._visits += 1
            yield name, self._written(item)
        else:
            yield from self.values(item, name, depth)

    def _is_template(self, node: yaml.Node) -> bool:
        """`{{date}}`: a mapping whose key is a mapping; or `[[Note]]` written as a bare value."""
        if isinstance(node, yaml.MappingNode):
            return any(not isinstance(key, yaml.ScalarNode) for key, _ in node.value)
        lone = isinstance(node, yaml.SequenceNode) and len(node.value) == 1
        return lone and self._text.startswith("[[", node.start_mark.index)

    def _written(self, node: yaml.Node) -> str:
        """As it stands in the file, no longer than what shows that it is too long."""
        start = node.start_mark.index
        return self._text[start : min(node.end_mark.index, start + MAX_VALUE + 1)]


def _toml_items(value: Any, name: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, (dict, list)) and depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _toml_items(inner, _joined(name, key), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _toml_items(inner, name, depth + 1)
    elif isinstance(value, bool):
        yield name, str(value).lower()
    elif isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        yield name, value.isoformat()
    else:
        yield name, str(value)


def _joined(name: str, key: str) -> str:
    """A dotted name, no longer than what shows that it is too long."""
    return (f"{name}.{key[: MAX_NAME + 1]}" if name else key)[: MAX_NAME + 1]
