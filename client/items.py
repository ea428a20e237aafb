"""The lines of a menu: their numbers, which of them a typed word means, and their listing.

For: the presenter. Never: a menu's state.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from engines.menus import Option

_LISTED = 12
"""So many things are named for one reason; the others are counted."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be picked now."""

    number: int
    """What to type; -1 if it has none."""
    label: str
    pick: Any
    target: Hashable | None = None
    chosen: bool = False

    @property
    def rest(self) -> str:
        """The label after the number, for a screen that shows the number in its own colour."""
        return self.label.removeprefix(str(self.number)).lstrip()

    def __str__(self) -> str:
        return f"{self.number} {self.rest}".rstrip()


def is_(label: str, text: str) -> bool:
    """The text is the whole label."""
    return label == text


def starts(label: str, text: str) -> bool:
    """The label begins with the text."""
    return label.startswith(text)


def word_starts(label: str, text: str) -> bool:
    """Some word of the label begins with the text."""
    return any(word.startswith(text) for word in re.split(r"[\s(),;:]+", label)) or f" {text}" in label


def listing(labels: list[str]) -> str:
    """The labels in a row, not too many of them."""
    more = len(labels) - _LISTED
    return ", ".join(labels[:_LISTED]) + (f" and {more} more" if more > 0 else "")


Labelled = tuple[Option, str, Hashable | None]


def merged(labelled: Iterable[Labelled]) -> list[Labelled]:
    """One of each label: the first that can be picked, or else the first."""
    first: dict[str, Labelled] = {}
    for entry in labelled:
        held = first.get(entry[1])
        if held is None or (held[0].why_not and not entry[0].why_not):
            first[entry[1]] = entry
    return list(first.values())


def numbered(labelled: Iterable[Labelled]) -> list[tuple[Item, str]]:
    """What is possible is numbered in order, unless the labels bring their own numbers."""
    entries = list(labelled)
    leads = [lead[0] for _, label, _ in entries if (lead := re.match(r"\d+\b", label, re.ASCII))]
    if entries and len(leads) == len(entries) == len(set(map(int, leads))):
        own = [
            (Item(int(lead), label, option.pick, target), option.why_not)
            for lead, (option, label, target) in zip(leads, entries, strict=True)
        ]
        return sorted(own, key=lambda entry: entry[0].number)
    items: list[tuple[Item, str]] = []
    number = 0
    for option, label, target in entries:
        number += not option.why_not
        items.append((Item(-1 if option.why_not else number, label, option.pick, target), option.why_not))
    return items
