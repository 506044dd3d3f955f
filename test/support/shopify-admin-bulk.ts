import type { IncomingMessage, ServerResponse } from "node:http";

interface BulkOperation {
  readonly id: string;
  readonly lines: readonly string[];
  readonly createdAt: string;
  polls: number;
}

/** Bulk operations of the Admin API, and their results. */
export interface BulkShelf {
  origin: string;
  readonly operations: BulkOperation[];
  /** How often an operation reports that it is running. */
  polls: number;
  /** The fate of the next downloads: `cut` in the middle, `gone` or `expired` after its 7 days, as its storage says it, `refused` by a proxy. */
  readonly downloads: ("cut" | "gone" | "expired" | "refused")[];
  /** How the next operations end. */
  readonly endings: ("FAILED" | "EXPIRED")[];
}

export function emptyBulk(): BulkShelf {
  return { origin: "", operations: [], polls: 1, downloads: [], endings: [] };
}

const CREATED_AT = "2026-03-02T11:59:00Z";

/** Runs the only supported query: customers, by when they changed. Its result is in no order. */
export function runBulk(bulk: BulkShelf, customers: readonly string[], query: string) {
  const since = /^\{\s*customers\(query: "updated_at:>='([^']+)'"\) \{\s*edges \{ node \{/.exec(query)?.[1];
  if (since === undefined) {
    const message = "Invalid bulk query";
    return { bulkOperation: null, userErrors: [{ field: ["query"], message, code: "INVALID" }] };
  }
  const id = `gid://shopify/BulkOperation/${bulk.operations.length + 1}`;
  const found = customers
    .map((text) => JSON.parse(text))
    .filter(({ updated_at }) => Temporal.Instant.compare(updated_at, since) >= 0);
  bulk.operations.push({ id, lines: found.map(lineOf).reverse(), createdAt: CREATED_AT, polls: 0 });
  return { bulkOperation: { id, status: "CREATED" }, userErrors: [] };
}

/** A customer in the form of GraphQL. */
function lineOf(customer: Record<string, unknown>): string {
  return JSON.stringify({
    id: customer["admin_graphql_api_id"] ?? `gid://shopify/Customer/${customer["id"]}`,
    firstName: customer["first_name"] ?? null,
    lastName: customer["last_name"] ?? null,
    state: String(customer["state"]).toUpperCase(),
    tags: [],
    createdAt: customer["created_at"],
    updatedAt: customer["updated_at"],
    defaultEmailAddress:
      customer["email"] == null
        ? null
        : { emailAddress: customer["email"], marketingState: "SUBSCRIBED", marketingUpdatedAt: null },
    birthDate: { value: "1990-05-17" },
  });
}

export function readBulk(bulk: BulkShelf, id: string) {
  const operation = bulk.operations.find((one) => one.id === id);
  if (operation === undefined) return null;
  operation.polls += 1;
  const { createdAt, lines } = operation;
  const common = { id, errorCode: null, objectCount: String(lines.length), createdAt };
  if (operation.polls <= bulk.polls) return { ...common, status: "RUNNING", url: null };
  const ending = bulk.endings.shift();
  if (ending !== undefined) return { ...common, status: ending, url: null, errorCode: "INTERNAL_SERVER_ERROR" };
  return {
    ...common,
    status: "COMPLETED",
    url: lines.length === 0 ? null : `${bulk.origin}/bulk/${id.split("/").at(-1)}.jsonl`,
  };
}

/** Sends a result, which has a separate URL: a token that is sent with the request has leaked. */
export function sendBulk(
  server: { readonly bulk: BulkShelf; readonly faults: string[] },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers["x-shopify-access-token"] !== undefined) server.faults.push("the token went to the result");
  const number = /^\/bulk\/(\d+)\.jsonl$/.exec(request.url ?? "")?.[1];
  const operation = server.bulk.operations.find(({ id }) => id.endsWith(`/${number}`));
  const fate = server.bulk.downloads.shift();
  if (operation === undefined || fate === "gone") return void response.writeHead(404).end();
  if (fate === "expired") return void response.writeHead(400).end("<Error><Code>ExpiredToken</Code></Error>");
  if (fate === "refused") return void response.writeHead(400).end("<html>Bad request</html>");
  const bytes = Buffer.from(operation.lines.map((line) => `${line}\n`).join(""));
  response.writeHead(200, { "content-type": "application/jsonl", "content-length": bytes.length });
  if (fate === "cut") response.write(bytes.subarray(0, bytes.length - 50), () => response.destroy());
  else response.end(bytes);
}
