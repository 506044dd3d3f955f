import type { RouteOptions } from "fastify";
import { type AppOptions, buildApp } from "../../src/app.ts";
import type { ValueSchema } from "./boundary-values.ts";
import type { TestService } from "./service.ts";

/** A route of the running service, and what its requests have. */
export interface ServedRoute {
  readonly method: string;
  /** With parameters such as `:id`. */
  readonly url: string;
  readonly access: "credential" | "customer" | "person";
  readonly path: ValueSchema;
  readonly query: ValueSchema;
  readonly headers: ValueSchema;
  readonly body: ValueSchema | undefined;
  /** Bodies that the document shows. */
  readonly examples: readonly unknown[];
}

type Json = Readonly<Record<string, unknown>>;

/** Returns every route: what openapi.json documents as it is documented there, all others as they are registered. Without HEAD, which copies GET. */
export async function servedRoutes(service: TestService, options: AppOptions): Promise<readonly ServedRoute[]> {
  const documented = documentedRoutes((await service.client.as(null).get("/openapi.json")).body);
  const names = new Set(documented.map(nameOf));
  const registered = await registeredRoutes(service, options);
  return [...documented, ...registered.filter((route) => !names.has(nameOf(route)))];
}

export function nameOf({ method, url }: Pick<ServedRoute, "method" | "url">): string {
  return `${method} ${url}`;
}

async function registeredRoutes({ deps }: TestService, options: AppOptions): Promise<ServedRoute[]> {
  const found: RouteOptions[] = [];
  const app = buildApp(deps, options);
  app.addHook("onRoute", (route) => void found.push(route));
  await app.ready();
  await app.close();
  return found.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => method !== "HEAD")
      .map((method) => ({ method, url: route.url, access: accessOf(route), examples: [], ...partsOf(route) })),
  );
}

function accessOf({ config }: RouteOptions): ServedRoute["access"] {
  if (config?.customer !== undefined) return "customer";
  return config?.scope === undefined ? "person" : "credential";
}

function partsOf({ url, schema = {} }: RouteOptions): Pick<ServedRoute, "path" | "query" | "headers" | "body"> {
  const part = (of: unknown): ValueSchema | undefined => of as ValueSchema | undefined; // cast: schemas of this project are JSON Schemas
  const path = part(schema.params) ?? textFields(url.match(/(?<=:)\w+|\*/g) ?? []);
  return { path, query: part(schema.querystring) ?? {}, headers: part(schema.headers) ?? {}, body: part(schema.body) };
}

function textFields(names: readonly string[]): ValueSchema {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names };
}

function documentedRoutes(document: Json): ServedRoute[] {
  const whole = wholeOf(document);
  return Object.entries<Json>(Object(document["paths"])).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { parameters = [], requestBody, security } = Object(whole(operation));
      const [content] = Object.values<Json>(Object(requestBody).content ?? {});
      const shown = Object.values<Json>(Object(content?.["examples"])).map(({ value }) => value);
      return {
        method: method.toUpperCase(),
        url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
        access: JSON.stringify(security ?? []).includes("customer") ? "customer" : "credential",
        path: fieldsIn("path", parameters),
        query: fieldsIn("query", parameters),
        headers: fieldsIn("header", parameters),
        body: content?.["schema"] as ValueSchema | undefined, // cast: a JSON Schema
        examples: [content?.["example"], ...shown].filter((example) => example !== undefined),
      };
    }),
  );
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: ValueSchema;
}

function fieldsIn(place: string, parameters: readonly Parameter[]): ValueSchema {
  const fields = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** Returns a function that replaces the references of a part of the document by what they name. */
function wholeOf(document: Json): (part: unknown) => unknown {
  const target = (ref: string) =>
    ref
      .split("/")
      .slice(1)
      .reduce((part: unknown, name) => Object(part)[name], document);
  return function whole(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(whole);
    if (typeof part !== "object" || part === null) return part;
    const { $ref, ...fields } = part as Json; // cast: it is an object
    if (typeof $ref === "string") return whole(target($ref));
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, whole(field)]));
  };
}
