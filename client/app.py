"""Where trio and prompt_toolkit meet: the only file that knows both event loops.

For: `run_full_screen`, which runs a trio main function that may `show` screens; `run_plain`, the same without screens;
`wants_plain`, which decides between them before any screen is built. Does IO. Never: a table, a game, a layout.

Theory of operation: one thread. prompt_toolkit wants asyncio, so asyncio is the host and trio runs as its guest; trio's
main function is in charge, a screen is one of its tasks. `show` starts the application as an asyncio task and sleeps as
a trio task until that ends; cancelled by trio, it cancels the asyncio task and waits until the terminal is restored.
Signals are received by trio in both modes: SIGINT, SIGTERM and SIGHUP cancel the main function, so that it takes its
leave properly, and become `Interrupted`; SIGTSTP suspends with the terminal restored. The loop must not stop before
trio is done. Screens call trio by `send_nowait` on a memory channel; trio calls screens by `invalidate`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

import outcome
import trio
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.application.current import set_app

T = TypeVar("T")
Main = Callable[[], Awaitable[T]]
logger = logging.getLogger("p2pgame")


class Interrupted(Exception):
    """A signal ended the program; it took its leave. `number`: which signal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted ({signal.Signals(number).name})")
        self.number = number


class Crash(Exception):
    """The program itself went wrong; the traceback is in the log. `str(error)` is for people."""


class HungUp(Exception):
    """The terminal is gone."""


def wants_plain(stdin: TextIO | None, stdout: TextIO | None, environ: Mapping[str, str]) -> bool:
    """Whether a full screen cannot work here. To be asked before an Application is built: that writes already."""
    term = environ.get("TERM", "")
    if stdin is None or stdout is None or term == "dumb" or (not term and sys.platform != "win32"):
        return True
    try:
        return not (stdin.isatty() and stdout.isatty())
    except ValueError:  # closed
        return True


def somebody_is_there() -> bool:
    """Whether a person may type, on a screen or in lines."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # closed
        return False


# -- running ---------------------------------------------------------------------------------------------------------

_screens: list[Application[Any]] = []
"""The applications that are shown now, the innermost last."""


def run_full_screen(main: Main[T], log: Path | None = None, expected: tuple[type[BaseException], ...] = ()) -> T:
    """Run a trio main function that may `show` screens. Errors: those of `expected` as they are, also out of a group;
    Interrupted; Crash for everything else."""
    with _stderr_into(log):
        return _settle(lambda: asyncio.run(_host(main)), expected)


def run_plain(main: Main[T], expected: tuple[type[BaseException], ...] = ()) -> T:
    """Run a trio main function without screens. Errors: as above."""
    return _settle(lambda: trio.run(_guarded, main, False), expected)


async def _host(main: Main[T]) -> T:
    """The asyncio side: start trio as a guest and stay until it is done."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[outcome.Outcome[T]] = loop.create_future()
    loop.set_exception_handler(_loop_error)
    trio.lowlevel.start_guest_run(
        _guarded,
        main,
        True,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=done.set_result,
        host_uses_signal_set_wakeup_fd=True,
    )
    while not done.done():
        # asyncio's own handling of Ctrl-C cancels this task; trio hears of the signal itself.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(done)
    return done.result().unwrap()


async def _guarded(main: Main[T], suspends: bool) -> T:
    """The trio side: `main`, cancelled by signals."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGTSTP") if suspends else ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    caught: list[int] = []
    result: list[T] = []
    with trio.open_signal_receiver(*numbers) as received:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, received, nursery.cancel_scope, caught)
            result.append(await main())
            nursery.cancel_scope.cancel()
    if not result:
        raise Interrupted(caught[0])
    return result[0]


async def _watch(received: AsyncIterator[int], scope: trio.CancelScope, caught: list[int]) -> None:
    async for number in received:
        if number == getattr(signal, "SIGTSTP", None):
            suspend()
        elif not caught:
            caught.append(number)
            scope.cancel()


def _settle(run: Callable[[], T], expected: tuple[type[BaseException], ...]) -> T:
    try:
        return run()
    except BaseException as error:  # noqa: BLE001 - this is where every error of the program arrives
        _raise(error, expected)


def _raise(error: BaseException, expected: tuple[type[BaseException], ...]) -> NoReturn:
    leaves = list(_leaves(error))
    for kind in (expected, (Interrupted, SystemExit)):
        for leaf in leaves:
            if isinstance(leaf, kind):
                raise leaf
    if any(isinstance(leaf, HungUp) for leaf in leaves):
        raise Interrupted(getattr(signal, "SIGHUP", signal.SIGTERM)) from None
    if any(isinstance(leaf, KeyboardInterrupt) for leaf in leaves):
        raise Interrupted(signal.SIGINT) from None
    logger.error("the program went wrong", exc_info=error)
    first = leaves[0]
    raise Crash(f"Something went wrong in this program itself ({type(first).__name__}: {first}).") from error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception in a callback of prompt_toolkit (a key, a redraw): it ends the screen and arrives where `show` was
    called. prompt_toolkit's own handler would ask for a key press on a broken screen, for ever."""
    error = context.get("exception")
    if error is None:
        logger.warning("event loop: %s", context.get("message"))
    elif not (_screens and _exit(_screens[-1], error)):
        logger.error("event loop: %s", context.get("message"), exc_info=error)


# -- screens ---------------------------------------------------------------------------------------------------------


async def show(app: Application[T]) -> T:
    """Show a full screen until it exits; its result. A trio task; cancelling it takes the screen away. Errors: what
    went wrong in the screen; HungUp."""
    task = trio.lowlevel.current_task()
    cancelled: list[Callable[[], NoReturn]] = []
    screen = asyncio.get_running_loop().create_task(
        app.run_async(handle_sigint=False, set_exception_handler=False)
    )  # both are ours: signals above, exceptions in _loop_error
    _screens.append(app)

    def ended(finished: asyncio.Task[T]) -> None:
        _screens.remove(app)
        trio.lowlevel.reschedule(task, _outcome(app, finished, cancelled))

    def abort(raise_cancel: Callable[[], NoReturn]) -> trio.lowlevel.Abort:
        cancelled.append(raise_cancel)
        screen.cancel()
        return trio.lowlevel.Abort.FAILED

    screen.add_done_callback(ended)
    result: T = await trio.lowlevel.wait_task_rescheduled(abort)
    return result


def _outcome(
    app: Application[Any], finished: asyncio.Task[T], cancelled: list[Callable[[], NoReturn]]
) -> outcome.Outcome[T]:
    """How a screen ended, for trio."""
    if finished.cancelled():
        return outcome.capture(cancelled[0]) if cancelled else outcome.Error(HungUp("the screen was cancelled"))
    error = finished.exception()
    if error is None:
        return outcome.Value(finished.result())
    # If the very first drawing failed, nobody has left the alternate screen yet.
    with contextlib.suppress(OSError):
        app.renderer.reset()
    if isinstance(error, EOFError) or (isinstance(error, OSError) and error.errno in (errno.EIO, errno.EBADF)):
        return outcome.Error(HungUp("the terminal is gone"))
    return outcome.Error(error)


def close(app: Application[T], result: T) -> None:
    """End a screen, if it is still there."""
    if app.is_running and app.future is not None and not app.future.done():
        app.exit(result=result)


def _exit(app: Application[Any], error: BaseException) -> bool:
    if app.is_running and app.future is not None and not app.future.done():
        app.exit(exception=error)
        return True
    return False


def suspend() -> None:
    """Stop this process as Ctrl-Z does, with the terminal restored meanwhile."""
    if not hasattr(signal, "SIGSTOP"):
        return

    def stop() -> None:
        os.kill(os.getpid(), signal.SIGSTOP)

    if not _screens:
        stop()
        return
    with set_app(_screens[-1]):
        run_in_terminal(stop)


# -- standard error --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _stderr_into(log: Path | None) -> Iterator[None]:
    """What is written to standard error while a screen is up goes to the log: it would scroll the screen."""
    try:
        real = sys.stderr.fileno()
        if not os.isatty(real):
            raise OSError
    except (AttributeError, OSError, ValueError):
        yield
        return
    sys.stderr.flush()
    kept = os.dup(real)
    with (log or Path(os.devnull)).open("ab") as target:
        os.dup2(target.fileno(), real)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, real)
        os.close(kept)
