"""Certificates for the hall: from files that were named, or its own certificate for officials.

No authority vouches for the hall's own certificate. An official compares the fingerprint that the
browser shows with the fingerprint that `serve --tls` prints, once; it stays the same until it
expires.
"""

from __future__ import annotations

import ipaddress
import ssl
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cli import outside
from cli.languages.speaking import tr
from cli.terminal.output import say
from ledger.errors import Refused
from ledger.files.access import first_bytes, make_folder, whole_file
from ledger.problems import phrase

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

FILE_BYTES_MAX = 1_000_000
OWN_FILE = "hall-tls.pem"
"""The hall's own key and certificate, beside the keys of this machine."""

OWN_DAYS = 730
"""Days that a certificate of our own is valid: Apple's browsers take none of more than 825."""


class Certificate(NamedTuple):
    """The files, and the names that a browser takes them for."""

    cert: str
    key: str
    names: tuple[str, ...]


class SecurePort(NamedTuple):
    """The port of officials, over TLS: its socket, its certificate and the address to open."""

    taken: socket.socket
    cert: Certificate
    address: str


def certificate(cert: str, key: str) -> Certificate | None:
    """Read a certificate and its key; None without either, Refused where they do not fit."""
    if not (cert or key):
        return None
    if not (cert and key):
        raise Refused(phrase("--cert and --key must be given together"))
    _hold_together(cert, key)
    try:
        found = x509.load_pem_x509_certificate(first_bytes(Path(cert), FILE_BYTES_MAX))
    except (OSError, ValueError) as error:
        raise Refused(
            phrase("{cert}: not a certificate ({reason})", cert=cert, reason=str(error))
        ) from None
    now = outside.moment()
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc:
        raise Refused(
            phrase(
                "{cert} is valid only from {begin} to {end}, so "
                "browsers reject it today: give another",
                cert=cert,
                begin=f"{found.not_valid_before_utc:%Y-%m-%d}",
                end=f"{found.not_valid_after_utc:%Y-%m-%d}",
            )
        )
    return Certificate(cert, key, _names(found))


def own_certificate(path: Path, hosts: Sequence[str]) -> Certificate:
    """Return the hall's own certificate; it is made once, and again when it has expired."""
    try:
        if path.exists():
            return _read_own(path)
    except _Expired:
        say(tr("{path} has expired: a new certificate is made, with a new fingerprint", path=path))
    try:
        make_folder(path.parent)
        with whole_file(path, is_secret=True) as file:
            file.write(_made(hosts))
    except OSError as error:
        raise Refused(
            phrase("{path} cannot be written: {reason}", path=str(path), reason=str(error.strerror))
        ) from None
    return _read_own(path)


def has_own(folder: Path) -> bool:
    """Return whether a certificate of the hall's own was made next to these keys."""
    return (folder / OWN_FILE).exists()


def fingerprint(cert: str) -> str:
    """Return the SHA-256 of a certificate, as browsers show it."""
    found = x509.load_pem_x509_certificate(first_bytes(Path(cert), FILE_BYTES_MAX))
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


class _Expired(Exception):  # noqa: N818 - what has happened to a certificate
    """A certificate of our own that no browser takes today."""


def _read_own(path: Path) -> Certificate:
    _hold_together(str(path), str(path))
    found = x509.load_pem_x509_certificate(first_bytes(path, FILE_BYTES_MAX))
    if found.not_valid_after_utc <= outside.moment():
        raise _Expired
    return Certificate(str(path), str(path), _names(found))


def _made(hosts: Sequence[str]) -> bytes:
    """Return a new key and a certificate for these names and numbers, as one text."""
    key, now = ec.generate_private_key(ec.SECP256R1()), outside.moment()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tourney hall")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=OWN_DAYS))
        .add_extension(x509.SubjectAlternativeName(list(map(_named, hosts))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    sealing = serialization.NoEncryption()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealing
    )
    return private + made.public_bytes(serialization.Encoding.PEM)


def _named(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _hold_together(cert: str, key: str) -> None:
    """Refuse files that cannot be read, or do not belong to each other."""

    def sealed() -> str:
        raise Refused(phrase("{key}: the key has a passphrase: give a key without one", key=key))

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, sealed)
    except ssl.SSLError as error:
        why = (
            phrase("the key does not belong to the certificate")
            if "MISMATCH" in str(error)
            else error.reason
        )
        raise Refused(
            phrase(
                "{cert} and {key} do not match: {reason}",
                cert=cert,
                key=key,
                reason=why or phrase("not a certificate and its key"),
            )
        ) from None
    except OSError as error:
        raise Refused(
            phrase(
                "{cert} or {key} cannot be read: {reason}",
                cert=cert,
                key=key,
                reason=str(error.strerror),
            )
        ) from None


def _names(found: x509.Certificate) -> tuple[str, ...]:
    """Return the host names and numbers that a certificate is for; of a pattern none."""
    try:
        san = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    named = [*san.get_values_for_type(x509.DNSName)]
    named += map(str, san.get_values_for_type(x509.IPAddress))
    return tuple(each.lower() for each in named if "*" not in each)
