"""The waiting room: which seats are taken, and how others get in. For the host and for those who joined.

For: the time before `feed.run`. Never: prompt_toolkit, IO; an address is text here.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines import registry
from p2p.status import Status

from ..render.base import Row, row_width
from ..style import shape
from ..text import clean, clean_names, wrap
from ..view import TableView
from .canvas import Button, fill, framed, part_of


def join_commands(status: Status) -> list[str]:
    """What a newcomer types, the simplest first."""
    addresses = [_quoted(clean(one, 80)) for one in status.addresses]
    if status.code:
        code = clean(status.code, 80)
        return [f"p2pgame join {code}", *(f"p2pgame join {address} --code {code}" for address in addresses)]
    return [f"p2pgame join {address}" for address in addresses] or ["p2pgame join"]


def _quoted(address: str) -> str:
    """As every shell takes it: cmd knows no other quotes, and to some shells brackets are a pattern."""
    return f'"{address}"' if "[" in address else address


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
        return "The table is being opened …" if status.hosting else "Looking for the table …"
    free = missing(status)
    if free and status.shut and not status.kept:
        return clean(status.shut)
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
        yield "dim", clean(", ".join(_option(status.game, *option) for option in status.options.items()))
    yield "", ""
    names = clean_names(status.taken)
    for seat in range(max(status.players, len(names))):
        sign = shape(view.glyphs, seat)
        if seat < len(names):
            host = " (host)" if seat == 0 else ""
            called = f", {status.titles[seat]}" if any(status.titles[seat : seat + 1]) else ""
            yield f"seat{seat % 4}", f" {sign} {names[seat]}{host}{called}"
        else:
            yield "dim", f" {sign} free"
    yield "", ""
    yield "note", headline(view)
    if not (status.players or status.fault):
        yield (
            "dim",
            "It opens when they choose “again”; you need no code. If they do not come, leave with Ctrl-C and host a "
            "table yourself.",
        )
    if missing(status):
        yield "", ""
        yield from _ways_in(status)
    if status.table_id:
        yield "", ""
        yield "dim", f"table id {clean(status.table_id, 80)}"


def _option(game: str, key: str, value: object) -> str:
    spec = registry.option_specs(game).get(key) if game in registry.GAMES else None
    return f"{key}: {spec.say(value) if spec else value}"


def _ways_in(status: Status) -> Iterator[tuple[str, str]]:
    """How the free seats are taken."""
    if status.kept and not status.hosting:
        yield "", "The seats are kept for those who played before; others need the code that the host sees."
        return
    if status.kept:
        yield "", "The seats are kept for those who played before: they need no code."
    if status.shut and status.kept:
        yield "note", clean(status.shut)
    elif not status.shut:
        commands = join_commands(status)
        which = " one of" if len(commands) > 1 else ""
        yield "", f"Others join with{which}" if status.hosting else f"Others can still join with{which}"
        for command in commands:
            yield "number", f"  {command}"
        if any("%" in address for address in status.addresses):
            yield (
                "dim",
                "What stands after % is an interface of this computer: others write one of their own, which "
                "`p2pgame doctor` lists.",
            )
    if status.hosting and not status.code:
        yield "dim", "or simply: p2pgame join (it finds open tables in this network)"
    if status.hosting:
        yield "dim", "bots 1 (or more) puts bots of yours on free seats"


def text(view: TableView) -> str:
    """For the plain mode."""
    return view.glyphs.speak("\n".join(line for _, line in lines(view)))


def compose(view: TableView, columns: int, rows: int, scroll: int = 0, note: str = "") -> list[Row]:
    """Exactly `rows` rows of exactly `columns`. `note`: the answer to the last input."""
    room, inner = _room(columns, rows)
    said = _said(view, note, inner)
    out = fill(part_of(_content(view, inner, room - len(said)), scroll, room - len(said), view.glyphs), inner, room)
    out[room - len(said) :] = said
    buttons = (Button("page", "rules"), Button("page", "chat"), Button("leave", 0))
    for words in ((" F1 rules", " F2 chat", "  Ctrl-C leaves"), (" F1", " F2", " Ctrl-C leaves")):
        foot: Row = [("dim", word, button) for word, button in zip(words, buttons, strict=True)]
        if row_width(foot) <= columns:
            break
    if room < rows - 1:
        inside: list[Row] = [[("", " ", None), *row] for row in out]
        return [*framed("waiting room", inside, columns, rows - 1, view.glyphs), *fill([foot], columns, 1)]
    return [*fill(out, columns, rows - 1), *fill([foot], columns, 1)]


def last_scroll(view: TableView, columns: int, rows: int, note: str = "") -> int:
    """The furthest that it can be scrolled."""
    room, inner = _room(columns, rows)
    room -= len(_said(view, note, inner))
    return max(0, len(_content(view, inner, room)) - room)


def _room(columns: int, rows: int) -> tuple[int, int]:
    """Lines and columns, with a frame around them where there is enough."""
    return (rows - 3, columns - 4) if rows >= 12 and columns >= 40 else (rows - 1, columns)


def _said(view: TableView, note: str, inner: int) -> list[Row]:
    words = view.glyphs.speak(note.replace("\n", " "))
    return [[("note", piece, None)] for piece in wrap(words, inner)[:2]] if words else []


def _content(view: TableView, inner: int, room: int) -> list[Row]:
    """All of it, and of what has happened as much as there is room for."""
    out: list[Row] = []
    for style, line in lines(view):
        if line or inner >= 36:
            lead = "    " if line.startswith(" ") else ""
            out += [[(style, piece, None)] for piece in wrap(view.glyphs.speak(line), inner, lead)]
    talk: list[Row] = [[(line.style, piece, None)] for line in view.log for piece in wrap(line.text, inner, "  ")]
    left = room - len(out)
    return [*out, [], *talk[-(left - 1) :]] if talk and left > 1 else out
