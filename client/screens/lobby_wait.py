"""The waiting room: which seats are taken, and how others get in. For the host and for those who joined.

For: the time before `feed.run`. Never: prompt_toolkit, IO; an address is text here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from p2p.status import Status

from ..render.base import Row
from ..style import shape
from ..text import clean, clean_name, wrap
from ..view import TableView
from .canvas import Button, fill, framed


def join_commands(status: Status) -> list[str]:
    """What a newcomer types, the simplest first."""
    if status.code:
        code, addresses = clean(status.code, 80), [shlex.quote(clean(one, 80)) for one in status.addresses]
        return [f"p2pgame join {code}", *(f"p2pgame join {address} --code {code}" for address in addresses)]
    return [f"p2pgame join {shlex.quote(clean(address, 80))}" for address in status.addresses] or ["p2pgame join"]


def missing(status: Status) -> int:
    """Seats that are still free."""
    return max(0, status.players - len(status.taken))


def headline(view: TableView) -> str:
    """What we wait for."""
    status = view.feed.status
    if status.fault:
        return clean(status.fault)
    if not status.players and status.waiting_why:
        return f"{clean(status.waiting_why)} …"
    if not status.players:
        return "Looking for the table …"
    free = missing(status)
    if free:
        return f"Waiting for {free} more player{'s' * (free > 1)} …"
    if status.waiting_why:
        return f"Waiting for everybody {clean(status.waiting_why)} …"
    return "All seats are taken: the game begins …"


def lines(view: TableView) -> Iterator[tuple[str, str]]:
    """Style and text of each line."""
    status = view.feed.status
    if not status.game:
        yield "note", headline(view)  # nothing is known of the table yet
        return
    yield "title", f'{view.title} at table "{view.table_name}"'
    if status.options:
        yield "dim", clean(", ".join(f"{key}: {value}" for key, value in status.options.items()))
    yield "", ""
    for seat in range(max(status.players, len(status.taken))):
        sign = shape(view.glyphs, seat)
        if seat < len(status.taken):
            host = " (host)" if seat == 0 else ""
            called = f", {status.titles[seat]}" if any(status.titles[seat : seat + 1]) else ""
            yield f"seat{seat % 4}", f" {sign} {clean_name(status.taken[seat])}{host}{called}"
        else:
            yield "dim", f" {sign} free"
    yield "", ""
    yield "note", headline(view)
    if missing(status):
        yield "", ""
        yield "", "Others join with" if status.hosting else "Others can still join with"
        for command in join_commands(status):
            yield "number", f"  {command}"
        if status.hosting and not status.code:
            yield "dim", "or simply: p2pgame join (it finds open tables in this network)"
    if status.table_id:
        yield "", ""
        yield "dim", f"table id {clean(status.table_id, 80)}"


def text(view: TableView) -> str:
    """For the plain mode."""
    return view.glyphs.speak("\n".join(line for _, line in lines(view)))


def compose(view: TableView, columns: int, rows: int) -> list[Row]:
    """Exactly `rows` rows of exactly `columns`."""
    roomy = rows >= 12 and columns >= 40
    inner = columns - 4 if roomy else columns
    out: list[Row] = []
    for style, line in lines(view):
        if line or roomy:
            out += [[(style, piece, None)] for piece in wrap(view.glyphs.speak(line), inner, "    ")]
    talk: list[Row] = [[(line.style, piece, None)] for line in view.log for piece in wrap(line.text, inner, "  ")]
    room = rows - (3 if roomy else 1) - len(out)
    if talk and room > 1:
        out += [[], *talk[-(room - 1) :]]
    foot: Row = [("dim", " F1 rules", Button("page", "rules")), ("dim", " F2 chat", Button("page", "chat"))]
    foot.append(("dim", "  Ctrl-C leaves", Button("leave", 0)))
    if roomy:
        inside: list[Row] = [[("", " ", None), *row] for row in out]
        return [*framed("waiting room", inside, columns, rows - 1, view.glyphs), *fill([foot], columns, 1)]
    return [*fill(out, columns, rows - 1), *fill([foot], columns, 1)]
