import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { Client } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDice, type Dice } from "../../../demo/season/dice.ts";
import type { Feature } from "../../../src/app.ts";
import { requestLimits } from "../../../src/config-groups.ts";
import { PROBLEMS } from "../../../src/problems.ts";
import { type BoundaryRequest, boundaryRequest } from "../../support/boundary-request.ts";
import { basic } from "../../support/client.ts";
import { bearer, makeKey, type StorefrontKey } from "../../support/customer-token.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { makeRichStore } from "../../support/rich-store.ts";
import { nameOf, type ServedRoute, servedRoutes } from "../../support/served-routes.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type AdminClient, CSRF, signIn } from "../../support/staff.ts";
import { stopVerified } from "../../support/stop-verified.ts";
import { readStoreValues, readUids, valuesFor } from "../../support/store-values.ts";

// Every route gets values at the limits of its schema, and odd ones: no answer may be a failure. Each round sends one request to each route, so later
// rounds read what earlier ones stored. A longer search: FC_RUNS=20 FC_SEED=$RANDOM npx vitest run test/flows/hostile/boundary-requests

const ROUNDS = exampleRuns(8);
const ADMIN = "/admin/api";
/** Of this process, in which the service and the test run, and until the answer has come. Both are many times what the slowest route needs. */
const PROCESSOR_MAX_MS = 4_000;
const ANSWER_MAX_MS = 30_000;

/** Routes that get no requests here, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
  [`DELETE ${ADMIN}/session`]: "ends the session that the requests have",
  [`DELETE ${ADMIN}/sessions`]: "ends that session and the person's others",
};

/** Answers people with a page, also where it refuses. */
const PAGE = /^\/unsubscribe\//;

let service: TestService;
let routes: readonly ServedRoute[];
let client: Client;
let owner: AdminClient;
let viewer: AdminClient;
let key: StorefrontKey;
/** The people who send requests, and their sessions: no request names these, so that none ends them. */
let own: ReadonlySet<string>;
const logged: string[] = [];

beforeAll(async () => {
  const unlimited = ["ADDRESS", "FAILURE", "CREDENTIAL", "CUSTOMER"].map((who) => [`POINTKEEPER_${who}_RATE`, "0"]);
  const limits = requestLimits(Object.fromEntries(unlimited));
  service = await startTestService({
    config: { limits },
    extraRoutes: faultyRoutes,
    log: (line) => void logged.push(line),
  });
  await makeRichStore(service);
  owner = await signIn(service, "owner");
  viewer = await signIn(service, "viewer");
  own = new Set((await readUids(service, ["staff", "staff_session"])).map(({ uid }) => uid));
  await signIn(service, "manager");
  key = await makeKey(service.deps);
  await owner.post("/session/confirm", { password: owner.password });
  routes = await servedRoutes(service, { extraRoutes: faultyRoutes });
  client = new Client(service.url, { headersTimeout: ANSWER_MAX_MS, bodyTimeout: ANSWER_MAX_MS });
});
afterAll(async () => {
  await client.close();
  await stopVerified(service);
});

const FAULTY = "/api/storefront/faulty";

/** Routes with one fault each, by which the test is tested. */
function faultyRoutes(app: Parameters<Feature>[0], { log }: Parameters<Feature>[1]): void {
  const config = { scope: "read" } as const;
  const month = { type: "string", pattern: "^\\d{4}-\\d\\d$" };
  app.get(
    "/faulty/month",
    { config, schema: { hide: true, querystring: { type: "object", properties: { month }, required: ["month"] } } },
    ({ query }) => {
      if (!String(Object(query).month).startsWith("2")) throw new Error("no such time");
      return {};
    },
  );
  app.get("/faulty/form", { config, schema: { hide: true } }, (_request, reply) => reply.code(404).send("nothing"));
  app.get("/faulty/log", { config, schema: { hide: true } }, () => {
    log.error({}, "something went wrong");
    return {};
  });
}

function headersOf({ access }: ServedRoute, person: AdminClient): Record<string, string> {
  if (access === "credential") return { authorization: basic(service.credential) };
  return access === "customer" ? { authorization: bearer(key, "c1") } : { ...CSRF, cookie: person.cookie };
}

/** Sends a request; what is wrong with its answer. */
async function faultsOf(route: ServedRoute, request: BoundaryRequest, person: AdminClient): Promise<string[]> {
  const { method, path, body } = request;
  const headers = { ...request.headers, ...headersOf(route, person) };
  const processor = process.cpuUsage();
  const start = performance.now();
  const faults: string[] = [];
  try {
    const answer = await client.request({ method: method as "GET", path, headers, body: body ?? null }); // cast: a method of a route
    const text = await answer.body.text();
    const isPage = PAGE.test(route.url) && String(answer.headers["content-type"]).startsWith("text/html");
    if (!isPage || answer.statusCode >= 500) faults.push(...answerFaults(answer.statusCode, text));
  } catch (error) {
    faults.push(`no answer: ${String(error)}`);
  }
  const { user, system } = process.cpuUsage(processor);
  if ((user + system) / 1_000 > PROCESSOR_MAX_MS) faults.push(`took ${(user + system) / 1_000} ms of processor`);
  if (performance.now() - start > ANSWER_MAX_MS) faults.push(`took ${performance.now() - start} ms`);
  faults.push(...logged.splice(0).map((line) => `logged ${line}`));
  return faults.map(
    (fault) =>
      `${nameOf(route)}: ${fault} after ${path.slice(0, 500)} ${JSON.stringify(request.headers)} ${body?.slice(0, 2_000)}`,
  );
}

/** Failures but the documented 503, and refusals without their form (docs/errors.md). */
function answerFaults(status: number, text: string): string[] {
  if (status < 400) return [];
  if (status >= 500 && status !== 503) return [`${status} ${text}`];
  try {
    const body = JSON.parse(text);
    const isOfForm = body.errors.every((each: Record<string, unknown>) => {
      const [of, title] = Object(PROBLEMS)[String(each["code"])];
      return of === status || (each["code"] === "bad_request" && title !== undefined);
    });
    if (isOfForm && body.errors.length > 0 && (body.status ?? status) === status) return [];
  } catch {}
  return [`${status} without a code: ${text.slice(0, 500)}`];
}

async function play(sent: readonly ServedRoute[], dice: Dice, rounds: number): Promise<string[]> {
  const found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const values = await readStoreValues(service, owner, own);
    for (const route of sent) {
      const known = valuesFor(route, values);
      found.push(...(await faultsOf(route, boundaryRequest(route, dice, known), owner)));
      if (round === 0 && route.access === "person")
        found.push(...(await faultsOf(route, boundaryRequest(route, dice, known), viewer)));
    }
  }
  return found;
}

const seed = () => fc.readConfigureGlobal().seed ?? 0;

test("this test finds a failure, a refusal of another form and a logged error", async () => {
  const found = await play(
    routes.filter(({ url }) => url.startsWith(FAULTY)),
    createDice(seed()),
    18,
  );
  const kinds = new Set(found.map((fault) => /^.*?: \S+/.exec(fault)?.[0]));
  expect(kinds).toEqual(
    new Set([
      `GET ${FAULTY}/month: 500`,
      `GET ${FAULTY}/month: logged`,
      `GET ${FAULTY}/form: 404`,
      `GET ${FAULTY}/log: logged`,
    ]),
  );
});

test(`no answer of any route is a failure, in ${ROUNDS} rounds of requests`, async () => {
  const sent = routes.filter((route) => EXCLUDED[nameOf(route)] === undefined && !route.url.startsWith(FAULTY));
  expect(Object.keys(EXCLUDED).filter((name) => !routes.some((route) => nameOf(route) === name))).toEqual([]);
  expect(sent.length).toBeGreaterThan(250);
  const found = await play(sent, createDice(seed()), ROUNDS);
  expect(found, `FC_SEED=${seed()} finds them again`).toEqual([]);
  expect(logged).toEqual([]);
  for (const person of [owner, viewer]) expect((await person.get("/session")).body.data.staff.uid).toBe(person.uid);
  expect((await service.client.get("/api/storefront/tiers")).status).toBe(200);
});
