import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, createClient } from "../../support/client.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { CREATE_PROBE_TABLE, createProbe } from "../../support/probe-routes.ts";
import { type AdminClient, CSRF, signIn } from "../../support/staff.ts";

const PROBE = "/api/storefront/probe";
const REFUSAL_BYTES_MAX = 65_536;

let service: IntakeService;
let owner: AdminClient;

beforeAll(async () => {
  service = await startIntakeService({ extraRoutes: createProbe().routes });
  await service.owner.execute(CREATE_PROBE_TABLE);
  owner = await signIn(service, "owner");
});
afterAll(() => service.stop());

/** A field of a long name with many texts that cannot be kept. */
const bomb = (nameLength: number, texts: number) =>
  `{"${"a".repeat(nameLength)}":[${Array(texts).fill('"\\u0000"').join(",")}]}`;

function expectSmall(answer: Answer, faults: number): void {
  const { errors } = answer.body;
  expect(errors).toHaveLength(Math.min(faults, 101));
  expect(Buffer.byteLength(answer.text)).toBeLessThan(REFUSAL_BYTES_MAX);
  for (const { detail = "", source = {} } of errors) {
    expect(detail.length).toBeLessThanOrEqual(200);
    expect((source.pointer ?? source.parameter ?? "").length).toBeLessThanOrEqual(200);
  }
  if (faults > 101) expect(errors.at(-1).detail).toBe(`${faults - 100} more faults are not shown`);
}

/** Sends bytes on a connection of its own; all that comes back until the service closes it or `isEnough`. */
function converse(bytes: string, isEnough = (_received: string) => false): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (data) => {
      received += data;
      if (isEnough(received)) socket.destroy();
    });
    socket.on("error", () => undefined); // the service may reset a connection that it does not read to the end
    socket.on("close", () => resolve(received));
  });
}

describe("a refusal is small, whatever was sent", () => {
  test("2,000 bad texts under a name of 20,000 letters: 100 faults and a count", async () => {
    const answer = await service.client.post(PROBE, bomb(20_000, 2_000));
    expect(answer.status).toBe(422);
    expectSmall(answer, 2_000);
    const newer = await service.client.post(PROBE, bomb(20_000, 2_000), { "x-api-version": "2.0.0" });
    expect(newer.body).toMatchObject({ status: 422, title: "Invalid value" });
    expectSmall(newer, 2_000);
  });

  test("the faults of letters that take many bytes fit as well", async () => {
    const answer = await service.client.post(PROBE, `{"${"\u2028".repeat(300)}${bomb(1, 150).slice(2)}`);
    expect(answer.status).toBe(422);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(REFUSAL_BYTES_MAX);
    expect(answer.body.errors.at(-1).detail).toMatch(/^\d+ more faults are not shown$/);
  });

  test("a large one is not stored under its Idempotency-Key", async () => {
    const send = () => service.client.post(PROBE, bomb(20_000, 2_000), { "idempotency-key": "bomb" });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body]).toEqual([422, first.body]);
    const [row] = await service.deps.db.query(
      "select coalesce(max(length(body)), 0)::integer as longest from idempotency",
    );
    expect(row).toEqual({ longest: expect.any(Number) });
    expect(Number(row?.["longest"])).toBeLessThanOrEqual(8_192);
  });

  test("a small one is stored as before", async () => {
    const send = () => service.client.post(PROBE, { point_value: "x" }, { "idempotency-key": "small" });
    await send();
    expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  });

  test("events with 10,000 bad lines, and one with a field of a very long name", async () => {
    const lines = Array(10_000).fill({ line_id: "", quantity: "x" });
    const answer = await service.client.post("/intake/events", {
      type: "OrderPaid",
      payload: { order_id: "A-1", lines },
    });
    expect(answer.status).toBe(422);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(REFUSAL_BYTES_MAX);
    const long = `{"type":"OrderPaid","payload":{"order_id":"A-1","${"n".repeat(2_000_000)}":1}}`;
    const named = await service.client.post("/intake/events", long);
    expect(named.status).toBe(422);
    expectSmall(named, 1);
    expect(named.body.errors[0].detail).toContain("is not known here");
  });

  test("a program of 5,000 unknown fields", async () => {
    const document = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${"p".repeat(100)}${n}`, 1]));
    const answer = await owner.post("/program", { document, base_version: 1 });
    expect(answer.status).toBe(422);
    expectSmall(answer, 5_000);
  });
});

describe("what is too deep or of too many elements is not parsed", () => {
  const nested = (levels: number) => `{"point_value":1,"other":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const many = (elements: number) => `{"point_value":1,"other":[${Array(elements).fill("1").join(",")}]}`;

  test("REST: 64 levels and 20,000 elements", async () => {
    expect((await service.client.post(PROBE, nested(63))).status).toBe(200);
    const deep = await service.client.post(PROBE, nested(64));
    expect([deep.status, deep.body.errors[0].detail]).toEqual([400, "expected at most 64 levels of nesting"]);
    expect((await service.client.post(PROBE, many(19_000))).status).toBe(200);
    const wide = await service.client.post(PROBE, many(20_001));
    expect([wide.status, wide.body.errors[0].detail]).toEqual([413, "expected at most 20000 elements and fields"]);
  });

  test("brackets and commas in texts are none", async () => {
    const other = '[{,\\"'.repeat(10_000);
    expect((await service.client.post(PROBE, { point_value: 1, other })).status).toBe(200);
  });

  test("events", async () => {
    const deep = await service.client.post("/intake/events", "[".repeat(9_000_000));
    expect([deep.status, deep.body.errors[0].detail]).toEqual([400, "the body is nested deeper than 64 levels"]);
    const wide = await service.client.post("/intake/events", `[${"1,".repeat(2_000_000)}1]`);
    expect([wide.status, wide.body.errors[0].detail]).toEqual([400, "the body has more than 500000 elements"]);
  });

  test("a signed delivery goes to the quarantine", async () => {
    expect((await service.deliver("orders/create", `{"id":${"[".repeat(100_000)}`)).status).toBe(200);
    expect(await service.receipts()).toMatchObject([{ state: "quarantined", note: expect.stringContaining("nested") }]);
  });

  test("a large batch of events is read as a small one is: every digit is kept", async () => {
    const events = Array.from({ length: 500 }, (_, n) => ({
      type: "CustomerUpserted",
      delivery_key: `large-${n}`,
      payload: { customer_id: `PLACE${n}`, name: "x".repeat(100) },
    }));
    const text = JSON.stringify(events).replaceAll(/"PLACE(\d+)"/g, (_, n) => String(820982911946154508n + BigInt(n)));
    const answer = await service.client.post("/intake/events", text);
    expect([answer.status, answer.body.data.length]).toEqual([202, 500]);
    const [last] = await service.deps.db.query(
      "select count(*)::integer as n from receipt where subject = 'customer/820982911946155007'",
    );
    expect(last).toEqual({ n: 1 });
  });
});

describe("bodies of routes that anybody may ask", () => {
  const long = { email: "a@store.example", password: "x".repeat(8_200), name: "n" };

  test.each(["/session", "/setup"])("POST %s takes 8 KB", async (path) => {
    const send = (body: object) => createClient(`${service.url}/admin/api`, null).post(path, body, CSRF);
    expect((await send(long)).status).toBe(413);
    expect((await send({ ...long, password: "x".repeat(1_000) })).status).not.toBe(413);
  });

  test("so does a person's own account", async () => {
    expect((await owner.put("/account", long)).status).toBe(413);
    expect((await owner.put("/account/totp", { code: "x".repeat(8_200) })).status).toBe(413);
  });

  test.each([
    ["POST /admin/api/session", 8_193, ""],
    ["POST /intake/shopify/webhooks", 10_485_761, ""],
    ["POST /intake/shopify/flow", 65_537, ""],
    ["POST /admin/api/imports?kind=points&name=a.csv", 536_870_913, "cookie"],
  ])("%s: what is announced too large is refused before a byte of it", async (route, length, needs) => {
    const received = await converse(
      `${route} HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\nx-pointkeeper-request: dashboard\r\n` +
        `content-type: application/json\r\n${needs === "" ? "" : `cookie: ${owner.cookie}\r\n`}content-length: ${length}\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1.1 413 /);
    expect(received.toLowerCase()).toContain("connection: close");
  });

  test("what is not announced is cut at the limit", async () => {
    const chunk = `2001\r\n${"x".repeat(8_193)}\r\n`;
    const received = await converse(
      `POST /admin/api/session HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\nx-pointkeeper-request: dashboard\r\n` +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(received).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe("Content-Encoding", () => {
  test.each(["gzip", "br", "deflate", "x-anything", "identity, gzip"])("%s is 415", async (coding) => {
    const answer = await service.client.post(PROBE, { point_value: 1 }, { "content-encoding": coding });
    expect(answer.status).toBe(415);
    expect(answer.headers.get("accept-encoding")).toBe("identity");
    expect(answer.body.errors[0].detail).toContain("Content-Encoding");
  });

  test("identity is none", async () => {
    const answer = await service.client.post(PROBE, { point_value: 1 }, { "content-encoding": "identity" });
    expect(answer.status).toBe(200);
  });

  test("on the intake and on the dashboard's routes too", async () => {
    const coded = { "content-encoding": "gzip" };
    expect((await service.client.post("/intake/events", "[]", coded)).status).toBe(415);
    expect((await service.deliver("orders/create", "{}", { headers: coded })).status).toBe(415);
    const signInAnswer = await createClient(service.url, null).post(
      "/admin/api/session",
      { email: "a@store.example", password: "x" },
      { ...CSRF, ...coded },
    );
    expect(signInAnswer.status).toBe(415);
  });
});

describe("a Content-Type", () => {
  const typeOf = (parameters: number) =>
    `application/json${Array.from({ length: parameters }, (_, n) => `;p${n}=1`).join("")}`;

  test.each(["/admin/api/session", "/intake/shopify/webhooks", "/intake/events", PROBE, "/unsubscribe/x"])(
    "of many parameters is refused by %s before anything keeps it",
    async (path) => {
      const headers = { ...CSRF, "x-shopify-hmac-sha256": "x", "content-type": typeOf(10_000) };
      const answer = await service.client.post(path, "{}", headers);
      expect(answer.status).toBe(415);
      expect(answer.body.errors[0].detail).toBe("expected a Content-Type of at most 1000 characters");
      expect(answer.headers.get("accept-encoding")).toBeNull();
    },
  );

  test("of some parameters is read", async () => {
    const answer = await service.client.post(PROBE, { point_value: 1 }, { "content-type": typeOf(100) });
    expect(answer.status).toBe(200);
  });
});
