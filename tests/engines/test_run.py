"""Run and Dealer: what may be answered, what may be asked, and what is refused."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest

from engines.bots import Random
from engines.chance import Chance
from engines.dealer import BrokenPromise, Dealer, play_bots
from engines.menus import Act, Card, Choice, Hidden, Look, Menu, One
from engines.requests import (
    Ask,
    Deck,
    Flip,
    Forget,
    Open,
    Over,
    Promise,
    Request,
    Result,
    Shuffle,
    Tell,
    View,
    ask,
    deck,
    flip,
    forget,
    over,
    promise,
    reveal,
    shuffle,
    tell,
    view,
)
from engines.run import EngineBug, IllegalDecision, Run, canonical
from tests.engines.toys import Desk, Scripted, Toy

Rules = Generator[Request, Any, None]
END = Result((0,), (1, 0), "so")
PASS = Menu((Act("pass"),))


def lapse(_: int, menu: Menu) -> Choice:
    return menu.lapse


def run_of(script: Any, seats: int = 2) -> Run:
    return Run(Scripted(script, seats))


# -- answers -------------------------------------------------------------------------------------------------------


def test_a_whole_game_goes_through_every_request() -> None:
    kinds: list[str] = []
    events: list[Tell] = []
    dealer = Dealer(Toy(), bytes(32), events.append)
    while not dealer.run.finished:
        kinds.append(type(dealer.run.pending).__name__)
        dealer.step(lapse)
    assert {"Flip", "Deck", "Shuffle", "View", "Promise", "Ask", "Open"} == set(kinds)
    assert dealer.run.result is not None
    assert dealer.run.pending is None
    assert events[-1] == Tell("over", {})
    assert sorted(dealer.run.live) == sorted(dealer.run.game.cards())
    with pytest.raises(EngineBug, match="finished"):
        dealer.step(lapse)
    with pytest.raises(EngineBug, match="nothing is pending"):
        dealer.run.answer(None)


def test_handles_count_up_and_shuffled_cards_are_new() -> None:
    def script(game: Scripted) -> Rules:
        first = yield from deck("aab")
        assert first == [0, 1, 2]
        assert [game.face(card) for card in first] == ["a", "a", "b"]
        kept = yield from shuffle(first, keep=True)
        assert kept == [3, 4, 5]
        assert game.face(first[2]) == "b"
        game.table.pile = yield from shuffle(kept[:2])
        assert game.table.pile == [6, 7]
        with pytest.raises(Hidden):
            game.face(game.table.pile[0])
        faces = yield from reveal([*first, kept[2]])
        assert faces[:3] == ["a", "a", "b"]
        yield from over(END)

    dealer = Dealer(Scripted(script), bytes(32))
    dealer.play(lapse)
    assert dealer.run.live == {0, 1, 2, 5, 6, 7}


def test_open_cards_are_answered_without_asking_again() -> None:
    def script(game: Scripted) -> Rules:
        cards = yield from deck("ab")
        assert (yield from reveal(cards)) == ["a", "b"]
        assert (yield from reveal([])) == []
        mixed = yield from shuffle(cards[:1])
        yield from reveal([cards[1], mixed[0]])
        yield from over(END)

    run = run_of(script)
    run.answer(None)
    run.answer(None)
    assert isinstance(run.pending, Open)
    assert run.closed(run.pending) == (2,)
    wrongs: list[dict[Card, str]] = [{}, {Card(1): "b"}, {Card(1): "b", Card(2): "a"}]
    for faces in wrongs:
        with pytest.raises(EngineBug, match="other cards"):
            run.answer(faces)
    run.answer({Card(2): "a"})
    assert run.result == END


def looks(game: Scripted) -> Rules:
    cards = yield from deck("ab")
    cards = yield from shuffle(cards)
    yield from view({0: cards[:1], 1: cards[1:], 2: []})
    yield from forget(0, cards[:1])
    yield from shuffle(cards)
    yield from view({0: []})
    yield from over(END)


def test_a_view_reaches_only_the_seat_that_this_run_was_told_of() -> None:
    run = run_of(looks, 3)
    run.answer(None)
    run.answer(None)
    assert isinstance(run.pending, View)
    assert run.pending.looks == {0: (2,), 1: (3,)}
    wrongs: list[dict[int, dict[Card, str]]] = [{0: {Card(3): "a"}}, {0: {}}, {2: {Card(2): "a"}}]
    for wrong in wrongs:
        with pytest.raises(EngineBug, match="look"):
            run.answer(wrong)
    before = run.digest()
    run.answer({1: {Card(3): "a"}})
    assert run.known[0] == {}
    assert run.known[1] == {3: "a"}
    assert run.look(1)(Card(3)) == "a"
    for seat in (0, None):
        with pytest.raises(Hidden):
            run.look(seat)(Card(3))
    assert before != run.digest()
    run.answer(None)
    assert run.known[1] == {}, "after the shuffle nobody knows anything of the old cards"
    assert run.finished


def test_what_a_seat_has_to_forget_its_screen_no_longer_shows() -> None:
    run = run_of(looks, 3)
    run.answer(None)
    run.answer(None)
    run.answer({0: {Card(2): "b"}})
    assert run.known[0] == {}


def test_chance_is_dead_at_the_next_request() -> None:
    kept: list[Chance] = []

    def script(game: Scripted) -> Rules:
        chance = yield from flip()
        kept.append(chance)
        chance.below(6)
        yield from tell("rolled")
        with pytest.raises(RuntimeError, match="over"):
            chance.below(6)
        again = yield from flip()
        assert again.below(6) >= 0
        yield from over(END)

    dealer = Dealer(Scripted(script), bytes(32))
    dealer.play(lapse)
    assert kept


# -- decisions -----------------------------------------------------------------------------------------------------


def even(look: Look, card: Card) -> str:
    return "" if int(look(card)) % 2 == 0 else "odd cards stay in the hand"


def playing(game: Scripted) -> Rules:
    cards = yield from deck("1234")
    game.table.pile = yield from shuffle(cards)
    hand = tuple(game.table.pile[:3])
    yield from view({0: hand})
    a = yield from ask(0, Act("play", (One("card", hand, even),), shows=("card",)), Act("pass"), lapse=("pass",))
    if a.verb == "play":
        yield from tell("played", value=game.face(a.card))
    yield from over(END)


def at_play(events: list[Tell] | None = None) -> Dealer:
    dealer = Dealer(Scripted(playing), bytes(32), (events if events is not None else []).append)
    while not isinstance(dealer.run.pending, Ask):
        dealer.step(lapse)
    return dealer


@pytest.mark.parametrize(
    "choice",
    [Choice(-1), Choice(2), Choice(0), Choice(0, (3,)), Choice(0, (-1,)), Choice(0, (True,)), Choice(1, (0,))],
)
def test_a_decision_that_is_not_of_the_menu_is_refused_and_changes_nothing(choice: Choice) -> None:
    run = at_play().run
    before = run.digest()
    assert run.refusal(0, choice)
    with pytest.raises(IllegalDecision) as caught:
        run.answer({0: choice})
    assert caught.value.seat == 0
    assert run.digest() == before
    assert isinstance(run.pending, Ask)


def test_only_those_who_are_asked_decide_and_all_of_them() -> None:
    run = at_play().run
    before = run.digest()
    assert run.refusal(1, Choice(1)) == "nothing is asked of that seat now"
    wrongs: list[dict[int, Choice]] = [{}, {1: Choice(1)}, {0: Choice(1), 1: Choice(1)}]
    for wrong in wrongs:
        with pytest.raises(EngineBug, match="one decision of each"):
            run.answer(wrong)
    assert run.digest() == before
    assert run.refusal(0, Choice(1)) == ""
    run.answer({0: Choice(1)})
    assert run.refusal(0, Choice(1)) == "nothing is asked of that seat now"


def test_a_shown_card_is_opened_before_the_rules_go_on_and_judged_then() -> None:
    for wanted, legal in (("2", True), ("3", False)):
        events: list[Tell] = []
        dealer = at_play(events)
        run = dealer.run
        assert isinstance(run.pending, Ask)
        hand = run.pending.menus[0].acts[0].parts[0].of
        where = next((i for i, card in enumerate(hand) if dealer.truth[card] == wanted), None)
        if where is None:
            where = next(i for i, card in enumerate(hand) if (int(dealer.truth[card]) % 2 == 0) == legal)
        assert run.refusal(0, Choice(0, (where,))) == "", "the others cannot judge yet"
        run.answer({0: Choice(0, (where,))})
        assert isinstance(run.pending, Open)
        assert run.pending.cards == (hand[where],)
        assert not events
        if legal:
            dealer.step(lapse)
            assert run.finished
            assert events[0].value == dealer.truth[hand[where]]
        else:
            with pytest.raises(IllegalDecision, match="odd cards") as caught:
                dealer.step(lapse)
            assert caught.value.seat == 0
            assert not run.finished


def test_a_verdict_that_needs_a_card_which_stays_hidden_is_a_bug() -> None:
    def script(game: Scripted) -> Rules:
        cards = yield from deck("12")
        hand = yield from shuffle(cards)
        yield from ask(0, Act("play", (One("card", hand, even),)), Act("pass"), lapse=("pass",))

    dealer = Dealer(Scripted(script), bytes(32))
    while not isinstance(dealer.run.pending, Ask):
        dealer.step(lapse)
    with pytest.raises(EngineBug, match="does not show"):
        dealer.run.answer({0: Choice(0, (0,))})


# -- what rules may never ask for ----------------------------------------------------------------------------------


def bad(request: Any, *before: Request) -> Any:
    def script(game: Scripted) -> Rules:
        yield from (each for each in (*before, request))

    return script


def fits_never(look: Look, card: Card) -> str:
    return "never"


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (Open((Card(0),)), "no card of this table"),
        (View({0: (Card(9),)}), "no card of this table"),
        (Shuffle((Card(0),)), "no card of this table"),
        (Promise(0, (Card(0),), frozenset("a")), "no card of this table"),
        (Forget((Card(0),), 0), "no card of this table"),
        (Shuffle(()), "a shuffle of nothing"),
        (Ask({}), "an Ask of nobody"),
        (Ask({2: PASS}), "there is no seat 2"),
        (Ask({0: Menu((Act("pass"),), Choice(1))}), "lapse of seat 0"),
        (Ask({0: Menu((Act("pass", why_not="no"),))}), "lapse of seat 0's menu: no"),
        (Ask({1: Menu((Act("x", (One("c", (Card(5),), even),)),), Choice(0, (0,)))}), "depends on the hidden #5"),
        (Ask({1: Menu((Act("x", (One("c", (Card(5),), fits_never),)),), Choice(0, (0,)))}), "menu: never"),
    ],
)
def test_requests_that_no_table_can_grant(request_: Request, text: str) -> None:
    with pytest.raises(EngineBug, match=text):
        run_of(bad(request_))


@pytest.mark.parametrize("kind", [Open, Shuffle])
def test_a_card_named_twice(kind: Any) -> None:
    run = run_of(bad(kind((Card(0), Card(0))), Deck(("a",))))
    with pytest.raises(EngineBug, match="twice"):
        run.answer(None)


def test_dead_handles_are_dead() -> None:
    run = run_of(bad(Open((Card(0),)), Deck(("a",)), Shuffle((Card(0),))))
    run.answer(None)
    with pytest.raises(EngineBug, match="no card of this table any more"):
        run.answer(None)


def test_a_menu_that_shows_a_dead_card() -> None:
    menu = Menu((Act("pass"), Act("play", (One("card", (Card(7),)),), shows=("card",))))
    run = run_of(bad(Ask({0: menu})))
    with pytest.raises(EngineBug, match="shows a card that is no card"):
        run.answer({0: Choice(1, (0,))})


@pytest.mark.parametrize("request_", [Deck(("a",)), Flip(), Over(END), Open(())])
def test_after_over_only_ask_and_tell(request_: Request) -> None:
    with pytest.raises(EngineBug, match="after Over"):
        run_of(bad(request_, Over(END)))
    run = run_of(bad(Ask({0: PASS}), Over(END), Tell("bye", {})))
    assert run.result == END
    assert not run.finished
    run.answer({0: Choice(0)})
    assert run.finished


def test_rules_may_not_end_without_over() -> None:
    with pytest.raises(EngineBug, match="without Over"):
        run_of(bad(Tell("x", {})))


# -- digest --------------------------------------------------------------------------------------------------------


def test_canonical_is_equal_exactly_when_the_values_are() -> None:
    assert canonical({"b": 1, "a": {3, 1, 2}}) == canonical({"a": {2, 3, 1}, "b": 1})
    different: list[Any] = [None, 0, False, "", b"", [], {}, set(), [0], [[0]], [0, 0], {"0": 0}, {0: 0}, "0", Desk()]
    different += [END, Result((0,), (1, 0), "no"), {0: 1, 1: 0}, {(0, 1): 0}, Card(0)]
    assert len({canonical(value) for value in different}) == len(different)
    assert canonical((1, 2)) == canonical([1, 2])
    assert canonical("Mâamut").isascii()


@dataclass
class Slippery:
    thing: Any


@pytest.mark.parametrize("thing", [1.5, object(), print, iter(())])
def test_what_has_no_fixed_text_does_not_belong_in_a_table(thing: Any) -> None:
    with pytest.raises(EngineBug, match="does not belong"):
        canonical(Slippery(thing))


# -- the dealer ----------------------------------------------------------------------------------------------------


def test_the_dealer_answers_from_its_seed() -> None:
    def game(seed: int) -> list[str]:
        dealer = Dealer(Toy(), seed.to_bytes(32, "big"))
        digests = []
        while not dealer.run.finished:
            dealer.step(lapse)
            digests.append(dealer.run.digest())
        return digests

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_a_broken_promise_is_found() -> None:
    def script(game: Scripted) -> Rules:
        cards = yield from deck("ab")
        cards = yield from shuffle(cards)
        yield from promise(0, [], "ab")
        yield from promise(0, cards, "c")
        yield from promise(0, cards, "a")

    with pytest.raises(BrokenPromise, match="seat 0"):
        Dealer(Scripted(script), bytes(32)).play(lapse)


def test_a_game_that_does_not_end_is_found() -> None:
    def script(game: Scripted) -> Rules:
        while True:
            yield Ask({0: PASS})

    with pytest.raises(EngineBug, match="did not end"):
        Dealer(Scripted(script), bytes(32)).play(lapse, limit=50)


def test_bots_see_events_and_their_own_look() -> None:
    class Watcher(Random):
        def __init__(self, seat: int, chance: Chance) -> None:
            super().__init__(seat, chance)
            self.events: list[str] = []

        def notice(self, event: Tell) -> None:
            self.events.append(event.kind)

    bots = {seat: Watcher(seat, Chance(bytes([seat]) * 32)) for seat in range(3)}
    dealer = play_bots(Toy(), bytes(32), bots)
    assert bots[0].events == bots[2].events
    assert bots[0].events[-1] == "over"
    for seat in range(3):
        for card in dealer.run.known[seat]:
            assert dealer.run.look(seat)(card) == dealer.look()(card)
