"""The lobby as a state: what can be chosen on each of its pages, and what a key, a line or a click does.

For: the lobby's screen and its plain mode, which understand the same. Never: prompt_toolkit, trio, the network; what
was heard of tables is handed in, what a person decides is left in `wish`.

Theory of operation: a page is a list of entries, one of them selected. Tables keep the number that they were first
shown with, so that a table that vanishes never puts another one under a finger; numbers begin at 1 again when the lobby
is entered anew. That of a table which has gone long ago is given again. What needs words (a name, an address,
a code) is a page with a line to be typed; the form for a new table is a page whose entries can be changed.

    tables --h--> form --open--> Open            tables --j--> address --Enter--> Join
    tables --Enter on a table--> Join, or on a private one: code --Enter--> Join
    tables --Enter on a game that was interrupted--> Resume         past --Enter--> Watch, --v--> Verify
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from enum import Enum

from p2p.announcement import Announcement
from p2p.history import Past
from p2p.offers import key

from .entries import Entry, Join, Open, Quit, Verify, Wish, past_entries, table_entries, unfinished_entries
from .form import NAME_BYTES, Form
from .numbers import Numbers
from .pasted import impossible_port, place_and_code
from .text import clean, clean_name

PATIENCE = 5.0
"""Seconds without any table until the lobby explains how to join by address."""


class Page(Enum):
    """What the lobby shows. The value is the title."""

    TABLES = "tables in this network"
    FORM = "a new table"
    ADDRESS = "join by address, table name or code"
    CODE = "the code of a private table"
    NAME = "your name"
    PAST = "past games"
    HELP = "help"
    RULES = "rules"


ENDS_BOTS = "Quit again: that ends your bots' game."
GONE = "That table is gone."

_MOST_TYPED = 200
_MOST_BEGUN = 3
"""So many interrupted games are offered, the latest; `p2pgame resume` knows all."""
TYPED = (Page.ADDRESS, Page.CODE, Page.NAME)
READ = (Page.HELP, Page.RULES)


COMMANDS: Mapping[Page, Sequence[tuple[str, str, str]]] = {
    Page.TABLES: (
        ("h", "host", "host a table"),
        ("j", "join", "join by address or code"),
        ("p", "past", "past games"),
        ("n", "name", "your name"),
        ("?", "help", "help"),
        ("q", "quit", "quit"),
    ),
    Page.FORM: (("", "open", "open the table"), ("?", "rules", "rules of the game"), ("", "back", "back")),
    Page.PAST: (("v", "verify", "verify it"), ("", "back", "back")),
}
"""Per page: key, word, and what it does."""


class Hall:
    """The lobby of one player. `own`: the key; `known`: names of players by the fingerprint of their key."""

    def __init__(self, me: str, own: bytes = b"", known: Mapping[str, str] | None = None) -> None:
        self.me = me
        self.own = own
        self.known = dict(known or {})
        self.page = Page.TABLES
        self.form = Form(me)
        self.typed = ""
        self._fresh = False
        self.note = ""
        self.scroll = 0
        self.waited = 0.0
        """Seconds since the lobby was opened."""
        self.problem = ""
        self.wish: Wish | None = None
        self.past: list[Past] = []
        """The games that are over; see `found`."""
        self._unfinished: list[Past] = []
        self._listed: tuple[Page, list[Entry]] | None = None
        self._tables: dict[str, Announcement] = {}
        self._numbers = Numbers()
        self._selected: Hashable = None
        self._resting: Hashable = None
        """Where the mark is until somebody moves it."""
        self.asked: Announcement | None = None
        """The private table whose code is asked for."""
        self._asked_heard = True
        self.bots_at: list[str] = []
        """Names of tables where bots of this player play on alone."""

    # -- what is there ---------------------------------------------------------------------------------------------

    def hear(self, tables: Mapping[str, Announcement], problem: str = "") -> None:
        """The tables that are open now."""
        self._numbers.see((*(past.table for past in self._unfinished), *map(key, self._tables.values())), self.waited)
        self._tables, self.problem, self._listed = dict(tables), problem, None
        if self.page is Page.CODE and self.asked is not None:
            self._asked_heard = self._asked_heard or self.asked.instance in self._tables
            if self._asked_gone:
                self.note = GONE  # on this page still: what is being typed is no shortcut of another
            elif self.note == GONE:
                self.note = ""

    @property
    def _asked_gone(self) -> bool:
        return self._asked_heard and self.asked is not None and self.asked.instance not in self._tables

    def reopen(self) -> None:
        """The lobby is shown, for the first time or again: what is not heard of yet is not gone, and as nothing is
        under a finger yet, numbers begin at 1."""
        self._tables, self._listed, self.waited, self._asked_heard = {}, None, 0.0, False
        self._numbers.clear()

    def failed(self, why: str, *, mistyped: bool) -> None:
        """Nothing came of the wish. `mistyped`: what was typed can be corrected."""
        if self.page is Page.CODE and not mistyped:
            self.back()
        self.note = why

    def tell(self, news: str) -> None:
        """Something has happened elsewhere."""
        self.note = f"{self.note}\n{news}".strip()

    @property
    def busy(self) -> str:
        """What goes on in this program besides."""
        tables = " and ".join(f"“{clean_name(name)}”" for name in self.bots_at)
        return f"Your bots play on at {tables}." if tables else ""

    def quit(self) -> None:
        """Leave the program; if that ends something, only when it is wished a second time."""
        if self.bots_at and self.note != ENDS_BOTS:
            self.page, self.note = Page.TABLES, ENDS_BOTS
        else:
            self._decide(Quit())

    def found(self, unfinished: Sequence[Past], past: Sequence[Past]) -> None:
        """The games in the profile."""
        self._unfinished, self.past, self._listed = list(unfinished[:_MOST_BEGUN]), list(past), None

    @property
    def lonely(self) -> bool:
        """Nothing was heard of for a while: other ways in have to be shown."""
        return not self._tables and (self.waited >= PATIENCE or bool(self.problem))

    @property
    def entries(self) -> list[Entry]:
        """What can be chosen on this page."""
        if self._listed is None or self._listed[0] is not self.page:
            self._listed = (self.page, self._list())
        return self._listed[1]

    def _list(self) -> list[Entry]:
        if self.page is Page.TABLES:
            begun = unfinished_entries(self._unfinished, self.own, self._numbers.of)
            return [*begun, *table_entries(self._tables.values(), self.known, self._numbers.of)]
        return past_entries(self.past) if self.page is Page.PAST else []

    # -- what is selected ------------------------------------------------------------------------------------------

    @property
    def selected(self) -> Hashable:
        """The key of the entry that Enter would choose; of the form's field that is being filled."""
        keys = self._keys()
        if self._selected in keys:
            return self._selected
        # Until somebody moves the mark, it is where Enter does something, and stays there: what is new may come first.
        possible = [] if self.page is Page.FORM else [entry.key for entry in self.entries if not entry.why_not]
        if self._resting not in possible:
            self._resting = next(iter(possible or keys), None)
        return self._resting

    def _keys(self) -> list[Hashable]:
        if self.page is Page.FORM:
            return [*(one.key for one in self.form.fields), "open"]
        return [entry.key for entry in self.entries]

    @property
    def fresh(self) -> bool:
        """What is typed next takes the place of what stands there: the name of before."""
        return self._fresh and bool(self.typed)

    def select(self, there: Hashable) -> None:
        """Put the mark there."""
        self._selected, self._resting = there, None
        self.form.settle()

    def move(self, by: int) -> None:
        """The mark goes up or down, or a text that is read does."""
        keys, here = self._keys(), self.selected
        if self.page in READ or here is None:
            self.scroll = max(0, self.scroll + by)
        else:
            self.select(keys[min(len(keys) - 1, max(0, keys.index(here) + by))])

    # -- what is decided -------------------------------------------------------------------------------------------

    def _decide(self, wish: Wish) -> None:
        if isinstance(wish, Join) and wish.table is not None and wish.table.private and not wish.code:
            self.asked, self._asked_heard = wish.table, True
            self._open(Page.CODE)
        else:
            self.wish = wish

    def choose(self, entry: Entry) -> None:
        """Take that entry, if it can be taken."""
        self.select(entry.key)
        self.note = ""
        if entry.why_not:
            self.note = f"{entry.cells[0]}: {entry.why_not}"
        else:
            self._decide(entry.wish)

    def enter(self) -> None:
        """Enter: take what is selected, or what was typed."""
        self.note = ""
        if self.page in TYPED:
            self._enter_typed()
        elif self.page is Page.FORM:
            if self.selected == "open":
                self.command("open")
            else:
                self.move(1)
        elif self.page in READ:
            self.back()
        else:
            entry = next((entry for entry in self.entries if entry.key == self.selected), None)
            if entry is not None:
                self.choose(entry)
            elif self.page is Page.TABLES:
                self.note = "No table is open yet: h hosts one, j joins by address."

    def _enter_typed(self) -> None:
        text = self.typed.strip()
        if not text:
            self.back()
        elif self.page is Page.ADDRESS:
            self._enter_place(text)
        elif self.page is Page.CODE and self._asked_gone:
            self.back()
            self.note = GONE
        elif self.page is Page.CODE:
            where, code = place_and_code(text)
            self._decide(Join(self.asked, code=code or where or text))
        elif len(text.encode("utf-8", "replace")) > NAME_BYTES or not text.isprintable():
            self.note = f"A name has at most {NAME_BYTES} bytes, and only visible characters."
        else:
            if self.form.field("name").value == f"{self.me}'s table":
                self.form.field("name").value = f"{text}'s table"
            self.me = text
            self.back()

    def _enter_place(self, text: str) -> None:
        where, code = place_and_code(text)
        named = any(one.table_name.casefold() == where.casefold() for one in self._tables.values())
        if not where:  # `p2pgame join` finds what is listed here
            self.back()
        elif not named and (wrong := impossible_port(where)):
            self.note = wrong
        else:
            self._decide(Join(None, where, code))

    def command(self, word: str) -> None:
        """A word of COMMANDS."""
        if word == "quit":
            self.quit()
            return
        self.note = ""
        pages = {
            "host": Page.FORM,
            "join": Page.ADDRESS,
            "past": Page.PAST,
            "name": Page.NAME,
            "help": Page.HELP,
            "rules": Page.RULES,
        }
        if word in pages:
            self._open(pages[word])
        elif word == "open":
            self._open_table()
        elif word == "verify":
            past = next((past for past in self.past if past.path == self.selected), None)
            if past is not None:
                self._decide(Verify(past))
        else:
            self.back()

    def _open_table(self) -> None:
        """Unless something is in the way: that is marked then, and says what."""
        wrong = self.form.hold() or ("open" if self.form.trouble else "")
        if wrong:
            self.select(wrong)
        else:
            self._decide(Open(self.form.plan(), self.form.bots, self.form.private))

    def _open(self, page: Page) -> None:
        if page not in READ:  # after which one goes on where one was
            self.select(None)
        self.page, self.scroll = page, 0
        self.typed, self._fresh = self.me if page is Page.NAME else "", True

    def back(self) -> None:
        """Esc: one page back."""
        self.note = ""
        if self.page not in READ:
            self.select(None)
        self.page = Page.FORM if self.page is Page.RULES else Page.TABLES

    # -- keys and lines --------------------------------------------------------------------------------------------

    def char(self, char: str) -> None:
        """A character was typed, on a screen: into a field, or it is a shortcut, or the number of an entry to mark."""
        if self.page in TYPED:
            self.typed, self._fresh = (char if self._fresh else self.typed + char)[:_MOST_TYPED], False
            self._corrected()
        elif self.page is Page.FORM and (char != "?" or self.form.is_text(self.selected)):
            self._fill(char)
        elif word := next((word for key, word, _ in COMMANDS.get(self.page, ()) if key == char), ""):
            self.command(word)
        else:
            marked = next((entry.key for entry in self.entries if str(entry.number) == char), None)
            self._selected = self._selected if marked is None else marked

    def _corrected(self) -> None:
        """What was wrong with what was typed before is old."""
        self.note = GONE if self.page is Page.CODE and self._asked_gone else ""

    def _fill(self, char: str) -> None:
        if self.selected != "open":
            field = self.form.field(str(self.selected))
            field.type(char)
            self.form.changed(field.key)

    def erase(self) -> None:
        """Backspace."""
        if self.page in TYPED:
            self.typed, self._fresh = self.typed[:-1], False
            self._corrected()
        elif self.page is Page.FORM and self.selected != "open":
            self.form.field(str(self.selected)).erase()

    def paste(self, text: str) -> None:
        """Pasted text is only ever text: it goes into a field, or nowhere."""
        for char in " ".join(text.split())[:_MOST_TYPED]:
            if self.page in TYPED:
                self.char(char)
            elif self.page is Page.FORM:
                self._fill(char)

    def step(self, by: int) -> None:
        """Left and right: another value for the selected field of the form."""
        if by and self.page is Page.FORM and self.selected != "open":
            field = self.form.field(str(self.selected))
            field.step(by)
            self.form.changed(field.key)

    def line(self, text: str) -> None:
        """A whole line was typed, in plain mode."""
        words, self.note = text.strip(), ""
        folded = words.casefold()
        if self.page in TYPED:
            self.typed = words
            self._enter_typed()
        elif self.page in READ or not words:
            self.back()
        elif command := self._command_of(folded):
            self.command(command)
            if command == "open" and self.wish is None:
                self.note = self.form.trouble
        elif self.page is Page.FORM:
            self._form_line(words)
        else:
            self._entry_line(folded)

    def _command_of(self, folded: str) -> str:
        commands = COMMANDS.get(self.page, ())
        return next((word for key, word, _ in commands if folded in (key, word) and folded), "")

    def _form_line(self, words: str) -> None:
        key, _, value = words.replace("=", " ", 1).partition(" ")
        try:
            field = self.form.field(key.casefold())
        except KeyError:
            self.note = f"There is no line {clean(key, 30)} here; write one of its words and the new value."
            return
        self.note = field.put(value)
        self.form.changed(field.key)

    def _entry_line(self, folded: str) -> None:
        verb, _, rest = folded.partition(" ")
        entries = self.entries
        wanted = rest if verb == "verify" and self.page is Page.PAST else folded
        found = [entry for entry in entries if str(entry.number) == wanted]
        if not found and self.page is Page.TABLES:
            found = [entry for entry in entries if entry.cells[0].casefold() == wanted]
        if len(found) != 1:
            self.note = f"“{clean(folded, 40)}” is no choice here."
        elif wanted is rest:
            self.select(found[0].key)
            self.command("verify")
        else:
            self.choose(found[0])
