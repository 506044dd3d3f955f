import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asyncListener } from "../../support/async-listener.ts";
import { basic, type Client, createClient } from "../../support/client.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { makeFolder, type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const CREDENTIAL = { key: "pk_trace", secret: "secret-of-the-traces-0123456789abcdef0123" };
const API = "/api/storefront";
const TOPIC = "point_balance/update";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** A collector that keeps the spans that are posted to it. */
async function startCollector() {
  const spans: OtlpSpan[] = [];
  const headers: (string | undefined)[] = [];
  let services = "";
  const listener = asyncListener(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString());
    headers.push(request.headers["x-tenant"]?.toString());
    for (const { resource, scopeSpans } of body.resourceSpans) {
      services += JSON.stringify(resource);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // cast: a TCP server that listens has one
  function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  }
  return { url: `http://127.0.0.1:${port}`, spans, headers, services: () => services, close };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let receiver: TestReceiver;
let service: ServiceProcess;
let client: Client;

beforeAll(async () => {
  [collector, folder, receiver] = await Promise.all([startCollector(), makeFolder(), startReceiver()]);
  service = await spawnService({
    POINTKEEPER_DATA_DIR: join(folder.path, "data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=tea%20shop",
    OTEL_SERVICE_NAME: "points of the test",
  });
  client = createClient(service.url, basic(CREDENTIAL));
  await client.put(`${API}/customers/91`, { email: "hidden-person@shop.example", name: "Hidden Person" });
  await client.post(`${API}/webhooks`, { topic: TOPIC, callback_url: receiver.url });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([collector.close(), receiver.close(), folder.remove()]);
});

/** The spans of a trace, once there are as many. */
async function spansOf(traceId: string, count: number): Promise<OtlpSpan[]> {
  const own = () => collector.spans.filter((span) => span.traceId === traceId);
  await waitUntil(() => own().length >= count);
  return own();
}

async function award(traceparent: string, customerId = "91") {
  const response = await fetch(`${service.url}${API}/point_allotments`, {
    method: "POST",
    headers: { authorization: basic(CREDENTIAL), "content-type": "application/json", traceparent },
    body: JSON.stringify({ customer_id: customerId, point_value: 5, reason: { type: "reward", note: "hidden note" } }),
  });
  expect(response.status).toBe(200);
}

test("a request, its batch and its delivery are one trace, which goes on at the receiver", async () => {
  receiver.answer = () => (receiver.arrivals.length === 1 ? 500 : 200);
  await award(`00-${TRACE}-${PARENT}-01`);
  const spans = await spansOf(TRACE, 3);
  const [request, batch, delivery] = ["POST ", "posting batch", "webhook "].map((name) =>
    spans.find((span) => span.name.startsWith(name)),
  );
  expect(request).toMatchObject({ parentSpanId: PARENT, kind: 2, name: `POST ${API}/point_allotments` });
  expect(batch).toMatchObject({ parentSpanId: request?.spanId, kind: 1 });
  expect(delivery).toMatchObject({ parentSpanId: batch?.spanId, kind: 3, name: `webhook ${TOPIC}` });
  expect(receiver.arrivals[0]?.headers["traceparent"]).toBe(`00-${TRACE}-${delivery?.spanId}-01`);
});

test("requests of one batch keep their own traces", async () => {
  const traces = Array.from({ length: 8 }, (_, n) => TRACE.replace(/^0a/, `1${n}`));
  await Promise.all(traces.map((trace) => award(`00-${trace}-${PARENT}-01`)));
  for (const trace of traces) {
    const spans = await spansOf(trace, 2);
    expect(spans.filter(({ name }) => name === "posting batch")).toHaveLength(1);
    expect(spans.filter(({ name }) => name.startsWith("POST "))).toHaveLength(1);
  }
});

test("a trace that its caller does not record is not recorded here, and still passed on", async () => {
  const trace = TRACE.replace(/^0a/, "2f");
  const before = receiver.arrivals.length;
  await award(`00-${trace}-${PARENT}-00`);
  await waitUntil(() => receiver.arrivals.slice(before).some(({ headers }) => headers["traceparent"]?.includes(trace)));
  const passed = receiver.arrivals.map(({ headers }) => String(headers["traceparent"]));
  expect(passed.filter((text) => text.includes(trace))).toEqual([expect.stringMatching(/-00$/)]);
  await award(`00-${TRACE.replace(/^0a/, "3f")}-${PARENT}-01`);
  await spansOf(TRACE.replace(/^0a/, "3f"), 2);
  expect(collector.spans.filter((span) => span.traceId === trace)).toEqual([]);
});

test("what is sent names the service and nobody else", () => {
  expect(collector.services()).toContain("points of the test");
  expect(new Set(collector.headers)).toEqual(new Set(["tea shop"]));
  expect(JSON.stringify(collector.spans)).not.toMatch(/hidden|Hidden|@|127\.0\.0\.1/);
});

test("OpenTelemetry is imported by one module, and only when it is opened", () => {
  const src = join(import.meta.dirname, "../../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const importing = files.filter((name) => readFileSync(join(src, name), "utf8").includes('"@opentelemetry/'));
  expect(importing).toEqual([join("instruments", "open-tracer.ts")]);
  expect(readFileSync(join(src, importing[0] ?? ""), "utf8")).not.toMatch(/^import .*"@opentelemetry/m);
});
