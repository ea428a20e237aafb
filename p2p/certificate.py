"""TLS whose certificates are identities. Does IO: files, for a moment.

For: transport. Never: a private key in the clear on disk, a certificate authority, a clock, any TLS but 1.3, or trust
in anything that a certificate says besides its key.

Theory of operation. The server's certificate is signed by itself, with its Ed25519 identity key. TLS proves that the
server holds that key, and nothing else in the certificate means anything: names, dates and serial number are constants,
so one identity has one certificate. The client therefore switches off all of the library's checks and afterwards looks
at the key, which passes the point gate (under a key of small order any TLS signature would hold).
The standard library loads keys from files only: the key goes into a file of mode 0600 in a fresh folder of mode 0700,
encrypted under a random password that never leaves memory, and is deleted as soon as it is loaded.
"""

from __future__ import annotations

import datetime
import secrets
import ssl
import tempfile
import warnings
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID

from protocol.errors import Malformed
from protocol.identity import Identity, check_public

from .files import writing

_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2pgame")])
_FROM = datetime.datetime(2000, 1, 1)
_TO = datetime.datetime(9999, 12, 31, 23, 59, 59)


def certificate(identity: Identity) -> bytes:
    """The one certificate of an identity, DER."""
    key = Ed25519PrivateKey.from_private_bytes(identity.seed)
    builder = x509.CertificateBuilder(_NAME, _NAME, key.public_key(), 1, _FROM, _TO)
    return builder.sign(key, None).public_bytes(serialization.Encoding.DER)


def key_in(der: bytes | None) -> bytes:
    """The identity key (32 bytes) in a foreign certificate. Errors: Malformed, Refused (the point gate)."""
    if der is None:
        raise Malformed("certificate: none was shown")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the library warns of odd certificates, on standard error
            key = x509.load_der_x509_certificate(der).public_key()
    except (ValueError, x509.InvalidVersion, UnsupportedAlgorithm, Warning) as error:
        raise Malformed("certificate: not one of ours") from error
    if not isinstance(key, Ed25519PublicKey):
        raise Malformed("certificate: no Ed25519 key in it")
    return check_public(key.public_bytes_raw())


def server_context(identity: Identity) -> ssl.SSLContext:
    """A server's side of TLS, showing this identity. Errors: CannotWrite, if a temporary file cannot be made."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # nobody resumes a session: every link is proven anew
    password = secrets.token_hex(32)
    key = Ed25519PrivateKey.from_private_bytes(identity.seed).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password.encode()),
    )
    with writing(Path("the folder for temporary files")), tempfile.TemporaryDirectory(prefix="p2pgame-") as folder:
        file = Path(folder, "key.pem")
        file.touch(mode=0o600)
        file.write_bytes(key + ssl.DER_cert_to_PEM_cert(certificate(identity)).encode())
        context.load_cert_chain(file, password=password)
    return context


def client_context() -> ssl.SSLContext:
    """A client's side of TLS. It trusts every certificate: whoever uses it must look at `key_in` afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
