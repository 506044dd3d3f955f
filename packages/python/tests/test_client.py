"""Against a real service: `npm run test:python` starts it and gives its address."""

from __future__ import annotations

import base64
import hmac
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterator

import pytest

from pointkeeper import Pointkeeper, PointkeeperError, WebhookVerificationError, customer_token, verify_webhook

URL = os.environ["POINTKEEPER_URL"]
KEY = os.environ["POINTKEEPER_KEY"]
SECRET = os.environ["POINTKEEPER_SECRET"]


class Proxy(BaseHTTPRequestHandler):
    """Forwards to the service; the next requests meet `faults`, one each."""

    faults: list[Any] = []
    keys: list[Any] = []
    times: list[float] = []
    deliveries: list[Any] = []

    def log_message(self, *_args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.startswith("/hook"):
            self.deliveries.append((dict(self.headers), body))
            self._answer(200, b"")
            return
        self.keys.append(self.headers.get("idempotency-key"))
        self.times.append(time.monotonic())
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, tuple):
            self._answer(fault[0], fault[2] if len(fault) > 2 else b"{}", fault[1])
            return
        if fault == "half":  # a refusal whose connection breaks
            self.wfile.write(b'HTTP/1.1 503 Busy\r\ncontent-length: 99\r\n\r\n{"err')
            self.close_connection = True
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        request = urllib.request.Request(URL + self.path, data=body, headers=headers, method=self.command)
        try:
            with urllib.request.urlopen(request) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        if fault == "lose":
            self.close_connection = True
            self.connection.close()
        elif fault == "cut":  # a success whose connection breaks in the middle
            self.wfile.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(text)}\r\n\r\n".encode() + text[: len(text) // 2])
            self.close_connection = True
        else:
            self._answer(status, text)

    def _answer(self, status: int, body: bytes, retry_after: str | None = None) -> None:
        self.send_response(status)
        if retry_after is not None:
            self.send_header("retry-after", retry_after)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture()
def client() -> Pointkeeper:
    return Pointkeeper(URL, key=KEY, secret=SECRET)


@pytest.fixture()
def customer(client: Pointkeeper) -> str:
    Proxy.keys.clear()
    Proxy.faults.clear()
    name = uuid.uuid4().hex
    client.customers.put(name, {"name": "Hanako"})
    return name


def balance(client: Pointkeeper, customer: str) -> int:
    return int(client.point_balances.get(customer)["point_balance"])


def test_a_lost_answer_gives_points_once(proxy: str, client: Pointkeeper, customer: str) -> None:
    Proxy.faults[:] = ["lose", (503, "1")]
    started = time.monotonic()
    Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100)
    assert time.monotonic() - started > 1
    assert len(Proxy.keys) == 3 and len(set(Proxy.keys)) == 1
    assert balance(client, customer) == 100


def test_an_answer_that_breaks_in_the_middle_gives_points_once(proxy: str, client: Pointkeeper, customer: str) -> None:
    Proxy.faults[:] = ["cut", "cut"]
    Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100)
    assert len(Proxy.keys) == 3 and len(set(Proxy.keys)) == 1
    assert balance(client, customer) == 100


def test_a_retry_after_may_be_a_date(proxy: str, client: Pointkeeper, customer: str) -> None:
    started = time.monotonic()
    Proxy.faults[:] = [(429, formatdate(time.time() + 2, usegmt=True))]  # whole seconds: from one to two ahead
    Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100)
    assert time.monotonic() - started > 0.95
    assert balance(client, customer) == 100


def test_clients_that_were_refused_together_do_not_return_together(proxy: str, customer: str) -> None:
    waits: list[float] = []

    def call() -> None:
        started = time.monotonic()
        Pointkeeper(proxy, secret=SECRET).orders.preview({"lines": []})
        waits.append(time.monotonic() - started)

    Proxy.faults[:] = [(503, "1")] * 8 + [(200, "0", b'{"data": {}}')] * 8
    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(waits) == 8 and min(waits) > 1.1


def test_no_wait_is_longer_than_max_retry_wait(proxy: str, customer: str) -> None:
    Proxy.faults[:] = [(503, "0")]
    for url in (proxy, "http://127.0.0.1:9"):
        with pytest.raises(PointkeeperError) as refused:
            Pointkeeper(url, secret=SECRET, max_retry_wait=0).orders.preview({"lines": []})
        assert refused.value.attempts == 1


def test_the_random_delay_after_retry_after_ends_at_max_retry_wait(proxy: str, customer: str) -> None:
    Proxy.faults[:] = [(503, "0")] * 3 + [(503, "1"), (200, "0", b'{"data": {}}')]
    Pointkeeper(proxy, secret=SECRET, max_retry_wait=1).orders.preview({"lines": []})
    assert 0.99 < Proxy.times[-1] - Proxy.times[-2] < 1.9  # 1 second, and without the limit one or two more


def test_a_long_retry_after_is_an_error_at_once(proxy: str, client: Pointkeeper, customer: str) -> None:
    Proxy.faults[:] = [(429, "28800")]
    with pytest.raises(PointkeeperError) as refused:
        Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100)
    assert (refused.value.status, refused.value.retry_after, refused.value.attempts) == (429, 28800.0, 1)
    assert balance(client, customer) == 0


def test_answers_of_a_proxy_in_place_of_the_service(proxy: str, client: Pointkeeper, customer: str) -> None:
    broken = Pointkeeper(proxy, secret=SECRET, retries=9)
    bodies = (b"", b"null", b"[]", b"{}", b'{"status": "ok"}')
    for fault in ("half", *((200, "0", body) for body in bodies), (503, "\u00b2", b'{"errors": true}')):
        Proxy.keys.clear()
        Proxy.faults[:] = [fault]
        broken.point_allotments.create(customer, 100)
        assert len(Proxy.keys) == 2 and len(set(Proxy.keys)) == 1
    Proxy.faults[:] = [(400, "0", b'{"code": 7, "errors": [{"title": 5, "source": "x"}]}')]
    with pytest.raises(PointkeeperError) as refused:
        broken.point_allotments.create(customer, 100)
    assert (refused.value.status, refused.value.code, refused.value.title) == (400, None, "Bad Request")
    assert balance(client, customer) == 700


def test_a_retry_after_that_is_over_is_no_hurry(proxy: str, customer: str) -> None:
    Proxy.faults[:] = [(503, "0"), (503, "Wed, 21 Oct 2015 07:28:00 GMT")]
    started = time.monotonic()
    Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100)
    assert time.monotonic() - started > 0.125 + 0.25


def test_an_idempotency_key_that_no_header_can_hold_is_refused_before_it_is_sent(proxy: str, customer: str) -> None:
    for key in ("ポイント", "a\nb", "", "k" * 256):
        with pytest.raises(ValueError, match="idempotency_key"):
            Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100, idempotency_key=key)
    assert Proxy.keys == []


def test_a_number_as_idempotency_key_is_sent_as_its_digits(proxy: str, client: Pointkeeper, customer: str) -> None:
    number: Any = uuid.uuid4().int
    for _ in range(2):
        Pointkeeper(proxy, secret=SECRET).point_allotments.create(customer, 100, idempotency_key=number)
    assert Proxy.keys == [str(number)] * 2
    assert balance(client, customer) == 100


def test_a_secret_that_no_header_can_hold_is_refused_before_it_is_sent() -> None:
    for secret in ("secret\n", "ポイント"):
        with pytest.raises(ValueError, match="secret: expected printable"):
            Pointkeeper(URL, secret=secret)
    assert Pointkeeper(URL, secret=SECRET).tiers.rules()


def test_a_timeout_of_none_is_none(customer: str) -> None:
    patient = Pointkeeper(URL, key=KEY, secret=SECRET, timeout=None)
    assert patient.health()["status"] == "ok"
    assert patient.events.page("now", wait=1)["data"] == []


def test_a_long_poll_may_take_longer_than_the_timeout(client: Pointkeeper, customer: str) -> None:
    cursor = client.events.page("now")["meta"]["next_cursor"]
    threading.Timer(0.8, lambda: client.point_allotments.create(customer, 7)).start()
    hasty = Pointkeeper(URL, key=KEY, secret=SECRET, timeout=0.5, retries=0)
    assert next(hasty.events.follow(cursor))["payload"]["point_value"] == 7


def test_no_answer_is_an_error_with_its_attempts() -> None:
    with pytest.raises(PointkeeperError) as failed:
        Pointkeeper("http://127.0.0.1:9", secret="s", retries=1).health()
    assert (failed.value.status, failed.value.code, failed.value.attempts) == (0, "network_error", 2)


def test_a_refusal_has_its_fields(client: Pointkeeper, customer: str) -> None:
    with pytest.raises(PointkeeperError) as refused:
        client.point_allotments.create(customer, 0)
    assert (refused.value.status, refused.value.errors[0].pointer) == (422, "/point_value")
    for wrong in ("", "..", "."):
        with pytest.raises(ValueError):
            client.customers.get(wrong)


def test_lists_follow_their_cursors(client: Pointkeeper, customer: str) -> None:
    for value in range(1, 6):
        client.point_allotments.create(customer, value)
    own = client.point_allotments.list_of_customer(customer, per_page=2)
    assert [one["point_value"] for one in own] == [1, 2, 3, 4, 5]
    assert len(list(client.point_allotments.pages(per_page=2))) >= 3


def test_the_change_feed_is_followed(client: Pointkeeper, customer: str) -> None:
    cursor = client.events.page("now")["meta"]["next_cursor"]
    client.point_allotments.create(customer, 7)
    event = next(client.events.follow(cursor))
    assert (event["payload"]["point_value"], event["balance_after"]) == (7, 7)
    assert client.events.page(event["cursor"], wait=1)["data"] == []
    assert client.events.page(event["cursor"], include="tiers")["data"] == []
    assert next(client.events.follow(cursor, include="tiers"))["topic"] == "point_allotment/cascade"


def test_every_resource_is_reached(client: Pointkeeper, customer: str) -> None:
    uid = client.point_allotments.create(customer, 500)["uid"]
    assert client.point_allotments.explain(uid, language="en")
    assert client.customers.get(customer)["name"] == "Hanako"
    assert client.customers.merged(customer) == []
    assert client.customers.stored_data(customer)
    assert client.point_balances.expiries(customer)[0]["point_value"] == 500
    assert client.point_balances.explain(customer)
    assert client.tiers.update(customer, {"skip_next_check": True})["skip_next_check"] is True
    assert client.tiers.get(customer)["tier"] == client.tiers.rules()[0]["name"]
    assert isinstance(list(client.tiers.changes(customer)), list)
    assert client.tiers.explain(customer)
    coupon = client.coupons.create(customer, 10)
    assert client.coupons.get(coupon["code"])["id"] == coupon["id"]
    assert client.coupons.delete(coupon["code"])["points_reimbursed"] == 10
    hold = client.reservations.create(customer, 20, ttl_seconds=60)["id"]
    assert client.reservations.get(hold)["state"] == "held"
    assert client.reservations.capture(hold, point_value=5)["state"] == "captured"
    other = client.reservations.create(customer, 20, ttl_seconds=60)["id"]
    assert client.reservations.release(other)["state"] == "released"
    assert client.point_balances.set(customer, 80)["point_value"] == -415
    assert client.orders.get(["1001", 1002]) == {}
    client.products.put("5", tags=["sale"], collections=[])
    export = client.exports.create("2026-01-01", "2026-02-01")["uid"]
    assert client.exports.get(export)["uid"] == export
    assert client.health() and client.ready()
    event = {"type": "CustomerUpserted", "delivery_key": "waits", "payload": {"customer_id": "8"}}
    assert [each["status"] for each in client.intake.send(event, wait=20)] == ["done"]
    assert [each["status"] for each in client.intake.send([event, {"type": "None"}])] == ["done", "refused"]
    with pytest.raises(PointkeeperError):
        client.intake.send([event, {"type": "None"}], strict=True)
    for call in (lambda: client.orders.preview({"lines": 5}), lambda: client.intake.send({"type": "None"})):
        with pytest.raises(PointkeeperError) as refused:
            call()
        assert refused.value.status == 422


def test_no_wait_is_longer_than_that_of_the_service(proxy: str) -> None:
    Proxy.faults.clear()
    hook = Pointkeeper(f"{proxy}/hook", key=KEY, secret=SECRET, retries=0)
    with pytest.raises(PointkeeperError):
        hook.intake.send({"type": "CustomerUpserted"}, wait=600)
    headers, _ = Proxy.deliveries.pop()
    assert headers["Prefer"] == "wait=20"


def test_a_real_delivery_verifies(proxy: str, client: Pointkeeper) -> None:
    topic = "point_allotment/cascade"
    secret = client.webhooks.create(topic, f"{proxy}/hook")["secret"]
    large = "900719925474099312345"
    client.customers.put(large, {})
    client.point_allotments.create(large, 120)
    until = time.monotonic() + 60
    while not Proxy.deliveries and time.monotonic() < until:
        time.sleep(0.05)
    headers, body = Proxy.deliveries[0]
    for known in (secret, SECRET, ["whsec_b2xkLXNlY3JldA==", secret]):
        event = verify_webhook(headers, body, known)
        assert (event.topic, event.customer_id, event.version, event.is_test) == (topic, large, 1, False)
        for code, changed, late in (("bad_signature", body.replace(b"120", b"121"), 0), ("too_old", body, 301)):
            with pytest.raises(WebhookVerificationError) as refused:
                verify_webhook(headers, changed, known, now=event.sent_at + late)
            assert refused.value.code == code
    with pytest.raises(WebhookVerificationError):
        verify_webhook({}, body, secret)
    for removed in ("authorization", "webhook-signature"):  # a proxy may remove one of them
        left = {name: value for name, value in headers.items() if name.lower() != removed}
        assert verify_webhook(left, body, ["another key", SECRET, secret]).customer_id == large
    client.webhooks.delete(topic)
    assert client.webhooks.list() == []


def readme_examples() -> list[str]:
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    return re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)


def test_the_readme_runs() -> None:
    requests, feed, report, _ = readme_examples()
    patterns = (r"100\n.*negative balance", r"\S+ \d+ \d+\n$", "")
    for code, expected in zip((requests, feed, report), patterns):
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stderr
        assert re.match(expected, ran.stdout, re.DOTALL), ran.stdout


def test_the_readme_s_receiver_verifies(client: Pointkeeper, customer: str) -> None:
    code = readme_examples()[-1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    secret = client.webhooks.create("point_balance/update", url)["secret"]
    env = {**os.environ, "PORT": str(port), "WEBHOOK_SECRET": secret}
    command = [sys.executable, "-u", "-c", code]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as receiver:
        try:
            assert receiver.stdout is not None and receiver.stdout.readline() == "listening\n"
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(url, data=b"{}"))
            assert refused.value.code == 401
            assert receiver.stdout.readline() == "missing_header webhook-id is missing\n"
            client.point_allotments.create(customer, 31)
            assert receiver.stdout.readline() == f"{customer} 31\n"
        finally:
            receiver.kill()
            client.webhooks.delete("point_balance/update")


def test_the_liability_report_is_read(client: Pointkeeper, customer: str) -> None:
    later = "2099-01-01T00:00:00Z"
    client.point_allotments.create(customer, 31, expires_at=later, earned_at="2026-01-01T00:00:00Z")
    assert client.point_balances.get(customer)["expires_at"].startswith("2099-01-01T")  # midnight of the store
    report = client.reports.liability()
    month = report["last_month"]
    assert client.reports.liability(month)["month"] == month
    movements = list(client.reports.liability_movements(month, "issued", origin="promotion"))
    assert all(movement["points"] >= 0 for movement in movements)
    assert client.reports.liability_journal(month).startswith("date,account")
    with pytest.raises(PointkeeperError) as refused:
        client.reports.liability("2026")
    assert refused.value.status == 422


def test_a_secret_without_a_key_is_refused() -> None:
    at = str(int(time.time()))
    signature = base64.b64encode(hmac.digest(b"", f"1.{at}.{{}}".encode(), "sha256")).decode()
    headers = {"webhook-id": "1", "webhook-timestamp": at, "webhook-signature": f"v1,{signature}"}
    for secret in ("", "whsec_", "whsec_...", [], ["whsec_b2xkLXNlY3JldA==", "whsec_..."]):
        with pytest.raises(ValueError, match="secret: expected"):
            verify_webhook(headers, "{}", secret)


def test_customer_token_refuses_what_the_service_would() -> None:
    right: dict[str, Any] = {"key_id": "sf_0123456789abcdef", "secret": "s", "customer_id": 7}
    assert customer_token(**right).count(".") == 2
    for wrong in (
        {"key_id": "pk_1"},
        {"secret": ""},
        {"customer_id": ""},
        {"customer_id": "hanako@example.com"},
        {"lifetime": 3601},
    ):
        with pytest.raises(ValueError):
            customer_token(**{**right, **wrong})
