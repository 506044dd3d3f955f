import compress from "@fastify/compress";
import type { RouteOptions } from "fastify";
import type { App } from "./app-type.ts";

/** Below it a packed answer saves nothing worth its time. */
const THRESHOLD_BYTES = 1_024;
/** Quick: most of what JSON can be packed by at a third of the default's time. Long answers are packed off the main thread. */
const GZIP_LEVEL = 4;

/**
 * Sends what routes read in gzip, to whoever takes it. Not what changes something: such an answer is short, and may tell a secret that
 * is shown once. No cookie opens the API, and the dashboard's is sent by no other site, so that nobody can have a reader's answers
 * packed beside guesses of their own (BREACH). Not what is streamed: files, a person's data. Bodies of requests are never unpacked.
 */
export function registerCompression(app: App): void {
  app.addHook("onRoute", (route) => {
    if (!isReading(route)) route.compress = false;
  });
  app.register(compress, {
    globalDecompression: false,
    encodings: ["gzip"],
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
