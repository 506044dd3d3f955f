import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOT_OF_CLIENTS } from "../support/not-of-clients.ts";

// Reads the source of the Python client: its own tests need Python, and run each method only by `npm run test:python`.

const ROOT = join(import.meta.dirname, "../..");
const document = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));
const source = readFileSync(join(ROOT, "packages/python/src/pointkeeper/_client.py"), "utf8");

interface Method {
  readonly text: string;
  /** `GET /api/storefront/tiers`, with `{}` for ids. */
  readonly operations: readonly string[];
}

const CALLS: readonly (readonly [call: RegExp, method: string])[] = [
  [/\b(?:_get|_items|_pages)\(\s*f?"([^"]+)"/g, "GET"],
  [/\b_post\(\s*f?"([^"]+)"/g, "POST"],
];
const REQUEST = /_send\.request\(\s*"([A-Z]+)", f?"([^"]+)"/g;

function operationsOf(text: string): string[] {
  const short = CALLS.flatMap(([call, method]) =>
    [...text.matchAll(call)].map(([, path]) => `${method} /api/storefront${path}`),
  );
  const whole = [...text.matchAll(REQUEST)].map(([, method, path]) => `${method} ${path}`);
  return [...short, ...whole].map((name) => name.replace("{_API}", "/api/storefront").replace(/\{[^}]*\}/g, "{}"));
}

const methods: readonly Method[] = source
  .split(/\n {4}def /)
  .slice(1)
  .map((text) => ({ text, operations: operationsOf(text) }))
  .filter(({ operations }) => operations.length > 0);

interface Operation {
  readonly name: string;
  /** The names of its query and of its body. */
  readonly fields: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the document as JSON
type Described = any; // any: as it is in the file

function resolved(described: Described): Described {
  const reference: string | undefined = described?.$ref;
  if (reference === undefined) return described ?? {};
  return resolved(
    reference
      .split("/")
      .slice(1)
      .reduce((at: Described, part) => at[part], document),
  );
}

const operations: readonly Operation[] = Object.entries<Described>(document.paths).flatMap(([path, of]) =>
  Object.entries<Described>(of).map(([method, operation]) => {
    const parameters = (operation.parameters ?? []).map(resolved);
    const schema = resolved(resolved(operation.requestBody).content?.["application/json"]?.schema);
    return {
      name: `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`,
      fields: [
        ...parameters.flatMap((parameter: Described) => (parameter.in === "query" ? parameter.name : [])),
        ...Object.keys(schema.properties ?? {}),
      ],
    };
  }),
);

test("the Python client has a method for every operation of the document, and none for another", () => {
  const known = operations.map(({ name }) => name);
  const called = methods.flatMap((method) => method.operations);
  expect(known.filter((name) => !called.includes(name)).sort()).toEqual([...NOT_OF_CLIENTS].sort());
  expect(called.filter((name) => !known.includes(name))).toEqual([]);
});

/** Takes a mapping or any names, and passes them on. */
const TAKES_ANY = /\*\*query: object|: Mapping\[str, object\]\) *->|fields: Mapping\[str, object\]|events: Union/;
/** Set by the client itself while it reads the pages of a list. */
const OF_PAGES = new Set(["page", "cursor"]);

test("each of its methods takes every field of the query and of the body", () => {
  const missing = operations.flatMap(({ name, fields }) => {
    const own = methods.filter((method) => method.operations.includes(name));
    const isTaken = (field: string) =>
      OF_PAGES.has(field) || own.some(({ text }) => TAKES_ANY.test(text) || new RegExp(`\\b${field}\\b`).test(text));
    return own.length === 0 ? [] : fields.filter((field) => !isTaken(field)).map((field) => `${name} ${field}`);
  });
  expect(missing).toEqual([]);
});
