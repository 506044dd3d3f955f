import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asyncListener } from "./async-listener.ts";
import { sendBulk } from "./shopify-admin-bulk.ts";
import { restPage } from "./shopify-admin-rest.ts";
import { type AdminStore, type Call, emptyStore, runCall } from "./shopify-admin-store.ts";
import { inputFaults, OPERATIONS } from "./shopify-admin-types.ts";

/**
 * The fate of a request. `lost before`: the connection breaks and nothing is done; `lost after`: it is done, but the response is lost; `cut`: the
 * connection breaks in the middle of a list; `lands later`: the connection breaks, and it is done when the test says so.
 */
export type Fate =
  | ("done" | "lost before" | "lost after" | "lands later" | "hangs after")
  | ("throttled" | "429" | "500" | "denied" | "cut");

/** The Admin API of one store, on loopback: it validates requests like the platform and stores their effects. */
export interface ShopifyAdminServer extends AdminStore {
  readonly url: string;
  /** The version by which it answers; others are no longer supported. */
  version: string;
  /** Set it to another one, and those from before are refused. */
  token: string;
  /** The root field, or the list, of each received request, in order. */
  readonly calls: string[];
  /** Why requests were refused for their shape, as sentences; empty for a correct client. */
  readonly faults: string[];
  /** The fate of each request from now on. */
  fate: (operation: string) => Fate;
  /** How many seconds a request that is refused with 429 is to wait. */
  retryAfterS: number;
  /** Called before a request is answered. */
  before: (operation: string) => Promise<void>;
  /** Does the requests that were to land later. */
  land(): void;
  /** The existing codes. */
  codes(): string[];
  close(): Promise<void>;
}

/** A server and the requests that land later. */
interface Platform {
  readonly server: ShopifyAdminServer;
  readonly late: Call[];
}

const COST = { requestedQueryCost: 10, actualQueryCost: null };

export async function startShopifyAdminServer(): Promise<ShopifyAdminServer> {
  const late: Call[] = [];
  const store = emptyStore();
  const listener = asyncListener(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const platform = { server, late };
    response.setHeader("x-shopify-api-version", server.version);
    if (request.url?.startsWith("/bulk/") === true) return sendBulk(server, request, response);
    if (request.url === "/admin/oauth/access_token") return grant(server, Buffer.concat(pieces).toString(), response);
    if (request.headers["x-shopify-access-token"] !== server.token) {
      answer(response, 401, { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" });
    } else if (request.method === "GET") await list(platform, request, response);
    else await graphql(platform, read(request, Buffer.concat(pieces).toString("utf8")), response);
  });
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // cast: a TCP server that listens has one
  const server: ShopifyAdminServer = {
    ...store,
    url: `http://127.0.0.1:${port}/admin/api/2026-04/graphql.json`,
    version: "2026-04",
    token: "shpat_test",
    calls: [],
    faults: [],
    fate: () => "done",
    retryAfterS: 0.1,
    before: async () => {},
    land: () => {
      for (const call of late.splice(0)) runCall(server, call);
    },
    codes: () => [...server.discounts.values()].map(({ code }) => code),
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
  store.bulk.origin = `http://127.0.0.1:${port}`;
  return server;
}

/** Grants the token to the app "app" with the secret "word". */
function grant(server: ShopifyAdminServer, form: string, response: ServerResponse): void {
  server.calls.push("access_token");
  const isKnown = form === "grant_type=client_credentials&client_id=app&client_secret=word";
  if (isKnown) answer(response, 200, { access_token: server.token, scope: "read_orders", expires_in: 86_399 });
  else answer(response, 401, { error: "invalid_client" });
}

async function graphql({ server, late }: Platform, call: Call | string, response: ServerResponse): Promise<void> {
  if (typeof call === "string") {
    server.faults.push(call);
    return answer(response, 200, { errors: [{ message: call, extensions: { code: "INVALID_VARIABLE" } }] });
  }
  const { operation } = call;
  server.calls.push(operation);
  await server.before(operation);
  const fate = server.fate(operation);
  if (fate === "lands later") late.push(call);
  const isDone = fate === "done" || fate === "lost after" || fate === "hangs after" || fate === "500";
  const data = isDone ? { [operation]: runCall(server, call) } : {};
  if (fate === "done") answer(response, 200, { data, extensions: { cost: COST } });
  else if (fate !== "hangs after") refuse(server, response, operation, fate);
}

function refuse({ retryAfterS }: ShopifyAdminServer, response: ServerResponse, operation: string, fate: Fate): void {
  const refusal = refusalOf(operation, fate);
  if (refusal === null) response.destroy();
  else {
    if (refusal.status === 429) response.setHeader("retry-after", `${retryAfterS}`);
    answer(response, refusal.status, refusal.body);
  }
}

/** Null: the connection breaks. */
function refusalOf(operation: string, fate: Fate): { readonly status: number; readonly body: object } | null {
  const failed = (message: string, code: string) => [{ message, extensions: { code } }];
  const throttleStatus = { maximumAvailable: 1_000, currentlyAvailable: 0, restoreRate: 50 };
  switch (fate) {
    case "429":
      return { status: 429, body: { errors: "Exceeded 2 calls per second for api client." } };
    case "throttled": {
      const extensions = { cost: { ...COST, throttleStatus } };
      return { status: 200, body: { errors: failed("Throttled", "THROTTLED"), extensions } };
    }
    case "denied": {
      const errors = failed(`Access denied for ${operation} field.`, "ACCESS_DENIED");
      return { status: 200, body: { data: { [operation]: null }, errors } };
    }
    case "500":
      return { status: 500, body: { errors: "Internal Server Error" } };
    default:
      return null;
  }
}

async function list({ server }: Platform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "", server.url);
  const operation = url.pathname.split("/").at(-1) ?? "";
  server.calls.push(operation);
  await server.before(operation);
  const fate = server.fate(operation);
  if (fate !== "done" && fate !== "cut") return refuse(server, response, operation, fate);
  const page = restPage(server.shelf, url);
  if (typeof page === "string") {
    server.faults.push(page);
    return answer(response, 400, { errors: page });
  }
  if (page.link !== null) response.setHeader("link", page.link);
  if (fate === "cut") {
    const bytes = Buffer.from(page.body);
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": bytes.length });
    return void response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(page.body);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** Returns the request's operation and variables; a sentence: why the platform would refuse it. */
function read({ method, url, headers }: IncomingMessage, text: string): Call | string {
  if (method !== "POST" || url !== "/admin/api/2026-04/graphql.json") return `${method} ${url} is no route`;
  if (headers["content-type"] !== "application/json") return `content type ${headers["content-type"]}`;
  const { query, variables } = JSON.parse(text) as { query: string; variables: Record<string, unknown> }; // cast: checked below
  const head = /^\s*(query|mutation)\s+\w+(?:\(([^)]*)\))?\s*\{\s*(\w+)(?:\(([^)]*)\))?\s*\{/.exec(query);
  const [, kind, declared = "", operation = "", passed = ""] = head ?? [];
  const type = OPERATIONS[operation];
  if (type === undefined) return `no operation in ${query}`;
  if (type.kind !== kind) return `${operation} is no ${kind}`;
  if (kind === "mutation" && !/userErrors\s*\{[^}]*message/.test(query))
    return `${operation} does not ask for userErrors`;
  const faults = Object.entries(type.arguments).flatMap(([name, { graphql, input }]) => {
    if (!declared.includes(`$${name}: ${graphql}`)) return [`$${name} is not declared as ${graphql}`];
    if (!passed.includes(`${name}: $${name}`)) return [`${name} is not passed`];
    return inputFaults(variables?.[name], input, name);
  });
  const extra = Object.keys(variables ?? {}).filter((name) => type.arguments[name] === undefined);
  const all = [...faults, ...extra.map((name) => `${name} is no argument of ${operation}`)];
  return all.length > 0 ? all.join("; ") : { operation, variables };
}
