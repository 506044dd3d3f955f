import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentRequest } from "../../../src/instruments/request-scope.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const API = "/api/storefront";
const ID = "x-request-id";

let service: TestService;
let lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    logLevel: "info",
    config: { accessLog: true, prettyLogs: false },
    log: (line) => void lines.push({ text: line }),
    extraRoutes: (app, deps) => {
      app.post("/test-failing", { config: { scope: "write" } }, () => {
        throw new Error(`a defect in ${currentRequest()?.id}`);
      });
      app.post("/test-logging", { config: { scope: "write" } }, async () => {
        await deps.db.query("select 1");
        deps.log.warn({}, "a line of the handler");
        return {};
      });
    },
  });
  await service.client.put(`${API}/customers/81`, { email: "a@shop.example" });
});
afterAll(() => service.stop());

/** Sends as the store; a body makes it a POST. */
async function send(
  path: string,
  { id, body, more = {} }: { id?: string; body?: object; more?: Record<string, string> },
) {
  const { key, secret } = service.credential;
  const response = await fetch(service.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(id === undefined ? {} : { [ID]: id }),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, id: response.headers.get(ID), text: await response.text() };
}

const TOO_MUCH = { customer_id: "81", point_value: -500 };
const REFUSED =
  '{"errors":[{"status":"400","title":"Point allotment would result in a negative balance","code":"negative_balance"}]';

describe("X-Request-Id", () => {
  test("is given back as it was sent, on every kind of answer", async () => {
    const id = "Az09-._~:/+=,;!*'()[]{}|<>\"\\^`@#$%&?";
    const paths = [`${API}/point_balances/81`, `${API}/point_balances/none`, "/nothing", "/health", "/docs", "/%zz"];
    const answers = await Promise.all(paths.map((path) => send(path, { id })));
    expect(answers.map((answer) => answer.id)).toEqual(paths.map(() => id));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 200, 200, 400]);
    expect((await fetch(`${service.url}${API}/tiers`, { headers: { [ID]: id } })).headers.get(ID)).toBe(id); // 401
  });

  test("is made where none is sent, or none that is taken, and never twice", async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => send("/health", {})),
      send("/health", { id: "with a space" }),
      send("/health", { id: "x".repeat(129) }),
    ]);
    const ids = answers.map(({ id }) => id ?? "");
    expect(new Set(ids).size).toBe(52);
    expect(ids.filter((id) => !/^[0-9a-f]{12}-[0-9a-z]+$/.test(id))).toEqual([]);
  });
});

describe("the body of a refusal", () => {
  test("stays as documented, byte for byte, where the request brought no id", async () => {
    const answer = await send(`${API}/point_allotments`, { body: TOO_MUCH });
    expect([answer.status, answer.text]).toEqual([400, `${REFUSED}}`]);
    expect((await send(`${API}/point_balances/none`, {})).text).toBe(
      '{"errors":[{"status":"404","title":"Customer was not found","code":"customer_not_found"}]}',
    );
  });

  test("shows the id that the request brought beside the errors, in both shapes", async () => {
    const answer = await send(`${API}/point_allotments`, { id: "mine-1", body: TOO_MUCH });
    expect(answer.text).toBe(`${REFUSED},"request_id":"mine-1"}`);
    const newer = await send(`${API}/point_balances/none`, { id: 'q"\\', more: { "x-api-version": "2.0.0" } });
    expect(JSON.parse(newer.text)).toEqual({
      status: 404,
      title: "Customer was not found",
      errors: [{ title: "Customer was not found", code: "customer_not_found" }],
      request_id: 'q"\\',
    });
  });

  test("is stored without an id: a repeated request is answered under its own, or as it was", async () => {
    const key = { "idempotency-key": "refused-once" };
    const first = await send(`${API}/point_allotments`, { id: "first", body: TOO_MUCH, more: key });
    expect(first.text).toContain('"request_id":"first"');
    const again = await send(`${API}/point_allotments`, { body: TOO_MUCH, more: key });
    expect([again.status, again.text]).toEqual([400, `${REFUSED}}`]);
    const other = await send(`${API}/point_allotments`, { id: "second", body: TOO_MUCH, more: key });
    expect(other.text).toBe(`${REFUSED},"request_id":"second"}`);
  });

  test("of a failure always shows it, and the log has the same", async () => {
    lines = [];
    const answer = await send(`${API}/test-failing`, { body: {} });
    expect(JSON.parse(answer.text)).toEqual({
      errors: [{ status: "500", title: "Internal server error", code: "internal" }],
      request_id: answer.id,
    });
    const text = lines.map((line) => String(line["text"])).join("");
    expect(text).toContain(`a defect in ${answer.id}`);
    expect(text.match(new RegExp(`"requestId":"${answer.id}"`, "g"))?.length).toBe(2); // the failure and the access line
  });
});

test("a line that a handler writes after waiting has its request's id, beside others", async () => {
  lines = [];
  const ids = Array.from({ length: 20 }, (_, n) => `beside-${n}`);
  await Promise.all(ids.map((id) => send(`${API}/test-logging`, { id, body: {} })));
  const text = lines.map((line) => String(line["text"])).join("");
  const logged = [...text.matchAll(/a line of the handler \{"requestId":"([^"]+)"/g)].map(([, id]) => id);
  expect(logged.toSorted()).toEqual(ids.toSorted());
});

test("an access line has the route, never the URL", async () => {
  lines = [];
  await send(`${API}/point_balances/a%40shop.example?secret=1`, { id: "access-1" });
  await send("/nothing/a%40shop.example", { id: "access-2" });
  const text = lines.map((line) => String(line["text"])).join("");
  expect(text).toMatch(
    /request \{"requestId":"access-1","method":"GET","route":"[^"]*\/:\w+","status":200,"ms":[\d.]+,"credential":"\w+"\}/,
  );
  expect(text).toMatch(/request \{"requestId":"access-2","method":"GET","route":"unknown","status":404,"ms":[\d.]+\}/);
  expect(text).not.toMatch(/shop\.example|secret=/);
});

test("a client that leaves in the middle of its body is no failure of the service: no line tells of one", async () => {
  lines = [];
  const { secret } = service.credential;
  const arrived = new Promise<IncomingMessage>((resolve) => service.app.server.once("request", resolve));
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.write(
    `POST ${API}/point_allotments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secret}\r\n` +
      'content-type: application/json\r\nidempotency-key: left\r\ncontent-length: 100\r\n\r\n{"customer_id"',
  );
  const request = await arrived;
  await waitUntil(() => request.listenerCount("data") > 0); // its body is read
  const closed = new Promise((resolve) => request.once("close", resolve));
  socket.destroy();
  await closed;
  expect((await send("/health", {})).status).toBe(200);
  expect(lines.map(({ text }) => text).join("")).not.toMatch(/ (?:warn|error) /);
  expect(await service.deps.db.query("select key from idempotency where key = 'left'")).toEqual([]);
});
