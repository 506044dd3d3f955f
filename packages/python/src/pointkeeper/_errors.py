from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Optional


@dataclass(frozen=True)
class ErrorDetail:
    """One thing that a request was refused for; `pointer` leads into the body."""

    title: str
    code: Optional[str] = None
    detail: Optional[str] = None
    pointer: Optional[str] = None
    parameter: Optional[str] = None


class PointkeeperError(Exception):
    """A request that was refused, or that got no answer (`status` 0, `code` `timeout` or `network_error`)."""

    def __init__(
        self,
        status: int,
        title: str,
        *,
        attempts: int,
        errors: tuple[ErrorDetail, ...] = (),
        code: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        first = errors[0] if errors else None
        self.status = status
        self.title = title
        self.code = first.code if first and first.code else code
        self.detail = first.detail if first else None
        self.errors = errors
        self.request_id = request_id
        #: Seconds that the service asked to wait; None where it did not.
        self.retry_after = retry_after
        #: How many times the request was sent.
        self.attempts = attempts
        super().__init__(": ".join(part for part in (f"{status} {title}" if status else title, self.detail) if part))


def error_of(status: int, reason: str, headers: Any, body: bytes, attempts: int) -> PointkeeperError:
    """Returns the error of an answer that is not a success. A proxy may have sent it, in any form."""
    fields = _fields(body)
    listed = fields.get("errors")
    errors = tuple(_detail(one) for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
    return PointkeeperError(
        status,
        (errors[0].title if errors else _text(fields.get("title"))) or reason or "Request failed",
        attempts=attempts,
        errors=errors,
        code=_text(fields.get("code")),
        request_id=_text(headers.get("X-Request-Id")) or _text(fields.get("request_id")),
        retry_after=_retry_after(headers.get("Retry-After")),
    )


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _detail(one: dict[str, Any]) -> ErrorDetail:
    source = one.get("source")
    place = source if isinstance(source, dict) else {}
    code, detail = _text(one.get("code")), _text(one.get("detail"))
    return ErrorDetail(
        _text(one.get("title")) or "", code, detail, _text(place.get("pointer")), _text(place.get("parameter"))
    )


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if re.fullmatch(r"\s*[0-9]+\s*", header):
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
