"""Certificates: one an identity, the key in them and nothing else, and no key left on the disk."""

from __future__ import annotations

import contextlib
import datetime
import os
import ssl
import stat
import sys
import tempfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from p2p.certificate import certificate, key_in, server_context
from p2p.errors import CannotWrite
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.identity import Identity

ANA = Identity(bytes(range(32)))


def test_one_identity_has_one_certificate() -> None:
    assert certificate(ANA) == certificate(Identity(ANA.seed))
    assert certificate(ANA) != certificate(Identity(bytes(32)))
    assert key_in(certificate(ANA)) == ANA.public


def test_no_certificate_or_garbage() -> None:
    for data in (None, b"", b"garbage", certificate(ANA)[:-30]):
        with pytest.raises(Malformed):
            key_in(data)


@given(st.integers(0, len(certificate(ANA)) - 1), st.integers(1, 255))
def test_damaged_certificate_never_raises_anything_else(at: int, change: int) -> None:
    data = bytearray(certificate(ANA))
    data[at] ^= change
    with contextlib.suppress(ProtocolError):
        assert len(key_in(bytes(data))) == 32


def test_other_kind_of_key_is_refused() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    now = datetime.datetime(2020, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now)
    with pytest.raises(Malformed, match="Ed25519"):
        key_in(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER))


def test_key_of_small_order_is_refused() -> None:
    data = certificate(ANA).replace(ANA.public, b"\x01" + bytes(31))
    with pytest.raises(Refused):
        key_in(data)


def test_key_never_lies_on_the_disk_in_the_clear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[tuple[int, bytes]] = []
    load = ssl.SSLContext.load_cert_chain

    def spy(self: ssl.SSLContext, file: Path, *, password: str) -> None:
        seen.append((stat.S_IMODE(file.stat().st_mode), file.read_bytes()))
        load(self, file, password=password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", spy)
    server_context(ANA)
    ((mode, content),) = seen
    assert mode == 0o600 or sys.platform == "win32"
    assert b"ENCRYPTED PRIVATE KEY" in content
    clear = Ed25519PrivateKey.from_private_bytes(ANA.seed).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    assert clear.splitlines()[1] not in content
    assert not list(tmp_path.iterdir())


def test_nowhere_to_put_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path / "missing"))
    with pytest.raises(CannotWrite, match="temporary"):
        server_context(ANA)
