import compress from "@fastify/compress";
import type { RouteOptions } from "fastify";
import type { App } from "./app-type.ts";

/** Below it a packed answer saves nothing worth its time. */
const THRESHOLD_BYTES = 1_024;
/** Quick: most of what JSON can be packed by at a third of the default's time. Long answers are packed off the main thread. */
const GZIP_LEVEL = 4;
/** A stream of events would wait in the packer until it is full. */
const JSON_TYPE = /^application\/(?:[\w.]+\+)?json\b/;

/**
 * Compresses responses of read routes with gzip, if the client accepts it. Not responses to changes: these are short, and may
 * contain a secret that is shown once. The API accepts no cookie, and browsers send the dashboard's from no other site, so that an
 * attacker cannot have a person's responses compressed together with guesses (BREACH). Not streamed responses: files, a person's
 * data. Bodies of requests are never decompressed.
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

/** What is streamed has no schema of its answer. */
function isReading({ method, config, schema }: RouteOptions): boolean {
  const isAuthenticated = config?.scope !== undefined || config?.permission !== undefined;
  const { 200: answer } = Object(schema?.response);
  return method === "GET" && isAuthenticated && answer !== undefined;
}
