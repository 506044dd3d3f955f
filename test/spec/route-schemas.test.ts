import fastJsonStringify from "fast-json-stringify";
import type { RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { compileValidator } from "../../src/http/validation.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A start compiles no schema, only the first request of a route does: a schema that cannot be compiled must be found here.

let service: TestService;
const routes: RouteOptions[] = [];
beforeAll(async () => {
  service = await startTestService({ worker: false });
  const app = buildApp(service.deps);
  app.addHook("onRoute", (route) => void routes.push(route));
  await app.ready();
  await app.close();
});
afterAll(() => service.stop());

test("the schemas of every route can be compiled", () => {
  const faults: string[] = [];
  let compiled = 0;
  const compile = (route: RouteOptions, part: string, work: () => unknown) => {
    try {
      work();
      compiled++;
    } catch (error) {
      faults.push(`${route.method} ${route.url} ${part}: ${String(error)}`);
    }
  };
  for (const route of routes) {
    const { method, url, schema } = route;
    for (const httpPart of ["body", "querystring", "params", "headers"] as const) {
      const part = schema?.[httpPart];
      if (part === undefined) continue;
      const of = { schema: part, httpPart, method: String(method), url };
      compile(route, httpPart, () => compileValidator(of as never)({})); // cast: the framework gives the same
    }
    for (const [status, answer] of Object.entries(schema?.response ?? {}))
      compile(route, status, () => fastJsonStringify(answer as object)); // cast: a JSON Schema
  }
  expect(faults).toEqual([]);
  expect(compiled).toBeGreaterThan(routes.length);
});
