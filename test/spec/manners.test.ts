import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCredential } from "../../src/credentials/create-credential.ts";
import { basic } from "../support/client.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
const NEWER = { "x-api-version": "2.0.0" };
const API = "/api/storefront";
let customer_id: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  ({ storefrontId: customer_id } = await makeCustomer(service.deps));
});
afterAll(() => service.stop());

const detailOf = (answer: { body: { errors: { detail?: string }[] } }) => answer.body.errors[0]?.detail;

describe("a refusal says what to do", () => {
  test("401 names both schemes", async () => {
    const answer = await service.client.as(null).get(`${API}/tiers`);
    expect([answer.status, detailOf(answer)]).toEqual([401, expect.stringMatching(/Basic base64.*Bearer/)]);
    const unsigned = await service.client.as(null).post("/intake/shopify/webhooks", {});
    expect([unsigned.status, detailOf(unsigned)]).toEqual([401, expect.stringContaining("signature")]);
  });

  test("409 of a subscription names the address that is there, and the way out", async () => {
    const topic = "point_balance/update";
    const there = "http://127.0.0.1:9/there";
    await service.client.post(`${API}/webhooks`, { topic, callback_url: there });
    const answer = await service.client.post(`${API}/webhooks`, { topic, callback_url: "http://127.0.0.1:9/other" });
    expect(answer.status).toBe(409);
    expect(detailOf(answer)).toContain(there);
    expect(detailOf(answer)).toContain("DELETE");
  });

  test("429 of the export says when", async () => {
    const period = { start_datetime: "2026-02-01", end_datetime: "2026-02-28" };
    expect((await service.client.post(`${API}/point_balances/export`, period)).status).toBe(202);
    const answer = await service.client.post(`${API}/point_balances/export`, period, NEWER);
    expect(answer.status).toBe(429);
    const at = service.clock.now().add({ hours: 8 }).toString({ smallestUnit: "second" });
    expect(detailOf(answer)).toContain(at);
  });

  test("409 of reservations and e-mails, and 410 of an export's address, say how to go on", async () => {
    await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 100 });
    const held = await service.client.post(`${API}/reservations`, { customer_id, point_value: 5, ttl_seconds: 60 });
    const path = `${API}/reservations/${held.body.data.id}`;
    expect((await service.client.post(`${path}/release`)).status).toBe(200);
    const late = await service.client.post(`${path}/capture`);
    expect([late.status, detailOf(late)]).toEqual([409, expect.stringContaining("another reservation")]);
    await makeCustomer(service.deps, { email: "two@store.example" });
    await makeCustomer(service.deps, { email: "two@store.example" });
    const two = await service.client.get(`${API}/point_balances/two%40store.example`);
    expect([two.status, detailOf(two)]).toEqual([409, expect.stringContaining("storefront id")]);
  });
});

describe("unknown query parameters", () => {
  test("are refused in the newer version, each by its name", async () => {
    const answer = await service.client.get(`${API}/point_allotments?limit=10&page=1&page%5B%5D=2`, NEWER);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { source: object }) => error.source)).toEqual([
      { parameter: "limit" },
      { parameter: "page[]" },
    ]);
    expect(detailOf(answer)).toMatch(/is not known here: expected .*per_page/);
    const none = await service.client.get(`${API}/tiers?x=1`, NEWER);
    expect([none.status, detailOf(none)]).toEqual([422, "is not known here: no parameter is"]);
    expect((await service.client.post(`${API}/point_allotments?dry_run=1`, {}, NEWER)).body.errors[0].source).toEqual({
      parameter: "dry_run",
    });
  });

  test("are named in a header in the older one, which is answered as before", async () => {
    const answer = await service.client.get(`${API}/point_allotments?limit=10&perPage=1&page=1`);
    expect([answer.status, answer.headers.get("pointkeeper-unknown-parameters")]).toEqual([200, "limit, perPage"]);
    const plain = await service.client.get(`${API}/point_allotments?page=1&per_page=5&direction=asc`);
    expect(plain.headers.get("pointkeeper-unknown-parameters")).toBeNull();
    expect((await service.client.get(`${API}/point_allotments?page=1`, NEWER)).status).toBe(200);
  });

  test("of any number and spelling make a small header that no name can break", async () => {
    const names = Array.from(
      { length: 200 },
      (_, i) => `${encodeURIComponent(`n\r\nset-cookie: ${i} 名`)}${"x".repeat(90)}`,
    );
    const answer = await service.client.get(`${API}/tiers?${names.map((name) => `${name}=1`).join("&")}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((answer.headers.get("pointkeeper-unknown-parameters") ?? "x".repeat(9_999)).length).toBeLessThan(1_500);
    const refused = await service.client.get(`${API}/tiers?${names.map((name) => `${name}=1`).join("&")}`, NEWER);
    expect([refused.status, refused.body.errors.length, refused.text.length < 65_536]).toEqual([422, 100, true]);
  });
});

describe("methods, expectations and paths that are odd", () => {
  test.each(["QUERY", "FOO", "PROPFIND", "M-SEARCH"])(
    "%s is 405 with Allow, in the shape of all refusals",
    async (method) => {
      const known = await raw(`${method} ${API}/tiers HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      expect(known).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/i);
      expect(known).toMatch(/\r\nallow: GET, HEAD\r\n/i);
      expect(known).toContain('{"errors":[{"status":"405","title":"Method not allowed","code":"method_not_allowed"}]}');
      const newer = await raw(
        `${method} ${API}/tiers HTTP/1.1\r\nhost: a\r\nX-API-Version: 2.0.0\r\nconnection: close\r\n\r\n`,
      );
      expect(newer).toContain(
        '{"status":405,"title":"Method not allowed","errors":[{"title":"Method not allowed","code":"method_not_allowed"}]}',
      );
      expect(await raw(`${method} /nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 404 /,
      );
    },
  );

  test("what is no method at all is 400", async () => {
    expect(await raw("GET\u0001 / HTTP/1.1\r\nhost: a\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw("{} / HTTP/1.1\r\nhost: a\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
  });

  test("no Host is 400 in the shape of all refusals; HTTP/1.0 needs none", async () => {
    const answer = await raw("GET /health HTTP/1.1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain(
      '{"errors":[{"status":"400","title":"Bad Request","code":"bad_request","detail":"expected the header Host"}]}',
    );
    expect(await raw("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.[01] 200 /);
  });

  test("two headers Host are 400: a proxy may have read the other one", async () => {
    const answer = await raw("GET /health HTTP/1.1\r\nhost: a\r\nHOST: b\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"detail":"expected the header Host only once"');
  });

  test("a URL with scheme and host, as clients of a proxy send it, is the same as its path", async () => {
    const sent = (line: string) =>
      raw(`${line} HTTP/1.1\r\nhost: a\r\nauthorization: ${basic(service.credential)}\r\nconnection: close\r\n\r\n`);
    await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 1 });
    const page = await sent(`GET http://a.example${API}/point_allotments?per_page=1`);
    expect(page).toMatch(/^HTTP\/1.1 200 /);
    expect(page).toContain(`<${service.deps.config.publicUrl}${API}/point_allotments?per_page=1>; rel="first"`);
    for (const line of [`PATCH http://a.example${API}/tiers`, `FOO HTTP://a.example:80${API}/tiers?a=1`]) {
      const other = await sent(line);
      expect(other).toMatch(/^HTTP\/1.1 405 /i);
      expect(other).toMatch(/\r\nallow: GET, HEAD\r\n/);
    }
    expect(await sent("FOO http://a.example/nothing")).toMatch(/^HTTP\/1.1 404 /);
    expect(await sent("FOO http://a.example?a=1")).toMatch(/^HTTP\/1.1 405 /i); // the path is /
    expect(await sent("FOO ftp://a.example/nothing")).toMatch(/^HTTP\/1.1 400 /);
  });

  test("an unknown method below the path of PUBLIC_URL is 405, too", async () => {
    const below = await startTestService({ worker: false, config: { publicUrl: "https://shop.example/points" } });
    for (const place of ["", "http://shop.example"]) {
      const answer = await rawAnswer(
        `FOO ${place}/points${API}/tiers HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
        below.url,
      );
      expect(answer.toString("utf8")).toMatch(/^HTTP\/1.1 405 /i);
    }
    await below.stop();
  });

  test("another expectation than 100-continue is 417 in the shape of all refusals", async () => {
    const answer = await raw("GET /health HTTP/1.1\r\nhost: a\r\nexpect: 200-ok\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 417 /);
    expect(answer).toContain('{"errors":[{"status":"417","title":"Expectation Failed","code":"expectation_failed"');
    expect(answer).toMatch(/cache-control: no-store/i);
  });

  test.each(["point_allotments/", "point_balances/", "point_balances//tier", "orders/", "coupons/", "tiers/"])(
    "an empty id is no path: %s is 404",
    async (path) => {
      const answer = await service.client.get(`${API}/${path}`);
      expect([answer.status, answer.body.errors[0].title]).toEqual([404, "Not found"]);
    },
  );
});

describe("preferences and compression", () => {
  test("a preference that was followed is named, again in the replay", async () => {
    const wanted = { customer_id, point_value: 1 };
    const headers = { prefer: "return=minimal", "idempotency-key": "minimal" };
    for (let i = 0; i < 2; i++) {
      const answer = await service.client.post(`${API}/point_allotments`, wanted, headers);
      expect([answer.status, answer.headers.get("preference-applied")]).toEqual([201, "return=minimal"]);
    }
    expect((await service.client.post(`${API}/point_allotments`, wanted)).headers.get("preference-applied")).toBeNull();
  });

  test.each([
    ["return=minimal, return=representation", 201],
    ["wait=5, Return=Minimal; a=b", 201],
    ["return=representation, return=minimal", 200],
    ["x-return=minimal", 200],
  ])("of several preferences for the answer the first one counts: %s", async (prefer, status) => {
    const answer = await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 1 }, { prefer });
    expect([answer.status, answer.headers.get("preference-applied") !== null]).toEqual([status, status === 201]);
  });

  test("answers over 1 kB are sent in gzip to who takes it, small ones and others' are not", async () => {
    for (let i = 0; i < 12; i++) await service.client.post(`${API}/point_allotments`, { customer_id, point_value: 1 });
    const get = (path: string, headers: string) =>
      rawBytes(
        `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${basic(service.credential)}\r\nconnection: close\r\n${headers}\r\n`,
      );
    const plain = await get(`${API}/point_allotments`, "");
    const packed = await get(`${API}/point_allotments`, "accept-encoding: gzip, br\r\n");
    expect(packed.head).toMatch(/content-encoding: gzip/i);
    expect(packed.head).toMatch(/vary: accept-encoding/i);
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
    // Of the same rows: where the next page begins may have moved between the two requests.
    const rowsOf = (body: Buffer): unknown => JSON.parse(body.toString()).data;
    expect(rowsOf(gunzipSync(packed.body))).toEqual(rowsOf(plain.body));
    expect(plain.head).not.toMatch(/content-encoding/i);
    expect((await get(`${API}/tiers`, "accept-encoding: gzip\r\n")).head).not.toMatch(/content-encoding/i);
    expect((await get(`${API}/point_allotments`, "accept-encoding: gzip;q=0\r\n")).head).not.toMatch(
      /content-encoding/i,
    );
    expect((await get(`${API}/customers/${customer_id}/data`, "accept-encoding: gzip\r\n")).head).not.toMatch(
      /content-encoding/i,
    );
  });

  test("an answer that tells a secret is never compressed", async () => {
    await createCredential(service.deps, { name: "x".repeat(100), scopes: ["read"] });
    const answer = await fetch(`${service.url}${API}/webhooks`, {
      method: "POST",
      headers: { authorization: basic(service.credential), "content-type": "application/json" },
      body: JSON.stringify({
        topic: "point_allotment/cascade",
        callback_url: `http://127.0.0.1:9/${"x".repeat(1_500)}`,
      }),
    });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null]);
    expect((await answer.text()).length).toBeGreaterThan(1_500);
  });
});

/** Sends text as it is on a connection of its own; answers all that came back. */
async function raw(text: string): Promise<string> {
  return (await rawAnswer(text)).toString("utf8");
}

async function rawBytes(text: string): Promise<{ head: string; body: Buffer }> {
  const bytes = await rawAnswer(text);
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end + 2).toString("latin1");
  const body = bytes.subarray(end + 4);
  return { head, body: /transfer-encoding: chunked/i.test(head) ? unchunked(body) : body };
}

function unchunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(size > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
}

function rawAnswer(text: string, url = service.url): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("close", () => resolve(Buffer.concat(pieces)));
    socket.on("error", reject);
  });
}
