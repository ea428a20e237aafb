"""The gate: nothing that comes out moves a cursor, hides, or reverses; and widths are what a terminal makes of them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from client.text import LINE_CAP, NAME_CAP, clean, clean_name, cut, pad, paragraphs, take, width, wrap

NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\x08\r\n\t\x7f\x9b\u200b\u200d\u202e\u2066\ufeff\u00ad\ufe0f\u0301\u3164\U000e0041"),
        st.sampled_from("ab 日本é👍🏽🇪🇸❤"),
    ),
    max_size=60,
)


@given(NASTY)
def test_what_comes_out_is_plainly_visible(text: str) -> None:
    for char in clean(text):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        assert unicodedata.category(char) != "Zs" or char == " "


@given(NASTY)
def test_a_cleaned_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(NASTY, st.integers(1, 40))
def test_the_cap_is_in_columns(text: str, cap: int) -> None:
    assert width(clean(text, cap)) <= cap


@given(NASTY)
def test_width_is_what_prompt_toolkit_counts(text: str) -> None:
    shown = clean(text)
    assert width(shown) == get_cwidth(shown)


@given(NASTY)
def test_no_more_than_two_marks_sit_on_a_character_and_none_on_nothing(text: str) -> None:
    marks = 99
    for char in clean(text):
        marks = marks + 1 if unicodedata.combining(char) else 0
        assert marks <= 2 or marks > 99 + len(text)
    assert not clean(text)[:1] or not unicodedata.combining(clean(text)[0])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana", "Ana"),
        ("Ana\u200b", "Ana<200B>"),
        ("Ana\u3164", "Ana<3164>"),
        ("a\x1b[31mb", "a␛[31mb"),
        ("one\r\ntwo", "one␍␊two"),
        ("\u202eevil", "<202E>evil"),
        ("e\u0301", "é"),
        ("e" + "\u0323" * 4, "ẹ\u0323\u0323<0323>"),
        ("\u0301a", "<0301>a"),
        ("👨\u200d👩", "👨👩"),
        ("❤\ufe0f 👍🏽", "❤ 👍"),
        ("a\ufe0fb", "a<FE0F>b"),
        ("🇪🇸", "ES"),
        ("日本語", "日本語"),
        ("a\u00a0b\u3000c", "a b c"),
        ("\ud800", "<D800>"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_very_long_text_is_cut_and_says_so() -> None:
    shown = clean("x" * 1_000_000)
    assert width(shown) == LINE_CAP
    assert shown.endswith("x…")


def test_names_are_one_word_line_and_never_empty() -> None:
    assert clean_name("  A   B ") == "A B"
    assert clean_name(" \u00a0 ") == "?"
    assert width(clean_name("日" * 50)) <= NAME_CAP


@given(NASTY, st.integers(0, 30))
def test_cut_and_take_and_pad(text: str, columns: int) -> None:
    shown = clean(text)
    assert width(cut(shown, columns)) <= columns
    assert shown.startswith(take(shown, columns))
    assert width(pad(shown, columns)) == columns
    assert width(pad(shown, columns, right=True)) == columns


@given(NASTY, st.integers(2, 30))
def test_wrapping_loses_nothing_but_spaces(text: str, columns: int) -> None:
    shown = clean(text)
    lines = wrap(shown, columns)
    assert lines
    assert all(width(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")


def test_wrapped_lines_are_indented() -> None:
    assert wrap("one two three", 9, "  ") == ["one two", "  three"]
    assert wrap("", 9) == [""]


def test_paragraphs_keep_their_list_marks() -> None:
    assert paragraphs("- one two\nthree", 7) == ["- one", "  two", "three"]
