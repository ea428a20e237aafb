"""One running game: the generator, what is public, what seats know, and the only legality check.

For: whoever fulfils requests: the dealer in memory, the table among peers, the audit. Never: a face that its feeder did
not give it; on a peer that is the public ones and those of one seat.

Theory of operation: `pending` is the request that the rules wait on, `answer(x)` moves on to the next. Tell, Forget and
Over need no answer and are handled here, as is opening what is open already. What `answer` takes:

    Ask       {seat: Choice}, one for each seat asked     Flip      32 bytes
    Deck      None, Run makes the handles                 Shuffle   None, likewise
    View      {seat: {card: face}} of the seats known     Open      {card: face}
    Promise   None

Handles count up from 0 over the life of a table: fresh cards and shuffled ones alike, in the order of the requests.
A decision that shows cards is followed by an Open made here; the decision is then judged again with those faces, and
only then do the rules go on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from .chance import Chance
from .menus import Card, Choice, Face, Hidden, Illegal, Look, Menu, Seat
from .requests import Ask, Deck, Flip, Forget, Game, Open, Over, Promise, Request, Result, Script, Shuffle, Tell, View


class EngineBug(RuntimeError):
    """The rules, or who feeds them, did something that this module's contract excludes."""


class IllegalDecision(Illegal):
    """A decision was not legal. `seat` made it; `str(error)` is the rule."""

    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def _nothing(_: Tell) -> None:
    """Nobody listens."""


class Run:
    """A game in progress. `listen` is called with each public event as it is told."""

    def __init__(self, game: Game, listen: Callable[[Tell], None] = _nothing) -> None:
        self.game = game
        self.result: Result | None = None
        self.pending: Request | None = None
        self.known: dict[Seat, dict[Card, Face]] = {seat: {} for seat in range(game.seats)}
        self.live: set[Card] = set()
        self.finished = False
        self.requests = 0
        self._made = 0
        self._listen = listen
        self._script: Script[None] = game.play()
        self._chance: Chance | None = None
        self._deciding: tuple[Ask, dict[Seat, Choice]] | None = None
        self._advance(None)

    # -- what can be seen ------------------------------------------------------------------------------------------

    def look(self, seat: Seat | None = None) -> Look:
        """What a seat can see as far as this Run was told; None is the public."""
        faces = self.game.faces
        own = self.known[seat] if seat is not None else {}

        def seen(card: Card) -> Face:
            face = faces.get(card)
            if face is None:
                face = own.get(card)
            if face is None:
                raise Hidden(repr(card))
            return face

        return seen

    def digest(self) -> str:
        """One text for the whole public state, the same on every peer, Python and PYTHONHASHSEED."""
        asked = sorted(self.pending.menus) if isinstance(self.pending, Ask) else None
        return canonical(
            [
                self.game.table,
                self.game.faces,
                self.live,
                self.result,
                type(self.pending).__name__,
                asked,
                self.requests,
            ]
        )

    # -- the one legality check ------------------------------------------------------------------------------------

    def refusal(self, seat: Seat, choice: Choice) -> str:
        """Why peers must not accept this decision now, or "". A face that is not public yet is judged when it is."""
        if not isinstance(self.pending, Ask) or seat not in self.pending.menus:
            return "nothing is asked of that seat now"
        menu = self.pending.menus[seat]
        try:
            menu.parse(choice.act, choice.picks)
        except Illegal as error:
            return str(error)
        return menu.judge(self.look(), choice)

    def _judge_shown(self, ask: Ask, choices: Mapping[Seat, Choice]) -> None:
        for seat in sorted(choices):
            try:
                why = ask.menus[seat].judge(self.look(), choices[seat], final=True)
            except Hidden as error:
                raise EngineBug(f"a fit looks at {error}, which its act does not show") from error
            if why:
                raise IllegalDecision(seat, why)

    # -- answers ---------------------------------------------------------------------------------------------------

    def answer(self, given: Any) -> None:
        """Answer `pending`. Errors: IllegalDecision; EngineBug on anything that is not of the form above."""
        request = self.pending
        if self._deciding is not None and isinstance(request, Open):
            self._open(request, given)
            self._decide(*self._deciding)
        elif isinstance(request, Ask):
            self._asked(request, given)
        elif isinstance(request, Flip):
            self._chance = Chance(given)
            self._advance(self._chance)
        elif isinstance(request, Deck):
            cards = self._make(len(request.faces))
            self.game.faces.update(zip(cards, request.faces, strict=True))
            self._advance(cards)
        elif isinstance(request, Shuffle):
            self._advance(self._shuffle(request))
        elif isinstance(request, View):
            for seat, faces in given.items():
                if set(faces) != set(request.looks.get(seat, ())):
                    raise EngineBug("a look was answered with other cards")
                self.known[seat].update(faces)
            self._advance(None)
        elif isinstance(request, Open):
            self._open(request, given)
            self._advance([self.game.faces[card] for card in request.cards])
        elif isinstance(request, Promise):
            self._advance(None)
        else:
            raise EngineBug("nothing is pending")

    def _asked(self, ask: Ask, choices: Mapping[Seat, Choice]) -> None:
        if set(choices) != set(ask.menus):
            raise EngineBug("an Ask needs one decision of each seat asked")
        for seat in sorted(choices):
            why = self.refusal(seat, choices[seat])
            if why:
                raise IllegalDecision(seat, why)
        shown = [card for seat in sorted(choices) for card in ask.menus[seat].shown(choices[seat])]
        self._deciding = (ask, dict(choices))
        closed = tuple(dict.fromkeys(card for card in shown if card not in self.game.faces))
        if not self.live.issuperset(closed):
            raise EngineBug("a menu shows a card that is no card of this table any more")
        if closed:
            self.pending = Open(closed)
        else:
            self._decide(*self._deciding)

    def _decide(self, ask: Ask, choices: dict[Seat, Choice]) -> None:
        self._judge_shown(ask, choices)
        self._deciding = None
        self._advance({seat: ask.menus[seat].decision(choices[seat]) for seat in sorted(choices)})

    def _open(self, request: Open, faces: Mapping[Card, Face]) -> None:
        if set(faces) != set(self.closed(request)):
            raise EngineBug("other cards were opened than were asked for")
        self.game.faces.update(faces)

    def _make(self, count: int) -> list[Card]:
        cards = [Card(self._made + i) for i in range(count)]
        self._made += count
        self.live.update(cards)
        return cards

    def _shuffle(self, request: Shuffle) -> list[Card]:
        if not request.keep:
            for card in request.cards:
                self.live.discard(card)
                self.game.faces.pop(card, None)
                for faces in self.known.values():
                    faces.pop(card, None)
        return self._make(len(request.cards))

    # -- the generator ---------------------------------------------------------------------------------------------

    def _advance(self, answer: Any) -> None:
        """Resume the rules until they need an answer from outside."""
        while True:
            try:
                request = self._script.send(answer)
            except StopIteration:
                if self.result is None:
                    raise EngineBug("the rules ended without Over") from None
                self.pending, self.finished = None, True
                return
            self.requests += 1
            if self._chance is not None:
                self._chance.close()
                self._chance = None
            self._check(request)
            answer = None
            if isinstance(request, Tell):
                self._listen(request)
            elif isinstance(request, Forget):
                for card in request.cards:
                    self.known[request.seat].pop(card, None)
            elif isinstance(request, Over):
                self.result = request.result
            elif isinstance(request, Open) and all(card in self.game.faces for card in request.cards):
                answer = [self.game.faces[card] for card in request.cards]
            else:
                self.pending = request
                return

    def closed(self, request: Open) -> tuple[Card, ...]:
        """The cards of an Open that are not open yet: only those have to be answered."""
        return tuple(card for card in request.cards if card not in self.game.faces)

    def _check(self, request: Request) -> None:
        """What rules may never ask for."""
        if self.result is not None and not isinstance(request, Ask | Tell):
            raise EngineBug(f"{type(request).__name__} after Over")
        for card in _cards(request):
            if card not in self.live:
                raise EngineBug(f"{type(request).__name__} of {card!r}, which is no card of this table any more")
        listed = _cards(request) if isinstance(request, Shuffle | Open | Promise) else ()
        if len(set(listed)) != len(listed):
            raise EngineBug(f"{type(request).__name__} names a card twice")
        if isinstance(request, Shuffle) and not request.cards:
            raise EngineBug("a shuffle of nothing")
        if isinstance(request, Ask):
            if not request.menus:
                raise EngineBug("an Ask of nobody")
            for seat, menu in request.menus.items():
                if not 0 <= seat < self.game.seats:
                    raise EngineBug(f"there is no seat {seat}")
                fault = _lapse_fault(menu, self.look())
                if fault:
                    raise EngineBug(f"the lapse of seat {seat}'s menu: {fault}")


def _lapse_fault(menu: Menu, public: Look) -> str:
    """Why what silence counts as is not legal for all to see, or ""."""
    try:
        menu.parse(menu.lapse.act, menu.lapse.picks)
        return menu.judge(public, menu.lapse, final=True)
    except Illegal as error:
        return str(error)
    except Hidden as error:
        return f"its legality depends on the hidden {error}"


def _cards(request: Request) -> tuple[Card, ...]:
    if isinstance(request, View):
        return tuple(card for cards in request.looks.values() for card in cards)
    if isinstance(request, Shuffle | Open | Promise | Forget):
        return request.cards
    return ()


def canonical(value: Any) -> str:
    """A text that is equal exactly when the values are: dataclasses, maps and sets in a fixed order."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = ",".join(f"{f.name}={canonical(getattr(value, f.name))}" for f in dataclasses.fields(value))
        return f"{type(value).__name__}({inner})"
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{canonical(k)}:{canonical(v)}" for k, v in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "set{" + ",".join(sorted(canonical(item) for item in value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if value is None or isinstance(value, bool | int | str | bytes):
        return ascii(value)  # what repr shows of a rare letter depends on the version of Python
    raise EngineBug(f"a {type(value).__name__} does not belong in a public table")
