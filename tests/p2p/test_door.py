"""The door of a private table: codes as people type them, proofs, wrong tries, and somebody in between."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.door import ALPHABET, LENGTH, Code, Door, Exchange, Rejected, looks_like_code, new_code, read_code, tag
from protocol import limits
from protocol.errors import Malformed, ProtocolError, Refused

SALT = bytes(range(16))
HOST, GUEST, RELAY = b"h" * 32, b"g" * 32, b"r" * 32
BINDING = {HOST: b"1" * 32, RELAY: b"2" * 32}
CODE = new_code(SALT)
OTHER = next(code for code in iter(lambda: new_code(SALT), None) if code != CODE)

codes = st.binary(min_size=16, max_size=16).map(new_code)
places = st.integers(0, LENGTH - 1)


# -- codes -----------------------------------------------------------------------------------------------------------


@given(codes)
def test_codes_are_read_however_they_are_typed(code: Code) -> None:
    text = str(code)
    assert len(text) == LENGTH + 2
    forms = [text, text.lower(), text.replace("-", ""), text.replace("-", " "), f"  {text} ", text.replace("-", "–")]
    forms.append(text.replace("1", "l").replace("0", "o").replace("V", "u"))
    assert all(read_code(form) == code for form in forms)


@given(codes, places, st.sampled_from(ALPHABET))
def test_one_wrong_letter_is_noticed_before_it_is_tried(code: Code, at: int, letter: str) -> None:
    typed = code.letters[:at] + letter + code.letters[at + 1 :]
    assert (read_code(typed) is None) == (typed != code.letters)
    assert looks_like_code(typed)


@given(codes, places)
def test_two_neighbours_changed_over_are_noticed(code: Code, at: int) -> None:
    a, b = code.letters[at : at + 1], code.letters[at + 1 : at + 2]
    typed = code.letters[:at] + b + a + code.letters[at + 2 :]
    assert (read_code(typed) is None) == (typed != code.letters)


@given(st.text(max_size=20))
def test_other_texts_are_no_codes_and_harmless(text: str) -> None:
    code = read_code(text)
    assert code is None or looks_like_code(text)


def test_a_code_tells_its_table_and_keeps_its_secret_to_itself() -> None:
    assert CODE.tag == tag(SALT) == OTHER.tag
    assert tag(bytes(16)) != CODE.tag
    assert CODE.letters not in repr(CODE)
    assert len({new_code(SALT).letters for _ in range(100)}) == 100


# -- proofs ----------------------------------------------------------------------------------------------------------


def exchange(code: Code, *, hosting: bool, host: bytes = HOST, guest: bytes = GUEST) -> Exchange:
    return Exchange(code, guest=guest, host=host, binding=BINDING[host], hosting=hosting)


def proofs(a: Exchange, b: Exchange) -> tuple[bool, bool]:
    """Whether each side is convinced, when every message arrives."""
    shares = a.share(), b.share()
    a.meet(shares[1])
    b.meet(shares[0])
    return a.fits(b.proof), b.fits(a.proof)


def test_who_knows_the_code_proves_it_to_each_other() -> None:
    assert proofs(exchange(CODE, hosting=False), exchange(CODE, hosting=True)) == (True, True)
    assert proofs(exchange(OTHER, hosting=False), exchange(CODE, hosting=True)) == (False, False)


def test_no_proof_holds_with_other_keys_or_another_certificate() -> None:
    for guest in (exchange(CODE, hosting=False, host=RELAY), exchange(CODE, hosting=False, guest=RELAY)):
        assert proofs(guest, exchange(CODE, hosting=True)) == (False, False)
    elsewhere = Exchange(CODE, guest=GUEST, host=HOST, binding=BINDING[RELAY], hosting=False)
    assert proofs(elsewhere, exchange(CODE, hosting=True)) == (False, False)


def test_a_relay_that_passes_everything_on_convinces_nobody() -> None:
    """It has one link with the guest and one with the host, and a key of its own at both."""
    guest = exchange(CODE, hosting=False, host=RELAY)
    host = exchange(CODE, hosting=True, guest=RELAY)
    assert proofs(guest, host) == (False, False)


def test_a_proof_sent_back_to_its_maker_is_none() -> None:
    a, b = exchange(CODE, hosting=False), exchange(CODE, hosting=True)
    proofs(a, b)
    assert not a.fits(a.proof)
    assert not b.fits(b.proof)


@pytest.mark.parametrize("share", [b"", b"A" * 5, b"A" * 33, b"A\1" + bytes(31), b"A" + bytes(32), b"S" + bytes(32)])
def test_shares_that_nobody_can_have_made(share: bytes) -> None:
    host = exchange(CODE, hosting=True)
    host.share()
    with pytest.raises((Malformed, Refused)):
        host.meet(share)


def test_ones_own_share_sent_back_is_refused() -> None:
    for side in (b"A", b"B"):
        host = exchange(CODE, hosting=True)
        mine = host.share()
        with pytest.raises(ProtocolError):
            host.meet(side + mine[1:])


@given(st.binary(min_size=33, max_size=33))
def test_garbage_for_a_share(share: bytes) -> None:
    host = exchange(CODE, hosting=True)
    host.share()
    try:
        host.meet(b"A" + share[1:])
    except ProtocolError:
        return
    assert not host.fits(bytes(32))


def test_the_arithmetic_is_short() -> None:
    """It runs in a thread all the same; this is about a host that many knock at."""
    times = []
    for _ in range(5):
        began = time.process_time()
        proofs(exchange(CODE, hosting=False), exchange(CODE, hosting=True))
        times.append(time.process_time() - began)
    assert min(times) < 0.2


# -- tries -----------------------------------------------------------------------------------------------------------


class Caller:
    """A guest at a door, with some code."""

    def __init__(self, door: Door, code: Code, guest: bytes = GUEST) -> None:
        self.mine = exchange(code, hosting=False, guest=guest)
        self.theirs = door.knock(guest, BINDING[HOST])
        self._door, self._guest = door, guest
        share = self.theirs.share()
        self.theirs.meet(self.mine.share())
        self.mine.meet(share)

    def prove(self, proof: bytes = b"") -> bool:
        """Whether the host's proof in return fits."""
        return self.mine.fits(self._door.judge(self._guest, self.theirs, proof or self.mine.proof, "10.0.0.7:1"))


def door() -> tuple[Door, list[str]]:
    told: list[str] = []
    return Door(CODE, HOST, told.append), told


def test_the_right_code_opens_for_that_guest_only() -> None:
    ours, told = door()
    assert Caller(ours, CODE).prove()
    assert ours.open_to(GUEST)
    assert not ours.open_to(RELAY)
    assert told == []


def test_a_few_wrong_codes_shut_the_door_for_good() -> None:
    ours, told = door()
    assert Caller(ours, CODE, GUEST).prove()
    late = Caller(ours, CODE, b"l" * 32)
    for number in range(limits.WRONG_CODES):
        with pytest.raises(Rejected, match="wrong"):
            Caller(ours, OTHER, RELAY).prove()
        assert f"{number + 1} of at most {limits.WRONG_CODES}" in told[-1]
        assert "10.0.0.7:1" in told[-1]
    assert "shut for good" in told[-1]
    assert ours.shut
    with pytest.raises(Rejected, match="shut"):
        Caller(ours, CODE, b"n" * 32)
    with pytest.raises(Rejected, match="shut"):
        late.prove()
    assert ours.open_to(GUEST)
    assert len(told) == limits.WRONG_CODES


def test_many_who_knocked_at_once_have_no_more_tries_than_one_after_the_other() -> None:
    ours, _ = door()
    callers = [Caller(ours, OTHER, bytes([number]) * 32) for number in range(10)]
    answers = []
    for caller in callers:
        with pytest.raises(Rejected) as caught:
            caller.prove()
        answers.append(caught.value.why)
    assert answers == ["wrong"] * limits.WRONG_CODES + ["shut"] * (10 - limits.WRONG_CODES)


def test_knocking_and_running_away_ends_too() -> None:
    ours, told = door()
    for _ in range(limits.KNOCKS):
        ours.knock(RELAY, BINDING[HOST])
    with pytest.raises(Rejected, match="shut"):
        ours.knock(GUEST, BINDING[HOST])
    assert ours.shut
    assert len(told) == 1
    assert "shut for good" in told[0]


def test_guests_who_come_in_do_not_count_as_knocks() -> None:
    ours, told = door()
    for _ in range(2 * limits.KNOCKS):
        assert Caller(ours, CODE).prove()
    assert not ours.shut
    assert told == []


@pytest.mark.parametrize("proof", [b"x", bytes(32), b"x" * 100])
def test_a_proof_of_any_form_counts_as_a_try(proof: bytes) -> None:
    ours, _ = door()
    with pytest.raises(Rejected, match="wrong"):
        Caller(ours, CODE).prove(proof)
    assert ours.wrong == 1
