import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { basic } from "../support/client.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const API = "/api/storefront";
let service: TestService;
let customer_id: string;
let customerUid: string;

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
});
beforeEach(async () => {
  ({ storefrontId: customer_id, customerUid } = await makeCustomer(service.deps));
});
afterAll(() => service.stop());

const balance = async () => (await service.client.get(`${API}/point_balances/${customer_id}`)).body.data.point_balance;

/** Sends bytes as they are on a connection of its own. Returns what came back until the service closed it. */
function exchange(head: readonly string[], body = ""): Promise<{ head: string; body: Buffer }> {
  const lines = [...head, `authorization: ${basic(service.credential)}`].join("\r\n");
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () =>
      socket.write(`${lines}\r\n\r\n${body}`),
    );
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", reject);
    socket.on("close", () => {
      const bytes = Buffer.concat(pieces);
      const end = bytes.indexOf("\r\n\r\n");
      resolve({ head: bytes.subarray(0, end).toString("latin1"), body: bytes.subarray(end + 4) });
    });
  });
}

const lengthOf = (body: string) => `content-length: ${Buffer.byteLength(body)}`;

describe("HTTP/1.0", () => {
  test("a POST without Host and keep-alive is answered whole, and the connection closes", async () => {
    const body = JSON.stringify({ customer_id, point_value: 7 });
    const answer = await exchange(
      [`POST ${API}/point_allotments HTTP/1.0`, "content-type: application/json", lengthOf(body)],
      body,
    );
    expect(answer.head).toMatch(/^HTTP\/1\.[01] 200 /);
    expect(answer.head).not.toMatch(/transfer-encoding/i);
    expect(JSON.parse(answer.body.toString()).data.point_balance.point_balance).toBe(7);
  });

  test("a list is not sent in chunks, in gzip neither", async () => {
    for (let i = 0; i < 6; i++) await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 1 });
    const line = `GET ${API}/point_allotments/${customer_id} HTTP/1.0`;
    const plain = await exchange([line]);
    const packed = await exchange([line, "accept-encoding: gzip"]);
    for (const { head } of [plain, packed]) expect(head).not.toMatch(/transfer-encoding/i);
    expect(packed.head).toMatch(/content-encoding: gzip/i);
    expect(JSON.parse(plain.body.toString()).data).toHaveLength(6);
    expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
  });
});

describe("what clients send around a request", () => {
  test("Expect: 100-continue is answered with 100 first", async () => {
    const body = JSON.stringify({ customer_id, point_value: 7 });
    const answer = await exchange(
      [
        `POST ${API}/point_allotments HTTP/1.1`,
        "host: a",
        "connection: close",
        "expect: 100-continue",
        "content-type: application/json",
        lengthOf(body),
      ],
      body,
    );
    expect(answer.head).toBe("HTTP/1.1 100 Continue");
    expect(answer.body.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await balance()).toBe(7);
  });

  test.each([undefined, "*/*;q=0.1", "application/xml", "text/html,image/*", "application/json; version=1"])(
    "Accept: %s gets JSON",
    async (accept) => {
      const headers = accept === undefined ? {} : { accept };
      const read = await service.client.get(`${API}/point_balances/${customer_id}`, headers);
      const given = await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 1 }, headers);
      for (const { status, headers: sent } of [read, given])
        expect([status, sent.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    },
  );

  test.each([
    "application/json; charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json;charset=utf8",
    "application/json; charset=utf-8; version=1",
    "APPLICATION/JSON",
  ])("content-type: %s is JSON", async (type) => {
    const body = { customer_id, point_value: 3 };
    const answer = await service.client.post(`${API}/point_allotments`, body, { "content-type": type });
    expect(answer.status).toBe(200);
  });

  test("a body in chunks, and an empty line after a body, change nothing", async () => {
    const body = JSON.stringify({ customer_id, point_value: 3 });
    const head = [`POST ${API}/point_allotments HTTP/1.1`, "host: a", "connection: close"];
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const first = await exchange([...head, "content-type: application/json", "transfer-encoding: chunked"], chunked);
    expect(first.head).toMatch(/^HTTP\/1\.1 200 /);
    const second = await exchange([...head, "content-type: application/json", lengthOf(body)], `${body}\r\n`);
    expect(second.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(await balance()).toBe(6);
  });

  test("a GET may say that it is JSON, and have a body", async () => {
    const head = [`GET ${API}/point_balances/${customer_id} HTTP/1.1`, "host: a", "connection: close"];
    for (const body of ["", "{}"]) {
      const answer = await exchange([...head, "content-type: application/json", lengthOf(body)], body);
      expect(answer.head).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});

describe("requests without a body", () => {
  const EMPTY = [
    ["no header about a body", []],
    ["a JSON type", ["content-type: application/json"]],
    ["a JSON type and a length of 0", ["content-type: application/json", "content-length: 0"]],
    ["a form and a length of 0", ["content-type: application/x-www-form-urlencoded", "content-length: 0"]],
  ] as const;
  const send = async (line: string, headers: readonly string[]) => {
    const answer = await exchange([`${line} HTTP/1.1`, "host: a", "connection: close", ...headers]);
    return Number(answer.head.split(" ")[1]);
  };

  test.each(EMPTY)("%s: a reservation is released, a subscription deleted", async (_name, headers) => {
    await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 10 });
    const wanted = { customer_id, point_value: 4, ttl_seconds: 60 };
    const { id } = (await service.client.post(`${API}/reservations`, wanted)).body.data;
    expect(await send(`POST ${API}/reservations/${id}/release`, headers)).toBe(200);
    const subscription = { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" };
    expect((await service.client.post(`${API}/webhooks`, subscription)).status).toBe(200);
    expect(await send(`DELETE ${API}/webhooks?topic=point_balance/update`, headers)).toBe(200);
  });

  test.each(EMPTY)(
    "%s: what needs a body is 422 that names what is missing, and writes nothing",
    async (_name, headers) => {
      expect(await send(`POST ${API}/point_allotments`, headers)).toBe(422);
      expect(await send(`POST ${API}/point_balances/${customer_id}/set_balances`, headers)).toBe(422);
      expect(await send(`POST ${API}/point_balances/${customer_id}/tiers`, headers)).toBe(422);
      expect(await send(`POST ${API}/point_balances/export`, headers)).toBe(422);
      expect(await send(`DELETE ${API}/webhooks`, headers)).toBe(422);
      expect((await service.client.get(`${API}/point_allotments/${customer_id}`)).body.data).toEqual([]);
    },
  );
});

test("ids of this service are found in capital letters too", async () => {
  const created = await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 10 });
  const upper = (uid: string) => uid.toUpperCase();
  const get = async (path: string) => (await service.client.get(`${API}/${path}`)).status;
  const wanted = { customer_id, point_value: 4, ttl_seconds: 60 };
  const { id } = (await service.client.post(`${API}/reservations`, wanted)).body.data;
  const [tier] = (await service.client.get(`${API}/tiers`)).body.data;
  const period = { start_datetime: "2026-02-01", end_datetime: "2026-02-28" };
  const { uid } = (await service.client.post(`${API}/point_balances/export`, period)).body.data;
  expect(await get(`reservations/${upper(id)}`)).toBe(200);
  expect(await get(`point_balances/export/${upper(uid)}`)).toBe(200);
  expect(await get(`point_allotments/uid/${upper(created.body.data.uid)}/explanation`)).toBe(200);
  expect(await get(`point_allotments/${customer_id}?point_balance_uid=${upper(customerUid)}`)).toBe(200);
  const placed = await service.client.post(`${API}/point_balances/${customer_id}/tiers`, { tier: upper(tier.uid) });
  expect(placed.body.data).toMatchObject({ tier: tier.name });
});
