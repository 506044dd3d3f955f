from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

_SIGNATURES_MAX = 16
#: The topic of a body by a field that only it has; the headers do not name it.
_TOPICS = {"point_value": "point_allotment/cascade", "balance": "point_balance/update", "url": "point_balances/export"}


class WebhookVerificationError(Exception):
    """A delivery that must not be believed: `code` is missing_header, bad_signature, too_old or bad_body."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class WebhookEvent:
    """A verified delivery. `id` is the same for every attempt: keep it to ignore what came before."""

    topic: str
    id: str
    sent_at: float
    #: The platform's id of the customer, with all its digits; None where the topic has no customer.
    customer_id: Optional[str]
    #: Of two bodies of a customer the one with the higher version is newer.
    version: Optional[int]
    is_test: bool
    data: dict[str, Any]


@dataclass(frozen=True)
class _Claims:
    id: str
    at: float
    until: float
    topic: Optional[str] = None


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Returns the event of a delivery. `body` is exactly what came, not parsed.

    A secret that begins with `whsec_` (a subscription's) verifies the Standard Webhooks signature, any other (the
    store's API secret key) the bearer token. Of several secrets one has to fit. Raises WebhookVerificationError.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(map(_is_secret, secrets)):
        raise ValueError("secret: expected whsec_ and its base64, the store's API secret key, or several of them")
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    claims = _claims(secrets, lower, raw)
    at = time.time() if now is None else now
    if abs(at - claims.at) > tolerance or at > claims.until + tolerance:
        raise WebhookVerificationError("too_old", "The delivery is too old, or one of the clocks is wrong")
    return _event(raw, claims, lower)


def _is_secret(text: str) -> bool:
    """Without a key anybody can sign."""
    return len(_base64(text[len("whsec_") :])) > 0 if text.startswith("whsec_") else text != ""


def _claims(secrets: Sequence[str], headers: Mapping[str, str], body: bytes) -> _Claims:
    """Returns the claims of the first secret that matches.

    A proxy may have removed the header of one signature: the other one may still verify."""
    missing = []
    for secret in secrets:
        try:
            fits = _standard if secret.startswith("whsec_") else _token
            claims = fits(secret, headers, body)
        except WebhookVerificationError as error:
            missing.append(error)
            continue
        if claims is not None:
            return claims
    if len(missing) == len(secrets):
        raise missing[0]
    raise WebhookVerificationError("bad_signature", "The signature fits no secret")


def _standard(secret: str, headers: Mapping[str, str], body: bytes) -> Optional[_Claims]:
    uid, at = _required(headers, "webhook-id"), _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature").split(" ")[:_SIGNATURES_MAX]
    key = _base64(secret[len("whsec_") :])
    expected = base64.b64encode(hmac.digest(key, f"{uid}.{at}.".encode() + body, "sha256"))
    fits = [hmac.compare_digest(b"v1," + expected, one.encode()) for one in signatures]
    if not any(fits) or not (at.isascii() and at.isdigit() and len(at) <= 12):
        return None
    return _Claims(uid, float(at), float("inf"))


def _token(secret: str, headers: Mapping[str, str], body: bytes) -> Optional[_Claims]:
    scheme, _, token = _required(headers, "authorization").partition(" ")
    parts = token.split(".")
    if scheme.lower() != "bearer" or len(parts) != 3:
        return None
    head, payload, signature = parts
    expected = hmac.digest(secret.encode(), f"{head}.{payload}".encode(), "sha256")
    if not hmac.compare_digest(expected, _base64(signature)) or _fields(head).get("alg") != "HS256":
        return None
    claims = _fields(payload)
    uid, at, until = claims.get("jti"), claims.get("iat"), claims.get("exp")
    if not isinstance(uid, str) or not isinstance(at, (int, float)) or not isinstance(until, (int, float)):
        return None
    if claims.get("body_sha256") != hashlib.sha256(body).hexdigest():
        return None
    return _Claims(uid, at, until, claims.get("topic"))


def _event(body: bytes, claims: _Claims, headers: Mapping[str, str]) -> WebhookEvent:
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise WebhookVerificationError("bad_body", "The body is not a JSON object")
    topic = next((name for field, name in _TOPICS.items() if field in data), None)
    if topic is None or claims.topic not in (None, topic):
        raise WebhookVerificationError("bad_body", "The body is of a topic that this version does not know")
    if isinstance(data.get("customer"), dict):
        data["customer"] = {name: str(value) for name, value in data["customer"].items()}
    customer_id = next(iter(data.get("customer", {}).values()), None)
    version = headers.get("pointkeeper-version", "")
    is_test = headers.get("pointkeeper-test") == "true"
    number = int(version) if version.isascii() and version.isdigit() else None
    return WebhookEvent(topic, claims.id, claims.at, customer_id, number, is_test, data)


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError("missing_header", f"{name} is missing")
    return value


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""


def _fields(part: str) -> dict[str, Any]:
    try:
        fields = json.loads(_base64(part))
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}
