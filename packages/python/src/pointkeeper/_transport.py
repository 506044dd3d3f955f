from __future__ import annotations

import base64
import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Optional

from ._errors import PointkeeperError, error_of

_RETRIED = {408, 429, 500, 502, 503, 504}
_RUNNING = "A request with this Idempotency-Key is still running"


def parse_object(body: bytes) -> Any:
    value = json.loads(body)
    if not isinstance(value, dict):  # a proxy may answer in place of the service
        raise ValueError("expected a JSON object")
    return value


def parse_data(body: bytes) -> Any:
    """Returns the object that has the answer in its `data`."""
    value = parse_object(body)
    if "data" not in value:
        raise ValueError("expected an object with data")
    return value


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


class Transport:
    """Sends requests, each until its answer is final or its attempts are used up."""

    def __init__(
        self,
        base_url: str,
        key: Optional[str],
        secret: str,
        timeout: Optional[float],
        retries: int,
        max_retry_wait: float,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url: expected an http or https URL")
        if not secret:
            raise ValueError("secret: expected a text")
        if key is None and not _is_sendable(secret):
            raise ValueError("secret: expected printable characters of Latin-1")
        self._base = base_url.rstrip("/")
        basic = base64.b64encode(f"{key}:{secret}".encode()).decode()
        self._authorization = f"Bearer {secret}" if key is None else f"Basic {basic}"
        self._timeout, self._retries, self._max_retry_wait = timeout, retries, max_retry_wait
        self._opener = urllib.request.build_opener(_NoRedirect)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, object]] = None,
        body: object = None,
        idempotency_key: Optional[str] = None,
        parse: Callable[[bytes], Any] = parse_data,
        wait: float = 0.0,
        prefer: str = "",
    ) -> Any:
        """Returns the parsed body of a success. Raises PointkeeperError.

        `wait` is for how long the service may hold its answer back: so much longer is waited for it."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        accept = "application/json" if parse in (parse_data, parse_object) else "*/*"
        headers = {"accept": accept, "authorization": self._authorization}
        if method == "POST":
            headers["idempotency-key"] = str(uuid.uuid4()) if idempotency_key is None else _key(str(idempotency_key))
        if prefer:
            headers["prefer"] = prefer
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body, allow_nan=False).encode()
        timeout = None if self._timeout is None else self._timeout + wait
        attempt = 1
        while True:
            request = urllib.request.Request(url, data=data, headers=headers, method=method)
            try:
                return self._attempt(request, attempt, parse, timeout)
            except PointkeeperError as error:
                asked = error.retry_after or 0.0
                pause = asked + _delay(attempt, asked)
                if attempt > self._retries or not _is_retried(error) or (asked or pause) > self._max_retry_wait:
                    raise
            time.sleep(min(pause, self._max_retry_wait))
            attempt += 1

    def _attempt(
        self, request: urllib.request.Request, attempts: int, parse: Callable[[bytes], Any], timeout: Optional[float]
    ) -> Any:
        try:
            with self._open(request, timeout) as response:
                body = response.read()
            if not 200 <= response.code < 300:
                raise error_of(response.code, response.reason, response.headers, body, attempts)
            return None if response.code == 204 else parse(body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, (TimeoutError, socket.timeout)):
                raise PointkeeperError(0, "No answer in time", code="timeout", attempts=attempts) from error
            raise PointkeeperError(0, "No answer", code="network_error", attempts=attempts) from error

    def _open(self, request: urllib.request.Request, timeout: Optional[float]) -> Any:
        """Returns the response, also of a refusal."""
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            return refusal


def _key(text: str) -> str:
    if not 1 <= len(text) <= 255 or not _is_sendable(text):
        raise ValueError("idempotency_key: expected 1 to 255 printable characters of Latin-1")
    return text


def _is_sendable(text: str) -> bool:
    """Whether a header can hold it."""
    return text.isprintable() and all(letter <= "\xff" for letter in text)


def _is_retried(error: PointkeeperError) -> bool:
    if error.status == 409:
        return error.code == "idempotency_running" or error.title == _RUNNING
    return error.status == 0 or error.status in _RETRIED


def _delay(attempt: int, asked: float) -> float:
    """Returns seconds that are added to Retry-After: clients that were refused together do not return together."""
    seconds: float = min(8.0, 0.25 * 2.0 ** (attempt - 1))
    return random.uniform(seconds / 2, max(seconds, asked / 4))
