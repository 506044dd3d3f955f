import { createHash, createHmac } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Arrival, startReceiver, type TestReceiver } from "../support/receiver.ts";
import { waitUntil } from "../support/wait-until.ts";
import { API_SECRET } from "../support/webhook-deps.ts";
import { openWebhookFlow, testEvent, type WebhookFlow } from "../support/webhook-flow.ts";

const CUSTOMER = "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716";
const START = Temporal.Instant.from("2027-03-01T09:30:00.5Z");
const ONE_DAY_S = 86_400;

let flow: WebhookFlow;
let receiver: TestReceiver;

beforeAll(async () => {
  flow = await openWebhookFlow();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await flow.clear();
  await receiver.close();
});
afterAll(() => flow.close());

/** Publishes one event to a subscribed receiver and answers its first arrival. */
async function deliverOne(event = testEvent()): Promise<{ arrival: Arrival; secret: string }> {
  const { secret } = await flow.subscribe(event.topic, receiver.url);
  flow.startWorker();
  await flow.publish([event]);
  await waitUntil(() => receiver.arrivals.length > 0);
  const arrival = receiver.arrivals[0];
  if (arrival === undefined) throw new Error("nothing came");
  return { arrival, secret };
}

function base64urlJson(part: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
}

describe("what comes", () => {
  test("is one POST with the payload as JSON", async () => {
    const event = testEvent({ customerUid: CUSTOMER, version: 41n, payload: '{"name":"千葉"}' });
    const { arrival } = await deliverOne(event);
    expect(arrival).toMatchObject({ method: "POST", path: "/hook?shop=1", body: event.payload });
    expect(arrival.headers["content-type"]).toBe("application/json");
    expect(arrival.headers["pointkeeper-version"]).toBe("41");
    await waitUntil(async () => (await flow.deliveries()).length === 0);
    expect(receiver.arrivals).toHaveLength(1);
  });

  test("bears a token of five minutes, signed with the API secret key, that fits this body only", async () => {
    flow.setClock(START);
    const { arrival } = await deliverOne();
    const [scheme, token = ""] = (arrival.headers.authorization ?? "").split(" ");
    const [head, claims, signature] = token.split(".");
    expect(scheme).toBe("Bearer");
    expect(base64urlJson(head)).toMatchObject({ alg: "HS256" });
    expect(signature).toBe(
      createHmac("sha256", Buffer.from(API_SECRET, "utf8")).update(`${head}.${claims}`).digest("base64url"),
    );
    const iat = Math.floor(START.epochMilliseconds / 1_000);
    expect(base64urlJson(claims)).toEqual({
      iss: "https://points.test",
      iat,
      exp: iat + 300,
      jti: arrival.headers["webhook-id"],
      topic: "point_balance/update",
      body_sha256: createHash("sha256").update(arrival.body).digest("hex"),
    });
  });

  test("bears the headers of Standard Webhooks, signed with the subscription's secret", async () => {
    flow.setClock(START);
    const { arrival, secret } = await deliverOne();
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(key).toHaveLength(32);
    const { "webhook-id": id, "webhook-timestamp": timestamp } = arrival.headers;
    expect(timestamp).toBe(String(Math.floor(START.epochMilliseconds / 1_000)));
    const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${arrival.body}`).digest("base64");
    expect(arrival.headers["webhook-signature"]).toBe(`v1,${signed}`);
  });

  test("of an export is an address signed at the attempt", async () => {
    let tries = 0;
    receiver.answer = () => (++tries === 1 ? 500 : 200);
    flow.setClock(START);
    await deliverOne(testEvent({ topic: "point_balances/export", payload: "019ca8e7-7d10-7e5c-a3f4-0b9c6d2e8f51" }));
    await flow.stepTo(START.add({ seconds: 2 }));
    const urls = receiver.arrivals.map(({ body }) => JSON.parse(body).url);
    expect(urls).toHaveLength(2);
    expect(urls[0]).toMatch(/exports\/019ca8e7-7d10-7e5c-a3f4-0b9c6d2e8f51\?at=/);
    expect(urls[1]).not.toBe(urls[0]);
  });
});

function* withoutEnd(): Generator<string> {
  for (;;) yield "x".repeat(16_000);
}

/** The status comes in time, its body has no end. */
const endless: Answer = (response) => {
  response.writeHead(200);
  pipeline(Readable.from(withoutEnd()), response, () => {});
};

describe("what acknowledges", () => {
  test.each([
    ["200", 200],
    ["200 with a body that has no end", endless],
  ])("%s", async (_name, answer) => {
    receiver.answer = () => answer;
    await deliverOne();
    await waitUntil(async () => (await flow.deliveries()).length === 0);
    const attempts = await flow.attempts();
    expect(attempts).toMatchObject([{ status: 200, failure: null }]);
    expect(attempts[0]?.answerHead).toHaveLength(answer === 200 ? 6 : 1_000);
  });

  test.each([201, 202, 204, 302, 400, 404, 410, 500, 503])(
    "not %i, which comes again with the same id",
    async (status) => {
      receiver.answer = () => (receiver.arrivals.length === 1 ? status : 200);
      flow.setClock(START);
      await deliverOne();
      await flow.stepTo(START.add({ seconds: 2 }));
      expect(receiver.arrivals.map(({ path }) => path)).toEqual(["/hook?shop=1", "/hook?shop=1"]);
      const [first, second] = receiver.arrivals;
      expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
      expect(second?.headers.authorization).not.toBe(first?.headers.authorization);
      expect(await flow.attempts()).toMatchObject([
        { kind: "first", status },
        { kind: "resend", status: 200 },
      ]);
    },
  );

  test("not an answer after 5 seconds, nor none", async () => {
    receiver.answer = () => "hang";
    flow.setClock(START);
    await deliverOne();
    await waitUntil(async () => (await flow.deliveries())[0]?.attempts === 1);
    const [attempt] = await flow.attempts();
    expect(attempt).toMatchObject({ status: null, failure: "no answer within 5 s" });
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(4_950);
    expect(attempt?.durationMs).toBeLessThan(9_500);
  });

  test("not a connection that is refused", async () => {
    await receiver.close();
    await flow.subscribe("point_balance/update", receiver.url);
    flow.setClock(START);
    flow.startWorker();
    await flow.publish([testEvent()]);
    await waitUntil(async () => (await flow.deliveries())[0]?.attempts === 1);
    const [attempt] = await flow.attempts();
    expect(attempt?.failure).toContain("ECONNREFUSED");
    receiver = await startReceiver(receiver.port);
    await flow.stepTo(START.add({ seconds: 2 }));
    expect(receiver.arrivals).toHaveLength(1);
  });
});

describe("resends", () => {
  test("twenty, each wait twice the one before, the last about 12 days after the first attempt", async () => {
    receiver.answer = () => 500;
    const sentAt: number[] = [];
    flow.setClock(START);
    await flow.subscribe("point_balance/update", receiver.url);
    flow.startWorker();
    await flow.publish([testEvent()]);
    await flow.stepTo(START.add({ hours: 24 * 30 }));
    for (const { headers } of receiver.arrivals) sentAt.push(Number(headers["webhook-timestamp"]));
    expect(receiver.arrivals).toHaveLength(21);
    const waits = sentAt.slice(1).map((at, n) => at - (sentAt[n] ?? 0));
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(2 ** n * 0.95 - 1);
      expect(wait).toBeLessThanOrEqual(2 ** n * 1.05 + 1);
    }
    const days = ((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)) / ONE_DAY_S;
    expect(days).toBeGreaterThan(11.5);
    expect(days).toBeLessThan(12.8);
    expect(await flow.deliveries()).toMatchObject([{ state: "failed", attempts: 21 }]);
  });
});
