import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { LoadOrder, LoadOutcome } from "./load-protocol.ts";
import { type Scenario, storefrontIdOf } from "./scenarios.ts";

export interface Target {
  readonly url: string;
  readonly authorization: string;
}

/** One run of a scenario, in which every request was sent, answered and counted. */
export interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly acknowledged: number;
  /** The sum of the acknowledged values. */
  readonly points: number;
  readonly refused: number;
  readonly elapsedMs: number;
}

let runs = 0;

/**
 * Sends `amount` requests of a scenario over its connections, from a separate thread, and waits for every response. A connection sends its next
 * request when the previous one is answered, or at a steady rate.
 */
export async function runLoad(
  target: Target,
  scenario: Scenario,
  amount: number,
  perSecond: number | null = null,
): Promise<Run> {
  const run = ++runs;
  const perConnection = Math.max(1, Math.round(amount / scenario.connections));
  const wanted = Array.from({ length: scenario.connections }, (_, connection) =>
    Array.from({ length: perConnection }, (_, n) => scenario.wanted(connection, n)),
  ).flat();
  const { hostname: host, port } = new URL(target.url);
  const order: LoadOrder = {
    host,
    port: Number(port),
    path: scenario.path,
    authorization: target.authorization,
    connections: scenario.connections,
    perConnection,
    customerIds: wanted.map(({ customer }) => storefrontIdOf(customer)),
    pointValues: Float64Array.from(wanted, ({ pointValue }) => pointValue),
    keyPrefix: scenario.hasKeys ? `bench-${process.pid}-${run}-` : null,
    perSecond,
  };
  const thread = new Worker(new URL("./load-thread.ts", import.meta.url), { workerData: order });
  const [outcome]: LoadOutcome[] = await once(thread, "message");
  await thread.terminate();
  if (outcome === undefined) throw new Error("the sending thread said nothing");
  const { durationsMs, elapsedMs, acknowledged, points, refused, firstRefusal } = outcome;
  if (firstRefusal !== null) throw new Error(`${refused} requests were refused; the first answer was\n${firstRefusal}`);
  const at = (part: number) =>
    durationsMs[Math.min(durationsMs.length - 1, Math.floor(durationsMs.length * part))] ?? 0;
  const sentPerSecond = (durationsMs.length * 1_000) / elapsedMs;
  return { perSecond: sentPerSecond, p50Ms: at(0.5), p99Ms: at(0.99), acknowledged, points, refused, elapsedMs };
}
