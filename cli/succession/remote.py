"""Ask the desk that is followed over HTTP or TLS, as a browser does, without trusting its answers.

A self-signed certificate, such as that of `serve --tls`, is accepted by its fingerprint.
"""

from __future__ import annotations

import hmac
import json
import ssl
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from ledger.books.links import marks_of, shown_at_door
from ledger.errors import LedgerError, NotFound, Refused, StoreUnavailable
from ledger.problems import marked, problem

if TYPE_CHECKING:
    from http.client import HTTPResponse

TIMEOUT_SECONDS = 15.0
ANSWER_BYTES_MAX = 64_000_000
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class Unreachable(StoreUnavailable):
    """The desk gives no answer now; the follower asks again."""


class UnknownFollower(Refused):
    """The desk knows no key of this computer: the key must be registered first."""


class RemoteDesk:
    """A tournament that another computer serves."""

    def __init__(
        self, address: str, fingerprint: str = "", seconds: float = TIMEOUT_SECONDS
    ) -> None:
        """Parse `address`, which is that of the hall, or a link with its secret.

        Raises:
            NotFound: this is not an address.
        """
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            text = marked("{address} is not the address of a desk, such as http://192.168.1.7:8600")
            raise NotFound(problem("follow.address", text, address=address))
        path = parts.path.rstrip("/")
        self._base = path.removesuffix("/in")
        self._secret = parts.fragment
        self._host, self._port, self._is_tls = parts.hostname, parts.port, parts.scheme == "https"
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self.fingerprint = fingerprint.replace(":", "").lower()
        self._cookie, self._seconds = "", seconds
        self._open: HTTPConnection | None = None

    @property
    def address(self) -> str:
        """Address of the desk, without a secret."""
        return self._origin + self._base

    def ask(self, path: str, body: object = None, **headers: str) -> Any:  # noqa: ANN401 - what it answers
        """Ask the desk; post `body` as JSON if there is one.

        Raises:
            Unreachable: the desk gives no answer, or the answer is not that of a hall.
            UnknownFollower: the desk knows no key of this computer.
            Refused: the desk refuses, with its reason.
        """
        data = None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": JSON} if data is not None else {}
        return self._asked(path, data, {**kind, **headers})

    def enter(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - as above
        """Post an act over the link in the address, marked as a browser marks it.

        Raises:
            Refused: the address has no link, or the desk refuses, as in `ask`.
            Unreachable: the desk gives no answer, as in `ask`.
        """
        if not self._secret:
            text = marked(
                "the first time, `tourney follow` needs the address of an organizer's link: "
                "ADDRESS/in#SECRET, as `tourney links new o1` gives it"
            )
            raise Refused(problem("follow.no_link", text))
        fields = shown_at_door(self._secret, self.ask("/api/v1/nonce")["nonce"])
        let_in = self._asked("/in", urlencode(fields).encode(), {"Content-Type": FORM})
        marks = marks_of(self._secret, let_in["log"], let_in["link"], let_in["browser"])
        data = json.dumps(body).encode()
        mark = marks.of(path, str(body.get("id", "")), data)
        return self._asked(path, data, {"Content-Type": JSON, "Tourney-Mark": mark})

    def _asked(self, path: str, data: bytes | None, headers: dict[str, str]) -> Any:  # noqa: ANN401 - as above
        headers = {"Origin": self._origin, **headers}
        if self._cookie:
            headers["Cookie"] = self._cookie
        try:
            if self._open is None:
                self._open = self._connected()
            self._open.request(
                "POST" if data is not None else "GET", self._base + path, data, headers
            )
            answer = self._open.getresponse()
            content = answer.read(ANSWER_BYTES_MAX)
        except (OSError, HTTPException) as error:
            self.close()
            why = getattr(error, "strerror", "") or str(error) or type(error).__name__
            raise self._unreachable(why) from None
        with suppress(ValueError, RecursionError):
            value = json.loads(content)
            self._keep_cookie(answer)
            if answer.status < 400:  # noqa: PLR2004 - where HTTP's errors begin
                return value
            raise _refusal(answer.status, value)
        self.close()
        text = marked("{address} answers {status}, and not as a desk does")
        address, status = self.address, answer.status
        raise Unreachable(problem("follow.no_desk", text, address=address, status=status))

    def _unreachable(self, why: str) -> Unreachable:
        text = marked("{address} cannot be reached: {why}")
        return Unreachable(problem("follow.unreachable", text, address=self.address, why=why))

    def _keep_cookie(self, answer: HTTPResponse) -> None:
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]

    def _connected(self) -> HTTPConnection:
        if not self._is_tls:
            return HTTPConnection(self._host, self._port, timeout=self._seconds)
        context = ssl.create_default_context()
        if self.fingerprint:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = HTTPSConnection(self._host, self._port, timeout=self._seconds, context=context)
        try:
            connection.connect()
        except ssl.SSLCertVerificationError:
            text = marked(
                "nobody vouches for the certificate of {address}: add --fingerprint with the "
                "SHA-256 that its server printed"
            )
            raise Refused(problem("follow.certificate", text, address=self.address)) from None
        fingerprint = sha256(connection.sock.getpeercert(binary_form=True) or b"").hexdigest()
        if self.fingerprint and not hmac.compare_digest(fingerprint, self.fingerprint):
            connection.close()
            text = marked(
                "the certificate of {address} has another fingerprint: this is another computer"
            )
            raise Refused(problem("follow.fingerprint", text, address=self.address))
        return connection

    def close(self) -> None:
        """Close the connection; the next question opens one."""
        if self._open is not None:
            self._open.close()
        self._open = None


def _refusal(status: int, value: Any) -> LedgerError:  # noqa: ANN401 - what a desk answers
    """Return the refusal of a desk, in its own words."""
    answer = value if isinstance(value, dict) else {}
    problems = answer.get("problems")
    first = problems[0] if isinstance(problems, list) and problems else {}
    code = first.get("code") if isinstance(first, dict) else ""
    detail = str(answer.get("detail") or status)
    if code == "follow.unknown":
        return UnknownFollower(problem("follow.unknown", "{why}", why=detail))
    if status in {429, 500, 502, 503, 504}:
        text = marked("the desk cannot answer now: {why}")
        return Unreachable(problem("follow.unreachable", text, why=detail))
    return Refused(problem("follow.refused", "the desk refused: {why}", why=detail))
