"""Fungi in pictures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from client.render import fungi, fungi_board
from client.render.base import CANDIDATE, PICKED, Row, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Glyphs
from engines import registry
from engines.chance import Chance
from engines.fungi_cards import DAY_DECK, KINDS, NIGHT_DECK
from engines.fungi_table import Dish
from tests.engines.fungi_positions import A, B, Kitchen

from .fungi_scenes import scene_of

FORMS = [(48, 13), (40, 7), (18, 7)]


def text(rows: list[Row]) -> str:
    return "\n".join(row_text(row).rstrip() for row in rows)


def big(kitchen: Kitchen, seat: int | None = A, glyphs: Glyphs = UNICODE) -> str:
    return text(fungi.picture(scene_of(kitchen, seat, glyphs), 48, 13))


def random_games() -> Iterator[Kitchen]:
    """Some games at every question."""
    for seed in range(4):
        options = {"rules": ("rulebook", "published")[seed % 2], "reminder": ("shown", "hidden")[seed // 2]}
        kitchen, chance = Kitchen(game=registry.create("fungi", 2, options), seed=seed), Chance(bytes([seed]) * 32)
        while not kitchen.run.finished:
            yield kitchen
            look = kitchen.run.look
            kitchen.run.answer({seat: menu.sample(chance, look(seat)) for seat, menu in kitchen.menus.items()})
            kitchen.settle()
        yield kitchen


def test_it_is_found_by_its_name() -> None:
    assert renderer("fungi") is fungi


# -- the picture ---------------------------------------------------------------------------------------------------


def test_every_form_fits_at_every_moment_and_every_candidate_can_be_clicked() -> None:
    for kitchen in random_games():
        for seat in (A, B, None):
            for glyphs in (UNICODE, ASCII):
                seen = scene_of(kitchen, seat, glyphs)
                assert fungi.forms(seen) == FORMS
                for columns, lines in FORMS:
                    rows = fungi.picture(seen, columns, lines)
                    assert len(rows) <= lines
                    assert max(map(row_width, rows)) <= columns, text(rows)
                    assert glyphs is UNICODE or text(rows).isascii()
                    targets = {target for row in rows for _, _, target in row if target is not None}
                    assert targets == set(kitchen.table.forest)
                    if seat is not None:
                        hand = {target for _, _, target in fungi.hand(seen) if target is not None}
                        assert hand == set(kitchen.table.hands[seat])
                        if kitchen.table.turn:
                            assert set(seen.marks) <= targets | hand
                assert row_text(fungi.hand(seen)).isascii() or glyphs is UNICODE


def test_nobody_sees_what_is_hidden() -> None:
    for kitchen in random_games():
        for seat in (A, B):
            row = big(kitchen, seat).splitlines()[3]
            hidden = [card for card in kitchen.table.hands[1 - seat] if card not in kitchen.game.faces]
            if kitchen.table.reminder == "hidden":
                assert not set(row.split()) & {*DAY_DECK, *NIGHT_DECK}
            elif row_width([("", row, None)]) < 40:
                assert sum(word in ("?", "N?") for word in row.split()) == len(hidden)


def test_the_numbers_of_both_cooks() -> None:
    kitchen = Kitchen(
        hands=("CH CH N-CH", "HF MO N-TE"),
        closed=("SH", "PAN LW"),
        forest="HF TE LW SH HW BB MOON FLY",
        decay="BSK PAN",
        sticks=(3, 1),
        pans=(2, 0),
        baskets=(0, 2),
        flies=(0, 1),
    )
    kitchen.table.dishes[B] = [Dish("PO", (), 5, 24), Dish("HF", (), 3, 3)]
    assert big(kitchen).splitlines() == [
        "▲ Beto  27 flavour  1 stick  hand 5/8",
        "  pans 0 baskets 2 fly agaric",
        "  dishes: PO×5=24 HF×3=3",
        "  hand: HF MO ? ? N?",
        "",
        "  1     2     3     4     5     6     7     8",
        "  HF    TE    LW    SH    HW    BB   MOON  FLY",
        " free  free   1     2     3     4     5     6",
        " decay: BSK PAN                 pile 67  night 6",
        "",
        "● you  0 flavour  3 sticks  hand 4/8",
        "  pans 2",
        "  dishes: -",
    ]
    assert row_text(fungi.hand(scene_of(kitchen))) == "hand 4/8: ·SH CH CH N-CH   · secret"
    assert row_text(fungi.hand(scene_of(kitchen, A, ASCII))) == "hand 4/8: *SH CH CH N-CH   * secret"
    kitchen.table.reminder = "hidden"
    assert big(kitchen).splitlines()[3] == "  hand: ? ? ? ? N?"
    small = text(fungi.picture(scene_of(kitchen), 47, 12)).splitlines()
    assert small[2:5] == [
        " HF   TE   LW   SH   HW   BB   MOO  FLY",
        "  -    -    1    2    3    4    5    6",
        " decay: BSK PAN         pile 67  night 6",
    ]
    tiny = text(fungi.picture(scene_of(kitchen), 18, 7)).splitlines()
    assert tiny == [
        "▲ 27 s1 5/8 p0 F",
        " 1   HF   5   HW",
        " 2   TE   6   BB",
        " 3   LW   7  MOON",
        " 4   SH   8  FLY",
        "d BSK PAN",
        "● 0 s3 4/8 p2",
    ]


def test_candidates_wear_brackets_and_picked_cards_arrows() -> None:
    kitchen = Kitchen(hands=("CH CH CH", ""), forest="HF TE LW SH HW BB MOON FLY")
    cards = kitchen.table.forest
    seen = dataclasses.replace(scene_of(kitchen), marks={cards[1]: CANDIDATE, cards[6]: CANDIDATE, cards[2]: PICKED})
    for (columns, lines), words in zip(FORMS, [("[TE]", ">LW<", "[MOON]"), ("[TE]",), ("[TE]",)], strict=True):
        assert all(word in text(fungi.picture(seen, columns, lines)) for word in words)
    hand = kitchen.table.hands[A]
    seen = dataclasses.replace(scene_of(kitchen), marks={hand[0]: PICKED, hand[1]: CANDIDATE})
    assert row_text(fungi.hand(seen)) == "hand 3/8: >CH< [CH] CH"


def test_what_mushrooms_are_worth_is_told_if_there_is_room() -> None:
    kitchen = Kitchen()
    assert len(fungi.picture(scene_of(kitchen), 48, 13)) == 13
    assert "MO 6/4" in text(fungi.picture(scene_of(kitchen), 48, 15))
    wide = text(fungi.picture(scene_of(kitchen), 90, 20))
    assert all(fungi_board.NAMES[kind] in wide for kind in KINDS)


def test_the_top_line_and_who_looks_on() -> None:
    kitchen = Kitchen()
    assert fungi.progress(kitchen.table) == "turn 1"
    assert fungi.hand(scene_of(kitchen, None)) == []
    assert "Beto" in big(kitchen, None).splitlines()[0]
    fresh = Kitchen(game=registry.create("fungi", 2, {}))
    assert fungi.progress(fresh.table) == "starting hands"
