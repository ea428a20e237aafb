"""A table without a network: the feed that a screen sits on, backed by the trusted dealer, with bots in other seats."""

from __future__ import annotations

from typing import Any

import trio

from client.app import Main, T, run_full_screen
from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Choice, Look, Menu, Seat
from engines.requests import Ask, Game, Tell
from engines.run import Run
from p2p.feed import Asked, Changed, Chat, Finished, Told, Update
from p2p.status import Phase, Presence, SeatStatus, Status

NAMES = ["Ana", "Beto", "Caro", "Dina"]


class Steady:
    """Random legal choices, but never a proposal to end the game, or consent to one: games get somewhere."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self._chance = chance

    def notice(self, event: Tell) -> None:
        """Nothing is remembered."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """Any legal choice but those."""
        verbs = {act.verb for act in menu.acts}
        if "agree" in verbs:
            return Choice([act.verb for act in menu.acts].index("refuse"))
        while True:
            choice = menu.sample(self._chance, look)
            if menu.acts[choice.act].verb != "propose":
                return choice


class FakeFeed:
    """One seat at a table of bots. `paced`: `run_paced` plays on with pauses; else every choice does, at once."""

    def __init__(self, game: str = "maamut", players: int = 3, seat: Seat = 0, seed: int = 1) -> None:
        self._send, self.updates = trio.open_memory_channel[Update](10_000)
        self.seat: Seat | None = seat
        self.names = NAMES[:players]
        self.menu: Menu | None = None
        self.decided: dict[Seat, Choice] = {}
        self.chosen: list[Choice] = []
        self.said: list[str] = []
        self.has_left = False
        self.abandons = 0
        self.bots_wanted: list[int] = []
        self.woken = trio.Event()
        """Set whenever a menu waits for the seat, or the table has ended; then a new one."""
        self.run: Run | None = None
        self.bots: dict[Seat, Bot] = {
            other: Steady(other, Chance(bytes([other, seed]) * 16)) for other in range(players)
        }
        presence = [Presence.YOU if other == seat else Presence.HERE for other in range(players)]
        self.status = Status(
            game=game,
            table="Living room",
            table_id="4kq7-92mz-h3wd",
            phase=Phase.PLAYING,
            players=players,
            taken=list(self.names),
            seats=[SeatStatus(present) for present in presence],
            sealed=players,
            cards=36,
            proofs=214,
        )
        self.options: dict[str, Any] = {}
        self._made = (game, players, seed)
        self._dealer: Dealer | None = None

    @property
    def bot(self) -> Bot:
        """A bot for the seat itself."""
        return self.bots[self.seat or 0]

    def _listen(self, event: Tell) -> None:
        for bot in self.bots.values():
            bot.notice(event)
        self.send(Told(event))

    def send(self, update: Update) -> None:
        """Something happens."""
        if not self.has_left:
            self._send.send_nowait(update)

    # -- the game --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Deal, and play until the seat is asked."""
        game, players, seed = self._made
        self._dealer = Dealer(registry.create(game, players, self.options), bytes([seed]) * 32, self._listen)
        self.run = self._dealer.run
        self.send(Changed())

    def step(self) -> bool:
        """One request, answered by dealer and bots. False if the seat has to choose first, or the game is over."""
        dealer = self._dealer
        if dealer is None or dealer.run.finished or self.has_left:
            return False
        pending, seat = dealer.run.pending, self.seat
        if isinstance(pending, Ask) and seat in pending.menus and not self.chosen_now:
            return False
        dealer.step(self._decide)
        self.chosen_now = []
        self.send(Changed())
        return True

    chosen_now: list[Choice] = []  # noqa: RUF012 - replaced, never changed

    def _decide(self, seat: Seat, menu: Menu) -> Choice:
        if seat == self.seat:
            return self.chosen_now[0]
        if self._dealer is None:
            raise RuntimeError("no game")
        return self.bots[seat].choose(self._dealer.run.game, menu, self._dealer.run.look(seat))

    def look_up(self) -> None:
        """After steps: is the seat asked, is the game over?"""
        if self._dealer is None or self.has_left:
            return
        run, seat = self._dealer.run, self.seat
        if run.finished:
            self.status.result, self.status.phase = run.result, Phase.FINISHED
            self.status.transcript = "tables/4kq7.p2plog"
            self.send(Finished())
            self._wake()
        elif isinstance(run.pending, Ask) and seat is not None and seat in run.pending.menus and self.menu is None:
            self.menu = run.pending.menus[seat]
            lead = run.pending.lead
            self.decided = {} if lead is None else {lead: run.pending.menus[lead].lapse}  # bots choose at once
            self.send(Asked())
            self._wake()

    def advance(self) -> None:
        """Play until the seat is asked, or to the end."""
        while self.step():
            pass
        self.look_up()

    async def run_paced(self, seconds: float) -> None:
        """The same with pauses, to be looked at."""
        while not self.has_left:
            await trio.sleep(seconds)
            if self.step():
                self.look_up()

    def _wake(self) -> None:
        self.woken.set()
        self.woken = trio.Event()

    # -- what the client calls -------------------------------------------------------------------------------------

    paced = False

    def choose(self, choice: Choice) -> None:
        """The seat's choice."""
        if self.menu is None:
            return
        self.chosen.append(choice)
        self.chosen_now = [choice]
        self.menu = None
        self.send(Changed())
        if not self.paced:
            self.advance()

    def chat(self, text: str) -> None:
        """The seat says something."""
        self.said.append(text)
        self.send(Chat(self.seat or 0, text))

    def abandon(self) -> None:
        """The seat does not want to wait any longer."""
        self.abandons += 1

    def seat_bots(self, most: int) -> None:
        """Bots are to take free seats."""
        self.bots_wanted.append(most)

    def leave(self) -> None:
        """The seat leaves."""
        if not self.has_left:
            self.has_left = True
            self._send.close()
            self._wake()


def started(game: str = "maamut", **wishes: int) -> FakeFeed:
    """A feed whose game has begun and asks the seat."""
    feed = FakeFeed(game, **wishes)
    feed.begin()
    feed.advance()
    return feed


def full_screen(main: Main[T]) -> T:
    """Run a trio main function with screens, as the program does."""
    return run_full_screen(main)
