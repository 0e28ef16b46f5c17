"""Sends requests by the standard library, again where that is safe, and reads their replies within bounds."""

from __future__ import annotations

import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from typing import Any, Protocol

# Statuses that may be temporary.
_PASSING = frozenset({202, 429, 500, 502, 503, 504})
# POSTs that only read.
_READING_POSTS = frozenset({"/v1/rms/batch", "/v1/policy/check", "/v1/policy/portfolio"})
_MOST_PROBLEM_BYTES = 1_048_576
_CHUNK_BYTES = 65_536


@dataclass(frozen=True)
class Retry:
    """How a call is tried again."""

    # Attempts beyond the first.
    retries: int = 3
    # The first pause; it doubles with each attempt.
    first_pause_seconds: float = 0.25
    # The longest pause that the client waits; for a longer one it raises at once.
    longest_pause_seconds: float = 30.0


class AssayProblem(Exception):
    """The service refused (RFC 9457): `code` is a stable word, `problem` all that it said."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after_seconds: float | None) -> None:
        self.status = status
        self.problem = problem
        self.code: str = str(problem.get("code", f"http_{status}"))
        # Seconds of `Retry-After`; None without one.
        self.retry_after_seconds = retry_after_seconds
        super().__init__(f"{status} {self.code}: {problem.get('detail', '')}")


class AssayConnectionError(Exception):
    """No reply came, or none that could be read. `reason`: timeout, unreachable, unreadable or too_large."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key does not follow to other addresses: a redirect is an error like any other status."""

    def redirect_request(self, *_given: Any) -> None:
        return None


def new_key() -> str:
    """A new Idempotency-Key."""
    return str(uuid.uuid4())


class Sender:
    """Requests to one service. `timeout` is of one attempt with its body, in seconds; `most_bytes` of one reply."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        timeout: float,
        most_bytes: int,
        retry: Retry,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        address = urllib.parse.urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname or address.username or address.query:
            raise ValueError("base_url: expected an address that begins with http:// or https://")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._most_bytes = most_bytes
        self._retry = retry
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirect)

    def call(
        self,
        method: str,
        template: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: Any = None,
    ) -> Any:
        """JSON as objects, other texts as str, files as bytes, an empty reply as None.

        Raises AssayProblem for what the service refuses, AssayConnectionError when nothing readable came, and ValueError for
        a part that cannot stand in an address.
        """
        given = {name: value for name, value in (headers or {}).items() if value is not None}
        address = self._base_url + _path(template, path or {}) + _query(query or {})
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        repeatable = method != "POST" or "Idempotency-Key" in given or template in _READING_POSTS
        reply_was_lost = False
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._once(method, address, given, data)
            except AssayProblem as problem:
                # The first DELETE was carried out, and only its reply was lost.
                if reply_was_lost and method == "DELETE" and problem.status == 404:
                    return None
                # A problem of an ended job stays the same under the same key.
                if not repeatable or problem.status not in _PASSING or "job_id" in problem.problem:
                    raise
                pause = self._pause(attempt, problem.retry_after_seconds)
                if pause is None:
                    raise
            except AssayConnectionError as error:
                reply_was_lost = True
                pause = self._pause(attempt, None)
                if not repeatable or error.reason == "too_large" or pause is None:
                    raise
            self._sleep(pause)

    def _pause(self, attempt: int, asked: float | None) -> float | None:
        """Seconds before the next attempt, or None to give up. `Retry-After` is kept to, with up to a tenth on top."""
        if attempt > self._retry.retries:
            return None
        longest = self._retry.longest_pause_seconds
        if asked is None:
            return random.random() * min(longest, self._retry.first_pause_seconds * 2.0 ** min(attempt, 30))
        return None if asked > longest else asked + random.random() * max(0.1, asked / 10)

    def _once(self, method: str, address: str, headers: Mapping[str, str], data: bytes | None) -> Any:
        request = urllib.request.Request(address, data=data, method=method)
        request.add_header("Accept", "application/json, */*;q=0.5")
        for name, value in headers.items():
            request.add_header(name, value)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._api_key is not None:
            request.add_header("X-API-Key", self._api_key)
        ends = time.monotonic() + self._timeout
        try:
            try:
                opened = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as error:
                with error:
                    problem = _problem(_read(error, _MOST_PROBLEM_BYTES, ends))
                    raise AssayProblem(error.code, problem, _retry_after(error.headers)) from None
            with opened as response:
                body = _read(response, self._most_bytes, ends)
                value = _value(body, response.headers)
                if response.status == 202 and method == "GET" and isinstance(value, dict):
                    # A pending snapshot has the members of a problem: the client waits for it.
                    if value.get("code") == "no_snapshot_yet":
                        raise AssayProblem(202, value, _retry_after(response.headers))
                return value
        except TimeoutError as error:
            raise AssayConnectionError("timeout", f"no reply within {self._timeout} s") from error
        except (urllib.error.URLError, HTTPException, OSError) as error:
            timed_out = isinstance(getattr(error, "reason", None), TimeoutError)
            raise AssayConnectionError("timeout" if timed_out else "unreachable", f"no reply: {error}") from error


def _path(template: str, given: Mapping[str, str]) -> str:
    def part(match: re.Match[str]) -> str:
        text = str(given[match[1]])
        # URL parsers resolve `.` and `..`, which would address another resource.
        if text in ("", ".", ".."):
            raise ValueError(f"{match[1]}: expected a text that is not empty, . or ..")
        return urllib.parse.quote(text, safe="")

    return re.sub(r"\{([^}]+)\}", part, template)


def _query(given: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in given.items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in shown.items()}
    return f"?{urllib.parse.urlencode(texts)}" if texts else ""


class _Body(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _read(response: _Body, most_bytes: int, ends: float) -> bytes:
    pieces: list[bytes] = []
    size = 0
    # Whatever has arrived: a slow body would keep `read` beyond any deadline.
    while piece := response.read1(_CHUNK_BYTES):
        size += len(piece)
        if size > most_bytes:
            raise AssayConnectionError("too_large", f"the reply is larger than {most_bytes} bytes")
        if time.monotonic() > ends:
            raise TimeoutError
        pieces.append(piece)
    # `read1` ends without an error where the connection was closed before the whole body came.
    if getattr(response, "length", None):
        raise AssayConnectionError("unreachable", f"the reply was cut off after {size} bytes")
    return b"".join(pieces)


def _value(body: bytes, headers: HTTPMessage) -> Any:
    if not body:
        return None
    media = headers.get_content_type()
    if media == "application/json":
        try:
            return json.loads(body)
        except ValueError as error:
            raise AssayConnectionError("unreadable", "the reply is not JSON") from error
    if media.startswith("text/") or media == "application/x-ndjson":
        return body.decode("utf-8", "replace")
    return body


def _problem(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"title": "The reply is not one of the service"}


def _retry_after(headers: HTTPMessage) -> float | None:
    text = (headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
