"""Two loops in one thread: results, crashes on either side, signals, cancellation; the terminal is restored by all."""

from __future__ import annotations

import io
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.lowlevel
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from client.app import Crash, HungUp, Interrupted, close, run_full_screen, run_plain, show, wants_plain

LEAVES_ALTERNATE, MOUSE_OFF = "\x1b[?1049l", "\x1b[?1000l"


class Stage:
    """An application that shows what `text` returns, and what it wrote."""

    def __init__(self, keys: PipeInput, text: Callable[[], str] = lambda: "hello") -> None:
        bindings = KeyBindings()

        @bindings.add("q")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=7)

        @bindings.add("x")
        def _(event: KeyPressEvent) -> None:
            raise ValueError("a key broke")

        self.written = io.StringIO()
        self.drawn = trio.Event()
        self.app: Application[int] = Application(
            Layout(Window(FormattedTextControl(text))),
            key_bindings=bindings,
            full_screen=True,
            mouse_support=True,
            erase_when_done=True,
            input=keys,
            output=Vt100_Output(self.written, lambda: Size(5, 20), enable_cpr=False),
        )

    @property
    def restored(self) -> bool:
        """The alternate screen was entered and left, and the mouse is off."""
        text = self.written.getvalue()
        return text.rfind(LEAVES_ALTERNATE) > text.rfind("\x1b[?1049h") >= 0 and MOUSE_OFF in text


def staged(body: Callable[[Stage], Awaitable[Any]], text: Callable[[], str] = lambda: "hello") -> tuple[Any, Stage]:
    """Run `body` with a stage; the result, or the exception, and the stage."""
    with create_pipe_input() as keys:
        stage = Stage(keys, text)
        keys_of[stage] = keys
        try:
            return run_full_screen(lambda: body(stage)), stage
        except (Crash, Interrupted, KeyError) as error:
            return error, stage


keys_of: dict[Stage, PipeInput] = {}


def test_the_result_of_a_screen() -> None:
    async def body(stage: Stage) -> int:
        keys_of[stage].send_text("q")
        return await show(stage.app)

    result, stage = staged(body)
    assert result == 7
    assert stage.restored
    assert "hello" in stage.written.getvalue()


def test_screens_one_after_the_other_and_none_at_all() -> None:
    async def body(stage: Stage) -> int:
        total = 0
        for _ in range(3):
            keys_of[stage].send_text("q")
            total += await show(stage.app)
        return total

    assert staged(body)[0] == 21

    async def nothing() -> str:
        await trio.lowlevel.checkpoint()
        return "done"

    assert run_full_screen(nothing) == "done"


def test_trio_closes_a_screen() -> None:
    async def body(stage: Stage) -> int:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                while not stage.app.is_running:
                    await trio.lowlevel.checkpoint()
                close(stage.app, 3)
                close(stage.app, 4)

            return await show(stage.app)

    result, stage = staged(body)
    assert result == 3
    assert stage.restored


def test_a_crash_of_the_table_takes_the_screen_away(caplog: pytest.LogCaptureFixture) -> None:
    async def body(stage: Stage) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(show, stage.app)
            while not stage.app.is_running:
                await trio.lowlevel.checkpoint()
            raise ValueError("the table broke")

    with caplog.at_level(logging.ERROR, "p2pgame"):
        error, stage = staged(body)
    assert isinstance(error, Crash)
    assert str(error) == "Something went wrong in this program itself (ValueError: the table broke)."
    assert stage.restored
    assert "the table broke" in str(caplog.records[0].exc_info)


def test_a_crash_in_a_key_arrives_where_the_screen_was_shown() -> None:
    async def body(stage: Stage) -> str:
        keys_of[stage].send_text("x")
        with pytest.raises(ValueError, match="a key broke"):
            await show(stage.app)
        return "caught"

    result, stage = staged(body)
    assert result == "caught"
    assert stage.restored


@pytest.mark.parametrize("good", [0, 1])
def test_a_crash_in_the_drawing_does_so_too(good: int) -> None:
    drawn = 0

    def text() -> str:
        nonlocal drawn
        drawn += 1
        if drawn > good * 10:
            raise ValueError("the picture broke")
        return "hello"

    async def body(stage: Stage) -> str:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                while drawn <= good * 10:
                    stage.app.invalidate()
                    await trio.lowlevel.checkpoint()

            with pytest.raises(ValueError, match="the picture broke"):
                await show(stage.app)
        return "caught"

    result, stage = staged(body, text)
    assert result == "caught"
    assert "\x1b[?1049h" not in stage.written.getvalue() or stage.restored


def test_expected_errors_come_out_of_their_groups() -> None:
    async def main() -> None:
        async with trio.open_nursery():
            raise KeyError("known")

    for run in (run_full_screen, run_plain):
        with pytest.raises(KeyError, match="known"):
            run(main, expected=(KeyError,))
        with pytest.raises(Crash):
            run(main)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_cancel_and_are_reported(number: signal.Signals) -> None:
    farewell = []

    async def body(stage: Stage) -> None:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(show, stage.app)
                while not stage.app.is_running:
                    await trio.lowlevel.checkpoint()
                os.kill(os.getpid(), number)
                await trio.sleep_forever()
        finally:
            farewell.append("bye")

    error, stage = staged(body)
    assert isinstance(error, Interrupted)
    assert error.number == number
    assert stage.restored
    assert farewell == ["bye"]


def test_signals_in_plain_mode() -> None:
    async def main() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await trio.sleep_forever()

    with pytest.raises(Interrupted, match="SIGINT"):
        run_plain(main)


def test_a_terminal_that_is_gone_is_a_hang_up() -> None:
    async def body(stage: Stage) -> None:
        keys_of[stage].close()
        await show(stage.app)

    error, _ = staged(body)
    assert isinstance(error, Interrupted)
    assert error.number == signal.SIGHUP

    async def caught(stage: Stage) -> str:
        keys_of[stage].close()
        with pytest.raises(HungUp):
            await show(stage.app)
        return "caught"

    assert staged(caught)[0] == "caught"


class Tty(io.StringIO):
    """Claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_windows_console_needs_no_term_but_a_pipe_is_no_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert not wants_plain(Tty(), Tty(), {})
    assert wants_plain(io.StringIO(), Tty(), {})
    assert wants_plain(Tty(), io.StringIO(), {})
    assert wants_plain(Tty(), None, {})
    assert wants_plain(Tty(), Tty(), {"TERM": "dumb"})


def test_plain_mode_is_decided_beforehand(tmp_path: Path) -> None:
    tty, xterm = Tty(), {"TERM": "xterm"}
    assert not wants_plain(tty, tty, xterm)
    assert wants_plain(io.StringIO(), tty, xterm)
    assert wants_plain(tty, io.StringIO(), xterm)
    assert wants_plain(None, tty, xterm)
    assert wants_plain(tty, tty, {"TERM": "dumb"})
    assert wants_plain(tty, tty, {"TERM": ""})
    assert wants_plain(tty, tty, {})
    closed = Tty()
    closed.close()
    with (tmp_path / "x").open("w") as file:
        pass
    assert wants_plain(tty, file, xterm)
