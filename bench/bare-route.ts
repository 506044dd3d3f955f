import Fastify from "fastify";
import { readConfig } from "../src/config.ts";
import type { App } from "../src/http/app-type.ts";
import { observeRequests, requestIdMaker } from "../src/http/observe-requests.ts";
import { createInstruments } from "../src/instruments/instruments.ts";
import { createLog } from "../src/log.ts";
import { createRandom } from "../src/random.ts";
import { EMPTY_ANSWER } from "./empty-route.ts";

// A Fastify server that parses a JSON body and responds with as many bytes as the creation of an allotment: the baseline of all comparisons. With
// BENCH_OBSERVED 1 its requests are named and counted like the service's; with 0 it has the same kinds of hooks, which the service has anyway.
const { BENCH_OBSERVED } = process.env;
const isObserved = BENCH_OBSERVED === "1";
const app = Fastify(isObserved ? { genReqId: requestIdMaker({ random: createRandom() }) } : {});
if (isObserved) {
  const log = createLog({ level: "warn", pretty: true });
  const deps = { config: readConfig({}), log, instruments: createInstruments(), tracer: null };
  observeRequests(app as unknown as App, deps, () => undefined); // cast: only its hooks are used
}
if (BENCH_OBSERVED !== undefined) {
  app.addHook("onRequest", (_request, _reply, done) => done());
  app.addHook("onResponse", (_request, _reply, done) => done());
}
app.post("/bare", async (_request, reply) =>
  reply.header("content-type", "application/json; charset=utf-8").send(EMPTY_ANSWER),
);
const url = await app.listen({ port: 0, host: "127.0.0.1" });
process.once("SIGTERM", () => process.exit(0));
process.stdout.write(`running at ${url}\n`);
