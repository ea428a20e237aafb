"""What a cook is asked in Fungi: the acts of a turn, the starting cards to be shown, the cards to be discarded.

For: the rules. Never: a change of the table; a face that the look of whoever judges does not see.

Theory of operation: every function makes a menu from the table and `public`, the look of everybody, which decides what
is publicly impossible. A hand is named in full, what everybody knows by kind and then the rest, so that the menu says
nothing about it; whether a card fits is judged by a look at those that are named. Of equal cards in a hand those go
first that everybody knows (`known_first`), so that nobody learns more than has to be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from .fungi_cards import KINDS, PAN, SALE, SPECIAL, no_dish, no_ingredient, no_sale, no_ware, rank
from .fungi_table import Table
from .menus import Act, Card, Face, Hidden, Look, Menu, One, Seat, Some
from .requests import menu


def actions(t: Table, public: Look, seat: Seat) -> Menu:
    """The five actions of the rulebook, a) to e), and passing, which silence counts as (ruling 9)."""
    acts = (take(t, seat), decay(t, public, seat), cook(t, public, seat), sell(t, public, seat), pan(t, public, seat))
    return menu(*acts, Act("pass"), lapse=("pass",))


def take(t: Table, seat: Seat) -> Act:
    """a) One card of the forest."""

    def no_take(look: Look, card: Card) -> str:
        return t.no_take(look, seat, card)

    return Act("take", (One("card", tuple(t.forest), no_take),))


def decay(t: Table, public: Look, seat: Seat) -> Act:
    """b) All of the decay pile."""
    return Act("decay", why_not=t.no_decay(public, seat))


def cook(t: Table, public: Look, seat: Seat) -> Act:
    """c) Three or more of one kind. The cards are mushrooms, seasoning, and a pan if it comes from the hand."""
    hand = _in_order(t.hands[seat], public)
    no_choice = known_first(hand, public)

    def no_kind(look: Look, kind: str) -> str:
        return t.no_dish(look, seat, kind)

    def not_in_it(look: Look, kind: str, card: Card) -> str:
        return no_ingredient(kind, look(card))

    def no_set(look: Look, kind: str, cards: tuple[Card, ...]) -> str:
        faces = [look(card) for card in cards]
        if why := no_dish(kind, faces, t.rules):
            return why
        if not t.pans[seat] and PAN not in faces:
            return "no empty pan is in the display, so a pan from the hand must be among the cards"
        return no_choice(look, cards)

    parts = (One("kind", tuple(KINDS), no_kind), Some("cards", hand, SALE, len(hand), no_set, each=not_in_it))
    return Act("cook", parts, shows=("cards",), why_not=t.no_dish(public, seat))


def sell(t: Table, public: Look, seat: Seat) -> Act:
    """d) Two or more of one kind."""
    hand = _in_order(t.hands[seat], public)
    no_choice = known_first(hand, public)

    def no_kind(look: Look, kind: str) -> str:
        return t.no_sale(look, seat, kind)

    def not_in_it(look: Look, kind: str, card: Card) -> str:
        return no_ware(kind, look(card))

    def no_set(look: Look, kind: str, cards: tuple[Card, ...]) -> str:
        return no_sale(kind, [look(card) for card in cards]) or no_choice(look, cards)

    parts = (One("kind", tuple(KINDS), no_kind), Some("cards", hand, 1, len(hand), no_set, each=not_in_it))
    return Act("sell", parts, shows=("cards",), why_not=t.no_sale(public, seat))


def pan(t: Table, public: Look, seat: Seat) -> Act:
    """e) One pan; a known one if there is one."""
    known = _known(t.hands[seat], public)
    pans = [card for card, face in known.items() if face == PAN][:1]
    hidden = [card for card in t.hands[seat] if card not in known and card not in t.backs]

    def no_pan(look: Look, card: Card) -> str:
        return t.no_pan(look, seat) or ("" if look(card) == PAN else "that is not a pan")

    return Act("pan", (One("card", pans or hidden, no_pan),), shows=("card",), why_not=t.no_pan(public, seat))


def specials(t: Table, seat: Seat) -> Menu:
    """The starting cards that may not be kept, all of them and no other; or the whole hand, which is also what silence
    counts as (ruling 2)."""
    hand = tuple(t.hands[seat])

    def no_show(look: Look, cards: tuple[Card, ...]) -> str:
        if len(cards) == len(hand):
            return ""
        if any(look(card) not in SPECIAL for card in cards):
            return "only baskets, moons and fly agarics are shown, or else the whole hand"
        if not SPECIAL.isdisjoint(t.seen([card for card in hand if card not in cards], look)):
            return "baskets, moons and fly agarics do not stay in the starting hand"
        return ""

    sets = tuple(cards for size in range(len(hand) + 1) for cards in combinations(hand, size))
    return menu(Act("show", (One("cards", sets, no_show),), shows=("cards",)), lapse=("show", len(sets) - 1))


def surplus(t: Table, public: Look, seat: Seat) -> Menu:
    """As many cards as the hand has too many (ruling 5); silence counts as the oldest that everybody knows, then the
    oldest others."""
    hand = _in_order(t.hands[seat], public)
    count = len(hand) - t.limit(seat)
    known = _known(hand, public)
    oldest = sorted(t.hands[seat], key=lambda card: card not in known)[:count]
    part = Some("cards", hand, count, count, known_first(hand, public))
    lapse = tuple(place for place, card in enumerate(hand) if card in oldest)
    return menu(Act("discard", (part,), shows=("cards",)), lapse=("discard", lapse))


def known_first(hand: Sequence[Card], public: Look) -> Callable[[Look, tuple[Card, ...]], str]:
    """A judge of which of equal cards leave a hand. Cards known now are told from those that the choice opens."""
    known = _known(hand, public)

    def no_choice(look: Look, cards: tuple[Card, ...]) -> str:
        kept = {face for card, face in known.items() if card not in cards}
        if kept and any(look(card) in kept for card in cards if card not in known):
            return "of equal cards those go first that everybody has seen"
        return ""

    return no_choice


def _in_order(hand: Sequence[Card], public: Look) -> tuple[Card, ...]:
    """A hand as it is named: what everybody knows by kind, then the rest; each oldest first."""
    known = _known(hand, public)
    return tuple(sorted(hand, key=lambda card: (card not in known, rank(known.get(card, "")))))


def _known(hand: Sequence[Card], public: Look) -> dict[Card, Face]:
    """What everybody knows of a hand."""
    known: dict[Card, Face] = {}
    for card in hand:
        try:
            known[card] = public(card)
        except Hidden:
            continue
    return known
