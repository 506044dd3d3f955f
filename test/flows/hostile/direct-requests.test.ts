import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCredential } from "../../../src/credentials/create-credential.ts";
import { batchCounts, routeCounts } from "../../../src/instruments/instruments.ts";
import { basic } from "../../support/client.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const PATH = "/api/storefront/point_allotments";
/** What sends a request on the framework's way, and changes nothing else. */
const UNUSUAL = { te: "trailers" };

let service: TestService;
let customer_id: string;
let byFramework = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  service.app.server.on("request", () => {
    byFramework += 1;
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ storefrontId: customer_id } = await makeCustomer(service.deps, { email: `${Math.random()}@store.example` }));
  byFramework = 0;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Connected {
  readonly socket: Socket;
  received: string;
  isOpen: boolean;
}

async function open(url = service.url): Promise<Connected> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  const connected: Connected = { socket, received: "", isOpen: true };
  socket.on("data", (bytes) => {
    connected.received += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    connected.isOpen = false;
  });
  sockets.push(socket);
  await once(socket, "connect");
  return connected;
}

/** The answers that came whole. */
function answersOf({ received }: Connected): string[] {
  return received.split(/(?=HTTP\/1\.1 )/).filter((answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    return body !== "" && body.length === Number(/content-length: (\d+)/i.exec(head)?.[1]);
  });
}

function requestText(body: unknown, more: Readonly<Record<string, string>> = {}): string {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  const headers = {
    host: "store.example",
    authorization: basic(service.credential),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(json)),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${PATH} HTTP/1.1\r\n${lines.join("")}\r\n${json}`;
}

/** Sends requests at once, and waits for as many answers. */
async function send(...requests: readonly string[]): Promise<string[]> {
  const connected = await open();
  connected.socket.write(requests.join(""));
  await waitUntil(() => answersOf(connected).length === requests.length);
  return answersOf(connected);
}

/** An answer without what differs between any two: ids, times, the sum. */
function comparable(answer: string | undefined): string {
  return (answer ?? "")
    .replace(/Date: .*/, "Date:")
    .replace(/x-request-id: .*/, "x-request-id:")
    .replace(/"(?:id|uid|inserted_at|request_id|expires_at)":"[^"]*"/g, "")
    .replace(/"point_balance":\d+/, "")
    .replace(/content-length: \d+/, "")
    .replace(/;r=\d+;t=\d+/, "");
}

const award = (more: object = {}) => ({ customer_id, point_value: 100, ...more });

describe("both ways answer alike", () => {
  const cases: readonly (readonly [string, () => unknown, Record<string, string>, "direct" | "framework"])[] = [
    ["an award", () => award(), {}, "direct"],
    ["an award without the balance", () => award(), { prefer: "return=minimal" }, "direct"],
    [
      "an award with a note of Japanese",
      () => award({ reason: { type: "compensation", note: "お詫び" } }),
      {},
      "direct",
    ],
    ["an award by e-mail to nobody", () => award({ customer_id: "none@store.example" }), {}, "direct"],
    ["a deduction of too much", () => award({ point_value: -1_000_000 }), {}, "direct"],
    ["the same in the newer shape", () => award({ point_value: -1_000_000 }), { "x-api-version": "2.0.0" }, "direct"],
    ["an unknown customer", () => award({ customer_id: "none" }), { "x-request-id": "asked-by-me" }, "direct"],
    ["a date that is gone", () => award({ expires_at: "2001-01-01" }), {}, "direct"],
    ["a value that is no integer", () => award({ point_value: 1.5 }), {}, "framework"],
    ["a field too many digits long", () => '{"customer_id":1,"point_value":99999999999999999999}', {}, "framework"],
    ["no JSON", () => "{", {}, "framework"],
    ["U+0000", () => award({ reason: { type: "compensation", note: "\0" } }), {}, "framework"],
    ["a wrong secret", () => award(), { authorization: "Basic eDp5" }, "framework"],
    ["another type", () => award(), { "content-type": "text/plain" }, "framework"],
  ];
  test.each(cases)("%s", async (_name, body, headers, way) => {
    const [direct] = await send(requestText(body(), headers));
    expect(byFramework).toBe(way === "direct" ? 0 : 1);
    const [other] = await send(requestText(body(), { ...headers, ...UNUSUAL }));
    expect(byFramework).toBe(way === "direct" ? 1 : 2);
    expect(comparable(direct)).toBe(comparable(other));
    expect(direct).toMatch(/^x-request-id: \S+/m);
  });

  test("a credential that lacks the scope is refused", async () => {
    const reader = await createCredential(service.deps, { name: "reader", scopes: ["read"] });
    const [answer] = await send(requestText(award(), { authorization: basic(reader) }));
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
  });

  test("an Idempotency-Key counts once over both ways, for an answer and for a refusal", async () => {
    for (const body of [award(), award({ point_value: -1_000_000 }), award({ expires_at: "2001-01-01" })]) {
      const key = { "idempotency-key": JSON.stringify(body) };
      const [first] = await send(requestText(body, key));
      const [again] = await send(requestText(body, { ...key, ...UNUSUAL }));
      const [third] = await send(requestText(body, key));
      expect(again?.split("\r\n\r\n")[1]).toBe(first?.split("\r\n\r\n")[1]);
      expect(third).toContain("idempotent-replayed: true");
    }
    const balance = await service.client.get(`/api/storefront/point_balances/${customer_id}`);
    expect(balance.body.data.point_balance).toBe(100);
  });
});

describe("connections", () => {
  test("requests that are sent without waiting are answered in their order", async () => {
    const ids = ["a", "b", "c", "d"];
    const connected = await open();
    connected.socket.setNoDelay(true);
    for (const id of ids) {
      connected.socket.write(requestText(award(), { "x-request-id": id }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil(() => answersOf(connected).length === ids.length);
    expect(answersOf(connected).map((answer) => /x-request-id: (\w+)/.exec(answer)?.[1])).toEqual(ids);
    const together = await send(...ids.map((id) => requestText(award(), { "x-request-id": id })));
    expect(together.map((answer) => /x-request-id: (\w+)/.exec(answer)?.[1])).toEqual(ids);
  });

  test("a request in pieces is answered, and so are those behind it", async () => {
    const connected = await open();
    connected.socket.setNoDelay(true);
    for (const byte of requestText(award())) {
      connected.socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil(() => answersOf(connected).length === 1);
    connected.socket.write(requestText(award()));
    await waitUntil(() => answersOf(connected).length === 2);
    expect(answersOf(connected).every((answer) => answer.startsWith("HTTP/1.1 200 "))).toBe(true);
  });

  test("a client that closes its side behind its request is answered, and then the connection is closed", async () => {
    const connected = await open();
    connected.socket.end(requestText(award()));
    await waitUntil(() => !connected.isOpen);
    expect(answersOf(connected)).toHaveLength(1);
  });

  test("other paths are served on a connection that was answered directly", async () => {
    const connected = await open();
    connected.socket.write(requestText(award()));
    await waitUntil(() => answersOf(connected).length === 1);
    expect(byFramework).toBe(0);
    connected.socket.write(`GET /health HTTP/1.1\r\nhost: a\r\n\r\n`);
    await waitUntil(() => answersOf(connected).length === 2);
    connected.socket.write(requestText(award()));
    await waitUntil(() => answersOf(connected).length === 3);
    expect(byFramework).toBe(2);
  });

  test("requests of both ways count for the same route", async () => {
    const counts = routeCounts(service.deps.instruments, "POST", PATH);
    const before = counts.byStatus.get(200) ?? 0;
    await send(requestText(award()));
    await send(requestText(award(), UNUSUAL));
    await waitUntil(() => counts.byStatus.get(200) === before + 2);
  });

  test("connections that wait between two requests do not keep the service from closing", async () => {
    const other = await startTestService({ worker: false });
    const customer = await makeCustomer(other.deps);
    const socket = connect(Number(new URL(other.url).port), "127.0.0.1");
    const silent = connect(Number(new URL(other.url).port), "127.0.0.1");
    sockets.push(socket, silent);
    const credential = { authorization: basic(other.credential) };
    socket.write(requestText({ customer_id: customer.storefrontId, point_value: 1 }, credential));
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1.1 200 /);
    const closed = [once(socket, "close"), once(silent, "close")];
    await other.stop();
    await Promise.all(closed);
  });

  test("a service that stops answers what it has taken, says that it closes the connection, and does not wait for the client to", async () => {
    const other = await startTestService({ worker: false });
    const customer = await makeCustomer(other.deps);
    const connected = await open(other.url);
    const credential = { authorization: basic(other.credential) };
    const award = requestText({ customer_id: customer.storefrontId, point_value: 1 }, credential);
    connected.socket.write(award);
    await waitUntil(() => answersOf(connected).length === 1);
    let stopped: Promise<unknown> | undefined;
    await other.deps.db.tx(async (tx) => {
      await tx.query("select 1 from balance where customer_uid = $1 for update", [customer.customerUid]);
      connected.socket.write(award);
      await waitUntil(() => batchCounts(other.deps.instruments, "postings").inFlight > 0);
      stopped = other.stop();
      await waitUntil(() => !other.app.server.listening);
    });
    await waitUntil(() => answersOf(connected).length === 2);
    expect(answersOf(connected)[0]).toMatch(/^Connection: keep-alive/m);
    expect(answersOf(connected)[1]).toMatch(/^Connection: close/m);
    await stopped; // the client has not closed its side
  });
});
