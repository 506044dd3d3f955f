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
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

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
  let seq = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.summary ?? `${method} ${path}`;
      const file = `${fileName(operation.tags?.[0] ?? "Other")}/${fileName(name)}.bru`;
      if (files.has(file)) throw new Error(`${file}: two operations have this name`);
      files.set(file, requestText(name, ++seq, method, path, resolved(document, operation)));
    }
  }
  return files;
}

function requestText(name: string, seq: number, method: string, path: string, operation: Resolved): string {
  const { parameters } = operation;
  const queries = parameters.filter((one) => one.in === "query");
  const paths = parameters.filter((one) => one.in === "path");
  const body = operation.requestBody === undefined ? undefined : (exampleBody(operation) ?? {});
  const isOfCustomer = (operation.security ?? []).some((one) => "customer" in one);
  const auth = isOfCustomer ? "bearer" : (operation.security ?? []).length === 0 ? "none" : "inherit";
  const url = `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ":$1")}`;
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`];
  const query = queries.map((one) => `${one.required === true ? "" : "~"}${one.name}: ${exampleOf(one, "")}`);
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith("2"));
  const about = [
    operation.description ?? name,
    ...parameters.map((one) => `- ${one.name}: ${one.description ?? one.in}`),
  ];
  const hasKey = parameters.some((one) => one.name === "Idempotency-Key");
  return `${[
    ...block("meta", [`name: ${name}`, "type: http", `seq: ${seq}`]),
    ...block(method, [`url: ${url}`, `body: ${body === undefined ? "none" : "json"}`, `auth: ${auth}`]),
    ...block("auth:bearer", isOfCustomer ? ["token: {{customerToken}}"] : []),
    ...block("params:query", query),
    ...block(
      "params:path",
      paths.map((one) => `${one.name}: ${exampleOf(one, "1")}`),
    ),
    ...block("headers", hasKey ? ["Idempotency-Key: {{$guid}}"] : []),
    ...block("body:json", body === undefined ? [] : JSON.stringify(body, null, 2).split("\n")),
    ...block("assert", successes.length === 0 ? [] : [`res.status: in [${successes.join(", ")}]`]),
    ...block("docs", about.join("\n").replaceAll(/[{}]/g, "").split("\n")),
  ].join("\n\n")}\n`;
}

function exampleBody(operation: Pick<Operation, "requestBody">): unknown {
  return operation.requestBody?.content?.["application/json"]?.example;
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
