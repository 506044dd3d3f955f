from __future__ import annotations

import json
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
    """Returns the error of an answer that is not a success."""
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = {}
    fields = parsed if isinstance(parsed, dict) else {}
    errors = tuple(_detail(one) for one in fields.get("errors") or () if isinstance(one, dict))
    title = errors[0].title if errors else str(fields.get("title") or reason or "Request failed")
    request_id = headers.get("X-Request-Id") or fields.get("request_id")
    return PointkeeperError(
        status,
        title,
        attempts=attempts,
        errors=errors,
        code=fields.get("code"),
        request_id=request_id,
        retry_after=_retry_after(headers.get("Retry-After")),
    )


def _detail(one: dict[str, Any]) -> ErrorDetail:
    source = one.get("source") or {}
    title = str(one.get("title", ""))
    return ErrorDetail(title, one.get("code"), one.get("detail"), source.get("pointer"), source.get("parameter"))


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
