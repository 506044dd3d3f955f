import compress from "@fastify/compress";
import type { RouteOptions } from "fastify";
import type { App } from "./app-type.ts";

/** Below this size compression is not worth its time. */
const THRESHOLD_BYTES = 1_024;
/** Fast: it gives most of the compression of JSON in a third of the default's time. Long answers are compressed off the main thread. */
const GZIP_LEVEL = 4;
/** JSON only: a stream of events would wait in the compressor until its buffer is full. */
const JSON_TYPE = /^application\/(?:[\w.]+\+)?json\b/;

/**
 * Compresses responses of read routes with gzip, if the client accepts it. Responses to changes are not compressed: they are short, and may contain a
 * secret that is shown once. The API accepts no cookie, and browsers send the dashboard's cookie from no other site, so an attacker cannot have a
 * person's responses compressed together with guesses (BREACH). Streamed responses (files, data requests) are not compressed. Bodies of requests
 * are never decompressed.
 */
export function registerCompression(app: App): void {
  app.addHook("onRoute", (route) => {
    if (!isReading(route)) route.compress = false;
  });
  app.register(compress, {
    globalDecompression: false,
    encodings: ["gzip"],
    customTypes: JSON_TYPE,
    threshold: THRESHOLD_BYTES,
    zlibOptions: { level: GZIP_LEVEL },
  });
}

/** Whether a route is a read route. Streamed answers have no response schema. */
function isReading({ method, config, schema }: RouteOptions): boolean {
  const isAuthenticated = config?.scope !== undefined || config?.permission !== undefined;
  const { 200: answer } = Object(schema?.response);
  return method === "GET" && isAuthenticated && answer !== undefined;
}
