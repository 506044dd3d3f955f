"""Client of Pointkeeper, the self-hosted loyalty points service."""

from ._client import Pointkeeper
from ._customer_token import customer_token
from ._errors import ErrorDetail, PointkeeperError
from ._webhook import WebhookEvent, WebhookVerificationError, verify_webhook

__all__ = [
    "ErrorDetail",
    "Pointkeeper",
    "PointkeeperError",
    "WebhookEvent",
    "WebhookVerificationError",
    "customer_token",
    "verify_webhook",
]
