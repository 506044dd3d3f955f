from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union
from urllib.parse import quote

from ._errors import PointkeeperError
from ._transport import Transport, parse_object

Id = Union[str, int]
Json = dict[str, Any]
Rows = list[Json]
_API = "/api/storefront"
#: Seconds between two polls of the change feed where the service does not wait.
_PAUSE = 1.0
#: The service waits no longer, in seconds, until events are processed.
_WAIT_MAX = 20


def _text(body: bytes) -> str:
    return body.decode("utf-8")


def _segment(value: Id) -> str:
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"id: expected an id, not {text!r}")
    return quote(text, safe="")


class Pointkeeper:
    """A client of one store's Pointkeeper.

    Every method raises PointkeeperError where the service refuses or does not answer. Answers are dictionaries with the
    fields of the interface; a client may be used by several threads. Times are in seconds;
    a `timeout` of None is none.
    """

    def __init__(
        self,
        base_url: str,
        *,
        secret: str,
        key: Optional[str] = None,
        timeout: Optional[float] = 15.0,
        retries: int = 4,
        max_retry_wait: float = 30.0,
    ) -> None:
        send = Transport(base_url, key, secret, timeout, retries, max_retry_wait)
        self._send = send
        self.customers = Customers(send)
        self.point_allotments = PointAllotments(send)
        self.point_balances = PointBalances(send)
        self.events = Events(send)
        self.tiers = Tiers(send)
        self.orders = Orders(send)
        self.products = Products(send)
        self.coupons = Coupons(send)
        self.reservations = Reservations(send)
        self.exports = Exports(send)
        self.webhooks = Webhooks(send)
        self.ledger = Ledger(send)
        self.reports = Reports(send)
        self.intake = Intake(send)
        self.sandbox = Sandbox(send)

    def health(self) -> Json:
        """Returns whether the process lives."""
        answer: Json = self._send.request("GET", "/health", parse=parse_object)
        return answer

    def ready(self) -> Json:
        """Returns whether the service can do its work; 503 where it cannot."""
        answer: Json = self._send.request("GET", "/ready", parse=parse_object)
        return answer


class _Resource:
    def __init__(self, send: Transport) -> None:
        self._send = send

    def _get(self, path: str, **query: object) -> Any:
        return self._send.request("GET", _API + path, query=query)["data"]

    def _post(self, path: str, body: object, idempotency_key: Optional[str]) -> Any:
        return self._send.request("POST", _API + path, body=body, idempotency_key=idempotency_key)["data"]

    def _pages(self, path: str, query: Mapping[str, object], by_number: bool = False) -> Iterator[Json]:
        position: dict[str, object] = {}
        while True:
            page: Json = self._send.request("GET", _API + path, query={**query, **position})
            yield page
            meta = page["meta"]
            if not meta["has_more"] or not page["data"]:
                return
            cursor = None if by_number else meta.get("next_cursor")
            position = {"cursor": cursor} if cursor else {"page": meta["page"] + 1}

    def _items(self, path: str, query: Mapping[str, object], by_number: bool = False) -> Iterator[Json]:
        for page in self._pages(path, query, by_number):
            yield from page["data"]


class Customers(_Resource):
    def get(self, customer: Id) -> Json:
        return dict(self._get(f"/customers/{_segment(customer)}"))

    def put(self, customer: Id, fields: Mapping[str, object]) -> Json:
        """Creates the customer, or changes the given fields."""
        return dict(self._send.request("PUT", f"{_API}/customers/{_segment(customer)}", body=dict(fields))["data"])

    def merged(self, customer: Id) -> Rows:
        return list(self._get(f"/customers/{_segment(customer)}/merged"))

    def stored_data(self, customer: Id) -> Json:
        """Returns everything stored about the customer."""
        return dict(self._send.request("GET", f"{_API}/customers/{_segment(customer)}/data", parse=parse_object))


class PointAllotments(_Resource):
    def list(self, **query: object) -> Iterator[Json]:
        """Iterates the store's allotments: `type`, `before`, `after`, `direction`, `per_page`, `cursor`."""
        return self._items("/point_allotments", query)

    def pages(self, **query: object) -> Iterator[Json]:
        """Iterates pages with `data` and `meta`; `meta["next_cursor"]` continues from there another day."""
        return self._pages("/point_allotments", query)

    def list_of_customer(self, customer: Id, **query: object) -> Iterator[Json]:
        return self._items(f"/point_allotments/{_segment(customer)}", query)

    def create(
        self,
        customer_id: Id,
        point_value: int,
        *,
        reason: Optional[Mapping[str, object]] = None,
        expires_at: Optional[str] = None,
        earned_at: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Gives (positive) or takes (negative) points. 400 where the balance would fall below 0.

        Points that are given may bring their dates: `expires_at`, and `earned_at` where that was before."""
        body: Json = {"customer_id": str(customer_id), "point_value": point_value}
        given = {"reason": reason and dict(reason), "expires_at": expires_at, "earned_at": earned_at}
        body.update({name: value for name, value in given.items() if value is not None})
        return dict(self._post("/point_allotments", body, idempotency_key))

    def explain(self, uid: str, *, language: Optional[str] = None) -> Json:
        return dict(self._get(f"/point_allotments/uid/{_segment(uid)}/explanation", language=language))

    def proof(self, uid: str) -> Json:
        return dict(self._get(f"/point_allotments/uid/{_segment(uid)}/proof"))


class PointBalances(_Resource):
    def get(self, customer: Id, *, as_of: Optional[str] = None) -> Json:
        return dict(self._get(f"/point_balances/{_segment(customer)}", as_of=as_of))

    def set(self, customer: Id, balance: int, *, idempotency_key: Optional[str] = None) -> Json:
        """Sets the available points, from 0; the difference becomes an allotment."""
        return dict(
            self._post(f"/point_balances/{_segment(customer)}/set_balances", {"balance": balance}, idempotency_key)
        )

    def expiries(self, customer: Id) -> Rows:
        return list(self._get(f"/point_balances/{_segment(customer)}/expiries"))

    def explain(self, customer: Id, **query: object) -> Json:
        return dict(self._get(f"/point_balances/{_segment(customer)}/explanation", **query))


class Events(_Resource):
    def page(
        self,
        cursor: str = "start",
        *,
        limit: Optional[int] = None,
        wait: Optional[int] = None,
        include: Optional[str] = None,
    ) -> Json:
        """Returns one page of the change feed after `cursor`; `meta.next_cursor` is where to read on.

        With `include="tiers"` changes of tiers are events too, of the topic `tier/change`."""
        query = {"cursor": cursor, "limit": limit, "wait": wait, "include": include}
        return dict(self._send.request("GET", f"{_API}/events", query=query, wait=wait or 0))

    def follow(
        self, cursor: str = "start", *, limit: Optional[int] = None, include: Optional[str] = None
    ) -> Iterator[Json]:
        """Yields each event after `cursor`, for ever, as it comes. Store the `cursor` of what you have processed.

        Waits by long polls of 10 seconds; the client's `timeout` begins after them."""
        while True:
            asked = time.monotonic()
            is_now = cursor == "now"  # becomes a fixed place at once: a long poll sent again would begin at a later one
            page = self.page(cursor, limit=limit, wait=0 if is_now else 10, include=include)
            if not is_now and not page["data"] and time.monotonic() - asked < _PAUSE:
                time.sleep(_PAUSE)  # where all places for waiting are taken, the service answers at once
            yield from page["data"]
            cursor = page["meta"]["next_cursor"]


class Tiers(_Resource):
    def rules(self) -> Rows:
        """Returns the tier rules, lowest first."""
        return list(self._get("/tiers"))

    def get(self, customer: Id, *, as_of: Optional[str] = None) -> Json:
        return dict(self._get(f"/point_balances/{_segment(customer)}/tier", as_of=as_of))

    def update(self, customer: Id, fields: Mapping[str, object], *, idempotency_key: Optional[str] = None) -> Json:
        """Takes `tier`, `minimum_tier` and `skip_next_check`, at least one of them."""
        return dict(self._post(f"/point_balances/{_segment(customer)}/tiers", dict(fields), idempotency_key))

    def changes(self, customer: Id, **query: object) -> Iterator[Json]:
        """Iterates the changes of a customer's tier, newest first."""
        return self._items(f"/point_balances/{_segment(customer)}/tier_changes", query, by_number=True)

    def explain(self, customer: Id, **query: object) -> Json:
        return dict(self._get(f"/point_balances/{_segment(customer)}/tier/explanation", **query))


class Orders(_Resource):
    def get(self, ids: Sequence[Id]) -> dict[str, Json]:
        """Returns the point data of at most 250 orders by their ids; unknown ones are absent."""
        if len(ids) > 250:
            raise ValueError("ids: expected at most 250")
        return dict(self._get("/orders", ids=",".join(map(str, ids))))

    def preview(self, order: Mapping[str, object]) -> Json:
        """Returns what an order or cart would earn; writes nothing."""
        return dict(self._post("/orders/preview", dict(order), None))


class Products(_Resource):
    def put(self, product: Id, *, tags: Sequence[str], collections: Sequence[str]) -> None:
        """Sets a product's tags and collections, each as a whole."""
        body = {"tags": list(tags), "collections": list(collections)}
        self._send.request("PUT", f"{_API}/products/{_segment(product)}", body=body, parse=parse_object)


class Coupons(_Resource):
    def create(
        self,
        customer_id: Id,
        point_value: int,
        *,
        product_ids: Optional[Sequence[Id]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Sells a discount code for points."""
        body: Json = {"customer_id": str(customer_id), "point_value": point_value}
        if product_ids is not None:
            body["product_ids"] = [str(one) for one in product_ids]
        return dict(self._post("/coupons", body, idempotency_key))

    def get(self, code: str) -> Json:
        return dict(self._get(f"/coupons/{_segment(code)}"))

    def delete(self, code: str) -> Json:
        """Removes an unused coupon and returns its points."""
        return dict(self._send.request("DELETE", f"{_API}/coupons/{_segment(code)}")["data"])


class Reservations(_Resource):
    def create(
        self, customer_id: Id, point_value: int, *, ttl_seconds: int, idempotency_key: Optional[str] = None
    ) -> Json:
        """Sets points aside until they are captured, released, or `ttl_seconds` have passed."""
        body = {"customer_id": str(customer_id), "point_value": point_value, "ttl_seconds": ttl_seconds}
        return dict(self._post("/reservations", body, idempotency_key))

    def get(self, reservation: str) -> Json:
        return dict(self._get(f"/reservations/{_segment(reservation)}"))

    def capture(
        self, reservation: str, *, point_value: Optional[int] = None, idempotency_key: Optional[str] = None
    ) -> Json:
        """Takes all of the points, or `point_value` of them, and releases the rest."""
        body = {} if point_value is None else {"point_value": point_value}
        return dict(self._post(f"/reservations/{_segment(reservation)}/capture", body, idempotency_key))

    def release(self, reservation: str, *, idempotency_key: Optional[str] = None) -> Json:
        return dict(self._post(f"/reservations/{_segment(reservation)}/release", None, idempotency_key))


class Exports(_Resource):
    def create(self, start_datetime: str, end_datetime: str, *, idempotency_key: Optional[str] = None) -> Json:
        """Asks for a file of balances. Within 8 hours of the last one: 429, at once."""
        body = {"start_datetime": start_datetime, "end_datetime": end_datetime}
        return dict(self._post("/point_balances/export", body, idempotency_key))

    def get(self, uid: str) -> Json:
        return dict(self._get(f"/point_balances/export/{_segment(uid)}"))


class Webhooks(_Resource):
    def list(self) -> Rows:
        return [*self._get("/webhooks")]

    def create(self, topic: str, callback_url: str, *, idempotency_key: Optional[str] = None) -> Json:
        """Subscribes a topic; only this answer has the subscription's `secret`."""
        return dict(self._post("/webhooks", {"topic": topic, "callback_url": callback_url}, idempotency_key))

    def delete(self, topic: str) -> None:
        """Ends a topic's subscription."""
        only = {"topic": topic}
        try:
            self._send.request("DELETE", f"{_API}/webhooks", query=only, body=only, parse=parse_object)
        except PointkeeperError as error:
            if error.status != 404 or error.attempts == 1:  # an attempt whose answer was lost has deleted it
                raise


class Ledger(_Resource):
    def checkpoint(self) -> Json:
        """Returns the newest signed checkpoint and the public key."""
        return dict(self._get("/ledger/checkpoint"))


class Reports(_Resource):
    """Reports for the accountant. A month is a text such as `2026-10`."""

    def liability(self, month: Optional[str] = None) -> Json:
        """Returns points owed and revenue deferred in a month; by default in the present one."""
        return dict(self._get("/reports/liability", month=month))

    def liability_movements(
        self,
        month: str,
        kind: str,
        *,
        cohort: Optional[str] = None,
        origin: Optional[str] = None,
        cause: Optional[str] = None,
    ) -> Iterator[Json]:
        """Iterates the allotments behind a figure of the report, oldest first."""
        query: Json = {"month": month, "kind": kind, "cohort": cohort, "origin": origin, "cause": cause}
        cursor: Optional[str] = None
        while True:
            page = self._send.request("GET", f"{_API}/reports/liability/movements", query={**query, "cursor": cursor})
            yield from page["data"]
            cursor = page["meta"]["next_cursor"]
            if cursor is None:
                return

    def liability_journal(self, month: str) -> str:
        """Returns a month's journal entries as the text of a CSV file."""
        return str(self._send.request("GET", f"{_API}/reports/liability/journal", query={"month": month}, parse=_text))


class Intake(_Resource):
    def send(
        self,
        events: Union[Json, Sequence[Json]],
        *,
        wait: int = 0,
        strict: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Sends one neutral event, or a list of them. Returns what became of each, in their order: `status` is
        `refused` for one that cannot be read, with `errors`. An event with a `delivery_key` or
        `occurred_at` that is sent again counts once.

        `wait`: how many seconds the service may wait until the events are processed: it waits at most 20. `strict`: all
        events are accepted or none; by default the others are where some are refused."""
        if isinstance(wait, bool) or not isinstance(wait, int) or wait < 0:
            raise ValueError(f"wait: expected a whole number of seconds, not {wait!r}")
        wait = min(wait, _WAIT_MAX)
        prefer = ", ".join([*([f"wait={wait}"] if wait else []), *(["handling=strict"] if strict else [])])
        return self._send.request(
            "POST", "/intake/events", body=events, idempotency_key=idempotency_key, prefer=prefer, wait=wait
        )["data"]


class Sandbox(_Resource):
    def clock(self) -> Json:
        return dict(self._send.request("GET", "/sandbox/clock", parse=parse_object))

    def set_clock(self, now: str) -> Json:
        """Moves the test clock forward; returns once all that became due is done."""
        return dict(self._send.request("PUT", "/sandbox/clock", body={"now": now}, parse=parse_object))
