"""Games of Fungi that start from a position of the test's own.

For: the tests of the rules and of the bot. Never: a shortcut past the rules; what is put in place is the outcome of the
preparation, and everything after it is the game as it is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engines.dealer import Dealer
from engines.fungi import Rules
from engines.fungi_cards import BASKET, DAY_DECK, FLY, NIGHT, NIGHT_DECK, PAN
from engines.menus import Act, Card, Choice, Face, Seat, Some
from engines.requests import Game, Script, Tell, deck, shuffle, view
from tests.engines.driven import ByNumber, Sentences

A, B = 0, 1

of = Sentences(
    {
        "Intro": 4,
        "Preparation": 11,
        "Turn": 1,
        "Take": 17,
        "Decay": 3,
        "Cook": 9,
        "Sell": 5,
        "Pan": 3,
        "Clean-up": 9,
        "End": 5,
        "Data": 4,
        "Reading": 3,
        "Hidden": 5,
        "Ruling": 12,
        "Example": 10,
    }
)


class Position(Rules):
    """A game whose preparation is given; seat A moves first. Hands are words: `closed` ones only their owner sees, and
    so are all night cards."""

    def __init__(
        self,
        hands: tuple[str, str] = ("", ""),
        closed: tuple[str, str] = ("", ""),
        forest: str = "HF HF HF HF HF HF HF HF",
        pile: str = "",
        decay: str = "",
        nights: str = "",
        *,
        night_cards: int = 8,
        short: bool = False,
        sticks: tuple[int, int] = (0, 0),
        pans: tuple[int, int] = (1, 1),
        baskets: tuple[int, int] = (0, 0),
        flies: tuple[int, int] = (0, 0),
        rules: str = "rulebook",
    ) -> None:
        super().__init__(2, {"rules": rules, "reminder": "shown"})
        self.given = hands, closed, forest, pile, decay, nights
        self.night_cards, self.short = night_cards, short
        self.table.sticks = list(sticks)
        self.display = pans, baskets, flies

    def lay_out(self) -> Script[None]:
        """As given; what is left of the deck comes after `pile`, or is discarded if the pile is `short`."""
        t = self.table
        hands, closed, forest, pile, decay, nights = self.given
        pans, baskets, flies = self.display
        for seat in (A, B):
            t.pans[seat] = yield from deck([PAN] * pans[seat])
            t.baskets[seat] = yield from deck([BASKET] * baskets[seat])
            t.flies[seat] = yield from deck([FLY] * flies[seat])
            t.hands[seat] = yield from deck(f for f in hands[seat].split() if not f.startswith(NIGHT))
        t.forest = yield from deck(forest.split())
        t.decay = yield from deck(decay.split())
        hidden = [*closed[A].split(), *closed[B].split(), *pile.split()]
        used = Counter([*hands[A].split(), *hands[B].split(), *forest.split(), *decay.split(), *hidden])
        rest = [] if self.short else sorted((Counter(DAY_DECK) - used).elements(), key=DAY_DECK.index)
        t.pile = yield from deck([*hidden, *rest])
        if t.pile:
            t.pile = yield from shuffle(t.pile)
        held = [[f for f in hands[seat].split() if f.startswith(NIGHT)] for seat in (A, B)]
        order = [*held[A], *held[B], *nights.split()]
        order += [face for face in NIGHT_DECK if face not in order]
        t.nights = yield from deck(order[: max(self.night_cards, len(held[A]) + len(held[B]))])
        if t.nights:
            t.nights = yield from shuffle(t.nights)
        t.backs = frozenset(t.nights)
        self.looks: dict[Seat, list[Card]] = {}
        for seat in (A, B):
            kept = [t.pile.pop(0) for _ in closed[seat].split()]
            t.secret |= frozenset(kept)
            self.looks[seat] = kept + [t.nights.pop(0) for _ in held[seat]]
            t.hands[seat] += self.looks[seat]

    def deal(self) -> Script[None]:
        """What is closed, its owner looks at."""
        yield from view(self.looks)

    def show_specials(self) -> Script[None]:
        """All done."""
        yield from ()


class Stacked(Dealer):
    """A dealer whose shuffles begin with the faces that are wanted, one list a shuffle, and go on as they were."""

    def __init__(self, game: Game, tops: Sequence[str] = (), events: list[Tell] | None = None, seed: int = 0) -> None:
        self.tops = [top.split() for top in tops]
        super().__init__(game, seed.to_bytes(32, "little"), (events if events is not None else []).append)

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """The wanted ones first."""
        top, rest = (self.tops.pop(0) if self.tops else []), list(faces)
        for face in top:
            rest.remove(face)
        return top + rest


class Kitchen(ByNumber):
    """A game in progress, driven by words: `act("take", 5)`, `act("cook", "CH", "N-CH CH")`."""

    def __init__(self, *, game: Game | None = None, tops: Sequence[str] = (), seed: int = 0, **position: Any) -> None:
        self.game = game or Position(**position)
        self.table = self.game.table
        events: list[Tell] = []
        super().__init__(Stacked(self.game, tops, events, seed), events)

    def act_of(self, verb: str) -> tuple[int, Act]:
        """Which act that is."""
        return next((i, act) for i, act in enumerate(self.menu.acts) if act.verb == verb)

    def pick(self, verb: str, *words: Any) -> Choice:
        """The choice that these words mean, legal or not; of equal cards those that are known go first."""
        number, act = self.act_of(verb)
        picks: list[Any] = []
        for part, word in zip(act.parts, words, strict=True):
            if isinstance(part, Some):
                picks.append(self.places(part.of, word))
            elif part.name == "kind":
                picks.append(part.of.index(word))
            else:
                picks.append(word - 1)
        return Choice(number, tuple(picks))

    def places(self, hand: Sequence[Card], word: str) -> tuple[int, ...]:
        """Where these faces are among these cards."""
        order = sorted(range(len(hand)), key=lambda place: (hand[place] not in self.game.faces, place))
        found: list[int] = []
        for face in word.split():
            places = [place for place in order if self.dealer.truth[hand[place]] == face and place not in found]
            assert places, f"{face} is not there"
            found.append(places[0])
        return tuple(sorted(found))

    def why(self, verb: str, *words: Any) -> str:
        """Why that is not possible, as the one who is asked is told; "" if it is."""
        return self.menu.judge(self.run.look(self.asked[0]), self.pick(verb, *words))

    def act(self, verb: str, *words: Any) -> None:
        """The one who is asked chooses that."""
        assert self.why(verb, *words) == ""
        self.answer({self.asked[0]: self.pick(verb, *words)})

    def offers(self, verb: str) -> set[Any]:
        """What is legal under one verb: spaces for taking, kinds and faces for cooking and selling."""
        seat, truth = self.asked[0], self.dealer.truth
        found: set[Any] = set()
        for choice in self.menu.choices(self.run.look(seat)):
            a = self.menu.decision(choice)
            if a.verb == verb == "take":
                found.add(choice.picks[0] + 1)
            elif a.verb == verb:
                found.add(" ".join(sorted(truth[card] for card in a.values.get("cards", ()))))
        return found

    def show(self) -> None:
        """Everybody shows the starting cards that may not be kept, and no others."""
        self.answer({seat: next(menu.choices(self.run.look(seat))) for seat, menu in self.menus.items()})

    def hand(self, seat: Seat = A) -> list[Face]:
        """What a hand holds."""
        return sorted(self.faces(self.table.hands[seat]))

    @property
    def forest(self) -> str:
        """The forest from the shoes on."""
        return " ".join(self.faces(self.table.forest))

    @property
    def decay(self) -> str:
        """The decay pile."""
        return " ".join(self.faces(self.table.decay))

    @property
    def discards(self) -> list[Face]:
        """All that is discarded."""
        return self.faces(self.table.discards)
