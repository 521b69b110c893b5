"""A certificate for the hall: never required, and said in one line where it does not fit."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cryptography import x509

from ledger.errors import Refused
from ledger.files.access import first_bytes

FILE_BYTES_MAX = 1_000_000


class Certificate(NamedTuple):
    """The files, and the names that a browser takes them for."""

    cert: str
    key: str
    names: tuple[str, ...]


def certificate(cert: str, key: str) -> Certificate | None:
    """Read a certificate and its key; None without either, Refused where they do not fit."""
    if not (cert or key):
        return None
    if not (cert and key):
        raise Refused("--cert and --key belong together: name both files")
    _hold_together(cert, key)
    try:
        found = x509.load_pem_x509_certificate(first_bytes(Path(cert), FILE_BYTES_MAX))
    except (OSError, ValueError) as error:
        raise Refused(f"{cert}: this is no certificate ({error})") from None
    now = datetime.now(UTC)
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc:
        raise Refused(
            f"{cert}: valid from {found.not_valid_before_utc:%Y-%m-%d} to "
            f"{found.not_valid_after_utc:%Y-%m-%d}, and no browser takes it today"
        )
    return Certificate(cert, key, _names(found))


def _hold_together(cert: str, key: str) -> None:
    """Refuse files that cannot be read, or do not belong to each other."""

    def sealed() -> str:
        raise Refused(f"{key}: the key has a passphrase, and the server asks for none")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, sealed)
    except ssl.SSLError as error:
        why = "the key is not this certificate's" if "MISMATCH" in str(error) else error.reason
        raise Refused(
            f"{cert} and {key} do not fit: {why or 'no certificate with its key'}"
        ) from None
    except OSError as error:
        raise Refused(f"{cert} or {key} cannot be read: {error.strerror}") from None


def _names(found: x509.Certificate) -> tuple[str, ...]:
    """Return the host names and numbers that a certificate is for; of a pattern none."""
    try:
        san = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    named = [*san.get_values_for_type(x509.DNSName)]
    named += map(str, san.get_values_for_type(x509.IPAddress))
    return tuple(each.lower() for each in named if "*" not in each)
