import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";
import type { Log } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { type ListenPlace, listenError } from "../http/listen-place.ts";
import { Problem } from "../problems.ts";
import type { Scrape } from "./create-scrape.ts";
import { hasToken, mayReadMetrics } from "./may-read-metrics.ts";

const HOW_TO_READ =
  "expected a request from the machine of the service, not through a proxy, or authorization: Bearer <POINTKEEPER_METRICS_TOKEN>; " +
  "POINTKEEPER_METRICS_PORT serves the metrics on a port of their own";
const CONNECTIONS_MAX = 20;
const TIMEOUT_MS = 10_000;

/** `GET /metrics` on the service's own port: for this machine, or with the token. */
export function metricsRoutes(app: App, config: Pick<Config, "metrics" | "publicUrl">, scrape: Scrape): void {
  const access = { token: config.metrics.token, publicUrl: config.publicUrl };
  app.register((scope: App, _options, done) => {
    scope.get("/metrics", { config: { open: true }, schema: { hide: true } }, async (request, reply) => {
      const { headers, raw } = request;
      const reader = { peer: raw.socket.remoteAddress, headers, httpVersion: raw.httpVersion };
      if (!mayReadMetrics(reader, access)) throw new Problem("forbidden", { faults: [{ detail: HOW_TO_READ }] });
      const { contentType, text } = await scrape();
      return reply.header("content-type", contentType).header("cache-control", "no-store").send(text);
    });
    done();
  });
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves only the metrics on a separate port: to everybody who can reach it or, if a token is set, to those who have it. */
export async function startMetricsServer(
  { place, token }: { readonly place: ListenPlace; readonly token: string | undefined },
  scrape: Scrape,
  log: Log,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    answer(request, response, { scrape, token }).catch((error: unknown) => {
      log.warn({ error }, "a scrape failed");
      if (!response.headersSent) end(response, 500, "the metrics could not be read\n");
      else response.destroy();
    });
  });
  server.on("connection", (socket) => {
    socket.on("error", () => undefined); // Node removes its own listener on CONNECT, and an error without one ends the process
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.requestTimeout = TIMEOUT_MS;
  server.headersTimeout = TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, place)));
    server.listen({ port: place.port, host: place.host }, resolve);
  });
  const { address, family, port: actual } = server.address() as AddressInfo; // cast: it listens on a port, not on a path
  const shown = family === "IPv6" ? `[${address}]` : address;
  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
  return { url: `http://${shown}:${actual}/metrics`, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { scrape, token }: { readonly scrape: Scrape; readonly token: string | undefined },
): Promise<void> {
  const path = request.url?.split("?", 1)[0];
  if (path !== "/metrics") return end(response, 404, "the metrics are at /metrics\n");
  if (request.method !== "GET" && request.method !== "HEAD")
    return end(response, 405, "expected GET\n", { allow: "GET, HEAD" });
  if (token !== undefined && !hasToken(request.headers.authorization, token))
    return end(response, 401, "expected authorization: Bearer <POINTKEEPER_METRICS_TOKEN>\n", {
      "www-authenticate": "Bearer",
    });
  const { contentType, text } = await scrape();
  end(response, 200, text, { "content-type": contentType });
}

function end(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const usual = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...usual, ...headers, "content-length": Buffer.byteLength(text) }).end(text);
}
