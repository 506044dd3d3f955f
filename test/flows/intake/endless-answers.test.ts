import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminToken } from "../../../src/platform-sync/shopify/admin-token.ts";
import { callAdmin } from "../../../src/platform-sync/shopify/call-admin.ts";
import { fetchChangedPage } from "../../../src/platform-sync/shopify/fetch-changed-page.ts";

const PIECE = Buffer.alloc(1_048_576, " ");
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Answers every request with bytes that do not end. */
const server = createServer((_request, response) => {
  const write = () => {
    while (!response.destroyed && response.write(PIECE));
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.on("drain", write);
  write();
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql.json`; // cast: a TCP server that listens has one
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const TIMEOUT_MS = 20_000;

test("an answer of the platform that does not end is given up, whatever was asked", async () => {
  const admin = { url, timeoutMs: TIMEOUT_MS, token: "shpat_test" };
  const result = await callAdmin({ log }, admin, { query: "query shop($id: ID!) { shop { id } }", variables: {} });
  expect(result).toEqual({ kind: "unknown", detail: "the answer is too long" });
  const { signal } = new AbortController();
  await expect(fetchChangedPage({ log }, admin, { url, resource: "orders", signal })).rejects.toThrow("too long");
  const app = { url, timeoutMs: TIMEOUT_MS, client: { id: "app", secret: "word" } };
  await expect(adminToken({ log }, app)).rejects.toThrow("too long");
});
