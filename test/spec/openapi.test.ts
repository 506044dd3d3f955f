import { Compile } from "typebox/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALIASES, OPERATIONS, TAGS } from "../../src/http/openapi/operations.ts";
import { PROBLEMS } from "../../src/problems.ts";
import { startTestService, type TestService } from "../support/service.ts";

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly key: string;
  readonly webhook: boolean;
  readonly of: Json;
}

let service: TestService;
let document: Json;
let operations: readonly Operation[] = [];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  document = (await service.client.as(null).get("/openapi.json")).body;
  operations = [...operationsOf("paths", false), ...operationsOf("webhooks", true)];
});

afterAll(() => service.stop());

function operationsOf(part: string, webhook: boolean): Operation[] {
  return Object.entries<Json>(Object(document[part])).flatMap(([path, item]) =>
    Object.entries<Json>(Object(item)).map(([method, of]) => ({ key: `${method.toUpperCase()} ${path}`, webhook, of })),
  );
}

/** Every object of a part of the document that is not inside an example. */
function* objectsOf(part: unknown): Generator<Json> {
  if (Array.isArray(part)) for (const one of part) yield* objectsOf(one);
  if (typeof part !== "object" || part === null || Array.isArray(part)) return;
  yield part as Json; // cast: it is an object
  for (const [key, one] of Object.entries(part)) if (!/^examples?$/.test(key)) yield* objectsOf(one);
}

function target(ref: string): unknown {
  return ref
    .split("/")
    .slice(1)
    .reduce((part: unknown, name) => Object(part)[name], document);
}

/** The schema with its references replaced by what they name, and without the formats of times that JSON Schema has no check for. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...rest } = schema as Json; // cast: it is an object
  if (typeof $ref === "string") return whole(target($ref));
  return Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [key, /^examples?$/.test(key) ? part : whole(part)]),
  );
}

test("every route has a name of its own", () => {
  const missing = operations.filter(({ key, webhook }) => !webhook && OPERATIONS[key] === undefined);
  expect(missing.map(({ key }) => `${key} has no operationId: add its line to src/http/openapi/operations.ts`)).toEqual(
    [],
  );
  const ids = operations.map(({ of }) => of["operationId"]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z][a-zA-Z0-9]+$/.test(String(id)))).toEqual([]);
  const unused = Object.keys(OPERATIONS).filter((key) => !operations.some((one) => one.key === key));
  expect(unused.map((key) => `${key} is in src/http/openapi/operations.ts and is no route`)).toEqual([]);
});

test("every tag has a description", () => {
  const used = operations.flatMap(({ of }) => of["tags"]).map(String);
  expect([...new Set(used)].filter((tag) => TAGS[tag] === undefined)).toEqual([]);
});

test("every reference leads to something, and every component is referred to", () => {
  const refs = new Set([...objectsOf(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : [])));
  expect([...refs].filter((ref) => target(ref) === undefined)).toEqual([]);
  const components = Object.entries<Json>(Object(document["components"])).filter(
    ([kind]) => kind !== "securitySchemes",
  );
  const names = components.flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`));
  expect(names.filter((name) => !refs.has(name))).toEqual([]);
});

test("no two types have the same title: one of them would stay without a name", () => {
  const inline = [...objectsOf(document["paths"])].filter(
    ({ type, title }) => type === "object" && title !== undefined,
  );
  expect(inline.map(({ title }) => title)).toEqual([]);
});

test("every request and answer has an example that its schema takes", () => {
  const faults = operations.flatMap(({ key, of }) => {
    const bodies = [of["requestBody"], ...Object.values(Object(of["responses"]))].map((part) => whole(part));
    return bodies
      .flatMap((part) => Object.values<Json>(Object(Object(part).content)))
      .flatMap((kind) => faultsOf(key, kind));
  });
  expect(faults).toEqual([]);
});

function faultsOf(key: string, { schema, example, examples }: Json): string[] {
  const values = examples === undefined ? [example] : Object.values<Json>(Object(examples)).map(({ value }) => value);
  if (values.length === 0 || values.includes(undefined)) return [`${key}: a body without an example`];
  const check = Compile(Object(schema));
  return values
    .filter((value) => !check.Check(value))
    .map((value) => `${key}: ${JSON.stringify(value)} is not of its schema`);
}

test("every refusal names its codes, each of its status", () => {
  for (const { key, webhook, of } of operations) {
    if (webhook) continue;
    for (const [status, answer] of Object.entries(Object(of["responses"]))) {
      if (Number(status) < 400 || status === "405") continue;
      const codes: string[] = Object(answer)["x-error-codes"];
      expect(
        codes.map((code) => Object(PROBLEMS)[code]?.[0]),
        `${key} ${status}`,
      ).toEqual(codes.map(() => Number(status)));
    }
  }
});

test("headers that a route reads are parameters, and required where the route refuses a request without them", () => {
  const headerOf = (key: string, name: string) => {
    const operation = operations.find((one) => one.key === key);
    const parameters = Object(operation).of.parameters.map(whole);
    return parameters.find((one: Json) => one["in"] === "header" && one["name"] === name);
  };
  const key = "Idempotency-Key";
  expect(headerOf("POST /api/customer/coupons", key)).toMatchObject({ required: true });
  expect(headerOf("POST /api/customer/cart", key)).toMatchObject({ required: false });
  expect(headerOf("POST /intake/events", "Prefer").description).toContain("handling=strict");
  expect(headerOf("POST /api/storefront/point_allotments", "Prefer").description).toContain("return=minimal");
  expect(headerOf("GET /api/storefront/events", "Last-Event-ID")).toMatchObject({ required: false });
});

test("the headers of refusals are described", async () => {
  const path = "/api/storefront/point_allotments";
  const unknown = { customer_id: "nobody", point_value: 1 };
  const keyed = { "idempotency-key": "described" };
  const given = [
    await service.client.as(null).post(path, unknown),
    await service.client.post(`${path}?limit=1`, unknown, keyed),
    await service.client.post(`${path}?limit=1`, unknown, keyed),
    await service.client.post(`${path}?limit=1`, { point_value: 0 }),
    await service.client.request("PATCH", path),
  ];
  expect(given.map(({ status }) => status)).toEqual([401, 404, 404, 422, 405]);
  const ours = /^(?:ratelimit|idempotent|pointkeeper|allow|www-|x-request)/;
  const { responses } = Object(operations.find(({ key }) => key === `POST ${path}`)?.of);
  for (const { status, headers } of given) {
    const described = Object.keys(Object(whole(responses[status])).headers).map((name) => name.toLowerCase());
    const sent = [...headers.keys()].filter((name) => ours.test(name));
    expect(sent.length, String(status)).toBeGreaterThan(1);
    expect(
      sent.filter((name) => !described.includes(name)),
      String(status),
    ).toEqual([]);
  }
});

test("webhooks describe their signatures, and security is declared", () => {
  const hook = operations.find(({ key }) => key === "POST point_balance/update")?.of;
  const names = [hook?.["parameters"]].flat().map((one) => Object(one).name);
  expect(names).toEqual(expect.arrayContaining(["webhook-id", "webhook-timestamp", "webhook-signature"]));
  expect(hook?.["security"]).toEqual([{ delivery: [] }]);
});

test("other spellings of a path are told of and are no operations of their own", async () => {
  const paths = Object.keys(Object(document["paths"]));
  expect(paths.filter((path) => path.includes("/point_balance/"))).toEqual([]);
  const told = operations.flatMap(
    ({ of }) => String(of["description"]).match(/`\/api\/storefront\/point_balances?\/[^`]*`/g) ?? [],
  );
  expect(told.length).toBe(Object.values(ALIASES).flat().length);
  for (const path of told) {
    const asked = path.slice(1, -1).replace(/\{[^}]*\}/g, "1");
    expect((await service.client.request("PATCH", asked)).status, path).toBe(405);
  }
});
