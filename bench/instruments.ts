import { parseArgs } from "node:util";
import { createHistogram, DURATION_BOUNDS_S, observe } from "../src/instruments/histogram.ts";
import { countRequest, createInstruments, routeCounts } from "../src/instruments/instruments.ts";
import { createRequestIds, givenRequestId, runInRequest } from "../src/instruments/request-scope.ts";
import { median, tableText } from "./cost.ts";
import { cpuOfProcess, spawnScript } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { scenariosOf } from "./scenarios.ts";

/**
 * Measures the cost of the instruments: nanoseconds of each call, and microseconds of a request to a route that does nothing, with and without them,
 * in turns. `node bench/instruments.ts [--rounds 5] [--requests 100000]` (Linux)
 */
const { values } = parseArgs({ options: { rounds: { type: "string" }, requests: { type: "string" } } });
const ROUNDS = Number(values.rounds ?? 5);
const REQUESTS = Number(values.requests ?? 100_000);
const CALLS = 2_000_000;

/** Returns the nanoseconds of one call, the minimum of a few rounds. */
function nsOf(work: (n: number) => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const startedMs = performance.now();
    for (let n = 0; n < CALLS; n++) work(n);
    return ((performance.now() - startedMs) * 1e6) / CALLS;
  });
  return Math.min(...times);
}

const counts = routeCounts(createInstruments(), "POST", "/a");
const histogram = createHistogram(DURATION_BOUNDS_S);
const nextId = createRequestIds("0123456789ab");
const scope = { id: "x", span: null };
const calls: readonly (readonly [string, (n: number) => unknown])[] = [
  ["count a request", (n) => countRequest(counts, 200, n % 50)],
  ["observe a value", (n) => observe(histogram, (n % 50) / 1_000)],
  ["make an id", () => nextId()],
  ["take an id", () => givenRequestId("7f3b0a52-9d1c-4a0e-8000-1001")],
  ["enter a request's scope", () => runInRequest(scope, () => 1)],
];
process.stdout.write(
  `${tableText([["call", "ns"], ...calls.map(([name, work]) => [name, nsOf(work).toFixed(0)])])}\n\n`,
);

// A route that does nothing else, with and without instruments, one after the other in each round.
const bare = scenariosOf(1_000).find(({ isBare, connections }) => isBare && connections === 128);
if (bare === undefined) throw new Error("the bare scenario is gone");
const servers = {
  without: await spawnScript("./bare-route.ts", { BENCH_OBSERVED: "0" }),
  with: await spawnScript("./bare-route.ts", { BENCH_OBSERVED: "1" }),
};
const us: Record<keyof typeof servers, number[]> = { without: [], with: [] };
for (let round = 0; round <= ROUNDS; round++) {
  for (const name of ["without", "with"] as const) {
    const { url, child } = servers[name];
    const before = await cpuOfProcess(child.pid ?? 0);
    await runLoad({ url, authorization: "none" }, bare, REQUESTS);
    if (round > 0) us[name].push(((await cpuOfProcess(child.pid ?? 0)) - before) / REQUESTS); // the first one is warm-up
  }
}
await Promise.all([servers.without.stop(), servers.with.stop()]);
const row = (name: keyof typeof servers) => [name, median(us[name]).toFixed(2), Math.min(...us[name]).toFixed(2)];
process.stdout.write(`${tableText([["us a request", "median", "least"], row("without"), row("with")])}\n`);
