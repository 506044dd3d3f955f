import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { createSender } from "../../../src/object-store/create-sender.ts";
import { readBody } from "../../../src/object-store/read-body.ts";
import { asyncListener } from "../../support/async-listener.ts";
import { type ObjectServer, startObjectServer } from "../../support/object-server.ts";
import { waitUntil } from "../../support/wait-until.ts";

// Answers of a bucket that arrive slowly, stop halfway, or never end: a restore of hours must end neither by the first of them nor never.

const BYTES = Buffer.alloc(3_000, "of an object");
const PACE = { stepMs: 300, stepBytes: 1_000 };
/** So long that no test waits for it: what ends before was ended by something else. */
const ENDLESS_MS = 600_000;
const PLACE = { bucketName: "of-the-tests", prefix: "" };

let bucket: ObjectServer;

beforeAll(async () => {
  bucket = await startObjectServer();
  bucket.objects.set("object", BYTES);
});
afterAll(() => bucket?.close());
beforeEach(() => {
  bucket.fault = () => undefined;
  bucket.requests.length = 0;
});

function send({ stop, pace = PACE }: { stop?: AbortSignal; pace?: typeof PACE } = {}) {
  const { objectStore } = readConfig(bucket.env);
  if (objectStore === null) throw new Error("the test has access to its bucket");
  const access = stop === undefined ? objectStore : { ...objectStore, signal: stop };
  return createSender(PLACE, access, pace)({ method: "GET", key: "object" });
}

test("an answer that never ends although bytes keep coming is given up, after some tries", async () => {
  bucket.fault = () => "trickle";
  await expect(send()).rejects.toThrow(/cannot be reached at 127\.0\.0\.1:\d+: an answer broke off after \d+ bytes/);
  expect(bucket.requests).toHaveLength(6);
});

test("one that stops halfway is asked for again, and is whole", async () => {
  bucket.fault = () => (bucket.requests.length === 1 ? "cut halfway" : undefined);
  expect((await send({ pace: { stepMs: ENDLESS_MS, stepBytes: 1_000 } })).bytes).toEqual(BYTES);
  expect(bucket.requests).toHaveLength(2);
});

test("a stop ends it at once", async () => {
  bucket.fault = () => "trickle";
  const stop = new AbortController();
  const pace = { stepMs: ENDLESS_MS, stepBytes: 1_000_000 }; // by the pace alone it would be given up much later
  const refused = expect(send({ stop: stop.signal, pace })).rejects.toThrow("cannot be reached");
  await waitUntil(() => bucket.requests.length > 0);
  await delay(100); // in the middle of the answer
  stop.abort();
  await refused;
  expect(bucket.requests).toHaveLength(1);
});

/** Answers with pieces of 100 bytes. */
async function answering(pauseMs: number, pieces: number): Promise<{ url: string; close(): void }> {
  const write = async (response: ServerResponse) => {
    for (let n = 0; n < pieces && !response.destroyed; n++) {
      response.write(Buffer.alloc(100));
      await delay(pauseMs);
    }
    response.end();
  };
  const server = createServer((_request, response) => void write(response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a body is read for as long as it makes progress, however long that is", async () => {
  const server = await answering(20, 120); // longer than a step, of which 500 bytes take a twentieth: a pause is no failure
  const limits = { bytesMax: 20_000, pace: { stepMs: 2_000, stepBytes: 500 }, stop: undefined };
  expect(await readBody(await fetch(server.url), limits)).toHaveLength(12_000);
  server.close();
});

/** More than the system takes before any of it is read, twice. */
const LARGE = Buffer.alloc(24 * 2 ** 20, "of a part");

/** Reads so many bytes of a request, slowly, and then nothing more; answers once it has the whole body. */
async function reading(pauseMs: number, bytesMax = Number.POSITIVE_INFINITY) {
  const seen = { requests: 0, lengths: new Set<string | undefined>(), chunked: false };
  const listener = asyncListener(async (request, response) => {
    seen.requests += 1;
    seen.lengths.add(request.headers["content-length"]);
    seen.chunked ||= request.headers["transfer-encoding"] !== undefined;
    let size = 0;
    for await (const piece of request) {
      size += piece.length;
      if (size >= bytesMax) await new Promise(() => {});
      await delay(pauseMs);
    }
    response.setHeader("etag", '"1"').end();
  });
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${port}`, seen, close };
}

const KEYS = { region: "r", accessKeyId: "a", secretAccessKey: "b", sessionToken: null };

function put(endpoint: string, pace: { stepMs: number; stepBytes: number }, stop?: AbortSignal) {
  const access = { ...KEYS, endpoint, ...(stop === undefined ? {} : { signal: stop }) };
  return createSender(PLACE, access, pace)({ method: "PUT", key: "part", body: LARGE });
}

test("a part is sent for as long as it makes progress, with its length, however slow the line is", async () => {
  const server = await reading(15);
  const startedMs = performance.now();
  const stepMs = 3_000; // of which one takes a tenth, so that a pause of a busy machine is no failure
  expect(await put(server.endpoint, { stepMs, stepBytes: 2 ** 20 })).toMatchObject({ status: 200, hasTag: true });
  expect(performance.now() - startedMs).toBeGreaterThan(stepMs); // longer than a step, and than the answer may take
  expect(server.seen).toEqual({ requests: 1, lengths: new Set([String(LARGE.length)]), chunked: false });
  server.close();
});

test("a store that takes some of a part and then nothing more is given up, in words", async () => {
  const server = await reading(0, 2 ** 20);
  await expect(put(server.endpoint, { stepMs: 400, stepBytes: 2 ** 20 })).rejects.toThrow(
    /cannot be reached at 127\.0\.0\.1:\d+: fewer than 1048576 bytes were taken within 0\.4 s/,
  );
  server.close();
});

test("a stop ends what is being sent at once", async () => {
  const server = await reading(0, 2 ** 20);
  const stop = new AbortController();
  const sending = put(server.endpoint, { stepMs: ENDLESS_MS, stepBytes: 2 ** 20 }, stop.signal);
  const refused = expect(sending).rejects.toThrow("cannot be reached");
  await waitUntil(() => server.seen.requests > 0);
  await delay(100); // in the middle of the body
  stop.abort();
  await refused;
  expect(server.seen.requests).toBe(1);
  server.close();
});

test("the limit holds although nothing refers to the request any more", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const server = await answering(20, 100_000);
  const pace = { stepMs: 300, stepBytes: 100_000 }; // 5,000 bytes a second arrive
  const reading = readBody(await fetch(server.url), { bytesMax: 1_000_000, pace, stop: undefined });
  void delay(50).then(collect); // of the request, before the limit
  await expect(reading).rejects.toThrow("the rest came too slowly");
  server.close();
});
