"""The screens as a terminal shows them: against the captures, at any size, in any palette, with nasty names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client import hall_words
from client.commands import help_text
from client.render.base import Row
from client.screens import pages, replay
from client.screens.canvas import SMALLEST, Button, cut_row, fill, flow, framed
from client.screens.compose import choice_rows, compose, corner, item_row, top_line
from client.screens.table import ENDING
from client.style import ASCII, UNICODE, Appearance, Glyphs, choose
from client.text import _BLANKS, width
from p2p.feed import Changed, Chat
from p2p.status import Presence, SeatStatus

from .fakes import FakeFeed, started
from .scenes import COLOURED, SCENES, captures
from .screenshot import Shown

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fresh() -> dict[str, str]:
    """All captures as they are now."""
    return dict(captures())


def test_every_sign_of_ours_has_an_ascii_relation() -> None:
    """In all that is said to people: a question mark is only for what others bring along."""
    lost: dict[str, str] = {}
    for path in [one for floor in ("client", "p2p", "engines") for one in (ROOT / floor).rglob("*.py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # documentation
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
                for sign in node.value:
                    if ASCII.speak(sign) == "?" != sign:
                        lost[sign] = f"{path.relative_to(ROOT)}, line {node.lineno}"
    # What is never shown with --ascii: frames, and signs by which others' text is judged.
    assert set(lost) == set("┌┐└┘╔␡␊␍\ud800\udfff‐‑‒−") | _BLANKS, lost


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_at_every_size(name: str) -> None:
    screen = SCENES[name][0]().screen
    for columns in (*range(1, 50, 4), 79, 80, 100, 132, 200):
        for lines in (*range(1, 26), 40, 60):
            rows = screen.rows(columns, lines)
            assert len(rows) == lines
            assert all(sum(width(text) for _, text, _ in row) == columns for row in rows), (columns, lines)


def test_without_colour_nothing_is_coloured() -> None:
    def colours(look: Appearance) -> set[str]:
        shown = Shown(started(), look)
        terminal = shown.terminal(80, 24)
        return {cell.fg for line in terminal.buffer.values() for cell in line.values()}

    assert colours(Appearance(UNICODE, False)) == {"default"}
    assert len(colours(COLOURED)) > 4


def test_no_color_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert choose() == Appearance(UNICODE, True)
    assert choose(no_colour=True, ascii_only=True) == Appearance(ASCII, False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert choose() == Appearance(UNICODE, False)
    monkeypatch.setenv("NO_COLOR", "")
    assert choose().colour


@pytest.mark.parametrize(
    ("encoding", "glyphs"), [("utf-8", UNICODE), ("cp1252", ASCII), ("ascii", ASCII), ("cp437", ASCII), ("?", ASCII)]
)
def test_an_encoding_without_our_signs_gets_ascii(encoding: str, glyphs: Glyphs) -> None:
    assert choose(encoding=encoding).glyphs is glyphs


@given(st.lists(st.text(max_size=40), min_size=2, max_size=4), st.text(max_size=300), st.integers(20, 130))
@settings(max_examples=40, deadline=None)
def test_nothing_that_a_peer_sends_moves_a_frame(names: list[str], said: str, columns: int) -> None:
    feed = started(players=len(names))
    feed.names = names
    feed.status.table = said
    feed.send(Chat(1, said))
    feed.send(Chat(99, said))
    shown = Shown(feed, COLOURED)
    for row in compose(shown.screen.view, shown.screen.desk.prompt(), columns, 23):
        text = "".join(text for _, text, _ in row)
        assert width(text) == columns
        assert "\x1b" not in text
        assert "\n" not in text


def test_the_top_line_gets_shorter_but_keeps_who_is_here() -> None:
    feed = started()
    feed.status.seats[1] = SeatStatus(Presence.LOST, 7)
    feed.status.seats[2] = SeatStatus(Presence.LEFT)
    feed.send(Changed())
    view = Shown(feed, COLOURED).screen.view

    def top(columns: int) -> str:
        return "".join(text for _, text, _ in top_line(view, columns)).strip()

    assert top(90).startswith('Mâamut · table "Living room" · placing')
    assert top(90).endswith("▸Ana ● you   Beto ▲ lost 7 s   Caro ■ left")
    assert top(70).startswith("Mâamut · placing")
    assert top(40).endswith("▸Ana ● Be… ▲ ? Ca… ■ x")
    assert top(20).endswith("▸● ▲? ■x")
    feed.status.seats[1].unmet = True
    assert top(90).endswith("▸Ana ● you   Beto ▲ away   Caro ■ left")
    feed.status.seats[1].closed = True
    assert top(90).endswith("▸Ana ● you   Beto ▲ closed   Caro ■ left")
    feed.status.seats[1].relayed = True
    assert top(90).endswith("▸Ana ● you   Beto ▲ via others   Caro ■ left")
    assert top(40).endswith("▸Ana ● Be… ▲ ? Ca… ■ x")
    assert [line.text for line in view.log if "Beto" in line.text][-1] == "Beto cannot be reached"


@pytest.mark.parametrize(("seats", "relayed"), [(4, 3), (6, 1)])
def test_who_is_heard_through_others_is_seen_on_a_usual_terminal(seats: int, relayed: int) -> None:
    feed = FakeFeed("amnesia", seats)
    feed.names = ["Ana", "Beto", "Caro", "Dina", "Emil", "Fritz"][:seats]
    lost = [SeatStatus(Presence.LOST, 99, relayed=True) for _ in range(relayed)]
    feed.status.seats = [SeatStatus(Presence.YOU), *(SeatStatus() for _ in feed.names[1 + relayed :]), *lost]
    row = top_line(Shown(feed, COLOURED).screen.view, 80)
    text = "".join(text for _, text, _ in row)
    assert width(text) == 80
    assert text.count("via others") == relayed
    assert [style for style, text, _ in row if "via others" in text] == ["note"] * relayed


def test_what_is_cut_with_ascii_is_ascii() -> None:
    shown = SCENES["ascii"][0]()
    shown.feed.names = ["Anastasia", "Bartholomew", "Carolina"]
    for columns in (20, 30, 40, 60, 80):
        for lines in (4, 9, 11, 19, 23):
            for row in shown.screen.rows(columns, lines):
                assert "".join(text for _, text, _ in row).isascii(), (columns, lines)
    assert ">An. A Ba. B Ca. C" in shown.text(40, 12)


def test_where_to_learn_more_is_told_if_there_is_room() -> None:
    """Before that all pages are named."""
    shown = Shown(started(), COLOURED)
    shown.drain()
    assert "F1 rules F2 chat F3 fairness help" in shown.text(80, 24)
    view = shown.screen.view
    assert [button.value for _, _, button in corner(view) if isinstance(button, Button)][-1] == "help"
    least = sum(width(text) for _, text, _ in corner(view)[:-1]) + 1
    texts = [shown.text(columns, 24) for columns in range(least, least + 8)]
    assert all("F3 fairness" in text for text in texts)
    assert ["F3 fairness help" in text for text in texts] == [columns >= 5 for columns in range(8)]


def test_unread_chat_is_counted_until_it_is_read() -> None:
    feed = started()
    shown = Shown(feed, COLOURED)
    feed.send(Chat(1, "hello"))
    feed.send(Chat(2, "hi"))
    shown.drain()
    shown.type("say to all")  # one's own words are read
    assert "F2 chat (2)" in shown.text(80, 24)
    shown.type("chat")
    assert "Beto: hello" in shown.text(80, 24)
    shown.type("how are you?", "")
    assert feed.said == ["to all", "how are you?"]
    shown.screen.desk.back()
    assert "F2 chat F3" in shown.text(80, 24)


def test_the_waiting_room_stays_in_sight_while_one_is_asked_whether_to_leave_it() -> None:
    shown = Shown(FakeFeed(), COLOURED)
    assert "waiting room" in shown.text(80, 24)
    shown.screen.desk.ask_to_leave()
    asked = shown.text(80, 24)
    assert "waiting room" in asked
    assert "Leave the waiting room?  1 yes  2 no" in asked
    assert "1 yes" in shown.text(30, 8)


def test_a_log_that_is_scrolled_stays_where_it_is() -> None:
    feed = started()
    shown = Shown(feed, COLOURED)
    for number in range(60):
        feed.send(Chat(1, f"line {number}"))
    shown.drain()
    shown.screen._turn(-20)
    before = shown.text(80, 24)
    assert "earlier; PgDn: later" in before
    assert "line 38" in before
    feed.send(Chat(2, "one more"))
    feed.send(Changed())
    shown.drain()
    assert shown.text(80, 24).replace("(61)", "(60)") == before
    shown.screen._turn(1000)
    assert "one more" in shown.text(80, 24)


def test_choices_and_tiles_are_clickable_where_they_are_seen() -> None:
    shown = Shown(started(), COLOURED)
    rows = shown.screen.rows(80, 23)
    assert any(target == Button("item", 13) and "e7" in text for row in rows for _, text, target in row)
    assert any(target == (3, -1) and "e7" in text for row in rows for _, text, target in row)


def clickable(rows: list[Row], kind: str) -> str:
    """The words of all buttons of that kind."""
    return "".join(text for row in rows for _, text, to in row if isinstance(to, Button) and to.kind == kind)


def test_within_a_choice_the_way_back_is_shown() -> None:
    shown = Shown(started(), COLOURED)
    assert "Esc back" not in shown.text(80, 24)
    shown.type("d1", "discard")
    assert "Esc back" in shown.text(80, 24)
    assert clickable(shown.screen.rows(80, 23), "back") == "Esc back"
    shown.screen._clicked(Button("back", 0))
    assert "Esc back" not in shown.text(80, 24)
    shown.type("leave")
    assert "Esc back" in shown.text(80, 24)


@pytest.mark.parametrize("size", [(30, 10), (20, 5)])
def test_choices_that_do_not_fit_are_on_a_page(size: tuple[int, int]) -> None:
    shown = Shown(started(), COLOURED)
    assert " … choices" in shown.text(*size)
    wide = choice_rows(shown.screen.view, shown.screen.desk.prompt(), 40, 2)[-1]
    assert "".join(text for _, text, _ in wide).endswith(" … more: choices")
    assert Button("page", "choices") in {to for row in shown.screen.rows(size[0], size[1] - 1) for *_, to in row}
    shown.screen._clicked(Button("page", "choices"))
    page = shown.text(80, 24)
    items = shown.screen.desk.prompt().items
    assert all(f"{item.number:>4}  {item.rest}" in page for item in items[:15])
    shown.type("d1")
    assert shown.screen.desk.page == ""
    shown = Shown(started(), COLOURED)
    shown.type("choices")  # the word that is named there
    assert shown.screen.desk.page == "choices"


@pytest.mark.parametrize("size", [(60, 20), (50, 30), (40, 12), (33, 9), (30, 10), (29, 11), (24, 7), (20, 5)])
def test_a_choice_that_is_cut_says_so(size: tuple[int, int]) -> None:
    """At every step of a turn: whatever is not there in full ends in an ellipsis."""
    for typed in ((), ("move",), ("move 2",), ("discard",)):
        shown = SCENES["turn"][0]()
        shown.type(*typed)
        view, prompt = shown.screen.view, shown.screen.desk.prompt()
        whole = ["".join(text for _, text, _ in item_row(view, prompt, item)) for item in prompt.items]
        seen: dict[int, str] = {}
        for row in shown.screen.rows(size[0], size[1] - 1):
            last = None
            for _, text, to in row:
                last = (
                    to if isinstance(to, Button) and to.kind == "item" else last if text.lstrip()[:1] == "…" else None
                )
                if last is not None:
                    seen[int(last.value)] = seen.get(int(last.value), "") + text
        for item, words in zip(prompt.items, whole, strict=True):
            found = seen.get(item.number, words)
            assert found == words or "…" in found, (found, words)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12), (30, 10), (20, 5)])
def test_on_every_page_one_sees_that_it_is_ones_turn(size: tuple[int, int]) -> None:
    for page in pages.TITLES:
        shown = SCENES["turn"][0]()
        menu, shown.feed.menu = shown.feed.menu, None
        shown.screen.desk.open(page)
        assert "your turn" not in shown.text(*size).splitlines()[-2]
        shown.feed.menu = menu
        assert "your turn: Esc" in shown.text(*size).splitlines()[-2], page
        assert clickable(shown.screen.rows(size[0], size[1] - 1), "page").strip().startswith("your turn: Esc")
    assert "Enter says it" in _chatting().text(80, 24)
    shown.screen.desk.open("")
    assert "your turn:" not in shown.text(*size)  # there what is asked stands for itself


def _chatting() -> Shown:
    shown = SCENES["turn"][0]()
    shown.type("chat")
    return shown


@pytest.mark.parametrize(("columns", "foot"), [(80, 0), (60, 1), (50, 1), (30, 2), (20, 2)])
def test_what_can_be_done_at_the_end_is_told_in_as_many_words_as_fit(columns: int, foot: int) -> None:
    last = SCENES["finished"][0]().text(columns, 24).splitlines()[-2]
    assert last.strip().startswith(ENDING[foot])
    assert ENDING[1] == "Ctrl-R again   Esc table   Ctrl-C close"
    low = SCENES["finished"][0]().text(60, 8).splitlines()[-2]
    assert low.strip() == f"{ENDING[1]} PgUp PgDn"


def test_a_waiting_room_that_does_not_fit_can_be_scrolled() -> None:
    shown = SCENES["lobby"][0]()
    assert "7117" not in shown.text(30, 10)
    assert " … more" in shown.text(30, 10)
    shown.screen._turn(100)
    assert " … more" not in shown.text(30, 10)
    assert "7117" in shown.text(30, 10)
    shown.screen._turn(-100)
    assert " … more" in shown.text(30, 10)


@pytest.mark.parametrize("size", [(80, 24), (30, 10), (20, 5)])
def test_how_to_leave_the_waiting_room_is_always_shown(size: tuple[int, int]) -> None:
    assert "Ctrl-C leaves" in SCENES["lobby"][0]().text(*size)


def test_where_nobody_hears_it_says_so() -> None:
    waiting = SCENES["lobby"][0]()
    waiting.type("nonsense")
    assert "the game has not begun" in waiting.text(80, 24)
    waiting.type("say hello")
    assert "Ana: hello" in waiting.text(80, 24)
    assert waiting.feed.said == ["hello"]
    alone = SCENES["lobby"][0]()
    alone.feed.status.players = 0
    alone.type("say hello")
    assert "Nobody hears you yet: there is no table." in alone.text(80, 24)
    over = SCENES["finished"][0]()
    over.type("chat")
    assert "The table is closed: nobody hears you any more." in over.text(80, 24)
    assert "Enter says it" not in over.text(80, 24)
    over.type("bye")
    assert alone.feed.said == over.feed.said == []


@pytest.mark.parametrize("text", [help_text(), help_text(keys=False), hall_words.HELP, replay.HELP])
def test_the_columns_of_a_help_page_fit_into_a_usual_terminal(text: str) -> None:
    columns = [line for line in text.splitlines() if re.search(r"\S {2,}\S", line)]
    assert columns
    assert [line for line in columns if width(line) > pages.inner_width(80, 24)] == []


def test_smallest_size_is_usable() -> None:
    shown = Shown(started(), COLOURED)
    text = shown.text(*SMALLEST)
    assert "1 d7" in text
    shown.type("d1")
    assert "1 move" in shown.text(*SMALLEST)


def test_canvas() -> None:
    row: Row = [("a", "日本", None), ("b", "xyz", None)]
    assert cut_row(row, 3) == [("a", "日", None)]
    assert fill([row], 3, 2) == [[("a", "日", None), ("", " ", None)], [("", "   ", None)]]
    assert [len(r) for r in flow([[("", "one", None)], [("", "two", None)], [("", "three", None)]], 8)] == [3, 1]
    box = ["".join(text for _, text, _ in row) for row in framed("a long title", [row], 8, 3, UNICODE)]
    assert box == ["┌ a lo…┐", "│日本xy│", "└──────┘"]
