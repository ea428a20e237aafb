"""What is shared: exactly what the lock allows, for whom it is complete, and the program as a wheel of its own."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from client import bootstrap, cli, pack, share, wheels
from client.lock import Target, targets
from client.wheels import CannotFetch, NoPip, Stock

ROOT = Path(__file__).parents[2]
LINUX = Target("linux-x86_64", "3.12")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the wheels of an empty profile go."""
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    return tmp_path / "share"


# -- the program's own wheel -------------------------------------------------------------------------------------------


def test_the_own_wheel_keeps_to_the_rules() -> None:
    name, data = pack.own_wheel()
    version = metadata.version("p2pgame")
    about = f"p2pgame-{version}.dist-info"
    assert name == f"p2pgame-{version}-py3-none-any.whl"
    with zipfile.ZipFile(BytesIO(data)) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        record = archive.read(f"{about}/RECORD").decode().splitlines()
        files = {entry: archive.read(entry) for entry in names}
    assert names[-1] == f"{about}/RECORD"
    assert len(record) == len(names)
    for line in record[:-1]:
        path, digest, size = line.rsplit(",", 2)
        found = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={found}", str(len(files[path])))
    for needed in (
        "client/cli.py",
        "client/runtime.lock",
        "client/screens/table.py",
        "protocol/group.py",
        "p2p/node.py",
    ):
        assert files[needed] == (ROOT / needed).read_bytes()
    assert {path.split("/")[0] for path in names} == {"client", "engines", "p2p", "protocol", about}
    assert not [path for path in names if "__pycache__" in path or path.startswith("/") or ".." in path]
    assert b"Root-Is-Purelib: true" in files[f"{about}/WHEEL"]
    assert b"p2pgame = client.cli:main" in files[f"{about}/entry_points.txt"]


def test_the_same_files_make_the_same_wheel() -> None:
    assert pack.own_wheel() == pack.own_wheel()


def test_a_program_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", nothing)
    with pytest.raises(pack.NotInstalled):
        pack.own_wheel()


# -- the stock ---------------------------------------------------------------------------------------------------------


def pretend(monkeypatch: pytest.MonkeyPatch, *libraries: tuple[str, bytes, str]) -> None:
    """A lock of these libraries (name, the content of their only wheel, marker), and a pip that brings them."""
    lines = [
        f"{name}==1.0{f' ; {marker}' if marker else ''} --hash=sha256:{hashlib.sha256(data).hexdigest()}"
        for name, data, marker in libraries
    ]
    monkeypatch.setattr(wheels, "lock_text", lambda: "\n".join(lines))
    monkeypatch.setattr(share, "lock_text", lambda: "\n".join(lines))
    monkeypatch.setattr(wheels, "find_pip", lambda: ["pip"])

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        values = dict(word.split("=", 1) for word in command if "=" in word)
        for line in Path(values["--requirement"]).read_text().splitlines():
            name = line.split("==")[0]
            data = {one: content for one, content, _ in libraries}[name]
            if data != b"missing":
                Path(values["--dest"], f"{name}-1.0-py3-none-any.whl").write_bytes(data)
        lacking = any(data == b"missing" for _, data, _ in libraries)
        return subprocess.CompletedProcess(command, lacking, "", "WARNING: x\nERROR: No\x1b[31m lib==1.0\n")

    monkeypatch.setattr(subprocess, "run", run)


def test_fetching(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ("a", b"A", ""), ("b", b"B", "sys_platform == 'win32'"))
    said: list[str] = []
    stock = wheels.prepare(folder, targets(["linux-x86_64", "windows-amd64"]), said.append)
    assert set(stock.wheels) == {"a-1.0-py3-none-any.whl", "b-1.0-py3-none-any.whl"}
    assert len(stock.ready) == len(said) == 6
    assert "linux-x86_64, Python 3.11: 1 wheels" in said
    assert "windows-amd64, Python 3.11: 2 wheels" in said
    assert {path.name for path in folder.iterdir()} == {*stock.wheels, wheels.INDEX}


def test_a_library_that_one_platform_lacks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ("a", b"missing", ""))
    said: list[str] = []
    with pytest.raises(CannotFetch) as caught:
        wheels.prepare(folder, [LINUX], said.append)
    assert caught.value.exit_code == 3
    assert "No␛[31m lib==1.0" in str(caught.value)
    assert said == ["linux-x86_64, Python 3.12: left out; No␛[31m lib==1.0"]


def test_changed_and_foreign_wheels_are_not_handed_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ("a", b"A", ""))
    wheels.prepare(folder, [LINUX], lambda line: None)
    (folder / "evil-1.0-py3-none-any.whl").write_bytes(b"evil")
    stock = wheels.take_stock(folder)
    assert stock.refused == ["evil-1.0-py3-none-any.whl"]
    assert stock.ready == [str(LINUX)]
    (folder / "a-1.0-py3-none-any.whl").write_bytes(b"changed")
    stock = wheels.take_stock(folder)
    assert (stock.wheels, stock.ready) == ({}, [])


@pytest.mark.parametrize(
    "index", ["", "[]", "[1", '{"x": 1}', '{"nonsense": ["a"]}', '{"linux-x86_64, Python 3.12": []}']
)
def test_an_index_that_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch, index: str) -> None:
    pretend(monkeypatch, ("a", b"A", ""))
    folder.mkdir()
    (folder / wheels.INDEX).write_text(index)
    assert wheels.take_stock(folder).ready == []


def test_a_python_without_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failed: subprocess.CompletedProcess[str] = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    monkeypatch.setattr(wheels, "bundled_pip", lambda: None)
    with pytest.raises(NoPip):
        wheels.find_pip()
    monkeypatch.setattr(wheels, "bundled_pip", lambda: tmp_path / "pip-1.whl")
    assert wheels.find_pip() == [sys.executable, str(tmp_path / "pip-1.whl" / "pip")]


# -- what others get ---------------------------------------------------------------------------------------------------


def goods(folder: Path) -> dict[str, bytes]:
    """Everything that is served, as somebody at this address gets it."""
    found = {}
    for name, item in share.items(folder, wheels.take_stock(folder)).items():
        content = item.content
        if isinstance(content, Path):
            content = content.read_bytes()
        found[name] = content if isinstance(content, bytes) else content(("192.0.2.7", 4711))
    return found


def test_the_page_the_list_and_the_installer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ("a", b"A", ""))
    wheels.prepare(folder, [LINUX], lambda line: None)
    found = goods(folder)
    page = found[""].decode()
    links = dict(re.findall(r'href="([^"#]+)#sha256=([0-9a-f]{64})"', page))
    assert {name: hashlib.sha256(found[name]).hexdigest() for name in links} == links
    assert "http://192.0.2.7:4711/get" in page
    assert "linux-x86_64 with Python 3.12" in page
    wanted = found["requirements.txt"].decode().split()
    own = hashlib.sha256(pack.own_wheel()[1]).hexdigest()
    assert [wanted[-2], wanted[-1]] == [f"p2pgame=={metadata.version('p2pgame')}", f"--hash=sha256:{own}"]
    installer = ast.parse(found["get"])
    values = {
        target.id: ast.literal_eval(node.value)
        for node in installer.body
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name)
    }
    assert values["BASE"] == "http://192.0.2.7:4711/"
    assert values["NETLOC"] == "192.0.2.7:4711"
    name, digest = values["PIP"]
    assert not name or hashlib.sha256(found[name]).hexdigest() == digest


def test_addresses_of_ipv_6() -> None:
    assert share.url(("fe80::1%eth0", 80)) == "http://[fe80::1]:80/"
    assert "--trusted-host [2001:db8::1]:80 " in share.commands(("2001:db8::1", 80))["pip"]


def test_the_installer_can_be_read_by_old_pythons() -> None:
    source = Path(bootstrap.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    assert "from __future__" not in source
    assert not [line for line in source.splitlines() if re.match(r"(import|from) ", line) and line not in OLD]


OLD = ("import os", "import sys")


@pytest.mark.parametrize("away", ["PIP_INDEX_URL", "pip_extra_index_url", "HTTPS_PROXY", "http_proxy", "PYTHONPATH"])
def test_nothing_leads_pip_elsewhere(monkeypatch: pytest.MonkeyPatch, away: str) -> None:
    monkeypatch.setenv(away, "http://elsewhere.example")
    assert away not in bootstrap.environment()


def test_the_installer_leaves_other_folders_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.setattr(sys, "argv", ["-", str(tmp_path / "mine")])
    with pytest.raises(SystemExit, match="something else"):
        bootstrap.main()
    assert not list((tmp_path / "mine").iterdir())


def test_a_damaged_file_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pip.whl").write_bytes(b"x")
    monkeypatch.setattr(bootstrap, "BASE", tmp_path.as_uri() + "/")
    assert bootstrap.fetch("pip.whl", hashlib.sha256(b"x").hexdigest()) == b"x"
    with pytest.raises(SystemExit, match="damaged"):
        bootstrap.fetch("pip.whl", hashlib.sha256(b"y").hexdigest())
    with pytest.raises(SystemExit, match="cannot be fetched"):
        bootstrap.fetch("nothing", "")


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "share --prepare"),
        (["--for", "this"], 2, "--for goes with --prepare"),
        (["--prepare", "--for", "amiga"], 2, "linux-x86_64"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["share", *arguments])
    assert ended.value.code == code
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1


def test_preparing(capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ("a", b"A", ""))
    with pytest.raises(SystemExit) as ended:
        cli.main(["share", "--prepare", "--for", "linux-x86_64", "--json"])
    assert ended.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["wheels"], found["bytes"], len(found["ready"])) == (1, 1, 3)
    assert share.whom(Stock(ready=found["ready"])) == "linux-x86_64 with Python 3.11, 3.12, 3.13"
