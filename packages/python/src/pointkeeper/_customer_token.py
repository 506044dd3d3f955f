from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Optional, Union

_LIFETIME_MAX = 3600


def customer_token(
    *,
    key_id: str,
    secret: str,
    customer_id: Union[str, int],
    can_redeem: bool = False,
    lifetime: int = 600,
    now: Optional[float] = None,
) -> str:
    """Signs the token with which a page of the shop asks for one customer (docs/widget.md of the service).

    Call it on your server, for the customer of the session, never for an id that a request names. `key_id` and
    `secret` are those of a storefront key; `lifetime` is in seconds, 3600 at most. Raises ValueError for what the
    service would refuse.
    """
    customer = str(customer_id)
    if re.fullmatch(r"sf_[0-9a-f]{16}", key_id) is None:
        raise ValueError("key_id: expected the id of a storefront key, sf_...")
    if secret == "":
        raise ValueError("secret: expected the secret of the storefront key")
    if not 1 <= len(customer) <= 255 or "@" in customer:
        raise ValueError("customer_id: expected a storefront id of 1 to 255 characters, not an e-mail")
    if not 1 <= lifetime <= _LIFETIME_MAX:
        raise ValueError(f"lifetime: expected 1 to {_LIFETIME_MAX}")
    iat = int(time.time() if now is None else now)
    claims = {
        "sub": customer,
        "aud": "pointkeeper-storefront",
        "iat": iat,
        "exp": iat + lifetime,
        "scope": "read redeem" if can_redeem else "read",
    }
    signed = f"{_part({'alg': 'HS256', 'typ': 'JWT', 'kid': key_id})}.{_part(claims)}"
    signature = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{_base64url(signature)}"


def _part(value: dict[str, Any]) -> str:
    return _base64url(json.dumps(value, separators=(",", ":")).encode())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
