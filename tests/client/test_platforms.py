"""Nothing that only some systems have stands in a player's way: the sources are searched for it.

What counts as a guard is written down in docs/platforms.md, which names what was looked for and how.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(path for floor in ("client", "p2p", "protocol", "engines") for path in (ROOT / floor).rglob("*.py"))


def words(text: str) -> frozenset[str]:
    """They are many."""
    return frozenset(text.split())


MODULES = words(
    "fcntl pwd grp termios tty pty resource syslog spwd crypt readline curses posix nis _curses"
    " msvcrt winreg winsound _winapi nt"
)
"""Of the standard library, and not everywhere."""
NAMES = {
    "os": words(
        "fork forkpty getuid geteuid getgid getegid getgroups setuid setgid seteuid setegid setsid setpgid getpgid"
        " getpgrp killpg chown fchown lchown fchmod chroot mkfifo mknod nice getloadavg uname wait waitid wait3 wait4"
        " WEXITSTATUS openpty login_tty ttyname ctermid tcgetpgrp tcsetpgrp sched_getaffinity sched_setaffinity"
        " getpriority setpriority sync statvfs fstatvfs pread pwrite sendfile posix_spawn O_DIRECTORY O_NOFOLLOW"
        " O_NONBLOCK O_CLOEXEC O_SYNC register_at_fork set_blocking confstr sysconf getxattr setxattr"
        " startfile O_BINARY"
    ),
    "signal": words(
        "SIGHUP SIGQUIT SIGKILL SIGUSR1 SIGUSR2 SIGPIPE SIGALRM SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU"
        " SIGWINCH SIGIO alarm setitimer getitimer pause sigwait sigwaitinfo sigtimedwait pthread_kill"
        " pthread_sigmask siginterrupt CTRL_C_EVENT CTRL_BREAK_EVENT"
    ),
    "socket": words(
        "AF_UNIX AF_PACKET AF_NETLINK SO_REUSEPORT SO_BINDTODEVICE TCP_USER_TIMEOUT MSG_DONTWAIT MSG_NOSIGNAL"
        " socketpair fromfd SO_PEERCRED CMSG_LEN sethostname SO_EXCLUSIVEADDRUSE ioctl"
    ),
    "time": words("tzset clock_gettime clock_getres pthread_getcpuclockid CLOCK_MONOTONIC CLOCK_BOOTTIME"),
    "select": words("poll epoll kqueue devpoll"),
    "asyncio": words("add_signal_handler open_unix_connection start_unix_server"),
    "subprocess": words("CREATE_NEW_CONSOLE STARTUPINFO CREATE_NEW_PROCESS_GROUP"),
    "trio": words("open_unix_socket"),
}
ANYWHERE = words("add_signal_handler remove_signal_handler preexec_fn")
"""Attributes and keywords that are suspicious on whatever they hang."""
GUARDS = ("sys.platform", "os.name", "hasattr(", "getattr(", "platform.system")


def guarded(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether what stands around asks for the system first: an `if` (or an early return after one), or a `try` that
    copes with the name not being there."""
    child, parent = node, parents.get(node)
    while parent is not None:
        if isinstance(parent, ast.If | ast.IfExp) and _asks(parent.test):
            return True
        if isinstance(parent, ast.BoolOp) and any(_asks(value) for value in parent.values):
            return True
        if isinstance(parent, ast.Try) and any(_copes(handler) for handler in parent.handlers):
            return True
        body = getattr(parent, "body", None)
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) and isinstance(body, list) and child in body:
            before = body[: body.index(child)]
            if any(isinstance(one, ast.If) and _asks(one.test) and _leaves(one) for one in before):
                return True
        child, parent = parent, parents.get(parent)
    return False


def _asks(test: ast.expr) -> bool:
    return any(guard in ast.unparse(test) for guard in GUARDS)


def _copes(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type else ""
    return "AttributeError" in caught or "ImportError" in caught


def _leaves(statement: ast.If) -> bool:
    return isinstance(statement.body[-1], ast.Return | ast.Raise | ast.Continue)


def suspicious(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every use of something that not every system has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names if alias.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = (node.module or "").split(".")[0]
            if module in MODULES:
                yield node, module
            yield from (
                (node, f"{module}.{alias.name}") for alias in node.names if alias.name in NAMES.get(module, frozenset())
            )
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in NAMES.get(owner, frozenset()) or node.attr in ANYWHERE:
                yield node, f"{owner}.{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg in ANYWHERE:
            yield node, str(node.arg)


def unguarded(source: str) -> list[str]:
    """What stands in the way, with its line."""
    tree = ast.parse(source)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    return [
        f"line {getattr(node, 'lineno', 0)}: {name}" for node, name in suspicious(tree) if not guarded(node, parents)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_that_only_some_systems_have(path: Path) -> None:
    assert not unguarded(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_texts_are_read_and_written_in_a_known_encoding(path: Path) -> None:
    """The default is another one on Windows."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = ast.unparse(node.func)
        given = {keyword.arg for keyword in node.keywords}
        if function.endswith((".read_text", ".write_text")) and function not in OTHERS:
            assert "encoding" in given, f"{path.name}, line {node.lineno}"
        elif function in ("open", "path.open", "file.open", "wheel.open"):
            binary = any(re.search(r"^'[rwax+]*b|^mode$", ast.unparse(one)) for one in node.args)
            assert binary or "encoding" in given, f"{path.name}, line {node.lineno}"


OTHERS = words("installed.read_text formatter.write_text")
"""Functions that only have such a name."""


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from pwd import getpwuid",
        "import os\nos.fork()",
        "import os\nif os.geteuid() == 0:\n    pass",
        "from os import getuid",
        "import signal\nsignal.signal(signal.SIGHUP, None)",
        "loop.add_signal_handler(2, None)",
        "import subprocess\nsubprocess.run('x', preexec_fn=None)",
        "def f():\n    if x:\n        return\n    os.fork()",
        "def f():\n    if sys.platform == 'win32':\n        log()\n    os.fork()",
        "try:\n    os.fork()\nexcept OSError:\n    pass",
    ],
)
def test_the_search_finds(source: str) -> None:
    assert unguarded(source)


@pytest.mark.parametrize(
    "source",
    [
        "if sys.platform != 'win32':\n    import fcntl",
        "try:\n    import pwd\nexcept ImportError:\n    pass",
        "def f():\n    if sys.platform == 'win32':\n        return\n    os.fork()",
        "hasattr(os, 'geteuid') and os.geteuid()",
        "x = os.getuid() if os.name == 'posix' else 0",
        "signal.SIGINT, signal.SIGTERM",
        "os.replace, os.fsync, os.kill, os.path",
    ],
)
def test_the_search_lets_pass(source: str) -> None:
    assert not unguarded(source)
