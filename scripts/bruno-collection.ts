import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// npm run bruno: writes the Bruno collection of docs/bruno from openapi.json, one request for each operation.
const ROOT = join(import.meta.dirname, "..");
export const COLLECTION = join(ROOT, "docs/bruno");

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

/** A parameter that the document defines by name. */
interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, ExampleOfBody>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface ExampleOfBody {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** What later requests need from the response of an operation that creates something: the variable and where it is in the response. */
const KEPT: Readonly<Record<string, readonly [string, string]>> = {
  createPointAllotment: ["allotmentUid", "res.body.data.id"],
  createCoupon: ["couponCode", "res.body.data.code"],
  createReservation: ["reservationId", "res.body.data.id"],
  createPointBalanceExport: ["exportUid", "res.body.data.uid"],
};
/** The path parameters that have the value of such a variable. */
const USED: Readonly<Record<string, string>> = {
  "/api/storefront/point_allotments/uid/{uid}/explanation": "allotmentUid",
  "/api/storefront/point_allotments/uid/{uid}/proof": "allotmentUid",
  "/api/storefront/coupons/{code}": "couponCode",
  "/api/storefront/reservations/{id}": "reservationId",
  "/api/storefront/reservations/{id}/capture": "reservationId",
  "/api/storefront/reservations/{id}/release": "reservationId",
  "/api/storefront/point_balances/export/{uid}": "exportUid",
};
/** Folders whose requests the others build upon; they come first, then the rest in the order of the document. */
const FIRST = ["Service", "Customers", "Point allotments", "Point balances"];

type Resolved = Omit<Operation, "parameters"> & { readonly parameters: readonly Parameter[] };

function resolved(document: OpenApi, operation: Operation): Resolved {
  const parameters = (operation.parameters ?? []).map((given) => {
    if (!("$ref" in given)) return given;
    const named = document.components?.parameters?.[given.$ref.replace("#/components/parameters/", "")];
    if (named === undefined) throw new Error(`${given.$ref} is not in the document`);
    return named;
  });
  return { ...operation, parameters };
}

/** Returns the files of the collection by their path in it. */
export function brunoFiles(document: OpenApi): Map<string, string> {
  const files = new Map([
    ["bruno.json", `${JSON.stringify({ version: "1", name: document.info.title, type: "collection" }, null, 2)}\n`],
    ["collection.bru", "auth {\n  mode: basic\n}\n\nauth:basic {\n  username: {{key}}\n  password: {{secret}}\n}\n"],
    [
      "environments/local.bru",
      "vars {\n  baseUrl: http://127.0.0.1:3000\n  key: pk_local\n}\nvars:secret [\n  secret,\n  customerToken\n]\n",
    ],
  ]);
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  for (const [index, { path, method, operation }] of found.sort((a, b) => rank(a) - rank(b)).entries()) {
    const name = operation.summary ?? `${method} ${path}`;
    const file = `${fileName(operation.tags?.[0] ?? "Other")}/${fileName(name)}.bru`;
    if (files.has(file)) throw new Error(`${file}: two operations have this name`);
    files.set(file, requestText(name, index + 1, method, path, resolved(document, operation)));
  }
  const tags = new Set([...FIRST, ...found.map(({ operation }) => operation.tags?.[0] ?? "Other")]);
  for (const [index, tag] of [...tags].entries())
    files.set(`${fileName(tag)}/folder.bru`, `meta {\n  name: ${tag}\n  seq: ${index + 1}\n}\n`);
  return files;
}

/** Requests that create something come before those that read, change or delete it. */
function rank({ path, method, operation }: { path: string; method: string; operation: Operation }): number {
  if (operation.operationId !== undefined && operation.operationId in KEPT) return 0;
  if (method === "put" && path.includes("/customers/")) return 0;
  return method === "delete" ? 2 : 1;
}

function requestText(name: string, seq: number, method: string, path: string, operation: Resolved): string {
  const { parameters } = operation;
  const queries = parameters.filter((one) => one.in === "query");
  const paths = parameters.filter((one) => one.in === "path");
  const body = operation.requestBody === undefined ? undefined : (exampleBody(operation) ?? {});
  const isOfCustomer = (operation.security ?? []).some((one) => "customer" in one);
  const auth = isOfCustomer ? "bearer" : (operation.security ?? []).length === 0 ? "none" : "inherit";
  // Bruno sends the query of the URL; the block of parameters only shows it.
  const required = queries.filter((one) => one.required === true);
  const search = required.map((one) => `${one.name}=${encodeURIComponent(exampleOf(one, ""))}`).join("&");
  const url = `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ":$1")}${search === "" ? "" : `?${search}`}`;
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`];
  const query = queries.map((one) => `${one.required === true ? "" : "~"}${one.name}: ${exampleOf(one, "")}`);
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith("2"));
  const about = [
    operation.description ?? name,
    ...parameters.map((one) => `- ${one.name}: ${one.description ?? one.in}`),
  ];
  const kept = KEPT[operation.operationId ?? ""];
  const used = USED[path];
  const hasKey = parameters.some((one) => one.name === "Idempotency-Key");
  return `${[
    ...block("meta", [`name: ${name}`, "type: http", `seq: ${seq}`]),
    ...block(method, [`url: ${url}`, `body: ${body === undefined ? "none" : "json"}`, `auth: ${auth}`]),
    ...block("auth:bearer", isOfCustomer ? ["token: {{customerToken}}"] : []),
    ...block("params:query", query),
    ...block(
      "params:path",
      paths.map((one) => `${one.name}: ${used === undefined ? exampleOf(one, "1") : `{{${used}}}`}`),
    ),
    ...block("headers", hasKey ? ["Idempotency-Key: {{$guid}}"] : []),
    ...block("body:json", body === undefined ? [] : JSON.stringify(body, null, 2).split("\n")),
    ...block("vars:post-response", kept === undefined ? [] : [kept.join(": ")]),
    ...block("assert", successes.length === 0 ? [] : [`res.status: in [${successes.join(", ")}]`]),
    ...block("docs", about.join("\n").replaceAll(/[{}]/g, "").split("\n")),
  ].join("\n\n")}\n`;
}

function exampleBody(operation: Pick<Operation, "requestBody">): unknown {
  const { example, examples = {} } = operation.requestBody?.content?.["application/json"] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

function exampleOf({ example }: Parameter, otherwise: string): string {
  return example === undefined ? otherwise : String(example);
}

function fileName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

if (process.argv[1] === import.meta.filename) {
  const document: OpenApi = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));
  rmSync(COLLECTION, { recursive: true, force: true });
  for (const [path, text] of brunoFiles(document)) {
    mkdirSync(dirname(join(COLLECTION, path)), { recursive: true });
    writeFileSync(join(COLLECTION, path), text);
  }
}
