"""The installer that another computer fetches from the one that shares: `curl -s http://ADDRESS:PORT/get | python3 -`.

For: a computer with Python and nothing else. Does IO: the network as far as the computer that shares, files, and pip in
a process of its own. Never: another server, a wheel without the hash that the list demands, or a change outside the one
folder that it makes.

Theory of operation: this file is sent as it is, with the four values below filled in; it is no part of the running
program, and knows nothing of it. It has to be readable for old Pythons, too, so that they can say that they are. It
makes a virtual environment, with the wheel of pip from the sharing computer where that has one (some systems' Python
comes without), fetches the list of libraries, and lets pip install exactly these, each with its hash checked.
"""

import os
import sys

BASE = ""
NETLOC = ""
PIP = ("", "")
READY = ""


def stop(words: str) -> None:
    """Say why not, and end."""
    sys.exit("p2pgame is not installed: " + words)


def main() -> None:
    """Install."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever fetches this may have any Python
        version = ".".join(map(str, sys.version_info[:2]))
        stop("it needs Python 3.11 or later, this is " + version + ". Perhaps there is another: try python3.12.")
    import subprocess
    import tempfile
    import venv
    from pathlib import Path

    into = Path(sys.argv[1] if len(sys.argv) > 1 else Path.home() / "p2pgame").absolute()
    if into.exists() and not (into / "pyvenv.cfg").exists():
        stop(str(into) + " is there already and something else. Give another folder: … | python3 - FOLDER")
    say("making", into)
    try:
        venv.EnvBuilder(with_pip=not PIP[0], symlinks=os.name != "nt").create(into)
    except (OSError, subprocess.CalledProcessError) as error:
        stop("the folder cannot be made (" + str(error) + "). On Debian and Ubuntu: install python3-venv.")
    scripts = into / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / ("python.exe" if os.name == "nt" else "python"))
    with tempfile.TemporaryDirectory() as work:
        wanted = Path(work, "requirements.txt")
        wanted.write_bytes(fetch("requirements.txt", ""))
        pip = ["-m", "pip"]
        if PIP[0]:
            Path(work, PIP[0]).write_bytes(fetch(*PIP))
            pip = [str(Path(work, PIP[0], "pip"))]
        say("installing from", BASE)
        options = ["--no-input", "--disable-pip-version-check", "--quiet", "--no-deps", "--force-reinstall"]
        source = ["--no-index", "--find-links", BASE, "--trusted-host", NETLOC, "--only-binary=:all:"]
        command = [python, *pip, "install", *options, *source, "--require-hashes", "--requirement", str(wanted)]
        if subprocess.call(command, env=environment(), stdin=subprocess.DEVNULL):
            stop("see above. There it has everything for: " + READY)
    say("done. Start it with:", scripts / "p2pgame")


def environment() -> "dict[str, str]":
    """Ours, without what could lead pip elsewhere."""
    kept = {}
    for name, value in os.environ.items():
        away = (
            name.upper().startswith("PIP_") or name.lower().endswith("_proxy") or name in ("PYTHONPATH", "PYTHONHOME")
        )
        if not away:
            kept[name] = value
    kept["PIP_CONFIG_FILE"] = os.devnull
    return kept


def fetch(name: str, digest: str) -> bytes:
    """A file of the sharing computer."""
    import hashlib
    from urllib.request import ProxyHandler, build_opener

    try:
        with build_opener(ProxyHandler({})).open(BASE + name, timeout=30) as answer:
            data = bytes(answer.read())
    except OSError as error:
        stop(name + " cannot be fetched from " + BASE + ": " + str(error))
    if digest and hashlib.sha256(data).hexdigest() != digest:
        stop(name + " arrived damaged; try again.")
    return data


def say(*words: object) -> None:
    """One line."""
    print("p2pgame:", *words, flush=True)  # noqa: T201 - a program's output


if __name__ == "__main__":
    main()
